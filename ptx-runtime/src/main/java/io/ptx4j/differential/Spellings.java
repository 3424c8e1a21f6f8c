package io.ptx4j.differential;

import io.ptx4j.isa.Form;
import io.ptx4j.isa.Matcher;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.Spelling;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/** The ways to spell a row of the instruction table. */
public final class Spellings {
    private static final int OPTIONAL_WORDS = 3;
    /** By row, compared by identity. */
    private static final Map<Form, Row> ROWS = Collections.synchronizedMap(new IdentityHashMap<>());

    /** @param words the types or modifiers of each part */
    private record Row(Opcode opcode, List<List<Object>> words) {
        static Row of(Form form) {
            List<List<Object>> words = form.parts().stream().map(part -> Stream.<Object>concat(part.types().stream(), part.modifiers().stream()).toList()).toList();
            return new Row(Opcode.named(opcodeOf(form)), words);
        }
    }

    private Spellings() {
    }

    /** All of them; some rows have thousands. */
    public static List<Spelling> all(Form form) {
        List<String> texts = List.of(opcodeOf(form));
        for (Form.Part part : form.parts()) {
            List<String> words = new ArrayList<>(part.optional() ? List.of("") : List.of());
            words.addAll(words(part));
            texts = texts.stream().flatMap(text -> words.stream().map(word -> text + word)).toList();
        }
        return texts.stream().map(text -> spelling(text, form)).toList();
    }

    /** All spellings by the types of their operands, in which they can share a kernel; those of 128 bits are left out. */
    public static Collection<List<Spelling>> sameTypes(Form form) {
        Map<List<ScalarType>, List<Spelling>> same = new LinkedHashMap<>();
        for (Spelling spelling : all(form)) {
            if (spelling.type().bits() <= 64) {
                same.computeIfAbsent(typesOf(spelling), t -> new ArrayList<>()).add(spelling);
            }
        }
        return same.values();
    }

    private static List<ScalarType> typesOf(Spelling spelling) {
        List<ScalarType> types = new ArrayList<>();
        spelling.form().operands().forEach(spec -> types.add(spelling.typeOf(spec)));
        types.add(spelling.vectorLength() > 2 ? ScalarType.B32 : spelling.vectorLength() > 1 ? ScalarType.B16 : ScalarType.B8);
        return types;
    }

    /** One of them; every third word that may be left out stands. */
    public static Spelling random(Form form, SplittableRandom random) {
        Row row = ROWS.computeIfAbsent(form, Row::of);
        StringBuilder text = new StringBuilder(row.opcode.spelling());
        List<ScalarType> types = new ArrayList<>();
        List<Modifier> modifiers = new ArrayList<>();
        for (int i = 0; i < row.words.size(); i++) {
            if (!form.parts().get(i).optional() || random.nextInt(OPTIONAL_WORDS) == 0) {
                List<Object> words = row.words.get(i);
                Object word = words.get(random.nextInt(words.size()));
                text.append(word);
                switch (word) {
                    case ScalarType type -> types.add(type);
                    default -> modifiers.add((Modifier) word);
                }
            }
        }
        // Looked up by its text it would push others out of the matcher's memory: there are more than that holds.
        return Spelling.of(row.opcode, form, text.toString(), types, modifiers);
    }

    private static String opcodeOf(Form form) {
        return form.syntax().split("[.{ ]")[0];
    }

    private static List<String> words(Form.Part part) {
        return Stream.concat(part.types().stream(), part.modifiers().stream()).map(Object::toString).toList();
    }

    private static Spelling spelling(String text, Form form) {
        return Matcher.match(text).stream().filter(spelling -> spelling.form() == form).findFirst().orElseThrow();
    }
}
