package io.ptx4j.isa;

/** Rows of {@code cvt} and {@code cvt.pack}. The ones between plain types are what ptxas takes, which is more than the manual says. */
final class ConversionRows {
    private static final String FIXED_POINT = "sm_100a|sm_103a|sm_110a|sm_120a|sm_121a";
    static final String[] CVT = {
        // between integers; .sat where the destination does not hold every value of the source
        "cvt.(<cvt>).(<cvt>) d:~t1, a:~%t2",
        "cvt.sat.u8.(u16|u32|u64|s8|s16|s32|s64) d:~t1, a:~%t2",
        "cvt.sat.u16.(u32|u64|s8|s16|s32|s64) d:~t1, a:~%t2",
        "cvt.sat.u32.(u64|s8|s16|s32|s64) d:~t1, a:~%t2",
        "cvt.sat.u64.(s8|s16|s32|s64) d:~t1, a:~%t2",
        "cvt.sat.s8.(u8|u16|u32|u64|s16|s32|s64) d:~t1, a:~%t2",
        "cvt.sat.s16.(u16|u32|u64|s32|s64) d:~t1, a:~%t2",
        "cvt.sat.s32.(u32|u64|s64) d:~t1, a:~%t2",
        "cvt.sat.s64.u64 d:~t1, a:~%t2",
        // to integers
        "cvt.(<irnd>){.sat}.(<cvt>).(f16|f64) d:~t1, a:~t2",
        "cvt.(<irnd>){.ftz}{.sat}.(<cvt>).f32 d:~t1, a:~t2",
        "cvt.(<irnd>).(<int>).bf16 d, a:t2 ; ptx 7.8, sm_90",
        // from integers
        "cvt.(<rnd>){.sat}.(f16|f64).(<cvt>) d:~t1, a:~t2",
        "cvt.(<rnd>){.ftz}{.sat}.f32.(<cvt>) d:~t1, a:~t2",
        "cvt.(<rnd>).bf16.(<int>) d, a:t2 ; ptx 7.8, sm_90",
        // between floating-point types
        "cvt{.(<irnd>)}{.sat}.f16.f16 d:~t1, a:~t2",
        "cvt{.(<irnd>)}{.ftz}{.sat}.f32.f32 d:~t1, a:~t2",
        "cvt{.(<irnd>)}{.sat}.f64.f64 d:~t1, a:~t2",
        "cvt{.(<irnd>)}.bf16.bf16 d, a:t2 ; ptx 7.8, sm_90",
        "cvt{.ftz}{.sat}.f32.f16 d:~t1, a:~t2",
        "cvt{.sat}.f64.f16 d:~t1, a:~t2",
        "cvt{.ftz}{.sat}.f64.f32 d:~t1, a:~t2",
        "cvt.(<rnd>){.ftz}{.sat}.f32.f64 d:~t1, a:~t2",
        "cvt.(<rnd>){.ftz}{.sat}.f16.f32 d:~t1, a:~t2",
        "cvt.(rn|rz).satfinite.f16.f32 d:~t1, a:~t2 ; ptx 8.1, sm_70",
        "cvt.(rn|rz).relu.f16.f32 d:~t1, a:~t2 ; ptx 7.0, sm_80",
        "cvt.(rn|rz).relu.satfinite.f16.f32 d:~t1, a:~t2 ; ptx 8.1, sm_80",
        "cvt.(<rnd>){.sat}.f16.f64 d:~t1, a:~t2",
        "cvt.(rn|rz){.relu}.bf16.f32 d, a:t2 ; ptx 7.0, sm_80",
        "cvt.(rn|rz){.relu}.satfinite.bf16.f32 d, a:t2 ; ptx 8.1, sm_80",
        "cvt.(rm|rp).bf16.f32 d, a:t2 ; ptx 7.0, sm_80",
        "cvt.(<rnd>).ftz.bf16.f32 d, a:t2 ; ptx 7.0, sm_80",
        "cvt.(<rnd>).bf16.f64 d, a:t2 ; ptx 7.8, sm_90",
        "cvt{.(<rnd>)}.bf16.f16 d, a:t2 ; ptx 7.8, sm_90",
        "cvt{.(<rnd>)}.f16.bf16 d, a:t2 ; ptx 7.8, sm_90",
        "cvt{.(<rnd>)}.f32.bf16 d, a:t2 ; ptx 7.1, sm_80",
        "cvt{.(<rnd>)}.ftz.f32.bf16 d, a:t2 ; ptx 7.8, sm_90",
        "cvt{.(<rnd>)}.f64.bf16 d, a:t2 ; ptx 7.8, sm_90",
        "cvt.rna.tf32.f32 d, a:t2 ; ptx 7.0, sm_80",
        "cvt.rna.satfinite.tf32.f32 d, a:t2 ; ptx 8.1, sm_80",
        "cvt.(rn|rz){.relu}.tf32.f32 d, a:t2 ; ptx 7.8, sm_90",
        "cvt.(rn|rz){.relu}.satfinite.tf32.f32 d, a:t2 ; ptx 8.6, sm_100",
        // two numbers at once
        "cvt.(rn|rz){.relu}.(f16x2|bf16x2).f32 d, a:t2, b:t2 ; ptx 7.0, sm_80",
        "cvt.(rn|rz){.relu}.satfinite.(f16x2|bf16x2).f32 d, a:t2, b:t2 ; ptx 8.1, sm_80",
        "cvt.rs{.relu}{.satfinite}.(f16x2|bf16x2).f32 d, a:t2, b:t2, rbits:b32 ; ptx 8.7, sm_100a|sm_103a",
        "cvt.rn.satfinite{.relu}.(e4m3x2|e5m2x2).f32 d, a:t2, b:t2 ; ptx 7.8, sm_90",
        "cvt.rn.satfinite{.relu}.(e4m3x2|e5m2x2).f32 d, a:t2, b:t2 ; ptx 8.1, sm_89",
        "cvt.rn.satfinite{.relu}.(e4m3x2|e5m2x2).f16x2 d, a:t2 ; ptx 7.8, sm_90",
        "cvt.rn.satfinite{.relu}.(e4m3x2|e5m2x2).f16x2 d, a:t2 ; ptx 8.1, sm_89",
        "cvt.rn.satfinite{.relu}.(e4m3x2|e5m2x2).bf16x2 d, a:t2 ; ptx 9.1, sm_100f|sm_110f|sm_120f",
        "cvt.rn{.relu}.f16x2.(e4m3x2|e5m2x2) d, a:t2 ; ptx 7.8, sm_90",
        "cvt.rn{.relu}.f16x2.(e4m3x2|e5m2x2) d, a:t2 ; ptx 8.1, sm_89",
        "cvt.rn.satfinite{.relu}.(e2m1x2|e2m3x2|e3m2x2).f32 d, a:t2, b:t2 ; ptx 8.6, sm_100f|sm_110f|sm_120f",
        "cvt.rn.satfinite{.relu}.e2m1x2.f16x2 d, a:t2 ; ptx 9.0, sm_100f|sm_110f|sm_120f",
        "cvt.rn.satfinite{.relu}.(e2m3x2|e3m2x2).f16x2 d, a:t2 ; ptx 9.1, sm_100f|sm_110f|sm_120f",
        "cvt.rn.satfinite{.relu}.(e2m1x2|e2m3x2|e3m2x2).bf16x2 d, a:t2 ; ptx 9.1, sm_100f|sm_110f|sm_120f",
        "cvt.rn{.relu}.f16x2.(e2m1x2|e2m3x2|e3m2x2) d, a:t2 ; ptx 8.6, sm_100f|sm_110f|sm_120f",
        "cvt.rn{.satfinite}{.relu}.bf16x2.(e4m3x2|e5m2x2|e2m1x2|e2m3x2|e3m2x2) d, a:t2 ; ptx 9.2, sm_100f|sm_110f|sm_120f",
        "cvt.rn{.satfinite}{.relu}.scaled::n2::ue8m0.bf16x2.(e4m3x2|e5m2x2|e2m1x2|e2m3x2|e3m2x2) d, a:t2, scale:ue8m0x2"
                + " ; ptx 9.2, sm_100f|sm_110f|sm_120f",
        "cvt.(rz|rp){.satfinite}.ue8m0x2.f32 d, a:t2, b:t2 ; ptx 8.6, sm_100f|sm_110f|sm_120f",
        "cvt.(rz|rp){.satfinite}.ue8m0x2.bf16x2 d, a:t2 ; ptx 8.6, sm_100f|sm_110f|sm_120f",
        "cvt.rn.bf16x2.ue8m0x2 d, a:t2 ; ptx 8.6, sm_100f|sm_110f|sm_120f",
        "cvt.rn.satfinite{.relu}.s2f6x2.f32 d, a:t2, b:t2 ; ptx 9.1, " + FIXED_POINT,
        "cvt.rn.satfinite{.relu}.scaled::n2::ue8m0.s2f6x2.f32 d, a:t2, b:t2, scale:ue8m0x2 ; ptx 9.1, " + FIXED_POINT,
        "cvt.rn.satfinite{.relu}.s2f6x2.bf16x2 d, a:t2 ; ptx 9.1, " + FIXED_POINT,
        "cvt.rn.satfinite{.relu}.scaled::n2::ue8m0.s2f6x2.bf16x2 d, a:t2, scale:ue8m0x2 ; ptx 9.1, " + FIXED_POINT,
        "cvt.rn{.satfinite}{.relu}.bf16x2.s2f6x2 d, a:t2 ; ptx 9.1, " + FIXED_POINT,
        "cvt.rn{.satfinite}{.relu}.scaled::n2::ue8m0.bf16x2.s2f6x2 d, a:t2, scale:ue8m0x2 ; ptx 9.1, " + FIXED_POINT,
        // four numbers at once
        "cvt.rs{.relu}.satfinite.(e4m3x4|e5m2x4|e2m1x4|e2m3x4|e3m2x4).f32 d, a:v4.t2, rbits:b32 ; ptx 8.7, sm_100a|sm_103a",
        // integers clamped and packed
        "cvt.pack!.sat.(u16|s16).s32 d:u32, a:~t2, b:~t2 ; ptx 6.5, sm_72",
        "cvt.pack!.sat.(u8|s8).s32.b32 d:u32, a:~t2, b:~t2, c:t3 ; ptx 6.5, sm_72",
        "cvt.pack!.sat.(u4|s4|u2|s2).s32.b32 d:u32, a:~t2, b:~t2, c:t3 ; ptx 6.5, sm_75",
    };

    private ConversionRows() {
    }
}
