package io.ptx4j.jit.scalar;

import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.StateSpace;
import io.ptx4j.jit.code.JvmType;
import io.ptx4j.jit.flow.SpinLoops;
import io.ptx4j.jit.support.Mbarriers;

/** Barriers in shared memory (manual: "mbarrier"). */
final class MbarrierEmitter {
    private MbarrierEmitter() {
    }

    static void emit(ThreadCode c, Instruction i) {
        if (has(i, Modifier.PENDING_COUNT)) {
            c.pushLong(i.operand(1));
            call(c, "pendingCount");
            c.pop(i.operand(0), JvmType.INT);
        } else if (has(i, Modifier.ARRIVE) || has(i, Modifier.ARRIVE_DROP)) {
            arrive(c, i);
        } else if (SpinLoops.asks(i)) {
            test(c, i);
        } else {
            pushPlace(c, (Operand.Address) i.operand(0));
            if (has(i, Modifier.INVAL)) {
                call(c, "invalidate");
            } else {
                c.pushInt(i.operand(1));
                call(c, has(i, Modifier.INIT) ? "init" : has(i, Modifier.EXPECT_TX) ? "expect" : "complete");
            }
            c.wrote();
        }
    }

    private static boolean has(Instruction i, Modifier modifier) {
        return i.spelling().has(modifier);
    }

    private static void call(ThreadCode c, String name) {
        c.code().call(Mbarriers.class, name);
    }

    /** Pushes the memory that the address lies in and its place there. */
    private static void pushPlace(ThreadCode c, Operand.Address address) {
        c.push(Addresses.part(c, address));
        if (address.space() == StateSpace.GENERIC) {
            c.code().load(c.worker);
            Addresses.pushOffset(c, address, 0);
            call(c, "inShared");
        } else {
            Addresses.pushOffset(c, address, 0);
        }
    }

    private static void arrive(ThreadCode c, Instruction i) {
        pushPlace(c, (Operand.Address) i.operand(1));
        if (i.operand(2) instanceof Operand.Absent) {
            c.code().push(1);
        } else {
            c.pushInt(i.operand(2));
        }
        call(c, (has(i, Modifier.ARRIVE_DROP) ? "arriveDrop" : "arrive")
                + (has(i, Modifier.EXPECT_TX) ? "Expect" : has(i, Modifier.NO_COMPLETE) ? "NoComplete" : ""));
        c.pop(i.operand(0), JvmType.LONG);
        c.wrote();
    }

    /** {@code try_wait} does not suspend the thread: its loop lets others run. */
    private static void test(ThreadCode c, Instruction i) {
        pushPlace(c, (Operand.Address) i.operand(1));
        boolean parity = has(i, Modifier.PARITY);
        if (parity) {
            c.pushInt(i.operand(2));
        } else {
            c.pushLong(i.operand(2));
        }
        call(c, parity ? "testParity" : "testState");
        c.pop(i.operand(0), JvmType.INT);
    }
}
