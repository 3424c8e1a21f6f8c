// y = a·x + y, once with a thread per element and once with a grid-stride loop.

extern "C" __global__ void saxpy(unsigned n, float a, const float *x, float *y)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = __fmaf_rn(a, x[i], y[i]);
}

extern "C" __global__ void saxpy_strided(unsigned n, float a, const float *__restrict__ x, float *__restrict__ y)
{
    unsigned stride = gridDim.x * blockDim.x;
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        y[i] = __fmaf_rn(a, x[i], y[i]);
}
