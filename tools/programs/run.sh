#!/usr/bin/env bash
# Makes a CUDA program with nvcc 13 and runs it without a GPU: run.sh PROGRAM [TARGET [ENGINE [TURNS [nvcc options]]]]
# PROGRAM is cub, thrust, features, samples or waits, TARGET 80, 90 or 100, ENGINE auto, scalar, vector or interpreter. Needs `mvn package` before, and a JDK 25 in JAVA_HOME.
set -euo pipefail
cd "$(dirname "$0")"
program=$1 target=${2:-80} engine=${3:-auto} turns=${4:-1}
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
gcc -O1 -shared -fPIC -o "$made/libcudart.so.13" runtime.c
ln -s libcudart.so.13 "$made/libcudart.so"
nvcc -std=c++17 -gencode "arch=compute_$target,code=compute_$target" -no-compress --extended-lambda -w -cudart none -shared -Xcompiler -fPIC "${@:5}" \
    -o "$made/program.so" "$program.cu" -L"$made" -lcudart
PTX4J_TARGET=$target LD_LIBRARY_PATH="$made" "$JAVA_HOME/bin/java" --class-path "../../ptx-runtime/target/ptx/lib/*" --add-modules jdk.incubator.vector \
    --enable-native-access=ALL-UNNAMED RunProgram.java "$made/program.so" "$made/libcudart.so.13" "$engine" "$turns"
