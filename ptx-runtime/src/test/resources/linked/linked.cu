// Kernels whose functions and variables polynomial.cu defines.
extern __device__ int evaluations;
extern __device__ unsigned seen[4];
extern __constant__ float coefficients[4];
extern __device__ float polynomial(float x);
extern __device__ int callsInLibrary();
extern __device__ float (*chosen)(float);
extern __device__ int clampedInLibrary(int x);
static __device__ int calls = 7;
extern __shared__ float row[];

static __device__ __noinline__ float step(float x) {
    calls++;
    return x - 1.0f;
}

template <typename T> __device__ __noinline__ T clampTo(T x, T least, T most) {
    return x < least ? least : x > most ? most : x;
}

extern "C" __global__ void evaluate(const float *x, float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    row[threadIdx.x] = i < n ? x[i] : 0.0f;
    __syncthreads();
    if (i < n) {
        y[i] = polynomial(row[blockDim.x - 1 - threadIdx.x]) + coefficients[3];
    }
}

extern "C" __global__ void report(int *out, float *reals) {
    reals[0] = step(10.0f);
    reals[1] = chosen(21.0f);
    out[0] = evaluations;
    out[1] = calls;
    out[2] = callsInLibrary();
    out[3] = clampTo(99, -5, 5);
    out[4] = clampedInLibrary(-99);
    out[5] = (int)seen[2];
    seen[3] = 44;
}
