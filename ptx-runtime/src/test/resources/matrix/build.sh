#!/bin/sh
# Makes the PTX of gemm.cu and attention.cu with nvcc 13; only people who change the sources need it.
cd "$(dirname "$0")" || exit 1
for target in 75 80 90 100 120; do
    nvcc -O3 -arch=compute_$target -ptx gemm.cu -o - | sed -e 's/[ \t]*$//' > gemm.sm_$target.ptx
done
nvcc -O3 -arch=compute_80 -ptx attention.cu -o - | sed -e 's/[ \t]*$//' > attention.sm_80.ptx
