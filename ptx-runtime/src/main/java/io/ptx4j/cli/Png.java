package io.ptx4j.cli;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;
import java.util.zip.DeflaterOutputStream;

/** Writes pictures of 8 bits a channel as PNG, without filters. */
final class Png {
    private static final byte[] SIGNATURE = {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};

    private Png() {
    }

    /**
     * Writes rows from top to bottom.
     *
     * @param channels 1 grey, 3 red, green, blue, 4 with alpha
     */
    static void write(OutputStream out, byte[] pixels, int width, int height, int channels) throws IOException {
        DataOutputStream data = new DataOutputStream(out);
        data.write(SIGNATURE);
        ByteArrayOutputStream header = new ByteArrayOutputStream();
        DataOutputStream fields = new DataOutputStream(header);
        fields.writeInt(width);
        fields.writeInt(height);
        fields.writeByte(8);
        fields.writeByte(switch (channels) {
            case 1 -> 0;
            case 3 -> 2;
            case 4 -> 6;
            default -> throw new IllegalArgumentException(channels + " channels");
        });
        fields.write(new byte[3]);
        chunk(data, "IHDR", header.toByteArray());
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (DeflaterOutputStream rows = new DeflaterOutputStream(packed)) {
            for (int y = 0; y < height; y++) {
                rows.write(0);
                rows.write(pixels, y * width * channels, width * channels);
            }
        }
        chunk(data, "IDAT", packed.toByteArray());
        chunk(data, "IEND", new byte[0]);
        data.flush();
    }

    private static void chunk(DataOutputStream out, String type, byte[] content) throws IOException {
        byte[] name = type.getBytes(StandardCharsets.US_ASCII);
        CRC32 check = new CRC32();
        check.update(name);
        check.update(content);
        out.writeInt(content.length);
        out.write(name);
        out.write(content);
        out.writeInt((int) check.getValue());
    }
}
