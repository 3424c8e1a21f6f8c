// C (rows × cols) = A (rows × inner) · B (inner × cols), row-major, of any sizes.
// Each block makes one 16 × 16 tile of C from tiles of A and B in shared memory: two barriers a tile.

constexpr int TILE = 16;

extern "C" __global__ void __launch_bounds__(TILE * TILE)
matmul(int rows, int cols, int inner, const float *a, const float *b, float *c)
{
    __shared__ float tileA[TILE][TILE];
    __shared__ float tileB[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;
    float sum = 0.0f;
    for (int k = 0; k < inner; k += TILE) {
        tileA[ty][tx] = row < rows && k + tx < inner ? a[row * inner + k + tx] : 0.0f;
        tileB[ty][tx] = k + ty < inner && col < cols ? b[(k + ty) * cols + col] : 0.0f;
        __syncthreads();
#pragma unroll
        for (int i = 0; i < TILE; i++)
            sum = __fmaf_rn(tileA[ty][i], tileB[i][tx], sum);
        __syncthreads();
    }
    if (row < rows && col < cols)
        c[row * cols + col] = sum;
}
