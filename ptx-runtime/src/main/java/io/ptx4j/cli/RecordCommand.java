package io.ptx4j.cli;

import io.ptx4j.cases.CaseException;
import io.ptx4j.cases.CaseFile;
import io.ptx4j.cases.CaseReader;
import io.ptx4j.recorder.CudaGpu;
import io.ptx4j.recorder.Gpu;
import io.ptx4j.recorder.Recorder;
import io.ptx4j.runtime.PtxException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code ptx record}. */
@Command(name = "record", description = "Runs case files on this machine's NVIDIA GPU and writes cases that expect the bits it gives.",
        mixinStandardHelpOptions = true,
        footer = {"", "Each case is written anew, with the GPU's name and the results as its expectations.",
            "Cases that the GPU refuses, those for another architecture say, are named and left out.",
            "Files that are there already are not written over. Recording ends when a kernel's fault stops the GPU.",
            "Ends with 1 when there is no GPU, a PATH is missing, the GPU stopped or nothing was recorded.", "", "Example:", "  ptx record --out recorded cases/"})
final class RecordCommand implements Callable<Integer> {
    @Parameters(arity = "1..*", paramLabel = "PATH", description = "Case files, or folders to search.")
    private List<Path> paths;

    @Option(names = "--out", paramLabel = "DIR", required = true, description = "Folder for the recorded cases.")
    private Path folder;

    @Option(names = "--driver", paramLabel = "FILE", description = "The CUDA driver's library. Default: the system's.")
    private String driver = CudaGpu.LIBRARY;

    @Spec
    private CommandSpec spec;

    RecordCommand() {}

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        // What is wrong here is said before a GPU is asked for.
        for (Path path : paths) {
            if (!Files.exists(path)) {
                throw new NoSuchFileException(path.toString());
            }
        }
        if (Files.exists(folder) && !Files.isDirectory(folder)) {
            throw new NotDirectoryException(folder + " is no folder");
        }
        List<PtxFiles.Found> cases = PtxFiles.of(paths);
        if (cases.isEmpty()) {
            throw new NoSuchFileException("that ends with .ptx in " + paths.stream().map(Path::toString).collect(Collectors.joining(", ")));
        }
        int recorded = 0;
        try (Gpu gpu = new CudaGpu(driver)) {
            out.println("recording on " + gpu.name());
            for (PtxFiles.Found found : cases) {
                try {
                    CaseFile file = read(found.path());
                    if (found.named() || !file.launches().isEmpty()) {
                        new Recorder(gpu, folder).record(file);
                        recorded++;
                    }
                } catch (Gpu.GpuException | CaseException | PtxException refused) {
                    out.println("not recorded: " + found.path() + ": " + Ptx.text(refused));
                }
                out.flush();
            }
        }
        out.println(recorded + (recorded == 1 ? " case recorded in " : " cases recorded in ") + folder);
        out.flush();
        return recorded > 0 ? Ptx.FINE : Ptx.PROBLEM;
    }

    private static CaseFile read(Path path) {
        try {
            return CaseReader.read(path);
        } catch (IOException unreadable) {
            throw new CaseException(path.toString(), Ptx.text(unreadable));
        }
    }
}
