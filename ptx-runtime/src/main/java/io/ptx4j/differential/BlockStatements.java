package io.ptx4j.differential;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** What whole blocks do together in kernels of new targets: copies in bulk that all wait for at an mbarrier object, and clusters of blocks. */
final class BlockStatements {
    static final String DECLARATIONS = ".reg .b32 %bm, %ph, %bulk, %rank, %place<5>; .reg .b64 %far, %tensor, %target;";
    /** Bytes of shared memory into which blocks copy. */
    private static final int BULK = 4096;
    /** A swizzle may leave gaps in a box and go beyond it. */
    private static final String FILL = "mov.u32 %t0, %thread; BF: mad.lo.u32 %t1, %t0, 4, %bulk; st.shared.u32 [%t1], %t0; add.u32 %t0, %t0, %size; setp.lt.u32 %edge, %t0, "
            + BlockStatements.BULK / 4 + "; @%edge bra BF; ";
    private static final int ALIGNMENT = 128;
    private static final int UNIT = 16;
    private static final int MOST_UNITS = 8;
    /** Of the first pixel of a copy, in each dimension. */
    private static final int MOST_OFFSET = 4;
    private static final List<String> REDUCTIONS = List.of("add.u32", "add.s32", "add.u64", "min.u32", "max.s32", "min.s64", "max.u64", "and.b32", "or.b64", "xor.b32",
            "inc.u32", "dec.u32");

    private final SplittableRandom random;
    private final Registers registers;
    private final Features features;
    private final Consumer<String> lines;
    private int waits;

    BlockStatements(SplittableRandom random, Registers registers, Features features, Consumer<String> lines) {
        this.random = random;
        this.registers = registers;
        this.features = features;
        this.lines = lines;
    }

    /** The parameters behind the others. */
    static String parameters(RandomTensor tensor) {
        return tensor == null ? "" : ", .param .align 64 .b8 tensor[128]" + (tensor.operations().isEmpty() ? "" : ", .param .u64 boxes, .param .align 64 .b8 target[128]");
    }

    /** Declares and fills what {@code text} uses. */
    static void prologue(String text, List<String> lines) {
        for (String map : List.of("tensor", "target")) {
            if (text.contains("%" + map)) {
                lines.add("mov.b64 %" + map + ", " + map + "; cvta.param.u64 %" + map + ", %" + map + ";");
            }
        }
        if (text.contains("%bulk")) {
            lines.add(".shared .align 128 .b8 bulk[" + BULK + "]; .shared .align 8 .b64 bm; mov.u32 %bm, bm; mov.u32 %bulk, bulk; mov.u32 %ph, 0; "
                    + (text.contains("%tensor") || text.contains("%target") ? FILL : "")
                    + "setp.eq.u32 %edge, %thread, 0; @%edge mbarrier.init.shared.b64 [%bm], 1; bar.sync 0;");
        }
    }

    /** A statement at which all threads of the block meet; whether there is one. */
    boolean statement() {
        if (features.cluster() && random.nextBoolean()) {
            cluster();
        } else if (features.tensor() != null && random.nextInt(3) > 0) {
            if (features.tensor().operations().isEmpty() || random.nextBoolean()) {
                tensorLoad();
            } else {
                tensorStore();
            }
        } else {
            bulkLoad();
        }
        return true;
    }

    /** The first thread copies input to shared memory, all wait for it, read some, and meet again. */
    private void bulkLoad() {
        int bytes = UNIT * (1 + random.nextInt(MOST_UNITS));
        int to = random.nextInt((BULK - bytes) / UNIT + 1) * UNIT;
        int from = random.nextInt((RandomKernel.INPUT * 8 - bytes) / UNIT + 1) * UNIT;
        boolean register = random.nextBoolean();
        String count = register ? "%t0" : Integer.toString(bytes);
        String wait = "B" + waits++;
        String state = random.nextBoolean() ? "%a1" : "_";
        lines.accept("setp.eq.u32 %edge, %thread, 0; " + (register ? "mov.u32 %t0, " + bytes + "; " : "")
                + "@%edge mbarrier.arrive.expect_tx.shared::" + (state.equals("_") ? "cluster" : "cta") + ".b64 " + state + ", [%bm], " + count + "; "
                + "@%edge cp.async.bulk.shared::" + (random.nextBoolean() ? "cluster" : "cta") + ".global.mbarrier::complete_tx::bytes [%bulk+" + to + "], [%in+" + from + "], "
                + count + ", [%bm]; " + waitAndRead(wait, to, bytes));
    }

    /** The first thread copies a box of the tensor to shared memory, all wait for it, read some, and meet again. */
    private void tensorLoad() {
        RandomTensor tensor = features.tensor();
        boolean line = tensor.mode() == RandomTensor.Mode.LINE;
        boolean parts = line && registers.dialect() == Dialect.SM_100A && tensor.bytesOfParts(RandomTensor.MOST_HALO) <= BULK && random.nextInt(3) > 0;
        int halo = line ? random.nextInt(RandomTensor.MOST_HALO + 1) : 0;
        int bytes = parts ? tensor.bytesOfParts(halo) : tensor.bytes(halo);
        // Swizzles go by addresses, so that boxes begin where they may repeat.
        int to = random.nextInt((BULK - bytes) / ALIGNMENT + 1) * ALIGNMENT;
        StringBuilder text = new StringBuilder("setp.eq.u32 %edge, %thread, 0; ");
        String place = place(tensor, text);
        boolean rows = tensor.mode() == RandomTensor.Mode.ROWS;
        boolean pixels = tensor.mode() == RandomTensor.Mode.PIXELS;
        boolean cluster = !rows && !line && random.nextBoolean();
        String offsets = line ? ", {" + halo + ", " + random.nextInt(MOST_OFFSET) + "}" : !pixels ? "" : ", {" + IntStream.range(0, tensor.lower().size()).mapToObj(d -> String.valueOf(random.nextInt(MOST_OFFSET))).collect(Collectors.joining(", ")) + "}";
        text.append("@%edge mbarrier.arrive.expect_tx.shared::cta.b64 %a1, [%bm], ").append(bytes).append("; @%edge cp.async.bulk.tensor.").append(tensor.dimensions())
                .append("d.shared::").append(cluster ? "cluster" : "cta").append(".global").append(rows ? ".tile::gather4" : pixels ? ".im2col" : parts ? ".im2col::w::128" : line ? ".im2col::w" : random.nextBoolean() ? ".tile" : "")
                .append(".mbarrier::complete_tx::bytes [%bulk+").append(to).append("], [%tensor, ").append(place).append("], [%bm]").append(offsets).append("; ")
                .append(waitAndRead("B" + waits++, to, bytes));
        lines.accept(text.toString());
    }

    /** Computes coordinates within the tensor and a little beyond. */
    private String place(RandomTensor tensor, StringBuilder text) {
        List<String> places = new ArrayList<>();
        boolean rows = tensor.mode() == RandomTensor.Mode.ROWS;
        for (int d = 0; d < (rows ? 1 + RandomTensor.ROWS : tensor.dimensions()); d++) {
            int most = tensor.extents().get(rows ? Math.min(d, 1) : d) + 2;
            text.append("rem.s32 %place").append(d).append(", ").append(registers.word()).append(", ").append(most).append("; ");
            places.add("%place" + d);
        }
        return "{" + String.join(", ", places) + "}";
    }

    /** Each thread leaves a word in shared memory, and the first one stores a box of it to the tensor or combines it with what is there. */
    private void tensorStore() {
        RandomTensor tensor = features.tensor();
        String operation = tensor.operations().get(random.nextInt(tensor.operations().size()));
        StringBuilder text = new StringBuilder("setp.eq.u32 %edge, %thread, 0; ");
        String place = place(tensor, text);
        String mode = switch (tensor.mode()) {
            case ROWS -> ".tile::scatter4";
            case PIXELS -> ".im2col_no_offs";
            case TILE, LINE -> random.nextBoolean() ? ".tile" : "";
        };
        int from = random.nextInt((BULK - tensor.bytes(0)) / ALIGNMENT + 1) * ALIGNMENT;
        text.append("mad.lo.u32 %t1, %thread, 4, %bulk; st.shared.b32 [%t1+").append(random.nextInt(ALIGNMENT) * 4).append("], ").append(registers.word())
                .append("; fence.proxy.async.shared::cta; bar.sync 0; @%edge cp.").append(operation.equals(RandomTensor.STORE) ? "" : "reduce.").append("async.bulk.tensor.")
                .append(tensor.dimensions()).append("d.global.shared::cta").append(operation.equals(RandomTensor.STORE) ? "" : "." + operation).append(mode)
                .append(".bulk_group [%target, ").append(place).append("], [%bulk+").append(from)
                .append("]; @%edge cp.async.bulk.commit_group; @%edge cp.async.bulk.wait_group").append(random.nextBoolean() ? ".read 0; @%edge cp.async.bulk.wait_group" : "").append(" 0; bar.sync 0");
        lines.accept(text.toString());
    }

    /** Each thread reads one word of what was copied, or all threads together read all words. */
    private String waitAndRead(String wait, int to, int bytes) {
        String word = registers.word();
        String read = random.nextBoolean()
                ? "and.b32 %t1, " + (random.nextBoolean() ? "%thread" : word) + ", " + (BULK / 4 - 1) + "; shl.b32 %t1, %t1, 2; rem.u32 %t1, %t1, " + bytes
                        + "; add.u32 %t1, %t1, %bulk; ld.shared.b32 " + registers.word() + ", [%t1+" + to + "]; "
                : "shl.b32 %t1, %thread, 2; " + wait + "R: setp.ge.u32 %edge, %t1, " + bytes + "; @%edge bra " + wait + "E; add.u32 %t0, %t1, %bulk; ld.shared.b32 %t0, [%t0+" + to
                        + "]; mad.lo.u32 " + word + ", " + word + ", 31, %t0; mad.lo.u32 %t1, %size, 4, %t1; bra " + wait + "R; " + wait + "E: ";
        return wait + ": mbarrier." + (random.nextBoolean() ? "try" : "test") + "_wait.parity.shared.b64 %edge, [%bm], %ph; "
                + "@!%edge bra " + wait + "; xor.b32 %ph, %ph, 1; " + read + "bar.sync 0";
    }

    /** A thread copies, adds or otherwise combines some of its shared memory into its own place in {@code out}. */
    void bulkStore(String guard) {
        String to = "[%out+" + UNIT * random.nextInt(MemoryOperations.AREA / UNIT) + "], [%sa+" + UNIT * random.nextInt(MemoryOperations.SHARED / UNIT) + "], " + UNIT;
        String copy = random.nextBoolean() ? "cp.async.bulk.global.shared::cta.bulk_group "
                : "cp.reduce.async.bulk.global.shared::cta.bulk_group." + REDUCTIONS.get(random.nextInt(REDUCTIONS.size())) + " ";
        lines.accept((random.nextBoolean() ? "fence.proxy.async.shared::cta; " : "") + guard + copy + to + "; cp.async.bulk.commit_group; cp.async.bulk.wait_group"
                + (random.nextBoolean() ? " 0" : ".read 0; cp.async.bulk.wait_group 0"));
    }

    /** Each thread leaves a word, all blocks of the cluster meet, it reads or adds to a word of the next block, and all meet again. */
    private void cluster() {
        String word = registers.word();
        StringBuilder text = new StringBuilder("mad.lo.u32 %t0, %thread, 4, %tile2; st.shared.b32 [%t0], " + registers.word() + "; " + meet()
                + "; mov.u32 %rank, %cluster_ctarank; add.u32 %rank, %rank, 1; mov.u32 %t1, %cluster_nctarank; rem.u32 %rank, %rank, %t1; ");
        switch (random.nextInt(4)) {
            case 0 -> text.append("mapa.shared::cluster.u32 %t0, %t0, %rank; ld.shared::cluster.b32 ").append(word).append(", [%t0]");
            case 1 -> text.append("cvt.u64.u32 %far, %t0; cvta.shared.u64 %far, %far; mapa.u64 %far, %far, %rank; ld.b32 ").append(word).append(", [%far]");
            case 2 -> text.append("mapa.shared::cluster.u32 %t0, %t0, %rank; ").append("red.shared::cluster.add.u32 [%t0], ").append(word).append("; ").append(meet())
                    .append("; mad.lo.u32 %t0, %thread, 4, %tile2; ld.shared.b32 ").append(word).append(", [%t0]");
            default -> text.append("mapa.shared::cluster.u32 %t1, %tile2, %rank; mad.lo.u32 %t0, %thread, 4, %t1; st.shared::cluster.b32 [%t0], ").append(word).append("; ")
                    .append(meet()).append("; mad.lo.u32 %t0, %thread, 4, %tile2; ld.shared.b32 ").append(word).append(", [%t0]");
        }
        lines.accept(text + "; " + meet());
    }

    private String meet() {
        String aligned = random.nextBoolean() ? ".aligned" : "";
        return "barrier.cluster.arrive" + (random.nextBoolean() ? ".release" : "") + aligned + "; barrier.cluster.wait" + (random.nextBoolean() ? ".acquire" : "") + aligned;
    }
}
