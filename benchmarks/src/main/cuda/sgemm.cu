// A product of square matrices by tiles of 64 by 64 elements in blocks of 16 by 16 threads: each thread has 4 by 4 sums in
// registers. n is a multiple of 64.

extern "C" __global__ void sgemm(int n, const float *a, const float *b, float *c)
{
    __shared__ float tileA[16][64], tileB[16][64];
    int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 64, col = blockIdx.x * 64;
    unsigned t = ty * 16 + tx;
    float sum[4][4] = {};
    for (int k = 0; k < n; k += 16) {
        for (int i = 0; i < 4; i++) {
            unsigned e = t + 256 * i;
            tileA[e % 16][e / 16] = a[(row + e / 16) * n + k + e % 16];
            tileB[e / 64][e % 64] = b[(k + e / 64) * n + col + e % 64];
        }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 16; i++) {
            float x[4], y[4];
#pragma unroll
            for (int j = 0; j < 4; j++) {
                x[j] = tileA[i][ty * 4 + j];
                y[j] = tileB[i][tx * 4 + j];
            }
#pragma unroll
            for (int r = 0; r < 4; r++)
#pragma unroll
                for (int s = 0; s < 4; s++)
                    sum[r][s] = fmaf(x[r], y[s], sum[r][s]);
        }
        __syncthreads();
    }
    for (int r = 0; r < 4; r++)
        for (int s = 0; s < 4; s++)
            c[(row + ty * 4 + r) * n + col + tx * 4 + s] = sum[r][s];
}
