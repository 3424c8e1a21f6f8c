package io.ptx4j.agreement;

import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.ptx4j.differential.Spellings;
import io.ptx4j.engine.Engine;
import io.ptx4j.interpreter.Interpreter;
import io.ptx4j.isa.Family;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.Spelling;
import io.ptx4j.jit.Jit;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import io.ptx4j.runtime.PtxModule;
import io.ptx4j.syntax.SourceFile;

import java.math.BigInteger;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Every spelling of the extended-precision instructions with CC.CF 0 and 1, result and flag, on all engines against exact numbers. */
final class CarryModelsTest {
    private static final int JIT_THREADS = 1 << (Boolean.getBoolean("ptx4j.long") ? 20 : 14);
    private static final int INTERPRETER_THREADS = 1 << 10;
    private static final int BLOCK = 128;
    private static long checked;

    private static Device interpreter;
    private static Device scalar;
    private static Device vector;

    @BeforeAll
    static void open() {
        interpreter = device(new Interpreter());
        scalar = device(new Jit(Jit.Shape.SCALAR));
        vector = device(new Jit(Jit.Shape.VECTOR));
    }

    private static Device device(Engine engine) {
        return Device.builder().engine(engine).memory(1 << 28).open();
    }

    @AfterAll
    static void close() {
        interpreter.close();
        scalar.close();
        vector.close();
        System.out.printf("%-18s %,13d results checked against exact models%n", Family.EXTENDED_PRECISION, checked);
    }

    @TestFactory
    Stream<DynamicTest> everySpelling() {
        return Stream.of(Opcode.values()).flatMap(opcode -> opcode.forms().stream()).filter(form -> form.family() == Family.EXTENDED_PRECISION)
                .flatMap(form -> Spellings.all(form).stream()).map(spelling -> dynamicTest(spelling.text(), () -> {
                    check(spelling, scalar, JIT_THREADS);
                    check(spelling, vector, INTERPRETER_THREADS);
                    check(spelling, interpreter, INTERPRETER_THREADS);
                }));
    }

    /** Sets the flag to the lowest bit of the fourth source, and reads it behind the instruction. */
    static String kernel(Spelling spelling) {
        int width = spelling.type().bits();
        int sources = spelling.form().operands().size() - 1;
        StringBuilder text = new StringBuilder("""
                .version 9.0
                .target sm_90
                .address_size 64
                .visible .entry probe(.param .u64 sources, .param .u64 results)
                {
                .reg .b32 %%t<4>; .reg .b64 %%a<4>; .reg .b32 %%c<3>; .reg .b%1$d %%s<3>; .reg .b%1$d %%d;
                ld.param.u64 %%a0, [sources]; ld.param.u64 %%a1, [results];
                mov.u32 %%t0, %%tid.x; mov.u32 %%t1, %%ctaid.x; mov.u32 %%t2, %%ntid.x; mad.lo.u32 %%t0, %%t1, %%t2, %%t0;
                mul.wide.u32 %%a2, %%t0, 32; add.u64 %%a0, %%a0, %%a2;
                mul.wide.u32 %%a2, %%t0, 16; add.u64 %%a1, %%a1, %%a2;
                ld.global.b32 %%c0, [%%a0+24]; and.b32 %%c0, %%c0, 1;
                """.formatted(width));
        for (int k = 0; k < sources; k++) {
            text.append("ld.global.b").append(width).append(" %s").append(k).append(", [%a0+").append(8 * k).append("];\n");
        }
        text.append("add.cc.u32 %c1, %c0, -1;\n").append(spelling.text()).append(" %d");
        for (int k = 0; k < sources; k++) {
            text.append(", %s").append(k);
        }
        return text.append(";\naddc.u32 %c2, 0, 0;\nst.global.b").append(width).append(" [%a1], %d;\nst.global.b32 [%a1+8], %c2;\nexit;\n}\n").toString();
    }

    private static void check(Spelling spelling, Device device, int threads) {
        ScalarType type = spelling.type();
        long[] sources = SourceValues.of(Collections.nCopies(4, type), threads, spelling.text().hashCode());
        long[] found;
        try (PtxModule loaded = device.load(new SourceFile("carry.ptx", kernel(spelling))); DeviceBuffer in = device.copyOf(sources);
                DeviceBuffer out = device.allocateLongs(2L * threads)) {
            loaded.kernel("probe").grid(threads / BLOCK).block(BLOCK).launch(in, out);
            found = out.toLongs();
        }
        long mask = Model.mask(type.bits());
        for (int thread = 0; thread < threads; thread++) {
            long[] expected = expected(spelling, sources[4 * thread] & mask, sources[4 * thread + 1] & mask, sources[4 * thread + 2] & mask,
                    (int) sources[4 * thread + 3] & 1);
            if (expected[0] != found[2 * thread] || expected[1] != found[2 * thread + 1]) {
                Assertions.fail("%s of %x %x %x with CC.CF %d: expected %x and CC.CF %d, found %x and %d".formatted(spelling,
                        sources[4 * thread] & mask, sources[4 * thread + 1] & mask, sources[4 * thread + 2] & mask, sources[4 * thread + 3] & 1,
                        expected[0], expected[1], found[2 * thread], found[2 * thread + 1]));
            }
        }
        checked += 2L * threads;
    }

    /** Result and flag, as numbers without an end; after a subtraction the flag says that nothing was borrowed. */
    private static long[] expected(Spelling spelling, long a, long b, long c, int flag) {
        int n = spelling.type().bits();
        BigInteger modulus = BigInteger.ONE.shiftLeft(n);
        boolean subtracts = spelling.opcode() == Opcode.SUB || spelling.opcode() == Opcode.SUBC;
        boolean reads = List.of(Opcode.ADDC, Opcode.SUBC, Opcode.MADC).contains(spelling.opcode());
        boolean product = spelling.opcode() == Opcode.MAD || spelling.opcode() == Opcode.MADC;
        boolean signed = spelling.type().signed();
        BigInteger first = product ? part(spelling, value(a, n, signed).multiply(value(b, n, signed)), modulus) : value(a, n, false);
        BigInteger second = value(product ? c : b, n, false);
        BigInteger in = BigInteger.valueOf(reads ? flag : subtracts ? 1 : 0);
        BigInteger sum = subtracts ? first.add(modulus.subtract(BigInteger.ONE).subtract(second)).add(in) : first.add(second).add(in);
        long out = spelling.has(Modifier.CC) ? sum.shiftRight(n).longValue() & 1 : flag;
        if (!spelling.has(Modifier.SAT) || product) {
            return new long[] {sum.mod(modulus).longValue(), out};
        }
        BigInteger x = value(first.longValue(), n, true);
        BigInteger y = value(second.longValue(), n, true);
        BigInteger exact = subtracts ? x.subtract(y).subtract(BigInteger.ONE.subtract(in)) : x.add(y).add(in);
        BigInteger limit = BigInteger.ONE.shiftLeft(n - 1);
        return new long[] {exact.max(limit.negate()).min(limit.subtract(BigInteger.ONE)).mod(modulus).longValue(), out};
    }

    private static BigInteger part(Spelling spelling, BigInteger product, BigInteger modulus) {
        return (spelling.has(Modifier.HI) ? product.shiftRight(Math.max(32, spelling.type().bits())) : product).mod(modulus);
    }

    private static BigInteger value(long bits, int n, boolean signed) {
        BigInteger value = BigInteger.valueOf(bits).mod(BigInteger.ONE.shiftLeft(n));
        return signed && value.testBit(n - 1) ? value.subtract(BigInteger.ONE.shiftLeft(n)) : value;
    }
}
