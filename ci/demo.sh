#!/usr/bin/env bash
# Sets everything up and runs the main job on this machine's CPU: tunes real GEMM shapes, gates them against the baseline of
# the run before (the first run records it) and writes the report. Further arguments go to pytest.
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
need_compiler
make_environment .venv "[dev]"
status=0
.venv/bin/python -m pytest examples/test_shapes.py -p no:cacheprovider --ascend-tune --ascend-tune-backend=cpu \
    --ascend-tune-missing=seed --ascend-tune-dir=.ascend-tune "$@" || status=$?
echo
echo "Report: $PWD/.ascend-tune/report/index.html"
echo "Run it again: it compares with the baseline in .ascend-tune/baselines/ that this run found or recorded."
exit "$status"
