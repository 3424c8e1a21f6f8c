// build: video.sm_75 -arch=sm_75
// build: video.sm_100 -arch=sm_100
// SIMD within a word: CUDA's intrinsics, and the video instructions by inline assembly.
extern "C" __global__ void simd_intrinsics(const unsigned *in, unsigned *o)
{
    unsigned a = in[threadIdx.x], b = in[threadIdx.x + 1], c = in[threadIdx.x + 2];
    o += 48 * threadIdx.x;
    o[0] = __vadd2(a, b);
    o[1] = __vadd4(a, b);
    o[2] = __vaddss2(a, b);
    o[3] = __vaddus4(a, b);
    o[4] = __vsub2(a, b);
    o[5] = __vsub4(a, b);
    o[6] = __vsubss4(a, b);
    o[7] = __vabs2(a);
    o[8] = __vabsdiffs4(a, b);
    o[9] = __vabsdiffu2(a, b);
    o[10] = __vavgs2(a, b);
    o[11] = __vavgu4(a, b);
    o[12] = __vcmpeq4(a, b);
    o[13] = __vcmpgts2(a, b);
    o[14] = __vcmpltu4(a, b);
    o[15] = __vmaxs2(a, b);
    o[16] = __vmaxu4(a, b);
    o[17] = __vmins4(a, b);
    o[18] = __vminu2(a, b);
    o[19] = __vneg2(a);
    o[20] = __vnegss4(a);
    o[21] = __vsads4(a, b);
    o[22] = __vsadu2(a, b);
    o[23] = __vseteq2(a, b);
    o[24] = __vsetleu4(a, b);
    o[25] = __viaddmax_s32(a, b, c);
    o[26] = __viaddmin_u16x2(a, b, c);
    o[27] = __vimax3_s32(a, b, c);
    o[28] = __vimin3_u16x2(a, b, c);
    o[29] = __vimax_s32_relu(a, b);
    o[30] = __vibmin_u32(a, b, (bool *) &o[40]);
}
extern "C" __global__ void video_instructions(const unsigned *in, unsigned *o)
{
    unsigned a = in[threadIdx.x], b = in[threadIdx.x + 1], c = in[threadIdx.x + 2], d;
    o += 24 * threadIdx.x;
#define V(n, text) asm(text : "=r"(d) : "r"(a), "r"(b), "r"(c)); o[n] = d;
    V(0, "vadd.s32.u32.s32.sat %0, %1.b0, %2.h1;")
    V(1, "vsub.u32.s32.u32 %0, %1.b3, %2;")
    V(2, "vabsdiff.s32.s32.s32.add %0, %1.h0, %2.h0, %3;")
    V(3, "vmin.s32.s32.s32.max %0, %1.b1, %2.b2, %3;")
    V(4, "vmax.u32.u32.u32 %0.h1, %1, %2, %3;")
    V(5, "vshl.u32.u32.u32.wrap %0, %1, %2.b0;")
    V(6, "vshr.s32.s32.u32.clamp.add %0, %1.h1, %2, %3;")
    V(7, "vmad.s32.s32.s32 %0, %1.h0, %2.h1, %3;")
    V(8, "vmad.u32.u32.u32.shr7 %0, %1.b0, %2.b1, %3;")
    V(9, "vmad.s32.u32.u32.po %0, %1.b0, %2.b1, %3;")
    V(10, "vset.s32.s32.lt %0, %1.b0, %2.b1;")
    V(11, "vset.u32.u32.ge.add %0, %1, %2, %3;")
    V(12, "vadd2.s32.s32.s32 %0, %1, %2, %3;")
    V(13, "vadd2.s32.s32.s32.sat %0.h10, %1.h32, %2.h01, %3;")
    V(14, "vadd4.u32.u32.u32.sat %0, %1, %2, %3;")
    V(15, "vsub4.s32.s32.s32.add %0, %1, %2, %3;")
    V(16, "vavrg4.u32.u32.u32 %0, %1, %2, %3;")
    V(17, "vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;")
    V(18, "vmin2.s32.s32.s32 %0, %1, %2, %3;")
    V(19, "vmax4.u32.u32.u32 %0.b210, %1.b7654, %2.b3210, %3;")
    V(20, "vset4.u32.u32.ne %0, %1, %2, %3;")
    V(21, "vset2.s32.s32.gt.add %0, %1, %2, %3;")
    V(22, "vadd.s32.s32.s32 %0.b2, %1, %2, %3;")
}
