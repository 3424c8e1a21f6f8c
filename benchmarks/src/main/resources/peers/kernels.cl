/* The kernels of the workloads in OpenCL C, parameter by parameter as in CUDA. */
#define X get_global_id(0)
#define Y get_global_id(1)
#define T get_local_id(0)

kernel void saxpy(uint n, float a, global const float *x, global float *y)
{
    uint i = X;
    if (i < n)
        y[i] = fma(a, x[i], y[i]);
}

kernel void hash(uint n, global uint *out)
{
    uint i = X;
    if (i >= n)
        return;
    uint h = i;
    for (uint round = 0; round < 64; round++) {
        h *= 0x9e3779b1u;
        h = (rotate(h, 13u) ^ round) + i;
    }
    out[i] = h;
}

constant uchar COLOURS[8][3] = {
    {12, 16, 64}, {24, 72, 148}, {60, 140, 200}, {180, 220, 232}, {248, 236, 176}, {248, 176, 40}, {176, 84, 16}, {72, 24, 40},
};

kernel void mandelbrot(global uchar *rgb, int w, int h, float x0, float y0, float dx, float dy, int limit)
{
    int px = X, py = Y;
    if (px >= w || py >= h)
        return;
    float cx = fma((float) px, dx, x0), cy = fma((float) py, dy, y0), x = 0, y = 0;
    int step = 0;
    while (step < limit) {
        float xx = x * x, yy = y * y;
        if (xx + yy > 4.0f)
            break;
        y = fma(x + x, y, cy);
        x = xx - yy + cx;
        step++;
    }
    global uchar *pixel = rgb + 3 * ((long) py * w + px);
    int band = step / 8 % 8, within = step % 8;
    for (int channel = 0; channel < 3; channel++) {
        int from = COLOURS[band][channel], to = COLOURS[(band + 1) % 8][channel];
        pixel[channel] = step == limit ? 0 : from + (to - from) * within / 8;
    }
}

kernel void escape(global int *steps, int w, int h, float x0, float y0, float dx, float dy, int limit)
{
    int px = X, py = Y;
    if (px >= w || py >= h)
        return;
    float cx = fma((float) px, dx, x0), cy = fma((float) py, dy, y0), x = 0, y = 0;
    int step = 0;
    while (step < limit) {
        float xx = x * x, yy = y * y;
        if (xx + yy > 4.0f)
            break;
        y = fma(x + x, y, cy);
        x = xx - yy + cx;
        step++;
    }
    steps[py * w + px] = step;
}

kernel void matmul(int rows, int cols, int inner, global const float *a, global const float *b, global float *c)
{
    local float tileA[16][16], tileB[16][16];
    int tx = get_local_id(0), ty = get_local_id(1), row = Y, col = X;
    float sum = 0;
    for (int k = 0; k < inner; k += 16) {
        tileA[ty][tx] = row < rows && k + tx < inner ? a[row * inner + k + tx] : 0;
        tileB[ty][tx] = k + ty < inner && col < cols ? b[(k + ty) * cols + col] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = 0; i < 16; i++)
            sum = fma(tileA[ty][i], tileB[i][tx], sum);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (row < rows && col < cols)
        c[row * cols + col] = sum;
}

kernel void sgemm(int n, global const float *a, global const float *b, global float *c)
{
    local float tileA[16][64], tileB[16][64];
    int tx = get_local_id(0), ty = get_local_id(1), t = ty * 16 + tx, row = get_group_id(1) * 64, col = get_group_id(0) * 64;
    float sum[4][4] = {{0}};
    for (int k = 0; k < n; k += 16) {
        for (int e = t; e < 1024; e += 256) {
            tileA[e % 16][e / 16] = a[(row + e / 16) * n + k + e % 16];
            tileB[e / 64][e % 64] = b[(k + e / 64) * n + col + e % 64];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = 0; i < 16; i++)
            for (int r = 0; r < 4; r++)
                for (int s = 0; s < 4; s++)
                    sum[r][s] = fma(tileA[i][ty * 4 + r], tileB[i][tx * 4 + s], sum[r][s]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int r = 0; r < 4; r++)
        for (int s = 0; s < 4; s++)
            c[(row + ty * 4 + r) * n + col + tx * 4 + s] = sum[r][s];
}

kernel void block_sums(global const int *in, global int *sums)
{
    local int values[1024];
    values[T] = in[X];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint distance = get_local_size(0) / 2; distance > 0; distance /= 2) {
        if (T < distance)
            values[T] += values[T + distance];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (T == 0)
        sums[get_group_id(0)] = values[0];
}

kernel void sum_partial_f32(uint n, global const float *x, global float *partial)
{
    local float sums[1024];
    float sum = 0;
    for (uint i = X; i < n; i += get_global_size(0))
        sum += x[i];
    sums[T] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint distance = get_local_size(0) / 2; distance > 0; distance /= 2) {
        if (T < distance)
            sums[T] += sums[T + distance];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (T == 0)
        partial[get_group_id(0)] = sums[0];
}

kernel void histogram_shared(uint n, global const uchar *data, global uint *bins)
{
    local uint blockBins[256];
    for (uint bin = T; bin < 256; bin += get_local_size(0))
        blockBins[bin] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = X; i < n; i += get_global_size(0))
        atomic_inc(&blockBins[data[i]]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint bin = T; bin < 256; bin += get_local_size(0))
        if (blockBins[bin])
            atomic_add(&bins[bin], blockBins[bin]);
}

constant uint P[8] = {
    0xd87cfd47, 0x3c208c16, 0x6871ca8d, 0x97816a91, 0x8181585d, 0xb85045b6, 0xe131a029, 0x30644e72,
};

kernel void montgomery_chain(uint n, uint times, global const uint *a, global const uint *b, global uint *product)
{
    uint i = X;
    if (i >= n)
        return;
    uint x[8], y[8];
    for (int k = 0; k < 8; k++) {
        x[k] = a[8 * i + k];
        y[k] = b[8 * i + k];
    }
    for (uint time = 0; time < times; time++) {
        uint r[9] = {0};
        for (int k = 0; k < 8; k++) {
            ulong carry = 0;
            for (int j = 0; j < 8; j++) {
                carry += (ulong) x[j] * y[k] + r[j];
                r[j] = (uint) carry;
                carry >>= 32;
            }
            ulong top = r[8] + carry;
            uint m = r[0] * 0xe4866389u;
            carry = ((ulong) m * P[0] + r[0]) >> 32;
            for (int j = 1; j < 8; j++) {
                carry += (ulong) m * P[j] + r[j];
                r[j - 1] = (uint) carry;
                carry >>= 32;
            }
            top += carry;
            r[7] = (uint) top;
            r[8] = (uint) (top >> 32);
        }
        uint less[8];
        ulong borrow = 0;
        for (int j = 0; j < 8; j++) {
            ulong difference = (ulong) r[j] - P[j] - borrow;
            less[j] = (uint) difference;
            borrow = difference >> 63;
        }
        for (int j = 0; j < 8; j++)
            x[j] = borrow > r[8] ? r[j] : less[j];
    }
    for (int k = 0; k < 8; k++)
        product[8 * i + k] = x[k];
}

constant ulong P64[4] = {0x3c208c16d87cfd47, 0x97816a916871ca8d, 0xb85045b68181585d, 0x30644e72e131a029};

/* sum + a b + carry: the low word is the result, the high word the next carry. */
ulong step64(ulong a, ulong b, ulong sum, ulong *carry)
{
    ulong low = a * b, high = mul_hi(a, b);
    low += sum;
    high += low < sum;
    low += *carry;
    high += low < *carry;
    *carry = high;
    return low;
}

kernel void montgomery_chain64(uint n, uint times, global const ulong *a, global const ulong *b, global ulong *product)
{
    uint i = X;
    if (i >= n)
        return;
    ulong x[4], y[4];
    for (int k = 0; k < 4; k++) {
        x[k] = a[4 * i + k];
        y[k] = b[4 * i + k];
    }
    for (uint time = 0; time < times; time++) {
        ulong r[6] = {0};
        for (int k = 0; k < 4; k++) {
            ulong carry = 0;
            for (int j = 0; j < 4; j++)
                r[j] = step64(x[j], y[k], r[j], &carry);
            r[4] += carry;
            r[5] = r[4] < carry;
            ulong m = r[0] * 0x87d20782e4866389ul;
            carry = 0;
            step64(m, P64[0], r[0], &carry);
            for (int j = 1; j < 4; j++)
                r[j - 1] = step64(m, P64[j], r[j], &carry);
            r[3] = r[4] + carry;
            r[4] = r[5] + (r[3] < carry);
        }
        ulong less[4], borrow = 0;
        for (int j = 0; j < 4; j++) {
            ulong difference = r[j] - P64[j];
            less[j] = difference - borrow;
            borrow = (r[j] < P64[j]) | (difference < borrow);
        }
        for (int j = 0; j < 4; j++)
            x[j] = borrow > r[4] ? r[j] : less[j];
    }
    for (int k = 0; k < 4; k++)
        product[4 * i + k] = x[k];
}

kernel void nbody_step(int n, float dt, float eps2, global const float4 *bodies, global float4 *velocities, global float4 *moved)
{
    local float4 tile[1024];
    int i = X, threads = get_local_size(0);
    float4 self = i < n ? bodies[i] : (float4) (0);
    float3 sum = (float3) (0);
    for (int start = 0; start < n; start += threads) {
        tile[T] = start + (int) T < n ? bodies[start + T] : (float4) (0);
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < threads; k++) {
            float3 d = tile[k].xyz - self.xyz;
            float inverse = native_rsqrt(dot(d, d) + eps2);
            sum += d * (tile[k].w * inverse * inverse * inverse);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (i < n) {
        float4 v = velocities[i];
        v.xyz += dt * sum;
        velocities[i] = v;
        moved[i] = (float4) (self.xyz + dt * v.xyz, self.w);
    }
}

kernel void stencil(int w, int h, float k, global const float *in, global float *out)
{
    int x = X, y = Y;
    if (x >= w || y >= h)
        return;
    int i = y * w + x;
    if (x == 0 || y == 0 || x == w - 1 || y == h - 1)
        out[i] = in[i];
    else
        out[i] = fma(k, fma(0.25f, in[i - w] + in[i + w] + (in[i - 1] + in[i + 1]), -in[i]), in[i]);
}

float normal(float d)
{
    float k = native_divide(1.0f, fma(0.2316419f, fabs(d), 1.0f));
    float p = fma(k, 1.330274429f, -1.821255978f);
    p = fma(k, p, 1.781477937f);
    p = fma(k, p, -0.356563782f);
    p = fma(k, p, 0.319381530f);
    float tail = 0.39894228f * native_exp(-0.5f * d * d) * (k * p);
    return d > 0.0f ? 1.0f - tail : tail;
}

kernel void black_scholes(uint n, float rate, float volatility, global const float *spot, global const float *strike,
    global const float *years, global float *call, global float *put)
{
    uint i = X;
    if (i >= n)
        return;
    float s = spot[i], x = strike[i], t = years[i], root = sqrt(t);
    float d1 = native_divide(native_log(native_divide(s, x)) + (rate + 0.5f * volatility * volatility) * t, volatility * root);
    float n1 = normal(d1), n2 = normal(d1 - volatility * root), discounted = x * native_exp(-rate * t);
    call[i] = s * n1 - discounted * n2;
    put[i] = discounted * (1.0f - n2) - s * (1.0f - n1);
}

constant uint ROUND[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};
constant uint FIRST[8] = {
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
};

void compress(uint *digest, uint *w)
{
    uint a = digest[0], b = digest[1], c = digest[2], d = digest[3], e = digest[4], f = digest[5], g = digest[6], h = digest[7];
#pragma unroll
    for (int t = 0; t < 64; t++) {
        if (t >= 16) {
            uint early = w[(t + 1) % 16], late = w[(t + 14) % 16];
            w[t % 16] += (rotate(early, 25u) ^ rotate(early, 14u) ^ early >> 3) + w[(t + 9) % 16]
                + (rotate(late, 15u) ^ rotate(late, 13u) ^ late >> 10);
        }
        uint t1 = h + (rotate(e, 26u) ^ rotate(e, 21u) ^ rotate(e, 7u)) + bitselect(g, f, e) + ROUND[t] + w[t % 16];
        uint t2 = (rotate(a, 30u) ^ rotate(a, 19u) ^ rotate(a, 10u)) + bitselect(a, b, c ^ a);
        h = g;
        g = f;
        f = e;
        e = d + t1;
        d = c;
        c = b;
        b = a;
        a = t1 + t2;
    }
    digest[0] += a;
    digest[1] += b;
    digest[2] += c;
    digest[3] += d;
    digest[4] += e;
    digest[5] += f;
    digest[6] += g;
    digest[7] += h;
}

kernel void sha256_chain(uint count, uint first, uint iterations, global uint *digests)
{
    uint i = X, digest[8];
    if (i >= count)
        return;
    for (int k = 0; k < 8; k++)
        digest[k] = first + i;
    for (uint iteration = 0; iteration < iterations; iteration++) {
        uint message[16], padding[16] = {0x80000000};
        padding[15] = 512;
        for (int k = 0; k < 16; k++)
            message[k] = digest[k % 8];
        for (int k = 0; k < 8; k++)
            digest[k] = FIRST[k];
        compress(digest, message);
        compress(digest, padding);
    }
    for (int k = 0; k < 8; k++)
        digests[8 * i + k] = digest[k];
}

kernel void scan_blocks(uint n, global const uint *in, global uint *out, global uint *sums)
{
    local uint words[2][1024];
    uint i = X, from = 0;
    words[0][T] = i < n ? in[i] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint distance = 1; distance < get_local_size(0); distance *= 2) {
        words[1 - from][T] = T >= distance ? words[from][T] + words[from][T - distance] : words[from][T];
        barrier(CLK_LOCAL_MEM_FENCE);
        from = 1 - from;
    }
    if (i < n)
        out[i] = words[from][T];
    if (T == get_local_size(0) - 1)
        sums[get_group_id(0)] = words[from][T];
}

kernel void add_offsets(uint n, global uint *out, global const uint *scannedSums)
{
    uint i = X;
    if (get_group_id(0) > 0 && i < n)
        out[i] += scannedSums[get_group_id(0) - 1];
}

void order(local uint *keys, uint low, uint high)
{
    uint a = keys[low], b = keys[high];
    keys[low] = min(a, b);
    keys[high] = max(a, b);
}

kernel void bitonic_blocks(global const uint *in, global uint *out)
{
    local uint keys[2048];
    uint threads = get_local_size(0), start = get_group_id(0) * 2 * threads;
    keys[T] = in[start + T];
    keys[T + threads] = in[start + T + threads];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint height = 2; height <= 2 * threads; height *= 2) {
        uint within = T & (height / 2 - 1), group = 2 * (T - within);
        order(keys, group + within, group + height - 1 - within);
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint half_ = height / 4; half_ > 0; half_ /= 2) {
            within = T & (half_ - 1);
            group = 2 * (T - within);
            order(keys, group + within, group + within + half_);
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    }
    out[start + T] = keys[T];
    out[start + T + threads] = keys[T + threads];
}

constant ulong KECCAK_ROUND[24] = {
    0x0000000000000001, 0x0000000000008082, 0x800000000000808a, 0x8000000080008000, 0x000000000000808b, 0x0000000080000001,
    0x8000000080008081, 0x8000000000008009, 0x000000000000008a, 0x0000000000000088, 0x0000000080008009, 0x000000008000000a,
    0x000000008000808b, 0x800000000000008b, 0x8000000000008089, 0x8000000000008003, 0x8000000000008002, 0x8000000000000080,
    0x000000000000800a, 0x800000008000000a, 0x8000000080008081, 0x8000000000008080, 0x0000000080000001, 0x8000000080008008,
};
constant uint KECCAK_OFFSET[25] = {0, 1, 62, 28, 27, 36, 44, 6, 55, 20, 3, 10, 43, 25, 39, 41, 45, 15, 21, 8, 18, 2, 61, 56, 14};

kernel void keccak(uint n, uint times, global ulong *states)
{
    uint i = X;
    if (i >= n)
        return;
    ulong a[25];
#pragma unroll
    for (int w = 0; w < 25; w++)
        a[w] = states[(ulong) w * n + i];
    for (uint round = 0; round < 24 * times; round++) {
        ulong c[5], b[25];
#pragma unroll
        for (int x = 0; x < 5; x++)
            c[x] = a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20];
#pragma unroll
        for (int x = 0; x < 5; x++) {
            ulong d = c[(x + 4) % 5] ^ rotate(c[(x + 1) % 5], 1ul);
#pragma unroll
            for (int y = 0; y < 5; y++)
                b[y + 5 * ((2 * x + 3 * y) % 5)] = rotate(a[x + 5 * y] ^ d, (ulong) KECCAK_OFFSET[x + 5 * y]);
        }
#pragma unroll
        for (int w = 0; w < 25; w++)
            a[w] = b[w] ^ (~b[w / 5 * 5 + (w + 1) % 5] & b[w / 5 * 5 + (w + 2) % 5]);
        a[0] ^= KECCAK_ROUND[round % 24];
    }
#pragma unroll
    for (int w = 0; w < 25; w++)
        states[(ulong) w * n + i] = a[w];
}

#define LIMBS 32

/* power b: operand scanning, limb by limb. */
void multiply1024(uint *power, const uint *b, global const uint *m, uint minusInverse)
{
    uint t[LIMBS + 1] = {0};
    for (int i = 0; i < LIMBS; i++) {
        ulong carry = 0;
        for (int j = 0; j < LIMBS; j++) {
            carry += (ulong) power[j] * b[i] + t[j];
            t[j] = (uint) carry;
            carry >>= 32;
        }
        ulong top = t[LIMBS] + carry;
        uint factor = t[0] * minusInverse;
        carry = ((ulong) m[0] * factor + t[0]) >> 32;
        for (int j = 1; j < LIMBS; j++) {
            carry += (ulong) m[j] * factor + t[j];
            t[j - 1] = (uint) carry;
            carry >>= 32;
        }
        top += carry;
        t[LIMBS - 1] = (uint) top;
        t[LIMBS] = top >> 32;
    }
    uint less[LIMBS], borrow = 0;
    for (int j = 0; j < LIMBS; j++) {
        ulong difference = (ulong) t[j] - m[j] - borrow;
        less[j] = (uint) difference;
        borrow = difference >> 63;
    }
    for (int j = 0; j < LIMBS; j++)
        power[j] = borrow > t[LIMBS] ? t[j] : less[j];
}

kernel void modexp(uint n, uint exponent, uint minusInverse, global const uint *modulus, global const uint *bases, global uint *powers)
{
    uint i = X, base[LIMBS], power[LIMBS];
    if (i >= n)
        return;
    for (int j = 0; j < LIMBS; j++)
        power[j] = base[j] = bases[LIMBS * i + j];
    for (int bit = 30 - (int) clz(exponent); bit >= 0; bit--) {
        multiply1024(power, power, modulus, minusInverse);
        if (exponent >> bit & 1)
            multiply1024(power, base, modulus, minusInverse);
    }
    for (int j = 0; j < LIMBS; j++)
        powers[LIMBS * i + j] = power[j];
}

kernel void bfs_start(uint n, global int *depth)
{
    uint v = X;
    if (v < n)
        depth[v] = v == 0 ? 0 : -1;
}

kernel void bfs_level(uint n, int level, global const uint *offsets, global const uint *edges, global int *depth)
{
    uint v = X;
    if (v >= n || depth[v] != level)
        return;
    for (uint e = offsets[v]; e < offsets[v + 1]; e++)
        if (depth[edges[e]] < 0)
            depth[edges[e]] = level + 1;
}
