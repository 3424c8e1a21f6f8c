// One step of heat flow on a w × h grid: each inner cell moves towards the mean of its four neighbours
// by the factor k, cells on the edge keep their value. Once from global memory, once through a shared tile.

__device__ float relax(float centre, float north, float south, float west, float east, float k)
{
    float around = __fadd_rn(__fadd_rn(north, south), __fadd_rn(west, east));
    return __fmaf_rn(k, __fmaf_rn(0.25f, around, -centre), centre);
}

__device__ bool onEdge(int x, int y, int w, int h)
{
    return x == 0 || y == 0 || x == w - 1 || y == h - 1;
}

extern "C" __global__ void stencil(int w, int h, float k, const float *in, float *out)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h)
        return;
    int i = y * w + x;
    out[i] = onEdge(x, y, w, h) ? in[i] : relax(in[i], in[i - w], in[i + w], in[i - 1], in[i + 1], k);
}

constexpr int SIDE = 16;

// Blocks of 16 × 16 threads.
extern "C" __global__ void stencil_tiled(int w, int h, float k, const float *in, float *out)
{
    __shared__ float tile[SIDE + 2][SIDE + 2];
    int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
    int x = blockIdx.x * SIDE + threadIdx.x;
    int y = blockIdx.y * SIDE + threadIdx.y;
    bool inside = x < w && y < h;
    int i = y * w + x;
    if (inside) {
        tile[ty][tx] = in[i];
        if (tx == 1 && x > 0)
            tile[ty][0] = in[i - 1];
        if (tx == SIDE && x < w - 1)
            tile[ty][SIDE + 1] = in[i + 1];
        if (ty == 1 && y > 0)
            tile[0][tx] = in[i - w];
        if (ty == SIDE && y < h - 1)
            tile[SIDE + 1][tx] = in[i + w];
    }
    __syncthreads();
    if (inside)
        out[i] = onEdge(x, y, w, h) ? tile[ty][tx]
            : relax(tile[ty][tx], tile[ty - 1][tx], tile[ty + 1][tx], tile[ty][tx - 1], tile[ty][tx + 1], k);
}
