// Sums of arrays: warp shuffles inside each warp, shared memory between the warps of a block.
// Blocks have a multiple of 32 threads.

constexpr unsigned FULL_WARP = 0xffffffffu;

template <typename T>
__device__ T warpSum(T value)
{
    for (int distance = 16; distance > 0; distance >>= 1)
        value += __shfl_down_sync(FULL_WARP, value, distance);
    return value;
}

// The sum over the block; only thread 0 holds it.
template <typename T>
__device__ T blockSum(T value)
{
    __shared__ T warpSums[32];
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    value = warpSum(value);
    if (lane == 0)
        warpSums[warp] = value;
    __syncthreads();
    if (warp == 0)
        value = warpSum(lane < blockDim.x / 32 ? warpSums[lane] : T(0));
    return value;
}

// One partial sum for each block. A second launch with one block over the partial sums ends the reduction.
extern "C" __global__ void sum_partial_f32(unsigned n, const float *x, float *partial)
{
    float sum = 0.0f;
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        sum += x[i];
    sum = blockSum(sum);
    if (threadIdx.x == 0)
        partial[blockIdx.x] = sum;
}

// Every block adds its sum to *total, which the caller has set.
extern "C" __global__ void sum_atomic_u32(unsigned n, const unsigned *x, unsigned long long *total)
{
    unsigned long long sum = 0;
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        sum += x[i];
    sum = blockSum(sum);
    if (threadIdx.x == 0)
        atomicAdd(total, sum);
}
