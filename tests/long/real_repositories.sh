#!/usr/bin/env bash
# The explorer on real repositories: Debian source packages, against labels that were made before it ran
# (tests/data/explorer_labels.json). Needs the package mirror that this machine is set up for. Prints a table.
#
#   tests/long/real_repositories.sh [PACKAGE...]     default: jq node-express python-django systemd
set -euo pipefail

here=$(cd -- "$(dirname -- "$0")/../.." && pwd)
bin=${PADDOCK_BIN:-$here/build/check/bin}
packages=("$@")
[ ${#packages[@]} -gt 0 ] || packages=(jq node-express python-django systemd)

work=$(mktemp -d "${TMPDIR:-/tmp}/paddock-real-XXXXXX")
trap 'rm -rf -- "$work"' EXIT
mkdir -p "$work"/{lists/partial,parts,src,state}

# The machine's own sources, with source packages switched on.
for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
  [ ! -f "$file" ] || sed -n 's/^deb /deb-src /p' "$file"
done >"$work/parts/here.list"
for file in /etc/apt/sources.list.d/*.sources; do
  [ ! -f "$file" ] || sed 's/^Types:.*/Types: deb-src/' "$file" >"$work/parts/$(basename "$file")"
done
apt=(apt-get -q -o "Dir::Etc::sourcelist=/dev/null" -o "Dir::Etc::sourceparts=$work/parts" -o "Dir::State::lists=$work/lists"
  -o "APT::Sandbox::User=root")
"${apt[@]}" update >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }

export XDG_STATE_HOME=$work/state
python3 - "$bin/paddock" "$here/tests/data/explorer_labels.json" "$work" "${packages[@]}" -- "${apt[@]}" <<'PY'
import glob, json, os, re, subprocess, sys, time
paddock, labels, work = sys.argv[1:4]
split = sys.argv.index("--")
packages, apt = sys.argv[4:split], sys.argv[split + 1:]
known = {one["name"]: one for one in json.load(open(labels))["repositories"]}
release = next(line.split("=")[1].strip() for line in open("/etc/os-release") if line.startswith("VERSION_CODENAME="))
bad = 0
print(f"{'repository':24} {'files':>6} {'status':10} {'build':6} {'test':6} {'verified':>9} {'seconds':>8} {'paddock':>9} {'cell':>9}")
for name in packages:
    folder = f"{work}/src/{name}"
    os.makedirs(folder)
    # The newest, or where the mirror lacks it the release's own.
    for version in (name, f"{name}/{release}"):
        fetched = subprocess.run(apt + ["--download-only", "source", version], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        if fetched.returncode == 0: break
    else: sys.exit(f"{name} could not be fetched: {fetched.stderr.decode(errors='replace')}")
    tree = f"{folder}/tree"
    os.makedirs(tree)
    archive = sorted(glob.glob(f"{folder}/*.orig.tar.*"))
    archive = [a for a in archive if not a.endswith(".asc")]
    subprocess.run(["tar", "xf", archive[-1], "-C", tree, "--strip-components=1", "--no-same-owner"], check=True)
    files = sum(len(f) for _, _, f in os.walk(tree))
    start = time.monotonic()
    run = subprocess.Popen([paddock, "investigate", "explorer", "What is this, how is it built and tested, where does it start?",
                            "--repo", tree, "--json"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    out = run.stdout.read()
    _, _, usage = os.wait4(run.pid, 0)
    seconds = time.monotonic() - start
    ticket = json.loads(out)
    def right(kind):
        if name not in known: return "-"
        said = (ticket["data"] or {}).get(kind) or [""]
        return "right" if any(re.fullmatch(p, said[0]) for p in known[name][kind]) else "WRONG"
    build, test = right("build"), right("test")
    whole = ticket["citations"] == ticket["citations_verified"] > 0
    ok = ticket["status"] == "completed" and whole and "WRONG" not in (build, test)
    bad += not ok
    print(f"{name:24} {files:6} {ticket['status']:10} {build:6} {test:6} {ticket['citations_verified']:4}/{ticket['citations']:<4} {seconds:8.2f} "
          f"{usage.ru_maxrss / 1024:7.1f}MB {ticket['usage']['peak_rss_kb'] / 1024:7.1f}MB")
    print(f"    build: {(ticket['data'] or {}).get('build')}  test: {(ticket['data'] or {}).get('test')}  starts: {((ticket['data'] or {}).get('entry_points') or [])[:3]}")
sys.exit(1 if bad else 0)
PY
