#!/usr/bin/env bash
# An installed cudalab works from any folder, and does not look into the repository that it was built from.
#   install.sh BUILD SCRATCH
set -euo pipefail
build=$1
scratch=$2
rm -rf "$scratch"
mkdir -p "$scratch/home" "$scratch/elsewhere"
cmake --install "$build" --prefix "$scratch/prefix" >"$scratch/log"
cd "$scratch/elsewhere"

installed() {
    env -i HOME="$scratch/home" PATH="$scratch/prefix/bin:/usr/local/bin:/usr/bin:/bin" LANG=C.UTF-8 "$@" </dev/null
}
fail() { echo "FAILED: $*"; exit 1; }

installed cudalab lessons --json >"$scratch/lessons.json" || fail "cudalab lessons"
grep -q 01_hello_threads "$scratch/lessons.json" || fail "the lessons are not found"
grep -q "$scratch" "$scratch/lessons.json" || fail "the exercise is not inside the installed folders or the learner's home"

slug=01_hello_threads
installed cudalab grade 01 "$scratch/prefix/share/cudalab/solutions/$slug.cu" >"$scratch/solution" ||
    { cat "$scratch/solution"; fail "the installed solution of lesson 01 does not pass"; }
if installed cudalab grade 01 >"$scratch/exercise"; then fail "an untouched exercise passes"; fi
grep -Eq '01_hello_threads.cu:[0-9]+:' "$scratch/exercise" || { cat "$scratch/exercise"; fail "no line of the exercise is named"; }

# Every needed library is found without the build folder.
for program in "$scratch"/prefix/bin/cudalab "$scratch"/prefix/lib/cudalab/*; do
    if readelf -d "$program" | grep -E 'R(UN)?PATH' | grep -q "$build"; then fail "$program leads back to $build"; fi
    if ldd "$program" | grep 'not found'; then fail "$program lacks a library"; fi
done
echo "installed, and it grades from any folder"
