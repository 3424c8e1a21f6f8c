package io.ptx4j.isa;

import java.util.List;

/**
 * Rows of one family as they are written. Forms are made of them when somebody asks for those of their opcode: of all opcodes it takes a fifth of a second in a new JVM,
 * and a program needs a few.
 */
record Rows(Family family, List<String> rows) {
    List<Form> forms() {
        return rows.stream().flatMap(row -> Form.parseAll(family, row).stream()).toList();
    }
}
