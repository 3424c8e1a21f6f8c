// Algorithms of CUB for blocks of 128 threads with 8 elements each, and searches through data. BlocksTest runs the PTX that build.sh makes of them.

#include <cub/cub.cuh>

constexpr int THREADS = 128, EACH = 8, TILE = THREADS * EACH;
using Load = cub::BlockLoad<unsigned, THREADS, EACH, cub::BLOCK_LOAD_WARP_TRANSPOSE>;
using Store = cub::BlockStore<unsigned, THREADS, EACH, cub::BLOCK_STORE_WARP_TRANSPOSE>;

struct Less {
    __device__ bool operator()(unsigned a, unsigned b) const { return a < b; }
};

struct Minus {
    __device__ unsigned operator()(unsigned a, unsigned b) const { return a - b; }
};

// What a block algorithm makes of a tile, which warps load and store in the order of memory.
template <typename Algorithm, typename Work>
__device__ void tile(const unsigned *in, unsigned *out, Work work)
{
    __shared__ union {
        typename Load::TempStorage load;
        typename Store::TempStorage store;
        typename Algorithm::TempStorage algorithm;
    } shared;
    unsigned items[EACH];
    Load(shared.load).Load(in + blockIdx.x * TILE, items);
    __syncthreads();
    Algorithm algorithm(shared.algorithm);
    work(algorithm, items);
    __syncthreads();
    Store(shared.store).Store(out + blockIdx.x * TILE, items);
}

extern "C" __global__ void __launch_bounds__(THREADS) radix_sort(const unsigned *in, unsigned *out)
{
    using Algorithm = cub::BlockRadixSort<unsigned, THREADS, EACH>;
    tile<Algorithm>(in, out, [] __device__ (Algorithm &a, unsigned (&items)[EACH]) { a.Sort(items); });
}

extern "C" __global__ void __launch_bounds__(THREADS) merge_sort(const unsigned *in, unsigned *out)
{
    using Algorithm = cub::BlockMergeSort<unsigned, THREADS, EACH>;
    tile<Algorithm>(in, out, [] __device__ (Algorithm &a, unsigned (&items)[EACH]) { a.Sort(items, Less()); });
}

extern "C" __global__ void __launch_bounds__(THREADS) exclusive_sums(const unsigned *in, unsigned *out)
{
    using Algorithm = cub::BlockScan<unsigned, THREADS>;
    tile<Algorithm>(in, out, [] __device__ (Algorithm &a, unsigned (&items)[EACH]) { a.ExclusiveSum(items, items); });
}

extern "C" __global__ void __launch_bounds__(THREADS) differences(const unsigned *in, unsigned *out)
{
    using Algorithm = cub::BlockAdjacentDifference<unsigned, THREADS>;
    tile<Algorithm>(in, out, [] __device__ (Algorithm &a, unsigned (&items)[EACH]) { a.SubtractLeft(items, items, Minus()); });
}

// Multiples of 4, in their order; zeros behind them.
extern "C" __global__ void __launch_bounds__(THREADS) multiples(const unsigned *in, unsigned *out)
{
    using Algorithm = cub::BlockScan<int, THREADS>;
    __shared__ typename Algorithm::TempStorage shared;
    __shared__ unsigned kept[TILE];
    unsigned items[EACH];
    int wanted[EACH], place[EACH], total;
    cub::LoadDirectBlocked(threadIdx.x, in + blockIdx.x * TILE, items);
    for (int i = 0; i < EACH; i++) wanted[i] = items[i] % 4 == 0;
    Algorithm(shared).ExclusiveSum(wanted, place, total);
    for (int i = 0; i < EACH; i++) if (wanted[i]) kept[place[i]] = items[i];
    __syncthreads();
    for (int i = threadIdx.x; i < total; i += THREADS) out[blockIdx.x * TILE + i] = kept[i];
}

extern "C" __global__ void __launch_bounds__(THREADS) counts(const unsigned *in, unsigned *out)
{
    using Algorithm = cub::BlockHistogram<unsigned char, THREADS, EACH, 256, cub::BLOCK_HISTO_SORT>;
    __shared__ typename Algorithm::TempStorage shared;
    __shared__ unsigned bins[256];
    unsigned char items[EACH];
    for (int i = 0; i < EACH; i++) items[i] = in[blockIdx.x * TILE + i * THREADS + threadIdx.x];
    Algorithm(shared).Histogram(items, bins);
    __syncthreads();
    for (int i = threadIdx.x; i < 256; i += THREADS) out[blockIdx.x * TILE + i] = bins[i];
}

// The slot of each key in a table of 2^bits slots with open addressing, -1 where it has none; 0 is no key.
extern "C" __global__ void look_up(const unsigned *table, const unsigned *keys, int *slots, int n, int bits)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned key = keys[i], slot = key * 0x9e3779b1u >> (32 - bits);
    while (table[slot] != key && table[slot] != 0) slot = slot + 1 & (1u << bits) - 1;
    slots[i] = table[slot] == key ? (int) slot : -1;
}

// How many of n ascending numbers are less than each key.
extern "C" __global__ void lower_bounds(const unsigned *sorted, const unsigned *keys, int *places, int n, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    unsigned key = keys[i];
    int low = 0, high = n;
    while (low < high) {
        int middle = (low + high) / 2;
        if (sorted[middle] < key) low = middle + 1; else high = middle;
    }
    places[i] = low;
}

// The length of the list that begins at each element, by the number of the next one; negative at the end.
extern "C" __global__ void list_lengths(const int *next, int *lengths, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int length = 0;
    for (int at = i; at >= 0; at = next[at]) length++;
    lengths[i] = length;
}

// The first place behind each element whose number is the sum of its last two digits; its own place if there is none.
extern "C" __global__ void first_matches(const int *in, int *places, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int wanted = in[i] % 10 + in[i] / 10 % 10, found = i;
    for (int at = i + 1; at < n; at++) {
        if (in[at] == wanted) { found = at; break; }
    }
    places[i] = found;
}
