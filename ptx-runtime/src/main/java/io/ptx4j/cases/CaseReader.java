package io.ptx4j.cases;

import io.ptx4j.cases.CaseFile.Argument;
import io.ptx4j.cases.CaseFile.Contents;
import io.ptx4j.cases.CaseFile.Expectation;
import io.ptx4j.cases.CaseFile.Launch;
import io.ptx4j.cases.CaseFile.Problem;
import io.ptx4j.engine.Approximations;
import io.ptx4j.engine.Check;
import io.ptx4j.engine.MatrixSums;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.runtime.Dim3;
import io.ptx4j.runtime.KernelException;
import io.ptx4j.syntax.DiagnosticCode;
import io.ptx4j.syntax.SourceFile;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads the lines of a case from the first comment lines of a PTX text. */
public final class CaseReader {
    private static final Pattern LINE = Pattern.compile("\\s*//\\s*(\\w+):(.*)");
    private static final List<String> WORDS = List.of("launch", "arg", "bind", "expect", "problem", "diagnostic", "show", "link", "fault", "check", "benign", "matrix", "approximations");

    /** Elements of a buffer; no device is so large. */
    private static final long LARGEST_BUFFER = 1L << 40;
    /** Bytes of all parameters of a kernel (manual: "Kernel Function Parameters"). */
    private static final long LARGEST_PARAMETER = 32_764;

    private final SourceFile source;
    private final Path folder;
    private final List<SourceFile> linked = new ArrayList<>();
    private final List<Launch> launches = new ArrayList<>();
    private final List<Expectation> expectations = new ArrayList<>();
    private final List<Problem> problems = new ArrayList<>();
    private final List<CaseFile.Reported> reported = new ArrayList<>();
    private final List<CaseFile.Show> shows = new ArrayList<>();
    private CaseFile.Fault fault;
    private final List<String> benign = new ArrayList<>();
    private MatrixSums matrixSums = MatrixSums.FUSED;
    private Approximations approximations = Approximations.PORTABLE;
    private final Set<Check> checks = EnumSet.noneOf(Check.class);
    private final Map<String, Argument.Buffer> buffers = new HashMap<>();

    private CaseReader(SourceFile source, Path folder) {
        this.source = source;
        this.folder = folder;
    }

    /** @throws CaseException if a line of the case is written wrongly */
    public static CaseFile read(Path file) throws IOException {
        return read(SourceFile.read(file), file.toAbsolutePath().getParent());
    }

    /** @param folder where data files lie; null for none */
    public static CaseFile read(SourceFile source, Path folder) {
        CaseReader reader = new CaseReader(source, folder);
        boolean head = true;
        for (int line = 1; line <= source.lineCount(); line++) {
            String text = source.lineText(line);
            if (line == 1 && text.startsWith("\uFEFF")) {
                text = text.substring(1);
            }
            head &= text.isBlank() || text.stripLeading().startsWith("//");
            if (text.contains("//")) {
                reader.line(line, text, head);
            }
        }
        if (!(reader.problems.isEmpty() && reader.reported.isEmpty()) && !reader.launches.isEmpty()) {
            throw new CaseException(reader.launches.getFirst().place(), "a text that must not compile cannot be launched");
        }
        if (reader.launches.isEmpty() && !reader.expectations.isEmpty()) {
            throw new CaseException(reader.expectations.getFirst().place(), "nothing is launched that could meet it");
        }
        return new CaseFile(source, folder, List.copyOf(reader.linked), List.copyOf(reader.launches), List.copyOf(reader.expectations), List.copyOf(reader.problems),
                List.copyOf(reader.reported), List.copyOf(reader.shows), reader.fault,
                Set.copyOf(reader.checks), List.copyOf(reader.benign), reader.matrixSums, reader.approximations);
    }

    private void line(int line, String text, boolean head) {
        Matcher matcher = LINE.matcher(text);
        if (!matcher.matches()) {
            return;
        }
        String word = matcher.group(1);
        LineCursor start = new LineCursor(source.name(), line, text, matcher.start(1));
        if (!WORDS.contains(word)) {
            if (head && WORDS.stream().anyMatch(known -> alike(word, known))) {
                throw start.wrong("no line of a case begins with '" + word + ":'; they begin with launch: arg: bind: expect: problem: diagnostic: show: link: fault: check: benign: matrix:");
            }
            return;
        }
        if (!head) {
            throw start.wrong("'" + word + ":' stands behind the start of the module; cases stand before it");
        }
        LineCursor cursor = new LineCursor(source.name(), line, text, matcher.start(2));
        switch (word) {
            case "launch" -> {
                if (fault != null) {
                    throw start.wrong("no launch runs behind one that must fail");
                }
                launches.add(launch(cursor));
            }
            case "arg" -> argument(cursor);
            case "bind" -> bind(cursor);
            case "expect" -> expectation(cursor, line, text);
            case "show" -> shows.add(show(cursor));
            case "link" -> linked.add(module(cursor));
            case "problem" -> problems.add(problem(cursor));
            case "diagnostic" -> reported.add(reported(cursor));
            case "check" -> check(cursor);
            case "matrix" -> matrixSums = oneOf(cursor, MatrixSums.values());
            case "approximations" -> approximations = oneOf(cursor, Approximations.values());
            case "benign" -> benign.add(cursor.requireName("the name of a buffer or variable"));
            case "fault" -> fault = fault(cursor);
            default -> throw new AssertionError(word);
        }
    }

    /** {@code link: lib.ptx}: another module of the program. */
    private SourceFile module(LineCursor cursor) {
        String place = cursor.place();
        String name = cursor.rest();
        if (name.isEmpty() || folder == null) {
            throw new CaseException(place, "expected the name of a PTX file beside this one");
        }
        try {
            return SourceFile.read(folder.resolve(name));
        } catch (IOException | InvalidPathException unreadable) {
            throw new CaseException(place, "'" + name + "' cannot be read: " + unreadable.getMessage());
        }
    }

    /** {@code check: memory, init}. */
    private void check(LineCursor cursor) {
        do {
            String place = cursor.place();
            try {
                checks.add(Check.named(cursor.name()));
            } catch (IllegalArgumentException unknown) {
                throw new CaseException(place, unknown.getMessage());
            }
        } while (cursor.take(","));
        cursor.end();
    }

    /** One of several words, as {@code matrix: hopper}. */
    private static <E extends Enum<E>> E oneOf(LineCursor cursor, E[] known) {
        CaseException unknown = cursor.expected(Stream.of(known).map(CaseReader::word).collect(Collectors.joining(" or ")));
        String name = cursor.name();
        cursor.end();
        return Stream.of(known).filter(value -> word(value).equals(name)).findAny().orElseThrow(() -> unknown);
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    /** Whether one is the other with an {@code s} or in capitals. */
    private static boolean alike(String word, String known) {
        return word.equalsIgnoreCase(known) || word.equalsIgnoreCase(known + "s") || word.equalsIgnoreCase(known + "ed");
    }

    private static Launch launch(LineCursor cursor) {
        String place = cursor.place();
        String kernel = cursor.requireName("the name of a kernel");
        Dim3 grid = null;
        Dim3 block = null;
        Dim3 cluster = null;
        boolean cooperative = false;
        int shared = 0;
        while (!cursor.atEnd()) {
            CaseException unknown = cursor.expected("grid=, block=, shared=, cluster= or cooperative");
            String key = cursor.name();
            if (key.equals("cooperative")) {
                cooperative = true;
                continue;
            }
            cursor.take("=");
            switch (key) {
                case "grid" -> grid = cursor.extent("a count of blocks");
                case "block" -> block = cursor.extent("a count of threads");
                case "cluster" -> cluster = cursor.extent("a count of blocks");
                case "shared" -> shared = cursor.smallCount("a count of bytes");
                default -> throw unknown;
            }
        }
        if (grid == null || block == null) {
            throw cursor.expected(grid == null ? "grid=" : "block=");
        }
        return new Launch(place, kernel, grid, block, shared, cluster, cooperative, new ArrayList<>());
    }

    private void argument(LineCursor cursor) {
        if (launches.isEmpty()) {
            throw cursor.wrong("an argument needs a launch before it");
        }
        Argument argument = argument(cursor, false);
        if (argument instanceof Argument.Image image) {
            buffers.put(image.name(), image.texels());
        }
        if (argument instanceof Argument.Buffer buffer) {
            define(buffer);
        }
        if (argument instanceof Argument.Multicast multicast) {
            multicast.replicas().forEach(this::define);
        }
        launches.getLast().arguments().add(argument);
    }

    private void define(Argument.Buffer buffer) {
        Argument.Buffer before = buffers.put(buffer.name(), buffer);
        if (before != null) {
            throw new CaseException(buffer.place(), "buffer " + buffer.name() + " has its contents already from " + before.place()
                    + "; write 'arg: " + buffer.name() + "' to pass it again");
        }
    }

    /** An image for a variable of the module. */
    private void bind(LineCursor cursor) {
        if (launches.isEmpty()) {
            throw cursor.wrong("an image needs a launch before it");
        }
        String place = cursor.place();
        String name = cursor.requireName("the name of a texture or surface variable");
        cursor.require(":");
        boolean surface = cursor.take("surface");
        if (!surface) {
            cursor.require("texture");
        }
        Argument.Image image = ImageReader.read(cursor, place, name, true, surface);
        buffers.put(name, image.texels());
        launches.getLast().arguments().add(image);
    }

    /** An argument as the command line gives it: also a number alone. */
    public static Argument argument(String text) {
        return argument(new LineCursor("--arg " + text, 0, text, 0), true);
    }

    private static Argument argument(LineCursor cursor, boolean literals) {
        String place = cursor.place();
        if (literals && cursor.rest().matches("[-+.]?\\d\\S*|[-+]?inf|nan")) {
            return new Argument.Literal(place, cursor.rest());
        }
        String name = cursor.requireName("a name");
        if (!cursor.take(":")) {
            long offset = cursor.take("+") ? cursor.count("an offset in bytes") : 0;
            cursor.end();
            return new Argument.Reference(place, name, offset);
        }
        if (cursor.take("texture")) {
            return ImageReader.read(cursor, place, name, false, false);
        }
        if (cursor.take("surface")) {
            return ImageReader.read(cursor, place, name, false, true);
        }
        if (cursor.take("tensor")) {
            return TensorReader.read(cursor, place, name);
        }
        if (cursor.take("struct")) {
            return new Argument.Struct(place, name, struct(cursor));
        }
        if (cursor.take("multicast")) {
            return new Argument.Multicast(place, name, replicas(cursor, place, name));
        }
        boolean buffer = cursor.take("buffer");
        ScalarType type = cursor.type();
        boolean array = buffer || cursor.at("[");
        long count = array ? bracketed(cursor, buffer ? LARGEST_BUFFER : LARGEST_PARAMETER) : 1;
        cursor.require("=");
        Contents contents = ContentsReader.read(cursor, type, count);
        cursor.end();
        return buffer ? new Argument.Buffer(place, name, type, count, contents) : new Argument.Value(place, name, type, count, contents);
    }

    /** {@code f32[8] = iota | zero}: one for each contents. */
    private static List<Argument.Buffer> replicas(LineCursor cursor, String place, String name) {
        ScalarType type = cursor.type();
        long count = bracketed(cursor, LARGEST_BUFFER);
        cursor.require("=");
        List<Argument.Buffer> replicas = new ArrayList<>();
        do {
            replicas.add(new Argument.Buffer(place, name + replicas.size(), type, count, ContentsReader.read(cursor, type, count)));
        } while (cursor.take("|"));
        cursor.end();
        return replicas;
    }

    private static long bracketed(LineCursor cursor, long most) {
        cursor.require("[");
        CaseException tooMany = cursor.wrong("at most " + most + " elements are possible");
        long count = cursor.count("a count of elements");
        if (count > most) {
            throw tooMany;
        }
        cursor.require("]");
        return count;
    }

    private static byte[] struct(LineCursor cursor) {
        int size = (int) bracketed(cursor, LARGEST_PARAMETER);
        cursor.require("=");
        byte[] bytes = new byte[size];
        int end = 0;
        do {
            String place = cursor.place();
            ScalarType type = cursor.type();
            int offset = (end + type.bytes() - 1) / type.bytes() * type.bytes();
            long bits = ContentsReader.value(cursor, type);
            end = offset + type.bytes();
            if (end > size) {
                throw new CaseException(place, "the member ends at byte " + end + " of a struct of " + size);
            }
            for (int i = 0; i < type.bytes(); i++) {
                bytes[offset + i] = (byte) (bits >>> 8 * i);
            }
        } while (cursor.take(","));
        cursor.end();
        return bytes;
    }

    private void expectation(LineCursor cursor, int line, String text) {
        String place = cursor.place();
        String name = cursor.requireName("the name of a buffer or variable");
        ScalarType type = cursor.take(":") ? cursor.type() : null;
        long first = 0;
        long last = -1;
        if (cursor.take("[")) {
            first = cursor.count("an index");
            last = cursor.take("..") ? cursor.count("an index") : first;
            cursor.require("]");
            if (last < first) {
                throw new CaseException(place, "the range goes from " + first + " down to " + last);
            }
        }
        cursor.require("=");
        var expectation = new Expectation(place, name, type, first, last, new Expectation.Right(line, cursor.column(), text));
        Argument.Buffer buffer = buffers.get(name);
        if (buffer != null) {
            // Reads the values now, so that what is wrong with them shows before anything runs.
            ScalarType read = type == null ? buffer.type() : type;
            Expected.read(source.name(), expectation, read, buffer.count() * buffer.type().bytes() / read.bytes());
        }
        expectations.add(expectation);
    }

    private static CaseFile.Show show(LineCursor cursor) {
        String place = cursor.place();
        String name = cursor.requireName("the name of a buffer");
        cursor.require("png");
        int width = cursor.smallCount("a width");
        cursor.require("x");
        int height = cursor.smallCount("a height");
        int channels = cursor.take("gray") ? 1 : cursor.take("rgb") ? 3 : 0;
        if (channels == 0) {
            throw cursor.expected("rgb or gray");
        }
        cursor.end();
        return new CaseFile.Show(place, name, width, height, channels);
    }

    /** {@code fault: out-of-bounds 12 block=1 thread=3}: what the launch before must fail with. */
    private CaseFile.Fault fault(LineCursor cursor) {
        if (launches.isEmpty() || fault != null) {
            throw cursor.wrong(fault != null ? "only one launch can fail, the last" : "a fault needs a launch before it");
        }
        String place = cursor.place();
        String word = cursor.word();
        KernelException.Kind kind = Arrays.stream(KernelException.Kind.values()).filter(some -> CaseFile.Fault.spelling(some).equals(word)).findFirst()
                .orElseThrow(() -> new CaseException(place, "'" + word + "' is no kind of fault; there are " + Arrays.stream(KernelException.Kind.values())
                        .map(CaseFile.Fault::spelling).collect(Collectors.joining(", "))));
        int line = cursor.smallCount("a line number");
        Dim3 block = null;
        Dim3 thread = null;
        while (!cursor.atEnd()) {
            CaseException unknown = cursor.expected("block= or thread=");
            String key = cursor.name();
            cursor.take("=");
            switch (key) {
                case "block" -> block = index(cursor);
                case "thread" -> thread = index(cursor);
                default -> throw unknown;
            }
        }
        return new CaseFile.Fault(place, kind, line, block, thread);
    }

    /** One to three numbers between commas; those not written are 0. */
    private static Dim3 index(LineCursor cursor) {
        int x = cursor.smallCount("an index");
        int y = cursor.take(",") ? cursor.smallCount("an index") : 0;
        return new Dim3(x, y, cursor.take(",") ? cursor.smallCount("an index") : 0);
    }

    private static Problem problem(LineCursor cursor) {
        String place = cursor.place();
        int line = cursor.smallCount("a line number");
        cursor.require(":");
        int column = cursor.smallCount("a column number");
        if (cursor.atEnd()) {
            throw cursor.expected("a message");
        }
        return new Problem(place, line, column, cursor.rest());
    }

    private static CaseFile.Reported reported(LineCursor cursor) {
        String place = cursor.place();
        String word = cursor.word();
        DiagnosticCode code = DiagnosticCode.named(word);
        if (code == null) {
            throw new CaseException(place, "'" + word + "' is no code of a diagnostic; there are "
                    + Arrays.stream(DiagnosticCode.values()).map(DiagnosticCode::toString).collect(Collectors.joining(", ")));
        }
        return new CaseFile.Reported(place, code, cursor.smallCount("a line number"), cursor.rest());
    }
}
