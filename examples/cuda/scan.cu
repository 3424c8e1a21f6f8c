// Inclusive prefix sums over many blocks, in three launches:
//   scan_blocks  over the data: each block scans its part and leaves its total in sums[block]
//   scan_blocks  over sums, with one block that is large enough
//   add_offsets  adds to each block the total of all blocks before it
// Dynamic shared memory: two words a thread.

extern __shared__ unsigned buffer[];

extern "C" __global__ void scan_blocks(unsigned n, const unsigned *in, unsigned *out, unsigned *sums)
{
    unsigned t = threadIdx.x;
    unsigned i = blockIdx.x * blockDim.x + t;
    unsigned *from = buffer, *to = buffer + blockDim.x;
    from[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (unsigned distance = 1; distance < blockDim.x; distance *= 2) {
        to[t] = t >= distance ? from[t] + from[t - distance] : from[t];
        __syncthreads();
        unsigned *swap = from;
        from = to;
        to = swap;
    }
    if (i < n)
        out[i] = from[t];
    if (t == blockDim.x - 1)
        sums[blockIdx.x] = from[t];
}

extern "C" __global__ void add_offsets(unsigned n, unsigned *out, const unsigned *scannedSums)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (blockIdx.x > 0 && i < n)
        out[i] += scannedSums[blockIdx.x - 1];
}
