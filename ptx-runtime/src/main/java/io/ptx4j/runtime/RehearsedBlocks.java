package io.ptx4j.runtime;

import io.ptx4j.engine.Executable;
import io.ptx4j.engine.Grid;
import io.ptx4j.engine.Worker;
import java.util.function.Consumer;

/** Blocks of a grid that only are rehearsed, on the calling thread and in memory of their own. */
final class RehearsedBlocks implements GridWork {
    private final Device device;
    private final Grid grid;
    private final Executable code;
    private final Allocation constants;
    private final Consumer<Outcome> whenEnded;

    RehearsedBlocks(Device device, Grid grid, Executable code, Allocation constants, Consumer<Outcome> whenEnded) {
        this.device = device;
        this.grid = grid;
        this.code = code;
        this.constants = constants;
        this.whenEnded = whenEnded;
    }

    @Override
    public void begin(Runnable stopOnInterrupt) {
        Throwable failed = null;
        try {
            rehearse();
        } catch (RuntimeException | Error failure) {
            failed = failure;
        }
        whenEnded.accept(new Outcome(failed == null && !grid.cancelled(), null, null, failed));
    }

    private void rehearse() {
        long shared = SharedLayout.bytes(grid.kernel, grid.dynamicSharedBytes);
        long local = Math.multiplyExact(code.localBytesPerThread(), grid.block.threads());
        Windows.Pair windows = device.windows().take(shared, local);
        try {
            code.rehearse(new Worker(grid, device.areas().inUse(), device.areas().slice(windows.shared()).asSlice(0, shared),
                    windows.shared().address(), device.areas().slice(windows.local()).asSlice(0, local), windows.local().address(),
                    device.areas().slice(constants), windows.index), () -> !grid.cancelled());
        } finally {
            device.windows().give(windows);
        }
    }
}
