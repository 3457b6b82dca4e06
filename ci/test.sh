#!/usr/bin/env bash
# Sets up and passes the tests. Fast lane by default (at most 12 minutes on 2 cores); --all adds the slow lane and other pytest
# plugins. The whole matrix of Pythons and versions: tox.
# Further arguments go to pytest: bash ci/test.sh -k gate
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
lane=(-m "not slow") all=
if [ "${1:-}" = "--all" ]; then lane=(-m "slow or not slow") all=1 && shift; fi
need_compiler
make_environment .venv "[dev]"
bin=$PWD/.venv/bin
if [ -n "$all" ]; then
    # For the axe.min.js in it; the browser driver that it asks for is not needed.
    "$bin/python" -m pip install --quiet --disable-pip-version-check --no-deps "axe-playwright-python >= 0.1.8" ||
        echo "no axe-core: the accessibility test will be skipped"
    # Not in [dev]: it takes 250 MB, and only the slow lane starts a cluster.
    "$bin/python" -m pip install --quiet --disable-pip-version-check --editable ".[ray]" ||
        echo "no Ray: the tests on a cluster will be skipped"
    "$bin/python" -m pip install --quiet --disable-pip-version-check --editable ".[fuzz]" ||
        echo "no atheris: fuzzing will be skipped, its corpus is read all the same"
fi
echo "== lint"
"$bin/ruff" check .
"$bin/ruff" format --check .
echo "== types"
"$bin/mypy"
echo "== import contracts"
"$bin/lint-imports" --no-cache
echo "== tests"
"$bin/python" -m pytest "${lane[@]}" "$@"

if [ $# -gt 0 ]; then exit; fi # a selection of tests was asked for
PATH=$PATH$(printf ':%s' "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.*/bin)

has_python() {
    local python
    for python in $(type -ap "python$1"); do
        if "$python" -c "" 2>/dev/null; then return; fi
    done
    return 1
}

# matrix_cut FACTOR VERSION...: essential tests in tox.ini's environment of FACTOR, with the first Python that is here
matrix_cut() {
    local factor=$1 version && shift
    for version in "$@"; do
        if has_python "$version"; then
            echo "== matrix: Python $version, $factor"
            "$bin/tox" run -q -e "py${version/./}-$factor" -- -q \
                tests/plugin/test_gate.py tests/unit/tuning tests/unit/reports/page/test_html.py tests/unit/reports/text/test_machine.py
            return
        fi
    done
    echo "== matrix: $factor skipped, none of the Pythons $* is here"
}

matrix_cut oldest 3.10 3.11
matrix_cut pytest9 3.13 3.12
if [ "$all" ]; then
    echo "== beside other pytest plugins"
    "$bin/tox" run -q -e beside -- -q
fi
