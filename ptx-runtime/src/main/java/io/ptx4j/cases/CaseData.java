package io.ptx4j.cases;

import io.ptx4j.cases.CaseFile.Contents;
import io.ptx4j.isa.ScalarType;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.function.LongUnaryOperator;

/** Contents as elements. */
public final class CaseData {
    private CaseData() {
    }

    /**
     * The bits of each element by its index.
     *
     * @param folder where {@code @file} names are looked up
     */
    static LongUnaryOperator elements(Contents contents, ScalarType type, long count, Path folder) {
        return switch (contents) {
            case Contents.Iota() -> type.isFloat() ? i -> ElementText.fromDouble(type, i) : i -> i & ElementText.mask(type);
            case Contents.Unwritten() -> i -> 0;
            case Contents.Fill(long bits) -> i -> bits;
            case Contents.Random(long seed) -> i -> random(type, seed, i);
            case Contents.Values(long[] bits, boolean[] _) -> i -> bits[(int) i];
            case Contents.File file -> {
                MemorySegment bytes = MemorySegment.ofArray(read(file, type, count, folder));
                yield i -> get(bytes, type, i);
            }
        };
    }

    static void write(Contents contents, ScalarType type, long count, Path folder, MemorySegment target) {
        LongUnaryOperator elements = elements(contents, type, count, folder);
        if (contents instanceof Contents.Fill(long bits) && bits == 0) {
            target.fill((byte) 0);
            return;
        }
        for (long i = 0; i < count; i++) {
            set(target, type, i, elements.applyAsLong(i));
        }
    }

    private static byte[] read(Contents.File file, ScalarType type, long count, Path folder) {
        if (folder == null) {
            throw new CaseException(file.place(), "a text that is no file has no data files");
        }
        Path path = folder.resolve(file.name());
        byte[] bytes;
        try {
            bytes = Files.readAllBytes(path);
        } catch (NoSuchFileException missing) {
            throw new CaseException(file.place(), "there is no file " + path);
        } catch (IOException failed) {
            throw new CaseException(file.place(), path + " cannot be read: " + failed);
        }
        if (bytes.length != count * type.bytes()) {
            throw new CaseException(file.place(), path + " has " + bytes.length + " bytes; " + count + " elements of " + type.spelling()
                    + " have " + count * type.bytes());
        }
        return bytes;
    }

    private static long random(ScalarType type, long seed, long index) {
        long state = seed * 0xD1B5_4A32_D192_ED03L + (index + 1) * 0x9E37_79B9_7F4A_7C15L;
        state = (state ^ state >>> 30) * 0xBF58_476D_1CE4_E5B9L;
        state = (state ^ state >>> 27) * 0x94D0_49BB_1331_11EBL;
        state ^= state >>> 31;
        return type.isFloat() ? ElementText.fromDouble(type, (state >>> 40) * 0x1p-23 - 1) : state & ElementText.mask(type);
    }

    /** Element {@code index} of little-endian memory. */
    public static long get(MemorySegment memory, ScalarType type, long index) {
        return switch (type.bytes()) {
            case 1 -> memory.get(ValueLayout.JAVA_BYTE, index) & 0xFFL;
            case 2 -> memory.get(ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN), index * 2) & 0xFFFFL;
            case 4 -> memory.get(ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN), index * 4) & 0xFFFF_FFFFL;
            default -> memory.get(ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN), index * 8);
        };
    }

    static void set(MemorySegment memory, ScalarType type, long index, long bits) {
        switch (type.bytes()) {
            case 1 -> memory.set(ValueLayout.JAVA_BYTE, index, (byte) bits);
            case 2 -> memory.set(ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN), index * 2, (short) bits);
            case 4 -> memory.set(ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN), index * 4, (int) bits);
            default -> memory.set(ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN), index * 8, bits);
        }
    }
}
