package io.ptx4j.isa;

/**
 * A target architecture: {@code sm_90}, {@code sm_90a} (architecture-specific features), {@code sm_100f} (family-specific features).
 *
 * @param number the compute capability times ten, 10 to 121
 * @param suffix 'a', 'f' or 0 for none
 */
public record Target(int number, char suffix) {
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
