package io.ptx4j.jit.vector;

import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.jit.flow.Operands;
import io.ptx4j.jit.flow.Regions.Region;
import io.ptx4j.jit.scalar.Addresses;
import io.ptx4j.jit.scalar.ThreadCode;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * One region, and what its methods have in common.
 *
 * @param manyStops whether the frame must be told where threads stop
 */
record RegionCode(VectorShape shape, Region region, LaneFlow flow, Pieces pieces, boolean manyStops) {
    RegionCode(VectorShape shape, Region region, LaneFlow flow, Pieces pieces) {
        this(shape, region, flow, pieces, shape.splits || shape.regions.spins() || region.stops().size() + (region.ends() ? 1 : 0) > 1);
    }

    /** The name of a method that is not the region's only one. */
    String name(String part) {
        return "region" + region.index() + part;
    }

    /**
     * Registers that the blocks from {@code low} to {@code high} name, and parts of the worker that they need, and whether they may cut 64-bit lanes or choose from
     * constants.
     *
     * @param carried of the registers in vectors, those that are named only to be left where lanes stop
     */
    record Names(Set<Register> named, Set<Register> written, Set<Register> carried, EnumSet<ThreadCode.Part> parts, boolean cuts, boolean tables) {
        /** Begins a method that emits such blocks. */
        void prepare(VectorCode vc, BlockEmitter blocks) {
            named.forEach(vc.locals::zero);
            vc.c.loadParts(parts, false);
            vc.windows.measure(parts);
            if (cuts) {
                vc.words.prepare();
            }
            if (tables) {
                vc.loadConstants();
            }
            blocks.prepare();
        }
    }

    private boolean any(int low, int high, Predicate<Instruction> which) {
        return IntStream.range(low, high).anyMatch(p -> flow.instructions(p).stream().anyMatch(which));
    }

    Names names(ThreadCode c, int low, int high) {
        Set<Register> stopping = new LinkedHashSet<>();
        Names names = new Names(new LinkedHashSet<>(), new LinkedHashSet<>(), new LinkedHashSet<>(), EnumSet.noneOf(ThreadCode.Part.class),
                any(low, high, Words::cuts), any(low, high, i -> TableVectors.fits(shape.context, shape.forms, i)));
        for (int p = low; p < high; p++) {
            Set<Integer> stops = flow.spins(p);
            if (flow.laneBlocks(p) instanceof LaneBlocks lanes) {
                names.named.addAll(lanes.path(shape).needed());
                names.written.addAll(lanes.results());
            } else {
                name(shape.graph.blocks().get(flow.block(p)), c, names);
                int point = shape.regions.pointOfBlock()[flow.block(p)];
                if (point >= 0) {
                    stops.add(point);
                }
            }
            for (int stop : stops) {
                flow.changed(shape.regions.points().get(stop)).stream().filter(r -> !pieces.crossing().kept().contains(r)).forEach(stopping::add);
            }
        }
        names.named.addAll(names.written);
        stopping.stream().filter(r -> pieces.crossing().slots().containsKey(r) && !names.named.contains(r))
                .filter(r -> !VectorCode.isPredicate(r) && !shape.forms.of(r).scalar()).forEach(names.carried::add);
        names.named.addAll(stopping);
        names.named.removeIf(shape::isUniform);
        return names;
    }

    private void name(BasicBlock block, ThreadCode c, Names names) {
        for (Instruction instruction : block.instructions()) {
            if (shape.isHoisted(instruction)) {
                continue;
            }
            Operands.uses(instruction, names.named::add);
            Operands.definitions(instruction, names.written::add);
            for (Operand operand : instruction.operands()) {
                if (operand instanceof Operand.Address address) {
                    names.parts.add(Addresses.part(c, address));
                }
            }
        }
        if (Operands.use(block.terminator()) instanceof Register register) {
            names.named.add(register);
        }
    }

    /** Registers with which the region begins. */
    Set<Register> given() {
        Set<Register> given = new LinkedHashSet<>();
        if (region.after() == null) {
            given.addAll(shape.liveness.liveIn(0));
        } else {
            given.addAll(region.after().saved());
            given.addAll(results());
        }
        given.removeIf(shape::isUniform);
        return given;
    }

    /** Gives some of the registers with which the region begins their values; all results of a meeting point or none. */
    void enter(VectorCode vc, BlockEmitter blocks, Collection<Register> some) {
        if (region.after() == null) {
            some.forEach(vc.locals::zero);
            return;
        }
        new GroupTransfer(vc, shape).restore(region.after().saved().stream().filter(some::contains).toList());
        if (!Collections.disjoint(results(), some)) {
            blocks.take(region.after().instruction());
        }
    }

    /** What the meeting point at which the region begins leaves. */
    List<Register> results() {
        List<Register> results = new ArrayList<>();
        if (region.after() != null && region.after().instruction() != null) {
            Operands.definitions(region.after().instruction(), results::add);
        }
        return results;
    }
}
