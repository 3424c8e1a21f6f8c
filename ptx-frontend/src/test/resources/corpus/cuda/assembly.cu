// Inline assembly with scopes that open in one block and close in another.
// compressed
// build: assembly.sm_75 -arch=sm_75 -std=c++17 --expt-relaxed-constexpr --extended-lambda -w
// build: assembly.sm_100a.fast -arch=sm_100a -use_fast_math -std=c++17 --expt-relaxed-constexpr --extended-lambda -w
// build: assembly.sm_120.rdc -arch=sm_120 -rdc=true -std=c++17 --expt-relaxed-constexpr --extended-lambda -w
// build: assembly.sm_90.line -arch=sm_90 -lineinfo -rdc=true -std=c++17 --expt-relaxed-constexpr --extended-lambda -w
// build: assembly.sm_100.debug -arch=sm_100 -G -std=c++17 --expt-relaxed-constexpr --extended-lambda -w
#include <cstdint>
__device__ __forceinline__ uint32_t ldAcquire(const uint32_t *p) { uint32_t v; asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory"); return v; }
__device__ __forceinline__ uint64_t mul128(uint64_t a, uint64_t b, uint64_t &hi) { uint64_t lo; asm("{\n\t.reg .u64 t0, t1;\n\tmul.lo.u64 t0, %2, %3;\n\tmul.hi.u64 t1, %2, %3;\n\tmov.u64 %0, t0; mov.b64 %1, t1;\n\t}" : "=l"(lo), "=l"(hi) : "l"(a), "l"(b)); return lo; }
__global__ void k(uint32_t *a, uint64_t *b, float *f, double *d) {
    uint32_t x = a[threadIdx.x], y;
    asm("{ .reg .pred p; setp.gt.u32 p, %1, 5; @p bra L1; mov.u32 %0, 0; bra L2; L1: mov.u32 %0, 1; L2: }" : "=r"(y) : "r"(x)); a[0] = y;
    asm("{ .reg .pred %%top; mov.u32 %0, 1;" : "=r"(y)); asm("setp.eq.u32 %%top, %0, 3; @%%top st.global.u32 [%1], %0; }" :: "r"(x), "l"(a));
    asm volatile("prmt.b32 %0, %1, %2, 0x3210;" : "=r"(y) : "r"(x), "r"(y)); asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(y) : "r"(x), "r"(y), "n"(17)); asm("{.reg .b16 lo, hi; mov.b32 {lo, hi}, %1; mov.b32 %0, {hi, lo};}" : "=r"(y) : "r"(y));
    a[1] = y + ldAcquire(a + 2); uint64_t hi; b[0] = mul128(b[1], b[2], hi); b[3] = hi; asm volatile("red.relaxed.gpu.global.add.u32 [%0], %1;" :: "l"(a + 3), "r"(x)); asm volatile("st.release.sys.global.u32 [%0], %1;" :: "l"(a + 4), "r"(x)); asm volatile("fence.acq_rel.gpu; fence.sc.cta; membar.gl;");
    asm("fma.rm.ftz.f32 %0, %0, %0, %1;" : "+f"(f[0]) : "f"(1.5f)); asm("fma.rp.f64 %0, %0, %1, %1;" : "+d"(d[0]) : "d"(-0.0)); asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(f[1]) : "f"(f[2])); asm("cvt.rni.s32.f32 %0, %1;" : "=r"(y) : "f"(f[3])); a[5] = y;
    uint32_t s; asm("mov.u32 %0, %%smid;" : "=r"(s)); a[6] = s; asm("mov.u32 %0, %%laneid; mov.u64 %1, %%globaltimer;" : "=r"(s), "=l"(b[4])); a[7] = s; asm volatile("bar.sync %0, %1;" :: "r"(1), "r"(64)); asm volatile("barrier.sync 2;"); asm volatile("bar.red.popc.u32 %0, 3, 1;" : "=r"(s)); a[8] = s;
    asm("vote.sync.ballot.b32 %0, 1, 0xffffffff;" : "=r"(s)); a[9] = s; asm("{ .reg .pred p, q; setp.ne.u32 p, %1, 0; vote.sync.any.pred q, p, 0xffffffff; selp.u32 %0, 1, 0, q; }" : "=r"(s) : "r"(x)); a[10] = s; asm("add.cc.u32 %0, %2, %3; addc.u32 %1, %2, 0;" : "=r"(s), "=r"(y) : "r"(x), "r"(y)); a[11] = s + y; asm("dp4a.u32.u32 %0, %1, %2, %3;" : "=r"(s) : "r"(x), "r"(y), "r"(s)); a[12] = s; asm("shf.r.wrap.b32 %0, %1, %2, %3;" : "=r"(s) : "r"(x), "r"(y), "r"(7)); a[13] = s; asm("bfe.u32 %0, %1, 3, 5; bfi.b32 %0, %0, %1, 8, 8;" : "=r"(s) : "r"(x)); a[14] = s; asm("vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;" : "=r"(s) : "r"(x), "r"(y), "r"(1)); a[15] = s;
    asm volatile("{ .reg .b32 r<4>; .reg .b64 rd; ld.global.v4.u32 {r0, r1, r2, r3}, [%0]; add.u32 r0, r0, r1; st.global.v2.u32 [%0], {r0, r3}; cvta.to.global.u64 rd, %0; prefetch.global.L1 [rd]; ld.global.nc.L1::no_allocate.L2::128B.u32 r1, [rd]; st.global.wt.u32 [rd], r1; }" :: "l"(a)); asm volatile("nanosleep.u32 20; pmevent 3; trap;"); asm volatile("brkpt; exit;");
}
