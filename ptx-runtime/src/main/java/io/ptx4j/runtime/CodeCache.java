package io.ptx4j.runtime;

import io.ptx4j.engine.CodeStore;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Generated code in a folder, a file for each kernel and block shape: eight bytes that say what it is, the SHA-256 of key and code, the
 * code. Several processes may use one folder: files appear whole, by being renamed, and what is missing or damaged is made anew. The
 * files used last stay when it gets too large.
 */
final class CodeCache implements CodeStore {
    private static final byte[] MAGIC = "ptx4jcc1".getBytes(StandardCharsets.US_ASCII);
    private static final int DIGEST_BYTES = 32;
    private static final String SUFFIX = ".code";
    private static final String UNFINISHED = ".new";
    private static final Duration GIVEN_UP = Duration.ofHours(1);
    private static final int LARGEST = 64 << 20;

    private record Entry(Path file, long bytes, FileTime used) {
    }

    private final Path folder;
    private final long mostBytes;
    private final UserPrincipal owner;

    /**
     * @throws IOException if the folder cannot be made or written
     * @throws IllegalArgumentException if others may write into the folder, for its files are run as code
     */
    CodeCache(Path folder, long mostBytes) throws IOException {
        if (!Files.exists(folder)) {
            Files.createDirectories(folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        }
        this.folder = folder.toRealPath();
        this.mostBytes = mostBytes;
        Path probe = Files.createTempFile(this.folder, "probe", UNFINISHED);
        try {
            this.owner = Files.getOwner(probe);
        } finally {
            Files.delete(probe);
        }
        if (!isOurs(this.folder)) {
            throw new IllegalArgumentException("others than " + owner.getName() + " may write into " + folder
                    + ", and code from there would be run; take a folder that only its owner may write (chmod go-w)");
        }
    }

    private boolean isOurs(Path path) throws IOException {
        PosixFileAttributes attributes = Files.readAttributes(path, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        return attributes.owner().equals(owner) && !attributes.isSymbolicLink()
                && !attributes.permissions().contains(PosixFilePermission.GROUP_WRITE)
                && !attributes.permissions().contains(PosixFilePermission.OTHERS_WRITE);
    }

    @Override
    public byte[] get(String key) {
        Path file = folder.resolve(key + SUFFIX);
        try {
            byte[] code = isOurs(file) ? read(file, key) : null;
            if (code == null) {
                Files.deleteIfExists(file);
            } else {
                Files.setLastModifiedTime(file, FileTime.from(Instant.now()));
            }
            return code;
        } catch (NoSuchFileException none) {
            return null;
        } catch (IOException unreadable) {
            warn("read", unreadable);
            return null;
        }
    }

    private static byte[] read(Path file, String key) throws IOException {
        ByteBuffer all;
        try (InputStream in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
            all = ByteBuffer.wrap(in.readNBytes(LARGEST));
        }
        if (all.remaining() < MAGIC.length + DIGEST_BYTES) {
            return null;
        }
        byte[] magic = new byte[MAGIC.length];
        byte[] digest = new byte[DIGEST_BYTES];
        byte[] code = new byte[all.remaining() - MAGIC.length - DIGEST_BYTES];
        all.get(magic).get(digest).get(code);
        return Arrays.equals(magic, MAGIC) && Arrays.equals(digest, digest(key, code)) ? code : null;
    }

    private static byte[] digest(String key, byte[] code) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(key.getBytes(StandardCharsets.UTF_8));
            return digest.digest(code);
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException("every JVM has SHA-256", missing);
        }
    }

    @Override
    public void put(String key, byte[] value) {
        int bytes = MAGIC.length + DIGEST_BYTES + value.length;
        if (bytes >= LARGEST || bytes > mostBytes) {
            return;
        }
        try {
            Path unfinished = Files.createTempFile(folder, key.substring(0, Math.min(8, key.length())), UNFINISHED);
            try {
                Files.write(unfinished, ByteBuffer.allocate(bytes).put(MAGIC).put(digest(key, value)).put(value).array());
                Files.move(unfinished, folder.resolve(key + SUFFIX), StandardCopyOption.ATOMIC_MOVE);
            } finally {
                Files.deleteIfExists(unfinished);
            }
            trim();
        } catch (IOException unwritable) {
            warn("write", unwritable);
        }
    }

    /** Deletes what was used least lately until the rest fits, and what processes that died have left. */
    private synchronized void trim() throws IOException {
        List<Entry> entries = new ArrayList<>();
        List<Path> files;
        try (Stream<Path> listed = Files.list(folder)) {
            files = listed.toList();
        }
        for (Path file : files) {
            try {
                Entry entry = new Entry(file, Files.size(file), Files.getLastModifiedTime(file, LinkOption.NOFOLLOW_LINKS));
                if (file.toString().endsWith(SUFFIX)) {
                    entries.add(entry);
                } else if (file.toString().endsWith(UNFINISHED) && entry.used.toInstant().isBefore(Instant.now().minus(GIVEN_UP))) {
                    Files.deleteIfExists(file);
                }
            } catch (NoSuchFileException gone) {
                // Another process was faster.
            }
        }
        entries.sort(Comparator.comparing(Entry::used));
        long total = entries.stream().mapToLong(Entry::bytes).sum();
        for (Entry oldest : entries) {
            if (total <= mostBytes) {
                return;
            }
            Files.deleteIfExists(oldest.file);
            total -= oldest.bytes;
        }
    }

    private void warn(String what, IOException failure) {
        System.getLogger("io.ptx4j").log(System.Logger.Level.WARNING, "the code cache cannot " + what + " in " + folder + ": " + failure);
    }
}
