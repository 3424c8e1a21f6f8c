package io.ptx4j.isa;

import static io.ptx4j.isa.Family.COMPARISON;
import static io.ptx4j.isa.Family.DATA_MOVEMENT;
import static io.ptx4j.isa.Family.EXTENDED_PRECISION;
import static io.ptx4j.isa.Family.FLOATING_POINT;
import static io.ptx4j.isa.Family.HALF_PRECISION;
import static io.ptx4j.isa.Family.INTEGER;
import static io.ptx4j.isa.Family.LOGIC;
import static io.ptx4j.isa.Family.MEMORY;
import static io.ptx4j.isa.Family.MISCELLANEOUS;
import static io.ptx4j.isa.Family.MIXED_PRECISION;
import static io.ptx4j.isa.Family.STACK;
import static io.ptx4j.isa.Family.WARP;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The instruction table: every opcode with its forms. A row is the manual's syntax line; {@link Form} says how it is written.
 */
public enum Opcode {
    // Integer arithmetic
    ADD(rows(INTEGER,
                    "add.(<int>) d, a, b",
                    "add.sat.s32 d, a, b",
                    "add.sat.u32 d, a, b ; ptx 9.2, sm_120f",
                    "add.(u16x2|s16x2) d, a, b ; ptx 8.0, sm_90",
                    "add.sat.(u16x2|s16x2) d, a, b ; ptx 9.2, sm_120f",
                    "add{.sat}.(u8x4|s8x4) d, a, b ; ptx 9.2, sm_120f"),
            rows(EXTENDED_PRECISION,
                    "add.cc.(u32|s32) d, a, b ; ptx 1.2",
                    "add.cc.(u64|s64) d, a, b ; ptx 4.3, sm_20"),
            rows(FLOATING_POINT,
                    "add{.(rn|rz)}{.ftz}{.sat}.f32 d, a, b",
                    "add.(rm|rp){.ftz}{.sat}.f32 d, a, b ; sm_20",
                    "add{.(<rnd>)}.f64 d, a, b ; rm|rp sm_13",
                    "add{.(<rnd>)}{.ftz}.f32x2 d, a, b ; ptx 8.6, sm_100"),
            rows(HALF_PRECISION,
                    "add{.rn}{.ftz}{.sat}.(f16|f16x2) d:=t1, a:=t1, b:=t1 ; ptx 4.2, sm_53",
                    "add{.rn}.(bf16|bf16x2) d, a:=t1, b:=t1 ; ptx 7.8, sm_90"),
            rows(MIXED_PRECISION, "add{.(<rnd>)}{.sat}.f32.(f16|bf16) d, a:=t2, b:t1 ; ptx 8.6, sm_100")),
    SUB(rows(INTEGER, "sub.(<int>) d, a, b", "sub.sat.s32 d, a, b", "sub{.sat}.(u8x4|s8x4) d, a, b ; ptx 9.2, sm_120f"),
            rows(EXTENDED_PRECISION,
                    "sub.cc.(u32|s32) d, a, b ; ptx 1.2",
                    "sub.cc.(u64|s64) d, a, b ; ptx 4.3, sm_20"),
            rows(FLOATING_POINT,
                    "sub{.(rn|rz)}{.ftz}{.sat}.f32 d, a, b",
                    "sub.(rm|rp){.ftz}{.sat}.f32 d, a, b ; sm_20",
                    "sub{.(<rnd>)}.f64 d, a, b ; rm|rp sm_13",
                    "sub{.(<rnd>)}{.ftz}.f32x2 d, a, b ; ptx 8.6, sm_100"),
            rows(HALF_PRECISION,
                    "sub{.rn}{.ftz}{.sat}.(f16|f16x2) d:=t1, a:=t1, b:=t1 ; ptx 4.2, sm_53",
                    "sub{.rn}.(bf16|bf16x2) d, a:=t1, b:=t1 ; ptx 7.8, sm_90"),
            rows(MIXED_PRECISION, "sub{.(<rnd>)}{.sat}.f32.(f16|bf16) d, a:=t2, b:t1 ; ptx 8.6, sm_100")),
    MUL(rows(INTEGER, "mul.(lo|hi)!.(<int>) d, a, b", "mul.wide!.(u16|s16|u32|s32) d:wide, a, b"),
            rows(FLOATING_POINT,
                    "mul{.(rn|rz)}{.ftz}{.sat}.f32 d, a, b",
                    "mul.(rm|rp){.ftz}{.sat}.f32 d, a, b ; sm_20",
                    "mul{.(<rnd>)}.f64 d, a, b ; rm|rp sm_13",
                    "mul{.(<rnd>)}{.ftz}.f32x2 d, a, b ; ptx 8.6, sm_100"),
            rows(HALF_PRECISION,
                    "mul{.rn}{.ftz}{.sat}.(f16|f16x2) d:=t1, a:=t1, b:=t1 ; ptx 4.2, sm_53",
                    "mul{.rn}.(bf16|bf16x2) d, a:=t1, b:=t1 ; ptx 7.8, sm_90")),
    MAD(rows(INTEGER,
                    "mad.(lo|hi)!.(<int>) d, a, b, c",
                    "mad.hi!.sat.s32 d, a, b, c",
                    "mad.wide!.(u16|s16|u32|s32) d:wide, a, b, c:wide"),
            rows(EXTENDED_PRECISION,
                    "mad.(lo|hi)!.cc.(u32|s32) d, a, b, c ; ptx 3.0, sm_20",
                    "mad.(lo|hi)!.cc.(u64|s64) d, a, b, c ; ptx 4.3, sm_20"),
            rows(FLOATING_POINT,
                    "mad{.ftz}{.sat}.f32 d, a, b, c ; until ptx 3.1, until sm_13",
                    "mad.(<rnd>){.ftz}{.sat}.f32 d, a, b, c ; sm_20",
                    "mad.(<rnd>).f64 d, a, b, c ; rm|rp sm_13",
                    "mad.f64 d, a, b, c ; until ptx 1.3, as .rn")),
    MUL24(rows(INTEGER, "mul24.(lo|hi)!.(u32|s32) d, a, b")),
    MAD24(rows(INTEGER, "mad24.(lo|hi)!.(u32|s32) d, a, b, c", "mad24.hi!.sat.s32 d, a, b, c")),
    SAD(rows(INTEGER, "sad.(<int>) d, a, b, c")),
    DIV(rows(INTEGER, "div.(<int>) d, a, b"),
            rows(FLOATING_POINT,
                    "div.approx{.ftz}.f32 d, a, b",
                    "div.full!{.ftz}.f32 d, a, b ; ptx 1.4",
                    "div.(<rnd>){.ftz}.f32 d, a, b ; sm_20",
                    "div.(<rnd>).f64 d, a, b ; rz|rm|rp sm_20",
                    "div{.ftz}.f32 d, a, b ; until ptx 1.3, as .approx",
                    "div.f64 d, a, b ; until ptx 1.3, as .rn")),
    REM(rows(INTEGER, "rem.(<int>) d, a, b")),
    ABS(rows(INTEGER, "abs.(<s>) d, a"),
            rows(FLOATING_POINT, "abs{.ftz}.f32 d, a", "abs.f64 d, a"),
            rows(HALF_PRECISION,
                    "abs{.ftz}.(f16|f16x2) d, a:=t1 ; ptx 6.5, sm_53",
                    "abs.(bf16|bf16x2) d, a:=t1 ; ptx 7.0, sm_80")),
    NEG(rows(INTEGER, "neg.(<s>) d, a", "neg.s8x4 d, a ; ptx 9.2, sm_120f"),
            rows(FLOATING_POINT, "neg{.ftz}.f32 d, a", "neg.f64 d, a"),
            rows(HALF_PRECISION,
                    "neg{.ftz}.(f16|f16x2) d, a:=t1 ; ptx 6.0, sm_53",
                    "neg.(bf16|bf16x2) d, a:=t1 ; ptx 7.0, sm_80")),
    MIN(minMaxInteger("min"), minMaxFloat("min"), minMaxHalf("min")),
    MAX(minMaxInteger("max"), minMaxFloat("max"), minMaxHalf("max")),
    POPC(rows(INTEGER, "popc.(b32|b64) d:u32, a ; ptx 2.0, sm_20")),
    CLZ(rows(INTEGER, "clz.(b32|b64) d:u32, a ; ptx 2.0, sm_20")),
    BFIND(rows(INTEGER, "bfind{.shiftamt}.(<int3264>) d:u32, a ; ptx 2.0, sm_20")),
    FNS(rows(INTEGER, "fns.b32 d:b32, a:b32, b:b32, c:b32 ; ptx 6.0, sm_30")),
    BREV(rows(INTEGER, "brev.(b32|b64) d, a ; ptx 2.0, sm_20")),
    BFE(rows(INTEGER, "bfe.(<int3264>) d, a, b:u32(0..255), c:u32(0..255) ; ptx 2.0, sm_20")),
    BFI(rows(INTEGER, "bfi.(b32|b64) d, a, b, c:u32(0..255), e:u32(0..255) ; ptx 2.0, sm_20")),
    SZEXT(rows(INTEGER, "szext.(clamp|wrap).(u32|s32) d, a, b:u32 ; ptx 7.6, sm_70")),
    BMSK(rows(INTEGER, "bmsk.(clamp|wrap).b32 d:u32, a:u32, b:u32 ; ptx 7.6, sm_70")),
    DP4A(rows(INTEGER, "dp4a.(u32|s32).(u32|s32) d:u32, a, b:t2, c:u32 ; ptx 5.0, sm_61")),
    DP2A(rows(INTEGER, "dp2a.(lo|hi)!.(u32|s32).(u32|s32) d:u32, a, b:t2, c:u32 ; ptx 5.0, sm_61")),

    // Extended precision
    ADDC(rows(EXTENDED_PRECISION,
            "addc{.cc}.(u32|s32) d, a, b ; ptx 1.2",
            "addc.cc.(u64|s64) d, a, b ; ptx 4.3, sm_20",
            "addc.(u64|s64) d, a, b ; ptx 1.2",
            "addc.(u16|s16) d, a, b ; ptx 1.2",
            "addc.sat.s32 d, a, b ; ptx 1.2")),
    SUBC(rows(EXTENDED_PRECISION,
            "subc{.cc}.(u32|s32) d, a, b ; ptx 1.2",
            "subc.cc.(u64|s64) d, a, b ; ptx 4.3, sm_20",
            "subc.(u64|s64) d, a, b ; ptx 1.2",
            "subc.(u16|s16) d, a, b ; ptx 1.2",
            "subc.sat.s32 d, a, b ; ptx 1.2")),
    MADC(rows(EXTENDED_PRECISION,
            "madc.(lo|hi)!{.cc}.(u32|s32) d, a, b, c ; ptx 3.0, sm_20",
            "madc.(lo|hi)!.cc.(u64|s64) d, a, b, c ; ptx 4.3, sm_20",
            "madc.(lo|hi)!.(u64|s64) d, a, b, c ; ptx 3.0, sm_20",
            "madc.(lo|hi)!.(u16|s16) d, a, b, c ; ptx 3.0, sm_20",
            "madc.hi!.sat.s32 d, a, b, c ; ptx 3.0, sm_20")),

    // Floating point
    FMA(rows(FLOATING_POINT,
                    "fma.(<rnd>){.ftz}{.sat}.f32 d, a, b, c ; ptx 2.0, sm_20",
                    "fma.(<rnd>).f64 d, a, b, c ; ptx 1.4, rm|rp sm_13",
                    "fma.(<rnd>){.ftz}.f32x2 d, a, b, c ; ptx 8.6, sm_100"),
            rows(HALF_PRECISION,
                    "fma.rn{.ftz}{.(sat|relu)}.(f16|f16x2) d, a:=t1, b:=t1, c:=t1 ; ptx 4.2, sm_53, relu ptx 7.0 sm_80",
                    "fma.(<rnd>){.relu}.(bf16|bf16x2) d, a:=t1, b:=t1, c:=t1 ; ptx 7.0, sm_80",
                    "fma.rn.oob{.relu}.(f16|f16x2) d, a:=t1, b:=t1, c:=t1 ; ptx 8.1, sm_90",
                    "fma.(<rnd>).oob{.relu}.(bf16|bf16x2) d, a:=t1, b:=t1, c:=t1 ; ptx 8.1, sm_90"),
            rows(MIXED_PRECISION, "fma.(<rnd>){.sat}.f32.(f16|bf16) d, a:=t2, b:=t2, c:t1 ; ptx 8.6, sm_100")),
    RCP(rows(FLOATING_POINT,
            "rcp.approx{.ftz}.f32 d, a",
            "rcp.(<rnd>){.ftz}.f32 d, a ; sm_20",
            "rcp.(<rnd>).f64 d, a ; rz|rm|rp sm_20",
            "rcp.(<rnd>).ftz.f64 d, a ; rz|rm|rp sm_20, as -.ftz",
            "rcp{.ftz}.f32 d, a ; until ptx 1.3, as .approx",
            "rcp.f64 d, a ; until ptx 1.3, as .rn",
            "rcp.approx.ftz.f64 d, a ; ptx 2.1, sm_20")),
    SQRT(rows(FLOATING_POINT,
            "sqrt.approx{.ftz}.f32 d, a",
            "sqrt.(<rnd>){.ftz}.f32 d, a ; sm_20",
            "sqrt.(<rnd>).f64 d, a ; rz|rm|rp sm_20",
            "sqrt{.ftz}.f32 d, a ; until ptx 1.3, as .approx",
            "sqrt.f64 d, a ; until ptx 1.3, as .rn")),
    RSQRT(rows(FLOATING_POINT,
            "rsqrt.approx{.ftz}.f32 d, a",
            "rsqrt.approx.f64 d, a",
            "rsqrt{.ftz}.f32 d, a ; until ptx 1.3, as .approx",
            "rsqrt.f64 d, a ; until ptx 1.3, as .approx",
            "rsqrt.approx.ftz.f64 d, a ; ptx 4.0, sm_20")),
    SIN(rows(FLOATING_POINT, "sin.approx{.ftz}.f32 d, a", "sin{.ftz}.f32 d, a ; until ptx 1.3, as .approx")),
    COS(rows(FLOATING_POINT, "cos.approx{.ftz}.f32 d, a", "cos{.ftz}.f32 d, a ; until ptx 1.3, as .approx")),
    LG2(rows(FLOATING_POINT, "lg2.approx{.ftz}.f32 d, a", "lg2{.ftz}.f32 d, a ; until ptx 1.3, as .approx")),
    EX2(rows(FLOATING_POINT, "ex2.approx{.ftz}.f32 d, a", "ex2{.ftz}.f32 d, a ; until ptx 1.3, as .approx"),
            rows(HALF_PRECISION,
                    "ex2.approx.(f16|f16x2) d, a:=t1 ; ptx 7.0, sm_75",
                    "ex2.approx.ftz.(bf16|bf16x2) d, a:=t1 ; ptx 7.8, sm_90")),
    TANH(rows(FLOATING_POINT, "tanh.approx.f32 d, a ; ptx 7.0, sm_75"),
            rows(HALF_PRECISION,
                    "tanh.approx.(f16|f16x2) d, a:=t1 ; ptx 7.0, sm_75",
                    "tanh.approx.(bf16|bf16x2) d, a:=t1 ; ptx 7.8, sm_90")),
    TESTP(rows(FLOATING_POINT, "testp.(finite|infinite|number|notanumber|normal|subnormal).(f32|f64) p:pred, a ; ptx 2.0, sm_20")),
    COPYSIGN(rows(FLOATING_POINT, "copysign.(f32|f64) d, a, b ; ptx 2.0, sm_20")),

    // Comparison and selection
    SET(set()),
    SETP(setp()),
    SELP(rows(COMPARISON, "selp.(<b>|<int>|f32|f64) d, a, b, c:pred")),
    SLCT(rows(COMPARISON,
            "slct.(b16|b32|b64|u16|u32|u64|s16|s32|s64|f32|f64).s32 d, a, b, c:t2",
            "slct{.ftz}.(b16|b32|b64|u16|u32|u64|s16|s32|s64|f32|f64).f32 d, a, b, c:t2")),

    // Logic and shift
    AND(rows(LOGIC, "and.(pred|b16|b32|b64) d, a, b")),
    OR(rows(LOGIC, "or.(pred|b16|b32|b64) d, a, b")),
    XOR(rows(LOGIC, "xor.(pred|b16|b32|b64) d, a, b")),
    NOT(rows(LOGIC, "not.(pred|b16|b32|b64) d, a")),
    CNOT(rows(LOGIC, "cnot.(b16|b32|b64) d, a")),
    LOP3(rows(LOGIC,
            "lop3.b32 d, a, b, c, immLut:#u32 ; ptx 4.3, sm_50",
            "lop3.(and|or).b32 d:?t1|p:pred, a, b, c, immLut:#u32, e:pred ; ptx 8.2, sm_70")),
    SHF(rows(LOGIC, "shf.(l|r)!.(clamp|wrap).b32 d, a, b, c:u32 ; ptx 3.1, sm_32")),
    SHL(rows(LOGIC, "shl.(<b>) d, a, b:u32")),
    SHR(rows(LOGIC, "shr.(b16|b32|b64|u16|u32|u64|s16|s32|s64) d, a, b:u32")),

    // Data movement and conversion
    MOV(rows(DATA_MOVEMENT,
            "mov.(b16|b32|b64|b128) d:*t1, a:*%&^t1 ; b128 ptx 8.3 sm_70",
            "mov.(u16|u32|u64|s16|s32|s64) d, a:%&^t1",
            "mov.pred d, a:%t1",
            "mov.(f32|f64) d, a",
            "mov.(v2|v4).(b16|b32|u16|u32|s16|s32|f32) d:vec.t1, a:%vec.t1",
            "mov.v2.(b64|u64|s64|f64) d:vec.t1, a:%vec.t1")),
    PRMT(rows(DATA_MOVEMENT, "prmt.b32{.(f4e|b4e|rc8|ecl|ecr|rc16)} d, a, b, c ; ptx 2.0, sm_20")),
    CVT(rows(Family.CONVERSION, ConversionRows.CVT)),

    // Memory
    LD(MemoryRows.ld()),
    LDU(rows(MEMORY,
            "ldu{.global}{.(v2|v4)}.(<mem8>|<mem32>) d:~vec.t1, [a] ; ptx 2.0, sm_20",
            "ldu{.global}{.v2}.(<mem64>) d:~vec.t1, [a] ; ptx 2.0, sm_20",
            "ldu{.global}.b128 d:~t1, [a] ; ptx 8.3, sm_70")),
    ST(MemoryRows.st(), AsyncRows.stAsync()),
    MULTIMEM(MemoryRows.multimem()),
    PREFETCH(rows(MEMORY,
            "prefetch{.(global|local)}.(L1|L2) [a] ; ptx 2.0, sm_20",
            "prefetch{.global}.(L2::evict_last|L2::evict_normal) [a] ; ptx 7.4, sm_80",
            "prefetch{.(const|param)}.tensormap [a] ; ptx 8.0, sm_90")),
    PREFETCHU(rows(MEMORY, "prefetchu.L1 [a] ; ptx 2.0, sm_20")),
    APPLYPRIORITY(rows(MEMORY, "applypriority{.global}.L2::evict_normal [a], c:#u32(128) ; ptx 7.4, sm_80")),
    DISCARD(rows(MEMORY, "discard{.global}.L2 [a], c:#u32(128) ; ptx 7.4, sm_80")),
    CREATEPOLICY(rows(MEMORY,
            "createpolicy.fractional!.(<anyl2>){.(L2::evict_first|L2::evict_unchanged)}.b64 d:b64{, f:f32(0..1)} ; ptx 7.4, sm_80",
            "createpolicy.range!{.global}.(<anyl2>){.(L2::evict_first|L2::evict_unchanged)}.b64 d:b64, [a], b:u32(..c), c:u32 ; ptx 7.4, sm_80",
            "createpolicy.cvt!.L2.b64 d:b64, a:u64 ; ptx 7.4, sm_80")),
    CVTA(rows(MEMORY,
            "cvta.(<window>).(u32|u64) d:@t1, a:&t1 ; ptx 2.0, sm_20, const ptx 3.1, param|param::entry ptx 7.7 sm_70",
            "cvta.to!.(<window>).(u32|u64) d:@t1, a:&t1 ; ptx 2.0, sm_20, const ptx 3.1, param|param::entry ptx 7.7 sm_70")),
    ISSPACEP(rows(MEMORY,
            "isspacep.(<window>) p:pred, a:u64 ; ptx 2.0, sm_20, param|param::entry ptx 7.7 sm_70, const ptx 3.1",
            "isspacep.(<window>) p:pred, a:u32 ; ptx 2.0, sm_20, param|param::entry ptx 7.7 sm_70, const ptx 3.1")),
    MAPA(rows(MEMORY,
            "mapa.shared::cluster.(u32|u64) d, a:&t1, b:u32 ; ptx 7.8, sm_90",
            "mapa.(u32|u64|s32|s64) d, a:&t1, b:u32 ; ptx 7.8, sm_90")),
    GETCTARANK(rows(MEMORY,
            "getctarank.shared::cluster.(u32|u64) d:u32, a:&t1 ; ptx 7.8, sm_90",
            "getctarank.(u32|u64|s32|s64) d:u32, a:&t1 ; ptx 7.8, sm_90")),

    // Asynchronous copies and tensor maps
    CP(AsyncRows.cp()),
    TENSORMAP(AsyncRows.tensormap()),
    CLUSTERLAUNCHCONTROL(AsyncRows.clusterLaunchControl()),
    MBARRIER(AsyncRows.mbarrier()),

    // Textures and surfaces
    TEX(TextureRows.tex()),
    TLD4(TextureRows.tld4()),
    TXQ(TextureRows.txq()),
    ISTYPEP(rows(Family.TEXTURE, "istypep.(texref|samplerref|surfref) p:pred, a:u64 ; ptx 4.0, sm_30")),
    SULD(TextureRows.suld()),
    SUST(TextureRows.sust()),
    SURED(TextureRows.sured()),
    SUQ(TextureRows.suq()),

    // Atomics
    ATOM(MemoryRows.atom()),
    RED(MemoryRows.red(), AsyncRows.redAsync()),

    // Barriers and fences
    BAR(rows(Family.BARRIER,
            "bar{.cta!}.sync! a:u32(0..15){, b:u32(0..4294967264/32)} ; cta ptx 7.8 sm_20",
            "bar{.cta!}.arrive! a:u32(0..15), b:u32(32..4294967264/32) ; ptx 2.0, sm_20, cta ptx 7.8",
            "bar{.cta!}.red!.popc.u32 d:u32, a:u32(0..15){, b:u32(0..4294967264/32)}, c:pred ; ptx 2.0, sm_20, cta ptx 7.8",
            "bar{.cta!}.red!.(and|or).pred p:pred, a:u32(0..15){, b:u32(0..4294967264/32)}, c:pred ; ptx 2.0, sm_20, cta ptx 7.8",
            "bar.warp!.sync a:u32 ; ptx 6.0, sm_30")),
    BARRIER(rows(Family.BARRIER,
            "barrier{.cta!}.sync{.aligned} a:u32(0..15){, b:u32(0..4294967264/32)} ; ptx 6.0, sm_30, cta ptx 7.8",
            "barrier{.cta!}.arrive!{.aligned} a:u32(0..15), b:u32(32..4294967264/32) ; ptx 6.0, sm_30, cta ptx 7.8",
            "barrier{.cta!}.red!.popc{.aligned}.u32 d:u32, a:u32(0..15){, b:u32(0..4294967264/32)}, c:pred ; ptx 6.0, sm_30, cta ptx 7.8",
            "barrier{.cta!}.red!.(and|or){.aligned}.pred p:pred, a:u32(0..15){, b:u32(0..4294967264/32)}, c:pred "
                    + "; ptx 6.0, sm_30, cta ptx 7.8",
            "barrier.cluster!.arrive!{.(release|relaxed)}{.aligned} ; ptx 7.8, sm_90",
            "barrier.cluster!.wait!{.acquire}{.aligned} ; ptx 7.8, sm_90")),
    MEMBAR(rows(Family.BARRIER,
            "membar.(cta|gl|sys) ; ptx 1.4, sys ptx 2.0 sm_20",
            "membar.proxy!.alias ; ptx 7.5, sm_60")),
    FENCE(rows(Family.BARRIER,
            "fence{.(sc|acq_rel)}.(<scope>) ; ptx 6.0, sm_70",
            "fence.(acquire|release).(<scope>) ; ptx 6.0, sm_70",
            "fence.acquire.sync_restrict::shared::cluster.cluster ; ptx 8.6, sm_90",
            "fence.release.sync_restrict::shared::cta.cluster ; ptx 8.6, sm_90",
            "fence.mbarrier_init.release.cluster ; ptx 8.0, sm_90",
            "fence.proxy!.alias ; ptx 7.5, sm_70",
            "fence.proxy!.async{.(global|shared::cta|shared::cluster)} ; ptx 8.0, sm_90",
            "fence.proxy!.async::generic.acquire.sync_restrict::shared::cluster.cluster ; ptx 8.6, sm_90",
            "fence.proxy!.async::generic.release.sync_restrict::shared::cta.cluster ; ptx 8.6, sm_90",
            "fence.proxy!.tensormap::generic.release.(<scope>) ; ptx 8.3, sm_90",
            "fence.proxy!.tensormap::generic.acquire.(<scope>) [a], c:#u32(128) ; ptx 8.3, sm_90")),
    GRIDDEPCONTROL(rows(Family.BARRIER, "griddepcontrol.(launch_dependents|wait) ; ptx 7.8, sm_90")),

    // Warp operations
    SHFL(rows(WARP,
            "shfl.sync.(up|down|bfly|idx).b32 d{|p:?pred}, a, b:b32, c:b32, membermask:u32 ; ptx 6.0, sm_30",
            "shfl.(up|down|bfly|idx).b32 d{|p:?pred}, a, b:b32, c:b32 ; ptx 3.0, sm_30, until ptx 6.3, until sm_62")),
    VOTE(rows(WARP,
            "vote.sync.(all|any|uni).pred p:pred, a:pred, membermask:u32 ; ptx 6.0, sm_30",
            "vote.sync.ballot.b32 d, a:pred, membermask:u32 ; ptx 6.0, sm_30",
            "vote.(all|any|uni).pred p:pred, a:pred ; ptx 1.2, sm_12, until ptx 6.3, until sm_62",
            "vote.ballot.b32 d, a:pred ; ptx 2.0, sm_20, until ptx 6.3, until sm_62")),
    MATCH(rows(WARP,
            "match.any.sync.(b32|b64) d:u32, a, membermask:u32 ; ptx 6.0, sm_70",
            "match.all.sync.(b32|b64) d:u32{|p:pred}, a, membermask:u32 ; ptx 6.0, sm_70")),
    ACTIVEMASK(rows(WARP, "activemask.b32 d ; ptx 6.2, sm_30")),
    REDUX(rows(WARP,
            "redux.sync.(add|min|max).(u32|s32) d:u32, a:u32, membermask:u32 ; ptx 7.0, sm_80",
            "redux.sync.(and|or|xor).b32 d:u32, a:u32, membermask:u32 ; ptx 7.0, sm_80",
            "redux.sync.(min|max){.abs}{.NaN}.f32 d, a, membermask:u32 ; ptx 8.6, sm_100f")),
    ELECT(rows(WARP, "elect.sync d:?b32|p:pred, membermask:u32 ; ptx 8.0, sm_90")),

    // Matrices
    LDMATRIX(MatrixRows.ldmatrix()),
    STMATRIX(MatrixRows.stmatrix()),
    MOVMATRIX(rows(Family.MATRIX, "movmatrix.sync.aligned.m8n8.trans.b16 d:b32, a:=b32 ; ptx 7.8, sm_75")),
    MMA(MatrixRows.mma()),
    WMMA(MatrixRows.wmma()),
    WGMMA(MatrixRows.wgmma()),
    TCGEN05(TensorRows.tcgen05()),

    // Video
    VADD(VideoRows.arithmetic("vadd")), VSUB(VideoRows.arithmetic("vsub")), VABSDIFF(VideoRows.arithmetic("vabsdiff")),
    VMIN(VideoRows.arithmetic("vmin")), VMAX(VideoRows.arithmetic("vmax")), VSHL(VideoRows.shift("vshl")),
    VSHR(VideoRows.shift("vshr")), VMAD(VideoRows.vmad()), VSET(VideoRows.set()),
    VADD2(VideoRows.simd("vadd2")), VSUB2(VideoRows.simd("vsub2")), VAVRG2(VideoRows.simd("vavrg2")),
    VABSDIFF2(VideoRows.simd("vabsdiff2")), VMIN2(VideoRows.simd("vmin2")), VMAX2(VideoRows.simd("vmax2")),
    VSET2(VideoRows.simdSet("vset2")),
    VADD4(VideoRows.simd("vadd4")), VSUB4(VideoRows.simd("vsub4")), VAVRG4(VideoRows.simd("vavrg4")),
    VABSDIFF4(VideoRows.simd("vabsdiff4")), VMIN4(VideoRows.simd("vmin4")), VMAX4(VideoRows.simd("vmax4")),
    VSET4(VideoRows.simdSet("vset4")),

    // Control flow
    BRA(rows(Family.CONTROL, "bra{.uni} @target")),
    BRX(rows(Family.CONTROL, "brx.idx!{.uni} a:u32, @targets ; ptx 6.0, sm_30")),
    CALL(rows(Family.CONTROL, "call{.uni} @callee")),
    RET(rows(Family.CONTROL, "ret{.uni}")),
    EXIT(rows(Family.CONTROL, "exit")),

    // Stack and miscellaneous
    STACKSAVE(rows(STACK, "stacksave.(u32|u64) d ; ptx 7.3, sm_52")),
    STACKRESTORE(rows(STACK, "stackrestore.(u32|u64) a:=t1 ; ptx 7.3, sm_52")),
    ALLOCA(rows(STACK, "alloca.(u32|u64) d, a{, immAlign:#u32(1..8388608*2)} ; ptx 7.3, sm_52")),
    TRAP(rows(MISCELLANEOUS, "trap")),
    BRKPT(rows(MISCELLANEOUS, "brkpt ; ptx 1.0, sm_11")),
    NANOSLEEP(rows(MISCELLANEOUS, "nanosleep.u32 t:u32 ; ptx 6.3, sm_70")),
    PMEVENT(rows(MISCELLANEOUS, "pmevent a:#u32(0..15) ; ptx 1.4", "pmevent.mask! a:#u32(0..65535) ; ptx 3.0, sm_20")),
    SETMAXNREG(rows(MISCELLANEOUS, "setmaxnreg.(inc|dec)!.sync.aligned.u32 c:#u32(24..256/8) ; ptx 8.0, sm_90a|sm_100f|sm_110f|sm_120f"));

    private static final Map<String, Opcode> BY_NAME = new HashMap<>();

    static {
        for (Opcode opcode : values()) {
            BY_NAME.put(opcode.spelling, opcode);
        }
    }

    private final String spelling = name().toLowerCase(Locale.ROOT);
    private final Rows[] families;
    private volatile Forms forms;

    /** @param old those that {@link #oldForms} gives */
    private record Forms(List<Form> present, List<Form> old) {
    }

    Opcode(Rows... families) {
        this.families = families;
    }

    private Forms made() {
        if (forms == null) {
            synchronized (this) {
                if (forms == null) {
                    List<Form> all = Stream.of(families).flatMap(family -> family.forms().stream()).toList();
                    forms = new Forms(all.stream().filter(form -> form.means() == null).toList(), all.stream().filter(form -> form.means() != null).toList());
                }
            }
        }
        return forms;
    }

    /** The opcode named {@code word} (the part of an instruction before its first dot), or null. */
    public static Opcode named(String word) {
        return BY_NAME.get(word);
    }

    /** The opcode's rows in the manual's order. */
    public List<Form> forms() {
        return made().present;
    }

    /** Forms of old versions that leave words out, and the like; the checker turns them into one of {@link #forms()}. */
    public List<Form> oldForms() {
        return made().old;
    }

    /** The opcode as written in PTX. */
    public String spelling() {
        return spelling;
    }

    @Override
    public String toString() {
        return spelling;
    }

    private static Rows rows(Family family, String... rows) {
        return new Rows(family, List.of(rows));
    }

    private static Rows minMaxInteger(String name) {
        return rows(INTEGER,
                name + ".(<int>) d, a, b",
                name + ".(u16x2) d, a, b ; ptx 8.0, sm_90",
                name + "{.relu}.(s16x2) d, a, b ; ptx 8.0, sm_90",
                name + ".u8x4 d, a, b ; ptx 9.2, sm_120f",
                name + "{.relu}.s8x4 d, a, b ; ptx 9.2, sm_120f",
                name + ".relu.s32 d, a, b ; ptx 8.0, sm_90");
    }

    private static Rows minMaxFloat(String name) {
        return rows(FLOATING_POINT,
                name + "{.ftz}{.NaN}.f32 d, a, b ; NaN ptx 7.0 sm_80",
                name + "{.ftz}{.NaN}.xorsign.abs.f32 d, a, b ; ptx 7.2, sm_86",
                name + "{.ftz}{.NaN}{.abs}.f32 d, a, b, c ; ptx 8.8, sm_100",
                name + ".f64 d, a, b");
    }

    private static Rows minMaxHalf(String name) {
        return rows(HALF_PRECISION,
                name + "{.ftz}{.NaN}.(f16|f16x2) d, a:=t1, b:=t1 ; ptx 7.0, sm_80",
                name + "{.ftz}{.NaN}.xorsign.abs.(f16|f16x2) d, a:=t1, b:=t1 ; ptx 7.2, sm_86",
                name + "{.NaN}.(bf16|bf16x2) d, a:=t1, b:=t1 ; ptx 7.0, sm_80",
                name + "{.NaN}.xorsign.abs.(bf16|bf16x2) d, a:=t1, b:=t1 ; ptx 7.2, sm_86");
    }

    /** Comparison, with and without a boolean operation on a third source. */
    private static Rows[] set() {
        List<String> rows = new ArrayList<>();
        List<String> halves = new ArrayList<>();
        for (String combine : List.of("", ".(<bool>)")) {
            String operands = " d, a:t2, b:t2" + (combine.isEmpty() ? "" : ", c:pred");
            String half = operands.replace(":t2", ":=t2");
            rows.add("set.(eq|ne)" + combine + ".(u32|s32|f32).(<b>)" + operands);
            rows.add("set.(<cmp>)" + combine + ".(u32|s32|f32).(<int>)" + operands);
            rows.add("set.(lo|ls|hi|hs)" + combine + ".(u32|s32|f32).(<u>)" + operands);
            rows.add("set.(<fcmp>)" + combine + "{.ftz}.(u32|s32|f32).f32" + operands);
            rows.add("set.(<fcmp>)" + combine + ".(u32|s32|f32).f64" + operands);
            String needs = " ; ptx 4.2, sm_53, bf16 ptx 7.8 sm_90";
            halves.add("set.(eq|ne)" + combine + ".(f16|bf16).(<b>)" + operands + needs);
            halves.add("set.(<cmp>)" + combine + ".(f16|bf16).(<int>)" + operands + needs);
            halves.add("set.(lo|ls|hi|hs)" + combine + ".(f16|bf16).(<u>)" + operands + needs);
            halves.add("set.(<fcmp>)" + combine + "{.ftz}.f16.f32" + operands + needs);
            halves.add("set.(<fcmp>)" + combine + ".bf16.f32" + operands + needs);
            halves.add("set.(<fcmp>)" + combine + ".(f16|bf16).f64" + operands + needs);
            halves.add("set.(<fcmp>)" + combine + ".bf16.f16" + half.replace("c:", "c:=") + needs);
            halves.add("set.(<fcmp>)" + combine + "{.ftz}.(f16|u16|s16|u32|s32).f16" + half + " ; ptx 4.2, sm_53, u16|s16|u32|s32 ptx 6.5");
            halves.add("set.(<fcmp>)" + combine + "{.ftz}.(f16x2|u32|s32).f16x2" + half + " ; ptx 4.2, sm_53, u16|s16|u32|s32 ptx 6.5");
            halves.add("set.(<fcmp>)" + combine + ".(bf16|u16|s16|u32|s32).bf16" + half.replace("c:", "c:=") + " ; ptx 7.8, sm_90");
            halves.add("set.(<fcmp>)" + combine + ".(bf16x2|u32|s32).bf16x2" + half.replace("c:", "c:=") + " ; ptx 7.8, sm_90");
        }
        return new Rows[] {new Rows(COMPARISON, rows), new Rows(HALF_PRECISION, halves)};
    }

    private static Rows[] setp() {
        List<String> rows = new ArrayList<>();
        List<String> halves = new ArrayList<>();
        for (String combine : List.of("", ".(<bool>)")) {
            String c = combine.isEmpty() ? "" : ", c:pred";
            String pair = " p:?pred{|q:?pred}, a, b" + c;
            rows.add("setp.(eq|ne)" + combine + ".(<b>)" + pair);
            rows.add("setp.(<cmp>)" + combine + ".(<int>)" + pair);
            rows.add("setp.(lo|ls|hi|hs)" + combine + ".(<u>)" + pair);
            rows.add("setp.(<fcmp>)" + combine + "{.ftz}.f32" + pair);
            rows.add("setp.(<fcmp>)" + combine + ".f64" + pair);
            halves.add("setp.(<fcmp>)" + combine + "{.ftz}.f16 p:pred{|q:!pred}, a:=t1, b:=t1" + c + " ; ptx 4.2, sm_53");
            halves.add("setp.(<fcmp>)" + combine + "{.ftz}.f16x2 p:?pred{|q:?pred}, a:=t1, b:=t1" + c + " ; ptx 4.2, sm_53");
            halves.add("setp.(<fcmp>)" + combine + ".bf16 p:pred{|q:!pred}, a:=t1, b:=t1" + c.replace(":", ":=") + " ; ptx 7.8, sm_90");
            halves.add("setp.(<fcmp>)" + combine + ".bf16x2 p:?pred{|q:?pred}, a:=t1, b:=t1" + c.replace(":", ":=") + " ; ptx 7.8, sm_90");
        }
        return new Rows[] {new Rows(COMPARISON, rows), new Rows(HALF_PRECISION, halves)};
    }
}
