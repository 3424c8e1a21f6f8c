package io.ptx4j.interpreter;

import io.ptx4j.isa.Family;
import io.ptx4j.isa.Form;
import io.ptx4j.isa.Matcher;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.Spelling;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Every way to spell the rows of the table. */
final class Spellings {
    private Spellings() {
    }

    static List<Spelling> of(Family family) {
        List<Spelling> spellings = new ArrayList<>();
        for (Opcode opcode : Opcode.values()) {
            for (Form form : opcode.forms()) {
                if (form.family() == family) {
                    texts(opcode.spelling(), form.parts()).forEach(text -> spellings.add(spelling(text, form)));
                }
            }
        }
        return spellings;
    }

    static Spelling named(String text) {
        return Matcher.match(text).getFirst();
    }

    private static Spelling spelling(String text, Form form) {
        return Matcher.match(text).stream().filter(spelling -> spelling.form() == form).findFirst().orElseThrow();
    }

    private static List<String> texts(String start, List<Form.Part> parts) {
        List<String> texts = List.of(start);
        for (Form.Part part : parts) {
            List<String> words = new ArrayList<>(part.optional() ? List.of("") : List.of());
            Stream.concat(part.types().stream(), part.modifiers().stream()).map(Object::toString).forEach(words::add);
            texts = texts.stream().flatMap(text -> words.stream().map(word -> text + word)).toList();
        }
        return texts;
    }
}
