package io.ptx4j.check;

import io.ptx4j.isa.PtxVersion;
import io.ptx4j.isa.Requirement;
import java.util.Set;

/**
 * What may stand between the head of a function and its body, with how many numbers (manual: "Performance-Tuning Directives",
 * "Cluster Dimension Directives", "Kernel Entry Point and Function Directives").
 */
enum FunctionDirective {
    MAXNTID(".maxntid", 1, 3, "ptx 1.3", Holder.KERNEL),
    REQNTID(".reqntid", 1, 3, "ptx 2.1", Holder.KERNEL),
    MINNCTAPERSM(".minnctapersm", 1, 1, "ptx 2.0", Holder.KERNEL),
    MAXNCTAPERSM(".maxnctapersm", 1, 1, "ptx 1.3", Holder.KERNEL),
    MAXNREG(".maxnreg", 1, 1, "ptx 1.3", Holder.KERNEL),
    REQNCTAPERCLUSTER(".reqnctapercluster", 1, 3, "ptx 7.8 sm_90", Holder.KERNEL),
    EXPLICITCLUSTER(".explicitcluster", 0, 0, "ptx 7.8 sm_90", Holder.KERNEL),
    MAXCLUSTERRANK(".maxclusterrank", 1, 1, "ptx 7.8 sm_90", Holder.KERNEL),
    BLOCKSARECLUSTERS(".blocksareclusters", 0, 0, "ptx 9.0 sm_90", Holder.KERNEL),
    PRAGMA(".pragma", 0, 0, "ptx 2.0", Holder.KERNEL),
    NORETURN(".noreturn", 0, 0, "ptx 6.4", Holder.FUNCTION),
    ABI_PRESERVE(".abi_preserve", 1, 1, "ptx 9.0", Holder.FUNCTION),
    ABI_PRESERVE_CONTROL(".abi_preserve_control", 1, 1, "ptx 9.0", Holder.FUNCTION);

    /** Kernels, or functions and the prototypes of calls. */
    enum Holder { KERNEL, FUNCTION }

    /** Those whose numbers must be above zero. */
    private static final Set<String> POSITIVE = Set.of(".maxntid", ".reqntid", ".minnctapersm", ".maxnctapersm", ".maxnreg");
    private static final PtxVersion LAST_WITH_MAXNCTAPERSM = new PtxVersion(2, 0);

    private final String word;
    private final int least;
    private final int most;
    private final Requirement since;
    private final Holder holder;

    FunctionDirective(String word, int least, int most, String since, Holder holder) {
        this.word = word;
        this.least = least;
        this.most = most;
        this.since = Requirement.parse(since);
        this.holder = holder;
    }

    /** The directive that the word names; null where there is none for the holder. */
    static FunctionDirective named(String word, Holder holder) {
        for (FunctionDirective directive : values()) {
            if (directive.word.equals(word) && directive.holder == holder) {
                return directive;
            }
        }
        return null;
    }

    String word() {
        return word;
    }

    Requirement since() {
        return since;
    }

    boolean goneIn(PtxVersion version) {
        return this == MAXNCTAPERSM && version.compareTo(LAST_WITH_MAXNCTAPERSM) > 0;
    }

    /** {@code .maxnctapersm sm_10:2, sm_13:4} of PTX 1.3. */
    boolean perTarget() {
        return this == MAXNCTAPERSM;
    }

    boolean takes(int numbers) {
        return numbers >= least && numbers <= most;
    }

    /** For messages: "nothing", "1 number", "1 to 3 numbers". */
    String counts() {
        return most == 0 ? "nothing" : least == most ? least + " number" : least + " to " + most + " numbers";
    }

    boolean positive() {
        return POSITIVE.contains(word);
    }
}
