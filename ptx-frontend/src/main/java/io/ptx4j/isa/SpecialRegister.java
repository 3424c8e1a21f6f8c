package io.ptx4j.isa;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** A predefined read-only variable (manual: "Special Registers"). */
public enum SpecialRegister {
    TID_X("%tid.x"), TID_Y("%tid.y"), TID_Z("%tid.z"), TID_W("%tid.w"),
    NTID_X("%ntid.x"), NTID_Y("%ntid.y"), NTID_Z("%ntid.z"), NTID_W("%ntid.w"),
    CTAID_X("%ctaid.x"), CTAID_Y("%ctaid.y"), CTAID_Z("%ctaid.z"), CTAID_W("%ctaid.w"),
    NCTAID_X("%nctaid.x"), NCTAID_Y("%nctaid.y"), NCTAID_Z("%nctaid.z"), NCTAID_W("%nctaid.w"),
    LANEID, WARPID, NWARPID, SMID, NSMID, GRIDID(64),
    LANEMASK_EQ, LANEMASK_LE, LANEMASK_LT, LANEMASK_GE, LANEMASK_GT,
    CLOCK, CLOCK_HI, CLOCK64(64), GLOBALTIMER(64), GLOBALTIMER_LO, GLOBALTIMER_HI,
    IS_EXPLICIT_CLUSTER(1),
    CLUSTERID_X("%clusterid.x"), CLUSTERID_Y("%clusterid.y"), CLUSTERID_Z("%clusterid.z"), CLUSTERID_W("%clusterid.w"),
    NCLUSTERID_X("%nclusterid.x"), NCLUSTERID_Y("%nclusterid.y"), NCLUSTERID_Z("%nclusterid.z"), NCLUSTERID_W("%nclusterid.w"),
    CLUSTER_CTAID_X("%cluster_ctaid.x"), CLUSTER_CTAID_Y("%cluster_ctaid.y"), CLUSTER_CTAID_Z("%cluster_ctaid.z"),
    CLUSTER_CTAID_W("%cluster_ctaid.w"),
    CLUSTER_NCTAID_X("%cluster_nctaid.x"), CLUSTER_NCTAID_Y("%cluster_nctaid.y"), CLUSTER_NCTAID_Z("%cluster_nctaid.z"),
    CLUSTER_NCTAID_W("%cluster_nctaid.w"),
    CLUSTER_CTARANK, CLUSTER_NCTARANK,
    TOTAL_SMEM_SIZE, AGGR_SMEM_SIZE, DYNAMIC_SMEM_SIZE, RESERVED_SMEM_OFFSET_BEGIN, RESERVED_SMEM_OFFSET_END,
    RESERVED_SMEM_OFFSET_CAP, RESERVED_SMEM_OFFSET_0("%reserved_smem_offset_0"), RESERVED_SMEM_OFFSET_1("%reserved_smem_offset_1"),
    CURRENT_GRAPH_EXEC(64),
    ENVREG("%envreg"), PM("%pm"), PM_64("%pm_64");

    private static final Requirement OBSERVED = Requirement.parse("ptx 1.3");
    private static final Requirement FERMI = Requirement.parse("ptx 2.0 sm_20");
    private static final Requirement MORE_COUNTERS = Requirement.parse("ptx 3.0 sm_20");
    private static final Requirement WIDE_COUNTERS = Requirement.parse("ptx 4.0 sm_50");
    private static final Requirement TIMER = Requirement.parse("ptx 3.1 sm_30");
    private static final Requirement SHARED_SIZE = Requirement.parse("ptx 4.1 sm_20");
    private static final Requirement CLOCK_HIGH = Requirement.parse("ptx 5.0 sm_20");
    private static final Requirement RESERVED = Requirement.parse("ptx 7.6 sm_80");
    private static final Requirement CLUSTERS = Requirement.parse("ptx 7.8 sm_90");
    private static final Requirement GRAPHS = Requirement.parse("ptx 8.0 sm_50");
    private static final Requirement AGGREGATE_SIZE = Requirement.parse("ptx 8.1 sm_90");
    /** {@code %pm0} to {@code %pm3} are older than the others. */
    private static final int FIRST_COUNTERS = 4;
    private static final Map<String, SpecialRegister> BY_NAME = new HashMap<>();

    static {
        for (SpecialRegister register : values()) {
            BY_NAME.put(register.spelling, register);
        }
    }

    private final String spelling;
    private final int bits;

    SpecialRegister() {
        this(32);
    }

    SpecialRegister(int bits) {
        this.spelling = "%" + name().toLowerCase(Locale.ROOT);
        this.bits = bits;
    }

    SpecialRegister(String spelling) {
        this.spelling = spelling;
        this.bits = spelling.equals("%pm_64") ? 64 : 32;
    }

    /**
     * The special register spelled {@code name}, components included ({@code "%tid.x"}); null for anything else. The numbered
     * ones ({@code %envreg3}, {@code %pm0}, {@code %pm0_64}) stand here as {@code %envreg}, {@code %pm} and {@code %pm_64}; the IR
     * operand carries the number.
     */
    public static SpecialRegister named(String name) {
        return BY_NAME.get(name);
    }

    /** Width of the value: 1 for a predicate, 32 or 64. */
    public int bits() {
        return bits;
    }

    /** Whether {@code mov} reads the register as {@code type}: thread and block numbers were 16 bits wide once, and still may be. */
    public boolean reads(ScalarType type) {
        return switch (this) {
            case IS_EXPLICIT_CLUSTER -> type == ScalarType.PRED;
            case GRIDID -> type.isInteger() && !type.packed() && (type.bits() == 32 || type.bits() == 64);
            case TID_X, TID_Y, TID_Z, TID_W, NTID_X, NTID_Y, NTID_Z, NTID_W, CTAID_X, CTAID_Y, CTAID_Z, CTAID_W, NCTAID_X, NCTAID_Y,
                    NCTAID_Z, NCTAID_W -> type.isInteger() && !type.packed() && (type.bits() == 32 || type.bits() == 16);
            default -> type.isInteger() && !type.packed() && type.bits() == bits;
        };
    }

    /**
     * The first version and target that have it, as ptxas has it, which is less strict than some sections of the manual.
     *
     * @param number that of a numbered register, else 0
     */
    public Requirement since(int number) {
        return switch (this) {
            case TID_X, TID_Y, TID_Z, TID_W, NTID_X, NTID_Y, NTID_Z, NTID_W, CTAID_X, CTAID_Y, CTAID_Z, CTAID_W, NCTAID_X, NCTAID_Y,
                    NCTAID_Z, NCTAID_W, GRIDID, CLOCK, ENVREG -> Requirement.NONE;
            case LANEID, WARPID, SMID -> OBSERVED;
            case PM -> number < FIRST_COUNTERS ? OBSERVED : MORE_COUNTERS;
            case PM_64 -> WIDE_COUNTERS;
            case NWARPID, NSMID, LANEMASK_EQ, LANEMASK_LE, LANEMASK_LT, LANEMASK_GE, LANEMASK_GT, CLOCK64 -> FERMI;
            case CLOCK_HI -> CLOCK_HIGH;
            case GLOBALTIMER, GLOBALTIMER_LO, GLOBALTIMER_HI -> TIMER;
            case TOTAL_SMEM_SIZE, DYNAMIC_SMEM_SIZE -> SHARED_SIZE;
            case AGGR_SMEM_SIZE -> AGGREGATE_SIZE;
            case RESERVED_SMEM_OFFSET_BEGIN, RESERVED_SMEM_OFFSET_END, RESERVED_SMEM_OFFSET_CAP, RESERVED_SMEM_OFFSET_0,
                    RESERVED_SMEM_OFFSET_1 -> RESERVED;
            case CURRENT_GRAPH_EXEC -> GRAPHS;
            case IS_EXPLICIT_CLUSTER, CLUSTERID_X, CLUSTERID_Y, CLUSTERID_Z, CLUSTERID_W, NCLUSTERID_X, NCLUSTERID_Y, NCLUSTERID_Z,
                    NCLUSTERID_W, CLUSTER_CTAID_X, CLUSTER_CTAID_Y, CLUSTER_CTAID_Z, CLUSTER_CTAID_W, CLUSTER_NCTAID_X,
                    CLUSTER_NCTAID_Y, CLUSTER_NCTAID_Z, CLUSTER_NCTAID_W, CLUSTER_CTARANK, CLUSTER_NCTARANK -> CLUSTERS;
        };
    }

    /** Name as written in PTX, with its percent sign. */
    public String spelling() {
        return spelling;
    }

    @Override
    public String toString() {
        return spelling;
    }
}
