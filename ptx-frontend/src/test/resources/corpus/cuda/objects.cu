// Texture and surface objects.
// compressed
// build: objects.sm_75 -arch=sm_75 -std=c++17 --expt-relaxed-constexpr --extended-lambda -w
// build: objects.sm_100a.fast -arch=sm_100a -use_fast_math -std=c++17 --expt-relaxed-constexpr --extended-lambda -w
// build: objects.sm_120.rdc -arch=sm_120 -rdc=true -std=c++17 --expt-relaxed-constexpr --extended-lambda -w
#include <cuda_runtime.h>
__global__ void t(cudaTextureObject_t a, cudaSurfaceObject_t s, float4 *o, uchar4 *u, short2 *sh, int n) {
    float x = threadIdx.x + 0.5f;
    o[0] = tex2D<float4>(a, x, x); o[1] = tex3D<float4>(a, x, x, x); o[2].x = tex1Dfetch<float>(a, n); o[3] = tex2DLod<float4>(a, x, x, 2.f);
    o[4] = tex2DGrad<float4>(a, x, x, make_float2(1, 2), make_float2(3, 4)); o[5] = texCubemap<float4>(a, x, x, x); o[6] = tex2DLayered<float4>(a, x, x, n);
    o[7] = tex2Dgather<float4>(a, x, x, 2); u[0] = tex1D<uchar4>(a, x); sh[0] = tex2D<short2>(a, x, x); o[8] = texCubemapLayered<float4>(a, x, x, x, n); o[9] = tex1DLayeredLod<float4>(a, x, n, 1.f);
    bool r; o[10] = tex2D<float4>(a, x, x, &r); o[11].x = r; o[12] = tex3DGrad<float4>(a, x, x, x, make_float4(1,2,3,4), make_float4(4,3,2,1));
    surf2Dwrite(o[0], s, n * 16, n); surf2Dread(&o[1], s, n * 16, n, cudaBoundaryModeClamp); surf1Dwrite(u[0], s, n * 4, cudaBoundaryModeZero); surf3Dread(&sh[1], s, 4, n, n);
    surf2DLayeredwrite(sh[0], s, 4, n, 3); surfCubemapread(&u[1], s, 4, n, 3); long long ll; surf1Dread(&ll, s, 8); o[13].x = ll;
}
