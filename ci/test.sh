#!/usr/bin/env bash
# Sets up and passes the tests. Fast lane by default (at most 12 minutes on 2 cores); --all adds the slow lane.
# Further arguments go to pytest: bash ci/test.sh -k gate
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
lane=(-m "not slow")
if [ "${1:-}" = "--all" ]; then lane=(-m "slow or not slow") && shift; fi
need_compiler
make_environment .venv "[dev]"
bin=$PWD/.venv/bin
echo "== lint"
"$bin/ruff" check .
"$bin/ruff" format --check .
echo "== types"
"$bin/mypy"
echo "== import contracts"
"$bin/lint-imports" --no-cache
echo "== tests"
"$bin/python" -m pytest "${lane[@]}" "$@"
