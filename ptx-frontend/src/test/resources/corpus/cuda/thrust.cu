// Algorithms of Thrust, which launch kernels of their own.
// compressed
// build: thrust.sm_75 -arch=sm_75 -std=c++17 --expt-relaxed-constexpr --extended-lambda -w
// build: thrust.sm_120.rdc -arch=sm_120 -rdc=true -std=c++17 --expt-relaxed-constexpr --extended-lambda -w
#include <thrust/device_ptr.h>
#include <thrust/transform.h>
#include <thrust/sort.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/execution_policy.h>
struct Axpy { float a; __host__ __device__ float operator()(float x, float y) const { return a * x + y; } };
void run(float *x, float *y, int n) {
    thrust::device_ptr<float> px(x), py(y);
    thrust::transform(thrust::device, px, px + n, py, py, Axpy{2.0f});
    thrust::sort(thrust::device, py, py + n);
    thrust::inclusive_scan(thrust::device, py, py + n, px);
}
__global__ void sequential(int *x, int n) {
    if (threadIdx.x == 0) { thrust::sort(thrust::seq, x, x + n); x[0] = thrust::reduce(thrust::seq, x, x + n); }
}
