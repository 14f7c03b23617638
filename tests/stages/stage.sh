#!/usr/bin/env bash
# 50 steps of one stage and of 3_mlp.c on generated digits: every step's loss must agree.
#   stage.sh REPOSITORY CUDALAB C_COMPILER SCRATCH pytorch|numpy|fast|checked|seed|parts
# Exit code: 0 they agree; 1 they don't; 77 this machine lacks what the stage needs.
set -euo pipefail
repository=$1 cudalab=$2 cc=$3 scratch=$4 stage=$5
stages=$repository/lessons/23_mlp_train/stages
# A step's sums of 784 and 32 floats may round differently in the last place, 6e-8 of a loss of about 2. Fifty steps of that
# were measured to be 5e-7 apart at most; a wrong update is some 1e-2 apart after two.
tolerance=1e-5
steps=50 batch=32 hidden=40 # one and a quarter tiles of 32 columns: edges count, too
if [ "$stage" = checked ]; then steps=5 batch=24; fi
rm -rf "$scratch"
mkdir -p "$scratch"
fail() { echo "FAILED: $*"; exit 1; }
skip() { echo "skipped: $*"; exit 77; }

parts() { grep -o -- '--- part: [a-z]* ---' "$1"; }
if [ "$stage" = parts ]; then
    for file in "$stages"/*; do
        parts "$file" >"$scratch/$(basename "$file")"
        [ "$(wc -l <"$scratch/$(basename "$file")")" = 7 ] || fail "$file has other than 7 parts"
        cmp "$scratch/1_pytorch.py" "$scratch/$(basename "$file")" || fail "$file has other parts than 1_pytorch.py"
    done
    exit 0
fi

# A python3 that has the module; pyenv's and the like have none of Debian's.
python_with() {
    for python in python3 /usr/bin/python3; do
        if "$python" -c "import $1" 2>/dev/null; then echo "$python"; return; fi
    done
}

# The last batch is smaller than the others.
"$cudalab" data digits "$scratch/digits" --train $((steps * batch - 7)) --test 60
words=("$scratch/digits" $batch 1 $hidden 1 losses)
"$cc" -O2 "$stages/3_mlp.c" -lm -o "$scratch/mlp"
"$scratch/mlp" "${words[@]}" >"$scratch/c.txt"
case $stage in
    pytorch)
        python=$(python_with torch)
        [ -n "$python" ] || skip "no python3 here has torch (Debian: apt install python3-torch)"
        "$python" "$stages/1_pytorch.py" "${words[@]}" >"$scratch/out.txt" ;;
    numpy)
        python=$(python_with numpy)
        [ -n "$python" ] || skip "no python3 here has numpy (Debian: apt install python3-numpy)"
        "$python" "$stages/2_numpy.py" "${words[@]}" >"$scratch/out.txt" ;;
    fast) "$cudalab" run --fast "$stages/4_mlp.cu" -- "${words[@]}" >"$scratch/out.txt" ;;
    checked)
        "$cudalab" run "$stages/4_mlp.cu" --json "$scratch/run.json" -- "${words[@]}" >"$scratch/out.txt"
        grep -q '"findings": \[\]' "$scratch/run.json" || fail "it has findings: $scratch/run.json" ;;
    seed)
        words[4]=2
        "$scratch/mlp" "${words[@]}" >"$scratch/out.txt" ;;
esac

compare() {
    awk -v steps=$steps -v tolerance=$tolerance '
        $1 != "step" { next }
        FNR == NR { wanted[$2] = $4; next }
        { d = $4 - wanted[$2]; if (d < 0) d = -d; if (d > most) { most = d; at = $2 } ++seen }
        END {
            printf "%d steps, at most %g apart (step %d); %g is allowed\n", seen, most, at, tolerance
            exit !(seen == steps && length(wanted) == steps && most <= tolerance)
        }' "$scratch/c.txt" "$scratch/out.txt"
}
if [ "$stage" = seed ]; then
    if compare; then fail "another seed gives the same losses"; fi
    exit 0
fi
compare || fail "the losses differ: $scratch/c.txt and $scratch/out.txt"
# The epoch's mean loss and the accuracy, without the time between them.
last() { tail -n 1 "$1" | sed 's/, [0-9.]* ms//'; }
[ "$(last "$scratch/c.txt")" = "$(last "$scratch/out.txt")" ] || fail "$(last "$scratch/c.txt") | $(last "$scratch/out.txt")"
