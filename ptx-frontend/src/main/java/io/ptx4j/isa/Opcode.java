package io.ptx4j.isa;

import static io.ptx4j.isa.Family.ATOMIC;
import static io.ptx4j.isa.Family.COMPARISON;
import static io.ptx4j.isa.Family.CONVERSION;
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

import java.util.Arrays;
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
                    "add.(u16x2|s16x2) d, a, b ; ptx 8.0, sm_90"),
            rows(EXTENDED_PRECISION,
                    "add.cc.(u32|s32) d, a, b ; ptx 1.2",
                    "add.cc.(u64|s64) d, a, b ; ptx 4.3, sm_20"),
            rows(FLOATING_POINT,
                    "add{.(rn|rz)}{.ftz}{.sat}.f32 d, a, b",
                    "add.(rm|rp){.ftz}{.sat}.f32 d, a, b ; sm_20",
                    "add{.(<rnd>)}.f64 d, a, b",
                    "add{.(<rnd>)}{.ftz}.f32x2 d, a, b ; ptx 8.6, sm_100"),
            rows(HALF_PRECISION,
                    "add{.rn}{.ftz}{.sat}.(f16|f16x2) d, a, b ; ptx 4.2, sm_53",
                    "add{.rn}.(bf16|bf16x2) d, a, b ; ptx 7.8, sm_90"),
            rows(MIXED_PRECISION, "add{.(<rnd>)}{.sat}.f32.(f16|bf16) d, a:t2, c ; ptx 8.6, sm_100")),
    SUB(rows(INTEGER, "sub.(<int>) d, a, b", "sub.sat.s32 d, a, b"),
            rows(EXTENDED_PRECISION,
                    "sub.cc.(u32|s32) d, a, b ; ptx 1.2",
                    "sub.cc.(u64|s64) d, a, b ; ptx 4.3, sm_20"),
            rows(FLOATING_POINT,
                    "sub{.(rn|rz)}{.ftz}{.sat}.f32 d, a, b",
                    "sub.(rm|rp){.ftz}{.sat}.f32 d, a, b ; sm_20",
                    "sub{.(<rnd>)}.f64 d, a, b",
                    "sub{.(<rnd>)}{.ftz}.f32x2 d, a, b ; ptx 8.6, sm_100"),
            rows(HALF_PRECISION,
                    "sub{.rn}{.ftz}{.sat}.(f16|f16x2) d, a, b ; ptx 4.2, sm_53",
                    "sub{.rn}.(bf16|bf16x2) d, a, b ; ptx 7.8, sm_90"),
            rows(MIXED_PRECISION, "sub{.(<rnd>)}{.sat}.f32.(f16|bf16) d, a:t2, c ; ptx 8.6, sm_100")),
    MUL(rows(INTEGER, "mul.(lo|hi)!.(<int>) d, a, b", "mul.wide!.(u16|s16|u32|s32) d:wide, a, b"),
            rows(FLOATING_POINT,
                    "mul{.(rn|rz)}{.ftz}{.sat}.f32 d, a, b",
                    "mul.(rm|rp){.ftz}{.sat}.f32 d, a, b ; sm_20",
                    "mul{.(<rnd>)}.f64 d, a, b",
                    "mul{.(<rnd>)}{.ftz}.f32x2 d, a, b ; ptx 8.6, sm_100"),
            rows(HALF_PRECISION,
                    "mul{.rn}{.ftz}{.sat}.(f16|f16x2) d, a, b ; ptx 4.2, sm_53",
                    "mul{.rn}.(bf16|bf16x2) d, a, b ; ptx 7.8, sm_90")),
    MAD(rows(INTEGER,
                    "mad.(lo|hi)!.(<int>) d, a, b, c",
                    "mad.hi!.sat.s32 d, a, b, c",
                    "mad.wide!.(u16|s16|u32|s32) d:wide, a, b, c:wide"),
            rows(EXTENDED_PRECISION,
                    "mad.(lo|hi)!.cc.(u32|s32) d, a, b, c ; ptx 3.0, sm_20",
                    "mad.(lo|hi)!.cc.(u64|s64) d, a, b, c ; ptx 4.3, sm_20"),
            rows(FLOATING_POINT,
                    "mad{.ftz}{.sat}.f32 d, a, b, c ; until sm_30",
                    "mad.(<rnd>){.ftz}{.sat}.f32 d, a, b, c ; sm_20",
                    "mad{.(<rnd>)}.f64 d, a, b, c")),
    MUL24(rows(INTEGER, "mul24.(lo|hi)!.(u32|s32) d, a, b")),
    MAD24(rows(INTEGER, "mad24.(lo|hi)!.(u32|s32) d, a, b, c", "mad24.hi!.sat.s32 d, a, b, c")),
    SAD(rows(INTEGER, "sad.(<int>) d, a, b, c")),
    DIV(rows(INTEGER, "div.(<int>) d, a, b"),
            rows(FLOATING_POINT,
                    "div.(approx|full){.ftz}.f32 d, a, b",
                    "div.(<rnd>){.ftz}.f32 d, a, b ; sm_20",
                    "div.(<rnd>).f64 d, a, b")),
    REM(rows(INTEGER, "rem.(<int>) d, a, b")),
    ABS(rows(INTEGER, "abs.(<s>) d, a"),
            rows(FLOATING_POINT, "abs{.ftz}.f32 d, a", "abs.f64 d, a"),
            rows(HALF_PRECISION,
                    "abs{.ftz}.(f16|f16x2) d, a ; ptx 6.5, sm_53",
                    "abs.(bf16|bf16x2) d, a ; ptx 7.0, sm_80")),
    NEG(rows(INTEGER, "neg.(<s>) d, a"),
            rows(FLOATING_POINT, "neg{.ftz}.f32 d, a", "neg.f64 d, a"),
            rows(HALF_PRECISION,
                    "neg{.ftz}.(f16|f16x2) d, a ; ptx 6.0, sm_53",
                    "neg.(bf16|bf16x2) d, a ; ptx 7.0, sm_80")),
    MIN(minMaxInteger("min"), minMaxFloat("min"), minMaxHalf("min")),
    MAX(minMaxInteger("max"), minMaxFloat("max"), minMaxHalf("max")),
    POPC(rows(INTEGER, "popc.(b32|b64) d:u32, a ; ptx 2.0, sm_20")),
    CLZ(rows(INTEGER, "clz.(b32|b64) d:u32, a ; ptx 2.0, sm_20")),
    BFIND(rows(INTEGER, "bfind{.shiftamt}.(<int3264>) d:u32, a ; ptx 2.0, sm_20")),
    FNS(rows(INTEGER, "fns.b32 d:b32, a:b32, b:b32, c:b32 ; ptx 6.0, sm_30")),
    BREV(rows(INTEGER, "brev.(b32|b64) d, a ; ptx 2.0, sm_20")),
    BFE(rows(INTEGER, "bfe.(<int3264>) d, a, b:u32, c:u32 ; ptx 2.0, sm_20")),
    BFI(rows(INTEGER, "bfi.(b32|b64) d, a, b, c:u32, e:u32 ; ptx 2.0, sm_20")),
    SZEXT(rows(INTEGER, "szext.(clamp|wrap).(u32|s32) d, a, b:u32 ; ptx 7.6, sm_70")),
    BMSK(rows(INTEGER, "bmsk.(clamp|wrap).b32 d:u32, a:u32, b:u32 ; ptx 7.6, sm_70")),
    DP4A(rows(INTEGER, "dp4a.(u32|s32).(u32|s32) d:u32, a:b32, b:b32, c:u32 ; ptx 5.0, sm_61")),
    DP2A(rows(INTEGER, "dp2a.(lo|hi)!.(u32|s32).(u32|s32) d:u32, a:b32, b:b32, c:u32 ; ptx 5.0, sm_61")),

    // Extended precision
    ADDC(rows(EXTENDED_PRECISION,
            "addc{.cc}.(u32|s32) d, a, b ; ptx 1.2",
            "addc{.cc}.(u64|s64) d, a, b ; ptx 4.3, sm_20",
            "addc.(u16|s16) d, a, b ; ptx 1.2",
            "addc.sat.s32 d, a, b ; ptx 1.2")),
    SUBC(rows(EXTENDED_PRECISION,
            "subc{.cc}.(u32|s32) d, a, b ; ptx 1.2",
            "subc{.cc}.(u64|s64) d, a, b ; ptx 4.3, sm_20",
            "subc.(u16|s16) d, a, b ; ptx 1.2",
            "subc.sat.s32 d, a, b ; ptx 1.2")),
    MADC(rows(EXTENDED_PRECISION,
            "madc.(lo|hi)!{.cc}.(u32|s32) d, a, b, c ; ptx 3.0, sm_20",
            "madc.(lo|hi)!{.cc}.(u64|s64) d, a, b, c ; ptx 4.3, sm_20",
            "madc.(lo|hi)!.(u16|s16) d, a, b, c ; ptx 3.0, sm_20",
            "madc.hi!.sat.s32 d, a, b, c ; ptx 3.0, sm_20")),

    // Floating point
    FMA(rows(FLOATING_POINT,
                    "fma.(<rnd>){.ftz}{.sat}.f32 d, a, b, c ; ptx 2.0, sm_20",
                    "fma.(<rnd>).f64 d, a, b, c ; ptx 1.4, sm_13",
                    "fma.(<rnd>){.ftz}.f32x2 d, a, b, c ; ptx 8.6, sm_100"),
            rows(HALF_PRECISION,
                    "fma.rn{.ftz}{.(sat|relu)}.(f16|f16x2) d, a, b, c ; ptx 4.2, sm_53",
                    "fma.(<rnd>){.relu}.(bf16|bf16x2) d, a, b, c ; ptx 7.0, sm_80",
                    "fma.rn.oob{.relu}.(f16|f16x2) d, a, b, c ; ptx 8.1, sm_90",
                    "fma.(<rnd>).oob{.relu}.(bf16|bf16x2) d, a, b, c ; ptx 8.1, sm_90"),
            rows(MIXED_PRECISION, "fma.(<rnd>){.sat}.f32.(f16|bf16) d, a:t2, b:t2, c ; ptx 8.6, sm_100")),
    RCP(rows(FLOATING_POINT,
            "rcp.approx{.ftz}.f32 d, a",
            "rcp.(<rnd>){.ftz}.f32 d, a ; sm_20",
            "rcp.(<rnd>).f64 d, a",
            "rcp.approx.ftz.f64 d, a ; ptx 2.1, sm_20")),
    SQRT(rows(FLOATING_POINT,
            "sqrt.approx{.ftz}.f32 d, a",
            "sqrt.(<rnd>){.ftz}.f32 d, a ; sm_20",
            "sqrt.(<rnd>).f64 d, a")),
    RSQRT(rows(FLOATING_POINT,
            "rsqrt.approx{.ftz}.f32 d, a",
            "rsqrt.approx.f64 d, a",
            "rsqrt.approx.ftz.f64 d, a ; ptx 4.0, sm_20")),
    SIN(rows(FLOATING_POINT, "sin.approx{.ftz}.f32 d, a")),
    COS(rows(FLOATING_POINT, "cos.approx{.ftz}.f32 d, a")),
    LG2(rows(FLOATING_POINT, "lg2.approx{.ftz}.f32 d, a")),
    EX2(rows(FLOATING_POINT, "ex2.approx{.ftz}.f32 d, a"),
            rows(HALF_PRECISION,
                    "ex2.approx.(f16|f16x2) d, a ; ptx 7.0, sm_75",
                    "ex2.approx.ftz.(bf16|bf16x2) d, a ; ptx 7.8, sm_90")),
    TANH(rows(FLOATING_POINT, "tanh.approx.f32 d, a ; ptx 7.0, sm_75"),
            rows(HALF_PRECISION,
                    "tanh.approx.(f16|f16x2) d, a ; ptx 7.0, sm_75",
                    "tanh.approx.(bf16|bf16x2) d, a ; ptx 7.8, sm_90")),
    TESTP(rows(FLOATING_POINT, "testp.(finite|infinite|number|notanumber|normal|subnormal).(f32|f64) p:pred, a ; ptx 2.0, sm_20")),
    COPYSIGN(rows(FLOATING_POINT, "copysign.(f32|f64) d, a, b ; ptx 2.0, sm_20")),

    // Comparison and selection
    SET(setNumbers(COMPARISON, "{.ftz}", "(u32|s32|f32)", ""),
            setNumbers(HALF_PRECISION, "{.ftz}", "f16", " ; ptx 4.2, sm_53"),
            setNumbers(HALF_PRECISION, "", "bf16", " ; ptx 7.8, sm_90"),
            set("<fcmp>", "{.ftz}.(f16|u16|s16|u32|s32).f16", " ; ptx 4.2, sm_53"),
            set("<fcmp>", "{.ftz}.(f16x2|u32|s32).f16x2", " ; ptx 4.2, sm_53"),
            set("<fcmp>", ".(bf16|u16|s16|u32|s32).bf16", " ; ptx 7.8, sm_90"),
            set("<fcmp>", ".bf16.f16", " ; ptx 7.8, sm_90"),
            set("<fcmp>", ".(bf16x2|u32|s32).bf16x2", " ; ptx 7.8, sm_90")),
    SETP(rows(COMPARISON,
                    "setp.(eq|ne).(<b>) p:?pred{|q:?pred}, a, b",
                    "setp.(<cmp>).(<int>) p:?pred{|q:?pred}, a, b",
                    "setp.(lo|ls|hi|hs).(<u>) p:?pred{|q:?pred}, a, b",
                    "setp.(<fcmp>){.ftz}.f32 p:?pred{|q:?pred}, a, b",
                    "setp.(<fcmp>).f64 p:?pred{|q:?pred}, a, b",
                    "setp.(eq|ne).(<bool>).(<b>) p:?pred{|q:?pred}, a, b, c:pred",
                    "setp.(<cmp>).(<bool>).(<int>) p:?pred{|q:?pred}, a, b, c:pred",
                    "setp.(lo|ls|hi|hs).(<bool>).(<u>) p:?pred{|q:?pred}, a, b, c:pred",
                    "setp.(<fcmp>).(<bool>){.ftz}.f32 p:?pred{|q:?pred}, a, b, c:pred",
                    "setp.(<fcmp>).(<bool>).f64 p:?pred{|q:?pred}, a, b, c:pred"),
            rows(HALF_PRECISION,
                    "setp.(<fcmp>){.ftz}.f16 p:pred, a, b ; ptx 4.2, sm_53",
                    "setp.(<fcmp>){.ftz}.f16x2 p:?pred{|q:?pred}, a, b ; ptx 4.2, sm_53",
                    "setp.(<fcmp>).bf16 p:pred, a, b ; ptx 7.8, sm_90",
                    "setp.(<fcmp>).bf16x2 p:?pred{|q:?pred}, a, b ; ptx 7.8, sm_90",
                    "setp.(<fcmp>).(<bool>){.ftz}.f16 p:pred, a, b, c:pred ; ptx 4.2, sm_53",
                    "setp.(<fcmp>).(<bool>){.ftz}.f16x2 p:?pred{|q:?pred}, a, b, c:pred ; ptx 4.2, sm_53",
                    "setp.(<fcmp>).(<bool>).bf16 p:pred, a, b, c:pred ; ptx 7.8, sm_90",
                    "setp.(<fcmp>).(<bool>).bf16x2 p:?pred{|q:?pred}, a, b, c:pred ; ptx 7.8, sm_90")),
    SELP(rows(COMPARISON, "selp.(b16|b32|b64|u16|u32|u64|s16|s32|s64|f32|f64) d, a, b, c:pred")),
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
            "lop3.(and|or).b32 d|p:pred, a, b, c, immLut:#u32, e:pred ; ptx 8.2, sm_70")),
    SHF(rows(LOGIC, "shf.(l|r)!.(clamp|wrap).b32 d, a, b, c:u32 ; ptx 3.1, sm_32")),
    SHL(rows(LOGIC, "shl.(<b>) d, a, b:u32")),
    SHR(rows(LOGIC, "shr.(b16|b32|b64|u16|u32|u64|s16|s32|s64) d, a, b:u32")),

    // Data movement and conversion
    MOV(rows(DATA_MOVEMENT, "mov.(b16|b32|b64|b128) d:*t1, a:*%&^t1",
            "mov.(u16|u32|u64|s16|s32|s64) d, a:%&^t1",
            "mov.(pred|f32|f64) d, a",
            "mov.(v2|v4).(b16|b32|u16|u32|s16|s32|f32) d:vec.t1, a:%vec.t1",
            "mov.v2.(b64|u64|s64|f64) d:vec.t1, a:%vec.t1")),
    PRMT(rows(DATA_MOVEMENT, "prmt.b32{.(f4e|b4e|rc8|ecl|ecr|rc16)} d, a, b, c ; ptx 2.0, sm_20")),
    CVT(rows(CONVERSION, ConversionRows.CVT)),

    // Memory
    LD(rows(MEMORY,
            "ld{.(weak|volatile)}{.(<space>)}{.(ca|cg|cs|lu|cv)}{.(<evict>)}{.(<prefetch>)}{.(v2|v4)}.(<mem>) d:~vec.t1, [a]",
            "ld.(relaxed|acquire).(<scope>){.(<gsspace>)}{.(<evict>)}{.(<prefetch>)}{.(v2|v4)}.(<mem>) d:~vec.t1, [a] ; ptx 6.0, sm_70",
            "ld.global{.(ca|cg|cs)}.nc{.(<evict>)}{.(<prefetch>)}{.(v2|v4)}.(<mem>) d:~vec.t1, [a] ; ptx 3.1, sm_32")),
    LDU(rows(MEMORY, "ldu{.global}{.(v2|v4)}.(<mem>) d:~vec.t1, [a] ; ptx 2.0, sm_20")),
    ST(rows(MEMORY,
            "st{.(weak|volatile)}{.(<space>)}{.(wb|cg|cs|wt)}{.(<evict>)}{.(v2|v4)}.(<mem>) [a], b:~vec.t1",
            "st.(relaxed|release).(<scope>){.(<gsspace>)}{.(<evict>)}{.(v2|v4)}.(<mem>) [a], b:~vec.t1 ; ptx 6.0, sm_70")),
    CVTA(rows(MEMORY, "cvta{.to!}.(const|global|local|shared|shared::cta|shared::cluster|param|param::entry).(u32|u64) d, a:&t1 ; ptx 2.0, sm_20")),
    ISSPACEP(rows(MEMORY, "isspacep.(const|global|local|shared|shared::cta|shared::cluster|param|param::entry) p:pred, a:u64 ; ptx 2.0, sm_20")),

    // Atomics
    ATOM(rows(ATOMIC,
            "atom{.(<order>)}{.(<scope>)}{.(<gsspace>)}.(and|or|xor|exch).(b32|b64) d, [a], b ; ptx 1.1, sm_11",
            "atom{.(<order>)}{.(<scope>)}{.(<gsspace>)}.cas.(b16|b32|b64) d, [a], b, c ; ptx 1.1, sm_11",
            "atom{.(<order>)}{.(<scope>)}{.(<gsspace>)}.(min|max|add).(u32|s32|u64|s64) d, [a], b ; ptx 1.1, sm_11",
            "atom{.(<order>)}{.(<scope>)}{.(<gsspace>)}.(inc|dec).u32 d, [a], b ; ptx 1.1, sm_11",
            "atom{.(<order>)}{.(<scope>)}{.(<gsspace>)}.add.(f32|f64) d, [a], b ; ptx 2.0, sm_20")),
    RED(rows(ATOMIC,
            "red{.(<order>)}{.(<scope>)}{.(<gsspace>)}.(and|or|xor).(b32|b64) [a], b ; ptx 1.2, sm_11",
            "red{.(<order>)}{.(<scope>)}{.(<gsspace>)}.(min|max|add).(u32|s32|u64|s64) [a], b ; ptx 1.2, sm_11",
            "red{.(<order>)}{.(<scope>)}{.(<gsspace>)}.(inc|dec).u32 [a], b ; ptx 1.2, sm_11",
            "red{.(<order>)}{.(<scope>)}{.(<gsspace>)}.add.(f32|f64) [a], b ; ptx 2.0, sm_20")),

    // Barriers and fences
    BAR(rows(Family.BARRIER,
            "bar.sync! a:u32{, b:u32}",
            "bar.arrive! a:u32, b:u32 ; ptx 2.0, sm_20",
            "bar.red!.popc.u32 d, a:u32{, b:u32}, c:pred ; ptx 2.0, sm_20",
            "bar.red!.(and|or).pred p:pred, a:u32{, b:u32}, c:pred ; ptx 2.0, sm_20",
            "bar.warp!.sync a:b32 ; ptx 6.0, sm_30")),
    BARRIER(rows(Family.BARRIER,
            "barrier{.cta}.sync!{.aligned} a:u32{, b:u32} ; ptx 6.0, sm_30",
            "barrier{.cta}.arrive!{.aligned} a:u32, b:u32 ; ptx 6.0, sm_30",
            "barrier{.cta}.red!.popc{.aligned}.u32 d, a:u32{, b:u32}, c:pred ; ptx 6.0, sm_30",
            "barrier{.cta}.red!.(and|or){.aligned}.pred p:pred, a:u32{, b:u32}, c:pred ; ptx 6.0, sm_30")),
    MEMBAR(rows(Family.BARRIER, "membar.(cta|gl|sys)")),
    FENCE(rows(Family.BARRIER,
            "fence{.(sc|acq_rel|acquire|release)}.(<scope>) ; ptx 6.0, sm_70")),

    // Warp operations
    SHFL(rows(WARP,
            "shfl.sync.(up|down|bfly|idx).b32 d{|p:pred}, a, b:b32, c:b32, membermask:u32 ; ptx 6.0, sm_30",
            "shfl.(up|down|bfly|idx).b32 d{|p:pred}, a, b:b32, c:b32 ; ptx 3.0, sm_30, until sm_62")),
    VOTE(rows(WARP,
            "vote.sync.(all|any|uni).pred p:pred, a:pred, membermask:u32 ; ptx 6.0, sm_30",
            "vote.sync.ballot.b32 d, a:pred, membermask:u32 ; ptx 6.0, sm_30",
            "vote.(all|any|uni).pred p:pred, a:pred ; ptx 1.2, sm_12, until sm_62",
            "vote.ballot.b32 d, a:pred ; ptx 2.0, sm_20, until sm_62")),
    ACTIVEMASK(rows(WARP, "activemask.b32 d ; ptx 6.2, sm_30")),

    // Control flow
    BRA(rows(Family.CONTROL, "bra{.uni} @target")),
    BRX(rows(Family.CONTROL, "brx.idx!{.uni} a:u32, @targets ; ptx 6.0, sm_30")),
    CALL(rows(Family.CONTROL, "call{.uni} @callee")),
    RET(rows(Family.CONTROL, "ret{.uni}")),
    EXIT(rows(Family.CONTROL, "exit")),
    TRAP(rows(MISCELLANEOUS, "trap")),
    BRKPT(rows(MISCELLANEOUS, "brkpt ; ptx 1.0, sm_11")),
    NANOSLEEP(rows(MISCELLANEOUS, "nanosleep.u32 t ; ptx 6.3, sm_70")),
    PMEVENT(rows(MISCELLANEOUS, "pmevent a:#u32 ; ptx 1.4", "pmevent.mask! a:#u32 ; ptx 3.0, sm_20")),
    STACKSAVE(rows(STACK, "stacksave.(u32|u64) d ; ptx 7.3, sm_52")),
    STACKRESTORE(rows(STACK, "stackrestore.(u32|u64) a ; ptx 7.3, sm_52")),
    ALLOCA(rows(STACK, "alloca.(u32|u64) d, a{, immAlign:#u32} ; ptx 7.3, sm_52"));

    private static final Map<String, Opcode> BY_NAME = new HashMap<>();

    static {
        for (Opcode opcode : values()) {
            BY_NAME.put(opcode.spelling, opcode);
        }
    }

    private final String spelling = name().toLowerCase(Locale.ROOT);
    private final List<Form> forms;

    Opcode(Form[]... families) {
        this.forms = Stream.of(families).flatMap(Arrays::stream).toList();
    }

    /** The opcode named {@code word} (the part of an instruction before its first dot), or null. */
    public static Opcode named(String word) {
        return BY_NAME.get(word);
    }

    /** The opcode's rows in the manual's order. */
    public List<Form> forms() {
        return forms;
    }

    /** The opcode as written in PTX. */
    public String spelling() {
        return spelling;
    }

    @Override
    public String toString() {
        return spelling;
    }

    private static Form[] rows(Family family, String... rows) {
        return Arrays.stream(rows).map(row -> Form.parse(family, row)).toArray(Form[]::new);
    }

    private static Form[] minMaxInteger(String name) {
        return rows(INTEGER,
                name + ".(<int>) d, a, b",
                name + ".(u16x2) d, a, b ; ptx 8.0, sm_90",
                name + "{.relu}.(s16x2) d, a, b ; ptx 8.0, sm_90",
                name + ".relu.s32 d, a, b ; ptx 8.0, sm_90");
    }

    private static Form[] minMaxFloat(String name) {
        return rows(FLOATING_POINT,
                name + "{.ftz}.f32 d, a, b",
                name + "{.ftz}.NaN.f32 d, a, b ; ptx 7.0, sm_80",
                name + "{.ftz}.NaN.xorsign.abs.f32 d, a, b ; ptx 7.2, sm_86",
                name + "{.ftz}.xorsign.abs.f32 d, a, b ; ptx 7.2, sm_86",
                name + "{.ftz}{.NaN}{.abs}.f32 d, a, b, c ; ptx 8.8, sm_100",
                name + ".f64 d, a, b");
    }

    /** {@code set} of integers, f32 and f64; {@code ftz} is what sources of f32 may have. */
    private static Form[] setNumbers(Family family, String ftz, String to, String needs) {
        return Stream.of(
                set(family, "eq|ne", "." + to + ".(<b>)", needs),
                set(family, "<cmp>", "." + to + ".(<int>)", needs),
                set(family, "lo|ls|hi|hs", "." + to + ".(<u>)", needs),
                set(family, "<fcmp>", ftz + "." + to + ".f32", needs),
                set(family, "<fcmp>", "." + to + ".f64", needs)).flatMap(Arrays::stream).toArray(Form[]::new);
    }

    private static Form[] set(String comparisons, String types, String needs) {
        return set(HALF_PRECISION, comparisons, types, needs);
    }

    /** {@code set} alone and combined with a predicate. */
    private static Form[] set(Family family, String comparisons, String types, String needs) {
        return rows(family,
                "set.(" + comparisons + ")" + types + " d, a:t2, b:t2" + needs,
                "set.(" + comparisons + ").(<bool>)" + types + " d, a:t2, b:t2, c:pred" + needs);
    }

    private static Form[] minMaxHalf(String name) {
        return rows(HALF_PRECISION,
                name + "{.ftz}{.NaN}.(f16|f16x2) d, a, b ; ptx 7.0, sm_80",
                name + "{.ftz}{.NaN}.xorsign.abs.(f16|f16x2) d, a, b ; ptx 7.2, sm_86",
                name + "{.NaN}.(bf16|bf16x2) d, a, b ; ptx 7.0, sm_80",
                name + "{.NaN}.xorsign.abs.(bf16|bf16x2) d, a, b ; ptx 7.2, sm_86");
    }
}
