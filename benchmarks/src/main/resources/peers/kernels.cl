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
