package io.ptx4j.jit;

import io.ptx4j.engine.BlockShape;
import io.ptx4j.engine.Check;
import io.ptx4j.engine.Engine;
import io.ptx4j.engine.Executable;
import io.ptx4j.engine.LimitExceeded;
import io.ptx4j.engine.Program;
import io.ptx4j.engine.Unsupported;
import io.ptx4j.engine.UnsupportedKernelException;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Kernel;
import io.ptx4j.ir.Module;
import io.ptx4j.ir.Operand;
import io.ptx4j.jit.flow.Graph;
import io.ptx4j.jit.flow.Normalizer;
import io.ptx4j.jit.scalar.ScalarShape;
import io.ptx4j.jit.scalar.Support;
import io.ptx4j.jit.support.Faults;
import io.ptx4j.jit.vector.NotVectorizable;
import io.ptx4j.jit.vector.Vectorizer;
import io.ptx4j.syntax.CompileTime;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;

/** The engine that compiles kernels to JVM classes: one class for each kernel and block shape, kept with the program. */
public final class Jit implements Engine {
    private record Key(String kernel, BlockShape block, Shape shape) {
    }

    /** Which code shape to use. */
    public enum Shape {
        /** The scalar one. */
        SCALAR,
        /** The vector one from the first block on, for all kernels that have it. */
        VECTOR,
        /** The scalar one at first, the vector one as soon as it is faster. */
        AUTO,
        /** As {@link #AUTO}, but for kernels that have the vector shape it begins behind the first block that a worker has run: for tests of going over. */
        CHANGING;

        private boolean changes() {
            return this == AUTO || this == CHANGING;
        }
    }

    private final Shape wanted;

    /** An engine in the shape that the system property {@code ptx4j.jit.shape} names: {@code scalar}, {@code vector}, {@code auto} or {@code changing}. */
    public Jit() {
        this(Shape.valueOf(System.getProperty("ptx4j.jit.shape", "auto").toUpperCase(Locale.ROOT)));
    }

    /** An engine that uses {@code wanted} for all kernels that can have it. */
    public Jit(Shape wanted) {
        this.wanted = vectors() ? wanted : Shape.SCALAR;
    }

    @Override
    public String name() {
        return "jit";
    }

    @Override
    public List<Unsupported> unsupported(Module module, Kernel kernel) {
        return Support.unsupported(module, kernel);
    }

    @Override
    public Executable prepare(Program program, Kernel kernel, BlockShape shape) {
        return program.cached(new Key(kernel.name(), shape, wanted), () -> {
            try {
                return compile(program, kernel, shape);
            } catch (RuntimeException failed) {
                // Looking for what is unsupported takes as long as generating code, so it is done only where that has failed.
                List<Unsupported> unsupported = Support.unsupported(program, kernel);
                throw unsupported.isEmpty() ? failed : new UnsupportedKernelException(kernel.name(), unsupported);
            }
        });
    }

    private Executable compile(Program program, Kernel kernel, BlockShape shape) {
        KernelLoader loader = program.checks().contains(Check.RACES) ? new KernelLoader(true)
                : program.cached(KernelLoader.class, () -> new KernelLoader(false));
        Shape fitting = program.checks().isEmpty() ? wanted : Shape.SCALAR;
        if (fitting == Shape.VECTOR) {
            Executable vector = vector(program, kernel, shape, loader, () -> scalar(program, kernel, shape, loader));
            if (vector != null) {
                return vector;
            }
        }
        ScalarExecutable scalar = scalar(program, kernel, shape, loader);
        // What must not be rehearsed stays as it is.
        return fitting.changes() && scalar.rehearsable() && !program.limits().counts()
                ? new AdaptiveExecutable(scalar, Math.max(instructions(kernel), scalar.instructions()), fitting == Shape.CHANGING, () -> vector(program, kernel, shape, loader, () -> scalar)) : scalar;
    }

    private static ScalarExecutable scalar(Program program, Kernel kernel, BlockShape shape, KernelLoader loader) {
        KeptCode.Scalar code = KeptCode.scalar(program, kernel, shape, () -> {
            Graph graph = Normalizer.normalize(program.module(), kernel, shape);
            return new KeptCode.Scalar(within(program, ScalarShape.generate(program, kernel, graph, shape, className(kernel, shape))),
                    rehearsable(program, graph));
        });
        return new ScalarExecutable(code.generated(), loader, shape, code.rehearsable(), program.limits().counts());
    }

    /** Whether launches may run in memory of their own: not where that would show, and not where what watches a launch is missing. */
    private static boolean rehearsable(Program program, Graph graph) {
        return program.checks().isEmpty() && hostFunction(program, graph).isEmpty();
    }

    /** The first call of a function that the device supplies in Java, which a rehearsal must not make. */
    private static Optional<Instruction> hostFunction(Program program, Graph graph) {
        return graph.blocks().stream().flatMap(block -> block.instructions().stream())
                .filter(i -> !i.operands().isEmpty() && i.operand(0) instanceof Operand.Call call && call.function() != null
                        && program.function(call.function()) != null).findFirst();
    }

    private static ScalarShape.Generated within(Program program, ScalarShape.Generated generated) {
        if (generated.bytes().length > program.limits().codeBytes()) {
            throw new LimitExceeded(generated.bytes().length);
        }
        return generated;
    }

    private static int instructions(Kernel kernel) {
        return kernel.body().blocks().stream().mapToInt(b -> b.instructions().size()).sum();
    }

    /** The kernel in the vector shape, or null where it has none; {@link #notVectorizable} says why. */
    private static VectorExecutable vector(Program program, Kernel kernel, BlockShape shape, KernelLoader loader, Supplier<ScalarExecutable> scalar) {
        KeptCode.Vector code = KeptCode.vector(program, kernel, shape, () -> {
            try {
                // Aside, where nobody waits for it, as elsewhere.
                return CompileTime.within(program.limits().compiling(), () -> {
                    Graph graph = Normalizer.normalize(program.module(), kernel, shape);
                    return new KeptCode.Vector(generateVector(program, kernel, shape, graph), rehearsable(program, graph));
                });
            } catch (NotVectorizable reason) {
                return new KeptCode.Vector(null, false);
            }
        });
        return code.generated() == null ? null : new VectorExecutable(code.generated(), loader, shape, code.rehearsable(), scalar);
    }

    /** Why a kernel stays in the scalar shape for blocks of that shape; empty when it does not. */
    public Optional<String> notVectorizable(Program program, Kernel kernel, BlockShape shape) {
        if (!vectors()) {
            return Optional.of("the JVM runs without the module jdk.incubator.vector");
        }
        try {
            generateVector(program, kernel, shape);
            return wanted.changes() ? hostFunction(program, Normalizer.normalize(program.module(), kernel)).map(call ->
                    "line " + call.location().line() + ": the host would see what it calls in rehearsals of the vector shape") : Optional.empty();
        } catch (NotVectorizable reason) {
            return Optional.of(reason.getMessage());
        }
    }

    /**
     * The instructions that the vector shape does one lane after the other, for blocks of that shape: those without vector code, and
     * those whose operands are handed over where threads stop. Empty when {@link #notVectorizable} has a reason.
     */
    public Optional<List<Instruction>> laneByLane(Program program, Kernel kernel, BlockShape shape) {
        try {
            return Optional.of(generateVector(program, kernel, shape).laneByLane());
        } catch (NotVectorizable reason) {
            return Optional.empty();
        }
    }

    /** The atomics by which the order of threads shows, and at which a block that comes to one begins anew in the scalar shape; of a kernel for which {@link #notVectorizable} has no reason. */
    public List<Instruction> beginningAnew(Program program, Kernel kernel, BlockShape shape) {
        return Vectorizer.beginningAnew(Normalizer.normalize(program.module(), kernel, shape));
    }

    private static boolean vectors() {
        return ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent();
    }

    private static Vectorizer.Generated generateVector(Program program, Kernel kernel, BlockShape shape) {
        return generateVector(program, kernel, shape, Normalizer.normalize(program.module(), kernel, shape));
    }

    private static Vectorizer.Generated generateVector(Program program, Kernel kernel, BlockShape shape, Graph graph) {
        if (program.limits().counts()) {
            throw new NotVectorizable("the device limits the instructions of a thread, which the vector shape does not count");
        }
        Vectorizer.Generated generated = Vectorizer.generate(program, kernel, graph, shape, className(kernel, shape) + "v");
        if (generated.bytes().length > program.limits().codeBytes()) {
            throw new NotVectorizable("a class file of " + generated.bytes().length + " bytes, which is more than the device allows");
        }
        return generated;
    }

    /**
     * Generates a kernel's class without loading it, for listings and dumps: in the vector shape with {@link Shape#VECTOR}, else in the scalar one.
     *
     * @throws UnsupportedKernelException if the kernel cannot be compiled
     * @throws NotVectorizable if it has no vector shape for blocks of that shape; {@link #notVectorizable} asks before
     */
    public GeneratedClass classOf(Program program, Kernel kernel, BlockShape shape) {
        List<Unsupported> unsupported = Support.unsupported(program, kernel);
        if (!unsupported.isEmpty()) {
            throw new UnsupportedKernelException(kernel.name(), unsupported);
        }
        if (wanted == Shape.VECTOR) {
            Vectorizer.Generated generated = generateVector(program, kernel, shape);
            return new GeneratedClass(generated.className(), generated.bytes(), generated.largestMethod());
        }
        ScalarShape.Generated generated = generate(program, kernel, shape);
        return new GeneratedClass(generated.className(), generated.bytes(), generated.largestMethod());
    }

    private static ScalarShape.Generated generate(Program program, Kernel kernel, BlockShape shape) {
        Graph graph = Normalizer.normalize(program.module(), kernel, shape);
        return ScalarShape.generate(program, kernel, graph, shape, className(kernel, shape));
    }

    private static String className(Kernel kernel, BlockShape shape) {
        return Faults.PACKAGE + "." + kernel.name().replaceAll("[.;\\[/<>]", "_") + "_" + shape.x() + "x" + shape.y() + "x" + shape.z();
    }
}
