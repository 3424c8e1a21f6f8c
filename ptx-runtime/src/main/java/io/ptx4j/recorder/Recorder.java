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
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Runs cases on a GPU and writes each as a new case that expects what the GPU gave. */
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
     * @throws CaseException if it is no case that runs
     */
    public Path record(CaseFile file) throws IOException {
        if (file.launches().isEmpty()) {
            throw new CaseException(file.source().name(), "no launch: line, so there is nothing to record");
        }
        Path path = folder.resolve(Path.of(file.source().name()).getFileName());
        try (Device device = Device.builder().engine(new Interpreter()).open(); CaseSession session = new CaseSession(file, device)) {
            run(file, session);
            Files.createDirectories(folder);
            Files.writeString(path, text(file, expectations(session.outputs(), path)));
        }
        for (CaseFile.Launch launch : file.launches()) {
            for (Argument argument : launch.arguments()) {
                if (argument instanceof Argument.Buffer buffer && buffer.contents() instanceof Contents.File data) {
                    Files.copy(file.folder().resolve(data.name()), folder.resolve(data.name()), StandardCopyOption.REPLACE_EXISTING);
                }
            }
        }
        return path;
    }

    /** Leaves in the session's memory what the GPU computed. */
    private void run(CaseFile file, CaseSession session) {
        long module = gpu.load(file.source().text());
        Map<String, Long> addresses = new HashMap<>();
        try {
            for (CaseFile.Launch launch : file.launches()) {
                if (launch.cluster() != null || launch.cooperative()) {
                    throw new CaseException(launch.place(), "launches of clusters and cooperative ones are not recorded");
                }
                Object[] values = session.prepare(launch).arguments();
                for (CaseBuffer buffer : session.buffers()) {
                    addresses.computeIfAbsent(buffer.name(), name -> {
                        long address = gpu.allocate(buffer.memory().byteSize());
                        gpu.write(address, buffer.memory().segment());
                        return address;
                    });
                }
                byte[] parameters = parameters(session.module().kernel(launch.kernel()), launch, values, addresses, module);
                gpu.launch(gpu.function(module, launch.kernel()), launch.grid(), launch.block(), launch.shared(), parameters);
            }
            session.buffers().forEach(buffer -> gpu.read(addresses.get(buffer.name()), buffer.memory().segment()));
            session.module().globals().forEach(name -> gpu.read(gpu.global(module, name), session.module().global(name).segment()));
        } finally {
            addresses.values().forEach(gpu::free);
            gpu.unload(module);
        }
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
                case Argument.Tensor tensor -> throw new CaseException(tensor.place(), "a tensor map cannot be passed to a GPU");
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

    private List<String> expectations(List<CaseBuffer> outputs, Path path) throws IOException {
        List<String> lines = new ArrayList<>(List.of("// Recorded on " + gpu.name() + "."));
        for (CaseBuffer buffer : outputs) {
            StringBuilder line = new StringBuilder("// expect: ").append(buffer.name()).append(" = ");
            if (buffer.count() > ELEMENTS_IN_A_LINE) {
                String name = path.getFileName().toString().replaceFirst("\\.ptx$", "") + "." + buffer.name() + ".bin";
                Files.write(path.resolveSibling(name), buffer.memory().segment().toArray(ValueLayout.JAVA_BYTE));
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
