#!/usr/bin/env bash
# Compiles the kernels that only benchmarks use, for sm_75 unless their first line names sm_80, into ../resources/kernels. Needs nvcc 13.
set -euo pipefail
cd "$(dirname "$0")"
for source in *.cu; do
    arch=sm_75
    if head -1 "$source" | grep -q sm_80; then arch=sm_80; fi
    target=../resources/kernels/${source%.cu}.$arch.ptx
    nvcc -ptx -arch=$arch "$source" -o "$target"
    sed -i "1i // Made by nvcc -ptx -arch=$arch from ${source}." "$target"
done
survey=../resources/survey/survey
nvcc -ptx -arch=sm_75 -fmad=false $survey.cu -o $survey.sm_75.ptx
sed -i "1i // Made by nvcc -ptx -arch=sm_75 -fmad=false from survey.cu." $survey.sm_75.ptx
blocks=../resources/survey/blocks
nvcc -ptx -arch=sm_80 -fmad=false $blocks.cu -o $blocks.sm_80.ptx
sed -i "1i // Made by nvcc -ptx -arch=sm_80 -fmad=false from blocks.cu." $blocks.sm_80.ptx
