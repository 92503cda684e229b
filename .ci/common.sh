# What ./check and ./quickstart share: packages and the build. Sourced by them, from the top folder.

# Debian 12 packages that a build needs, and those that the tests need beside them.
readonly BUILD_PACKAGES=(g++ cmake ninja-build nlohmann-json3-dev libboost-dev libboost-filesystem-dev
  libcap-dev libcli11-dev libcpprest-dev libre2-dev libseccomp-dev libssl-dev)
readonly TEST_PACKAGES=(ccache libgtest-dev libgmock-dev libbenchmark-dev bubblewrap git mount openssl python3 universal-ctags util-linux)
# What tests/vm/run.sh needs beside them: for its machines, and for what is in them.
readonly VM_PACKAGES=(busybox-static cpio dbus dbus-user-session e2fsprogs libpam-systemd make mawk procps qemu-system-x86 squashfs-tools systemd)
# What tests/long/fuzz.sh needs: Debian's clang 14 can't compile std::expected.
readonly FUZZ_PACKAGES=(ccache clang-19 libclang-rt-19-dev)

say() { printf '%s: %s\n' "${0##*/}" "$*"; }
complain() { printf '%s: %s\n' "${0##*/}" "$*" >&2; }

# Prints the line that installs the packages named, and runs it when one of them is missing. sudo is for this
# alone, and only where the caller isn't root.
ensure_packages() {
  local sudo=() missing=() package
  [ "$(id -u)" -eq 0 ] || sudo=(sudo)
  say "packages: ${sudo[*]:+sudo }apt-get install -y --no-install-recommends $*"
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    complain "this is no Debian: nothing is installed; what these packages hold must be here already"
    return 0
  fi
  for package in "$@"; do
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  if [ ${#sudo[@]} -gt 0 ] && ! command -v sudo >/dev/null; then
    complain "there is no sudo here; as root: apt-get install -y --no-install-recommends ${missing[*]}"
    return 1
  fi
  say "installing ${missing[*]}"
  local log status=0
  log=$(mktemp) || return 1
  { "${sudo[@]}" apt-get update -q &&
    "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends --no-remove "${missing[@]}"
  } >"$log" 2>&1 </dev/null || status=$?
  if [ "$status" -ne 0 ]; then
    cat "$log" >&2
    complain "the packages could not be installed (above)"
  fi
  rm -f "$log"
  return "$status"
}

# Fills a folder with the programs from npm that the tests speak to, as its lock file names them, and with a node of its own where
# the machine's is older than they need.
ensure_peers() {
  local folder=$1 major
  if ! command -v npm >/dev/null; then
    ensure_packages nodejs npm || return 1
  fi
  if [ ! -e "$folder/node_modules/.package-lock.json" ] || [ "$folder/package-lock.json" -nt "$folder/node_modules/.package-lock.json" ]; then
    say "npm ci in $folder"
    (cd "$folder" && npm ci --no-audit --no-fund --loglevel=error) >&2 || return 1
  fi
  major=$(node -p 'process.versions.node.split(".")[0]' 2>/dev/null)
  if [ "${major:-0}" -lt 20 ] && [ ! -x "$folder/node_modules/.bin/node" ]; then
    say "node ${major:-none} is older than 20: npm install node@22 in $folder"
    (cd "$folder" && npm install --no-save --no-package-lock --no-audit --no-fund --loglevel=error node@22) >&2 || return 1
  fi
}

# As many compilers as there are processors, and memory for (the largest files take 0.7 GB).
build_jobs() {
  local processors memory_kb
  processors=$(nproc)
  memory_kb=$(awk '/^MemAvailable:/ {print $2}' /proc/meminfo 2>/dev/null)
  [ -n "$memory_kb" ] || memory_kb=$((processors * 1000000))
  local by_memory=$((memory_kb / 700000))
  [ "$by_memory" -ge 1 ] || by_memory=1
  echo $((by_memory < processors ? by_memory : processors))
}

# A cache in which another user (sudo, say) left folders would fail each compilation: do without it then.
avoid_foreign_ccache() {
  local cache=${CCACHE_DIR:-${HOME:-/nonexistent}/.cache/ccache}
  [ -d "$cache" ] || return 0
  [ -n "$(find "$cache" -maxdepth 3 -type d ! -writable -print -quit 2>/dev/null)" ] || return 0
  say "not using $cache: it has folders that you can't write"
  export CCACHE_DISABLE=1
}

# What is built goes into this checkout: says so before anything is installed for it.
ensure_writable() {
  local place=build/$1
  if [ -e "$place" ] && [ ! -w "$place" ]; then
    complain "$place can't be written by you: another user built it; remove it first"
    return 1
  fi
  [ -e build ] && place=build || place=.
  [ -w "$place" ] && return 0
  complain "$(readlink -f "$place") can't be written by you, and what is built goes there: clone the repository into a folder of your own"
  return 1
}

# Of what ninja says: a line at each tenth of the work, and what goes wrong.
tenths() {
  local line done all said=0
  while IFS= read -r line || [ -n "$line" ]; do
    if [[ $line =~ ^\[([0-9]+)/([0-9]+)\]\  ]]; then
      done=${BASH_REMATCH[1]} all=${BASH_REMATCH[2]}
      if [ "$all" -ge 10 ] && [ $((done * 10 / all)) -gt "$said" ]; then
        said=$((done * 10 / all))
        say "$done of $all built"
      fi
    elif [[ $line != '-- '* && $line != 'ninja: no work to do'* ]]; then
      printf '%s\n' "$line"
    fi
  done
}

# Configures (once) and builds a preset in build/PRESET: all of it, or the target named. Progress on a terminal, else a line at each tenth and what goes wrong.
build_preset() {
  local preset=$1 target=${2:-all}
  avoid_foreign_ccache
  local cache=build/$preset/CMakeCache.txt log
  ensure_writable "$preset" || return 1
  # Configured again where it never was, or where the checkout was somewhere else.
  if [ ! -e "build/$preset/build.ninja" ] || ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$PWD" "$cache" 2>/dev/null; then
    say "configuring build/$preset"
    log=$(mktemp) || return 1
    if ! cmake --fresh --preset "$preset" >"$log" 2>&1; then
      cat "$log" >&2
      rm -f "$log"
      return 1
    fi
    rm -f "$log"
  fi
  say "building build/$preset, $(build_jobs) at a time (minutes the first time)"
  if [ -t 1 ]; then
    cmake --build "build/$preset" -j "$(build_jobs)" --target "$target"
    return
  fi
  cmake --build "build/$preset" -j "$(build_jobs)" --target "$target" 2>&1 | tenths
  return "${PIPESTATUS[0]}"
}
