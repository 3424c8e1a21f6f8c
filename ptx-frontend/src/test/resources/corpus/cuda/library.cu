// build: library.sm_75 -arch=sm_75
// build: library.sm_100 -arch=sm_100
// Code of the CUB library as programs use it: block-wide sort, scan, reduction, load and store.
#include <cub/block/block_load.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_store.cuh>
#include <cub/warp/warp_merge_sort.cuh>

extern "C" __global__ void __launch_bounds__(64) sort_block(const int *in, int *out)
{
    using Load = cub::BlockLoad<int, 64, 4, cub::BLOCK_LOAD_WARP_TRANSPOSE>;
    using Sort = cub::BlockRadixSort<int, 64, 4>;
    __shared__ union { typename Load::TempStorage load; typename Sort::TempStorage sort; } temp;
    int keys[4];
    Load(temp.load).Load(in + blockIdx.x * 256, keys);
    __syncthreads();
    Sort(temp.sort).Sort(keys);
    cub::StoreDirectStriped<64>(threadIdx.x, out + blockIdx.x * 256, keys);
}
extern "C" __global__ void scan_block(const float *in, float *out, float *total)
{
    using Scan = cub::BlockScan<float, 128>;
    __shared__ typename Scan::TempStorage temp;
    float v = in[threadIdx.x], sum;
    Scan(temp).ExclusiveSum(v, v, sum);
    out[threadIdx.x] = v;
    if (threadIdx.x == 0)
        *total = sum;
}
extern "C" __global__ void reduce_block(const double *in, double *out, int n)
{
    using Reduce = cub::BlockReduce<double, 96>;
    __shared__ typename Reduce::TempStorage temp;
    double r = Reduce(temp).Reduce(in[threadIdx.x], [](double a, double b) { return a > b ? a : b; }, n);
    if (threadIdx.x == 0)
        *out = r;
}
struct Less { __device__ bool operator()(short a, short b) const { return a < b; } };
extern "C" __global__ void sort_warp(short *data)
{
    using Sort = cub::WarpMergeSort<short, 4, 16>;
    __shared__ typename Sort::TempStorage temp[4];
    short keys[4];
    for (int i = 0; i < 4; i++)
        keys[i] = data[threadIdx.x * 4 + i];
    Sort(temp[threadIdx.x / 16]).Sort(keys, Less());
    for (int i = 0; i < 4; i++)
        data[threadIdx.x * 4 + i] = keys[i];
}
