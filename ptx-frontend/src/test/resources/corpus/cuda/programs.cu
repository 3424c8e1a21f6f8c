// build: programs.sm_75 -arch=sm_75
// build: programs.sm_75.lineinfo -arch=sm_75 -lineinfo -use_fast_math
// build: programs.sm_80 -arch=sm_80
// build: programs.sm_100 -arch=sm_100
// Small whole algorithms in ordinary CUDA style.
#include <cfloat>

extern "C" __global__ void black_scholes(const float *spot, const float *strike, const float *years, float rate, float vol, float *call, float *put, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float root = sqrtf(years[i]);
    float d1 = (logf(spot[i] / strike[i]) + (rate + 0.5f * vol * vol) * years[i]) / (vol * root), d2 = d1 - vol * root;
    float discount = expf(-rate * years[i]);
    call[i] = spot[i] * normcdff(d1) - strike[i] * discount * normcdff(d2);
    put[i] = strike[i] * discount * (1 - normcdff(d2)) - spot[i] * (1 - normcdff(d1));
}
extern "C" __global__ void bfs_level(const int *rows, const int *cols, int *depth, int level, int n, int *changed)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v < n && depth[v] == level)
        for (int e = rows[v]; e < rows[v + 1]; e++)
            if (depth[cols[e]] < 0) {
                depth[cols[e]] = level + 1;
                *changed = 1;
            }
}
extern "C" __global__ void spmv(int rows, const int *start, const int *col, const double *value, const double *x, double *y)
{
    int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31;
    if (warp >= rows)
        return;
    double sum = 0;
    for (int e = start[warp] + lane; e < start[warp + 1]; e += 32)
        sum += value[e] * x[col[e]];
    for (int d = 16; d; d /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, d);
    if (lane == 0)
        y[warp] = sum;
}
extern "C" __global__ void softmax(const float *in, float *out, int width)
{
    __shared__ float shared[32];
    const float *row = in + blockIdx.x * width;
    int lane = threadIdx.x & 31, warp = threadIdx.x / 32;
    float top = -FLT_MAX;
    for (int i = threadIdx.x; i < width; i += blockDim.x)
        top = fmaxf(top, row[i]);
    for (int d = 16; d; d /= 2)
        top = fmaxf(top, __shfl_xor_sync(0xffffffff, top, d));
    if (lane == 0)
        shared[warp] = top;
    __syncthreads();
    for (int w = 0; w < blockDim.x / 32; w++)
        top = fmaxf(top, shared[w]);
    __syncthreads();
    float sum = 0;
    for (int i = threadIdx.x; i < width; i += blockDim.x)
        sum += out[blockIdx.x * width + i] = __expf(row[i] - top);
    for (int d = 16; d; d /= 2)
        sum += __shfl_xor_sync(0xffffffff, sum, d);
    if (lane == 0)
        shared[warp] = sum;
    __syncthreads();
    sum = 0;
    for (int w = 0; w < blockDim.x / 32; w++)
        sum += shared[w];
    for (int i = threadIdx.x; i < width; i += blockDim.x)
        out[blockIdx.x * width + i] /= sum;
}
extern "C" __global__ void convolution(const unsigned char *in, unsigned char *out, int w, int h)
{
    __shared__ unsigned char tile[20][20];
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    for (int ty = threadIdx.y; ty < 20; ty += 16)
        for (int tx = threadIdx.x; tx < 20; tx += 16) {
            int sx = min(max((int) blockIdx.x * 16 + tx - 2, 0), w - 1), sy = min(max((int) blockIdx.y * 16 + ty - 2, 0), h - 1);
            tile[ty][tx] = in[sy * w + sx];
        }
    __syncthreads();
    int sum = 0;
#pragma unroll
    for (int dy = 0; dy < 5; dy++)
#pragma unroll
        for (int dx = 0; dx < 5; dx++)
            sum += tile[threadIdx.y + dy][threadIdx.x + dx] * (3 - abs(dx - 2)) * (3 - abs(dy - 2));
    if (x < w && y < h)
        out[y * w + x] = sum / 81;
}
extern "C" __global__ void fft_stage(float2 *data, int n, int half)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n / 2)
        return;
    int group = t / half, k = t % half, i = group * 2 * half + k;
    float s, c;
    sincospif(-(float) k / half, &s, &c);
    float2 a = data[i], b = data[i + half];
    float2 r = {b.x * c - b.y * s, b.x * s + b.y * c};
    data[i] = {a.x + r.x, a.y + r.y};
    data[i + half] = {a.x - r.x, a.y - r.y};
}
__constant__ unsigned long long RC[24] = {
    0x0000000000000001, 0x0000000000008082, 0x800000000000808A, 0x8000000080008000, 0x000000000000808B, 0x0000000080000001,
    0x8000000080008081, 0x8000000000008009, 0x000000000000008A, 0x0000000000000088, 0x0000000080008009, 0x000000008000000A,
    0x000000008000808B, 0x800000000000008B, 0x8000000000008089, 0x8000000000008003, 0x8000000000008002, 0x8000000000000080,
    0x000000000000800A, 0x800000008000000A, 0x8000000080008081, 0x8000000000008080, 0x0000000080000001, 0x8000000080008008};
__device__ unsigned long long rotl(unsigned long long x, int n) { return n ? x << n | x >> (64 - n) : x; }
extern "C" __global__ void keccak_f(unsigned long long *states)
{
    unsigned long long a[25], b[25], c[5];
    unsigned long long *state = states + 25 * (blockIdx.x * blockDim.x + threadIdx.x);
#pragma unroll
    for (int i = 0; i < 25; i++)
        a[i] = state[i];
#pragma unroll 1
    for (int round = 0; round < 24; round++) {
#pragma unroll
        for (int x = 0; x < 5; x++)
            c[x] = a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20];
#pragma unroll
        for (int i = 0; i < 25; i++)
            a[i] ^= c[(i + 4) % 5] ^ rotl(c[(i + 1) % 5], 1);
        int x = 1, y = 0;
        b[0] = a[0];
#pragma unroll
        for (int t = 0; t < 24; t++) {
            int next = (2 * x + 3 * y) % 5;
            b[y + 5 * next] = rotl(a[x + 5 * y], (t + 1) * (t + 2) / 2 % 64);
            x = y;
            y = next;
        }
#pragma unroll
        for (int i = 0; i < 25; i++)
            a[i] = b[i] ^ (~b[i / 5 * 5 + (i + 1) % 5] & b[i / 5 * 5 + (i + 2) % 5]);
        a[0] ^= RC[round];
    }
#pragma unroll
    for (int i = 0; i < 25; i++)
        state[i] = a[i];
}
extern "C" __global__ void chacha20(const unsigned *key, unsigned counter, unsigned *out)
{
    unsigned s[16] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574}, w[16];
    for (int i = 0; i < 8; i++)
        s[4 + i] = key[i];
    s[12] = counter + blockIdx.x * blockDim.x + threadIdx.x;
    s[13] = key[8], s[14] = key[9], s[15] = key[10];
    for (int i = 0; i < 16; i++)
        w[i] = s[i];
#define QUARTER(a, b, c, d) \
    w[a] += w[b]; w[d] = __funnelshift_l(w[d] ^ w[a], w[d] ^ w[a], 16); w[c] += w[d]; w[b] = __funnelshift_l(w[b] ^ w[c], w[b] ^ w[c], 12); \
    w[a] += w[b]; w[d] = __funnelshift_l(w[d] ^ w[a], w[d] ^ w[a], 8); w[c] += w[d]; w[b] = __funnelshift_l(w[b] ^ w[c], w[b] ^ w[c], 7);
#pragma unroll 1
    for (int round = 0; round < 10; round++) {
        QUARTER(0, 4, 8, 12) QUARTER(1, 5, 9, 13) QUARTER(2, 6, 10, 14) QUARTER(3, 7, 11, 15)
        QUARTER(0, 5, 10, 15) QUARTER(1, 6, 11, 12) QUARTER(2, 7, 8, 13) QUARTER(3, 4, 9, 14)
    }
    for (int i = 0; i < 16; i++)
        out[16 * (blockIdx.x * blockDim.x + threadIdx.x) + i] = w[i] + s[i];
}
extern "C" __global__ void lu_column(double *a, int n, int k)
{
    int row = k + 1 + blockIdx.x * blockDim.x + threadIdx.x;
    if (row < n) {
        double factor = a[row * n + k] /= a[k * n + k];
        for (int col = k + 1; col < n; col++)
            a[row * n + col] -= factor * a[k * n + col];
    }
}
extern "C" __global__ void edit_distance(const char *a, const char *b, int n, int m, int *out)
{
    extern __shared__ int rows[];
    int *before = rows, *last = rows + n + 1, *now = rows + 2 * (n + 1);
    for (int d = 0; d <= n + m; d++) {
        for (int i = threadIdx.x; i <= n; i += blockDim.x) {
            int j = d - i;
            if (j < 0 || j > m)
                continue;
            now[i] = i == 0 ? j : j == 0 ? i : min(min(last[i - 1] + 1, last[i] + 1), before[i - 1] + (a[i - 1] != b[j - 1]));
        }
        __syncthreads();
        int *t = before;
        before = last, last = now, now = t;
    }
    if (threadIdx.x == 0)
        *out = last[n];
}
extern "C" __global__ void game_of_life(const unsigned char *in, unsigned char *out, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h)
        return;
    int alive = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            alive += (dx || dy) && in[(y + dy + h) % h * w + (x + dx + w) % w];
    out[y * w + x] = alive == 3 || (alive == 2 && in[y * w + x]);
}
extern "C" __global__ void monte_carlo_pi(unsigned long long seed, int rounds, unsigned long long *hits)
{
    unsigned long long state = seed + (blockIdx.x * blockDim.x + threadIdx.x) * 0x9e3779b97f4a7c15ull;
    unsigned count = 0;
    for (int i = 0; i < rounds; i++) {
        state ^= state >> 12, state ^= state << 25, state ^= state >> 27;
        unsigned long long r = state * 0x2545f4914f6cdd1dull;
        double x = (unsigned) r * 0x1p-32, y = (unsigned) (r >> 32) * 0x1p-32;
        count += x * x + y * y < 1;
    }
    atomicAdd(hits, (unsigned long long) count);
}
