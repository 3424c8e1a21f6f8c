// build: external.sm_75 -arch=sm_75 -rdc=true
// build: external.sm_100 -arch=sm_100 -rdc=true
// Names that another module defines, weak and inline definitions, launches from the device.
extern __device__ int elsewhere(int x, float *p);
extern "C" __device__ void c_elsewhere(void);
extern __device__ double far_table[16];
extern __constant__ int far_constant;
extern __shared__ char pool[];
__device__ __attribute__((weak)) int replaceable(int x) { return x + 1; }
template <typename T> __device__ __noinline__ T inline_twice(T x) { return x + x; }
template <int N> __device__ int held = N;

__global__ void child(int *x) { x[threadIdx.x]++; }

extern "C" __global__ void user(float *p, int *q)
{
    q[0] = elsewhere(q[1], p) + far_constant + replaceable(q[2]) + held<3> + q[3];
    p[0] = far_table[q[4]] + inline_twice(p[1]) + inline_twice(q[5]) + pool[q[6]];
    c_elsewhere();
}
extern "C" __global__ void parent(int *x)
{
    child<<<2, 32>>>(x);
}
