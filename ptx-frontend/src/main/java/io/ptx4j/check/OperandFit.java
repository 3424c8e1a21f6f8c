package io.ptx4j.check;

import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.ir.Variable;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.OperandSpec;
import io.ptx4j.isa.OperandSpec.Mark;
import io.ptx4j.isa.OperandSpec.Role;
import io.ptx4j.isa.Requirement;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.Spelling;
import io.ptx4j.isa.StateSpace;
import io.ptx4j.syntax.Constant;
import io.ptx4j.syntax.DiagnosticCode;
import io.ptx4j.syntax.OperandSyntax;
import java.util.ArrayList;
import java.util.List;

/** Fits the operands of an instruction to one spelling of it. */
final class OperandFit {
    private static final Requirement FUNCTION_ADDRESS = Requirement.parse("ptx 2.1");

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
        List<OperandSyntax> sources = new ArrayList<>(specs.size());
        int spare = written.size() - required(specs);
        int next = 0;
        OperandSyntax second = null;
        for (OperandSpec spec : specs) {
            OperandSyntax operand = null;
            if (spec.has(Mark.BEFORE)) {
                fitted.add(before(fitted.getFirst()));
                sources.add(null);
                continue;
            }
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
            sources.add(operand);
        }
        if (specs.stream().filter(spec -> spec.has(Mark.PACK)).count() == 2 && sources.stream().allMatch(OperandSyntax.Vector.class::isInstance)) {
            wrong(sources.getLast(), "'" + spelling + "' packs elements into one register, or unpacks one; braces stand on one side");
        }
        if (next < written.size() || spare < 0) {
            mismatches.add(new Mismatch(DiagnosticCode.OPERAND_COUNT,
                    next < written.size() ? written.get(next).span() : whole.span(),
                    "'" + spelling + "' takes " + count(specs) + " operands; found " + written.size(),
                    ""));
        }
        if (mismatches.isEmpty()) {
            OperandBounds.check(spelling, fitted, sources, mismatches);
            switch (spelling.family()) {
                case VIDEO -> VideoRules.check(spelling, fitted, names.place(), mismatches);
                case TEXTURE, SURFACE, MBARRIER -> new OperandNeeds(spelling, dialect, names.place(), mismatches).check(fitted);
                default -> { }
            }
        }
        return fitted;
    }

    private static int required(List<OperandSpec> specs) {
        int required = 0;
        for (OperandSpec spec : specs) {
            required += spec.optional() || spec.paired() || spec.has(Mark.BEFORE) ? 0 : 1;
        }
        return required;
    }

    /** What is read of the registers of a destination; nothing of what is dropped. */
    private static Operand before(Operand destination) {
        return destination instanceof Operand.Vector vector
                ? new Operand.Vector(vector.elements().stream().map(one -> one instanceof Operand.Sink ? new Operand.Immediate(ScalarType.B32, 0) : one).toList()) : destination;
    }

    private static boolean pairedNext(List<OperandSpec> specs, OperandSpec spec) {
        int next = specs.indexOf(spec) + 1;
        return next < specs.size() && specs.get(next).paired();
    }

    private static String count(List<OperandSpec> specs) {
        long most = specs.stream().filter(spec -> !spec.paired() && !spec.has(Mark.BEFORE)).count();
        long least = required(specs);
        return least == most ? "" + most : least + " to " + most;
    }

    private Operand absent(OperandSpec spec) {
        if (!spec.optional() && spec.paired()) {
            mismatches.add(new Mismatch(DiagnosticCode.OPERAND_COUNT, names.place(),
                    "'" + spelling + "' takes a second destination behind '|'", ""));
        }
        return new Operand.Absent();
    }

    private Operand operand(OperandSyntax operand, OperandSpec spec) {
        return switch (spec.role()) {
            case ADDRESS -> new AddressFit(names, dialect, spelling, mismatches).fit(operand, spec);
            case TEXTURE -> new TextureFit(names, dialect, spelling, mismatches, this).fit(operand, spec);
            case DESTINATION, SOURCE -> value(operand, spec, spelling.typeOf(spec), spelling.elementsOf(spec));
            case TARGET -> wrong(operand, "a label or function is expected");
        };
    }

    private Operand value(OperandSyntax operand, OperandSpec spec, ScalarType type, int elements) {
        if (elements == 0 && operand instanceof OperandSyntax.Vector vector && vector.elements().size() == 1 && mayBeVectorOfOne(spec, type)) {
            return value(vector.elements().getFirst(), spec, type, elements);
        }
        return elements > 0 ? vector(operand, spec, type, elements)
                : spec.role() == Role.SOURCE ? source(operand, spec, type) : destination(operand, spec, type);
    }

    /** What the spelling's words may make a vector may stand in braces where they do not, as ptxas has it. */
    private boolean mayBeVectorOfOne(OperandSpec spec, ScalarType type) {
        boolean plain = spelling.opcode() == Opcode.MULTIMEM && (spelling.text().startsWith("multimem.red") || type.isInteger());
        return spec.vector() == OperandSpec.BY_MODIFIER && !plain;
    }

    private Operand destination(OperandSyntax operand, OperandSpec spec, ScalarType type) {
        if (spec.has(Mark.ADDRESS_WIDE) && type.bits() < dialect.addressBits()) {
            return wrong(operand, "generic addresses have " + dialect.addressBits() + " bits; the type is " + type);
        }
        return switch (operand) {
            case OperandSyntax.Name name when spec.has(Mark.SINK) -> wrong(name, "the result must be dropped here: '_'");
            case OperandSyntax.Name name when spec.has(Mark.PART) -> part(name, spec, type, false);
            case OperandSyntax.Name name when spec.has(Mark.PACK) && names.symbol(name) instanceof Symbol.OfVector vector
                    && name.selector().isEmpty() -> packed(name, vector, type);
            case OperandSyntax.Name name -> register(name, spec, type, false);
            case OperandSyntax.Discard _ when spec.has(Mark.DISCARD) || spec.has(Mark.SINK) -> new Operand.Sink();
            case OperandSyntax.Discard discard -> wrong(discard, "'" + spelling.opcode() + "' cannot drop its result");
            case OperandSyntax.Vector vector when spec.has(Mark.PACK) -> pack(vector, spec, type);
            case OperandSyntax.Pair pair -> wrong(pair, "'" + spelling + "' takes no second destination");
            default -> wrong(operand, "the destination must be a register");
        };
    }

    private Operand source(OperandSyntax operand, OperandSpec spec, ScalarType type) {
        if (spec.constant() && !(operand instanceof OperandSyntax.Immediate || operand instanceof OperandSyntax.Arguments)) {
            return wrong(operand, "operand " + spec.name() + " of '" + spelling + "' is a constant");
        }
        return switch (operand) {
            case OperandSyntax.Name name when spec.has(Mark.PART) -> part(name, spec, type, false);
            case OperandSyntax.Negated negated when spec.has(Mark.NEGATION) -> part(negated.name(), spec, type, true);
            case OperandSyntax.Name name -> name(name, spec, type);
            case OperandSyntax.Offset offset -> variable(offset.name(), offset.offset(), spec, type);
            case OperandSyntax.Immediate immediate -> immediate(immediate, spec, type, spec.range());
            case OperandSyntax.Arguments list when list.list().size() == 1
                    && list.list().getFirst() instanceof OperandSyntax.Immediate inner -> immediate(inner, spec, type, spec.range());
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
            case Symbol.OfVector vector when spec.has(Mark.PACK) && name.selector().isEmpty() -> packed(name, vector, type);
            case Symbol.OfRegister _, Symbol.OfVector _ -> register(name, spec, type, false);
            case Symbol.OfVariable _ -> variable(name, 0, spec, type);
            case Symbol.OfFunction function when spec.has(Mark.FUNCTION) -> functionAddress(name, function, type);
            case Symbol other -> wrong(name, "a " + type + " operand is expected; '" + name.name() + "' is a " + other.kind());
        };
    }

    /** Of a function's address a narrower type takes the low bits, as ptxas has it. */
    private Operand functionAddress(OperandSyntax.Name name, Symbol.OfFunction function, ScalarType type) {
        Mismatch unmet = Features.unmet(dialect, name.span(), "the address of a function", FUNCTION_ADDRESS);
        if (unmet != null) {
            mismatches.add(unmet);
            return new Operand.Absent();
        }
        return type.isInteger() ? new Operand.FunctionAddress(function.name(), type)
                : wrong(name, "the address of a function is an integer; the type is " + type);
    }

    private Operand special(OperandSyntax.Name name, OperandSpec spec, ScalarType type) {
        Operand.Special special = names.special(name, type);
        if (special == null) {
            return unknown(name);
        }
        if (!spec.has(Mark.SPECIAL)) {
            return wrong(name, "special registers stand only as the source of mov and cvt");
        }
        Mismatch unmet = Features.unmet(dialect, name.span(), special.toString(), special.register().since(special.number()));
        if (unmet != null) {
            mismatches.add(unmet);
            return new Operand.Absent();
        }
        boolean fits = special.register().reads(type) || spec.wider() && type.bits() <= special.register().bits();
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

    /** How a value of one type becomes one of another. */
    private static String conversion(ScalarType from, ScalarType to, Role role) {
        ScalarType source = role == Role.DESTINATION ? to : from;
        ScalarType wanted = role == Role.DESTINATION ? from : to;
        if (from.packed() || to.packed() || from.bits() > 64 || to.bits() > 64) {
            return "";
        }
        if (source == ScalarType.PRED || wanted == ScalarType.PRED) {
            return source == ScalarType.PRED ? "selp makes a number of a predicate: selp.u32 d, 1, 0, p"
                    : "setp makes a predicate of a number: setp.ne.s32 p, a, 0";
        }
        boolean sameBits = source.bits() == wanted.bits();
        return sameBits ? "cvt converts the value, mov.b" + wanted.bits() + " moves the bits"
                : role == Role.DESTINATION ? "" : "cvt converts between widths, such as cvt.u32.u64 and cvt.s64.s32";
    }

    private Operand mismatch(OperandSyntax.Name name, Register register, ScalarType type, OperandSpec spec) {
        String width = register.type().bits() == type.bits() ? ""
                : " (" + type.bits() + " bits" + (spec.wider() ? " or more" : "") + ")";
        mismatches.add(new Mismatch(DiagnosticCode.OPERAND_TYPE, name.span(),
                "operand " + spec.name() + " of '" + spelling + "' is " + type + width + "; " + register.name() + " is "
                        + register.type(), conversion(register.type(), type, spec.role())));
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
        if (offset == 0 && spelling.has(Modifier.TO)) {
            return wrong(name, "'" + spelling + "' takes a generic address in a register; '" + name.name() + "' is a variable");
        }
        if (names.callArea(name)) {
            return wrong(name, "the .param variables of calls have no address");
        }
        if (variable.space() == StateSpace.GLOBAL && offset == 0 && type.bits() == 32 && dialect.addressBits() > 32) {
            return wrong(name, "addresses in .global have " + dialect.addressBits() + " bits; the type is " + type);
        }
        if (spelling.space() != StateSpace.GENERIC && spelling.space() != variable.space()) {
            mismatches.add(new Mismatch(DiagnosticCode.STATE_SPACE, name.span(), "'" + spelling + "' is about " + spelling.space()
                    + "; variable '" + variable.name() + "' lies in " + variable.space(), ""));
        }
        return new Operand.AddressOf(variable, offset, type);
    }

    private Operand immediate(OperandSyntax.Immediate immediate, OperandSpec spec, ScalarType type, OperandSpec.Range range) {
        Operand.Immediate value = spec.has(Mark.REGISTER) ? null : Immediates.of(immediate.value(), type);
        if (value == null) {
            mismatches.add(new Mismatch(DiagnosticCode.OPERAND_TYPE, immediate.span(), "operand " + spec.name() + " of '" + spelling
                    + "' is " + type + " and takes no such constant", spec.has(Mark.REGISTER) ? "it must be a register" : Immediates.hint(immediate.value(), type)));
            return new Operand.Absent();
        }
        if (range != null && !inRange(immediate.value(), range)) {
            mismatches.add(new Mismatch(DiagnosticCode.OPERAND_RANGE, immediate.span(),
                    "operand " + spec.name() + " of '" + spelling + "' is " + range + "; found " + Immediates.text(immediate.value()), ""));
        }
        return value;
    }

    private static boolean inRange(Constant constant, OperandSpec.Range range) {
        return switch (constant) {
            case Constant.Whole(long value, boolean _) -> range.holds(value);
            case Constant.Real(double value) -> value >= range.least() && value <= range.most();
            case Constant.Single(int bits) -> Float.intBitsToFloat(bits) >= range.least() && Float.intBitsToFloat(bits) <= range.most();
        };
    }

    /** A register with a selector, or without one all of it. */
    private Operand part(OperandSyntax.Name name, OperandSpec spec, ScalarType type, boolean minus) {
        OperandSyntax.Name whole = new OperandSyntax.Name(name.start(), name.end(), name.name(), "");
        if (name.selector().isEmpty() && !minus) {
            return register(whole, spec, type, false);
        }
        if (!(register(whole, spec, type, false) instanceof Operand.Reg reg)) {
            return new Operand.Absent();
        }
        Operand.Part part = Selectors.part(reg, minus, name.selector(), spelling, spec.role());
        return part != null ? part : wrong(name, "'." + name.selector() + "' selects no part here");
    }

    /** A vector register as one value of its whole width. */
    private Operand packed(OperandSyntax.Name name, Symbol.OfVector vector, ScalarType type) {
        int lanes = vector.components().size();
        if (vector.type().bits() * lanes != type.bits()) {
            return wrong(name, "a " + type + " operand is expected; '" + name.name() + "' has " + lanes + " elements of " + vector.type());
        }
        ScalarType part = ScalarType.bitsOf(vector.type().bits());
        return new Operand.Vector(vector.components().stream().map(one -> (Operand) new Operand.Reg(one, part, false)).toList());
    }

    private Operand vector(OperandSyntax operand, OperandSpec spec, ScalarType type, int elements) {
        List<OperandSyntax> written = elements(operand, spec);
        if (written == null || written.size() != elements) {
            return wrong(operand, "a vector of " + elements + " " + type + " is expected");
        }
        List<Operand> list = new ArrayList<>(elements);
        for (OperandSyntax element : written) {
            list.add(element(element, spec, type, spec.range(list.size())));
        }
        if (list.stream().allMatch(Operand.Sink.class::isInstance)) {
            return wrong(operand, "one element at least is a register");
        }
        if (spec.wider()) {
            List<ScalarType> declared = registerTypes(list);
            if (!declared.isEmpty() && !(Typing.together(declared) && Typing.vectorFits(declared, type))) {
                return wrong(operand, "the elements do not fit " + type + ": they are " + declared);
            }
        }
        return new Operand.Vector(List.copyOf(list));
    }

    private static List<ScalarType> registerTypes(List<Operand> elements) {
        List<ScalarType> types = new ArrayList<>();
        for (Operand element : elements) {
            if (element instanceof Operand.Reg reg) {
                types.add(reg.register().type());
            }
        }
        return types;
    }

    /** What stands in the braces, the components of a vector register, a special register of four, or one name alone. */
    private List<OperandSyntax> elements(OperandSyntax operand, OperandSpec spec) {
        return switch (operand) {
            case OperandSyntax.Vector vector -> vector.elements();
            case OperandSyntax.Name name when names.symbol(name) instanceof Symbol.OfVector vector && name.selector().isEmpty() ->
                    Names.components(name, vector.components().size());
            case OperandSyntax.Name name when spec.has(Mark.SPECIAL) && names.symbol(name) == null && name.selector().isEmpty() ->
                    Names.components(name, 4);
            default -> null;
        };
    }

    Operand element(OperandSyntax element, OperandSpec spec, ScalarType type, OperandSpec.Range range) {
        boolean destination = spec.role() == Role.DESTINATION;
        return switch (element) {
            case OperandSyntax.Name name when names.register(name) != null -> {
                Register register = names.register(name);
                yield spec.wider() || Typing.fits(register.type(), type, spec) ? new Operand.Reg(register, type, false)
                        : mismatch(name, register, type, spec);
            }
            case OperandSyntax.Discard _ when destination -> new Operand.Sink();
            case OperandSyntax.Immediate immediate when !destination -> immediate(immediate, spec, type, range);
            case OperandSyntax.Name name when spec.has(Mark.SPECIAL) && names.special(name, type) != null -> special(name, spec, type);
            case OperandSyntax.Name name when names.symbol(name) == null -> unknown(name);
            default -> wrong(element, "an element of this vector is a " + type + " register");
        };
    }

    /** {@code mov.b64 d, {a, b}} and back: two or four elements of one width and kind; one alone is itself. */
    private Operand pack(OperandSyntax.Vector vector, OperandSpec spec, ScalarType type) {
        int count = vector.elements().size();
        if (count == 1) {
            OperandSyntax only = vector.elements().getFirst();
            return only instanceof OperandSyntax.Name name && names.symbol(name) != null && names.register(name) == null ? wrong(only, "an address stands without braces")
                    : value(only, spec, type, 0);
        }
        boolean known = (count == 2 || count == 4) && type.kind() == ScalarType.Kind.BITS && type.bits() / count >= 8;
        if (!known) {
            return wrong(vector, type + " is packed from two or four elements of the same width");
        }
        ScalarType part = ScalarType.bitsOf(type.bits() / count);
        List<Operand> elements = new ArrayList<>(count);
        boolean constant = false;
        for (OperandSyntax element : vector.elements()) {
            boolean empty = element instanceof OperandSyntax.Discard && spec.role() == Role.SOURCE && type.bits() == 32;
            constant |= element instanceof OperandSyntax.Immediate;
            elements.add(empty ? new Operand.Immediate(part, 0) : element(element, spec, part, null));
        }
        List<ScalarType> declared = registerTypes(elements);
        if (!Typing.together(declared) || constant && declared.stream().anyMatch(one -> one.isFloat())) {
            return wrong(vector, "the elements are of different kinds: " + (constant ? "constants, " : "") + declared);
        }
        return new Operand.Vector(List.copyOf(elements));
    }

    private Operand wrong(OperandSyntax operand, String message) {
        mismatches.add(new Mismatch(DiagnosticCode.OPERAND_TYPE, operand.span(), message, ""));
        return new Operand.Absent();
    }
}
