package io.ptx4j.jit.vector;

import io.ptx4j.jit.support.VectorLanes;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** What code of one vector size does not do equally fast on all processors. */
public final class Processor {
    private static final Path LINUX = Path.of("/proc/cpuinfo");
    private static final int MANY_LINES = 40;

    /**
     * Whether factors of 32 bits are cut so that HotSpot sees that they are. {@code -Dptx4j.jit.vector.cut=true|false}; by default they are, but not with vectors of 512 bits on
     * AMD's processors, where a product of 64 bits by 64 ({@code vpmullq}) is one operation of three cycles like one of 32 by 32. With smaller vectors HotSpot may have to make it of several.
     */
    public static final boolean CUTS_FACTORS = cutsFactors(System.getProperty("ptx4j.jit.vector.cut"), VectorLanes.LONG.vectorBitSize(), vendor());

    private Processor() {
    }

    static boolean cutsFactors(String option, int vectorBits, String vendor) {
        return option != null ? Boolean.parseBoolean(option) : vectorBits < 512 || !vendor.contains("AuthenticAMD");
    }

    /** What the system says of who made the processor; empty if it does not. */
    private static String vendor() {
        // Windows.
        String identifier = System.getenv("PROCESSOR_IDENTIFIER");
        if (identifier != null) {
            return identifier;
        }
        try (BufferedReader lines = Files.newBufferedReader(LINUX, StandardCharsets.ISO_8859_1)) {
            return lines.lines().limit(MANY_LINES).filter(line -> line.startsWith("vendor_id")).findFirst().orElse("");
        } catch (IOException | RuntimeException unknown) {
            return "";
        }
    }
}
