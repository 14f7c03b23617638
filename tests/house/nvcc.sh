#!/usr/bin/env bash
# Without nvcc: configure says so and goes on; with CUDALAB_REQUIRE_NVCC it stops with a sentence.
#   nvcc.sh REPOSITORY SCRATCH
set -euo pipefail
repository=$1
scratch=$2
rm -rf "$scratch"
mkdir -p "$scratch/project"
# cmake/Nvcc.cmake alone: a whole configure would cost seconds and prove no more.
cat >"$scratch/project/CMakeLists.txt" <<PROJECT
cmake_minimum_required(VERSION 3.22)
project(probe NONE)
include($repository/cmake/Nvcc.cmake)
PROJECT
fail() { echo "FAILED: $*"; cat "$scratch/log"; exit 1; }

cmake -S "$scratch/project" -B "$scratch/without" -DCUDALAB_NVCC=OFF >"$scratch/log" 2>&1 || fail "it needs nvcc"
grep -q 'nvcc: none' "$scratch/log" || fail "it does not say that there is no nvcc"
if cmake -S "$scratch/project" -B "$scratch/required" -DCUDALAB_NVCC=OFF -DCUDALAB_REQUIRE_NVCC=ON >"$scratch/log" 2>&1; then
    fail "CUDALAB_REQUIRE_NVCC is satisfied by nothing"
fi
tr -s '\n ' ' ' <"$scratch/log" | grep -q 'Install the CUDA Toolkit, or name its compiler' || fail "it does not say what to do"
printf '#!/bin/sh\n' >"$scratch/nvcc"
chmod +x "$scratch/nvcc"
cmake -S "$scratch/project" -B "$scratch/with" -DCUDALAB_NVCC="$scratch/nvcc" -DCUDALAB_REQUIRE_NVCC=ON >"$scratch/log" 2>&1 ||
    fail "a named nvcc is not taken"
echo "all as it should be"
