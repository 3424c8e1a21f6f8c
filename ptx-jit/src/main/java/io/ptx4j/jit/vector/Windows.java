package io.ptx4j.jit.vector;

import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.Code.Place;
import io.ptx4j.jit.code.Condition;
import io.ptx4j.jit.code.JvmType;
import io.ptx4j.jit.code.Local;
import io.ptx4j.jit.code.Op;
import io.ptx4j.jit.scalar.ThreadCode;
import io.ptx4j.jit.scalar.ThreadCode.Part;
import io.ptx4j.jit.support.DirectMemory;

import java.lang.foreign.MemorySegment;
import java.util.EnumMap;
import java.util.Map;

/**
 * The parts of the worker that a method accesses with vectors. Their sizes and where they lie are noted in locals at its beginning: asking a segment each time is
 * a call that HotSpot may not inline. Tests stand in line, for the same reason.
 */
final class Windows {
    /** @param origin what makes an offset a place in {@code segment}; null with {@code segment} for what is no window of device memory */
    private record Known(Local size, Local origin, Local segment) {
    }

    /** Bytes of two of the largest vectors. */
    private static final long TOGETHER = 128;

    private final ThreadCode c;
    private final Code code;
    private final Map<Part, Known> known = new EnumMap<>(Part.class);

    Windows(ThreadCode c) {
        this.c = c;
        this.code = c.code();
    }

    void measure(Iterable<Part> parts) {
        for (Part part : parts) {
            Local size = code.newLocal(JvmType.LONG);
            pushSize(part);
            code.store(size);
            Local origin = null;
            Local segment = null;
            if (part.isWindow()) {
                origin = code.newLocal(JvmType.LONG);
                c.push(part);
                code.call(DirectMemory.class, "origin").store(origin);
                segment = code.newLocal(JvmType.REFERENCE);
                c.push(part);
                code.call(DirectMemory.class, "whole").store(segment);
            }
            known.put(part, new Known(size, origin, segment));
        }
    }

    private Local origin(Part part) {
        return known.containsKey(part) ? known.get(part).origin : null;
    }

    /** Pushes the segment for accesses to what is known to lie in the part. */
    void pushSegment(Part part) {
        if (origin(part) == null) {
            c.push(part);
        } else {
            code.load(known.get(part).segment);
        }
    }

    /** Pushes the place in {@link #pushSegment} that lies so many bytes behind an offset in the part. */
    void pushPlace(Part part, Local offset, long behind) {
        Local origin = origin(part);
        code.load(offset);
        if (origin == null) {
            plus(behind);
        } else {
            code.load(origin).op(Op.LADD);
            cutBehind(behind);
        }
    }

    /** Pushes what lies so many bytes behind a place in {@link DirectMemory#whole}. */
    void pushBehind(Local place, long behind) {
        code.load(place);
        if (behind >= TOGETHER) {
            cutBehind(behind);
        } else {
            plus(behind);
        }
    }

    /**
     * Adds bytes to the place on the stack and cuts it by {@link DirectMemory#ADDRESSES}. Vectors whose places share what is cut are accessed in an order that HotSpot chooses, two
     * of them upwards, four not, and memory then takes 1.05 times as long; so {@link #TOGETHER} bytes share it.
     */
    private void cutBehind(long bytes) {
        plus(bytes / TOGETHER * TOGETHER);
        code.push(DirectMemory.ADDRESSES).op(Op.LAND);
        plus(bytes % TOGETHER);
    }

    private void plus(long bytes) {
        if (bytes != 0) {
            code.push(bytes).op(Op.LADD);
        }
    }

    /** Pushes the bytes of the part. */
    void pushSize(Part part) {
        if (known.containsKey(part)) {
            code.load(known.get(part).size);
        } else {
            c.push(part);
            code.call(MemorySegment.class, "byteSize");
        }
    }

    /** Pushes a number that is a multiple of {@code bytes} if the place at the offset is. */
    void pushAlignment(Part part, Local offset, int bytes) {
        code.load(offset);
        if (!part.isWindow() || bytes > DirectMemory.WINDOW_ALIGNMENT) {
            c.push(part);
            code.call(MemorySegment.class, "address").op(Op.LADD);
        }
    }

    /** Goes to {@code slow} unless what lies at the offset is a multiple of so many bytes away from address 0. */
    void testAlignment(Part part, Local offset, int bytes, Place slow) {
        if (bytes > 1) {
            pushAlignment(part, offset, bytes);
            code.push(bytes - 1L).op(Op.LAND).push(0L).op(Op.LCMP).jumpIf(Condition.NE, slow);
        }
    }

    /** Goes to {@code slow} unless so many bytes from the offset on lie in the part. */
    void testBounds(Part part, Local offset, long bytes, Place slow) {
        code.load(offset);
        pushSize(part);
        code.push(bytes - 1).op(Op.LSUB).push(0L).call(Math.class, "max", long.class, long.class);
        code.call(Long.class, "compareUnsigned", long.class, long.class).jumpIf(Condition.GE, slow);
    }
}
