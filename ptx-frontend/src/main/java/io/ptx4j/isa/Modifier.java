package io.ptx4j.isa;

import static io.ptx4j.isa.Modifier.Category.BOOLEAN;
import static io.ptx4j.isa.Modifier.Category.CACHE;
import static io.ptx4j.isa.Modifier.Category.CARRY;
import static io.ptx4j.isa.Modifier.Category.COMPARISON;
import static io.ptx4j.isa.Modifier.Category.EVICTION;
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
import static io.ptx4j.isa.Modifier.Category.SPACE;
import static io.ptx4j.isa.Modifier.Category.VECTOR;
import static io.ptx4j.isa.Modifier.Category.WORD;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Every word that may follow an opcode after a dot and is not a type. A row that uses a word not listed here fails when the
 * table is loaded. Constants that clash with a Java keyword or another word's meaning carry their spelling explicitly.
 */
public enum Modifier {
    // state spaces
    GLOBAL(SPACE), LOCAL(SPACE), CONST(SPACE), PARAM(SPACE), SHARED(SPACE), TEX(SPACE), SURF(SPACE),
    SHARED_CTA(SPACE, "shared::cta"), SHARED_CLUSTER(SPACE, "shared::cluster"),
    PARAM_ENTRY(SPACE, "param::entry"), PARAM_FUNC(SPACE, "param::func"),
    // rounding
    RN(ROUNDING), RZ(ROUNDING), RM(ROUNDING), RP(ROUNDING), RNI(ROUNDING), RZI(ROUNDING), RMI(ROUNDING), RPI(ROUNDING),
    RNA(ROUNDING), RS(ROUNDING),
    // numeric behaviour
    APPROX(NUMERIC), FULL(NUMERIC), FTZ(NUMERIC), SAT(NUMERIC), SATFINITE(NUMERIC), RELU(NUMERIC), NAN(NUMERIC, "NaN"),
    XORSIGN(NUMERIC), ABS(NUMERIC), OOB(NUMERIC), NOFTZ(NUMERIC), SCALED(NUMERIC, "scaled"),
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
    WEAK(ORDER), VOLATILE(ORDER), RELAXED(ORDER), ACQUIRE(ORDER), RELEASE(ORDER), ACQ_REL(ORDER), MMIO(ORDER), SC(ORDER),
    CTA(SCOPE), CLUSTER(SCOPE), GPU(SCOPE), SYS(SCOPE), GL(SCOPE),
    CA(CACHE), CG(CACHE), CS(CACHE), LU(CACHE), CV(CACHE), WB(CACHE), WT(CACHE), NC(CACHE),
    L1_EVICT_NORMAL(EVICTION, "L1::evict_normal"), L1_EVICT_UNCHANGED(EVICTION, "L1::evict_unchanged"),
    L1_EVICT_FIRST(EVICTION, "L1::evict_first"), L1_EVICT_LAST(EVICTION, "L1::evict_last"),
    L1_NO_ALLOCATE(EVICTION, "L1::no_allocate"), L2_EVICT_NORMAL(EVICTION, "L2::evict_normal"),
    L2_EVICT_FIRST(EVICTION, "L2::evict_first"), L2_EVICT_LAST(EVICTION, "L2::evict_last"),
    L2_EVICT_UNCHANGED(EVICTION, "L2::evict_unchanged"), L2_CACHE_HINT(EVICTION, "L2::cache_hint"),
    L2_64B(PREFETCH_SIZE, "L2::64B"), L2_128B(PREFETCH_SIZE, "L2::128B"), L2_256B(PREFETCH_SIZE, "L2::256B"),
    UNIFIED(MODE), L1(MODE, "L1"), L2(MODE, "L2"),
    V2(VECTOR), V4(VECTOR), V8(VECTOR),
    // atomic operations (and, or, xor and the words of other categories are shared)
    ADD(OPERATION), SUB(OPERATION), INC(OPERATION), DEC(OPERATION), MIN(OPERATION), MAX(OPERATION), EXCH(OPERATION), CAS(OPERATION),
    // byte and half selectors of the video instructions are operand suffixes; their words on the opcode
    PO(SELECTOR), SHR7(SELECTOR), SHR15(SELECTOR),
    // barriers and fences
    ARRIVE(WORD), RED(WORD), POPC(WORD), WARP(WORD), ALIGNED(WORD), WAIT(WORD), PROXY_WORD(WORD, "proxy"),
    ALIAS(PROXY), ASYNC(PROXY), TO(WORD), PACK(WORD), MASK(WORD);

    /** What a word says about an instruction; at most one word of a category stands in most spellings. */
    public enum Category {
        SPACE, ROUNDING, NUMERIC, PART, CARRY, COMPARISON, BOOLEAN, MODE, ORDER, SCOPE, CACHE, EVICTION, PREFETCH_SIZE,
        VECTOR, OPERATION, SELECTOR, GEOMETRY, SHAPE, LAYOUT, PROXY, WORD
    }

    private static final Map<String, Modifier> BY_SPELLING = new HashMap<>();

    static {
        for (Modifier modifier : values()) {
            BY_SPELLING.put(modifier.spelling, modifier);
        }
    }

    private final Category category;
    private final String spelling;

    Modifier(Category category) {
        this.category = category;
        this.spelling = name().toLowerCase(Locale.ROOT);
    }

    Modifier(Category category, String spelling) {
        this.category = category;
        this.spelling = spelling;
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
