package io.ptx4j.jit.vector;

import io.ptx4j.engine.BlockShape;
import io.ptx4j.engine.Program;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Kernel;
import io.ptx4j.ir.Location;
import io.ptx4j.ir.Register;
import io.ptx4j.isa.Family;
import io.ptx4j.jit.coarse.Coarsening;
import io.ptx4j.jit.coarse.Steps;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.flow.Graph;
import io.ptx4j.jit.flow.Liveness;
import io.ptx4j.jit.flow.Regions.FrameLayout;
import io.ptx4j.jit.flow.Representation;
import io.ptx4j.jit.flow.UnrolledLoops;
import io.ptx4j.jit.support.MatrixLanes;
import io.ptx4j.jit.support.Point;
import io.ptx4j.jit.support.VectorFrame;

import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Generates a kernel's class in the vector shape: tries which groups of threads it may have, with which versions of its code, in one method a region or in pieces. */
public final class Vectorizer {
    /** How much larger than before the largest method may become where pieces have become smaller. */
    private static final double GROWING = 1.25;
    private static final int SMALLEST_BUDGET = 700;
    /** How often blocks are cut once more that turn out too heavy for a piece. */
    private static final int RECUTS = 3;
    /** How often pieces are made anew that have come out heavier than expected. */
    private static final int LIGHTER = 2;
    /**
     * From so many instructions on a group is one vector: half the code to compile, and more of it in registers (SHA-256: C2 took 11 s
     * instead of 20 s, and a hash 89 ns of CPU time instead of some hundreds).
     */
    private static final int LARGE = 1_000;
    /** Vectors of 64-bit lanes that may live at once: those of a processor with 32, which need a few for other things. */
    private static final int WIDE_VALUES = 32;
    /** Of the 32 vector registers of a machine with the longest vectors, those that are left when constants and intermediate results have theirs. */
    private static final int VECTORS_FOR_VALUES = 24;
    /**
     * The same in groups of rows, in which more is one number for a row, which arithmetic takes from memory: Mandelbrot's loop has 28 vectors in use, all of which HotSpot keeps in
     * registers.
     */
    private static final int VECTORS_FOR_ROWS = 28;
    /** Instructions of a kernel that is coarse: pieces of longer ones take more than ten seconds to get warm. */
    private static final int COARSE_INSTRUCTIONS = 1_600;
    /** Vectors of a warp in such a kernel. */
    private static final int COARSE_VECTORS = 4;
    /** Of so many vectors words go quickly from lane to lane; of more, each takes parts of all others. */
    private static final int EXCHANGING_VECTORS = 2;
    private static final int COARSE_EXCHANGES = 8;
    /** Bytecodes of a piece of a coarse kernel without branches; what HotSpot's first compiler takes is mostly less. */
    private static final int COARSE_BUDGET = 7_500;
    /** Values of such a kernel that may live at once. */
    private static final int COARSE_VALUES = 40;
    /** The same where lanes exchange words no more often than warps came to barriers: scans, sorts and butterflies gain up to ten times by it. */
    private static final int COARSE_STEPS_VALUES = 100;
    /** The same where they do so half as often again: a stencil with more came out slower than in memory. */
    private static final int COARSE_EXCHANGES_VALUES = 16;

    private final Program program;
    private final Kernel kernel;
    private final String className;
    /** Whether several rows of the block may run together. */
    private final boolean rows;
    /** Bytecodes of a piece. */
    private final int budget;

    private Vectorizer(Program program, Kernel kernel, String className, boolean rows) {
        this(program, kernel, className, rows, Pieces.BUDGET);
    }

    private Vectorizer(Program program, Kernel kernel, String className, boolean rows, int budget) {
        this.program = program;
        this.kernel = kernel;
        this.className = className;
        this.rows = rows;
        this.budget = Integer.getInteger("ptx4j.jit.vector.piece", budget);
    }

    /**
     * A generated kernel class and what runs with it.
     *
     * @param waits whether threads may wait for those of other blocks
     * @param laneByLane the instructions that have no vector code here
     * @param matrixPlaces matrix instructions at which no thread stops
     * @param block with the places that pad its rows
     * @param columns threads of a row that there are
     * @param warps of the launch's block, whose work the one of {@code block} does ({@link Coarsening}); 0 where threads are the launch's
     * @param sharedBytes shared memory that a block has to have
     * @param beginsAnew whether a block may begin anew in the scalar shape ({@link io.ptx4j.jit.support.BlockBegunAnew})
     */
    public record Generated(String className, byte[] bytes, List<Point> points, FrameLayout frame, int localBytes, int largestMethod, int stride, VectorFrame.Extent extent,
            boolean waits, List<Instruction> laneByLane, List<MatrixLanes.Place> matrixPlaces, BlockShape block, int columns, int warps, long sharedBytes, boolean beginsAnew) {
        private Generated coarse(Coarsening of) {
            return new Generated(className, bytes, points, frame, localBytes, largestMethod, stride, extent, waits, laneByLane.stream().map(Vectorizer::inText).toList(), matrixPlaces, block, columns,
                    of.warps(), of.sharedBytes(), beginsAnew);
        }
    }

    private static Instruction inText(Instruction i) {
        return new Instruction(i.spelling(), i.guard(), i.operands(), new Location(Steps.line(i.location().line()), i.location().column()));
    }

    /** The atomics at which blocks of a kernel begin anew in the scalar shape. */
    public static List<Instruction> beginningAnew(Graph graph) {
        RareUpdates rare = RareUpdates.of(graph);
        return rare == null ? List.of() : rare.atomics();
    }

    /** @throws NotVectorizable if the kernel must stay in the scalar shape */
    public static Generated generate(Program program, Kernel kernel, Graph all, BlockShape block, String className) {
        RareUpdates rare = RareUpdates.of(all);
        Graph graph = rare == null ? all : rare.graph();
        Generated coarse = rare == null ? coarse(program, kernel, all, block, className) : null;
        if (coarse != null) {
            return coarse;
        }
        boolean warps = hasWarpOperations(graph);
        Group warp = Group.of(kernel, block, Group.WARP, warps);
        GroupsInRows inRows = warps ? null : GroupsInRows.of(graph, warp);
        if (inRows != null) {
            try {
                return new Vectorizer(program, kernel, className, true).best(inRows.graph(), inRows.group(), warps).generated(className, rare != null);
            } catch (NotVectorizable refused) {
                // The block as it is may have a shape.
            }
        }
        Folding folding = warps ? null : Folding.of(graph, warp);
        return (folding == null ? new Vectorizer(program, kernel, className, true).best(graph, warp, warps)
                : new Vectorizer(program, kernel, className, folding.rows()).best(folding.graph(), folding.group(), warps)).generated(className, rare != null);
    }

    /** The kernel as one for blocks of one warp, or null. */
    private static Generated coarse(Program program, Kernel kernel, Graph graph, BlockShape block, String className) {
        Group group = Group.of(kernel, Coarsening.BLOCK, Group.WARP, true);
        Coarsening coarse = group.vectors() > COARSE_VECTORS ? null : Coarsening.of(graph, kernel, block);
        boolean few = group.vectors() <= EXCHANGING_VECTORS;
        boolean fits = coarse != null && coarse.graph().instructionCount() <= (few ? COARSE_INSTRUCTIONS : COARSE_INSTRUCTIONS / 8) && (few || coarse.exchanges() <= COARSE_EXCHANGES);
        if (!fits) {
            return null;
        }
        try {
            VectorShape shape = new Vectorizer(program, kernel, className, false, coarse.isStraight() ? COARSE_BUDGET : Pieces.BUDGET).best(coarse.graph(), group, true);
            return shape.stopsNowhere() && shape.pressure() <= values(coarse, few) * group.vectors() ? shape.generated(className, false).coarse(coarse) : null;
        } catch (NotVectorizable refused) {
            return null;
        }
    }

    /** @param few whether the machine's vectors are long */
    private static int values(Coarsening coarse, boolean few) {
        return 2 * coarse.exchanges() > 3L * coarse.steps() ? COARSE_EXCHANGES_VALUES : !few || coarse.exchanges() > coarse.steps() ? COARSE_VALUES : COARSE_STEPS_VALUES;
    }

    private VectorShape best(Graph all, Group first, boolean warps) {
        Graph graph = warps ? NeededLanes.crossed(all, first.block()) : all;
        CommonPart part = CommonPart.of(graph, first, kernel);
        return best(part, !first.narrow() && (part.usesCarry() || part.size() > LARGE) ? first.again(1, warps) : first);
    }

    private VectorShape best(CommonPart part, Group group) {
        Graph graph = part.graph();
        VectorShape shape = null;
        NotVectorizable refused = null;
        try {
            shape = bestOf(part, group);
        } catch (NotVectorizable tooLarge) {
            refused = tooLarge;
        }
        if (shape != null && shape.whole()) {
            return shape;
        }
        Graph loops = UnrolledLoops.of(graph, i -> Pieces.size(i, group, Set.of(), Set.of()), budget);
        if (loops == graph && refused != null) {
            throw refused;
        }
        return loops == graph ? shape : bestOf(CommonPart.of(loops, group, kernel), group);
    }

    /** The shape with the largest group with which regions fit into methods, or else with regions in pieces. */
    private VectorShape bestOf(CommonPart part, Group group) {
        Graph graph = part.graph();
        List<Group> wider = wider(part, group);
        VectorShape wide = wide(graph, wider, true);
        if (wide != null) {
            return wide;
        }
        Group fitting = fitting(part, group);
        Quotients.Split split = Quotients.split(graph, fitting, kernel);
        Graph versions = split.analysis().withLoopExits();
        VectorShape shape = make(versions, fitting, budget);
        if (split.analysis().graph() != graph && !split.places() && !shape.whole()) {
            // Twice the code in pieces takes longer than divisions in one method.
            VectorShape divides = wide(graph, wider, false);
            Graph one = Analysis.of(graph, fitting, kernel).withLoopExits();
            divides = divides == null ? make(one, fitting, budget) : divides;
            versions = divides.whole() ? one : versions;
            shape = divides.whole() ? divides : shape;
        }
        boolean small = shape.graph.instructionCount() <= LARGE / 4 && !hasWarpOperations(shape.graph);
        if (!shape.whole() && fitting.vectors() > 1 && small && shape.accessesRecords()) {
            VectorShape single = whole(versions, fitting.vector());
            shape = single == null ? shape : single;
        }
        int smaller = budget;
        int largest = Integer.MAX_VALUE;
        while (shape.classCode.largestMethod() > Code.LIMIT) {
            smaller /= 2;
            // Where the largest is the one that calls the pieces, more of them make it larger.
            if (smaller < SMALLEST_BUDGET || shape.classCode.largestMethod() > largest * GROWING) {
                throw new NotVectorizable("a method of " + shape.classCode.largestMethod() + " bytecodes, which HotSpot would not compile");
            }
            largest = shape.classCode.largestMethod();
            shape = make(versions, fitting, smaller);
        }
        return shape;
    }

    // Groups

    private static boolean hasWarpOperations(Graph graph) {
        return graph.blocks().stream().anyMatch(b -> b.instructions().stream().anyMatch(WarpVectors::isWarpOperation));
    }

    /** Larger groups that a kernel may have, the best first. */
    private List<Group> wider(CommonPart part, Group group) {
        if (part.size() > LARGE / 4 || part.any(MatrixVectors::isOfWarp)) {
            return List.of();
        }
        boolean several = rows && !hasWarpOperations(part.graph()) && !part.usesCarry();
        return Stream.of(several ? group.ofRows(Group.MOST) : null, several ? group.ofRows(Group.WARP) : null, group.twice()).filter(Objects::nonNull).toList();
    }

    /** The group whose 64-bit lanes, for as many values as live at once between blocks, have room in the processor's vectors. */
    private Group fitting(CommonPart part, Group first) {
        Graph graph = part.graph();
        Representation representation = graph.representation();
        Predicate<Register> wide = r -> Kind.of(representation.of(r)).wide();
        if (hasWarpOperations(graph)) {
            return first;
        }
        if (part.any(i -> i.family() == Family.EXTENDED_PRECISION && i.type().bits() == 64)) {
            // Sums of 64-bit words and products of them have many intermediate results.
            return first.narrowed();
        }
        if (most(part, wide) <= WIDE_VALUES / Kind.LONG.parts(first)) {
            return first;
        }
        Forms forms = Analysis.of(graph, first, kernel).forms();
        long values = most(part, r -> wide.test(r) && !forms.of(r).scalar());
        return values <= WIDE_VALUES / Kind.LONG.parts(first) ? first
                : values <= WIDE_VALUES / 2 ? first.again(1, false) : first.narrowed();
    }

    private static long most(CommonPart part, Predicate<Register> which) {
        Liveness live = part.graph().liveness();
        return part.blocks().stream().mapToLong(b -> live.liveIn(b.index()).stream().filter(which).count()).max().orElse(0);
    }

    // Shapes of one group

    private VectorShape shape(Graph graph, Group group, boolean hoist) {
        return new VectorShape(program, kernel, graph, group, className, hoist);
    }

    /** The shape with every region in one method, or null. */
    private VectorShape whole(Graph graph, Group group) {
        try {
            VectorShape shape = shape(graph, group, true);
            shape.check();
            if (!shape.fitsWhole(Room.of(budget))) {
                return null;
            }
            shape.emit();
            return shape.isTooLarge() ? null : shape;
        } catch (NotVectorizable smaller) {
            return null;
        }
    }

    /** The shape with the first of some larger groups that are possible and with which every region fits into one method, or null. */
    private VectorShape wide(Graph graph, List<Group> groups, boolean quotients) {
        return groups.stream().map(group -> wide(graph, group, quotients)).filter(Objects::nonNull).findFirst().orElse(null);
    }

    private VectorShape wide(Graph given, Group group, boolean quotients) {
        int most = Math.min(budget, group.rows() > 1 ? Pieces.BUDGET : Pieces.WIDE_BUDGET);
        try {
            Analysis whole = quotients ? Quotients.split(given, group, kernel).analysis() : Analysis.of(given, group, kernel);
            Set<Register> once = whole.graph().registers().stream().filter(r -> whole.forms().of(r).scalar()).collect(Collectors.toSet());
            Graph graph = Cuts.cut(whole.withLoopExits(), group, group.rows() > 1 ? Integer.MAX_VALUE : Math.min(Pieces.WIDE_BLOCKS, most * 2), once);
            VectorShape shape = shape(graph, group, true);
            if (shape.pressure() > (group.rows() > 1 ? VECTORS_FOR_ROWS : VECTORS_FOR_VALUES) || shape.runsByWarps()) {
                return null;
            }
            if (!shape.fitsWhole(Room.of(most))) {
                if (group.rows() == 1 && !hasWarpOperations(given)) {
                    return null;
                }
                shape = shape(graph, group, false);
                shape.cutIntoPieces(Room.of(most));
                if (!shape.piecesAreLoops()) {
                    return null;
                }
            }
            shape.check();
            shape.emit();
            return shape.isTooLarge() ? null : shape;
        } catch (NotVectorizable ofTwoWarps) {
            // Warps that go different ways to a barrier may still be groups of their own.
            return null;
        }
    }

    private VectorShape make(Graph whole, Group group, int most) {
        Graph graph = Cuts.cut(whole, group, most, Set.of());
        VectorShape shape = shape(graph, group, true);
        // What fails here fails without values computed once too.
        shape.check();
        Room room = Room.of(most);
        if (shape.fitsWhole(room)) {
            shape.emit();
        } else {
            shape = inPieces(graph, group, room);
        }
        boolean helps = !shape.isTooHeavyUncut();
        for (int round = 0; round < LIGHTER && helps && shape.isTooHeavy(); round++) {
            room = room.lighter(shape.classCode.heaviestMethod());
            VectorShape lighter = lighter(graph, group, room);
            // What is too heavy may be no piece at all: less room for pieces is of no use then.
            helps = lighter != null && lighter.classCode.heaviestMethod() < shape.classCode.heaviestMethod();
            shape = helps ? lighter : shape;
        }
        return shape;
    }

    /** Null if that would be too many pieces. */
    private VectorShape lighter(Graph graph, Group group, Room room) {
        try {
            return inPieces(graph, group, room);
        } catch (NotVectorizable tooMany) {
            return null;
        }
    }

    /** The shape with regions in pieces, and without values that are computed once: these would have to be computed again in each method. */
    private VectorShape inPieces(Graph whole, Group group, Room room) {
        Graph graph = whole;
        Graph finer = whole;
        VectorShape shape;
        int round = 0;
        do {
            graph = finer;
            shape = shape(graph, group, false);
            shape.check();
            shape.cutIntoPieces(room);
            finer = Cuts.cut(graph, shape.heavyBlocks(), room.load());
        } while (finer != graph && round++ < RECUTS);
        shape.emit();
        return shape;
    }
}
