// Programs whose blocks wait for each other: a grid barrier of cooperative groups, and clusters where the target has them.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// Heat in a bar, step by step; the grid meets after each.
extern "C" __global__ void heat(int *one, int *two, int n, int steps)
{
    cg::grid_group grid = cg::this_grid();
    int *from = one, *to = two;
    for (int step = 0; step < steps; step++) {
        for (int i = grid.thread_rank(); i < n; i += grid.size()) {
            int left = i > 0 ? from[i - 1] : 0, right = i < n - 1 ? from[i + 1] : 0;
            to[i] = (left + 2 * from[i] + right) / 4;
        }
        grid.sync();
        int *t = from; from = to; to = t;
    }
}

#if __CUDA_ARCH__ >= 900
// Histogram of bytes: each block of a cluster holds a part of the bins in its shared memory.
extern "C" __global__ void cluster_histogram(const unsigned char *in, unsigned *bins, int n)
{
    extern __shared__ unsigned own[];
    cg::cluster_group cluster = cg::this_cluster();
    int part = 256 / cluster.num_blocks();
    for (int i = threadIdx.x; i < part; i += blockDim.x) own[i] = 0;
    cluster.sync();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(cluster.map_shared_rank(own, in[i] / part) + in[i] % part, 1);
    cluster.sync();
    for (int i = threadIdx.x; i < part; i += blockDim.x) atomicAdd(&bins[cluster.block_rank() * part + i], own[i]);
}
#endif
