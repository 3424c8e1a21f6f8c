package io.ptx4j.jit.code;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Opcodes;

/**
 * The numbers by which a class file names the lines of its text. It has 16 bits for them (JVM specification 4.7.12): where the text goes on
 * beyond 65,535 lines, lines are numbered as they come, and a source map (JSR 45) in the class says which they are, to debuggers too.
 */
public final class LineNumbers {
    private static final int MOST = 65_535;
    private static final Pattern MAPPED = Pattern.compile("^(\\d+)(?:#1)?:\\d+$", Pattern.MULTILINE);

    /** Null where lines are their own numbers. */
    private final Map<Integer, Integer> numbers;
    private final List<Integer> lines = new ArrayList<>();

    /** @param last the last line that the class has code of */
    public LineNumbers(int last) {
        this.numbers = last > MOST ? new HashMap<>() : null;
    }

    /** 0 for lines that there is no number for. */
    int of(int line) {
        if (numbers == null) {
            return line <= MOST ? line : 0;
        }
        Integer known = numbers.get(line);
        if (known == null && lines.size() < MOST) {
            lines.add(line);
            known = lines.size();
            numbers.put(line, known);
        }
        return known == null ? 0 : known;
    }

    /** The map that the class has; null where it needs none. */
    String map(String className, String source) {
        if (numbers == null) {
            return null;
        }
        StringBuilder map = new StringBuilder("SMAP\n" + className + "\nPTX\n*S PTX\n*F\n1 " + source + "\n*L\n");
        for (int i = 0; i < lines.size(); i++) {
            map.append(lines.get(i)).append(i == 0 ? "#1:" : ":").append(i + 1).append('\n');
        }
        return map.append("*E\n").toString();
    }

    /** The line that a class file means by each number; null where lines are their own numbers. */
    public static int[] lines(byte[] classFile) {
        List<Integer> lines = new ArrayList<>(List.of(0));
        new ClassReader(classFile).accept(new ClassVisitor(Opcodes.ASM9) {
            @Override
            public void visitSource(String source, String debug) {
                Matcher mapped = MAPPED.matcher(debug == null ? "" : debug);
                while (mapped.find()) {
                    lines.add(Integer.valueOf(mapped.group(1)));
                }
            }
        }, ClassReader.SKIP_CODE | ClassReader.SKIP_FRAMES);
        return lines.size() == 1 ? null : lines.stream().mapToInt(line -> line).toArray();
    }
}
