// Matrix products on tensor cores, one warp a tile. build.sh makes the PTX beside this file.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>
#include <stdint.h>

using namespace nvcuda;

// C = A B + C: A has m rows and k columns, B is stored by columns, C by rows; one warp for each tile of C.
template <int M, int N, int K, typename Element, typename In, typename Out>
__device__ void tile_product(const In *a, const In *b, Out *c, int n, int k) {
    int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    int row = warp / (n / N) * M;
    int column = warp % (n / N) * N;
    wmma::fragment<wmma::matrix_a, M, N, K, Element, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, M, N, K, Element, wmma::col_major> fb;
    wmma::fragment<wmma::accumulator, M, N, K, Out> fc;
    wmma::load_matrix_sync(fc, c + row * n + column, n, wmma::mem_row_major);
    for (int i = 0; i < k; i += K) {
        wmma::load_matrix_sync(fa, a + row * k + i, k);
        wmma::load_matrix_sync(fb, b + column * k + i, k);
        wmma::mma_sync(fc, fa, fb, fc);
    }
    wmma::store_matrix_sync(c + row * n + column, fc, n, wmma::mem_row_major);
}

extern "C" __global__ void wmma_f16_f32(const half *a, const half *b, float *c, int n, int k) {
    tile_product<16, 16, 16, half>(a, b, c, n, k);
}

extern "C" __global__ void wmma_f16_f16(const half *a, const half *b, half *c, int n, int k) {
    tile_product<32, 8, 16, half>(a, b, c, n, k);
}

extern "C" __global__ void wmma_s8(const signed char *a, const signed char *b, int *c, int n, int k) {
    tile_product<8, 32, 16, signed char>(a, b, c, n, k);
}

// The same through shared memory, with fragments scaled element by element: C = 2 A B, all stored by rows, 64 x 16 of C for each block of
// four warps.
extern "C" __global__ void wmma_shared(const half *a, const half *b, float *c, int n, int k) {
    __shared__ half as[64][24];
    __shared__ half bs[16][24];
    int row = blockIdx.x / (n / 16) * 64;
    int column = blockIdx.x % (n / 16) * 16;
    int warp = threadIdx.x / 32;
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
    wmma::fill_fragment(fc, 0.0f);
    for (int i = 0; i < k; i += 16) {
        for (int e = threadIdx.x; e < 64 * 16; e += blockDim.x) {
            as[e / 16][e % 16] = a[(row + e / 16) * k + i + e % 16];
        }
        for (int e = threadIdx.x; e < 16 * 16; e += blockDim.x) {
            bs[e / 16][e % 16] = b[(i + e / 16) * n + column + e % 16];
        }
        __syncthreads();
        wmma::load_matrix_sync(fa, &as[warp * 16][0], 24);
        wmma::load_matrix_sync(fb, &bs[0][0], 24);
        for (int e = 0; e < fa.num_elements; e++) {
            fa.x[e] = __hadd(fa.x[e], fa.x[e]);
        }
        wmma::mma_sync(fc, fa, fb, fc);
        __syncthreads();
    }
    wmma::store_matrix_sync(c + (row + warp * 16) * n + column, fc, n, wmma::mem_row_major);
}

#if __CUDA_ARCH__ >= 800
extern "C" __global__ void wmma_bf16(const __nv_bfloat16 *a, const __nv_bfloat16 *b, float *c, int n, int k) {
    tile_product<16, 16, 16, __nv_bfloat16>(a, b, c, n, k);
}

extern "C" __global__ void wmma_tf32(const float *a, const float *b, float *c, int n, int k) {
    tile_product<16, 16, 8, wmma::precision::tf32>(a, b, c, n, k);
}

extern "C" __global__ void wmma_f64(const double *a, const double *b, double *c, int n, int k) {
    tile_product<8, 8, 4, double>(a, b, c, n, k);
}

// C = A B, all stored by rows, with ldmatrix and mma: 64 x 32 of C for each block of four warps, each warp 16 x 32.
extern "C" __global__ void mma_f16(const half *a, const half *b, float *c, int n, int k) {
    __shared__ __align__(16) half as[64][24];
    __shared__ __align__(16) half bs[16][40];
    int row = blockIdx.x / (n / 32) * 64;
    int column = blockIdx.x % (n / 32) * 32;
    int warp = threadIdx.x / 32;
    int lane = threadIdx.x % 32;
    float sums[4][4] = {};
    for (int i = 0; i < k; i += 16) {
        for (int e = threadIdx.x; e < 64 * 16; e += blockDim.x) {
            as[e / 16][e % 16] = a[(row + e / 16) * k + i + e % 16];
        }
        for (int e = threadIdx.x; e < 16 * 32; e += blockDim.x) {
            bs[e / 32][e % 32] = b[(i + e / 32) * n + column + e % 32];
        }
        __syncthreads();
        uint32_t fa[4];
        uint32_t from = (uint32_t) __cvta_generic_to_shared(&as[warp * 16 + lane % 16][lane / 16 * 8]);
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(fa[0]), "=r"(fa[1]), "=r"(fa[2]), "=r"(fa[3]) : "r"(from));
        for (int j = 0; j < 4; j++) {
            uint32_t fb[2];
            from = (uint32_t) __cvta_generic_to_shared(&bs[lane % 16][j * 8]);
            asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
                         : "=r"(fb[0]), "=r"(fb[1]) : "r"(from));
            asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                         : "+f"(sums[j][0]), "+f"(sums[j][1]), "+f"(sums[j][2]), "+f"(sums[j][3])
                         : "r"(fa[0]), "r"(fa[1]), "r"(fa[2]), "r"(fa[3]), "r"(fb[0]), "r"(fb[1]));
        }
        __syncthreads();
    }
    for (int j = 0; j < 4; j++) {
        for (int e = 0; e < 4; e++) {
            c[(row + warp * 16 + lane / 4 + e / 2 * 8) * n + column + j * 8 + lane % 4 * 2 + e % 2] = sums[j][e];
        }
    }
}
#endif
