// A scan in one pass: each block publishes its sum, then its prefix, and looks back at the blocks before it. Blocks number
// themselves, so that those before have begun.

extern "C" __global__ void lookback(const unsigned* in, unsigned* out, int n, unsigned* ticket, unsigned long long* state) {
    extern __shared__ unsigned sums[];
    __shared__ unsigned tile;
    __shared__ unsigned before;
    if (threadIdx.x == 0) {
        tile = atomicAdd(ticket, 1);
    }
    __syncthreads();
    int i = tile * blockDim.x + threadIdx.x;
    unsigned own = i < n ? in[i] : 0;
    sums[threadIdx.x] = own;
    __syncthreads();
    for (int step = 1; step < blockDim.x; step *= 2) {
        unsigned left = threadIdx.x >= step ? sums[threadIdx.x - step] : 0;
        __syncthreads();
        sums[threadIdx.x] += left;
        __syncthreads();
    }
    unsigned total = sums[blockDim.x - 1];
    const unsigned long long SUM = 1ull << 32, PREFIX = 2ull << 32;
    if (threadIdx.x < 32) {
        if (threadIdx.x == 0) {
            atomicExch(&state[tile], (tile == 0 ? PREFIX : SUM) | total);
        }
        unsigned prefix = 0;
        int last = (int)tile - 1;
        while (last >= 0) {
            int at = last - (int)threadIdx.x;
            unsigned long long seen;
            do {
                seen = at >= 0 ? *(volatile unsigned long long*)&state[at] : PREFIX;
            } while (__any_sync(0xffffffffu, (seen >> 32) == 0));
            unsigned ends = __ballot_sync(0xffffffffu, (seen >> 32) == 2);
            int stop = ends == 0 ? 31 : __ffs(ends) - 1;
            unsigned part = (int)threadIdx.x <= stop ? (unsigned)seen : 0;
            prefix += __reduce_add_sync(0xffffffffu, part);
            if (ends != 0) {
                break;
            }
            last -= 32;
        }
        if (threadIdx.x == 0) {
            before = prefix;
            if (tile > 0) {
                atomicExch(&state[tile], PREFIX | (prefix + total));
            }
        }
    }
    __syncthreads();
    if (i < n) {
        out[i] = before + sums[threadIdx.x];
    }
}
