package io.ptx4j.jit.support;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Accesses to a window with bytes on both sides that are nobody's. */
class DirectMemoryTest {
    private static final int MARGIN = 64;
    private static final long[] FAR = {Long.MIN_VALUE, Long.MIN_VALUE + 8, -(1L << 56), -(1L << 32), 1L << 32, 1L << 47, 1L << 56, 1L << 62,
        Long.MAX_VALUE - 7, Long.MAX_VALUE};

    @Test
    void everyAccessStaysWithinItsWindow() throws ReflectiveOperationException {
        List<Method> accesses = Arrays.stream(DirectMemory.class.getDeclaredMethods())
                .filter(m -> Modifier.isPublic(m.getModifiers()) && (m.getName().startsWith("load") || m.getName().startsWith("store"))).toList();
        assertEquals(12, accesses.size());
        assertTrue(DirectMemory.isDirect(), "the tests' JVM lets ptx4j call restricted methods");
        try (Arena arena = Arena.ofConfined()) {
            for (Method access : accesses) {
                for (int bytes = 0; bytes <= 33; bytes++) {
                    MemorySegment around = arena.allocate(bytes + 2 * MARGIN, 64);
                    MemorySegment window = around.asSlice(MARGIN, bytes);
                    for (long offset = -MARGIN; offset < bytes + MARGIN; offset++) {
                        check(access, around, window, offset);
                    }
                    for (long offset : FAR) {
                        check(access, around, window, offset);
                    }
                }
            }
        }
    }

    @Test
    void refusesMemoryOfTheJavaHeap() {
        assertThrows(IllegalStateException.class, () -> DirectMemory.base(MemorySegment.ofArray(new long[4])));
    }

    @Test
    void refusesWindowsThatDoNotSayWhetherAnOffsetIsAligned() {
        try (Arena arena = Arena.ofConfined()) {
            assertThrows(IllegalStateException.class, () -> DirectMemory.base(arena.allocate(64, 64).asSlice(8)));
        }
    }

    private static void check(Method access, MemorySegment around, MemorySegment window, long offset) throws ReflectiveOperationException {
        int size = Integer.parseInt(access.getName().replaceAll("\\D", "")) / 8;
        boolean store = access.getName().startsWith("store");
        boolean within = offset >= 0 && offset <= window.byteSize() - size;
        boolean aligned = (offset & size - 1) == 0;
        around.fill((byte) 0x5a);
        String what = access.getName() + " at " + offset + " of " + window.byteSize();
        Object answer = answer(access, window, offset);
        if (within && aligned) {
            assertEquals(store ? null : Long.valueOf(0x5a5a5a5a5a5a5a5aL >>> 64 - 8 * size), answer, what);
        } else {
            Memory.BadAccess refused = (Memory.BadAccess) answer;
            assertEquals(window.address() + offset, refused.nativeAddress, what);
            assertEquals(List.of(size, store, within), List.of(refused.bytes, refused.store, refused.misaligned), what);
        }
        for (long at = 0; at < around.byteSize(); at++) {
            boolean written = store && within && aligned && at >= MARGIN + offset && at < MARGIN + offset + size;
            assertEquals(written ? 0 : 0x5a, around.get(Memory.I8, at), what);
        }
    }

    /** The bits read, nothing for a store, or what the access was refused with. */
    private static Object answer(Method access, MemorySegment window, long offset) throws ReflectiveOperationException {
        Class<?> value = access.getName().startsWith("store") ? access.getParameterTypes()[4] : null;
        Object zero = value == int.class ? (Object) 0 : value == long.class ? (Object) 0L : value == float.class ? (Object) 0f : 0.0;
        try {
            Object read = value == null ? access.invoke(null, window, DirectMemory.base(window), window.byteSize(), offset)
                    : access.invoke(null, window, DirectMemory.base(window), window.byteSize(), offset, zero);
            return switch (read) {
                case null -> null;
                case Float f -> Integer.toUnsignedLong(Float.floatToRawIntBits(f));
                case Double d -> Double.doubleToRawLongBits(d);
                case Number n -> n.longValue();
                default -> throw new AssertionError(read);
            };
        } catch (java.lang.reflect.InvocationTargetException refused) {
            if (refused.getCause() instanceof Memory.BadAccess bad) {
                return bad;
            }
            throw refused;
        }
    }
}
