#!/usr/bin/env bash
# Any other CI: run on a machine with an Ascend 910B (or with only a CPU: BACKEND=cpu). Exit code 0 = no regression.
# UPDATE=1 records new baselines; commit .ascend-tune/baselines afterwards.
set -euo pipefail
backend=${BACKEND:-ascend}
if [ "$backend" = ascend ]; then
    for file in /usr/local/Ascend/cann/set_env.sh /usr/local/Ascend/ascend-toolkit/set_env.sh; do
        if [ -z "${ASCEND_HOME_PATH:-}" ] && [ -f "$file" ]; then
            set +u && source "$file" && set -u
        fi
    done
fi
ascend-tune doctor --backend "$backend"
options=()
if [ "${UPDATE:-0}" = 1 ]; then options+=(--ascend-tune-update-baseline --ascend-tune-accept-regression); fi
python -m pytest "${TESTS:-tests/perf}" --ascend-tune "--ascend-tune-backend=$backend" --junitxml=ascend-tune.xml "${options[@]}"
