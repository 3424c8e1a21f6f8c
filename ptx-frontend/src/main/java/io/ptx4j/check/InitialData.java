package io.ptx4j.check;

import io.ptx4j.ir.Initializer;
import io.ptx4j.ir.Initializer.Relocation;
import io.ptx4j.ir.Operand;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.StateSpace;
import io.ptx4j.syntax.DiagnosticCode;
import io.ptx4j.syntax.Diagnostics;
import io.ptx4j.syntax.InitializerSyntax;
import io.ptx4j.syntax.Span;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Lays initial values out to bytes (manual: "Initializers"). */
final class InitialData {
    private final Diagnostics diagnostics;
    private final Scope scope;
    private final Declared declared;
    private final long[] dimensions;
    private byte[] bytes = new byte[64];
    private int used;
    private final List<Relocation> relocations = new ArrayList<>();
    private boolean good = true;

    /** @param dimensions of the array, the vector length as the last one; empty for a scalar */
    InitialData(Diagnostics diagnostics, Scope scope, Declared declared, long[] dimensions) {
        this.diagnostics = diagnostics;
        this.scope = scope;
        this.declared = declared;
        this.dimensions = dimensions;
    }

    /** The bytes; null, and reported, where a value does not fit. */
    Initializer lay(InitializerSyntax value) {
        place(value, 0, 0);
        return good ? new Initializer(Arrays.copyOf(bytes, used), List.copyOf(relocations)) : null;
    }

    private void place(InitializerSyntax value, int depth, long offset) {
        switch (value) {
            case InitializerSyntax.Elements elements when depth < dimensions.length -> {
                if (elements.list().size() > dimensions[depth]) {
                    problem(elements.list().get((int) dimensions[depth]).span(),
                            "more elements than the " + dimensions[depth] + " declared");
                    return;
                }
                long stride = declared.type().bytes();
                for (int i = depth + 1; i < dimensions.length; i++) {
                    stride *= dimensions[i];
                }
                for (InitializerSyntax element : elements.list()) {
                    place(element, depth + 1, offset);
                    offset += stride;
                }
            }
            case InitializerSyntax.Elements elements -> problem(elements.span(), "a single value is expected; found a list");
            case InitializerSyntax.Property property when declared.type().kind() == ScalarType.Kind.OPAQUE -> { }
            case InitializerSyntax.Property property -> problem(property.span(), "only textures, samplers and surfaces have properties");
            case InitializerSyntax.Value _, InitializerSyntax.Symbol _ when depth < dimensions.length ->
                    problem(value.span(), "a list in braces is expected; found a single value");
            case InitializerSyntax.Value single -> single(single, (int) offset);
            case InitializerSyntax.Symbol symbol -> symbol(symbol, (int) offset);
        }
    }

    private void single(InitializerSyntax.Value value, int offset) {
        ScalarType type = declared.type();
        Operand.Immediate bits = type == ScalarType.F16 || type == ScalarType.F16X2 ? null : Immediates.of(value.constant(), type);
        if (bits == null) {
            problem(value.span(), "a " + type + " takes no such initial value");
            return;
        }
        write(offset, bits.bits(), Math.min(Long.BYTES, type.bytes()));
        if (type.bytes() > Long.BYTES) {
            write(offset + Long.BYTES, bits.high(), Long.BYTES);
        }
    }

    private void symbol(InitializerSyntax.Symbol symbol, int offset) {
        switch (scope.find(symbol.name())) {
            case Symbol.OfVariable(var variable, boolean _, boolean _) when variable.space() == StateSpace.GLOBAL || variable.space() == StateSpace.CONST -> { }
            case Symbol.OfFunction _ -> { }
            case null -> {
                diagnostics.report(DiagnosticCode.UNKNOWN_NAME, symbol.span(), "nothing declares '" + symbol.name() + "' before here");
                good = false;
            }
            case Symbol _ -> problem(symbol.span(), "initial addresses are those of .global and .const variables and of functions");
        }
        ScalarType type = declared.type();
        boolean fits = symbol.mask() == -1 ? type.kind() == ScalarType.Kind.UNSIGNED && type.bits() >= 32
                : type.kind() == ScalarType.Kind.UNSIGNED && type.bits() == 8;
        if (!fits) {
            problem(symbol.span(), symbol.mask() == -1 ? "an address needs a .u64 or .u32 variable; this one is " + type
                    : "masked addresses stand in .u8 variables; this one is " + type);
            return;
        }
        write(offset, 0, type.bytes());
        relocations.add(new Relocation(offset, type.bytes(), symbol.name(), symbol.offset(), symbol.generic(), symbol.mask()));
    }

    private void write(int offset, long bits, int width) {
        int end = offset + width;
        if (end > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(end, bytes.length * 2));
        }
        for (int i = 0; i < width; i++) {
            bytes[offset + i] = (byte) (bits >>> 8 * i);
        }
        used = Math.max(used, end);
    }

    private void problem(Span span, String message) {
        diagnostics.report(DiagnosticCode.BAD_INITIALIZER, span, message);
        good = false;
    }
}
