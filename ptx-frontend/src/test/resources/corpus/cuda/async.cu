// build: async.sm_80 -arch=sm_80
// build: async.sm_90 -arch=sm_90
// build: async.sm_100 -arch=sm_100
// Asynchronous copies: primitives, pipelines, barriers, cooperative copies.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_pipeline.h>
namespace cg = cooperative_groups;

extern "C" __global__ void primitives(const float4 *in, float *out)
{
    __shared__ float4 stage[2][128];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&stage[0][t], &in[t], 16);
    __pipeline_commit();
    __pipeline_memcpy_async(&stage[1][t], &in[t + 128], 16, 4);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    float sum = stage[0][127 - t].x;
    __pipeline_wait_prior(0);
    __syncthreads();
    out[t] = sum + stage[1][127 - t].y;
}
extern "C" __global__ void pipelined(const int *in, int *out, int batches)
{
    constexpr int stages = 2;
    __shared__ int buffer[stages][128];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
    auto block = cg::this_thread_block();
    auto pipeline = cuda::make_pipeline(block, &state);
    for (int batch = 0, fetched = 0; batch < batches; batch++) {
        for (; fetched < batches && fetched < batch + stages; fetched++) {
            pipeline.producer_acquire();
            cuda::memcpy_async(block, buffer[fetched % stages], in + fetched * 128, sizeof(int) * 128, pipeline);
            pipeline.producer_commit();
        }
        pipeline.consumer_wait();
        out[batch * 128 + threadIdx.x] = buffer[batch % stages][127 - threadIdx.x];
        pipeline.consumer_release();
    }
}
extern "C" __global__ void with_barrier(const int *in, int *out)
{
    __shared__ int buffer[256];
    __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
    auto block = cg::this_thread_block();
    if (block.thread_rank() == 0)
        init(&barrier, block.size());
    block.sync();
    cuda::memcpy_async(block, buffer, in, cuda::aligned_size_t<16>(1024), barrier);
    barrier.arrive_and_wait();
    out[threadIdx.x] = buffer[255 - threadIdx.x];
    auto token = barrier.arrive();
    barrier.wait(std::move(token));
}
extern "C" __global__ void cooperative(const double *in, double *out)
{
    __shared__ double buffer[64];
    auto block = cg::this_thread_block();
    cg::memcpy_async(block, buffer, in, sizeof(buffer));
    cg::wait(block);
    out[threadIdx.x] = buffer[threadIdx.x ^ 1];
}
