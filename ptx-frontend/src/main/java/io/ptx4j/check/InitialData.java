package io.ptx4j.check;

import io.ptx4j.ir.Initializer;
import io.ptx4j.ir.Initializer.Relocation;
import io.ptx4j.ir.Operand;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.StateSpace;
import io.ptx4j.syntax.Constant;
import io.ptx4j.syntax.DiagnosticCode;
import io.ptx4j.syntax.Diagnostics;
import io.ptx4j.syntax.InitializerSyntax;
import io.ptx4j.syntax.Span;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** Lays initial values out to bytes (manual: "Initializers"). */
final class InitialData {
    private static final long ALL = -1;

    private final Diagnostics diagnostics;
    private final Features features;
    private final Scope scope;
    private final Declared declared;
    private final long[] dimensions;
    private byte[] bytes = new byte[64];
    private int used;
    private final List<Relocation> relocations = new ArrayList<>();
    private boolean good = true;

    /** @param dimensions of the array, the vector length as the last one; empty for a scalar */
    InitialData(Features features, Scope scope, Declared declared, long[] dimensions) {
        this.features = features;
        this.diagnostics = features.diagnostics();
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
        boolean opaque = declared.type().kind() == ScalarType.Kind.OPAQUE;
        switch (value) {
            case InitializerSyntax.Elements elements when depth < dimensions.length -> list(elements, depth, offset);
            case InitializerSyntax.Elements elements when opaque -> elements.list().forEach(this::property);
            case InitializerSyntax.Elements elements -> problem(elements.span(), "a single value is expected; found a list");
            case InitializerSyntax single when opaque -> problem(single.span(),
                    "a " + declared.type() + " is described by properties in braces, such as {width = 5}");
            case InitializerSyntax.Property property -> problem(property.span(), "only textures, samplers and surfaces have properties");
            case InitializerSyntax.Value _, InitializerSyntax.Symbol _ when depth < dimensions.length ->
                    problem(value.span(), "a list in braces is expected; found a single value");
            case InitializerSyntax.Value single -> single(single, (int) offset);
            case InitializerSyntax.Symbol symbol -> symbol(symbol, (int) offset);
        }
    }

    private void list(InitializerSyntax.Elements elements, int depth, long offset) {
        int count = elements.list().size();
        if (count > dimensions[depth]) {
            problem(elements.list().get((int) dimensions[depth]).span(), "more elements than the " + dimensions[depth] + " declared");
            return;
        }
        if (declared.lanes() > 1 && depth == dimensions.length - 1 && count < declared.lanes()) {
            problem(elements.span(), "a vector has " + declared.lanes() + " elements; found " + count);
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

    private void property(InitializerSyntax element) {
        Set<String> known = OpaqueProperties.of(declared.type());
        if (!(element instanceof InitializerSyntax.Property property)) {
            problem(element.span(), "a " + declared.type() + " is described by properties, such as width = 5");
        } else if (!known.contains(property.name())) {
            problem(property.span(), "a " + declared.type() + " has no property '" + property.name() + "'; there are " + known);
        } else if (property.word() != null && !OpaqueProperties.WORDS.contains(property.word())) {
            problem(property.span(), "a property is a number or one of " + OpaqueProperties.WORDS);
        }
    }

    private void single(InitializerSyntax.Value value, int offset) {
        ScalarType type = declared.type();
        Operand.Immediate bits = type == ScalarType.F16 || type == ScalarType.F16X2 ? null
                : type.kind() == ScalarType.Kind.BITS && type.bits() <= Long.SIZE ? bits(value.constant(), type)
                        : Immediates.of(value.constant(), type);
        if (bits == null) {
            problem(value.span(), "a " + type + " takes no such initial value");
            return;
        }
        if (type == ScalarType.F64 && features.dialect().mapsDoubles()) {
            bits = new Operand.Immediate(type, Integer.toUnsignedLong(Float.floatToRawIntBits((float) Double.longBitsToDouble(bits.bits()))));
        }
        write(offset, bits.bits(), Math.min(Long.BYTES, type.bytes()));
        if (type.bytes() > Long.BYTES) {
            write(offset + Long.BYTES, 0, Long.BYTES);
        }
    }

    /** Of a real number an untyped variable holds the bits, as {@code .f64} in 64 bits, else the low ones as {@code .f32}. */
    private static Operand.Immediate bits(Constant constant, ScalarType type) {
        return switch (constant) {
            case Constant.Whole whole -> Immediates.of(whole, type);
            case Constant.Single(int bits) -> new Operand.Immediate(type, bits & 0xFFFF_FFFFL);
            case Constant.Real(double real) -> new Operand.Immediate(type, type.bits() == Long.SIZE
                    ? Double.doubleToRawLongBits(real) : Float.floatToRawIntBits((float) real) & 0xFFFF_FFFFL);
        };
    }

    private void symbol(InitializerSyntax.Symbol symbol, int offset) {
        boolean allowed = (symbol.mask() == ALL || features.need(symbol.span(), Construct.MASK))
                && (!symbol.generic() || features.need(symbol.span(), Construct.GENERIC));
        good &= allowed;
        String name = symbol.name();
        switch (scope.find(symbol.name())) {
            case Symbol.OfVariable(var variable, boolean _, boolean _)
                    when variable.space() == StateSpace.GLOBAL || variable.space() == StateSpace.CONST -> name = variable.name();
            case Symbol.OfFunction _ when symbol.mask() == ALL && (symbol.generic() || symbol.offset() != 0) ->
                    problem(symbol.span(), "of a function the bare name is its address");
            case Symbol.OfFunction function -> name = function.name();
            case null -> {
                diagnostics.report(DiagnosticCode.UNKNOWN_NAME, symbol.span(), "nothing declares '" + symbol.name() + "' before here");
                good = false;
            }
            case Symbol _ -> problem(symbol.span(), "initial addresses are those of .global and .const variables and of functions");
        }
        ScalarType type = declared.type();
        boolean masked = symbol.mask() != ALL;
        if (masked && !oneByte(symbol.mask())) {
            problem(symbol.span(), "a mask selects one byte of an address, such as 0xff or 0xff00; found 0x"
                    + Long.toHexString(symbol.mask()));
        } else if (type.kind() != ScalarType.Kind.UNSIGNED || type.bits() < 32 && !(masked && type.bits() == 8)) {
            problem(symbol.span(), masked ? "a byte of an address needs a .u8, .u32 or .u64 variable; this one is " + type
                    : "an address needs a .u64 or .u32 variable; this one is " + type);
        } else {
            write(offset, 0, type.bytes());
            relocations.add(new Relocation(offset, type.bytes(), name, symbol.offset(), symbol.generic(), symbol.mask()));
        }
    }

    private static boolean oneByte(long mask) {
        int shift = Long.numberOfTrailingZeros(mask);
        return mask != 0 && shift % Byte.SIZE == 0 && mask >>> shift == 0xFF;
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
