# Sourced by the other scripts: goes to the project's root and sees to it that .venv holds what constraints.txt says.
# Sets PYTHON. Needs no network once everything is installed. To choose the interpreter: PYTHON=python3.12 scripts/test
#
# On Linux PyPI's torch brings CUDA along (some GB). For the small CPU build of the same version:
#   PIP_EXTRA_INDEX_URL=https://download.pytorch.org/whl/cpu scripts/train

cd "$(dirname "${BASH_SOURCE[0]}")/.."

fail() {
    echo "$*" >&2
    exit 1
}

fits() { # is this interpreter there, and one that the project supports?
    "$1" -c 'import sys; sys.exit(not (3, 10) <= sys.version_info[:2] < (3, 14))' 2>/dev/null
}

find_python() {
    local candidate
    for candidate in ${PYTHON:-python3 python3.13 python3.12 python3.11 python3.10}; do
        if fits "$candidate"; then
            echo "$candidate"
            return
        fi
    done
    fail "card-envs needs Python 3.10 to 3.13 and found none (looked for: ${PYTHON:-python3, python3.10 .. python3.13})." \
        "Install one, or name one: PYTHON=/path/to/python $0"
}

make_venv() {
    local base
    base=$(find_python)
    echo "Making .venv with $("$base" --version)"
    "$base" -m venv .venv || fail "Could not make .venv (on Debian and Ubuntu: apt install python3-venv). Then run $0 again."
}

install() {
    local torch
    torch=$(grep -o '^torch==[^ ;]*' constraints.txt)
    echo "Installing $torch (the large one) into .venv"
    "$PYTHON" -m pip install --quiet -c constraints.txt "$torch"
    echo "Installing card-envs and what training and tests need"
    "$PYTHON" -m pip install --quiet -c constraints.txt -e '.[train,play,dev]'
}

.venv/bin/python -m pip --version >/dev/null 2>&1 || make_venv
PYTHON=$PWD/.venv/bin/python
fits "$PYTHON" || fail ".venv holds $("$PYTHON" --version); card-envs needs Python 3.10 to 3.13. Move .venv away and run $0 again."

export PIP_DISABLE_PIP_VERSION_CHECK=1
stamp=.venv/card-envs.installed
wanted="$("$PYTHON" --version), $PWD, $(cat pyproject.toml constraints.txt | cksum)"
if [ "$(cat $stamp 2>/dev/null)" != "$wanted" ]; then
    install
    echo "$wanted" >$stamp
fi
