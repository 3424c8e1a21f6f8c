package io.ptx4j.robustness;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Changes to real PTX: tokens and lines removed, doubled, exchanged, or replaced by others of the same text. */
final class Mutation {
    private static final List<String> WORDS = List.of("0", "-1", "0xffffffffffffffff", "4294967296", "{", "}", "[", "]", "(", ")", ",", ";", ":", "|", "!",
            "@", "%r1", "%rd1", "%p1", "_", ".u32", ".b8", ".b128", ".v4", ".f16x2", ".param", ".shared", ".align", ".reg", ".func", ".entry", ".extern",
            "bra", "ret", "call", "brx.idx", ".branchtargets", ".callprototype", "WARP_SZ", "\"", "//", "/*", "0f3F800000", "1e400", ".pragma", ".loc");

    private Mutation() {
    }

    static String of(String text, Choices random, int changes) {
        String changed = text;
        for (int i = 0; i < changes; i++) {
            changed = random.nextInt(3) == 0 ? lines(changed, random) : tokens(changed, random);
        }
        return changed;
    }

    private static String lines(String text, Choices random) {
        return String.join("\n", changed(new ArrayList<>(text.lines().toList()), random, List.of("")));
    }

    private static String tokens(String text, Choices random) {
        return String.join("", changed(new ArrayList<>(Arrays.asList(text.split("(?<=[^\\w%$.])|(?=[^\\w%$.])|(?<=\\w)(?=\\.)"))), random, WORDS));
    }

    private static List<String> changed(List<String> pieces, Choices random, List<String> words) {
        if (pieces.isEmpty()) {
            return words.subList(0, 1);
        }
        int at = random.nextInt(pieces.size());
        int other = random.nextInt(pieces.size());
        switch (random.nextInt(5)) {
            case 0 -> pieces.remove(at);
            case 1 -> pieces.add(at, pieces.get(other));
            case 2 -> pieces.set(at, pieces.set(other, pieces.get(at)));
            case 3 -> pieces.set(at, pieces.get(other));
            default -> pieces.set(at, words.get(random.nextInt(words.size())));
        }
        return pieces;
    }
}
