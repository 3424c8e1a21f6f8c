// Kernels whose threads work together, as people write them: shared memory, barriers, shuffles, votes, atomics, in blocks of 256 threads. nvcc makes blocks.sm_80.ptx of this
// file (../../cuda/build.sh). Behind each kernel stands what it computes as a loop in C, which g++ compiles; sums of floats come in another order there.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#ifndef __CUDACC__
#include <algorithm>
#endif

typedef unsigned char u8;
typedef unsigned int u32;
typedef unsigned long long u64;
#define PARAMETERS int n, int m, const int *a, const int *b, int *out
#define KERNEL(name) extern "C" __global__ void name(PARAMETERS)
#define LOOP(name) extern "C" void name(PARAMETERS)
#define FULL 0xffffffffu
#ifdef __CUDACC__
#define T threadIdx.x
#define B blockIdx.x
__device__ __forceinline__ float warpSum(float x) { for (int d = 16; d; d >>= 1) x += __shfl_xor_sync(FULL, x, d); return x; }
__device__ __forceinline__ float warpMax(float x) { for (int d = 16; d; d >>= 1) x = fmaxf(x, __shfl_xor_sync(FULL, x, d)); return x; }
#else
static inline int min(int a, int b) { return a < b ? a : b; }
static inline int max(int a, int b) { return a > b ? a : b; }
#endif

// softmax: a row of 1024 a block
#ifdef __CUDACC__
KERNEL(softmax)
{
    __shared__ float part[8];
    const float *x = (const float *) a + B * 1024;
    float *y = (float *) out + B * 1024;
    float v[4], top = -INFINITY;
    for (int k = 0; k < 4; k++) { v[k] = x[T + 256 * k]; top = fmaxf(top, v[k]); }
    top = warpMax(top);
    if (T % 32 == 0) part[T / 32] = top;
    __syncthreads();
    top = part[0];
    for (int k = 1; k < 8; k++) top = fmaxf(top, part[k]);
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < 4; k++) { v[k] = __expf(v[k] - top); sum += v[k]; }
    sum = warpSum(sum);
    if (T % 32 == 0) part[T / 32] = sum;
    __syncthreads();
    sum = 0;
    for (int k = 0; k < 8; k++) sum += part[k];
    for (int k = 0; k < 4; k++) y[T + 256 * k] = v[k] / sum;
}
#else
LOOP(softmax)
{
    for (int r = 0; r < n / 256; r++) {
        const float *x = (const float *) a + r * 1024;
        float *y = (float *) out + r * 1024;
        float top = x[0], sum = 0;
        for (int i = 0; i < 1024; i++) top = fmaxf(top, x[i]);
        for (int i = 0; i < 1024; i++) { y[i] = expf(x[i] - top); sum += y[i]; }
        for (int i = 0; i < 1024; i++) y[i] /= sum;
    }
}
#endif

// layernorm: a row of 256 a warp
#ifdef __CUDACC__
KERNEL(layernorm)
{
    int row = B * 8 + T / 32, lane = T % 32;
    const float *x = (const float *) a + row * 256;
    float *y = (float *) out + row * 256;
    float v[8], s = 0, q = 0;
    for (int k = 0; k < 8; k++) { v[k] = x[lane + 32 * k]; s += v[k]; }
    float mean = warpSum(s) / 256;
    for (int k = 0; k < 8; k++) q += (v[k] - mean) * (v[k] - mean);
    float inv = rsqrtf(warpSum(q) / 256 + 1e-5f);
    const float *g = (const float *) b;
    for (int k = 0; k < 8; k++) y[lane + 32 * k] = (v[k] - mean) * inv * g[lane + 32 * k] + g[256 + lane + 32 * k];
}
#else
LOOP(layernorm)
{
    for (int r = 0; r < n / 32; r++) {
        const float *x = (const float *) a + r * 256, *g = (const float *) b;
        float *y = (float *) out + r * 256, s = 0, q = 0;
        for (int i = 0; i < 256; i++) s += x[i];
        s /= 256;
        for (int i = 0; i < 256; i++) q += (x[i] - s) * (x[i] - s);
        float inv = 1 / sqrtf(q / 256 + 1e-5f);
        for (int i = 0; i < 256; i++) y[i] = (x[i] - s) * inv * g[i] + g[256 + i];
    }
}
#endif

// q4: a row of m blocks of 32 weights of 4 bits with an f32 scale (5 words), times q8 (9 words), a warp a row
#ifdef __CUDACC__
KERNEL(q4)
{
    int row = B * 8 + T / 32, lane = T % 32;
    const int *w = a + row * m * 5;
    float sum = 0;
    for (int k = lane / 4; k < m; k += 8) {
        const int *q = w + k * 5, *x = b + k * 9;
        int part = lane % 4, word = q[1 + part];
        int dot = __dp4a(word & 0x0f0f0f0f, x[1 + part], 0);
        dot = __dp4a(word >> 4 & 0x0f0f0f0f, x[5 + part], dot);
        int ones = __dp4a(0x08080808, x[1 + part], __dp4a(0x08080808, x[5 + part], 0));
        sum += (float) (dot - ones) * ((q[0] & 255) * 0.01f) * ((x[0] & 255) * 0.01f);
    }
    sum = warpSum(sum);
    if (lane == 0) ((float *) out)[row] = sum;
}
#else
LOOP(q4)
{
    for (int r = 0; r < n / 32; r++) {
        float sum = 0;
        for (int k = 0; k < m; k++) {
            const int *q = a + (r * m + k) * 5, *x = b + k * 9;
            const u8 *w = (const u8 *) (q + 1);
            const signed char *y = (const signed char *) (x + 1);
            int dot = 0;
            for (int i = 0; i < 16; i++) dot += ((w[i] & 15) - 8) * y[i] + ((w[i] >> 4) - 8) * y[16 + i];
            sum += (float) dot * ((q[0] & 255) * 0.01f) * ((x[0] & 255) * 0.01f);
        }
        ((float *) out)[r] = sum;
    }
}
#endif

// spmv: a warp a row, rows of 0 to 63 entries at row*64
#ifdef __CUDACC__
KERNEL(spmvWarp)
{
    int row = B * 8 + T / 32, lane = T % 32;
    int length = b[row] & 63;
    float sum = 0;
    for (int k = lane; k < length; k += 32) sum += (float) (a[row * 64 + k] & 1023) * ((const float *) b)[4096 + (a[row * 64 + k] >> 10 & 4095)];
    for (int d = 16; d; d >>= 1) sum += __shfl_down_sync(FULL, sum, d);
    if (lane == 0) ((float *) out)[row] = sum;
}
#else
LOOP(spmvWarp)
{
    for (int r = 0; r < n / 32; r++) {
        float sum = 0;
        for (int k = 0; k < (b[r] & 63); k++) sum += (float) (a[r * 64 + k] & 1023) * ((const float *) b)[4096 + (a[r * 64 + k] >> 10 & 4095)];
        ((float *) out)[r] = sum;
    }
}
#endif

// gemv: a warp a row of m
#ifdef __CUDACC__
KERNEL(gemvWarp)
{
    int row = B * 8 + T / 32, lane = T % 32;
    float sum = 0;
    for (int k = lane; k < m; k += 32) sum += ((const float *) a)[row * m + k] * ((const float *) b)[k];
    sum = warpSum(sum);
    if (lane == 0) ((float *) out)[row] = sum;
}
#else
LOOP(gemvWarp)
{
    for (int r = 0; r < n / 32; r++) {
        float sum = 0;
        for (int k = 0; k < m; k++) sum += ((const float *) a)[r * m + k] * ((const float *) b)[k];
        ((float *) out)[r] = sum;
    }
}
#endif

// scans of 256 words a block
#ifdef __CUDACC__
KERNEL(scanShared)
{
    __shared__ int s[2][256];
    int i = B * 256 + T, cur = 0;
    s[0][T] = a[i];
    __syncthreads();
    for (int d = 1; d < 256; d <<= 1) {
        s[1 - cur][T] = T >= d ? s[cur][T] + s[cur][T - d] : s[cur][T];
        cur = 1 - cur;
        __syncthreads();
    }
    out[i] = s[cur][T];
}
KERNEL(scanWarps)
{
    __shared__ int sums[8];
    int i = B * 256 + T, lane = T % 32, x = a[i];
    for (int d = 1; d < 32; d <<= 1) { int y = __shfl_up_sync(FULL, x, d); if (lane >= d) x += y; }
    if (lane == 31) sums[T / 32] = x;
    __syncthreads();
    if (T < 8) {
        int s = sums[T];
        for (int d = 1; d < 8; d <<= 1) { int y = __shfl_up_sync(0xff, s, d, 8); if (T >= d) s += y; }
        sums[T] = s;
    }
    __syncthreads();
    out[i] = x + (T >= 32 ? sums[T / 32 - 1] : 0);
}
#else
LOOP(scanShared) { for (int r = 0; r < n; r += 256) { int s = 0; for (int i = 0; i < 256; i++) out[r + i] = s += a[r + i]; } }
LOOP(scanWarps) { for (int r = 0; r < n; r += 256) { int s = 0; for (int i = 0; i < 256; i++) out[r + i] = s += a[r + i]; } }
#endif

// compaction of the odd ones of each block, with how many
#ifdef __CUDACC__
KERNEL(compact)
{
    __shared__ int counts[8];
    int x = a[B * 256 + T], lane = T % 32, keep = x & 1;
    u32 votes = __ballot_sync(FULL, keep);
    if (lane == 0) counts[T / 32] = __popc(votes);
    __syncthreads();
    int base = 0, all = 0;
    for (int w = 0; w < 8; w++) { if (w < T / 32) base += counts[w]; all += counts[w]; }
    if (keep) out[B * 257 + 1 + base + __popc(votes & ((1u << lane) - 1))] = x;
    if (T == 0) out[B * 257] = all;
}
#else
LOOP(compact)
{
    for (int r = 0; r < n / 256; r++) {
        int k = 0;
        for (int i = 0; i < 256; i++) if (a[r * 256 + i] & 1) out[r * 257 + 1 + k++] = a[r * 256 + i];
        out[r * 257] = k;
    }
}
#endif

// radix: stable sort of 256 keys by 8 bits, one bit at a time
#ifdef __CUDACC__
KERNEL(radixSplit)
{
    __shared__ int keys[256], counts[8];
    int lane = T % 32, warp = T / 32;
    int x = a[B * 256 + T];
    for (int bit = 0; bit < 8; bit++) {
        int one = x >> bit & 1;
        u32 votes = __ballot_sync(FULL, one);
        if (lane == 0) counts[warp] = __popc(votes);
        __syncthreads();
        int before = 0, ones = 0;
        for (int w = 0; w < 8; w++) { if (w < warp) before += counts[w]; ones += counts[w]; }
        before += __popc(votes & ((1u << lane) - 1));
        int to = one ? 256 - ones + before : (int) T - before;
        keys[to] = x;
        __syncthreads();
        x = keys[T];
    }
    out[B * 256 + T] = x;
}
#else
LOOP(radixSplit)
{
    for (int r = 0; r < n; r += 256) {
        int count[257] = {0};
        for (int i = 0; i < 256; i++) count[(a[r + i] & 255) + 1]++;
        for (int i = 0; i < 256; i++) count[i + 1] += count[i];
        for (int i = 0; i < 256; i++) out[r + count[a[r + i] & 255]++] = a[r + i];
    }
}
#endif

// oddEven: merge sort of 256 keys in shared memory (Batcher)
#ifdef __CUDACC__
KERNEL(oddEven)
{
    __shared__ u32 s[256];
    s[T] = a[B * 256 + T];
    __syncthreads();
    for (int size = 2; size <= 256; size <<= 1) {
        int stride = size / 2;
        int offset = T & (stride - 1);
        if (T < 128) {
            int pos = 2 * T - (T & (stride - 1));
            u32 x = s[pos], y = s[pos + stride];
            if (x > y) { s[pos] = y; s[pos + stride] = x; }
        }
        __syncthreads();
        for (stride >>= 1; stride > 0; stride >>= 1) {
            if (T < 128) {
                int pos = 2 * T - (T & (stride - 1));
                if (offset >= stride) {
                    u32 x = s[pos - stride], y = s[pos];
                    if (x > y) { s[pos - stride] = y; s[pos] = x; }
                }
            }
            __syncthreads();
        }
    }
    out[B * 256 + T] = s[T];
}
#else
LOOP(oddEven) { for (int r = 0; r < n; r += 256) { memcpy(out + r, a + r, 1024); std::sort((u32 *) out + r, (u32 *) out + r + 256); } }
#endif

// transpose of a matrix of m x m, tiles of 32 x 33
#ifdef __CUDACC__
KERNEL(transposeTile)
{
    __shared__ int tile[32][33];
    int tiles = m / 32, x = B % tiles * 32, y = B / tiles * 32, c = T % 32, r = T / 32;
    for (int k = 0; k < 32; k += 8) tile[r + k][c] = a[(y + r + k) * m + x + c];
    __syncthreads();
    for (int k = 0; k < 32; k += 8) out[(x + r + k) * m + y + c] = tile[c][r + k];
}
#else
LOOP(transposeTile) { for (int y = 0; y < m; y += 32) for (int x = 0; x < m; x += 32) for (int r = 0; r < 32; r++) for (int c = 0; c < 32; c++) out[(x + r) * m + y + c] = a[(y + c) * m + x + r]; }
#endif

// convolution 5 x 5, tiles of 16 x 16 with a border, image of m x m
#ifdef __CUDACC__
KERNEL(convolve)
{
    __shared__ float tile[20][20];
    int tiles = m / 16, x0 = B % tiles * 16, y0 = B / tiles * 16, tx = T % 16, ty = T / 16;
    const float *image = (const float *) a, *f = (const float *) b;
    for (int k = T; k < 400; k += 256) {
        int x = min(max(x0 + k % 20 - 2, 0), m - 1), y = min(max(y0 + k / 20 - 2, 0), m - 1);
        tile[k / 20][k % 20] = image[y * m + x];
    }
    __syncthreads();
    float sum = 0;
    #pragma unroll
    for (int dy = 0; dy < 5; dy++)
        #pragma unroll
        for (int dx = 0; dx < 5; dx++) sum += tile[ty + dy][tx + dx] * f[dy * 5 + dx];
    ((float *) out)[(y0 + ty) * m + x0 + tx] = sum;
}
#else
LOOP(convolve)
{
    const float *image = (const float *) a, *f = (const float *) b;
    for (int y = 0; y < m; y++)
        for (int x = 0; x < m; x++) {
            float sum = 0;
            for (int dy = 0; dy < 5; dy++) for (int dx = 0; dx < 5; dx++)
                sum += image[min(max(y + dy - 2, 0), m - 1) * m + min(max(x + dx - 2, 0), m - 1)] * f[dy * 5 + dx];
            ((float *) out)[y * m + x] = sum;
        }
}
#endif

// stencil in three dimensions, m x m x 16, a tile of 16 x 16 marching along z
#ifdef __CUDACC__
KERNEL(march)
{
    __shared__ float tile[18][18];
    int tiles = m / 16, tx = T % 16 + 1, ty = T / 16 + 1, x = B % tiles * 16 + tx - 1, y = B / tiles * 16 + ty - 1;
    const float *in = (const float *) a;
    float *o = (float *) out;
    int plane = m * m, at = y * m + x;
    float below = 0, here = in[at];
    for (int z = 0; z < 16; z++) {
        float above = z < 15 ? in[at + plane] : 0;
        __syncthreads();
        tile[ty][tx] = here;
        if (tx == 1) tile[ty][0] = x > 0 ? in[at - 1] : 0;
        if (tx == 16) tile[ty][17] = x < m - 1 ? in[at + 1] : 0;
        if (ty == 1) tile[0][tx] = y > 0 ? in[at - m] : 0;
        if (ty == 16) tile[17][tx] = y < m - 1 ? in[at + m] : 0;
        __syncthreads();
        o[at] = 0.4f * here + 0.1f * (below + above + tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] + tile[ty + 1][tx]);
        below = here;
        here = above;
        at += plane;
    }
}
#else
LOOP(march)
{
    const float *in = (const float *) a;
    float *o = (float *) out;
    int plane = m * m;
    for (int z = 0; z < 16; z++) for (int y = 0; y < m; y++) for (int x = 0; x < m; x++) {
        int at = z * plane + y * m + x;
        float below = z > 0 ? in[at - plane] : 0, above = z < 15 ? in[at + plane] : 0, l = x > 0 ? in[at - 1] : 0, r = x < m - 1 ? in[at + 1] : 0,
            u = y > 0 ? in[at - m] : 0, d = y < m - 1 ? in[at + m] : 0;
        o[at] = 0.4f * in[at] + 0.1f * (below + above + l + r + u + d);
    }
}
#endif

// products of matrices of m x m
#ifdef __CUDACC__
KERNEL(gemm16)
{
    __shared__ float sa[16][16], sb[16][16];
    int tiles = m / 16, tx = T % 16, ty = T / 16, x = B % tiles * 16 + tx, y = B / tiles * 16 + ty;
    float sum = 0;
    for (int k = 0; k < m; k += 16) {
        sa[ty][tx] = ((const float *) a)[y * m + k + tx];
        sb[ty][tx] = ((const float *) b)[(k + ty) * m + x];
        __syncthreads();
        for (int j = 0; j < 16; j++) sum += sa[ty][j] * sb[j][tx];
        __syncthreads();
    }
    ((float *) out)[y * m + x] = sum;
}
KERNEL(gemm64)
{
    __shared__ float sa[16][64], sb[16][64];
    int tiles = m / 64, tx = T % 16, ty = T / 16, x0 = B % tiles * 64, y0 = B / tiles * 64;
    float c[4][4] = {};
    for (int k = 0; k < m; k += 16) {
        for (int i = T; i < 1024; i += 256) {
            sa[i % 16][i / 16] = ((const float *) a)[(y0 + i / 16) * m + k + i % 16];
            sb[i / 64][i % 64] = ((const float *) b)[(k + i / 64) * m + x0 + i % 64];
        }
        __syncthreads();
        #pragma unroll
        for (int j = 0; j < 16; j++) {
            float u[4], v[4];
            #pragma unroll
            for (int i = 0; i < 4; i++) { u[i] = sa[j][ty * 4 + i]; v[i] = sb[j][tx * 4 + i]; }
            #pragma unroll
            for (int i = 0; i < 4; i++)
                #pragma unroll
                for (int l = 0; l < 4; l++) c[i][l] += u[i] * v[l];
        }
        __syncthreads();
    }
    for (int i = 0; i < 4; i++) for (int l = 0; l < 4; l++) ((float *) out)[(y0 + ty * 4 + i) * m + x0 + tx * 4 + l] = c[i][l];
}
#else
static void product(PARAMETERS)
{
    float *o = (float *) out;
    for (int y = 0; y < m; y++) {
        for (int x = 0; x < m; x++) o[y * m + x] = 0;
        for (int k = 0; k < m; k++) { float u = ((const float *) a)[y * m + k]; for (int x = 0; x < m; x++) o[y * m + x] += u * ((const float *) b)[k * m + x]; }
    }
}
LOOP(gemm16) { product(n, m, a, b, out); }
LOOP(gemm64) { product(n, m, a, b, out); }
#endif

// Needleman-Wunsch: two sequences of 256 bytes (a word each) a block, by diagonals
#ifdef __CUDACC__
KERNEL(needleman)
{
    __shared__ int row[3][257];
    __shared__ int t[256];
    int me = a[B * 256 + T] & 3;
    t[T] = b[B * 256 + T] & 3;
    __syncthreads();
    // row[d % 3][i]: score at (i, d - i); thread T has line T + 1
    int i = T + 1;
    int last = 0;
    for (int d = 0; d <= 512; d++) {
        int j = d - i;
        int *now = row[d % 3], *one = row[(d + 2) % 3], *two = row[(d + 1) % 3];
        if (T == 0 && d <= 256) now[0] = -d;
        if (j == 0) now[i] = -i;
        else if (j > 0 && j <= 256) {
            int s = two[i - 1] + (me == t[j - 1] ? 1 : -1);
            s = max(s, max(one[i - 1], one[i]) - 1);
            now[i] = last = s;
        }
        __syncthreads();
    }
    if (T == 255) out[B] = last;
}
#else
LOOP(needleman)
{
    for (int r = 0; r < n / 256; r++) {
        int row[257];
        for (int j = 0; j <= 256; j++) row[j] = -j;
        for (int i = 1; i <= 256; i++) {
            int diagonal = row[0], me = a[r * 256 + i - 1] & 3;
            row[0] = -i;
            for (int j = 1; j <= 256; j++) {
                int s = diagonal + (me == (b[r * 256 + j - 1] & 3) ? 1 : -1);
                diagonal = row[j];
                row[j] = max(s, max(row[j], row[j - 1]) - 1);
            }
        }
        out[r] = row[256];
    }
}
#endif

// LU of 16 x 16, one a block
#ifdef __CUDACC__
KERNEL(lu)
{
    __shared__ float s[16][17];
    int c = T % 16, r = T / 16;
    s[r][c] = ((const float *) a)[B * 256 + T] + (r == c ? 16 : 0);
    __syncthreads();
    for (int k = 0; k < 15; k++) {
        if (c == k && r > k) s[r][k] /= s[k][k];
        __syncthreads();
        if (r > k && c > k) s[r][c] -= s[r][k] * s[k][c];
        __syncthreads();
    }
    ((float *) out)[B * 256 + T] = s[r][c];
}
#else
LOOP(lu)
{
    for (int i = 0; i < n; i += 256) {
        float (*s)[16] = (float (*)[16]) (out + i);
        for (int r = 0; r < 16; r++) for (int c = 0; c < 16; c++) s[r][c] = ((const float *) a)[i + r * 16 + c] + (r == c ? 16 : 0);
        for (int k = 0; k < 15; k++) for (int r = k + 1; r < 16; r++) {
            s[r][k] /= s[k][k];
            for (int c = k + 1; c < 16; c++) s[r][c] -= s[r][k] * s[k][c];
        }
    }
}
#endif

// hotspot: two steps in a tile of 16 x 16, of which 12 x 12 remain; m tiles a line
#ifdef __CUDACC__
KERNEL(hotspot)
{
    __shared__ float temp[16][16], power[16][16], next[16][16];
    int tx = T % 16, ty = T / 16, size = m * 12;
    int x = (int) (B % m) * 12 + tx - 2, y = (int) (B / m) * 12 + ty - 2;
    int inside = x >= 0 && x < size && y >= 0 && y < size;
    if (inside) { temp[ty][tx] = ((const float *) a)[y * size + x]; power[ty][tx] = ((const float *) b)[y * size + x]; }
    __syncthreads();
    int w = max(tx - 1, x <= 0 ? tx : 0), e = min(tx + 1, x >= size - 1 ? tx : 15), u = max(ty - 1, y <= 0 ? ty : 0), d = min(ty + 1, y >= size - 1 ? ty : 15);
    for (int step = 0; step < 2; step++) {
        int done = 0;
        if (inside && tx >= step + 1 && tx <= 14 - step && ty >= step + 1 && ty <= 14 - step) {
            done = 1;
            next[ty][tx] = temp[ty][tx] + 0.1f * (power[ty][tx] + (temp[d][tx] + temp[u][tx] - 2 * temp[ty][tx]) * 0.3f
                + (temp[ty][e] + temp[ty][w] - 2 * temp[ty][tx]) * 0.3f + (80 - temp[ty][tx]) * 0.05f);
        }
        __syncthreads();
        if (step == 1) { if (done) ((float *) out)[y * size + x] = next[ty][tx]; break; }
        if (done) temp[ty][tx] = next[ty][tx];
        __syncthreads();
    }
}
#else
static float heat[1 << 20];
static void hot(int size, const float *in, const float *power, float *o)
{
    for (int y = 0; y < size; y++) for (int x = 0; x < size; x++) {
        int w = max(x - 1, 0), e = min(x + 1, size - 1), u = max(y - 1, 0), d = min(y + 1, size - 1);
        float t = in[y * size + x];
        o[y * size + x] = t + 0.1f * (power[y * size + x] + (in[d * size + x] + in[u * size + x] - 2 * t) * 0.3f + (in[y * size + e] + in[y * size + w] - 2 * t) * 0.3f
            + (80 - t) * 0.05f);
    }
}
LOOP(hotspot) { hot(m * 12, (const float *) a, (const float *) b, heat); hot(m * 12, heat, (const float *) b, (float *) out); }
#endif

// FFT of 512 points in shared memory, radix 2, twiddles in b
#ifdef __CUDACC__
KERNEL(fft512)
{
    __shared__ float2 s[512];
    const float2 *in = (const float2 *) a + B * 512, *w = (const float2 *) b;
    s[__brev(T) >> 23] = in[T];
    s[__brev(T + 256) >> 23] = in[T + 256];
    __syncthreads();
    for (int h = 1; h < 512; h <<= 1) {
        int j = T & (h - 1), k = 2 * T - j;
        float2 t = w[j * (256 / h)], p = s[k], q = s[k + h];
        float re = q.x * t.x - q.y * t.y, im = q.x * t.y + q.y * t.x;
        s[k] = make_float2(p.x + re, p.y + im);
        s[k + h] = make_float2(p.x - re, p.y - im);
        __syncthreads();
    }
    ((float2 *) out)[B * 512 + T] = s[T];
    ((float2 *) out)[B * 512 + T + 256] = s[T + 256];
}
#else
LOOP(fft512)
{
    static u32 rev[512];
    for (u32 i = 0; i < 512; i++) { u32 r = 0; for (int k = 0; k < 9; k++) r |= (i >> k & 1) << (8 - k); rev[i] = r; }
    const float *w = (const float *) b;
    for (int g = 0; g < n / 256; g++) {
        const float *in = (const float *) a + g * 1024;
        float *s = (float *) out + g * 1024;
        for (int i = 0; i < 512; i++) { s[2 * rev[i]] = in[2 * i]; s[2 * rev[i] + 1] = in[2 * i + 1]; }
        for (int h = 1; h < 512; h <<= 1)
            for (int k = 0; k < 512; k += 2 * h)
                for (int j = 0; j < h; j++) {
                    float tx = w[2 * j * (256 / h)], ty = w[2 * j * (256 / h) + 1], *p = s + 2 * (k + j), *q = p + 2 * h;
                    float re = q[0] * tx - q[1] * ty, im = q[0] * ty + q[1] * tx;
                    q[0] = p[0] - re; q[1] = p[1] - im; p[0] += re; p[1] += im;
                }
    }
}
#endif

// AES with tables in shared memory (256 words and rotations), m rounds, keys behind the table
#ifdef __CUDACC__
KERNEL(aesShared)
{
    __shared__ u32 t[256];
    t[T] = b[T];
    __syncthreads();
    int i = B * 256 + T;
    uint4 v = ((const uint4 *) a)[i];
    const u32 *key = (const u32 *) b + 256;
    u32 s0 = v.x ^ key[0], s1 = v.y ^ key[1], s2 = v.z ^ key[2], s3 = v.w ^ key[3];
    for (int r = 1; r <= m; r++) {
        key += 4;
#define R(x, k) __funnelshift_l(x, x, k)
        u32 t0 = t[s0 & 255] ^ R(t[s1 >> 8 & 255], 8) ^ R(t[s2 >> 16 & 255], 16) ^ R(t[s3 >> 24], 24) ^ key[0];
        u32 t1 = t[s1 & 255] ^ R(t[s2 >> 8 & 255], 8) ^ R(t[s3 >> 16 & 255], 16) ^ R(t[s0 >> 24], 24) ^ key[1];
        u32 t2 = t[s2 & 255] ^ R(t[s3 >> 8 & 255], 8) ^ R(t[s0 >> 16 & 255], 16) ^ R(t[s1 >> 24], 24) ^ key[2];
        u32 t3 = t[s3 & 255] ^ R(t[s0 >> 8 & 255], 8) ^ R(t[s1 >> 16 & 255], 16) ^ R(t[s2 >> 24], 24) ^ key[3];
#undef R
        s0 = t0; s1 = t1; s2 = t2; s3 = t3;
    }
    ((uint4 *) out)[i] = make_uint4(s0, s1, s2, s3);
}
#else
static inline u32 rotl(u32 x, int k) { return x << k | x >> (32 - k); }
LOOP(aesShared)
{
    const u32 *t = (const u32 *) b;
    for (int i = 0; i < n; i++) {
        const u32 *key = t + 256, *v = (const u32 *) a + 4 * i;
        u32 s0 = v[0] ^ key[0], s1 = v[1] ^ key[1], s2 = v[2] ^ key[2], s3 = v[3] ^ key[3];
        for (int r = 1; r <= m; r++) {
            key += 4;
#define R(x, k) rotl(x, k)
            u32 t0 = t[s0 & 255] ^ R(t[s1 >> 8 & 255], 8) ^ R(t[s2 >> 16 & 255], 16) ^ R(t[s3 >> 24], 24) ^ key[0];
            u32 t1 = t[s1 & 255] ^ R(t[s2 >> 8 & 255], 8) ^ R(t[s3 >> 16 & 255], 16) ^ R(t[s0 >> 24], 24) ^ key[1];
            u32 t2 = t[s2 & 255] ^ R(t[s3 >> 8 & 255], 8) ^ R(t[s0 >> 16 & 255], 16) ^ R(t[s1 >> 24], 24) ^ key[2];
            u32 t3 = t[s3 & 255] ^ R(t[s0 >> 8 & 255], 8) ^ R(t[s1 >> 16 & 255], 16) ^ R(t[s2 >> 24], 24) ^ key[3];
#undef R
            s0 = t0; s1 = t1; s2 = t2; s3 = t3;
        }
        u32 *o = (u32 *) out + 4 * i;
        o[0] = s0; o[1] = s1; o[2] = s2; o[3] = s3;
    }
}
#endif

// argmax of rows of m, a warp each
#ifdef __CUDACC__
KERNEL(argmax)
{
    int row = B * 8 + T / 32, lane = T % 32, at = lane;
    float best = ((const float *) a)[row * m + lane];
    for (int k = lane + 32; k < m; k += 32) { float x = ((const float *) a)[row * m + k]; if (x > best) { best = x; at = k; } }
    for (int d = 16; d; d >>= 1) {
        float x = __shfl_down_sync(FULL, best, d);
        int k = __shfl_down_sync(FULL, at, d);
        if (x > best || x == best && k < at) { best = x; at = k; }
    }
    if (lane == 0) out[row] = at;
}
#else
LOOP(argmax) { for (int r = 0; r < n / 32; r++) { int at = 0; const float *x = (const float *) a + r * m; for (int k = 1; k < m; k++) if (x[k] > x[at]) at = k; out[r] = at; } }
#endif

// a histogram of 256 bins a block, by atomics in shared memory; 16 words a thread
#ifdef __CUDACC__
KERNEL(bins)
{
    __shared__ int h[256];
    h[T] = 0;
    __syncthreads();
    for (int k = 0; k < 16; k++) atomicAdd(&h[a[B * 4096 + k * 256 + T] & 255], 1);
    __syncthreads();
    out[B * 256 + T] = h[T];
}
// the same by matching lanes
KERNEL(binsMatch)
{
    __shared__ int h[16];
    if (T < 16) h[T] = 0;
    __syncthreads();
    for (int k = 0; k < 4; k++) {
        int bin = a[B * 1024 + k * 256 + T] & 15;
        u32 same = __match_any_sync(FULL, bin);
        if (__ffs(same) - 1 == T % 32) atomicAdd(&h[bin], __popc(same));
    }
    __syncthreads();
    if (T < 16) out[B * 16 + T] = h[T];
}
#else
LOOP(bins) { memset(out, 0, n * 4); for (int r = 0; r < n / 256; r++) for (int k = 0; k < 4096; k++) out[r * 256 + (a[r * 4096 + k] & 255)]++; }
LOOP(binsMatch) { memset(out, 0, n / 4); for (int r = 0; r < n / 256; r++) for (int k = 0; k < 1024; k++) out[r * 16 + (a[r * 1024 + k] & 15)]++; }
#endif

// attention: a query of 32 a thread, m keys, tiles of 32 keys in shared memory
#ifdef __CUDACC__
KERNEL(attend)
{
    __shared__ float ks[32][32], vs[32][32];
    int i = B * 256 + T;
    float q[32], o[32], top = -INFINITY, sum = 0;
    for (int d = 0; d < 32; d++) { q[d] = ((const float *) a)[i * 32 + d]; o[d] = 0; }
    for (int t = 0; t < m; t += 32) {
        for (int k = T; k < 1024; k += 256) { ks[k / 32][k % 32] = ((const float *) b)[t * 32 + k]; vs[k / 32][k % 32] = ((const float *) b)[(m + t) * 32 + k]; }
        __syncthreads();
        for (int k = 0; k < 32; k++) {
            float s = 0;
            #pragma unroll
            for (int d = 0; d < 32; d++) s += q[d] * ks[k][d];
            float now = fmaxf(top, s), scale = __expf(top - now), p = __expf(s - now);
            sum = sum * scale + p;
            #pragma unroll
            for (int d = 0; d < 32; d++) o[d] = o[d] * scale + p * vs[k][d];
            top = now;
        }
        __syncthreads();
    }
    for (int d = 0; d < 32; d++) ((float *) out)[i * 32 + d] = o[d] / sum;
}
#else
LOOP(attend)
{
    for (int i = 0; i < n; i++) {
        const float *q = (const float *) a + i * 32;
        float o[32] = {0}, top = -INFINITY, sum = 0;
        for (int k = 0; k < m; k++) {
            const float *key = (const float *) b + k * 32, *v = (const float *) b + (m + k) * 32;
            float s = 0;
            for (int d = 0; d < 32; d++) s += q[d] * key[d];
            float now = fmaxf(top, s), scale = expf(top - now), p = expf(s - now);
            sum = sum * scale + p;
            for (int d = 0; d < 32; d++) o[d] = o[d] * scale + p * v[d];
            top = now;
        }
        for (int d = 0; d < 32; d++) ((float *) out)[i * 32 + d] = o[d] / sum;
    }
}
#endif

// Gauss elimination of 8 x 8 with a right side, lane by row in tiles of 8 lanes
#ifdef __CUDACC__
KERNEL(solve8)
{
    int i = B * 256 + T, r = T % 8;
    float row[8], y = ((const float *) b)[i];
    #pragma unroll
    for (int c = 0; c < 8; c++) row[c] = ((const float *) a)[i * 8 + c] + (c == r ? 8 : 0);
    #pragma unroll
    for (int k = 0; k < 8; k++) {
        float pivot = __shfl_sync(FULL, row[k], k, 8), f = r == k ? 0 : row[k] / pivot;
        #pragma unroll
        for (int c = k; c < 8; c++) row[c] -= f * __shfl_sync(FULL, row[c], k, 8);
        y -= f * __shfl_sync(FULL, y, k, 8);
    }
    float d = row[0];
    #pragma unroll
    for (int c = 1; c < 8; c++) if (c == r) d = row[c];
    ((float *) out)[i] = y / d;
}
#else
LOOP(solve8)
{
    for (int i = 0; i < n; i += 8) {
        float s[8][8], y[8];
        for (int r = 0; r < 8; r++) { y[r] = ((const float *) b)[i + r]; for (int c = 0; c < 8; c++) s[r][c] = ((const float *) a)[(i + r) * 8 + c] + (c == r ? 8 : 0); }
        for (int k = 0; k < 8; k++) for (int r = 0; r < 8; r++) if (r != k) {
            float f = s[r][k] / s[k][k];
            for (int c = k; c < 8; c++) s[r][c] -= f * s[k][c];
            y[r] -= f * y[k];
        }
        for (int r = 0; r < 8; r++) ((float *) out)[i + r] = y[r] / s[r][r];
    }
}
#endif

// extremes of 256 words a block by redux
#ifdef __CUDACC__
KERNEL(extremes)
{
    __shared__ int low[8], high[8];
    int x = a[B * 256 + T];
    int l = __reduce_min_sync(FULL, x), h = __reduce_max_sync(FULL, x);
    if (T % 32 == 0) { low[T / 32] = l; high[T / 32] = h; }
    __syncthreads();
    if (T < 8) {
        l = __reduce_min_sync(0xff, low[T]);
        h = __reduce_max_sync(0xff, high[T]);
        if (T == 0) { out[2 * B] = l; out[2 * B + 1] = h; }
    }
}
#else
LOOP(extremes) { for (int r = 0; r < n / 256; r++) { int l = a[r * 256], h = l; for (int k = 1; k < 256; k++) { l = min(l, a[r * 256 + k]); h = max(h, a[r * 256 + k]); } out[2 * r] = l; out[2 * r + 1] = h; } }
#endif

// Mersenne twister: a state of 624 words a block, one step of all of it and tempering
#ifdef __CUDACC__
__device__ __forceinline__ u32 twist(u32 x, u32 y, u32 z) { u32 v = (x & 0x80000000u) | (y & 0x7fffffffu); return z ^ v >> 1 ^ (v & 1 ? 0x9908b0dfu : 0); }
KERNEL(twister)
{
    __shared__ u32 s[624];
    for (int k = T; k < 624; k += 256) s[k] = a[B * 624 + k];
    __syncthreads();
    u32 x;
    if (T < 227) x = twist(s[T], s[T + 1], s[T + 397]);
    __syncthreads();
    if (T < 227) s[T] = x;
    __syncthreads();
    if (T < 227) x = twist(s[T + 227], s[T + 228], s[T]);
    __syncthreads();
    if (T < 227) s[T + 227] = x;
    __syncthreads();
    if (T < 170) x = twist(s[T + 454], s[T == 169 ? 0 : T + 455], s[T + 227]);
    __syncthreads();
    if (T < 170) s[T + 454] = x;
    __syncthreads();
    for (int k = T; k < 624; k += 256) {
        u32 y = s[k];
        y ^= y >> 11; y ^= y << 7 & 0x9d2c5680u; y ^= y << 15 & 0xefc60000u; y ^= y >> 18;
        out[B * 624 + k] = y;
    }
}
#else
LOOP(twister)
{
    for (int r = 0; r < n / 256; r++) {
        u32 s[624];
        memcpy(s, a + r * 624, sizeof s);
        for (int k = 0; k < 624; k++) {
            u32 v = (s[k] & 0x80000000u) | (s[(k + 1) % 624] & 0x7fffffffu);
            s[k] = s[(k + 397) % 624] ^ v >> 1 ^ (v & 1 ? 0x9908b0dfu : 0);
        }
        for (int k = 0; k < 624; k++) {
            u32 y = s[k];
            y ^= y >> 11; y ^= y << 7 & 0x9d2c5680u; y ^= y << 15 & 0xefc60000u; y ^= y >> 18;
            out[r * 624 + k] = y;
        }
    }
}
#endif

// run lengths of 256 words (2 bits each) a block
#ifdef __CUDACC__
KERNEL(runLengths)
{
    __shared__ int starts[257], sums[8];
    int lane = T % 32, warp = T / 32, x = a[B * 256 + T] & 1;
    int before = T ? a[B * 256 + T - 1] & 1 : -1;
    int head = x != before;
    u32 votes = __ballot_sync(FULL, head);
    if (lane == 0) sums[warp] = __popc(votes);
    __syncthreads();
    int base = 0, all = 0;
    for (int w = 0; w < 8; w++) { if (w < warp) base += sums[w]; all += sums[w]; }
    int at = base + __popc(votes & ((1u << lane) - 1));
    if (head) starts[at] = T;
    if (T == 0) starts[all] = 256;
    __syncthreads();
    if (T < all) out[B * 256 + T] = starts[T + 1] - starts[T];
    else out[B * 256 + T] = 0;
}
#else
LOOP(runLengths)
{
    memset(out, 0, n * 4);
    for (int r = 0; r < n; r += 256) {
        int k = 0, start = 0;
        for (int i = 1; i <= 256; i++) if (i == 256 || (a[r + i] & 1) != (a[r + i - 1] & 1)) { out[r + k++] = i - start; start = i; }
    }
}
#endif

// 32 differences of 7 bits in 7 words a warp, unpacked and added up
#ifdef __CUDACC__
KERNEL(unpack)
{
    int i = B * 256 + T, lane = T % 32;
    const u32 *w = (const u32 *) a + i / 32 * 7;
    int bit = lane * 7, at = bit / 32, shift = bit % 32;
    u32 hi = shift > 25 ? w[at + 1] : 0;
    int x = __funnelshift_r(w[at], hi, shift) & 127;
    for (int d = 1; d < 32; d <<= 1) { int y = __shfl_up_sync(FULL, x, d); if (lane >= d) x += y; }
    out[i] = x + b[i / 32];
}
#else
LOOP(unpack)
{
    for (int r = 0; r < n / 32; r++) {
        const u32 *w = (const u32 *) a + r * 7;
        int s = b[r];
        for (int i = 0; i < 32; i++) {
            int bit = i * 7, at = bit / 32, shift = bit % 32;
            u64 v = w[at] | (u64) (shift > 25 ? w[at + 1] : 0) << 32;
            out[r * 32 + i] = s += v >> shift & 127;
        }
    }
}
#endif

// inverse DCT of 8 x 8, four a block
#ifdef __CUDACC__
KERNEL(idct)
{
    __shared__ float s[4][8][9], c[8][8];
    int g = T / 64, y = T / 8 % 8, x = T % 8;
    if (T < 64) c[T / 8][T % 8] = ((const float *) b)[T];
    s[g][y][x] = ((const float *) a)[B * 256 + T];
    __syncthreads();
    float sum = 0;
    #pragma unroll
    for (int k = 0; k < 8; k++) sum += s[g][y][k] * c[k][x];
    __syncthreads();
    s[g][y][x] = sum;
    __syncthreads();
    sum = 0;
    #pragma unroll
    for (int k = 0; k < 8; k++) sum += s[g][k][x] * c[k][y];
    ((float *) out)[B * 256 + T] = sum;
}
#else
LOOP(idct)
{
    const float *c = (const float *) b;
    for (int r = 0; r < n; r += 64) {
        float t[64];
        for (int y = 0; y < 8; y++) for (int x = 0; x < 8; x++) { float s = 0; for (int k = 0; k < 8; k++) s += ((const float *) a)[r + y * 8 + k] * c[k * 8 + x]; t[y * 8 + x] = s; }
        for (int y = 0; y < 8; y++) for (int x = 0; x < 8; x++) { float s = 0; for (int k = 0; k < 8; k++) s += t[k * 8 + x] * c[k * 8 + y]; ((float *) out)[r + y * 8 + x] = s; }
    }
}
#endif

// bitonic sort of 32 keys by shuffles
#ifdef __CUDACC__
KERNEL(warpSort)
{
    u32 x = a[B * 256 + T];
    int lane = T % 32;
    #pragma unroll
    for (int size = 2; size <= 32; size <<= 1)
        #pragma unroll
        for (int d = size / 2; d; d >>= 1) {
            u32 y = __shfl_xor_sync(FULL, x, d);
            bool up = (lane & size) == 0, low = (lane & d) == 0;
            x = up == low ? min(x, y) : max(x, y);
        }
    out[B * 256 + T] = x;
}
#else
LOOP(warpSort) { for (int r = 0; r < n; r += 32) { memcpy(out + r, a + r, 128); std::sort((u32 *) out + r, (u32 *) out + r + 32); } }
#endif

// sums of 1024 bits, a word a lane; carries by votes
#ifdef __CUDACC__
KERNEL(addWarp)
{
    int i = B * 256 + T, lane = T % 32;
    u32 x = a[i], y = b[i], s = x + y;
    u32 g = __ballot_sync(FULL, s < x), p = __ballot_sync(FULL, s == FULL);
    u32 c = (g << 1) + p ^ p;
    out[i] = s + (c >> lane & 1);
}
#else
LOOP(addWarp) { for (int r = 0; r < n; r += 32) { u64 c = 0; for (int k = 0; k < 32; k++) { c += (u64) (u32) a[r + k] + (u32) b[r + k]; out[r + k] = c; c >>= 32; } } }
#endif

// Keccak by 25 lanes of a warp: m rounds
#ifdef __CUDACC__
__constant__ int offsets[25] = {0, 1, 62, 28, 27, 36, 44, 6, 55, 20, 3, 10, 43, 25, 39, 41, 45, 15, 21, 8, 18, 2, 61, 56, 14};
KERNEL(keccakWarp)
{
    int lane = T % 32, i = B * 8 + T / 32, x = lane % 5, y = lane / 5 % 5;
    int l = lane < 25 ? lane : 0;
    u64 s = ((const u64 *) a)[i * 25 + l];
    int rot = offsets[l], from = (x + 3 * y) % 5 + 5 * x;
    for (int r = 0; r < m; r++) {
        u64 c = s;
        for (int k = 1; k < 5; k++) c ^= __shfl_sync(FULL, s, x + (y + k) % 5 * 5);
        u64 left = __shfl_sync(FULL, c, (x + 4) % 5), right = __shfl_sync(FULL, c, (x + 1) % 5);
        s ^= left ^ (right << 1 | right >> 63);
        if (rot) s = s << rot | s >> (64 - rot);
        s = __shfl_sync(FULL, s, from);
        u64 p = __shfl_sync(FULL, s, (x + 1) % 5 + 5 * y), q = __shfl_sync(FULL, s, (x + 2) % 5 + 5 * y);
        s ^= ~p & q;
        if (lane == 0) s ^= ((const u64 *) b)[r];
    }
    if (lane < 25) ((u64 *) out)[i * 25 + lane] = s;
}
#else
LOOP(keccakWarp)
{
    static const int offsets[25] = {0, 1, 62, 28, 27, 36, 44, 6, 55, 20, 3, 10, 43, 25, 39, 41, 45, 15, 21, 8, 18, 2, 61, 56, 14};
    for (int i = 0; i < n / 32; i++) {
        u64 s[25], t[25], c[5];
        memcpy(s, (const u64 *) a + i * 25, 200);
        for (int r = 0; r < m; r++) {
            for (int x = 0; x < 5; x++) c[x] = s[x] ^ s[x + 5] ^ s[x + 10] ^ s[x + 15] ^ s[x + 20];
            for (int x = 0; x < 5; x++) for (int y = 0; y < 5; y++) {
                u64 v = s[x + 5 * y] ^ c[(x + 4) % 5] ^ (c[(x + 1) % 5] << 1 | c[(x + 1) % 5] >> 63);
                int rot = offsets[x + 5 * y];
                t[y + (2 * x + 3 * y) % 5 * 5] = rot ? v << rot | v >> (64 - rot) : v;
            }
            for (int y = 0; y < 25; y += 5) for (int x = 0; x < 5; x++) s[y + x] = t[y + x] ^ (~t[y + (x + 1) % 5] & t[y + (x + 2) % 5]);
            s[0] ^= ((const u64 *) b)[r];
        }
        memcpy((u64 *) out + i * 25, s, 200);
    }
}
#endif

// products of two numbers of 256 bits, a word a lane of tiles of 8 (as CGBN does it, simplified): the low half
#ifdef __CUDACC__
KERNEL(mulWarp)
{
    int i = B * 256 + T, lane = T % 8;
    u32 x = a[i], y = b[i];
    u64 sum = 0;          // column of this lane, below 2^64
    u32 over = 0;
    for (int k = 0; k < 8; k++) {
        u32 xk = __shfl_sync(FULL, x, k, 8);
        u32 yj = __shfl_sync(FULL, y, (lane - k) & 7, 8);
        if (lane >= k) { u64 p = (u64) xk * yj; sum += p; over += sum < p; }
    }
    // three words a column to one
    u32 lo = sum, mid = sum >> 32;
    u32 m1 = __shfl_up_sync(FULL, mid, 1, 8), o2 = __shfl_up_sync(FULL, over, 2, 8);
    if (lane < 1) m1 = 0;
    if (lane < 2) o2 = 0;
    u64 v = (u64) lo + m1 + o2;
    for (int k = 0; k < 7; k++) {
        u32 c = __shfl_up_sync(FULL, (u32) (v >> 32), 1, 8);
        v = (v & FULL) + (lane ? c : 0);
    }
    out[i] = (u32) v;
}
#else
LOOP(mulWarp)
{
    for (int r = 0; r < n; r += 8) {
        u32 o[8] = {0};
        for (int i = 0; i < 8; i++) {
            u64 c = 0;
            for (int j = 0; i + j < 8; j++) { c += (u64) (u32) a[r + i] * (u32) b[r + j] + o[i + j]; o[i + j] = c; c >>= 32; }
        }
        memcpy(out + r, o, 32);
    }
}
#endif

// top 4 of 32 words a warp with their sum in f64: redux and votes
#ifdef __CUDACC__
KERNEL(top4)
{
    int i = B * 256 + T, lane = T % 32;
    u32 x = a[i];
    double sum = 0;
    for (int k = 0; k < 4; k++) {
        u32 best = __reduce_max_sync(FULL, x);
        u32 who = __ballot_sync(FULL, x == best);
        if (lane == __ffs(who) - 1) { x = 0; out[i / 32 * 6 + k] = best; }
        sum += best;
    }
    if (lane == 0) ((double *) out)[i / 32 * 3 + 2] = sum;
}
#else
LOOP(top4)
{
    for (int r = 0; r < n / 32; r++) {
        u32 t[4] = {0};
        for (int k = 0; k < 32; k++) {
            u32 x = a[r * 32 + k];
            for (int j = 0; j < 4; j++) if (x > t[j]) { u32 y = t[j]; t[j] = x; x = y; }
        }
        double s = 0;
        for (int j = 0; j < 4; j++) { out[r * 6 + j] = t[j]; s += t[j]; }
        ((double *) out)[r * 3 + 2] = s;
    }
}
#endif

// knapsack: weights of 16 items over 256 capacities, values in shared memory, one problem a block
#ifdef __CUDACC__
KERNEL(knapsack)
{
    __shared__ int best[2][256];
    best[0][T] = 0;
    __syncthreads();
    int cur = 0;
    for (int k = 0; k < 16; k++) {
        int w = a[B * 32 + k] & 63, v = a[B * 32 + 16 + k] & 1023;
        int x = best[cur][T];
        if (T >= w) x = max(x, best[cur][T - w] + v);
        best[1 - cur][T] = x;
        cur = 1 - cur;
        __syncthreads();
    }
    out[B * 256 + T] = best[cur][T];
}
#else
LOOP(knapsack)
{
    for (int r = 0; r < n / 256; r++) {
        int *best = out + r * 256;
        memset(best, 0, 1024);
        for (int k = 0; k < 16; k++) {
            int w = a[r * 32 + k] & 63, v = a[r * 32 + 16 + k] & 1023;
            for (int t = 255; t >= w; t--) best[t] = max(best[t], best[t - w] + v);
        }
    }
}
#endif

// sums by segments: 256 words, heads where the lowest two bits are 0; scan with flags in shared memory
#ifdef __CUDACC__
KERNEL(segments)
{
    __shared__ int s[256];
    __shared__ u8 f[256];
    int i = B * 256 + T, x = a[i] >> 8;
    int head = (a[i] & 3) == 0;
    s[T] = x; f[T] = head;
    __syncthreads();
    for (int d = 1; d < 256; d <<= 1) {
        int y = 0, g = 0;
        if (T >= d) { y = s[T - d]; g = f[T - d]; }
        __syncthreads();
        if (T >= d) { if (!head) x += y; head |= g; }
        s[T] = x; f[T] = head;
        __syncthreads();
    }
    out[i] = x;
}
#else
LOOP(segments) { for (int r = 0; r < n; r += 256) { int s = 0; for (int i = 0; i < 256; i++) { s = (a[r + i] & 3) == 0 ? a[r + i] >> 8 : s + (a[r + i] >> 8); out[r + i] = s; } } }
#endif

// the same product with quadruples
#ifdef __CUDACC__
KERNEL(gemm64v)
{
    __shared__ float sa[16][68], sb[16][64];
    int tiles = m / 64, tx = T % 16, ty = T / 16, x0 = B % tiles * 64, y0 = B / tiles * 64;
    float c[4][4] = {};
    for (int k = 0; k < m; k += 16) {
        float4 va = *(const float4 *) &((const float *) a)[(y0 + T / 4) * m + k + T % 4 * 4];
        sa[T % 4 * 4 + 0][T / 4] = va.x; sa[T % 4 * 4 + 1][T / 4] = va.y; sa[T % 4 * 4 + 2][T / 4] = va.z; sa[T % 4 * 4 + 3][T / 4] = va.w;
        *(float4 *) &sb[T / 16][T % 16 * 4] = *(const float4 *) &((const float *) b)[(k + T / 16) * m + x0 + T % 16 * 4];
        __syncthreads();
        #pragma unroll
        for (int j = 0; j < 16; j++) {
            float4 u = *(float4 *) &sa[j][ty * 4], v = *(float4 *) &sb[j][tx * 4];
            float uu[4] = {u.x, u.y, u.z, u.w}, vv[4] = {v.x, v.y, v.z, v.w};
            #pragma unroll
            for (int i = 0; i < 4; i++)
                #pragma unroll
                for (int l = 0; l < 4; l++) c[i][l] += uu[i] * vv[l];
        }
        __syncthreads();
    }
    for (int i = 0; i < 4; i++) *(float4 *) &((float *) out)[(y0 + ty * 4 + i) * m + x0 + tx * 4] = make_float4(c[i][0], c[i][1], c[i][2], c[i][3]);
}
// reduce as Harris' last version: grid-stride, two elements, shared tree, unrolled last warp
KERNEL(harris)
{
    __shared__ volatile int s[256];
    int i = B * 512 + T, sum = 0;
    while (i < m) { sum += a[i]; if (i + 256 < m) sum += a[i + 256]; i += 512 * gridDim.x; }
    s[T] = sum;
    __syncthreads();
    if (T < 128) s[T] = sum = sum + s[T + 128];
    __syncthreads();
    if (T < 64) s[T] = sum = sum + s[T + 64];
    __syncthreads();
    if (T < 32) {
        s[T] = sum = sum + s[T + 32]; __syncwarp();
        s[T] = sum = sum + s[T + 16]; __syncwarp();
        s[T] = sum = sum + s[T + 8]; __syncwarp();
        s[T] = sum = sum + s[T + 4]; __syncwarp();
        s[T] = sum = sum + s[T + 2]; __syncwarp();
        s[T] = sum = sum + s[T + 1];
    }
    if (T == 0) out[B] = sum;
}
// Blelloch's scan, 512 elements a block
KERNEL(blelloch)
{
    __shared__ int s[512];
    s[2 * T] = a[B * 512 + 2 * T]; s[2 * T + 1] = a[B * 512 + 2 * T + 1];
    int offset = 1;
    for (int d = 256; d > 0; d >>= 1) {
        __syncthreads();
        if (T < d) { int ai = offset * (2 * T + 1) - 1, bi = offset * (2 * T + 2) - 1; s[bi] += s[ai]; }
        offset *= 2;
    }
    if (T == 0) s[511] = 0;
    for (int d = 1; d < 512; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (T < d) { int ai = offset * (2 * T + 1) - 1, bi = offset * (2 * T + 2) - 1; int t = s[ai]; s[ai] = s[bi]; s[bi] += t; }
    }
    __syncthreads();
    out[B * 512 + 2 * T] = s[2 * T]; out[B * 512 + 2 * T + 1] = s[2 * T + 1];
}
// rms norm with float4, a row of 1024 a block
KERNEL(rmsnorm)
{
    __shared__ float part[8];
    float4 v = ((const float4 *) a)[B * 256 + T];
    float s = v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
    s = warpSum(s);
    if (T % 32 == 0) part[T / 32] = s;
    __syncthreads();
    if (T < 32) { s = T < 8 ? part[T] : 0; for (int d = 4; d; d >>= 1) s += __shfl_xor_sync(FULL, s, d); if (T == 0) part[0] = s; }
    __syncthreads();
    float f = rsqrtf(part[0] / 1024 + 1e-5f);
    float4 g = ((const float4 *) b)[T];
    ((float4 *) out)[B * 256 + T] = make_float4(v.x * f * g.x, v.y * f * g.y, v.z * f * g.z, v.w * f * g.w);
}
// rope: pairs of (x, y) rotated by a table
KERNEL(rope)
{
    int i = B * 256 + T, row = i / 64, k = i % 64;
    float2 x = ((const float2 *) a)[i], w = ((const float2 *) b)[(row % 16) * 64 + k];
    ((float2 *) out)[i] = make_float2(x.x * w.x - x.y * w.y, x.x * w.y + x.y * w.x);
}
// bitonic sort of 512 words with pairs
KERNEL(bitonicPairs)
{
    __shared__ u32 s[512];
    s[T] = a[B * 512 + T]; s[T + 256] = a[B * 512 + T + 256];
    for (int size = 2; size <= 512; size <<= 1)
        for (int d = size / 2; d > 0; d >>= 1) {
            __syncthreads();
            int p = 2 * T - (T & (d - 1));
            bool up = (T & (size / 2)) == 0;
            u32 x = s[p], y = s[p + d];
            if ((x > y) == up) { s[p] = y; s[p + d] = x; }
        }
    __syncthreads();
    out[B * 512 + T] = s[T]; out[B * 512 + T + 256] = s[T + 256];
}
// Floyd-Warshall of 16 x 16 in shared memory
KERNEL(floydTile)
{
    __shared__ int s[16][17];
    int c = T % 16, r = T / 16;
    s[r][c] = a[B * 256 + T] & 1023;
    __syncthreads();
    for (int k = 0; k < 16; k++) {
        int x = s[r][k] + s[k][c];
        if (x < s[r][c]) s[r][c] = x;
        __syncthreads();
    }
    out[B * 256 + T] = s[r][c];
}
// complex tile product 8 x 8 with float2, four a block
KERNEL(complexTile)
{
    __shared__ float2 x[4][8][8], y[4][8][8];
    int g = T / 64, r = T / 8 % 8, c = T % 8;
    x[g][r][c] = ((const float2 *) a)[B * 256 + T];
    y[g][r][c] = ((const float2 *) b)[B * 256 + T];
    __syncthreads();
    float2 s = make_float2(0, 0);
    #pragma unroll
    for (int k = 0; k < 8; k++) { float2 p = x[g][r][k], q = y[g][k][c]; s.x += p.x * q.x - p.y * q.y; s.y += p.x * q.y + p.y * q.x; }
    ((float2 *) out)[B * 256 + T] = s;
}
// pooling 2 x 2 and ReLU, image of m x m
KERNEL(pool)
{
    int tiles = m / 2 / 16, x = B % tiles * 16 + T % 16, y = B / tiles * 16 + T / 16;
    const float *p = (const float *) a + 2 * y * m + 2 * x;
    ((float *) out)[y * (m / 2) + x] = fmaxf(0.5f, fmaxf(fmaxf(p[0], p[1]), fmaxf(p[m], p[m + 1])));
}
// sum of absolute differences of 8 x 8 against 16 places, a block's 16 x 16 threads are places
KERNEL(motion)
{
    __shared__ int ref[8][8];
    __shared__ int win[24][24];
    if (T < 64) ref[T / 8][T % 8] = a[B * 64 + T] & 255;
    for (int k = T; k < 576; k += 256) win[k / 24][k % 24] = b[k] & 255;
    __syncthreads();
    int tx = T % 16, ty = T / 16, sum = 0;
    #pragma unroll
    for (int y = 0; y < 8; y++)
        #pragma unroll
        for (int x = 0; x < 8; x++) sum += abs(ref[y][x] - win[ty + y][tx + x]);
    out[B * 256 + T] = sum;
}
#else
LOOP(gemm64v) { product(n, m, a, b, out); }
LOOP(harris) { for (int r = 0; r < n / 256; r++) { int s = 0; for (int i = r * 512; i < m; i += 512 * (n / 256)) for (int k = 0; k < 512 && i + k < m; k++) s += a[i + k]; out[r] = s; } }
LOOP(blelloch) { for (int r = 0; r < 2 * n; r += 512) { int s = 0; for (int i = 0; i < 512; i++) { int x = a[r + i]; out[r + i] = s; s += x; } } }
LOOP(rmsnorm)
{
    for (int r = 0; r < n / 256; r++) {
        const float *x = (const float *) a + r * 1024, *g = (const float *) b;
        float s = 0;
        for (int i = 0; i < 1024; i++) s += x[i] * x[i];
        float f = 1 / sqrtf(s / 1024 + 1e-5f);
        for (int i = 0; i < 1024; i++) ((float *) out)[r * 1024 + i] = x[i] * f * g[i];
    }
}
LOOP(rope) { for (int i = 0; i < n; i++) { int row = i / 64, k = i % 64; const float *x = (const float *) a + 2 * i, *w = (const float *) b + 2 * ((row % 16) * 64 + k); float *o = (float *) out + 2 * i; o[0] = x[0] * w[0] - x[1] * w[1]; o[1] = x[0] * w[1] + x[1] * w[0]; } }
LOOP(bitonicPairs) { for (int r = 0; r < 2 * n; r += 512) { memcpy(out + r, a + r, 2048); std::sort((u32 *) out + r, (u32 *) out + r + 512); } }
LOOP(floydTile) { for (int i = 0; i < n; i += 256) { int *s = out + i; for (int k = 0; k < 256; k++) s[k] = a[i + k] & 1023; for (int k = 0; k < 16; k++) for (int r = 0; r < 16; r++) for (int c = 0; c < 16; c++) s[r * 16 + c] = min(s[r * 16 + c], s[r * 16 + k] + s[k * 16 + c]); } }
LOOP(complexTile) { for (int i = 0; i < n; i += 64) for (int r = 0; r < 8; r++) for (int c = 0; c < 8; c++) { float x = 0, y = 0; for (int k = 0; k < 8; k++) { const float *p = (const float *) a + 2 * (i + r * 8 + k), *q = (const float *) b + 2 * (i + k * 8 + c); x += p[0] * q[0] - p[1] * q[1]; y += p[0] * q[1] + p[1] * q[0]; } ((float *) out)[2 * (i + r * 8 + c)] = x; ((float *) out)[2 * (i + r * 8 + c) + 1] = y; } }
LOOP(pool) { for (int y = 0; y < m / 2; y++) for (int x = 0; x < m / 2; x++) { const float *p = (const float *) a + 2 * y * m + 2 * x; ((float *) out)[y * (m / 2) + x] = fmaxf(0.5f, fmaxf(fmaxf(p[0], p[1]), fmaxf(p[m], p[m + 1]))); } }
LOOP(motion) { for (int r = 0; r < n / 256; r++) for (int ty = 0; ty < 16; ty++) for (int tx = 0; tx < 16; tx++) { int s = 0; for (int y = 0; y < 8; y++) for (int x = 0; x < 8; x++) s += abs((a[r * 64 + y * 8 + x] & 255) - (b[(ty + y) * 24 + tx + x] & 255)); out[r * 256 + ty * 16 + tx] = s; } }
#endif
