#!/bin/sh
# Draws the Mandelbrot set with the kernel of mandelbrot.sm_75.ptx: 1920 x 1080 pixels, 256 iterations, one thread a pixel.
# Usage: examples/mandelbrot.sh [FILE.png]; shows time, throughput and the first values, and writes the picture.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
picture=${1:-mandelbrot.png}
exec "$here/../ptx-runtime/target/ptx/bin/ptx" run "$here/mandelbrot.sm_75.ptx" --entry mandelbrot --grid 120,68 --block 16,16 \
    --arg 'rgb: buffer u8[6220800] = zero' --arg 1920 --arg 1080 --arg -2.6 --arg -1.2 --arg 0.00222 --arg 0.00222 --arg 256 \
    --repeat 10 --out "rgb=$picture:1920x1080"
