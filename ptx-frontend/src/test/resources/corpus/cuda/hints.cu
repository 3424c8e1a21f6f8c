// Instructions of sm_100 and later as libraries write them: 256-bit accesses with hints, tcgen05, work stealing, packed f32.
// compressed
// build: hints.sm_100a -arch=sm_100a -std=c++20 --extended-lambda --expt-relaxed-constexpr -w
// build: hints.sm_120a.fast -arch=sm_120a -use_fast_math -std=c++20 --extended-lambda --expt-relaxed-constexpr -w
#include <cuda/ptx>
#include <cuda/std/cstdint>
namespace p = cuda::ptx;
struct alignas(32) V { float f[8]; };
__global__ void wide(const V *in, V *out) { V v; asm volatile("ld.global.nc.L1::no_allocate.L2::256B.v8.f32 {%0,%1,%2,%3,%4,%5,%6,%7}, [%8];" : "=f"(v.f[0]), "=f"(v.f[1]), "=f"(v.f[2]), "=f"(v.f[3]), "=f"(v.f[4]), "=f"(v.f[5]), "=f"(v.f[6]), "=f"(v.f[7]) : "l"(in + threadIdx.x)); for (float &x : v.f) x *= 2; asm volatile("st.global.L1::no_allocate.v8.f32 [%8], {%0,%1,%2,%3,%4,%5,%6,%7};" :: "f"(v.f[0]), "f"(v.f[1]), "f"(v.f[2]), "f"(v.f[3]), "f"(v.f[4]), "f"(v.f[5]), "f"(v.f[6]), "f"(v.f[7]), "l"(out + threadIdx.x)); asm volatile("st.release.gpu.global.L1::no_allocate.L2::evict_first.v8.f32 [%8], {%0,%1,%2,%3,%4,%5,%6,%7};" :: "f"(v.f[0]), "f"(v.f[1]), "f"(v.f[2]), "f"(v.f[3]), "f"(v.f[4]), "f"(v.f[5]), "f"(v.f[6]), "f"(v.f[7]), "l"(out + threadIdx.x)); }
__global__ void pairs(float2 *a, float2 b) { a[threadIdx.x] = __ffma2_rn(a[threadIdx.x], b, a[0]); a[1] = __fadd2_rz(a[2], b); a[3] = __fmul2_rn(a[4], b); a[5].x = fmaxf(fmaxf(a[6].x, b.x), b.y); }
__global__ void steal(int *o) { __shared__ alignas(16) uint4 r; __shared__ alignas(8) uint64_t bar; if (threadIdx.x == 0) { p::mbarrier_init(&bar, 1); p::clusterlaunchcontrol_try_cancel(&r, &bar); p::mbarrier_arrive_expect_tx(p::sem_relaxed, p::scope_cta, p::space_shared, &bar, 16); } while (!p::mbarrier_try_wait_parity(&bar, 0)) { } longlong2 v = *(longlong2 *) &r; if (p::clusterlaunchcontrol_query_cancel_is_canceled(v)) o[blockIdx.x] = p::clusterlaunchcontrol_query_cancel_get_first_ctaid_x<int>(v); }
#ifdef __CUDA_ARCH_FEAT_SM100_ALL
__global__ void tensor(uint32_t *o, uint64_t d) { __shared__ uint32_t t; __shared__ alignas(8) uint64_t bar; p::tcgen05_alloc(p::cta_group_1, &t, 32); p::tcgen05_relinquish_alloc_permit(p::cta_group_1); __syncthreads(); p::tcgen05_mma(p::kind_f16, p::cta_group_1, t, d, d, 0x1234, true); p::tcgen05_commit(p::cta_group_1, &bar); p::tcgen05_wait_ld(); p::tcgen05_fence_after_thread_sync(); uint32_t r[4]; p::tcgen05_ld_32x32b(r, t); o[threadIdx.x] = r[0]; p::tcgen05_cp_128x256b(p::cta_group_1, t, d); p::tcgen05_dealloc(p::cta_group_1, t, 32); }
#endif
