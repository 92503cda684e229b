#!/usr/bin/env bash
# 300 runs, a tenth of them killed at a moment: nothing may be left of any.
set -euo pipefail
here=$(cd -- "$(dirname -- "$0")/../.." && pwd)
PADDOCK_LEFTOVER_RUNS=300 "${PADDOCK_BIN:-$here/build/check/bin}/flow_tests" --gtest_filter='Leftovers.*'
