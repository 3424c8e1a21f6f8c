// Warp operations where threads have gone different ways, each among those that their member mask names.

// As CUB's radix sort looks back: each thread adds up words of the blocks before until one is a sum, and those that go on vote who does.
extern "C" __global__ void lookback(volatile unsigned *words, unsigned *sums, unsigned *votes)
{
    int t = threadIdx.x;
    int block = blockIdx.x;
    const unsigned whole = 1u << 31, part = 1u << 30;
    unsigned own = (block * 37 + t * 11) % 101;
    words[block * blockDim.x + t] = own | (block == 0 ? whole : part);
    unsigned sum = own;
    unsigned mask = __ballot_sync(~0u, true);
    for (int before = block - 1; before >= 0; before--) {
        unsigned word;
        do {
            __threadfence_block();
            word = words[before * blockDim.x + t];
        } while (word == 0);
        sum += word & (part - 1);
        mask = __ballot_sync(mask, (word & whole) == 0);
        if (word & whole)
            break;
    }
    // Some of a block's threads tell later blocks all that they know.
    if ((t + block) % 5 < 2)
        words[block * blockDim.x + t] = sum | whole;
    sums[block * blockDim.x + t] = sum;
    if (block == 0)
        votes[t] = mask;
}

// Each thread leaves the loop in a turn of its own; those that are left shuffle and vote among themselves.
extern "C" __global__ void leave(const int *turns, int *out, int *seen)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x % 32;
    int left = turns[t];
    int value = t;
    int count = 0;
    unsigned mask = __activemask();
    while (true) {
        mask = __ballot_sync(mask, left > 0);
        if (left-- <= 0)
            break;
        int first = __ffs(mask) - 1;
        value += __shfl_sync(mask, value, first) + __reduce_max_sync(mask, lane);
        count += __popc(mask);
    }
    out[t] = value;
    __syncthreads();
    seen[t] = count;
}

// Threads with odd and with even words go different ways; those of each way take places in a list together, one of them for all: in one list of all blocks, or one of each block.
extern "C" __global__ void lists(const int *in, int *odd, int *even, int *length)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x % 32;
    int value = in[t];
    __shared__ int others;
    if (threadIdx.x == 0)
        others = 0;
    __syncthreads();
    unsigned all = __ballot_sync(~0u, value & 1);
    int place;
    if (value & 1) {
        int leader = __ffs(all) - 1;
        if (lane == leader)
            place = atomicAdd(length, __popc(all));
        place = __shfl_sync(all, place, leader) + __popc(all & (1u << lane) - 1);
        odd[place] = value;
    } else {
        int leader = __ffs(~all) - 1;
        if (lane == leader)
            place = atomicAdd(&others, __popc(~all));
        place = __shfl_sync(~all, place, leader) + __popc(~all & (1u << lane) - 1);
        even[blockIdx.x * blockDim.x + place] = value;
    }
}

// A barrier that tells all threads which way to go; on each way some threads vote alone before they meet again, and all of a warp add up what they have.
extern "C" __global__ void ways(const int *in, int *out)
{
    __shared__ int words[256];
    int t = threadIdx.x;
    int value = in[blockIdx.x * blockDim.x + t];
    int result;
    if (__syncthreads_or(value > 900)) {
        result = value;
        for (int turn = 0; turn < (t & 7); turn++)
            result += __popc(__match_any_sync(__activemask(), turn & result));
        words[t] = result;
        __syncthreads();
        result = words[t ^ 1];
    } else {
        result = 3 * value;
        if (t % 32 < 20)
            result += __any_sync(0xfffff, value == 7) ? 1000 : 0;
        __syncthreads();
        words[t] = result;
        __syncthreads();
        result += words[blockDim.x - 1 - t];
    }
    for (int d = 16; d > 0; d /= 2)
        result += __shfl_xor_sync(~0u, result, d);
    out[blockIdx.x * blockDim.x + t] = result;
}
