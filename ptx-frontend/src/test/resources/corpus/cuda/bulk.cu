// Bulk and tensor copies through cuda::ptx.
// compressed
// build: bulk.sm_100a.fast -arch=sm_100a -use_fast_math -std=c++17 --expt-relaxed-constexpr --extended-lambda -w
// build: bulk.sm_120.rdc -arch=sm_120 -rdc=true -std=c++17 --expt-relaxed-constexpr --extended-lambda -w
#include <cuda/barrier>
#include <cuda/ptx>
#include <cuda_runtime.h>
#include <cuda.h>
namespace ptx = cuda::ptx;
#if __CUDA_ARCH__ >= 900
__global__ void bulk(const int *in, int *out) {
    __shared__ alignas(128) int buf[256]; __shared__ uint64_t bar;
    if (threadIdx.x == 0) { ptx::mbarrier_init(&bar, 1); ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster); ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, buf, in, 1024, &bar); uint64_t t = ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &bar, 1024); while (!ptx::mbarrier_try_wait(&bar, t)) ; }
    __syncthreads(); out[threadIdx.x] = buf[threadIdx.x]; ptx::fence_proxy_async(ptx::space_shared); ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out, buf, 1024); ptx::cp_async_bulk_commit_group(); ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>()); ptx::cp_reduce_async_bulk(ptx::space_global, ptx::space_shared, ptx::op_add, out, buf, 1024);
    ptx::fence(ptx::sem_acq_rel, ptx::scope_gpu); out[3] = ptx::get_sreg_clusterid_x() + ptx::get_sreg_laneid(); ptx::barrier_cluster_arrive(ptx::sem_release); ptx::barrier_cluster_wait(); cudaGridDependencySynchronize(); cudaTriggerProgrammaticLaunchCompletion();
}
__global__ void tma(const __grid_constant__ CUtensorMap m, float *o) { __shared__ alignas(128) float t[64]; __shared__ uint64_t bar; int c[2] = {0, 8}; ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, t, &m, c, &bar); o[0] = t[1]; ptx::cp_async_bulk_tensor(ptx::space_global, ptx::space_shared, &m, c, t); asm volatile("prefetch.tensormap [%0];" :: "l"(&m)); }
#else
__global__ void bulk(int *o) { o[0] = 1; }
#endif
