package io.ptx4j.jit.vector;

import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Kernel;
import io.ptx4j.ir.Location;
import io.ptx4j.ir.Operand;
import io.ptx4j.jit.flow.Graph;
import io.ptx4j.jit.flow.LoopExits;
import io.ptx4j.jit.flow.MeetingPoint;
import io.ptx4j.jit.flow.Regions;
import io.ptx4j.jit.flow.Regions.Region;
import io.ptx4j.jit.flow.SameAddresses;
import io.ptx4j.jit.flow.SingleWords;
import io.ptx4j.jit.flow.SpinLoops;
import io.ptx4j.jit.flow.TwoRows;
import io.ptx4j.jit.flow.Uniforms;
import io.ptx4j.jit.scalar.Context;
import io.ptx4j.jit.scalar.SpecialRegisters;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What is known of a graph that groups of threads run, once it is clear at which meeting points threads need not stop.
 *
 * @param laneBlocks what lanes do one after the other, by the block with which it begins
 */
record Analysis(Graph graph, Regions regions, List<LaneFlow> flows, Forms forms, Map<Integer, LaneBlocks> laneBlocks) {
    /**
     * All regions together may have so many times the kernel's instructions where threads wait: code cannot be cut here, and what is behind a waiting loop runs in the loop's own
     * region only where threads have waited long; so does what is behind an operation to which threads mostly come together.
     */
    private static final int WAITING_GROWTH = 8;
    /** Instructions that they may have in any case: a loop that the compiler has unrolled, with barriers under a condition, is copied as often as it has turns. */
    private static final int FREE = 14_000;

    static Analysis of(Graph graph, Group group, Kernel kernel) {
        return of(graph, group, new Uniforms(graph, kernel, SpecialRegisters::uniform), null);
    }

    /**
     * @param uniforms registers that are computed once for all threads, null where none are
     * @param context null if it is not known yet
     */
    static Analysis of(Graph graph, Group group, Uniforms uniforms, Context context) {
        Together together = new Together(graph, group);
        Map<Integer, SpinLoops.Reads> spins = SpinLoops.headers(graph);
        while (true) {
            int most = Math.max(FREE, Regions.size(graph, spins.isEmpty() && !together.somePass() ? Regions.GROWTH : WAITING_GROWTH));
            Regions cut = Regions.of(graph, graph.liveness(), spins, r -> uniforms != null && uniforms.contains(r), together::stops, most);
            if (together.somePass() && cut.points().stream().anyMatch(point -> point.kind() == MeetingPoint.Kind.PASS)) {
                together.passNowhere();
                continue;
            }
            List<LaneFlow> ways = new ArrayList<>();
            for (Region region : cut.regions()) {
                ways.add(new LaneFlow(graph, cut, region));
            }
            Forms found = new Forms(graph, uniforms, group, ways, together.all(), i -> true);
            List<LaneFlow> ofWarps = ways;
            if (group.warps() > 1 && !together.all().isEmpty()) {
                ofWarps = cut.regions().stream().map(region -> new LaneFlow(graph, cut, region)).toList();
                new Forms(graph, uniforms, group.half(), ofWarps, together.all(), found::uniformSources);
            }
            if (!together.part(cut, ofWarps, found, context)) {
                for (int r = 0; r < ways.size(); r++) {
                    if (ways.get(r).partsInLoopsUnlike(ofWarps.get(r))) {
                        throw new NotVectorizable("warps that go different ways in a loop");
                    }
                }
                Map<Integer, LaneBlocks> lanes = LaneTails.of(graph, cut, ways.getFirst(), found);
                Retries.add(lanes, graph, cut, r -> uniforms != null && uniforms.contains(r));
                SlowPaths.add(lanes, graph, cut, r -> uniforms != null && uniforms.contains(r), ways, found);
                if (lanes.isEmpty()) {
                    return new Analysis(graph, cut, ways, found, lanes);
                }
                ways = cut.regions().stream().map(region -> new LaneFlow(graph, cut, region, lanes)).toList();
                return new Analysis(graph, cut, ways, new Forms(graph, uniforms, group, ways, together.all(), i -> true), lanes);
            }
        }
    }

    /** Whether some threads of a group may stop where others go on, or go on where others have stopped with them. */
    boolean splits() {
        return flows.stream().anyMatch(LaneFlow::splits) || regions.points().stream().anyMatch(point -> point.passable() || IncompleteRegions.mayDiffer(point, graph, flows, forms));
    }

    /** Whether warp operations of a region count on all lanes of a group that have not ended. */
    boolean needsAll(Region region) {
        return region.blocks().stream().anyMatch(b -> graph.blocks().get(b).instructions().stream().anyMatch(forms::together));
    }

    /** Where memory is accessed by an address that varies without a form, or by one that has one. */
    Set<Location> accesses(boolean scalar) {
        Set<Location> found = new HashSet<>();
        for (BasicBlock block : graph.blocks()) {
            for (Instruction i : block.instructions()) {
                for (Operand operand : i.operands()) {
                    if (operand instanceof Operand.Address a && a.register() != null && forms.of(a.register()).scalar() == scalar) {
                        found.add(i.location());
                    }
                }
            }
        }
        return found;
    }

    /** The graph with which kernels are made: loops that lanes leave one by one have registers of their own. */
    Graph withLoopExits() {
        Map<Integer, BitSet> loops = new TreeMap<>();
        flows.forEach(flow -> flow.partingLoops(loops));
        Graph prepared = SameAddresses.rewrite(TwoRows.rewrite(SingleWords.rewrite(graph), r -> !forms.of(r).scalar()), r -> forms.of(r) instanceof Form.Affine a && a.stride() > Integer.BYTES);
        return LoopExits.copying(EarlyAddresses.rewrite(prepared), loops.entrySet().stream().map(e -> new LoopExits.Loop(e.getKey(), e.getValue()))
                .sorted(Comparator.comparingInt(l -> l.blocks().cardinality())).toList());
    }
}
