// build: math64.sm_75 -arch=sm_75
// build: math64.sm_100 -arch=sm_100
// The double-precision mathematics library: big code with tables, local arrays and slow paths.
#define ONE(name) extern "C" __global__ void k_##name(const double *a, double *out) { out[threadIdx.x] = name(a[threadIdx.x]); }
#define TWO(name) extern "C" __global__ void k_##name(const double *a, double *out) { out[threadIdx.x] = name(a[threadIdx.x], a[threadIdx.x + 1]); }
ONE(sin) ONE(tan) ONE(exp) ONE(log) ONE(cbrt) ONE(erf) ONE(lgamma) ONE(asin) ONE(atan) ONE(sinh) ONE(log1p) ONE(expm1) ONE(rsqrt) ONE(j0)
TWO(pow) TWO(atan2) TWO(hypot) TWO(fmod) TWO(remainder)
extern "C" __global__ void k_sincos(const double *a, double *out) { sincos(a[threadIdx.x], out + 2 * threadIdx.x, out + 2 * threadIdx.x + 1); }
