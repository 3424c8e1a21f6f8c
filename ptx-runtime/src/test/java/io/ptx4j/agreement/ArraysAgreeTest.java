package io.ptx4j.agreement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.ptx4j.check.CheckedModule;
import io.ptx4j.check.Checker;
import io.ptx4j.differential.Spellings;
import io.ptx4j.interpreter.Interpreter;
import io.ptx4j.ir.Module;
import io.ptx4j.isa.Family;
import io.ptx4j.isa.Form;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.OperandSpec;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.Spelling;
import io.ptx4j.jit.Jit;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import io.ptx4j.runtime.PtxModule;
import io.ptx4j.syntax.SourceFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/**
 * Arithmetic rows, a spelling of each for all types, in kernels whose threads have neighbouring elements of arrays behind one guard: the vector shape runs groups of such kernels one after the other
 * in code of their own, without tests, a vector at a time. The interpreter's results must be the same bits.
 */
@Tag("thorough")
final class ArraysAgreeTest {
    private static final Set<Family> FAMILIES = EnumSet.of(Family.INTEGER, Family.FLOATING_POINT, Family.CONVERSION, Family.HALF_PRECISION, Family.MIXED_PRECISION, Family.COMPARISON, Family.LOGIC,
            Family.DATA_MOVEMENT);
    private static final int BLOCK = 256;
    private static final int BLOCKS = 5;
    /** The last block is not full. */
    private static final int THREADS = BLOCK * BLOCKS - 70;
    private static final int CONSTANT = 0x96;
    private static final int WIDEST = 64;

    private static Device interpreter;
    private static Device vector;

    @BeforeAll
    static void open() {
        interpreter = Device.builder().engine(new Interpreter()).open();
        // One worker, so that blocks are neighbours.
        vector = Device.builder().engine(new Jit(Jit.Shape.VECTOR)).workers(1).open();
    }

    @AfterAll
    static void close() {
        interpreter.close();
        vector.close();
    }

    @TestFactory
    Stream<DynamicTest> eachRow() {
        return Stream.of(Opcode.values()).flatMap(opcode -> opcode.forms().stream()).filter(form -> FAMILIES.contains(form.family())).flatMap(ArraysAgreeTest::probes)
                .map(probe -> dynamicTest(probe.toString(), () -> agree(probe)));
    }

    private static Stream<Probe> probes(Form form) {
        boolean constant = form.operands().stream().anyMatch(OperandSpec::constant);
        boolean optional = form.operands().stream().anyMatch(OperandSpec::optional);
        return Spellings.sameTypes(form).stream().map(same -> new Probe(List.<Spelling>of(same.getFirst()), Probe.Use.NOTHING, constant ? CONSTANT : 0, optional))
                .filter(probe -> Stream.concat(probe.sources().stream(), probe.resultTypes().stream()).allMatch(type -> type.bits() <= WIDEST));
    }

    private static void agree(Probe probe) {
        CheckedModule checked = Checker.check(new SourceFile("probe.ptx", probe.text(THREADS)));
        assertTrue(checked.ok(), () -> checked.diagnostics() + "\n" + probe.text(THREADS));
        List<ScalarType> types = probe.sources();
        long[] sources = SourceValues.of(types, THREADS, probe.toString().hashCode());
        ByteBuffer in = ByteBuffer.allocate(8 * THREADS * Math.max(1, types.size())).order(ByteOrder.LITTLE_ENDIAN);
        for (int k = 0; k < types.size(); k++) {
            int bytes = probe.sourceBytes().get(k);
            for (int i = 0; i < THREADS; i++) {
                for (int b = 0; b < bytes; b++) {
                    in.put(8 * THREADS * k + i * bytes + b, (byte) (sources[i * types.size() + k] >>> 8 * b));
                }
            }
        }
        byte[] expected = run(interpreter, checked.module(), in.array(), probe.results());
        byte[] found = run(vector, checked.module(), in.array(), probe.results());
        for (int at = 0; at < expected.length; at++) {
            if (expected[at] != found[at]) {
                int result = at / (8 * THREADS);
                int thread = at % (8 * THREADS) / probe.resultBytes().get(result);
                assertEquals(expected[at], found[at], "byte " + at + ", result " + result + " of thread " + thread);
            }
        }
    }

    private static byte[] run(Device device, Module module, byte[] sources, int results) {
        try (PtxModule loaded = device.load(module); DeviceBuffer in = device.copyOf(sources); DeviceBuffer out = device.allocate(8L * THREADS * results)) {
            loaded.kernel("probe").grid(BLOCKS).block(BLOCK).launch(in, out);
            return out.toBytes();
        }
    }
}
