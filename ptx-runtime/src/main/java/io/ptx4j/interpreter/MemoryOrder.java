package io.ptx4j.interpreter;

import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Spelling;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/** How a load or store is ordered (manual: "Memory Consistency Model"), and single accesses in that order. */
enum MemoryOrder {
    WEAK, RELAXED, ACQUIRE, RELEASE;

    private static final VarHandle BYTE = ValueLayout.JAVA_BYTE.varHandle();
    private static final VarHandle SHORT = ValueLayout.JAVA_SHORT.varHandle();
    private static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();
    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();

    /** {@code .volatile} and {@code .mmio} are relaxed for every observer. */
    static MemoryOrder of(Spelling spelling) {
        if (spelling.has(Modifier.ACQUIRE)) {
            return ACQUIRE;
        }
        if (spelling.has(Modifier.RELEASE)) {
            return RELEASE;
        }
        boolean strong = spelling.has(Modifier.VOLATILE) || spelling.has(Modifier.RELAXED) || spelling.has(Modifier.MMIO);
        return strong ? RELAXED : WEAK;
    }

    private static VarHandle handle(int bytes) {
        return switch (bytes) {
            case 1 -> BYTE;
            case 2 -> SHORT;
            case 4 -> INT;
            case 8 -> LONG;
            default -> throw new IllegalArgumentException("no single access has " + bytes + " bytes");
        };
    }

    /** 1, 2, 4 or 8 bytes, zero-extended. */
    long read(MemorySegment segment, long offset, int bytes) {
        if (this == WEAK) {
            return switch (bytes) {
                case 1 -> segment.get(ValueLayout.JAVA_BYTE, offset) & 0xFFL;
                case 2 -> segment.get(ValueLayout.JAVA_SHORT, offset) & 0xFFFFL;
                case 4 -> segment.get(ValueLayout.JAVA_INT, offset) & 0xFFFF_FFFFL;
                default -> segment.get(ValueLayout.JAVA_LONG, offset);
            };
        }
        VarHandle handle = handle(bytes);
        Object value = this == ACQUIRE ? handle.getAcquire(segment, offset) : handle.getOpaque(segment, offset);
        return Bits.cut(((Number) value).longValue(), bytes * 8);
    }

    /** The low 1, 2, 4 or 8 bytes of {@code value}. */
    void write(MemorySegment segment, long offset, int bytes, long value) {
        if (this == WEAK) {
            switch (bytes) {
                case 1 -> segment.set(ValueLayout.JAVA_BYTE, offset, (byte) value);
                case 2 -> segment.set(ValueLayout.JAVA_SHORT, offset, (short) value);
                case 4 -> segment.set(ValueLayout.JAVA_INT, offset, (int) value);
                default -> segment.set(ValueLayout.JAVA_LONG, offset, value);
            }
            return;
        }
        switch (bytes) {
            case 1 -> write(BYTE, segment, offset, (byte) value);
            case 2 -> write(SHORT, segment, offset, (short) value);
            case 4 -> write(INT, segment, offset, (int) value);
            default -> write(LONG, segment, offset, value);
        }
    }

    private void write(VarHandle handle, MemorySegment segment, long offset, Object value) {
        if (this == RELEASE) {
            handle.setRelease(segment, offset, value);
        } else {
            handle.setOpaque(segment, offset, value);
        }
    }

    /** Up to 32 bytes at once: more than 8 in turns with others of this kind and {@link Atomics} of 16. */
    long[] readWhole(MemorySegment segment, long offset, int bytes) {
        if (bytes <= 8) {
            return new long[] {read(segment, offset, bytes)};
        }
        long[] words = new long[bytes / 8];
        synchronized (Atomics.TURN) {
            for (int i = 0; i < words.length; i++) {
                words[i] = read(segment, offset + 8L * i, 8);
            }
        }
        return words;
    }

    /** As {@link #readWhole}. */
    void writeWhole(MemorySegment segment, long offset, int bytes, long[] words) {
        if (bytes <= 8) {
            write(segment, offset, bytes, words[0]);
            return;
        }
        synchronized (Atomics.TURN) {
            for (int i = 0; i < words.length; i++) {
                write(segment, offset + 8L * i, 8, words[i]);
            }
        }
    }

    /** Writes the low 4 or 8 bytes of {@code next} if {@code expected} stands there. */
    static boolean compareAndSet(MemorySegment segment, long offset, int bytes, long expected, long next) {
        return bytes == 4
                ? INT.compareAndSet(segment, offset, (int) expected, (int) next)
                : LONG.compareAndSet(segment, offset, expected, next);
    }
}
