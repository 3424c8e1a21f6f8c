// Kernels of neural networks with functions of the special function unit. What an H100 gives for them is in recorded/h100-programs.zip (tools/record/programs.py).
extern "C" __global__ void softmax(const float *in, float *out, int columns)
{
    __shared__ float part[32];
    const float *row = in + blockIdx.x * columns;
    float most = -INFINITY;
    for (int i = threadIdx.x; i < columns; i += blockDim.x) most = fmaxf(most, row[i]);
    for (int o = 16; o; o >>= 1) most = fmaxf(most, __shfl_xor_sync(~0u, most, o));
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = most;
    __syncthreads();
    most = part[threadIdx.x % (blockDim.x / 32)];
    for (int o = 16; o; o >>= 1) most = fmaxf(most, __shfl_xor_sync(~0u, most, o));
    float sum = 0;
    for (int i = threadIdx.x; i < columns; i += blockDim.x) sum += expf(row[i] - most);
    for (int o = 16; o; o >>= 1) sum += __shfl_xor_sync(~0u, sum, o);
    __syncthreads();
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = sum;
    __syncthreads();
    sum = 0;
    for (int w = 0; w < blockDim.x / 32; w++) sum += part[w];
    for (int i = threadIdx.x; i < columns; i += blockDim.x) out[blockIdx.x * columns + i] = expf(row[i] - most) / sum;
}
extern "C" __global__ void gelu(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float x = in[i];
    out[i] = 0.5f * x * (1 + tanhf(0.7978845608f * (x + 0.044715f * x * x * x)));
}
extern "C" __global__ void silu(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    out[i] = in[i] / (1 + __expf(-in[i]));
}
extern "C" __global__ void rmsnorm(const float *in, float *out, int columns)
{
    __shared__ float part[32];
    const float *row = in + blockIdx.x * columns;
    float sum = 0;
    for (int i = threadIdx.x; i < columns; i += blockDim.x) sum += row[i] * row[i];
    for (int o = 16; o; o >>= 1) sum += __shfl_xor_sync(~0u, sum, o);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = sum;
    __syncthreads();
    sum = 0;
    for (int w = 0; w < blockDim.x / 32; w++) sum += part[w];
    float scale = rsqrtf(sum / columns + 1e-5f);
    for (int i = threadIdx.x; i < columns; i += blockDim.x) out[blockIdx.x * columns + i] = row[i] * scale;
}
extern "C" __global__ void rope(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (2 * i + 1 >= n) return;
    float angle = (i / 32) * __powf(10000.0f, -(i % 32) / 32.0f);
    float s = __sinf(angle), c = __cosf(angle);
    out[2 * i] = in[2 * i] * c - in[2 * i + 1] * s;
    out[2 * i + 1] = in[2 * i] * s + in[2 * i + 1] * c;
}
extern "C" __global__ void entropy(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float p = 1 / (1 + expf(-in[i]));
    out[i] = -(p * __logf(p) + (1 - p) * __log2f(1 - p)) + sqrtf(p) * __fdividef(p, in[i]) + __exp10f(p) + __tanf(p);
}
