// build: chains.sm_75 -arch=sm_75
// build: chains.sm_90 -arch=sm_90 -rdc=true
// build: chains.sm_100 -arch=sm_100
// Carry chains as people write them: single statements, blocks, scopes that open in one statement and close in a
// later one, predicated links, carries read twice, shuffles within a chain, names without a percent sign.
typedef unsigned u32;
typedef unsigned long long u64;

extern "C" __global__ void statements(const u32 *a, const u32 *b, u32 *o)
{
    u32 r0, r1, r2, r3;
    asm volatile("add.cc.u32 %0, %1, %2;" : "=r"(r0) : "r"(a[0]), "r"(b[0]));
    asm volatile("addc.cc.u32 %0, %1, %2;" : "=r"(r1) : "r"(a[1]), "r"(b[1]));
    asm volatile("addc.cc.u32 %0, %1, %2;" : "=r"(r2) : "r"(a[2]), "r"(b[2]));
    asm volatile("addc.u32 %0, 0, 0;" : "=r"(r3));
    o[0] = r0, o[1] = r1, o[2] = r2, o[3] = r3;
}
extern "C" __global__ void scope_across(const u32 *a, const u32 *b, u32 *o)
{
    u32 lo, hi, top;
    asm volatile("{\n\t.reg .u32 %%carry, tmp;\n\t.reg.pred %%top;\n\tmul.lo.u32 tmp, %0, %1;" :: "r"(a[0]), "r"(b[0]));
    asm volatile("mad.lo.cc.u32 %0, %1, %2, tmp;" : "=r"(lo) : "r"(a[1]), "r"(b[1]));
    asm volatile("madc.hi.cc.u32 %0, %1, %2, tmp;" : "=r"(hi) : "r"(a[1]), "r"(b[1]));
    asm volatile("addc.u32 %%carry, 0, 0;\n\tsetp.ne.u32 %%top, %%carry, 0;" :: "r"(lo));
    o[0] = lo + hi;
    asm volatile("@%%top add.u32 %0, %1, tmp;\n\t@!%%top mov.u32 %0, tmp;\n\t}" : "=r"(top) : "r"(o[4]));
    o[1] = top;
}
extern "C" __global__ void nested_scopes(u32 x, u32 y, u32 *o)
{
    u32 r;
    asm volatile("{ .reg .u32 t, u; mov.u32 t, %1; { .reg .u32 t; add.cc.u32 t, %1, %2; addc.u32 u, t, 0; } add.u32 %0, t, u; }" : "=r"(r) : "r"(x), "r"(y));
    o[0] = r;
    asm volatile("{ .reg .u32 t; sub.cc.u32 t, %1, %2; subc.u32 %0, 0, 0; }" : "=r"(r) : "r"(x), "r"(y));
    o[1] = r;
}
extern "C" __global__ void one_block(const u32 *a, const u32 *b, u32 *o)
{
    u32 r0, r1, r2, r3;
    asm("mul.lo.u32 %0, %4, %6; mul.hi.u32 %1, %4, %6; mad.lo.cc.u32 %1, %4, %7, %1; madc.hi.u32 %2, %4, %7, 0;\n\t"
        "mad.lo.cc.u32 %1, %5, %6, %1; madc.hi.cc.u32 %2, %5, %6, %2; addc.u32 %3, 0, 0; mad.lo.cc.u32 %2, %5, %7, %2; madc.hi.u32 %3, %5, %7, %3;"
        : "=&r"(r0), "=&r"(r1), "=&r"(r2), "=&r"(r3) : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(b[1]));
    o[0] = r0, o[1] = r1, o[2] = r2, o[3] = r3;
}
extern "C" __global__ void wide_limbs(const u64 *a, const u64 *b, u64 *o)
{
    u64 lo, hi, c;
    asm volatile("mad.lo.cc.u64 %0, %1, %2, %3;" : "=l"(lo) : "l"(a[0]), "l"(b[0]), "l"(a[1]));
    asm volatile("madc.hi.cc.u64 %0, %1, %2, %3;" : "=l"(hi) : "l"(a[0]), "l"(b[0]), "l"(b[1]));
    asm volatile("addc.u64 %0, %1, 0;" : "=l"(c) : "l"(a[2]));
    o[0] = lo, o[1] = hi, o[2] = c;
}
extern "C" __global__ void signed_chain(const int *a, const int *b, int *o)
{
    int lo, hi;
    asm volatile("add.cc.s32 %0, %1, %2;" : "=r"(lo) : "r"(a[0]), "r"(b[0]));
    asm volatile("addc.s32 %0, %1, %2;" : "=r"(hi) : "r"(a[1]), "r"(b[1]));
    o[0] = lo, o[1] = hi;
    asm volatile("sub.cc.s32 %0, %2, %3; subc.s32 %1, %4, %5;" : "=&r"(lo), "=r"(hi) : "r"(a[0]), "r"(b[0]), "r"(a[1]), "r"(b[1]));
    o[2] = lo, o[3] = hi;
    asm volatile("mad.hi.cc.s32 %0, %1, %2, %3;" : "=r"(lo) : "r"(a[0]), "r"(b[0]), "r"(a[1]));
    asm volatile("madc.lo.s32 %0, %1, %2, %3;" : "=r"(hi) : "r"(a[0]), "r"(b[0]), "r"(a[1]));
    o[4] = lo, o[5] = hi;
}
extern "C" __global__ void carry_twice(const u32 *a, u32 *o)
{
    u32 x, y, z;
    asm volatile("add.cc.u32 %0, %3, %4; addc.u32 %1, %5, 0; addc.u32 %2, %5, %5;" : "=&r"(x), "=&r"(y), "=&r"(z) : "r"(a[0]), "r"(a[1]), "r"(a[2]));
    o[0] = x, o[1] = y, o[2] = z;
}
extern "C" __global__ void predicated_link(const u32 *a, u32 *o)
{
    u32 x, y = 0;
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %2, 0; add.cc.u32 %0, %3, %4; @p add.cc.u32 %0, %0, %2; addc.u32 %1, %1, 0; }"
        : "=&r"(x), "+r"(y) : "r"(a[0]), "r"(a[1]), "r"(a[2]));
    o[0] = x, o[1] = y;
}
extern "C" __global__ void shuffled_chain(const u32 *a, u32 *o)
{
    u32 lane = threadIdx.x & 31, x, n, c;
    asm volatile("add.cc.u32 %0, %1, %2;" : "=r"(x) : "r"(a[lane]), "r"(a[lane + 32]));
    asm volatile("shfl.sync.idx.b32 %0, %1, %2, 0x1f, 0xffffffff;" : "=r"(n) : "r"(x), "r"(lane ^ 1));
    asm volatile("addc.cc.u32 %0, %1, %2;" : "=r"(n) : "r"(n), "r"(x));
    asm volatile("addc.u32 %0, 0, 0;" : "=r"(c));
    o[lane] = n, o[lane + 32] = c;
}
extern "C" __global__ void mixed_directions(const u32 *a, u32 *o)
{
    u32 x, y;
    asm volatile("sub.cc.u32 %0, %2, %3; addc.u32 %1, %4, %5;" : "=&r"(x), "=r"(y) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]));
    o[0] = x, o[1] = y;
    asm volatile("add.cc.u32 %0, %2, %3; subc.u32 %1, %4, %5;" : "=&r"(x), "=r"(y) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]));
    o[2] = x, o[3] = y;
}
#define ADD_LOOP(N) \
extern "C" __global__ void loop_##N(const u32 *a, const u32 *b, u32 *o) \
{ \
    u32 c = 0; \
    for (int i = 0; i < N; i++) \
        asm volatile("{ add.cc.u32 %1, %1, 0xffffffff; addc.cc.u32 %0, %2, %3; addc.u32 %1, 0, 0; }" : "=r"(o[i]), "+r"(c) : "r"(a[i]), "r"(b[i])); \
    o[N] = c; \
}
ADD_LOOP(4)
ADD_LOOP(64)
