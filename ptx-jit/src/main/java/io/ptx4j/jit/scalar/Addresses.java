package io.ptx4j.jit.scalar;

import io.ptx4j.engine.AddressSpace;
import io.ptx4j.engine.Grid;
import io.ptx4j.engine.Worker;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Variable;
import io.ptx4j.isa.StateSpace;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.Local;
import io.ptx4j.jit.code.Op;
import io.ptx4j.jit.scalar.ThreadCode.Part;
import io.ptx4j.jit.support.Clusters;
import io.ptx4j.jit.support.LocalWindows;

/** Addresses: where variables lie in their windows, and how a window's address becomes a generic one. */
public final class Addresses {
    private Addresses() {
    }

    /** The window that an access to {@code address} goes through. */
    public static Part part(ThreadCode c, Operand.Address address) {
        return switch (address.space()) {
            case GLOBAL, GENERIC, TEX -> Part.MEMORY;
            case SHARED -> c.addressesCluster() ? Part.MEMORY : Part.SHARED;
            case LOCAL -> Part.LOCAL;
            case CONST -> Part.CONSTANTS;
            case PARAM -> isCallArea(c, address.variable()) ? Part.LOCAL : Part.PARAMETERS;
            case REG, SREG, TENSOR -> throw new IllegalStateException("no memory in " + address.space());
        };
    }

    /** Whether a {@code .param} variable belongs to a call, not to the kernel. */
    public static boolean isCallArea(ThreadCode c, Variable variable) {
        return variable != null && variable.space() == StateSpace.PARAM
                && !c.context().kernel().parameters().contains(variable);
    }

    /** Whether an access of so many bytes goes to a place of the kernel's parameters that is known, lies in them and is aligned. */
    static boolean isParameter(ThreadCode c, Operand.Address address, int bytes) {
        if (address.register() != null || address.variable() == null || part(c, address) != Part.PARAMETERS) {
            return false;
        }
        long start = address.offset() + parameter(c.context(), address.variable());
        return start >= 0 && start <= c.context().kernel().parameterBytes() - bytes && start % bytes == 0;
    }

    private static int parameter(Context context, Variable variable) {
        return context.kernel().parameterOffsets().get(context.kernel().parameters().indexOf(variable));
    }

    /** Pushes the offset of {@code address} plus {@code extra} bytes within its window's segment, as {@code long}. */
    public static void pushOffset(ThreadCode c, Operand.Address address, long extra) {
        pushWithin(c, address, extra);
        if (part(c, address) == Part.LOCAL) {
            pushThreadWindow(c);
            c.code().op(Op.LADD);
        }
    }

    /** As {@link #pushOffset} for an access of so many bytes, which must lie in the thread's own window where it is to local memory. */
    static void pushOwn(ThreadCode c, Operand.Address address, int bytes, boolean store) {
        if (part(c, address) != Part.LOCAL || isOwn(c, address, bytes)) {
            pushOffset(c, address, 0);
            return;
        }
        c.push(Part.LOCAL);
        pushWithin(c, address, 0);
        c.code().load(c.thread).push(c.context().localBytes()).push(bytes).push(store ? 1 : 0).call(LocalWindows.class, "own");
    }

    private static boolean isOwn(ThreadCode c, Operand.Address address, int bytes) {
        if (address.register() != null) {
            return false;
        }
        long start = address.offset() + (address.variable() == null ? 0 : c.context().graph().localOffsets().get(address.variable()));
        return start >= 0 && start <= c.context().localBytes() - bytes;
    }

    /** Whether the access goes to local memory that is not laid out plainly; {@link #pushInterleaved} finds its place. */
    static boolean interleaved(ThreadCode c, Operand.Address address) {
        LocalLayout layout = c.context().locals();
        return !layout.isPlain() && !layout.inArray() && part(c, address) == Part.LOCAL;
    }

    /** Whether the access goes to local memory that lies in an array of the frame. */
    public static boolean inArray(ThreadCode c, Operand.Address address) {
        return c.context().locals().inArray() && part(c, address) == Part.LOCAL;
    }

    /** As {@link #pushOffset} for {@link #interleaved} accesses of so many bytes, once it is known that all are there and aligned. */
    static void pushInterleaved(ThreadCode c, Operand.Address address, int bytes, boolean store) {
        LocalLayout layout = c.context().locals();
        c.push(Part.LOCAL);
        pushWithin(c, address, 0);
        c.code().load(c.thread).push(c.context().localBytes()).push(bytes).push(store ? 1 : 0).push(layout.lanes()).push(layout.word());
        c.code().call(LocalWindows.class, "offset");
    }

    /** As {@link #pushOffset}, but for {@code .local} within the thread's own window. */
    public static void pushWithin(ThreadCode c, Operand.Address address, long extra) {
        if (address.space() == StateSpace.SHARED && c.addressesCluster()) {
            c.code().load(c.worker);
            pushShared(c, address, extra);
            c.code().call(Clusters.class, "offset");
            return;
        }
        Code code = c.code();
        Part part = part(c, address);
        long offset = address.offset() + extra;
        if (address.variable() != null) {
            pushVariable(c, address.variable(), offset);
            if (part == Part.MEMORY) {
                code.push(AddressSpace.ORIGIN).op(Op.LSUB);
            }
        } else if (address.register() != null) {
            boolean narrow = address.register().type().bits() <= 32;
            Operand.Reg register = new Operand.Reg(address.register(), address.register().type(), false);
            if (!narrow) {
                c.pushLong(register);
            } else if (offset != 0) {
                // The sum wraps around: code may let a register begin before address 0 and come back by the offset.
                c.pushInt(register);
                code.push((int) offset).op(Op.IADD).zeroExtend();
                offset = 0;
            } else {
                c.pushUnsigned(register);
            }
            Local toOffset = part == Part.MEMORY && !narrow ? c.toOffset() : null;
            long constant = offset - (part != Part.MEMORY || toOffset != null ? 0 : narrow ? AddressSpace.RESERVED : AddressSpace.ORIGIN);
            if (constant != 0) {
                code.push(constant).op(Op.LADD);
            }
            if (toOffset != null) {
                code.load(toOffset).op(Op.LADD);
            }
        } else {
            code.push(part == Part.MEMORY ? offset - AddressSpace.ORIGIN : offset);
        }
    }

    /** Pushes a {@code .shared} address as the instruction gives it. */
    private static void pushShared(ThreadCode c, Operand.Address address, long extra) {
        c.addressCluster(false);
        pushOffset(c, address, extra);
        c.addressCluster(true);
    }

    /** Pushes the generic address that {@code address} means. */
    static void pushGeneric(ThreadCode c, Operand.Address address) {
        pushOffset(c, address, 0);
        switch (part(c, address)) {
            case MEMORY -> c.code().push(AddressSpace.ORIGIN).op(Op.LADD);
            case SHARED -> c.code().load(c.worker).field(Worker.class, "sharedBase").op(Op.LADD);
            default -> throw new NoCode("not supported in " + address.space());
        }
    }

    /** Pushes where the thread's window begins in the block's local memory. */
    private static void pushThreadWindow(ThreadCode c) {
        c.code().load(c.thread).op(Op.I2L).push((long) c.context().localBytes()).op(Op.LMUL);
    }

    /** Pushes the address of a variable within its own space. */
    static void pushAddressOf(ThreadCode c, Operand.AddressOf address) {
        pushVariable(c, address.variable(), address.offset());
    }

    private static void pushVariable(ThreadCode c, Variable variable, long offset) {
        Context context = c.context();
        c.code().push(offset + switch (variable.space()) {
            case GLOBAL, TEX, GENERIC -> context.program().address(variable);
            case CONST -> context.program().module().constOffsets().get(variable);
            case SHARED -> shared(context, variable);
            case LOCAL -> context.graph().localOffsets().get(variable);
            case PARAM -> isCallArea(c, variable) ? context.graph().localOffsets().get(variable)
                    : parameter(context, variable);
            case REG, SREG, TENSOR -> throw new IllegalStateException("no memory in " + variable.space());
        });
    }

    private static long shared(Context context, Variable variable) {
        Integer offset = context.kernel().sharedOffsets().get(variable);
        if (offset == null) {
            throw new NoCode("shared variable " + variable.name() + " has no place in this kernel");
        }
        return offset;
    }

    /** Pushes the generic address at which the window of {@code space} begins for this thread; 0 for global. */
    static void pushBase(ThreadCode c, StateSpace space) {
        Code code = c.code();
        switch (space) {
            case GLOBAL, GENERIC -> code.push(0L);
            case SHARED -> code.load(c.worker).field(Worker.class, "sharedBase");
            case LOCAL -> {
                code.load(c.worker).field(Worker.class, "localBase");
                pushThreadWindow(c);
                code.op(Op.LADD);
            }
            case CONST -> code.push(c.context().program().constBase());
            case PARAM -> code.load(c.worker).field(Worker.class, "grid").field(Grid.class, "parameterBase");
            case REG, SREG, TEX, TENSOR -> throw new NoCode("no generic addresses in " + space);
        }
    }

    /** Bytes of the window of {@code space}, pushed as {@code long}. */
    static void pushSize(ThreadCode c, StateSpace space) {
        Code code = c.code();
        switch (space) {
            case SHARED -> code.load(c.worker).field(Worker.class, "shared").call(java.lang.foreign.MemorySegment.class, "byteSize");
            case LOCAL -> code.push((long) c.context().localBytes());
            case CONST -> code.push((long) c.context().program().module().constBytes());
            case PARAM -> code.push((long) c.context().kernel().parameterBytes());
            case GLOBAL, GENERIC -> code.push(Long.MAX_VALUE);
            case REG, SREG, TEX, TENSOR -> throw new NoCode("no generic addresses in " + space);
        }
    }
}
