// Sorts each run of 2 · blockDim.x keys in shared memory, ascending.

extern __shared__ unsigned keys[];

__device__ void order(unsigned low, unsigned high)
{
    unsigned a = keys[low], b = keys[high];
    keys[low] = min(a, b);
    keys[high] = max(a, b);
}

extern "C" __global__ void bitonic_blocks(const unsigned *in, unsigned *out)
{
    unsigned t = threadIdx.x, threads = blockDim.x, start = blockIdx.x * 2 * threads;
    keys[t] = in[start + t];
    keys[t + threads] = in[start + t + threads];
    __syncthreads();
    for (unsigned height = 2; height <= 2 * threads; height *= 2) {
        unsigned half = height / 2, within = t & (half - 1), group = 2 * (t - within);
        order(group + within, group + height - 1 - within);
        __syncthreads();
        for (half /= 2; half > 0; half /= 2) {
            within = t & (half - 1);
            group = 2 * (t - within);
            order(group + within, group + within + half);
            __syncthreads();
        }
    }
    out[start + t] = keys[t];
    out[start + t + threads] = keys[t + threads];
}
