package io.ptx4j.benchmarks.workloads;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Array;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;

/**
 * What is measured: launches of kernels over given data, and the same in plain parallel Java.
 *
 * @param file the PTX as a resource
 * @param steps the launches of one run, in order
 * @param times how often a run does its steps: small launches need many for a time that a clock can show
 * @param result what the run is for, which all ways of computing it must agree on
 * @param tolerance greatest relative difference between results; 0 for the same bits
 * @param plainJava the steps once, in idiomatic parallel Java
 */
public record Workload(String name, String file, List<Step> steps, int times, Data result, float tolerance, Consumer<Heap> plainJava) {
    @Override
    public String toString() {
        return name;
    }

    /** The text of {@link #file}. */
    public String ptx() {
        try (InputStream text = Workload.class.getResourceAsStream(file)) {
            return new String(text.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Checks the result of some way to compute this.
     *
     * @param expected an array like that of {@link #result}
     * @throws IllegalStateException if it differs, with the first place
     */
    public void verify(String who, Object expected, Object actual) {
        for (int i = 0; i < Array.getLength(expected); i++) {
            Object right = Array.get(expected, i);
            Object given = Array.get(actual, i);
            if (!near(right, given)) {
                throw new IllegalStateException(name + ": " + who + " has " + given + " at " + result.name() + "[" + i + "], not " + right);
            }
        }
    }

    private boolean near(Object expected, Object actual) {
        if (tolerance == 0) {
            return expected.equals(actual);
        }
        float a = (Float) expected;
        float b = (Float) actual;
        return Math.abs(a - b) <= tolerance * Math.max(1f, Math.abs(a));
    }
}
