package io.ptx4j.runtime;

import io.ptx4j.engine.AddressSpace;
import io.ptx4j.ir.Variable;
import io.ptx4j.isa.ScalarType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.stream.Collectors;

/** Lays arguments out as the kernel's parameter block, once each is known to fit its parameter. */
final class Arguments {
    private final Kernel kernel;
    private final ByteBuffer block;

    private Arguments(Kernel kernel) {
        this.kernel = kernel;
        this.block = ByteBuffer.allocate(kernel.checked().parameterBytes()).order(ByteOrder.LITTLE_ENDIAN);
    }

    static byte[] encode(Kernel kernel, Object... values) {
        int expected = kernel.parameters().size();
        if (values.length != expected) {
            throw new LaunchException(kernel.name(), values.length + (values.length == 1 ? " argument" : " arguments") + " for "
                    + expected + (expected == 1 ? " parameter" : " parameters") + kernel.parameters().stream()
                            .map(Kernel.Parameter::toString).collect(Collectors.joining(", ", expected == 0 ? "" : ": ", "")));
        }
        Arguments arguments = new Arguments(kernel);
        for (int i = 0; i < expected; i++) {
            arguments.put(i, values[i]);
        }
        return arguments.block.array();
    }

    private void put(int index, Object value) {
        Variable parameter = kernel.checked().parameters().get(index);
        int at = kernel.checked().parameterOffsets().get(index);
        boolean fits = switch (value) {
            case null -> false;
            case DeviceBuffer buffer -> putAddress(index, at, buffer);
            case MulticastBuffer buffer -> putAddress(index, at, buffer);
            case ImageObject object -> putAddress(index, at, object.descriptor());
            case Long number -> whole(parameter, 64) && put(() -> block.putLong(at, number));
            case Integer number -> whole(parameter, 32) && put(() -> block.putInt(at, number));
            case Short number -> (whole(parameter, 16) || half(parameter)) && put(() -> block.putShort(at, number));
            case Byte number -> whole(parameter, 8) && put(() -> block.put(at, number));
            case Boolean truth -> whole(parameter, 8) && put(() -> block.put(at, (byte) (truth ? 1 : 0)));
            case Float number -> real(parameter, ScalarType.F32) && put(() -> block.putFloat(at, number));
            case Double number -> real(parameter, ScalarType.F64) && put(() -> putDouble(parameter, at, number));
            case byte[] bytes -> bytes.length == parameter.bytes() && put(() -> block.put(at, bytes));
            case MemorySegment bytes -> bytes.byteSize() == parameter.bytes()
                    && put(() -> block.put(at, bytes.toArray(ValueLayout.JAVA_BYTE)));
            default -> false;
        };
        if (!fits) {
            throw wrong(index, "expected " + expected(parameter) + ", found " + found(value));
        }
    }

    /** Where the module maps doubles to singles, an {@code .f64} parameter has the single in its lower half. */
    private void putDouble(Variable parameter, int at, double number) {
        if (parameter.type() == ScalarType.F64 && kernel.module().checked().mapsDoubles()) {
            block.putFloat(at, (float) number);
        } else {
            block.putDouble(at, number);
        }
    }

    /** So that storing can stand in a condition. */
    private static boolean put(Runnable store) {
        store.run();
        return true;
    }

    private boolean putAddress(int index, int at, DeviceBuffer buffer) {
        Variable parameter = kernel.checked().parameters().get(index);
        if (buffer.device() != kernel.module().device()) {
            throw wrong(index, "buffer " + buffer.name() + " belongs to another device");
        }
        if (buffer.closed()) {
            throw new IllegalStateException("argument " + place(index) + ": buffer " + buffer.name() + " is closed");
        }
        long address = buffer.address();
        if (whole(parameter, 64) || parameter.type().kind() == ScalarType.Kind.OPAQUE) {
            block.putLong(at, address);
            return true;
        }
        if (whole(parameter, 32) && kernel.module().checked().addressBits() == 32) {
            if (address - AddressSpace.BASE >>> 32 != 0) {
                throw wrong(index, "buffer " + buffer + " lies too high for the 32-bit addresses of the module");
            }
            block.putInt(at, (int) address);
            return true;
        }
        return false;
    }

    private boolean putAddress(int index, int at, MulticastBuffer buffer) {
        if (buffer.device() != kernel.module().device()) {
            throw wrong(index, "multicast buffer " + buffer.name() + " belongs to another device");
        }
        long address = buffer.address();
        return whole(kernel.checked().parameters().get(index), 64) && put(() -> block.putLong(at, address));
    }

    private static boolean whole(Variable parameter, int bits) {
        return scalar(parameter) && parameter.type().isInteger() && parameter.type().bits() == bits;
    }

    private static boolean half(Variable parameter) {
        return scalar(parameter) && parameter.type().isFloat() && parameter.type().bits() == 16;
    }

    private static boolean real(Variable parameter, ScalarType type) {
        return scalar(parameter) && (parameter.type() == type || parameter.type() == ScalarType.bitsOf(type.bits()));
    }

    private static boolean scalar(Variable parameter) {
        return parameter.bytes() == parameter.type().bytes();
    }

    private LaunchException wrong(int index, String problem) {
        return new LaunchException(kernel.name(), "argument " + place(index) + ": " + problem);
    }

    private String place(int index) {
        return (index + 1) + ", parameter " + kernel.parameters().get(index);
    }

    private static String expected(Variable parameter) {
        if (!scalar(parameter)) {
            return "byte[] or MemorySegment of " + parameter.bytes() + " bytes";
        }
        ScalarType type = parameter.type();
        if (type.kind() == ScalarType.Kind.OPAQUE) {
            return "Texture, Surface or SamplerObject";
        }
        String whole = type.isInteger() ? switch (type.bits()) {
            case 8 -> "byte";
            case 16 -> "short";
            case 32 -> type == ScalarType.B32 ? "int or float" : "int";
            case 64 -> "DeviceBuffer or long" + (type == ScalarType.B64 ? " or double" : "");
            default -> "byte[]";
        } : "";
        return !whole.isEmpty() ? whole : switch (type) {
            case F32 -> "float";
            case F64 -> "double";
            case F16 -> "short with the bits of an f16 (Float.floatToFloat16)";
            case BF16 -> "short with the bits of a bf16";
            default -> "byte[] of " + parameter.bytes() + " bytes";
        };
    }

    private static String found(Object value) {
        return switch (value) {
            case null -> "null";
            case byte[] bytes -> "byte[] of " + bytes.length + " bytes";
            case MemorySegment bytes -> "MemorySegment of " + bytes.byteSize() + " bytes";
            case DeviceBuffer buffer -> "buffer " + buffer.name();
            case MulticastBuffer buffer -> "multicast buffer " + buffer.name();
            case ImageObject object -> object.getClass().getSimpleName();
            case Integer number -> "int " + number;
            case Long number -> "long " + number;
            case Float number -> "float " + number;
            case Double number -> "double " + number;
            case Short number -> "short " + number;
            case Byte number -> "byte " + number;
            case Boolean truth -> "boolean " + truth;
            case Object other when other.getClass().isArray() -> other.getClass().getSimpleName()
                    + "; copy it into a DeviceBuffer (Device.copyOf)";
            default -> value.getClass().getName();
        };
    }
}
