package io.ptx4j.cases;

import io.ptx4j.cases.CaseFile.Contents;
import io.ptx4j.isa.ScalarType;
import java.util.Arrays;
import java.util.Locale;

/** Reads what stands behind the equals sign. */
final class ContentsReader {
    private ContentsReader() {
    }

    static Contents read(LineCursor cursor, ScalarType type, long count) {
        if (cursor.at("@")) {
            String place = cursor.place();
            cursor.take("@");
            return new Contents.File(place, cursor.word());
        }
        if (cursor.take("unwritten")) {
            return new Contents.Unwritten();
        }
        if (cursor.take("iota")) {
            return new Contents.Iota();
        }
        if (cursor.take("zero")) {
            return new Contents.Fill(0);
        }
        if (cursor.take("fill")) {
            return new Contents.Fill(value(cursor, type));
        }
        if (cursor.take("random")) {
            return new Contents.Random(cursor.count("a seed"));
        }
        return values(cursor, type, count);
    }

    private static Contents values(LineCursor cursor, ScalarType type, long count) {
        String place = cursor.place();
        long[] bits = new long[16];
        boolean[] anyNan = new boolean[16];
        int size = 0;
        do {
            if (size == bits.length) {
                bits = Arrays.copyOf(bits, size * 2);
                anyNan = Arrays.copyOf(anyNan, size * 2);
            }
            anyNan[size] = cursor.rest().toLowerCase(Locale.ROOT).startsWith("nan");
            bits[size++] = value(cursor, type);
        } while (cursor.take(","));
        if (size != count) {
            throw new CaseException(place, size + (size == 1 ? " value" : " values") + " for " + count
                    + (count == 1 ? " element" : " elements"));
        }
        return new Contents.Values(Arrays.copyOf(bits, size), Arrays.copyOf(anyNan, size));
    }

    /** One literal. */
    static long value(LineCursor cursor, ScalarType type) {
        if (cursor.atEnd()) {
            throw cursor.expected("a value");
        }
        String place = cursor.place();
        try {
            return ElementText.parse(type, cursor.word());
        } catch (NumberFormatException wrong) {
            throw new CaseException(place, wrong.getMessage());
        }
    }
}
