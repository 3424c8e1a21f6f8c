package io.ptx4j.cli;

import io.ptx4j.syntax.SourceFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The PTX files that paths on a command line mean. */
final class PtxFiles {
    /**
     * A file.
     *
     * @param named whether it was given itself, not found in a folder
     */
    record Found(Path path, boolean named) {
    }

    private PtxFiles() {
    }

    /** Files as they are, whatever their names; of folders all {@code .ptx} files at any depth, by name. */
    static List<Found> of(List<Path> paths) {
        List<Found> found = new ArrayList<>();
        for (Path path : paths) {
            if (Files.isDirectory(path)) {
                in(path).forEach(file -> found.add(new Found(file, false)));
            } else {
                found.add(new Found(path, true));
            }
        }
        return found;
    }

    /** The texts of files that are linked. */
    static List<SourceFile> read(List<Path> files) throws IOException {
        List<SourceFile> sources = new ArrayList<>();
        for (Path file : files) {
            sources.add(SourceFile.read(file));
        }
        return sources;
    }

    private static List<Path> in(Path folder) {
        List<Path> files = new ArrayList<>();
        try {
            Files.walkFileTree(folder, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    if (file.toString().endsWith(".ptx")) {
                        files.add(file);
                    }
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFileFailed(Path file, IOException unreadable) {
                    // A folder that cannot be opened does not hide the others; files in it are not there for us.
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        Collections.sort(files);
        return files;
    }
}
