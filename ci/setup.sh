# Sourced by demo.sh and test.sh: finds Python and a C++ compiler, makes the virtual environment, or says what is missing.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

die() { printf '\n%s\n' "$@" >&2; exit 1; }

find_python() {
    local candidate
    for candidate in ${PYTHON:-} python3 python3.13 python3.12 python3.11 python3.10; do
        if "$candidate" -c 'import sys; sys.exit(not (3, 10) <= sys.version_info[:2])' 2>/dev/null; then
            printf '%s' "$candidate"
            return
        fi
    done
    die "Python 3.10 or newer is needed and was not found (tried python3, python3.10 ... python3.13)." \
        "Install it (Debian, Ubuntu: apt-get install python3 python3-venv; openEuler: dnf install python3)" \
        "or name one: PYTHON=/path/to/python3.11 bash $0"
}

need_compiler() {
    local compiler=${CXX:-g++}
    command -v "${compiler%% *}" >/dev/null || die "No C++ compiler: '$compiler' was not found." \
        "Kernels are compiled while they are tuned. Install g++ (Debian, Ubuntu: apt-get install g++; openEuler: dnf install gcc-c++)" \
        "or name one: CXX=/path/to/g++ bash $0"
}

# make_environment DIR EXTRA...: a virtual environment with this checkout installed; made again when the requirements change.
make_environment() {
    local folder=$1 extras=$2 python stamp
    python=$(find_python)
    stamp=$(cat setup.cfg pyproject.toml | cksum)
    if [ ! -x "$folder/bin/python" ] || [ "$(cat "$folder/.stamp" 2>/dev/null)" != "$stamp $extras" ]; then
        echo "Setting up $folder with $("$python" --version) (a minute or two the first time) ..."
        "$python" -m venv --clear "$folder" || die "The virtual environment could not be made." \
            "On Debian and Ubuntu the module is a package of its own: apt-get install python3-venv"
        "$folder/bin/python" -m pip install --quiet --disable-pip-version-check --editable ".$extras" ||
            die "Installing the packages failed; the lines above say which. Is the network (or your package mirror) reachable?"
        printf '%s %s' "$stamp" "$extras" >"$folder/.stamp"
    fi
}
