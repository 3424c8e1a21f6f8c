// Barriers, pipelines and cooperative groups.
// compressed
// build: pipelines.sm_75 -arch=sm_75 -std=c++17 --expt-relaxed-constexpr --extended-lambda -w
// build: pipelines.sm_100a.fast -arch=sm_100a -use_fast_math -std=c++17 --expt-relaxed-constexpr --extended-lambda -w
// build: pipelines.sm_120.rdc -arch=sm_120 -rdc=true -std=c++17 --expt-relaxed-constexpr --extended-lambda -w
// build: pipelines.sm_90.line -arch=sm_90 -lineinfo -rdc=true -std=c++17 --expt-relaxed-constexpr --extended-lambda -w
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
__global__ void bar(int *g) {
    __shared__ cuda::barrier<cuda::thread_scope_block> b;
    if (threadIdx.x == 0) init(&b, blockDim.x);
    __syncthreads();
    auto t = b.arrive(); g[threadIdx.x] = 1; b.wait(std::move(t)); b.arrive_and_wait(); b.arrive_and_drop();
}
__global__ void pipe(const int4 *in, int4 *out, int n) {
    constexpr int S = 2; __shared__ int4 buf[S][128]; __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, S> st;
    auto blk = cg::this_thread_block(); auto p = cuda::make_pipeline(blk, &st);
    for (int i = 0, f = 0; i < n; i++) {
        for (; f < n && f < i + S; f++) { p.producer_acquire(); cuda::memcpy_async(blk, buf[f % S], in + f * 128, cuda::aligned_size_t<16>(sizeof(int4) * 128), p); p.producer_commit(); }
        p.consumer_wait(); out[i * 128 + threadIdx.x] = buf[i % S][127 - threadIdx.x]; p.consumer_release();
    }
}
__global__ void thr(const float *in, float *out) {
    __shared__ float s[256]; auto p = cuda::make_pipeline(); p.producer_acquire();
    cuda::memcpy_async(&s[threadIdx.x], &in[threadIdx.x], sizeof(float), p); p.producer_commit(); cuda::pipeline_consumer_wait_prior<0>(p); __syncthreads(); out[threadIdx.x] = s[255 - threadIdx.x];
}
__global__ void groups(int *x, float *y) {
    auto b = cg::this_thread_block(); auto w = cg::tiled_partition<32>(b); auto q = cg::tiled_partition<4>(w); auto c = cg::coalesced_threads();
    x[b.thread_rank()] = cg::reduce(w, x[b.thread_rank()], cg::plus<int>()) + cg::reduce(q, (int)threadIdx.x, cg::less<int>()) + cg::inclusive_scan(w, 3) + c.size();
    y[threadIdx.x] = cg::reduce(c, y[threadIdx.x], cg::plus<float>()) + w.shfl_xor(y[0], 3) + q.shfl_down(y[1], 1);
    auto l = cg::labeled_partition(c, threadIdx.x % 3); x[1] += l.size(); auto bp = cg::binary_partition(w, threadIdx.x > 5); x[2] += bp.meta_group_rank();
    __shared__ int s[64]; cg::memcpy_async(b, s, x, 256); cg::wait(b); x[threadIdx.x] = s[threadIdx.x & 63];
    x[3] = w.match_any(x[4]) + w.match_all(x[5], *new int) + w.ballot(x[6]) + w.any(x[7]) + w.all(x[8]);
    cg::invoke_one(c, [&] { x[9] = 1; });
}
__global__ void grid(int *x) { auto g = cg::this_grid(); x[g.thread_rank()] = 1; g.sync(); x[0] = g.size() + g.block_rank(); }
#if __CUDA_ARCH__ >= 900
__global__ void __cluster_dims__(2, 1, 1) clus(int *x) { auto c = cg::this_cluster(); __shared__ int s; s = threadIdx.x; c.sync(); *c.map_shared_rank(&s, 1) = 2; c.sync(); x[c.block_rank()] = s + c.num_threads() + c.dim_blocks().x; }
#endif
