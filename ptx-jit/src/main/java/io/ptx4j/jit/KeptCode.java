package io.ptx4j.jit;

import io.ptx4j.engine.BlockShape;
import io.ptx4j.engine.Program;
import io.ptx4j.engine.ProgramLimits;
import io.ptx4j.ir.Kernel;
import io.ptx4j.jit.flow.Regions.FrameLayout;
import io.ptx4j.jit.scalar.ScalarShape;
import io.ptx4j.jit.support.Point;
import io.ptx4j.jit.support.PointKind;
import io.ptx4j.jit.support.VectorFrame;
import io.ptx4j.jit.support.VectorLanes;
import io.ptx4j.jit.vector.Processor;
import io.ptx4j.jit.vector.Vectorizer;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Generated kernels in the {@link io.ptx4j.engine.CodeStore} of their program, if it has one. Those that are watched or limited, and those
 * with matrix instructions, whose actions are objects, are not kept.
 */
final class KeptCode {
    /** A kernel in the scalar shape, and whether launches of it may be rehearsed. */
    record Scalar(ScalarShape.Generated generated, boolean rehearsable) {
    }

    /** A kernel in the vector shape, or with {@code generated} null the knowledge that it has none. */
    record Vector(Vectorizer.Generated generated, boolean rehearsable) {
    }

    private KeptCode() {
    }

    private static boolean possible(Program program) {
        return program.store() != null && program.checks().isEmpty() && program.limits().equals(ProgramLimits.NONE);
    }

    static Scalar scalar(Program program, Kernel kernel, BlockShape block, Supplier<Scalar> generate) {
        if (!possible(program)) {
            return generate.get();
        }
        String key = CodeKey.of(program, kernel, block, "scalar");
        byte[] kept = program.store().get(key);
        if (kept != null) {
            return read(kept, KeptCode::readScalar);
        }
        Scalar made = generate.get();
        if (keepable(made.generated.points())) {
            program.store().put(key, written(out -> write(out, made)));
        }
        return made;
    }

    static Vector vector(Program program, Kernel kernel, BlockShape block, Supplier<Vector> generate) {
        if (!possible(program)) {
            return generate.get();
        }
        String key = CodeKey.of(program, kernel, block, "vector of " + VectorLanes.INT.vectorBitSize() + (Processor.CUTS_FACTORS ? " cut" : ""));
        byte[] kept = program.store().get(key);
        if (kept != null) {
            return read(kept, KeptCode::readVector);
        }
        Vector made = generate.get();
        if (made.generated == null || keepable(made.generated.points()) && made.generated.matrixPlaces().isEmpty()) {
            program.store().put(key, written(out -> write(out, made)));
        }
        return made;
    }

    private static boolean keepable(List<Point> points) {
        return points.stream().allMatch(point -> point.action() == null);
    }

    private interface Writer {
        void write(DataOutputStream out) throws IOException;
    }

    private interface Reader<T> {
        T read(DataInputStream in) throws IOException;
    }

    private static byte[] written(Writer writer) {
        var bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            writer.write(out);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return bytes.toByteArray();
    }

    private static <T> T read(byte[] kept, Reader<T> reader) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(kept))) {
            return reader.read(in);
        } catch (IOException notOurs) {
            throw new UncheckedIOException("the store of generated code gave back other bytes than it got", notOurs);
        }
    }

    private static void write(DataOutputStream out, Scalar kernel) throws IOException {
        ScalarShape.Generated g = kernel.generated;
        writeCommon(out, g.className(), g.bytes(), g.points(), g.frame());
        out.writeInt(g.localBytes());
        out.writeInt(g.largestMethod());
        out.writeBoolean(g.waits());
        out.writeBoolean(kernel.rehearsable);
    }

    private static Scalar readScalar(DataInputStream in) throws IOException {
        return new Scalar(new ScalarShape.Generated(in.readUTF(), readBytes(in), readPoints(in), readLayout(in), in.readInt(), in.readInt(),
                in.readBoolean()), in.readBoolean());
    }

    private static void write(DataOutputStream out, Vector kernel) throws IOException {
        Vectorizer.Generated g = kernel.generated;
        out.writeBoolean(g != null);
        if (g == null) {
            return;
        }
        writeCommon(out, g.className(), g.bytes(), g.points(), g.frame());
        out.writeInt(g.localBytes());
        out.writeInt(g.largestMethod());
        out.writeInt(g.stride());
        out.writeInt(g.extent().lanes());
        out.writeInt(g.extent().indices());
        out.writeInt(g.extent().crossing().length);
        for (int slots : g.extent().crossing()) {
            out.writeInt(slots);
        }
        out.writeInt(g.extent().blocks());
        out.writeInt(g.extent().locals());
        out.writeBoolean(g.extent().ahead() != null);
        if (g.extent().ahead() != null) {
            for (int elements : g.extent().ahead()) {
                out.writeInt(elements);
            }
        }
        int[][] parts = g.extent().parts();
        out.writeInt(parts == null ? -1 : parts.length);
        for (int[] point : parts == null ? new int[0][] : parts) {
            out.writeInt(point.length);
            for (int register : point) {
                out.writeInt(register);
            }
        }
        out.writeBoolean(g.waits());
        out.writeInt(g.block().x());
        out.writeInt(g.block().y());
        out.writeInt(g.block().z());
        out.writeInt(g.columns());
        out.writeInt(g.warps());
        out.writeLong(g.sharedBytes());
        out.writeBoolean(g.beginsAnew());
        out.writeBoolean(kernel.rehearsable);
    }

    private static int[][] readParts(DataInputStream in) throws IOException {
        int points = in.readInt();
        int[][] parts = points < 0 ? null : new int[points][];
        for (int p = 0; p < points; p++) {
            parts[p] = new int[in.readInt()];
            for (int r = 0; r < parts[p].length; r++) {
                parts[p][r] = in.readInt();
            }
        }
        return parts;
    }

    private static Vector readVector(DataInputStream in) throws IOException {
        if (!in.readBoolean()) {
            return new Vector(null, false);
        }
        String name = in.readUTF();
        byte[] bytes = readBytes(in);
        List<Point> points = readPoints(in);
        FrameLayout layout = readLayout(in);
        int localBytes = in.readInt();
        int largest = in.readInt();
        int stride = in.readInt();
        int lanes = in.readInt();
        int indices = in.readInt();
        int[] crossing = new int[in.readInt()];
        for (int i = 0; i < crossing.length; i++) {
            crossing[i] = in.readInt();
        }
        int blocks = in.readInt();
        int locals = in.readInt();
        int[] ahead = in.readBoolean() ? new int[] {in.readInt(), in.readInt(), in.readInt(), in.readInt()} : null;
        var extent = new VectorFrame.Extent(lanes, indices, crossing, blocks, locals, ahead, readParts(in));
        // Which instructions run lane by lane is asked of code that is generated, not of what runs.
        return new Vector(new Vectorizer.Generated(name, bytes, points, layout, localBytes, largest, stride, extent, in.readBoolean(), List.of(), List.of(),
                new BlockShape(in.readInt(), in.readInt(), in.readInt()), in.readInt(), in.readInt(), in.readLong(), in.readBoolean()),
                in.readBoolean());
    }

    private static void writeCommon(DataOutputStream out, String name, byte[] bytes, List<Point> points, FrameLayout layout)
            throws IOException {
        out.writeUTF(name);
        out.writeInt(bytes.length);
        out.write(bytes);
        out.writeInt(points.size());
        for (Point point : points) {
            out.writeUTF(point.kind().name());
            for (int number : new int[] {point.region(), point.line(), point.column(), point.barrier(), point.mask(), point.count(),
                    point.predicate()}) {
                out.writeInt(number);
            }
            out.writeUTF(point.text());
        }
        for (int slots : new int[] {layout.ints(), layout.longs(), layout.floats(), layout.doubles()}) {
            out.writeInt(slots);
        }
    }

    private static byte[] readBytes(DataInputStream in) throws IOException {
        return in.readNBytes(in.readInt());
    }

    private static List<Point> readPoints(DataInputStream in) throws IOException {
        List<Point> points = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            points.add(new Point(PointKind.valueOf(in.readUTF()), in.readInt(), in.readInt(), in.readInt(), in.readInt(), in.readInt(),
                    in.readInt(), in.readInt(), in.readUTF(), null));
        }
        return points;
    }

    /** Where each register lies is written into the code. */
    private static FrameLayout readLayout(DataInputStream in) throws IOException {
        return new FrameLayout(Map.of(), in.readInt(), in.readInt(), in.readInt(), in.readInt());
    }
}
