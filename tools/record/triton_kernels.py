"""Kernels of many kinds in Triton, for triton_cases.py."""
import triton, triton.language as tl
from triton.language.extra import libdevice

@triton.jit
def add(x, y, z, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    m = i < n
    tl.store(z + i, tl.load(x + i, m) + tl.load(y + i, m), m)

@triton.jit
def axpy_half(a, x, y, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    m = i < n
    v = tl.load(x + i, m).to(tl.float32) * a + tl.load(y + i, m).to(tl.float32)
    tl.store(y + i, v.to(tl.float16), m)

@triton.jit
def softmax(x, y, columns, B: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, B)
    v = tl.load(x + row * columns + i, i < columns, other=-float('inf'))
    e = tl.exp(v - tl.max(v, 0))
    tl.store(y + row * columns + i, e / tl.sum(e, 0), i < columns)

@triton.jit
def layer_norm(x, w, b, y, columns, eps, B: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, B)
    m = i < columns
    v = tl.load(x + row * columns + i, m, other=0.0)
    mean = tl.sum(v, 0) / columns
    d = tl.where(m, v - mean, 0.0)
    r = 1.0 / tl.sqrt(tl.sum(d * d, 0) / columns + eps)
    tl.store(y + row * columns + i, d * r * tl.load(w + i, m) + tl.load(b + i, m), m)

@triton.jit
def matmul(a, b, c, M, N, K, T: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, P: tl.constexpr):
    pm = tl.program_id(0)
    pn = tl.program_id(1)
    rm = pm * BM + tl.arange(0, BM)
    rn = pn * BN + tl.arange(0, BN)
    rk = tl.arange(0, BK)
    pa = a + rm[:, None] * K + rk[None, :]
    pb = b + rk[:, None] * N + rn[None, :]
    acc = tl.zeros((BM, BN), dtype=T)
    for k in range(0, K, BK):
        va = tl.load(pa, mask=rk[None, :] < K - k, other=0.0)
        vb = tl.load(pb, mask=rk[:, None] < K - k, other=0.0)
        acc = tl.dot(va, vb, acc, out_dtype=T, input_precision=P)
        pa += BK
        pb += BK * N
    tl.store(c + rm[:, None] * N + rn[None, :], acc.to(c.dtype.element_ty), mask=(rm[:, None] < M) & (rn[None, :] < N))

@triton.jit
def attention(q, k, v, o, n, scale, D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr):
    start = tl.program_id(0) * BM
    rm = start + tl.arange(0, BM)
    rd = tl.arange(0, D)
    base = tl.program_id(1) * n * D
    vq = tl.load(q + base + rm[:, None] * D + rd[None, :])
    best = tl.full((BM,), -float('inf'), tl.float32)
    total = tl.zeros((BM,), tl.float32)
    acc = tl.zeros((BM, D), tl.float32)
    for j in range(0, start + BM, BN):
        rn = j + tl.arange(0, BN)
        vk = tl.load(k + base + rn[None, :] * D + rd[:, None])
        s = tl.dot(vq, vk) * scale
        s = tl.where(rm[:, None] >= rn[None, :], s, -1.0e6)
        top = tl.maximum(best, tl.max(s, 1))
        p = tl.exp2(s - top[:, None])
        f = tl.exp2(best - top)
        total = total * f + tl.sum(p, 1)
        acc = acc * f[:, None]
        vv = tl.load(v + base + rn[:, None] * D + rd[None, :])
        acc = tl.dot(p.to(tl.float16), vv, acc)
        best = top
    tl.store(o + base + rm[:, None] * D + rd[None, :], (acc / total[:, None]).to(tl.float16))

@triton.jit
def dropout(x, y, n, p, seed, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    m = i < n
    v = tl.load(x + i, m)
    keep = tl.rand(seed, i) > p
    tl.store(y + i, tl.where(keep, v / (1 - p), 0.0), m)

@triton.jit
def normals(y, seed, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(y + i, tl.randn(seed, i))

@triton.jit
def cumsum(x, y, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(y + i, tl.cumsum(tl.load(x + i), 0))

@triton.jit
def combine(a0, b0, a1, b1):
    return a0 * a1, b0 * a1 + b1

@triton.jit
def recurrence(a, b, y, N: tl.constexpr, C: tl.constexpr):
    i = tl.arange(0, N)[:, None] * C + tl.arange(0, C)[None, :] + tl.program_id(0) * N * C
    va, vb = tl.associative_scan((tl.load(a + i), tl.load(b + i)), 0, combine)
    tl.store(y + i, vb)

@triton.jit
def sort(x, y, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(y + i, tl.sort(tl.load(x + i)))

@triton.jit
def histogram(x, y, n, B: tl.constexpr, BINS: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    h = tl.histogram(tl.load(x + i, i < n, other=0), BINS, mask=i < n)
    tl.atomic_add(y + tl.arange(0, BINS), h)

@triton.jit
def atomics(x, c, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    m = i < n
    v = tl.load(x + i, m, other=0)
    tl.atomic_max(c + (v & 15), v, m)
    tl.atomic_min(c + 16 + (v & 15), v, m)
    tl.atomic_or(c + 32 + (v & 15), v, m)
    tl.atomic_xor(c + 48 + (v & 7), v, m)
    tl.atomic_and(c + 64 + (v & 3), v, m)
    tl.atomic_add(c + 80, tl.sum(tl.where(m, v, 0), 0))

@triton.jit
def locked(x, lock, total, N, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    v = tl.load(x + i)
    while tl.atomic_cas(lock, 0, 1) == 1:
        pass
    t = tl.load(total + tl.arange(0, B), volatile=True)
    tl.store(total + tl.arange(0, B), t + v)
    tl.debug_barrier()
    tl.atomic_xchg(lock, 0)

@triton.jit
def gathers(x, index, y, R: tl.constexpr, C: tl.constexpr):
    r = tl.arange(0, R)[:, None] * C + tl.arange(0, C)[None, :]
    v = tl.load(x + r)
    k = tl.load(index + r)
    tl.store(y + r, tl.gather(v, k, 0))
    tl.store(y + R * C + r, tl.gather(v, k % C, 1))

@triton.jit
def argbest(x, y, columns, B: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, B)
    v = tl.load(x + row * columns + i, i < columns, other=-float('inf'))
    tl.store(y + row * 4, tl.argmax(v, 0))
    tl.store(y + row * 4 + 1, tl.argmin(tl.where(i < columns, v, float('inf')), 0))
    best, where = tl.max(v, 0, return_indices=True)
    tl.store(y + row * 4 + 2, where)
    tl.store(y + row * 4 + 3, (tl.xor_sum(i ^ v.to(tl.int32, bitcast=True), 0)))

@triton.jit
def conv(x, w, y, H, W, B: tl.constexpr, K: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    h = i // W
    c = i % W
    acc = tl.zeros((B,), tl.float32)
    for dy in tl.static_range(K):
        for dx in tl.static_range(K):
            r = h + dy - K // 2
            s = c + dx - K // 2
            ok = (i < H * W) & (r >= 0) & (r < H) & (s >= 0) & (s < W)
            acc += tl.load(x + r * W + s, ok, other=0.0) * tl.load(w + dy * K + dx)
    tl.store(y + i, acc, i < H * W)

@triton.jit
def integers(x, y, z, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    m = i < n
    a = tl.load(x + i, m)
    b = tl.load(y + i, m, other=1)
    ua = a.to(tl.uint32, bitcast=True)
    ub = b.to(tl.uint32, bitcast=True)
    tl.store(z + i, tl.umulhi(ua, ub).to(tl.int32), m)
    tl.store(z + n + i, a // (b | 1), m)
    tl.store(z + 2 * n + i, a % (b | 1), m)
    tl.store(z + 3 * n + i, (ua // (ub | 1) + ua % (ub | 1)).to(tl.int32), m)
    tl.store(z + 4 * n + i, libdevice.popc(a) + libdevice.clz(b) * 64 + libdevice.ffs(a) * 4096, m)
    tl.store(z + 5 * n + i, libdevice.brev(a) ^ libdevice.byte_perm(a, b, 0x3715), m)
    tl.store(z + 6 * n + i, libdevice.sad(a, b, ua) + libdevice.mulhi(a, b) + libdevice.mul24(a, b), m)
    w = a.to(tl.int64) * b.to(tl.int64) + 12345
    tl.store(z + 7 * n + i, ((w // ((b.to(tl.int64) << 7) | 1)) ^ (w >> 17)).to(tl.int32), m)
    tl.store(z + 8 * n + i, tl.minimum(tl.abs(a >> 3), tl.maximum(b, a)) + (a.to(tl.int8) * b.to(tl.int8)).to(tl.int32), m)

@triton.jit
def functions(x, z, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    m = i < n
    v = tl.load(x + i, m, other=1.0)
    a = tl.abs(v) + 1e-3
    tl.store(z + i, tl.exp(v) + tl.exp2(v), m)
    tl.store(z + n + i, tl.log(a) + tl.log2(a), m)
    tl.store(z + 2 * n + i, tl.sin(v) + tl.cos(v), m)
    tl.store(z + 3 * n + i, tl.sqrt(a) + tl.rsqrt(a), m)
    tl.store(z + 4 * n + i, tl.sqrt_rn(a) + tl.div_rn(v, a + 2), m)
    tl.store(z + 5 * n + i, tl.erf(v) + tl.floor(v * 3) + tl.ceil(v * 5), m)
    tl.store(z + 6 * n + i, tl.sigmoid(v) + tl.fma(v, a, v), m)
    tl.store(z + 7 * n + i, libdevice.tanh(v) + libdevice.atan2(v, a) + libdevice.pow(a, v), m)
    tl.store(z + 8 * n + i, libdevice.cbrt(v) + libdevice.lgamma(a) + libdevice.j0(v), m)
    tl.store(z + 9 * n + i, libdevice.rint(v * 7) + libdevice.tan(v) + libdevice.fmod(v, a), m)
    tl.store(z + 10 * n + i, libdevice.add_rz(v, a) + libdevice.mul_ru(v, a) + libdevice.fma_rd(v, a, v) + libdevice.sqrt_rz(a), m)

@triton.jit
def doubles(x, z, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    m = i < n
    v = tl.load(x + i, m, other=1.0)
    a = tl.abs(v) + 1e-3
    tl.store(z + i, tl.exp(v) + tl.log(a), m)
    tl.store(z + n + i, tl.sin(v) * tl.sqrt(a), m)
    tl.store(z + 2 * n + i, v / a + libdevice.pow(a, v), m)
    tl.store(z + 3 * n + i, (v * 100).to(tl.int64).to(tl.float64) + (a * 3).to(tl.int32).to(tl.float64), m)

@triton.jit
def narrow(x, y, h, b, e5, e4, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    m = i < n
    v = tl.load(x + i, m)
    vh = v.to(tl.float16)
    vb = v.to(tl.bfloat16)
    v5 = v.to(tl.float8e5)
    tl.store(h + i, vh * vh + vh, m)
    tl.store(b + i, vb * vb + vb, m)
    tl.store(e5 + i, v5.to(tl.int8, bitcast=True), m)
    tl.store(y + i, vh.to(tl.float32) + vb.to(tl.float32) + v5.to(tl.float32), m)
    tl.store(y + n + i, v.to(tl.float16, fp_downcast_rounding="rtz").to(tl.float32), m)

@triton.jit
def narrow4(x, y, e4, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    m = i < n
    v = tl.load(x + i, m)
    v4 = v.to(tl.float8e4nv)
    tl.store(e4 + i, v4.to(tl.int8, bitcast=True), m)
    tl.store(y + i, v4.to(tl.float32) + v4.to(tl.float16).to(tl.float32), m)

@triton.jit
def shuffle_shapes(x, y, N: tl.constexpr, M: tl.constexpr):
    r = tl.arange(0, N)[:, None]
    c = tl.arange(0, M)[None, :]
    v = tl.load(x + r * M + c)
    tl.store(y + c * N + r, v)
    t = tl.trans(v)
    tl.store(y + N * M + tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :], t * 3)
    f = tl.reshape(v, (N * M // 2, 2))
    a, b = tl.split(f)
    j = tl.interleave(b, a)
    tl.store(y + 2 * N * M + tl.arange(0, N * M), j)
    tl.store(y + 3 * N * M + tl.arange(0, N * M), tl.flip(tl.reshape(v, (N * M,)), 0))

@triton.jit
def split_k(a, b, c, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    part = tl.program_id(2)
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    N = tl.num_programs(1) * BN
    acc = tl.zeros((BM, BN), tl.float32)
    for k in range(part * BK, K, BK * tl.num_programs(2)):
        rk = k + tl.arange(0, BK)
        acc += tl.dot(tl.load(a + rm[:, None] * K + rk[None, :]), tl.load(b + rk[:, None] * N + rn[None, :]))
    tl.atomic_add(c + rm[:, None] * N + rn[None, :], acc.to(tl.int32))

@triton.jit
def cross_entropy(x, target, loss, columns, B: tl.constexpr):
    row = tl.program_id(0)
    x += row * columns
    best = -float('inf')
    total = 0.0
    for k in range(0, columns, B):
        i = k + tl.arange(0, B)
        v = tl.load(x + i, i < columns, other=-float('inf')).to(tl.float32)
        top = tl.maximum(best, tl.max(v, 0))
        total = total * tl.exp(best - top) + tl.sum(tl.exp(v - top), 0)
        best = top
    t = tl.load(target + row)
    tl.store(loss + row, tl.log(total) + best - tl.load(x + t).to(tl.float32))

@triton.jit
def rotary(q, cos, sin, y, H: tl.constexpr, D: tl.constexpr):
    pos = tl.program_id(0)
    h = tl.arange(0, H)[:, None]
    d = tl.arange(0, D // 2)[None, :]
    base = pos * H * D
    a = tl.load(q + base + h * D + d)
    b = tl.load(q + base + h * D + d + D // 2)
    c = tl.load(cos + pos * (D // 2) + d)
    s = tl.load(sin + pos * (D // 2) + d)
    tl.store(y + base + h * D + d, a * c - b * s)
    tl.store(y + base + h * D + d + D // 2, b * c + a * s)

@triton.jit
def quantize(x, y, scale, columns, B: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, B)
    m = i < columns
    v = tl.load(x + row * columns + i, m, other=0.0)
    s = tl.max(tl.abs(v), 0) / 127.0
    q = libdevice.rint(v / s)
    tl.store(y + row * columns + i, tl.clamp(q, -128.0, 127.0).to(tl.int8), m)
    tl.store(scale + row, s)

@triton.jit
def int4_matmul(a, packed, scale, c, K, N, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK):
        rk = k + tl.arange(0, BK)
        va = tl.load(a + rm[:, None] * K + rk[None, :])
        w = tl.load(packed + (rk[:, None] // 8) * N + rn[None, :])
        w = ((w >> ((rk[:, None] % 8) * 4)) & 15) - 8
        s = tl.load(scale + (k // 64) * N + rn[None, :])
        acc = tl.dot(va, w.to(tl.float16) * s, acc)
    tl.store(c + rm[:, None] * N + rn[None, :], acc.to(tl.float16))

@triton.jit
def top_k(x, y, B: tl.constexpr, K: tl.constexpr):
    row = tl.program_id(0)
    v = tl.load(x + row * B + tl.arange(0, B))
    tl.store(y + row * K + tl.arange(0, K), tl.topk(v, K))

@triton.jit
def embedding(table, index, y, L, D: tl.constexpr):
    row = tl.program_id(0)
    d = tl.arange(0, D)
    acc = tl.zeros((D,), tl.float32)
    for j in range(L):
        k = tl.load(index + row * L + j)
        if k >= 0:
            acc += tl.load(table + k * D + d)
    tl.store(y + row * D + d, acc)

@triton.jit
def scatter_rows(x, index, y, D: tl.constexpr):
    row = tl.program_id(0)
    d = tl.arange(0, D)
    tl.atomic_add(y + tl.load(index + row) * D + d, tl.load(x + row * D + d))

@triton.jit
def mandelbrot(y, W, H, limit, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    cr = (i % W) * (3.0 / W) - 2.0
    ci = (i // W) * (2.0 / H) - 1.0
    zr = tl.zeros((B,), tl.float32)
    zi = tl.zeros((B,), tl.float32)
    count = tl.zeros((B,), tl.int32)
    k = 0
    alive = tl.full((B,), 1, tl.int1)
    while (k < limit) & (tl.max(alive.to(tl.int32), 0) > 0):
        t = zr * zr - zi * zi + cr
        zi = tl.where(alive, 2 * zr * zi + ci, zi)
        zr = tl.where(alive, t, zr)
        alive = zr * zr + zi * zi <= 4.0
        count += alive.to(tl.int32)
        k += 1
    tl.store(y + i, count, i < W * H)

@triton.jit
def hash64(x, y, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    h = tl.load(x + i, i < n).to(tl.uint64)
    h ^= h >> 33
    h *= 0xff51afd7ed558ccd
    h ^= h >> 33
    h *= 0xc4ceb9fe1a85ec53
    h ^= h >> 33
    tl.store(y + i, (h ^ tl.umulhi(h, h + 7)).to(tl.int64), i < n)

@triton.jit
def assembly(x, y, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    v = tl.load(x + i)
    p = tl.inline_asm_elementwise("{ .reg .b32 t; prmt.b32 t, $1, $1, 0x0123; lop3.b32 $0, t, $1, 0x55aa55aa, 0x96; }", "=r,r", [v], dtype=tl.int32, is_pure=True, pack=1)
    q = tl.inline_asm_elementwise("dp4a.s32.s32 $0, $1, $2, $2;", "=r,r,r", [v, p], dtype=tl.int32, is_pure=True, pack=1)
    tl.store(y + i, p ^ q)

@triton.jit
def printing(x, B: tl.constexpr):
    i = tl.arange(0, B)
    v = tl.load(x + i)
    tl.device_print("value", v)
    tl.device_assert(v < 1000, "too large")

@triton.jit
def batch_norm(x, mean, var, N, C, BN: tl.constexpr, BC: tl.constexpr):
    c = tl.program_id(0) * BC + tl.arange(0, BC)
    count = tl.zeros((BC,), tl.float32)
    m = tl.zeros((BC,), tl.float32)
    s = tl.zeros((BC,), tl.float32)
    for k in range(0, N, BN):
        r = k + tl.arange(0, BN)
        v = tl.load(x + r[:, None] * C + c[None, :], r[:, None] < N, other=0.0)
        m += tl.sum(v, 0)
        s += tl.sum(v * v, 0)
    m = m / N
    tl.store(mean + c, m)
    tl.store(var + c, s / N - m * m)

@triton.jit
def moe_route(x, w, index, y, E: tl.constexpr, K: tl.constexpr):
    row = tl.program_id(0)
    e = tl.arange(0, E)
    v = tl.load(x + row * E + e)
    p = tl.softmax(v)
    for k in tl.static_range(K):
        j = tl.argmax(p, 0)
        tl.store(index + row * K + k, j)
        tl.store(w + row * K + k, tl.max(p, 0))
        p = tl.where(e == j, -1.0, p)

@triton.jit
def descriptor_copy(x, y, M, N, BM: tl.constexpr, BN: tl.constexpr):
    dx = tl.make_tensor_descriptor(x, [M, N], [N, 1], [BM, BN])
    dy = tl.make_tensor_descriptor(y, [M, N], [N, 1], [BM, BN])
    i = tl.program_id(0) * BM
    j = tl.program_id(1) * BN
    dy.store([i, j], dx.load([i, j]) * 2)

@triton.jit
def descriptor_matmul(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    da = tl.make_tensor_descriptor(a, [M, K], [K, 1], [BM, BK])
    db = tl.make_tensor_descriptor(b, [K, N], [N, 1], [BK, BN])
    dc = tl.make_tensor_descriptor(c, [M, N], [N, 1], [BM, BN])
    i = tl.program_id(0) * BM
    j = tl.program_id(1) * BN
    acc = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK):
        acc = tl.dot(da.load([i, k]), db.load([k, j]), acc)
    dc.store([i, j], acc.to(tl.float16))

@triton.jit
def scaled(a, sa, b, sb, c, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rm = tl.arange(0, BM)
    rn = tl.arange(0, BN)
    rk = tl.arange(0, BK)
    rs = tl.arange(0, BK // 32)
    va = tl.load(a + rm[:, None] * BK + rk[None, :])
    vb = tl.load(b + rk[:, None] * BN + rn[None, :])
    vsa = tl.load(sa + rm[:, None] * (BK // 32) + rs[None, :])
    vsb = tl.load(sb + rn[:, None] * (BK // 32) + rs[None, :])
    acc = tl.dot_scaled(va, vsa, "e5m2", vb, vsb, "e5m2")
    tl.store(c + rm[:, None] * BN + rn[None, :], acc)
