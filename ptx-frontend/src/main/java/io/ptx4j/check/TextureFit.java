package io.ptx4j.check;

import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.ir.Variable;
import io.ptx4j.isa.Family;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.OperandSpec;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.Spelling;
import io.ptx4j.syntax.DiagnosticCode;
import io.ptx4j.syntax.OperandSyntax;
import java.util.ArrayList;
import java.util.List;

/** Fits {@code [texture, sampler, {x, y}]}, and the like of surfaces and tensor maps. */
final class TextureFit {
    private static final int PADDED = 4;

    private final Names names;
    private final Dialect dialect;
    private final Spelling spelling;
    private final List<Mismatch> mismatches;
    private final OperandFit elements;

    TextureFit(Names names, Dialect dialect, Spelling spelling, List<Mismatch> mismatches, OperandFit elements) {
        this.names = names;
        this.dialect = dialect;
        this.spelling = spelling;
        this.mismatches = mismatches;
        this.elements = elements;
    }

    Operand fit(OperandSyntax operand, OperandSpec spec) {
        if (!(operand instanceof OperandSyntax.Address address)) {
            return wrong(operand, "an address in brackets is expected");
        }
        boolean sampled = sampled() && spec.vector() > 0;
        List<OperandSyntax> more = address.more();
        int wanted = (sampled ? 1 : 0) + (spec.vector() > 0 ? 1 : 0);
        if (more.size() != wanted) {
            return wrong(operand, wanted == 0 ? "this address takes no coordinates" : sampled
                    ? "behind the texture stand its sampler and the coordinates" : "behind the name stand the coordinates");
        }
        Operand object = object(address.base(), kind());
        Operand sampler = sampled ? object(more.getFirst(), ScalarType.SAMPLERREF) : new Operand.Absent();
        List<Operand> coordinates = spec.vector() == 0 ? List.of() : coordinates(more.getLast(), spec);
        return new Operand.Texture(object, sampler, coordinates);
    }

    /** Samplers stand apart from textures. */
    private boolean sampled() {
        return spelling.family() == Family.TEXTURE && dialect.independentTextures();
    }

    /** What the name must be; null for a tensor map, which is an address. */
    private ScalarType kind() {
        return switch (spelling.family()) {
            case SURFACE -> ScalarType.SURFREF;
            case TEXTURE -> asksSampler() && sampled() ? ScalarType.SAMPLERREF : ScalarType.TEXREF;
            default -> null;
        };
    }

    /** Queries that are about the sampler. */
    private boolean asksSampler() {
        return spelling.modifiers().stream().anyMatch(modifier -> switch (modifier) {
            case FILTER_MODE, ADDR_MODE_0, ADDR_MODE_1, ADDR_MODE_2, FORCE_UNNORMALIZED_COORDS -> true;
            default -> false;
        });
    }

    private Operand object(OperandSyntax operand, ScalarType kind) {
        if (!(operand instanceof OperandSyntax.Name name)) {
            return wrong(operand, "a texture, sampler or surface is a variable, or a register that holds its handle");
        }
        Variable variable = names.variable(name);
        if (variable != null) {
            return kind == null || variable.type() == kind
                    ? new Operand.AddressOf(variable, 0, ScalarType.U64)
                    : wrong(name, "a " + kind + " is expected; '" + variable.name() + "' is " + variable.type());
        }
        Register register = names.register(name);
        if (register == null) {
            if (names.symbol(name) == null) {
                mismatches.add(names.unknown(name));
                return new Operand.Absent();
            }
            return wrong(name, "a texture, sampler or surface is a variable, or a register that holds its handle");
        }
        return register.type().isInteger() && register.type().bits() == 64 ? new Operand.Reg(register, ScalarType.U64, false)
                : wrong(name, "a handle has 64 bits; " + register.name() + " is " + register.type());
    }

    private List<Operand> coordinates(OperandSyntax operand, OperandSpec spec) {
        List<OperandSyntax> written = switch (operand) {
            case OperandSyntax.Vector vector -> vector.elements();
            case OperandSyntax.Name name when names.symbol(name) instanceof Symbol.OfVector vector && name.selector().isEmpty() ->
                    Names.components(name, vector.components().size());
            case OperandSyntax.Name name when !sampled() -> List.of(name);
            default -> List.of();
        };
        if (written.size() != spec.vector() && !padded(written.size(), spec.vector())) {
            wrong(operand, "'" + spelling + "' takes " + spec.vector() + " coordinates; found " + written.size());
            return List.of();
        }
        List<Operand> coordinates = new ArrayList<>();
        for (int i = 0; i < written.size(); i++) {
            ScalarType type = i < indices() ? ScalarType.U32 : spelling.typeOf(spec);
            coordinates.add(elements.element(written.get(i), spec, type, null));
        }
        return List.copyOf(coordinates);
    }

    /** Textures and surfaces take longer vectors than they have dimensions and ignore what is too much; tensors do not. */
    private boolean padded(int written, int wanted) {
        return kind() != null && wanted > 0 && written > wanted && (written == 2 || written == PADDED);
    }

    /** Leading elements that number a layer or a sample. */
    private int indices() {
        return switch (spelling.one(Modifier.Category.GEOMETRY)) {
            case A1D, A2D, ACUBE, D2MS -> 1;
            case A2DMS -> 2;
            case null, default -> 0;
        };
    }

    private Operand wrong(OperandSyntax operand, String message) {
        mismatches.add(new Mismatch(DiagnosticCode.OPERAND_TYPE, operand.span(), message, ""));
        return new Operand.Absent();
    }
}
