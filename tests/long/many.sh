#!/usr/bin/env bash
# 200 subagents at once, none later than 250 ms after its time; 10,000 one after another, of which nothing is left.
set -euo pipefail
here=$(cd -- "$(dirname -- "$0")/../.." && pwd)
bin=${PADDOCK_BIN:-$here/build/check/bin}
"$bin/many_at_once" 200 250
"$bin/many_investigations" 10000
