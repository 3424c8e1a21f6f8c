// Integer intrinsics, SIMD within a word, 128-bit integers.
// compressed
// build: intrinsics.sm_75 -arch=sm_75 -std=c++17 --expt-relaxed-constexpr --extended-lambda -w
// build: intrinsics.sm_100a.fast -arch=sm_100a -use_fast_math -std=c++17 --expt-relaxed-constexpr --extended-lambda -w
// build: intrinsics.sm_120.rdc -arch=sm_120 -rdc=true -std=c++17 --expt-relaxed-constexpr --extended-lambda -w
#include <cstdint>
#include <cuda/std/cstdint>
__global__ void k(int *a, unsigned *u, long long *l, unsigned long long *ul, short *s, unsigned char *c, __int128 *w, char4 *v, longlong2 *v2, ushort4 *v3, int n) {
    a[0] = __clz(a[1]) + __popc(a[2]) + __ffs(a[3]) + __brev(a[4]) + __byte_perm(a[5], a[6], 0x1234) + __sad(a[7], a[8], 3) + __mulhi(a[9], a[10]) + __mul24(a[1], a[2]) + __hadd(a[1], a[2]) + __rhadd(a[3], a[4]) + __funnelshift_lc(u[1], u[2], n) + __dp4a(a[1], a[2], a[3]) + __dp2a_lo(a[4], a[5], a[6]);
    l[0] = l[1] / l[2] + l[3] % l[4] + __mul64hi(l[5], l[6]) + __clzll(l[7]) + __ffsll(l[8]) + __brevll(l[9]) + (l[10] << n) + (l[11] >> n); ul[0] = ul[1] / ul[2] * ul[3] % 10 + __umul64hi(ul[4], ul[5]) + __popcll(ul[6]); w[0] = w[1] * w[2] / (w[3] + 1) + (w[4] >> 5) % 7;
    s[0] = s[1] * s[2] + s[3]; c[0] = c[1] / c[2] ^ c[3]; v[0] = make_char4(v[1].x + 1, v[1].y * 2, -v[1].z, v[1].w >> 1); v2[0] = v2[1]; v3[0] = make_ushort4(v3[1].w, v3[1].z, v3[1].y, v3[1].x); u[0] = __vadd4(u[1], u[2]) + __vabsdiffu2(u[3], u[4]) + __vcmpgts4(u[5], u[6]) + __vmaxs2(u[7], u[8]) + __vsadu4(u[1], u[2]) + __vimax3_s32(u[1], u[2], u[3]) + __viaddmin_s16x2_relu(u[1], u[2], u[3]) + __vibmax_u32(u[4], u[5], (bool *)c);
    
#if __CUDA_ARCH__ >= 800
 a[20] = __reduce_add_sync(~0u, a[21]) + __reduce_max_sync(~0u, a[22]);
#endif
 a[23] = __match_any_sync(~0u, a[24]) + __ballot_sync(~0u, a[25]) + __activemask() + __shfl_up_sync(~0u, a[26], 2, 16) + __any_sync(~0u, a[27]); __syncwarp(); a[28] = __syncthreads_count(a[29]) + __syncthreads_or(a[30]); __nanosleep(10); u[30] = clock() + (unsigned)clock64();
    atomicAdd(a, 1); atomicSub(u, 1); atomicExch(ul, 3); atomicMin(l, 3); atomicInc(u, 7); atomicDec(u, 9); atomicCAS(s == 0 ? (unsigned short *)0 : (unsigned short *)s, 1, 2); atomicAnd_block(a, 3); atomicOr_system(u, 4); atomicXor(ul, 1); __threadfence(); __threadfence_block(); __threadfence_system();
}
