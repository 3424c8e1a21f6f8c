// Keccak-f[1600], `times` permutations of each thread's state. Word w of state i lies at states[w · n + i].

__constant__ unsigned long long ROUND[24] = {
    0x0000000000000001, 0x0000000000008082, 0x800000000000808a, 0x8000000080008000, 0x000000000000808b, 0x0000000080000001,
    0x8000000080008081, 0x8000000000008009, 0x000000000000008a, 0x0000000000000088, 0x0000000080008009, 0x000000008000000a,
    0x000000008000808b, 0x800000000000008b, 0x8000000000008089, 0x8000000000008003, 0x8000000000008002, 0x8000000000000080,
    0x000000000000800a, 0x800000008000000a, 0x8000000080008081, 0x8000000000008080, 0x0000000080000001, 0x8000000080008008,
};

__device__ unsigned long long rotate(unsigned long long x, int bits)
{
    return bits == 0 ? x : x << bits | x >> (64 - bits);
}

extern "C" __global__ void keccak(unsigned n, unsigned times, unsigned long long *states)
{
    constexpr int OFFSET[25] = {0, 1, 62, 28, 27, 36, 44, 6, 55, 20, 3, 10, 43, 25, 39, 41, 45, 15, 21, 8, 18, 2, 61, 56, 14};
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned long long a[25];
#pragma unroll
    for (int w = 0; w < 25; w++)
        a[w] = states[(size_t) w * n + i];
#pragma unroll 1
    for (unsigned round = 0; round < 24 * times; round++) {
        unsigned long long c[5], b[25];
#pragma unroll
        for (int x = 0; x < 5; x++)
            c[x] = a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20];
#pragma unroll
        for (int x = 0; x < 5; x++) {
            unsigned long long d = c[(x + 4) % 5] ^ rotate(c[(x + 1) % 5], 1);
#pragma unroll
            for (int y = 0; y < 5; y++)
                b[y + 5 * ((2 * x + 3 * y) % 5)] = rotate(a[x + 5 * y] ^ d, OFFSET[x + 5 * y]);
        }
#pragma unroll
        for (int w = 0; w < 25; w++)
            a[w] = b[w] ^ (~b[w / 5 * 5 + (w + 1) % 5] & b[w / 5 * 5 + (w + 2) % 5]);
        a[0] ^= ROUND[round % 24];
    }
#pragma unroll
    for (int w = 0; w < 25; w++)
        states[(size_t) w * n + i] = a[w];
}
