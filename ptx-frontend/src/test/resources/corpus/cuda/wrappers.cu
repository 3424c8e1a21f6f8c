// cuda::ptx: the wrappers of libcu++ around instructions.
// compressed
// build: wrappers.sm_90a.rdc -arch=sm_90a -rdc=true -DDYNAMIC -std=c++20 --extended-lambda --expt-relaxed-constexpr -w
#include <cuda/ptx>
#include <cuda/barrier>
namespace p = cuda::ptx;
__global__ void special(unsigned *o, unsigned long long *w) { o[0] = p::get_sreg_tid_x(); o[1] = p::get_sreg_laneid(); o[2] = p::get_sreg_warpid(); o[3] = p::get_sreg_nwarpid(); o[4] = p::get_sreg_smid(); o[5] = p::get_sreg_nsmid(); o[6] = p::get_sreg_lanemask_ge(); o[7] = p::get_sreg_clock(); w[0] = p::get_sreg_clock64(); w[1] = p::get_sreg_globaltimer(); o[8] = p::get_sreg_total_smem_size(); o[9] = p::get_sreg_dynamic_smem_size(); w[2] = p::get_sreg_gridid(); 
#if __CUDA_ARCH__ >= 900
 o[10] = p::get_sreg_clusterid_x(); o[11] = p::get_sreg_cluster_ctarank(); o[12] = p::get_sreg_is_explicit_cluster(); o[13] = p::get_sreg_aggr_smem_size();
#endif
}
#if __CUDA_ARCH__ >= 900
__global__ void bulk(int *in, int *out) {
    __shared__ alignas(128) int tile[256]; __shared__ alignas(8) uint64_t bar;
    if (threadIdx.x == 0) { p::mbarrier_init(&bar, 1); p::fence_mbarrier_init(p::sem_release, p::scope_cluster); p::fence_proxy_async(p::space_shared); p::cp_async_bulk(p::space_cluster, p::space_global, tile, in, 1024, &bar); p::mbarrier_arrive_expect_tx(p::sem_release, p::scope_cta, p::space_shared, &bar, 1024); }
    __syncthreads(); while (!p::mbarrier_try_wait_parity(p::sem_acquire, p::scope_cta, &bar, 0)) { }
    tile[threadIdx.x] += 1; p::fence_proxy_async(p::space_shared); __syncthreads();
    if (threadIdx.x == 0) { p::cp_async_bulk(p::space_global, p::space_shared, out, tile, 1024); p::cp_async_bulk_commit_group(); p::cp_async_bulk_wait_group_read(p::n32_t<0>()); p::cp_reduce_async_bulk(p::space_global, p::space_shared, p::op_add, out, tile, 1024); p::cp_async_bulk_commit_group(); p::cp_async_bulk_wait_group(p::n32_t<0>()); }
}
__global__ void tensor(const void *map, int *out) {
    __shared__ alignas(128) int tile[32 * 32]; __shared__ alignas(8) uint64_t bar; const int c[2] = {int(blockIdx.x) * 32, int(blockIdx.y) * 32}; const int d[3] = {0, 1, 2};
    if (threadIdx.x == 0) { p::mbarrier_init(&bar, 1); p::cp_async_bulk_tensor(p::space_cluster, p::space_global, tile, map, c, &bar); p::mbarrier_arrive_expect_tx(p::sem_release, p::scope_cta, p::space_shared, &bar, 4096); p::cp_async_bulk_tensor(p::space_cluster, p::space_global, tile, map, d, &bar); }
    while (!p::mbarrier_test_wait_parity(&bar, 0)) { }
    p::cp_async_bulk_tensor(p::space_global, p::space_shared, map, c, tile); p::cp_reduce_async_bulk_tensor(p::space_global, p::space_shared, p::op_add, map, c, tile); p::cp_async_bulk_commit_group(); p::cp_async_bulk_wait_group(p::n32_t<0>()); out[threadIdx.x] = tile[threadIdx.x];
}
__global__ void __cluster_dims__(2) remote(int *out) {
    __shared__ alignas(8) uint64_t bar; __shared__ int box[4];
    if (threadIdx.x == 0) p::mbarrier_init(&bar, 2);
    p::barrier_cluster_arrive(p::sem_release); p::barrier_cluster_wait(p::sem_acquire);
    int *other = (int *) __cluster_map_shared_rank(box, p::get_sreg_cluster_ctarank() ^ 1); uint64_t *otherBar = (uint64_t *) __cluster_map_shared_rank(&bar, p::get_sreg_cluster_ctarank() ^ 1);
    p::st_async(other, 7, otherBar); p::red_async(p::op_add, other + 1, 5, otherBar); p::mbarrier_arrive_expect_tx(p::sem_release, p::scope_cluster, p::space_cluster, otherBar, 8);
    out[threadIdx.x] = box[0] + p::getctarank(p::space_cluster, other);
}
#endif
