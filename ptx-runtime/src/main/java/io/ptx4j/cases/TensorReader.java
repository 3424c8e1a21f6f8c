package io.ptx4j.cases;

import io.ptx4j.engine.TensorPixels;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.runtime.TensorMap.Swizzle;
import java.util.ArrayList;
import java.util.List;

/** Reads tensor maps of a case: {@code tensor x u32 8x9x14x9 im2col -1x-1 to -1x-1 channels 8 pixels 64 every 1x2x2x1 swizzle 128 nan}. */
final class TensorReader {
    private final LineCursor cursor;

    private TensorReader(LineCursor cursor) {
        this.cursor = cursor;
    }

    static CaseFile.Argument.Tensor read(LineCursor cursor, String place, String name) {
        return new TensorReader(cursor).read(place, name);
    }

    private CaseFile.Argument.Tensor read(String place, String name) {
        String buffer = cursor.requireName("the name of the buffer that holds the tensor");
        ScalarType type = cursor.type();
        int[] extents = list();
        int[] box = null;
        TensorPixels pixels = null;
        if (cursor.take("box")) {
            box = list();
        } else {
            boolean wide = cursor.take("im2col::w");
            if (!wide) {
                cursor.require("im2col");
            }
            int[] lower = list();
            cursor.require("to");
            int[] upper = list();
            cursor.require("channels");
            int channels = cursor.smallCount("a count of channels");
            cursor.require("pixels");
            pixels = new TensorPixels(lower, upper, channels, cursor.smallCount("a count of pixels"), wide);
        }
        int[] every = cursor.take("every") ? list() : null;
        Swizzle swizzle = pixels != null && pixels.wide() ? Swizzle.BYTES_128 : Swizzle.NONE;
        if (cursor.take("swizzle")) {
            CaseException unknown = cursor.expected("32, 64 or 128");
            swizzle = switch (cursor.smallCount("32, 64 or 128")) {
                case 32 -> Swizzle.BYTES_32;
                case 64 -> Swizzle.BYTES_64;
                case 128 -> Swizzle.BYTES_128;
                default -> throw unknown;
            };
        }
        boolean nan = cursor.take("nan");
        cursor.end();
        long[] sizes = new long[extents.length];
        for (int d = 0; d < sizes.length; d++) {
            sizes[d] = extents[d];
        }
        return new CaseFile.Argument.Tensor(place, name, buffer, type, sizes, box, pixels, every, swizzle, nan);
    }

    /** Numbers with x between them: {@code 8x-1x3}. */
    private int[] list() {
        List<Integer> numbers = new ArrayList<>();
        do {
            boolean below = cursor.take("-");
            numbers.add((below ? -1 : 1) * (cursor.take("0") ? 0 : cursor.smallCount("a number")));
        } while (cursor.take("x"));
        return numbers.stream().mapToInt(Integer::intValue).toArray();
    }
}
