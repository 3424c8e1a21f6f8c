// base^exponent · R^(1 − exponent) mod m for odd 1024-bit m, with R = 2^1024: square and multiply over Montgomery
// products of 32 limbs of 32 bits, operand scanning over carry chains. Limb k of number i lies at word 32 i + k.

constexpr int LIMBS = 32;

__device__ unsigned madLoCC(unsigned a, unsigned b, unsigned c)
{
    unsigned d;
    asm volatile("mad.lo.cc.u32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
    return d;
}

__device__ unsigned madcHi(unsigned a, unsigned b, unsigned c)
{
    unsigned d;
    asm volatile("madc.hi.u32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
    return d;
}

// sum + a·b + carry; the low word is the result, the high word the next carry.
__device__ unsigned step(unsigned a, unsigned b, unsigned sum, unsigned &carry)
{
    unsigned low = madLoCC(a, b, sum);
    unsigned high = madcHi(a, b, 0);
    unsigned result;
    asm volatile("add.cc.u32 %0, %2, %3; addc.u32 %1, %4, 0;" : "=r"(result), "=r"(carry) : "r"(low), "r"(carry), "r"(high));
    return result;
}

__device__ void multiply(unsigned *product, const unsigned *a, const unsigned *b, const unsigned *m, unsigned minusInverse)
{
    unsigned t[LIMBS + 2] = {};
#pragma unroll 1
    for (int i = 0; i < LIMBS; i++) {
        unsigned carry = 0, factor = b[i];
#pragma unroll 1
        for (int j = 0; j < LIMBS; j++)
            t[j] = step(a[j], factor, t[j], carry);
        unsigned top = t[LIMBS] + carry;
        t[LIMBS + 1] = top < carry;
        t[LIMBS] = top;
        factor = t[0] * minusInverse;
        carry = 0;
        step(m[0], factor, t[0], carry);
#pragma unroll 1
        for (int j = 1; j < LIMBS; j++)
            t[j - 1] = step(m[j], factor, t[j], carry);
        top = t[LIMBS] + carry;
        t[LIMBS - 1] = top;
        t[LIMBS] = t[LIMBS + 1] + (top < carry);
    }
    unsigned less[LIMBS], borrow = 0;
    for (int j = 0; j < LIMBS; j++) {
        unsigned long long difference = (unsigned long long) t[j] - m[j] - borrow;
        less[j] = (unsigned) difference;
        borrow = (unsigned) (difference >> 63);
    }
    bool small = borrow > t[LIMBS];
    for (int j = 0; j < LIMBS; j++)
        product[j] = small ? t[j] : less[j];
}

extern "C" __global__ void modexp(unsigned n, unsigned exponent, unsigned minusInverse, const unsigned *modulus,
    const unsigned *bases, unsigned *powers)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned base[LIMBS], power[LIMBS];
    for (int j = 0; j < LIMBS; j++)
        power[j] = base[j] = bases[LIMBS * i + j];
    for (int bit = 30 - __clz(exponent); bit >= 0; bit--) {
        multiply(power, power, power, modulus, minusInverse);
        if (exponent >> bit & 1)
            multiply(power, power, base, modulus, minusInverse);
    }
    for (int j = 0; j < LIMBS; j++)
        powers[LIMBS * i + j] = power[j];
}
