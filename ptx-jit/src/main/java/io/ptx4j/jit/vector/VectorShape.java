package io.ptx4j.jit.vector;

import io.ptx4j.engine.Program;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Kernel;
import io.ptx4j.ir.Register;
import io.ptx4j.isa.Opcode;
import io.ptx4j.jit.code.ClassCode;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.flow.Graph;
import io.ptx4j.jit.flow.Liveness;
import io.ptx4j.jit.flow.MeetingPoint;
import io.ptx4j.jit.flow.Operands;
import io.ptx4j.jit.flow.Regions;
import io.ptx4j.jit.flow.Regions.FrameLayout;
import io.ptx4j.jit.flow.Regions.Region;
import io.ptx4j.jit.flow.Uniforms;
import io.ptx4j.jit.scalar.BlockLoop;
import io.ptx4j.jit.scalar.Context;
import io.ptx4j.jit.scalar.MeetingPoints;
import io.ptx4j.jit.scalar.RegionDispatch;
import io.ptx4j.jit.scalar.SpecialRegisters;
import io.ptx4j.jit.scalar.ThreadBlocks;
import io.ptx4j.jit.support.Point;
import io.ptx4j.jit.support.ScalarKernel;
import io.ptx4j.jit.support.SplitGroups;
import io.ptx4j.jit.support.VectorFrame;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * A kernel in the vector shape, with one group of threads: a static method for each region, or for each of its pieces, with a loop over groups inside. Regions,
 * frames and the scheduler are those of the scalar shape. {@link Vectorizer} chooses among several.
 */
final class VectorShape {
    final Context context;
    final Graph graph;
    final Liveness liveness;
    final Uniforms uniforms;
    final Regions regions;
    /** Regions that run between stops of a waiting loop. */
    final BitSet repeated;
    /** Whether some threads of a group may stop where others go on. */
    final boolean splits;
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
    private final Analysis analysis;
    private final List<LaneFlow> flows;
    final ThreadBlocks blocks;
    private final List<Pieces> pieces = new ArrayList<>();

    /** @param hoist whether what is one for all threads is computed before they run */
    VectorShape(Program program, Kernel kernel, Graph graph, Group group, String className, boolean hoist) {
        this.group = group;
        this.graph = graph;
        this.context = new Context(program, kernel, group.block(), graph, InterleavedLocals.layout(graph, group));
        this.liveness = graph.liveness();
        this.uniforms = hoist ? new Uniforms(graph, kernel, SpecialRegisters::uniform) : null;
        this.classCode = new ClassCode(className, ScalarKernel.class, program.module().name(), graph.lastLine());
        this.laneMethods = new LaneMethods(classCode);
        this.analysis = Analysis.of(graph, group, uniforms, context);
        this.regions = analysis.regions();
        this.flows = analysis.flows();
        this.repeated = regions.repeated();
        this.splits = analysis.splits();
        this.forms = analysis.forms();
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

    /** @throws NotVectorizable if threads would not do what they do in the scalar shape */
    void check() {
        Obstacles.check(analysis);
        // Registers of matrix instructions lie in one place for all parts of a group.
        if (splits && (group.rows() > 1 || group.warps() > 1 || group.padded() || forms.matrixSlots() > 0)) {
            throw new NotVectorizable("threads of a warp go different ways to where they wait for others");
        }
    }

    Vectorizer.Generated generated(String className, boolean beginsAnew) {
        List<Point> points = new ArrayList<>();
        regions.points().forEach(point -> points.add(MeetingPoints.describe(point, point.index() + 1)));
        return new Vectorizer.Generated(className, classCode.bytes(), points, frame, context.localBytes(), classCode.largestMethod(), group.paddedThreads(), extent(), regions.waits(),
            laneMethods.only(), context.matrixPoints().places(), group.block(), group.columns(), 0, 0, beginsAnew);
    }

    /** Whether threads stop nowhere. */
    boolean stopsNowhere() {
        return regions.points().isEmpty();
    }

    /** Forms for all threads of the block at once, and whether these always stop together. */
    private void analyseBlock() {
        List<LaneFlow> ways = regions.regions().stream().map(region -> new LaneFlow(graph, regions, region)).toList();
        blockForms = new Forms(graph, uniforms, group.ofBlock(), ways, Set.of(), Forms.NEVER);
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

    /** See {@link Analysis#needsAll}. */
    boolean needsAll(Region region) {
        return analysis.needsAll(region);
    }

    /** Cuts the regions into pieces. */
    void cutIntoPieces(Room room) {
        regions.regions().forEach(region -> pieces.add(Pieces.of(flows.get(region.index()), this, roomOf(region, room))));
    }

    /** Whether each region fits into one method; if not, this shape is of no use. */
    boolean fitsWhole(Room room) {
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
    Map<Integer, Integer> heavyBlocks() {
        Map<Integer, Integer> all = new HashMap<>();
        pieces.forEach(of -> all.putAll(of.heavy()));
        return all;
    }

    /** Whether no region needs more than one method. */
    boolean whole() {
        return pieces.stream().allMatch(Pieces::single);
    }

    /** Whether the kernel loads or stores words of 64 bits, or of structures, each of which takes several vectors and much code. */
    boolean accessesRecords() {
        return Operands.any(graph.blocks(), this::isOfRecord);
    }

    private boolean isOfRecord(Instruction i) {
        if (!MemoryVectors.isLoad(i) && i.opcode() != Opcode.ST || SteadyLoop.address(i).register() == null) {
            return false;
        }
        return i.type().bits() == Long.SIZE || forms.of(SteadyLoop.address(i).register()) instanceof Form.Affine a && a.stride() > i.type().bytes();
    }

    /**
     * Whether loops lie in one piece each and regions of several pieces run once: the way from piece to piece is short beside the loops, of which there are some if the group is none of rows.
     */
    boolean piecesAreLoops() {
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
    boolean runsByWarps() {
        return regions.points().stream().anyMatch(point -> MeetingPoints.describe(point, point.index() + 1).kind().ofWarp());
    }

    /** Whether a method has come out as more than HotSpot's first compiler takes. */
    boolean isTooHeavy() {
        return classCode.heaviestMethod() > Load.TAKEN;
    }

    /** Whether a single instruction is too heavy, with what it takes from the frame and leaves there. */
    boolean isTooHeavyUncut() {
        return heavyBlocks().entrySet().stream().anyMatch(e -> graph.blocks().get(e.getKey()).instructions().size() <= 1 && e.getValue() > Load.TAKEN);
    }

    /** Whether a method has come out as more than HotSpot compiles, or its first compiler. */
    boolean isTooLarge() {
        return classCode.largestMethod() > Code.LIMIT || isTooHeavy();
    }

    /** Vectors in use at once. */
    int pressure() {
        return Pressure.of(graph, forms, LaneBlocks.blocks(analysis.laneBlocks()));
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
        int locals = context.locals().inArray() ? context.localBytes() / context.locals().word() * group.block().threads() : 0;
        return new VectorFrame.Extent(group.lanes(), indexSlots.size(), crossing, blocks, locals, ahead == null ? null : ahead.state().elements(), splits ? parts() : null);
    }

    /** By point: how the registers that outlive it lie in the frame ({@link SplitGroups#register}). */
    private int[][] parts() {
        return regions.points().stream().map(point -> point.saved().stream().flatMapToInt(this::parts).toArray()).toArray(int[][]::new);
    }

    private IntStream parts(Register register) {
        int slot = frame.slots().get(register);
        int kind = switch (Kind.of(context.representation().of(register))) {
            case INT -> 0;
            case LONG -> 1;
            case FLOAT -> 2;
            case DOUBLE -> 3;
        };
        if (!forms.of(register).scalar()) {
            return IntStream.of(SplitGroups.register(VectorCode.isPredicate(register) ? SplitGroups.BITS : SplitGroups.EACH, kind, slot));
        }
        IntStream one = IntStream.of(SplitGroups.register(SplitGroups.ONE, kind, slot));
        Integer index = indexSlots.get(register);
        return index == null ? one : IntStream.concat(one, IntStream.of(SplitGroups.register(SplitGroups.ONE, SplitGroups.INDICES, index)));
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

    void emit() {
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
