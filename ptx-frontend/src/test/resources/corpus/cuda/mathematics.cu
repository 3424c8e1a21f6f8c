// Complex numbers and the whole mathematics library.
// compressed
// build: mathematics.sm_75 -arch=sm_75 -std=c++17 --expt-relaxed-constexpr --extended-lambda -w
// build: mathematics.sm_100a.fast -arch=sm_100a -use_fast_math -std=c++17 --expt-relaxed-constexpr --extended-lambda -w
// build: mathematics.sm_120.rdc -arch=sm_120 -rdc=true -std=c++17 --expt-relaxed-constexpr --extended-lambda -w
#include <cuComplex.h>
#include <math_constants.h>
__global__ void c(cuFloatComplex *a, cuDoubleComplex *b, float *f, double *d, int n) {
    a[0] = cuCmulf(a[1], a[2]); a[1] = cuCdivf(a[3], a[4]); b[0] = cuCfma(b[1], b[2], b[3]); f[0] = cuCabsf(a[0]); d[0] = cuCabs(b[0]);
    f[1] = sinf(f[2]) + cosf(f[3]) + tanf(f[4]) + expf(f[5]) + logf(f[6]) + powf(f[7], f[8]) + erff(f[9]) + tgammaf(f[10]) + j0f(f[11]) + cbrtf(f[12]) + atan2f(f[13], f[14]) + fmodf(f[15], f[16]) + remquof(f[17], f[18], &n) + lgammaf(f[19]) + normcdff(f[20]) + erfinvf(f[21]) + rhypotf(f[1], f[2]);
    d[1] = sin(d[2]) + cos(d[3]) + exp(d[4]) + log(d[5]) + pow(d[6], d[7]) + erfc(d[8]) + tgamma(d[9]) + yn(n, d[10]) + asinh(d[11]) + fmod(d[12], d[13]) + sinpi(d[14]) + cyl_bessel_i0(d[15]) + rsqrt(d[16]) + frexp(d[17], &n) + nextafter(d[18], d[19]) + rint(d[20]) + llround(d[21]) + scalbn(d[22], n);
    f[30] = __sinf(f[1]) + __expf(f[2]) + __fdividef(f[3], f[4]) + __frcp_rn(f[5]) + __fsqrt_ru(f[6]) + __fadd_rd(f[7], f[8]) + __saturatef(f[9]) + __powf(f[1], f[2]) + __log2f(f[3]) + __tanf(f[4]); d[30] = __drcp_rn(d[1]) + __ddiv_ru(d[2], d[3]) + __dsqrt_rd(d[4]) + __fma_rz(d[5], d[6], d[7]);
}
