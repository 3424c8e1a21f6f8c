// build: blackwell.sm_100a -arch=sm_100a
// build: blackwell.sm_120 -arch=sm_120
// What sm_100 brought: pairs of floats, 32-byte vectors, three-input minima, tensor memory.
extern "C" __global__ void pairs(const float2 *a, float2 *o)
{
    int i = threadIdx.x;
    float2 x = a[i], y = a[i + 1], z = a[i + 2];
    o[i * 4] = __fadd2_rn(x, y);
    o[i * 4 + 1] = __fmul2_rn(x, y);
    o[i * 4 + 2] = __ffma2_rn(x, y, z);
    o[i * 4 + 3] = __ffma2_rz(x, y, z);
}
struct alignas(32) Eight { float f[8]; };
struct alignas(32) Four { long long l[4]; };
extern "C" __global__ void wide(const Eight *a, Eight *b, const Four *c, Four *d)
{
    b[threadIdx.x] = a[threadIdx.x];
    d[threadIdx.x] = c[threadIdx.x];
}
extern "C" __global__ void minima(const float *a, float *o)
{
    int i = threadIdx.x;
    o[i] = fmaxf(fmaxf(a[i], a[i + 1]), a[i + 2]) + fminf(a[i + 3], fminf(a[i + 4], a[i + 5]));
}
#if __CUDA_ARCH__ == 1000
extern "C" __global__ void tensor_memory(unsigned *out)
{
    __shared__ unsigned address;
    unsigned where = (unsigned) __cvta_generic_to_shared(&address), v;
    asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], 32;" :: "r"(where) : "memory");
    asm volatile("tcgen05.ld.sync.aligned.32x32b.x1.b32 {%0}, [%1];" : "=r"(v) : "r"(address));
    asm volatile("tcgen05.wait::ld.sync.aligned;");
    out[threadIdx.x] = v;
    asm volatile("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %0, 32;" :: "r"(address));
}
#endif
