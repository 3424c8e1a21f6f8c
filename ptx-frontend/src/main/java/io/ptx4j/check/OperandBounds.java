package io.ptx4j.check;

import io.ptx4j.ir.Operand;
import io.ptx4j.isa.OperandSpec;
import io.ptx4j.isa.Spelling;
import io.ptx4j.syntax.DiagnosticCode;
import io.ptx4j.syntax.OperandSyntax;
import java.util.List;

/** Holds constants to the constants that other operands are (manual: "cp.async", "createpolicy"). */
final class OperandBounds {
    private OperandBounds() {
    }

    /** Where both are constants, an operand is no more than the one that its row names as its bound; both count without sign. */
    static void check(Spelling spelling, List<Operand> operands, List<OperandSyntax> written, List<Mismatch> mismatches) {
        List<OperandSpec> specs = spelling.form().operands();
        for (int i = 0; i < specs.size(); i++) {
            String bound = specs.get(i).range() == null ? null : specs.get(i).range().bound();
            if (bound != null && operands.get(i) instanceof Operand.Immediate value
                    && named(bound, specs, operands) instanceof Operand.Immediate most && Long.compareUnsigned(value.bits(), most.bits()) > 0) {
                mismatches.add(new Mismatch(DiagnosticCode.OPERAND_RANGE, written.get(i).span(), "operand " + specs.get(i).name() + " of '"
                        + spelling + "' is at most operand " + bound + ", " + most.bits() + "; found " + value.bits(), ""));
            }
        }
    }

    private static Operand named(String name, List<OperandSpec> specs, List<Operand> operands) {
        for (int i = 0; i < specs.size(); i++) {
            if (specs.get(i).name().equals(name)) {
                return operands.get(i);
            }
        }
        throw new IllegalStateException("no operand is named '" + name + "'");
    }
}
