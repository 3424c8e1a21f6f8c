package io.ptx4j.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;
import java.util.zip.InflaterInputStream;
import org.junit.jupiter.api.Test;

final class PngTest {
    @Test
    void aPictureHasItsSizeItsRowsAndRightChecksums() throws IOException {
        byte[] pixels = {1, 2, 3, 4, 5, 6, -1, -2, -3, -4, -5, -6, 7, 8, 9, 10, 11, 12};
        var out = new ByteArrayOutputStream();
        Png.write(out, pixels, 2, 3, 3);
        var in = new DataInputStream(new ByteArrayInputStream(out.toByteArray()));
        assertEquals(0x89504E470D0A1A0AL, in.readLong());
        Map<String, byte[]> chunks = new LinkedHashMap<>();
        while (in.available() > 0) {
            byte[] content = new byte[in.readInt()];
            byte[] type = in.readNBytes(4);
            in.readFully(content);
            var check = new CRC32();
            check.update(type);
            check.update(content);
            assertEquals((int) check.getValue(), in.readInt());
            chunks.put(new String(type, StandardCharsets.US_ASCII), content);
        }
        assertEquals(List.of("IHDR", "IDAT", "IEND"), List.copyOf(chunks.keySet()));
        assertArrayEquals(new byte[] {0, 0, 0, 2, 0, 0, 0, 3, 8, 2, 0, 0, 0}, chunks.get("IHDR"));
        assertArrayEquals(new byte[] {0, 1, 2, 3, 4, 5, 6, 0, -1, -2, -3, -4, -5, -6, 0, 7, 8, 9, 10, 11, 12},
                new InflaterInputStream(new ByteArrayInputStream(chunks.get("IDAT"))).readAllBytes());
    }
}
