// build: fp8.sm_89 -arch=sm_89
// build: fp8.sm_100a -arch=sm_100a
// Conversions to and from 8-bit, 6-bit and 4-bit floats.
#include <cuda_fp4.h>
#include <cuda_fp6.h>
#include <cuda_fp8.h>
extern "C" __global__ void to_fp8(const float *f, __nv_fp8_e4m3 *e4, __nv_fp8_e5m2 *e5, const float2 *f2, __nv_fp8x2_e4m3 *e42)
{
    int i = threadIdx.x;
    e4[i] = __nv_fp8_e4m3(f[i]);
    e5[i] = __nv_fp8_e5m2(f[i]);
    e42[i] = __nv_fp8x2_e4m3(f2[i]);
}
extern "C" __global__ void from_fp8(float *f, const __nv_fp8_e4m3 *e4, const __nv_fp8_e5m2 *e5, float4 *f4, const __nv_fp8x4_e5m2 *e54)
{
    int i = threadIdx.x;
    f[i] = (float) e4[i] + (float) e5[i];
    f4[i] = (float4) e54[i];
}
extern "C" __global__ void fp6_fp4(const float2 *f, __nv_fp4x2_storage_t *p4, __nv_fp6x2_storage_t *p6, __half2_raw *h)
{
    int i = threadIdx.x;
    p4[i] = __nv_cvt_float2_to_fp4x2(f[i], __NV_E2M1, cudaRoundNearest);
    p6[i] = __nv_cvt_float2_to_fp6x2(f[i], __NV_E3M2, cudaRoundNearest);
    h[i] = __nv_cvt_fp4x2_to_halfraw2(p4[i], __NV_E2M1);
}
