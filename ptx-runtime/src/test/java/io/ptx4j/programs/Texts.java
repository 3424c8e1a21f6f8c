package io.ptx4j.programs;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.zip.GZIPInputStream;

/** The PTX of {@code resources/programs}. */
public final class Texts {
    private Texts() {
    }

    /** The text that is packed in a file of that name. */
    public static String of(String name) throws IOException {
        try (var in = new GZIPInputStream(Texts.class.getResourceAsStream("/programs/" + name + ".ptx.gz"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
