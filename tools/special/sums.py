#!/usr/bin/env python3
"""Prints the lines of h100-approximations.gz: the sums that record.cu recorded, of all sources in 256 parts and of some 2^16 sources at a time. Needs numpy.

Usage: sums.py FOLDER | gzip -9n > h100-approximations.gz
"""
import pathlib
import sys

import numpy as np

# Around zero, one, infinity and the places where instructions are put together from several, and one of each 1024 parts.
PLACES = [0, 0x8000, 0x7f, 0x80, 0x3f80, 0x3f7f, 0x4000, 0xbf80, 0x7f80, 0xff80, 0x7e80, 0x7f00, 0x42fe, 0xc2fc, 0xc300, 0x4b00, 0x3b80, 0x3b7f, 0x7ff0, 0xf]
SOME = sorted(set(PLACES + [k * 1024 + k * 397 % 1024 for k in range(64)]))

for file in sorted(pathlib.Path(sys.argv[1]).glob("sums-*")):
    instruction = file.name.removeprefix("sums-")
    sums = np.fromfile(file, dtype=np.uint64)
    for part in range(256):
        print(f"{instruction} {part:02x} {int(sums[part << 8:part + 1 << 8].sum(dtype=np.uint64)):016x}")
    for part in SOME:
        print(f"{instruction} {part:04x} {int(sums[part]):016x}")
