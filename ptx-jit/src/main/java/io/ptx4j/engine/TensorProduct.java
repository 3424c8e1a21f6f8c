package io.ptx4j.engine;

import io.ptx4j.isa.ScalarType;

import java.util.function.Consumer;

/**
 * What the instruction descriptor of {@code tcgen05.mma} says (manual: "Instruction descriptor").
 *
 * @param m rows of all blocks
 * @param blocks 2 for a pair, each of which has half the rows of A and D and half the columns of B
 * @param a elements of A
 * @param d elements of D: {@code .f16}, {@code .f32} or {@code .s32}
 * @param turnedA whether rows of A lie along M instead of K
 * @param finite whether integers are clamped
 * @param powers whether scale factors are {@code .ue8m0}, else {@code .ue4m3}
 * @param partA which byte has the first scale factor of a row of A
 */
public record TensorProduct(int m, int n, int blocks, ScalarType a, ScalarType b, ScalarType d, boolean negatesA, boolean negatesB, boolean turnedA, boolean turnedB, boolean finite, boolean powers,
        int partA, int partB) {
    private static final int LEAST_M = 64;
    private static final int MOST_N = 256;

    /**
     * @param blocks 1, or 2 for a pair
     * @param parts scale factors of a row: 0 for none
     * @param refuse takes what is wrong with it, and throws
     */
    public static TensorProduct of(TensorKind kind, int blocks, int parts, int descriptor, Consumer<String> refuse) {
        Fields fields = new Fields(descriptor, refuse);
        fields.require(fields.get(2, 1) == 0, "says that A is sparse");
        boolean scales = kind.scales();
        int m = fields.get(24, 5) * 16;
        int n = fields.get(17, 6) * 8;
        int most = blocks * 2 * LEAST_M;
        fields.require(m == most || m == most / 2 && !(scales && blocks == 1), "has " + m + " rows; possible are " + (scales && blocks == 1 ? "" : most / 2 + " and ") + most);
        boolean wide = blocks > 1 || m > LEAST_M && !scales || kind == TensorKind.I8 && n > 32;
        fields.require(n > 0 && n <= MOST_N && (n % 16 == 0 || !wide), "has " + n + " columns; possible are multiples of " + (wide ? 16 : 8) + " up to " + MOST_N);
        ScalarType a = fields.element(kind, 7);
        ScalarType b = fields.element(kind, 10);
        boolean turns = kind != TensorKind.MXF4 && kind != TensorKind.MXF4NVF4;
        fields.require(turns || fields.get(15, 2) == 0, "turns matrices of elements of 4 bits");
        ScalarType d = scales ? ScalarType.F32 : fields.sum(kind, a, b);
        int partA = scales ? fields.get(29, 2) : 0;
        int partB = scales ? fields.get(4, 2) : 0;
        fields.require(!scales || partA % parts == 0 && partB % parts == 0, "begins " + parts + " scale factors with bytes " + partA + " and " + partB);
        fields.require(!scales || fields.get(31, 1) == 0, "multiplies 96 columns, which is not supported");
        boolean powers = fields.get(23, 1) == 1;
        fields.require(!scales || powers || kind == TensorKind.MXF4NVF4, "has scale factors of ue4m3");
        boolean signed = kind != TensorKind.I8;
        return new TensorProduct(m, n, blocks, a, b, d, signed && fields.get(13, 1) == 1, signed && fields.get(14, 1) == 1, fields.get(15, 1) == 1, fields.get(16, 1) == 1,
                kind == TensorKind.I8 && fields.get(3, 1) == 1, powers, partA, partB);
    }

    /** Elements of fewer than 8 bits that have a byte each where they are multiplied, and lie sixteen to 16 bytes in shared memory. */
    public static boolean isPadded(TensorKind kind, ScalarType element) {
        return kind.bits() == Byte.SIZE && element.bits() < Byte.SIZE;
    }

    /** Rows that each block has. */
    public int rows() {
        return m / blocks;
    }

    /** Columns of B that each block has. */
    public int columnsOfB() {
        return n / blocks;
    }

    /** Lane that has a row of A in tensor memory, from the operand's own on: of 64 rows of one block each warp has sixteen. */
    public int lane(int row) {
        return m == LEAST_M ? row / 16 * TensorMemory.LANES_OF_WARP + row % 16 : row;
    }

    /** Whether D's right half lies in the lanes below its left half, as it does where each block of a pair has 64 rows. */
    private boolean isHalved() {
        return blocks > 1 && rows() == LEAST_M;
    }

    /** Lane that has an element of D. */
    public int lane(int row, int column) {
        return isHalved() ? column / (n / 2) * LEAST_M + row : lane(row);
    }

    /** Column of tensor memory that has an element of D, from the operand's own on. */
    public int column(int column) {
        return isHalved() ? column % (n / 2) : column;
    }

    /** Lanes from A's first row to its last. */
    public int lanesOfA() {
        return lane(rows() - 1) + 1;
    }

    /** Lanes from D's first row to its last. */
    public int lanes() {
        return isHalved() ? 2 * LEAST_M : lanesOfA();
    }

    /** Columns of tensor memory that D takes. */
    public int columns() {
        return isHalved() ? n / 2 : n;
    }

    private record Fields(int descriptor, Consumer<String> refuse) {
        int get(int first, int bits) {
            return descriptor >>> first & (1 << bits) - 1;
        }

        void require(boolean holds, String otherwise) {
            if (!holds) {
                refuse.accept("instruction descriptor 0x" + Integer.toHexString(descriptor) + " " + otherwise);
            }
        }

        ScalarType element(TensorKind kind, int first) {
            int code = get(first, 3);
            ScalarType type = switch (kind) {
                case F16 -> code == 0 ? ScalarType.F16 : code == 1 ? ScalarType.BF16 : null;
                case TF32 -> code == 2 ? ScalarType.TF32 : null;
                case I8 -> code == 0 ? ScalarType.U8 : code == 1 ? ScalarType.S8 : null;
                case F8F6F4, MXF8F6F4 -> switch (code) {
                    case 0 -> ScalarType.E4M3;
                    case 1 -> ScalarType.E5M2;
                    case 3 -> ScalarType.E2M3;
                    case 4 -> ScalarType.E3M2;
                    case 5 -> ScalarType.E2M1;
                    default -> null;
                };
                case MXF4, MXF4NVF4 -> (code & 3) == 1 ? ScalarType.E2M1 : null;
            };
            require(type != null, "has elements of format " + code + (first == 7 ? " in A" : " in B"));
            return type;
        }

        ScalarType sum(TensorKind kind, ScalarType a, ScalarType b) {
            int code = get(4, 2);
            boolean halves = kind == TensorKind.F8F6F4 || kind == TensorKind.F16 && a == ScalarType.F16 && b == ScalarType.F16;
            ScalarType type = kind == TensorKind.I8 ? code == 2 ? ScalarType.S32 : null : code == 1 ? ScalarType.F32 : code == 0 && halves ? ScalarType.F16 : null;
            require(type != null, "has elements of format " + code + " in D");
            return type;
        }
    }
}
