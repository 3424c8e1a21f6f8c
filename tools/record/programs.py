#!/usr/bin/env python3
"""Makes cases for `ptx record` of CUDA's mathematical functions and of kernels of neural networks, with and without nvcc's -use_fast_math, and of attention on tensor cores.

nvcc 13.0 makes the PTX of ptx-runtime/src/test/resources/programs and matrix/attention.cu; -fmad=false keeps ptxas from joining products and sums, which it does as it likes.
Usage: programs.py FOLDER; then ptx record --out OUT FOLDER, and the files of OUT make an archive as record.sh makes its own.
"""
import pathlib
import random
import re
import struct
import subprocess
import sys

RESOURCES = pathlib.Path(__file__).resolve().parents[2] / "ptx-runtime/src/test/resources"
COUNT = 256
SPECIAL = [0.0, -0.0, 1, -1, float("inf"), float("-inf"), float("nan"), 1e-45, -1.2e-38, 3.4e38, 1e6, -3e5, 88.5, 0.5, 2, -126.5, -150, 128]
folder = pathlib.Path(sys.argv[1])


def single(x):
    return struct.unpack("f", struct.pack("f", x))[0]


def write(name, form, values):
    (folder / name).write_bytes(struct.pack(f"<{len(values)}{form}", *values))


class Case:
    def __init__(self, name, text):
        self.name, self.text, self.lines, self.known = name, text, [], set()

    def launch(self, kernel, blocks, threads, buffers, *last):
        self.lines.append(f"launch: {kernel} grid={blocks} block={threads}")
        for buffer, what in buffers:
            self.lines.append(f"arg: {buffer}" if buffer in self.known else f"arg: {buffer}: {what}")
            self.known.add(buffer)
        self.lines += [f"arg: {argument}" for argument in last]

    def write(self, *head):
        head = [*head, "approximations: hopper", *self.lines]
        (folder / f"{self.name}.ptx").write_text("".join(f"// {line}\n" for line in head) + self.text)


def ptx(source, *options):
    options = ["-ptx", "-fmad=false", *options]
    text = subprocess.run(["nvcc", *options, RESOURCES / source, "-o", "-"], check=True, capture_output=True, text=True).stdout
    return f"// Made by nvcc {' '.join(options)} from {source}.\n" + re.sub("// Cuda compilation tools.*\n", "", text)


def functions(name, text):
    case = Case(name, text)
    for kernel in re.findall(r"\.entry (\w+)\(", text):
        bits = kernel[-2:]
        case.launch(kernel, COUNT // 128, 128, [(k + bits, f"buffer u{bits}[{COUNT}] = @{k}{bits}.bin") for k in "ab"] + [(kernel, f"buffer u{bits}[{COUNT}] = zero")], f"n: s32 = {COUNT}")
    case.write()


def networks(name, text):
    case = Case(name, text)
    for kernel in re.findall(r"\.entry (\w+)\(", text):
        rows = kernel in ("softmax", "rmsnorm")
        case.launch(kernel, 4 if rows else 8, 128, [("in", "buffer u32[1024] = @in.bin"), (kernel, "buffer u32[1024] = zero")], f"n: s32 = {256 if rows else 1024}")
    case.write()


def attention(text):
    case = Case("attention", text)
    case.launch("attention", 2, 128, [(k, f"buffer u16[8192] = @{k}.bin") for k in "qkv"] + [("out", "buffer u16[8192] = zero")], "keys: s32 = 128", "scale: f32 = 0.18")
    case.write("matrix: hopper")


folder.mkdir(parents=True)
draw = random.Random(5)
numbers = [SPECIAL[i] if i < len(SPECIAL) else draw.uniform(-1, 1) if i % 4 == 0 else draw.gauss(0, 1) * 2.0 ** draw.randrange(-30 if i % 4 == 1 else -12, 10) for i in range(COUNT)]
numbers = [single(x) for x in numbers]
others = numbers[:]
draw.shuffle(others)
for k, values in (("a", numbers), ("b", others)):
    write(f"{k}32.bin", "f", values)
    write(f"{k}64.bin", "d", values)
write("in.bin", "f", [draw.gauss(0, 3) for _ in range(1024)])
for options in ((), ("-use_fast_math",)):
    suffix = "-fast" if options else ""
    functions("functions" + suffix, ptx("programs/functions.cu", "-arch=sm_75", *options))
    networks("networks" + suffix, ptx("programs/networks.cu", "-arch=sm_75", *options))
for k in "qkv":
    write(f"{k}.bin", "e", [draw.gauss(0, 1) for _ in range(8192)])
attention(ptx("matrix/attention.cu", "-arch=sm_80"))
