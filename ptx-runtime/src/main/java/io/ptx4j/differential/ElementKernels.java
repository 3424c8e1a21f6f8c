package io.ptx4j.differential;

import io.ptx4j.isa.Family;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.OperandSpec;
import io.ptx4j.isa.Spelling;
import io.ptx4j.isa.StateSpace;
import io.ptx4j.runtime.Dim3;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Kernels as most programs have some: each thread has a place in arrays, reads what lies there, computes and writes it back, and threads beyond the end leave at the beginning. Half of them also have
 * structures ({@link RecordAccesses}). Engines run neighbouring blocks of such kernels together.
 */
final class ElementKernels {
    private static final int[] BLOCKS = {32, 32, 64, 96, 128};
    /** Of how many kernels one has blocks of another size, which are no whole warps. */
    private static final int ODD_BLOCKS = 10;
    private static final int MOST_BLOCK = 128;
    private static final int MOST_THREADS = 480;
    private static final int MOST_OFFSET = 7;
    /** Most statements but for loads of first values and stores. Blocks run together where there are few. */
    private static final int MOST_SIZE = 12;
    /** How many there are with loads and stores of structures. */
    private static final int LEAST_RECORDS = 2;
    private static final int MOST_RECORDS = 25;
    /** Of how many statements one loads, one is about the thread's place, one is of any family, and one about threads or memory that lie otherwise. */
    private static final int LOADS = 4;
    private static final int PLACES = 10;
    private static final int ANY = 80;
    private static final int OTHERS = 80;
    /** Of how many registers one that is first read holds a constant. */
    private static final int CONSTANTS = 5;
    private static final List<Family> FAMILIES = List.of(Family.INTEGER, Family.INTEGER, Family.LOGIC, Family.FLOATING_POINT, Family.FLOATING_POINT, Family.COMPARISON, Family.CONVERSION,
            Family.HALF_PRECISION, Family.HALF_PRECISION, Family.MIXED_PRECISION, Family.DATA_MOVEMENT);
    private static final int WORD = 4;
    private static final int MOST_BYTES = 16;

    private final SplittableRandom random;
    private final Dialect dialect;
    private final Registers registers;
    private final Instructions instructions;
    private final List<String> body = new ArrayList<>();
    /** Null in kernels without structures. */
    private final RecordAccesses records;
    /** Registers of addresses and indices so far: each is written once, as compilers do. */
    private int places;
    private int indices;

    private ElementKernels(SplittableRandom random, Dialect dialect, Registers registers, boolean structures) {
        this.random = random;
        this.dialect = dialect;
        this.registers = registers;
        this.instructions = new Instructions(random, registers);
        this.records = structures ? new RecordAccesses(random, registers, this::place, () -> "%i" + indices++, body) : null;
    }

    static RandomKernel of(long seed, SplittableRandom random, Dialect dialect) {
        boolean structures = random.nextBoolean();
        return new ElementKernels(random, dialect, new Registers(random, dialect, structures ? MOST_RECORDS : MOST_SIZE), structures).kernel(seed);
    }

    private RandomKernel kernel(long seed) {
        int size = records == null ? KernelGenerator.between(random, 1, MOST_SIZE) : KernelGenerator.between(random, LEAST_RECORDS, MOST_RECORDS);
        int block = random.nextInt(ODD_BLOCKS) == 0 ? 1 + random.nextInt(MOST_BLOCK) : BLOCKS[random.nextInt(BLOCKS.length)];
        int grid = 2 + random.nextInt(MOST_THREADS / block - 1);
        long[] input = random.longs(RandomKernel.INPUT).map(any -> registers.source()).toArray();
        while (body.size() < size) {
            statement();
        }
        List<String> first = new ArrayList<>();
        guard(first, grid * block);
        KernelGenerator.used(body).forEach(register -> first.add(first(register)));
        List<String> tail = new ArrayList<>();
        int bytes = stores(tail, KernelGenerator.written(body));
        tail.addAll(List.of(random.nextBoolean() ? "exit;" : "ret;", "}"));
        List<String> head = new ArrayList<>(dialect.head().lines().toList());
        head.addAll(List.of((dialect == Dialect.FIRST ? "" : ".visible ") + ".entry " + RandomKernel.NAME + "(.param .u64 in, .param .u64 out, .param .u64 sums)", "{",
                Registers.declarations(dialect, "") + " .reg .b64 %in, %out, %e<" + (places + 1) + ">; .reg .b32 %thread, %block, %size, %blocks, %threads, %gid, %t0, %i<" + (indices + 1)
                + ">; .reg .pred %edge;",
                dialect.special("%thread", "tid.x") + ";",
                dialect.special("%size", "ntid.x") + ";",
                dialect.special("%block", "ctaid.x") + "; mad.lo." + (random.nextBoolean() ? "u32" : "s32") + " %gid, " + (random.nextBoolean() ? "%block, %size" : "%size, %block") + ", %thread;",
                dialect.special("%blocks", "nctaid.x") + "; mul.lo.u32 %threads, %blocks, %size;",
                "ld.param.u64 %in, [in]; ld.param.u64 %out, [out];"));
        if (records != null) {
            head.addAll(List.of(RecordAccesses.DECLARATIONS, RecordAccesses.TWIN));
        }
        head.addAll(first);
        return new RandomKernel(seed, head, List.copyOf(body), tail, false, grid, new Dim3(block, 1, 1), bytes, input, List.of(), null, List.of());
    }

    /** The end of the arrays, before that of the grid or behind it. */
    private void guard(List<String> lines, int threads) {
        int end = threads + random.nextInt(MOST_OFFSET) - random.nextInt(random.nextBoolean() ? MOST_OFFSET : threads);
        String leave = "; @%edge " + (random.nextBoolean() ? "exit;" : "ret;");
        switch (random.nextInt(5)) {
            case 0, 1 -> lines.add("setp.ge.u32 %edge, %gid, " + Math.max(0, end) + leave);
            case 2 -> lines.add("setp.lt.s32 %edge, %gid, " + end + leave.replace("@", "@!"));
            case 3 -> lines.add("setp.le.s32 %edge, " + end + ", %gid" + leave);
            default -> {
                // The grid ends where the arrays do.
            }
        }
    }

    /** What gives a register its first value. */
    private String first(String register) {
        Registers.Kind kind = Registers.Kind.of(register);
        return switch (kind) {
            case PREDICATE -> "setp.gt.s32 " + register + ", %gid, " + random.nextInt(MOST_THREADS) + ";";
            case QUAD -> {
                String half = place();
                yield load("ld.global.b64 " + half, 8) + "; mov.b128 " + register + ", {" + half + ", " + half + "};";
            }
            default -> random.nextInt(CONSTANTS) == 0 ? "mov" + kind.type + " " + register + ", " + registers.constant(kind.type) + ";"
                    : load("ld.global" + kind.type + " " + register, kind.bits / 8) + ";";
        };
    }

    private void statement() {
        if (records != null && random.nextInt(records.dense() ? 20 : 5) > 0) {
            records.some();
        } else if (random.nextInt(LOADS) == 0) {
            load();
        } else if (random.nextInt(PLACES) == 0) {
            body.add(switch (random.nextInt(4)) {
                case 0 -> "mov.b32 " + registers.word() + ", %gid;";
                case 1 -> "cvt.rn.f32.u32 " + registers.any(Registers.Kind.FLOAT) + ", %gid;";
                case 2 -> "mad.lo.s32 " + registers.word() + ", %gid, " + random.nextInt(MOST_OFFSET) + ", " + random.nextInt(MOST_OFFSET) + ";";
                default -> "xor.b32 " + registers.word() + ", %gid, " + registers.word() + ";";
            });
        } else if (random.nextInt(OTHERS) == 0) {
            body.add(switch (random.nextInt(4)) {
                case 0 -> dialect.special(registers.word(), random.nextBoolean() ? "tid.x" : "ctaid.x") + ";";
                case 1 -> "ld.global.b32 " + registers.word() + ", [%in+" + WORD * random.nextInt(MOST_OFFSET) + "];";
                case 2 -> "@" + registers.condition() + " " + instructions.any() + ";";
                default -> instructions.of(Family.EXTENDED_PRECISION) + ";";
            });
        } else {
            body.add((random.nextInt(ANY) == 0 ? instructions.any() : instructions.of(FAMILIES.get(random.nextInt(FAMILIES.size())))) + ";");
        }
    }

    /** A load of any row of the table. */
    private void load() {
        Spelling spelling = instructions.spelling(Family.MEMORY, some -> (some.opcode() == Opcode.LD || some.opcode() == Opcode.LDU) && some.space() == StateSpace.GLOBAL && some.type() != null
                && some.type().bytes() * some.vectorLength() <= MOST_BYTES && some.modifiers().stream().noneMatch(MemoryOperations.LEFT_OUT::contains));
        String text = spelling == null ? null : instructions.of(spelling, spec -> spec.role() == OperandSpec.Role.ADDRESS ? "PLACE" : null);
        if (text != null) {
            int bytes = spelling.type().bytes() * spelling.vectorLength();
            body.add(load(text.substring(0, text.indexOf(", PLACE")), bytes) + text.substring(text.indexOf("PLACE") + "PLACE".length()) + ";");
        }
    }

    private String load(String instruction, int bytes) {
        int offset = random.nextInt(MOST_OFFSET + 1);
        if (random.nextBoolean()) {
            return address("%gid", bytes, "%in") + " " + instruction + ", [%e" + places + "+" + offset * bytes + "]";
        }
        String index = "%i" + indices++;
        return "add.s32 " + index + ", %gid, " + offset + "; " + address(index, bytes, "%in") + " " + instruction + ", [%e" + places + "]";
    }

    private String place() {
        return "%e" + ++places;
    }

    /** Puts the address of an element into the last of the registers for them. */
    private String address(String index, int bytes, String base) {
        String type = random.nextBoolean() ? "u32" : "s32";
        String offset = place();
        String scaled = switch (random.nextInt(3)) {
            case 0 -> null;
            case 1 -> "mul.wide." + type + " " + offset + ", " + index + ", " + bytes + "; ";
            default -> {
                String wide = offset;
                offset = place();
                yield "cvt.u64." + type + " " + wide + ", " + index + "; shl.b64 " + offset + ", " + wide + ", " + Integer.numberOfTrailingZeros(bytes) + "; ";
            }
        };
        if (scaled == null) {
            return "mad.wide." + type + " " + offset + ", " + index + ", " + bytes + ", " + base + ";";
        }
        return scaled + sum(random, place(), base, offset);
    }

    static String sum(SplittableRandom random, String place, String base, String offset) {
        return "add.s64 " + place + ", " + (random.nextBoolean() ? base + ", " + offset : offset + ", " + base) + ";";
    }

    /** Stores registers, each in an array of its own; bytes of all arrays for a thread. */
    private int stores(List<String> lines, Collection<String> written) {
        int at = records == null ? 0 : records.bytes();
        // The widest elements first, so that all are aligned.
        for (int bytes = 8; bytes > 1; bytes /= 2) {
            for (String register : written) {
                Registers.Kind kind = Registers.Kind.of(register);
                if (kind == Registers.Kind.QUAD && bytes == 8) {
                    String low = place();
                    String high = place();
                    lines.add("mov.b128 {" + low + ", " + high + "}, " + register + ";");
                    lines.add(store(low, bytes, at));
                    lines.add(store(high, bytes, at + bytes));
                    at += 2 * bytes;
                } else if (kind == Registers.Kind.PREDICATE && bytes == 4) {
                    lines.add("selp.b32 %t0, 1, 0, " + register + "; " + store("%t0", bytes, at));
                    at += bytes;
                } else if (kind.bits == 8 * bytes) {
                    lines.add(store(register, bytes, at));
                    at += bytes;
                }
            }
        }
        return (at + WORD - 1) & -WORD;
    }

    private String store(String register, int bytes, int at) {
        String offset = place();
        String array = place();
        return "mul.wide.u32 " + offset + ", %threads, " + at + "; add.s64 " + array + ", %out, " + offset + "; " + address("%gid", bytes, array)
                + " st.global.b" + 8 * bytes + " [%e" + places + "], " + register + ";";
    }
}
