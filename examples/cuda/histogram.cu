// How often each byte value occurs: with atomics on global memory alone, and with a histogram
// for each block in shared memory that is added to the global one at the end.

extern "C" __global__ void histogram_global(unsigned n, const unsigned char *data, unsigned *bins)
{
    unsigned stride = gridDim.x * blockDim.x;
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        atomicAdd(&bins[data[i]], 1u);
}

extern "C" __global__ void histogram_shared(unsigned n, const unsigned char *data, unsigned *bins)
{
    __shared__ unsigned blockBins[256];
    for (unsigned bin = threadIdx.x; bin < 256; bin += blockDim.x)
        blockBins[bin] = 0;
    __syncthreads();
    unsigned stride = gridDim.x * blockDim.x;
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        atomicAdd(&blockBins[data[i]], 1u);
    __syncthreads();
    for (unsigned bin = threadIdx.x; bin < 256; bin += blockDim.x)
        if (blockBins[bin] != 0)
            atomicAdd(&bins[bin], blockBins[bin]);
}
