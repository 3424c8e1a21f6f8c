package io.ptx4j.jit.vector;

import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Register;
import io.ptx4j.jit.code.Code.Place;
import io.ptx4j.jit.code.Local;
import io.ptx4j.jit.flow.Operands;
import io.ptx4j.jit.scalar.InstructionEmitter;
import io.ptx4j.jit.scalar.ThreadCode;

import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.IntConsumer;

/** The way through a region in one method. */
final class WholeTurn implements GroupTurn {
    private final RegionCode code;
    private final VectorShape shape;
    private final LaneFlow flow;
    private final ThreadCode c;
    private final VectorCode vc;
    private final BlockEmitter blocks;
    private final BarrierLoop loop;

    /** @param loop whose turn it is, alone; null for the whole region */
    WholeTurn(RegionCode code, ThreadCode c, Place groupEnd, BarrierLoop loop) {
        this.code = code;
        this.shape = code.shape();
        this.flow = code.flow();
        this.c = c;
        this.loop = loop;
        this.vc = new VectorCode(c, shape.group, shape.forms);
        this.blocks = new BlockEmitter(shape, flow, 0, flow.size(), vc, code.manyStops() && loop == null, loop, new BlockEmitter.Outside() {
            @Override
            public Place entry(int place) {
                throw new IllegalStateException("region " + code.region().index() + " has one piece");
            }

            @Override
            public Place direct(int place) {
                return entry(place);
            }

            @Override
            public Place groupEnd() {
                return groupEnd;
            }
        });
    }

    @Override
    public void prepare() {
        RegionCode.Names names = code.names(c, 0, flow.size());
        names.named().addAll(code.given());
        if (loop != null) {
            names.named().retainAll(loop.named());
        }
        names.prepare(vc, blocks);
        if (loop != null) {
            vc.turnsAlone();
            loop.prepare(vc);
        }
    }

    @Override
    public void hoist() {
        hoist(false);
    }

    @Override
    public void hoistForBlock() {
        hoist(true);
    }

    private void hoist(boolean ofBlock) {
        hoist(shape, c, loop == null ? code.region().blocks() : loop.blocks(), ofBlock, blocks::line);
    }

    /** Computes what is the same for all threads of a block, or of all blocks, where that is done before the groups' turns. */
    static void hoist(RegionCode code, ThreadCode c, boolean ofBlock, IntConsumer line) {
        hoist(code.shape(), c, code.region().blocks(), ofBlock, line);
    }

    private static void hoist(VectorShape shape, ThreadCode c, Collection<Integer> blocks, boolean ofBlock, IntConsumer line) {
        if (shape.uniforms == null) {
            return;
        }
        Set<Register> needed = needed(shape, blocks);
        for (Register register : shape.uniforms.order()) {
            if (needed.contains(register) && shape.uniforms.isOfBlock(register) == ofBlock) {
                Instruction definition = shape.uniforms.definition(register);
                line.accept(definition.location().line());
                InstructionEmitter.emit(c, definition);
            }
        }
    }

    /** What is computed before the groups' turns because some blocks, or another such register, use it. */
    static Set<Register> needed(VectorShape shape, Collection<Integer> blocks) {
        Set<Register> needed = new HashSet<>();
        for (int b : blocks) {
            for (Instruction instruction : shape.graph.blocks().get(b).instructions()) {
                if (!shape.isHoisted(instruction)) {
                    Operands.uses(instruction, needed::add);
                }
            }
            if (Operands.use(shape.graph.blocks().get(b).terminator()) instanceof Register register) {
                needed.add(register);
            }
        }
        for (Register register : shape.uniforms.order().reversed()) {
            if (needed.contains(register)) {
                Operands.uses(shape.uniforms.definition(register), needed::add);
            }
        }
        needed.removeIf(r -> !shape.isUniform(r));
        return needed;
    }

    /** What follows comes from that line. */
    void line(int number) {
        blocks.line(number);
    }

    VectorCode vectors() {
        return vc;
    }

    @Override
    public Local current() {
        return blocks.current();
    }

    @Override
    public void raiseFailed() {
        vc.failed.raise();
    }

    @Override
    public void pushFailing() {
        c.code().load(blocks.current());
    }

    @Override
    public Local fuel() {
        return blocks.fuel();
    }

    @Override
    public void finish() {
        if (blocks.groupsWait()) {
            PendingGroups.finish(vc);
        }
    }

    /**
     * Puts zeros into registers of which lanes keep what they have while others get a value. What the group before has left in them no lane reads, but to HotSpot it would come round the
     * loop over groups, a vector of a class that it does not know (see {@link VectorLocals#requireClasses}).
     */
    private void forgetLastGroup() {
        Set<Register> partly = new LinkedHashSet<>();
        for (int p = 0; p < flow.size(); p++) {
            int place = p;
            for (Instruction i : flow.instructions(p)) {
                if (!shape.isHoisted(i)) {
                    Operands.definitions(i, r -> {
                        if (i.guard() != null || shape.forms.keepsOthers(r, flow, place)) {
                            partly.add(r);
                        }
                    });
                }
            }
        }
        partly.removeIf(r -> !vc.varying(r) || VectorCode.isPredicate(r));
        partly.removeAll(code.given());
        partly.forEach(vc.locals::zero);
    }

    @Override
    public void emit() {
        if (loop != null) {
            loop.restore(vc);
        } else {
            forgetLastGroup();
            code.enter(vc, blocks, code.given());
        }
        if (flow.size() > 0) {
            c.code().jump(blocks.direct(0));
        }
        blocks.emit();
    }
}
