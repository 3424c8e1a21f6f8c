// build: matrix.sm_75 -arch=sm_75
// build: matrix.sm_80 -arch=sm_80
// build: matrix.sm_90a -arch=sm_90a
// build: matrix.sm_120a -arch=sm_120a
// Matrix instructions: wmma of mma.h, mma.sync, ldmatrix and others by inline assembly.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;

template <int M, int N, int K, typename In, typename Acc, typename LayoutA, typename LayoutB>
__device__ void multiply(const In *a, const In *b, Acc *c)
{
    wmma::fragment<wmma::matrix_a, M, N, K, In, LayoutA> fa;
    wmma::fragment<wmma::matrix_b, M, N, K, In, LayoutB> fb;
    wmma::fragment<wmma::accumulator, M, N, K, Acc> fc;
    wmma::fill_fragment(fc, Acc(0.0f));
    for (int k = 0; k < 4; k++) {
        wmma::load_matrix_sync(fa, a + k * K, 64);
        wmma::load_matrix_sync(fb, b + k * K, 64);
        wmma::mma_sync(fc, fa, fb, fc);
    }
    for (int i = 0; i < fc.num_elements; i++)
        fc.x[i] = fc.x[i] * Acc(2.0f);
    wmma::store_matrix_sync(c, fc, 64, wmma::mem_row_major);
}
extern "C" __global__ void half_16(const __half *a, const __half *b, float *c) { multiply<16, 16, 16, __half, float, wmma::row_major, wmma::col_major>(a, b, c); }
extern "C" __global__ void half_32_8(const __half *a, const __half *b, __half *c) { multiply<32, 8, 16, __half, __half, wmma::col_major, wmma::row_major>(a, b, c); }
extern "C" __global__ void bytes_16(const signed char *a, const signed char *b, int *c) { multiply<16, 16, 16, signed char, int, wmma::row_major, wmma::col_major>(a, b, c); }
extern "C" __global__ void ubytes_8_32(const unsigned char *a, const unsigned char *b, int *c) { multiply<8, 32, 16, unsigned char, int, wmma::row_major, wmma::col_major>(a, b, c); }
#if __CUDA_ARCH__ >= 800
extern "C" __global__ void bfloat_16(const __nv_bfloat16 *a, const __nv_bfloat16 *b, float *c) { multiply<16, 16, 16, __nv_bfloat16, float, wmma::row_major, wmma::col_major>(a, b, c); }
extern "C" __global__ void double_8(const double *a, const double *b, double *c) { multiply<8, 8, 4, double, double, wmma::row_major, wmma::col_major>(a, b, c); }
#endif

extern "C" __global__ void inline_mma(const unsigned *in, float *out)
{
    __shared__ alignas(16) unsigned tile[256];
    unsigned a[4], b[2];
    float d[4] = {};
    tile[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    unsigned address = (unsigned) __cvta_generic_to_shared(tile + threadIdx.x % 16 * 4);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
        : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3]) : "r"(address));
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];" : "=r"(b[0]), "=r"(b[1]) : "r"(address));
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(a[0]), "r"(a[1]), "r"(b[0]));
#if __CUDA_ARCH__ >= 800
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    int s[4] = {};
    asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.u8.s8.s32.satfinite {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+r"(s[0]), "+r"(s[1]), "+r"(s[2]), "+r"(s[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    d[0] += s[0] + s[3];
#endif
#if __CUDA_ARCH__ >= 900
    asm volatile("stmatrix.sync.aligned.m8n8.x2.shared.b16 [%0], {%1, %2};" :: "r"(address), "r"(a[0]), "r"(a[1]) : "memory");
    asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(a[0]) : "r"(a[1]));
#endif
#if __CUDA_ARCH__ == 900
    asm volatile("wgmma.fence.sync.aligned;");
    asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "l"((unsigned long long) address), "l"((unsigned long long) b[0]));
    asm volatile("wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;");
#endif
    out[threadIdx.x] = d[0] + d[1] + d[2] + d[3] + a[0] + tile[threadIdx.x ^ 1];
}
