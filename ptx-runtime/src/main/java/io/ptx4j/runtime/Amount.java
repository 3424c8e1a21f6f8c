package io.ptx4j.runtime;

import java.time.Duration;
import java.util.Locale;

/** Numbers as messages show them. */
final class Amount {
    private Amount() {
    }

    /** {@code 64 GiB} where it comes out even, else {@code 1,234 bytes}. */
    static String bytes(long bytes) {
        String[] units = {"bytes", "KiB", "MiB", "GiB", "TiB"};
        int unit = 0;
        long count = bytes;
        while (unit < units.length - 1 && count >= 1024 && count % 1024 == 0) {
            count /= 1024;
            unit++;
        }
        return bytes == 1 ? "1 byte" : String.format(Locale.ROOT, "%,d %s", count, units[unit]);
    }

    /** With three digits that count: {@code 1.25 ms}. */
    static String time(Duration time) {
        double nanos = time.toNanos();
        String[] units = {"ns", "us", "ms", "s"};
        int unit = 0;
        while (unit < units.length - 1 && nanos >= 999.5) {
            nanos /= 1000;
            unit++;
        }
        int decimals = nanos >= 99.95 || unit == 0 ? 0 : nanos >= 9.995 ? 1 : 2;
        return String.format(Locale.ROOT, "%." + decimals + "f %s", nanos, units[unit]);
    }

    static String address(long address) {
        return "0x" + Long.toHexString(address);
    }
}
