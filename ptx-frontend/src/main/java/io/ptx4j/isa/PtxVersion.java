package io.ptx4j.isa;

/** A version of the PTX ISA, as {@code .version} names it. */
public record PtxVersion(int major, int minor) implements Comparable<PtxVersion> {
    /** The last minor version of each major one. */
    private static final int[] LAST_MINOR = {-1, 5, 3, 2, 3, 1, 5, 8, 8, 2};
    /** The newest version that this front end knows. */
    public static final PtxVersion NEWEST = new PtxVersion(LAST_MINOR.length - 1, LAST_MINOR[LAST_MINOR.length - 1]);

    /** Whether there is such a version. */
    public boolean exists() {
        return major < LAST_MINOR.length && minor <= LAST_MINOR[major];
    }

    /** Whether this is a later version than this front end knows. */
    public boolean isNewer() {
        return compareTo(NEWEST) > 0;
    }

    public static PtxVersion parse(String text) {
        int dot = text.indexOf('.');
        if (dot <= 0) {
            throw new NumberFormatException("a PTX version looks like 8.0, not '" + text + "'");
        }
        return new PtxVersion(Integer.parseInt(text.substring(0, dot)), Integer.parseInt(text.substring(dot + 1)));
    }

    public boolean atLeast(int otherMajor, int otherMinor) {
        return major > otherMajor || major == otherMajor && minor >= otherMinor;
    }

    @Override
    public int compareTo(PtxVersion other) {
        return major != other.major ? Integer.compare(major, other.major) : Integer.compare(minor, other.minor);
    }

    @Override
    public String toString() {
        return major + "." + minor;
    }
}
