package io.ptx4j.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;

/** Writes one JSON value on one line. */
final class Json {
    private static final JsonFactory FACTORY = new JsonFactory();

    /** What to write. */
    interface Content {
        void write(JsonGenerator json) throws IOException;
    }

    private Json() {
    }

    static String object(Content content) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = FACTORY.createGenerator(text)) {
            json.writeStartObject();
            content.write(json);
            json.writeEndObject();
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return text.toString();
    }
}
