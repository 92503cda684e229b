#!/usr/bin/env bash
# A language model behind a real HTTP server, for long: 500 investigations in one process, whose memory stays what it was;
# then 2,000 runs of paddock, several at a time, with servers that fail in every way and a tenth of the runs killed.
#
# PADDOCK_MODEL_RUNS and PADDOCK_MODEL_JOBS say other numbers, for trying it. The server is the one of tests/peers, from npm.
set -uo pipefail
here=$(cd -- "$(dirname -- "$0")/../.." && pwd)
cd -- "$here" || exit 1
. .ci/common.sh
bin=${PADDOCK_BIN:-$here/build/check/bin}
peers=$(dirname -- "$bin")/peers
ensure_peers "$peers" || exit 1

failed=0
"$bin/many_investigations" 500 || failed=1
python3 tests/long/model_runs.py "$bin" "$peers" || failed=1
exit "$failed"
