#!/usr/bin/env bash
# Compiles the survey's kernels with clang instead of nvcc into the folder that is named, which then goes before the others on the class path of Survey.
# Needs clang (CLANG; made with 22) and CUDA's headers and libdevice (CUDA_PATH).
set -euo pipefail
folder=$(realpath -m "$1")/survey
clang=${CLANG:-clang}
cuda=${CUDA_PATH:-/usr/local/cuda}
cd "$(dirname "$0")/../resources/survey"
stubs=$(mktemp -d)
trap 'rm -r "$stubs"' EXIT
# clang includes it, whether anybody uses it or not; not every CUDA has it.
touch "$stubs/curand_mtgp32_kernel.h"
mkdir -p "$folder"
for ptx in *.ptx; do
    name=${ptx%.ptx}
    "$clang" -x cuda --cuda-device-only --cuda-gpu-arch="${name#*.}" --cuda-path="$cuda" -idirafter "$stubs" -S -O3 -ffp-contract=off "${name%.*}.cu" -o "$folder/$ptx"
done
