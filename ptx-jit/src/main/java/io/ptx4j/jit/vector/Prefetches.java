package io.ptx4j.jit.vector;

import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.isa.Opcode;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.Code.Place;
import io.ptx4j.jit.code.Condition;
import io.ptx4j.jit.code.JvmType;
import io.ptx4j.jit.code.Local;
import io.ptx4j.jit.scalar.Addresses;
import io.ptx4j.jit.scalar.ThreadCode.Part;
import io.ptx4j.jit.support.Prefetch;
import io.ptx4j.jit.support.VectorFrame;

import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * Loads ahead in loops with sums lane by lane. A turn is then so long that the processor does not come to the next one's load while it waits
 * for this one's, and where turns lie far apart, as in grid-stride loops, it does not foresee them either. In other loops several turns are under way at once, and the
 * call would keep no vector in a register.
 */
final class Prefetches {
    /** What is noted of a load: its offset in the turn before, and turns until lines are asked for again. */
    private record Stream(Local last, Local left) {
    }

    private final VectorCode vc;
    private final Map<Instruction, Stream> streams = new IdentityHashMap<>();

    Prefetches(VectorCode vc) {
        this.vc = vc;
    }

    /** Finds the loads in a loop, and gives their locals a first value. */
    void find(List<Instruction> loop) {
        if (vc.group.rows() > 1 || loop.stream().noneMatch(i -> PlaceVectors.fits(vc, i))) {
            return;
        }
        for (Instruction i : loop) {
            Operand.Address address = MemoryVectors.tested(vc, i);
            if (address != null && i.opcode() != Opcode.ST && vc.forms.of(address.register()) instanceof Form.Affine && Addresses.part(vc.c, address) == Part.MEMORY) {
                Stream stream = streams.computeIfAbsent(i, x -> new Stream(vc.code.newLocal(JvmType.LONG), vc.code.newLocal(JvmType.INT)));
                // The first turn does not know yet where the next one lies.
                vc.code.push(0L).store(stream.last).push(1).store(stream.left);
            }
        }
    }

    /** Emits what comes before an instruction. */
    void before(Instruction i) {
        Stream stream = streams.get(i);
        if (stream == null) {
            return;
        }
        Code code = vc.code;
        Local offset = vc.c.scratch(JvmType.LONG, 5);
        Place later = new Place();
        Addresses.pushOffset(vc.c, (Operand.Address) i.operand(1), 0);
        code.store(offset).increment(stream.left, -1).load(stream.left).jumpIf(Condition.GE, later);
        code.push(Prefetch.TURNS - 1).store(stream.left).load(vc.c.frame);
        vc.c.push(Part.MEMORY);
        code.load(offset).load(stream.last).push(vc.group.lanes() * MemoryVectors.bytes(i)).call(Prefetch.class, "turns");
        code.putField(VectorFrame.class, "prefetched").place(later).load(offset).store(stream.last);
    }
}
