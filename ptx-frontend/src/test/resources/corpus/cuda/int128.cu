// build: int128.sm_75 -arch=sm_75
// build: int128.sm_90 -arch=sm_90 -rdc=true
// build: int128.sm_100 -arch=sm_100
// 128-bit integers: the compiler's own carry chains.
typedef __int128 s128;
typedef unsigned __int128 u128;

extern "C" __global__ void add_sub_mul(const u128 *a, const u128 *b, u128 *out)
{
    int i = threadIdx.x;
    out[i * 4] = a[i] + b[i];
    out[i * 4 + 1] = a[i] - b[i];
    out[i * 4 + 2] = a[i] * b[i];
    out[i * 4 + 3] = (u128) (unsigned long long) a[i] * (unsigned long long) b[i] + out[i * 4];
}

extern "C" __global__ void divide(const s128 *a, const s128 *b, s128 *out)
{
    int i = threadIdx.x;
    out[i * 2] = a[i] / b[i];
    out[i * 2 + 1] = a[i] % b[i];
}

extern "C" __global__ void shift_compare(const s128 *a, const int *by, s128 *out)
{
    int i = threadIdx.x;
    out[i * 4] = a[i] << (by[i] & 127);
    out[i * 4 + 1] = a[i] >> (by[i] & 127);
    out[i * 4 + 2] = a[i] < a[i + 1] ? a[i] : a[i + 1];
    out[i * 4 + 3] = (s128) (double) a[i] + (a[i] == a[i + 1]);
}

extern "C" __global__ void power_mod(const unsigned long long *x, unsigned long long exponent, unsigned long long modulus, unsigned long long *out)
{
    unsigned long long base = x[threadIdx.x] % modulus, result = 1;
    for (; exponent; exponent >>= 1) {
        if (exponent & 1)
            result = (unsigned long long) ((u128) result * base % modulus);
        base = (unsigned long long) ((u128) base * base % modulus);
    }
    out[threadIdx.x] = result;
}
