// build: warps.sm_75 -arch=sm_75
// build: warps.sm_80 -arch=sm_80
// build: warps.sm_90 -arch=sm_90
// build: warps.sm_100a -arch=sm_100a
// Shuffles of all types, votes, matches, warp reductions, lane masks.
template <typename T>
__device__ T shuffles(T v, int lane)
{
    v += __shfl_sync(0xffffffff, v, lane);
    v += __shfl_up_sync(0xffffffff, v, 1);
    v += __shfl_down_sync(0xffffffff, v, 2, 8);
    v += __shfl_xor_sync(0xffffffff, v, lane & 15, 16);
    return v;
}
extern "C" __global__ void shuffle_32(int *a, float *f, unsigned *u)
{
    a[threadIdx.x] = shuffles(a[threadIdx.x], a[0]);
    f[threadIdx.x] = shuffles(f[threadIdx.x], a[0]);
    u[threadIdx.x] = shuffles(u[threadIdx.x], 3);
}
extern "C" __global__ void shuffle_64(long long *a, double *f)
{
    a[threadIdx.x] = shuffles(a[threadIdx.x], (int) a[0]);
    f[threadIdx.x] = shuffles(f[threadIdx.x], (int) a[0]);
}
extern "C" __global__ void shuffle_predicate(int *a)
{
    int v = a[threadIdx.x], moved;
    int in;
    asm volatile("{ .reg .pred p; shfl.sync.up.b32 %0|p, %2, %3, 0, -1; selp.u32 %1, 1, 0, p; }" : "=r"(moved), "=r"(in) : "r"(v), "r"(a[1]));
    a[threadIdx.x] = in ? moved : v;
}
extern "C" __global__ void votes(const int *a, unsigned *out)
{
    int v = a[threadIdx.x];
    unsigned mask = __activemask();
    out[0] = __ballot_sync(mask, v > 0);
    out[1] = __any_sync(mask, v > 1);
    out[2] = __all_sync(mask, v > 2);
    out[3] = __uni_sync(mask, v > 3);
    int same;
    out[4] = __match_any_sync(mask, v);
    out[5] = __match_all_sync(mask, v, &same) + same;
    out[6] = __match_any_sync(0xffffffff, (long long) v);
    if (v & 1) {
        unsigned odd = __ballot_sync(__activemask(), 1);
        out[7] = __popc(odd & (1u << (threadIdx.x & 31)) - 1);
    }
}
extern "C" __global__ void reductions(const int *a, unsigned *out)
{
#if __CUDA_ARCH__ >= 800
    unsigned v = a[threadIdx.x];
    out[0] = __reduce_add_sync(0xffffffff, v);
    out[1] = __reduce_min_sync(0xffffffff, v);
    out[2] = __reduce_max_sync(0xffffffff, (int) v);
    out[3] = __reduce_and_sync(0xffff, v);
    out[4] = __reduce_or_sync(0xffffffff, v);
    out[5] = __reduce_xor_sync(0xffffffff, v);
#endif
#if __CUDA_ARCH__ >= 900
    unsigned leader, elected;
    asm volatile("{ .reg .pred p; elect.sync %0|p, 0xffffffff; selp.b32 %1, 1, 0, p; }" : "=r"(leader), "=r"(elected));
    out[6] = leader + elected;
#endif
#if __CUDA_ARCH__ >= 1000
    float largest;
    asm volatile("redux.sync.max.abs.NaN.f32 %0, %1, 0xffffffff;" : "=f"(largest) : "f"((float) v));
    out[7] = largest;
#endif
}
extern "C" __global__ void bitonic_warp(int *a)
{
    int v = a[threadIdx.x], lane = threadIdx.x & 31;
    for (int k = 2; k <= 32; k *= 2)
        for (int j = k / 2; j > 0; j /= 2) {
            int other = __shfl_xor_sync(0xffffffff, v, j);
            bool up = (lane & k) == 0, low = (lane & j) == 0;
            v = (up == low) ? min(v, other) : max(v, other);
        }
    a[threadIdx.x] = v;
}
