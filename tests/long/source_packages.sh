#!/usr/bin/env bash
# Four Debian source packages are configured, built and tested offline in profile build: C with autotools, C++ with CMake,
# Python, Perl. Each run must be a success, the sources outside stay byte for byte as they were, and no process, mount,
# control group or temporary file is left. Needs the package mirror that this machine is set up for. Prints a table.
#
#   tests/long/source_packages.sh [PACKAGE...]     default: hello libjsoncpp python-colorama libtext-csv-perl
set -euo pipefail

here=$(cd -- "$(dirname -- "$0")/../.." && pwd)
bin=${PADDOCK_BIN:-$here/build/check/bin}
packages=("$@")
[ ${#packages[@]} -gt 0 ] || packages=(hello libjsoncpp python-colorama libtext-csv-perl)

. "$here/.ci/common.sh"
ensure_packages g++ make cmake perl python3 dpkg-dev

work=$(mktemp -d "${TMPDIR:-/tmp}/paddock-source-XXXXXX")
trap 'rm -rf -- "$work"' EXIT
mkdir -p "$work"/{lists/partial,parts,src,state,config,home,tmp}

# The machine's own sources, with source packages switched on; the machine's lists stay as they are.
for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
  [ ! -f "$file" ] || sed -n 's/^deb /deb-src /p' "$file"
done >"$work/parts/here.list"
for file in /etc/apt/sources.list.d/*.sources; do
  [ ! -f "$file" ] || sed 's/^Types:.*/Types: deb-src/' "$file" >"$work/parts/$(basename "$file")"
done
apt=(apt-get -q -o "Dir::Etc::sourcelist=/dev/null" -o "Dir::Etc::sourceparts=$work/parts" -o "Dir::State::lists=$work/lists"
  -o "APT::Sandbox::User=root")
"${apt[@]}" update >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }

python3 - "$bin/paddock" "$work" "${packages[@]}" -- "${apt[@]}" <<'PY'
import ctypes, glob, hashlib, json, os, re, stat, subprocess, sys, time
paddock, work = sys.argv[1:3]
split = sys.argv.index("--")
packages, apt = sys.argv[3:split], sys.argv[split + 1:]
# What is run, and what its output must hold: a count of tests that is not zero.
known = {
    "hello": ("C, autotools", "./configure -q && make -s && make -s check", r"(?m)^# PASS: +[1-9][\s\S]*^# FAIL: +0$"),
    "libjsoncpp": ("C++, CMake", "cmake -B out && cmake --build out -j2 && ctest --test-dir out -j2", r"100% tests passed, 0 tests failed out of [1-9]"),
    "python-colorama": ("Python", "python3 -m unittest discover -p '*_test.py' 2>&1", r"Ran [1-9]\d* tests[\s\S]*\nOK"),
    "libtext-csv-perl": ("Perl", "perl Makefile.PL && make -s && make test", r"All tests successful\."),
}
# What outlives paddock becomes a child of this process (prctl(2), PR_SET_CHILD_SUBREAPER = 36).
ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)
environment = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "HOME": f"{work}/home", "TMPDIR": f"{work}/tmp",
               "XDG_STATE_HOME": f"{work}/state", "XDG_CONFIG_HOME": f"{work}/config"}

def fetch(name, folder):
    release = next(line.split("=")[1].strip() for line in open("/etc/os-release") if line.startswith("VERSION_CODENAME="))
    os.makedirs(f"{folder}/tree")
    # The newest, or where the mirror lacks it the release's own. Only upstream's archive: no patches, no packaging.
    for version in (name, f"{name}/{release}"):
        got = subprocess.run(apt + ["--download-only", "--tar-only", "source", version], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        if got.returncode == 0: break
    else: sys.exit(f"{name} could not be fetched: {got.stderr.decode(errors='replace')}")
    archive = [a for a in sorted(glob.glob(f"{folder}/*.orig.tar.*")) if not a.endswith(".asc")]
    subprocess.run(["tar", "xf", archive[-1], "-C", f"{folder}/tree", "--strip-components=1", "--no-same-owner"], check=True)
    return f"{folder}/tree"

def picture(tree):
    """Every path with its status and a hash of what it holds."""
    seen = {}
    for folder, folders, files in os.walk(tree):
        for path in [folder] + [os.path.join(folder, n) for n in folders + files]:
            s = os.lstat(path)
            held = os.readlink(path) if stat.S_ISLNK(s.st_mode) else hashlib.sha256(open(path, "rb").read()).hexdigest() if stat.S_ISREG(s.st_mode) else ""
            seen[path] = (s.st_mode, s.st_uid, s.st_gid, s.st_mtime_ns, s.st_ctime_ns, s.st_nlink, held)
    return seen

def left_behind(pid, mounts):
    found = []
    deadline = time.monotonic() + 10
    while True:
        try: waited, _ = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError: break
        if waited == 0 and time.monotonic() > deadline:
            found.append("processes")
            break
        if waited == 0: time.sleep(0.05)
    if open("/proc/self/mountinfo").read() != mounts: found.append("mounts")
    groups = [f"{folder}/{name}" for folder, names, _ in os.walk("/sys/fs/cgroup") for name in names if name.startswith(f"paddock-{pid}-")]
    return found + groups + [f"{work}/tmp/{name}" for name in os.listdir(f"{work}/tmp")]

bad = 0
print(f"{'package':20} {'language':14} {'files':>6} {'ending':8} {'seconds':>8} {'denied':>7} {'outside':10} left", flush=True)
for name in packages:
    if name not in known: sys.exit(f"{name}: not one of {', '.join(known)}")
    language, script, expected = known[name]
    tree = fetch(name, f"{work}/src/{name}")
    before, mounts = picture(tree), open("/proc/self/mountinfo").read()
    start = time.monotonic()
    run = subprocess.Popen([paddock, "run", "--repo", tree, "--timeout", "20m", "--json", "--", "sh", "-c", script],
                           stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment, text=True, errors="replace")
    out, err = run.communicate()
    seconds = time.monotonic() - start
    left, same = left_behind(run.pid, mounts), picture(tree) == before
    try: report = json.loads(out)
    except ValueError: sys.exit(f"{name}: no report (exit status {run.returncode})\n{err}")
    said = (report["stdout"] or {"text": ""})["text"]
    ending = report["ending"]["kind"] + (" 0" if run.returncode == 0 else f" {report['exit_status']}")
    ok = run.returncode == 0 and report["ending"]["kind"] == "exit" and re.search(expected, said) and same and not left
    bad += not ok
    print(f"{name:20} {language:14} {len(before):6} {ending:8} {seconds:8.1f} {report['violation_count']:7} {'unchanged' if same else 'CHANGED':10} {', '.join(left) or 'nothing'}", flush=True)
    if not ok: print(said[-3000:], (report["stderr"] or {"text": ""})["text"][-3000:], err, sep="\n", flush=True)
sys.exit(1 if bad else 0)
PY
