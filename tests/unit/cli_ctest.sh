#!/bin/sh
# cli_ctest.sh CUDALAB CTEST SOURCE: what plain ctest prints of an exercise, where, and what it does in an unbuilt clone.
set -eu
cudalab=$1 ctest=$2 source=$3
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export CUDALAB_DATA="$scratch/data" CUDALAB_COLOR=never
unset CTEST_OUTPUT_ON_FAILURE CUDALAB_HOME CTEST_PARALLEL_LEVEL || true
fail() { echo "FAILED: $1"; echo "--- ctest printed:"; cat "$scratch/out"; exit 1; }

"$cudalab" init "$scratch/work" >/dev/null
cd "$scratch/work"

code=0; "$ctest" -R lesson01 >"$scratch/out" 2>&1 || code=$?
[ $code -ne 0 ] || fail "the stub passed"
"$cudalab" grade 01 >"$scratch/verdict" 2>&1 || true
# Every line of the verdict, but for measured times, stands in what ctest printed.
sed 's/[0-9][0-9.]* \(ms\|s\)\b/TIME/g' "$scratch/verdict" >"$scratch/words"
sed 's/[0-9][0-9.]* \(ms\|s\)\b/TIME/g' "$scratch/out" >"$scratch/printed"
[ -s "$scratch/words" ] || fail "grade printed nothing"
while IFS= read -r line; do
    grep -qxF -- "$line" "$scratch/printed" || fail "plain ctest does not print: $line"
done <"$scratch/words"
# Where there is nvcc, lesson01.cuda is there, too, and is skipped where there is no GPU.
[ "$(grep -cE "Test +#[0-9]+: lesson01(\.cuda)? " "$scratch/out")" = "$(grep -cE " Test +#[0-9]+:" "$scratch/out")" ] ||
    fail "-R lesson01 ran something else too"

cp "$source/solutions/01_hello_threads.cu" exercises/
"$ctest" -R lesson01 >"$scratch/out" 2>&1 || fail "the solution does not pass"
grep -q 01_hello_threads "$scratch/out" || fail "a pass is not shown"

"$ctest" -LE exercise >"$scratch/out" 2>&1 || true
! grep -q 01_hello_threads "$scratch/out" || fail "a verdict is shown though no exercise was graded"

rm exercises/01_hello_threads.cu && "$cudalab" reset 01 >/dev/null
"$ctest" -R lesson01 --output-on-failure >"$scratch/out" 2>&1 || true
[ "$(grep -cxF -- "$(head -n 1 "$scratch/verdict")" "$scratch/out")" = 1 ] || fail "--output-on-failure shows the verdict twice"

mkdir "$scratch/clone"
cp "$source/CTestTestfile.cmake" "$source/CTestCustom.cmake" "$scratch/clone"
cd "$scratch/clone"
code=0; "$ctest" -R lesson01 >"$scratch/out" 2>&1 || code=$?
[ $code -ne 0 ] || fail "an unbuilt clone's ctest ends with 0"
grep -q "run scripts/run first" "$scratch/out" || fail "an unbuilt clone's ctest does not say what to do"
echo "plain ctest shows the verdict"
