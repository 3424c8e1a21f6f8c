package io.ptx4j.jit.scalar;

import io.ptx4j.ir.Register;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.JvmType;
import io.ptx4j.jit.code.Local;
import io.ptx4j.jit.code.Op;
import io.ptx4j.jit.flow.Regions.FrameLayout;
import io.ptx4j.jit.support.Frame;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Moves registers between JVM locals and the worker's frame. What a method does not name stays in the frame; what it does not
 * write is there still. Of a register that is common to all threads of the block the frame has thread 0's element alone.
 */
final class FrameTransfer {
    private final ThreadCode c;
    private final FrameLayout layout;
    private final Set<Register> named;
    private final Set<Register> written;
    private final Predicate<Register> common;
    private final Map<JvmType, Local> arrays = new EnumMap<>(JvmType.class);
    /** By register: what all threads begin with. */
    private final Map<Register, Local> first = new HashMap<>();
    /** By element of the frame: what it has once all threads have stopped. */
    private final Map<Element, Local> last = new LinkedHashMap<>();

    /** An element of one of the frame's arrays. */
    private record Element(JvmType type, int index) {
    }

    /**
     * @param named registers that the method reads or writes
     * @param written registers that the method writes
     * @param common whether a register is the same for all threads that stop together
     */
    FrameTransfer(ThreadCode c, FrameLayout layout, Set<Register> named, Set<Register> written, Predicate<Register> common) {
        this.c = c;
        this.layout = layout;
        this.named = named;
        this.written = written;
        this.common = common;
    }

    Set<Register> named() {
        return named;
    }

    /**
     * Takes what is the same for all threads into locals before the first of them runs: what threads begin with that is common to them, and the frame's arrays,
     * which HotSpot would load again after each store to device memory. What is common where they stop stays in locals too, until {@link #finish}.
     *
     * @param begun registers that threads of the region begin with
     * @param stopped those that threads leave in the frame
     */
    void prepare(List<Register> begun, List<Register> stopped) {
        begun.stream().filter(named::contains).forEach(this::keepArray);
        stopped.stream().filter(written::contains).forEach(this::keepArray);
        for (Register register : begun) {
            if (named.contains(register) && common.test(register)) {
                Local local = c.code().newLocal(type(register));
                pushElement(register);
                c.code().arrayLoad(type(register)).store(local);
                first.put(register, local);
            }
        }
        for (Register register : stopped) {
            if (written.contains(register) && common.test(register)) {
                last.computeIfAbsent(element(register), e -> {
                    Local local = c.code().newLocal(e.type);
                    pushElement(register);
                    c.code().arrayLoad(e.type).store(local);
                    return local;
                });
            }
        }
    }

    /** All threads have run. */
    void finish() {
        last.forEach((element, local) -> c.code().load(arrays.get(element.type)).push(element.index).load(local).arrayStore(element.type));
    }

    private Element element(Register register) {
        return new Element(type(register), offset(register));
    }

    private void keepArray(Register register) {
        arrays.computeIfAbsent(type(register), type -> {
            Local local = c.code().newLocal(JvmType.REFERENCE);
            pushArray(type);
            c.code().store(local);
            return local;
        });
    }

    void save(List<Register> registers) {
        for (Register register : registers) {
            if (!written.contains(register)) {
                continue;
            }
            if (common.test(register)) {
                c.code().load(c.local(register)).store(last.get(element(register)));
            } else {
                pushElement(register);
                c.code().load(c.local(register)).arrayStore(type(register));
            }
        }
    }

    void restore(List<Register> registers) {
        for (Register register : registers) {
            if (first.containsKey(register)) {
                c.code().load(first.get(register)).store(c.local(register));
            } else if (named.contains(register)) {
                pushElement(register);
                c.code().arrayLoad(type(register)).store(c.local(register));
            }
        }
    }

    private JvmType type(Register register) {
        return c.held(register).type();
    }

    private int offset(Register register) {
        return layout.slots().get(register) * c.context().block().threads();
    }

    private void pushElement(Register register) {
        Code code = c.code();
        Local array = arrays.get(type(register));
        if (array == null) {
            pushArray(type(register));
        } else {
            code.load(array);
        }
        int offset = offset(register);
        if (common.test(register)) {
            code.push(offset);
            return;
        }
        code.load(c.thread);
        if (offset != 0) {
            code.push(offset).op(Op.IADD);
        }
    }

    private void pushArray(JvmType type) {
        c.code().load(c.frame).field(Frame.class, switch (type) {
            case INT -> "ints";
            case LONG -> "longs";
            case FLOAT -> "floats";
            case DOUBLE -> "doubles";
            case REFERENCE -> throw new IllegalArgumentException();
        });
    }
}
