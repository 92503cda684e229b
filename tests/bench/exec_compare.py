#!/usr/bin/env python3
"""The same work through `paddock exec`, Codex CLI's `exec` and opencode's `run`: processor time, peak memory, wall.

    tests/bench/exec_compare.py PROGRAMS [--others FOLDER] [--runs N] [--task calls|delegated]

calls: ten calls in ten turns, of a model that answers at once. delegated: eight subagents at once, each four calls in four turns and an
answer in the fifth, of a model that takes 50 ms for each answer; what was asked and what came back is checked in every run.

PROGRAMS is the folder of paddock; FOLDER has node_modules with @openai/codex and opencode-ai (npm install; needed once, nothing is
fetched here); opencode searches with ripgrep, which must be installed. Needs root and cgroup v1. Memory is the largest sum of the
proportional set sizes of all processes of a run, looked at every 10 ms, in runs of its own. The contenders take turns, so that a noisy
moment meets all. The model is exec_double.mjs on loopback.
"""
import argparse, glob, json, os, shutil, statistics, subprocess, sys, tempfile, time, urllib.request
from dataclasses import dataclass, field

from process_group import ProcessGroup

HERE = os.path.dirname(os.path.abspath(__file__))
MEMORY_RUNS = 3  # at most
LONGEST_RUN_S = 300
PARTS = [f"part {n}" for n in range(1, 9)]


@dataclass
class Task:
    text: str
    answer: str      # is in what is printed at the end
    latency_ms: int  # of the model
    parts: dict      # questions of each subagent
    seen: dict       # results that had in them what they should, by whose they were


TASKS = {
    "calls": Task("Read all files.", "each of them defines one function", 0, {}, {"main": 10}),
    "delegated": Task("Hand out all parts.", "All parts were done.", 50, {part: 5 for part in PARTS}, {"main": 8, **{part: 4 for part in PARTS}}),
}


@dataclass
class Contender:
    name: str
    command: list
    environment: dict
    runs: list = field(default_factory=list)   # (CPU s, wall s)
    peaks: list = field(default_factory=list)  # MB
    questions: dict = field(default_factory=dict)
    most_open: list = field(default_factory=list)


def make_repo(folder):
    os.makedirs(folder + "/src")
    for i in range(1, 11):
        with open(f"{folder}/src/file{i}.c", "w") as out:
            out.write("".join(f"int value_{i}_{k}(int x) {{ return x * {k} + {i}; }}  // line {k}\n" for k in range(60)))
    subprocess.run(["git", "init", "-q", folder], check=True)


def contenders(programs, others, port, task, work):
    url = f"http://127.0.0.1:{port}/v1"
    base = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "TERM": "dumb"}

    def home(name):
        path = f"{work}/{name}"
        os.makedirs(path, exist_ok=True)
        return path

    out = [Contender("paddock exec", [programs + "/paddock", "exec", task, "--base-url", url, "--model", "m"], {**base, "HOME": home("paddock")})]
    codex = glob.glob(others + "/node_modules/@openai/codex-linux-x64/vendor/*/bin/codex")
    if codex:
        with open(home("codex") + "/config.toml", "w") as config:  # by default it has at most six subagents at a time
            config.write(f'model = "m"\nmodel_provider = "double"\n[model_providers.double]\nname = "double"\nbase_url = "{url}"\nwire_api = "responses"\n'
                         "[agents]\nmax_threads = 8\n")
        # Its own sandbox does not start here; without it its commands run at least.
        out.append(Contender("codex exec", [codex[0], "exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox", task],
                             {**base, "HOME": home("codex"), "CODEX_HOME": home("codex")}))
    opencode = glob.glob(others + "/node_modules/opencode-linux-x64/bin/opencode")
    if opencode and not shutil.which("rg"):
        sys.exit("opencode searches with ripgrep, which is not installed here: apt-get install ripgrep")
    if opencode:
        config = {"autoupdate": False, "share": "disabled", "model": "double/m", "small_model": "double/m",
                  "provider": {"double": {"npm": "@ai-sdk/openai-compatible", "name": "double", "options": {"baseURL": url, "apiKey": "x"}, "models": {"m": {"name": "m"}}}}}
        with open(home("opencode") + "/opencode.json", "w") as file:
            json.dump(config, file)
        out.append(Contender("opencode run", [opencode[0], "run", task],
                             {**base, "HOME": home("opencode"), "OPENCODE_CONFIG": home("opencode") + "/opencode.json", "OPENCODE_DISABLE_AUTOUPDATE": "1",
                              "OPENCODE_DISABLE_MODELS_FETCH": "1", "OPENCODE_DISABLE_DEFAULT_PLUGINS": "1", "OPENCODE_DISABLE_LSP_DOWNLOAD": "1"}))
    return out


def run(one, task, repo, port, watch):
    """Gives (CPU s, wall s, peak MB) once what it did was checked."""
    group = ProcessGroup("run")
    started = time.monotonic()
    output = tempfile.TemporaryFile()
    try:
        process = subprocess.Popen(one.command, cwd=repo, env=one.environment, stdin=subprocess.DEVNULL, stdout=output, stderr=output, preexec_fn=group.enter)
        peak = 0
        if watch:
            while process.poll() is None and time.monotonic() < started + LONGEST_RUN_S:
                peak = max(peak, group.pss_kb())
                time.sleep(0.01)
        status = process.wait(max(1, started + LONGEST_RUN_S - time.monotonic()))
        wall = time.monotonic() - started
        cpu = group.cpu_seconds()
    except subprocess.TimeoutExpired:
        sys.exit(f"{one.name} was not done after {LONGEST_RUN_S} s: the machine is too busy, or it waits for something that is not there")
    finally:
        group.end()
    output.seek(0)
    text = output.read().decode(errors="replace")
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/counts") as response:
        counts = json.load(response)
    one.questions = counts["asked"]
    one.most_open.append(counts["most_open"])
    parts = {who: asked for who, asked in counts["asked"].items() if who in PARTS}
    if status != 0 or task.answer not in text or parts != task.parts or counts["seen"] != task.seen:
        sys.exit(f"{one.name} failed ({status}), {counts}:\n{text[-2000:]}")
    return cpu, wall, peak / 1024


def measure(all_of_them, task, runs, repo, port):
    for i in range(runs + 1):
        for one in all_of_them:
            cpu, wall, _ = run(one, task, repo, port, False)
            if i > 0:  # the first one fills caches
                one.runs.append((cpu, wall))
    for _ in range(min(runs, MEMORY_RUNS)):
        for one in all_of_them:
            one.peaks.append(run(one, task, repo, port, True)[2])


def print_table(name, task, all_of_them, runs):
    print(f"{name}: medians of {runs}, peak the largest of {min(runs, MEMORY_RUNS)}; {task.latency_ms} ms an answer; load average {os.getloadavg()[0]:.1f}")
    print(f"  {'':14} {'wall s':>8} {'CPU s':>8} {'peak MB':>8}   {'wall':>6} {'CPU':>6} {'peak':>6}   questions (main, subagents, other), most open")
    first = None
    for one in all_of_them:
        row = [statistics.median(wall for _, wall in one.runs), statistics.median(cpu for cpu, _ in one.runs), max(one.peaks)]
        first = first or row
        asked = one.questions
        parts = sum(asked.get(part, 0) for part in PARTS)
        print(f"  {one.name:14} {row[0]:8.3f} {row[1]:8.3f} {row[2]:8.1f}   " + " ".join(f"{mine / base:5.1f}x" for mine, base in zip(row, first)) +
              f"   {asked['main']}, {parts}, {asked.get('other', 0)}; {statistics.median(one.most_open):.0f}")


def compare(name, options):
    task = TASKS[name]
    work = tempfile.mkdtemp(prefix="exec-compare-", dir="/var/tmp")
    repo = work + "/repo"
    make_repo(repo)
    double = subprocess.Popen(["node", HERE + "/exec_double.mjs", str(task.latency_ms)], cwd=repo, stdout=subprocess.PIPE)
    try:
        port = int(double.stdout.readline())
        all_of_them = contenders(os.path.abspath(options.programs), options.others, port, task.text, work)
        measure(all_of_them, task, options.runs, repo, port)
        print_table(name, task, all_of_them, options.runs)
    finally:
        double.kill()
        double.wait()
        shutil.rmtree(work, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("programs")
    parser.add_argument("--others", default="")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--task", choices=TASKS)
    options = parser.parse_args()
    for name in [options.task] if options.task else TASKS:
        compare(name, options)


main()
