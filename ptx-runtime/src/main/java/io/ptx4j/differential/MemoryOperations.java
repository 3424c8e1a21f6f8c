package io.ptx4j.differential;

import io.ptx4j.isa.ScalarType;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * Random accesses within bounds: each thread has an area of its own in every space it may write, so that results do not depend
 * on the order of threads.
 */
final class MemoryOperations {
    /** Bytes at the start of a thread's slot of {@code out} that random accesses use. */
    static final int AREA = 128;
    /** Bytes of shared memory for each thread. */
    static final int SHARED = 64;
    static final int LOCAL = 64;
    private static final ScalarType[] TYPES = {ScalarType.B8, ScalarType.B16, ScalarType.B32, ScalarType.B64, ScalarType.U8, ScalarType.U16,
        ScalarType.U32, ScalarType.U64, ScalarType.S8, ScalarType.S16, ScalarType.S32, ScalarType.S64, ScalarType.F32, ScalarType.F64};
    private static final String[] SUMS = {"add.u32", "add.s32", "min.s32", "max.u32", "and.b32", "or.b32", "xor.b32", "add.u64"};
    private static final String[] OWN = {"add.u32", "exch.b32", "min.s32", "max.u64", "and.b64", "xor.b32", "inc.u32", "dec.u32", "add.f32", "add.f64"};

    private final SplittableRandom random;
    private final Registers registers;
    private final Consumer<String> lines;
    /** An access with the computation of its address, which a reducer must not take apart. */
    private final StringBuilder line = new StringBuilder();

    MemoryOperations(SplittableRandom random, Registers registers, Consumer<String> lines) {
        this.random = random;
        this.registers = registers;
        this.lines = lines;
    }

    private void append(String statement) {
        line.append(line.isEmpty() ? "" : "; ").append(statement);
    }

    private void emit() {
        lines.accept(line.toString());
        line.setLength(0);
    }

    void access(String guard) {
        ScalarType type = TYPES[random.nextInt(TYPES.length)];
        int elements = random.nextInt(5) > 0 ? 1 : type.bytes() <= 4 && random.nextBoolean() ? 4 : 2;
        String value = value(type, elements);
        int bytes = type.bytes() * elements;
        String suffix = (elements == 1 ? "" : ".v" + elements) + type;
        boolean store = random.nextInt(5) < 2;
        switch (random.nextInt(store ? 4 : 5)) {
            case 0 -> access(guard, store, ".global", suffix, wide("%out", AREA, bytes), value);
            case 1 -> access(guard, store, random.nextBoolean() ? "" : ".global", suffix, wide("%out", AREA, bytes), value);
            case 2 -> access(guard, store, ".shared", suffix, narrow("%sa", SHARED, bytes), value);
            case 3 -> access(guard, store, ".local", suffix, narrow("%lo", LOCAL, bytes), value);
            default -> access(guard, false, random.nextBoolean() ? ".global" : ".global.nc", suffix, wide("%in", RandomKernel.INPUT * 8, bytes), value);
        }
        emit();
    }

    private void access(String guard, boolean store, String space, String suffix, String address, String value) {
        append(guard + (store ? "st" + space + suffix + " " + address + ", " + value : "ld" + space + suffix + " " + value + ", " + address));
    }

    /** One register, or as many different ones of one width. */
    private String value(ScalarType type, int elements) {
        String first = null;
        while (first == null) {
            first = registers.of(type, type.bits() < 16 || elements == 1);
        }
        List<String> names = new ArrayList<>(List.of(first));
        int bits = Registers.bitsOf(first);
        while (names.size() < elements) {
            String name = registers.ofBits(bits);
            if (!names.contains(name)) {
                names.add(name);
            }
        }
        return elements == 1 ? first : "{" + String.join(", ", names) + "}";
    }

    private String wide(String base, int area, int bytes) {
        if (random.nextInt(3) == 0) {
            return "[" + base + "+" + (random.nextInt(area) & -bytes) + "]";
        }
        append("and.b32 %t0, " + registers.word() + ", " + (area - 1 & -bytes));
        append("cvt.u64.u32 %a0, %t0");
        append("add.u64 %a0, %a0, " + base);
        return "[%a0]";
    }

    private String narrow(String base, int area, int bytes) {
        if (random.nextInt(3) == 0) {
            return "[" + base + "+" + (random.nextInt(area) & -bytes) + "]";
        }
        append("and.b32 %t0, " + registers.word() + ", " + (area - 1 & -bytes));
        append("add.u32 %t0, %t0, " + base);
        return "[%t0]";
    }

    /** A reduction into {@code sums}, whose result does not depend on order, or an atomic operation on the thread's own memory. */
    void atomic(String guard) {
        if (random.nextBoolean()) {
            int sum = random.nextInt(SUMS.length);
            append(guard + "red.global." + SUMS[sum] + " [%sum+" + sum * 8 + "], "
                    + (SUMS[sum].endsWith("64") ? registers.ofBits(64) : registers.word()));
            emit();
            return;
        }
        boolean shared = random.nextBoolean();
        if (random.nextInt(4) == 0) {
            boolean wide = random.nextBoolean();
            String address = shared ? narrow("%sa", SHARED, 8) : wide("%out", AREA, 8);
            append(guard + "atom." + (shared ? "shared" : "global") + ".cas.b" + (wide ? 64 : 32) + " " + registers.ofBits(wide ? 64 : 32) + ", "
                    + address + ", " + registers.ofBits(wide ? 64 : 32) + ", " + registers.ofBits(wide ? 64 : 32));
            emit();
            return;
        }
        String operation = OWN[random.nextInt(OWN.length)];
        int bits = operation.endsWith("64") ? 64 : 32;
        String address = shared ? narrow("%sa", SHARED, 8) : wide("%out", AREA, 8);
        append(guard + "atom." + (shared ? "shared" : "global") + "." + operation + " " + registers.ofBits(bits) + ", " + address + ", "
                + registers.ofBits(bits));
        emit();
    }

    /** All threads write, meet, read what another one wrote, and meet again. */
    void exchange() {
        append("st.shared.b32 [%sa+" + 4 * random.nextInt(SHARED / 4) + "], " + registers.word());
        append("bar.sync 0");
        append("mov.b32 %t1, sh");
        append("mov.u32 %t0, %ntid.x");
        append("rem.u32 %t0, " + registers.word() + ", %t0");
        append("mad.lo.u32 %t0, %t0, " + SHARED + ", %t1");
        append("ld.shared.b32 " + registers.word() + ", [%t0+" + 4 * random.nextInt(SHARED / 4) + "]");
        switch (random.nextInt(4)) {
            case 0 -> append("bar.red.popc.u32 " + registers.word() + ", 0, " + registers.predicate());
            case 1 -> append("bar.red.or.pred " + registers.predicate() + ", 0, " + registers.predicate());
            default -> append("bar.sync 0");
        }
        emit();
    }
}
