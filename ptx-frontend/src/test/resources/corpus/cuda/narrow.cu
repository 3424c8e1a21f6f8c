// Eight, six and four bit reals with their conversions.
// compressed
// build: narrow.sm_100a.fast -arch=sm_100a -use_fast_math -std=c++20 --extended-lambda --expt-relaxed-constexpr -w
// build: narrow.sm_75 -arch=sm_75 -std=c++20 --extended-lambda --expt-relaxed-constexpr -w
#include <cuda_fp8.h>
#include <cuda_fp6.h>
#include <cuda_fp4.h>
__global__ void e8(__nv_fp8_e4m3 *a, __nv_fp8_e5m2 *b, __nv_fp8x4_e4m3 *c, __nv_fp8x2_e5m2 *d, float *f, __half2 *h, double x) { a[0] = __nv_fp8_e4m3(f[0]); b[0] = __nv_fp8_e5m2(f[1]); c[0] = __nv_fp8x4_e4m3(make_float4(f[0], f[1], f[2], f[3])); d[0] = __nv_fp8x2_e5m2(h[0]); f[4] = float(a[1]); f[5] = float(b[1]); float4 q = c[1].operator float4(); f[6] = q.x + q.w; h[1] = d[1].operator __half2(); a[2] = __nv_fp8_e4m3(x); a[3] = __nv_fp8_e4m3(int(x)); f[7] = int(a[4]) + bool(b[3]); }
__global__ void e6(__nv_fp6_e3m2 *a, __nv_fp6x2_e2m3 *b, __nv_fp6x4_e3m2 *c, float *f) { a[0] = __nv_fp6_e3m2(f[0]); b[0] = __nv_fp6x2_e2m3(make_float2(f[0], f[1])); c[0] = __nv_fp6x4_e3m2(make_float4(f[0], f[1], f[2], f[3])); f[4] = float(a[1]); float2 g = b[1].operator float2(); f[5] = g.x * g.y; }
__global__ void e4(__nv_fp4_e2m1 *a, __nv_fp4x2_e2m1 *b, __nv_fp4x4_e2m1 *c, float *f) { a[0] = __nv_fp4_e2m1(f[0]); b[0] = __nv_fp4x2_e2m1(make_float2(f[0], f[1])); c[0] = __nv_fp4x4_e2m1(make_float4(f[0], f[1], f[2], f[3])); f[4] = float(a[1]); float2 g = b[1].operator float2(); f[5] = g.x * g.y; }
__global__ void scales(__nv_fp8_e8m0 *s, __nv_fp8x2_e8m0 *t, float *f) { s[0] = __nv_fp8_e8m0(f[0]); f[1] = float(s[1]); t[0] = __nv_fp8x2_e8m0(make_float2(f[0], f[1])); }
