// Attention of one head by tiles, as libraries do it: 64 queries a block of four warps, 64 keys a step, heads of 64 elements; products on tensor cores, softmax in registers as keys go by.
#include <cuda_fp16.h>
#include <stdint.h>

constexpr int HEAD = 64;
constexpr int TILE = 64;
constexpr int ROW = HEAD + 8;

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

__device__ void copy_tile(half (*to)[ROW], const half *from) {
    for (int e = threadIdx.x; e < TILE * HEAD / 8; e += blockDim.x) {
        uint32_t at = (uint32_t) __cvta_generic_to_shared(&to[e / (HEAD / 8)][e % (HEAD / 8) * 8]);
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" : : "r"(at), "l"(from + e * 8));
    }
    asm volatile("cp.async.commit_group;");
}

__device__ uint32_t pack(float low, float high) {
    __half2 both = __floats2half2_rn(low, high);
    return *(uint32_t *) &both;
}

extern "C" __global__ void __launch_bounds__(128) attention(const half *q, const half *k, const half *v, half *out, int keys, float scale) {
    __shared__ __align__(16) half qs[TILE][ROW];
    __shared__ __align__(16) half ks[TILE][ROW];
    __shared__ __align__(16) half vs[TILE][ROW];
    int lane = threadIdx.x % 32;
    int warp = threadIdx.x / 32;
    copy_tile(qs, q + (size_t) blockIdx.x * TILE * HEAD);
    asm volatile("cp.async.wait_all;");
    __syncthreads();
    uint32_t fq[HEAD / 16][4];
    for (int d = 0; d < HEAD / 16; d++)
        load_matrices(fq[d], &qs[warp * 16 + lane % 16][d * 16 + lane / 16 * 8]);
    float sums[HEAD / 8][4] = {};
    float most[2] = {-INFINITY, -INFINITY};
    float all[2] = {};
    for (int first = 0; first < keys; first += TILE) {
        __syncthreads();
        copy_tile(ks, k + (size_t) first * HEAD);
        copy_tile(vs, v + (size_t) first * HEAD);
        asm volatile("cp.async.wait_all;");
        __syncthreads();
        float s[TILE / 8][4] = {};
        for (int d = 0; d < HEAD / 16; d++) {
            for (int n = 0; n < TILE / 16; n++) {
                uint32_t fk[4];
                load_matrices(fk, &ks[n * 16 + lane % 8 + lane / 16 * 8][d * 16 + lane / 8 % 2 * 8]);
                multiply(s[2 * n], fq[d], fk[0], fk[1]);
                multiply(s[2 * n + 1], fq[d], fk[2], fk[3]);
            }
        }
        for (int h = 0; h < 2; h++) {
            float now = most[h];
            for (int n = 0; n < TILE / 8; n++)
                now = fmaxf(now, fmaxf(s[n][2 * h], s[n][2 * h + 1]));
            now = fmaxf(now, __shfl_xor_sync(0xffffffff, now, 1));
            now = fmaxf(now, __shfl_xor_sync(0xffffffff, now, 2));
            float old = exp2f((most[h] - now) * scale);
            most[h] = now;
            all[h] *= old;
            for (int n = 0; n < TILE / 8; n++) {
                s[n][2 * h] = exp2f((s[n][2 * h] - now) * scale);
                s[n][2 * h + 1] = exp2f((s[n][2 * h + 1] - now) * scale);
                all[h] += s[n][2 * h] + s[n][2 * h + 1];
            }
            for (int d = 0; d < HEAD / 8; d++) {
                sums[d][2 * h] *= old;
                sums[d][2 * h + 1] *= old;
            }
        }
        for (int n = 0; n < TILE / 16; n++) {
            uint32_t fp[4] = {pack(s[2 * n][0], s[2 * n][1]), pack(s[2 * n][2], s[2 * n][3]), pack(s[2 * n + 1][0], s[2 * n + 1][1]), pack(s[2 * n + 1][2], s[2 * n + 1][3])};
            for (int d = 0; d < HEAD / 16; d++) {
                uint32_t fv[4];
                load_transposed(fv, &vs[n * 16 + lane % 16][d * 16 + lane / 16 * 8]);
                multiply(sums[2 * d], fp, fv[0], fv[1]);
                multiply(sums[2 * d + 1], fp, fv[2], fv[3]);
            }
        }
    }
    for (int h = 0; h < 2; h++) {
        all[h] += __shfl_xor_sync(0xffffffff, all[h], 1);
        all[h] += __shfl_xor_sync(0xffffffff, all[h], 2);
        half *row = out + ((size_t) blockIdx.x * TILE + warp * 16 + lane / 4 + h * 8) * HEAD + lane % 4 * 2;
        for (int d = 0; d < HEAD / 8; d++)
            *(uint32_t *) (row + d * 8) = pack(sums[d][2 * h] / all[h], sums[d][2 * h + 1] / all[h]);
    }
}
