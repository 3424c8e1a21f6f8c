// Kernels as people write them, none of them tuned for any compiler: nvcc makes survey.sm_75.ptx of this file (../../cuda/build.sh), g++ makes the loops in C that
// they are compared with. Every thread computes what `i` stands for; `n` is their number, `m` another size.
#include <math.h>

typedef signed char s8;
typedef unsigned char u8;
typedef short s16;
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

// More structures

DEVICE u32 rotl(u32 x, int k) { return x << k | x >> (32 - k); }
DEVICE u64 rotl64(u64 x, int k) { return x << k | x >> (64 - k); }

struct Matrix3 { float m[9]; };

KERNEL(inverse3)
{
    Matrix3 x = ((const Matrix3 *) a)[i], y;
    x.m[0] += 2; x.m[4] += 2; x.m[8] += 2;
    float c0 = x.m[4] * x.m[8] - x.m[5] * x.m[7], c1 = x.m[5] * x.m[6] - x.m[3] * x.m[8], c2 = x.m[3] * x.m[7] - x.m[4] * x.m[6];
    float r = 1 / (x.m[0] * c0 + x.m[1] * c1 + x.m[2] * c2);
    y.m[0] = c0 * r; y.m[3] = c1 * r; y.m[6] = c2 * r;
    y.m[1] = (x.m[2] * x.m[7] - x.m[1] * x.m[8]) * r;
    y.m[4] = (x.m[0] * x.m[8] - x.m[2] * x.m[6]) * r;
    y.m[7] = (x.m[1] * x.m[6] - x.m[0] * x.m[7]) * r;
    y.m[2] = (x.m[1] * x.m[5] - x.m[2] * x.m[4]) * r;
    y.m[5] = (x.m[2] * x.m[3] - x.m[0] * x.m[5]) * r;
    y.m[8] = (x.m[0] * x.m[4] - x.m[1] * x.m[3]) * r;
    ((Matrix3 *) out)[i] = y;
}

struct Q { float x, y, z, w; };
struct V3 { float x, y, z; };

KERNEL(rotate)
{
    Q q = ((const Q *) a)[i];
    V3 v = ((const V3 *) b)[i], r;
    float tx = 2 * (q.y * v.z - q.z * v.y), ty = 2 * (q.z * v.x - q.x * v.z), tz = 2 * (q.x * v.y - q.y * v.x);
    r.x = v.x + q.w * tx + (q.y * tz - q.z * ty);
    r.y = v.y + q.w * ty + (q.z * tx - q.x * tz);
    r.z = v.z + q.w * tz + (q.x * ty - q.y * tx);
    ((V3 *) out)[i] = r;
}

KERNEL(cholesky4)
{
    const float *x = (const float *) a + 16 * i;
    float l[16];
    for (int r = 0; r < 4; r++)
        for (int c = 0; c <= r; c++) {
            float s = r == c ? x[5 * r] + 4 : x[4 * r + c];
            for (int k = 0; k < c; k++)
                s -= l[4 * r + k] * l[4 * c + k];
            l[4 * r + c] = r == c ? sqrtf(s) : s / l[5 * c];
        }
    for (int r = 0; r < 4; r++)
        for (int c = 0; c < 4; c++)
            ((float *) out)[16 * i + 4 * r + c] = c <= r ? l[4 * r + c] : 0;
}

KERNEL(prefix)
{
    u32 s = 0;
    for (int k = 0; k < 16; k++) {
        s += a[16 * i + k];
        out[16 * i + k] = s;
    }
}

KERNEL(network)
{
    u32 x[8];
    for (int k = 0; k < 8; k++)
        x[k] = (u32) a[8 * i + k];
    for (int size = 2; size <= 8; size *= 2)
        for (int stride = size / 2; stride > 0; stride /= 2)
            for (int k = 0; k < 8; k++) {
                int j = k ^ stride;
                if (j > k) {
                    u32 low = x[k] < x[j] ? x[k] : x[j], high = x[k] < x[j] ? x[j] : x[k];
                    x[k] = k & size ? high : low;
                    x[j] = k & size ? low : high;
                }
            }
    for (int k = 0; k < 8; k++)
        out[8 * i + k] = x[k];
}

#define QUARTER(p, q, r, s) \
    p += q; s = rotl(s ^ p, 16); r += s; q = rotl(q ^ r, 12); p += q; s = rotl(s ^ p, 8); r += s; q = rotl(q ^ r, 7);

KERNEL(chacha)
{
    u32 x[16] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574, 1, 2, 3, 4, 5, 6, 7, 8, (u32) i, 0, 9, (u32) a[0]}, y[16];
    for (int k = 0; k < 16; k++)
        y[k] = x[k];
    for (int k = 0; k < 10; k++) {
        QUARTER(x[0], x[4], x[8], x[12]) QUARTER(x[1], x[5], x[9], x[13]) QUARTER(x[2], x[6], x[10], x[14]) QUARTER(x[3], x[7], x[11], x[15])
        QUARTER(x[0], x[5], x[10], x[15]) QUARTER(x[1], x[6], x[11], x[12]) QUARTER(x[2], x[7], x[8], x[13]) QUARTER(x[3], x[4], x[9], x[14])
    }
    for (int k = 0; k < 16; k++)
        out[16 * i + k] = a[16 * i + k] ^ (x[k] + y[k]);
}

KERNEL(siphash)
{
    const u64 *text = (const u64 *) a + 4 * i;
    u64 v0 = 0x736f6d6570736575, v1 = 0x646f72616e646f6d, v2 = 0x6c7967656e657261, v3 = 0x7465646279746573;
    for (int k = 0; k < 4; k++) {
        v3 ^= text[k];
        for (int j = 0; j < 2; j++) {
            v0 += v1; v1 = rotl64(v1, 13) ^ v0; v0 = rotl64(v0, 32);
            v2 += v3; v3 = rotl64(v3, 16) ^ v2;
            v0 += v3; v3 = rotl64(v3, 21) ^ v0;
            v2 += v1; v1 = rotl64(v1, 17) ^ v2; v2 = rotl64(v2, 32);
        }
        v0 ^= text[k];
    }
    u64 r = v0 ^ v1 ^ v2 ^ v3;
    out[i] = (u32) (r ^ r >> 32);
}

KERNEL(kmeans)
{
    const float *p = (const float *) a + 4 * i, *centre = (const float *) b;
    float best = 1e30f;
    int at = 0;
    for (int k = 0; k < m; k++) {
        float d = 0;
        for (int j = 0; j < 4; j++) {
            float t = p[j] - centre[4 * k + j];
            d += t * t;
        }
        if (d < best) {
            best = d;
            at = k;
        }
    }
    out[i] = at;
}

// More pixels and grids

KERNEL(bilinear)
{
    const float *p = (const float *) a;
    int x = i % m, y = i / m;
    float u = x * 0.8660254f - y * 0.5f + 64, v = x * 0.5f + y * 0.8660254f;
    float fu = floorf(u), fv = floorf(v);
    int iu = (int) fu, iv = (int) fv;
    float du = u - fu, dv = v - fv, r = 0;
    if (iu >= 0 && iv >= 0 && iu < m - 1 && iv < m - 1) {
        float top = p[iv * m + iu] * (1 - du) + p[iv * m + iu + 1] * du;
        float low = p[(iv + 1) * m + iu] * (1 - du) + p[(iv + 1) * m + iu + 1] * du;
        r = top * (1 - dv) + low * dv;
    }
    ((float *) out)[i] = r;
}

KERNEL(yuv)
{
    u32 x = a[i];
    int r = x & 255, g = x >> 8 & 255, bl = x >> 16 & 255;
    int y = (66 * r + 129 * g + 25 * bl + 128 >> 8) + 16, u = (-38 * r - 74 * g + 112 * bl + 128 >> 8) + 128, v = (112 * r - 94 * g - 18 * bl + 128 >> 8) + 128;
    out[i] = y | u << 8 | v << 16 | (x & 0xff000000);
}

KERNEL(hsv)
{
    const float *p = (const float *) a;
    float r = p[i], g = p[n + i], bl = p[2 * n + i];
    float high = fmaxf(r, fmaxf(g, bl)), low = fminf(r, fminf(g, bl)), c = high - low, h = 0;
    if (c > 0) {
        if (high == r)
            h = (g - bl) / c;
        else if (high == g)
            h = 2 + (bl - r) / c;
        else
            h = 4 + (r - g) / c;
        if (h < 0)
            h += 6;
    }
    ((float *) out)[i] = h;
    ((float *) out)[n + i] = high > 0 ? c / high : 0;
    ((float *) out)[2 * n + i] = high;
}

KERNEL(alpha)
{
    u32 s = a[i], d = b[i & 1023], alpha = s >> 24, r = 0;
    for (int k = 0; k < 24; k += 8) {
        u32 x = (s >> k & 255) * alpha + (d >> k & 255) * (255 - alpha) + 128;
        r |= (x + (x >> 8) >> 8) << k;
    }
    out[i] = r | 0xff000000;
}

KERNEL(heat)
{
    const float *p = (const float *) a;
    int x = i % m, y = i / m % m, z = i / (m * m);
    float c = p[i], s = c;
    if (x > 0 && y > 0 && z > 0 && x < m - 1 && y < m - 1 && z < n / (m * m) - 1)
        s = c + 0.1f * (p[i - 1] + p[i + 1] + p[i - m] + p[i + m] + p[i - m * m] + p[i + m * m] - 6 * c);
    ((float *) out)[i] = s;
}

KERNEL(lbm)
{
    const float *f = (const float *) a;
    float *o = (float *) out;
    const float w[9] = {4.f / 9, 1.f / 9, 1.f / 9, 1.f / 9, 1.f / 9, 1.f / 36, 1.f / 36, 1.f / 36, 1.f / 36};
    const int cx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, cy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
    float v[9], rho = 0, ux = 0, uy = 0;
    for (int k = 0; k < 9; k++) {
        v[k] = f[k * n + i] + 0.5f;
        rho += v[k];
        ux += v[k] * cx[k];
        uy += v[k] * cy[k];
    }
    ux /= rho;
    uy /= rho;
    float square = ux * ux + uy * uy;
    for (int k = 0; k < 9; k++) {
        float c = cx[k] * ux + cy[k] * uy;
        float equilibrium = w[k] * rho * (1 + 3 * c + 4.5f * c * c - 1.5f * square);
        o[k * n + i] = v[k] - 0.6f * (v[k] - equilibrium);
    }
}

KERNEL(fir16)
{
    const s16 *p = (const s16 *) a, *taps = (const s16 *) b;
    int s = 0;
    for (int k = 0; k < 16; k++)
        s += p[i + k] * taps[k];
    s >>= 15;
    ((s16 *) out)[i] = max(-32768, min(32767, s));
}

// Tables of dynamic programming

KERNEL(levenshtein)
{
    const u8 *s = (const u8 *) a + 16 * i, *t = (const u8 *) b;
    int row[17];
    for (int k = 0; k <= 16; k++)
        row[k] = k;
    for (int j = 0; j < 16; j++) {
        int diagonal = row[0], c = s[j] & 7;
        row[0] = j + 1;
        for (int k = 1; k <= 16; k++) {
            int cost = diagonal + (c != (t[k - 1] & 7));
            diagonal = row[k];
            row[k] = min(min(row[k], row[k - 1]) + 1, cost);
        }
    }
    out[i] = row[16];
}

KERNEL(smith)
{
    const u8 *s = (const u8 *) a, *t = (const u8 *) b;
    int h[17], best = 0;
    for (int k = 0; k <= 16; k++)
        h[k] = 0;
    for (int j = 0; j < 16; j++) {
        int diagonal = 0, left = 0, c = s[j * n + i] & 3;
        for (int k = 1; k <= 16; k++) {
            int score = max(max(diagonal + (c == (t[k] & 3) ? 2 : -1), 0), max(h[k], left) - 1);
            diagonal = h[k];
            h[k] = left = score;
            best = max(best, score);
        }
    }
    out[i] = best;
}

KERNEL(options)
{
    float v[33], up = 1.02f, s = ((const float *) a)[i] + 0.5f;
    float price = s;
    for (int k = 0; k < 32; k++)
        price /= up;
    for (int k = 0; k <= 32; k++) {
        v[k] = fmaxf(price - 1, 0);
        price *= up * up;
    }
    for (int k = 32; k > 0; k--)
        for (int j = 0; j < k; j++)
            v[j] = 0.999f * (0.52f * v[j + 1] + 0.48f * v[j]);
    ((float *) out)[i] = v[0];
}

KERNEL(floyd)
{
    int row = i / m, column = i % m, s = out[i];
    for (int k = 0; k < 8; k++)
        s = min(s, (a[row * m + k] & 0xffff) + (a[k * m + column] & 0xffff));
    out[i] = s;
}

KERNEL(privateBins)
{
    int bins[16];
    for (int k = 0; k < 16; k++)
        bins[k] = 0;
    for (int k = 0; k < 16; k++) {
        u32 x = a[k * n + i];
        for (int j = 0; j < 8; j++) {
            bins[x & 15]++;
            x >>= 4;
        }
    }
    int most = 0;
    for (int k = 1; k < 16; k++)
        if (bins[k] > bins[most])
            most = k;
    out[i] = most << 16 | bins[most];
}

// More text and bytes

KERNEL(varint)
{
    const u8 *p = (const u8 *) a + 16 * i;
    u32 s = 0;
    int at = 0;
    for (int k = 0; k < 3; k++) {
        u32 x = 0;
        int shift = 0;
        for (;;) {
            u32 c = p[at++];
            x |= (c & 127) << shift;
            shift += 7;
            if (c < 128 || shift >= 35)
                break;
        }
        s += x;
    }
    out[i] = s;
}

KERNEL(utf8)
{
    const u8 *p = (const u8 *) a + 32 * i;
    int letters = 0, spaces = 0;
    for (int k = 0; k < 32; k++) {
        letters += (p[k] & 0xc0) != 0x80;
        spaces += p[k] == ' ' || p[k] == '\n' || p[k] == '\t';
    }
    out[i] = letters << 8 | spaces;
}

KERNEL(itoa)
{
    u32 x = a[i];
    u8 *p = (u8 *) out + 12 * i;
    for (int k = 11; k >= 0; k--) {
        p[k] = x > 0 || k == 11 ? '0' + x % 10 : ' ';
        x /= 10;
    }
}

KERNEL(decimal)
{
    const u8 *p = (const u8 *) a + 8 * i;
    u32 x = 0;
    for (int k = 0; k < 8; k++) {
        u32 digit = p[k] & 15;
        if (digit > 9)
            break;
        x = 10 * x + digit;
    }
    out[i] = x;
}

KERNEL(runs)
{
    const u8 *p = (const u8 *) a + 32 * i;
    int runs = 1, longest = 1, length = 1;
    for (int k = 1; k < 32; k++) {
        if ((p[k] & 3) == (p[k - 1] & 3))
            length++;
        else {
            runs++;
            longest = max(longest, length);
            length = 1;
        }
    }
    out[i] = runs << 8 | max(longest, length);
}

KERNEL(adpcm)
{
    const u8 *p = (const u8 *) a + 16 * i;
    int value = 0, step = 16;
    for (int k = 0; k < 16; k++) {
        int code = p[k] & 15, d = step >> 3;
        if (code & 4) d += step;
        if (code & 2) d += step >> 1;
        if (code & 1) d += step >> 2;
        value = max(-32768, min(32767, code & 8 ? value - d : value + d));
        step = max(16, min(16384, (code & 7) < 4 ? step - (step >> 3) : step * 3 / 2));
    }
    out[i] = value;
}

DEVICE u32 gf(u32 x, u32 y)
{
    u32 r = 0;
    for (int k = 0; k < 8; k++) {
        if (y & 1)
            r ^= x;
        y >>= 1;
        x = x << 1 ^ (x & 0x80 ? 0x11d : 0);
    }
    return r;
}

KERNEL(galois)
{
    const u8 *p = (const u8 *) a;
    u32 s = 0;
    for (int k = 0; k < 8; k++)
        s = gf(s, 7) ^ p[k * n + i];
    ((u8 *) out)[i] = s;
}

// Trees and bits

KERNEL(tree)
{
    int at = 0;
    const u32 x = a[i];
    for (int k = 0; k < m; k++)
        at = 2 * at + 1 + (x > (u32) b[at]);
    out[i] = at;
}

KERNEL(forest)
{
    const float *x = (const float *) a;
    float s = 0;
    for (int t = 0; t < 8; t++) {
        int at = 0;
        for (int k = 0; k < m; k++) {
            int node = b[(t << m) + at];
            at = 2 * at + 1 + (x[(node & 7) * n + i] > (float) (node >> 8 & 255) / 256);
        }
        s += at;
    }
    ((float *) out)[i] = s;
}

DEVICE u32 spread(u32 x)
{
    x &= 0xffff;
    x = (x | x << 8) & 0x00ff00ff;
    x = (x | x << 4) & 0x0f0f0f0f;
    x = (x | x << 2) & 0x33333333;
    return (x | x << 1) & 0x55555555;
}

KERNEL(morton)
{
    u32 x = a[i];
    out[i] = spread(x) | spread(x >> 16) << 1;
}

KERNEL(hilbert)
{
    u32 x = a[i] & 0xffff, y = (u32) a[i] >> 16, d = 0;
    for (u32 s = 1 << 15; s > 0; s >>= 1) {
        u32 rx = (x & s) > 0, ry = (y & s) > 0;
        d += s * s * (3 * rx ^ ry);
        if (ry == 0) {
            if (rx) {
                x = 0xffff - x;
                y = 0xffff - y;
            }
            u32 t = x;
            x = y;
            y = t;
        }
    }
    out[i] = d;
}

KERNEL(binaryNet)
{
    int s = 0;
    for (int k = 0; k < m; k++)
        s += __popc(~(a[k * n + i] ^ b[k]));
    out[i] = 2 * s - 32 * m;
}

KERNEL(powmod)
{
    u32 x = a[i], e = b[i] & 0xffff, modulus = a[i] | 1 | 0x40000000;
    u64 r = 1, y = x % modulus;
    for (int k = 0; k < 16; k++) {
        if (e & 1)
            r = r * y % modulus;
        y = y * y % modulus;
        e >>= 1;
    }
    out[i] = (u32) r;
}

// More floating point

KERNEL(kmeansColumns)
{
    const float *p = (const float *) a, *centre = (const float *) b;
    float x = p[i], y = p[n + i], z = p[2 * n + i], t = p[3 * n + i], best = 1e30f;
    int at = 0;
    for (int k = 0; k < m; k++) {
        float d0 = x - centre[4 * k], d1 = y - centre[4 * k + 1], d2 = z - centre[4 * k + 2], d3 = t - centre[4 * k + 3];
        float d = d0 * d0 + d1 * d1 + d2 * d2 + d3 * d3;
        if (d < best) {
            best = d;
            at = k;
        }
    }
    out[i] = at;
}

KERNEL(columnSums)
{
    const float *p = (const float *) a;
    float s = 0, most = -1e30f;
    for (int k = 0; k < m; k++) {
        float x = p[k * n + i];
        s += x;
        most = fmaxf(most, x);
    }
    ((float *) out)[i] = s / most;
}

KERNEL(triangles)
{
    const float *p = (const float *) b;
    float ox = ((const float *) a)[i], oy = ((const float *) a)[n + i], best = 1e30f;
    for (int k = 0; k < m; k++) {
        const float *t = p + 9 * k;
        float e1x = t[3] - t[0], e1y = t[4] - t[1], e1z = t[5] - t[2], e2x = t[6] - t[0], e2y = t[7] - t[1], e2z = t[8] - t[2];
        float det = e1x * -e2y + e1y * e2x;
        if (fabsf(det) < 1e-7f)
            continue;
        float r = 1 / det, tx = ox - t[0], ty = oy - t[1], tz = -1 - t[2];
        float u = (tx * -e2y + ty * e2x) * r;
        if (u < 0 || u > 1)
            continue;
        float qx = ty * e1z - tz * e1y, qy = tz * e1x - tx * e1z, qz = tx * e1y - ty * e1x;
        float v = qz * r;
        if (v < 0 || u + v > 1)
            continue;
        float d = (e2x * qx + e2y * qy + e2z * qz) * r;
        if (d > 0 && d < best)
            best = d;
    }
    ((float *) out)[i] = best;
}

KERNEL(springs)
{
    const float *p = (const float *) a;
    float x = p[2 * i], y = p[2 * i + 1], fx = 0, fy = 0;
    for (int k = 0; k < 4; k++) {
        int j = b[4 * i + k] & (n - 1);
        float dx = p[2 * j] - x, dy = p[2 * j + 1] - y, d = sqrtf(dx * dx + dy * dy) + 1e-3f, f = (d - 0.1f) / d;
        fx += f * dx;
        fy += f * dy;
    }
    ((float *) out)[2 * i] = x + 0.01f * fx;
    ((float *) out)[2 * i + 1] = y + 0.01f * fy;
}

KERNEL(logistic)
{
    double x = ((const double *) a)[i] * 0.5;
    for (int k = 0; k < m; k++)
        x = 3.9 * x * (1 - x);
    ((double *) out)[i] = x;
}

KERNEL(kepler)
{
    double e = 0.3, M = ((const double *) a)[i], E = M;
    for (int k = 0; k < 6; k++) {
        double E2 = E * E, s = E * (1 - E2 / 6 * (1 - E2 / 20 * (1 - E2 / 42))), c = 1 - E2 / 2 * (1 - E2 / 12 * (1 - E2 / 30));
        E -= (E - e * s - M) / (1 - e * c);
    }
    ((double *) out)[i] = E;
}
