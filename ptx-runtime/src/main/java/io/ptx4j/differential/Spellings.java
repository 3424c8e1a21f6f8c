package io.ptx4j.differential;

import io.ptx4j.isa.Form;
import io.ptx4j.isa.Matcher;
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
    /** By row, compared by identity: the words of its parts. */
    private static final Map<Form, List<List<String>>> WORDS = Collections.synchronizedMap(new IdentityHashMap<>());

    private Spellings() {
    }

    /** All of them; some rows have thousands. */
    public static List<Spelling> all(Form form) {
        List<String> texts = List.of(opcode(form));
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
        StringBuilder text = new StringBuilder(opcode(form));
        List<List<String>> wordsOfParts = WORDS.computeIfAbsent(form, row -> row.parts().stream().map(Spellings::words).toList());
        for (int i = 0; i < wordsOfParts.size(); i++) {
            if (!form.parts().get(i).optional() || random.nextInt(OPTIONAL_WORDS) == 0) {
                List<String> words = wordsOfParts.get(i);
                text.append(words.get(random.nextInt(words.size())));
            }
        }
        return spelling(text.toString(), form);
    }

    private static String opcode(Form form) {
        return form.syntax().split("[.{ ]")[0];
    }

    private static List<String> words(Form.Part part) {
        return Stream.concat(part.types().stream(), part.modifiers().stream()).map(Object::toString).toList();
    }

    private static Spelling spelling(String text, Form form) {
        return Matcher.match(text).stream().filter(spelling -> spelling.form() == form).findFirst().orElseThrow();
    }
}
