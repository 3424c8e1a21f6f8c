package io.ptx4j.jit.vector;

import io.ptx4j.engine.BlockShape;
import io.ptx4j.engine.Program;
import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Kernel;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.isa.Family;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.jit.code.ClassCode;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.flow.Graph;
import io.ptx4j.jit.flow.Liveness;
import io.ptx4j.jit.flow.LoopExits;
import io.ptx4j.jit.flow.MeetingPoint;
import io.ptx4j.jit.flow.Operands;
import io.ptx4j.jit.flow.Regions;
import io.ptx4j.jit.flow.Regions.FrameLayout;
import io.ptx4j.jit.flow.Regions.Region;
import io.ptx4j.jit.flow.Representation;
import io.ptx4j.jit.flow.SameAddresses;
import io.ptx4j.jit.flow.SingleWords;
import io.ptx4j.jit.flow.SpinLoops;
import io.ptx4j.jit.flow.Uniforms;
import io.ptx4j.jit.flow.UnrolledLoops;
import io.ptx4j.jit.scalar.BlockLoop;
import io.ptx4j.jit.scalar.Context;
import io.ptx4j.jit.scalar.MeetingPoints;
import io.ptx4j.jit.scalar.RegionDispatch;
import io.ptx4j.jit.scalar.SpecialRegisters;
import io.ptx4j.jit.scalar.ThreadBlocks;
import io.ptx4j.jit.support.Point;
import io.ptx4j.jit.support.ScalarKernel;
import io.ptx4j.jit.support.VectorFrame;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Generates a kernel's class in the vector shape: a static method for each region, with a loop over groups of threads inside. Regions,
 * frames and the scheduler are those of the scalar shape.
 */
public final class VectorShape {
    /**
     * A generated kernel class and what runs with it.
     *
     * @param laneByLane the instructions that have no vector code here
     */
    public record Generated(String className, byte[] bytes, List<Point> points, FrameLayout frame, int localBytes,
            int largestMethod, int stride, VectorFrame.Extent extent, List<Instruction> laneByLane) {
    }

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

    final Context context;
    final Graph graph;
    final Liveness liveness;
    final Uniforms uniforms;
    final Regions regions;
    final Group group;
    final Forms forms;
    final ClassCode classCode;
    final LaneMethods laneMethods;
    final FrameLayout frame;
    final Map<Register, Integer> indexSlots = new HashMap<>();
    final PendingGroups pendingGroups = new PendingGroups();
    private Forms blockForms;
    private boolean blockTogether;
    private LoopAhead ahead;
    private boolean aheadKnown;
    private SureBlocks sureBlocks;
    private boolean sureBlocksKnown;
    private final List<LaneFlow> flows;
    private final Map<Integer, LaneTail> tails;
    final ThreadBlocks blocks;
    private final List<Pieces> pieces = new ArrayList<>();

    private VectorShape(Program program, Kernel kernel, Graph graph, Group group, String className, boolean hoist) {
        this.group = group;
        this.graph = graph;
        this.context = new Context(program, kernel, group.block(), graph, InterleavedLocals.layout(graph, group));
        this.liveness = graph.liveness();
        this.uniforms = hoist ? new Uniforms(graph, kernel, SpecialRegisters::uniform) : null;
        this.classCode = new ClassCode(className, ScalarKernel.class, program.module().name());
        this.laneMethods = new LaneMethods(classCode);
        Analysis analysis = analyse(graph, group, uniforms, context);
        this.regions = analysis.regions;
        this.flows = analysis.flows;
        this.forms = analysis.forms;
        this.tails = analysis.tails;
        this.blocks = new ThreadBlocks(graph, regions, uniforms, false);
        this.frame = regions.layout(graph.representation(), List.of(), r -> false);
        for (MeetingPoint point : regions.points()) {
            for (Register register : point.saved()) {
                if (forms.of(register).row() instanceof Form.Affine a && !a.plain()) {
                    indexSlots.putIfAbsent(register, indexSlots.size());
                }
            }
        }
    }

    /** Forms for all threads of the block at once, and whether these always stop together. */
    private void analyseBlock() {
        List<LaneFlow> ways = regions.regions().stream().map(region -> new LaneFlow(graph, regions, region)).toList();
        blockForms = new Forms(graph, uniforms, group.ofBlock(), ways, Set.of(), i -> false);
        blockTogether = !runsByWarps();
        for (LaneFlow flow : ways) {
            for (int p = 0; p < flow.size(); p++) {
                blockTogether &= regions.pointOfBlock()[flow.block(p)] < 0 || !flow.apart(p);
            }
        }
    }

    /** Whether all threads of the block that have not ended stop at the same point each time. */
    boolean blockTogether() {
        if (blockForms == null) {
            analyseBlock();
        }
        return blockTogether;
    }

    Forms blockForms() {
        return blockForms;
    }

    /** Groups of neighbouring blocks without tests, of a kernel's only region; null if there are none. */
    SureBlocks sureBlocks() {
        if (!sureBlocksKnown) {
            sureBlocks = flows.size() == 1 ? SureBlocks.of(this, flows.getFirst()) : null;
            sureBlocksKnown = true;
        }
        return sureBlocks;
    }

    /** How code beside that of {@link SureBlocks} loads and stores records: if most groups are of those, in as little code as possible, so that methods have room for all. */
    Records.Sorting sorting() {
        return sureBlocks() != null && sureBlocks().haveRecords() ? Records.Sorting.SHARED : Records.Sorting.IN_LINE;
    }

    /** Cuts the regions into pieces. */
    private void cutIntoPieces(Room room) {
        regions.regions().forEach(region -> pieces.add(Pieces.of(flows.get(region.index()), this, roomOf(region, room))));
    }

    /** Whether each region fits into one method; if not, this shape is of no use. */
    private boolean fitsWhole(Room room) {
        for (Region region : regions.regions()) {
            Pieces whole = Pieces.whole(flows.get(region.index()), this, roomOf(region, room));
            if (whole == null) {
                return false;
            }
            pieces.add(whole);
        }
        return true;
    }

    private Room roomOf(Region region, Room room) {
        int most = room.bytecodes() == Pieces.BUDGET && group.rows() > 1 && group.lanes() == Group.MOST && comesBack(region) ? Pieces.ROWS_BUDGET : room.bytecodes();
        return new Room(most, room.load(), room.whole());
    }

    /** Blocks that alone are more than HotSpot's first compiler takes, with their {@link Load}. */
    private Map<Integer, Integer> heavyBlocks() {
        Map<Integer, Integer> all = new HashMap<>();
        pieces.forEach(of -> all.putAll(of.heavy()));
        return all;
    }

    /** Whether no region needs more than one method. */
    private boolean whole() {
        return pieces.stream().allMatch(Pieces::single);
    }

    /** What is known of a graph once it is clear at which meeting points threads need not stop. */
    private record Analysis(Regions regions, List<LaneFlow> flows, Forms forms, Map<Integer, LaneTail> tails) {
    }

    private static Analysis analyse(Graph some, Group group, Uniforms same, Context known) {
        Set<Instruction> together = Together.candidates(some, group);
        Map<Integer, SpinLoops.Reads> spins = SpinLoops.headers(some);
        while (true) {
            Regions cut = Regions.of(some, some.liveness(), spins, r -> same != null && same.contains(r), together::contains);
            List<LaneFlow> ways = new ArrayList<>();
            for (Region region : cut.regions()) {
                ways.add(new LaneFlow(some, cut, region));
            }
            Forms found = new Forms(some, same, group, ways, together, i -> true);
            List<LaneFlow> ofWarps = ways;
            if (group.warps() > 1 && !together.isEmpty()) {
                ofWarps = cut.regions().stream().map(region -> new LaneFlow(some, cut, region)).toList();
                new Forms(some, same, group.half(), ofWarps, together, found::uniformSources);
            }
            Set<Instruction> apart = Together.apart(some, together, ofWarps, found, known);
            if (apart.isEmpty()) {
                for (int r = 0; r < ways.size(); r++) {
                    if (ways.get(r).partsInLoopsUnlike(ofWarps.get(r))) {
                        throw new NotVectorizable("warps that go different ways in a loop");
                    }
                }
                Map<Integer, LaneTail> tails = LaneTail.of(some, cut, ways.getFirst(), found);
                if (tails.isEmpty()) {
                    return new Analysis(cut, ways, found, tails);
                }
                ways = List.of(new LaneFlow(some, cut, cut.regions().getFirst(), tails));
                return new Analysis(cut, ways, new Forms(some, same, group, ways, together, i -> true), tails);
            }
            together.removeAll(apart);
        }
    }

    /** The group whose 64-bit lanes, for as many values as live at once between blocks, have room in the processor's vectors. */
    private static Group fitting(Kernel kernel, Graph graph, Group first) {
        Liveness live = graph.liveness();
        Representation representation = graph.representation();
        Predicate<Register> wide = r -> Kind.of(representation.of(r)).wide();
        if (hasWarpOperations(graph)) {
            return first;
        }
        if (usesWideCarry(graph)) {
            return Group.narrow(kernel, first.block());
        }
        if (most(graph, live, wide) <= WIDE_VALUES / Kind.LONG.parts(first)) {
            return first;
        }
        Uniforms same = new Uniforms(graph, kernel, SpecialRegisters::uniform);
        Forms forms = analyse(graph, first, same, null).forms;
        long values = most(graph, live, r -> wide.test(r) && !forms.of(r).scalar());
        return values <= WIDE_VALUES / Kind.LONG.parts(first) ? first
                : values <= WIDE_VALUES / 2 ? Group.of(kernel, first.block(), 1, false) : Group.narrow(kernel, first.block());
    }

    /** Sums of 64-bit words and products of them have many intermediate results. */
    private static boolean usesWideCarry(Graph graph) {
        return graph.blocks().stream().flatMap(b -> b.instructions().stream())
                .anyMatch(i -> i.family() == Family.EXTENDED_PRECISION && i.type().bits() == 64);
    }

    private static long most(Graph graph, Liveness live, Predicate<Register> which) {
        return graph.blocks().stream().mapToLong(b -> live.liveIn(b.index()).stream().filter(which).count()).max().orElse(0);
    }

    private static Analysis analyse(Graph whole, Group group, Kernel kernel) {
        return analyse(whole, group, new Uniforms(whole, kernel, SpecialRegisters::uniform), null);
    }

    /**
     * A graph, and what is known of it.
     *
     * @param places as {@link Quotients.Split} has it
     */
    record Analysed(Graph graph, Analysis analysis, boolean places) {
        private Graph withLoopExits() {
            return VectorShape.withLoopExits(graph, analysis);
        }
    }

    /** Gives what follows quotients two versions. */
    static Analysed withQuotients(Graph whole, Group group, Kernel kernel) {
        Map<Graph, Analysis> known = new IdentityHashMap<>();
        Function<Graph, Analysis> analyses = graph -> known.computeIfAbsent(graph, g -> analyse(g, group, kernel));
        Quotients.Split split = Quotients.split(whole, group, graph -> analyses.apply(graph).forms);
        return new Analysed(split.graph(), analyses.apply(split.graph()), split.places());
    }

    private static Analysed asItIs(Graph whole, Group group, Kernel kernel) {
        return new Analysed(whole, analyse(whole, group, kernel), false);
    }

    /** Gives loops that lanes leave one by one registers of their own. */
    private static Graph withLoopExits(Graph whole, Analysis analysis) {
        Map<Integer, BitSet> loops = new TreeMap<>();
        analysis.flows.forEach(flow -> flow.partingLoops(loops));
        Graph prepared = SameAddresses.rewrite(SingleWords.rewrite(whole), r -> analysis.forms.of(r) instanceof Form.Affine a && a.stride() > Integer.BYTES);
        return LoopExits.copying(EarlyAddresses.rewrite(prepared), loops.entrySet().stream().map(e -> new LoopExits.Loop(e.getKey(), e.getValue()))
                .sorted(Comparator.comparingInt(l -> l.blocks().cardinality())).toList());
    }

    private static boolean hasWarpOperations(Graph graph) {
        return graph.blocks().stream().anyMatch(b -> b.instructions().stream().anyMatch(WarpVectors::isWarpOperation));
    }

    /** @throws NotVectorizable if the kernel must stay in the scalar shape */
    public static Generated generate(Program program, Kernel kernel, Graph graph, BlockShape block, String className) {
        int budget = Integer.getInteger("ptx4j.jit.vector.piece", Pieces.BUDGET);
        Group group = Group.of(kernel, block, usesCarry(graph) || graph.instructionCount() > LARGE ? 1 : Group.WARP, hasWarpOperations(graph));
        VectorShape shape = null;
        NotVectorizable refused = null;
        try {
            shape = best(program, kernel, graph, group, className, budget);
        } catch (NotVectorizable tooLarge) {
            refused = tooLarge;
        }
        if (shape == null || !shape.whole()) {
            Graph loops = UnrolledLoops.of(graph, i -> Pieces.size(i, group, Set.of(), Set.of()), budget);
            if (loops == graph && refused != null) {
                throw refused;
            }
            shape = loops == graph ? shape : best(program, kernel, loops, group, className, budget);
        }
        List<Point> points = new ArrayList<>();
        shape.regions.points().forEach(point -> points.add(MeetingPoints.describe(point, point.index() + 1)));
        return new Generated(className, shape.classCode.bytes(), points, shape.frame, shape.context.localBytes(),
                shape.classCode.largestMethod(), shape.group.paddedThreads(), shape.extent(), shape.laneMethods.only());
    }

    /** The shape with the largest group with which regions fit into methods, or else with regions in pieces. */
    private static VectorShape best(Program program, Kernel kernel, Graph graph, Group group, String className, int budget) {
        VectorShape wide = wide(program, kernel, graph, wider(graph, group), true, className, budget);
        if (wide != null) {
            return wide;
        }
        Group fitting = fitting(kernel, graph, group);
        Analysed split = withQuotients(graph, fitting, kernel);
        Graph versions = split.withLoopExits();
        VectorShape shape = make(program, kernel, versions, fitting, className, budget);
        if (split.graph() != graph && !split.places() && !shape.whole()) {
            // Twice the code in pieces takes longer than divisions in one method.
            VectorShape divides = wide(program, kernel, graph, wider(graph, group), false, className, budget);
            Graph one = asItIs(graph, fitting, kernel).withLoopExits();
            divides = divides == null ? make(program, kernel, one, fitting, className, budget) : divides;
            versions = divides.whole() ? one : versions;
            shape = divides.whole() ? divides : shape;
        }
        if (!shape.whole() && fitting.vectors() > 1 && shape.accessesRecords()) {
            VectorShape single = whole(program, kernel, versions, fitting.vector(), className, budget);
            shape = single == null ? shape : single;
        }
        int smaller = budget;
        while (shape.classCode.largestMethod() > Code.LIMIT) {
            smaller /= 2;
            if (smaller < SMALLEST_BUDGET) {
                throw new NotVectorizable("a method of " + shape.classCode.largestMethod() + " bytecodes, which HotSpot would not compile");
            }
            shape = make(program, kernel, versions, fitting, className, smaller);
        }
        return shape;
    }

    /** Whether a small kernel loads or stores words of 64 bits, or of structures, each of which takes several vectors and much code. */
    private boolean accessesRecords() {
        return graph.instructionCount() <= LARGE / 4 && !hasWarpOperations(graph) && Operands.any(graph.blocks(), this::isOfRecord);
    }

    private boolean isOfRecord(Instruction i) {
        if (!MemoryVectors.isLoad(i) && i.opcode() != Opcode.ST || SteadyLoop.address(i).register() == null) {
            return false;
        }
        return i.type().bits() == Long.SIZE || forms.of(SteadyLoop.address(i).register()) instanceof Form.Affine a && a.stride() > i.type().bytes();
    }

    /** The shape with every region in one method, or null. */
    private static VectorShape whole(Program program, Kernel kernel, Graph whole, Group group, String className, int budget) {
        try {
            VectorShape shape = new VectorShape(program, kernel, whole, group, className, true);
            shape.check();
            if (!shape.fitsWhole(Room.of(budget))) {
                return null;
            }
            shape.emit();
            return shape.classCode.largestMethod() > Code.LIMIT || shape.isTooHeavy() ? null : shape;
        } catch (NotVectorizable smaller) {
            return null;
        }
    }

    /** Larger groups that a kernel may have, the best first. */
    private static List<Group> wider(Graph graph, Group group) {
        if (graph.instructionCount() > LARGE / 4) {
            return List.of();
        }
        boolean rows = !hasWarpOperations(graph) && !usesCarry(graph);
        return Stream.of(rows ? group.ofRows(Group.MOST) : null, rows ? group.ofRows(Group.WARP) : null, group.twice()).filter(Objects::nonNull).toList();
    }

    /** The shape with the first of some larger groups that are possible and with which every region fits into one method, or null. */
    private static VectorShape wide(Program program, Kernel kernel, Graph graph, List<Group> groups, boolean quotients, String className, int budget) {
        return groups.stream().map(group -> wide(program, kernel, graph, group, quotients, className, budget)).filter(Objects::nonNull).findFirst().orElse(null);
    }

    private static VectorShape wide(Program program, Kernel kernel, Graph given, Group wide, boolean quotients, String className, int most) {
        int budget = Math.min(most, wide.rows() > 1 ? Pieces.BUDGET : Pieces.WIDE_BUDGET);
        try {
            Analysed whole = quotients ? withQuotients(given, wide, kernel) : asItIs(given, wide, kernel);
            Set<Register> once = whole.graph.registers().stream().filter(r -> whole.analysis.forms.of(r).scalar()).collect(Collectors.toSet());
            Graph graph = Cuts.cut(whole.withLoopExits(), wide, wide.rows() > 1 ? Integer.MAX_VALUE : Math.min(Pieces.WIDE_BLOCKS, budget * 2), once);
            VectorShape shape = new VectorShape(program, kernel, graph, wide, className, true);
            int pressure = Pressure.of(shape.graph, shape.forms, LaneTail.blocks(shape.tails));
            if (pressure > (wide.rows() > 1 ? VECTORS_FOR_ROWS : VECTORS_FOR_VALUES) || shape.runsByWarps()) {
                return null;
            }
            if (!shape.fitsWhole(Room.of(budget))) {
                if (wide.rows() == 1 && !hasWarpOperations(given)) {
                    return null;
                }
                shape = new VectorShape(program, kernel, graph, wide, className, false);
                shape.cutIntoPieces(Room.of(budget));
                if (!shape.piecesAreLoops()) {
                    return null;
                }
            }
            shape.check();
            shape.emit();
            return shape.classCode.largestMethod() > Code.LIMIT || shape.isTooHeavy() ? null : shape;
        } catch (NotVectorizable ofTwoWarps) {
            // Warps that go different ways to a barrier may still be groups of their own.
            return null;
        }
    }

    /**
     * Whether loops lie in one piece each and regions of several pieces run once: the way from piece to piece is short beside the loops, of which there are some if the group is none of rows.
     */
    private boolean piecesAreLoops() {
        for (Region region : regions.regions()) {
            LaneFlow flow = flows.get(region.index());
            Pieces cut = pieces.get(region.index());
            boolean split = IntStream.range(0, flow.size()).anyMatch(p -> flow.isLoop(p) && cut.of(p) != cut.of(flow.lastOf(p)));
            if (!cut.single() && (comesBack(region) || split)) {
                return false;
            }
        }
        return group.rows() > 1 || flows.stream().anyMatch(flow -> IntStream.range(0, flow.size()).anyMatch(flow::isLoop));
    }

    /** Whether threads may come to a region once more. */
    private boolean comesBack(Region region) {
        Deque<Integer> stops = new ArrayDeque<>(region.stops());
        Set<Integer> seen = new HashSet<>();
        while (!stops.isEmpty()) {
            int stop = stops.pop();
            if (seen.add(stop)) {
                stops.addAll(regions.regions().get(stop + 1).stops());
            }
        }
        return region.after() != null && seen.contains(region.after().index());
    }

    /** Whether {@link io.ptx4j.jit.support.Scheduler} runs threads warp by warp: a group of two must not begin at the second of them. */
    private boolean runsByWarps() {
        return regions.points().stream().anyMatch(point -> MeetingPoints.describe(point, point.index() + 1).kind().ofWarp());
    }

    private static VectorShape make(Program program, Kernel kernel, Graph whole, Group group, String className, int budget) {
        Graph graph = Cuts.cut(whole, group, budget, Set.of());
        VectorShape shape = new VectorShape(program, kernel, graph, group, className, true);
        // What fails here fails without values computed once too.
        shape.check();
        Room room = Room.of(budget);
        if (shape.fitsWhole(room)) {
            shape.emit();
        } else {
            shape = inPieces(program, kernel, graph, group, className, room);
        }
        for (int round = 0; round < LIGHTER && shape.isTooHeavy(); round++) {
            room = room.lighter(shape.classCode.heaviestMethod());
            shape = inPieces(program, kernel, graph, group, className, room);
        }
        return shape;
    }

    /** The shape with regions in pieces, and without values that are computed once: these would have to be computed again in each method. */
    private static VectorShape inPieces(Program program, Kernel kernel, Graph whole, Group group, String className, Room room) {
        Graph graph = whole;
        Graph finer = whole;
        VectorShape shape;
        int round = 0;
        do {
            graph = finer;
            shape = new VectorShape(program, kernel, graph, group, className, false);
            shape.check();
            shape.cutIntoPieces(room);
            finer = Cuts.cut(graph, shape.heavyBlocks(), room.load());
        } while (finer != graph && round++ < RECUTS);
        shape.emit();
        return shape;
    }

    /** Whether a method has come out as more than HotSpot's first compiler takes. */
    private boolean isTooHeavy() {
        return classCode.heaviestMethod() > Load.TAKEN;
    }

    private VectorFrame.Extent extent() {
        int[] crossing = new int[5];
        int blocks = 0;
        for (int i = 0; i < pieces.size(); i++) {
            if (!pieces.get(i).single()) {
                for (Kind kind : Kind.values()) {
                    int at = switch (kind) {
                        case INT -> 0;
                        case LONG -> 1;
                        case FLOAT -> 2;
                        case DOUBLE -> 3;
                    };
                    crossing[at] = Math.max(crossing[at], pieces.get(i).crossing().size(kind));
                }
                crossing[4] = Math.max(crossing[4], pieces.get(i).crossing().masks());
                blocks = Math.max(blocks, flows.get(i).size());
            }
        }
        LoopAhead ahead = ahead(flows.getFirst());
        return new VectorFrame.Extent(group.lanes(), indexSlots.size(), crossing, blocks, ahead == null ? null : ahead.state().elements());
    }

    /** The loop of a region whose turns all groups run ahead, or null. */
    LoopAhead ahead(LaneFlow flow) {
        if (flow != flows.getFirst()) {
            return null;
        }
        if (!aheadKnown) {
            ahead = LoopAhead.of(this, regions.regions().getFirst(), flow);
            aheadKnown = true;
        }
        return ahead;
    }

    private static boolean usesCarry(Graph graph) {
        return graph.firstSum() < graph.registers().size()
                || graph.blocks().stream().flatMap(b -> b.instructions().stream()).anyMatch(i -> i.family() == Family.EXTENDED_PRECISION);
    }

    boolean isUniform(Register register) {
        return uniforms != null && uniforms.contains(register);
    }

    boolean isHoisted(Instruction instruction) {
        return uniforms != null && uniforms.defines(instruction);
    }

    /** Whether threads never stop, so that the only region runs block after block. */
    boolean runsOn() {
        return regions.points().isEmpty();
    }

    private void check() {
        for (MeetingPoint point : regions.points()) {
            if (point.kind() == MeetingPoint.Kind.PASS) {
                throw new NotVectorizable("code that several barriers share is too large to be copied");
            }
            if (point.kind() == MeetingPoint.Kind.SPIN) {
                throw new NotVectorizable("threads wait for others in a loop");
            }
        }
        Set<Register> read = new HashSet<>();
        graph.blocks().forEach(b -> b.instructions().forEach(i -> Operands.uses(i, read::add)));
        LaneTail.blocks(tails).stream().mapToObj(graph.blocks()::get).flatMap(b -> b.instructions().stream()).forEach(i -> {
            checkOrder(i, read);
            checkWaiting(i);
        });
        for (LaneFlow flow : flows) {
            for (int p = 0; p < flow.size(); p++) {
                BasicBlock block = graph.blocks().get(flow.block(p));
                if (regions.pointOfBlock()[block.index()] >= 0 && flow.apart(p)) {
                    throw new NotVectorizable("line " + block.instructions().getLast().location().line()
                            + ": a barrier or warp operation where threads of a warp go different ways");
                }
                if (regions.pointOfBlock()[block.index()] >= 0) {
                    checkMask(block.instructions().getLast());
                }
                block.instructions().forEach(i -> checkOrder(i, read));
                if (flow.inPartingLoop(p)) {
                    block.instructions().forEach(VectorShape::checkWaiting);
                }
            }
        }
    }

    /** Threads meet by the value of their member masks: one that differs parts the lanes of a group. */
    private void checkMask(Instruction i) {
        Operand mask = MeetingPoints.mask(i);
        if (mask != null && !(forms.of(mask) instanceof Form.Uniform) && !givenToAll(mask)) {
            throw new NotVectorizable("line " + i.location().line() + ": a member mask that may differ between the threads of a warp");
        }
    }

    /** Whether only {@code activemask}, votes and moves of uniform values write a register, all where lanes have not parted. */
    private boolean givenToAll(Operand mask) {
        if (!(mask instanceof Operand.Reg reg)) {
            return false;
        }
        for (LaneFlow flow : flows) {
            for (int p = 0; p < flow.size(); p++) {
                for (Instruction i : graph.blocks().get(flow.block(p)).instructions()) {
                    Set<Register> defined = new HashSet<>();
                    Operands.definitions(i, defined::add);
                    boolean same = i.opcode() == Opcode.ACTIVEMASK || i.opcode() == Opcode.VOTE
                            || i.opcode() == Opcode.MOV && forms.uniformSources(i);
                    if (defined.contains(reg.register()) && (!same || i.guard() != null || flow.apart(p))) {
                        return false;
                    }
                }
            }
        }
        return true;
    }

    /** In the scalar shape a thread runs as far as it gets before the next one begins, and that order shows here. */
    private static void checkOrder(Instruction i, Set<Register> read) {
        if (i.family() == Family.BARRIER && i.spelling().has(Modifier.CLUSTER) && i.spelling().has(Modifier.ARRIVE)) {
            throw new NotVectorizable("line " + i.location().line() + ": blocks of a cluster wait for each other");
        }
        boolean result = i.opcode() == Opcode.ATOM && i.operand(0) instanceof Operand.Reg r && read.contains(r.register());
        boolean updates = i.family() == Family.ATOMIC || i.opcode() == Opcode.MULTIMEM && i.spelling().has(Modifier.RED);
        if (updates && (result || i.type() != null && i.type().isFloat())) {
            throw new NotVectorizable("line " + i.location().line() + ": what " + i.spelling()
                    + " gives depends on the order in which threads come to it");
        }
    }

    /** Threads of a group that wait for each other in a loop would never come together. */
    private static void checkWaiting(Instruction i) {
        Modifier order = i.spelling().one(Modifier.Category.ORDER);
        boolean ordered = (i.opcode() == Opcode.LD || i.opcode() == Opcode.ST || i.opcode() == Opcode.MULTIMEM) && order != null && order != Modifier.WEAK;
        if (ordered || i.family() == Family.MBARRIER) {
            throw new NotVectorizable("line " + i.location().line() + ": " + i.spelling()
                    + " in a loop that threads of a warp leave one by one: they might wait for each other");
        }
    }

    private void emit() {
        classCode.defaultConstructor(ScalarKernel.class);
        RegionDispatch.emit(classCode, regions.regions().size());
        if (runsOn()) {
            BlockLoop.tell(classCode);
        }
        for (Region region : regions.regions()) {
            new RegionEmitter(this, region, flows.get(region.index()), pieces.get(region.index())).emit();
        }
        pendingGroups.emit(classCode);
    }
}
