// 64 rounds of an integer hash for each element: arithmetic alone, one store.

extern "C" __global__ void hash(unsigned n, unsigned *out)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned h = i;
#pragma unroll 1
    for (unsigned round = 0; round < 64; round++) {
        h *= 0x9e3779b1u;
        h = (__funnelshift_l(h, h, 13) ^ round) + i;
    }
    out[i] = h;
}
