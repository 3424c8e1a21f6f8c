package io.ptx4j.benchmarks;

import java.util.concurrent.TimeUnit;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** One addition of the machine's widest float vectors: what a warp's instruction cannot beat. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(value = 1, jvmArgsAppend = {"--add-modules", "jdk.incubator.vector"})
public class VectorWidth {
    private static final VectorSpecies<Float> WIDEST = FloatVector.SPECIES_PREFERRED;

    private final float[] left = new float[WIDEST.length()];
    private final float[] right = new float[WIDEST.length()];

    @Benchmark
    public float[] add() {
        FloatVector.fromArray(WIDEST, left, 0).add(FloatVector.fromArray(WIDEST, right, 0)).intoArray(left, 0);
        return left;
    }
}
