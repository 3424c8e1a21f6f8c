// Kernels launched from kernels, managed memory, streams and events on the device, launch bounds, cluster dims, grid constants, maxnreg.
// compressed
// build: dynamic.sm_80.rdc -arch=sm_80 -rdc=true -DDYNAMIC -std=c++20 --extended-lambda --expt-relaxed-constexpr -w
__managed__ int shared_with_host = 5; __device__ __managed__ float table[64];
__global__ void __launch_bounds__(128, 4) child(int *a) { a[threadIdx.x] += shared_with_host; }
#if defined(DYNAMIC)
__global__ void parent(int *a) { child<<<2, 64>>>(a); cudaStream_t s; cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking); child<<<1, 32, 16, s>>>(a + 64); child<<<1, 1, 0, cudaStreamTailLaunch>>>(a); void *p = malloc(10); free(p); }
#endif
struct Params { int n; float w[20]; const int *p; };
__global__ void __maxnreg__(64) grid_constant(const __grid_constant__ Params q, int *o) { const int *w = (const int *) &q; o[threadIdx.x] = w[threadIdx.x % 22] + q.n + q.p[0]; table[threadIdx.x & 63] = q.w[threadIdx.x % 20]; }
#if __CUDA_ARCH__ >= 900
__global__ void __launch_bounds__(256, 1, 4) clustered(int *o) { o[blockIdx.x] = 1; cudaGridDependencySynchronize(); cudaTriggerProgrammaticLaunchCompletion(); }
__global__ void __block_size__((64, 1, 1), (2, 2, 1)) blocks(int *o) { o[threadIdx.x] = 4; }
#endif
extern __shared__ double dyn[]; __global__ void dynamic_shared(double *o) { float *f = (float *) dyn; f[threadIdx.x] = o[0]; __syncthreads(); o[threadIdx.x] = dyn[threadIdx.x / 2]; }
template <class T> __global__ void aligned(T *o) { struct alignas(64) A { T v[3]; }; __shared__ A a[2]; a[threadIdx.x & 1].v[threadIdx.x % 3] = o[threadIdx.x]; __syncthreads(); o[threadIdx.x] = a[0].v[1]; }
template __global__ void aligned<char>(char *); template __global__ void aligned<double>(double *); template __global__ void aligned<long long>(long long *);
