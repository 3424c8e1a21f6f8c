// A stream of tiles through two stages of shared memory: cuda::pipeline with memcpy_async, and cuda::barrier with two roles.
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/pipeline>
namespace cg = cooperative_groups;

extern "C" __global__ void pipelined(const int* in, long long* out, int tiles) {
    extern __shared__ int tile[];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> shared;
    cg::thread_block block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &shared);
    int size = block.size();
    const int* mine = in + (size_t)blockIdx.x * tiles * size;
    long long sum = 0;
    pipe.producer_acquire();
    cuda::memcpy_async(block, tile, mine, cuda::aligned_size_t<4>(sizeof(int) * size), pipe);
    pipe.producer_commit();
    for (int t = 0; t < tiles; t++) {
        if (t + 1 < tiles) {
            pipe.producer_acquire();
            cuda::memcpy_async(block, tile + (t + 1) % 2 * size, mine + (t + 1) * size,
                               cuda::aligned_size_t<4>(sizeof(int) * size), pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        sum += (long long)(t + 1) * tile[t % 2 * size + (threadIdx.x + 1) % size];
        pipe.consumer_release();
    }
    out[blockIdx.x * size + threadIdx.x] = sum;
}

// Each thread's own copies, in two groups under way.
extern "C" __global__ void own_copies(const int4* in, int4* out, int rounds) {
    extern __shared__ int4 slots[];
    auto pipe = cuda::make_pipeline();
    int4* mine = slots + 2 * threadIdx.x;
    int at = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x;
    int4 sum = make_int4(0, 0, 0, 0);
    for (int r = 0; r < rounds + 1; r++) {
        if (r < rounds) {
            pipe.producer_acquire();
            cuda::memcpy_async(mine + r % 2, in + at + r * step, cuda::aligned_size_t<16>(sizeof(int4)), pipe);
            pipe.producer_commit();
        }
        if (r > 0) {
            if (r < rounds) {
                cuda::pipeline_consumer_wait_prior<1>(pipe);
            } else {
                cuda::pipeline_consumer_wait_prior<0>(pipe);
            }
            int4 v = mine[(r - 1) % 2];
            sum.x += v.x;
            sum.y += v.y;
            sum.z += v.z;
            sum.w += v.w;
            pipe.consumer_release();
        }
    }
    out[at] = sum;
}

// The first half of a block fills a buffer, the second half drains it; two barriers tell full from empty.
extern "C" __global__ void roles(const int* in, int* out, int rounds) {
    __shared__ int buffer[512];
    __shared__ cuda::barrier<cuda::thread_scope_block> full, empty;
    if (threadIdx.x == 0) {
        init(&full, blockDim.x);
        init(&empty, blockDim.x);
    }
    __syncthreads();
    int half = blockDim.x / 2;
    const int* mine = in + blockIdx.x * rounds * half;
    int* result = out + blockIdx.x * rounds * half;
    if ((int)threadIdx.x < half) {
        for (int r = 0; r < rounds; r++) {
            empty.arrive_and_wait();
            buffer[threadIdx.x] = mine[r * half + threadIdx.x];
            (void)full.arrive();
        }
    } else {
        (void)empty.arrive();
        for (int r = 0; r < rounds; r++) {
            full.arrive_and_wait();
            int from = half - 1 - (threadIdx.x - half);
            result[r * half + threadIdx.x - half] = buffer[from] * 3;
            if (r + 1 < rounds) {
                (void)empty.arrive();
            }
        }
    }
}
