package io.ptx4j.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/**
 * How far a run of {@code ptx fuzz} got, as one line of a file: a later run with the same file goes on from there.
 *
 * @param seed the first seed
 * @param kernels how many kernels have been compared, of the seeds from {@code seed} on
 * @param unsupported on how many of them an engine said that it does not support them
 * @param differences on how many engines differed
 */
record FuzzProgress(long seed, long kernels, long unsupported, long differences) {
    private static final int NUMBERS = 4;

    /** @throws IOException also if the file holds something else */
    static FuzzProgress read(Path file) throws IOException {
        List<String> words = List.of(Files.readString(file).strip().split(" "));
        try {
            if (words.size() == NUMBERS) {
                return new FuzzProgress(Long.parseLong(words.get(0)), Long.parseLong(words.get(1)), Long.parseLong(words.get(2)),
                        Long.parseLong(words.get(3)));
            }
        } catch (NumberFormatException notOurs) {
            // Told below.
        }
        throw new IOException(file + " is no file of --progress: it should hold " + NUMBERS + " numbers");
    }

    /** In one step, so that a run that is killed leaves the old line or the new one. */
    void write(Path file) throws IOException {
        Path next = file.resolveSibling(file.getFileName() + ".next");
        Files.writeString(next, seed + " " + kernels + " " + unsupported + " " + differences + "\n");
        Files.move(next, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }
}
