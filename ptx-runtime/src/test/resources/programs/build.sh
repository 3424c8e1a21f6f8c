#!/bin/sh
# Makes the PTX files again with nvcc 13.0; only who changes a source needs it.
set -e
cd "$(dirname "$0")"
for target in 75 100; do
    nvcc -std=c++17 -ptx -arch=sm_$target programs.cu -o - | sed '/^\/\/ Cuda compilation tools/d' | gzip -9n > programs.sm_$target.ptx.gz
done
nvcc -std=c++17 -ptx -arch=sm_80 grid.cu -o - | gzip -9n > grid.sm_80.ptx.gz
nvcc -std=c++17 -ptx -arch=sm_90 grid.cu -o - | gzip -9n > grid.sm_90.ptx.gz
nvcc -std=c++17 --extended-lambda -ptx -arch=sm_80 blocks.cu -o - | sed '/^\/\/ Cuda compilation tools/d' | gzip -9n > blocks.sm_80.ptx.gz
nvcc -std=c++17 -ptx -arch=sm_75 functions.cu -o - | sed '/^\/\/ Cuda compilation tools/d' | gzip -9n > functions.sm_75.ptx.gz
nvcc -std=c++17 -ptx -arch=sm_100a tensor.cu -o - | sed '/^\/\/ Cuda compilation tools/d' | gzip -9n > tensor.sm_100a.ptx.gz
nvcc -std=c++17 -Xcicc -O0 -ptx -arch=sm_80 unoptimized.cu -o - | sed '/^\/\/ Cuda compilation tools/d' | gzip -9n > unoptimized.sm_80.ptx.gz
nvcc -std=c++17 -ptx -arch=sm_80 apart.cu -o - | sed '/^\/\/ Cuda compilation tools/d' | gzip -9n > apart.sm_80.ptx.gz
