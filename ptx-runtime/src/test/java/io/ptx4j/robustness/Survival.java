package io.ptx4j.robustness;

import io.ptx4j.cases.CaseEngine;
import io.ptx4j.check.CheckedModule;
import io.ptx4j.check.Checker;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import io.ptx4j.runtime.Kernel;
import io.ptx4j.runtime.KernelException;
import io.ptx4j.runtime.Launch;
import io.ptx4j.runtime.PtxException;
import io.ptx4j.runtime.PtxModule;
import io.ptx4j.syntax.Diagnostic;
import io.ptx4j.syntax.SourceFile;
import java.io.OutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Gives ptx4j any text and any launch; what comes out is an exception of ptx4j's own, or one that its documentation names. */
final class Survival implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMillis(300);
    private static final int LARGEST_LAUNCHED = 20_000;
    private static final int ELEMENTS = 256;

    private final Map<CaseEngine, Device> devices = new EnumMap<>(CaseEngine.class);

    Survival() {
        for (CaseEngine engine : CaseEngine.values()) {
            devices.put(engine, Device.builder().engine(engine.create()).workers(1).memory(4 << 20).timeout(PATIENCE)
                    .output(new PrintStream(OutputStream.nullOutputStream())).open());
        }
    }

    /** Checks the text; where it is a program, launches each of its kernels with arguments that fit. */
    void text(String text) {
        CheckedModule checked = Checker.check(new SourceFile("fuzz.ptx", text));
        checked.diagnostics().forEach(Diagnostic::render);
        if (checked.ok() && text.length() < LARGEST_LAUNCHED) {
            devices.values().forEach(device -> eachKernel(device, checked));
        }
    }

    private static void eachKernel(Device device, CheckedModule checked) {
        try (PtxModule module = device.load(checked.module()); DeviceBuffer buffer = device.allocateInts(ELEMENTS)) {
            for (Kernel kernel : module.kernels()) {
                survive(() -> {
                    Launch launch = kernel.grid(2).block(33).shared(64);
                    launch.launch(kernel.parameters().stream().map(parameter -> fitting(parameter, buffer)).toArray());
                });
            }
        } catch (PtxException told) {
            internalIsAFailure(told);
        }
    }

    private static Object fitting(Kernel.Parameter parameter, DeviceBuffer buffer) {
        if (parameter.bytes() != parameter.type().bytes()) {
            return new byte[(int) parameter.bytes()];
        }
        return switch (parameter.type()) {
            case U64, S64, B64 -> buffer;
            case U32, S32, B32 -> 7;
            case F32 -> 1.5f;
            case F64 -> 2.5;
            default -> new byte[(int) parameter.bytes()];
        };
    }

    /** Launches a kernel of {@code text} with what {@code random} says, which need not fit. */
    void launch(String text, Choices random) {
        CheckedModule checked = Checker.check(new SourceFile("fuzz.ptx", text));
        Device device = devices.get(CaseEngine.values()[random.nextInt(CaseEngine.values().length)]);
        try (PtxModule module = device.load(checked.module()); DeviceBuffer buffer = device.allocate(random.nextInt(1 << 12))) {
            List<Kernel> kernels = List.copyOf(module.kernels());
            Kernel kernel = kernels.get(random.nextInt(kernels.size()));
            int count = random.nextInt(8) == 0 ? random.nextInt(9) : kernel.parameters().size();
            Object[] arguments = new Object[count];
            for (int i = 0; i < count; i++) {
                boolean fits = random.nextInt(3) > 0 && i < kernel.parameters().size();
                arguments[i] = fits ? fitting(kernel.parameters().get(i), buffer) : any(buffer, random);
            }
            survive(() -> kernel.grid(extent(random), extent(random), extent(random)).block(extent(random), extent(random), extent(random))
                    .shared(random.nextInt(3) > 0 ? 0 : anyInt(random)).launch(arguments));
        } catch (PtxException told) {
            internalIsAFailure(told);
        }
    }

    private static int extent(Choices random) {
        return random.nextInt(4) > 0 ? 1 + random.nextInt(3) : random.nextInt(4) > 0 ? random.nextInt(70) : anyInt(random);
    }

    private static int anyInt(Choices random) {
        return random.nextInt() >> random.nextInt(32);
    }

    private static Object any(DeviceBuffer buffer, Choices random) {
        return switch (random.nextInt(12)) {
            case 0 -> null;
            case 1 -> anyInt(random);
            case 2 -> random.nextLong() >> random.nextInt(64);
            case 3 -> Float.intBitsToFloat(random.nextInt());
            case 4 -> Double.longBitsToDouble(random.nextLong());
            case 5 -> (short) random.nextInt();
            case 6 -> (byte) random.nextInt();
            case 7 -> random.nextBoolean();
            case 8 -> new byte[random.nextInt(70)];
            case 9 -> "text";
            case 10 -> buffer.address() + random.nextInt(1 << 13) - 40;
            default -> buffer;
        };
    }

    private static void survive(Runnable action) {
        try {
            action.run();
        } catch (PtxException told) {
            internalIsAFailure(told);
        } catch (IllegalArgumentException misuse) {
            // The builder methods of Launch say so.
        }
    }

    private static void internalIsAFailure(PtxException told) {
        if (told instanceof KernelException failed && failed.kind() == KernelException.Kind.INTERNAL) {
            throw told;
        }
    }

    @Override
    public void close() {
        devices.values().forEach(Device::close);
    }
}
