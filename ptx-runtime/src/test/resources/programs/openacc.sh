#!/bin/sh
# Makes openacc.sm_30.ptx again with GCC 12 and its compiler for nvptx (gcc-12-offload-nvptx, nvptx-tools); only who changes openacc.c needs it.
# The link at the end fails where ptxas knows no sm_35; the PTX is there by then.
set -e
cd "$(dirname "$0")"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp openacc.c "$folder"
(cd "$folder" && gcc-12 -O2 -fopenacc -foffload=nvptx-none -save-temps -shared -fPIC openacc.c -o a.so > log 2>&1) || true
nvptx-none-as --no-verify "$folder/a.so.xnvptx-none.mkoffload.s" -o "$folder/made.ptx"
(echo "// Made by GCC 12.2 for nvptx from openacc.c; openacc.sh has the commands."; cat "$folder/made.ptx") > openacc.sm_30.ptx
