package io.ptx4j.runtime;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ptx4j.check.CheckedModule;
import io.ptx4j.check.Checker;
import io.ptx4j.differential.Spellings;
import io.ptx4j.engine.Engine;
import io.ptx4j.interpreter.Interpreter;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.Spelling;
import io.ptx4j.jit.Jit;
import io.ptx4j.syntax.SourceFile;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class MulticastBufferTest {
    private static final String ADD = """
            .version 8.6
            .target sm_90
            .address_size 64
            .visible .entry add(.param .u64 m) { .reg .b64 %m; ld.param.u64 %m, [m];
            multimem.red.add.u32 [%m+4], 1; exit; }
            """;
    private static final String HEAD = """
            .version 9.0
            .target sm_100a
            .address_size 64
            .visible .entry k(.param .u64 m, .param .u64 o) {
            .reg .b64 %m, %o, %d<8>; .reg .b8 %b<8>; .reg .b16 %h<8>; .reg .b32 %r<8>; ld.param.u64 %m, [m]; ld.param.u64 %o, [o];
            """;
    private static final int REPLICAS = 3;
    private static final boolean LONG = Boolean.getBoolean("ptx4j.long");

    private final Device device = Device.builder().workers(8).memory(1L << 26).open();

    @AfterEach
    void close() {
        device.close();
    }

    private DeviceBuffer[] replicas(int count, int ints) {
        return IntStream.range(0, count).mapToObj(r -> device.allocateInts(ints).named("x" + r)).toArray(DeviceBuffer[]::new);
    }

    @Test
    void everyReplicaCountsAllThreadsOfAllWorkers() {
        DeviceBuffer[] replicas = replicas(4, 2);
        MulticastBuffer multicast = device.multicast(replicas);
        device.load("add.ptx", ADD).kernel("add").grid(50).block(100).launch(multicast);
        for (DeviceBuffer replica : replicas) {
            assertArrayEquals(new int[] {0, 5000}, replica.toInts());
        }
        assertEquals(List.of(replicas), multicast.replicas());
        assertEquals("multicast of x0, x1, x2, x3 (4 replicas of 8 bytes at 0x800000000000)", multicast.toString());
    }

    @Test
    void onlyBuffersOfOneSizeOfThisDeviceAreReplicas() {
        DeviceBuffer[] two = replicas(2, 4);
        assertEquals("a multicast buffer of no buffers", refused());
        assertEquals("multicast buffer: " + two[0] + " stands there twice", refused(two[0], two[1], two[0]));
        DeviceBuffer longer = device.allocateInts(5).named("longer");
        assertEquals("multicast buffer: " + longer + " is not as large as " + two[0], refused(two[0], longer));
        try (Device other = Device.builder().memory(1L << 20).open()) {
            DeviceBuffer foreign = other.allocateInts(4);
            assertEquals("multicast buffer: " + foreign + " belongs to another device", refused(two[0], foreign));
            Kernel kernel = other.load("add.ptx", ADD).kernel("add");
            assertTrue(assertThrows(LaunchException.class, () -> kernel.grid(1).block(1).launch(device.multicast("m", two))).getMessage()
                    .endsWith("multicast buffer m belongs to another device"));
        }
    }

    private String refused(DeviceBuffer... replicas) {
        return assertThrows(IllegalArgumentException.class, () -> device.multicast(replicas)).getMessage();
    }

    @Test
    void withItOrOneOfItsBuffersClosedNobodyReachesTheReplicas() {
        Kernel add = device.load("add.ptx", ADD).kernel("add");
        DeviceBuffer[] replicas = replicas(2, 2);
        MulticastBuffer closed = device.multicast("closed", replicas);
        MulticastBuffer orphan = device.multicast("orphan", replicas);
        long[] addresses = {closed.address(), orphan.address()};
        closed.close();
        closed.close();
        assertEquals("multicast buffer closed is closed", assertThrows(IllegalStateException.class, () -> add.grid(1).block(1).launch(closed)).getMessage());
        assertTrue(failure(add, addresses[0]).startsWith("multimem.red.add.u32 of 4 bytes at 0x800000000004 is out of bounds"));
        add.grid(1).block(1).launch(orphan);
        replicas[1].close();
        assertEquals("buffer x1 of multicast buffer orphan is closed",
                assertThrows(IllegalStateException.class, () -> add.grid(1).block(1).launch(orphan)).getMessage());
        assertTrue(failure(add, addresses[1]).startsWith("multimem.red.add.u32 of 4 bytes at 0x800000020004 is out of bounds"));
        assertArrayEquals(new int[] {0, 1}, replicas[0].toInts());
    }

    private static String failure(Kernel kernel, long address) {
        String message = assertThrows(KernelException.class, () -> kernel.grid(1).block(1).launch(address)).getMessage();
        return message.substring(message.indexOf("multimem"));
    }

    /** So a program that makes the same objects once more is told the same addresses if it fails. */
    @Test
    void whenNoneIsLeftAddressesBeginAnew() {
        DeviceBuffer[] replicas = replicas(2, 2);
        MulticastBuffer first = device.multicast("first", replicas);
        MulticastBuffer second = device.multicast("second", replicas);
        long[] addresses = {first.address(), second.address()};
        first.close();
        MulticastBuffer third = device.multicast("third", replicas);
        assertTrue(third.address() > addresses[1]);
        second.close();
        third.close();
        assertEquals(addresses[0], device.multicast("fourth", replicas).address());
        assertEquals(addresses[1], device.multicast("fifth", replicas).address());
    }

    @Test
    void variablesOfModulesAreReplicasAsLongAsTheirModule() {
        PtxModule module = device.load("v.ptx", ADD.replace(".visible", ".global .align 16 .u32 a[4]; .global .align 16 .u32 b[4];\n.visible"));
        MulticastBuffer multicast = device.multicast(module.global("a"), module.global("b"));
        module.kernel("add").grid(2).block(3).launch(multicast);
        assertArrayEquals(new int[] {0, 6, 0, 0}, module.global("a").toInts());
        assertArrayEquals(new int[] {0, 6, 0, 0}, module.global("b").toInts());
        module.close();
        assertThrows(IllegalStateException.class, multicast::address);
    }

    /** Every spelling of every row, over replicas of random bits; those that differ in the scope alone in the long run. */
    @ParameterizedTest
    @EnumSource(value = Jit.Shape.class, names = {"SCALAR", "VECTOR"})
    void everySpellingDoesTheSameOnBothEngines(Jit.Shape shape) {
        List<Spelling> spellings = Opcode.MULTIMEM.forms().stream().flatMap(form -> Spellings.all(form).stream())
                .filter(spelling -> LONG || spelling.one(Modifier.Category.SCOPE) == null || spelling.has(Modifier.GPU)).toList();
        assertTrue(spellings.size() > 300, "only " + spellings.size());
        for (int from = 0; from < spellings.size(); from += 100) {
            List<Spelling> some = spellings.subList(from, Math.min(spellings.size(), from + 100));
            int[] expected = run(new Interpreter(), some);
            int[] found = run(new Jit(shape), some);
            for (int i = 0; i < expected.length; i++) {
                assertEquals(expected[i], found[i], some.get(i / 4 % some.size()).text() + (i / 4 < some.size() ? ": result" : ": a replica"));
            }
        }
    }

    /** Results of all, and then what stands in the replicas. */
    private static int[] run(Engine engine, List<Spelling> spellings) {
        String text = HEAD + IntStream.range(0, spellings.size()).mapToObj(i -> lines(spellings.get(i), 16 * i)).collect(Collectors.joining()) + "exit; }\n";
        CheckedModule checked = Checker.check(new SourceFile("probe.ptx", text));
        assertTrue(checked.ok(), () -> checked.diagnostics().toString());
        int ints = 4 * spellings.size();
        SplittableRandom random = new SplittableRandom(spellings.getFirst().text().hashCode());
        try (Device device = Device.builder().engine(engine).workers(1).memory(1 << 20).open(); PtxModule module = device.load(checked.module());
                DeviceBuffer results = device.allocateInts(ints)) {
            List<DeviceBuffer> replicas = new ArrayList<>();
            for (int r = 0; r < REPLICAS; r++) {
                replicas.add(device.copyOf(random.ints(ints).toArray()));
            }
            module.kernel("k").grid(1).block(1).launch(device.multicast(replicas.toArray(DeviceBuffer[]::new)), results);
            replicas.addFirst(results);
            return replicas.stream().flatMapToInt(buffer -> Arrays.stream(buffer.toInts())).toArray();
        }
    }

    /** What the instruction stores or adds is what the result of the spelling before it was, or what stands there. */
    private static String lines(Spelling spelling, int offset) {
        int bits = spelling.type().bits();
        String register = "%" + switch (bits) {
            case 8 -> "b";
            case 16 -> "h";
            case 32 -> "r";
            default -> "d";
        };
        int elements = spelling.vectorLength();
        String all = IntStream.range(0, elements).mapToObj(e -> register + e).collect(Collectors.joining(", "));
        String operand = elements > 1 ? "{" + all + "}" : all;
        String address = "[%m+" + offset + "]";
        if (!spelling.has(Modifier.LD_REDUCE)) {
            return spelling.text() + " " + address + ", " + operand + ";\n";
        }
        return spelling.text() + " " + operand + ", " + address + ";\n" + IntStream.range(0, elements)
                .mapToObj(e -> "st.global.b" + bits + " [%o+" + (offset + e * bits / 8) + "], " + register + e + ";\n").collect(Collectors.joining());
    }
}
