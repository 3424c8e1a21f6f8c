package io.ptx4j.check;

import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.ir.Variable;
import io.ptx4j.isa.OperandSpec;
import io.ptx4j.isa.OperandSpec.Mark;
import io.ptx4j.isa.OperandSpec.Role;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.Spelling;
import io.ptx4j.isa.StateSpace;
import io.ptx4j.syntax.DiagnosticCode;
import io.ptx4j.syntax.OperandSyntax;
import java.util.ArrayList;
import java.util.List;

/** Fits the operands of an instruction to one spelling of it. */
final class OperandFit {
    private final Names names;
    private final Dialect dialect;
    private final Spelling spelling;
    private final List<Mismatch> mismatches;

    OperandFit(Names names, Dialect dialect, Spelling spelling, List<Mismatch> mismatches) {
        this.names = names;
        this.dialect = dialect;
        this.spelling = spelling;
        this.mismatches = mismatches;
    }

    /** One operand for each of the form's; what does not fit adds to the mismatches. */
    List<Operand> fit(List<OperandSyntax> written, OperandSyntax.Name whole) {
        List<OperandSpec> specs = spelling.form().operands();
        List<Operand> fitted = new ArrayList<>(specs.size());
        int spare = written.size() - (int) specs.stream().filter(spec -> !spec.optional() && !spec.paired()).count();
        int next = 0;
        OperandSyntax second = null;
        for (OperandSpec spec : specs) {
            OperandSyntax operand = null;
            if (spec.paired()) {
                operand = second;
                second = null;
            } else if (next < written.size() && (!spec.optional() || spare > 0)) {
                spare -= spec.optional() ? 1 : 0;
                operand = written.get(next++);
                if (operand instanceof OperandSyntax.Pair pair && pairedNext(specs, spec)) {
                    operand = pair.first();
                    second = pair.second();
                }
            }
            fitted.add(operand == null ? absent(spec) : operand(operand, spec));
        }
        if (next < written.size() || spare < 0) {
            mismatches.add(new Mismatch(DiagnosticCode.OPERAND_COUNT,
                    next < written.size() ? written.get(next).span() : whole.span(),
                    "'" + spelling + "' takes " + count(specs) + " operands; found " + written.size(),
                    "form: " + spelling.form().syntax()));
        }
        return fitted;
    }

    private static boolean pairedNext(List<OperandSpec> specs, OperandSpec spec) {
        int next = specs.indexOf(spec) + 1;
        return next < specs.size() && specs.get(next).paired();
    }

    private static String count(List<OperandSpec> specs) {
        long most = specs.stream().filter(spec -> !spec.paired()).count();
        long least = specs.stream().filter(spec -> !spec.paired() && !spec.optional()).count();
        return least == most ? "" + most : least + " to " + most;
    }

    private Operand absent(OperandSpec spec) {
        if (!spec.optional() && spec.paired()) {
            mismatches.add(new Mismatch(DiagnosticCode.OPERAND_COUNT, names.place(),
                    "'" + spelling + "' takes a second destination behind '|'", "form: " + spelling.form().syntax()));
        }
        return new Operand.Absent();
    }

    private Operand operand(OperandSyntax operand, OperandSpec spec) {
        ScalarType type = spec.role() == Role.ADDRESS ? null : spelling.typeOf(spec);
        int elements = spec.role() == Role.ADDRESS ? 0 : spelling.elementsOf(spec);
        return switch (spec.role()) {
            case ADDRESS -> address(operand);
            case DESTINATION -> elements > 0 ? vector(operand, spec, type, elements) : destination(operand, spec, type);
            case SOURCE -> elements > 0 ? vector(operand, spec, type, elements) : source(operand, spec, type);
            case TARGET -> wrong(operand, "a label or function is expected");
        };
    }

    private Operand destination(OperandSyntax operand, OperandSpec spec, ScalarType type) {
        return switch (operand) {
            case OperandSyntax.Name name -> register(name, spec, type, false);
            case OperandSyntax.Discard _ when spec.has(Mark.DISCARD) -> new Operand.Sink();
            case OperandSyntax.Discard discard -> wrong(discard, "'" + spelling.opcode() + "' cannot drop its result");
            case OperandSyntax.Vector vector when spec.has(Mark.PACK) -> pack(vector, spec, type);
            case OperandSyntax.Pair pair -> wrong(pair, "'" + spelling + "' takes no second destination");
            default -> wrong(operand, "the destination must be a register");
        };
    }

    private Operand source(OperandSyntax operand, OperandSpec spec, ScalarType type) {
        return switch (operand) {
            case OperandSyntax.Name name -> name(name, spec, type);
            case OperandSyntax.Offset offset -> variable(offset.name(), offset.offset(), spec, type);
            case OperandSyntax.Immediate immediate -> immediate(immediate, spec, type);
            case OperandSyntax.Arguments list when list.list().size() == 1 -> source(list.list().getFirst(), spec, type);
            case OperandSyntax.Not not when type == ScalarType.PRED -> register(not.name(), spec, type, true);
            case OperandSyntax.Not not -> wrong(not, "'!' stands before predicates only");
            case OperandSyntax.Vector vector when spec.has(Mark.PACK) -> pack(vector, spec, type);
            case OperandSyntax.Discard discard -> wrong(discard, "'_' is no source operand");
            default -> wrong(operand, "a " + type + " operand is expected");
        };
    }

    private Operand name(OperandSyntax.Name name, OperandSpec spec, ScalarType type) {
        return switch (names.symbol(name)) {
            case null -> special(name, spec, type);
            case Symbol.OfRegister _, Symbol.OfVector _ -> register(name, spec, type, false);
            case Symbol.OfVariable _ -> variable(name, 0, spec, type);
            case Symbol.OfFunction function when spec.has(Mark.FUNCTION) -> functionAddress(name, function, type);
            case Symbol other -> wrong(name, "a " + type + " operand is expected; '" + name.name() + "' is a " + other.kind());
        };
    }

    private Operand functionAddress(OperandSyntax.Name name, Symbol.OfFunction function, ScalarType type) {
        return type.bits() == dialect.addressBits() ? new Operand.FunctionAddress(function.name(), type)
                : wrong(name, "the address of a function has " + dialect.addressBits() + " bits; the type is " + type);
    }

    private Operand special(OperandSyntax.Name name, OperandSpec spec, ScalarType type) {
        Operand.Special special = names.special(name, type);
        if (special == null) {
            return unknown(name);
        }
        if (!spec.has(Mark.SPECIAL)) {
            return wrong(name, "special registers stand only as the source of mov and cvt");
        }
        boolean fits = special.register().bits() == 1 ? type == ScalarType.PRED
                : type.isInteger() && (special.register().bits() == type.bits() || type.bits() < special.register().bits()
                        && special.register().bits() == 32 && type.bits() == 16 || spec.wider());
        return fits ? special : wrong(name, special.register() + " has " + special.register().bits() + " bits; the type is " + type);
    }

    private Operand unknown(OperandSyntax.Name name) {
        mismatches.add(names.unknown(name));
        return new Operand.Absent();
    }

    private Operand register(OperandSyntax.Name name, OperandSpec spec, ScalarType type, boolean negated) {
        Register register = names.register(name);
        if (register == null) {
            return names.symbol(name) == null && names.special(name, type) == null ? unknown(name)
                    : wrong(name, "a register is expected");
        }
        if (!Typing.fits(register.type(), type, spec)) {
            return mismatch(name, register, type, spec);
        }
        return new Operand.Reg(register, type, negated);
    }

    private Operand mismatch(OperandSyntax.Name name, Register register, ScalarType type, OperandSpec spec) {
        String width = register.type().bits() == type.bits() ? ""
                : " (" + type.bits() + " bits" + (spec.wider() ? " or more" : "") + ")";
        mismatches.add(new Mismatch(DiagnosticCode.OPERAND_TYPE, name.span(),
                "operand " + spec.name() + " of '" + spelling + "' is " + type + width + "; " + register.name() + " is "
                        + register.type(), ""));
        return new Operand.Absent();
    }

    private Operand variable(OperandSyntax.Name name, long offset, OperandSpec spec, ScalarType type) {
        Variable variable = names.variable(name);
        if (variable == null) {
            return names.symbol(name) == null ? unknown(name) : wrong(name, "only the name of a variable takes an offset");
        }
        if (!spec.has(Mark.VARIABLE)) {
            return wrong(name, "the address of a variable cannot stand here; mov or cvta takes it into a register");
        }
        return new Operand.AddressOf(variable, offset, type);
    }

    private Operand immediate(OperandSyntax.Immediate immediate, OperandSpec spec, ScalarType type) {
        Operand.Immediate value = spec.has(Mark.REGISTER) ? null : Immediates.of(immediate.value(), type);
        return value != null ? value
                : wrong(immediate, "operand " + spec.name() + " of '" + spelling + "' is " + type + " and takes no such constant");
    }

    private Operand vector(OperandSyntax operand, OperandSpec spec, ScalarType type, int elements) {
        List<Operand> list = new ArrayList<>(elements);
        if (operand instanceof OperandSyntax.Name name && names.symbol(name) instanceof Symbol.OfVector vector
                && name.selector().isEmpty()) {
            if (vector.components().size() != elements || !Typing.fitsElement(vector.type(), type)) {
                return wrong(operand, "a vector of " + elements + " " + type + " is expected");
            }
            vector.components().forEach(component -> list.add(new Operand.Reg(component, type, false)));
            return new Operand.Vector(List.copyOf(list));
        }
        if (!(operand instanceof OperandSyntax.Vector vector) || vector.elements().size() != elements) {
            return wrong(operand, "a vector of " + elements + " " + type + " is expected");
        }
        for (OperandSyntax element : vector.elements()) {
            list.add(element(element, spec, type));
        }
        return new Operand.Vector(List.copyOf(list));
    }

    private Operand element(OperandSyntax element, OperandSpec spec, ScalarType type) {
        boolean destination = spec.role() == Role.DESTINATION;
        return switch (element) {
            case OperandSyntax.Name name when names.register(name) != null -> {
                Register register = names.register(name);
                boolean fits = spec.wider() ? Typing.fitsElement(register.type(), type) : Typing.fits(register.type(), type, spec);
                yield fits ? new Operand.Reg(register, type, false) : mismatch(name, register, type, spec);
            }
            case OperandSyntax.Discard _ when destination -> new Operand.Sink();
            case OperandSyntax.Immediate immediate when !destination -> immediate(immediate, spec, type);
            case OperandSyntax.Name name when names.symbol(name) == null -> unknown(name);
            default -> wrong(element, "an element of this vector is a " + type + " register");
        };
    }

    /** {@code mov.b64 d, {a, b}} and back: two or four elements of one width. */
    private Operand pack(OperandSyntax.Vector vector, OperandSpec spec, ScalarType type) {
        int count = vector.elements().size();
        boolean known = (count == 2 || count == 4) && type.kind() == ScalarType.Kind.BITS && type.bits() / count >= 8
                && !(type.bits() == 128 && count == 4);
        if (!known) {
            return wrong(vector, type + " is packed from two or four elements of the same width");
        }
        ScalarType part = ScalarType.bitsOf(type.bits() / count);
        List<Operand> elements = new ArrayList<>(count);
        for (OperandSyntax element : vector.elements()) {
            elements.add(element(element, spec, part));
        }
        return new Operand.Vector(List.copyOf(elements));
    }

    private Operand address(OperandSyntax operand) {
        if (!(operand instanceof OperandSyntax.Address address)) {
            return wrong(operand, "an address in brackets is expected");
        }
        if (!address.more().isEmpty()) {
            return wrong(operand, "this address takes no coordinates");
        }
        StateSpace space = spelling.space();
        return switch (address.base()) {
            case OperandSyntax.Name name -> based(name, 0, space);
            case OperandSyntax.Offset offset -> based(offset.name(), offset.offset(), space);
            case OperandSyntax.Immediate immediate -> absolute(immediate, space);
            default -> wrong(operand, "an address is a register, a variable or a constant, plus a constant");
        };
    }

    private Operand absolute(OperandSyntax.Immediate immediate, StateSpace space) {
        if (space == StateSpace.LOCAL && Immediates.of(immediate.value(), ScalarType.S64) instanceof Operand.Immediate value) {
            return new Operand.Address(space, null, null, value.bits());
        }
        return wrong(immediate, "a constant is an address only in .local");
    }

    private Operand based(OperandSyntax.Name name, long offset, StateSpace space) {
        return switch (names.symbol(name)) {
            case null -> unknown(name);
            case Symbol.OfVariable(Variable variable) -> variableAddress(name, variable, offset, space);
            case Symbol.OfRegister _, Symbol.OfVector _ -> registerAddress(name, offset, space);
            case Symbol other -> wrong(name, "an address is expected; '" + name.name() + "' is a " + other.kind());
        };
    }

    private Operand variableAddress(OperandSyntax.Name name, Variable variable, long offset, StateSpace space) {
        boolean generic = space == StateSpace.GENERIC
                && (variable.space() == StateSpace.GLOBAL || variable.space() == StateSpace.SHARED
                        || variable.space() == StateSpace.LOCAL);
        if (!generic && variable.space() != space) {
            mismatches.add(new Mismatch(DiagnosticCode.STATE_SPACE, name.span(),
                    "'" + spelling + "' accesses " + space + "; variable '" + variable.name() + "' lies in " + variable.space(),
                    space == StateSpace.GENERIC ? "write '" + spelling.opcode() + variable.space() + "...'" : ""));
        }
        return new Operand.Address(variable.space(), null, variable, offset);
    }

    private Operand registerAddress(OperandSyntax.Name name, long offset, StateSpace space) {
        Register register = names.register(name);
        if (register == null || !register.type().isInteger() || register.type().packed() || register.type().bits() > 64) {
            return wrong(name, "an address stands in an integer register of 32 or 64 bits");
        }
        boolean wide = space == StateSpace.GLOBAL || space == StateSpace.GENERIC;
        if (wide && register.type().bits() < dialect.addressBits()) {
            return wrong(name, "addresses in " + space + " have " + dialect.addressBits() + " bits; " + register.name() + " is "
                    + register.type());
        }
        return new Operand.Address(space, register, null, offset);
    }

    private Operand wrong(OperandSyntax operand, String message) {
        mismatches.add(new Mismatch(DiagnosticCode.OPERAND_TYPE, operand.span(), message, ""));
        return new Operand.Absent();
    }
}
