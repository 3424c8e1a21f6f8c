#!/usr/bin/env python3
"""Makes cases for `ptx record` of what Triton makes of the kernels in triton_kernels.py, for targets from sm_75 to sm_90 or those that are named; no GPU is needed for that.

Triton 3.8.0 and NumPy, TRITON_DISABLE_LINE_INFO=1; without fusion, which ptxas would do as it likes.
Usage: triton_cases.py FOLDER [NAME...] [sm_TARGET...]; then ptx record --out OUT FOLDER, and the files of OUT make an archive as record.sh makes its own. A line that expects `scratch` has to go:
it holds tensor maps, whose layout is the driver's.
"""
import os
import re
import sys

import numpy as np
import triton
import triton.language as tl
import triton_kernels as K
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

folder = sys.argv[1]
os.makedirs(folder, exist_ok=True)
R = np.random.default_rng(7)
f32 = lambda *s: R.standard_normal(s).astype(np.float32)
f64 = lambda *s: R.standard_normal(s)
f16 = lambda *s: (R.standard_normal(s)).astype(np.float16)
i32 = lambda lo, hi, *s: R.integers(lo, hi, s, dtype=np.int64).astype(np.int32)
i64 = lambda *s: R.integers(-2**63, 2**63 - 1, s, dtype=np.int64)
i8 = lambda *s: R.integers(-128, 128, s, dtype=np.int64).astype(np.int8)
fp8 = lambda *s: R.integers(0, 0x3c, s, dtype=np.int64).astype(np.uint8) | (R.integers(0, 2, s, dtype=np.int64) << 7).astype(np.uint8)
Z = lambda t, n: (t, n)
PT = {np.dtype(np.float32): "*fp32", np.dtype(np.float64): "*fp64", np.dtype(np.float16): "*fp16", np.dtype(np.int32): "*i32", np.dtype(np.int64): "*i64", np.dtype(np.int8): "*i8"}
CT = {"*fp32": "f32", "*fp64": "f64", "*fp16": "u16", "*i32": "u32", "*i64": "u64", "*i8": "u8", "*bf16": "u16", "*fp8e5": "u8", "*fp8e4nv": "u8", "*u8": "u8"}
def save(name, a):
    open(f"{folder}/{name}", "wb").write(np.ascontiguousarray(a).tobytes())
jobs = []
def case(name, fn, grid, args, cons, targets=(75, 80, 90), **opt):
    jobs.append((name, fn, grid, args, cons, targets, opt))
N = 5000
case("add", K.add, (5,), dict(x=f32(N), y=f32(N), z=Z("*fp32", N), n=N), dict(B=1024))
case("axpy_half", K.axpy_half, (5,), dict(a=1.75, x=f16(N), y=f16(N), n=N), dict(B=1024))
case("softmax", K.softmax, (8,), dict(x=f32(8, 781), y=Z("*fp32", 8 * 781), columns=781), dict(B=1024))
case("layer_norm", K.layer_norm, (6,), dict(x=f32(6, 1000), w=f32(1000), b=f32(1000), y=Z("*fp32", 6000), columns=1000, eps=1e-5), dict(B=1024), num_warps=8)
mm = dict(BM=64, BN=64, BK=32)
case("matmul_f16", K.matmul, (2, 2), dict(a=f16(128, 128), b=f16(128, 128), c=Z("*fp32", 128 * 128), M=128, N=128, K=128), dict(T=tl.float32, P="ieee", **mm), num_stages=3)
case("matmul_f16_w8", K.matmul, (2, 1), dict(a=f16(128, 128), b=f16(128, 128), c=Z("*fp16", 128 * 128), M=128, N=128, K=128), dict(T=tl.float32, P="ieee", BM=64, BN=128, BK=64), num_stages=2, num_warps=8)
case("matmul_s8", K.matmul, (2, 2), dict(a=i8(128, 128), b=i8(128, 128), c=Z("*i32", 128 * 128), M=128, N=128, K=128), dict(T=tl.int32, P="ieee", **mm), num_stages=3)
case("matmul_tf32", K.matmul, (2, 2), dict(a=f32(128, 64), b=f32(64, 128), c=Z("*fp32", 128 * 128), M=128, N=128, K=64), dict(T=tl.float32, P="tf32", **mm), targets=(80, 90))
case("matmul_tf32x3", K.matmul, (2, 2), dict(a=f32(128, 64), b=f32(64, 128), c=Z("*fp32", 128 * 128), M=128, N=128, K=64), dict(T=tl.float32, P="tf32x3", **mm), targets=(80, 90))
case("matmul_f32", K.matmul, (4, 4), dict(a=f32(128, 64), b=f32(64, 128), c=Z("*fp32", 128 * 128), M=128, N=128, K=64), dict(T=tl.float32, P="ieee", BM=32, BN=32, BK=32))
case("matmul_f64", K.matmul, (4, 4), dict(a=f64(64, 64), b=f64(64, 64), c=Z("*fp64", 64 * 64), M=64, N=64, K=64), dict(T=tl.float64, P="ieee", BM=16, BN=16, BK=16), targets=(80, 90))
case("matmul_bf16", K.matmul, (2, 2), dict(a=("*bf16", (f32(128, 128).view(np.uint32) >> 16).astype(np.uint16)), b=("*bf16", (f32(128, 128).view(np.uint32) >> 16).astype(np.uint16)), c=Z("*fp32", 128 * 128), M=128, N=128, K=128), dict(T=tl.float32, P="ieee", **mm), targets=(80, 90))
case("matmul_e5m2", K.matmul, (2, 2), dict(a=("*fp8e5", fp8(128, 128)), b=("*fp8e5", fp8(128, 128)), c=Z("*fp32", 128 * 128), M=128, N=128, K=128), dict(T=tl.float32, P="ieee", **mm))
case("matmul_e4m3", K.matmul, (2, 2), dict(a=("*fp8e4nv", fp8(128, 128)), b=("*fp8e4nv", fp8(128, 128)), c=Z("*fp32", 128 * 128), M=128, N=128, K=128), dict(T=tl.float32, P="ieee", **mm), targets=(89, 90))
case("attention", K.attention, (2, 2), dict(q=f16(2, 128, 64), k=f16(2, 128, 64), v=f16(2, 128, 64), o=Z("*fp16", 2 * 128 * 64), n=128, scale=0.18), dict(D=64, BM=64, BN=32), num_stages=2, targets=(80, 90))
case("dropout", K.dropout, (5,), dict(x=f32(N), y=Z("*fp32", N), n=N, p=0.3, seed=1234), dict(B=1024))
case("normals", K.normals, (4,), dict(y=Z("*fp32", 4096), seed=99), dict(B=1024))
case("cumsum_i32", K.cumsum, (4,), dict(x=i32(-1000, 1000, 4096), y=Z("*i32", 4096)), dict(B=1024))
case("cumsum_f32", K.cumsum, (4,), dict(x=f32(4096), y=Z("*fp32", 4096)), dict(B=1024))
case("recurrence", K.recurrence, (2,), dict(a=f32(2, 64, 32) * 0.5, b=f32(2, 64, 32), y=Z("*fp32", 4096)), dict(N=64, C=32))
case("sort_i32", K.sort, (4,), dict(x=i32(-2**31, 2**31, 2048), y=Z("*i32", 2048)), dict(B=512))
case("sort_f32", K.sort, (2,), dict(x=f32(2048), y=Z("*fp32", 2048)), dict(B=1024))
case("histogram", K.histogram, (5,), dict(x=i32(0, 64, N), y=Z("*i32", 64), n=N), dict(B=1024, BINS=64))
case("atomics", K.atomics, (5,), dict(x=i32(0, 1 << 20, N), c=Z("*i32", 96), n=N), dict(B=1024))
case("locked", K.locked, (8,), dict(x=i32(0, 100, 2048), lock=Z("*i32", 1), total=Z("*i32", 256), N=2048), dict(B=256))
case("gathers", K.gathers, (1,), dict(x=f32(64, 32), index=i32(0, 64, 64, 32), y=Z("*fp32", 2 * 64 * 32)), dict(R=64, C=32))
case("argbest", K.argbest, (8,), dict(x=f32(8, 781), y=Z("*i32", 32), columns=781), dict(B=1024))
case("conv", K.conv, (8,), dict(x=f32(60, 61), w=f32(25), y=Z("*fp32", 3660), H=60, W=61), dict(B=512, K=5))
case("integers", K.integers, (5,), dict(x=i32(-2**31, 2**31, N), y=i32(-2**31, 2**31, N) >> i32(0, 31, N), z=Z("*i32", 9 * N), n=N), dict(B=1024))
case("functions", K.functions, (3,), dict(x=f32(3000) * 4, z=Z("*fp32", 11 * 3000), n=3000), dict(B=1024))
case("doubles", K.doubles, (3,), dict(x=f64(3000) * 4, z=Z("*fp64", 4 * 3000), n=3000), dict(B=1024))
case("narrow", K.narrow, (3,), dict(x=f32(3000) * 4, y=Z("*fp32", 6000), h=Z("*fp16", 3000), b=Z("*bf16", 3000), e5=Z("*i8", 3000), e4=Z("*i8", 3000), n=3000), dict(B=1024), targets=(80, 90))
case("narrow4", K.narrow4, (3,), dict(x=f32(3000) * 4, y=Z("*fp32", 3000), e4=Z("*i8", 3000), n=3000), dict(B=1024), targets=(89, 90))
case("shuffle_shapes", K.shuffle_shapes, (1,), dict(x=i32(0, 9999, 64, 32), y=Z("*i32", 4 * 2048)), dict(N=64, M=32))
case("split_k", K.split_k, (2, 2, 3), dict(a=i8(64, 192), b=i8(192, 64), c=Z("*i32", 64 * 64), K=192), dict(BM=32, BN=32, BK=32))
case("cross_entropy", K.cross_entropy, (8,), dict(x=f16(8, 3000), target=i32(0, 3000, 8), loss=Z("*fp32", 8), columns=3000), dict(B=512))
case("rotary", K.rotary, (8,), dict(q=f32(8, 4, 64), cos=f32(8, 32), sin=f32(8, 32), y=Z("*fp32", 2048)), dict(H=4, D=64), num_warps=2)
case("quantize", K.quantize, (8,), dict(x=f32(8, 781), y=Z("*i8", 8 * 781), scale=Z("*fp32", 8), columns=781), dict(B=1024))
case("int4_matmul", K.int4_matmul, (2, 2), dict(a=f16(64, 128), packed=i32(-2**31, 2**31, 16, 64), scale=f16(2, 64) * np.float16(0.1), c=Z("*fp16", 4096), K=128, N=64), dict(BM=32, BN=32, BK=64), num_stages=2, targets=(80, 90))
case("top_k", K.top_k, (8,), dict(x=f32(8, 256), y=Z("*fp32", 64)), dict(B=256, K=8))
case("embedding", K.embedding, (16,), dict(table=f32(50, 128), index=i32(-3, 50, 16, 9), y=Z("*fp32", 2048), L=9), dict(D=128), num_warps=1)
case("scatter_rows", K.scatter_rows, (40,), dict(x=i32(0, 1000, 40, 128), index=i32(0, 10, 40), y=Z("*i32", 1280)), dict(D=128), num_warps=2)
case("mandelbrot", K.mandelbrot, (12,), dict(y=Z("*i32", 6144), W=96, H=64, limit=100), dict(B=512))
case("hash64", K.hash64, (5,), dict(x=i64(N), y=Z("*i64", N), n=N), dict(B=1024))
case("assembly", K.assembly, (4,), dict(x=i32(-2**31, 2**31, 4096), y=Z("*i32", 4096)), dict(B=1024))
case("printing", K.printing, (1,), dict(x=i32(0, 1000, 64)), dict(B=64), num_warps=1, debug=True)
case("batch_norm", K.batch_norm, (4,), dict(x=f32(100, 128), mean=Z("*fp32", 128), var=Z("*fp32", 128), N=100, C=128), dict(BN=32, BC=32))
case("moe_route", K.moe_route, (16,), dict(x=f32(16, 64), w=Z("*fp32", 64), index=Z("*i32", 64), y=Z("*i32", 1)), dict(E=64, K=4), num_warps=2)
case("descriptor_copy", K.descriptor_copy, (2, 4), dict(x=f32(60, 128), y=Z("*fp32", 60 * 128), M=60, N=128), dict(BM=32, BN=32))
case("descriptor_matmul", K.descriptor_matmul, (2, 2), dict(a=f16(128, 128), b=f16(128, 128), c=Z("*fp16", 128 * 128), M=128, N=128, K=128), dict(**mm), num_stages=3)
case("scaled", K.scaled, (1,), dict(a=("*fp8e5", fp8(128, 128)), sa=("*u8", R.integers(120, 130, (128, 4)).astype(np.uint8)), b=("*fp8e5", fp8(128, 128)), sb=("*u8", R.integers(120, 130, (128, 4)).astype(np.uint8)), c=Z("*fp32", 128 * 128)), dict(BM=128, BN=128, BK=128), targets=(80, 90))


def declare(name, function, args, constants):
    """What a launch passes, as Triton wants it and as lines of a case."""
    signature, attributes, lines = {}, {}, []
    for i, parameter in enumerate(function.arg_names):
        if parameter in constants:
            signature[parameter] = "constexpr"
            continue
        value = args[parameter]
        aligned = not isinstance(value, (int, float)) or isinstance(value, int) and value % 16 == 0
        if aligned:
            attributes[(i,)] = [["tt.divisibility", 16]]
        if isinstance(value, tuple) and isinstance(value[1], int):
            signature[parameter] = value[0]
            lines.append(f"arg: {parameter}: buffer {CT[value[0]]}[{value[1]}] = zero")
        elif isinstance(value, (tuple, np.ndarray)):
            kind, data = value if isinstance(value, tuple) else (PT[value.dtype], value)
            signature[parameter] = kind
            save(f"triton-{name}.{parameter}.bin", data)
            lines.append(f"arg: {parameter}: buffer {CT[kind]}[{data.size}] = @triton-{name}.{parameter}.bin")
        elif isinstance(value, int):
            signature[parameter] = "i32"
            lines.append(f"arg: {parameter}: s32 = {value}")
        else:
            signature[parameter] = "fp32"
            lines.append(f"arg: {parameter}: f32 = {np.float32(value)}")
    return signature, attributes, lines


def write(name, function, grid, args, constants, target, options):
    signature, attributes, lines = declare(name, function, args, constants)
    places = {(function.arg_names.index(key),): value for key, value in constants.items()}
    made = triton.compile(ASTSource(function, signature, places, attributes), target=GPUTarget("cuda", target, 32),
                          options={"num_warps": 4, **options, "enable_fp_fusion": False})
    ptx = made.asm["ptx"]
    entry, parameters = re.search(r"\.entry (\w+)\((.*?)\)", ptx, re.S).groups()
    threads = int(re.search(r"\.reqntid (\d+)", ptx).group(1))
    scratch = getattr(made.metadata, "global_scratch_size", 0) * int(np.prod(grid))
    for hidden in range(len(re.findall(r"_param_\d+", parameters)) - len(lines)):
        lines.append(f"arg: scratch: buffer u8[{scratch + 128}] = zero" if scratch and hidden == 0 else f"arg: s{hidden}: u64 = 0")
    shared = f" shared={made.metadata.shared}" if made.metadata.shared else ""
    head = [f"Made by Triton {triton.__version__}: tools/record/triton_cases.py.", "matrix: hopper", "approximations: hopper",
            f"launch: {entry} grid={','.join(map(str, grid))} block={threads}{shared}", *lines]
    with open(f"{folder}/triton-{name}.sm_{target}.ptx", "w") as out:
        out.write("".join(f"// {line}\n" for line in head) + ptx)


wanted = [word for word in sys.argv[2:] if not word.startswith("sm_")]
others = [int(word[3:]) for word in sys.argv[2:] if word.startswith("sm_")]
for name, function, grid, args, constants, targets, options in jobs:
    for target in others or targets:
        if not wanted or name in wanted:
            try:
                write(name, function, grid, args, constants, target, options)
            except Exception as wrong:
                print(f"{name} for sm_{target}: {str(wrong).strip().splitlines()[-1]}")
