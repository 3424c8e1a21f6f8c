package io.ptx4j.runtime;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ptx4j.ir.Initializer;
import io.ptx4j.ir.Initializer.Relocation;
import io.ptx4j.ir.Linkage;
import io.ptx4j.ir.Location;
import io.ptx4j.ir.Variable;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.StateSpace;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class PtxModuleTest {
    private final Device device = Device.builder().engine(new FakeEngine((worker, block) -> { })).memory(1L << 20).open();

    @AfterEach
    void close() {
        device.close();
    }

    private static Initializer bytes(int... values) {
        byte[] bytes = new byte[values.length];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) values[i];
        }
        return new Initializer(bytes, List.of());
    }

    @Test
    void variablesHaveTheirInitialBytesAndZeroBehindThem() {
        Variable table = Programs.variable(0, "table", StateSpace.GLOBAL, ScalarType.U32, 12, bytes(1, 0, 0, 0, 2));
        Variable factor = Programs.variable(1, "factor", StateSpace.CONST, ScalarType.U16, 2, bytes(5, 1));
        try (PtxModule module = device.load(Programs.module(List.of(table, factor), Map.of(factor, 8), 10))) {
            assertArrayEquals(new int[] {1, 2, 0}, module.global("table").toInts());
            assertArrayEquals(new short[] {0x105}, module.global("factor").toShorts());
            assertEquals(module.program().constBase() + 8, module.global("factor").address());
            assertEquals(module.program().address(table), module.global("table").address());
            module.global("table").copyFrom(new int[] {7, 8, 9});
            assertArrayEquals(new int[] {7, 8, 9}, module.global("table").toInts());
            assertEquals(List.of("table", "factor"), module.globals());
        }
        assertEquals(0, device.allocatedBytes());
    }

    @Test
    void addressesInInitialisersAreFilledIn() {
        Variable data = Programs.variable(0, "data", StateSpace.GLOBAL, ScalarType.U8, 64, null);
        Variable limit = Programs.variable(1, "limit", StateSpace.CONST, ScalarType.U8, 4, null);
        Variable pointers = Programs.variable(2, "pointers", StateSpace.GLOBAL, ScalarType.U64, 40, new Initializer(new byte[0], List.of(
                new Relocation(0, 8, "data", 4, false, -1),
                new Relocation(8, 8, "limit", 0, false, -1),
                new Relocation(16, 8, "limit", 1, true, -1),
                new Relocation(24, 1, "data", 0, false, 0xFF00),
                new Relocation(32, 8, "k", 0, false, -1))));
        var module = device.load(Programs.module(List.of(data, limit, pointers), Map.of(limit, 16), 20,
                Programs.kernel("k", List.of(), Programs.NO_LIMITS, 0)));
        long address = module.global("data").address();
        assertArrayEquals(new long[] {address + 4, 16, module.global("limit").address() + 1, address >>> 8 & 0xFF,
                module.program().functionAddress("k")}, module.global("pointers").toLongs());
    }

    @Test
    void undefinedVariablesAreReportedWithTheirPlace() {
        Variable missing = new Variable(0, "missing", StateSpace.GLOBAL, ScalarType.U32, 4, 4, Linkage.EXTERN, null, null, new Location(2, 3));
        var failure = assertThrows(CompilationException.class, () -> device.load(Programs.module(List.of(missing), Map.of(), 0)));
        assertTrue(failure.getMessage().startsWith("test.ptx does not compile:\ntest.ptx:2:3: error: .global variable 'missing'"
                + " is declared .extern and defined nowhere"), failure.getMessage());
    }

    @Test
    void anUnknownKernelListsNamesThatComeNear() {
        var module = device.load(Programs.module(List.of(), Map.of(), 0,
                Programs.kernel("saxpy", List.of(), Programs.NO_LIMITS, 0),
                Programs.kernel("_Z6matmulPf", List.of(), Programs.NO_LIMITS, 0)));
        var unknown = assertThrows(UnknownNameException.class, () -> module.kernel("saxpi"));
        assertEquals("test.ptx has no kernel 'saxpi'; it has 'saxpy', '_Z6matmulPf'", unknown.getMessage());
        assertEquals("_Z6matmulPf", assertThrows(UnknownNameException.class, () -> module.kernel("matmul")).near().getFirst());
        assertEquals("test.ptx has no variable 'x'; it has none at all",
                assertThrows(UnknownNameException.class, () -> module.global("x")).getMessage());
    }

    @Test
    void aClosedModuleGivesOutNothing() {
        Variable table = Programs.variable(0, "table", StateSpace.GLOBAL, ScalarType.U32, 12, null);
        var module = device.load(Programs.module(List.of(table), Map.of(), 0, Programs.kernel("k", List.of(), Programs.NO_LIMITS, 0)));
        Kernel kernel = module.kernel("k");
        DeviceBuffer view = module.global("table");
        view.close();
        assertEquals(12, view.byteSize());
        module.close();
        module.close();
        assertThrows(IllegalStateException.class, view::toInts);
        assertThrows(IllegalStateException.class, () -> module.kernel("k"));
        assertEquals("module test.ptx is closed",
                assertThrows(IllegalStateException.class, () -> kernel.grid(1).block(1).launch()).getMessage());
    }
}
