package io.ptx4j.agreement;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import io.ptx4j.cases.CaseEngine;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import io.ptx4j.runtime.PtxModule;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Random;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Products of {@code tcgen05.mma} against a third model: bytes of shared memory, found by the manual's formulas, numbers by their exponents and fractions, and sums of single precision in the
 * order of k. Operands are random bytes, so that infinities and NaN are among them.
 */
@Timeout(60)
final class TensorProductsTest {
    private static final int THREADS = 128;
    private static final int COLUMNS = 512;
    private static final int SHARED = 32 << 10;
    private static final int B_AT = 16 << 10;
    private static final int SCALE_A = 496;
    private static final int SCALE_B = 504;
    private static final int A_AT = 480;

    /**
     * @param descriptor of the instruction
     * @param swizzle bits 61 to 63 of a matrix descriptor
     * @param inTensor whether A lies in tensor memory
     * @param parts scale factors of a row
     */
    private record Product(String kind, int blocks, int descriptor, int k, int bits, int swizzle, boolean inTensor, int parts, int shift, boolean counts, boolean masked) {
        int field(int first, int bits) {
            return descriptor >>> first & (1 << bits) - 1;
        }

        int rows() {
            return field(24, 5) * 16 / blocks;
        }

        int n() {
            return field(17, 6) * 8;
        }

        boolean turned(boolean ofA) {
            return field(ofA ? 15 : 16, 1) == 1;
        }

        int width() {
            return swizzle == 0 ? 16 : 256 >> swizzle / 2;
        }

        /** Bytes of the two strides: of A or B, packed without gaps. */
        long strides(boolean ofA) {
            int other = ofA ? rows() : n() / blocks;
            int across = turned(ofA) ? Math.max(16, other * bits / 8) : 32;
            int groups = Math.max(1, across / width());
            // Of eight rows all pieces lie one after the other; where nothing is swizzled and rows are turned, the strides change places.
            int next = 8 * width();
            int below = groups * next;
            boolean swaps = turned(ofA) && swizzle == 0;
            return (long) (swaps ? below : next) / 16 << 16 | (long) (swaps ? next : below) / 16 << 32;
        }
    }

    @ParameterizedTest
    @CsvSource({
            // kind, blocks, A, B, D, m, n, swizzle, inTensor, shift, counts, masked, flags (1 and 2 negate A and B, 4 and 8 turn them, 16 clamps)
            "f16, 1, 0, 0, 1, 128, 64, 0, false, 0, true, false, 0",
            "f16, 1, 0, 0, 1, 128, 16, 2, false, 0, false, false, 1",
            "f16, 1, 1, 1, 1, 128, 32, 4, false, 3, true, false, 2",
            "f16, 1, 0, 0, 0, 64, 24, 6, false, 0, true, false, 0",
            "f16, 1, 0, 0, 1, 64, 64, 0, true, 0, true, true, 0",
            "f16, 1, 1, 1, 1, 128, 64, 2, false, 0, true, false, 12",
            "f16, 1, 0, 0, 1, 128, 128, 0, false, 0, true, true, 4",
            "f16, 1, 0, 0, 0, 128, 32, 6, true, 15, true, false, 8",
            "tf32, 1, 2, 2, 1, 128, 16, 6, false, 0, true, false, 0",
            "tf32, 1, 2, 2, 1, 64, 8, 0, true, 1, true, false, 3",
            "f8f6f4, 1, 0, 1, 1, 128, 32, 0, false, 0, true, false, 0",
            "f8f6f4, 1, 3, 4, 0, 128, 16, 6, false, 0, true, false, 0",
            "f8f6f4, 1, 5, 0, 1, 64, 16, 4, false, 0, true, false, 0",
            "f8f6f4, 1, 4, 5, 1, 128, 32, 2, true, 0, true, true, 0",
            "f8f6f4, 1, 1, 1, 1, 128, 64, 4, false, 0, true, false, 12",
            "i8, 1, 0, 1, 2, 128, 32, 0, false, 0, true, false, 0",
            "i8, 1, 1, 1, 2, 64, 24, 2, true, 0, true, false, 16",
            "i8, 1, 1, 0, 2, 128, 64, 0, false, 0, false, true, 12",
            "f16, 2, 0, 0, 1, 256, 64, 2, false, 0, true, true, 0",
            "f16, 2, 1, 1, 1, 128, 64, 0, false, 0, true, true, 0",
            "f8f6f4, 2, 0, 0, 0, 128, 32, 4, true, 0, true, false, 1",
            "i8, 2, 1, 1, 2, 256, 32, 6, true, 0, true, false, 0"
    })
    void dense(String kind, int blocks, int a, int b, int d, int m, int n, int swizzle, boolean inTensor, int shift, boolean counts, boolean masked, int flags) {
        int bits = kind.equals("f16") ? 16 : kind.equals("tf32") ? 32 : 8;
        int descriptor = d << 4 | a << 7 | b << 10 | flags % 4 << 13 | flags / 4 % 4 << 15 | flags / 16 << 3 | n / 8 << 17 | m / 16 << 24;
        compare(new Product(kind, blocks, descriptor, 256 / bits, bits, swizzle, inTensor, 0, shift, counts, masked));
    }

    @ParameterizedTest
    @CsvSource({
            // kind and its factors, their number, blocks, A, B, m, n, byte of A, byte of B, powers of two
            "mxf8f6f4.block_scale.scale_vec::1X, 1, 1, 0, 1, 128, 24, 0, 3, 1",
            "mxf8f6f4.block_scale, 1, 1, 5, 3, 128, 40, 2, 1, 1",
            "mxf8f6f4.block_scale.block32, 1, 2, 0, 0, 256, 32, 1, 0, 1",
            "mxf4.block_scale.scale_vec::2X, 2, 1, 1, 1, 128, 64, 0, 2, 1",
            "mxf4nvf4.block_scale.scale_vec::4X, 4, 1, 1, 1, 128, 32, 0, 0, 0",
            "mxf4nvf4.block_scale.block16, 4, 1, 1, 1, 128, 16, 0, 0, 1"
    })
    void scaled(String kind, int parts, int blocks, int a, int b, int m, int n, int partA, int partB, int powers) {
        int bits = kind.startsWith("mxf4") ? 4 : 8;
        int descriptor = partB << 4 | a << 7 | b << 10 | n / 8 << 17 | powers << 23 | m / 16 << 24 | partA << 29;
        compare(new Product(kind, blocks, descriptor, 256 / bits, bits, 6, false, parts, 0, true, false));
    }

    private static void compare(Product product) {
        Random random = new Random(product.hashCode());
        byte[] shared = new byte[product.blocks * SHARED];
        random.nextBytes(shared);
        int[] tensor = random.ints((long) product.blocks * THREADS * COLUMNS).toArray();
        if (product.parts > 0) {
            // Factors near 1, so that sums stay finite: 125 to 132.
            for (int i = 0; i < tensor.length; i++) {
                tensor[i] = i % COLUMNS >= A_AT ? tensor[i] & 0x07070707 | 0x78787878 : i % 7 == 0 ? tensor[i] : Float.floatToRawIntBits(random.nextFloat());
            }
        }
        int[] expected = expected(product, shared, tensor);
        for (CaseEngine engine : CaseEngine.values()) {
            try (Device device = Device.builder().engine(engine.create()).workers(1).memory(8 << 20).open(); PtxModule module = device.load("product.ptx", text(product))) {
                DeviceBuffer result = device.allocate(4L * tensor.length);
                module.kernel("product").grid(product.blocks).block(THREADS).launch(device.copyOf(shared), device.copyOf(tensor), result);
                int[] found = new int[tensor.length];
                result.copyTo(found);
                assertArrayEquals(expected, found, () -> engine + " " + product);
            }
        }
    }

    /** Each block copies its bytes to shared memory and its words to tensor memory; the first thread multiplies, and all of tensor memory is the result. */
    private static String text(Product p) {
        String group = ".cta_group::" + p.blocks;
        String mask = !p.masked ? "" : p.blocks == 1 ? "{%m1, %m2, %m1, %m2}, " : "{%m1, %m2, %m1, %m2, %m2, %m1, %m2, %m1}, ";
        String operands = p.parts > 0 ? ", [%t + " + SCALE_A + "], [%t + " + SCALE_B + "]" : "";
        String cluster = p.blocks == 1 ? "bar.sync 0;" : "barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;";
        long mode = (long) p.swizzle << 61 | 1L << 46;
        return """
                .version 8.8
                .target sm_100a
                .address_size 64
                .visible .entry product(.param .u64 shared, .param .u64 tensor, .param .u64 result)%s
                {
                .reg .b64 %%d<9>; .reg .b32 %%r<9>, %%t, %%w, %%m1, %%m2; .reg .pred %%p<4>;
                .shared .align 1024 .b8 bytes[%d];
                .shared .b32 where;
                mov.u32 %%r1, %%tid.x;
                mov.u32 %%r2, %%ctaid.x;
                ld.param.u64 %%d1, [shared];
                mad.wide.u32 %%d1, %%r2, %d, %%d1;
                mov.u32 %%m1, 0x0f0000f1;
                mov.u32 %%m2, 0x80000006;
                shl.b32 %%r3, %%r1, 4;
                cvt.u64.u32 %%d2, %%r3;
                add.u64 %%d1, %%d1, %%d2;
                mov.u32 %%r4, bytes;
                add.u32 %%r4, %%r4, %%r3;
                mov.u32 %%r5, 0;
                COPY:
                ld.global.v4.b32 {%%r6, %%r7, %%r8, %%r3}, [%%d1];
                st.shared.v4.b32 [%%r4], {%%r6, %%r7, %%r8, %%r3};
                add.u64 %%d1, %%d1, 2048;
                add.u32 %%r4, %%r4, 2048;
                add.u32 %%r5, %%r5, 2048;
                setp.lt.u32 %%p1, %%r5, %d;
                @%%p1 bra COPY;
                setp.lt.u32 %%p2, %%r1, 32;
                mov.u32 %%r3, where;
                @%%p2 tcgen05.alloc%s.sync.aligned.shared::cta.b32 [%%r3], 512;
                bar.sync 0;
                ld.shared.b32 %%t, [where];
                and.b32 %%r3, %%r1, 96;
                shl.b32 %%r3, %%r3, 16;
                add.u32 %%w, %%t, %%r3;
                mad.lo.u32 %%r6, %%r2, 128, %%r1;
                ld.param.u64 %%d3, [tensor];
                mad.wide.u32 %%d3, %%r6, 2048, %%d3;
                mov.u32 %%r4, %%w;
                mov.u32 %%r5, 0;
                STORE:
                ld.global.v4.b32 {%%r6, %%r7, %%r8, %%r3}, [%%d3];
                tcgen05.st.sync.aligned.32x32b.x4.b32 [%%r4], {%%r6, %%r7, %%r8, %%r3};
                add.u64 %%d3, %%d3, 16;
                add.u32 %%r4, %%r4, 4;
                add.u32 %%r5, %%r5, 4;
                setp.lt.u32 %%p1, %%r5, 512;
                @%%p1 bra STORE;
                tcgen05.wait::st.sync.aligned;
                %s
                or.b32 %%r3, %%r1, %%r2;
                setp.ne.u32 %%p3, %%r3, 0;
                @%%p3 bra DONE;
                mov.u32 %%r4, bytes;
                shr.u32 %%r4, %%r4, 4;
                cvt.u64.u32 %%d4, %%r4;
                add.u64 %%d5, %%d4, 0x%x;
                add.u64 %%d6, %%d4, 0x%x;
                mov.u32 %%r7, 0x%x;
                setp.eq.u32 %%p1, %%r1, %d;
                tcgen05.mma%s.kind::%s [%%t], %s, %%d6, %%r7%s, %s%%p1%s;
                DONE:
                %s
                mad.lo.u32 %%r6, %%r2, 128, %%r1;
                ld.param.u64 %%d3, [result];
                mad.wide.u32 %%d3, %%r6, 2048, %%d3;
                mov.u32 %%r4, %%w;
                mov.u32 %%r5, 0;
                LOAD:
                tcgen05.ld.sync.aligned.32x32b.x4.b32 {%%r6, %%r7, %%r8, %%r3}, [%%r4];
                st.global.v4.b32 [%%d3], {%%r6, %%r7, %%r8, %%r3};
                add.u64 %%d3, %%d3, 16;
                add.u32 %%r4, %%r4, 4;
                add.u32 %%r5, %%r5, 4;
                setp.lt.u32 %%p1, %%r5, 512;
                @%%p1 bra LOAD;
                bar.sync 0;
                @%%p2 tcgen05.dealloc%s.sync.aligned.b32 %%t, 512;
                ret;
                }
                """.formatted(p.blocks == 1 ? "" : " .reqnctapercluster 2, 1, 1", SHARED, SHARED, SHARED, group, cluster, p.strides(true) | mode, (p.strides(false) | mode) + (B_AT >> 4), p.descriptor,
                p.counts ? 0 : 1, group, p.kind, p.inTensor ? "[%t + " + A_AT + "]" : "%d5", operands, mask, p.shift == 0 ? "" : ", " + p.shift, cluster, group);
    }

    private static int[] expected(Product p, byte[] shared, int[] tensor) {
        int[] result = tensor.clone();
        int[] masks = p.blocks == 1 ? new int[] {0, 1, 0, 1} : new int[] {0, 1, 0, 1, 1, 0, 1, 0};
        int half = p.n() / p.blocks;
        for (int block = 0; block < p.blocks; block++) {
            for (int row = 0; row < p.rows(); row++) {
                for (int column = 0; column < p.n(); column++) {
                    boolean halved = p.blocks == 2 && p.rows() == 64;
                    int lane = halved ? column / half * 64 + row : p.rows() == 64 ? row / 16 * 32 + row % 16 : row;
                    int word = halved ? column % half : column;
                    int mask = masks[block * 4 + lane / 32] == 0 ? 0x0f0000f1 : 0x80000006;
                    if (p.masked && (mask >>> lane & 1) != 0) {
                        continue;
                    }
                    long[] as = new long[p.k];
                    long[] bs = new long[p.k];
                    for (int i = 0; i < p.k; i++) {
                        int laneOfA = p.rows() == 64 && p.blocks == 1 ? row / 16 * 32 + row % 16 : row;
                        as[i] = p.inTensor ? inTensor(p, tensor, block, laneOfA, i) : inShared(p, shared, block * SHARED, row, i, true);
                        bs[i] = inShared(p, shared, column / half * SHARED + B_AT, column % half, i, false);
                    }
                    int at = (block * THREADS + lane) * COLUMNS + word;
                    double[] factors = new double[Math.max(1, p.parts)];
                    Arrays.fill(factors, 1);
                    for (int part = 0; part < p.parts; part++) {
                        factors[part] = factor(p, tensor, block, SCALE_A, row, p.field(29, 2) + part) * factor(p, tensor, block, SCALE_B, column, p.field(4, 2) + part);
                    }
                    result[at] = p.kind.equals("i8") ? integer(p, as, bs, p.counts ? tensor[at] : 0) : number(p, as, bs, p.counts ? tensor[at] : 0, factors);
                }
            }
        }
        return result;
    }

    private static int typeBits(Product p, boolean ofA) {
        int format = p.field(ofA ? 7 : 10, 3);
        return p.bits != 8 || p.kind.equals("i8") ? p.bits : format < 3 ? 8 : format == 5 ? 4 : 6;
    }

    private static long inTensor(Product p, int[] tensor, int block, int lane, int i) {
        int each = 32 / p.bits;
        int word = tensor[(block * THREADS + lane) * COLUMNS + A_AT + i / each];
        return word >>> i % each * p.bits & (1L << typeBits(p, true)) - 1;
    }

    private static long inShared(Product p, byte[] shared, int origin, int other, int i, boolean ofA) {
        int bits = typeBits(p, ofA);
        int along = p.turned(ofA) ? other : i;
        int row = p.turned(ofA) ? i : other;
        boolean padded = p.bits == 8 && bits < 8;
        int bit = padded ? along / 16 * 128 + along % 16 * bits : along * p.bits;
        long value = 0;
        for (int b = 0; b < bits; b++) {
            int at = (bit + b) / 8;
            int width = p.width();
            int groups = Math.max(1, (p.turned(ofA) ? Math.max(16, (ofA ? p.rows() : p.n() / p.blocks) * p.bits / 8) : 32) / width);
            int address = row / 8 * groups * 8 * width + at / width * 8 * width + row % 8 * width + at % width;
            address ^= (address >> 7 & width / 16 - 1) << 4;
            value |= (long) (shared[origin + address] >> (bit + b) % 8 & 1) << b;
        }
        return value;
    }

    private static double factor(Product p, int[] tensor, int block, int where, int row, int part) {
        int code = tensor[(block * THREADS + row % 32) * COLUMNS + where + row / 32] >>> 8 * part & 0xff;
        return p.field(23, 1) == 1 ? Math.scalb(1.0, code - 127) : (code & 0x7f) == 0x7f ? Double.NaN : small(code & 0x7f, 4, 3, 7);
    }

    private static double small(long code, int exponents, int fractions, int bias) {
        long exponent = code >> fractions & (1L << exponents) - 1;
        long fraction = code & (1L << fractions) - 1;
        double magnitude = exponent == 0 ? Math.scalb((double) fraction, 1 - bias - fractions) : Math.scalb((double) (fraction | 1L << fractions), (int) exponent - bias - fractions);
        return code >> exponents + fractions == 0 ? magnitude : -magnitude;
    }

    private static double decode(Product p, long code, boolean ofA) {
        int format = p.field(ofA ? 7 : 10, 3);
        if (p.bits == 16) {
            return format == 0 ? Float.float16ToFloat((short) code) : Float.intBitsToFloat((int) code << 16);
        }
        if (p.bits == 32) {
            return Float.intBitsToFloat((int) code & 0xffffe000);
        }
        if (p.bits == 4 || format == 5) {
            return small(code, 2, 1, 1);
        }
        return switch (format) {
            case 0 -> (code & 0x7f) == 0x7f ? Double.NaN : small(code, 4, 3, 7);
            case 1 -> (code & 0x7f) > 0x7c ? Double.NaN : (code & 0x7f) == 0x7c ? code > 0x7f ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY : small(code, 5, 2, 15);
            case 3 -> small(code, 2, 3, 1);
            default -> small(code, 3, 2, 3);
        };
    }

    /** Factors are near 1, and products of scaled elements have few bits: those sums are exact in double precision before they are rounded. */
    private static int number(Product p, long[] as, long[] bs, int before, double[] factors) {
        boolean halves = p.parts == 0 && p.field(4, 2) == 0;
        float sum = (halves ? Float.float16ToFloat((short) before) : Float.intBitsToFloat(before)) * (float) Math.scalb(1.0, -p.shift);
        for (int i = 0; i < p.k; i++) {
            double x = decode(p, as[i], true) * (p.field(13, 1) == 1 ? -1 : 1);
            double y = decode(p, bs[i], false) * (p.field(14, 1) == 1 ? -1 : 1);
            double product = x * y * (p.parts == 0 ? 1 : factors[i * p.parts / p.k]);
            sum = p.parts == 0 ? Math.fma((float) x, (float) y, sum) : Double.isFinite(product) && Float.isFinite(sum) ? added(product, sum) : (float) (product + sum);
        }
        if (halves) {
            return Float.isNaN(sum) ? 0x7fff : Float.floatToFloat16(sum) & 0xffff;
        }
        return Float.isNaN(sum) ? 0x7fffffff : Float.floatToRawIntBits(sum);
    }

    /** The exact sum rounded once; one of zeros has the sign that floats give it. */
    private static float added(double product, float sum) {
        BigDecimal exact = new BigDecimal(product).add(new BigDecimal(sum));
        return exact.signum() == 0 ? (float) product + sum : exact.floatValue();
    }

    private static int integer(Product p, long[] as, long[] bs, int before) {
        long sum = before;
        for (int i = 0; i < p.k; i++) {
            sum += (p.field(7, 3) == 1 ? (byte) as[i] : as[i]) * (p.field(10, 3) == 1 ? (byte) bs[i] : bs[i]);
        }
        return p.field(3, 1) == 1 ? Math.clamp(sum, Integer.MIN_VALUE, Integer.MAX_VALUE) : (int) sum;
    }
}
