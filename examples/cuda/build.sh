#!/usr/bin/env bash
# Makes examples/*.ptx again from the CUDA sources and the cases beside this file. Needs nvcc; nothing else here does.
# usage: build.sh [NAME…]      (without names: all)
set -euo pipefail
cd "$(dirname "$0")"
release=$(nvcc --version | sed -n 's/.*release .*, //p')
names=("$@")
if [ $# -eq 0 ]; then
    for source in *.cu; do names+=("${source%.cu}"); done
fi
for name in "${names[@]}"; do
    for target in sm_75 sm_100; do
        out=$name.$target.ptx
        compiled=$(mktemp)
        nvcc -ptx -arch=$target -o "$compiled" "$name.cu"
        {
            echo "// Made from cuda/$name.cu by: nvcc -ptx -arch=$target -o $out $name.cu   (nvcc $release)"
            echo "// Do not edit: change cuda/$name.cu or cuda/cases.py, then run cuda/cases.py and cuda/build.sh."
            echo "//"
            cat "$name.case"
            cat "$compiled"
        } > "../$out"
        rm "$compiled"
        echo "$out"
    done
done
