package io.ptx4j.jit.vector;

import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.isa.StateSpace;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.Code.Place;
import io.ptx4j.jit.code.Condition;
import io.ptx4j.jit.scalar.Addresses;
import io.ptx4j.jit.scalar.ThreadCode.Part;
import io.ptx4j.jit.support.LaneRecords;

/**
 * Whether accesses of a record and accesses through another register may change places: a test at run time of where both lie. Each lane's accesses are compared with its own alone, since what
 * different threads do to one place, with nothing in between that orders it, may come in any order.
 */
final class AliasTest {
    /** Bytes that addresses of 32 bits may name beside a register, so that sums come round zero where the register does. */
    private static final long NEAR = 1 << 20;

    private final VectorCode vc;
    private final Operand.Address own;
    private final Operand.Address other;
    /** The other register minus the record's: if it lies between these, accesses touch the same bytes. */
    private long low = Long.MAX_VALUE;
    private long high = Long.MIN_VALUE;
    /** Whether they do not if both are the same, either. */
    private boolean apartIfEqual = true;
    /** What is accessed through the other register, from the first byte to behind the last. */
    private long from = Long.MAX_VALUE;
    private long end = Long.MIN_VALUE;
    private int alignment = 1;
    private Instruction example;

    AliasTest(VectorCode vc, Operand.Address own, Operand.Address other) {
        this.vc = vc;
        this.own = own;
        this.other = other;
    }

    /** Whether both have spaces that have no byte in common. */
    static boolean isApart(Operand.Address a, Operand.Address b) {
        return a.space() != b.space() && a.space() != StateSpace.GENERIC && b.space() != StateSpace.GENERIC;
    }

    /** Whether a test can tell: the code knows how both grow from lane to lane. */
    static boolean isPossible(VectorCode vc, Operand.Address own, Operand.Address other) {
        return !vc.c.addressesCluster() && Math.abs(own.offset()) < NEAR && Math.abs(other.offset()) < NEAR && Addresses.part(vc.c, own) == Addresses.part(vc.c, other) && !vc.group.perThread(other) && MemoryVectors.isLinear(vc, own)
                && MemoryVectors.isLinear(vc, other);
    }

    /** Whether two accesses touch the same bytes if their registers hold the same. */
    static boolean overlap(Instruction own, Instruction other) {
        long distance = offset(other) - offset(own);
        return distance < MemoryVectors.bytes(own) && -distance < MemoryVectors.bytes(other);
    }

    private static long offset(Instruction i) {
        return SteadyLoop.address(i).offset();
    }

    /** Takes in an access of the record that is to change places with another. */
    void add(Instruction one, Instruction second) {
        example = second;
        long distance = offset(one) - offset(second);
        low = Math.min(low, distance - MemoryVectors.bytes(second));
        high = Math.max(high, distance + MemoryVectors.bytes(one));
        apartIfEqual &= !overlap(one, second);
    }

    /** Takes in an access through the other register that may fail. */
    void add(Instruction second) {
        from = Math.min(from, offset(second));
        end = Math.max(end, offset(second) + MemoryVectors.bytes(second));
        alignment = Math.max(alignment, MemoryVectors.bytes(second));
    }

    /** Goes to {@code fails} unless all may change places. */
    void jumpUnlessPassed(Place fails) {
        if (low < high) {
            jumpUnlessApart(fails);
        }
        if (from < end) {
            jumpUnlessThere(fails);
        }
    }

    /** An access through the other register with which one of the record may change places; null for none. */
    Instruction example() {
        return example;
    }

    /** Pushes where the other register, minus the record's, may not lie between, and whether both may be the same. */
    void pushBounds() {
        vc.code.push(low).push(high).push(apartIfEqual ? 1 : 0);
    }

    private void jumpUnlessApart(Place fails) {
        Code code = vc.code;
        vc.places.pushSteps(other, 0, -other.offset(), () -> { });
        vc.places.pushSteps(own, 0, -own.offset(), () -> { });
        code.push(Addresses.part(vc.c, own) == Part.MEMORY ? 0 : 1).push(vc.group.lanes() - 1);
        pushBounds();
        code.call(LaneRecords.class, "apart").jumpIf(Condition.EQ, fails);
    }

    private void jumpUnlessThere(Place fails) {
        Code code = vc.code;
        long begin = Math.floorDiv(from, alignment) * alignment;
        vc.places.pushSteps(other, 0, begin - other.offset(), () -> {
            code.load(vc.mask());
            vc.c.push(Addresses.part(vc.c, other));
        });
        code.push((int) (end - begin)).push(alignment).call(LaneRecords.class, "areThere").jumpIf(Condition.EQ, fails);
    }
}
