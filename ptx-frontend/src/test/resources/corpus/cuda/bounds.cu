// Launch bounds, constant tables, structs by value, malloc, alloca, assertions.
// compressed
// build: bounds.sm_75 -arch=sm_75 -std=c++17 --expt-relaxed-constexpr --extended-lambda -w
// build: bounds.sm_100a.fast -arch=sm_100a -use_fast_math -std=c++17 --expt-relaxed-constexpr --extended-lambda -w
// build: bounds.sm_120.rdc -arch=sm_120 -rdc=true -std=c++17 --expt-relaxed-constexpr --extended-lambda -w
// build: bounds.sm_100.debug -arch=sm_100 -G -std=c++17 --expt-relaxed-constexpr --extended-lambda -w
#include <cuda_runtime.h>
#include <assert.h>
__constant__ struct { int a; float b[3]; const char *s; } conf = {1, {2, 3, 4}, "conf"};
__device__ const char *names[] = {"one", "two", nullptr}; __device__ double matrix[2][3][2] = {{{1, 2}, {3}}, {{4}}}; __managed__ int managed = 4; static __shared__ int unusedShared[1];
__global__ void __launch_bounds__(256, 2) b1(int *x) { assert(x[0] > 2); x[1] = conf.a + (int)conf.b[x[2]] + conf.s[1] + names[x[3]][0] + (int)matrix[1][x[4]][0] + managed; }
__global__ void __maxnreg__(40) b3(int *x) { x[0] = 1; }
struct Big { double d[100]; char c[7]; }; __global__ void big(Big b, __grid_constant__ const Big g, const float *__restrict__ r, float *__restrict__ w, bool t, char ch, short sh) { w[0] = b.d[threadIdx.x] + b.c[3] + g.d[5] + r[1] + t + ch + sh; const double *p = &g.d[threadIdx.x]; w[1] = *p; }
__global__ void alloca_(int n, int *o) { int local[100]; for (int i = 0; i < n; i++) local[i * 7 % 100] = i; o[0] = local[n]; int *p = (int *)malloc(n * 4); p[0] = 3; o[1] = p[0]; free(p); int *q = (int *)alloca(n * 4); q[1] = 2; o[2] = q[n & 1]; }
extern __shared__ double dyn[]; template <typename T> __device__ T *sh() { extern __shared__ char raw[]; return (T *)raw; } __global__ void dynamic(float *o) { dyn[threadIdx.x] = o[0]; __syncthreads(); o[1] = sh<float>()[3]; __trap(); __brkpt(); __builtin_unreachable(); }
__global__ void assume(int *p, int n) { __builtin_assume(n % 4 == 0); p = (int *)__builtin_assume_aligned(p, 16); int4 v = *(int4 *)p; p[5] = v.x + v.w; p[n] = __isGlobal(p) + __isShared(p) + __cvta_generic_to_shared(p); }
