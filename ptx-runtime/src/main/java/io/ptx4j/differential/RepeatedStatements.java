package io.ptx4j.differential;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** The same statements several times one after the other, with offsets that grow, as compilers leave unrolled loops; now and then one of them is another one. */
final class RepeatedStatements {
    static final String DECLARATIONS = ".reg .b64 %rp;";
    private static final int MOST_LINES = 8;
    private static final int LEAST_TURNS = 4;
    private static final int MOST_TURNS = 24;
    /** Bytes of the input behind a thread's place in it, of which threads are 8 bytes apart. */
    private static final int ROOM = RandomKernel.INPUT * 8 - KernelGenerator.MOST_THREADS * 8;

    private final SplittableRandom random;
    private final Registers registers;
    private final Instructions instructions;

    private RepeatedStatements(SplittableRandom random, Registers registers, Instructions instructions) {
        this.random = random;
        this.registers = registers;
        this.instructions = instructions;
    }

    /** A statement of each turn: {@code first} with the offset of the turn, and {@code behind}. */
    private record Line(String first, int offset, int step, String behind) {
        String of(int turn) {
            return behind.isEmpty() ? first : first + (offset + turn * step) + behind;
        }
    }

    /** @param memory whether there are the kernel's input and output */
    static List<String> some(SplittableRandom random, Registers registers, Instructions instructions, boolean memory) {
        return new RepeatedStatements(random, registers, instructions).lines(memory);
    }

    private List<String> lines(boolean memory) {
        int turns = LEAST_TURNS + random.nextInt(MOST_TURNS - LEAST_TURNS + 1);
        List<Line> turn = new ArrayList<>();
        for (int k = 1 + random.nextInt(MOST_LINES); k > 0; k--) {
            turn.add(memory && random.nextInt(3) == 0 ? access(turns) : new Line(instructions.any(), 0, 0, ""));
        }
        int other = random.nextInt(4) == 0 ? random.nextInt(turns * turn.size()) : -1;
        List<String> lines = new ArrayList<>();
        if (memory) {
            lines.add("mad.wide.u32 %rp, %gid, 8, %in;");
        }
        for (int j = 0; j < turns; j++) {
            for (int k = 0; k < turn.size(); k++) {
                lines.add((lines.size() == other ? instructions.any() : turn.get(k).of(j)) + ";");
            }
        }
        return lines;
    }

    private Line access(int turns) {
        int bytes = 4 << random.nextInt(2);
        String register = registers.ofBits(8 * bytes);
        int step = random.nextInt(4) == 0 ? 0 : bytes * (1 + random.nextInt(4));
        return switch (random.nextInt(4)) {
            case 0 -> new Line("st.global.b32 [%out+", 0, turns * 4 > MemoryOperations.AREA ? 0 : 4, "], " + registers.word());
            case 1 -> new Line("ld.global.b" + 8 * bytes + " " + register + ", [%in+", offset(bytes, 0), step, "]");
            case 2 -> new Line("ld.global.b" + 8 * bytes + " " + register + ", [%rp+", offset(bytes, turns * step), -step, "]");
            default -> new Line("ld.global.b" + 8 * bytes + " " + register + ", [%rp+", offset(bytes, 0), step, "]");
        };
    }

    /** One from {@code least} on, behind which there is room for all turns. */
    private int offset(int bytes, int least) {
        return least + (random.nextInt(ROOM - 2 * MOST_TURNS * 32) & -bytes);
    }
}
