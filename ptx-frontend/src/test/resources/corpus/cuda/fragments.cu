// Matrix fragments of every shape and type.
// compressed
// build: fragments.sm_75 -arch=sm_75 -std=c++17 --expt-relaxed-constexpr --extended-lambda -w
// build: fragments.sm_100a.fast -arch=sm_100a -use_fast_math -std=c++17 --expt-relaxed-constexpr --extended-lambda -w
// build: fragments.sm_120.rdc -arch=sm_120 -rdc=true -std=c++17 --expt-relaxed-constexpr --extended-lambda -w
// build: fragments.sm_100.debug -arch=sm_100 -G -std=c++17 --expt-relaxed-constexpr --extended-lambda -w
#include <mma.h>
#include <cuda_fp16.h>
#include <cuda_bf16.h>
using namespace nvcuda;
template <int M, int N, int K, typename T, typename A, typename LA, typename LB> __device__ void go(const T *a, const T *b, A *c) {
    wmma::fragment<wmma::matrix_a, M, N, K, T, LA> fa; wmma::fragment<wmma::matrix_b, M, N, K, T, LB> fb; wmma::fragment<wmma::accumulator, M, N, K, A> fc;
    wmma::fill_fragment(fc, A(0)); wmma::load_matrix_sync(fa, a, K); wmma::load_matrix_sync(fb, b, K); wmma::mma_sync(fc, fa, fb, fc);
    for (int i = 0; i < fc.num_elements; i++) fc.x[i] += A(1);
    wmma::store_matrix_sync(c, fc, N, wmma::mem_row_major); wmma::store_matrix_sync(c, fc, M, wmma::mem_col_major);
}
__global__ void k(const half *h, float *f, half *hh, const signed char *s, const unsigned char *u, int *i, const __nv_bfloat16 *b) {
    go<16, 16, 16, half, float, wmma::row_major, wmma::col_major>(h, h, f); go<32, 8, 16, half, half, wmma::col_major, wmma::row_major>(h, h, hh); go<8, 32, 16, half, float, wmma::row_major, wmma::row_major>(h, h, f);
    go<16, 16, 16, signed char, int, wmma::row_major, wmma::col_major>(s, s, i); go<8, 32, 16, unsigned char, int, wmma::row_major, wmma::col_major>(u, u, i);
#if __CUDA_ARCH__ >= 800
    go<16, 16, 16, __nv_bfloat16, float, wmma::row_major, wmma::col_major>(b, b, f);
    wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major> ta; wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, wmma::col_major> tb; wmma::fragment<wmma::accumulator, 16, 16, 8, float> tc;
    wmma::load_matrix_sync(ta, f, 8); wmma::load_matrix_sync(tb, f, 8); wmma::load_matrix_sync(tc, f, 16, wmma::mem_row_major); for (int j = 0; j < ta.num_elements; j++) ta.x[j] = wmma::__float_to_tf32(ta.x[j]); wmma::mma_sync(tc, ta, tb, tc); wmma::store_matrix_sync(f, tc, 16, wmma::mem_row_major);
    wmma::fragment<wmma::matrix_a, 8, 8, 4, double, wmma::row_major> da; wmma::fragment<wmma::matrix_b, 8, 8, 4, double, wmma::col_major> db; wmma::fragment<wmma::accumulator, 8, 8, 4, double> dc; double *d = (double *)f; wmma::load_matrix_sync(da, d, 4); wmma::load_matrix_sync(db, d, 4); wmma::fill_fragment(dc, 0.0); wmma::mma_sync(dc, da, db, dc); wmma::store_matrix_sync(d, dc, 8, wmma::mem_col_major);
#endif
}
