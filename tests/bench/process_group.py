"""All processes of one run, in control groups of version 1: their processor time, and their memory by their proportional set sizes.

Whoever a run started is in its group, also one whose parent is gone, so nothing is lost with processes that nobody waited for.
"""
import ctypes, os, signal, sys, time

CPU = "/sys/fs/cgroup/cpuacct"
SYS_KCMP, KCMP_VM = 312, 1  # x86-64
syscall = ctypes.CDLL(None, use_errno=True).syscall


class ProcessGroup:
    def __init__(self, name):
        self.path = f"{CPU}/paddock-bench-{os.getpid()}-{name}"
        os.mkdir(self.path)

    def enter(self):
        with open(self.path + "/cgroup.procs", "w") as procs:
            procs.write(str(os.getpid()))

    def cpu_seconds(self):
        """Of all that ever were in it, or in a group that one of them made below it."""
        with open(self.path + "/cpuacct.usage") as usage:
            return int(usage.read()) / 1e9

    def pss_kb(self):
        return sum(pss_kb(pid) for pid in self._pids() if not borrows_memory(pid))

    def _pids(self):
        out = []
        for folder, _, _ in os.walk(self.path):
            try:
                out += [int(line) for line in open(folder + "/cgroup.procs")]
            except OSError:
                pass
        return out

    def end(self):
        """Ends what the run left behind, and removes the group."""
        for _ in range(200):
            for pid in self._pids():
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
            try:
                for folder, _, _ in os.walk(self.path, topdown=False):
                    os.rmdir(folder)
                return
            except OSError:
                time.sleep(0.05)
        print("left:", self.path, file=sys.stderr)


def borrows_memory(pid):
    """Whether it is a child of vfork before its exec, which has its parent's memory and would be counted twice."""
    try:
        with open(f"/proc/{pid}/stat") as stat:
            parent = int(stat.read().rpartition(")")[2].split()[1])
    except OSError:
        return False
    return parent > 1 and syscall(SYS_KCMP, pid, parent, KCMP_VM, 0, 0) == 0


def pss_kb(pid):
    try:
        with open(f"/proc/{pid}/smaps_rollup") as rollup:
            return next(int(line.split()[1]) for line in rollup if line.startswith("Pss:"))
    except (OSError, StopIteration):
        return 0
