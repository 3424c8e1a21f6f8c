// build: floats.sm_75 -arch=sm_75
// build: floats.sm_75.fast -arch=sm_75 -use_fast_math
// build: floats.sm_90.nofma -arch=sm_90 -fmad=false -lineinfo
// build: floats.sm_100 -arch=sm_100
// build: floats.sm_100.fast -arch=sm_100 -use_fast_math
// Operations on f32 and f64 in every rounding, comparisons, conversions.
template <typename T>
__device__ void basics(const T *a, T *out)
{
    int i = threadIdx.x;
    T x = a[i], y = a[i + 1], z = a[i + 2];
    T *o = out + i * 16;
    o[0] = x + y;
    o[1] = x - y;
    o[2] = x * y;
    o[3] = x / y;
    o[4] = x * y + z;
    o[5] = T(1) / x;
    o[6] = sqrt(x);
    o[7] = T(1) / sqrt(y);
    o[8] = fabs(x);
    o[9] = fmin(x, y);
    o[10] = fmax(x, y);
    o[11] = -x;
    o[12] = copysign(x, y);
    o[13] = x < y ? x : isnan(z) ? y : z;
    o[14] = floor(x) + ceil(y) + trunc(z) + rint(x) + round(y);
    o[15] = isinf(x) || !isfinite(y) || signbit(z) ? T(0) : fmod(x, y);
}
extern "C" __global__ void basics_f32(const float *a, float *out) { basics(a, out); }
extern "C" __global__ void basics_f64(const double *a, double *out) { basics(a, out); }

#define EACH_ROUNDING(DO) DO(rn) DO(rz) DO(rm) DO(rp)
#define CUDA_ROUNDING_rn rn
#define F32(r, R) \
    o[n++] = __fadd_##R(x, y); o[n++] = __fsub_##R(x, y); o[n++] = __fmul_##R(x, y); o[n++] = __fmaf_##R(x, y, z); \
    o[n++] = __fdiv_##R(x, y); o[n++] = __frcp_##R(x); o[n++] = __fsqrt_##R(x);
#define F64(R) \
    o[n++] = __dadd_##R(x, y); o[n++] = __dsub_##R(x, y); o[n++] = __dmul_##R(x, y); o[n++] = __fma_##R(x, y, z); \
    o[n++] = __ddiv_##R(x, y); o[n++] = __drcp_##R(x); o[n++] = __dsqrt_##R(x);
extern "C" __global__ void roundings_f32(const float *a, float *o)
{
    float x = a[threadIdx.x], y = a[threadIdx.x + 1], z = a[threadIdx.x + 2];
    int n = threadIdx.x * 28;
    F32(, rn) F32(, rz) F32(, rd) F32(, ru)
}
extern "C" __global__ void roundings_f64(const double *a, double *o)
{
    double x = a[threadIdx.x], y = a[threadIdx.x + 1], z = a[threadIdx.x + 2];
    int n = threadIdx.x * 28;
    F64(rn) F64(rz) F64(rd) F64(ru)
}

extern "C" __global__ void approximations(const float *a, float *o)
{
    float x = a[threadIdx.x], y = a[threadIdx.x + 1];
    o += threadIdx.x * 16;
    o[0] = __sinf(x);
    o[1] = __cosf(x);
    o[2] = __tanf(x);
    o[3] = __expf(x);
    o[4] = __exp10f(x);
    o[5] = __logf(x);
    o[6] = __log2f(x);
    o[7] = __log10f(x);
    o[8] = __powf(x, y);
    o[9] = __fdividef(x, y);
    o[10] = __saturatef(x);
    o[11] = rsqrtf(x);
    o[12] = __frsqrt_rn(x);
    o[13] = exp2f(x);
    o[14] = tanhf(x);
    __sincosf(y, o + 15, o + 16);
}

extern "C" __global__ void conversions(const float *f, const double *d, const int *i, const long long *l, double *out)
{
    int t = threadIdx.x;
    double *o = out + t * 32;
    float x = f[t];
    double y = d[t];
    o[0] = __float2int_rn(x) + __float2int_rz(x) + __float2int_rd(x) + __float2int_ru(x);
    o[1] = __float2uint_rn(x) + __float2uint_rz(x) + __float2uint_rd(x) + __float2uint_ru(x);
    o[2] = __float2ll_rn(x) + __float2ll_rz(x) + __float2ull_rd(x) + __float2ull_ru(x);
    o[3] = __double2int_rn(y) + __double2int_rz(y) + __double2uint_rd(y) + __double2uint_ru(y);
    o[4] = __double2ll_rn(y) + __double2ll_rz(y) + __double2ull_rd(y) + __double2ull_ru(y);
    o[5] = __double2float_rn(y) + __double2float_rz(y) + __double2float_rd(y) + __double2float_ru(y);
    o[6] = __int2float_rn(i[t]) + __int2float_rz(i[t]) + __int2float_rd(i[t]) + __int2float_ru(i[t]);
    o[7] = __uint2float_rn(i[t]) + __uint2float_rz(i[t]) + __uint2double_rn(i[t]) + __int2double_rn(i[t]);
    o[8] = __ll2float_rn(l[t]) + __ll2float_rz(l[t]) + __ull2float_rd(l[t]) + __ull2float_ru(l[t]);
    o[9] = __ll2double_rn(l[t]) + __ll2double_rz(l[t]) + __ull2double_rd(l[t]) + __ull2double_ru(l[t]);
    o[10] = __float_as_int(x) + __int_as_float(i[t]) + __double_as_longlong(y) + __longlong_as_double(l[t]);
    o[11] = __double2hiint(y) + __double2loint(y) + __hiloint2double(i[t], i[t + 1]);
    o[12] = (signed char) x + (unsigned char) y + (short) x + (unsigned short) y;
    o[13] = (float) (signed char) i[t] + (double) (unsigned char) i[t] + (float) (short) i[t] + (double) (unsigned short) i[t];
    o[14] = (bool) x + (bool) y + (x != 0) + (y <= x);
    o[15] = (double) x + (float) y;
}
