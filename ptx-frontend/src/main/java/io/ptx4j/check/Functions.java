package io.ptx4j.check;

import io.ptx4j.ir.Function.Formal;
import io.ptx4j.ir.Linkage;
import io.ptx4j.ir.Prototype;
import io.ptx4j.ir.Variable;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.StateSpace;
import io.ptx4j.syntax.DiagnosticCode;
import io.ptx4j.syntax.Diagnostics;
import io.ptx4j.syntax.Span;
import io.ptx4j.syntax.Statement;
import io.ptx4j.syntax.Statement.Parameter;
import io.ptx4j.syntax.Statement.Trait;
import io.ptx4j.syntax.Statement.Word;
import java.util.ArrayList;
import java.util.List;

/** Heads of kernels and functions: parameters, prototypes, linkage. */
final class Functions {
    private final Diagnostics diagnostics;
    private final Variables variables;

    Functions(Diagnostics diagnostics, Variables variables) {
        this.diagnostics = diagnostics;
        this.variables = variables;
    }

    Prototype prototype(List<Parameter> results, List<Parameter> parameters, List<Trait> traits) {
        return new Prototype(shapes(results), shapes(parameters),
                traits.stream().anyMatch(trait -> trait.word().text().equals(".noreturn")));
    }

    private List<Prototype.Parameter> shapes(List<Parameter> parameters) {
        List<Prototype.Parameter> shapes = new ArrayList<>();
        for (Parameter parameter : parameters) {
            Declared declared = Declared.read(parameter.specifiers(), parameter.span(), diagnostics);
            if (declared != null) {
                long bytes = declared.elementBytes();
                for (long dimension : parameter.dimensions()) {
                    bytes *= Math.clamp(dimension, 0, Integer.MAX_VALUE);
                }
                shapes.add(new Prototype.Parameter(
                        declared.type(), bytes, declared.alignmentOrNatural(), declared.space() == StateSpace.REG));
            }
        }
        return List.copyOf(shapes);
    }

    /** The formal parameters of a {@code .func}, declared in its body. */
    List<Formal> formals(List<Parameter> parameters, BodyChecker body, boolean input) {
        List<Formal> formals = new ArrayList<>();
        for (Parameter parameter : parameters) {
            Declared declared = Declared.read(parameter.specifiers(), parameter.span(), new Diagnostics(diagnostics.source()));
            if (declared == null || declared.space() == null) {
                continue;
            }
            String name = parameter.name().text();
            if (declared.space() == StateSpace.REG) {
                var register = body.register(name, declared.type());
                body.declare(name, new Symbol.OfRegister(register), parameter.name().span());
                formals.add(new Formal(null, register));
            } else {
                Variable variable = variables.parameter(declared, parameter);
                body.keep(variable);
                body.declare(name, new Symbol.OfVariable(variable, input, false), parameter.name().span());
                formals.add(new Formal(variable, null));
            }
        }
        return List.copyOf(formals);
    }

    /** The parameters of an {@code .entry}. */
    List<Variable> kernelParameters(List<Parameter> parameters, BodyChecker body) {
        List<Variable> list = new ArrayList<>();
        for (Parameter parameter : parameters) {
            Declared declared = Declared.read(parameter.specifiers(), parameter.span(), diagnostics);
            if (declared == null) {
                continue;
            }
            if (declared.space() != StateSpace.PARAM || declared.type() == ScalarType.PRED || declared.lanes() > 1) {
                bad(parameter.span(), "a kernel parameter is a .param scalar or array; found " + (declared.space() == null
                        ? "no state space" : declared.space() + " " + (declared.lanes() > 1 ? "vector of " : "") + declared.type()));
                continue;
            }
            Variable variable = variables.parameter(declared, parameter);
            body.declare(variable.name(), new Symbol.OfVariable(variable, true, false), parameter.name().span());
            list.add(variable);
        }
        return list;
    }

    /** The linking directive; only one may be written. */
    Linkage linkage(List<Word> words) {
        if (words.size() > 1) {
            bad(words.get(1).span(), "a declaration has one linking directive; found " + words.get(0).text() + " and "
                    + words.get(1).text());
        }
        return words.isEmpty() ? Linkage.INTERNAL : switch (words.getFirst().text()) {
            case ".visible" -> Linkage.VISIBLE;
            case ".extern" -> Linkage.EXTERN;
            case ".weak" -> Linkage.WEAK;
            default -> Linkage.COMMON;
        };
    }

    private void bad(Span span, String message) {
        diagnostics.report(DiagnosticCode.BAD_DECLARATION, span, message);
    }
}
