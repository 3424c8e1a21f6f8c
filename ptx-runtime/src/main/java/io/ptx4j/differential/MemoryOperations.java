package io.ptx4j.differential;

import io.ptx4j.isa.Family;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.OperandSpec;
import io.ptx4j.isa.Spelling;
import io.ptx4j.isa.StateSpace;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * Random accesses within bounds: each thread has an area of its own in every space it may write, so that results do not depend
 * on the order of threads.
 */
final class MemoryOperations {
    /** Bytes at the start of a thread's slot of {@code out} that random accesses use. */
    static final int AREA = 64;
    /** Bytes of shared memory for each thread. */
    static final int SHARED = 32;
    static final int LOCAL = 32;
    /** Bytes of the {@code .const} table. */
    static final int CONST = 64;
    /** Bytes of the variables of global and shared memory that are never written, at the beginning of the latter. */
    static final int FIXED = 64;
    /**
     * Registers for the addresses of single statements: what other statements write too has no form that lanes share. {@code %ka} (of local memory) and
     * {@code %kf} (of shared memory) hold one constant each, but the last, which nobody writes.
     */
    static final String DECLARATIONS = ".reg .b32 %i<" + MemoryOperations.TEMPORARIES + ">, %ka<4>, %kf<4>; .reg .b64 %b<" + MemoryOperations.TEMPORARIES + ">;";
    private static final int TEMPORARIES = 40;
    private static final int CONSTANT_STEP = 8;
    private static final int CONSTANTS = 4;
    /** Reductions of one place that any order of threads gives the same. */
    static final String[] SUMS = {"add.u32", "add.s32", "min.s32", "max.u32", "and.b32", "or.b32", "xor.b32", "add.u64"};
    private static final int ATTEMPTS = 20;
    /** Elements that loops over the input visit. */
    private static final int MOST_ELEMENTS = 160;
    static final Set<Modifier> LEFT_OUT = EnumSet.of(Modifier.SHARED_CLUSTER, Modifier.CLUSTER, Modifier.MMIO);

    private final SplittableRandom random;
    private final Registers registers;
    private final Instructions instructions;
    private final Consumer<String> lines;
    /** An access with the computation of its address, which a reducer must not take apart. */
    private final StringBuilder line = new StringBuilder();
    private final ArrayAccesses arrays;
    private final Features features;
    private int waits;
    private int strides;
    private int temporaries;

    MemoryOperations(SplittableRandom random, Registers registers, Instructions instructions, Features features, Consumer<String> lines) {
        this.random = random;
        this.registers = registers;
        this.instructions = instructions;
        this.lines = lines;
        this.features = features;
        this.arrays = new ArrayAccesses(random, registers, this::append);
    }

    private Dialect dialect() {
        return registers.dialect();
    }

    private void append(String statement) {
        line.append(line.isEmpty() ? "" : "; ").append(statement);
    }

    private void emit() {
        lines.accept(random.nextInt(4) == 0 ? line.toString() : ownTemporaries(line.toString()));
        line.setLength(0);
    }

    /** The statement with registers for its addresses that few others, or none, use. */
    private String ownTemporaries(String text) {
        String own = text;
        for (String register : List.of("%t0", "%t1", "%a0", "%a1")) {
            if (own.contains(register)) {
                own = own.replace(register, (register.startsWith("%t") ? "%i" : "%b") + temporaries++ % TEMPORARIES);
            }
        }
        return own;
    }

    /** Declares and sets what addresses that are constant in all threads need; first of all shared memory, so that it begins at zero. */
    static void constants(String all, List<String> text) {
        if (all.contains("fixed") || all.contains("%kf")) {
            StringBuilder fill = new StringBuilder(".shared .align 32 .b8 fixed[" + FIXED + "]; mov.u32 %t0, fixed; setp.eq.u32 %edge, %thread, 0;");
            for (int at = 0; at < FIXED; at += Long.BYTES) {
                fill.append(" @%edge st.shared.b64 [%t0+").append(at).append("], %d").append(at / Long.BYTES % 2).append(';');
            }
            text.add(fill + " bar.sync 0;");
        }
        for (int i = 0; i < CONSTANTS - 1; i++) {
            for (String name : List.of("%ka" + i, "%kf" + i)) {
                if (all.contains(name)) {
                    text.add("mov.u32 " + name + ", " + i * CONSTANT_STEP + ";");
                }
            }
        }
    }

    /** A load or store of any row of the table. */
    void access(String guard) {
        boolean store = random.nextInt(5) < 2;
        boolean local = features.localWord() > 0 && random.nextInt(3) == 0;
        Spelling spelling = instructions.spelling(Family.MEMORY, some -> (some.opcode() == (store ? Opcode.ST : Opcode.LD) || !store && some.opcode() == Opcode.LDU) && some.type() != null
                && (!local || some.space() == StateSpace.LOCAL) && some.modifiers().stream().noneMatch(LEFT_OUT::contains) && place(some, store) != null);
        if (spelling != null) {
            write(guard, spelling, place(spelling, store), spelling.type().bytes() * spelling.vectorLength());
        }
    }

    boolean hasRows() {
        return arrays.hasRows();
    }

    /** Loads from the input as programs do whose threads have a place each in an array. */
    void input(String guard) {
        int bits = 32 << random.nextInt(2);
        String address = arrays.input(bits / 8);
        append(guard + "ld.global.b" + bits + " " + registers.ofBits(bits) + ", " + address);
        emit();
    }

    /** Copies input to the thread's shared memory and waits for it. */
    void copy() {
        int bytes = 4 << random.nextInt(3);
        boolean all = random.nextBoolean();
        append("cp.async." + (bytes == 16 && random.nextBoolean() ? "cg" : "ca") + ".shared.global [%sa+" + (random.nextInt(SHARED) & -bytes) + "], [%in+"
                + (random.nextInt(RandomKernel.INPUT * 8) & -bytes) + "], " + bytes + (random.nextInt(3) == 0 ? ", " + random.nextInt(bytes + 1) : ""));
        append(all ? "cp.async.wait_all" : "cp.async.commit_group; cp.async.wait_group 0");
        emit();
    }

    /** All that can be asked of an mbarrier object which the thread has for itself. */
    void barrierObject() {
        new MbarrierStatements(random, registers, instructions, random.nextInt(SHARED / 8) * 8, this::append).some();
        emit();
    }

    /** A loop over elements of the input that lie a grid apart, or a block: as programs are written whose grids may have any size. */
    void strided() {
        String start = "G" + strides++;
        int elements = 1 + random.nextInt(MOST_ELEMENTS);
        int bytes = 4 << random.nextInt(2);
        boolean block = random.nextInt(3) == 0;
        boolean before = random.nextBoolean();
        append(block ? "mov.u32 %t1, %size" : dialect().special("%t1", "nctaid.x") + "; mul.lo.u32 %t1, %t1, %size");
        append("mov.u32 %t0, " + (block ? "%thread" : "%gid"));
        if (before) {
            append("setp.ge.u32 %edge, %t0, " + elements + "; @%edge bra " + start + "E");
        }
        append(start + ": " + (random.nextBoolean() ? "mad.wide.u32 %a0, %t0, " + bytes + ", %in" : "mul.wide.u32 %a0, %t0, " + bytes + "; add.u64 %a0, %a0, %in"));
        append("ld.global.b" + 8 * bytes + " " + registers.ofBits(8 * bytes) + ", [%a0+" + bytes * random.nextInt(4) + "]");
        for (int i = random.nextInt(3); i >= 0; i--) {
            append(instructions.any());
        }
        append("add.u32 %t0, %t0, %t1; setp.lt.u32 %edge, %t0, " + elements + "; @%edge bra " + start + (before ? "; " + start + "E: mov.u32 %t1, 0" : ""));
        emit();
    }

    /** An atomic operation of any row of the table on the thread's own memory, or a reduction that any order of threads gives the same. */
    void atomic(String guard) {
        if (random.nextInt(3) == 0) {
            int sum = random.nextInt(SUMS.length);
            append(guard + "red.global." + SUMS[sum] + " [%sum+" + sum * 8 + "], " + registers.ofBits(SUMS[sum].endsWith("64") ? 64 : 32));
            emit();
            return;
        }
        Spelling spelling = instructions.spelling(Family.ATOMIC, some -> (some.opcode() == Opcode.ATOM || some.opcode() == Opcode.RED)
                && some.type() != null && some.modifiers().stream().noneMatch(LEFT_OUT::contains)
                && (features.results() || some.opcode() == Opcode.RED && !some.type().isFloat())
                && (some.space() == StateSpace.GLOBAL || some.space() == StateSpace.SHARED || some.space() == StateSpace.GENERIC));
        if (spelling != null) {
            write(guard, spelling, place(spelling, true), spelling.type().bytes() * spelling.vectorLength());
        }
    }

    private void write(String guard, Spelling spelling, Place place, int bytes) {
        if (bytes > place.size()) {
            return;
        }
        String address = address(place, bytes);
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            String text = instructions.of(spelling, spec -> spec.role() == OperandSpec.Role.ADDRESS ? address : null);
            if (text != null) {
                append(guard + text);
                emit();
                return;
            }
        }
        line.setLength(0);
    }

    /** Memory that a thread may use: {@code size} bytes from the address in {@code base} on. */
    private record Place(String base, int size) {
    }

    /** Null where there is no memory of that space for this kind of access. */
    private Place place(Spelling spelling, boolean store) {
        Place in = new Place("%in", RandomKernel.INPUT * 8);
        Place out = new Place("%out", AREA);
        if (spelling.has(Modifier.NC) || spelling.opcode() == Opcode.LDU) {
            return in;
        }
        return switch (spelling.space()) {
            case GLOBAL -> store || random.nextBoolean() ? out : random.nextInt(4) == 0 ? new Place("globals", FIXED) : in;
            case SHARED -> !store && random.nextInt(4) == 0 ? new Place("fixed", FIXED) : new Place("%sa", SHARED);
            case LOCAL -> ofLocalWords(spelling) ? new Place("%lo", LOCAL) : null;
            case CONST -> store ? null : new Place("%co", CONST);
            case GENERIC -> generic(store ? out : in);
            default -> null;
        };
    }

    /** Whether the access is one of the elements that local memory has. */
    private boolean ofLocalWords(Spelling spelling) {
        Modifier order = spelling.one(Modifier.Category.ORDER);
        return features.localWord() == 0 || spelling.type().bytes() == features.localWord() && (order == null || order == Modifier.WEAK);
    }

    private Place generic(Place global) {
        return switch (random.nextInt(5)) {
            case 0 -> new Place("%gs", SHARED);
            case 1 -> features.localWord() > 0 ? global : new Place("%gl", LOCAL);
            default -> global;
        };
    }

    private static boolean narrow(String base) {
        return List.of("%sa", "%lo", "%co").contains(base);
    }

    /** The address of that many bytes, aligned; statements that compute it come first. */
    private String address(Place place, int bytes) {
        String symbol = switch (place.base()) {
            case "%lo" -> "local";
            case "%co" -> "table";
            case "fixed", "globals" -> place.base();
            default -> null;
        };
        if (symbol != null && (symbol.equals(place.base()) || random.nextInt(2) == 0)) {
            return constant(symbol, place.size(), bytes);
        }
        if (random.nextInt(2) == 0) {
            String address = switch (place.base()) {
                case "%in" -> arrays.input(bytes);
                case "%out" -> arrays.own(bytes);
                case "%sa" -> arrays.tile(bytes);
                default -> null;
            };
            if (address != null) {
                return address;
            }
        }
        boolean converts = dialect() != Dialect.FIRST && random.nextInt(16) == 0;
        if (converts && place.base().equals("%sa")) {
            append("cvta.to.shared.u64 %a1, %gs");
            return "[%a1+" + (random.nextInt(place.size()) & -bytes) + "]";
        }
        if (converts && (place.base().equals("%in") || place.base().equals("%out"))) {
            append("cvta.to.global.u64 %a1, " + place.base());
            return "[%a1+" + (random.nextInt(place.size()) & -bytes) + "]";
        }
        if (random.nextInt(3) == 0) {
            return "[" + place.base() + "+" + (random.nextInt(place.size()) & -bytes) + "]";
        }
        append("and.b32 %t0, " + registers.word() + ", " + (place.size() - 1 & -bytes));
        if (narrow(place.base())) {
            append("add.u32 %t0, %t0, " + place.base());
            return "[%t0]";
        }
        append("cvt.u64.u32 %a0, %t0");
        append("add.u64 %a0, %a0, " + place.base());
        return "[%a0]";
    }

    /** An address within a variable that is constant, or its beginning and an index. */
    private String constant(String symbol, int size, int bytes) {
        int at = random.nextInt(size) & -bytes;
        boolean wide = symbol.equals("globals");
        boolean first = symbol.equals("fixed") || symbol.equals("local");
        switch (random.nextInt(first ? 6 : 3)) {
            case 0 -> {
                return "[" + symbol + "+" + at + "]";
            }
            case 1 -> {
                append(wide ? "mov.u64 %a0, " + symbol : "mov.u32 %t0, " + symbol);
                return (wide ? "[%a0+" : "[%t0+") + at + "]";
            }
            case 2 -> {
                append("and.b32 %t0, " + registers.word() + ", " + (size - 1 & -bytes));
                append(wide ? "cvt.u64.u32 %a0, %t0; mov.u64 %a1, globals; add.u64 %a0, %a0, %a1" : "mov.u32 %t1, " + symbol + "; add.u32 %t0, %t0, %t1");
                return wide ? "[%a0]" : "[%t0]";
            }
            default -> {
                int constant = random.nextInt(CONSTANTS);
                int base = constant == CONSTANTS - 1 ? 0 : constant * CONSTANT_STEP;
                return (symbol.equals("local") ? "[%ka" : "[%kf") + constant + "+" + (base > at ? "-" + (base - at) : Integer.toString(at - base)) + "]";
            }
        }
    }

    /** All threads write, meet, read what another one wrote, and meet again. */
    void exchange() {
        int kind = random.nextInt(4);
        if (kind < 2) {
            arrays.exchange(this::barrier);
            emit();
            return;
        }
        if (kind == 2 && dialect() != Dialect.FIRST) {
            arrays.count(this::barrier);
            emit();
            return;
        }
        append("st.shared.u32 [%sa+" + 4 * random.nextInt(SHARED / 4) + "], " + registers.word());
        append(barrier());
        append("mov.u32 %t1, sh");
        append("rem.u32 %t0, " + registers.word() + ", %size");
        append("mad.lo.u32 %t0, %t0, " + SHARED + ", %t1");
        append("ld.shared.u32 " + registers.word() + ", [%t0+" + 4 * random.nextInt(SHARED / 4) + "]");
        boolean reduces = dialect() != Dialect.FIRST;
        switch (reduces ? random.nextInt(4) : 3) {
            case 0 -> append("bar.red.popc.u32 " + registers.word() + ", 0, " + registers.predicate());
            case 1 -> append("bar.red." + (random.nextBoolean() ? "or" : "and") + ".pred " + registers.predicate() + ", 0, " + registers.predicate());
            default -> append(barrier());
        }
        emit();
    }

    String barrier() {
        if (features.all() && random.nextInt(2) == 0) {
            String wait = "W" + waits++;
            return "mbarrier.arrive.shared.b64 %a1, [%met]; " + wait + ": mbarrier." + (random.nextBoolean() ? "test" : "try")
                    + "_wait.shared.b64 %edge, [%met], %a1; @!%edge bra " + wait;
        }
        return dialect().sync() && random.nextInt(3) == 0 ? "barrier.sync " + random.nextInt(4) : "bar.sync 0";
    }
}
