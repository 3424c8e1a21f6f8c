// Bitonic sort of n keys, ascending, for any n: places past the end count as the greatest key.
// Every comparison puts the smaller key first, so those places never take part in a swap.
// With blocks of B threads, and n rounded up to a power of two N:
//   bitonic_block    sorts each run of 2B keys in shared memory
//   for height = 4B, 8B … N:
//       bitonic_flip(height), then bitonic_disperse(height/2), (height/4) … down to 4B, then bitonic_merge
// Dynamic shared memory: 8 bytes a thread.

extern __shared__ unsigned keys[];

__device__ void order(unsigned *data, unsigned n, unsigned low, unsigned high)
{
    if (high < n && data[low] > data[high]) {
        unsigned swap = data[low];
        data[low] = data[high];
        data[high] = swap;
    }
}

// The t-th pair of a step on groups of `height` keys: mirrored about the middle of its group…
__device__ void flip(unsigned *data, unsigned n, unsigned t, unsigned height)
{
    unsigned half = height / 2;
    unsigned group = t / half * height;
    order(data, n, group + t % half, group + height - 1 - t % half);
}

// …or half a group apart.
__device__ void disperse(unsigned *data, unsigned n, unsigned t, unsigned height)
{
    unsigned half = height / 2;
    unsigned low = t / half * height + t % half;
    order(data, n, low, low + half);
}

__device__ unsigned loadRun(const unsigned *data, unsigned n)
{
    unsigned start = blockIdx.x * 2 * blockDim.x;
    unsigned length = start >= n ? 0 : min(n - start, 2 * blockDim.x);
    for (unsigned i = threadIdx.x; i < length; i += blockDim.x)
        keys[i] = data[start + i];
    __syncthreads();
    return length;
}

__device__ void storeRun(unsigned *data, unsigned length)
{
    unsigned start = blockIdx.x * 2 * blockDim.x;
    for (unsigned i = threadIdx.x; i < length; i += blockDim.x)
        data[start + i] = keys[i];
}

__device__ void disperseRun(unsigned length, unsigned height)
{
    for (; height > 1; height /= 2) {
        disperse(keys, length, threadIdx.x, height);
        __syncthreads();
    }
}

extern "C" __global__ void bitonic_block(unsigned *data, unsigned n)
{
    unsigned length = loadRun(data, n);
    for (unsigned height = 2; height <= 2 * blockDim.x; height *= 2) {
        flip(keys, length, threadIdx.x, height);
        __syncthreads();
        disperseRun(length, height / 2);
    }
    storeRun(data, length);
}

extern "C" __global__ void bitonic_merge(unsigned *data, unsigned n)
{
    unsigned length = loadRun(data, n);
    disperseRun(length, 2 * blockDim.x);
    storeRun(data, length);
}

extern "C" __global__ void bitonic_flip(unsigned *data, unsigned n, unsigned height)
{
    flip(data, n, blockIdx.x * blockDim.x + threadIdx.x, height);
}

extern "C" __global__ void bitonic_disperse(unsigned *data, unsigned n, unsigned height)
{
    disperse(data, n, blockIdx.x * blockDim.x + threadIdx.x, height);
}
