package io.ptx4j.jit.support;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/**
 * Loads and stores with an order (manual: "Memory Consistency Model"): volatile and relaxed ones are opaque to the JVM,
 * acquire and release are what they say.
 */
public final class OrderedMemory {
    private static final VarHandle I8 = Memory.I8.varHandle();
    private static final VarHandle I16 = Memory.I16.varHandle();
    private static final VarHandle I32 = Memory.I32.varHandle();
    private static final VarHandle I64 = Memory.I64.varHandle();

    private OrderedMemory() {
    }

    public static int loadOpaque8(MemorySegment segment, long offset) {
        return (byte) I8.getOpaque(segment, offset);
    }

    public static int loadOpaque16(MemorySegment segment, long offset) {
        return (short) I16.getOpaque(segment, offset);
    }

    public static int loadOpaque32(MemorySegment segment, long offset) {
        return (int) I32.getOpaque(segment, offset);
    }

    public static long loadOpaque64(MemorySegment segment, long offset) {
        return (long) I64.getOpaque(segment, offset);
    }

    public static int loadAcquire8(MemorySegment segment, long offset) {
        return (byte) I8.getAcquire(segment, offset);
    }

    public static int loadAcquire16(MemorySegment segment, long offset) {
        return (short) I16.getAcquire(segment, offset);
    }

    public static int loadAcquire32(MemorySegment segment, long offset) {
        return (int) I32.getAcquire(segment, offset);
    }

    public static long loadAcquire64(MemorySegment segment, long offset) {
        return (long) I64.getAcquire(segment, offset);
    }

    public static void storeOpaque8(MemorySegment segment, long offset, int value) {
        I8.setOpaque(segment, offset, (byte) value);
    }

    public static void storeOpaque16(MemorySegment segment, long offset, int value) {
        I16.setOpaque(segment, offset, (short) value);
    }

    public static void storeOpaque32(MemorySegment segment, long offset, int value) {
        I32.setOpaque(segment, offset, value);
    }

    public static void storeOpaque64(MemorySegment segment, long offset, long value) {
        I64.setOpaque(segment, offset, value);
    }

    public static void storeRelease8(MemorySegment segment, long offset, int value) {
        I8.setRelease(segment, offset, (byte) value);
    }

    public static void storeRelease16(MemorySegment segment, long offset, int value) {
        I16.setRelease(segment, offset, (short) value);
    }

    public static void storeRelease32(MemorySegment segment, long offset, int value) {
        I32.setRelease(segment, offset, value);
    }

    public static void storeRelease64(MemorySegment segment, long offset, long value) {
        I64.setRelease(segment, offset, value);
    }
}
