#!/usr/bin/env bash
# Makes corpus/*.ptx again from the CUDA sources beside this file. Needs nvcc 13; only who changes a source needs it.
# Each source says in its first lines what to build of it:   // build: NAME OPTION…   and   // compressed   for .ptx.gz
# usage: build.sh [SOURCE.cu…]      (without names: all)
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
release=$(nvcc --version | sed -n 's/.*release .*, //p')
cd "$here"
if [ $# -eq 0 ]; then set -- *.cu; fi
# Debug information names the folder that the compiler ran in: /tmp says nothing about anyone's machine.
for source in "$@"; do
    cp "$source" "/tmp/$source"
    grep '^// build: ' "$source" | while read -r _ _ name options; do
        (cd /tmp && nvcc -ptx $options -o "/tmp/$name.out" "$source")
        {
            echo "// Made from cuda/$source by: nvcc -ptx $options -o $name.ptx $source   (nvcc $release)"
            cat "/tmp/$name.out"
        } > "$here/../$name.ptx"
        rm "/tmp/$name.out"
        if grep -q '^// compressed$' "$source"; then gzip -9nf "$here/../$name.ptx"; fi
    done
    rm "/tmp/$source"
done
