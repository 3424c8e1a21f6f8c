package io.ptx4j.runtime;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.ptx4j.ir.Variable;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.StateSpace;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class ArgumentsTest {
    private final Device device = Device.builder().engine(new FakeEngine((worker, block) -> { })).memory(1L << 20).open();

    @AfterEach
    void close() {
        device.close();
    }

    private Kernel kernel(ScalarType... types) {
        return device.load(Programs.withKernel(types)).kernel("k");
    }

    private static String refusal(Kernel kernel, Object... values) {
        return assertThrows(LaunchException.class, () -> Arguments.encode(kernel, values)).getMessage();
    }

    @Test
    void eachArgumentLiesAtTheOffsetOfItsParameter() {
        Kernel kernel = kernel(ScalarType.U8, ScalarType.F64, ScalarType.S16, ScalarType.F32, ScalarType.B64);
        DeviceBuffer buffer = device.allocate(16);
        byte[] block = Arguments.encode(kernel, (byte) 3, 2.5, (short) -4, 1.5f, buffer);
        ByteBuffer expected = ByteBuffer.allocate(32).order(ByteOrder.LITTLE_ENDIAN)
                .put(0, (byte) 3).putDouble(8, 2.5).putShort(16, (short) -4).putFloat(20, 1.5f).putLong(24, buffer.address());
        assertArrayEquals(expected.array(), block);
    }

    @Test
    void untypedParametersTakeBothKindsOfTheirSize() {
        Kernel kernel = kernel(ScalarType.B32, ScalarType.B32, ScalarType.B64, ScalarType.B16, ScalarType.B8);
        byte[] block = Arguments.encode(kernel, 1, 1f, 1.0, Float.floatToFloat16(1), true);
        assertEquals(1, ByteBuffer.wrap(block).order(ByteOrder.LITTLE_ENDIAN).getInt(0));
        assertEquals(1f, ByteBuffer.wrap(block).order(ByteOrder.LITTLE_ENDIAN).getFloat(4));
        assertEquals(1.0, ByteBuffer.wrap(block).order(ByteOrder.LITTLE_ENDIAN).getDouble(8));
        assertEquals(0x3C00, ByteBuffer.wrap(block).order(ByteOrder.LITTLE_ENDIAN).getShort(16));
        assertEquals(1, block[18]);
    }

    @Test
    void aStructIsPassedAsItsBytes() {
        Variable struct = Programs.variable(0, "s", StateSpace.PARAM, ScalarType.B8, 3, null);
        var module = Programs.module(List.of(), Map.of(), 0, Programs.kernel("k", List.of(struct), Programs.NO_LIMITS, 0));
        Kernel kernel = device.load(module).kernel("k");
        assertArrayEquals(new byte[] {1, 2, 3}, Arguments.encode(kernel, new byte[] {1, 2, 3}));
        assertArrayEquals(new byte[] {4, 5, 6}, Arguments.encode(kernel, MemorySegment.ofArray(new byte[] {4, 5, 6})));
        assertEquals("kernel k cannot be launched: argument 1, parameter s (3 bytes): expected byte[] or MemorySegment of 3 bytes,"
                + " found byte[] of 4 bytes", refusal(kernel, new byte[4]));
    }

    @Test
    void aWrongCountListsTheParameters() {
        assertEquals("kernel k cannot be launched: 1 argument for 2 parameters: p0 (.u32), p1 (.u64)",
                refusal(kernel(ScalarType.U32, ScalarType.U64), 1));
        assertEquals("kernel k cannot be launched: 2 arguments for 0 parameters", refusal(kernel(), 1, 2));
    }

    @Test
    void aWrongTypeNamesTheParameterAndBothTypes() {
        String start = "kernel k cannot be launched: argument 1, parameter p0 ";
        assertEquals(start + "(.f32): expected float, found int 1", refusal(kernel(ScalarType.F32), 1));
        assertEquals(start + "(.u64): expected DeviceBuffer or long, found int 1000", refusal(kernel(ScalarType.U64), 1000));
        assertEquals(start + "(.u32): expected int, found long 1", refusal(kernel(ScalarType.U32), 1L));
        assertEquals(start + "(.b32): expected int or float, found double 1.0", refusal(kernel(ScalarType.B32), 1.0));
        assertEquals(start + "(.f64): expected double, found null", refusal(kernel(ScalarType.F64), (Object) null));
        assertEquals(start + "(.u32): expected int, found buffer y", refusal(kernel(ScalarType.U32), device.allocate("y", 4)));
        assertEquals(start + "(.u64): expected DeviceBuffer or long, found float[]; copy it into a DeviceBuffer (Device.copyOf)",
                refusal(kernel(ScalarType.U64), (Object) new float[3]));
        assertEquals(start + "(.s16): expected short, found java.lang.String", refusal(kernel(ScalarType.S16), "x"));
    }

    @Test
    void buffersMustBeOpenAndOfTheSameDevice() {
        Kernel kernel = kernel(ScalarType.U64);
        DeviceBuffer closed = device.allocate("gone", 4);
        closed.close();
        assertEquals("argument 1, parameter p0 (.u64): buffer gone is closed",
                assertThrows(IllegalStateException.class, () -> Arguments.encode(kernel, closed)).getMessage());
        try (Device other = Device.builder().engine(device.engine()).memory(1L << 20).open()) {
            assertEquals("kernel k cannot be launched: argument 1, parameter p0 (.u64): buffer far belongs to another device",
                    refusal(kernel, other.allocate("far", 4)));
        }
    }
}
