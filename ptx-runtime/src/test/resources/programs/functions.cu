// Functions of CUDA's mathematical library, a kernel each, as nvcc puts them into kernels. FunctionsTest runs the PTX that build.sh makes of them.

#define KERNEL(type, name, value) \
    extern "C" __global__ void name(const type *a, const type *b, type *out, int n) \
    { \
        int i = blockIdx.x * blockDim.x + threadIdx.x; \
        if (i >= n) return; \
        type x = a[i]; \
        out[i] = value; \
    }

#define ONE(name) KERNEL(double, name##_f64, name(x)) KERNEL(float, name##_f32, name##f(x))
#define TWO(name) KERNEL(double, name##_f64, name(x, b[i])) KERNEL(float, name##_f32, name##f(x, b[i]))

ONE(exp) ONE(expm1) ONE(log) ONE(log1p) ONE(log10) ONE(sin) ONE(cos) ONE(tan) ONE(asin) ONE(acos) ONE(atan)
ONE(sinh) ONE(cosh) ONE(tanh) ONE(cbrt) ONE(sqrt) ONE(rsqrt) ONE(rint) ONE(floor) ONE(exp2) ONE(log2) ONE(erf) ONE(erfc) ONE(lgamma)
TWO(pow) TWO(atan2) TWO(hypot) TWO(fmod)
KERNEL(double, quotient_f64, x / b[i]) KERNEL(float, quotient_f32, x / b[i])
