#!/usr/bin/env python3
"""Writes NAME.case for every example: its launches, arguments and expected results.

Nothing here looks at the kernels. Expectations come from exact arithmetic (fractions, Python's integers,
hashlib); where a kernel rounds, the model rounds the exact value once, as the operation's definition says.
Only the standard library is used.
"""
import hashlib
import random
import struct
from fractions import Fraction
from pathlib import Path

HERE = Path(__file__).parent


class Case:
    def __init__(self, name):
        self.name, self.lines = name, []

    def note(self, text):
        self.lines.append(f"// {text}")

    def launch(self, kernel, grid, block, *args, shared=None):
        extra = f" shared={shared}" if shared else ""
        self.lines.append(f"// launch: {kernel} grid={grid} block={block}{extra}")
        self.lines += [f"// arg: {arg}" for arg in args]

    def expect(self, buffer, first, values, tolerance=""):
        place = f"{first}..{first + len(values) - 1}" if len(values) > 1 else str(first)
        self.lines.append(f"// expect: {buffer}[{place}] = {listed(values)}{tolerance}")

    def write(self):
        # ptxas refuses characters outside ASCII even in comments.
        (HERE / f"{self.name}.case").write_text("\n".join(self.lines) + "\n", encoding="ascii")


def listed(values):
    return ", ".join(value if isinstance(value, str) else number(value) for value in values)


def number(value):
    if isinstance(value, Fraction):
        value = float(value)
    return repr(value)


def hexes(values, digits):
    return [f"0x{value:0{digits}x}" for value in values]


def f32(exact):
    """The float nearest to an exact value, ties to even, as an exact value again."""
    exact = Fraction(exact)
    if exact == 0:
        return exact
    exponent = -149
    while abs(exact) / Fraction(2) ** exponent >= 2 ** 24:
        exponent += 1
    scale = Fraction(2) ** exponent
    return round(exact / scale) * scale


def words(value, count, bits=64):
    return [value >> bits * k & (1 << bits) - 1 for k in range(count)]


def saxpy():
    case = Case("saxpy")
    n = 1000
    case.note("y = 2.5*x + 1, then y = y - 0.5*x; elements from n on stay.")
    case.launch("saxpy", 4, 256, f"n: u32 = {n}", "a: f32 = 2.5", "x: buffer f32[1003] = iota", "y: buffer f32[1003] = fill 1")
    case.launch("saxpy_strided", 3, 96, f"n: u32 = {n}", "a: f32 = -0.5", "x", "y")
    y = [Fraction(1) + 2 * i if i < n else Fraction(1) for i in range(1003)]
    case.expect("y", 0, y[:8])
    case.expect("y", 252, y[252:260])
    case.expect("y", 995, y[995:])
    case.write()


def matmul():
    case = Case("matmul")
    rows, cols, inner = 20, 17, 19
    case.launch("matmul", "2,2", "16,16", f"rows: s32 = {rows}", f"cols: s32 = {cols}", f"inner: s32 = {inner}",
                f"a: buffer f32[{rows * inner}] = iota", f"b: buffer f32[{inner * cols}] = iota",
                f"c: buffer f32[{rows * cols + 1}] = fill -1")
    for row in range(rows):
        case.expect("c", row * cols, [
            Fraction(sum((row * inner + k) * (k * cols + col) for k in range(inner))) for col in range(cols)])
    case.expect("c", rows * cols, [Fraction(-1)])
    case.write()


def reduction():
    case = Case("reduction")
    n, grid, block = 1000, 3, 64
    case.note("A sum of floats in two passes, then a sum of unsigned integers that passes 32 bits.")
    case.launch("sum_partial_f32", grid, block, f"n: u32 = {n}", f"x: buffer f32[{n}] = iota", f"partial: buffer f32[{grid}] = zero")
    case.launch("sum_partial_f32", 1, 32, f"n: u32 = {grid}", "partial", "total: buffer f32[1] = zero")
    case.launch("sum_atomic_u32", grid, 96, f"n: u32 = {n}", f"big: buffer u32[{n}] = fill 4000000001", "sum: buffer u64[1] = 5")
    partial = [sum(i for i in range(n) if i // block % grid == b) for b in range(grid)]
    case.expect("partial", 0, [Fraction(p) for p in partial])
    case.expect("total", 0, [Fraction(sum(partial))])
    case.expect("sum", 0, [5 + n * 4000000001])
    case.write()


def scan():
    case = Case("scan")
    n, block = 500, 64
    grid = -(-n // block)
    values = [i * 2654435761 % 2 ** 32 for i in range(n)]
    case.launch("scan_blocks", grid, block, f"n: u32 = {n}", f"in: buffer u32[{n}] = {listed(values)}",
                f"out: buffer u32[{n}] = zero", f"sums: buffer u32[{grid}] = zero", shared=8 * block)
    case.launch("scan_blocks", 1, grid, f"n: u32 = {grid}", "sums", "sums", "total: buffer u32[1] = zero", shared=8 * grid)
    case.launch("add_offsets", grid, block, f"n: u32 = {n}", "out", "sums")
    out = [sum(values[:i + 1]) % 2 ** 32 for i in range(n)]
    case.expect("out", 0, out)
    case.expect("total", 0, out[-1:])
    case.write()


def histogram():
    case = Case("histogram")
    text = ("Shared memory is small and near, global memory is large and far; "
            "a histogram that counts near first and far last waits less.").encode()
    n = len(text)
    case.note("The letters of a sentence, counted once with each kernel.")
    case.launch("histogram_global", 2, 32, f"n: u32 = {n}", f"text: buffer u8[{n}] = {listed(list(text))}",
                "bins: buffer u32[256] = zero")
    case.launch("histogram_shared", 2, 48, f"n: u32 = {n}", "text", "bins")
    case.expect("bins", 0, [2 * text.count(bytes([b])) for b in range(256)])
    case.write()


# The same eight colours as in the kernel.
COLOURS = [(12, 16, 64), (24, 72, 148), (60, 140, 200), (180, 220, 232), (248, 236, 176), (248, 176, 40), (176, 84, 16), (72, 24, 40)]


def escape_step(cx, cy, limit):
    x = y = Fraction(0)
    for step in range(limit):
        xx, yy = f32(x * x), f32(y * y)
        if f32(xx + yy) > 4:
            return step
        x, y = f32(f32(xx - yy) + cx), f32(f32(x + x) * y + cy)
    return limit


def colour(step, limit):
    if step == limit:
        return [0, 0, 0]
    start, end = COLOURS[step // 8 % 8], COLOURS[(step // 8 + 1) % 8]
    return [a + int(Fraction((b - a) * (step % 8), 8)) for a, b in zip(start, end)]


def mandelbrot():
    case = Case("mandelbrot")
    w, h, limit = 24, 15, 40
    x0, y0, dx, dy = "-2.0", "-1.225", "0.125", "0.175"
    case.note("A picture of 24 x 15 pixels, one line of expectations a row.")
    case.launch("mandelbrot", "2,4", "16,4", f"rgb: buffer u8[{3 * w * h + 3}] = fill 7", f"w: s32 = {w}", f"h: s32 = {h}",
                f"x0: f32 = {x0}", f"y0: f32 = {y0}", f"dx: f32 = {dx}", f"dy: f32 = {dy}", f"maxIter: s32 = {limit}")
    for py in range(h):
        row = []
        for px in range(w):
            cx, cy = f32(px * f32(Fraction(dx)) + f32(Fraction(x0))), f32(py * f32(Fraction(dy)) + f32(Fraction(y0)))
            row += colour(escape_step(cx, cy, limit), limit)
        case.expect("rgb", 3 * w * py, row)
    case.expect("rgb", 3 * w * h, [7, 7, 7])
    case.write()


def nbody():
    case = Case("nbody")
    n, block, dt, eps2 = 20, 8, 0.0078125, 0.25
    chance = random.Random(20)
    bodies = [[chance.randrange(-64, 65) / 64 for _ in range(3)] + [chance.randrange(1, 65) / 64] for _ in range(n)]
    velocities = [[chance.randrange(-64, 65) / 64 for _ in range(3)] + [0.0] for _ in range(n)]
    flat = lambda rows: [value for row in rows for value in row]
    case.note("Exact forces in double precision; 1e-5 covers the error of rsqrt.approx (2^-22.4) and of 20 float additions.")
    case.launch("nbody_step", -(-n // block), block, f"n: s32 = {n}", f"dt: f32 = {dt}", f"eps2: f32 = {eps2}",
                f"bodies: buffer f32[{4 * n}] = {listed(flat(bodies))}", f"velocities: buffer f32[{4 * n}] = {listed(flat(velocities))}",
                f"moved: buffer f32[{4 * n}] = zero", shared=16 * block)
    moved = []
    for body, velocity in zip(bodies, velocities):
        pull = [0.0, 0.0, 0.0]
        for other in bodies:
            d = [other[k] - body[k] for k in range(3)]
            strength = other[3] / (sum(x * x for x in d) + eps2) ** 1.5
            pull = [pull[k] + d[k] * strength for k in range(3)]
        velocity[:3] = [velocity[k] + dt * pull[k] for k in range(3)]
        moved.append([body[k] + dt * velocity[k] for k in range(3)] + [body[3]])
    rounded = lambda rows: [round(value, 8) for value in flat(rows)]
    case.expect("velocities", 0, rounded(velocities), " +- 1e-5")
    case.expect("moved", 0, rounded(moved), " +- 1e-5")
    case.write()


def sha256():
    case = Case("sha256")
    short = [b"abc", b"ptx", b"JVM", b"\0\0\0"]
    long = [b"sixty bytes leave no room for a length in the first block of", bytes(range(196, 256)), b"\xff" * 60]
    case.note("Four messages of 3 bytes, three of 60 bytes (two blocks each), one empty, then chains of two hashes.")
    for name, messages, grid, block in (("short", short, 2, 3), ("long", long, 1, 32)):
        length = len(messages[0])
        case.launch("sha256", grid, block, f"count: u32 = {len(messages)}", f"length: u32 = {length}",
                    f"{name}: buffer u8[{length * len(messages)}] = {listed(list(b''.join(messages)))}",
                    f"{name}Digests: buffer u8[{32 * len(messages)}] = zero")
    case.launch("sha256", 1, 1, "count: u32 = 1", "length: u32 = 0", "short", "emptyDigest: buffer u8[32] = zero")
    count, first, iterations = 3, 0xfffffffe, 2
    case.launch("sha256_chain", 2, 2, f"count: u32 = {count}", f"first: u32 = {first}", f"iterations: u32 = {iterations}",
                f"chains: buffer u32[{8 * count}] = zero")
    for name, messages in (("shortDigests", short), ("longDigests", long), ("emptyDigest", [b""])):
        for i, message in enumerate(messages):
            case.expect(name, 32 * i, hexes(hashlib.sha256(message).digest(), 2))
    for i in range(count):
        message = struct.pack(">I", (first + i) % 2 ** 32) * 16
        for _ in range(iterations):
            digest = hashlib.sha256(message).digest()
            message = digest + digest
        case.expect("chains", 8 * i, hexes(struct.unpack(">8I", digest), 8))
    case.write()


BN254 = 21888242871839275222246405745257275088696311157297823662689037894645226208583


def montgomery():
    case = Case("montgomery")
    chance = random.Random(254)
    inverse = pow(2 ** 256, -1, BN254)
    a = [0, 1, BN254 - 1, 2 ** 256 % BN254, chance.randrange(BN254), chance.randrange(BN254)]
    b = [5, 1, BN254 - 1, chance.randrange(BN254), 2 ** 253, chance.randrange(BN254)]
    n, times = len(a), 3
    numbers = lambda values: hexes([word for value in values for word in words(value, 4)], 16)
    case.note("Factors 0, 1, p - 1, R mod p and random ones; the kernels on 32-bit and on 64-bit limbs give the same.")
    case.launch("montgomery_mul", 2, 4, f"n: u32 = {n}", f"a: buffer u64[{4 * n}] = {listed(numbers(a))}",
                f"b: buffer u64[{4 * n}] = {listed(numbers(b))}", f"product: buffer u64[{4 * n}] = zero")
    case.launch("montgomery_mul64", 2, 4, f"n: u32 = {n}", "a", "b", f"product64: buffer u64[{4 * n}] = zero")
    case.launch("montgomery_chain", 1, 32, f"n: u32 = {n}", f"times: u32 = {times}", "a", "b", f"chain: buffer u64[{4 * n}] = zero")
    case.launch("montgomery_chain64", 1, 32, f"n: u32 = {n}", f"times: u32 = {times}", "a", "b", f"chain64: buffer u64[{4 * n}] = zero")
    for name, exponent in (("product", 1), ("product64", 1), ("chain", times), ("chain64", times)):
        results = [x * pow(y * inverse, exponent, BN254) % BN254 for x, y in zip(a, b)]
        case.expect(name, 0, numbers(results))
    case.write()


def bigint():
    case = Case("bigint")
    chance = random.Random(1024)
    size = 2 ** 1024
    a = [size - 1, 0, chance.randrange(size), chance.randrange(size)]
    b = [1, 1, size - 1, chance.randrange(size)]
    n = len(a)
    numbers = lambda values, count: hexes([word for value in values for word in words(value, count)], 16)
    case.note("2^1024 - 1 plus 1 carries through every limb, 0 minus 1 borrows through every limb.")
    given = [f"n: u32 = {n}", f"a: buffer u64[{16 * n}] = {listed(numbers(a, 16))}", f"b: buffer u64[{16 * n}] = {listed(numbers(b, 16))}"]
    for kernel, result, flag in (("add", "sum", "carry"), ("sub", "difference", "borrow"), ("mul", "product", None)):
        for limbs in ("32", "64"):
            out = [f"{result}{limbs}: buffer u64[{(32 if kernel == 'mul' else 16) * n}] = zero"]
            if flag:
                out.append(f"{flag}{limbs}: buffer u32[{n}] = fill 9")
            case.launch(kernel + limbs, 2, 3, *given, *out)
            given = [f"n: u32 = {n}", "a", "b"]
    for limbs in ("32", "64"):
        case.expect("sum" + limbs, 0, numbers([(x + y) % size for x, y in zip(a, b)], 16))
        case.expect("carry" + limbs, 0, [(x + y) // size for x, y in zip(a, b)])
        case.expect("difference" + limbs, 0, numbers([(x - y) % size for x, y in zip(a, b)], 16))
        case.expect("borrow" + limbs, 0, [int(x < y) for x, y in zip(a, b)])
        case.expect("product" + limbs, 0, numbers([x * y for x, y in zip(a, b)], 32))
    case.write()


def bitonic():
    case = Case("bitonic")
    n, block = 75, 8
    chance = random.Random(75)
    keys = [chance.choice([chance.randrange(2 ** 32), chance.randrange(10), 2 ** 32 - 1]) for _ in range(n)]
    untouched = [0, 1]
    run = 2 * block
    grid = -(-n // run)
    case.note("75 keys, many of them equal, in runs of 16; the two words after them must stay.")
    case.launch("bitonic_block", grid, block, f"data: buffer u32[{n + 2}] = {listed(keys + untouched)}", f"n: u32 = {n}", shared=8 * block)
    height = 2 * run
    while height < 2 * n:
        case.launch("bitonic_flip", 8, 8, "data", f"n: u32 = {n}", f"height: u32 = {height}")
        lower = height // 2
        while lower > run:
            case.launch("bitonic_disperse", 8, 8, "data", f"n: u32 = {n}", f"height: u32 = {lower}")
            lower //= 2
        case.launch("bitonic_merge", grid, block, "data", f"n: u32 = {n}", shared=8 * block)
        height *= 2
    case.expect("data", 0, sorted(keys) + untouched)
    case.write()


def stencil():
    case = Case("stencil")
    w, h, k = 21, 13, Fraction(1, 2)
    grid = [[Fraction((x * y * 3 + x * x) % 17) for x in range(w)] for y in range(h)]

    def step(old):
        inner = lambda x, y: 0 < x < w - 1 and 0 < y < h - 1
        mean = lambda x, y: (old[y - 1][x] + old[y + 1][x] + old[y][x - 1] + old[y][x + 1]) / 4
        return [[old[y][x] + k * (mean(x, y) - old[y][x]) if inner(x, y) else old[y][x] for x in range(w)] for y in range(h)]

    case.note("Two steps, one with each kernel; every value is a multiple of 1/64, so nothing is rounded.")
    case.launch("stencil", "2,1", "16,16", f"w: s32 = {w}", f"h: s32 = {h}", f"k: f32 = {number(k)}",
                f"start: buffer f32[{w * h}] = {listed([int(value) for row in grid for value in row])}",
                f"middle: buffer f32[{w * h + 1}] = fill -1")
    case.launch("stencil_tiled", "2,1", "16,16", f"w: s32 = {w}", f"h: s32 = {h}", f"k: f32 = {number(k)}",
                "middle", f"end: buffer f32[{w * h + 1}] = fill -1")
    for name, values in (("middle", step(grid)), ("end", step(step(grid)))):
        for y in range(h):
            case.expect(name, y * w, values[y])
        case.expect(name, w * h, [Fraction(-1)])
    case.write()


for example in (saxpy, matmul, reduction, scan, histogram, mandelbrot, nbody, sha256, montgomery, bigint, bitonic, stencil):
    example()
