package io.ptx4j.differential;

import io.ptx4j.isa.Family;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.OperandSpec;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.Spelling;
import io.ptx4j.isa.StateSpace;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * Warp operations with the mask of the threads that are there. Where threads part, each side computes its mask before, so that
 * what is computed does not depend on who arrives when.
 */
final class WarpStatements {
    /** Masks of nested statements: {@code %m0} holds the threads of the warp that began the kernel. */
    static final int DEPTH = 4;
    static final String DECLARATIONS = ".reg .b32 %m<" + DEPTH + ">; .reg .b32 %am;";

    private static final int ATTEMPTS = 20;
    /** Up to eight times a shape. */
    private static final Pattern FEW = Pattern.compile("\\.x[1248]\\.");
    private static final int SPLIT = 100;

    private final SplittableRandom random;
    private final Registers registers;
    private final Instructions instructions;
    private final Consumer<String> lines;
    private final boolean full;
    private int depth;
    private boolean known = true;
    private boolean ordered;

    /** @param full whether all threads of each warp are there and stay; then the mask of the outermost statements is a constant */
    WarpStatements(SplittableRandom random, Registers registers, Instructions instructions, boolean full, Consumer<String> lines) {
        this.random = random;
        this.registers = registers;
        this.instructions = instructions;
        this.full = full;
        this.lines = lines;
    }

    /** The statement that every thread begins with. */
    static String begin(Dialect dialect) {
        return dialect.sync() ? "activemask.b32 %m0;" : "vote.ballot.b32 %m0, 1;";
    }

    /** Whether a result may depend on the order in which threads come. */
    boolean ordered() {
        return ordered;
    }

    /** One to three operations. */
    void operations() {
        String mask = full && depth == 0 ? "0xffffffff" : "%m" + depth;
        if (!known && registers.dialect().sync()) {
            mask = "%am";
            lines.accept("activemask.b32 %am");
        }
        ordered |= !known || !registers.dialect().sync();
        if (registers.dialect().sync() && random.nextInt(5) == 0) {
            tree(mask);
            return;
        }
        boolean all = full && known && depth == 0;
        if (all && registers.dialect() == Dialect.SM_100A && random.nextInt(2) == 0) {
            tensor();
            return;
        }
        if (all && random.nextInt(3) == 0) {
            matrix();
            return;
        }
        boolean tiles = known && registers.dialect().sync() && random.nextInt(4) == 0;
        if (tiles) {
            tile(mask);
        }
        for (int i = random.nextInt(3); i >= 0; i--) {
            Spelling spelling = instructions.spelling(Family.WARP, any -> true);
            String membermask = tiles && spelling != null && ofTiles(spelling.opcode()) ? "%am" : mask;
            String text = spelling == null ? null : instructions.of(spelling, spec -> special(spelling, spec, membermask));
            if (text != null && !text.startsWith("activemask")) {
                lines.accept(text);
            }
        }
    }

    /** The mask of each thread's tile of 1 to 16 neighbours, as cooperative groups have it. */
    private void tile(String mask) {
        int size = 1 << random.nextInt(5);
        lines.accept("mov.u32 %am, %laneid; and.b32 %am, %am, " + (32 - size) + "; shl.b32 %am, " + ((1 << size) - 1) + ", %am; and.b32 %am, %am, " + mask);
    }

    /** Whether tiles of a warp do it in the vector shape; others would keep kernels out of it. */
    private static boolean ofTiles(Opcode opcode) {
        return opcode == Opcode.SHFL || opcode == Opcode.VOTE || opcode == Opcode.REDUX;
    }

    /** An instruction of matrices in registers, or in rows of shared memory that each thread has for itself. */
    private void matrix() {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Spelling spelling = instructions.spelling(Family.MATRIX, some -> some.form().operands().stream()
                    .noneMatch(spec -> spec.role() == OperandSpec.Role.ADDRESS) || some.opcode() == Opcode.LDMATRIX || some.opcode() == Opcode.STMATRIX);
            String text = spelling == null ? null : instructions.of(spelling,
                    spec -> spec.role() == OperandSpec.Role.ADDRESS
                            ? (spelling.space() == StateSpace.GENERIC ? "[%gs+" : "[%sa+") + 16 * random.nextInt(2) + "]" : null);
            if (text != null) {
                lines.accept(text);
                return;
            }
        }
    }

    /** Moves of a warp's own lanes of tensor memory, of up to eight times a shape, one of which mostly finds what another has left. */
    private void tensor() {
        for (int moves = 1 + random.nextInt(3); moves > 0; moves--) {
            Spelling spelling = instructions.spelling(Family.TENSOR_CORE_5, some -> (some.has(Modifier.LD) || some.has(Modifier.ST)) && FEW.matcher(some.text()).find());
            int half = spelling == null || spelling.has(Modifier.T32X32B) ? 0 : random.nextInt(2) << 20;
            String text = spelling == null ? null : instructions.of(spelling, spec -> spec.role() == OperandSpec.Role.ADDRESS ? "[%tm+" + (half + random.nextInt(4)) + "]"
                    : spec.name().equals("i") ? Integer.toString(random.nextInt(SPLIT)) : null);
            if (text != null) {
                lines.accept(text);
            }
        }
    }

    /** What comes before moves of tensor memory: the block's columns, and in {@code %tm} the warp's own lanes. */
    static void prologue(String body, List<String> text) {
        if (body.contains("%tm")) {
            text.add(".reg .b32 %tm; .shared .b32 cells; setp.lt.u32 %edge, %thread, 32; mov.u32 %t0, cells; @%edge tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%t0], 256; bar.sync 0; "
                    + "ld.shared.b32 %tm, [cells]; and.b32 %t0, %thread, 96; shl.b32 %t0, %t0, 16; add.u32 %tm, %tm, %t0;");
        }
    }

    /** What threads of a warp have, combined. */
    private void tree(String mask) {
        String value = registers.word();
        boolean down = random.nextBoolean();
        String combine = new String[] {"add.u32 ", "add.rn.f32 ", "min.s32 ", "xor.b32 "}[random.nextInt(registers.dialect().style() == Dialect.Style.TYPED ? 1 : 4)];
        StringBuilder steps = new StringBuilder();
        for (int distance = 16; distance > 0; distance /= 2) {
            steps.append(steps.isEmpty() ? "" : "; ").append(down ? "shfl.sync.down.b32 %t0, " : "shfl.sync.bfly.b32 %t0, ").append(value).append(", ")
                    .append(distance).append(", 31, ").append(mask).append("; ").append(combine).append(value).append(", ").append(value).append(", %t0");
        }
        lines.accept(steps.toString());
    }

    /** Sources of shuffles are sometimes those that compilers write. */
    private String special(Spelling spelling, OperandSpec spec, String mask) {
        if (spec.name().equals("membermask")) {
            return mask;
        }
        boolean shuffle = spelling.text().startsWith("shfl") && spec.role() == OperandSpec.Role.SOURCE && spelling.typeOf(spec) == ScalarType.B32;
        return switch (shuffle && random.nextInt(4) > 0 ? spec.name() : "") {
            case "b" -> Integer.toString(random.nextInt(32));
            case "c" -> new String[] {"31", "0", "0x181f", "0x1c00"}[random.nextInt(4)];
            default -> null;
        };
    }

    /** What the sides of a branch restore. */
    record State(int depth, boolean known) {
    }

    State state() {
        return new State(depth, known);
    }

    void restore(State state) {
        depth = state.depth;
        known = state.known;
    }

    /** Before a branch: the threads for which {@code predicate} is true, as the next mask. */
    void part(String predicate) {
        if (known && registers.dialect().sync() && depth + 1 < DEPTH) {
            lines.accept("vote.sync.ballot.b32 %m" + (depth + 1) + ", " + predicate + ", %m" + depth);
            depth++;
        } else {
            known = false;
        }
    }

    /** On the side of the others: their mask. */
    void others() {
        if (known) {
            lines.accept("xor.b32 %m" + depth + ", %m" + depth + ", %m" + (depth - 1));
        }
    }

    /** Before a loop: its threads, which {@link #keep} makes fewer. */
    void enter() {
        if (known && registers.dialect().sync() && depth + 1 < DEPTH) {
            lines.accept("mov.b32 %m" + (depth + 1) + ", %m" + depth);
            depth++;
        } else {
            known = false;
        }
    }

    /** Where some threads leave: those for which {@code predicate} is true stay. */
    void keep(String predicate) {
        if (known && registers.dialect().sync()) {
            lines.accept("vote.sync.ballot.b32 %m" + depth + ", " + predicate + ", %m" + depth);
        }
    }

    /** Behind a loop: its threads meet, lest one that left early comes to the loop again while others still vote in it. */
    void meet() {
        if (known && registers.dialect().sync()) {
            lines.accept("bar.warp.sync %m" + depth);
        }
    }

    /** Whether a thread may end here and no mask names it later. */
    boolean mayExit() {
        return !full && known && depth == 0 && registers.dialect().sync();
    }

    /** Threads go where nobody knows which they are. */
    void scatter() {
        known = false;
    }
}
