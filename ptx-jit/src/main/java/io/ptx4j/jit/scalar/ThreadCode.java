package io.ptx4j.jit.scalar;

import static io.ptx4j.jit.code.JvmType.DOUBLE;
import static io.ptx4j.jit.code.JvmType.FLOAT;
import static io.ptx4j.jit.code.JvmType.INT;
import static io.ptx4j.jit.code.JvmType.LONG;
import static io.ptx4j.jit.code.JvmType.REFERENCE;

import io.ptx4j.engine.Grid;
import io.ptx4j.engine.Worker;
import io.ptx4j.engine.checks.BlockChecks;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.JvmType;
import io.ptx4j.jit.code.Local;
import io.ptx4j.jit.code.Op;
import io.ptx4j.jit.flow.Operands;
import io.ptx4j.jit.flow.Representation.Held;
import io.ptx4j.jit.support.Canonical;
import io.ptx4j.jit.support.DirectMemory;
import io.ptx4j.jit.support.Frame;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Emits the code of one thread in one method: operands onto the JVM's stack and results off it, whatever local they live in.
 *
 * <p>An operand is read the way the caller asks for: {@link #pushInt}, {@link #pushLong}, {@link #pushUnsigned},
 * {@link #pushFloat}, {@link #pushDouble}, or by its own type with {@link #push}. Integers narrower than 32 bits arrive sign-
 * or zero-extended as the operand's type says.
 */
public final class ThreadCode {
    /** Parts of the worker that a method may need in locals, loaded once at its start. */
    public enum Part {
        MEMORY(Worker.class, "memory"), SHARED(Worker.class, "shared"), LOCAL(Worker.class, "local"),
        CONSTANTS(Worker.class, "constants"), PARAMETERS(Grid.class, "parameters"),
        /** In checked mode, the states of the bytes of the first three. */
        MEMORY_STATES(BlockChecks.class, "memory"), SHARED_STATES(BlockChecks.class, "shared"), LOCAL_STATES(BlockChecks.class, "local");

        final Class<?> holder;
        final String field;

        /** Whether it is a part of device memory that kernels write. */
        public boolean isWindow() {
            return this == MEMORY || this == SHARED || this == LOCAL;
        }

        Part(Class<?> holder, String field) {
            this.holder = holder;
            this.field = field;
        }
    }

    /** Where a window begins, and its bytes. */
    private record Window(Local base, Local limit) {
    }

    private final Context context;
    private final Code code;
    private final Map<Register, Local> locals = new HashMap<>();
    private final EnumMap<Part, Local> parts = new EnumMap<>(Part.class);
    private final EnumMap<JvmType, List<Local>> scratches = new EnumMap<>(JvmType.class);
    private final EnumMap<Part, Window> windows = new EnumMap<>(Part.class);
    private Local toOffset;
    private boolean cluster;
    private boolean notesProgress;
    public final Local worker;
    public final Local frame;
    public final Local thread;

    public ThreadCode(Context context, Code code, Local worker, Local frame, Local thread) {
        this.context = context;
        this.code = code;
        this.worker = worker;
        this.frame = frame;
        this.thread = thread;
    }

    public Code code() {
        return code;
    }

    public Context context() {
        return context;
    }

    /** Gives the register its local. */
    public void bind(Register register, Local local) {
        locals.put(register, local);
    }

    public Local local(Register register) {
        return locals.computeIfAbsent(register, r -> code.newLocal(held(r).type()));
    }

    public Held held(Register register) {
        return context.representation().of(register);
    }

    /** From here on, whether {@code .shared} addresses of instructions are those of {@code .shared::cluster}. */
    void addressCluster(boolean on) {
        cluster = on;
    }

    public boolean addressesCluster() {
        return cluster;
    }

    /** From here on code notes in the frame that it writes to memory, and looks at clocks: it runs between stops of a waiting loop. */
    void noteProgress() {
        notesProgress = true;
    }

    /** What an instruction does that writes to memory, so that its thread counts as getting on. */
    void wrote() {
        if (notesProgress) {
            code.load(frame).push(1).putField(Frame.class, "written");
        }
    }

    void lookedAtTime() {
        if (notesProgress) {
            code.load(frame).push(1).putField(Frame.class, "timed");
        }
    }

    /** Loads the given parts of the worker into locals; {@code direct}: for accesses through {@link DirectMemory}. */
    public void loadParts(Iterable<Part> needed, boolean direct) {
        for (Part part : needed) {
            Local local = code.newLocal(REFERENCE);
            pushFromWorker(part);
            code.store(local);
            parts.put(part, local);
            if (direct && part.isWindow()) {
                Local base = code.newLocal(LONG);
                Local limit = code.newLocal(LONG);
                code.load(local).call(DirectMemory.class, "base").store(base);
                code.load(local).call(MemorySegment.class, "byteSize").store(limit);
                windows.put(part, new Window(base, limit));
            }
            if (part == Part.MEMORY) {
                toOffset = code.newLocal(LONG);
                code.call(DirectMemory.class, "toOffset").store(toOffset);
            }
        }
    }

    /** What makes an address of device memory an offset, where the method keeps it in a local; else null. */
    Local toOffset() {
        return toOffset;
    }

    /**
     * Pushes what the methods of {@link DirectMemory} want to know of a part of the worker.
     *
     * @return false, with the segment alone pushed, where the method does not keep the rest in locals
     */
    boolean pushWindow(Part part) {
        push(part);
        Window window = windows.get(part);
        if (window != null) {
            code.load(window.base).load(window.limit);
        }
        return window != null;
    }

    /** Pushes a memory segment of the worker. */
    public void push(Part part) {
        Local local = parts.get(part);
        if (local != null) {
            code.load(local);
            return;
        }
        pushFromWorker(part);
    }

    private void pushFromWorker(Part part) {
        code.load(worker);
        if (part.holder != Worker.class) {
            code.field(Worker.class, part.holder == Grid.class ? "grid" : "checks");
        }
        code.field(part.holder, part.field);
    }

    /** A local for a moment: number {@code n} of its type, shared by all instructions of the method. */
    public Local scratch(JvmType type, int n) {
        List<Local> some = scratches.computeIfAbsent(type, t -> new ArrayList<>());
        while (some.size() <= n) {
            some.add(code.newLocal(type));
        }
        return some.get(n);
    }

    /** The carry flag CC.CF as 0 or 1 (manual: "Extended-Precision Integer Arithmetic Instructions"). */
    Local carry() {
        return local(Operands.CARRY);
    }

    // Operands onto the stack

    /** The type in which an operand of PTX type {@code type} naturally arrives. */
    public static JvmType natural(ScalarType type) {
        return switch (type) {
            case F32 -> FLOAT;
            case F64 -> DOUBLE;
            default -> {
                if (type.bits() > 64) {
                    throw new NoCode("128-bit operands are not supported");
                }
                yield type.bits() > 32 ? LONG : INT;
            }
        };
    }

    /** Pushes an operand in the natural type of its PTX type. */
    public JvmType push(Operand operand) {
        JvmType type = natural(typeOf(operand));
        switch (type) {
            case INT -> pushInt(operand);
            case LONG -> pushLong(operand);
            case FLOAT -> pushFloat(operand);
            case DOUBLE -> pushDouble(operand);
            case REFERENCE -> throw new IllegalStateException();
        }
        return type;
    }

    public static ScalarType typeOf(Operand operand) {
        return switch (operand) {
            case Operand.Reg r -> r.type();
            case Operand.Immediate i -> i.type();
            case Operand.Special s -> s.type();
            case Operand.AddressOf a -> a.type();
            case Operand.FunctionAddress f -> f.type();
            case Operand.Vector v -> throw new NoCode("a vector operand is not supported here");
            case Operand.Address a -> throw new NoCode("an address is not supported here");
            case Operand.Call c -> throw new NoCode("a call is not supported here");
            case Operand.Part p -> throw new NoCode("a part of a register is not supported here");
            case Operand.Texture t -> throw new NoCode("textures are not supported");
            case Operand.Sink s -> throw new NoCode("'_' is not supported here");
            case Operand.Absent a -> throw new NoCode("a missing operand is not supported here");
        };
    }

    /** Pushes an operand of up to 32 bits as {@code int}; the raw bits of a float. */
    public void pushInt(Operand operand) {
        switch (operand) {
            case Operand.Reg reg -> {
                pushRegisterInt(reg);
                if (reg.negated()) {
                    code.push(1).op(Op.IXOR);
                }
            }
            case Operand.Immediate i -> code.push(narrow(i));
            case Operand.Special s -> pushSpecial(s, INT);
            case Operand.AddressOf a -> {
                Addresses.pushAddressOf(this, a);
                code.op(Op.L2I);
            }
            default -> throw new NoCode("operand " + operand + " is not supported here");
        }
    }

    private static int narrow(Operand.Immediate immediate) {
        int bits = (int) immediate.bits();
        ScalarType type = immediate.type();
        if (type == ScalarType.PRED) {
            return bits & 1;
        }
        if (type.bits() >= 32) {
            return bits;
        }
        return type.signed() ? bits << 32 - type.bits() >> 32 - type.bits() : bits & (1 << type.bits()) - 1;
    }

    private void pushRegisterInt(Operand.Reg reg) {
        pushRawInt(reg.register());
        ScalarType type = reg.type();
        int width = Math.min(32, reg.register().type().bits());
        if (type.bits() >= 32 || type == ScalarType.PRED) {
            return;
        }
        if (type.bits() == 16) {
            if (type.signed()) {
                code.op(Op.I2S);
            } else if (width > 16) {
                code.op(Op.I2C);
            }
        } else if (type.bits() == 8) {
            if (type.signed()) {
                code.op(Op.I2B);
            } else if (width > 8) {
                code.push(0xFF).op(Op.IAND);
            }
        } else {
            code.push((1 << type.bits()) - 1).op(Op.IAND);
        }
    }

    private void pushRawInt(Register register) {
        switch (held(register)) {
            case INT -> code.load(local(register));
            case WIDE, LONG -> code.load(local(register)).op(Op.L2I);
            case FLOAT -> {
                pushClean(register);
                code.call(Float.class, "floatToRawIntBits");
            }
            case DOUBLE -> {
                pushClean(register);
                code.call(Double.class, "doubleToRawLongBits").op(Op.L2I);
            }
        }
    }

    /** Pushes a float register's value with its NaN made canonical where it may not be: for whoever looks at the bits. */
    private void pushClean(Register register) {
        code.load(local(register));
        if (context.nans().cleanAtUse(register)) {
            code.ifNan(Canonical.F32);
        }
    }

    /** Pushes a 64-bit operand; a narrower one is extended as its type says, a float's bits are taken raw. */
    public void pushLong(Operand operand) {
        switch (operand) {
            case Operand.Reg reg when reg.type().bits() > 32 -> {
                switch (held(reg.register())) {
                    case LONG, WIDE -> code.load(local(reg.register()));
                    case DOUBLE -> {
                        pushClean(reg.register());
                        code.call(Double.class, "doubleToRawLongBits");
                    }
                    case INT, FLOAT -> {
                        pushRawInt(reg.register());
                        code.zeroExtend();
                    }
                }
            }
            case Operand.Immediate i when i.type().bits() > 32 -> code.push(i.bits());
            case Operand.Special s when s.type().bits() > 32 -> pushSpecial(s, LONG);
            case Operand.AddressOf a when a.type().bits() > 32 -> Addresses.pushAddressOf(this, a);
            case Operand.FunctionAddress f -> code.push(context.program().functionAddress(f.function()));
            default -> {
                if (typeOf(operand).signed()) {
                    pushInt(operand);
                    code.op(Op.I2L);
                } else {
                    pushUnsigned(operand);
                }
            }
        }
    }

    /** Pushes an operand of up to 32 bits, zero-extended to {@code long}, for arithmetic on words and their carries. */
    public void pushUnsigned(Operand operand) {
        if (!pushExtended(operand)) {
            code.zeroExtend();
        }
    }

    /** Pushes a {@code long} that is extended already, and tells so, or else an {@code int}. */
    private boolean pushExtended(Operand operand) {
        if (operand instanceof Operand.Reg reg && held(reg.register()) == Held.WIDE && reg.type().bits() == 32) {
            code.load(local(reg.register()));
            return true;
        }
        if (operand instanceof Operand.Immediate i) {
            code.push(i.bits() & (1L << Math.min(32, i.type().bits())) - 1);
            return true;
        }
        pushInt(operand);
        return false;
    }

    public void pushFloat(Operand operand) {
        if (operand instanceof Operand.Immediate i) {
            code.push(Float.intBitsToFloat((int) i.bits()));
        } else if (operand instanceof Operand.Reg reg && held(reg.register()) == Held.FLOAT) {
            code.load(local(reg.register()));
        } else {
            pushInt(operand);
            code.call(Float.class, "intBitsToFloat");
        }
    }

    public void pushDouble(Operand operand) {
        if (operand instanceof Operand.Immediate i) {
            code.push(Double.longBitsToDouble(i.bits()));
        } else if (operand instanceof Operand.Reg reg && held(reg.register()) == Held.DOUBLE) {
            code.load(local(reg.register()));
        } else {
            pushLong(operand);
            code.call(Double.class, "longBitsToDouble");
        }
    }

    /** Pushes a float or double for whoever looks at its bits: like {@link #pushFloat} with canonical NaNs. */
    public void pushFloatBits(Operand operand) {
        if (operand instanceof Operand.Reg reg && held(reg.register()) == Held.FLOAT) {
            pushClean(reg.register());
        } else {
            pushFloat(operand);
        }
    }

    /** As {@link #pushFloatBits}, for doubles. */
    public void pushDoubleBits(Operand operand) {
        if (operand instanceof Operand.Reg reg && held(reg.register()) == Held.DOUBLE) {
            pushClean(reg.register());
        } else {
            pushDouble(operand);
        }
    }

    private void pushSpecial(Operand.Special special, JvmType wanted) {
        JvmType given = SpecialRegisters.push(this, special);
        if (given == INT && wanted == LONG) {
            code.zeroExtend();
        } else if (given == LONG && wanted == INT) {
            code.op(Op.L2I);
        }
        if (wanted == INT && special.type().bits() == 16) {
            code.op(special.type().signed() ? Op.I2S : Op.I2C);
        }
    }

    // Results off the stack

    /** Stores the value on the stack, of JVM type {@code type}, as the bits of the destination's type. */
    public void pop(Operand destination, JvmType type) {
        if (destination instanceof Operand.Sink) {
            code.pop();
            return;
        }
        if (!(destination instanceof Operand.Reg reg)) {
            throw new NoCode("destination " + destination + " is not supported here");
        }
        switch (type) {
            case INT -> popInt(reg);
            case LONG -> popLong(reg);
            case FLOAT -> popFloat(reg);
            case DOUBLE -> popDouble(reg);
            case REFERENCE -> throw new IllegalStateException();
        }
    }

    private void popInt(Operand.Reg reg) {
        Register register = reg.register();
        int bits = register.type().bits();
        switch (held(register)) {
            case INT -> {
                if (bits == 16) {
                    code.op(Op.I2C);
                } else if (bits == 8) {
                    code.push(0xFF).op(Op.IAND);
                }
            }
            case WIDE -> code.zeroExtend();
            case LONG -> extend(reg.type());
            case FLOAT -> code.call(Float.class, "intBitsToFloat");
            case DOUBLE -> {
                extend(reg.type());
                code.call(Double.class, "longBitsToDouble");
            }
        }
        code.store(local(register));
    }

    private void extend(ScalarType type) {
        if (type.signed()) {
            code.op(Op.I2L);
        } else {
            code.zeroExtend();
        }
    }

    private void popLong(Operand.Reg reg) {
        switch (held(reg.register())) {
            case LONG -> code.store(local(reg.register()));
            case WIDE -> code.push(0xFFFF_FFFFL).op(Op.LAND).store(local(reg.register()));
            case DOUBLE -> code.call(Double.class, "longBitsToDouble").store(local(reg.register()));
            case INT, FLOAT -> {
                code.op(Op.L2I);
                popInt(reg);
            }
        }
    }

    /** Stores a {@code long} below 2^32 into a 32-bit destination: what a carry chain leaves. */
    public void popUnsigned(Operand destination) {
        if (destination instanceof Operand.Reg reg && held(reg.register()) == Held.WIDE) {
            code.store(local(reg.register()));
        } else {
            pop(destination, LONG);
        }
    }

    private void popFloat(Operand.Reg reg) {
        if (held(reg.register()) == Held.FLOAT) {
            code.store(local(reg.register()));
        } else {
            code.call(Float.class, "floatToRawIntBits");
            popInt(reg);
        }
    }

    private void popDouble(Operand.Reg reg) {
        if (held(reg.register()) == Held.DOUBLE) {
            code.store(local(reg.register()));
        } else {
            code.call(Double.class, "doubleToRawLongBits");
            popLong(reg);
        }
    }

    /**
     * Stores the {@code float} result of arithmetic, whose NaN is of the processor's choice: it is made canonical here or where
     * its bits are looked at. A NaN of {@code .f64} depends on the sources, so emitters see to it at once and use {@link #pop}.
     */
    public void popArithmetic(Operand destination) {
        if (destination instanceof Operand.Reg reg
                && (held(reg.register()) != Held.FLOAT || context.nans().cleanAtDefinition(reg.register()))) {
            code.ifNan(Canonical.F32);
        }
        pop(destination, FLOAT);
    }

    /** Copies one register-held value to another of the same width without looking at it. */
    public void copy(Operand destination, Operand source) {
        if (source instanceof Operand.Reg from && destination instanceof Operand.Reg to && from.type().bits() >= 32
                && held(from.register()) == held(to.register()) && !from.negated()
                && from.register().type().bits() == to.register().type().bits()
                && from.type().bits() == to.register().type().bits()) {
            boolean clean = context.nans().cleanAtDefinition(to.register()) && context.nans().cleanAtUse(from.register());
            code.load(local(from.register()));
            if (clean) {
                code.ifNan(Canonical.F32);
            }
            code.store(local(to.register()));
            return;
        }
        ScalarType type = typeOf(source);
        if (type.bits() > 32) {
            pushLong(source);
            pop(destination, LONG);
        } else if (destination instanceof Operand.Reg to && held(to.register()) == Held.FLOAT && type.bits() == 32) {
            pushFloatBits(source);
            pop(destination, FLOAT);
        } else {
            pushInt(source);
            pop(destination, INT);
        }
    }
}
