package io.ptx4j.differential;

import io.ptx4j.isa.Family;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.OperandSpec;
import io.ptx4j.isa.Spelling;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * Every row of {@code multimem} on a place that a thread has for itself in all replicas of a multicast buffer, and reductions on places that all threads share,
 * which any order of them gives the same.
 */
final class MulticastStatements {
    static final String PARAMETER = ", .param .u64 many";
    /** Bytes of each replica that belong to one thread. */
    private static final int AREA = 32;
    private static final int MOST_REPLICAS = 3;
    private static final int ATTEMPTS = 20;

    private final SplittableRandom random;
    private final Registers registers;
    private final Instructions instructions;
    private final Features features;
    private final Consumer<String> lines;

    MulticastStatements(SplittableRandom random, Registers registers, Instructions instructions, Features features, Consumer<String> lines) {
        this.random = random;
        this.registers = registers;
        this.instructions = instructions;
        this.features = features;
        this.lines = lines;
    }

    /** What the replicas hold at first: one to three of them. */
    static List<long[]> some(SplittableRandom random, Registers registers, int threads) {
        List<long[]> replicas = new ArrayList<>();
        for (int i = random.nextInt(MOST_REPLICAS); i >= 0; i--) {
            long[] replica = new long[threads * AREA / Long.BYTES + MemoryOperations.SUMS.length];
            for (int k = 0; k < replica.length; k++) {
                replica[k] = registers.source();
            }
            replicas.add(replica);
        }
        return replicas;
    }

    static void prologue(String text, List<String> lines) {
        if (text.contains("%many") || text.contains("%mine")) {
            lines.add(".reg .b64 %many, %mine; ld.param.u64 %many, [many]; mul.wide.u32 %mine, %gid, " + AREA + "; add.u64 %mine, %mine, %many;");
        }
    }

    void statement(String guard) {
        if (random.nextInt(5) == 0) {
            int sum = random.nextInt(MemoryOperations.SUMS.length);
            // Behind the places of all threads.
            lines.accept(guard + "multimem.red" + (random.nextBoolean() ? ".relaxed.gpu" : "") + ".global." + MemoryOperations.SUMS[sum] + " [%many+"
                    + (features.replicas().getFirst().length - MemoryOperations.SUMS.length + sum) * Long.BYTES + "], " + registers.ofBits(MemoryOperations.SUMS[sum].endsWith("64") ? 64 : 32));
            return;
        }
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Spelling spelling = instructions.spelling(Family.MEMORY, this::fits);
            if (spelling == null) {
                continue;
            }
            int bytes = spelling.type().bytes() * spelling.vectorLength();
            int at = random.nextInt(AREA) & -bytes;
            boolean constant = random.nextBoolean();
            String address = constant ? "[%mine+" + at + "]" : "[%a0]";
            String text = instructions.of(spelling, spec -> spec.role() == OperandSpec.Role.ADDRESS ? address : null);
            if (text != null) {
                lines.accept((constant ? "" : "and.b32 %t0, " + registers.word() + ", " + (AREA - 1 & -bytes) + "; cvt.u64.u32 %a0, %t0; add.u64 %a0, %a0, %mine; ")
                        + guard + text);
                return;
            }
        }
    }

    /** Sums of reals by {@code multimem.red} keep a kernel in the scalar shape. */
    private boolean fits(Spelling spelling) {
        return spelling.opcode() == Opcode.MULTIMEM && spelling.type() != null
                && (features.results() || !spelling.has(Modifier.RED) || !spelling.type().isFloat());
    }
}
