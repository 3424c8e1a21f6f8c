// Kernels as people write them, none of them tuned for any compiler: nvcc makes survey.sm_75.ptx of this file (../../cuda/build.sh), g++ makes the loops in C that
// they are compared with. Every thread computes what `i` stands for; `n` is their number, `m` another size.
#include <math.h>

typedef unsigned char u8;
typedef unsigned int u32;
typedef unsigned long long u64;

#define PARAMETERS int n, int m, const int *a, const int *b, int *out
#ifdef __CUDACC__
#define DEVICE static __device__ __forceinline__
#define KERNEL(name) \
    DEVICE void name##_thread(int i, PARAMETERS); \
    extern "C" __global__ void name(PARAMETERS) \
    { \
        int i = blockIdx.x * blockDim.x + threadIdx.x; \
        if (i < n) \
            name##_thread(i, n, m, a, b, out); \
    } \
    DEVICE void name##_thread(int i, PARAMETERS)
#else
#define DEVICE static inline
#define KERNEL(name) \
    DEVICE void name##_thread(int i, PARAMETERS); \
    extern "C" void name(PARAMETERS) \
    { \
        for (int i = 0; i < n; i++) \
            name##_thread(i, n, m, a, b, out); \
    } \
    DEVICE void name##_thread(int i, PARAMETERS)
#define __popc __builtin_popcount
DEVICE int min(int a, int b) { return a < b ? a : b; }
DEVICE int max(int a, int b) { return a > b ? a : b; }
DEVICE u64 __umul64hi(u64 a, u64 b) { return (unsigned __int128) a * b >> 64; }
DEVICE int __dp4a(int a, int b, int c)
{
    for (int k = 0; k < 32; k += 8)
        c += (signed char) (a >> k) * (signed char) (b >> k);
    return c;
}
DEVICE u32 __brev(u32 x)
{
    x = x >> 1 & 0x55555555 | (x & 0x55555555) << 1;
    x = x >> 2 & 0x33333333 | (x & 0x33333333) << 2;
    x = x >> 4 & 0x0f0f0f0f | (x & 0x0f0f0f0f) << 4;
    return __builtin_bswap32(x);
}
#endif

// Structures

struct Particle { float x, y, z, vx, vy, vz, mass; int id; };

KERNEL(particles)
{
    Particle p = ((const Particle *) a)[i];
    p.vy -= 9.81f * 0.01f;
    p.x += p.vx * 0.01f;
    p.y += p.vy * 0.01f;
    p.z += p.vz * 0.01f;
    if (p.y < 0.0f) {
        p.y = -p.y;
        p.vy = -p.vy * 0.5f;
    }
    ((Particle *) out)[i] = p;
}

struct Point { float x, y, z; };

KERNEL(normalize)
{
    Point p = ((const Point *) a)[i];
    float length = sqrtf(p.x * p.x + p.y * p.y + p.z * p.z);
    ((Point *) out)[i] = {p.x / length, p.y / length, p.z / length};
}

struct __attribute__((aligned(8))) Complex { float re, im; };

KERNEL(complex)
{
    Complex x = ((const Complex *) a)[i], y = ((const Complex *) b)[i];
    ((Complex *) out)[i] = {fmaf(x.re, y.re, -(x.im * y.im)), fmaf(x.re, y.im, x.im * y.re)};
}

struct __attribute__((aligned(16))) Vector { float x, y, z, w; };

KERNEL(transform)
{
    const float *matrix = (const float *) b;
    Vector v = ((const Vector *) a)[i];
    Vector r;
    r.x = matrix[0] * v.x + matrix[1] * v.y + matrix[2] * v.z + matrix[3] * v.w;
    r.y = matrix[4] * v.x + matrix[5] * v.y + matrix[6] * v.z + matrix[7] * v.w;
    r.z = matrix[8] * v.x + matrix[9] * v.y + matrix[10] * v.z + matrix[11] * v.w;
    r.w = matrix[12] * v.x + matrix[13] * v.y + matrix[14] * v.z + matrix[15] * v.w;
    ((Vector *) out)[i] = r;
}

KERNEL(addBig)
{
    const u64 *x = (const u64 *) a + 4 * i, *y = (const u64 *) b + 4 * i;
    u64 *sum = (u64 *) out + 4 * i;
    u64 carry = 0;
#pragma unroll
    for (int k = 0; k < 4; k++) {
        u64 s = x[k] + carry;
        carry = s < carry;
        s += y[k];
        carry += s < y[k];
        sum[k] = s;
    }
}

// Pixels

KERNEL(grayBytes)
{
    const u8 *p = (const u8 *) a + 3 * i;
    ((u8 *) out)[i] = (77 * p[0] + 150 * p[1] + 29 * p[2]) >> 8;
}

KERNEL(grayWords)
{
    u32 p = a[i];
    ((u8 *) out)[i] = (77 * (p & 255) + 150 * (p >> 8 & 255) + 29 * (p >> 16 & 255)) >> 8;
}

KERNEL(sobel)
{
    const u8 *p = (const u8 *) a;
    int x = i % m, y = i / m, h = n / m;
    if (x == 0 || y == 0 || x == m - 1 || y == h - 1) {
        ((u8 *) out)[i] = 0;
        return;
    }
    int dx = p[i - m + 1] + 2 * p[i + 1] + p[i + m + 1] - p[i - m - 1] - 2 * p[i - 1] - p[i + m - 1];
    int dy = p[i + m - 1] + 2 * p[i + m] + p[i + m + 1] - p[i - m - 1] - 2 * p[i - m] - p[i - m + 1];
    int sum = (dx < 0 ? -dx : dx) + (dy < 0 ? -dy : dy);
    ((u8 *) out)[i] = sum > 255 ? 255 : sum;
}

KERNEL(life)
{
    const u8 *cells = (const u8 *) a;
    int x = i % m, y = i / m, h = n / m, count = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            if (dx || dy)
                count += cells[(y + dy + h) % h * m + (x + dx + m) % m] & 1;
    ((u8 *) out)[i] = count == 3 || count == 2 && (cells[i] & 1);
}

KERNEL(resize)
{
    const u8 *p = (const u8 *) a;
    int w = m / 2, x = i % m, y = i / m, h = n / m / 2;
    int x0 = x / 2, y0 = y / 2, x1 = min(x0 + 1, w - 1), y1 = min(y0 + 1, h - 1), fx = x & 1, fy = y & 1;
    int top = p[y0 * w + x0] * (2 - fx) + p[y0 * w + x1] * fx, bottom = p[y1 * w + x0] * (2 - fx) + p[y1 * w + x1] * fx;
    ((u8 *) out)[i] = (top * (2 - fy) + bottom * fy + 2) >> 2;
}

KERNEL(median)
{
    int x = i % m, y = i / m, h = n / m;
    if (x == 0 || y == 0 || x == m - 1 || y == h - 1) {
        out[i] = a[i];
        return;
    }
    int v[9];
#pragma unroll
    for (int k = 0; k < 9; k++)
        v[k] = a[i + (k / 3 - 1) * m + k % 3 - 1];
#pragma unroll
    for (int k = 0; k < 5; k++)
#pragma unroll
        for (int j = 8; j > k; j--) {
            int low = min(v[j - 1], v[j]);
            v[j] = max(v[j - 1], v[j]);
            v[j - 1] = low;
        }
    out[i] = v[4];
}

// Matrices and signals

KERNEL(transpose)
{
    int x = i % m, y = i / m;
    out[x * (n / m) + y] = a[i];
}

KERNEL(gemm)
{
    const float *x = (const float *) a, *y = (const float *) b;
    int row = i / m, column = i % m;
    float sum = 0;
    for (int k = 0; k < m; k++)
        sum = fmaf(x[row * m + k], y[k * m + column], sum);
    ((float *) out)[i] = sum;
}

KERNEL(bias)
{
    const float *x = (const float *) a, *y = (const float *) b;
    float sum = x[i] + y[i % m];
    ((float *) out)[i] = sum > 0 ? sum : 0;
}

KERNEL(channels)
{
    int x = i % 160, y = i / 160 % 25, channel = i / 4000;
    ((float *) out)[i] = ((const float *) a)[i] * ((const float *) b)[channel] + ((const float *) b)[16 + y] - ((const float *) b)[48 + x];
}

KERNEL(unfold)
{
    int column = i % m, row = i / m % m, tap = i / (m * m), y = row + tap / 3, x = column + tap % 3;
    out[i] = a[y * (m + 2) + x];
}

KERNEL(jacobi)
{
    const float *p = (const float *) a;
    int x = i % m, y = i / m, h = n / m;
    ((float *) out)[i] = x > 0 && x < m - 1 && y > 0 && y < h - 1 ? 0.25f * (p[i - 1] + p[i + 1] + p[i - m] + p[i + m]) : p[i];
}

KERNEL(filter)
{
    const float *p = (const float *) a, *weights = (const float *) b;
    float sum = 0;
    for (int k = 0; k < 9; k++)
        sum = fmaf(weights[k], p[i + k], sum);
    ((float *) out)[i] = sum;
}

KERNEL(rowSums)
{
    const float *row = (const float *) a + i * m;
    float sum = 0;
    for (int k = 0; k < m; k++)
        sum += row[k];
    ((float *) out)[i] = sum;
}

KERNEL(dotBytes)
{
    int sum = 0;
    for (int k = 0; k < m; k++)
        sum = __dp4a(a[i * m + k], b[k], sum);
    out[i] = sum;
}

KERNEL(sparse)
{
    const float *values = (const float *) b;
    int length = a[i] & 15;
    float sum = 0;
    for (int k = 0; k < length; k++)
        sum = fmaf(values[16 * i + k], values[a[16 * i + k] & (m - 1)], sum);
    ((float *) out)[i] = sum;
}

KERNEL(horner)
{
    double x = ((const double *) a)[i], y = 0;
    for (int k = 0; k < 16; k++)
        y = fma(y, x, 1.0 / (k + 1));
    ((double *) out)[i] = y;
}

KERNEL(fft)
{
    const float *p = (const float *) a;
    float *q = (float *) out;
    int quarter = n;
    float r[4], s[4];
#pragma unroll
    for (int k = 0; k < 4; k++) {
        r[k] = p[2 * (i + k * quarter)];
        s[k] = p[2 * (i + k * quarter) + 1];
    }
    float r0 = r[0] + r[2], r1 = r[0] - r[2], r2 = r[1] + r[3], r3 = r[1] - r[3];
    float s0 = s[0] + s[2], s1 = s[0] - s[2], s2 = s[1] + s[3], s3 = s[1] - s[3];
    q[8 * i] = r0 + r2;
    q[8 * i + 1] = s0 + s2;
    q[8 * i + 2] = r1 + s3;
    q[8 * i + 3] = s1 - r3;
    q[8 * i + 4] = r0 - r2;
    q[8 * i + 5] = s0 - s2;
    q[8 * i + 6] = r1 - s3;
    q[8 * i + 7] = s1 + r3;
}

// Memory

KERNEL(gather)
{
    out[i] = a[b[i] & (m - 1)];
}

KERNEL(scatter)
{
    out[__brev(i) >> m] = a[i];
}

KERNEL(strided)
{
    out[i] = a[i * m];
}

KERNEL(search)
{
    int low = 0, high = m;
    u32 key = (u32) b[i] >> 4;
    while (low < high) {
        int middle = (low + high) / 2;
        if (a[middle] < (int) key)
            low = middle + 1;
        else
            high = middle;
    }
    out[i] = low;
}

// Whole numbers

KERNEL(philox)
{
    u32 c0 = i, c1 = 0, c2 = 0, c3 = 0, k0 = m, k1 = 7;
#pragma unroll
    for (int round = 0; round < 10; round++) {
        u64 p0 = (u64) 0xD2511F53u * c0, p1 = (u64) 0xCD9E8D57u * c2;
        c0 = (u32) (p1 >> 32) ^ c1 ^ k0;
        c1 = (u32) p1;
        c2 = (u32) (p0 >> 32) ^ c3 ^ k1;
        c3 = (u32) p0;
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    out[4 * i] = c0;
    out[4 * i + 1] = c1;
    out[4 * i + 2] = c2;
    out[4 * i + 3] = c3;
}

KERNEL(xorshift)
{
    u32 x = i * 2654435761u + 1, hits = 0;
    for (int k = 0; k < m; k++) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
        u32 u = x & 0xffff, v = x >> 16;
        hits += u * u + v * v / 2 < 0x7fffffffu;
    }
    out[i] = hits;
}

KERNEL(crc)
{
    u32 crc = ~0u;
    for (int k = 0; k < 16; k++) {
        u32 word = a[16 * i + k];
#pragma unroll
        for (int s = 0; s < 32; s += 8)
            crc = crc >> 8 ^ b[(crc ^ word >> s) & 255];
    }
    out[i] = ~crc;
}

KERNEL(tables)
{
    u32 s[4] = {(u32) a[4 * i], (u32) a[4 * i + 1], (u32) a[4 * i + 2], (u32) a[4 * i + 3]};
    for (int round = 0; round < 10; round++) {
        u32 t[4];
#pragma unroll
        for (int k = 0; k < 4; k++)
            t[k] = b[s[k] & 255] ^ b[256 + (s[k + 1 & 3] >> 8 & 255)] ^ b[512 + (s[k + 2 & 3] >> 16 & 255)] ^ b[768 + (s[k + 3 & 3] >> 24)] ^ round;
#pragma unroll
        for (int k = 0; k < 4; k++)
            s[k] = t[k];
    }
#pragma unroll
    for (int k = 0; k < 4; k++)
        out[4 * i + k] = s[k];
}

KERNEL(primes)
{
    u32 x = 2 * i + 3, prime = 1;
    for (u32 d = 3; d * d <= x; d += 2)
        if (x % d == 0) {
            prime = 0;
            break;
        }
    out[i] = prime;
}

KERNEL(gcd)
{
    u32 x = (u32) a[i] >> 8, y = (u32) b[i] >> 8;
    while (y) {
        u32 r = x % y;
        x = y;
        y = r;
    }
    out[i] = x;
}

KERNEL(collatz)
{
    u32 x = i + 1;
    int steps = 0;
    while (x != 1) {
        x = x & 1 ? 3 * x + 1 : x >> 1;
        steps++;
    }
    out[i] = steps;
}

KERNEL(queens)
{
    int columns[8], count = 0, row = 1;
    columns[0] = i & 7;
    columns[1] = -1;
    while (row > 0) {
        int column = ++columns[row];
        if (column == 8) {
            row--;
            continue;
        }
        int fine = 1;
        for (int k = 0; k < row; k++) {
            int d = columns[k] - column;
            if (d == 0 || d == row - k || d == k - row)
                fine = 0;
        }
        if (!fine)
            continue;
        if (row == 7) {
            count++;
            continue;
        }
        columns[++row] = -1;
    }
    out[i] = count;
}

KERNEL(insertionSort)
{
    int v[16];
    for (int k = 0; k < 16; k++) {
        int x = a[16 * i + k], j = k;
        while (j > 0 && v[j - 1] > x) {
            v[j] = v[j - 1];
            j--;
        }
        v[j] = x;
    }
    for (int k = 0; k < 16; k++)
        out[16 * i + k] = v[k];
}

KERNEL(hamming)
{
    int sum = 0;
#pragma unroll
    for (int k = 0; k < 8; k++)
        sum += __popc(a[8 * i + k] ^ b[k]);
    out[i] = sum;
}

KERNEL(mulmod)
{
    u64 x = ((const u64 *) a)[i], y = ((const u64 *) b)[i];
    for (int k = 0; k < 8; k++) {
        u64 low = x * y, high = __umul64hi(x, y);
        u64 q = low * 0x8f5c28f5c28f5c29ull;
        u64 t = __umul64hi(q, 0xfffffffffffffc5full);
        x = high - t + (high < t ? 0xfffffffffffffc5full : 0);
    }
    ((u64 *) out)[i] = x;
}

KERNEL(dates)
{
    u32 z = ((u32) a[i] & 0xfffff) + 719468;
    u32 era = z / 146097, doe = z % 146097, yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
    u32 doy = doe - (365 * yoe + yoe / 4 - yoe / 100), mp = (5 * doy + 2) / 153, day = doy - (153 * mp + 2) / 5 + 1;
    u32 month = mp < 10 ? mp + 3 : mp - 9;
    out[i] = (yoe + era * 400 + (month <= 2)) * 10000 + month * 100 + day;
}

// Text

KERNEL(hex)
{
    u32 x = ((const u8 *) a)[i], high = x >> 4, low = x & 15;
    u8 *text = (u8 *) out + 2 * i;
    text[0] = high + (high < 10 ? '0' : 'a' - 10);
    text[1] = low + (low < 10 ? '0' : 'a' - 10);
}

KERNEL(base64)
{
    const u8 *p = (const u8 *) a + 3 * i;
    u32 bits = p[0] << 16 | p[1] << 8 | p[2];
    u8 *text = (u8 *) out + 4 * i;
#pragma unroll
    for (int k = 0; k < 4; k++) {
        u32 x = bits >> (18 - 6 * k) & 63;
        text[k] = x < 26 ? 'A' + x : x < 52 ? 'a' + x - 26 : x < 62 ? '0' + x - 52 : x == 62 ? '+' : '/';
    }
}

KERNEL(fnv)
{
    const u8 *text = (const u8 *) a + 24 * i;
    int length = b[i] & 15;
    u32 h = 2166136261u;
    for (int k = 0; k < length + 8; k++)
        h = (h ^ text[k]) * 16777619u;
    out[i] = h;
}

// Floating point

KERNEL(sphere)
{
    int x = i % m, y = i / m;
    float dx = x / (float) m - 0.5f, dy = y / (float) m - 0.5f, t = 0;
    int step = 0;
    for (; step < 64; step++) {
        float px = dx * t, py = dy * t, pz = t - 3.0f;
        float d = sqrtf(px * px + py * py + pz * pz) - 1.0f;
        if (d < 0.001f || t > 10.0f)
            break;
        t += d;
    }
    ((float *) out)[i] = t;
}

KERNEL(newton)
{
    float x = ((const float *) a)[i] + 0.5f, r = 1;
    for (int k = 0; k < 64; k++) {
        float next = 0.5f * (r + x / r);
        if (next == r)
            break;
        r = next;
    }
    ((float *) out)[i] = r;
}
