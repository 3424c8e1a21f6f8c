package io.ptx4j.runtime;

import io.ptx4j.check.CheckedModule;
import io.ptx4j.check.Checker;
import io.ptx4j.check.Linker;
import io.ptx4j.ir.Module;
import io.ptx4j.syntax.CompileTime;
import io.ptx4j.syntax.SourceFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * From text to checked modules, within a device's limits.
 *
 * @param characters that a text may have
 * @param instructions that a module may have
 * @param time that reading and checking may take; null for any
 */
record ModuleReading(long characters, long instructions, Duration time) {
    /** Does not read what is too long. */
    SourceFile read(Path file) {
        try {
            checkText(file.toString(), Files.size(file));
            return SourceFile.read(file);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    Module check(SourceFile source) {
        checkText(source.name(), source.text().length());
        return inTime(source.name(), () -> Checker.check(source));
    }

    Module link(List<SourceFile> sources) {
        if (sources.isEmpty()) {
            throw new IllegalArgumentException("a program is linked from at least one module");
        }
        String names = sources.stream().map(SourceFile::name).collect(Collectors.joining(", "));
        checkText(names, sources.stream().mapToLong(source -> source.text().length()).sum());
        return inTime(names, () -> Linker.link(sources));
    }

    void checkInstructions(Module module) {
        long count = Stream.concat(module.kernels().values().stream().map(kernel -> kernel.body()),
                        module.functions().values().stream().map(function -> function.body())).filter(Objects::nonNull)
                .flatMap(body -> body.blocks().stream()).mapToLong(block -> block.instructions().size() + 1L).sum();
        if (count > instructions) {
            throw new LimitException(LimitException.Kind.MODULE, String.format(Locale.ROOT,
                    "%s has %,d instructions; at most %,d are allowed", module.name(), count, instructions), null);
        }
    }

    LimitException tooLong(String what, CompileTime.Exceeded late) {
        return new LimitException(LimitException.Kind.COMPILE_TIME, what + " takes longer to compile than " + Amount.time(time)
                + ", which is what is allowed", late);
    }

    private void checkText(String name, long length) {
        if (length > characters) {
            throw new LimitException(LimitException.Kind.TEXT, String.format(Locale.ROOT, "%s has %,d characters; at most %,d are allowed",
                    name, length, characters), null);
        }
    }

    private Module inTime(String names, Supplier<CheckedModule> reads) {
        CheckedModule checked;
        try {
            checked = CompileTime.within(time, reads);
        } catch (CompileTime.Exceeded late) {
            throw tooLong(names, late);
        }
        if (!checked.ok()) {
            throw new CompilationException(names, checked.diagnostics());
        }
        return checked.module();
    }
}
