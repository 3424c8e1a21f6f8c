// Programs of the kinds that CUDA's suites have, for blocks of any size. ProgramsTest runs the PTX that build.sh makes of them.

#define FULL 0xffffffffu

// The lanes that this thread's warp has; the last warp of a block may be a part of one.
__device__ unsigned lanes() { int rest = blockDim.x - (threadIdx.x & ~31); return rest >= 32 ? FULL : (1u << rest) - 1; }

// Bitonic sort of 2^k numbers in shared memory by one block of any size.
extern "C" __global__ void bitonic(int *data, int n)
{
    extern __shared__ int s[];
    for (int i = threadIdx.x; i < n; i += blockDim.x) s[i] = data[i];
    for (int k = 2; k <= n; k <<= 1) {
        for (int j = k >> 1; j > 0; j >>= 1) {
            __syncthreads();
            for (int i = threadIdx.x; i < n; i += blockDim.x) {
                int other = i ^ j;
                if (other > i && (s[i] > s[other]) == ((i & k) == 0)) { int t = s[i]; s[i] = s[other]; s[other] = t; }
            }
        }
    }
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x) data[i] = s[i];
}

// One pass of a radix sort by one bit: stable, with ballots and a scan over warps; one block.
extern "C" __global__ void radix_pass(const unsigned *in, unsigned *out, int n, int bit)
{
    __shared__ int zeros[32], base, total;
    int lane = threadIdx.x & 31, warp = threadIdx.x >> 5, warps = (blockDim.x + 31) >> 5;
    if (threadIdx.x == 0) { total = 0; for (int i = 0; i < n; i++) total += !(in[i] >> bit & 1); base = 0; }
    __syncthreads();
    for (int start = 0; start < n; start += blockDim.x) {
        int i = start + threadIdx.x;
        bool there = i < n, zero = there && !(in[there ? i : 0] >> bit & 1);
        unsigned mask = __ballot_sync(lanes(), zero);
        if (lane == 0) zeros[warp] = __popc(mask);
        __syncthreads();
        int before = base;
        for (int w = 0; w < warp; w++) before += zeros[w];
        before += __popc(mask & ((1u << lane) - 1));
        if (there) out[zero ? before : total + i - before] = in[i];
        __syncthreads();
        if (threadIdx.x == 0) for (int w = 0; w < warps; w++) base += zeros[w];
        __syncthreads();
    }
}

// Inclusive scan in one block: Hillis and Steele in two buffers.
extern "C" __global__ void scan_steps(const int *in, int *out, int n)
{
    extern __shared__ int s[];
    int *from = s, *to = s + n;
    for (int i = threadIdx.x; i < n; i += blockDim.x) from[i] = in[i];
    __syncthreads();
    for (int d = 1; d < n; d <<= 1) {
        for (int i = threadIdx.x; i < n; i += blockDim.x) to[i] = from[i] + (i >= d ? from[i - d] : 0);
        int *t = from; from = to; to = t;
        __syncthreads();
    }
    for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = from[i];
}

// Exclusive scan of 2^k numbers: Blelloch's tree.
extern "C" __global__ void scan_tree(int *data, int n)
{
    extern __shared__ int s[];
    for (int i = threadIdx.x; i < n; i += blockDim.x) s[i] = data[i];
    for (int d = 1; d < n; d <<= 1) {
        __syncthreads();
        for (int i = threadIdx.x; i < n / (2 * d); i += blockDim.x) s[2 * d * (i + 1) - 1] += s[2 * d * i + d - 1];
    }
    __syncthreads();
    if (threadIdx.x == 0) s[n - 1] = 0;
    for (int d = n >> 1; d > 0; d >>= 1) {
        __syncthreads();
        for (int i = threadIdx.x; i < n / (2 * d); i += blockDim.x) {
            int left = 2 * d * i + d - 1, right = 2 * d * (i + 1) - 1, t = s[left];
            s[left] = s[right];
            s[right] += t;
        }
    }
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x) data[i] = s[i];
}

// Sums in seven styles; out[0] must be 0 before.
template <int STYLE> __device__ void reduce(const int *in, int *out, int n)
{
    extern __shared__ int s[];
    int t = threadIdx.x, size = blockDim.x, sum = 0;
    for (int i = blockIdx.x * size + t; i < n; i += gridDim.x * size) sum += in[i];
    if (STYLE == 0) { atomicAdd(out, sum); return; }
    if (STYLE == 1) {
        for (int d = 16; d > 0; d >>= 1) { int o = __shfl_down_sync(lanes(), sum, d); if ((t & 31) + d < 32 && t + d < size) sum += o; }
        if ((t & 31) == 0) atomicAdd(out, sum);
        return;
    }
    s[t] = sum;
    __syncthreads();
    if (STYLE == 2) {
        for (int d = 1; d < size; d *= 2) { if (t % (2 * d) == 0 && t + d < size) s[t] += s[t + d]; __syncthreads(); }
    } else if (STYLE == 3) {
        for (int d = 1; d < size; d *= 2) { int i = 2 * d * t; if (i + d < size) s[i] += s[i + d]; __syncthreads(); }
    } else if (STYLE == 4) {
        for (int rest = size; rest > 1;) { int half = (rest + 1) / 2; if (t + half < rest) s[t] += s[t + half]; rest = half; __syncthreads(); }
    } else if (STYLE == 5) {
        int rest = size;
        while (rest > 32) { int half = (rest + 1) / 2; if (t + half < rest) s[t] += s[t + half]; rest = half; __syncthreads(); }
        if (t < 32) {
            int v = t < rest ? s[t] : 0;
            for (int d = 16; d > 0; d >>= 1) { int o = __shfl_down_sync(lanes(), v, d); if (t + d < rest) v += o; }
            if (t == 0) s[0] = v;
        }
    } else {
        if (t == 0) for (int i = 1; i < size; i++) s[0] += s[i];
    }
    if (t == 0) atomicAdd(out, s[0]);
}
#define REDUCE(style) extern "C" __global__ void reduce##style(const int *in, int *out, int n) { reduce<style>(in, out, n); }
REDUCE(0) REDUCE(1) REDUCE(2) REDUCE(3) REDUCE(4) REDUCE(5) REDUCE(6)

// Breadth-first search by one block with queues in global memory.
extern "C" __global__ void bfs(const int *rows, const int *cols, int *depth, int *queue, int n, int root)
{
    __shared__ int head, tail, end;
    for (int i = threadIdx.x; i < n; i += blockDim.x) depth[i] = i == root ? 0 : -1;
    if (threadIdx.x == 0) { queue[0] = root; head = 0; tail = 1; end = 1; }
    __syncthreads();
    for (int d = 1; head < tail; d++) {
        for (int q = head + threadIdx.x; q < tail; q += blockDim.x)
            for (int e = rows[queue[q]]; e < rows[queue[q] + 1]; e++)
                if (atomicCAS(&depth[cols[e]], -1, d) == -1) queue[atomicAdd(&end, 1)] = cols[e];
        __syncthreads();
        if (threadIdx.x == 0) { head = tail; tail = end; }
        __syncthreads();
    }
}

// Shortest paths: Bellman and Ford until nothing changes.
extern "C" __global__ void shortest(const int *from, const int *to, const int *weight, int *distance, int edges)
{
    __shared__ int changed;
    do {
        __syncthreads();
        if (threadIdx.x == 0) changed = 0;
        __syncthreads();
        for (int e = threadIdx.x; e < edges; e += blockDim.x) {
            int d = *(volatile int *) &distance[from[e]];
            if (d != 0x7fffffff && d + weight[e] < atomicMin(&distance[to[e]], d + weight[e])) changed = 1;
        }
        __syncthreads();
    } while (changed);
}

// Longest common subsequence: a barrier for each of the 2n - 1 diagonals.
extern "C" __global__ void lcs(const char *a, const char *b, int n, int *length)
{
    extern __shared__ int s[];
    int *two = s, *one = s + n + 1, *now = s + 2 * (n + 1);
    for (int i = threadIdx.x; i < 3 * (n + 1); i += blockDim.x) s[i] = 0;
    for (int d = 0; d < 2 * n - 1; d++) {
        __syncthreads();
        for (int i = max(0, d - n + 1) + threadIdx.x; i <= min(d, n - 1); i += blockDim.x) {
            int j = d - i;
            now[i + 1] = a[i] == b[j] ? (i > 0 && j > 0 ? two[i] : 0) + 1 : max(i > 0 ? one[i] : 0, j > 0 ? one[i + 1] : 0);
        }
        int *t = two; two = one; one = now; now = t;
    }
    __syncthreads();
    if (threadIdx.x == 0) *length = one[n];
}

// LU decomposition in place, with the row of the largest pivot; one block.
extern "C" __global__ void lu(double *a, int *pivots, int n)
{
    __shared__ int best;
    for (int k = 0; k < n; k++) {
        if (threadIdx.x == 0) {
            best = k;
            for (int i = k + 1; i < n; i++) if (fabs(a[i * n + k]) > fabs(a[best * n + k])) best = i;
            pivots[k] = best;
        }
        __syncthreads();
        if (best != k)
            for (int j = threadIdx.x; j < n; j += blockDim.x) { double t = a[k * n + j]; a[k * n + j] = a[best * n + j]; a[best * n + j] = t; }
        __syncthreads();
        for (int i = k + 1 + threadIdx.x; i < n; i += blockDim.x) a[i * n + k] = __ddiv_rn(a[i * n + k], a[k * n + k]);
        __syncthreads();
        int rest = n - k - 1;
        for (int c = threadIdx.x; c < rest * rest; c += blockDim.x) {
            int i = k + 1 + c / rest, j = k + 1 + c % rest;
            a[i * n + j] = __dadd_rn(a[i * n + j], -__dmul_rn(a[i * n + k], a[k * n + j]));
        }
        __syncthreads();
    }
}

// One step of gravity among n bodies, tile by tile.
extern "C" __global__ void nbody(const float4 *body, float4 *force, int n)
{
    extern __shared__ float4 tile[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 me = i < n ? body[i] : make_float4(0, 0, 0, 0), sum = make_float4(0, 0, 0, 0);
    for (int start = 0; start < n; start += blockDim.x) {
        int j = start + threadIdx.x;
        if (j < n) tile[threadIdx.x] = body[j];
        __syncthreads();
        for (int k = 0; k < min((int) blockDim.x, n - start); k++) {
            float x = __fsub_rn(tile[k].x, me.x), y = __fsub_rn(tile[k].y, me.y), z = __fsub_rn(tile[k].z, me.z);
            float r = __fadd_rn(__fadd_rn(__fadd_rn(__fmul_rn(x, x), __fmul_rn(y, y)), __fmul_rn(z, z)), 0.01f);
            float w = __fdiv_rn(tile[k].w, __fmul_rn(r, __fsqrt_rn(r)));
            sum.x = __fmaf_rn(x, w, sum.x); sum.y = __fmaf_rn(y, w, sum.y); sum.z = __fmaf_rn(z, w, sum.z);
        }
        __syncthreads();
    }
    if (i < n) force[i] = sum;
}

// Keeps the multiples of three: one atomic for each warp; the order is open.
extern "C" __global__ void keep(const int *in, int *out, int *count, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        if (in[i] % 3 == 0) {
            unsigned active = __activemask(), lane;
            asm("mov.u32 %0, %%laneid;" : "=r"(lane));
            int leader = __ffs(active) - 1, place;
            if (lane == leader) place = atomicAdd(count, __popc(active));
            place = __shfl_sync(active, place, leader) + __popc(active & ((1u << lane) - 1));
            out[place] = in[i];
        }
    }
}

// Histogram of bytes, counted in shared memory first.
extern "C" __global__ void histogram(const unsigned char *in, unsigned *bins, int n)
{
    __shared__ unsigned own[256];
    for (int i = threadIdx.x; i < 256; i += blockDim.x) own[i] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&own[in[i]], 1);
    __syncthreads();
    for (int i = threadIdx.x; i < 256; i += blockDim.x) if (own[i]) atomicAdd(&bins[i], own[i]);
}

// The last block to end adds the sums of all up.
__device__ unsigned ended;
extern "C" __global__ void last_block(const int *in, long long *sums, long long *total, int n)
{
    __shared__ long long sum;
    __shared__ bool last;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd((unsigned long long *) &sum, (unsigned long long) in[i]);
    __syncthreads();
    if (threadIdx.x == 0) {
        sums[blockIdx.x] = sum;
        __threadfence();
        last = atomicInc(&ended, gridDim.x - 1) == gridDim.x - 1;
        if (last) { long long all = 0; for (int b = 0; b < gridDim.x; b++) all += ((volatile long long *) sums)[b]; *total = all; }
    }
}
