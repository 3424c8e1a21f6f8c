package io.ptx4j.jit.scalar;

import io.ptx4j.engine.BlockShape;
import io.ptx4j.engine.Program;
import io.ptx4j.ir.Kernel;
import io.ptx4j.ir.Register;
import io.ptx4j.jit.code.ClassCode;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.flow.CommonValues;
import io.ptx4j.jit.flow.Graph;
import io.ptx4j.jit.flow.Liveness;
import io.ptx4j.jit.flow.MeetingPoint;
import io.ptx4j.jit.flow.Regions;
import io.ptx4j.jit.flow.Regions.FrameLayout;
import io.ptx4j.jit.flow.Regions.Region;
import io.ptx4j.jit.flow.SpinLoops;
import io.ptx4j.jit.flow.Uniforms;
import io.ptx4j.jit.support.Point;
import io.ptx4j.jit.support.ScalarKernel;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Generates a kernel's class in the scalar shape: a static method for each region, with the thread loop inside; a region too
 * large for one method becomes a loop that calls one method for each chunk of it.
 */
public final class ScalarShape {
    /** Bytecodes of a method that HotSpot compiles well. */
    private static final int METHOD_BUDGET = 4_000;
    private static final int LEAST_BUDGET = 250;

    /** A generated kernel class and what runs with it. */
    public record Generated(String className, byte[] bytes, List<Point> points, FrameLayout frame, int localBytes,
            int largestMethod, boolean waits) {
    }

    final Context context;
    final Graph graph;
    final Liveness liveness;
    final Uniforms uniforms;
    final Regions regions;
    /** Regions that note what they write and that they look at clocks, see {@link ThreadCode#noteProgress}. */
    final BitSet repeated;
    private final Set<Register> common;
    final ClassCode classCode;
    final List<Chunks> chunks = new ArrayList<>();
    FrameLayout frame;
    final ThreadBlocks blocks;

    private ScalarShape(Context context, Map<Integer, SpinLoops.Reads> spins, String className, int budget, boolean hoist) {
        Kernel kernel = context.kernel();
        this.graph = context.graph();
        this.context = context;
        this.liveness = graph.liveness();
        this.uniforms = hoist ? new Uniforms(graph, kernel, SpecialRegisters::uniform) : null;
        this.regions = Regions.of(graph, liveness, spins, r -> uniforms != null && uniforms.contains(r));
        // No second code for runs where methods came out too large.
        this.blocks = new ThreadBlocks(graph, regions, uniforms, budget == METHOD_BUDGET);
        this.repeated = regions.repeated();
        boolean barriers = regions.points().stream().allMatch(point -> MeetingPoints.describe(point, 0).isPlainBarrier());
        this.common = hoist && barriers ? CommonValues.of(graph, regions.pointOfBlock(), uniforms, SpecialRegisters::uniform) : Set.of();
        this.classCode = new ClassCode(className, ScalarKernel.class, context.program().module().name(), graph.lastLine());
        List<List<Register>> crossings = new ArrayList<>();
        for (Region region : regions.regions()) {
            Chunks split = Chunks.of(this, region, budget);
            chunks.add(split);
            crossings.addAll(split.crossings());
        }
        this.frame = regions.layout(context.representation(), crossings, common::contains);
    }

    /**
     * Generates the class; smaller chunks are tried when a method comes out larger than HotSpot compiles. Where some always do, as with jumps to hundreds of
     * places, to which a function that calls itself returns, HotSpot interprets them: as little code as can be.
     */
    public static Generated generate(Program program, Kernel kernel, Graph graph, BlockShape block, String className) {
        Context context = new Context(program, kernel, block, graph, LocalLayout.PLAIN);
        Map<Integer, SpinLoops.Reads> spins = SpinLoops.headers(graph);
        ScalarShape best = null;
        boolean hoist = true;
        for (int budget = METHOD_BUDGET;; budget /= 2) {
            ScalarShape shape = new ScalarShape(context, spins, className, budget, hoist);
            if (hoist && !shape.chunks.stream().allMatch(Chunks::single)) {
                // Uniform values would have to be computed again in each method of each thread.
                hoist = false;
                shape = new ScalarShape(context, spins, className, budget, false);
            }
            shape.emit();
            if (shape.classCode.largestMethod() <= Code.LIMIT) {
                return shape.finish(className);
            }
            if (best == null || shape.classCode.refused() < best.classCode.refused()) {
                best = shape;
            }
            if (budget < LEAST_BUDGET) {
                if (best.classCode.largestMethod() <= Code.MOST) {
                    return best.finish(className);
                }
                throw new IllegalStateException("method of " + best.classCode.largestMethod() + " bytecodes in " + className);
            }
        }
    }

    private Generated finish(String className) {
        List<Point> points = new ArrayList<>();
        for (MeetingPoint point : regions.points()) {
            points.add(MeetingPoints.describe(point, point.index() + 1));
        }
        return new Generated(className, classCode.bytes(), points, frame, context.localBytes(), classCode.largestMethod(),
                regions.waits());
    }

    private void emit() {
        classCode.defaultConstructor(ScalarKernel.class);
        RegionDispatch.emit(classCode, regions.regions().size());
        if (runsOn()) {
            BlockLoop.tell(classCode);
        }
        for (Region region : regions.regions()) {
            new RegionMethod(this, region, chunks.get(region.index())).emit();
        }
    }

    /** Whether the frame keeps one value of the register for the whole block. */
    boolean isCommon(Register register) {
        return common.contains(register);
    }

    /** Whether threads never stop, so that the only region, if it is one method, runs block after block. */
    boolean runsOn() {
        return regions.points().isEmpty() && chunks.stream().allMatch(Chunks::single);
    }
}
