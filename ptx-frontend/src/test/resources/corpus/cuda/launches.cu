// build: launches.sm_75 -arch=sm_75
// build: launches.sm_90 -arch=sm_90
// build: launches.sm_100 -arch=sm_100
// Kernel signatures and performance directives: launch bounds, register limits, structs by value, large parameters.
struct Small { char c; short s; };
struct Settings { int n; float scale; double limits[2]; const float *table; unsigned char tag[5]; };
struct Big { int values[900]; };
struct Empty {};
enum class Mode : unsigned char { Add, Multiply };

extern "C" __global__ void __launch_bounds__(256) bounded(int *a) { a[threadIdx.x] = 1; }
extern "C" __global__ void __launch_bounds__(512, 2) bounded_twice(int *a) { a[threadIdx.x] = 2; }
extern "C" __global__ void __maxnreg__(40) few_registers(int *a) { a[threadIdx.x] = 3; }
extern "C" __global__ void nothing() {}
extern "C" __global__ void every_scalar(bool b, char c, unsigned char uc, short s, unsigned short us, int i, unsigned u, long long l, unsigned long long ul, float f, double d, Mode m, double *out)
{
    *out = b + c + uc + s + us + i + u + l + ul + f + d + (int) m;
}
extern "C" __global__ void small_struct(Small s, int *out) { *out = s.c + s.s; }
extern "C" __global__ void settings(Settings s, float *out)
{
    int i = threadIdx.x;
    if (i < s.n)
        out[i] = s.table[i] * s.scale + s.limits[i & 1] + s.tag[i % 5];
}
extern "C" __global__ void big_indexed(Big b, int i, int *out) { out[0] = b.values[i] + b.values[17]; }
extern "C" __global__ void big_changed(Big b, int i, int *out)
{
    b.values[i] = 5;
    out[0] = b.values[out[1]];
}
extern "C" __global__ void grid_constant(const __grid_constant__ Big b, int i, const int **out) { out[0] = &b.values[i]; }
extern "C" __global__ void vectors(float4 v, int2 i, uchar3 c, double2 d, float *out) { *out = v.w + i.y + c.z + d.y; }
extern "C" __global__ void empty_struct(Empty, int *out) { *out = 1; }
template <typename T, int N, typename F>
__global__ void generic(const T *in, T *out, F f)
{
    for (int i = threadIdx.x; i < N; i += blockDim.x)
        out[i] = f(in[i]);
}
struct Scale { float by; __device__ float operator()(float x) const { return x * by; } };
template __global__ void generic<float, 100, Scale>(const float *, float *, Scale);
namespace deep { namespace inner { __global__ void named(int *a) { a[0] = blockDim.y * gridDim.z + threadIdx.z + blockIdx.y; } } }
namespace { __global__ void anonymous(int *a) { a[0] = 5; } }
extern "C" void use_anonymous() { anonymous<<<1, 1>>>(nullptr); }
#if __CUDA_ARCH__ >= 900
extern "C" __global__ void __cluster_dims__(2, 1, 1) clustered(int *a) { a[threadIdx.x] = 4; }
extern "C" __global__ void __launch_bounds__(128, 1, 8) clustered_at_most(int *a) { a[threadIdx.x] = 4; }
#endif
