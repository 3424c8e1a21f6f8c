package io.ptx4j.engine;

import io.ptx4j.ir.Prototype;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * One call of a {@link DeviceFunction} by one thread. Arguments and results are given as the bytes that PTX passes, little-endian;
 * reading one as a type that has another size is an {@link IllegalArgumentException}.
 */
public final class DeviceCall {
    private final String function;
    private final Prototype prototype;
    private final Worker worker;
    private final long block;
    private final int thread;
    private final byte[][] arguments;
    private final byte[] result;
    private int passed;

    /** For engines. */
    public DeviceCall(Worker worker, String function, long block, int thread) {
        this.worker = worker;
        this.function = function;
        this.prototype = worker.grid.program.module().functions().get(function).prototype();
        this.block = block;
        this.thread = thread;
        this.arguments = new byte[prototype.parameters().size()][];
        this.result = new byte[prototype.results().isEmpty() ? 0 : bytes(prototype.results().getFirst())];
    }

    private static int bytes(Prototype.Parameter parameter) {
        return (int) (parameter.inRegister() ? parameter.type().bytes() : parameter.bytes());
    }

    // What functions use

    /** Name of the function in PTX. */
    public String function() {
        return function;
    }

    /** Number of arguments. */
    public int arguments() {
        return arguments.length;
    }

    /** Bytes of argument {@code index}, counted from 0; a structure passed by value has the layout that its compiler gave it. */
    public byte[] bytesAt(int index) {
        return arguments[index].clone();
    }

    private ByteBuffer argument(int index, int bytes) {
        return sized(arguments[index], bytes, "argument " + index);
    }

    private ByteBuffer sized(byte[] value, int bytes, String what) {
        if (value.length != bytes) {
            throw new IllegalArgumentException(what + " of " + function + " has " + value.length + " bytes, not " + bytes);
        }
        return ByteBuffer.wrap(value).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Argument {@code index}, of 4 bytes. */
    public int intAt(int index) {
        return argument(index, 4).getInt();
    }

    /** Argument {@code index}, of 8 bytes: also a generic address. */
    public long longAt(int index) {
        return argument(index, 8).getLong();
    }

    /** Argument {@code index}, of 4 bytes. */
    public float floatAt(int index) {
        return argument(index, 4).getFloat();
    }

    /** Argument {@code index}, of 8 bytes. */
    public double doubleAt(int index) {
        return argument(index, 8).getDouble();
    }

    /** Gives a result of 4 bytes. A result that is not given is zero. */
    public void result(int value) {
        sized(result, 4, "the result").putInt(value);
    }

    /** Gives a result of 8 bytes. */
    public void result(long value) {
        sized(result, 8, "the result").putLong(value);
    }

    /** Gives a result of 4 bytes. */
    public void result(float value) {
        sized(result, 4, "the result").putFloat(value);
    }

    /** Gives a result of 8 bytes. */
    public void result(double value) {
        sized(result, 8, "the result").putDouble(value);
    }

    /** Gives a result of any size. */
    public void result(byte[] value) {
        sized(result, value.length, "the result").put(value);
    }

    /**
     * Device memory at a generic address: global, and the windows of the block's shared and the thread's local memory.
     *
     * @throws IndexOutOfBoundsException if the device has no such memory
     */
    public MemorySegment memory(long address, long bytes) {
        return worker.memory.asSlice(address - AddressSpace.ORIGIN, bytes);
    }

    /** Linear index of the calling thread's block in its grid. */
    public long block() {
        return block;
    }

    /** Linear index of the calling thread in its block. */
    public int thread() {
        return thread;
    }

    // What engines use

    /** Passes the next argument, of up to 8 bytes, as raw bits. */
    public void pass(long bits) {
        pass(bits, 0);
    }

    /** Passes the next argument, of up to 16 bytes. */
    public void pass(long low, long high) {
        int bytes = bytes(prototype.parameters().get(passed));
        byte[] all = ByteBuffer.allocate(Math.max(16, bytes)).order(ByteOrder.LITTLE_ENDIAN).putLong(low).putLong(high).array();
        arguments[passed++] = java.util.Arrays.copyOf(all, bytes);
    }

    /** Passes the next argument from memory. */
    public void pass(MemorySegment memory, long offset) {
        arguments[passed] = memory.asSlice(offset, bytes(prototype.parameters().get(passed))).toArray(ValueLayout.JAVA_BYTE);
        passed++;
    }

    /** Calls the function. */
    public void run() {
        if (worker.checks != null) {
            worker.checks.leave();
        }
        try {
            worker.grid.program.function(function).call(this);
        } catch (Fault fault) {
            throw fault;
        } catch (Throwable thrown) {
            throw new Fault(Fault.Kind.FUNCTION, "function " + function + ", which the host supplies, threw " + thrown, 0, block, thread,
                    0, 0, null, thrown);
        }
    }

    /** The result's first 8 bytes, zero-extended. */
    public long low() {
        return word(0);
    }

    /** The next 8 bytes of the result. */
    public long high() {
        return word(8);
    }

    private long word(int from) {
        long word = 0;
        for (int i = Math.min(result.length, from + 8) - 1; i >= from; i--) {
            word = word << 8 | result[i] & 0xFF;
        }
        return word;
    }

    /** Stores the result. */
    public void store(MemorySegment memory, long offset) {
        MemorySegment.copy(MemorySegment.ofArray(result), 0, memory, offset, result.length);
    }
}
