#!/usr/bin/env bash
# Makes the pairs of modules in this folder and in cases/ again. Needs nvcc 13; only who changes a source needs it.
set -euo pipefail
cd "$(dirname "$0")"
release=$(nvcc --version | sed -n 's/.*release .*, //p')
for target in sm_75 sm_100; do
    {
        echo "// Made from polynomial.cu by: nvcc -ptx -rdc=true -arch=$target polynomial.cu   (nvcc $release)"
        nvcc -ptx -rdc=true -arch=$target -o - polynomial.cu
    } > polynomial.$target.ptx
    {
        echo "// Made from linked/linked.cu by: nvcc -ptx -rdc=true -arch=$target linked.cu   (nvcc $release)"
        echo "// link: ../linked/polynomial.$target.ptx"
        cat linked.case
        nvcc -ptx -rdc=true -arch=$target -o - linked.cu
    } > ../cases/linked.$target.ptx
done
