package io.ptx4j.check;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A class of instructions that the checker judges otherwise than ptxas, on purpose ({@code isa/leniency.txt}).
 *
 * @param why a sentence
 * @param taken whether it is ptxas that takes them, and the checker that refuses them; else the other way round
 * @param instructions a pattern that is found in the instruction's text
 */
record Leniency(String why, boolean taken, Pattern instructions, List<Example> examples) {
    /** One instruction of the class and what the checker says to it: {@code ok}, or a code and a message. */
    record Example(String target, String version, String instruction, String answer) {
    }

    private static final Pattern EXAMPLE = Pattern.compile(" +(\\S+) (\\S+) (.*;) => (.*)");

    static List<Leniency> all() throws IOException {
        List<Leniency> all = new ArrayList<>();
        try (var in = Leniency.class.getResourceAsStream("/isa/leniency.txt")) {
            String why = "";
            for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList()) {
                Matcher example = EXAMPLE.matcher(line);
                if (line.startsWith("# ")) {
                    why = line.substring(2);
                } else if (line.startsWith("takes: ") || line.startsWith("refuses: ")) {
                    all.add(new Leniency(why, line.startsWith("takes"), Pattern.compile(line.substring(line.indexOf(' ') + 1)), new ArrayList<>()));
                } else if (example.matches()) {
                    all.getLast().examples.add(new Example(example.group(1), example.group(2), example.group(3), example.group(4)));
                } else if (!line.isBlank()) {
                    throw new IOException("isa/leniency.txt: '" + line + "'");
                }
            }
        }
        return all;
    }

    boolean explains(String instruction, boolean takenByPtxas) {
        return taken == takenByPtxas && instructions.matcher(instruction).find();
    }
}
