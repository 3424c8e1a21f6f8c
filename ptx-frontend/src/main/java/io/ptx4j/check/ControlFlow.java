package io.ptx4j.check;

import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Instruction.Guard;
import io.ptx4j.ir.Location;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.Spelling;
import io.ptx4j.syntax.DiagnosticCode;
import io.ptx4j.syntax.Diagnostics;
import io.ptx4j.syntax.OperandSyntax;
import io.ptx4j.syntax.Span;
import io.ptx4j.syntax.Statement;
import java.util.ArrayList;
import java.util.List;

/** The instructions of the manual's "Control Flow Instructions": what ends a basic block, and calls. */
final class ControlFlow {
    private final Names names;
    private final Flow flow;
    private final Diagnostics diagnostics;

    ControlFlow(Names names, Flow flow, Diagnostics diagnostics) {
        this.names = names;
        this.flow = flow;
        this.diagnostics = diagnostics;
    }

    void add(Statement.Instruction instruction, Spelling spelling, Guard guard, Location location) {
        switch (spelling.opcode()) {
            case BRA -> branch(instruction, spelling, guard, location);
            case BRX -> select(instruction, guard, location);
            case RET -> leave(instruction, false, guard, location);
            case EXIT -> leave(instruction, true, guard, location);
            case CALL -> {
                Operand.Call call = new Calls(names, diagnostics).call(instruction);
                if (call != null) {
                    flow.add(new Instruction(spelling, guard, List.of(call), location));
                }
            }
            default -> throw new IllegalStateException("'" + spelling + "' is no control flow");
        }
    }

    private void branch(Statement.Instruction instruction, Spelling spelling, Guard guard, Location location) {
        if (instruction.operands().size() != 1 || !(instruction.operands().getFirst() instanceof OperandSyntax.Name name)) {
            count(instruction, "a label");
            return;
        }
        Flow.Label label = label(name.name(), name.span());
        if (label != null && guard == null) {
            flow.jump(label, location);
        } else if (label != null) {
            flow.branch(guard, label, spelling.has(Modifier.UNI), location);
        }
    }

    private Flow.Label label(String name, Span span) {
        Flow.Label label = names.scope().findLabel(name);
        if (label == null) {
            String near = Nearest.to(name, names.scope().visibleLabels());
            diagnostics.report(DiagnosticCode.UNKNOWN_LABEL, span, "no label '" + name + "' can be seen from here",
                    name.startsWith("%") ? "a branch to an address in a register is brx.idx with a list of targets"
                    : near == null ? "labels inside a scope cannot be seen outside of it" : "did you mean '" + near + "'?");
        }
        return label;
    }

    private void select(Statement.Instruction instruction, Guard guard, Location location) {
        if (instruction.operands().size() != 2 || !(instruction.operands().get(1) instanceof OperandSyntax.Name list)) {
            count(instruction, "an index and a list of branch targets");
            return;
        }
        OperandSyntax index = instruction.operands().getFirst();
        Register register = index instanceof OperandSyntax.Name name ? names.register(name) : null;
        if (register == null || !register.type().isInteger() || register.type().bits() != 32 || register.type() == ScalarType.F16X2) {
            diagnostics.report(DiagnosticCode.OPERAND_TYPE, index.span(), "the index is a .u32 register");
            return;
        }
        if (!(names.symbol(list) instanceof Symbol.OfBranchTargets targets)) {
            diagnostics.report(DiagnosticCode.UNKNOWN_NAME, list.span(),
                    "'" + list.name() + "' is no list of branch targets declared before here",
                    list.name() + ": .branchtargets L0, L1;");
            return;
        }
        List<Flow.Label> labels = new ArrayList<>();
        for (String target : targets.labels()) {
            Flow.Label label = label(target, list.span());
            if (label != null) {
                labels.add(label);
            }
        }
        ending(guard, location, () -> flow.select(register, List.copyOf(labels), location));
    }

    private void leave(Statement.Instruction instruction, boolean exit, Guard guard, Location location) {
        if (!instruction.operands().isEmpty()) {
            count(instruction, "no operands");
        }
        ending(guard, location, () -> flow.leave(exit, location));
    }

    private void ending(Guard guard, Location location, Runnable end) {
        if (guard == null) {
            end.run();
        } else {
            flow.guarded(guard, location, end);
        }
    }

    private void count(Statement.Instruction instruction, String wanted) {
        diagnostics.report(DiagnosticCode.OPERAND_COUNT, instruction.spellingSpan(),
                "'" + instruction.spelling() + "' takes " + wanted + "; found " + instruction.operands().size()
                        + (instruction.operands().size() == 1 ? " operand" : " operands"));
    }
}
