#!/usr/bin/env bash
# Makes the PTX of these programs anew; needs nvcc 13. Only who changes a program needs it.
set -euo pipefail
cd "$(dirname "$0")"
for name in grid_sync lookback pipeline cluster bulk cub_scan; do
    for target in sm_80 sm_90 sm_100; do
        if [ "$target" = sm_80 ] && { [ "$name" = cluster ] || [ "$name" = bulk ]; }; then
            continue
        fi
        { echo "// Made from cuda/$name.cu by: nvcc -ptx -std=c++17 -arch=$target $name.cu   (nvcc V13.0.88). Do not edit."
          nvcc -ptx -std=c++17 -arch="$target" "$name.cu" -o - ; } > "../$name.$target.ptx"
    done
done
