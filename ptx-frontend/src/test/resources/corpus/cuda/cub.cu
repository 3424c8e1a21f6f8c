// Algorithms of CUB.
// compressed
// build: cub.sm_75 -arch=sm_75 -std=c++17 --expt-relaxed-constexpr --extended-lambda -w
// build: cub.sm_100a.fast -arch=sm_100a -use_fast_math -std=c++17 --expt-relaxed-constexpr --extended-lambda -w
// build: cub.sm_120.rdc -arch=sm_120 -rdc=true -std=c++17 --expt-relaxed-constexpr --extended-lambda -w
#include <cub/cub.cuh>
template <int T, int I> __global__ void blockScan(const int *in, int *out) {
    using Load = cub::BlockLoad<int, T, I, cub::BLOCK_LOAD_TRANSPOSE>;
    using Store = cub::BlockStore<int, T, I, cub::BLOCK_STORE_TRANSPOSE>;
    using Scan = cub::BlockScan<int, T>;
    __shared__ union { typename Load::TempStorage l; typename Store::TempStorage s; typename Scan::TempStorage c; } t;
    int items[I];
    Load(t.l).Load(in + blockIdx.x * T * I, items); __syncthreads();
    Scan(t.c).InclusiveSum(items, items); __syncthreads();
    Store(t.s).Store(out + blockIdx.x * T * I, items);
}
template __global__ void blockScan<128, 4>(const int *, int *);
template <int T> __global__ void sortBlock(unsigned *keys, unsigned *vals) {
    using Sort = cub::BlockRadixSort<unsigned, T, 4, unsigned>;
    __shared__ typename Sort::TempStorage t;
    unsigned k[4], v[4];
    for (int i = 0; i < 4; i++) { k[i] = keys[threadIdx.x * 4 + i]; v[i] = vals[threadIdx.x * 4 + i]; }
    Sort(t).Sort(k, v);
    for (int i = 0; i < 4; i++) { keys[threadIdx.x * 4 + i] = k[i]; vals[threadIdx.x * 4 + i] = v[i]; }
}
template __global__ void sortBlock<64>(unsigned *, unsigned *);
__global__ void warpReduce(const float *in, float *out) {
    using W = cub::WarpReduce<float>;
    __shared__ W::TempStorage t[4];
    float s = W(t[threadIdx.x / 32]).Sum(in[threadIdx.x]);
    if (threadIdx.x % 32 == 0) out[threadIdx.x / 32] = s;
}
__global__ void histo(const unsigned char *in, unsigned *out) {
    using H = cub::BlockHistogram<unsigned char, 128, 4, 256>;
    __shared__ H::TempStorage t; __shared__ unsigned bins[256];
    unsigned char d[4]; for (int i = 0; i < 4; i++) d[i] = in[threadIdx.x * 4 + i];
    H(t).Histogram(d, bins); __syncthreads();
    out[threadIdx.x] = bins[threadIdx.x]; out[threadIdx.x + 128] = bins[threadIdx.x + 128];
}
