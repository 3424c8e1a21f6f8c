package io.ptx4j.jit;

import io.ptx4j.engine.BlockShape;
import io.ptx4j.engine.Program;
import io.ptx4j.ir.Kernel;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeMap;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import java.util.zip.CRC32;

/** Digests of everything that generated code depends on: program, kernel, block, shape, compiler and JVM. */
final class CodeKey {
    /** System properties that the compiler reads. */
    private static final List<String> OPTIONS = List.of("ptx4j.jit.vector.piece", "ptx4j.jit.inlined");

    private CodeKey() {
    }

    static String of(Program program, Kernel kernel, BlockShape block, String shape) {
        MessageDigest digest = sha256();
        // Lengths stand before texts, so that no two lists of texts give the same bytes.
        for (String text : List.of(Compiler.ID, Runtime.version().toString(), System.getProperty("java.vm.version", ""), shape,
                kernel.name(), block.toString(), program.module().name(), program.module().files().toString(), program.identity(),
                OPTIONS.stream().map(System::getProperty).toList().toString(), program.module().text())) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            digest.update(Integer.toString(bytes.length).getBytes(StandardCharsets.US_ASCII));
            digest.update((byte) ':');
            digest.update(bytes);
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException("every JVM has SHA-256", missing);
        }
    }

    /** The compiler's classes by their checksums: two builds of one version may differ. */
    private static final class Compiler {
        private static final String ID = id(Kernel.class) + id(CodeKey.class);

        private static String id(Class<?> type) {
            CodeSource source = type.getProtectionDomain().getCodeSource();
            if (source == null) {
                throw new IllegalStateException("nobody knows where " + type.getName() + " was loaded from");
            }
            try {
                Path place = Path.of(source.getLocation().toURI());
                return Files.isDirectory(place) ? ofFolder(place).toString() : ofJar(place).toString();
            } catch (IOException unreadable) {
                throw new UncheckedIOException(unreadable);
            } catch (URISyntaxException unusual) {
                throw new IllegalStateException(unusual);
            }
        }

        private static TreeMap<String, Long> ofJar(Path jar) throws IOException {
            var sums = new TreeMap<String, Long>();
            try (JarFile file = new JarFile(jar.toFile(), false)) {
                file.stream().filter(entry -> entry.getName().endsWith(".class")).forEach(entry -> sums.put(entry.getName(), entry.getCrc()));
            }
            return sums;
        }

        private static TreeMap<String, Long> ofFolder(Path folder) throws IOException {
            var sums = new TreeMap<String, Long>();
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : (Iterable<Path>) files.filter(f -> f.toString().endsWith(".class"))::iterator) {
                    var sum = new CRC32();
                    sum.update(Files.readAllBytes(file));
                    sums.put(folder.relativize(file).toString(), sum.getValue());
                }
            }
            return sums;
        }
    }
}
