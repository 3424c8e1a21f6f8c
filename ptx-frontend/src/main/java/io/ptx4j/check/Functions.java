package io.ptx4j.check;

import io.ptx4j.ir.Function.Formal;
import io.ptx4j.ir.Prototype;
import io.ptx4j.ir.Register;
import io.ptx4j.ir.Variable;
import io.ptx4j.isa.StateSpace;
import io.ptx4j.syntax.Diagnostics;
import io.ptx4j.syntax.Statement.Parameter;
import io.ptx4j.syntax.Statement.Trait;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Heads of kernels and functions: parameters, prototypes, linkage. */
final class Functions {
    private final Diagnostics diagnostics;
    private final Variables variables;
    private final ParameterRules rules;

    Functions(Diagnostics diagnostics, Variables variables, Dialect dialect) {
        this.diagnostics = diagnostics;
        this.variables = variables;
        this.rules = new ParameterRules(diagnostics, dialect);
    }

    /** A {@code .func}'s head, or with {@code named} false a {@code .callprototype}. */
    Prototype prototype(List<Parameter> results, List<Parameter> parameters, List<Trait> traits, boolean named) {
        rules.check(results, parameters, named);
        return new Prototype(shapes(results, false), shapes(parameters, false),
                traits.stream().anyMatch(trait -> trait.word().text().equals(".noreturn")));
    }

    Prototype kernelPrototype(List<Parameter> parameters) {
        return new Prototype(List.of(), shapes(parameters, true), false);
    }

    /** What the rules let pass, one entry for each lane of a vector; their problems are reported where the rules look. */
    private List<Prototype.Parameter> shapes(List<Parameter> parameters, boolean kernel) {
        List<Prototype.Parameter> shapes = new ArrayList<>();
        for (Parameter parameter : parameters) {
            Declared declared = declared(parameter, kernel);
            if (declared != null) {
                boolean inRegister = declared.space() == StateSpace.REG;
                long bytes = inRegister ? declared.type().bytes() : declared.elementBytes();
                for (long dimension : parameter.dimensions()) {
                    bytes *= Math.clamp(dimension, 0, Integer.MAX_VALUE);
                }
                var shape = new Prototype.Parameter(declared.type(), bytes, declared.alignmentOrNatural(), inRegister);
                shapes.addAll(Collections.nCopies(inRegister ? declared.lanes() : 1, shape));
            }
        }
        return List.copyOf(shapes);
    }

    private Declared declared(Parameter parameter, boolean kernel) {
        Diagnostics known = new Diagnostics(diagnostics.source());
        return kernel ? Declared.ofKernelParameter(parameter.specifiers(), parameter.span(), known)
                : Declared.read(parameter.specifiers(), parameter.span(), known);
    }

    /** The formal parameters of a {@code .func}, declared in its body. */
    List<Formal> formals(List<Parameter> parameters, BodyChecker body, boolean input) {
        List<Formal> formals = new ArrayList<>();
        for (Parameter parameter : parameters) {
            Declared declared = declared(parameter, false);
            if (declared == null || declared.space() == null) {
                continue;
            }
            String name = parameter.name().text();
            if (declared.space() == StateSpace.REG) {
                Symbol symbol = body.register(name, declared);
                body.declare(name, symbol, parameter.name().span());
                registers(symbol).forEach(register -> formals.add(new Formal(null, register)));
            } else {
                Variable variable = variables.parameter(declared, parameter);
                body.keep(variable);
                body.declare(name, new Symbol.OfVariable(variable, input, false), parameter.name().span());
                formals.add(new Formal(variable, null));
            }
        }
        return List.copyOf(formals);
    }

    private static List<Register> registers(Symbol symbol) {
        return switch (symbol) {
            case Symbol.OfRegister(Register register) -> List.of(register);
            case Symbol.OfVector vector -> vector.components();
            default -> List.of();
        };
    }

    /** The parameters of an {@code .entry}. */
    List<Variable> kernelParameters(List<Parameter> parameters, BodyChecker body) {
        List<Variable> list = new ArrayList<>();
        for (Parameter parameter : parameters) {
            Declared declared = rules.ofKernel(parameter);
            if (declared != null) {
                Variable variable = variables.parameter(declared, parameter);
                body.declare(variable.name(), new Symbol.OfVariable(variable, true, false), parameter.name().span());
                list.add(variable);
            }
        }
        return list;
    }
}
