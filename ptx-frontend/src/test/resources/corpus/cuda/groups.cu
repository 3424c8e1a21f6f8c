// build: groups.sm_75 -arch=sm_75
// build: groups.sm_90 -arch=sm_90 -rdc=true
// build: groups.sm_100 -arch=sm_100
// Cooperative groups: grids, blocks, tiles, coalesced groups, collectives.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;

extern "C" __global__ void grid_sync(int *a, int n)
{
    cg::grid_group grid = cg::this_grid();
    for (int round = 0; round < n; round++) {
        a[grid.thread_rank()] += a[(grid.thread_rank() + 1) % grid.size()];
        grid.sync();
    }
}
template <int N>
__device__ void tiles(const int *in, int *out)
{
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<N> tile = cg::tiled_partition<N>(block);
    int v = in[block.thread_rank()];
    v += tile.shfl_down(v, N / 2) + tile.shfl_xor(v, 1) + tile.shfl(v, 0);
    v += tile.any(v > 3) + tile.all(v > 4) + __popc(tile.ballot(v > 5)) + tile.match_any(v);
    v += cg::reduce(tile, v, cg::plus<int>()) + cg::reduce(tile, v, cg::greater<int>());
    v += cg::inclusive_scan(tile, v) + cg::exclusive_scan(tile, v);
    tile.sync();
    out[block.thread_rank()] = v + tile.meta_group_rank() + tile.thread_rank();
}
extern "C" __global__ void tiles_32(const int *in, int *out) { tiles<32>(in, out); }
extern "C" __global__ void tiles_8(const int *in, int *out) { tiles<8>(in, out); }
extern "C" __global__ void coalesced(int *counter, const int *in, int *out)
{
    if (in[threadIdx.x] > 0) {
        cg::coalesced_group active = cg::coalesced_threads();
        int base = 0;
        if (active.thread_rank() == 0)
            base = atomicAdd(counter, active.size());
        out[active.shfl(base, 0) + active.thread_rank()] = in[threadIdx.x];
        cg::coalesced_group labelled = cg::labeled_partition(active, in[threadIdx.x] & 3);
        out[threadIdx.x] += labelled.size() + cg::reduce(labelled, 1.5f, cg::plus<float>());
    }
}
extern "C" __global__ void block_ops(int *a)
{
    cg::thread_block block = cg::this_thread_block();
    auto token = block.barrier_arrive();
    a[block.thread_index().x] += block.group_index().y + block.dim_threads().x;
    block.barrier_wait(std::move(token));
    cg::invoke_one(block, [&] { a[0] = 1; });
}
