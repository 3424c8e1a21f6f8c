package io.ptx4j.jit.support;

import io.ptx4j.engine.AddressSpace;
import io.ptx4j.engine.Cluster;
import io.ptx4j.engine.Fault;
import io.ptx4j.engine.TensorKind;
import io.ptx4j.engine.TensorMemory;
import io.ptx4j.engine.TensorProduct;
import io.ptx4j.engine.Worker;
import io.ptx4j.isa.ScalarType;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.IntUnaryOperator;

/** What a thread alone does with tensor memory (manual: "TensorCore 5th Generation Family Instructions"), done when it is issued. */
public final class TensorCores {
    private static final int NAN = 0x7fffffff;
    /** Bytes of a row of A, or a column of B. */
    private static final int ROW = 32;
    private static final int PIECE = 16;
    /** Rows of D that are added up together. */
    static final int ROWS = 4;
    private static final boolean VECTORS = ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent();
    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle SHORTS = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
    /** Numbers of all codes of the small types. */
    private static final Map<ScalarType, float[]> NUMBERS = numbers();

    private TensorCores() {
    }

    private static Map<ScalarType, float[]> numbers() {
        Map<ScalarType, float[]> all = new EnumMap<>(ScalarType.class);
        all.put(ScalarType.E4M3, numbers(8, SmallFloats::e4m3ToF16));
        all.put(ScalarType.E5M2, numbers(8, SmallFloats::e5m2ToF16));
        all.put(ScalarType.E2M3, numbers(6, SmallFloats::e2m3ToF16));
        all.put(ScalarType.E3M2, numbers(6, SmallFloats::e3m2ToF16));
        all.put(ScalarType.E2M1, numbers(4, SmallFloats::e2m1ToF16));
        return all;
    }

    private static float[] numbers(int bits, IntUnaryOperator toHalf) {
        float[] numbers = new float[1 << bits];
        for (int code = 0; code < numbers.length; code++) {
            numbers[code] = HalfOps.fromF16(toHalf.applyAsInt(code));
        }
        return numbers;
    }

    /** @throws Fault if there is a problem */
    public static void require(String problem) {
        if (problem != null) {
            throw Fault.at(Fault.Kind.ILLEGAL_OPERAND, problem, 0, -1, -1);
        }
    }

    /** {@code tcgen05.relinquish_alloc_permit}. */
    public static void relinquish(Worker worker, long block) {
        worker.tensor(block).relinquish();
    }

    /** {@code tcgen05.commit}, of a generic address. */
    public static void commit(Worker worker, long mbarrier) {
        Mbarriers.arrive(worker.memory, Mbarriers.inShared(worker, mbarrier - AddressSpace.ORIGIN), 1);
        if (worker.checks != null) {
            worker.checks.arrived(mbarrier - AddressSpace.ORIGIN);
        }
    }

    /** The same in each block whose bit {@code blocks} has. */
    public static void commitTo(Worker worker, long mbarrier, int blocks) {
        for (int left = blocks; left != 0; left &= left - 1) {
            commit(worker, Clusters.mapGeneric(worker, mbarrier, Integer.numberOfTrailingZeros(left)));
        }
    }

    /** Which rows {@code tcgen05.cp} has, and which lanes get them. */
    public enum Copied {
        ALL(128), HALF_TO_EVERY_OTHER(64), HALF_TO_NEIGHBOURS(64), QUARTER_TO_ALL(32);

        private final int rows;

        Copied(int rows) {
            this.rows = rows;
        }

        private int row(int lane) {
            return switch (this) {
                case ALL -> lane;
                case HALF_TO_EVERY_OTHER -> lane & 63;
                case HALF_TO_NEIGHBOURS -> lane >> 6 << 5 | lane & 31;
                case QUARTER_TO_ALL -> lane & 31;
            };
        }
    }

    /**
     * {@code tcgen05.cp}.
     *
     * @param blocks 1, or 2 for a pair, each of which copies for itself
     * @param pieces of 16 bytes that a lane gets
     * @param bits of an element in shared memory, of which a lane gets bytes
     */
    public static void copy(Worker worker, long block, int blocks, Copied copied, int to, long descriptor, int pieces, int bits) {
        worker.tensor(block);
        for (Worker peer : peers(worker, blocks)) {
            copy(peer, copied, to, descriptor, pieces, bits);
        }
    }

    /** The workers of a pair of blocks, or that one alone. */
    private static Worker[] peers(Worker worker, int blocks) {
        if (blocks == 1) {
            return new Worker[] {worker};
        }
        Cluster cluster = worker.cluster();
        int[] pair = cluster.pair(cluster.rank(worker));
        require(pair == null ? "a pair of blocks, where the cluster has " + cluster.blocks() : null);
        return new Worker[] {cluster.worker(pair[0]), cluster.worker(pair[1])};
    }

    private static void copy(Worker worker, Copied copied, int to, long descriptor, int pieces, int bits) {
        TensorMemory memory = worker.tensorOfPeer();
        require(memory.outside(to, TensorMemory.LANES, pieces * PIECE / Integer.BYTES));
        byte[] bytes = new SharedRows(worker, descriptor).read(copied.rows, pieces);
        for (int lane = 0; lane < TensorMemory.LANES; lane++) {
            int from = copied.row(lane) * pieces * PIECE;
            int at = TensorMemory.index(lane, TensorMemory.column(to));
            for (int word = 0; word < pieces * PIECE / Integer.BYTES; word++) {
                memory.cells[at + word] = bits == Byte.SIZE ? (int) INTS.get(bytes, from + word * Integer.BYTES) : spread(bytes, from + word / 4 * PIECE, word % 4 * 4, bits);
            }
        }
    }

    /** Four elements of a piece as bytes. */
    private static int spread(byte[] bytes, int piece, int first, int bits) {
        int word = 0;
        for (int e = 0; e < 4; e++) {
            word |= packed(bytes, piece, first + e, bits) << 8 * e;
        }
        return word;
    }

    /** An element of those that lie side by side at the start of a piece. */
    private static int packed(byte[] bytes, int piece, int element, int bits) {
        int bit = element * bits;
        int at = piece + (bit >> 3);
        int both = bytes[at] & 0xff | ((bit & 7) + bits > 8 ? (bytes[at + 1] & 0xff) << 8 : 0);
        return both >> (bit & 7) & (1 << bits) - 1;
    }

    /** Rows of bytes that a descriptor finds in shared memory (manual: "Shared Memory Matrix Layout"): pieces of 16, eight rows to a group. */
    private static final class SharedRows {
        private final Worker worker;
        private final int start;
        private final int leading;
        private final int stride;
        private final int base;
        private final int shift;

        SharedRows(Worker worker, long descriptor) {
            require((descriptor >>> 61 & 1) == 0 && (descriptor >>> 52 & 1) == 0 ? null
                    : "matrix descriptor 0x" + Long.toHexString(descriptor) + " has pieces of 32 bytes or an absolute stride, which are not supported");
            this.worker = worker;
            this.start = (int) (descriptor & 0x3fff) * PIECE;
            this.leading = (int) (descriptor >>> 16 & 0x3fff) * PIECE;
            this.stride = (int) (descriptor >>> 32 & 0x3fff) * PIECE;
            this.base = (int) (descriptor >>> 49 & 7);
            int mode = (int) (descriptor >>> 62);
            this.shift = mode == 0 ? 0 : 4 - mode;
        }

        /** Rows whose pieces lie along K, one after the other. */
        byte[] read(int rows, int pieces) {
            byte[] bytes = new byte[rows * pieces * PIECE];
            for (int row = 0; row < rows; row++) {
                for (int piece = 0; piece < pieces; piece++) {
                    read((row >> 3) * stride + (piece >> shift) * leading, row, piece, bytes, (row * pieces + piece) * PIECE);
                }
            }
            return bytes;
        }

        /** Rows one for each element along K, whose pieces lie along the other dimension. */
        byte[] readTurned(int rows, int pieces) {
            byte[] bytes = new byte[rows * pieces * PIECE];
            for (int row = 0; row < rows; row++) {
                for (int piece = 0; piece < pieces; piece++) {
                    int group = shift == 0 ? piece * stride + (row >> 3) * leading : (piece >> shift) * leading + (row >> 3) * stride;
                    read(group, row, piece, bytes, (row * pieces + piece) * PIECE);
                }
            }
            return bytes;
        }

        private void read(int group, int row, int piece, byte[] bytes, int to) {
            int mask = (1 << shift) - 1;
            int address = start + group + ((row & 7) << shift) * PIECE + (piece & mask) * PIECE;
            address ^= ((address >> 7) - base & mask) * PIECE;
            long offset = Memory.within(worker.shared, address, PIECE, false);
            if (worker.checks != null) {
                Checks.range(worker, worker.sharedBase - AddressSpace.ORIGIN + offset, PIECE, false);
            }
            MemorySegment.copy(worker.shared, Memory.I8, offset, bytes, to, PIECE);
        }
    }

    /**
     * {@code tcgen05.mma}.
     *
     * @param parts scale factors of a row; 0 for none
     * @param a a descriptor, or an address in tensor memory where {@code inTensor} is 1
     * @param counts whether D does
     * @param shift D counts for {@code D / 2^shift}
     * @param off0 bits of lanes that keep what they have
     * @param scaleA where scale factors are in tensor memory
     */
    public static void multiply(Worker worker, long block, TensorKind kind, int blocks, int parts, int d, long a, int inTensor, long b, int descriptor, int counts, int shift,
            int off0, int off1, int off2, int off3, int off4, int off5, int off6, int off7, int scaleA, int scaleB) {
        TensorProduct product = TensorProduct.of(kind, blocks, parts, descriptor, TensorCores::require);
        worker.tensor(block);
        Worker[] peers = peers(worker, blocks);
        Matrix[] ofA = new Matrix[blocks];
        Matrix[] ofB = new Matrix[blocks];
        for (int i = 0; i < blocks; i++) {
            TensorMemory memory = peers[i].tensorOfPeer();
            require(memory.outside(d, product.lanes(), product.columns()));
            ofA[i] = inTensor != 0 ? inTensor(memory, kind, product, (int) a) : Matrix.read(peers[i], a, kind, product.a(), product.rows(), product.turnedA());
            ofB[i] = Matrix.read(peers[i], b, kind, product.b(), product.columnsOfB(), product.turnedB());
        }
        int[] off = {off0, off1, off2, off3, off4, off5, off6, off7};
        if (!product.a().isFloat()) {
            for (int i = 0; i < blocks; i++) {
                integers(peers[i].tensorOfPeer(), d, product, ofA[i], ofB, counts != 0, off, 4 * i);
            }
            return;
        }
        int width = VECTORS && parts == 0 ? TensorLanes.padded(product.n()) : product.n();
        float[] bs = new float[width * kind.k()];
        for (int i = 0; i < blocks; i++) {
            ofB[i].numbers(product.negatesB(), bs, i * product.columnsOfB(), 1, width);
        }
        for (int i = 0; i < blocks; i++) {
            floats(peers[i].tensorOfPeer(), d, kind, product, ofA[i], bs, parts, counts != 0, shift, off, 4 * i, scaleA, scaleB);
        }
    }

    private static void floats(TensorMemory memory, int d, TensorKind kind, TensorProduct product, Matrix ofA, float[] bs, int parts, boolean counts, int shift,
            int[] off, int mask, int scaleA, int scaleB) {
        int n = product.n();
        int k = kind.k();
        float[] as = new float[product.rows() * k];
        ofA.numbers(product.negatesA(), as, 0, k, 1);
        double[] factorsA = parts == 0 ? null : factors(memory, scaleA, product.rows(), parts, product.partA(), product.powers());
        double[] factorsB = parts == 0 ? null : factors(memory, scaleB, n, parts, product.partB(), product.powers());
        Sums sums = new Sums(bs.length / k);
        for (int row = 0; row < product.rows(); row += ROWS) {
            sums.read(memory.cells, product, d, row, counts, shift);
            if (parts > 0) {
                for (int r = 0; r < ROWS; r++) {
                    for (int p = 0; p < k; p++) {
                        int part = p * parts / k;
                        scaled(as[(row + r) * k + p] * factorsA[(row + r) * parts + part], bs, p * n, n, factorsB, part, parts, sums.values, r * n);
                    }
                }
            } else if (VECTORS) {
                TensorLanes.add(as, row * k, k, bs, sums.width, sums.values);
            } else {
                for (int r = 0; r < ROWS; r++) {
                    for (int p = 0; p < k; p++) {
                        add(as[(row + r) * k + p], bs, p * n, n, sums.values, r * n);
                    }
                }
            }
            sums.write(memory.cells, product, d, row, off, mask);
        }
    }

    /** Four rows of D as they are added up, {@code width} elements each. */
    private record Sums(int width, float[] values) {
        Sums(int width) {
            this(width, new float[ROWS * width]);
        }

        void read(int[] cells, TensorProduct product, int d, int row, boolean counts, int shift) {
            if (!counts) {
                Arrays.fill(values, 0);
                return;
            }
            float scale = Math.scalb(1f, -shift);
            boolean halves = product.d() == ScalarType.F16;
            int side = product.columns();
            for (int r = 0; r < ROWS; r++) {
                for (int from = 0; from < product.n(); from += side) {
                    int at = at(product, d, row + r, from);
                    int to = r * width + from;
                    for (int j = 0; j < side; j++) {
                        values[to + j] = (halves ? HalfOps.fromF16(cells[at + j]) : Float.intBitsToFloat(cells[at + j])) * scale;
                    }
                }
            }
        }

        void write(int[] cells, TensorProduct product, int d, int row, int[] off, int mask) {
            boolean halves = product.d() == ScalarType.F16;
            int side = product.columns();
            for (int r = 0; r < ROWS; r++) {
                for (int from = 0; from < product.n(); from += side) {
                    int lane = TensorMemory.lane(d) + product.lane(row + r, from);
                    if ((off[mask + (lane >> 5)] >>> lane & 1) != 0) {
                        continue;
                    }
                    int at = at(product, d, row + r, from);
                    int of = r * width + from;
                    for (int j = 0; j < side; j++) {
                        float sum = values[of + j];
                        cells[at + j] = halves ? HalfOps.roundF16(sum) & 0xffff : sum == sum ? Float.floatToRawIntBits(sum) : NAN;
                    }
                }
            }
        }
    }

    /** Where an element of D is among the cells. */
    private static int at(TensorProduct product, int d, int row, int column) {
        return TensorMemory.index(TensorMemory.lane(d) + product.lane(row, column), TensorMemory.column(d) + product.column(column));
    }

    private static void add(float x, float[] ys, int from, int n, float[] sums, int to) {
        for (int j = 0; j < n; j++) {
            sums[to + j] = Math.fma(x, ys[from + j], sums[to + j]);
        }
    }

    /** Scaled elements and their products are exact in double precision. */
    private static void scaled(double x, float[] ys, int from, int n, double[] factors, int part, int parts, float[] sums, int to) {
        for (int j = 0; j < n; j++) {
            sums[to + j] = FloatOps.roundedSum(x * (ys[from + j] * factors[j * parts + part]), sums[to + j]);
        }
    }

    private static void integers(TensorMemory memory, int d, TensorProduct product, Matrix ofA, Matrix[] ofB, boolean counts, int[] off, int mask) {
        int k = TensorKind.I8.k();
        for (int row = 0; row < product.rows(); row++) {
            for (int j = 0; j < product.n(); j++) {
                int lane = TensorMemory.lane(d) + product.lane(row, j);
                if ((off[mask + (lane >> 5)] >>> lane & 1) != 0) {
                    continue;
                }
                Matrix b = ofB[j / product.columnsOfB()];
                int sum = 0;
                for (int p = 0; p < k; p++) {
                    sum += ofA.integer(row, p) * b.integer(j % product.columnsOfB(), p);
                }
                int at = at(product, d, row, j);
                long all = (counts ? memory.cells[at] : 0L) + sum;
                memory.cells[at] = product.finite() ? Math.clamp(all, Integer.MIN_VALUE, Integer.MAX_VALUE) : (int) all;
            }
        }
    }

    /** By row and part: 32 rows one below the other, the next 32 in the next column. */
    private static double[] factors(TensorMemory memory, int address, int rows, int parts, int first, boolean powers) {
        require(memory.outside(address, TensorMemory.LANES_OF_WARP, (rows + 31) / 32));
        double[] factors = new double[rows * parts];
        for (int row = 0; row < rows; row++) {
            int word = memory.cells[TensorMemory.index(TensorMemory.lane(address) + row % 32, TensorMemory.column(address) + row / 32)];
            for (int part = 0; part < parts; part++) {
                int code = word >>> 8 * (first + part) & 0xff;
                factors[row * parts + part] = !powers ? HalfOps.fromF16(SmallFloats.e4m3ToF16(code & 0x7f)) : code == 0xff ? Double.NaN : Math.scalb(1.0, code - 127);
            }
        }
        return factors;
    }

    private static Matrix inTensor(TensorMemory memory, TensorKind kind, TensorProduct product, int address) {
        require(memory.outside(address, product.lanesOfA(), ROW / Integer.BYTES));
        require(product.turnedA() ? "A is turned, in tensor memory" : null);
        byte[] bytes = new byte[product.rows() * ROW];
        for (int row = 0; row < product.rows(); row++) {
            int at = TensorMemory.index(TensorMemory.lane(address) + product.lane(row), TensorMemory.column(address));
            for (int word = 0; word < ROW / Integer.BYTES; word++) {
                INTS.set(bytes, row * ROW + word * Integer.BYTES, memory.cells[at + word]);
            }
        }
        return new Matrix(bytes, kind, product.a(), product.rows(), false, false);
    }

    /**
     * A, or B with its columns as rows.
     *
     * @param turned whether bytes lie by element along K, then by row
     * @param padded elements of fewer than 8 bits lie at the start of 16 bytes for sixteen
     */
    private record Matrix(byte[] bytes, TensorKind kind, ScalarType type, int rows, boolean turned, boolean padded) {
        static Matrix read(Worker worker, long descriptor, TensorKind kind, ScalarType type, int rows, boolean turned) {
            SharedRows all = new SharedRows(worker, descriptor);
            require(turned && kind == TensorKind.TF32 ? "a turned matrix of tf32, which is not supported" : null);
            int pieces = turned ? (rows * kind.bits() / Byte.SIZE + PIECE - 1) / PIECE : ROW / PIECE;
            byte[] bytes = turned ? all.readTurned(kind.k(), pieces) : all.read(rows, pieces);
            return new Matrix(bytes, kind, type, rows, turned, TensorProduct.isPadded(kind, type));
        }

        /** Raw bits. */
        private int element(int row, int p) {
            int line = turned ? p : row;
            int e = turned ? row : p;
            int length = bytes.length / (turned ? kind.k() : rows);
            if (padded) {
                return packed(bytes, line * length + e / PIECE * PIECE, e % PIECE, type.bits());
            }
            return switch (kind.bits()) {
                case 4 -> bytes[line * length + e / 2] >> e % 2 * 4 & 0xf;
                case 8 -> bytes[line * length + e] & (1 << type.bits()) - 1;
                case 16 -> (short) SHORTS.get(bytes, line * length + 2 * e);
                default -> (int) INTS.get(bytes, line * length + 4 * e);
            };
        }

        int integer(int row, int p) {
            int code = element(row, p);
            return type.signed() ? (byte) code : code;
        }

        /** Puts element {@code p} of a row at {@code from + row * rowStep + p * step}. */
        void numbers(boolean negated, float[] to, int from, int rowStep, int step) {
            if (type == ScalarType.F16 && !turned) {
                halves(negated ? -1 : 1, to, from, rowStep, step);
                return;
            }
            float[] small = NUMBERS.get(type);
            for (int row = 0; row < rows; row++) {
                for (int p = 0; p < kind.k(); p++) {
                    int bits = element(row, p);
                    float number = switch (type) {
                        case F16 -> Float.float16ToFloat((short) bits);
                        case BF16 -> Float.intBitsToFloat(bits << 16);
                        case TF32 -> Float.intBitsToFloat(bits & 0xffffe000);
                        default -> small[bits];
                    };
                    to[from + row * rowStep + p * step] = negated ? -number : number;
                }
            }
        }

        private void halves(float sign, float[] to, int from, int rowStep, int step) {
            int k = TensorKind.F16.k();
            for (int row = 0; row < rows; row++) {
                int at = from + row * rowStep;
                for (int p = 0; p < k; p++) {
                    to[at + p * step] = sign * Float.float16ToFloat((short) SHORTS.get(bytes, row * ROW + 2 * p));
                }
            }
        }
    }
}
