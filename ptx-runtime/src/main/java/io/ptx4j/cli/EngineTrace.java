package io.ptx4j.cli;

import io.ptx4j.cases.CaseBuffer;
import io.ptx4j.cases.CaseEngine;
import io.ptx4j.cases.CaseFile;
import io.ptx4j.cases.CaseSession;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.PtxException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;

/**
 * What a case does on one engine.
 *
 * @param states the memory after each launch that succeeded
 * @param failure what the launch after them failed with; null if none did
 */
record EngineTrace(CaseFile file, String engine, List<Map<String, Contents>> states, String failure) {
    /** A buffer's bytes, packed: large buffers that hardly change are the rule. */
    record Contents(ScalarType type, byte[] packed) {
        static Contents of(CaseBuffer buffer) {
            ByteArrayOutputStream packed = new ByteArrayOutputStream();
            try (DeflaterOutputStream out = new DeflaterOutputStream(packed)) {
                out.write(buffer.memory().toBytes());
            } catch (IOException impossible) {
                throw new UncheckedIOException(impossible);
            }
            return new Contents(buffer.type(), packed.toByteArray());
        }

        byte[] bytes() {
            try (var in = new InflaterInputStream(new java.io.ByteArrayInputStream(packed))) {
                return in.readAllBytes();
            } catch (IOException impossible) {
                throw new UncheckedIOException(impossible);
            }
        }
    }

    static EngineTrace of(CaseFile file, CaseEngine engine) {
        List<Map<String, Contents>> states = new ArrayList<>();
        String failure = null;
        try (Device device = Device.builder().engine(engine.create()).matrixSums(file.matrixSums()).approximations(file.approximations()).output(unheard()).workers(1).open(); CaseSession session = new CaseSession(file, device)) {
            for (CaseFile.Launch launch : file.launches()) {
                session.prepare(launch).run();
                Map<String, Contents> state = new LinkedHashMap<>();
                session.buffers().forEach(buffer -> state.put(buffer.name(), Contents.of(buffer)));
                session.module().globals().forEach(name -> state.putIfAbsent(name, Contents.of(session.find(name, null))));
                states.add(state);
            }
        } catch (PtxException failed) {
            failure = failed.getMessage();
        }
        return new EngineTrace(file, engine.toString(), states, failure);
    }

    private static PrintStream unheard() {
        return new PrintStream(OutputStream.nullOutputStream());
    }

    /** How the case ended, to be put behind a sentence. */
    String ending() {
        return failure == null ? "" : "; launch " + (states.size() + 1) + " fails on all: " + failure;
    }

    /** The first difference, worded for people; null if there is none. */
    String differenceTo(EngineTrace other) {
        for (int i = 0; i < Math.min(states.size(), other.states.size()); i++) {
            for (Map.Entry<String, Contents> entry : states.get(i).entrySet()) {
                byte[] mine = entry.getValue().bytes();
                byte[] theirs = other.states.get(i).get(entry.getKey()).bytes();
                int at = java.util.Arrays.mismatch(mine, theirs);
                if (at >= 0) {
                    return place(i) + element(entry.getKey(), entry.getValue().type(), at, mine, theirs, other);
                }
            }
        }
        int ended = Math.min(states.size(), other.states.size());
        if (states.size() != other.states.size() || !String.valueOf(failure).equals(String.valueOf(other.failure))) {
            return place(ended) + "\n  " + engine + ": " + (states.size() > ended ? "succeeds" : failure)
                    + "\n  " + other.engine + ": " + (other.states.size() > ended ? "succeeds" : other.failure);
        }
        return null;
    }

    private String place(int launch) {
        return file.launches().get(Math.min(launch, file.launches().size() - 1)).place() + ": launch " + (launch + 1) + ": ";
    }

    private String element(String name, ScalarType type, int at, byte[] mine, byte[] theirs, EngineTrace other) {
        int index = at / type.bytes();
        int different = 0;
        for (int i = 0; i + type.bytes() <= mine.length; i += type.bytes()) {
            different += java.util.Arrays.equals(mine, i, i + type.bytes(), theirs, i, i + type.bytes()) ? 0 : 1;
        }
        return name + "[" + index + "] is " + hexadecimal(mine, index * type.bytes(), type.bytes()) + " on " + engine + " and "
                + hexadecimal(theirs, index * type.bytes(), type.bytes()) + " on " + other.engine + " (" + type.spelling() + ", "
                + different + " of " + mine.length / type.bytes() + " elements differ)";
    }

    private static String hexadecimal(byte[] bytes, int at, int count) {
        StringBuilder text = new StringBuilder("0x");
        for (int i = at + count - 1; i >= at; i--) {
            text.append(String.format("%02x", bytes[i]));
        }
        return text.toString();
    }
}
