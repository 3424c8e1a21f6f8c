// build: halves.sm_75 -arch=sm_75
// build: halves.sm_90 -arch=sm_90
// build: halves.sm_100 -arch=sm_100 -lineinfo
// half, half2, bfloat16 and bfloat162 of cuda_fp16.h and cuda_bf16.h.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

template <typename H, typename H2>
__device__ void scalars(const H *a, H *o)
{
    int i = threadIdx.x;
    H x = a[i], y = a[i + 1], z = a[i + 2];
    o += i * 16;
    o[0] = x + y;
    o[1] = x * y - z;
    o[2] = __hfma(x, y, z);
    o[3] = x / y;
    o[4] = hsqrt(x);
    o[5] = hrcp(y);
    o[6] = hexp(x) + hlog2(y) + hsin(z);
    o[7] = __hmin(x, y);
    o[8] = __hmax(x, y);
    o[9] = x < y ? __habs(x) : -y;
    o[10] = hfloor(x) + hrint(y);
    o[11] = __hisnan(x) ? z : __hadd_sat(x, y);
    o[12] = (int) x;
    o[13] = (float) x * 2.5f;
}
extern "C" __global__ void half_scalars(const __half *a, __half *o) { scalars<__half, __half2>(a, o); }
#if __CUDA_ARCH__ >= 800
extern "C" __global__ void bfloat_scalars(const __nv_bfloat16 *a, __nv_bfloat16 *o) { scalars<__nv_bfloat16, __nv_bfloat162>(a, o); }
#endif

extern "C" __global__ void half_pairs(const __half2 *a, __half2 *o, float2 *f)
{
    int i = threadIdx.x;
    __half2 x = a[i], y = a[i + 1], z = a[i + 2];
    o += i * 8;
    o[0] = __hadd2(x, y);
    o[1] = __hfma2(x, y, z);
    o[2] = __hmul2_sat(x, y);
    o[3] = __hgt2(x, y);
    o[4] = __lowhigh2highlow(x);
    o[5] = __halves2half2(__low2half(x), __high2half(y));
    o[6] = __floats2half2_rn(f[i].x, f[i].y);
    o[7] = h2exp2(x) + h2rsqrt(y);
    f[i] = __half22float2(__hmax2(x, y));
}
#if __CUDA_ARCH__ >= 800
extern "C" __global__ void bfloat_pairs(const __nv_bfloat162 *a, __nv_bfloat162 *o, float2 *f)
{
    int i = threadIdx.x;
    __nv_bfloat162 x = a[i], y = a[i + 1], z = a[i + 2];
    o += i * 4;
    o[0] = __hadd2(x, y);
    o[1] = __hfma2(x, y, z);
    o[2] = __floats2bfloat162_rn(f[i].x, f[i].y);
    o[3] = __hmin2(x, y);
    f[i] = __bfloat1622float2(z);
}
#endif
extern "C" __global__ void half_conversions(const float *f, const double *d, const int *n, __half *o)
{
    int i = threadIdx.x;
    o += i * 8;
    o[0] = __float2half_rn(f[i]);
    o[1] = __float2half_rz(f[i]);
    o[2] = __float2half_ru(f[i]);
    o[3] = __double2half(d[i]);
    o[4] = __int2half_rn(n[i]);
    o[5] = __ushort2half_rz((unsigned short) n[i]);
    o[6] = __short_as_half((short) n[i]);
    o[7] = __ll2half_rd(n[i]);
}
extern "C" __global__ void half_atomics(__half *h, __half2 *h2, __nv_bfloat16 *b)
{
    atomicAdd(h, __half(1.0f));
    atomicAdd(h2, __half2(h[1], h[2]));
#if __CUDA_ARCH__ >= 800
    atomicAdd(b, b[1]);
#endif
    h[threadIdx.x] = __shfl_xor_sync(0xffffffff, h[threadIdx.x], 1);
}
