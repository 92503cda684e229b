"""Many runs of `paddock investigate` against a model's server that nobody here wrote: model_runs.py BIN PEERS

Each run has a server that behaves in one way (WAYS). A tenth is killed at a seeded moment: paddock, one of its processes,
or by a signal that asks it to stop. Whatever happens: exactly one ticket with a status that the run deserves, an exit status
that fits it, and nothing left at the end. Only a paddock that was killed itself may leave without a ticket.
"""
import collections
import ctypes
import hashlib
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

BIN, PEERS = sys.argv[1:3]
RUNS = int(os.environ.get("PADDOCK_MODEL_RUNS", 2000))
JOBS = int(os.environ.get("PADDOCK_MODEL_JOBS", 8))
HANG = 90  # seconds; nothing here takes so long unless it hangs

READ = {"name": "read_file", "arguments": json.dumps({"path": "README.md"})}
LIST = {"name": "list_files", "arguments": json.dumps({"path": "."})}
REPORT = {"name": "report", "arguments": json.dumps({"summary": "It is a thing. 😀", "findings": [{
    "title": "It is a thing", "evidence": [{"path": "README.md", "line_start": 1, "line_end": 1, "quote": "# Thing"}]}]})}
ERROR = {"completed", "crashed"}

# Name of the model: share, what its server answers (turn by turn, or the same always), the statuses that fit,
# and the run's time.
WAYS = {
    "calls": (40, [{"response": {"toolCalls": [LIST, READ]}}, {"response": {"toolCalls": [REPORT]}}], {"completed"}, 60),
    "framed+crlf": (4, [{"response": {"toolCalls": [READ]}}, {"response": {"toolCalls": [REPORT]}}], {"completed"}, 60),
    "cutup+bytes": (4, [{"response": {"toolCalls": [READ]}}, {"response": {"toolCalls": [REPORT]}}], {"completed"}, 60),
    "text": (10, [{"response": {"content": "I will now read the files."}}], {"stuck"}, 60),
    "quota": (5, [{"response": {"error": {"message": "pay", "code": "insufficient_quota"}, "status": 429}}], {"refused"}, 60),
    "busy": (4, [{"response": {"error": {"message": "slow down"}, "status": 429, "retryAfter": 1}}], {"crashed"}, 60),
    "later": (4, [{"response": {"error": {"message": "slow down"}, "status": 429, "retryAfter": 3600}}], {"crashed"}, 20),
    "oops": (4, [{"response": {"toolCalls": [READ]}}, {"response": {"error": {"message": "oops"}, "status": 500}}], {"crashed"}, 60),
    "moody": (7, [{"response": {"toolCalls": [READ]}, "chaos": {"dropRate": 0.4}}, {"response": {"toolCalls": [REPORT]}, "chaos": {"disconnectRate": 0.4}}], ERROR, 60),
    "cutoff": (4, [{"response": {"toolCalls": [READ]}}, {"response": {"toolCalls": [REPORT]}, "truncateAfterChunks": 3}], {"crashed"}, 60),
    "garble+garbage": (4, [{"response": {"toolCalls": [READ]}}], {"crashed"}, 60),
    "stall+keep-alive": (10, [{"response": {"toolCalls": [READ]}}, {"response": {"content": "a long story"}, "streamingProfile": {"ttft": 100000}}], {"timeout"}, 3),
}
KILLS = ["paddock", "paddock-http", "paddock-jail", "cell", "SIGINT", "SIGTERM"]
ENDINGS = {"completed", "partial", "turn_limit", "timeout", "budget", "stuck", "refused", "cancelled", "crashed", "failed_to_start"}


def fixtures():
    out = []
    for name, (_, answers, _, _) in WAYS.items():
        for turn, answer in enumerate(answers):
            match = {"model": name.split("+")[0]}
            if len(answers) > 1:
                match["turnIndex"] = turn
            out.append({"match": match, **answer})
    return out


def descendants(pid):
    """{pid: (start time, command name)} of everything below, itself included."""
    found, todo = {}, [pid]
    while todo:
        one = todo.pop()
        try:
            with open(f"/proc/{one}/stat", "rb") as file:
                stat = file.read()
            name = stat[stat.index(b"(") + 1:stat.rindex(b")")].decode(errors="replace")
            found[one] = (stat[stat.rindex(b")") + 2:].split()[19], name)
            for task in os.listdir(f"/proc/{one}/task"):
                with open(f"/proc/{one}/task/{task}/children") as file:
                    todo += map(int, file.read().split())
        except (OSError, ValueError):
            pass
    return found


def lives(pid, start):
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            stat = file.read()
    except OSError:
        return False
    fields = stat[stat.rindex(b")") + 2:].split()
    return fields[19] == start and fields[0] not in (b"Z", b"X")


class Books:
    """What came of the runs. Used by all threads."""

    def __init__(self):
        self.lock = threading.Lock()
        self.ways = collections.defaultdict(collections.Counter)
        self.kills = collections.defaultdict(collections.Counter)
        self.bad = []
        self.next = 0

    def take(self):
        with self.lock:
            self.next += 1
            return self.next - 1 if self.next <= RUNS else None

    def complain(self, number, what, out=b"", err=b""):
        with self.lock:
            self.bad.append(number)
            if len(self.bad) <= 10:
                print(f"run {number}: {what}\n{out.decode(errors='replace')[:1500]}\n{err.decode(errors='replace')[-1500:]}", file=sys.stderr, flush=True)


def fits(status, code):
    if status == "cancelled":
        return code in (130, 143)
    return code == {"completed": 0, "failed_to_start": 3}.get(status, 1)


def run(number, books, work, url):
    chance = random.Random(number * 7919 + 20240607)
    name = chance.choices(list(WAYS), [way[0] for way in WAYS.values()])[0]
    _, _, deserved, seconds = WAYS[name]
    kill = chance.choice(KILLS) if number % 10 == 9 else None
    command = [f"{BIN}/paddock", "investigate", "explorer", "what is this?", "--json", "--repo", f"{work}/repo",
               "--base-url", url, "--model", name, "--timeout", f"{seconds}s"]
    environment = {"HOME": f"{work}/home", "XDG_STATE_HOME": f"{work}/state", "XDG_CONFIG_HOME": f"{work}/config",
                   "TMPDIR": f"{work}/tmp", "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}
    process = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    tree, hit = {}, None
    if kill:
        # A while after the one to be killed has begun: mostly within the life of a good run, now and then later.
        while process.poll() is None and not victims(kill, process, descendants(process.pid)):
            time.sleep(0.002)
        moment = chance.uniform(0, 0.08) if chance.random() < 0.8 else chance.uniform(0, 2)
        try:
            out, err = process.communicate(timeout=moment)
        except subprocess.TimeoutExpired:
            tree = descendants(process.pid)
            hit = do_kill(kill, process, tree, chance)
    try:
        out, err = process.communicate(timeout=HANG)
    except subprocess.TimeoutExpired:
        process.kill()
        out, err = process.communicate()
        return books.complain(number, f"{name} hangs, kill {kill}", out, err)
    status = judge(number, books, name, deserved, hit, process.returncode, out, err)
    with books.lock:
        (books.kills[kill] if hit else books.ways[name])[status] += 1
    until = time.monotonic() + 10
    while any(lives(pid, start) for pid, (start, _) in tree.items()):
        if time.monotonic() > until:
            left = [f"{pid} {comm}" for pid, (start, comm) in tree.items() if lives(pid, start)]
            return books.complain(number, f"{name}, kill {kill}: still alive: {left}", out, err)
        time.sleep(0.01)


def victims(kill, process, tree):
    if kill in ("paddock", "SIGINT", "SIGTERM"):
        return [process.pid]
    return sorted(pid for pid, (_, comm) in tree.items() if comm == kill)


def do_kill(kill, process, tree, chance):
    """What was really hit; None when it was gone already."""
    among = victims(kill, process, tree)
    if not among:
        return None
    try:
        os.kill(chance.choice(among), getattr(signal, kill) if kill.startswith("SIG") else signal.SIGKILL)
    except ProcessLookupError:
        return None
    return kill


def judge(number, books, name, deserved, hit, code, out, err):
    if not out and hit == "paddock" and code == -signal.SIGKILL:
        return "no ticket"
    # Before it has begun to listen for signals there is nothing to tell of.
    if not out and hit in ("SIGINT", "SIGTERM") and code == -getattr(signal, hit):
        return "no ticket"
    if out.count(b"\n") != 1 or not out.endswith(b"\n"):
        books.complain(number, f"{name}, kill {hit}: not exactly one ticket, exit status {code}", out, err)
        return "BAD"
    ticket = json.loads(out)
    status = ticket["status"]
    # Killed after it had handed out its ticket: the exit status is the kill's.
    killed_late = hit == "paddock" and code == -signal.SIGKILL
    good = ticket["schema"] == "paddock/result/1" and status in ENDINGS and (killed_late or fits(status, code))
    if status == "completed":
        good = good and ticket["citations"] == ticket["citations_verified"] == 1
    if not hit:
        good = good and status in deserved
    elif hit in ("SIGINT", "SIGTERM"):
        good = good and status in deserved | {"cancelled"}
    else:
        good = good and status in deserved | {"crashed", "failed_to_start", "completed", "timeout"}
    if not good:
        books.complain(number, f"{name}, kill {hit}: {status} with exit status {code}, expected {sorted(deserved)}", out, err)
        return "BAD"
    return status


def surroundings(work):
    """What must be the same afterwards."""
    def text(path):
        try:
            with open(path) as file:
                return file.read()
        except OSError:
            return ""
    repo = []
    for folder, _, files in os.walk(f"{work}/repo"):
        for one in sorted(files):
            path = os.path.join(folder, one)
            with open(path, "rb") as file:
                repo.append((path, os.stat(path).st_mtime_ns, hashlib.sha256(file.read()).hexdigest()))
    return {
        "mounts": text("/proc/self/mountinfo"),
        "cgroups": sorted(folder for folder, _, _ in os.walk("/sys/fs/cgroup") if "paddock" in os.path.basename(folder)),
        "named sockets": sorted(words[7] for words in map(str.split, text("/proc/net/unix").splitlines()) if len(words) > 7 and "paddock" in words[7]),
        "/dev/shm": sorted(os.listdir("/dev/shm")) if os.path.isdir("/dev/shm") else [],
        "temporary files": os.listdir(f"{work}/tmp"),
        "home": os.listdir(f"{work}/home"),
        "settings": os.listdir(f"{work}/config"),
        "repository": sorted(repo),
    }


def children():
    found = descendants(os.getpid())
    return {pid: one for pid, one in found.items() if pid != os.getpid()}


def reap_orphans(known):
    while True:
        for pid in children():
            if pid in known:
                continue
            try:
                if os.waitpid(pid, os.WNOHANG)[0] == 0:
                    continue
            except ChildProcessError:
                pass
        left = {pid: one for pid, one in children().items() if pid not in known}
        yield left


def main():
    # Whatever outlives its paddock becomes a child of this process (prctl(2), PR_SET_CHILD_SUBREAPER).
    ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)
    server = subprocess.Popen(["node", "model_server.mjs"], cwd=PEERS, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              env={**os.environ, "PATH": f"{PEERS}/node_modules/.bin:{os.environ['PATH']}"})
    port = server.stdout.readline().decode().strip()
    if not port:
        sys.exit("the model's server did not start")
    urllib.request.urlopen(f"http://127.0.0.1:{port}/fixtures", json.dumps({"chunkSize": 20, "fixtures": fixtures()}).encode()).read()
    with tempfile.TemporaryDirectory(prefix="paddock-model-runs-") as work:
        for folder in ("repo/src", "home", "state", "config", "tmp"):
            os.makedirs(f"{work}/{folder}")
        with open(f"{work}/repo/README.md", "w") as file:
            file.write("# Thing\n\nA thing that does one thing.\n")
        for i in range(20):
            with open(f"{work}/repo/src/part{i}.c", "w") as file:
                file.write(f"int part{i}(void);\n")
        before, books, known = surroundings(work), Books(), set(descendants(server.pid))
        start = time.monotonic()

        def worker():
            while (number := books.take()) is not None:
                run(number, books, work, f"http://127.0.0.1:{port}/v1")

        threads = [threading.Thread(target=worker) for _ in range(JOBS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        took = time.monotonic() - start
        left, until = {}, time.monotonic() + 10
        for left in reap_orphans(known):
            if not left or time.monotonic() > until:
                break
            time.sleep(0.02)
        after = surroundings(work)
        records = len(os.listdir(f"{work}/state/paddock/runs"))
    server.stdin.close()
    server.wait()

    done = sum(sum(counts.values()) for counts in [*books.ways.values(), *books.kills.values()])
    print(f"{done} runs in {took:.0f} s, {JOBS} at a time; {sum(map(lambda c: sum(c.values()), books.kills.values()))} hit by a kill; {records} records")
    for title, table in (("server", books.ways), ("killed", books.kills)):
        for name in sorted(table):
            print(f"  {title} {name:18} " + ", ".join(f"{count} {status}" for status, count in sorted(table[name].items())))
    wrong = [what for what in before if before[what] != after[what]]
    for what in wrong:
        print(f"changed: {what}: {str(before[what])[:300]} -> {str(after[what])[:300]}", file=sys.stderr)
    if left:
        print(f"still alive: {left}", file=sys.stderr)
    print(f"left: {len(left)} processes, changes of {len(wrong)} surroundings; bad runs: {len(books.bad)}")
    sys.exit(1 if left or wrong or books.bad or done != RUNS else 0)


main()
