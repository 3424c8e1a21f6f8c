#!/usr/bin/env bash
# Compiles the kernels that only benchmarks use, for sm_75, into ../resources/kernels. Needs nvcc 13.
set -euo pipefail
cd "$(dirname "$0")"
for source in *.cu; do
    target=../resources/kernels/${source%.cu}.sm_75.ptx
    nvcc -ptx -arch=sm_75 "$source" -o "$target"
    sed -i "1i // Made by nvcc -ptx -arch=sm_75 from ${source}." "$target"
done
survey=../resources/survey/survey
nvcc -ptx -arch=sm_75 -fmad=false $survey.cu -o $survey.sm_75.ptx
sed -i "1i // Made by nvcc -ptx -arch=sm_75 -fmad=false from survey.cu." $survey.sm_75.ptx
