# What scripts/run and scripts/test share. Sourced from the repository's root.

started=$SECONDS
# Where ccache is, a second build folder costs little.
if command -v ccache >/dev/null; then export CMAKE_C_COMPILER_LAUNCHER=ccache CMAKE_CXX_COMPILER_LAUNCHER=ccache; fi

steps=0
step() { steps=$((steps + 1)); echo "==> $steps. $*"; }
note() { echo "    $*"; }
finish() { echo "scripts/${0##*/}: $* ($((SECONDS - started)) s)"; }
fail() { echo "scripts/${0##*/}: $*" >&2; exit 1; }

require_linux() {
    if [ "$(uname -s)" = Linux ]; then return; fi
    fail "this needs Linux. On macOS and Windows use a container or WSL2; README.md, Platforms, has the lines to type"
}

# $1: the exit code of scripts/packages
stop_at_packages() {
    if [ "$1" = 3 ]; then fail "stopped: packages are missing (the line for an administrator is above); then run this again"; fi
    fail "stopped: the packages could not be installed"
}

# cached FOLDER VARIABLE: its value in that build folder, or nothing
cached() { sed -n "s/^$2:[^=]*=//p" "$1/CMakeCache.txt" 2>/dev/null || true; }

# The compiler that the learner's files need too: g++ 12 or later.
default_compiler() {
    if [ -n "${CXX:-}" ]; then return; fi
    local major name
    major=$(g++ -dumpversion 2>/dev/null | cut -d. -f1 || true)
    if [ "${major:-0}" -ge 12 ]; then return; fi
    for name in g++-14 g++-13 g++-12; do
        if command -v $name >/dev/null; then
            echo "-DCMAKE_CXX_COMPILER=$name -DCMAKE_C_COMPILER=${name/g++/gcc}"
            return
        fi
    done
}

# configure FOLDER OPTION...: does nothing where the folder is configured with these options already (ninja sees changed files)
configure() {
    local folder=$1 option name fresh=no
    shift
    local home
    home=$(cached "$folder" CMAKE_HOME_DIRECTORY)
    if [ -n "$home" ] && [ "$home" != "$PWD" ]; then
        note "$folder/ was made for $home, so it is made anew"
        rm -rf "${PWD:?}/$folder"
    fi
    if [ ! -f "$folder/build.ninja" ]; then fresh=yes; fi
    for option in "$@"; do
        name=${option#-D}
        if [ "$(cached "$folder" "${name%%=*}")" != "${name#*=}" ]; then fresh=yes; fi
    done
    if [ $fresh = no ]; then return 0; fi
    local compiler=""
    if [ ! -f "$folder/CMakeCache.txt" ]; then compiler=$(default_compiler); fi
    mkdir -p "$folder"
    # shellcheck disable=SC2086  # two words, on purpose
    if ! cmake --preset default -B "$folder" $compiler "$@" >"$folder/configure.log" 2>&1 </dev/null; then
        tail -n 40 "$folder/configure.log"
        return 1
    fi
}

build() {
    local folder=$1
    shift
    cmake --build "$folder" --target "$@" </dev/null
}

# As on a machine without the CUDA Toolkit: nothing named in PATH or in the environment leads to it.
hide_nvcc() {
    local kept="" part
    local IFS=:
    for part in $PATH; do
        if [ ! -x "$part/nvcc" ]; then kept=$kept${kept:+:}$part; fi
    done
    export PATH=$kept
    unset CUDACXX CUDA_HOME CUDA_PATH CUDA_ROOT
}
