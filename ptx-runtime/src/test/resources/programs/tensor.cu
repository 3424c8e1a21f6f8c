// Products in tensor memory: one thread multiplies, all move rows.
#include <cuda_fp16.h>

#define LANES 128

__device__ static unsigned shared_address(const void *p)
{
    return (unsigned) __cvta_generic_to_shared(p);
}

// Rows along K, swizzled by 128 bytes; eight rows take 1,024 bytes.
__device__ static unsigned long long descriptor(unsigned address)
{
    return (unsigned long long) (address >> 4) | 1ull << 16 | 64ull << 32 | 1ull << 46 | 2ull << 61;
}

__device__ static void fill(char *tile, const char *rows, int count, int pitch)
{
    for (int piece = threadIdx.x; piece < count * 8; piece += LANES) {
        int row = piece / 8, at = piece % 8;
        *(int4 *) (tile + row * 128 + (at ^ row % 8) * 16) = *(const int4 *) (rows + (long long) row * pitch + at * 16);
    }
}

__device__ static void wait(unsigned mbarrier, unsigned parity)
{
    asm volatile("{\n\t.reg .pred %%p;\nWAIT_%=:\n\tmbarrier.try_wait.parity.shared::cta.b64 %%p, [%0], %1;\n\t@!%%p bra WAIT_%=;\n\t}" :: "r"(mbarrier), "r"(parity) : "memory");
}

// D of 128 rows and 64 columns; rows of A and B have depth elements of f16, 64 of which are multiplied at a time by four instructions.
extern "C" __global__ void __launch_bounds__(LANES) gemm(const __half *a, const __half *b, float *d, int depth)
{
    __shared__ alignas(1024) char tileA[128 * 128];
    __shared__ alignas(1024) char tileB[64 * 128];
    __shared__ alignas(8) unsigned long long done;
    __shared__ unsigned where;
    unsigned mbarrier = shared_address(&done);
    int warp = threadIdx.x / 32;
    if (warp == 0) {
        asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], 64;" :: "r"(shared_address(&where)) : "memory");
        asm volatile("tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;");
    }
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" :: "r"(mbarrier) : "memory");
    }
    __syncthreads();
    unsigned tensor = where;
    a += (long long) blockIdx.x * 128 * depth;
    b += (long long) blockIdx.y * 64 * depth;
    unsigned parity = 0;
    for (int k = 0; k < depth; k += 64) {
        fill(tileA, (const char *) (a + k), 128, depth * 2);
        fill(tileB, (const char *) (b + k), 64, depth * 2);
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        __syncthreads();
        if (threadIdx.x == 0) {
            for (int part = 0; part < 4; part++) {
                // Sums of f32, 64 columns, 128 rows.
                unsigned product = 1u << 4 | 64 / 8 << 17 | 128 / 16 << 24;
                asm volatile("{\n\t.reg .pred %%p;\n\tsetp.ne.u32 %%p, %4, 0;\n\ttcgen05.mma.cta_group::1.kind::f16 [%0], %1, %2, %3, %%p;\n\t}"
                    :: "r"(tensor), "l"(descriptor(shared_address(tileA) + part * 32)), "l"(descriptor(shared_address(tileB) + part * 32)), "r"(product), "r"(k + part));
            }
            asm volatile("tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%0];" :: "r"(mbarrier) : "memory");
        }
        wait(mbarrier, parity);
        parity ^= 1;
    }
    asm volatile("tcgen05.fence::after_thread_sync;");
    int width = gridDim.y * 64;
    float *row = d + ((long long) blockIdx.x * 128 + threadIdx.x) * width + blockIdx.y * 64;
    for (int column = 0; column < 64; column += 8) {
        float v[8];
        asm volatile("tcgen05.ld.sync.aligned.32x32b.x8.b32 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8];"
            : "=f"(v[0]), "=f"(v[1]), "=f"(v[2]), "=f"(v[3]), "=f"(v[4]), "=f"(v[5]), "=f"(v[6]), "=f"(v[7]) : "r"(tensor + (warp * 32 << 16) + column));
        asm volatile("tcgen05.wait::ld.sync.aligned;" ::: "memory");
        for (int i = 0; i < 8; i++) {
            row[column + i] = v[i];
        }
    }
    asm volatile("tcgen05.fence::before_thread_sync;");
    __syncthreads();
    if (warp == 0) {
        asm volatile("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %0, 64;" :: "r"(tensor));
    }
}

// Bytes of e4m3 with a power of two for each 32 along K: D of 128 rows and 32 columns. Scale factors go through shared memory into tensor memory.
extern "C" __global__ void __launch_bounds__(LANES) scaled(const char *a, const char *b, const unsigned *scaleA, const unsigned *scaleB, float *d)
{
    __shared__ alignas(1024) char tileA[128 * 128];
    __shared__ alignas(1024) char tileB[32 * 128];
    __shared__ alignas(128) unsigned factors[2][32][4];
    __shared__ alignas(8) unsigned long long done;
    __shared__ unsigned where;
    unsigned mbarrier = shared_address(&done);
    int warp = threadIdx.x / 32;
    if (warp == 0) {
        asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], 64;" :: "r"(shared_address(&where)) : "memory");
    }
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" :: "r"(mbarrier) : "memory");
    }
    fill(tileA, a, 128, 128);
    fill(tileB, b, 32, 128);
    // Row r of A: lane r mod 32, word r / 32; its four bytes are the factors of four products.
    factors[0][threadIdx.x % 32][threadIdx.x / 32] = scaleA[threadIdx.x];
    factors[1][threadIdx.x % 32][threadIdx.x / 32] = threadIdx.x < 32 ? scaleB[threadIdx.x] : 0;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    unsigned tensor = where;
    if (threadIdx.x == 0) {
        for (int which = 0; which < 2; which++) {
            unsigned long long plain = (unsigned long long) (shared_address(factors[which]) >> 4) | 8ull << 16 | 8ull << 32 | 1ull << 46;
            asm volatile("tcgen05.cp.cta_group::1.32x128b.warpx4 [%0], %1;" :: "r"(tensor + 32 + 4 * which), "l"(plain) : "memory");
        }
        for (int part = 0; part < 4; part++) {
            unsigned product = part << 4 | 32 / 8 << 17 | 1u << 23 | 128 / 16 << 24 | part << 29;
            asm volatile("{\n\t.reg .pred %%p;\n\tsetp.ne.u32 %%p, %6, 0;\n\ttcgen05.mma.cta_group::1.kind::mxf8f6f4.block_scale [%0], %1, %2, %3, [%4], [%5], %%p;\n\t}"
                :: "r"(tensor), "l"(descriptor(shared_address(tileA) + part * 32)), "l"(descriptor(shared_address(tileB) + part * 32)), "r"(product), "r"(tensor + 32), "r"(tensor + 36), "r"(part));
        }
        asm volatile("tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%0];" :: "r"(mbarrier) : "memory");
    }
    wait(mbarrier, 0);
    asm volatile("tcgen05.fence::after_thread_sync;");
    for (int column = 0; column < 32; column++) {
        float v;
        asm volatile("tcgen05.ld.sync.aligned.32x32b.x1.b32 {%0}, [%1];" : "=f"(v) : "r"(tensor + (warp * 32 << 16) + column));
        asm volatile("tcgen05.wait::ld.sync.aligned;" ::: "memory");
        d[threadIdx.x * 32 + column] = v;
    }
    __syncthreads();
    if (warp == 0) {
        asm volatile("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %0, 64;" :: "r"(tensor));
    }
}
