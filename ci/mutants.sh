#!/usr/bin/env bash
# Changes the modules that judge and count, one small thing at a time, and lets their tests find it: [tool.mutmut] in pyproject.toml
# names both. Takes about half an hour of one core; not part of ci/test.sh.
#   bash ci/mutants.sh                     all of them
#   bash ci/mutants.sh '*convergence*'     those whose name fits
# Exit 1 when less than 90 % are found; ci/mutants.md says which ones nobody can find.
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
make_environment .venv "[dev]"
bin=$PWD/.venv/bin
# Not in [dev]: nothing else needs it. 3.8.1 changes functions in memory and forks, so that a mutant costs its tests and no import.
"$bin/python" -m pip install --quiet --disable-pip-version-check "mutmut == 3.8.1"
# Work on a copy: nothing is left in the checkout.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r ci kernel_templates pytest_ascend_tune tests pyproject.toml setup.cfg tox.ini README.md "$work"
cd "$work"
OPENBLAS_NUM_THREADS=1 "$bin/python" -m mutmut run "$@" >mutmut.log || { tail -c 3000 mutmut.log >&2; exit 1; }
"$bin/python" -m mutmut export-cicd-stats >/dev/null
"$bin/python" -m mutmut results | grep -v "not checked" || true # what was not found
"$bin/python" - <<'PYTHON'
import json
import sys
from pathlib import Path

stats = json.loads(Path("mutants/mutmut-cicd-stats.json").read_text())
found = stats["killed"] + stats["timeout"] + stats["segfault"]
tried = found + stats["survived"] + stats["no_tests"] + stats["suspicious"]
print(f"{found} of {tried} changes found: {found / max(tried, 1):.1%}")
sys.exit(found < 0.9 * tried or not tried)
PYTHON
