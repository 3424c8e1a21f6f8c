// A product of square matrices of f16 on tensor cores, summed in f32: 64 by 64 elements for a block of four warps, each 32 by 32. n is a multiple of 64. For sm_80.

#include <cuda_fp16.h>
#include <stdint.h>

constexpr int SIDE = 64;
constexpr int STEP = 32;

__device__ void copy(const half *to, const half *from) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" : : "r"((uint32_t) __cvta_generic_to_shared(to)), "l"(from));
}

__device__ void load_matrices(uint32_t (&r)[4], const half *p) {
    uint32_t from = (uint32_t) __cvta_generic_to_shared(p);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(from));
}

__device__ void load_transposed(uint32_t (&r)[4], const half *p) {
    uint32_t from = (uint32_t) __cvta_generic_to_shared(p);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(from));
}

__device__ void multiply(float (&c)[4], const uint32_t (&a)[4], uint32_t b0, uint32_t b1) {
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

extern "C" __global__ void __launch_bounds__(128) hgemm(int n, const half *a, const half *b, float *c)
{
    __shared__ __align__(16) half as[SIDE][STEP + 8];
    __shared__ __align__(16) half bs[STEP][SIDE + 8];
    int lane = threadIdx.x % 32;
    int row = threadIdx.x / 32 / 2 * 32;
    int column = threadIdx.x / 32 % 2 * 32;
    const half *left = a + blockIdx.y * SIDE * n;
    const half *right = b + blockIdx.x * SIDE;
    float sums[2][4][4] = {};
    for (int k = 0; k < n; k += STEP) {
        __syncthreads();
        for (int e = threadIdx.x; e < SIDE * STEP / 8; e += 128) {
            copy(&as[e / (STEP / 8)][e % (STEP / 8) * 8], left + e / (STEP / 8) * n + k + e % (STEP / 8) * 8);
            copy(&bs[e / (SIDE / 8)][e % (SIDE / 8) * 8], right + (k + e / (SIDE / 8)) * n + e % (SIDE / 8) * 8);
        }
        asm volatile("cp.async.wait_all;");
        __syncthreads();
        for (int i = 0; i < STEP; i += 16) {
            uint32_t fa[2][4];
            uint32_t fb[2][4];
            for (int t = 0; t < 2; t++) {
                load_matrices(fa[t], &as[row + t * 16 + lane % 16][i + lane / 16 * 8]);
                load_transposed(fb[t], &bs[i + lane % 16][column + t * 16 + lane / 16 * 8]);
            }
            for (int t = 0; t < 2; t++)
                for (int s = 0; s < 4; s++)
                    multiply(sums[t][s], fa[t], fb[s / 2][s % 2 * 2], fb[s / 2][s % 2 * 2 + 1]);
        }
    }
    for (int t = 0; t < 2; t++)
        for (int s = 0; s < 4; s++)
            for (int h = 0; h < 2; h++)
                *(float2 *) &c[(blockIdx.y * SIDE + row + t * 16 + lane / 4 + h * 8) * n + blockIdx.x * SIDE + column + s * 8 + lane % 4 * 2] =
                    make_float2(sums[t][s][2 * h], sums[t][s][2 * h + 1]);
}
