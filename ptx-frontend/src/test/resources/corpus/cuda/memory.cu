// build: memory.sm_75 -arch=sm_75
// build: memory.sm_90 -arch=sm_90
// build: memory.sm_100 -arch=sm_100
// Loads and stores of every width, vector, cache hint and qualifier.
#define COPY(type) extern "C" __global__ void copy_##type(const type *a, type *b) { b[threadIdx.x] = a[threadIdx.x]; }
COPY(char2) COPY(char3) COPY(uchar4) COPY(short2) COPY(ushort3) COPY(short4) COPY(int2) COPY(uint3) COPY(int4) COPY(longlong2) COPY(ulonglong3)
COPY(float2) COPY(float3) COPY(float4) COPY(double2) COPY(double3)
struct alignas(8) Eight { float f; short s; char c; };
struct Odd { char a; char b[6]; };
COPY(Eight) COPY(Odd)
struct alignas(32) Wide { double d[4]; };
COPY(Wide)

template <typename T>
__device__ T hinted(const T *a, T *b)
{
    T sum = __ldg(a);
    sum += __ldca(a + 1);
    sum += __ldcg(a + 2);
    sum += __ldcs(a + 3);
    sum += __ldlu(a + 4);
    sum += __ldcv(a + 5);
    __stwb(b, sum);
    __stcg(b + 1, sum);
    __stcs(b + 2, sum);
    __stwt(b + 3, sum);
    return sum;
}
extern "C" __global__ void hints_f32(const float *a, float *b) { hinted(a, b); }
extern "C" __global__ void hints_u8(const unsigned char *a, unsigned char *b) { hinted(a, b); }
extern "C" __global__ void hints_s16(const short *a, short *b) { hinted(a, b); }
extern "C" __global__ void hints_f64(const double *a, double *b) { hinted(a, b); }
extern "C" __global__ void hints_v4(const float4 *a, float4 *b)
{
    float4 v = __ldg(a), w = __ldcs(a + 1);
    __stcg(b, make_float4(v.x + w.x, v.y, w.z, v.w));
}
extern "C" __global__ void volatiles(volatile int *a, volatile double *b, volatile unsigned char *c)
{
    __shared__ volatile int s[32];
    s[threadIdx.x & 31] = a[0];
    a[1] = a[2] + s[(threadIdx.x + 1) & 31];
    b[0] = b[1];
    c[0] = c[1];
}
extern "C" __global__ void __launch_bounds__(128) restricted(const float *__restrict__ a, const int *__restrict__ at, float *__restrict__ b)
{
    b[threadIdx.x] = a[at[threadIdx.x]] + a[at[threadIdx.x + 1]];
}
extern "C" __global__ void prefetches(const float *a, float *b)
{
    asm volatile("prefetch.global.L2 [%0];" :: "l"(a + 1024));
    asm volatile("prefetchu.L1 [%0];" :: "l"(a + 2048));
    unsigned x;
    asm volatile("ld.global.L1::no_allocate.u32 %0, [%1];" : "=r"(x) : "l"(a));
    asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(x) : "l"(a));
    asm volatile("ld.acquire.sys.u32 %0, [%1+-4];" : "=r"(x) : "l"(a + 1));
    asm volatile("st.release.cta.global.u32 [%0 + 8], %1;" :: "l"(b), "r"(x) : "memory");
    asm volatile("red.release.gpu.global.add.u32 [%0], %1;" :: "l"(b), "r"(x) : "memory");
    asm volatile("fence.acq_rel.gpu; fence.sc.sys; membar.cta;" ::: "memory");
#if __CUDA_ARCH__ >= 800
    unsigned long long policy;
    asm volatile("createpolicy.fractional.L2::evict_last.b64 %0, 0.5;" : "=l"(policy));
    asm volatile("ld.global.L2::cache_hint.u32 %0, [%1], %2;" : "=r"(x) : "l"(a), "l"(policy));
    asm volatile("discard.global.L2 [%0], 128;" :: "l"(b) : "memory");
    b[3] = x;
#endif
}
extern "C" __global__ void transposed(const float *in, float *out, int w, int h)
{
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (x < w && y + j < h)
            tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * w + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (x < h && y + j < w)
            out[(y + j) * h + x] = tile[threadIdx.x][threadIdx.y + j];
}
