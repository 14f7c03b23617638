#!/usr/bin/env bash
# What an editor with clangd shows: no false error in what a learner opens, with no CUDA Toolkit; and true ones, still.
#   editor.sh REPOSITORY SCRATCH [CUDALAB]    with the program, the stubs too (as cut, not as the learner left them)
set -euo pipefail
repository=$1
scratch=$2
cudalab=${3:-}
rm -rf "$scratch"
mkdir -p "$scratch/exercises" "$scratch/solutions"
cp -r "$repository/lessons" "$scratch/"
ln -s "$repository/simt" "$scratch/"
cp "$repository"/exercises/compile_flags.txt "$scratch/exercises"
cp "$repository"/solutions/* "$scratch/solutions"
if [ -n "$cudalab" ]; then
    for solution in "$repository"/solutions/*.cu; do
        slug=$(basename "$solution" .cu)
        CUDALAB_HOME=$scratch "$cudalab" cut "$slug"
    done
fi
# Words of CUDA that the first lessons do not use yet.
cp "$repository/tests/house/editor_words.cu" "$scratch/exercises/"

failed=0
checked=0
for file in "$scratch"/solutions/*.cu "$scratch"/exercises/*.cu; do
    clangd --check="$file" >"$scratch/log" 2>&1 || true
    checked=$((checked + 1))
    # Its check also tries every refactoring everywhere, and counts one that fails; only diagnostics are of interest.
    grep -q 'Building AST' "$scratch/log" || { echo "FAILED: clangd did not parse anything:"; cat "$scratch/log"; exit 1; }
    if grep -E '^E\[[^]]*\] *\[' "$scratch/log" | sed 's/^E[^]]*\] */    /' | head -n 10 | grep .; then
        echo "FAILED: an editor shows these false errors in ${file#"$scratch"/}"
        failed=1
    fi
    if command -v clang++ >/dev/null; then
        # clangd's check is silent about warnings; the compiler with the same flags is not.
        if (cd "$(dirname "$file")" && clang++ -fsyntax-only -Wno-unknown-cuda-version $(cat compile_flags.txt) \
            "$(basename "$file")") 2>&1 | grep -E '(warning|error):'; then
            echo "FAILED: an editor shows false warnings in ${file#"$scratch"/}"
            failed=1
        fi
    fi
done
[ $checked -ge 3 ] || { echo "FAILED: only $checked files were checked"; failed=1; }

{ cat "$repository/tests/house/editor_words.cu"; echo 'int broken = "text";'; } >"$scratch/exercises/broken.cu"
clangd --check="$scratch/exercises/broken.cu" >"$scratch/log" 2>&1 || true
if ! grep -q '^E.*annot initialize' "$scratch/log"; then
    echo "FAILED: a true error is not shown"
    failed=1
fi
if [ $failed = 0 ]; then echo "$checked files, no false error"; fi
exit $failed
