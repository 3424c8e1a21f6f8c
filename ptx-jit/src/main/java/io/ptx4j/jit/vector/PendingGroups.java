package io.ptx4j.jit.vector;

import io.ptx4j.ir.Instruction;
import io.ptx4j.jit.code.ClassCode;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.Code.Place;
import io.ptx4j.jit.code.Condition;
import io.ptx4j.jit.code.JvmType;
import io.ptx4j.jit.code.Local;
import io.ptx4j.jit.support.PendingButterflies;
import io.ptx4j.jit.support.VectorFrame;

import java.util.ArrayList;
import java.util.List;

/**
 * Butterflies that wait until all groups of the block have come to them ({@link PendingButterflies}): those that are the last thing that a group does before it
 * stops. Whatever else may access memory first does what waits, so all else comes in the order that it would have without.
 */
final class PendingGroups {
    private static final String DESCRIPTOR = "(Lio/ptx4j/jit/support/VectorFrame;)V";
    private static final String DO_ALL = "butterflies";

    private final List<String> methods = new ArrayList<>();
    private boolean any;

    /** The number of the next butterfly. */
    int next() {
        return methods.size();
    }

    /** @param waits whether groups wait there for others */
    void add(String method, boolean waits) {
        methods.add(method);
        any |= waits;
    }

    /** Whether what follows in a method may come while groups wait: those emitted so far. */
    boolean any() {
        return any;
    }

    /** Emits what does all that waits. */
    static void finish(VectorCode vc) {
        vc.code.load(vc.c.frame).callOwn(DO_ALL, DESCRIPTOR);
    }

    /** Whether an instruction may access memory, or fail. */
    static boolean touches(Instruction i) {
        return switch (i.family()) {
            case INTEGER, FLOATING_POINT, COMPARISON, LOGIC, DATA_MOVEMENT, CONVERSION -> false;
            default -> true;
        };
    }

    /** Emits the method that {@link #finish} calls, if there is one. */
    void emit(ClassCode classCode) {
        if (!any) {
            return;
        }
        Code code = classCode.staticMethod(DO_ALL, DESCRIPTOR);
        Local frame = code.parameter(0, JvmType.REFERENCE);
        Place none = new Place();
        List<Place> sites = methods.stream().map(m -> new Place()).toList();
        code.load(frame).field(VectorFrame.class, "pending").field(PendingButterflies.class, "count").jumpIf(Condition.EQ, none);
        code.load(frame).field(VectorFrame.class, "pending").field(PendingButterflies.class, "site").tableSwitch(sites, none);
        for (int site = 0; site < sites.size(); site++) {
            code.place(sites.get(site));
            if (methods.get(site) != null) {
                code.load(frame).callOwn(methods.get(site), DESCRIPTOR);
            }
            code.jump(none);
        }
        code.place(none).ret().end();
    }
}
