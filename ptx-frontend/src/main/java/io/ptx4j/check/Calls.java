package io.ptx4j.check;

import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Prototype;
import io.ptx4j.ir.Prototype.Parameter;
import io.ptx4j.ir.Register;
import io.ptx4j.ir.Variable;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.StateSpace;
import io.ptx4j.syntax.DiagnosticCode;
import io.ptx4j.syntax.Diagnostics;
import io.ptx4j.syntax.OperandSyntax;
import io.ptx4j.syntax.OperandSyntax.Arguments;
import io.ptx4j.syntax.Span;
import io.ptx4j.syntax.Statement.Instruction;
import java.util.ArrayList;
import java.util.List;

/** Checks {@code call (results), function, (arguments), prototype;} (manual: "call"). */
final class Calls {
    private final Names names;
    private final Diagnostics diagnostics;

    Calls(Names names, Diagnostics diagnostics) {
        this.names = names;
        this.diagnostics = diagnostics;
    }

    /** The call; null, and reported, when it does not fit. */
    Operand.Call call(Instruction instruction) {
        List<OperandSyntax> parts = instruction.operands();
        int at = !parts.isEmpty() && parts.getFirst() instanceof Arguments ? 1 : 0;
        List<OperandSyntax> results = at == 1 ? ((Arguments) parts.getFirst()).list() : List.of();
        if (at >= parts.size() || !(parts.get(at) instanceof OperandSyntax.Name callee) || !callee.selector().isEmpty()) {
            return problem(instruction.spellingSpan(), "a call names a function",
                    "call (results), function, (arguments), prototype;");
        }
        at++;
        List<OperandSyntax> arguments = at < parts.size() && parts.get(at) instanceof Arguments list ? list.list() : List.of();
        at += at < parts.size() && parts.get(at) instanceof Arguments ? 1 : 0;
        OperandSyntax.Name shape = at < parts.size() && parts.get(at) instanceof OperandSyntax.Name name ? name : null;
        at += shape == null ? 0 : 1;
        if (at < parts.size()) {
            return problem(parts.get(at).span(), "a call has no such part", "call (results), function, (arguments), prototype;");
        }
        return switch (names.symbol(callee)) {
            case Symbol.OfFunction function when !function.kernel() && shape != null -> problem(shape.span(),
                    "only a call through a register names a prototype or its targets", "");
            case Symbol.OfFunction function when !function.kernel() -> fitted(callee, function.name(), null, function.prototype(),
                    List.of(), results, arguments);
            case Symbol.OfRegister(Register register) -> indirect(callee, register, shape, results, arguments);
            case null -> problem(callee.span(), "nothing declares function '" + callee.name() + "' before here",
                    "declare it: .func " + callee.name() + "(...);");
            case Symbol other -> problem(callee.span(), "'" + callee.name() + "' is a " + other.kind() + ", no function", "");
        };
    }

    private Operand.Call indirect(OperandSyntax.Name callee, Register register, OperandSyntax.Name shape,
            List<OperandSyntax> results, List<OperandSyntax> arguments) {
        if (shape == null) {
            return problem(callee.span(), "a call through a register names a prototype or its targets", "");
        }
        return switch (names.symbol(shape)) {
            case Symbol.OfPrototype(Prototype prototype) -> fitted(callee, null, register, prototype, List.of(), results, arguments);
            case Symbol.OfCallTargets(List<Symbol.OfFunction> functions)
                    when functions.stream().anyMatch(one -> !one.prototype().sameShape(functions.getFirst().prototype())) ->
                    problem(shape.span(), "the targets of '" + shape.name() + "' have different parameters or results", "");
            case Symbol.OfCallTargets(List<Symbol.OfFunction> functions) -> fitted(callee, null, register, functions.getFirst().prototype(),
                    functions.stream().map(Symbol.OfFunction::name).toList(), results, arguments);
            case null, default -> problem(shape.span(), "'" + shape.name() + "' is no .callprototype and no .calltargets", "");
        };
    }

    private Operand.Call fitted(OperandSyntax.Name callee, String function, Register target, Prototype prototype,
            List<String> candidates, List<OperandSyntax> results, List<OperandSyntax> arguments) {
        List<Operand> out = actuals(callee, "result", results, prototype.results(), true);
        List<Operand> in = actuals(callee, "argument", arguments, prototype.parameters(), false);
        return out == null || in == null ? null : new Operand.Call(function, target, prototype, candidates, out, in);
    }

    private List<Operand> actuals(
            OperandSyntax.Name callee, String what, List<OperandSyntax> written, List<Parameter> formals, boolean results) {
        List<OperandSyntax> actuals = written.stream().flatMap(one -> lanes(one).stream()).toList();
        if (actuals.size() != formals.size()) {
            problem(callee.span(), "'" + callee.name() + "' has " + formals.size() + " " + what + (formals.size() == 1 ? "" : "s") + "; found " + actuals.size(),
                    "a call is written: call (results), " + callee.name() + ", (arguments);");
            return null;
        }
        List<Operand> fitted = new ArrayList<>(actuals.size());
        boolean good = true;
        for (int i = 0; i < actuals.size(); i++) {
            Operand operand = actual(actuals.get(i), formals.get(i), results);
            good &= operand != null;
            fitted.add(operand);
        }
        return good ? List.copyOf(fitted) : null;
    }

    /** A vector register stands for its components, as a vector among the formal parameters does. */
    private List<OperandSyntax> lanes(OperandSyntax actual) {
        return actual instanceof OperandSyntax.Name name && name.selector().isEmpty()
                && names.symbol(name) instanceof Symbol.OfVector vector
                ? Names.components(name, vector.components().size()) : List.of(actual);
    }

    /** Types are compared by size only, as ptxas has it. */
    private Operand actual(OperandSyntax actual, Parameter formal, boolean result) {
        return switch (actual) {
            case OperandSyntax.Name name when names.register(name) != null -> {
                Register register = names.register(name);
                yield register.type().bytes() == formal.bytes() && register.type() != ScalarType.PRED
                        || register.type() == formal.type() ? new Operand.Reg(register, formal.type(), false)
                                : wrong(actual, formal, register.type().bytes());
            }
            case OperandSyntax.Name name when names.variable(name) != null -> parameterArea(name, formal);
            case OperandSyntax.Name name when names.symbol(name) == null -> {
                Mismatch unknown = names.unknown(name);
                diagnostics.report(unknown.code(), unknown.span(), unknown.message(), unknown.hint());
                yield null;
            }
            case OperandSyntax.Immediate immediate when !result -> {
                Operand.Immediate value = formal.bytes() == formal.type().bytes() ? Immediates.of(immediate.value(), formal.type()) : null;
                yield value != null ? value : problem(actual, "a " + formal.type() + " parameter takes no such constant");
            }
            case OperandSyntax.Discard _ when result -> new Operand.Sink();
            default -> problem(actual, "a " + (result ? "result" : "argument") + " is a register or a .param variable");
        };
    }

    private Operand parameterArea(OperandSyntax.Name name, Parameter formal) {
        Variable variable = names.variable(name);
        if (variable.space() != StateSpace.PARAM) {
            return problem(name, "an argument lies in .param; '" + variable.name() + "' lies in " + variable.space());
        }
        if (!names.callArea(name)) {
            return problem(name, "'" + variable.name() + "' is a parameter itself; load it and store it to a .param variable of the body");
        }
        return variable.bytes() == formal.bytes() || formal.bytes() == 0 ? new Operand.AddressOf(variable, 0, formal.type())
                : wrong(name, formal, variable.bytes());
    }

    private Operand wrong(OperandSyntax actual, Parameter formal, long bytes) {
        return problem(actual, "the function has " + formal.bytes() + " bytes here; found " + bytes);
    }

    private Operand problem(OperandSyntax operand, String message) {
        diagnostics.report(DiagnosticCode.BAD_CALL, operand.span(), message);
        return null;
    }

    private Operand.Call problem(Span span, String message, String hint) {
        diagnostics.report(DiagnosticCode.BAD_CALL, span, message, hint);
        return null;
    }
}
