package io.ptx4j.differential;

import io.ptx4j.isa.ScalarType;
import io.ptx4j.runtime.Dim3;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Makes a kernel out of a seed: the same one each time. */
public final class KernelGenerator {
    /** Most kernels are small, so that many can be tried. */
    private static final int[] BLOCKS = {1, 2, 3, 31, 32, 32, 33, 64, 96};
    /** Of how many registers one begins with what is one number or affine in each row, in blocks of several rows. */
    private static final int OF_ROWS = 3;
    static final int MOST_BLOCK = 96;
    private static final int MOST_BLOCKS = 3;
    static final int MOST_THREADS = MOST_BLOCKS * MOST_BLOCK;
    private static final Dialect[] DIALECTS = {Dialect.FIRST, Dialect.OLD, Dialect.SM_75, Dialect.SM_75, Dialect.SM_75, Dialect.SM_100, Dialect.SM_100,
        Dialect.SM_100, Dialect.SM_100A, Dialect.SM_120A};
    private static final int WARP = 32;
    private static final int MOST_FUNCTIONS = 4;
    /** Bytes of the elements of local memory; 0 where accesses of any size mix. */
    private static final int[] LOCAL_WORDS = {0, 0, 4, 8};
    private static final int SMALLEST = 5;
    private static final int SMALL = 45;
    private static final int LARGE = 300;
    private static final int LARGEST = 20_000;
    /** Of how many kernels one is large, and of how many one very large. */
    private static final int LARGE_ONES = 100;
    private static final int LARGEST_ONES = 20_000;
    /** Of how many registers one holds one constant at first, and of how many that are only read nobody writes one. */
    private static final int CONSTANT = 8;
    private static final int UNWRITTEN = 8;
    /** Of how many kernels one does nothing but compute elements of arrays from those at the same place. */
    private static final int ELEMENT_ONES = 12;
    /** Of how many kernels one fails, of those of one warp one has a long loop, and of how many one in which HotSpot replaces code while it runs. */
    private static final int FAULTS = 25;
    /** Of how many kernels without images, tensors and clusters one is followed by another one in its module. */
    private static final int SECOND_ONES = 16;
    private static final int LONG_LOOPS = 50;
    /** Of how many kernels of new targets one has a multicast buffer. */
    private static final int MULTICASTS = 8;
    private static final int LONGEST_LOOPS = 1_000;
    private static final int MANY_TURNS = 500;
    private static final int MOST_TURNS = 40_000;
    /** Bytes of the widest access. */
    private static final int SLOT_ALIGNMENT = 32;
    private static final Pattern DESTINATION = Pattern.compile("(?:^|; |\\{ )(?:@\\S+ )?(?!st|red|bar)[a-z][\\w.:]* (\\{[^}]*}(?:\\|%p\\d+)?|\\([^)]*\\)|[^,]*),");
    private static final Pattern REGISTER = Pattern.compile("%[phrdfgx]\\d+\\b");

    private final SplittableRandom random;
    private final Dialect dialect;
    private final Registers registers;
    private final int size;
    private final int block;
    private final BodyGenerator.Warps warps;
    private final long seed;

    private KernelGenerator(long seed, int wanted) {
        this.seed = seed;
        this.random = new SplittableRandom(seed);
        this.dialect = DIALECTS[random.nextInt(DIALECTS.length)];
        int one = random.nextInt(LARGEST_ONES);
        int drawn = one == 0 ? between(random, LARGE, LARGEST) : one % LARGE_ONES == 1 ? between(random, SMALL, LARGE) : between(random, SMALLEST, SMALL);
        this.size = wanted > 0 ? wanted : drawn;
        this.block = BLOCKS[random.nextInt(BLOCKS.length)];
        this.warps = dialect == Dialect.FIRST || random.nextInt(3) > 0 ? BodyGenerator.Warps.NONE
                : block % WARP == 0 && random.nextBoolean() ? BodyGenerator.Warps.FULL : BodyGenerator.Warps.SOME;
        this.registers = new Registers(random, dialect, warps == BodyGenerator.Warps.FULL ? LARGE : size);
    }

    /** Small numbers are as likely as large ones are. */
    static int between(SplittableRandom random, int least, int most) {
        return (int) (least * Math.pow((double) most / least, random.nextDouble()));
    }

    public static RandomKernel generate(long seed) {
        return generate(seed, 0);
    }

    /** @param size about how many statements it is to have; 0 to let the seed choose: mostly 5 to 45, up to 20,000 */
    public static RandomKernel generate(long seed, int size) {
        return new KernelGenerator(seed, size).kernel();
    }

    private RandomKernel kernel() {
        if (size <= SMALL && random.nextInt(ELEMENT_ONES) == 0) {
            return ElementKernels.of(seed, random, dialect);
        }
        int rows = block % 4 == 0 && random.nextInt(4) == 0 ? 2 << random.nextInt(2) : 1;
        Dim3 shape = new Dim3(block / rows, rows, 1);
        int turns = block > WARP + 1 ? 0 : random.nextInt(LONGEST_LOOPS) == 0 ? MOST_TURNS : random.nextInt(LONG_LOOPS) == 0 ? MANY_TURNS : 0;
        int grid = turns > 0 ? 1 : 1 + random.nextInt(MOST_BLOCKS);
        FunctionCalls functions = random.nextInt(8) > 0 ? null : functions();
        List<RandomImage> images = dialect.compareTo(Dialect.SM_75) < 0 || random.nextInt(6) > 0 ? List.of() : RandomImage.some(random);
        long[] input = new long[RandomKernel.INPUT];
        for (int i = 0; i < input.length; i++) {
            input[i] = registers.source();
        }
        // Threads leave a loop that waits at an mbarrier object one after the other, so activemask would show who came when.
        boolean all = warps == BodyGenerator.Warps.NONE && dialect.compareTo(Dialect.SM_100) >= 0 && random.nextInt(3) == 0;
        RandomTensor tensor = all && random.nextInt(2) == 0 ? RandomTensor.some(random, dialect == Dialect.SM_100A, grid == 1) : null;
        List<long[]> replicas = dialect.compareTo(Dialect.SM_100) >= 0 && random.nextInt(MULTICASTS) == 0 ? MulticastStatements.some(random, registers, grid * block) : List.of();
        Features features = new Features(true, functions, all, warps, random.nextInt(5) == 0, LOCAL_WORDS[random.nextInt(LOCAL_WORDS.length)],
                all && random.nextInt(2) == 0, images, tensor, replicas, turns, random.nextInt(FAULTS) == 0, random.nextInt(8) == 0);
        BodyGenerator body = new BodyGenerator(random, registers, features);
        int idle = all || warps != BodyGenerator.Warps.NONE || random.nextInt(5) > 0 ? 0 : random.nextInt(MOST_BLOCK);
        body.statements(size, 0, idle == 0);
        List<String> head = new ArrayList<>(dialect.head().lines().toList());
        for (int i = 0; functions != null && functions.recursive() && i < functions.functions(); i++) {
            head.add(functions.declaration(i) + ";");
        }
        for (int i = 0; functions != null && i < functions.functions(); i++) {
            function(i, functions, head);
        }
        Collection<String> used = used(body.lines());
        List<String> start = new ArrayList<>();
        prologue(start, body.lines(), used, features, shape.y() > 1, grid);
        List<String> tail = new ArrayList<>();
        int slot = epilogue(tail, written(body.lines()));
        if (features.images().isEmpty() && tensor == null && replicas.isEmpty() && !features.cluster() && !features.fault() && random.nextInt(SECOND_ONES) == 0) {
            slot = Math.max(slot, second(features, shape.y() > 1, grid, start, tail));
        }
        String bytes = Integer.toString(slot);
        tail.replaceAll(line -> line.replace("SLOT", bytes));
        start.forEach(line -> head.add(line.replace("SLOT", bytes)));
        if (idle > 0) {
            head.add("setp.ge.u32 %edge, %gid, " + Math.max(1, grid * block - idle) + "; @%edge " + (random.nextBoolean() ? "exit;" : "ret;"));
        }
        return new RandomKernel(seed, head, body.lines(), tail, body.ordered(), grid, shape, slot + ArrayAccesses.BYTES, input, images, tensor, replicas);
    }

    /**
     * Appends a kernel that is launched behind the first one: it shares functions and variables with that, and begins with what its threads have left.
     *
     * @param first the beginning of the first kernel, to which the variable is added
     * @param tail the end of the first kernel
     * @return bytes of {@code out} for a thread
     */
    private int second(Features features, boolean flat, int grid, List<String> first, List<String> tail) {
        BodyGenerator body = new BodyGenerator(random, registers, features.behind());
        body.statements(between(random, SMALLEST, SMALL), 0, true);
        List<String> start = new ArrayList<>();
        prologue(start, body.lines(), used(body.lines()), features.behind(), flat, grid);
        start.removeIf(line -> line.startsWith(".global ") || line.startsWith(".const ") ? first.stream().anyMatch(other -> declared(other).equals(declared(line))) : false);
        start.replaceAll(line -> line.replace(".entry " + RandomKernel.NAME, ".entry " + RandomKernel.SECOND));
        start.add("sub.u32 %t0, " + (grid * block - 1) + ", %gid; mul.wide.u32 %a0, %t0, 8; mov.u64 %a1, kept; add.u64 %a0, %a0, %a1; ld.global.b64 %d0, [%a0];");
        List<String> end = new ArrayList<>();
        int slot = epilogue(end, written(body.lines()));
        first.addFirst(".global .align 8 .b64 kept[" + MOST_THREADS + "];");
        tail.add(tail.size() - 2, "mul.wide.u32 %a0, %gid, 8; mov.u64 %a1, kept; add.u64 %a0, %a0, %a1; st.global.b64 [%a0], %d1;");
        tail.addAll(start);
        tail.addAll(body.lines());
        tail.addAll(end);
        return slot;
    }

    /** What a line declares, without its values. */
    private static String declared(String line) {
        int end = line.indexOf('[');
        return end < 0 ? line : line.substring(0, end);
    }

    private FunctionCalls functions() {
        boolean parameters = dialect.compareTo(Dialect.SM_75) >= 0 && random.nextInt(3) > 0;
        List<Integer> results = parameters ? List.of(random.nextBoolean() ? 32 : 64) : random.nextBoolean() ? List.of(32, 64) : List.of(64);
        boolean recursive = dialect != Dialect.FIRST && random.nextInt(3) == 0;
        return new FunctionCalls(1 + random.nextInt(MOST_FUNCTIONS), parameters ? ".param" : ".reg", results, dialect, recursive);
    }

    /** The registers that these lines name, in alphabetical order. */
    static Collection<String> used(List<String> lines) {
        return lines.stream().flatMap(line -> REGISTER.matcher(line).results()).map(found -> found.group()).collect(Collectors.toCollection(TreeSet::new));
    }

    /** The registers that these lines write. */
    static Collection<String> written(List<String> lines) {
        List<String> destinations = lines.stream().flatMap(line -> DESTINATION.matcher(line).results()).map(found -> found.group(1)).toList();
        return used(destinations);
    }

    private static int number(String register) {
        return Integer.parseInt(register.substring(2));
    }

    private void function(int number, FunctionCalls calls, List<String> text) {
        Registers own = new Registers(random, dialect, SMALLEST);
        BodyGenerator body = new BodyGenerator(random, own, Features.function(calls.before(number)));
        body.statements(2 + random.nextInt(12), 2, false);
        Collection<String> used = used(body.lines());
        used.addAll(List.of("%r0", "%r1", "%d0", "%d1"));
        text.add(calls.declaration(number));
        text.add("{");
        text.add(Registers.declarations(dialect, "") + " " + BodyGenerator.DECLARATIONS);
        text.add(special("%thread", "tid.x"));
        text.add(calls.parameters() ? "ld.param.b32 %t1, [a0]; ld.param.b64 %a0, [a1];" : "mov.b32 %t1, a0; mov.b64 %a0, a1;");
        if (calls.recursive()) {
            text.add(FunctionCalls.DEPTH);
        }
        text.add(calls.parameters() ? store(calls, "%a0") : copy(calls, "%a0", "%t1"));
        for (String register : used) {
            if (register.startsWith("%r")) {
                text.add("mad.lo.u32 " + register + ", %t1, " + (number(register) * 2 + 1) + ", " + random.nextInt(1 << 20) + ";");
            } else if (register.startsWith("%d")) {
                text.add("xor.b64 " + register + ", %a0, " + random.nextLong(Long.MAX_VALUE) + ";");
            }
        }
        text.add("mov.b64 %d0, %a0;");
        others(text, used);
        text.addAll(body.lines());
        text.add(calls.parameters() ? store(calls, "%d1") : copy(calls, "%d1", "%r1"));
        text.addAll(List.of("ret;", "}"));
    }

    private static String store(FunctionCalls calls, String wide) {
        int bits = calls.results().getFirst();
        return bits == 64 ? "st.param.b64 [s0], " + wide + ";" : "cvt.u32.u64 %t0, " + wide + "; st.param.b32 [s0], %t0;";
    }

    private static String copy(FunctionCalls calls, String wide, String narrow) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < calls.results().size(); i++) {
            boolean isWide = calls.results().get(i) == 64;
            text.append(isWide ? "mov.b64 s" : "mov.b32 s").append(i).append(", ").append(isWide ? wide : narrow).append("; ");
        }
        return text.toString().strip();
    }

    /** The registers that are no words or double words get what those have: {@code %r0}, {@code %r1}, {@code %d0} and {@code %d1}. */
    private static void others(List<String> text, Collection<String> used) {
        for (String register : used) {
            int number = number(register);
            switch (Registers.Kind.of(register)) {
                case HALF -> text.add((number % 2 == 0 ? "cvt.u16.u32 " + register + ", %r" : "cvt.u16.u64 " + register + ", %d") + number / 2 % 2 + ";");
                case PREDICATE -> text.add("setp.gt.s32 " + register + ", %r" + number % 2 + ", " + number + ";");
                case FLOAT -> text.add((number == 1 ? "mov.b32 " : "cvt.rn.f32.s32 ") + register + ", %r" + number % 2 + ";");
                case FLOAT_DOUBLE -> text.add("mov.b64 " + register + ", %d" + number % 2 + ";");
                case QUAD -> text.add("mov.b128 " + register + ", {%d" + number % 2 + ", %d" + (number + 1) % 2 + "};");
                case WORD, DOUBLE -> {
                    // Loaded, or computed from arguments.
                }
            }
        }
    }

    private String special(String register, String name) {
        return dialect.special(register, name) + ";";
    }

    private void prologue(List<String> text, List<String> body, Collection<String> used, Features features, boolean flat, int grid) {
        String all = String.join("\n", body);
        boolean shared = all.contains("%sa") || all.contains("%gs");
        boolean local = all.contains(".local") || all.contains("%gl");
        if (all.contains("globals")) {
            text.add(".global .align 32 .b32 globals[" + MemoryOperations.FIXED / 4 + "] = {"
                    + random.ints(MemoryOperations.FIXED / 4).mapToObj(value -> "0x" + Integer.toHexString(value)).collect(Collectors.joining(", ")) + "};");
        }
        if (all.contains(".const.") || all.contains("table")) {
            text.add(".const .align 8 .b32 table[" + MemoryOperations.CONST / 4 + "] = {"
                    + random.ints(MemoryOperations.CONST / 4).mapToObj(value -> "0x" + Integer.toHexString(value)).collect(Collectors.joining(", ")) + "};");
        }
        used.addAll(List.of("%r0", "%r1", "%d0", "%d1"));
        text.addAll(List.of((dialect == Dialect.FIRST ? "" : ".visible ") + ".entry " + RandomKernel.NAME
                + "(.param .u64 in, .param .u64 out, .param .u64 sums" + ImageStatements.parameters(features.images())
                + BlockStatements.parameters(features.tensor()) + (features.replicas().isEmpty() ? "" : MulticastStatements.PARAMETER) + ")"
                + (features.cluster() ? " .reqnctapercluster " + grid : ""), "{", Registers.declarations(dialect, "") + " " + BodyGenerator.DECLARATIONS
                + " .reg .b64 %in, %first, %slot, %out, %sum, %gs, %gl, %wide; .reg .b32 %gid, %size, %block, %row, %column, %sh, %sa, %lo, %co; "
                + MemoryOperations.DECLARATIONS + " " + ArrayAccesses.DECLARATIONS + " "
                + BlockStatements.DECLARATIONS));
        text.add(special(flat ? "%column" : "%thread", "tid.x"));
        text.add(special("%size", "ntid.x"));
        if (flat) {
            text.add(special("%row", "tid.y") + " mad.lo.u32 %thread, %row, %size, %column; " + special("%t0", "ntid.y") + " mul.lo.u32 %size, %size, %t0;");
        }
        // Each of these is written once: what is written twice has no form that lanes share.
        text.add(special("%block", "ctaid.x") + " mad.lo.u32 %gid, %block, %size, %thread;");
        text.add("ld.param.u64 %in, [in]; ld.param.u64 %first, [out]; mul.wide.u32 %slot, %gid, SLOT; add.u64 %out, %first, %slot;");
        text.addAll(ArrayAccesses.prologue(all, dialect));
        if (all.contains("%sum")) {
            text.add("ld.param.u64 %sum, [sums];");
        }
        text.addAll(ImageStatements.prologue(features.images()));
        MulticastStatements.prologue(all, text);
        if (features.warps() != BodyGenerator.Warps.NONE) {
            text.add(WarpStatements.DECLARATIONS);
            text.add(WarpStatements.begin(dialect));
        }
        text.add("mul.lo.u32 %t0, %gid, 40; and.b32 %t0, %t0, " + (RandomKernel.INPUT * 4 - 8) + "; cvt.u64.u32 %a0, %t0; add.u64 %a0, %a0, %in;");
        Collection<String> written = written(body);
        int words = 0;
        int doubles = 40;
        for (String register : used) {
            boolean first = number(register) < 2;
            boolean computed = !first && dialect.style() != Dialect.Style.TYPED && random.nextInt(3) == 0;
            boolean wide = register.startsWith("%d");
            if (!wide && !register.startsWith("%r") || !first && !written.contains(register) && random.nextInt(UNWRITTEN) == 0) {
                continue;
            }
            if (flat && !first && random.nextInt(OF_ROWS) == 0) {
                text.add(ofRow(register, wide));
            } else if (!first && random.nextInt(CONSTANT) == 0) {
                text.add((wide ? "mov.b64 " : "mov.b32 ") + register + ", " + registers.constant(wide ? ScalarType.B64 : ScalarType.B32) + ";");
            } else if (!wide && computed) {
                // A compiler may treat what is computed unlike what is loaded: no NaN of it has a payload.
                text.add("sub.rn.f32 " + register + ", %r0, %r1;");
            } else if (!wide) {
                text.add("ld.global.b32 " + register + ", [%a0+" + 4 * words++ + "];");
            } else {
                text.add("ld.global.b64 " + register + ", [%a0+" + (doubles += 8) + "];");
            }
        }
        MemoryOperations.constants(all, text);
        if (shared) {
            text.add(".shared .align 32 .b8 sh[" + 96 * MemoryOperations.SHARED + "];");
            text.add("mov.u32 %sh, sh; mad.lo.u32 %sa, %thread, " + MemoryOperations.SHARED + ", %sh;" + fill("shared", "%sa", MemoryOperations.SHARED, 8)
                    + (all.contains("%gs") ? " cvt.u64.u32 %wide, %sa; cvta.shared.u64 %gs, %wide;" : ""));
        }
        ArrayAccesses.shared(all, text);
        BlockStatements.prologue(all, text);
        WarpStatements.prologue(all, text);
        if (local) {
            text.add(".local .align 32 .b8 local[" + MemoryOperations.LOCAL + "];");
            text.add("mov.u32 %lo, local;" + fill("local", "%lo", MemoryOperations.LOCAL, features.localWord() == 4 ? 4 : 8)
                    + (all.contains("%gl") ? " cvt.u64.u32 %gl, %lo; cvta.local.u64 %gl, %gl;" : ""));
        }
        if (all.contains("%co")) {
            text.add("mov.u32 %co, table;");
        }
        used.removeIf(register -> number(register) > 1 && !written.contains(register) && random.nextInt(UNWRITTEN) == 0);
        others(text, used);
        for (int i = 0; i < BodyGenerator.DEPTH; i++) {
            if (all.contains("%c" + i + ",")) {
                text.add("mov.u32 %c" + i + ", 0;");
            }
        }
    }

    /** Gives a register what is one number or affine in each row of the block, or loads by an address that is. */
    private String ofRow(String register, boolean wide) {
        String number = switch (random.nextInt(4)) {
            case 0 -> "mov.b32 %t0, %row;";
            case 1 -> "mov.b32 %t0, %column;";
            case 2 -> "mad.lo.u32 %t0, %row, " + (1 + random.nextInt(40)) + ", %column;";
            default -> "mul.lo.u32 %t0, %row, %row; add.u32 %t0, %t0, %column;";
        };
        String address = " mul.wide.u32 %wide, %t0, 8; add.u64 %wide, %wide, %in;";
        if (random.nextInt(3) == 0) {
            return number + (wide ? " cvt.u64.u32 " : " mov.b32 ") + register + ", %t0;";
        }
        return number + address + " ld.global.b" + (wide ? 64 : 32) + " " + register + ", [%wide];";
    }

    private static String fill(String space, String base, int bytes, int word) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < bytes; i += word) {
            text.append(" st.").append(space).append(word == 4 ? ".b32 [" : ".b64 [").append(base).append('+').append(i).append(word == 4 ? "], %r" : "], %d")
                    .append(i / word % 2).append(';');
        }
        return text.toString();
    }

    /** Stores everything that a thread has left; how many bytes a thread has of {@code out}. */
    private static int epilogue(List<String> text, Collection<String> used) {
        int at = MemoryOperations.AREA;
        for (Registers.Kind kind : Registers.Kind.values()) {
            int bytes = kind == Registers.Kind.PREDICATE ? 2 : kind.bits / 8;
            for (String register : used) {
                if (Registers.Kind.of(register) == kind) {
                    at = (at + bytes - 1) & -bytes;
                    text.add(kind == Registers.Kind.PREDICATE ? "selp.u32 %t0, 1, 0, " + register + "; st.global.u16 [%out+" + at + "], %t0;"
                            : "st.global.b" + kind.bits + " [%out+" + at + "], " + register + ";");
                    at += bytes;
                }
            }
        }
        text.addAll(List.of("exit;", "}"));
        return (at + SLOT_ALIGNMENT - 1) & -SLOT_ALIGNMENT;
    }
}
