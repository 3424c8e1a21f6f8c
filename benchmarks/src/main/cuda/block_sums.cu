// The sum of each run of blockDim.x numbers by a tree in shared memory, as the first version of every course on CUDA has it.
// blockDim.x is a power of two.

extern __shared__ int values[];

extern "C" __global__ void block_sums(const int *in, int *sums)
{
    unsigned t = threadIdx.x;
    values[t] = in[blockIdx.x * blockDim.x + t];
    __syncthreads();
    for (unsigned distance = blockDim.x / 2; distance > 0; distance /= 2) {
        if (t < distance)
            values[t] += values[t + distance];
        __syncthreads();
    }
    if (t == 0)
        sums[blockIdx.x] = values[0];
}
