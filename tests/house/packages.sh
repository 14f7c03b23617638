#!/usr/bin/env bash
# scripts/packages with dpkg-query, apt-get, sudo and id replaced by small fakes: nothing is really installed.
#   packages.sh REPOSITORY SCRATCH
set -euo pipefail
packages=$1/scripts/packages
scratch=$2
rm -rf "$scratch"
mkdir -p "$scratch/bin"
export CALLS=$scratch/calls
failed=0

fake() { printf '#!/bin/sh\n%s\n' "$2" >"$scratch/bin/$1"; chmod +x "$scratch/bin/$1"; }
fake dpkg-query 'cat "$INSTALLED"'
fake apt-get 'echo "apt-get $*" >>"$CALLS"; exit ${APT_RESULT:-0}'
fake sudo 'echo "sudo $*" >>"$CALLS"; [ "$SUDO" = yes ] || exit 1; shift; exec "$@"'
fake id 'echo "$FAKE_ID"'
export PATH=$scratch/bin:$PATH INSTALLED=$scratch/installed FAKE_ID=0 SUDO=no

everything_but() {
    : >"$CALLS"
    "$packages" core app test | cat >/dev/null
    INSTALLED=/dev/null "$packages" core app test | grep -Fxv -- "$1" | sed 's/^/installed /' >"$scratch/installed"
}
# check SENTENCE EXIT-CODE COMMAND...: output in $scratch/out
check() {
    local sentence=$1 expected=$2 result=0
    shift 2
    # A closed standard input: whoever reads a password or an answer fails here.
    "$@" >"$scratch/out" 2>&1 <&- || result=$?
    if [ $result != "$expected" ]; then
        echo "FAILED: $sentence: exit code $result, expected $expected"
        sed 's/^/    /' "$scratch/out"
        failed=1
    fi
}
says() { grep -Fq -- "$1" "$scratch/out" || { echo "FAILED: '$1' is not in what it said:"; cat "$scratch/out"; failed=1; }; }
called() { grep -Fq -- "$1" "$CALLS" || { echo "FAILED: never called: $1"; cat "$CALLS"; failed=1; }; }
called_nothing() { [ ! -s "$CALLS" ] || { echo "FAILED: called, and should not have been:"; cat "$CALLS"; failed=1; }; }

: >"$scratch/installed"
everything_but nothing-at-all
check "with everything there, apt is never asked" 0 "$packages" --install core app test
called_nothing
says "all there"

everything_but cmake
check "root installs what is missing, and only that" 0 "$packages" --install core app test
called "install -y --no-install-recommends cmake"
[ "$(grep -c ' install ' "$CALLS")" = 1 ] && ! grep -q ninja "$CALLS" || { echo "FAILED: more than cmake was installed"; failed=1; }

everything_but cmake
check "a group that was not asked for is left alone" 0 "$packages" --install test
called_nothing

everything_but cmake
FAKE_ID=1000 SUDO=no check "without root it prints the administrator's line and stops" 3 "$packages" --install core
says "    sudo apt-get update && sudo apt-get install -y --no-install-recommends cmake"
if grep -q apt-get "$CALLS"; then echo "FAILED: it called apt-get without root"; failed=1; fi
if grep -v -- 'sudo -n' "$CALLS"; then echo "FAILED: sudo may have asked for a password"; failed=1; fi

sed -i '/xvfb/d' "$scratch/installed"
FAKE_ID=1000 SUDO=no check "that line brings along what will be needed later" 3 "$packages" --install core -- test
says "--no-install-recommends cmake xvfb"

everything_but cmake
FAKE_ID=1000 SUDO=yes check "a sudo that needs no password is used" 0 "$packages" --install core
called "apt-get -o DPkg::Lock::Timeout=120 install -y --no-install-recommends cmake"

everything_but cmake
APT_RESULT=100 check "when apt fails it says so and stops" 1 "$packages" --install core
says "apt could not install them"

check "an unknown group is a wrong use" 2 "$packages" cores
says "unknown group 'cores'"

if [ $failed = 0 ]; then echo "all as it should be"; fi
exit $failed
