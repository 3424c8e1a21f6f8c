package io.ptx4j.agreement;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ptx4j.check.Checker;
import io.ptx4j.engine.Engine;
import io.ptx4j.interpreter.Interpreter;
import io.ptx4j.ir.Module;
import io.ptx4j.isa.MatrixShape;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.Spelling;
import io.ptx4j.jit.Jit;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import io.ptx4j.runtime.PtxModule;
import io.ptx4j.syntax.SourceFile;
import java.util.List;
import java.util.SplittableRandom;

/** The matrices of one mma, put into registers by the manual's formulas, and their product as anybody would compute it. */
final class PlainProduct {
    private final Spelling spelling;
    private final MatrixShape shape;
    private final ScalarType typeA;
    private final ScalarType typeB;
    private final boolean sparse;
    private final boolean quads;
    private final SplittableRandom random;
    private final int[] words = new int[32 * MatrixProbe.WORDS];
    private int next;

    PlainProduct(Spelling spelling) {
        this.spelling = spelling;
        this.shape = MatrixShape.of(spelling);
        this.typeA = spelling.types().get(1);
        this.typeB = spelling.types().get(2);
        this.sparse = spelling.text().startsWith("mma.sp");
        this.quads = shape.k() == 4 && typeA == ScalarType.F16;
        this.random = new SplittableRandom(spelling.text().hashCode());
    }

    /** Asserts that both engines give the product. */
    void check() {
        int products = quads ? 4 : 1;
        double[][][] a = matrices(products, shape.m(), shape.k(), typeA);
        double[][][] b = matrices(products, shape.k(), shape.n(), typeB);
        double[][][] c = matrices(products, shape.m(), shape.n(), spelling.types().get(3));
        int[][] kept = sparse ? thin(a[0]) : null;
        putA(a, kept);
        putB(b);
        putC(c);
        if (sparse) {
            putMetadata(kept, next++);
        }
        double[][] scale = spelling.has(Modifier.BLOCK_SCALE) ? scales() : null;
        double[][][] d = product(a, b, c, scale);
        MatrixProbe probe = new MatrixProbe(List.of(spelling), 0);
        Module module = Checker.check(new SourceFile("probe.ptx", probe.text())).module();
        for (var engine : new Engine[] {new Interpreter(), new Jit(Jit.Shape.SCALAR)}) {
            try (Device device = Device.builder().engine(engine).memory(1 << 24).open(); PtxModule loaded = device.load(module);
                    DeviceBuffer in = device.copyOf(words); DeviceBuffer out = device.allocateInts(32 * 8)) {
                loaded.kernel("probe").grid(1).block(32).launch(in, out);
                compare(d, out.toInts(), engine.name());
            }
        }
    }

    private double[][][] matrices(int products, int rows, int columns, ScalarType type) {
        double[][][] all = new double[products][rows][columns];
        for (double[][] matrix : all) {
            for (double[] row : matrix) {
                for (int j = 0; j < columns; j++) {
                    row[j] = type.isFloat() ? random.nextInt(-2, 3) : type == ScalarType.S32 ? random.nextInt(-1000, 1000)
                            : type.signed() ? random.nextInt(-(1 << type.bits() - 1), 1 << type.bits() - 1) : random.nextInt(1 << type.bits());
                }
            }
        }
        return all;
    }

    private double[][][] product(double[][][] a, double[][][] b, double[][][] c, double[][] scale) {
        double[][][] d = new double[a.length][shape.m()][shape.n()];
        for (int q = 0; q < a.length; q++) {
            for (int i = 0; i < shape.m(); i++) {
                for (int j = 0; j < shape.n(); j++) {
                    double sum = c[q][i][j];
                    for (int k = 0; k < shape.k(); k++) {
                        double x = a[q][i][k];
                        double y = b[q][k][j];
                        double product = typeA != ScalarType.B1 ? x * y : spelling.has(Modifier.XOR) ? (int) x ^ (int) y : (int) x & (int) y;
                        int parts = scale == null ? 1 : scale[0].length;
                        sum += scale == null ? product : product * scale[i][k * parts / shape.k()] * scale[16 + j][k * parts / shape.k()];
                    }
                    d[q][i][j] = sum;
                }
            }
        }
        return d;
    }

    // Registers

    private int bits(ScalarType type) {
        boolean bytes = spelling.has(Modifier.KIND_F8F6F4) || spelling.has(Modifier.KIND_MXF8F6F4);
        return bytes && type.bits() < 8 ? 8 : type.bits();
    }

    private void put(int lane, int i, ScalarType type, double value) {
        int bits = bits(type);
        long code = code(type, value) << (bits == 8 && type.bits() == 4 ? 2 : 0);
        int at = lane * MatrixProbe.WORDS + next + i * bits / 32;
        words[at] |= (int) (code << i * bits % 32);
        if (bits == 64) {
            words[at + 1] = (int) (code >>> 32);
        }
    }

    private void putA(double[][][] a, int[][] kept) {
        int columns = sparse ? shape.k() / 2 : shape.k();
        int elements = quads ? 4 : shape.m() * columns / 32;
        for (int lane = 0; lane < 32; lane++) {
            for (int i = 0; i < elements; i++) {
                int q = quads ? lane % 16 / 4 : 0;
                int row;
                int column;
                if (quads) {
                    int up = lane < 16 ? 0 : 4;
                    boolean byRow = shape.layouts().getFirst() == Modifier.ROW;
                    row = byRow ? lane % 4 + up : i % 4 + up;
                    column = byRow ? i : lane % 4;
                } else {
                    ManualFragments f = ManualFragments.of(shape.m(), shape.n(), columns, bits(typeA));
                    row = (lane >> 2) + f.lower().applyAsInt(i);
                    column = f.column().applyAsInt(lane % 4, i);
                }
                put(lane, i, typeA, a[q][row][kept == null ? column : kept[row][column]]);
            }
        }
        next += Math.max(1, elements * bits(typeA) / 32);
    }

    private void putB(double[][][] b) {
        int elements = quads ? 4 : shape.k() * shape.n() / 32;
        for (int lane = 0; lane < 32; lane++) {
            for (int i = 0; i < elements; i++) {
                if (quads) {
                    int up = lane < 16 ? 0 : 4;
                    boolean byRow = shape.layouts().getLast() == Modifier.ROW;
                    put(lane, i, typeB, b[lane % 16 / 4][byRow ? lane % 4 : i][byRow ? i + up : lane % 4 + up]);
                } else {
                    ManualFragments f = ManualFragments.of(shape.m(), shape.n(), shape.k(), bits(typeB));
                    put(lane, i, typeB, b[0][f.row().applyAsInt(lane % 4, i)][lane >> 2]);
                }
            }
        }
        next += Math.max(1, elements * bits(typeB) / 32);
    }

    /** Product, row and column of element {@code i} of C or D. */
    private int[] cell(ScalarType type, int lane, int i) {
        if (!quads) {
            return new int[] {0, (lane >> 2) + (i < 2 ? 0 : 8), lane % 4 * 2 + (i & 1)};
        }
        int up = lane < 16 ? 0 : 4;
        return type == ScalarType.F16 ? new int[] {lane % 16 / 4, lane % 4 + up, i}
                : new int[] {lane % 16 / 4, (lane & 1) + (i & 2) + up, (i & 4) + (lane & 2) + (i & 1)};
    }

    private int elementsOfC() {
        return quads ? 8 : shape.m() * shape.n() / 32;
    }

    private void putC(double[][][] c) {
        ScalarType type = spelling.types().get(3);
        for (int lane = 0; lane < 32; lane++) {
            for (int i = 0; i < elementsOfC(); i++) {
                int[] cell = cell(type, lane, i);
                put(lane, i, type, c[cell[0]][cell[1]][cell[2]]);
            }
        }
        next += Math.max(1, elementsOfC() * type.bits() / 32);
    }

    private void compare(double[][][] d, int[] found, String engine) {
        ScalarType type = spelling.types().getFirst();
        for (int lane = 0; lane < 32; lane++) {
            for (int i = 0; i < elementsOfC(); i++) {
                int[] cell = cell(type, lane, i);
                int word = found[lane * 8 + i * type.bits() / 32];
                double value = switch (type) {
                    case F16 -> Float.float16ToFloat((short) (word >> i % 2 * 16));
                    case F32 -> Float.intBitsToFloat(word);
                    case F64 -> Double.longBitsToDouble((long) found[lane * 8 + i * 2 + 1] << 32 | word & 0xffffffffL);
                    default -> word;
                };
                assertEquals(d[cell[0]][cell[1]][cell[2]], value, engine + ", lane " + lane + ", element " + i);
            }
        }
    }

    // Sparse A

    /** Clears half of A; gives the columns that stay, by row. */
    private int[][] thin(double[][] a) {
        int chunk = typeA == ScalarType.TF32 ? 2 : bits(typeA) == 4 ? 8 : 4;
        int unit = chunk == 8 ? 2 : 1;
        int[][] kept = new int[shape.m()][shape.k() / 2];
        for (int row = 0; row < shape.m(); row++) {
            int n = 0;
            for (int from = 0; from < shape.k(); from += chunk) {
                int first = random.nextInt(chunk == 2 ? 2 : 3);
                int second = chunk == 2 ? -1 : random.nextInt(first + 1, 4);
                for (int u = 0; u < chunk / unit; u++) {
                    for (int e = 0; e < unit; e++) {
                        if (u == first || u == second) {
                            kept[row][n++] = from + u * unit + e;
                        } else {
                            a[row][from + u * unit + e] = 0;
                        }
                    }
                }
            }
        }
        return kept;
    }

    /** Figures 119 to 147: sixteen bits of two rows share a word, else a row has words of its own. */
    private void putMetadata(int[][] kept, int word) {
        int bits = bits(typeA);
        for (int row = 0; row < 16; row++) {
            long all = 0;
            long high = 0;
            int chunk = typeA == ScalarType.TF32 ? 2 : bits == 4 ? 8 : 4;
            for (int n = 0; n < shape.k() / chunk; n++) {
                long nibble = switch (chunk) {
                    case 2 -> kept[row][n] % 2 == 0 ? 0b0100 : 0b1110;
                    case 4 -> kept[row][2 * n] % 4 | kept[row][2 * n + 1] % 4 << 2;
                    default -> kept[row][4 * n] % 8 / 2 | kept[row][4 * n + 2] % 8 / 2 << 2;
                };
                if (n < 16) {
                    all |= nibble << 4 * n;
                } else {
                    high |= nibble << 4 * (n - 16);
                }
            }
            assertEquals(0, high);
            int group = row % 8 * 4;
            if (bits >= 16) {
                words[group * MatrixProbe.WORDS + word] |= (int) ((all & 0xffff) << (row < 8 ? 0 : 16));
                words[(group + 1) * MatrixProbe.WORDS + word] |= (int) ((all >>> 16 & 0xffff) << (row < 8 ? 0 : 16));
            } else {
                words[(group + row / 8) * MatrixProbe.WORDS + word] = (int) all;
                words[(group + 2 + row / 8) * MatrixProbe.WORDS + word] = (int) (all >>> 32);
            }
        }
    }

    // Scale factors

    /** Factors of the 16 rows of A, then of the 8 columns of B, by part; in the words of the first threads of each group. */
    private double[][] scales() {
        int parts = spelling.has(Modifier.SCALE_VEC_4X) ? 4 : spelling.has(Modifier.KIND_MXF8F6F4) ? 1 : 2;
        double[][] scales = new double[24][parts];
        for (int line = 0; line < 24; line++) {
            int lane = line < 16 ? line % 8 * 4 + line / 8 : (line - 16) * 4;
            for (int part = 0; part < parts; part++) {
                int power = random.nextInt(-1, 2);
                scales[line][part] = Math.scalb(1.0, power);
                int code = spelling.lastType() == ScalarType.UE8M0 ? 127 + power : 0x38 + 8 * power;
                words[lane * MatrixProbe.WORDS + next + (line < 16 ? 0 : 1)] |= code << 8 * part;
            }
        }
        next += 2;
        return scales;
    }

    // Elements

    private static long code(ScalarType type, double value) {
        return switch (type) {
            case F64 -> Double.doubleToRawLongBits(value);
            case F32, TF32 -> Float.floatToRawIntBits((float) value) & 0xffffffffL;
            case F16 -> Float.floatToFloat16((float) value) & 0xffffL;
            case BF16 -> Float.floatToRawIntBits((float) value) >>> 16;
            case E4M3 -> small(value, 3, 7) | (value < 0 ? 0x80 : 0);
            case E5M2 -> small(value, 2, 15) | (value < 0 ? 0x80 : 0);
            case E2M3 -> small(value, 3, 1) | (value < 0 ? 0x20 : 0);
            case E3M2 -> small(value, 2, 3) | (value < 0 ? 0x20 : 0);
            case E2M1 -> small(value, 1, 1) | (value < 0 ? 8 : 0);
            default -> (long) value & (1L << type.bits()) - 1;
        };
    }

    /** The code of the magnitude 0, 1 or 2. */
    private static long small(double value, int fractionBits, int bias) {
        return value == 0 ? 0 : (long) (bias + (Math.abs(value) == 2 ? 1 : 0)) << fractionBits;
    }
}
