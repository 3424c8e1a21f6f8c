// build: cluster.sm_90a -arch=sm_90a
// build: cluster.sm_100a -arch=sm_100a
// Clusters, distributed shared memory, bulk copies, mbarriers, programmatic launches, register hints.
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/ptx>
#include <cstdint>
namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;

extern "C" __global__ void __cluster_dims__(4, 1, 1) histogram(const int *in, int *bins, int n)
{
    __shared__ int part[64];
    cg::cluster_group cluster = cg::this_cluster();
    for (int i = threadIdx.x; i < 64; i += blockDim.x)
        part[i] = 0;
    cluster.sync();
    for (int i = cg::this_grid().thread_rank(); i < n; i += cg::this_grid().size()) {
        int bin = in[i] & 255;
        int *owner = cluster.map_shared_rank(part, bin / 64);
        atomicAdd(owner + bin % 64, 1);
    }
    cluster.sync();
    for (int i = threadIdx.x; i < 64; i += blockDim.x)
        atomicAdd(&bins[cluster.block_rank() * 64 + i], part[i]);
}
extern "C" __global__ void bulk(const int *in, int *out)
{
    __shared__ alignas(128) int tile[1024];
    __shared__ uint64_t barrier;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&barrier, blockDim.x);
        ptx::fence_proxy_async(ptx::space_shared);
    }
    __syncthreads();
    uint64_t token;
    if (threadIdx.x == 0) {
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile, in, sizeof(tile), &barrier);
        token = ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &barrier, sizeof(tile));
    } else {
        token = ptx::mbarrier_arrive(&barrier);
    }
    while (!ptx::mbarrier_try_wait(&barrier, token))
        ;
    tile[threadIdx.x] *= 2;
    ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    if (threadIdx.x == 0) {
        ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out, tile, sizeof(tile));
        ptx::cp_async_bulk_commit_group();
        ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
    }
}
struct alignas(64) Map { unsigned long long opaque[16]; };
extern "C" __global__ void tensor(const __grid_constant__ Map map, float *out)
{
    __shared__ alignas(128) float tile[32][32];
    __shared__ uint64_t barrier;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&barrier, 1);
        int at[2] = {0, 32};
        ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, tile, &map, at, &barrier);
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &barrier, sizeof(tile));
    }
    __syncthreads();
    while (!ptx::mbarrier_try_wait_parity(&barrier, 0))
        ;
    out[threadIdx.x] = tile[threadIdx.x & 31][threadIdx.x >> 5];
}
extern "C" __global__ void dependent(const int *in, int *out)
{
    cudaGridDependencySynchronize();
    out[threadIdx.x] = in[threadIdx.x];
    cudaTriggerProgrammaticLaunchCompletion();
    asm volatile("setmaxnreg.inc.sync.aligned.u32 64;");
}
extern "C" __global__ void cluster_registers(unsigned *out)
{
    unsigned v;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(v)); out[0] = v;
    asm volatile("mov.u32 %0, %%cluster_nctarank;" : "=r"(v)); out[1] = v;
    asm volatile("mov.u32 %0, %%cluster_ctaid.x;" : "=r"(v)); out[2] = v;
    asm volatile("mov.u32 %0, %%nclusterid.y;" : "=r"(v)); out[3] = v;
    asm volatile("mov.u32 %0, %%clusterid.z;" : "=r"(v)); out[4] = v;
    asm volatile("barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;" ::: "memory");
}
