// Half, bfloat16 and the formats of 8, 6 and 4 bits.
// compressed
// build: smallfloats.sm_100a.fast -arch=sm_100a -use_fast_math -std=c++17 --expt-relaxed-constexpr --extended-lambda -w
// build: smallfloats.sm_120.rdc -arch=sm_120 -rdc=true -std=c++17 --expt-relaxed-constexpr --extended-lambda -w
// build: smallfloats.sm_90.line -arch=sm_90 -lineinfo -rdc=true -std=c++17 --expt-relaxed-constexpr --extended-lambda -w
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <cuda_fp8.h>
#include <cuda_fp6.h>
#include <cuda_fp4.h>
__global__ void h(__half *a, __half2 *b, __nv_bfloat16 *c, __nv_bfloat162 *d, float *f, int *i, double *dd) {
    a[0] = __hfma(a[1], a[2], a[3]); a[4] = hsqrt(a[5]); a[6] = hexp2(a[7]); a[8] = hlog(a[9]); a[10] = hsin(a[11]); a[12] = __hmax_nan(a[1], a[2]); a[13] = htanh(a[3]);
    b[0] = __hfma2_relu(b[1], b[2], b[3]); b[1] = __hmul2_sat(b[2], b[3]); b[2] = h2rcp(b[4]); b[3] = __hcmadd(b[1], b[2], b[3]); b[4] = __halves2half2(a[0], a[1]); i[0] = __hbgt2(b[0], b[1]); i[1] = __heq2_mask(b[0], b[1]);
    c[0] = __hfma(c[1], c[2], c[3]); c[1] = hexp(c[2]); c[2] = __hadd_sat(c[3], c[4]); c[5] = __hdiv(c[6], c[7]); d[0] = __hfma2(d[1], d[2], d[3]); d[1] = __hmax2(d[2], d[3]); d[2] = h2sqrt(d[3]);
    f[0] = __half2float(a[1]); f[1] = __bfloat162float(c[1]); a[20] = __float2half_rz(f[2]); a[21] = __double2half(dd[0]); c[20] = __float2bfloat16_ru(f[3]); i[2] = __half2int_rd(a[1]); i[3] = __half2ushort_ru(a[2]); a[22] = __int2half_rn(i[4]); a[23] = __ull2half_rz(i[5]); c[21] = __ll2bfloat16_rn(i[6]); i[7] = __bfloat162int_rz(c[3]); dd[1] = __half2float(a[3]);
    atomicAdd(a, a[1]); atomicAdd(b, b[1]); atomicAdd(c, c[1]); atomicAdd(d, d[1]); a[30] = __shfl_sync(~0u, a[31], 3); b[30] = __shfl_xor_sync(~0u, b[31], 3); a[40] = __ldg(a + 41); b[40] = __ldcs(b + 41); __stwt(a + 50, a[51]);
}
__global__ void q(__nv_fp8_e4m3 *a, __nv_fp8_e5m2 *b, __nv_fp8x4_e4m3 *c, float *f, __half *h, float4 *g, __nv_fp6_e2m3 *s, __nv_fp4_e2m1 *t, __nv_fp4x4_e2m1 *u, __nv_fp8_e8m0 *e) {
    a[0] = __nv_fp8_e4m3(f[0]); b[0] = __nv_fp8_e5m2(h[0]); f[1] = float(a[1]); h[1] = __half(b[1]); c[0] = __nv_fp8x4_e4m3(g[0]); g[1] = float4(c[1]); s[0] = __nv_fp6_e2m3(f[2]); f[3] = float(s[1]); t[0] = __nv_fp4_e2m1(f[4]); f[5] = float(t[1]); u[0] = __nv_fp4x4_e2m1(g[2]); e[0] = __nv_fp8_e8m0(f[6]); f[7] = float(e[1]);
}
