package io.ptx4j.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Formats of {@code vprintf} against what C prints. */
final class DevicePrintfTest {
    private static final int ARGUMENT = 128;

    private static String print(String format, String kind, String argument) {
        MemorySegment memory = MemorySegment.ofArray(new long[32]);
        byte[] text = format.getBytes(StandardCharsets.UTF_8);
        MemorySegment.copy(text, 0, memory, ValueLayout.JAVA_BYTE, 0, text.length);
        switch (kind) {
            case "i" -> memory.set(ValueLayout.JAVA_INT_UNALIGNED, ARGUMENT, Integer.parseInt(argument));
            case "l" -> memory.set(ValueLayout.JAVA_LONG_UNALIGNED, ARGUMENT, Long.parseLong(argument));
            default -> memory.set(ValueLayout.JAVA_DOUBLE_UNALIGNED, ARGUMENT, Double.parseDouble(
                    argument.replace("inf", "Infinity").replace("nan", "NaN")));
        }
        return DevicePrintf.format(memory, AddressSpace.ORIGIN, AddressSpace.ORIGIN + ARGUMENT);
    }

    @Test
    void everyConversionPrintsWhatCPrints() throws IOException {
        List<String> wrong = new ArrayList<>();
        int lines = 0;
        try (InputStream table = DevicePrintfTest.class.getResourceAsStream("printf.tsv")) {
            for (String line : new String(table.readAllBytes(), StandardCharsets.UTF_8).split("\n")) {
                if (line.startsWith("#")) {
                    continue;
                }
                String[] fields = line.split("\t", -1);
                String printed = print(fields[0], fields[1], fields[2]);
                if (!printed.equals(fields[3])) {
                    wrong.add(fields[0] + " of " + fields[2] + ": " + printed + ", C: " + fields[3]);
                }
                lines++;
            }
        }
        assertTrue(lines > 200, lines + " lines");
        assertEquals(List.of(), wrong);
    }
}
