package io.ptx4j.cli;

import io.ptx4j.cases.CaseBuffer;
import io.ptx4j.cases.CaseFile;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A buffer to be written to a file: {@code NAME=FILE}, for a picture {@code NAME=FILE.png:WIDTHxHEIGHT}.
 *
 * @param width 0 when not given, as is {@code height}
 */
record OutputFile(String name, Path file, int width, int height) {
    private static final Pattern SYNTAX = Pattern.compile("([\\w$%]+)=(.+?)(?::(\\d{1,6})x(\\d{1,6}))?");
    private static final int MOST_BYTES = Integer.MAX_VALUE - 8;

    /** @throws IllegalArgumentException with a text for people */
    static OutputFile parse(String text) {
        Matcher matcher = SYNTAX.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("'" + text + "' is not NAME=FILE or NAME=FILE.png:WIDTHxHEIGHT");
        }
        boolean sized = matcher.group(3) != null;
        var out = new OutputFile(matcher.group(1), Path.of(matcher.group(2)), sized ? Integer.parseInt(matcher.group(3)) : 0,
                sized ? Integer.parseInt(matcher.group(4)) : 0);
        if (sized && !out.ends(".png")) {
            throw new IllegalArgumentException("'" + text + "': only a .png file has a width and a height");
        }
        return out;
    }

    private boolean ends(String suffix) {
        return file.toString().toLowerCase(Locale.ROOT).endsWith(suffix);
    }

    /**
     * Writes the elements: {@code .png} as a picture, {@code .txt} one a line, {@code .csv} with their indices, anything else as
     * raw little-endian bytes.
     *
     * @throws IllegalArgumentException with a text for people, if the buffer is no picture of that size
     */
    void write(CaseBuffer buffer, List<CaseFile.Show> shows) throws IOException {
        if (ends(".png")) {
            png(buffer, shows);
        } else if (ends(".txt") || ends(".csv")) {
            text(buffer, ends(".csv"));
        } else {
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE,
                    StandardOpenOption.TRUNCATE_EXISTING)) {
                var bytes = buffer.memory().segment();
                for (long from = 0; from < bytes.byteSize(); from += 1 << 28) {
                    var part = bytes.asSlice(from, Math.min(1 << 28, bytes.byteSize() - from)).asByteBuffer();
                    while (part.hasRemaining()) {
                        channel.write(part);
                    }
                }
            }
        }
    }

    private void text(CaseBuffer buffer, boolean indices) throws IOException {
        try (BufferedWriter out = Files.newBufferedWriter(file)) {
            if (indices) {
                out.write("index," + buffer.name() + "\n");
            }
            for (long i = 0; i < buffer.count(); i++) {
                out.write((indices ? i + "," : "") + buffer.text(i) + "\n");
            }
        }
    }

    private void png(CaseBuffer buffer, List<CaseFile.Show> shows) throws IOException {
        CaseFile.Show show = shows.stream().filter(one -> one.name().equals(name)).findFirst().orElse(null);
        if (width == 0 && show == null) {
            throw new IllegalArgumentException("say how large the picture is: --out " + name + "=" + file + ":WIDTHxHEIGHT");
        }
        int w = width == 0 ? show.width() : width;
        int h = width == 0 ? show.height() : height;
        long bytes = buffer.memory().byteSize();
        long pixels = Math.max(1, (long) w * h);
        long fitting = bytes / pixels;
        int channels = show != null ? show.channels() : fitting >= 4 ? 4 : fitting == 2 ? 1 : (int) fitting;
        if (channels == 0 || pixels * channels > Math.min(bytes, MOST_BYTES) || w == 0 || h == 0) {
            throw new IllegalArgumentException("buffer " + name + " has " + bytes + " bytes, which are no picture of " + w + "x" + h);
        }
        byte[] content = new byte[(int) (pixels * channels)];
        buffer.memory().copyTo(content);
        try (OutputStream out = Files.newOutputStream(file)) {
            Png.write(out, content, w, h, channels);
        }
    }
}
