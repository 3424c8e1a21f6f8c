// Tiles come and go in bulk: an mbarrier counts their bytes, a bulk group the way back.
#include <cuda/barrier>
#include <cuda/ptx>
namespace ptx = cuda::ptx;
using block_barrier = cuda::barrier<cuda::thread_scope_block>;

extern "C" __global__ void bulk(const int* in, int* out, int* sum, int tiles) {
    __shared__ alignas(128) int tile[256];
    __shared__ block_barrier bar;
    if (threadIdx.x == 0) {
        init(&bar, blockDim.x);
        ptx::fence_proxy_async(ptx::space_shared);
    }
    __syncthreads();
    for (int t = blockIdx.x; t < tiles; t += gridDim.x) {
        block_barrier::arrival_token token;
        if (threadIdx.x == 0) {
            cuda::device::memcpy_async_tx(tile, in + t * 256, cuda::aligned_size_t<16>(sizeof(tile)), bar);
            token = cuda::device::barrier_arrive_tx(bar, 1, sizeof(tile));
        } else {
            token = bar.arrive();
        }
        bar.wait(std::move(token));
        for (int i = threadIdx.x; i < 256; i += blockDim.x) {
            tile[i] = 2 * tile[i] + t;
        }
        ptx::fence_proxy_async(ptx::space_shared);
        __syncthreads();
        if (threadIdx.x == 0) {
            ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out + t * 256, tile, sizeof(tile));
            ptx::cp_reduce_async_bulk(ptx::space_global, ptx::space_shared, ptx::op_add, sum, tile, sizeof(tile));
            ptx::cp_async_bulk_commit_group();
            ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
        }
        __syncthreads();
    }
}
