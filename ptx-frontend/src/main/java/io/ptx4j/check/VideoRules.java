package io.ptx4j.check;

import io.ptx4j.ir.Operand;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.Spelling;
import io.ptx4j.syntax.DiagnosticCode;
import io.ptx4j.syntax.Span;
import java.util.List;

/** What operands of one video instruction may not do together (manual: "vmad"). */
final class VideoRules {
    private VideoRules() {
    }

    /** Of {@code vmad} either the product or the addend is negated, and neither with {@code .po}. */
    static void check(Spelling spelling, List<Operand> operands, Span place, List<Mismatch> mismatches) {
        if (spelling.opcode() != Opcode.VMAD) {
            return;
        }
        boolean product = minus(operands.get(1)) != minus(operands.get(2));
        boolean addend = minus(operands.get(3));
        if (product && addend || (product || addend) && spelling.has(Modifier.PO)) {
            mismatches.add(new Mismatch(DiagnosticCode.BAD_OPERAND, place,
                    "'" + spelling + "' negates either its product or its addend, and none with .po", ""));
        }
    }

    private static boolean minus(Operand operand) {
        return operand instanceof Operand.Part part && part.minus();
    }
}
