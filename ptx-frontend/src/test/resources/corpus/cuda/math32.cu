// build: math32.sm_75 -arch=sm_75
// build: math32.sm_75.fast -arch=sm_75 -use_fast_math
// build: math32.sm_100 -arch=sm_100
// The single-precision mathematics library.
#define ONE(name) extern "C" __global__ void k_##name(const float *a, float *out) { out[threadIdx.x] = name(a[threadIdx.x]); }
#define TWO(name) extern "C" __global__ void k_##name(const float *a, float *out) { out[threadIdx.x] = name(a[threadIdx.x], a[threadIdx.x + 1]); }
ONE(sinf) ONE(cosf) ONE(tanf) ONE(expf) ONE(logf) ONE(log2f) ONE(cbrtf) ONE(erff) ONE(erfcf) ONE(tgammaf) ONE(acosf) ONE(atanf) ONE(tanhf) ONE(log1pf)
ONE(normcdff) ONE(rcbrtf) ONE(sinpif) ONE(exp10f) ONE(logbf) ONE(roundf) ONE(rintf)
TWO(powf) TWO(atan2f) TWO(hypotf) TWO(fmodf) TWO(nextafterf) TWO(fdimf)
extern "C" __global__ void k_frexp(const float *a, float *out, int *e) { out[threadIdx.x] = frexpf(a[threadIdx.x], e + threadIdx.x) + ldexpf(a[threadIdx.x], e[threadIdx.x]); }
