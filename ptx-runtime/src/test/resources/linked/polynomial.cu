// The library of linked.cu: functions and variables that its kernels declare extern.
__device__ int evaluations;
__device__ unsigned seen[4] = {1, 2, 3};
__constant__ float coefficients[4] = {1.5f, -2.0f, 0.25f, 8.0f};
static __device__ int calls = 100;    // linked.cu has one of its own

static __device__ __noinline__ float step(float sum, float x, float c) {
    atomicAdd(&calls, 1);
    return sum * x + c;
}

__device__ __noinline__ float polynomial(float x) {
    float sum = 0;
    for (int i = 0; i < 4; i++) {
        sum = step(sum, x, coefficients[i]);
    }
    atomicAdd(&evaluations, 1);
    return sum;
}

__device__ __noinline__ int callsInLibrary() {
    return calls;
}

__device__ float twice(float x) {
    return x + x;
}

__device__ float (*chosen)(float) = twice;

template <typename T> __device__ __noinline__ T clampTo(T x, T least, T most) {
    return x < least ? least : x > most ? most : x;
}

__device__ int clampedInLibrary(int x) {
    return clampTo(x, -5, 5);
}
