package io.ptx4j.isa;

import static java.util.Map.entry;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * A target architecture: {@code sm_90}, {@code sm_90a} (architecture-specific features), {@code sm_100f} (family-specific features).
 *
 * @param number the compute capability times ten, 10 to 121
 * @param suffix 'a', 'f' or 0 for none
 */
public record Target(int number, char suffix) {
    /** The first PTX version that has each target, as ptxas takes them. */
    private static final Map<String, String> SINCE = Map.ofEntries(
            entry("1.0", "10 11"), entry("1.2", "12 13"), entry("2.0", "20 21"), entry("3.0", "30"),
            entry("3.1", "35"), entry("4.0", "32 50"), entry("4.1", "37 52"), entry("4.2", "53"), entry("5.0", "60 61 62"),
            entry("6.0", "70"), entry("6.1", "72"), entry("6.3", "75"), entry("7.0", "80"), entry("7.1", "86"), entry("7.3", "88"),
            entry("7.4", "87"), entry("7.8", "89 90"), entry("8.0", "90a"), entry("8.6", "100 100a 101 101a"),
            entry("8.7", "120 120a"), entry("8.8", "100f 101f 103 103a 103f 120f 121 121a 121f"), entry("9.0", "110 110a 110f"));
    private static final Map<String, PtxVersion> BY_NAME = new HashMap<>();

    static {
        SINCE.forEach((version, names) -> {
            for (String name : names.split(" ")) {
                BY_NAME.put("sm_" + name, PtxVersion.parse(version));
            }
        });
    }

    /** All targets, as {@code .target} names them. */
    public static Set<String> names() {
        return Collections.unmodifiableSet(BY_NAME.keySet());
    }

    /** The first PTX version that has this target; null where there is no such target. */
    public PtxVersion since() {
        return BY_NAME.get(toString());
    }

    /** Reads {@code sm_NN}, {@code sm_NNa}, {@code sm_NNf} or {@code compute_NN}; null for anything else. */
    public static Target parse(String text) {
        int start = text.startsWith("sm_") ? 3 : text.startsWith("compute_") ? 8 : -1;
        if (start < 0 || text.length() == start) {
            return null;
        }
        char last = text.charAt(text.length() - 1);
        char suffix = last == 'a' || last == 'f' ? last : 0;
        String digits = text.substring(start, text.length() - (suffix == 0 ? 0 : 1));
        if (digits.isEmpty() || digits.length() > 3 || !digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
            return null;
        }
        return new Target(Integer.parseInt(digits), suffix);
    }

    /** Whether code for this target may use what needs {@code minimum}. */
    public boolean supports(Target minimum) {
        return switch (minimum.suffix) {
            case 'a' -> number == minimum.number && suffix == 'a';
            case 'f' -> suffix != 0 && number / 10 == minimum.number / 10 && number >= minimum.number;
            default -> number >= minimum.number;
        };
    }

    @Override
    public String toString() {
        return "sm_" + number + (suffix == 0 ? "" : suffix);
    }
}
