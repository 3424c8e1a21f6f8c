package io.ptx4j.benchmarks;

import java.util.LinkedHashMap;
import java.util.Map;

/** Loops that Java code would have for some kernels of {@link InstructionBenchmark}: as many threads, turns and chains (eight). */
final class PlainInstructions {
    /** A loop over {@code threads} threads of {@code turns} turns of 16 instructions; what it gives keeps it from being left out. */
    interface Loop {
        double run(int threads, int turns);
    }

    /** By instruction, spelled as in {@link InstructionBenchmark}. */
    static final Map<String, Loop> LOOPS = new LinkedHashMap<>();

    static {
        LOOPS.put("add.rn.f32 X, X, B", PlainInstructions::addF32);
        LOOPS.put("fma.rn.f32 X, X, B, C", PlainInstructions::fmaF32);
        LOOPS.put("add.rn.f64 X, X, B", PlainInstructions::addF64);
        LOOPS.put("fma.rn.f64 X, X, B, C", PlainInstructions::fmaF64);
        LOOPS.put("mad.lo.u32 X, X, B, C", PlainInstructions::madU32);
        LOOPS.put("mad.lo.cc.u32 X, X, B, C; addc.u32 X, X, C", PlainInstructions::carryU32);
    }

    private PlainInstructions() {
    }

    private static float addF32(int threads, int turns) {
        float sum = 0;
        for (int t = 0; t < threads; t++) {
            float b = 0.7f + t * 1e-5f;
            float p = b, q = b, r = b, s = b, u = b, v = b, w = b, x = b;
            for (int i = 0; i < turns; i++) {
                for (int k = 0; k < 2; k++) {
                    p += b; q += b; r += b; s += b; u += b; v += b; w += b; x += b;
                }
            }
            sum += p + q + r + s + u + v + w + x;
        }
        return sum;
    }

    private static float fmaF32(int threads, int turns) {
        float sum = 0;
        for (int t = 0; t < threads; t++) {
            float b = 0.7f + t * 1e-5f;
            float p = b, q = b, r = b, s = b, u = b, v = b, w = b, x = b;
            for (int i = 0; i < turns; i++) {
                for (int k = 0; k < 2; k++) {
                    p = Math.fma(p, b, b); q = Math.fma(q, b, b); r = Math.fma(r, b, b); s = Math.fma(s, b, b);
                    u = Math.fma(u, b, b); v = Math.fma(v, b, b); w = Math.fma(w, b, b); x = Math.fma(x, b, b);
                }
            }
            sum += p + q + r + s + u + v + w + x;
        }
        return sum;
    }

    private static double addF64(int threads, int turns) {
        double sum = 0;
        for (int t = 0; t < threads; t++) {
            double b = 0.7 + t * 1e-5;
            double p = b, q = b, r = b, s = b, u = b, v = b, w = b, x = b;
            for (int i = 0; i < turns; i++) {
                for (int k = 0; k < 2; k++) {
                    p += b; q += b; r += b; s += b; u += b; v += b; w += b; x += b;
                }
            }
            sum += p + q + r + s + u + v + w + x;
        }
        return sum;
    }

    private static double fmaF64(int threads, int turns) {
        double sum = 0;
        for (int t = 0; t < threads; t++) {
            double b = 0.7 + t * 1e-5;
            double p = b, q = b, r = b, s = b, u = b, v = b, w = b, x = b;
            for (int i = 0; i < turns; i++) {
                for (int k = 0; k < 2; k++) {
                    p = Math.fma(p, b, b); q = Math.fma(q, b, b); r = Math.fma(r, b, b); s = Math.fma(s, b, b);
                    u = Math.fma(u, b, b); v = Math.fma(v, b, b); w = Math.fma(w, b, b); x = Math.fma(x, b, b);
                }
            }
            sum += p + q + r + s + u + v + w + x;
        }
        return sum;
    }

    private static int madU32(int threads, int turns) {
        int sum = 0;
        for (int t = 0; t < threads; t++) {
            int b = t | 1;
            int p = b, q = b, r = b, s = b, u = b, v = b, w = b, x = b;
            for (int i = 0; i < turns; i++) {
                for (int k = 0; k < 2; k++) {
                    p = p * b + b; q = q * b + b; r = r * b + b; s = s * b + b; u = u * b + b; v = v * b + b; w = w * b + b; x = x * b + b;
                }
            }
            sum ^= p ^ q ^ r ^ s ^ u ^ v ^ w ^ x;
        }
        return sum;
    }

    /** The two instructions of a chain's turn in one call; Java keeps the words in {@code long}s. */
    private static long carryU32(int threads, int turns) {
        long sum = 0;
        for (int t = 0; t < threads; t++) {
            long b = t | 1;
            long p = b, q = b, r = b, s = b, u = b, v = b, w = b, x = b;
            for (int i = 0; i < turns; i++) {
                for (int k = 0; k < 2; k++) {
                    p = carry(p, b); q = carry(q, b); r = carry(r, b); s = carry(s, b); u = carry(u, b); v = carry(v, b); w = carry(w, b); x = carry(x, b);
                }
            }
            sum ^= p ^ q ^ r ^ s ^ u ^ v ^ w ^ x;
        }
        return sum;
    }

    private static long carry(long x, long b) {
        long low = (x * b & 0xffff_ffffL) + b;
        return (low & 0xffff_ffffL) + b + (low >>> 32) & 0xffff_ffffL;
    }
}
