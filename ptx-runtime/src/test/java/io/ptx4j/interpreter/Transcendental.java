package io.ptx4j.interpreter;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/** Functions to forty decimal places, from their power series. */
final class Transcendental {
    private static final MathContext CONTEXT = new MathContext(50);
    private static final BigDecimal TINY = new BigDecimal("1e-50");
    private static final BigDecimal LN2 = logarithm(BigDecimal.TWO);
    private static final BigDecimal PI = arcTangentOfInverse(5).multiply(BigDecimal.valueOf(16))
            .subtract(arcTangentOfInverse(239).multiply(BigDecimal.valueOf(4)));

    private Transcendental() {
    }

    static BigDecimal exp2(BigDecimal x) {
        BigDecimal whole = x.setScale(0, RoundingMode.FLOOR);
        BigDecimal fraction = exp(x.subtract(whole).multiply(LN2));
        int n = whole.intValueExact();
        return n >= 0 ? fraction.multiply(BigDecimal.TWO.pow(n)) : fraction.divide(BigDecimal.TWO.pow(-n), CONTEXT);
    }

    private static BigDecimal exp(BigDecimal x) {
        BigDecimal sum = BigDecimal.ONE;
        BigDecimal term = BigDecimal.ONE;
        for (int n = 1; term.abs().compareTo(TINY) > 0; n++) {
            term = term.multiply(x, CONTEXT).divide(BigDecimal.valueOf(n), CONTEXT);
            sum = sum.add(term);
        }
        return sum;
    }

    /** log2 of {@code mantissa} · 2^{@code exponent}. */
    static BigDecimal log2(BigDecimal mantissa, int exponent) {
        return logarithm(mantissa).divide(LN2, CONTEXT).add(BigDecimal.valueOf(exponent));
    }

    /** 2 artanh((x - 1) / (x + 1)), for x about 1. */
    private static BigDecimal logarithm(BigDecimal x) {
        BigDecimal ratio = x.subtract(BigDecimal.ONE).divide(x.add(BigDecimal.ONE), CONTEXT);
        BigDecimal square = ratio.multiply(ratio, CONTEXT);
        BigDecimal sum = BigDecimal.ZERO;
        BigDecimal power = ratio;
        for (int n = 1; power.abs().compareTo(TINY) > 0; n += 2) {
            sum = sum.add(power.divide(BigDecimal.valueOf(n), CONTEXT));
            power = power.multiply(square, CONTEXT);
        }
        return sum.multiply(BigDecimal.TWO);
    }

    private static BigDecimal arcTangentOfInverse(int x) {
        BigDecimal sum = BigDecimal.ZERO;
        BigDecimal power = BigDecimal.ONE.divide(BigDecimal.valueOf(x), CONTEXT);
        for (int n = 1; power.abs().compareTo(TINY) > 0; n += 2) {
            BigDecimal term = power.divide(BigDecimal.valueOf(n), CONTEXT);
            sum = n % 4 == 1 ? sum.add(term) : sum.subtract(term);
            power = power.divide(BigDecimal.valueOf((long) x * x), CONTEXT);
        }
        return sum;
    }

    static BigDecimal sin(BigDecimal x) {
        BigDecimal turn = PI.multiply(BigDecimal.TWO);
        BigDecimal reduced = x.subtract(x.divide(turn, 0, RoundingMode.HALF_EVEN).multiply(turn));
        BigDecimal square = reduced.multiply(reduced, CONTEXT);
        BigDecimal term = reduced;
        BigDecimal sum = reduced;
        for (int n = 2; term.abs().compareTo(TINY) > 0; n += 2) {
            term = term.multiply(square, CONTEXT).divide(BigDecimal.valueOf((long) n * (n + 1)), CONTEXT).negate();
            sum = sum.add(term);
        }
        return sum;
    }

    static BigDecimal cos(BigDecimal x) {
        return sin(x.add(PI.divide(BigDecimal.TWO)));
    }

    /** 1 - 2 / (e^2x + 1), for |x| < 50. */
    static BigDecimal tanh(BigDecimal x) {
        BigDecimal power = exp2(x.multiply(BigDecimal.TWO).divide(LN2, CONTEXT));
        return power.subtract(BigDecimal.ONE).divide(power.add(BigDecimal.ONE), CONTEXT);
    }
}
