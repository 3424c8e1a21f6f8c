package io.ptx4j.interpreter;

import io.ptx4j.engine.TensorKind;
import io.ptx4j.engine.TensorMemory;
import io.ptx4j.engine.TensorProduct;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.Spelling;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;

/** D = A B + D in tensor memory (manual: "tcgen05.mma"). Each element of D is made of the products in the order of k, as docs/matrix.md, "Arithmetic", says. */
final class TensorProducts {
    private static final Rounding NEAREST = Rounding.Fixed.NEAREST_EVEN;
    private static final FloatResult SINGLE = new FloatResult(Format.F32, NEAREST, false, false, false, false);

    private final Spelling spelling;
    private final TensorKind kind;
    private final int parts;
    private final Source toD;
    private final Source toA;
    /** Whether A lies in tensor memory. */
    private final boolean inTensor;
    private final Source descriptorB;
    private final Source descriptor;
    private final Source counts;
    private final List<Source> disabled;
    private final int shift;
    private final Source scaleA;
    private final Source scaleB;

    private TensorProducts(Instruction instruction, Operands operands, ToIntFunction<String> at) {
        this.spelling = instruction.spelling();
        this.kind = TensorKind.of(spelling);
        this.parts = kind.parts(spelling);
        this.toD = TensorCores.address(instruction, operands, at.applyAsInt("d"));
        int a = at.applyAsInt("a");
        this.inTensor = instruction.operand(a) instanceof Operand.Address;
        this.toA = inTensor ? TensorCores.address(instruction, operands, a) : operands.source(a);
        this.descriptorB = operands.source(at.applyAsInt("b"));
        this.descriptor = operands.source(at.applyAsInt("i"));
        this.counts = operands.source(at.applyAsInt("e"));
        int lanes = at.applyAsInt("l");
        this.disabled = lanes < 0 ? List.of() : operands.elements(lanes);
        int scale = at.applyAsInt("s");
        this.shift = scale < 0 ? 0 : (int) ((Operand.Immediate) instruction.operand(scale)).bits();
        this.scaleA = parts == 0 ? null : TensorCores.address(instruction, operands, at.applyAsInt("x"));
        this.scaleB = parts == 0 ? null : TensorCores.address(instruction, operands, at.applyAsInt("y"));
    }

    static Step step(Instruction instruction, Operands operands, ToIntFunction<String> at) {
        for (Modifier modifier : List.of(Modifier.WS, Modifier.SP, Modifier.ASHIFT)) {
            if (instruction.spelling().has(modifier)) {
                throw new NoDefinition(modifier + " has no definition in the interpreter");
            }
        }
        return new TensorProducts(instruction, operands, at)::execute;
    }

    /** How a matrix lies that a descriptor of this generation finds. */
    static SharedLayout layout(ThreadState thread, long descriptor) {
        boolean known = Bits.field(descriptor, 61, 1) == 0 && Bits.field(descriptor, 52, 1) == 0;
        TensorCores.require(thread, known ? null : "matrix descriptor 0x" + Long.toHexString(descriptor) + " has pieces of 32 bytes or an absolute stride, which are not supported");
        return SharedLayout.of(descriptor);
    }

    private void execute(ThreadState thread) {
        boolean pair = spelling.has(Modifier.CTA_GROUP_2);
        TensorProduct product = TensorProduct.of(kind, pair ? 2 : 1, parts, (int) descriptor.bits(thread), problem -> TensorCores.require(thread, problem));
        List<TensorCores.Peer> peers = TensorCores.peers(thread, pair);
        int d = (int) toD.bits(thread);
        List<long[][]> as = new ArrayList<>();
        List<long[]> bs = new ArrayList<>();
        for (TensorCores.Peer peer : peers) {
            TensorCores.require(thread, peer.memory().outside(d, product.lanes(), product.columns()));
            as.add(inTensor ? inTensor(thread, peer.memory(), product, (int) toA.bits(thread))
                    : inShared(thread, peer, toA.bits(thread), product.rows(), product.a(), product.turnedA()));
            bs.addAll(List.of(inShared(thread, peer, descriptorB.bits(thread), product.columnsOfB(), product.b(), product.turnedB())));
        }
        for (int i = 0; i < peers.size(); i++) {
            multiply(thread, product, peers.get(i).memory(), d, as.get(i), bs.toArray(long[][]::new), i * 4);
        }
    }

    /** @param mask which of the words that keep lanes from changing is the block's first */
    private void multiply(ThreadState thread, TensorProduct product, TensorMemory memory, int d, long[][] as, long[][] bs, int mask) {
        Exact[][] factorsA = parts == 0 ? null : factors(thread, memory, (int) scaleA.bits(thread), product.rows(), product.partA(), product.powers());
        Exact[][] factorsB = parts == 0 ? null : factors(thread, memory, (int) scaleB.bits(thread), product.n(), product.partB(), product.powers());
        boolean adds = counts.bits(thread) != 0;
        Exact[][] xs = product.a().isFloat() ? numbers(as, product.a(), product.negatesA(), factorsA) : null;
        Exact[][] ys = product.a().isFloat() ? numbers(bs, product.b(), product.negatesB(), factorsB) : null;
        for (int row = 0; row < product.rows(); row++) {
            for (int column = 0; column < product.n(); column++) {
                int lane = TensorMemory.lane(d) + product.lane(row, column);
                if (disabled.isEmpty() || !Bits.bit(disabled.get(mask + lane / 32).bits(thread), lane % 32)) {
                    int at = TensorMemory.index(lane, TensorMemory.column(d) + product.column(column));
                    long before = adds ? Bits.cut(memory.cells[at], 32) : 0;
                    memory.cells[at] = (int) (xs != null ? sum(product, before, xs[row], ys[column]) : sumOfIntegers(product, before, as[row], bs[column]));
                }
            }
        }
    }

    /** Elements along K of each row of A, or column of B. */
    private long[][] inShared(ThreadState thread, TensorCores.Peer peer, long descriptorOf, int rows, ScalarType type, boolean turned) {
        SharedLayout layout = layout(thread, descriptorOf);
        TensorCores.require(thread, turned && kind == TensorKind.TF32 ? "a turned matrix of tf32, which is not supported" : null);
        long[][] elements = new long[rows][kind.k()];
        for (int row = 0; row < rows; row++) {
            for (int i = 0; i < kind.k(); i++) {
                long bit = bitOf(turned ? row : i, type);
                int bits = Math.min(type.bits(), kind.bits());
                long at = turned ? layout.ofTurned(bit / 8, i) : layout.ofPlain(row, bit / 8);
                elements[row][i] = bits > 8 ? layout.read(thread, peer.rank(), at, bits / 8, spelling.text())
                        : layout.bits(thread, peer.rank(), at, (int) (bit % 8), bits, spelling.text());
            }
        }
        return elements;
    }

    /** Where an element of a row begins: padded ones lie sixteen to 16 bytes. */
    private long bitOf(int i, ScalarType type) {
        return TensorProduct.isPadded(kind, type) ? i / 16 * 128L + i % 16 * (long) type.bits() : (long) i * kind.bits();
    }

    /** A in tensor memory: along K as many elements to a column as it has room for. */
    private long[][] inTensor(ThreadState thread, TensorMemory memory, TensorProduct product, int address) {
        int each = 32 / kind.bits();
        TensorCores.require(thread, memory.outside(address, product.lanesOfA(), kind.k() / each));
        TensorCores.require(thread, product.turnedA() ? "A is turned, in tensor memory" : null);
        long[][] elements = new long[product.rows()][kind.k()];
        for (int row = 0; row < product.rows(); row++) {
            for (int i = 0; i < kind.k(); i++) {
                int at = TensorMemory.index(TensorMemory.lane(address) + product.lane(row), TensorMemory.column(address) + i / each);
                elements[row][i] = Bits.field(memory.cells[at], i % each * kind.bits(), Math.min(product.a().bits(), kind.bits()));
            }
        }
        return elements;
    }

    /** Scale factors by row and part: 32 rows one below the other, the next 32 in the next column, their bytes side by side. */
    private Exact[][] factors(ThreadState thread, TensorMemory memory, int address, int rows, int first, boolean powers) {
        TensorCores.require(thread, memory.outside(address, 32, (rows + 31) / 32));
        Exact[][] factors = new Exact[rows][parts];
        for (int row = 0; row < rows; row++) {
            int word = memory.cells[TensorMemory.index(TensorMemory.lane(address) + row % 32, TensorMemory.column(address) + row / 32)];
            for (int part = 0; part < parts; part++) {
                long code = Bits.field(word, 8 * (first + part), 8);
                factors[row][part] = powers ? ScaleFactor.decode(code) : Format.E4M3.decode(code & 0x7f);
            }
        }
        return factors;
    }

    private Exact[][] numbers(long[][] elements, ScalarType type, boolean negated, Exact[][] factors) {
        Exact[][] numbers = new Exact[elements.length][kind.k()];
        for (int row = 0; row < elements.length; row++) {
            for (int i = 0; i < kind.k(); i++) {
                Exact number = Format.of(type).decode(elements[row][i]);
                number = negated ? number.negate() : number;
                numbers[row][i] = factors == null ? number : ExactArithmetic.multiply(number, factors[row][i * parts / kind.k()]);
            }
        }
        return numbers;
    }

    private long sum(TensorProduct product, long before, Exact[] xs, Exact[] ys) {
        Format format = Format.of(product.d());
        Exact sum = format.decode(Bits.cut(before, product.d().bits()));
        if (shift > 0) {
            sum = rounded(ExactArithmetic.multiply(sum, Exact.powerOfTwo(-shift)));
        }
        for (int i = 0; i < xs.length; i++) {
            sum = rounded(ExactArithmetic.multiplyAdd(xs[i], ys[i], sum, NEAREST));
        }
        return new FloatResult(format, NEAREST, false, false, false, false).bits(sum);
    }

    private static Exact rounded(Exact exact) {
        return SINGLE.read(SINGLE.bits(exact));
    }

    private static long sumOfIntegers(TensorProduct product, long before, long[] xs, long[] ys) {
        long sum = Bits.signed(before, 32);
        for (int i = 0; i < xs.length; i++) {
            sum += Bits.value(xs[i], product.a()) * Bits.value(ys[i], product.b());
        }
        return product.finite() ? Bits.saturated(sum, 32) : Bits.cut(sum, 32);
    }
}
