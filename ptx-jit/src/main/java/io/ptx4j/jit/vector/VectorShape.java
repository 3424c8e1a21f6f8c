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
import io.ptx4j.jit.code.Code.Place;
import io.ptx4j.jit.code.JvmType;
import io.ptx4j.jit.flow.Graph;
import io.ptx4j.jit.flow.Liveness;
import io.ptx4j.jit.flow.MeetingPoint;
import io.ptx4j.jit.flow.Nans;
import io.ptx4j.jit.flow.Operands;
import io.ptx4j.jit.flow.Regions;
import io.ptx4j.jit.flow.Regions.FrameLayout;
import io.ptx4j.jit.flow.Regions.Region;
import io.ptx4j.jit.flow.Representation;
import io.ptx4j.jit.flow.Uniforms;
import io.ptx4j.jit.scalar.Context;
import io.ptx4j.jit.scalar.MeetingPoints;
import io.ptx4j.jit.scalar.SpecialRegisters;
import io.ptx4j.jit.support.Frame;
import io.ptx4j.jit.support.Point;
import io.ptx4j.jit.support.ScalarKernel;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Generates a kernel's class in the vector shape: a static method for each region, with a loop over groups of threads inside. Regions,
 * frames and the scheduler are those of the scalar shape.
 */
public final class VectorShape {
    /** A generated kernel class and what runs with it. */
    public record Generated(String className, byte[] bytes, List<Point> points, FrameLayout frame, int localBytes,
            int largestMethod, int stride, int lanes, int indices) {
    }

    static final String REGION = "(Lio/ptx4j/engine/Worker;Lio/ptx4j/jit/support/Frame;III)I";
    private static final int WARP = 32;

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
    private final List<LaneFlow> flows = new ArrayList<>();

    private VectorShape(Program program, Kernel kernel, Graph graph, BlockShape block, String className) {
        this.graph = graph;
        Representation representation = new Representation(graph);
        this.context = new Context(program, kernel, block, graph, representation, new Nans(graph, representation));
        this.liveness = new Liveness(graph);
        this.uniforms = new Uniforms(graph, kernel, SpecialRegisters::uniform);
        this.regions = Regions.of(graph, liveness, uniforms::contains);
        this.group = Group.of(kernel, block, WARP);
        for (Region region : regions.regions()) {
            flows.add(new LaneFlow(graph, regions, region));
        }
        this.forms = new Forms(graph, liveness, uniforms, group, flows);
        this.classCode = new ClassCode(className, ScalarKernel.class, program.module().name());
        this.laneMethods = new LaneMethods(classCode);
        this.frame = regions.layout(representation, List.of());
        for (MeetingPoint point : regions.points()) {
            for (Register register : point.saved()) {
                if (forms.of(register) instanceof Form.Affine a && a.index() != null) {
                    indexSlots.putIfAbsent(register, indexSlots.size());
                }
            }
        }
    }

    /** @throws NotVectorizable if the kernel must stay in the scalar shape */
    public static Generated generate(Program program, Kernel kernel, Graph graph, BlockShape block, String className) {
        VectorShape shape = new VectorShape(program, kernel, graph, block, className);
        shape.check();
        shape.emit();
        if (shape.classCode.largestMethod() > Code.LIMIT) {
            throw new NotVectorizable("a method of " + shape.classCode.largestMethod() + " bytecodes, which HotSpot would not compile");
        }
        List<Point> points = new ArrayList<>();
        shape.regions.points().forEach(point -> points.add(MeetingPoints.describe(point, point.index() + 1)));
        return new Generated(className, shape.classCode.bytes(), points, shape.frame, shape.context.localBytes(),
                shape.classCode.largestMethod(), shape.group.paddedThreads(), shape.group.lanes(), shape.indexSlots.size());
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
        for (LaneFlow flow : flows) {
            for (int p = 0; p < flow.size(); p++) {
                BasicBlock block = graph.blocks().get(flow.block(p));
                if (regions.pointOfBlock()[block.index()] >= 0 && flow.apart(p)) {
                    throw new NotVectorizable("line " + block.instructions().getLast().location().line()
                            + ": a barrier or warp operation where threads of a warp go different ways");
                }
                block.instructions().forEach(i -> checkOrder(i, read));
                if (flow.inPartingLoop(p)) {
                    block.instructions().forEach(VectorShape::checkWaiting);
                }
            }
        }
    }

    /** In the scalar shape a thread runs as far as it gets before the next one begins, and that order shows here. */
    private static void checkOrder(Instruction i, Set<Register> read) {
        boolean result = i.opcode() == Opcode.ATOM && i.operand(0) instanceof Operand.Reg r && read.contains(r.register());
        if (i.family() == Family.ATOMIC && (result || i.type() != null && i.type().isFloat())) {
            throw new NotVectorizable("line " + i.location().line() + ": what " + i.spelling()
                    + " gives depends on the order in which threads come to it");
        }
    }

    /** Threads of a group that wait for each other in a loop would never come together. */
    private static void checkWaiting(Instruction i) {
        Modifier order = i.spelling().one(Modifier.Category.ORDER);
        boolean ordered = (i.opcode() == Opcode.LD || i.opcode() == Opcode.ST) && order != null && order != Modifier.WEAK;
        if (ordered || i.family() == Family.MBARRIER) {
            throw new NotVectorizable("line " + i.location().line() + ": " + i.spelling()
                    + " in a loop that threads of a warp leave one by one: they might wait for each other");
        }
    }

    private void emit() {
        classCode.defaultConstructor(ScalarKernel.class);
        Code code = classCode.method("region", "(ILio/ptx4j/engine/Worker;Lio/ptx4j/jit/support/Frame;III)I");
        code.load(code.parameter(1, JvmType.INT));
        List<Place> places = new ArrayList<>();
        regions.regions().forEach(r -> places.add(new Place()));
        Place none = new Place();
        code.tableSwitch(places, none);
        for (int i = 0; i < places.size(); i++) {
            code.place(places.get(i)).load(code.parameter(2, JvmType.REFERENCE)).load(code.parameter(3, JvmType.REFERENCE));
            for (int p = 4; p <= 6; p++) {
                code.load(code.parameter(p, JvmType.INT));
            }
            code.callOwn("region" + i, REGION).ret();
        }
        code.place(none).push(Frame.ENDED).ret().end();
        for (Region region : regions.regions()) {
            new RegionEmitter(this, region, flows.get(region.index())).emit();
        }
    }
}
