package io.ptx4j.recorder;

import io.ptx4j.cases.CaseBuffer;
import io.ptx4j.cases.CaseException;
import io.ptx4j.cases.CaseFile;
import io.ptx4j.cases.CaseFile.Argument;
import io.ptx4j.cases.CaseFile.Contents;
import io.ptx4j.cases.CaseSession;
import io.ptx4j.cases.ElementText;
import io.ptx4j.interpreter.Interpreter;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.Kernel;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Runs cases on a GPU and writes each as a new case that expects what the GPU gave. A case whose text is there is whole: its data are written first, each file
 * under another name until it is complete; what a failure leaves is deleted. Files that are there already are never changed.
 */
public final class Recorder {
    /** More elements go to a file of their own. */
    private static final int ELEMENTS_IN_A_LINE = 64;

    private final Gpu gpu;
    private final Path folder;

    /** @param folder where the new cases go */
    public Recorder(Gpu gpu, Path folder) {
        this.gpu = gpu;
        this.folder = folder;
    }

    /**
     * Records one case. Buffers and module variables that the launches changed are expected to be as the GPU left them, to the bit; what
     * the case expected before is dropped.
     *
     * @return the new case
     * @throws Gpu.GpuException if the GPU cannot compile or run it
     * @throws Gpu.LostException if after that the GPU runs nothing any more
     * @throws CaseException if it is no case that can be recorded, or its files are there already with other contents
     */
    public Path record(CaseFile file) throws IOException {
        recordable(file);
        Path path = folder.resolve(Path.of(file.source().name()).getFileName());
        if (Files.exists(path)) {
            throw new CaseException(file.source().name(), path + " is there already and is not written over");
        }
        Map<Path, byte[]> files;
        try (Device device = Device.builder().engine(new Interpreter()).open(); CaseSession session = new CaseSession(file, device)) {
            try {
                run(file, session);
            } catch (Gpu.GpuException failed) {
                if (!gpu.works()) {
                    throw new Gpu.LostException(file.source().name() + ": " + failed.getMessage() + "; the GPU runs nothing any more, so recording ends here");
                }
                throw failed;
            }
            files = data(file);
            List<String> expectations = expectations(session.outputs(), path, files);
            files.put(path, text(file, expectations).getBytes(StandardCharsets.UTF_8));
        }
        write(files, file.source().name());
        return path;
    }

    /** Refuses before anything runs what would fail on purpose, which may cost the whole GPU, and what the driver is not told of. */
    private static void recordable(CaseFile file) {
        String name = file.source().name();
        if (file.launches().isEmpty()) {
            throw new CaseException(name, "no launch: line, so there is nothing to record");
        }
        if (file.fault() != null) {
            throw new CaseException(file.fault().place(), "launches that must fail are not recorded");
        }
        if (!file.linked().isEmpty()) {
            throw new CaseException(name, "programs of several modules are not recorded");
        }
        for (CaseFile.Launch launch : file.launches()) {
            if (launch.cluster() != null || launch.cooperative()) {
                throw new CaseException(launch.place(), "launches of clusters and cooperative ones are not recorded");
            }
            for (Argument argument : launch.arguments()) {
                switch (argument) {
                    case Argument.Image image -> throw new CaseException(image.place(), "an image cannot be passed to a GPU");
                    case Argument.Multicast buffer -> throw new CaseException(buffer.place(), "a multicast buffer cannot be passed to a GPU");
                    case Argument.Tensor tensor -> throw new CaseException(tensor.place(), "a tensor map cannot be passed to a GPU");
                    case Argument.Value value -> { }
                    case Argument.Struct struct -> { }
                    case Argument.Buffer buffer -> { }
                    case Argument.Reference reference -> { }
                    case Argument.Literal literal -> { }
                }
            }
        }
    }

    /** The data files that the case reads, by the places of their copies. */
    private Map<Path, byte[]> data(CaseFile file) throws IOException {
        Map<Path, byte[]> files = new LinkedHashMap<>();
        for (CaseFile.Launch launch : file.launches()) {
            for (Argument argument : launch.arguments()) {
                Contents contents = switch (argument) {
                    case Argument.Buffer buffer -> buffer.contents();
                    case Argument.Value value -> value.contents();
                    default -> null;
                };
                if (contents instanceof Contents.File data) {
                    Path copy = folder.resolve(data.name()).normalize();
                    if (!copy.startsWith(folder.normalize())) {
                        throw new CaseException(data.place(), data.name() + " lies outside the case's folder");
                    }
                    files.put(copy, Files.readAllBytes(file.folder().resolve(data.name())));
                }
            }
        }
        return files;
    }

    private static void write(Map<Path, byte[]> files, String name) throws IOException {
        List<Path> written = new ArrayList<>();
        try {
            for (Map.Entry<Path, byte[]> file : files.entrySet()) {
                Path path = file.getKey();
                if (Files.exists(path)) {
                    if (!Arrays.equals(Files.readAllBytes(path), file.getValue())) {
                        throw new CaseException(name, path + " is there already with other contents and is not written over");
                    }
                    continue;
                }
                Files.createDirectories(path.getParent());
                Path part = path.resolveSibling(path.getFileName() + ".part");
                written.add(part);
                Files.write(part, file.getValue());
                Files.move(part, path, StandardCopyOption.ATOMIC_MOVE);
                written.set(written.size() - 1, path);
            }
        } catch (IOException | RuntimeException failed) {
            for (Path path : written) {
                try {
                    Files.deleteIfExists(path);
                } catch (IOException left) {
                    failed.addSuppressed(left);
                }
            }
            throw failed;
        }
    }

    /** Leaves in the session's memory what the GPU computed. */
    private void run(CaseFile file, CaseSession session) {
        long module = gpu.load(file.source().text());
        Map<String, Long> addresses = new HashMap<>();
        try {
            for (CaseFile.Launch launch : file.launches()) {
                Object[] values = session.prepare(launch).arguments();
                for (CaseBuffer buffer : session.buffers()) {
                    if (!addresses.containsKey(buffer.name())) {
                        addresses.put(buffer.name(), gpu.allocate(buffer.memory().byteSize()));
                        gpu.write(addresses.get(buffer.name()), buffer.memory().segment());
                    }
                }
                byte[] parameters = parameters(session.module().kernel(launch.kernel()), launch, values, addresses, module);
                gpu.launch(gpu.function(module, launch.kernel()), launch.grid(), launch.block(), launch.shared(), parameters);
            }
            session.buffers().forEach(buffer -> gpu.read(addresses.get(buffer.name()), buffer.memory().segment()));
            session.module().globals().forEach(name -> gpu.read(gpu.global(module, name), session.module().global(name).segment()));
        } catch (RuntimeException failed) {
            try {
                release(module, addresses);
            } catch (Gpu.GpuException alsoFailed) {
                failed.addSuppressed(alsoFailed);
            }
            throw failed;
        }
        release(module, addresses);
    }

    private void release(long module, Map<String, Long> addresses) {
        addresses.values().forEach(gpu::free);
        gpu.unload(module);
    }

    private byte[] parameters(Kernel kernel, CaseFile.Launch launch, Object[] values, Map<String, Long> addresses, long module) {
        ByteBuffer block = ByteBuffer.allocate(kernel.checked().parameterBytes()).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < values.length; i++) {
            int at = kernel.checked().parameterOffsets().get(i);
            Object value = switch (launch.arguments().get(i)) {
                case Argument.Buffer buffer -> addresses.get(buffer.name());
                case Argument.Reference known when addresses.containsKey(known.name()) -> addresses.get(known.name()) + known.offset();
                case Argument.Reference variable when kernel.module().globals().contains(variable.name()) ->
                        gpu.global(module, variable.name()) + variable.offset();
                default -> values[i];
            };
            switch (value) {
                case Byte number -> block.put(at, number);
                case Short number -> block.putShort(at, number);
                case Integer number -> block.putInt(at, number);
                case Long number -> block.putLong(at, number);
                case Float number -> block.putFloat(at, number);
                case Double number -> block.putDouble(at, number);
                case byte[] bytes -> block.put(at, bytes);
                default -> throw new CaseException(launch.place(), "argument " + (i + 1) + " cannot be passed to a GPU");
            }
        }
        return block.array();
    }

    /** @param files takes what goes to files of its own */
    private List<String> expectations(List<CaseBuffer> outputs, Path path, Map<Path, byte[]> files) {
        List<String> lines = new ArrayList<>(List.of("// Recorded on " + gpu.name() + "."));
        for (CaseBuffer buffer : outputs) {
            StringBuilder line = new StringBuilder("// expect: ").append(buffer.name()).append(" = ");
            if (buffer.count() > ELEMENTS_IN_A_LINE) {
                String name = path.getFileName().toString().replaceFirst("\\.ptx$", "") + "." + buffer.name() + ".bin";
                files.put(path.resolveSibling(name), buffer.memory().segment().toArray(ValueLayout.JAVA_BYTE));
                line.append('@').append(name);
            } else {
                for (long i = 0; i < buffer.count(); i++) {
                    line.append(i == 0 ? "" : ", ").append(ElementText.hexadecimal(buffer.type(), buffer.bits(i)));
                }
            }
            lines.add(line.toString());
        }
        return lines;
    }

    /** The text with other expectations, which stand behind the last launch and its arguments. */
    private static String text(CaseFile file, List<String> expectations) {
        List<String> lines = new ArrayList<>();
        int last = 0;
        for (String line : file.source().text().lines().toList()) {
            if (line.matches("\\s*//\\s*expect:.*")) {
                continue;
            }
            lines.add(line);
            last = line.matches("\\s*//\\s*(launch|arg):.*") ? lines.size() : last;
        }
        lines.addAll(last, expectations);
        return String.join("\n", lines) + "\n";
    }
}
