#!/usr/bin/env bash
# A copy that is handed out without solutions/: it is configured, it grades, and what needs a solution says so.
#   no_solutions.sh REPOSITORY SCRATCH CUDALAB
set -euo pipefail
repository=$1
scratch=$2
cudalab=$3
rm -rf "$scratch"
mkdir -p "$scratch/copy/exercises"
for part in CMakeLists.txt app assets cmake lessons simt workbench README.md LICENSE; do ln -s "$repository/$part" "$scratch/copy/$part"; done
fail() { echo "FAILED: $*"; cat "$scratch/log"; exit 1; }

# The exercises as they are handed out: whoever runs this may have solved some.
CUDALAB_HOME=$repository CUDALAB_DATA=$scratch/with "$cudalab" init "$scratch/whole" >"$scratch/log" 2>&1 || fail "no workspace to take the exercises from"
cp "$scratch/whole"/exercises/*.cu "$scratch/copy/exercises/"
cp "$repository/exercises/compile_flags.txt" "$scratch/copy/exercises/"
export CUDALAB_HOME=$scratch/copy CUDALAB_DATA=$scratch/data

cmake -S "$scratch/copy" -B "$scratch/build" -DCUDALAB_APP=OFF >"$scratch/log" 2>&1 || fail "it is not configured"
tr -s '\n ' ' ' <"$scratch/log" | grep -q 'solutions/: not in this copy' || fail "it does not say what is missing"

"$cudalab" lessons >"$scratch/log" 2>&1 || fail "lessons"
"$cudalab" grade 01 >"$scratch/log" 2>&1 && fail "an untouched exercise passes"
grep -q 'was never written' "$scratch/log" || fail "the exercise is not graded"
"$cudalab" grade 01 "$repository/solutions/01_hello_threads.cu" >"$scratch/log" 2>&1 || fail "a right answer does not pass"
for words in "solution 01 --give-up" "try 01 --solution"; do
    # shellcheck disable=SC2086
    if "$cudalab" $words >"$scratch/log" 2>&1; then fail "cudalab $words found a solution"; fi
    grep -q 'handed out without solutions/' "$scratch/log" || fail "cudalab $words does not say why"
done
"$cudalab" reset 02 >"$scratch/log" 2>&1 || fail "reset of an exercise as it was handed out"
echo "// mine" >>"$scratch/copy/exercises/01_hello_threads.cu"
if "$cudalab" reset 01 >"$scratch/log" 2>&1; then fail "reset wrote an exercise out of nothing"; fi
grep -q 'is not as it was handed out' "$scratch/log" || fail "reset does not say why"
grep -q '// mine' "$scratch/copy/exercises/01_hello_threads.cu" || fail "reset has lost the learner's work"
"$cudalab" init "$scratch/workspace" >"$scratch/log" 2>&1 && fail "init made a workspace with an exercise that is no stub"
echo "without solutions it grades, and says what is missing"
