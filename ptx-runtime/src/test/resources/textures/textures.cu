// Image filters over CUDA texture and surface objects: what compilers make of their reads.

extern "C" __global__ void resize(cudaTextureObject_t in, int w, int h, float4 *out)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h)
        out[y * w + x] = tex2D<float4>(in, (x + 0.5f) / w, (y + 0.5f) / h);
}

extern "C" __global__ void blur(cudaTextureObject_t in, cudaSurfaceObject_t out, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h)
        return;
    int sum = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            sum += tex2D<unsigned char>(in, x + dx, y + dy);
    surf2Dwrite((unsigned char) (sum / 9), out, x, y, cudaBoundaryModeTrap);
}

extern "C" __global__ void gather_list(cudaTextureObject_t list, const int *index, int n, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = tex1Dfetch<int>(list, index[i]);
}

extern "C" __global__ void mixed(cudaTextureObject_t volume, cudaTextureObject_t cube, cudaTextureObject_t layers,
    cudaTextureObject_t pyramid, float *out)
{
    int i = threadIdx.x;
    float u = i * 0.125f + 0.0625f;
    out[8 * i] = tex3D<float>(volume, u, 1 - u, 0.5f);
    out[8 * i + 1] = texCubemap<float>(cube, 1, 2 * u - 1, 0.25f);
    out[8 * i + 2] = tex2DLayered<float>(layers, u, u, i % 3);
    out[8 * i + 3] = tex2DLod<float>(pyramid, u, u, i * 0.5f);
    out[8 * i + 4] = tex2DGrad<float>(pyramid, u, u, make_float2(i * 0.125f, 0), make_float2(0, 0.125f));
    float4 four = tex2Dgather<float4>(pyramid, u, u, 0);
    out[8 * i + 5] = four.x + four.y + four.z + four.w;
    out[8 * i + 6] = four.x;
    out[8 * i + 7] = four.z;
}

extern "C" __global__ void surfaces(cudaSurfaceObject_t image, cudaSurfaceObject_t layers, int w)
{
    int x = threadIdx.x, y = blockIdx.x;
    int2 value = surf2Dread<int2>(image, x * (int) sizeof(int2), y, cudaBoundaryModeClamp);
    value.x += x;
    value.y -= y;
    surf2Dwrite(value, image, x * (int) sizeof(int2), y);
    surf2DLayeredwrite(value.x + value.y, layers, x * 4, y, y & 1, cudaBoundaryModeZero);
}
