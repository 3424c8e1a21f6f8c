package io.ptx4j.isa;

import static io.ptx4j.isa.Modifier.Category.BOOLEAN;
import static io.ptx4j.isa.Modifier.Category.CACHE;
import static io.ptx4j.isa.Modifier.Category.CARRY;
import static io.ptx4j.isa.Modifier.Category.COMPARISON;
import static io.ptx4j.isa.Modifier.Category.EVICTION;
import static io.ptx4j.isa.Modifier.Category.GEOMETRY;
import static io.ptx4j.isa.Modifier.Category.LAYOUT;
import static io.ptx4j.isa.Modifier.Category.MODE;
import static io.ptx4j.isa.Modifier.Category.NUMERIC;
import static io.ptx4j.isa.Modifier.Category.OPERATION;
import static io.ptx4j.isa.Modifier.Category.ORDER;
import static io.ptx4j.isa.Modifier.Category.PART;
import static io.ptx4j.isa.Modifier.Category.PREFETCH_SIZE;
import static io.ptx4j.isa.Modifier.Category.PROXY;
import static io.ptx4j.isa.Modifier.Category.ROUNDING;
import static io.ptx4j.isa.Modifier.Category.SCOPE;
import static io.ptx4j.isa.Modifier.Category.SELECTOR;
import static io.ptx4j.isa.Modifier.Category.FORMAT;
import static io.ptx4j.isa.Modifier.Category.SHAPE;
import static io.ptx4j.isa.Modifier.Category.SPACE;
import static io.ptx4j.isa.Modifier.Category.VECTOR;
import static io.ptx4j.isa.Modifier.Category.WORD;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Every word that may follow an opcode after a dot and is not a type. A row that uses a word not listed here fails when the
 * table is loaded. Constants that clash with a Java keyword or another word's meaning carry their spelling explicitly.
 */
public enum Modifier {
    // state spaces
    GLOBAL(SPACE), LOCAL(SPACE), CONST(SPACE), PARAM(SPACE), SHARED(SPACE), TEX(SPACE), SURF(SPACE),
    SHARED_CTA(SPACE, "shared::cta", "ptx 7.8"), SHARED_CLUSTER(SPACE, "shared::cluster", "ptx 7.8 sm_90"),
    PARAM_ENTRY(SPACE, "param::entry", "ptx 8.3"), PARAM_FUNC(SPACE, "param::func", "ptx 8.3"),
    // rounding
    RN(ROUNDING), RZ(ROUNDING), RM(ROUNDING), RP(ROUNDING), RNI(ROUNDING), RZI(ROUNDING), RMI(ROUNDING), RPI(ROUNDING),
    RNA(ROUNDING), RS(ROUNDING),
    // numeric behaviour
    APPROX(NUMERIC, "approx", "ptx 1.4"), FULL(NUMERIC), FTZ(NUMERIC, "ftz", "ptx 1.4"), SAT(NUMERIC), SATFINITE(NUMERIC), RELU(NUMERIC), NAN(NUMERIC, "NaN"),
    XORSIGN(NUMERIC), ABS(NUMERIC), OOB(NUMERIC), NOFTZ(NUMERIC), SCALED(NUMERIC, "scaled"),
    SCALED_N2_UE8M0(NUMERIC, "scaled::n2::ue8m0"),
    // halves of a product or of a word, widths
    LO(PART), HI(PART), WIDE(PART), CC(CARRY),
    // comparison and boolean operators; lo and hi as comparisons are the words above
    EQ(COMPARISON), NE(COMPARISON), LT(COMPARISON), LE(COMPARISON), GT(COMPARISON), GE(COMPARISON), LS(COMPARISON),
    HS(COMPARISON), EQU(COMPARISON), NEU(COMPARISON), LTU(COMPARISON), LEU(COMPARISON), GTU(COMPARISON), GEU(COMPARISON),
    NUM(COMPARISON), ISNAN(COMPARISON, "nan"),
    AND(BOOLEAN), OR(BOOLEAN), XOR(BOOLEAN),
    // shifts, shuffles, permutations, votes
    L(MODE), R(MODE), CLAMP(MODE), WRAP(MODE), SHIFTAMT(MODE),
    UP(MODE), DOWN(MODE), BFLY(MODE), IDX(MODE), SYNC(MODE), ALL(MODE), ANY(MODE), UNI(MODE), BALLOT(MODE),
    F4E(MODE), B4E(MODE), RC8(MODE), ECL(MODE), ECR(MODE), RC16(MODE),
    FINITE(MODE), INFINITE(MODE), NUMBER(MODE), NOTANUMBER(MODE), NORMAL(MODE), SUBNORMAL(MODE),
    // memory order, scope, caching
    WEAK(ORDER, "weak", "ptx 6.0 sm_70"), VOLATILE(ORDER), RELAXED(ORDER, "relaxed", "ptx 6.0 sm_70"),
    ACQUIRE(ORDER, "acquire", "ptx 6.0 sm_70"), RELEASE(ORDER, "release", "ptx 6.0 sm_70"),
    ACQ_REL(ORDER, "acq_rel", "ptx 6.0 sm_70"), MMIO(ORDER, "mmio", "ptx 8.2 sm_70"), SC(ORDER, "sc", "ptx 6.0 sm_70"),
    CTA(SCOPE), CLUSTER(SCOPE, "cluster", "ptx 7.8 sm_90"), GPU(SCOPE), SYS(SCOPE), GL(SCOPE),
    CA(CACHE, "ca", "ptx 2.0 sm_20"), CG(CACHE, "cg", "ptx 2.0 sm_20"), CS(CACHE, "cs", "ptx 2.0 sm_20"),
    LU(CACHE, "lu", "ptx 2.0 sm_20"), CV(CACHE, "cv", "ptx 2.0 sm_20"), WB(CACHE, "wb", "ptx 2.0 sm_20"),
    WT(CACHE, "wt", "ptx 2.0 sm_20"), NC(CACHE, "nc", "ptx 3.1 sm_32"),
    L1_EVICT_NORMAL(EVICTION, "L1::evict_normal", "ptx 7.4 sm_70"),
    L1_EVICT_UNCHANGED(EVICTION, "L1::evict_unchanged", "ptx 7.4 sm_70"),
    L1_EVICT_FIRST(EVICTION, "L1::evict_first", "ptx 7.4 sm_70"), L1_EVICT_LAST(EVICTION, "L1::evict_last", "ptx 7.4 sm_70"),
    L1_NO_ALLOCATE(EVICTION, "L1::no_allocate", "ptx 7.4 sm_70"), L2_EVICT_NORMAL(EVICTION, "L2::evict_normal"),
    L2_EVICT_FIRST(EVICTION, "L2::evict_first"), L2_EVICT_LAST(EVICTION, "L2::evict_last"),
    L2_EVICT_UNCHANGED(EVICTION, "L2::evict_unchanged"), L2_CACHE_HINT(EVICTION, "L2::cache_hint", "ptx 7.4 sm_80"),
    L2_64B(PREFETCH_SIZE, "L2::64B", "ptx 7.4 sm_75"), L2_128B(PREFETCH_SIZE, "L2::128B", "ptx 7.4 sm_75"),
    L2_256B(PREFETCH_SIZE, "L2::256B", "ptx 7.4 sm_80"),
    UNIFIED(MODE), L1(MODE, "L1"), L2(MODE, "L2"),
    V2(VECTOR), V4(VECTOR), V8(VECTOR),
    // atomic operations (and, or, xor and the words of other categories are shared)
    ADD(OPERATION), SUB(OPERATION), INC(OPERATION), DEC(OPERATION), MIN(OPERATION), MAX(OPERATION), EXCH(OPERATION), CAS(OPERATION),
    // byte and half selectors of the video instructions are operand suffixes; their words on the opcode
    PO(SELECTOR), SHR7(SELECTOR), SHR15(SELECTOR),
    // barriers and fences
    ARRIVE(WORD), RED(WORD), POPC(WORD), WARP(WORD), ALIGNED(WORD), WAIT(WORD), PROXY_WORD(WORD, "proxy"),
    ALIAS(PROXY), ASYNC(PROXY), ASYNC_GENERIC(PROXY, "async::generic"), TENSORMAP_GENERIC(PROXY, "tensormap::generic"),
    MBARRIER_INIT(WORD), RESTRICT_SHARED_CTA(WORD, "sync_restrict::shared::cta"),
    RESTRICT_SHARED_CLUSTER(WORD, "sync_restrict::shared::cluster"), TO(WORD), PACK(WORD), MASK(WORD),
    // caches
    FRACTIONAL(WORD), RANGE(WORD), CVT(WORD), TENSORMAP(WORD),
    // mbarrier and asynchronous copies
    INIT(WORD), INVAL(WORD), ARRIVE_DROP(WORD), TEST_WAIT(WORD), TRY_WAIT(WORD), PENDING_COUNT(WORD), EXPECT_TX(WORD),
    COMPLETE_TX(WORD), NO_COMPLETE(WORD, "noComplete"), PARITY(WORD), NOINC(WORD), MBARRIER(WORD), BULK(WORD),
    COMMIT_GROUP(WORD), WAIT_GROUP(WORD), WAIT_ALL(WORD), BULK_GROUP(WORD), COMPLETE_TX_BYTES(WORD, "mbarrier::complete_tx::bytes"),
    MULTICAST_CLUSTER(WORD, "multicast::cluster"), MULTICAST_ALL(WORD, "multicast::cluster::all"), CP_MASK(WORD),
    IGNORE_OOB(WORD), PREFETCH(WORD), REDUCE(WORD), READ(WORD), TENSOR(WORD), TILE(WORD), IM2COL(WORD),
    IM2COL_NO_OFFS(WORD), IM2COL_W(WORD, "im2col::w"), IM2COL_W_128(WORD, "im2col::w::128"), TILE_GATHER4(WORD, "tile::gather4"),
    TILE_SCATTER4(WORD, "tile::scatter4"), CTA_GROUP_1(WORD, "cta_group::1"), CTA_GROUP_2(WORD, "cta_group::2"),
    REPLACE(WORD), CP_FENCEPROXY(WORD), GLOBAL_ADDRESS(WORD), RANK(WORD), BOX_DIM(WORD), GLOBAL_DIM(WORD), GLOBAL_STRIDE(WORD),
    ELEMENT_STRIDE(WORD), ELEMTYPE(WORD), INTERLEAVE_LAYOUT(WORD), SWIZZLE_MODE(WORD), SWIZZLE_ATOMICITY(WORD), FILL_MODE(WORD),
    LD_REDUCE(WORD), ST(WORD), ACC_F32(WORD, "acc::f32"), ACC_F16(WORD, "acc::f16"),
    TRY_CANCEL(WORD), QUERY_CANCEL(WORD), IS_CANCELED(WORD), GET_FIRST_CTAID(WORD), GET_FIRST_CTAID_X(WORD, "get_first_ctaid::x"),
    GET_FIRST_CTAID_Y(WORD, "get_first_ctaid::y"), GET_FIRST_CTAID_Z(WORD, "get_first_ctaid::z"),
    LAUNCH_DEPENDENTS(WORD),
    // textures and surfaces
    D1(GEOMETRY, "1d"), D2(GEOMETRY, "2d"), D3(GEOMETRY, "3d"), D4(GEOMETRY, "4d"), D5(GEOMETRY, "5d"), A1D(GEOMETRY), A2D(GEOMETRY),
    CUBE(GEOMETRY), ACUBE(GEOMETRY), D2MS(GEOMETRY, "2dms"), A2DMS(GEOMETRY), BASE(WORD), LEVEL(WORD), GRAD(WORD),
    G(WORD), B(WORD), A(WORD), P(WORD), TRAP(WORD), ZERO(WORD),
    WIDTH(WORD), HEIGHT(WORD), DEPTH(WORD), CHANNEL_DATA_TYPE(WORD), CHANNEL_ORDER(WORD), NORMALIZED_COORDS(WORD),
    ARRAY_SIZE(WORD), NUM_MIPMAP_LEVELS(WORD), NUM_SAMPLES(WORD), FILTER_MODE(WORD), ADDR_MODE_0(WORD, "addr_mode_0"),
    ADDR_MODE_1(WORD, "addr_mode_1"), ADDR_MODE_2(WORD, "addr_mode_2"), FORCE_UNNORMALIZED_COORDS(WORD), MEMORY_LAYOUT(WORD),
    // matrices
    LOAD(WORD), STORE(WORD), MMA(WORD), C(WORD), D(WORD), SP(WORD), SP_ORDERED(WORD, "sp::ordered_metadata"), ROW(LAYOUT), COL(LAYOUT),
    TRANS(LAYOUT), M16N16K16(SHAPE), M8N32K16(SHAPE), M32N8K16(SHAPE), M16N16K8(SHAPE), M8N8K4(SHAPE), M8N8K16(SHAPE),
    M8N8K32(SHAPE), M8N8K128(SHAPE), M16N8K4(SHAPE), M16N8K8(SHAPE), M16N8K16(SHAPE), M16N8K32(SHAPE), M16N8K64(SHAPE),
    M16N8K128(SHAPE), M16N8K256(SHAPE), M8N8(SHAPE), M8N16(SHAPE), M16N16(SHAPE), M16N8(SHAPE), X1(SHAPE), X2(SHAPE), X4(SHAPE),
    X8(SHAPE), X16(SHAPE), X32(SHAPE), X64(SHAPE), X128(SHAPE), B8X16(FORMAT), B4X16_P64(FORMAT), B6X16_P32(FORMAT),
    KIND_F8F6F4(WORD, "kind::f8f6f4"), KIND_MXF8F6F4(WORD, "kind::mxf8f6f4"), KIND_MXF4(WORD, "kind::mxf4"),
    KIND_MXF4NVF4(WORD, "kind::mxf4nvf4"), KIND_F16(WORD, "kind::f16"), KIND_TF32(WORD, "kind::tf32"), KIND_I8(WORD, "kind::i8"),
    BLOCK_SCALE(WORD), SCALE_VEC_1X(WORD, "scale_vec::1X"), SCALE_VEC_2X(WORD, "scale_vec::2X"), SCALE_VEC_4X(WORD, "scale_vec::4X"),
    BLOCK16(WORD), BLOCK32(WORD), MMA_ASYNC(WORD), FENCE(WORD), WS(WORD), ASHIFT(WORD),
    M64_K8(SHAPE, "m64nNk8"), M64_K16(SHAPE, "m64nNk16"), M64_K32(SHAPE, "m64nNk32"), M64_K64(SHAPE, "m64nNk64"), M64_K256(SHAPE, "m64nNk256"),
    // tensor memory
    ALLOC(WORD), DEALLOC(WORD), RELINQUISH_ALLOC_PERMIT(WORD), LD(WORD), SHIFT(WORD), COMMIT(WORD), CP(WORD),
    WAIT_LD(WORD, "wait::ld"), WAIT_ST(WORD, "wait::st"), FENCE_BEFORE(WORD, "fence::before_thread_sync"),
    FENCE_AFTER(WORD, "fence::after_thread_sync"), ARRIVE_ONE(WORD, "mbarrier::arrive::one"), PACK_16B(WORD, "pack::16b"),
    UNPACK_16B(WORD, "unpack::16b"), T32X32B(SHAPE, "32x32b"), T16X64B(SHAPE, "16x64b"), T16X128B(SHAPE, "16x128b"),
    T16X256B(SHAPE, "16x256b"), T16X32BX2(SHAPE, "16x32bx2"), T128X256B(SHAPE, "128x256b"), T4X256B(SHAPE, "4x256b"),
    T128X128B(SHAPE, "128x128b"), T64X128B(SHAPE, "64x128b"), T32X128B(SHAPE, "32x128b"), WARPX2_02_13(WORD, "warpx2::02_13"),
    WARPX2_01_23(WORD, "warpx2::01_23"), WARPX4(WORD), COLLECTOR_A_FILL(WORD, "collector::a::fill"),
    COLLECTOR_A_USE(WORD, "collector::a::use"), COLLECTOR_A_LASTUSE(WORD, "collector::a::lastuse"),
    COLLECTOR_A_DISCARD(WORD, "collector::a::discard"),
    COLLECTOR_B0_FILL(WORD, "collector::b0::fill"), COLLECTOR_B0_USE(WORD, "collector::b0::use"),
    COLLECTOR_B0_LASTUSE(WORD, "collector::b0::lastuse"), COLLECTOR_B0_DISCARD(WORD, "collector::b0::discard"),
    COLLECTOR_B1_FILL(WORD, "collector::b1::fill"), COLLECTOR_B1_USE(WORD, "collector::b1::use"),
    COLLECTOR_B1_LASTUSE(WORD, "collector::b1::lastuse"), COLLECTOR_B1_DISCARD(WORD, "collector::b1::discard"),
    COLLECTOR_B2_FILL(WORD, "collector::b2::fill"), COLLECTOR_B2_USE(WORD, "collector::b2::use"),
    COLLECTOR_B2_LASTUSE(WORD, "collector::b2::lastuse"), COLLECTOR_B2_DISCARD(WORD, "collector::b2::discard"),
    COLLECTOR_B3_FILL(WORD, "collector::b3::fill"), COLLECTOR_B3_USE(WORD, "collector::b3::use"),
    COLLECTOR_B3_LASTUSE(WORD, "collector::b3::lastuse"), COLLECTOR_B3_DISCARD(WORD, "collector::b3::discard");

    /** What a word says about an instruction; at most one word of a category stands in most spellings. */
    public enum Category {
        SPACE, ROUNDING, NUMERIC, PART, CARRY, COMPARISON, BOOLEAN, MODE, ORDER, SCOPE, CACHE, EVICTION, PREFETCH_SIZE,
        VECTOR, OPERATION, SELECTOR, GEOMETRY, SHAPE, FORMAT, LAYOUT, PROXY, WORD
    }

    private static final Map<String, Modifier> BY_SPELLING = new HashMap<>();

    static {
        for (Modifier modifier : values()) {
            BY_SPELLING.put(modifier.spelling, modifier);
        }
        for (int n = 8; n <= 256; n += 8) {
            for (Modifier shape : List.of(M64_K8, M64_K16, M64_K32, M64_K64, M64_K256)) {
                BY_SPELLING.put(shape.spelling.replace("N", "" + n), shape);
            }
        }
    }

    private final Category category;
    private final String spelling;
    private final Requirement requirement;

    Modifier(Category category) {
        this.category = category;
        this.spelling = name().toLowerCase(Locale.ROOT);
        this.requirement = Requirement.NONE;
    }

    Modifier(Category category, String spelling) {
        this.category = category;
        this.spelling = spelling;
        this.requirement = Requirement.NONE;
    }

    Modifier(Category category, String spelling, String requirement) {
        this.category = category;
        this.spelling = spelling;
        this.requirement = Requirement.parse(requirement);
    }

    /** The modifier spelled {@code word} without its dot, or null. */
    public static Modifier spelled(String word) {
        return BY_SPELLING.get(word);
    }

    public Category category() {
        return category;
    }

    /** Spelling without the dot. */
    public String spelling() {
        return spelling;
    }

    /** What every form that is spelled with this word needs. */
    public Requirement requirement() {
        return requirement;
    }

    /** The state space that this word names; {@code GENERIC} for a word that names none. */
    public StateSpace space() {
        return switch (this) {
            case GLOBAL -> StateSpace.GLOBAL;
            case LOCAL -> StateSpace.LOCAL;
            case CONST -> StateSpace.CONST;
            case PARAM, PARAM_ENTRY, PARAM_FUNC -> StateSpace.PARAM;
            case SHARED, SHARED_CTA, SHARED_CLUSTER -> StateSpace.SHARED;
            case TEX -> StateSpace.TEX;
            default -> StateSpace.GENERIC;
        };
    }

    @Override
    public String toString() {
        return "." + spelling;
    }
}
