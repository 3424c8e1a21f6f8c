package io.ptx4j.interpreter;

import io.ptx4j.isa.Family;
import io.ptx4j.isa.Form;
import io.ptx4j.isa.Matcher;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.Spelling;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
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

    /** Spellings in which each word of each row stands once at least; of most rows there are too many to take them all. */
    static List<Spelling> withEachWord(Family family) {
        List<Spelling> spellings = new ArrayList<>();
        for (Opcode opcode : Opcode.values()) {
            for (Form form : opcode.forms()) {
                if (form.family() == family) {
                    textsWithEachWord(opcode.spelling(), form.parts()).forEach(text -> spellings.add(spelling(text, form)));
                }
            }
        }
        return spellings;
    }

    private static Set<String> textsWithEachWord(String start, List<Form.Part> parts) {
        List<List<String>> words = parts.stream().map(Spellings::words).toList();
        Set<String> texts = new LinkedHashSet<>();
        for (int varied = 0; varied < Math.max(1, parts.size()); varied++) {
            for (int choice = 0; choice < (parts.isEmpty() ? 1 : words.get(varied).size()); choice++) {
                StringBuilder text = new StringBuilder(start);
                for (int part = 0; part < parts.size(); part++) {
                    text.append(words.get(part).get(part == varied ? choice : 0));
                }
                texts.add(text.toString());
            }
        }
        return texts;
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
            List<String> words = words(part);
            texts = texts.stream().flatMap(text -> words.stream().map(word -> text + word)).toList();
        }
        return texts;
    }

    private static List<String> words(Form.Part part) {
        List<String> words = new ArrayList<>(part.optional() ? List.of("") : List.of());
        Stream.concat(part.types().stream(), part.modifiers().stream()).map(Object::toString).forEach(words::add);
        return words;
    }
}
