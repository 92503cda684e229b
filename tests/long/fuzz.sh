#!/usr/bin/env bash
# Fuzzes the readers of strangers' bytes (tests/fuzz) with libFuzzer, under the address and undefined behaviour sanitizers.
#
#   tests/long/fuzz.sh [TARGET...]     default: all; frames, tickets, sse, json, profile and plan 600 s each, the others 120 s each
#
# PADDOCK_FUZZ_SECONDS is for trying it: seconds of those six; the others take a fifth. What is found is kept in
# build/fuzz/crashes/, the grown corpus in build/fuzz/corpus/; the committed one (tests/data/corpus) is never written to.
set -uo pipefail

cd -- "$(dirname -- "$(readlink -f -- "$0")")/../.." || exit 1
. .ci/common.sh

readonly LONG_TARGETS=" frames tickets sse json profile plan "
seconds=${PADDOCK_FUZZ_SECONDS:-600}
case $seconds in '' | *[!0-9]*) complain "PADDOCK_FUZZ_SECONDS: expected a number of seconds, got \"$seconds\""; exit 2 ;; esac

ensure_packages "${BUILD_PACKAGES[@]}" "${FUZZ_PACKAGES[@]}" || exit 1
build_preset fuzz fuzzers || { complain "the build failed (above)"; exit 1; }

targets=("$@")
if [ ${#targets[@]} -eq 0 ]; then
  # The long ones first, so that both processors are busy until the end.
  targets=($LONG_TARGETS)
  for folder in tests/data/corpus/*/; do
    name=$(basename "$folder")
    [[ $LONG_TARGETS == *" $name "* ]] || targets+=("$name")
  done
fi

results=$(mktemp -d) || exit 1
trap 'rm -rf -- "$results"' EXIT
trap 'kill $(jobs -p) 2>/dev/null; exit 130' INT TERM HUP
mkdir -p build/fuzz/crashes build/fuzz/corpus

# Runs one target, writes its line, and leaves a file where something was found.
fuzz() {
  local name=$1 span log=$results/$1.log status=0
  if [[ $LONG_TARGETS == *" $name "* ]]; then span=$seconds; else span=$(((seconds + 4) / 5)); fi
  mkdir -p "build/fuzz/corpus/$name" "$results/tmp-$name"
  env TMPDIR="$results/tmp-$name" UBSAN_OPTIONS=print_stacktrace=1 "build/fuzz/bin/${name}_fuzz" "build/fuzz/corpus/$name" "tests/data/corpus/$name" \
    -max_total_time="$span" -rss_limit_mb=2048 -timeout=25 -max_len=16384 -print_final_stats=1 -artifact_prefix="build/fuzz/crashes/$name-" \
    >"$log" 2>&1 </dev/null &
  local pid=$!
  # Whoever ends this script ends the target with it.
  trap 'kill "$pid" 2>/dev/null; exit 143' TERM
  wait "$pid" || status=$?
  local runs coverage corpus verdict=ok
  runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
  coverage=$(grep -o 'cov: [0-9]*' "$log" | tail -n 1 | cut -d ' ' -f 2)
  corpus=$(grep -o 'corp: [0-9]*/[0-9A-Za-z]*' "$log" | tail -n 1 | cut -d ' ' -f 2)
  if [ "$status" -ne 0 ]; then
    verdict="FOUND (exit status $status): build/fuzz/crashes/$name.log"
    cp "$log" "build/fuzz/crashes/$name.log"
    touch "$results/found"
  fi
  printf '%-14s %6s %12s %9s %12s  %s\n' "$name" "$span" "${runs:-?}" "${coverage:-?}" "${corpus:-?}" "$verdict"
}

printf '%-14s %6s %12s %9s %12s  %s\n' target s executions coverage corpus verdict
for name in "${targets[@]}"; do
  [ -x "build/fuzz/bin/${name}_fuzz" ] || { complain "there is no target \"$name\""; touch "$results/found"; continue; }
  while [ "$(jobs -pr | wc -l)" -ge 2 ]; do wait -n; done
  fuzz "$name" &
done
wait
[ ! -e "$results/found" ]
