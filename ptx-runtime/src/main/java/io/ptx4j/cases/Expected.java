package io.ptx4j.cases;

import io.ptx4j.cases.CaseFile.Contents;
import io.ptx4j.cases.CaseFile.Expectation;
import io.ptx4j.isa.ScalarType;
import java.util.function.LongUnaryOperator;

/**
 * The elements that an expectation wants and how far off they may be.
 *
 * @param absolute largest absolute error allowed; negative when none is given
 * @param ulps largest error in units of the last place; negative when none is given
 */
record Expected(ScalarType type, long first, long count, Contents contents, double absolute, long ulps) {
    /** @param size how many elements there are */
    static Expected read(String file, Expectation expectation, ScalarType type, long size) {
        long first = expectation.first();
        long last = expectation.last() < 0 ? size - 1 : expectation.last();
        if (last >= size) {
            throw new CaseException(expectation.place(), expectation.name() + " has " + size + (size == 1 ? " element" : " elements")
                    + "; there is no element " + last);
        }
        var cursor = new LineCursor(file, expectation.right().line(), expectation.right().text(), expectation.right().column());
        Contents contents = ContentsReader.read(cursor, type, last - first + 1);
        double absolute = -1;
        long ulps = -1;
        if (cursor.take("±") || cursor.take("+-") || cursor.take("+/-")) {
            String place = cursor.place();
            String error = cursor.word() + (cursor.at("ulp") ? cursor.word() : "");
            if (!error.matches("\\d+ulps?|(\\d+\\.?\\d*|\\.\\d+)([eE][-+]?\\d+)?")) {
                throw new CaseException(place, "'" + error + "' is no error such as 1e-6 or 2ulp");
            }
            if (!type.isFloat()) {
                throw new CaseException(place, "an error is allowed for floats only, not for " + type.spelling());
            }
            if (error.contains("ulp")) {
                ulps = Long.parseLong(error.substring(0, error.indexOf("ulp")));
            } else {
                absolute = Double.parseDouble(error);
            }
        }
        cursor.end();
        return new Expected(type, first, last - first + 1, contents, absolute, ulps);
    }

    /** Whether element {@code index} from {@link #first} on may be {@code found}, where {@code wanted} gives the contents. */
    boolean allows(long index, long found, LongUnaryOperator wanted) {
        long want = wanted.applyAsLong(index);
        if (!type.isFloat()) {
            return found == want;
        }
        boolean nan = Double.isNaN(ElementText.toDouble(type, found));
        if (contents instanceof Contents.Values values && values.anyNan()[(int) index]) {
            return nan;
        }
        if (found == want) {
            return true;
        }
        if (nan) {
            return false;
        }
        if (absolute >= 0) {
            return Math.abs(ElementText.toDouble(type, found) - ElementText.toDouble(type, want)) <= absolute;
        }
        long low = Math.min(rank(found), rank(want));
        return ulps >= 0 && Long.compareUnsigned(Math.max(rank(found), rank(want)) - low, ulps) <= 0;
    }

    /** Neighbouring floats have neighbouring ranks; both zeros have rank 0. */
    private long rank(long bits) {
        long signed = ElementText.signed(type, bits);
        return signed >= 0 ? signed : -(signed & ElementText.mask(type) >>> 1);
    }
}
