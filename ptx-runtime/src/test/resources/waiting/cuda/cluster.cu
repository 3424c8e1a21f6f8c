// A histogram that lies in the shared memory of all blocks of a cluster, and a ring of blocks that hand numbers on.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

extern "C" __global__ void cluster_histogram(const unsigned* in, int n, unsigned* bins, int each) {
    extern __shared__ unsigned own[];
    cg::cluster_group cluster = cg::this_cluster();
    for (int b = threadIdx.x; b < each; b += blockDim.x) {
        own[b] = 0;
    }
    cluster.sync();
    int count = each * cluster.num_blocks();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        unsigned bin = in[i] % count;
        atomicAdd(cluster.map_shared_rank(own, bin / each) + bin % each, 1);
    }
    cluster.sync();
    for (int b = threadIdx.x; b < each; b += blockDim.x) {
        atomicAdd(&bins[cluster.block_rank() * each + b], own[b]);
    }
}

extern "C" __global__ void __cluster_dims__(2, 1, 1) ring(int* out, int rounds) {
    __shared__ int value[2];
    cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x == 0) {
        value[0] = blockIdx.x;
    }
    auto token = cluster.barrier_arrive();
    cluster.barrier_wait(std::move(token));
    for (int r = 0; r < rounds; r++) {
        int* next = cluster.map_shared_rank(value, (cluster.block_rank() + 1) % cluster.num_blocks());
        if (threadIdx.x == 0) {
            next[(r + 1) % 2] = value[r % 2] * 3 + 1;
        }
        cluster.sync();
    }
    if (threadIdx.x == 0) {
        out[blockIdx.x] = value[rounds % 2];
    }
    cluster.sync();
}
