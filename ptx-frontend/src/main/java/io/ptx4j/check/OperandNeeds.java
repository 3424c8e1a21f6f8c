package io.ptx4j.check;

import io.ptx4j.ir.Operand;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.OperandSpec;
import io.ptx4j.isa.Requirement;
import io.ptx4j.isa.Spelling;
import io.ptx4j.syntax.Span;
import java.util.List;

/** Versions and targets that operands need beyond what their spelling does (manual: "tex", "mbarrier.arrive"). */
final class OperandNeeds {
    private static final Requirement HANDLE = Requirement.parse("ptx 3.1 sm_20");
    private static final Requirement HANDLE_WITH_SAMPLER = Requirement.parse("ptx 4.3 sm_30");
    private static final Requirement OFFSET = Requirement.parse("ptx 4.3 sm_30");
    private static final Requirement RESIDENCY = Requirement.parse("ptx 7.1 sm_60");
    private static final Requirement COUNT = Requirement.parse("ptx 7.8 sm_90");

    private final Spelling spelling;
    private final Dialect dialect;
    private final Span place;
    private final List<Mismatch> mismatches;

    OperandNeeds(Spelling spelling, Dialect dialect, Span place, List<Mismatch> mismatches) {
        this.spelling = spelling;
        this.dialect = dialect;
        this.place = place;
        this.mismatches = mismatches;
    }

    void check(List<Operand> operands) {
        for (int i = 0; i < operands.size(); i++) {
            if (!(operands.get(i) instanceof Operand.Absent)) {
                check(operands.get(i), spelling.form().operands().get(i));
            }
        }
    }

    private void check(Operand operand, OperandSpec spec) {
        switch (spelling.family()) {
            case TEXTURE, SURFACE -> ofTexture(operand, spec);
            case MBARRIER -> need(spec.optional() && !spec.paired() && arrives(), "an arrival with a count", COUNT);
            default -> { }
        }
    }

    private boolean arrives() {
        return (spelling.has(Modifier.ARRIVE) || spelling.has(Modifier.ARRIVE_DROP)) && !spelling.has(Modifier.NO_COMPLETE);
    }

    private void ofTexture(Operand operand, OperandSpec spec) {
        if (operand instanceof Operand.Texture texture) {
            boolean handle = texture.object() instanceof Operand.Reg || texture.sampler() instanceof Operand.Reg;
            boolean sampled = !(texture.sampler() instanceof Operand.Absent);
            need(handle, "a texture, sampler or surface in a register", sampled ? HANDLE_WITH_SAMPLER : HANDLE);
        } else {
            need(spec.name().equals("e") || spec.name().equals("f"), "an offset or depth operand", OFFSET);
            need(spec.paired(), "a predicate beside the result", RESIDENCY);
        }
    }

    private void need(boolean present, String what, Requirement since) {
        Mismatch unmet = present ? Features.unmet(dialect, place, what, since) : null;
        if (unmet != null) {
            mismatches.add(unmet);
        }
    }
}
