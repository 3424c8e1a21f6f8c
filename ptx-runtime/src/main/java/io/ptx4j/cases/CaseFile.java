package io.ptx4j.cases;

import io.ptx4j.check.CheckedModule;
import io.ptx4j.check.Checker;
import io.ptx4j.check.Linker;
import io.ptx4j.engine.Approximations;
import io.ptx4j.engine.ChannelType;
import io.ptx4j.engine.TensorPixels;
import io.ptx4j.engine.Check;
import io.ptx4j.engine.MatrixSums;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.Dim3;
import io.ptx4j.runtime.ImageLayout;
import io.ptx4j.runtime.KernelException;
import io.ptx4j.runtime.Sampler;
import io.ptx4j.runtime.TensorMap;
import io.ptx4j.syntax.DiagnosticCode;
import io.ptx4j.syntax.SourceFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * A PTX text and what its first lines say about running it.
 *
 * @param folder where {@code @file} names are looked up; null for a text that is no file
 * @param linked other modules that the program is made of
 * @param fault what the last launch must fail with; null if none is to fail
 * @param checks what its device watches kernels for
 * @param benign names of buffers and variables on which races are none
 * @param matrixSums how its device adds up products of matrices
 * @param approximations what approximate instructions give on its device
 */
public record CaseFile(
        SourceFile source, Path folder, List<SourceFile> linked, List<Launch> launches, List<Expectation> expectations, List<Problem> problems,
        List<Reported> reported, List<Show> shows, Fault fault, Set<Check> checks, List<String> benign, MatrixSums matrixSums,
        Approximations approximations) {

    /** The modules of the program, this one first. */
    public List<SourceFile> sources() {
        List<SourceFile> all = new ArrayList<>(linked);
        all.addFirst(source);
        return all;
    }

    /** The same case with more modules. */
    public CaseFile with(List<SourceFile> more) {
        List<SourceFile> all = new ArrayList<>(linked);
        all.addAll(more);
        return new CaseFile(source, folder, List.copyOf(all), launches, expectations, problems, reported, shows, fault, checks, benign, matrixSums,
                approximations);
    }

    /** What the case says about its device. */
    public Device.Builder configure(Device.Builder builder) {
        return builder.checks(checks).benign(benign.toArray(String[]::new)).matrixSums(matrixSums).approximations(approximations);
    }

    /** Reads and checks the program, linked where it is several modules. */
    public CheckedModule check() {
        return linked.isEmpty() ? Checker.check(source) : Linker.link(sources());
    }

    /** Whether there is anything to do. */
    public boolean isCase() {
        return !launches.isEmpty() || isWrong();
    }

    /** Whether the text must not compile, so that no engine ever runs it. */
    public boolean isWrong() {
        return !problems.isEmpty() || !reported.isEmpty();
    }

    /**
     * A launch of {@code kernel}.
     *
     * @param place {@code file:line:column} for messages, here and below
     * @param cluster null where the launch does not say
     */
    public record Launch(
            String place, String kernel, Dim3 grid, Dim3 block, int shared, Dim3 cluster, boolean cooperative,
            List<Argument> arguments) {
    }

    /** What a launch passes for one parameter. */
    public sealed interface Argument {
        String place();

        /** A scalar; an array by value when {@code count} is not 1. Its contents are at most 8 bytes an element. */
        record Value(String place, String name, ScalarType type, long count, Contents contents) implements Argument {
        }

        /** A struct by value. */
        record Struct(String place, String name, byte[] bytes) implements Argument {
        }

        /** A new buffer. */
        record Buffer(String place, String name, ScalarType type, long count, Contents contents) implements Argument {
        }

        /**
         * A new image as a texture or surface; its texels are a buffer of the same name.
         *
         * @param bound whether it is no argument: only the module's variable of that name stands for it
         */
        record Image(String place, String name, boolean bound, boolean surface, ImageLayout layout, ChannelType type, int channels, Sampler sampler,
                Buffer texels) implements Argument {
        }

        /** A new multicast buffer; its replicas are buffers of their own, whose names are this one's and a number from 0. */
        record Multicast(String place, String name, List<Buffer> replicas) implements Argument {
        }

        /**
         * A tensor map by value; what {@link io.ptx4j.runtime.TensorMap} takes.
         *
         * @param buffer the name of the buffer that holds the tensor
         * @param box null in a map of pixels
         * @param pixels null in a map of tiles
         * @param every element strides; null where they are one
         */
        record Tensor(String place, String name, String buffer, ScalarType type, long[] extents, int[] box, TensorPixels pixels, int[] every,
                TensorMap.Swizzle swizzle, boolean fillsNan) implements Argument {
        }

        /** Something that has its name already, {@code offset} bytes into it. */
        record Reference(String place, String name, long offset) implements Argument {
        }

        /** A literal whose type is that of the parameter. */
        record Literal(String place, String text) implements Argument {
        }
    }

    /** The elements of something. */
    public sealed interface Contents {
        /** 0, 1, 2, … */
        record Iota() implements Contents {
        }

        /** All {@code bits}; zero is this too. */
        record Fill(long bits) implements Contents {
        }

        /** Zeros that nobody has written. */
        record Unwritten() implements Contents {
        }

        /** As {@link io.ptx4j.cases} defines. */
        record Random(long seed) implements Contents {
        }

        /** One for each element. */
        record Values(long[] bits, boolean[] anyNan) implements Contents {
        }

        /** Raw little-endian bytes. */
        record File(String place, String name) implements Contents {
        }
    }

    /**
     * What elements {@code first} to {@code last} must hold; {@code last} is -1 for all of them.
     *
     * @param type how to read them; null for the type that the buffer or variable has
     * @param right the right-hand side, which can be read once the type is known
     */
    public record Expectation(String place, String name, ScalarType type, long first, long last, Right right) {
        /** A part of a line that is read later. */
        public record Right(int line, int column, String text) {
        }
    }

    /** That a buffer is a picture; {@code channels} is 1 for grey, 3 for red, green and blue. */
    public record Show(String place, String name, int width, int height, int channels) {
    }

    /**
     * A failure of a thread.
     *
     * @param line 1-based
     * @param block null where the case does not say, as {@code thread} may be
     */
    public record Fault(String place, KernelException.Kind kind, int line, Dim3 block, Dim3 thread) {
        /** What is wrong with {@code found} (null: nothing failed), worded for people; null if nothing is. */
        String mismatch(KernelException found) {
            if (found == null) {
                return place + ": the launch did not fail; expected " + this;
            }
            boolean same = found.kind() == kind && found.line().orElse(0) == line && (block == null || block.equals(found.block().orElse(null)))
                    && (thread == null || thread.equals(found.thread().orElse(null)));
            return same ? null : place + ": expected " + this + ", found " + spelling(found.kind()) + ": " + found.getMessage();
        }

        static String spelling(KernelException.Kind kind) {
            return kind.name().toLowerCase(Locale.ROOT).replace('_', '-');
        }

        @Override
        public String toString() {
            return spelling(kind) + " in line " + line + (block == null ? "" : ", block " + block) + (thread == null ? "" : ", thread " + thread);
        }
    }

    /** A diagnostic that must be reported, word for word. */
    public record Problem(String place, int line, int column, String message) {
        @Override
        public String toString() {
            return line + ":" + column + " " + message;
        }
    }

    /**
     * Diagnostics of one code that must be reported in one line.
     *
     * @param words what the message or the hint of one of them contains; empty for anything
     */
    public record Reported(String place, DiagnosticCode code, int line, String words) {
        @Override
        public String toString() {
            return code + " in line " + line + (words.isEmpty() ? "" : ": " + words);
        }
    }
}
