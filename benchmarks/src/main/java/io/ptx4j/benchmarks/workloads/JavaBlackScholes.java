package io.ptx4j.benchmarks.workloads;

import java.util.stream.IntStream;

/** What the kernel {@code black_scholes} computes, up to the last bits of exponentials and logarithms, as a parallel stream. */
final class JavaBlackScholes {
    private JavaBlackScholes() {
    }

    static void price(int n, float rate, float volatility, float[] spot, float[] strike, float[] years, float[] call, float[] put) {
        IntStream.range(0, n).parallel().forEach(i -> {
            float t = years[i];
            float root = (float) Math.sqrt(t);
            float d1 = ((float) Math.log(spot[i] / strike[i]) + (rate + 0.5f * volatility * volatility) * t) / (volatility * root);
            float n1 = normal(d1);
            float n2 = normal(d1 - volatility * root);
            float discounted = strike[i] * (float) Math.exp(-rate * t);
            call[i] = spot[i] * n1 - discounted * n2;
            put[i] = discounted * (1 - n2) - spot[i] * (1 - n1);
        });
    }

    private static float normal(float d) {
        float k = 1 / Math.fma(0.2316419f, Math.abs(d), 1f);
        float p = Math.fma(k, 1.330274429f, -1.821255978f);
        p = Math.fma(k, p, 1.781477937f);
        p = Math.fma(k, p, -0.356563782f);
        p = Math.fma(k, p, 0.319381530f);
        float tail = 0.39894228f * (float) Math.exp(-0.5f * d * d) * (k * p);
        return d > 0 ? 1 - tail : tail;
    }
}
