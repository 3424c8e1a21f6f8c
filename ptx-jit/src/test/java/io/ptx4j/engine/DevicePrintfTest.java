package io.ptx4j.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

class DevicePrintfTest {
    private static final long ARGUMENTS = 512;

    private static String print(String format, Object... arguments) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(1024, 8);
            memory.setString(0, format);
            long text = 256;
            long next = ARGUMENTS;
            for (Object argument : arguments) {
                int size = argument instanceof Integer ? 4 : 8;
                next = (next + size - 1) / size * size;
                switch (argument) {
                    case Integer i -> memory.set(ValueLayout.JAVA_INT, next, i);
                    case Long l -> memory.set(ValueLayout.JAVA_LONG, next, l);
                    case Double d -> memory.set(ValueLayout.JAVA_DOUBLE, next, d);
                    case String s -> {
                        memory.setString(text, s);
                        memory.set(ValueLayout.JAVA_LONG, next, AddressSpace.ORIGIN + text);
                        text += 64;
                    }
                    default -> throw new IllegalArgumentException(argument.toString());
                }
                next += size;
            }
            return DevicePrintf.format(memory, AddressSpace.ORIGIN, AddressSpace.ORIGIN + ARGUMENTS);
        }
    }

    @Test
    void integersInAllBasesWidthsAndSigns() {
        assertEquals("-5 4294967291 fffffffb 37777777773 0xFF", print("%d %u %x %o %#X", -5, -5, -5, -5, 255).replace("0XFF", "0xFF"));
        assertEquals("[   42][42   ][00042][+42][ 42]", print("[%5d][%-5d][%05d][%+d][% d]", 42, 42, 42, 42, 42));
        assertEquals("[  007][-00042]", print("[%5.3d][%06d]", 7, -42));
        assertEquals("-9223372036854775808 18446744073709551615", print("%lld %llu", Long.MIN_VALUE, -1L));
        assertEquals("-1 255", print("%hhd %hhu", 255, 255));
    }

    @Test
    void argumentsAreAlignedToTheirSize() {
        assertEquals("1 2 3 4.5", print("%d %lld %d %g", 1, 2L, 3, 4.5));
    }

    @Test
    void floatingPointInAllStyles() {
        assertEquals("3.141593 3.14 3.141593e+00 3.14159", print("%f %.2f %e %g", Math.PI, Math.PI, Math.PI, Math.PI));
        assertEquals("100000 1e+06 0.0001 1e-05 0", print("%g %g %g %g %g", 100000.0, 1000000.0, 0.0001, 0.00001, 0.0));
        assertEquals("inf -inf nan -0.0", print("%f %f %f %.1f", 1 / 0.0, -1 / 0.0, Double.NaN, -0.0));
        assertEquals("[    1.50][-1.5    ]", print("[%8.2f][%-8g]", 1.5, -1.5));
    }

    @Test
    void textCharactersAndWidthsFromArguments() {
        assertEquals("warp 7: ok! 100%", print("warp %d: %s%c 100%%", 7, "ok", (int) '!'));
        assertEquals("[  ab][abc][   7][1.250]", print("[%4.2s][%s][%*d][%.*f]", "abc", "abc", 4, 7, 3, 1.25));
    }
}
