// Arithmetic on n pairs of 1024-bit numbers over carry chains, of 32-bit limbs and of 64-bit limbs.
// A number is 128 bytes, least limb first; a product is 256 bytes. carry and borrow get 0 or 1 a pair.

constexpr int LIMBS = 32;
constexpr int LIMBS64 = 16;

typedef unsigned long long u64;

__device__ __forceinline__ unsigned thread()
{
    return blockIdx.x * blockDim.x + threadIdx.x;
}

// Eight limbs by one block of assembly, which takes the carry in and gives it out as a number.
extern "C" __global__ void add32(unsigned n, const unsigned *a, const unsigned *b, unsigned *sum, unsigned *carry)
{
    unsigned i = thread();
    if (i >= n)
        return;
    unsigned c = 0;
    for (unsigned k = i * LIMBS; k < (i + 1) * LIMBS; k += 8) {
        unsigned s[8];
        asm volatile("{\n\t"
            ".reg .u32 top;\n\t"
            "add.cc.u32 top, %8, 0xffffffff;\n\t"
            "addc.cc.u32 %0, %9, %17;\n\t"
            "addc.cc.u32 %1, %10, %18;\n\t"
            "addc.cc.u32 %2, %11, %19;\n\t"
            "addc.cc.u32 %3, %12, %20;\n\t"
            "addc.cc.u32 %4, %13, %21;\n\t"
            "addc.cc.u32 %5, %14, %22;\n\t"
            "addc.cc.u32 %6, %15, %23;\n\t"
            "addc.cc.u32 %7, %16, %24;\n\t"
            "addc.u32 %8, 0, 0;\n\t"
            "}"
            : "=&r"(s[0]), "=&r"(s[1]), "=&r"(s[2]), "=&r"(s[3]), "=&r"(s[4]), "=&r"(s[5]), "=&r"(s[6]), "=&r"(s[7]), "+r"(c)
            : "r"(a[k]), "r"(a[k + 1]), "r"(a[k + 2]), "r"(a[k + 3]), "r"(a[k + 4]), "r"(a[k + 5]), "r"(a[k + 6]), "r"(a[k + 7]),
              "r"(b[k]), "r"(b[k + 1]), "r"(b[k + 2]), "r"(b[k + 3]), "r"(b[k + 4]), "r"(b[k + 5]), "r"(b[k + 6]), "r"(b[k + 7]));
        for (int j = 0; j < 8; j++)
            sum[k + j] = s[j];
    }
    carry[i] = c;
}

extern "C" __global__ void sub32(unsigned n, const unsigned *a, const unsigned *b, unsigned *difference, unsigned *borrow)
{
    unsigned i = thread();
    if (i >= n)
        return;
    unsigned c = 0;
    for (unsigned k = i * LIMBS; k < (i + 1) * LIMBS; k += 8) {
        unsigned d[8];
        asm volatile("{\n\t"
            ".reg .u32 top;\n\t"
            "sub.cc.u32 top, 0, %8;\n\t"
            "subc.cc.u32 %0, %9, %17;\n\t"
            "subc.cc.u32 %1, %10, %18;\n\t"
            "subc.cc.u32 %2, %11, %19;\n\t"
            "subc.cc.u32 %3, %12, %20;\n\t"
            "subc.cc.u32 %4, %13, %21;\n\t"
            "subc.cc.u32 %5, %14, %22;\n\t"
            "subc.cc.u32 %6, %15, %23;\n\t"
            "subc.cc.u32 %7, %16, %24;\n\t"
            "subc.u32 top, 0, 0;\n\t"
            "and.b32 %8, top, 1;\n\t"
            "}"
            : "=&r"(d[0]), "=&r"(d[1]), "=&r"(d[2]), "=&r"(d[3]), "=&r"(d[4]), "=&r"(d[5]), "=&r"(d[6]), "=&r"(d[7]), "+r"(c)
            : "r"(a[k]), "r"(a[k + 1]), "r"(a[k + 2]), "r"(a[k + 3]), "r"(a[k + 4]), "r"(a[k + 5]), "r"(a[k + 6]), "r"(a[k + 7]),
              "r"(b[k]), "r"(b[k + 1]), "r"(b[k + 2]), "r"(b[k + 3]), "r"(b[k + 4]), "r"(b[k + 5]), "r"(b[k + 6]), "r"(b[k + 7]));
        for (int j = 0; j < 8; j++)
            difference[k + j] = d[j];
    }
    borrow[i] = c;
}

// The whole chain as single statements; `volatile` keeps them in order.
#define CHAIN2(name, instruction, type, constraint) \
    __device__ __forceinline__ type name(type a, type b) \
    { \
        type d; \
        asm volatile(instruction " %0, %1, %2;" : "=" constraint(d) : constraint(a), constraint(b)); \
        return d; \
    }
#define CHAIN3(name, instruction, type, constraint) \
    __device__ __forceinline__ type name(type a, type b, type c) \
    { \
        type d; \
        asm volatile(instruction " %0, %1, %2, %3;" : "=" constraint(d) : constraint(a), constraint(b), constraint(c)); \
        return d; \
    }

CHAIN2(addCC, "add.cc.u64", u64, "l")
CHAIN2(addcCC, "addc.cc.u64", u64, "l")
CHAIN2(addc, "addc.u64", u64, "l")
CHAIN2(subCC, "sub.cc.u64", u64, "l")
CHAIN2(subcCC, "subc.cc.u64", u64, "l")
CHAIN2(subc, "subc.u64", u64, "l")
CHAIN3(madLoCC, "mad.lo.cc.u64", u64, "l")
CHAIN3(madcLoCC, "madc.lo.cc.u64", u64, "l")
CHAIN3(madHiCC, "mad.hi.cc.u64", u64, "l")
CHAIN3(madcHiCC, "madc.hi.cc.u64", u64, "l")
CHAIN3(madcHi, "madc.hi.u64", u64, "l")
CHAIN2(addc, "addc.u32", unsigned, "r")
CHAIN3(madLoCC, "mad.lo.cc.u32", unsigned, "r")
CHAIN3(madcLoCC, "madc.lo.cc.u32", unsigned, "r")
CHAIN3(madHiCC, "mad.hi.cc.u32", unsigned, "r")
CHAIN3(madcHiCC, "madc.hi.cc.u32", unsigned, "r")
CHAIN3(madcHi, "madc.hi.u32", unsigned, "r")

extern "C" __global__ void add64(unsigned n, const u64 *a, const u64 *b, u64 *sum, unsigned *carry)
{
    unsigned i = thread();
    if (i >= n)
        return;
    a += i * LIMBS64;
    b += i * LIMBS64;
    sum += i * LIMBS64;
    u64 s[LIMBS64];
    s[0] = addCC(a[0], b[0]);
#pragma unroll
    for (int k = 1; k < LIMBS64; k++)
        s[k] = addcCC(a[k], b[k]);
    carry[i] = addc(0ull, 0ull);
#pragma unroll
    for (int k = 0; k < LIMBS64; k++)
        sum[k] = s[k];
}

extern "C" __global__ void sub64(unsigned n, const u64 *a, const u64 *b, u64 *difference, unsigned *borrow)
{
    unsigned i = thread();
    if (i >= n)
        return;
    a += i * LIMBS64;
    b += i * LIMBS64;
    difference += i * LIMBS64;
    u64 d[LIMBS64];
    d[0] = subCC(a[0], b[0]);
#pragma unroll
    for (int k = 1; k < LIMBS64; k++)
        d[k] = subcCC(a[k], b[k]);
    borrow[i] = subc(0ull, 0ull) & 1;
#pragma unroll
    for (int k = 0; k < LIMBS64; k++)
        difference[k] = d[k];
}

// product = a·b, all of it unrolled: one chain for the low halves and one for the high halves of a·b[i]
template <int N, typename Limb>
__device__ __forceinline__ void multiply(const Limb *a, const Limb *b, Limb *product)
{
    Limb x[N], p[2 * N] = {};
#pragma unroll
    for (int k = 0; k < N; k++)
        x[k] = a[k];
#pragma unroll
    for (int i = 0; i < N; i++) {
        Limb y = b[i];
        p[i] = madLoCC(x[0], y, p[i]);
#pragma unroll
        for (int k = 1; k < N; k++)
            p[i + k] = madcLoCC(x[k], y, p[i + k]);
        p[i + N] = addc(Limb(0), Limb(0));
        p[i + 1] = madHiCC(x[0], y, p[i + 1]);
#pragma unroll
        for (int k = 1; k < N - 1; k++)
            p[i + k + 1] = madcHiCC(x[k], y, p[i + k + 1]);
        p[i + N] = madcHi(x[N - 1], y, p[i + N]);
    }
#pragma unroll
    for (int k = 0; k < 2 * N; k++)
        product[k] = p[k];
}

extern "C" __global__ void mul32(unsigned n, const unsigned *a, const unsigned *b, unsigned *product)
{
    unsigned i = thread();
    if (i < n)
        multiply<LIMBS>(a + i * LIMBS, b + i * LIMBS, product + 2 * i * LIMBS);
}

extern "C" __global__ void mul64(unsigned n, const u64 *a, const u64 *b, u64 *product)
{
    unsigned i = thread();
    if (i < n)
        multiply<LIMBS64>(a + i * LIMBS64, b + i * LIMBS64, product + 2 * i * LIMBS64);
}
