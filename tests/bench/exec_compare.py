#!/usr/bin/env python3
"""The same ten calls in ten turns through `paddock exec`, Codex CLI's `exec` and opencode's `run`: processor time, peak memory, wall.

    tests/bench/exec_compare.py PROGRAMS [--others FOLDER] [--runs N]

PROGRAMS is the folder of paddock; FOLDER has node_modules with @openai/codex and opencode-ai (npm install; needed once, nothing is
fetched here). Needs root and cgroup v1: processor time is that of all processes that a run started, by a control group of its own,
and so is not lost with processes that nobody waited for. Memory is the largest sum of the proportional set sizes of all of them,
looked at every 10 ms, in runs of its own. The model is exec_double.mjs on loopback, which answers at once.
"""
import argparse, glob, json, os, shutil, statistics, subprocess, sys, tempfile, time

HERE = os.path.dirname(os.path.abspath(__file__))
TASK = "Read all files."
CPU = "/sys/fs/cgroup/cpuacct"


def make_repo(folder):
    os.makedirs(folder + "/src")
    for i in range(1, 11):
        with open(f"{folder}/src/file{i}.c", "w") as out:
            out.write("".join(f"int value_{i}_{k}(int x) {{ return x * {k} + {i}; }}  // line {k}\n" for k in range(60)))
    subprocess.run(["git", "init", "-q", folder], check=True)


def contenders(programs, others, port, work):
    url = f"http://127.0.0.1:{port}/v1"
    base = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "TERM": "dumb"}

    def home(name):
        path = f"{work}/{name}"
        os.makedirs(path, exist_ok=True)
        return path

    out = [("paddock exec", [programs + "/paddock", "exec", TASK, "--base-url", url, "--model", "m"], {**base, "HOME": home("paddock")})]
    codex = glob.glob(others + "/node_modules/@openai/codex-linux-x64/vendor/*/bin/codex")
    if codex:
        with open(home("codex") + "/config.toml", "w") as config:
            config.write(f'model = "m"\nmodel_provider = "double"\n[model_providers.double]\nname = "double"\nbase_url = "{url}"\nwire_api = "responses"\n')
        # Its own sandbox does not start here; without it its commands run at least.
        out.append(("codex exec", [codex[0], "exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox", TASK], {**base, "HOME": home("codex"), "CODEX_HOME": home("codex")}))
    opencode = glob.glob(others + "/node_modules/opencode-linux-x64/bin/opencode")
    if opencode:
        config = {"autoupdate": False, "share": "disabled", "model": "double/m", "small_model": "double/m",
                  "provider": {"double": {"npm": "@ai-sdk/openai-compatible", "name": "double", "options": {"baseURL": url, "apiKey": "x"}, "models": {"m": {"name": "m"}}}}}
        with open(home("opencode") + "/opencode.json", "w") as file:
            json.dump(config, file)
        out.append(("opencode run", [opencode[0], "run", TASK],
                    {**base, "HOME": home("opencode"), "OPENCODE_CONFIG": home("opencode") + "/opencode.json", "OPENCODE_DISABLE_AUTOUPDATE": "1",
                     "OPENCODE_DISABLE_MODELS_FETCH": "1", "OPENCODE_DISABLE_DEFAULT_PLUGINS": "1", "OPENCODE_DISABLE_LSP_DOWNLOAD": "1"}))
    return out


class Group:
    """Control group (cpuacct) for one run; those that the run makes below it are counted too."""

    def __init__(self, n):
        self.path = f"{CPU}/paddock-bench-{os.getpid()}-{n}"
        os.mkdir(self.path)

    def enter(self):
        with open(self.path + "/cgroup.procs", "w") as procs:
            procs.write(str(os.getpid()))

    def seconds(self):
        with open(self.path + "/cpuacct.usage") as usage:
            return int(usage.read()) / 1e9

    def pids(self):
        out = []
        for folder, _, _ in os.walk(self.path):
            try:
                out += [int(line) for line in open(folder + "/cgroup.procs")]
            except OSError:
                pass
        return out

    def remove(self):
        for _ in range(200):  # what a run left behind ends by itself
            try:
                for folder, _, _ in os.walk(self.path, topdown=False):
                    os.rmdir(folder)
                return
            except OSError:
                time.sleep(0.05)
        print("left:", self.path, file=sys.stderr)


def pss_kb(pids):
    total = 0
    for pid in pids:
        try:
            with open(f"/proc/{pid}/smaps_rollup") as rollup:
                total += next(int(line.split()[1]) for line in rollup if line.startswith("Pss:"))
        except (OSError, StopIteration):
            pass
    return total


def run(n, command, environment, repo, watch):
    group = Group(n)
    started = time.monotonic()
    process = subprocess.Popen(command, cwd=repo, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, preexec_fn=group.enter)
    peak = 0
    if watch:
        while process.poll() is None:
            peak = max(peak, pss_kb(group.pids()))
            time.sleep(0.01)
    text = process.communicate(timeout=300)[0].decode(errors="replace")
    wall = time.monotonic() - started
    cpu = group.seconds()
    group.remove()
    if process.returncode != 0 or "each of them defines one function" not in text:
        sys.exit(f"{command[0]} failed ({process.returncode}):\n{text[-2000:]}")
    return cpu, wall, peak


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("programs")
    parser.add_argument("--others", default="")
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    work = tempfile.mkdtemp(prefix="exec-compare-", dir="/var/tmp")
    repo = work + "/repo"
    make_repo(repo)
    double = subprocess.Popen(["node", HERE + "/exec_double.mjs"], cwd=repo, stdout=subprocess.PIPE)
    try:
        port = int(double.stdout.readline())
        rows, n = [], 0
        for name, command, environment in contenders(os.path.abspath(options.programs), options.others, port, work):
            measured, peaks = [], []
            for i in range(options.runs + 1):
                n += 1
                one = run(n, command, environment, repo, False)
                if i > 0:  # the first one fills caches
                    measured.append(one)
            for _ in range(3):
                n += 1
                peaks.append(run(n, command, environment, repo, True)[2])
            rows.append((name, statistics.median(m[0] for m in measured), statistics.median(m[1] for m in measured), max(peaks) / 1024))
        print(f"{'':14} {'CPU s':>8} {'wall s':>8} {'peak MB':>8}   medians of {options.runs}; peak: largest of 3")
        for name, cpu, wall, peak in rows:
            print(f"{name:14} {cpu:8.3f} {wall:8.3f} {peak:8.1f}")
        if len(rows) > 1:
            print(f"{'ratio to best':14} {rows[0][1] / min(r[1] for r in rows[1:]):8.3f} {rows[0][2] / min(r[2] for r in rows[1:]):8.3f} {rows[0][3] / min(r[3] for r in rows[1:]):8.3f}")
    finally:
        double.kill()
        double.wait()
        shutil.rmtree(work, ignore_errors=True)


main()
