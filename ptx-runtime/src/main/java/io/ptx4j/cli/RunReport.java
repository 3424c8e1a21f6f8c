package io.ptx4j.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import io.ptx4j.cases.CaseBuffer;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.runtime.Dim3;
import io.ptx4j.runtime.LaunchResult;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * What {@code ptx run} has to tell.
 *
 * @param launches for each launch what each repetition gave, at least one
 * @param outputs the buffers and variables that the kernels changed
 * @param pictures buffers that the file calls pictures and nobody asked for
 * @param mismatches what the case's expectations find wrong
 */
record RunReport(Path file, String engine, int workers, List<List<LaunchResult>> launches, List<CaseBuffer> outputs, int expectations,
        List<String> mismatches, List<OutputFile> written, List<String> pictures) {
    private static final int VALUES_WIDTH = 90;
    private static final int VALUES_IN_JSON = 16;

    void print(PrintWriter out) {
        out.println(file + " on the " + engine + (engine.equals("jit") ? "" : " engine") + ", " + workers + (workers == 1 ? " worker" : " workers"));
        int width = launches.stream().mapToInt(one -> one.getFirst().kernel().length()).max().orElse(0);
        for (List<LaunchResult> times : launches) {
            LaunchResult first = times.getFirst();
            Duration median = median(times);
            out.printf(Locale.ROOT, "  %-" + Math.max(1, width) + "s  grid %s block %s: %,d threads in %s, %s threads/s (%s, compiled in %s)%n",
                    first.kernel(), first.grid(), first.block(), first.threads(), time(median), rate(first.threads() / seconds(median)),
                    shapes(times), time(first.preparation()));
            if (times.size() > 1) {
                out.printf(Locale.ROOT, "  %s  median of %d; best %s, worst %s%n", " ".repeat(width), times.size(),
                        time(times.stream().map(LaunchResult::running).min(Duration::compareTo).orElseThrow()),
                        time(times.stream().map(LaunchResult::running).max(Duration::compareTo).orElseThrow()));
            }
        }
        int names = outputs.stream().mapToInt(one -> label(one).length()).max().orElse(0);
        for (CaseBuffer buffer : outputs) {
            out.println("  " + label(buffer) + " ".repeat(names - label(buffer).length()) + " = " + firstValues(buffer));
        }
        if (outputs.isEmpty()) {
            out.println("  no buffer was changed");
        }
        written.forEach(one -> out.println("  wrote " + one.name() + " to " + one.file()));
        pictures.forEach(name -> out.println("  " + name + " is a picture: --out " + name + "=" + name + ".png writes it"));
        if (expectations > 0) {
            mismatches.forEach(out::println);
            out.println(!mismatches.isEmpty() ? "  " + mismatches.size() + " of " + expectations + " expectations are not met"
                    : expectations == 1 ? "  its expectation is met" : "  all " + expectations + " expectations are met");
        }
        out.flush();
    }

    /** The code shapes in the order in which the JIT went over to them. */
    private static String shapes(List<LaunchResult> results) {
        return results.stream().map(LaunchResult::shape).distinct().collect(Collectors.joining(", then "));
    }

    private static String label(CaseBuffer buffer) {
        return buffer.name() + ": " + buffer.type().spelling() + "[" + buffer.count() + "]";
    }

    private static String firstValues(CaseBuffer buffer) {
        StringBuilder text = new StringBuilder();
        for (long i = 0; i < buffer.count(); i++) {
            String value = (i == 0 ? "" : ", ") + buffer.text(i);
            if (text.length() + value.length() > VALUES_WIDTH) {
                return text + ", ...";
            }
            text.append(value);
        }
        return text.toString();
    }

    private static Duration median(List<LaunchResult> results) {
        return results.stream().map(LaunchResult::running).sorted().toList().get(results.size() / 2);
    }

    private static double seconds(Duration time) {
        return Math.max(1, time.toNanos()) * 1e-9;
    }

    private static String time(Duration time) {
        double seconds = seconds(time);
        return seconds >= 1 ? digits(seconds) + " s" : seconds >= 1e-3 ? digits(seconds * 1e3) + " ms" : digits(seconds * 1e6) + " us";
    }

    private static String rate(double perSecond) {
        return perSecond >= 1e9 ? digits(perSecond * 1e-9) + " G" : perSecond >= 1e6 ? digits(perSecond * 1e-6) + " M"
                : perSecond >= 1e3 ? digits(perSecond * 1e-3) + " k" : digits(perSecond);
    }

    /** Three digits that count. */
    private static String digits(double number) {
        return String.format(Locale.ROOT, number >= 99.95 ? "%.0f" : number >= 9.995 ? "%.1f" : "%.2f", number);
    }

    String json() {
        return Json.object(json -> {
            json.writeStringField("file", file.toString());
            json.writeBooleanField("ok", mismatches.isEmpty());
            json.writeStringField("engine", engine);
            json.writeNumberField("workers", workers);
            json.writeArrayFieldStart("launches");
            for (List<LaunchResult> times : launches) {
                launch(json, times);
            }
            json.writeEndArray();
            json.writeArrayFieldStart("buffers");
            for (CaseBuffer buffer : outputs) {
                buffer(json, buffer);
            }
            json.writeEndArray();
            json.writeNumberField("expectations", expectations);
            json.writeArrayFieldStart("mismatches");
            for (String mismatch : mismatches) {
                json.writeString(mismatch);
            }
            json.writeEndArray();
        });
    }

    private static void launch(JsonGenerator json, List<LaunchResult> times) throws IOException {
        LaunchResult first = times.getFirst();
        json.writeStartObject();
        json.writeStringField("kernel", first.kernel());
        extent(json, "grid", first.grid());
        extent(json, "block", first.block());
        json.writeNumberField("threads", first.threads());
        json.writeStringField("shape", times.getLast().shape());
        json.writeNumberField("compileSeconds", first.preparation().toNanos() * 1e-9);
        json.writeArrayFieldStart("seconds");
        for (LaunchResult result : times) {
            json.writeNumber(result.running().toNanos() * 1e-9);
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private static void extent(JsonGenerator json, String name, Dim3 size) throws IOException {
        json.writeFieldName(name);
        json.writeArray(new int[] {size.x(), size.y(), size.z()}, 0, 3);
    }

    /** Integers as numbers, floats as numbers where JSON has them, everything else as text. */
    private static void buffer(JsonGenerator json, CaseBuffer buffer) throws IOException {
        json.writeStartObject();
        json.writeStringField("name", buffer.name());
        json.writeStringField("type", buffer.type().spelling());
        json.writeNumberField("count", buffer.count());
        json.writeArrayFieldStart("first");
        for (long i = 0; i < Math.min(VALUES_IN_JSON, buffer.count()); i++) {
            String text = buffer.text(i);
            if (buffer.type().kind() == ScalarType.Kind.BITS || text.endsWith("NaN") || text.endsWith("Infinity")) {
                json.writeString(text);
            } else {
                json.writeNumber(text);
            }
        }
        json.writeEndArray();
        json.writeEndObject();
    }
}
