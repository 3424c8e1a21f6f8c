/* The kernels of the workloads as CUDA-style loops: blocks run in parallel, the threads of a block in loops that end at each
   barrier. Every function takes the sizes of grid and block, then the kernel's own parameters. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#define EACH_BLOCK _Pragma("omp parallel for schedule(static)") for (int bid = 0; bid < gx * gy; bid++)
#define EACH_THREAD for (int t = 0; t < bx * by; t++)
#define SIZES int gx, int gy, int bx, int by

void saxpy(SIZES, uint32_t n, float a, const float *x, float *y)
{
    EACH_BLOCK EACH_THREAD {
        uint32_t i = bid * bx + t;
        if (i < n)
            y[i] = fmaf(a, x[i], y[i]);
    }
}

static inline uint32_t rotl(uint32_t x, int bits)
{
    return x << bits | x >> (32 - bits);
}

static inline uint32_t rotr(uint32_t x, int bits)
{
    return x >> bits | x << (32 - bits);
}

void hash(SIZES, uint32_t n, uint32_t *out)
{
    EACH_BLOCK EACH_THREAD {
        uint32_t i = bid * bx + t;
        if (i >= n)
            continue;
        uint32_t h = i;
        for (uint32_t round = 0; round < 64; round++) {
            h *= 0x9e3779b1u;
            h = (rotl(h, 13) ^ round) + i;
        }
        out[i] = h;
    }
}

static const uint8_t COLOURS[8][3] = {
    {12, 16, 64}, {24, 72, 148}, {60, 140, 200}, {180, 220, 232}, {248, 236, 176}, {248, 176, 40}, {176, 84, 16}, {72, 24, 40},
};

void mandelbrot(SIZES, uint8_t *rgb, int w, int h, float x0, float y0, float dx, float dy, int limit)
{
    EACH_BLOCK EACH_THREAD {
        int px = bid % gx * bx + t % bx, py = bid / gx * by + t / bx;
        if (px >= w || py >= h)
            continue;
        float cx = fmaf((float) px, dx, x0), cy = fmaf((float) py, dy, y0), x = 0, y = 0;
        int step = 0;
        while (step < limit) {
            float xx = x * x, yy = y * y;
            if (xx + yy > 4.0f)
                break;
            y = fmaf(x + x, y, cy);
            x = xx - yy + cx;
            step++;
        }
        uint8_t *pixel = rgb + 3 * ((int64_t) py * w + px);
        int band = step / 8 % 8, within = step % 8;
        for (int channel = 0; channel < 3; channel++) {
            int from = COLOURS[band][channel], to = COLOURS[(band + 1) % 8][channel];
            pixel[channel] = step == limit ? 0 : from + (to - from) * within / 8;
        }
    }
}

void escape(SIZES, int32_t *steps, int w, int h, float x0, float y0, float dx, float dy, int limit)
{
    EACH_BLOCK EACH_THREAD {
        int px = bid % gx * bx + t % bx, py = bid / gx * by + t / bx;
        if (px >= w || py >= h)
            continue;
        float cx = fmaf((float) px, dx, x0), cy = fmaf((float) py, dy, y0), x = 0, y = 0;
        int step = 0;
        while (step < limit) {
            float xx = x * x, yy = y * y;
            if (xx + yy > 4.0f)
                break;
            y = fmaf(x + x, y, cy);
            x = xx - yy + cx;
            step++;
        }
        steps[py * w + px] = step;
    }
}

void matmul(SIZES, int rows, int cols, int inner, const float *a, const float *b, float *c)
{
    EACH_BLOCK {
        float tileA[16][16], tileB[16][16], sum[256];
        EACH_THREAD
            sum[t] = 0;
        for (int k = 0; k < inner; k += 16) {
            EACH_THREAD {
                int tx = t % 16, ty = t / 16, row = bid / gx * 16 + ty, col = bid % gx * 16 + tx;
                tileA[ty][tx] = row < rows && k + tx < inner ? a[row * inner + k + tx] : 0;
                tileB[ty][tx] = k + ty < inner && col < cols ? b[(k + ty) * cols + col] : 0;
            }
            EACH_THREAD {
                int tx = t % 16, ty = t / 16;
                for (int i = 0; i < 16; i++)
                    sum[t] = fmaf(tileA[ty][i], tileB[i][tx], sum[t]);
            }
        }
        EACH_THREAD {
            int row = bid / gx * 16 + t / 16, col = bid % gx * 16 + t % 16;
            if (row < rows && col < cols)
                c[row * cols + col] = sum[t];
        }
    }
}

void sgemm(SIZES, int n, const float *a, const float *b, float *c)
{
    EACH_BLOCK {
        float tileA[16][64], tileB[16][64], sum[256][4][4];
        int row = bid / gx * 64, col = bid % gx * 64;
        EACH_THREAD
            for (int r = 0; r < 4; r++)
                for (int s = 0; s < 4; s++)
                    sum[t][r][s] = 0;
        for (int k = 0; k < n; k += 16) {
            EACH_THREAD
                for (int e = t; e < 1024; e += 256) {
                    tileA[e % 16][e / 16] = a[(row + e / 16) * n + k + e % 16];
                    tileB[e / 64][e % 64] = b[(k + e / 64) * n + col + e % 64];
                }
            EACH_THREAD {
                int tx = t % 16, ty = t / 16;
                for (int i = 0; i < 16; i++)
                    for (int r = 0; r < 4; r++)
                        for (int s = 0; s < 4; s++)
                            sum[t][r][s] = fmaf(tileA[i][ty * 4 + r], tileB[i][tx * 4 + s], sum[t][r][s]);
            }
        }
        EACH_THREAD
            for (int r = 0; r < 4; r++)
                for (int s = 0; s < 4; s++)
                    c[(row + t / 16 * 4 + r) * n + col + t % 16 * 4 + s] = sum[t][r][s];
    }
}

/* Without tensor cores: tiles of f32. */
void hgemm(SIZES, int n, const _Float16 *a, const _Float16 *b, float *c)
{
    EACH_BLOCK {
        float tileA[64][32], tileB[32][64], sum[64][64] = {};
        int row = bid / gx * 64, col = bid % gx * 64;
        for (int k = 0; k < n; k += 32) {
            for (int i = 0; i < 64; i++)
                for (int j = 0; j < 32; j++)
                    tileA[i][j] = a[(row + i) * n + k + j];
            for (int i = 0; i < 32; i++)
                for (int j = 0; j < 64; j++)
                    tileB[i][j] = b[(k + i) * n + col + j];
            for (int i = 0; i < 64; i++)
                for (int j = 0; j < 32; j++)
                    for (int s = 0; s < 64; s++)
                        sum[i][s] = fmaf(tileA[i][j], tileB[j][s], sum[i][s]);
        }
        for (int i = 0; i < 64; i++)
            for (int j = 0; j < 64; j++)
                c[(row + i) * n + col + j] = sum[i][j];
    }
}

static float warp_sum(float *value)
{
    for (int distance = 16; distance > 0; distance /= 2)
        for (int lane = 0; lane < distance; lane++)
            value[lane] += value[lane + distance];
    return value[0];
}

void sum_partial_f32(SIZES, uint32_t n, const float *x, float *partial)
{
    EACH_BLOCK {
        float sum[1024], warps[32] = {0};
        EACH_THREAD {
            sum[t] = 0;
            for (uint32_t i = bid * bx + t; i < n; i += gx * bx)
                sum[t] += x[i];
        }
        for (int warp = 0; warp < bx / 32; warp++)
            warps[warp] = warp_sum(sum + 32 * warp);
        partial[bid] = warp_sum(warps);
    }
}

void histogram_shared(SIZES, uint32_t n, const uint8_t *data, uint32_t *bins)
{
    EACH_BLOCK {
        uint32_t blockBins[256];
        EACH_THREAD
            for (int bin = t; bin < 256; bin += bx)
                blockBins[bin] = 0;
        EACH_THREAD
            for (uint32_t i = bid * bx + t; i < n; i += gx * bx)
                blockBins[data[i]]++;
        EACH_THREAD
            for (int bin = t; bin < 256; bin += bx)
                if (blockBins[bin])
                    __atomic_fetch_add(&bins[bin], blockBins[bin], __ATOMIC_RELAXED);
    }
}

static const uint32_t P[8] = {
    0xd87cfd47, 0x3c208c16, 0x6871ca8d, 0x97816a91, 0x8181585d, 0xb85045b6, 0xe131a029, 0x30644e72,
};

static void multiply(uint32_t *x, const uint32_t *y)
{
    uint32_t r[9] = {0};
    for (int i = 0; i < 8; i++) {
        uint64_t carry = 0;
        for (int j = 0; j < 8; j++) {
            carry += (uint64_t) x[j] * y[i] + r[j];
            r[j] = (uint32_t) carry;
            carry >>= 32;
        }
        uint64_t top = r[8] + carry;
        uint32_t m = r[0] * 0xe4866389u;
        carry = ((uint64_t) m * P[0] + r[0]) >> 32;
        for (int j = 1; j < 8; j++) {
            carry += (uint64_t) m * P[j] + r[j];
            r[j - 1] = (uint32_t) carry;
            carry >>= 32;
        }
        top += carry;
        r[7] = (uint32_t) top;
        r[8] = (uint32_t) (top >> 32);
    }
    uint32_t less[8];
    uint64_t borrow = 0;
    for (int j = 0; j < 8; j++) {
        uint64_t difference = (uint64_t) r[j] - P[j] - borrow;
        less[j] = (uint32_t) difference;
        borrow = difference >> 63;
    }
    memcpy(x, borrow > r[8] ? r : less, sizeof less);
}

void montgomery_chain(SIZES, uint32_t n, uint32_t times, const uint32_t *a, const uint32_t *b, uint32_t *product)
{
    EACH_BLOCK EACH_THREAD {
        uint32_t i = bid * bx + t;
        if (i >= n)
            continue;
        uint32_t x[8], y[8];
        memcpy(x, a + 8 * i, sizeof x);
        memcpy(y, b + 8 * i, sizeof y);
        for (uint32_t k = 0; k < times; k++)
            multiply(x, y);
        memcpy(product + 8 * i, x, sizeof x);
    }
}

static const uint64_t P64[4] = {0x3c208c16d87cfd47, 0x97816a916871ca8d, 0xb85045b68181585d, 0x30644e72e131a029};

static void multiply64(uint64_t *x, const uint64_t *y)
{
    typedef unsigned __int128 wide;
    uint64_t r[5] = {0};
    for (int i = 0; i < 4; i++) {
        wide carry = 0;
        for (int j = 0; j < 4; j++) {
            carry += (wide) x[j] * y[i] + r[j];
            r[j] = (uint64_t) carry;
            carry >>= 64;
        }
        wide top = r[4] + carry;
        uint64_t m = r[0] * 0x87d20782e4866389u;
        carry = ((wide) m * P64[0] + r[0]) >> 64;
        for (int j = 1; j < 4; j++) {
            carry += (wide) m * P64[j] + r[j];
            r[j - 1] = (uint64_t) carry;
            carry >>= 64;
        }
        top += carry;
        r[3] = (uint64_t) top;
        r[4] = (uint64_t) (top >> 64);
    }
    uint64_t less[4];
    uint64_t borrow = 0;
    for (int j = 0; j < 4; j++) {
        wide difference = (wide) r[j] - P64[j] - borrow;
        less[j] = (uint64_t) difference;
        borrow = (uint64_t) (difference >> 127);
    }
    memcpy(x, borrow > r[4] ? r : less, sizeof less);
}

void montgomery_chain64(SIZES, uint32_t n, uint32_t times, const uint64_t *a, const uint64_t *b, uint64_t *product)
{
    EACH_BLOCK EACH_THREAD {
        uint32_t i = bid * bx + t;
        if (i >= n)
            continue;
        uint64_t x[4], y[4];
        memcpy(x, a + 4 * i, sizeof x);
        memcpy(y, b + 4 * i, sizeof y);
        for (uint32_t k = 0; k < times; k++)
            multiply64(x, y);
        memcpy(product + 4 * i, x, sizeof x);
    }
}

typedef struct {
    float x, y, z, w;
} float4;

void nbody_step(SIZES, int n, float dt, float eps2, const float4 *bodies, float4 *velocities, float4 *moved)
{
    EACH_BLOCK {
        float4 tile[1024], self[1024], sum[1024];
        EACH_THREAD {
            int i = bid * bx + t;
            self[t] = i < n ? bodies[i] : (float4) {0};
            sum[t] = (float4) {0};
        }
        for (int start = 0; start < n; start += bx) {
            EACH_THREAD
                tile[t] = start + t < n ? bodies[start + t] : (float4) {0};
            EACH_THREAD
                for (int k = 0; k < bx; k++) {
                    float dx = tile[k].x - self[t].x, dy = tile[k].y - self[t].y, dz = tile[k].z - self[t].z;
                    float inverse = 1 / sqrtf(fmaf(dz, dz, fmaf(dx, dx, dy * dy)) + eps2);
                    float strength = tile[k].w * inverse * inverse * inverse;
                    sum[t].x = fmaf(dx, strength, sum[t].x);
                    sum[t].y = fmaf(dy, strength, sum[t].y);
                    sum[t].z = fmaf(dz, strength, sum[t].z);
                }
        }
        EACH_THREAD {
            int i = bid * bx + t;
            if (i < n) {
                float4 v = velocities[i];
                v.x = fmaf(dt, sum[t].x, v.x);
                v.y = fmaf(dt, sum[t].y, v.y);
                v.z = fmaf(dt, sum[t].z, v.z);
                velocities[i] = v;
                moved[i] = (float4) {fmaf(dt, v.x, self[t].x), fmaf(dt, v.y, self[t].y), fmaf(dt, v.z, self[t].z), self[t].w};
            }
        }
    }
}

void stencil(SIZES, int w, int h, float k, const float *in, float *out)
{
    EACH_BLOCK EACH_THREAD {
        int x = bid % gx * bx + t % bx, y = bid / gx * by + t / bx, i = y * w + x;
        if (x >= w || y >= h)
            continue;
        if (x == 0 || y == 0 || x == w - 1 || y == h - 1)
            out[i] = in[i];
        else
            out[i] = fmaf(k, fmaf(0.25f, in[i - w] + in[i + w] + (in[i - 1] + in[i + 1]), -in[i]), in[i]);
    }
}

static float normal(float d)
{
    float k = 1 / fmaf(0.2316419f, fabsf(d), 1.0f);
    float p = fmaf(k, 1.330274429f, -1.821255978f);
    p = fmaf(k, p, 1.781477937f);
    p = fmaf(k, p, -0.356563782f);
    p = fmaf(k, p, 0.319381530f);
    float tail = 0.39894228f * expf(-0.5f * d * d) * (k * p);
    return d > 0.0f ? 1.0f - tail : tail;
}

void black_scholes(SIZES, uint32_t n, float rate, float volatility, const float *spot, const float *strike, const float *years,
    float *call, float *put)
{
    EACH_BLOCK EACH_THREAD {
        uint32_t i = bid * bx + t;
        if (i >= n)
            continue;
        float s = spot[i], x = strike[i], root = sqrtf(years[i]);
        float d1 = (logf(s / x) + (rate + 0.5f * volatility * volatility) * years[i]) / (volatility * root);
        float n1 = normal(d1), n2 = normal(d1 - volatility * root), discounted = x * expf(-rate * years[i]);
        call[i] = s * n1 - discounted * n2;
        put[i] = discounted * (1.0f - n2) - s * (1.0f - n1);
    }
}

static const uint32_t ROUND[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};
static const uint32_t FIRST[8] = {
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
};

static void compress(uint32_t *digest, uint32_t *w)
{
    uint32_t v[8];
    memcpy(v, digest, sizeof v);
    for (int r = 0; r < 64; r++) {
        if (r >= 16) {
            uint32_t early = w[(r + 1) % 16], late = w[(r + 14) % 16];
            w[r % 16] += (rotr(early, 7) ^ rotr(early, 18) ^ early >> 3) + w[(r + 9) % 16] + (rotr(late, 17) ^ rotr(late, 19) ^ late >> 10);
        }
        uint32_t t1 = v[7] + (rotr(v[4], 6) ^ rotr(v[4], 11) ^ rotr(v[4], 25)) + ((v[4] & v[5]) ^ (~v[4] & v[6])) + ROUND[r] + w[r % 16];
        uint32_t t2 = (rotr(v[0], 2) ^ rotr(v[0], 13) ^ rotr(v[0], 22)) + ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
        memmove(v + 1, v, 7 * sizeof *v);
        v[4] += t1;
        v[0] = t1 + t2;
    }
    for (int k = 0; k < 8; k++)
        digest[k] += v[k];
}

void sha256_chain(SIZES, uint32_t count, uint32_t first, uint32_t iterations, uint32_t *digests)
{
    EACH_BLOCK EACH_THREAD {
        uint32_t i = bid * bx + t, digest[8];
        if (i >= count)
            continue;
        for (int k = 0; k < 8; k++)
            digest[k] = first + i;
        for (uint32_t iteration = 0; iteration < iterations; iteration++) {
            uint32_t message[16], padding[16] = {0x80000000};
            padding[15] = 512;
            memcpy(message, digest, sizeof digest);
            memcpy(message + 8, digest, sizeof digest);
            memcpy(digest, FIRST, sizeof digest);
            compress(digest, message);
            compress(digest, padding);
        }
        memcpy(digests + 8 * i, digest, sizeof digest);
    }
}

#define MOST_THREADS 1024

void scan_blocks(SIZES, uint32_t n, const uint32_t *in, uint32_t *out, uint32_t *sums)
{
    EACH_BLOCK {
        uint32_t words[2][MOST_THREADS], *from = words[0], *to = words[1];
        EACH_THREAD {
            uint32_t i = bid * bx + t;
            from[t] = i < n ? in[i] : 0;
        }
        for (int distance = 1; distance < bx; distance *= 2) {
            EACH_THREAD
                to[t] = t >= distance ? from[t] + from[t - distance] : from[t];
            uint32_t *swap = from;
            from = to;
            to = swap;
        }
        EACH_THREAD {
            uint32_t i = bid * bx + t;
            if (i < n)
                out[i] = from[t];
            if (t == bx - 1)
                sums[bid] = from[t];
        }
    }
}

void block_sums(SIZES, const int32_t *in, int32_t *sums)
{
    EACH_BLOCK {
        int32_t values[MOST_THREADS];
        EACH_THREAD
            values[t] = in[bid * bx + t];
        for (uint32_t distance = bx / 2; distance > 0; distance /= 2)
            EACH_THREAD
                if (t < distance)
                    values[t] += values[t + distance];
        sums[bid] = values[0];
    }
}

void add_offsets(SIZES, uint32_t n, uint32_t *out, const uint32_t *scannedSums)
{
    EACH_BLOCK EACH_THREAD {
        uint32_t i = bid * bx + t;
        if (bid > 0 && i < n)
            out[i] += scannedSums[bid - 1];
    }
}

static inline void order(uint32_t *keys, int low, int high)
{
    uint32_t a = keys[low], b = keys[high];
    keys[low] = a < b ? a : b;
    keys[high] = a < b ? b : a;
}

void bitonic_blocks(SIZES, const uint32_t *in, uint32_t *out)
{
    EACH_BLOCK {
        uint32_t keys[2 * MOST_THREADS], start = bid * 2 * bx;
        EACH_THREAD {
            keys[t] = in[start + t];
            keys[t + bx] = in[start + t + bx];
        }
        for (int height = 2; height <= 2 * bx; height *= 2) {
            EACH_THREAD {
                int within = t & (height / 2 - 1), group = 2 * (t - within);
                order(keys, group + within, group + height - 1 - within);
            }
            for (int half = height / 4; half > 0; half /= 2)
                EACH_THREAD {
                    int within = t & (half - 1), group = 2 * (t - within);
                    order(keys, group + within, group + within + half);
                }
        }
        EACH_THREAD {
            out[start + t] = keys[t];
            out[start + t + bx] = keys[t + bx];
        }
    }
}

static const uint64_t KECCAK_ROUND[24] = {
    0x0000000000000001, 0x0000000000008082, 0x800000000000808a, 0x8000000080008000, 0x000000000000808b, 0x0000000080000001,
    0x8000000080008081, 0x8000000000008009, 0x000000000000008a, 0x0000000000000088, 0x0000000080008009, 0x000000008000000a,
    0x000000008000808b, 0x800000000000008b, 0x8000000000008089, 0x8000000000008003, 0x8000000000008002, 0x8000000000000080,
    0x000000000000800a, 0x800000008000000a, 0x8000000080008081, 0x8000000000008080, 0x0000000080000001, 0x8000000080008008,
};
static const int KECCAK_OFFSET[25] = {0, 1, 62, 28, 27, 36, 44, 6, 55, 20, 3, 10, 43, 25, 39, 41, 45, 15, 21, 8, 18, 2, 61, 56, 14};

static inline uint64_t rotl64(uint64_t x, int bits)
{
    return x << bits | x >> (-bits & 63);
}

void keccak(SIZES, uint32_t n, uint32_t times, uint64_t *states)
{
    EACH_BLOCK EACH_THREAD {
        uint32_t i = bid * bx + t;
        if (i >= n)
            continue;
        uint64_t a[25];
        for (int w = 0; w < 25; w++)
            a[w] = states[(uint64_t) w * n + i];
        for (uint32_t round = 0; round < 24 * times; round++) {
            uint64_t c[5], b[25];
            for (int x = 0; x < 5; x++)
                c[x] = a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20];
#pragma GCC unroll 5
            for (int x = 0; x < 5; x++) {
                uint64_t d = c[(x + 4) % 5] ^ rotl64(c[(x + 1) % 5], 1);
#pragma GCC unroll 5
                for (int y = 0; y < 5; y++)
                    b[y + 5 * ((2 * x + 3 * y) % 5)] = rotl64(a[x + 5 * y] ^ d, KECCAK_OFFSET[x + 5 * y]);
            }
#pragma GCC unroll 25
            for (int w = 0; w < 25; w++)
                a[w] = b[w] ^ (~b[w / 5 * 5 + (w + 1) % 5] & b[w / 5 * 5 + (w + 2) % 5]);
            a[0] ^= KECCAK_ROUND[round % 24];
        }
        for (int w = 0; w < 25; w++)
            states[(uint64_t) w * n + i] = a[w];
    }
}

#define LIMBS 32

static void multiply1024(uint32_t *product, const uint32_t *a, const uint32_t *b, const uint32_t *m, uint32_t minusInverse)
{
    uint32_t t[LIMBS + 1] = {0};
    for (int i = 0; i < LIMBS; i++) {
        uint64_t carry = 0;
        for (int j = 0; j < LIMBS; j++) {
            carry += (uint64_t) a[j] * b[i] + t[j];
            t[j] = (uint32_t) carry;
            carry >>= 32;
        }
        uint64_t top = t[LIMBS] + carry;
        uint32_t factor = t[0] * minusInverse;
        carry = ((uint64_t) m[0] * factor + t[0]) >> 32;
        for (int j = 1; j < LIMBS; j++) {
            carry += (uint64_t) m[j] * factor + t[j];
            t[j - 1] = (uint32_t) carry;
            carry >>= 32;
        }
        top += carry;
        t[LIMBS - 1] = (uint32_t) top;
        t[LIMBS] = top >> 32;
    }
    uint32_t less[LIMBS], borrow = 0;
    for (int j = 0; j < LIMBS; j++) {
        uint64_t difference = (uint64_t) t[j] - m[j] - borrow;
        less[j] = (uint32_t) difference;
        borrow = difference >> 63;
    }
    memcpy(product, borrow > t[LIMBS] ? t : less, sizeof less);
}

void modexp(SIZES, uint32_t n, uint32_t exponent, uint32_t minusInverse, const uint32_t *modulus, const uint32_t *bases, uint32_t *powers)
{
    EACH_BLOCK EACH_THREAD {
        uint32_t i = bid * bx + t, base[LIMBS], power[LIMBS];
        if (i >= n)
            continue;
        memcpy(base, bases + LIMBS * i, sizeof base);
        memcpy(power, base, sizeof power);
        for (int bit = 30 - __builtin_clz(exponent); bit >= 0; bit--) {
            multiply1024(power, power, power, modulus, minusInverse);
            if (exponent >> bit & 1)
                multiply1024(power, power, base, modulus, minusInverse);
        }
        memcpy(powers + LIMBS * i, power, sizeof power);
    }
}

void bfs_start(SIZES, uint32_t n, int32_t *depth)
{
    EACH_BLOCK EACH_THREAD {
        uint32_t v = bid * bx + t;
        if (v < n)
            depth[v] = v == 0 ? 0 : -1;
    }
}

void bfs_level(SIZES, uint32_t n, int32_t level, const uint32_t *offsets, const uint32_t *edges, int32_t *depth)
{
    EACH_BLOCK EACH_THREAD {
        uint32_t v = bid * bx + t;
        if (v >= n || depth[v] != level)
            continue;
        for (uint32_t e = offsets[v]; e < offsets[v + 1]; e++)
            if (depth[edges[e]] < 0)
                depth[edges[e]] = level + 1;
    }
}

/* The same with the machine's own vectors, where it has AVX-512 and somebody has written them. */
#ifdef __AVX512F__
#include <immintrin.h>

void avx512_saxpy(SIZES, uint32_t n, float a, const float *x, float *y)
{
    __m512 factor = _mm512_set1_ps(a);
#pragma omp parallel for schedule(static)
    for (uint32_t i = 0; i < n / 16; i++)
        _mm512_storeu_ps(y + 16 * i, _mm512_fmadd_ps(factor, _mm512_loadu_ps(x + 16 * i), _mm512_loadu_ps(y + 16 * i)));
    for (uint32_t i = n / 16 * 16; i < n; i++)
        y[i] = fmaf(a, x[i], y[i]);
}

void avx512_hash(SIZES, uint32_t n, uint32_t *out)
{
    __m512i lanes = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15), factor = _mm512_set1_epi32(0x9e3779b1);
#pragma omp parallel for schedule(static)
    for (uint32_t i = 0; i < n; i += 64) {
        __m512i index[4], h[4];
        for (int v = 0; v < 4; v++)
            h[v] = index[v] = _mm512_add_epi32(lanes, _mm512_set1_epi32(i + 16 * v));
        for (uint32_t round = 0; round < 64; round++)
            for (int v = 0; v < 4; v++) {
                h[v] = _mm512_rol_epi32(_mm512_mullo_epi32(h[v], factor), 13);
                h[v] = _mm512_add_epi32(_mm512_xor_si512(h[v], _mm512_set1_epi32(round)), index[v]);
            }
        for (int v = 0; v < 4; v++) {
            uint32_t from = i + 16 * v;
            uint32_t left = from < n ? n - from : 0;
            _mm512_mask_storeu_epi32(out + from, left >= 16 ? 0xffff : (1u << left) - 1, h[v]);
        }
    }
}

void avx512_sum_partial_f32(SIZES, uint32_t n, const float *x, float *partial)
{
    EACH_BLOCK {
        float sum[1024], warps[32] = {0};
        for (int t = 0; t < bx; t += 32) {
            __m512 low = _mm512_setzero_ps(), high = _mm512_setzero_ps();
            uint32_t i = bid * bx + t;
            for (; i + 32 <= n; i += gx * bx) {
                low = _mm512_add_ps(low, _mm512_loadu_ps(x + i));
                high = _mm512_add_ps(high, _mm512_loadu_ps(x + i + 16));
            }
            _mm512_storeu_ps(sum + t, low);
            _mm512_storeu_ps(sum + t + 16, high);
            for (uint32_t k = i; k < n && k < i + 32; k++)
                sum[t + k - i] += x[k];
        }
        for (int warp = 0; warp < bx / 32; warp++)
            warps[warp] = warp_sum(sum + 32 * warp);
        partial[bid] = warp_sum(warps);
    }
}

void avx512_block_sums(SIZES, const int32_t *in, int32_t *sums)
{
    EACH_BLOCK {
        __m512i sum = _mm512_setzero_si512();
        for (int t = 0; t < bx; t += 16)
            sum = _mm512_add_epi32(sum, _mm512_loadu_si512(in + bid * bx + t));
        sums[bid] = _mm512_reduce_add_epi32(sum);
    }
}

/* The steps of 32 neighbouring points of a row, the first of them at (px, cy). */
static inline void avx512_steps(int32_t *steps, int px, float cy, float x0, float dx, int limit)
{
    __m512i lanes = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    __m512 cx[2], x[2], y[2];
    __m512i count[2];
    __mmask16 inside[2] = {0xffff, 0xffff};
    for (int v = 0; v < 2; v++) {
        __m512 column = _mm512_cvtepi32_ps(_mm512_add_epi32(lanes, _mm512_set1_epi32(px + 16 * v)));
        cx[v] = _mm512_fmadd_ps(column, _mm512_set1_ps(dx), _mm512_set1_ps(x0));
        x[v] = y[v] = _mm512_setzero_ps();
        count[v] = _mm512_setzero_si512();
    }
    for (int step = 0; step < limit && inside[0] | inside[1]; step++)
        for (int v = 0; v < 2; v++) {
            __m512 xx = _mm512_mul_ps(x[v], x[v]), yy = _mm512_mul_ps(y[v], y[v]);
            inside[v] = _mm512_mask_cmp_ps_mask(inside[v], _mm512_add_ps(xx, yy), _mm512_set1_ps(4), _CMP_LE_OQ);
            count[v] = _mm512_mask_add_epi32(count[v], inside[v], count[v], _mm512_set1_epi32(1));
            y[v] = _mm512_fmadd_ps(_mm512_add_ps(x[v], x[v]), y[v], _mm512_set1_ps(cy));
            x[v] = _mm512_add_ps(_mm512_sub_ps(xx, yy), cx[v]);
        }
    _mm512_storeu_si512(steps, count[0]);
    _mm512_storeu_si512(steps + 16, count[1]);
}

/* Rows are whole multiples of 32 points. */
void avx512_escape(SIZES, int32_t *steps, int w, int h, float x0, float y0, float dx, float dy, int limit)
{
#pragma omp parallel for schedule(dynamic, 4)
    for (int py = 0; py < h; py++)
        for (int px = 0; px < w; px += 32)
            avx512_steps(steps + py * w + px, px, fmaf((float) py, dy, y0), x0, dx, limit);
}

void avx512_mandelbrot(SIZES, uint8_t *rgb, int w, int h, float x0, float y0, float dx, float dy, int limit)
{
#pragma omp parallel for schedule(dynamic, 4)
    for (int py = 0; py < h; py++)
        for (int px = 0; px < w; px += 32) {
            int32_t count[32];
            avx512_steps(count, px, fmaf((float) py, dy, y0), x0, dx, limit);
            for (int k = 0; k < 32 && px + k < w; k++) {
                int band = count[k] / 8 % 8, within = count[k] % 8;
                for (int channel = 0; channel < 3; channel++) {
                    int from = COLOURS[band][channel], to = COLOURS[(band + 1) % 8][channel];
                    rgb[3 * ((int64_t) py * w + px + k) + channel] = count[k] == limit ? 0 : from + (to - from) * within / 8;
                }
            }
        }
}
#endif
