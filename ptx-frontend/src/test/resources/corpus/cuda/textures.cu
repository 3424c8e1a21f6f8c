// build: textures.sm_75 -arch=sm_75
// build: textures.sm_100 -arch=sm_100
// Texture and surface objects of every shape.
extern "C" __global__ void fetches(cudaTextureObject_t t, float4 *out, float x, float y, float z, int i)
{
    out[0] = tex1Dfetch<float4>(t, i);
    out[1] = tex1D<float4>(t, x);
    out[2] = tex2D<float4>(t, x, y);
    out[3] = tex3D<float4>(t, x, y, z);
    out[4] = tex1DLayered<float4>(t, x, i);
    out[5] = tex2DLayered<float4>(t, x, y, i);
    out[6] = texCubemap<float4>(t, x, y, z);
    out[7] = texCubemapLayered<float4>(t, x, y, z, i);
    out[8] = tex2DLod<float4>(t, x, y, z);
    out[9] = tex2DGrad<float4>(t, x, y, make_float2(x, z), make_float2(y, z));
    out[10] = tex2Dgather<float4>(t, x, y, 2);
    out[11].x = tex2D<float>(t, x, y);
    out[11].y = tex1D<unsigned char>(t, x);
    out[11].z = tex2D<int2>(t, x, y).y;
    out[11].w = tex2D<unsigned short>(t, x, y);
}
extern "C" __global__ void surfaces(cudaSurfaceObject_t s, int4 *out, int x, int y, int z)
{
    out[0] = surf1Dread<int4>(s, 16 * x);
    out[1] = surf2Dread<int4>(s, 16 * x, y, cudaBoundaryModeClamp);
    out[2] = surf3Dread<int4>(s, 16 * x, y, z, cudaBoundaryModeZero);
    out[3].x = surf2DLayeredread<int>(s, 4 * x, y, z);
    out[3].y = surf2Dread<unsigned char>(s, x, y);
    surf1Dwrite(out[0], s, 16 * x);
    surf2Dwrite(make_short2(x, y), s, 4 * x, y, cudaBoundaryModeZero);
    surf3Dwrite(make_float2(x, y), s, 8 * x, y, z);
    surf2DLayeredwrite((char) x, s, x, y, z);
}
extern "C" __global__ void queries(unsigned long long t, int *out)
{
    int width, height;
    asm volatile("txq.width.b32 %0, [%1];" : "=r"(width) : "l"(t));
    asm volatile("txq.height.b32 %0, [%1];" : "=r"(height) : "l"(t));
    out[0] = width * height;
    asm volatile("suq.width.b32 %0, [%1];" : "=r"(out[1]) : "l"(t));
}
