package io.ptx4j.jit.vector;

import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.isa.Family;
import io.ptx4j.isa.Modifier;
import io.ptx4j.jit.code.ClassCode;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.Code.Place;
import io.ptx4j.jit.code.JvmType;
import io.ptx4j.jit.code.Local;
import io.ptx4j.jit.scalar.ThreadCode;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * How many bytecodes the blocks of a kernel take, found out by emitting them into methods that nobody loads. Those of 64-bit lanes and
 * carry chains count twice; in narrow groups accesses count three times and operations with constants twice: HotSpot's compilers make more of them.
 */
final class Sizes {
    private static final int AROUND_BLOCK = 40;
    /**
     * Bytecodes, of a budget of {@link Pieces#BUDGET}, for each method of the Vector API that HotSpot's first compiler inlines. It gave up methods with 700
     * and 1,407 of them, others with 1,074 it took: the less the code branches, the more. In groups of 64 lanes each counts half, so that
     * {@link Pieces#WIDE_BUDGET} has room for 1,080.
     */
    private static final int INLINED = 5;
    /** What it takes to find out how many turns of a loop are sure. */
    private static final int SURE = 200;

    private final VectorShape shape;

    Sizes(VectorShape shape) {
        this.shape = shape;
    }

    /**
     * What a block takes.
     *
     * @param bytecodes of a budget of {@link Pieces#BUDGET}
     * @param load on HotSpot's first compiler, of {@link Load#MOST}
     */
    record Size(int bytecodes, int load) {
    }

    /** The block at {@code place} of a region's order. */
    Size of(LaneFlow flow, int place) {
        return of(flow, place, place + 1).getFirst();
    }

    /** Blocks in one method, of which each {@link LaneFlow#continues} the one before it. */
    List<Size> of(LaneFlow flow, int from, int end) {
        Code code = ClassCode.probe().staticMethod("probe",
                "(Lio/ptx4j/engine/Worker;Lio/ptx4j/jit/support/VectorFrame;IJ)V");
        ThreadCode c = new ThreadCode(shape.context, code, code.parameter(0, JvmType.REFERENCE), code.parameter(1, JvmType.REFERENCE),
                code.parameter(2, JvmType.INT));
        VectorCode vc = new VectorCode(c, shape.group, shape.forms);
        Local lanes = code.parameter(3, JvmType.LONG);
        vc.windows.measure(List.of(ThreadCode.Part.MEMORY, ThreadCode.Part.SHARED, ThreadCode.Part.LOCAL));
        List<Instruction> all = new ArrayList<>();
        for (int p = from; p < end; p++) {
            all.addAll(flow.instructions(p));
        }
        if (all.stream().anyMatch(Words::cuts)) {
            vc.words.prepare();
        }
        vc.loadConstants();
        int around = code.inlined();
        if (flow.laneBlocks(from) instanceof LaneBlocks some) {
            vc.lanes(lanes, r -> shape.forms.keepsOthers(r, flow, from));
            new LaneMethods(ClassCode.probe()).follow(vc, some.path(shape));
            return List.of(new Size(AROUND_BLOCK + code.size(), Code.load(code.size(), code.inlined())));
        }
        all.removeIf(shape::isHoisted);
        vc.tests(CommonTests.of(vc, all));
        vc.records(TestedRecords.of(vc, all, shape.sorting()));
        vc.byteSums(ByteSums.of(vc, all));
        GroupInstructions instructions = new GroupInstructions(vc, new LaneMethods(ClassCode.probe()));
        List<Size> sizes = new ArrayList<>();
        int before = 0;
        for (int p = from; p < end; p++) {
            int size = emit(flow, p, vc, instructions, lanes);
            sizes.add(size(flow, p, vc, size, code.size() - before, code.inlined() - around));
            before = code.size();
            around = code.inlined();
        }
        return sizes;
    }

    /** Emits a block, and counts its bytecodes. */
    private int emit(LaneFlow flow, int place, VectorCode vc, GroupInstructions instructions, Local lanes) {
        BasicBlock block = shape.graph.blocks().get(flow.block(place));
        int point = shape.regions.pointOfBlock()[block.index()];
        List<Instruction> alone = block.instructions().stream().filter(i -> !shape.isHoisted(i)).toList();
        Set<Instruction> done = new HashSet<>();
        int size = AROUND_BLOCK;
        instructions.inner(flow.isLoop(place) && flow.lastOf(place) == place);
        for (Instruction i : block.instructions()) {
            int before = vc.code.size();
            Butterfly butterfly = done.contains(i) ? null : Butterfly.at(shape, vc, block.index(), alone, alone.indexOf(i));
            if (butterfly != null) {
                vc.lanes(lanes, r -> false);
                butterfly.emit(vc, ClassCode.probe(), shape.pendingGroups, butterfly.waits(flow.stopsBehind(block.index()), alone), x -> { });
                size += vc.code.size() - before;
                before = vc.code.size();
                done.addAll(butterfly.all());
            }
            if (done.contains(i)) {
                continue;
            }
            if (point >= 0 && i == block.instructions().getLast()) {
                instructions.leave(i, lanes);
                new GroupTransfer(vc, shape).save(flow.changed(shape.regions.points().get(point)));
                if (flow.passes(block.index())) {
                    Place passes = new Place();
                    instructions.pass(i, point, lanes, passes);
                    vc.code.place(passes);
                    instructions.emit(List.of(i), lanes, r -> shape.forms.keepsOthers(r, flow, place), x -> { });
                }
            } else if (!shape.isHoisted(i)) {
                int first = alone.indexOf(i);
                int end = instructions.emit(alone, first, first + 1, lanes, r -> shape.forms.keepsOthers(r, flow, place), x -> { });
                done.addAll(alone.subList(first + 1, end));
            }
            size += (vc.code.size() - before) * weight(i);
        }
        for (int spin : flow.spins(place)) {
            int before = vc.code.size();
            new GroupTransfer(vc, shape).save(flow.changed(shape.regions.points().get(spin)));
            size += vc.code.size() - before;
        }
        return size;
    }

    /**
     * What an emitted block takes.
     *
     * @param weighed its bytecodes, some of which count several times
     */
    private Size size(LaneFlow flow, int place, VectorCode vc, int weighed, int bytecodes, int inlined) {
        int load = Code.load(bytecodes, inlined);
        int size = Math.max(weighed, inlined * INLINED / (shape.group.lanes() == Group.MOST ? 2 : 1));
        // Turns without tests stand beside those with them.
        LoopAhead ahead = shape.ahead(flow);
        int taken = ahead != null && ahead.place() == place ? ahead.size() : 0;
        return SteadyLoop.of(shape, vc, flow, place) == null ? new Size(size, load) : new Size(2 * size + SURE + taken, 2 * load + Code.load(SURE + taken, 0));
    }

    private int weight(Instruction i) {
        if (shape.group.narrow()) {
            boolean constants = i.family() == Family.CONVERSION || i.spelling().has(Modifier.WIDE)
                    || i.operands().stream().anyMatch(o -> o instanceof Operand.Immediate);
            return i.family() == Family.MEMORY ? 3 : constants ? 2 : 1;
        }
        return i.family() == Family.EXTENDED_PRECISION || Pieces.wide(i) && i.family() != Family.FLOATING_POINT ? 2 : 1;
    }
}
