// Montgomery multiplication modulo the prime p of the curve BN254: a·b·R⁻¹ mod p with R = 2^256, for a, b < p.
// Coarsely integrated operand scanning over carry chains, with 8 limbs of 32 bits and with 4 limbs of 64 bits.
// A number is 32 bytes, least limb first, so both kinds of kernel take the same buffers.

constexpr int LIMBS = 8;
__device__ constexpr unsigned P[LIMBS] = {
    0xd87cfd47, 0x3c208c16, 0x6871ca8d, 0x97816a91, 0x8181585d, 0xb85045b6, 0xe131a029, 0x30644e72,
};
constexpr unsigned MINUS_P_INVERSE = 0xe4866389;

constexpr int LIMBS64 = 4;
__device__ constexpr unsigned long long P64[LIMBS64] = {
    0x3c208c16d87cfd47, 0x97816a916871ca8d, 0xb85045b68181585d, 0x30644e72e131a029,
};
constexpr unsigned long long MINUS_P_INVERSE64 = 0x87d20782e4866389;

// One instruction each, so that a chain is a sequence of calls; `volatile` keeps them in order.
#define CHAIN3(name, instruction, type, constraint) \
    __device__ __forceinline__ type name(type a, type b, type c) \
    { \
        type d; \
        asm volatile(instruction " %0, %1, %2, %3;" : "=" constraint(d) : constraint(a), constraint(b), constraint(c)); \
        return d; \
    }
#define CHAIN2(name, instruction, type, constraint) \
    __device__ __forceinline__ type name(type a, type b) \
    { \
        type d; \
        asm volatile(instruction " %0, %1, %2;" : "=" constraint(d) : constraint(a), constraint(b)); \
        return d; \
    }

#define CHAINS(type, suffix, constraint) \
    CHAIN3(madLoCC, "mad.lo.cc." suffix, type, constraint) \
    CHAIN3(madcLoCC, "madc.lo.cc." suffix, type, constraint) \
    CHAIN3(madHiCC, "mad.hi.cc." suffix, type, constraint) \
    CHAIN3(madcHiCC, "madc.hi.cc." suffix, type, constraint) \
    CHAIN3(madcHi, "madc.hi." suffix, type, constraint) \
    CHAIN2(addc, "addc." suffix, type, constraint) \
    CHAIN2(subCC, "sub.cc." suffix, type, constraint) \
    CHAIN2(subcCC, "subc.cc." suffix, type, constraint) \
    CHAIN2(subc, "subc." suffix, type, constraint)

CHAINS(unsigned, "u32", "r")
CHAINS(unsigned long long, "u64", "l")

// t += a·b, where t has one limb more than a.
template <int N, typename Limb>
__device__ __forceinline__ void addProduct(Limb (&t)[N + 1], const Limb (&a)[N], Limb b)
{
    t[0] = madLoCC(a[0], b, t[0]);
#pragma unroll
    for (int j = 1; j < N; j++)
        t[j] = madcLoCC(a[j], b, t[j]);
    t[N] = addc(t[N], Limb(0));
    t[1] = madHiCC(a[0], b, t[1]);
#pragma unroll
    for (int j = 1; j < N - 1; j++)
        t[j + 1] = madcHiCC(a[j], b, t[j + 1]);
    t[N] = madcHi(a[N - 1], b, t[N]);
}

// a = a·b·R⁻¹ mod p
template <int N, typename Limb>
__device__ __forceinline__ void multiply(Limb (&a)[N], const Limb (&b)[N], const Limb (&p)[N], Limb minusInverse)
{
    Limb t[N + 1] = {};
#pragma unroll
    for (int i = 0; i < N; i++) {
        addProduct<N>(t, a, b[i]);
        addProduct<N>(t, p, t[0] * minusInverse);
#pragma unroll
        for (int j = 0; j < N; j++)
            t[j] = t[j + 1];
        t[N] = 0;
    }
    Limb less[N];
    less[0] = subCC(t[0], p[0]);
#pragma unroll
    for (int j = 1; j < N; j++)
        less[j] = subcCC(t[j], p[j]);
    Limb borrow = subc(Limb(0), Limb(0));
#pragma unroll
    for (int j = 0; j < N; j++)
        a[j] = borrow ? t[j] : less[j];
}

struct alignas(16) Number {
    unsigned limb[LIMBS];
};

struct alignas(16) Number64 {
    unsigned long long limb[LIMBS64];
};

extern "C" __global__ void montgomery_mul(unsigned n, const Number *a, const Number *b, Number *product)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Number x = a[i], y = b[i];
    multiply(x.limb, y.limb, P, MINUS_P_INVERSE);
    product[i] = x;
}

// product = a, then `times` times product·b·R⁻¹ mod p
extern "C" __global__ void montgomery_chain(unsigned n, unsigned times, const Number *a, const Number *b, Number *product)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Number x = a[i], y = b[i];
#pragma unroll 1
    for (unsigned k = 0; k < times; k++)
        multiply(x.limb, y.limb, P, MINUS_P_INVERSE);
    product[i] = x;
}

extern "C" __global__ void montgomery_mul64(unsigned n, const Number64 *a, const Number64 *b, Number64 *product)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Number64 x = a[i], y = b[i];
    multiply(x.limb, y.limb, P64, MINUS_P_INVERSE64);
    product[i] = x;
}

extern "C" __global__ void montgomery_chain64(unsigned n, unsigned times, const Number64 *a, const Number64 *b, Number64 *product)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Number64 x = a[i], y = b[i];
#pragma unroll 1
    for (unsigned k = 0; k < times; k++)
        multiply(x.limb, y.limb, P64, MINUS_P_INVERSE64);
    product[i] = x;
}
