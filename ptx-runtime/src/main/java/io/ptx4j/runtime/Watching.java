package io.ptx4j.runtime;

import io.ptx4j.engine.Check;
import io.ptx4j.engine.Fault;
import io.ptx4j.engine.Grid;
import io.ptx4j.engine.checks.Findings;
import io.ptx4j.engine.checks.LaunchChecks;
import io.ptx4j.engine.checks.RaceMemory;
import io.ptx4j.engine.checks.Shadow;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/** What a device watches its kernels for, and what it notes of its memory for that. */
final class Watching implements AutoCloseable {
    private final Set<Check> checks;
    private final Set<String> benign;
    private final Set<Integer> benignLines;
    private final int mostFindings;
    /** Null without checks. */
    private final DeviceMemory shadowMemory;
    private final Shadow shadow;
    /** Null where races are not looked for. */
    private final RaceMemory races;

    /** @throws OutOfDeviceMemoryException if the host does not map as much memory again as the device has */
    Watching(Set<Check> checks, Set<String> benign, Set<Integer> benignLines, int mostFindings, long memoryBytes) {
        this.mostFindings = mostFindings;
        this.checks = Set.copyOf(checks);
        this.benign = Set.copyOf(benign);
        this.benignLines = Set.copyOf(benignLines);
        this.shadowMemory = checks.isEmpty() ? null : DeviceMemory.open(memoryBytes);
        this.shadow = checks.isEmpty() ? null : new Shadow(shadowMemory.segment());
        this.races = checks.contains(Check.RACES) ? new RaceMemory(true) : null;
    }

    Set<Check> checks() {
        return checks;
    }

    /** Lines in which races are none. */
    Set<Integer> benignLines() {
        return benignLines;
    }

    /** Findings of a launch that are told; with one the launch ends there. */
    int mostFindings() {
        return mostFindings;
    }

    /** A new quarantine for an allocator that hands out buffers. */
    Quarantine quarantine() {
        return new Quarantine(shadow, checks.contains(Check.MEMORY));
    }

    /** A new quarantine for an allocator of memory that goes back at once. */
    Quarantine noQuarantine() {
        return new Quarantine(shadow, false);
    }

    /** Notes that the host has written bytes of device memory. */
    void written(long offset, long bytes) {
        if (shadow != null) {
            shadow.written(offset, bytes);
        }
    }

    /** Notes that memory is there for something else, which says later to whom it belongs. */
    void disown(Allocation area) {
        if (shadow != null) {
            shadow.set(area.offset(), area.bytes(), 0);
        }
    }

    /** Has a launch watched. */
    void watch(Grid grid, Device device, MemorySegment memory) {
        if (shadow != null) {
            grid.watch(new LaunchChecks(checks, shadow, memory, grid, SharedLayout.bytes(grid.kernel, grid.dynamicSharedBytes), races,
                    (race, shared) -> isBenign(race, shared, device), benignLines, mostFindings > 1 ? new Findings() : null));
        }
    }

    /** @param shared the variable of shared memory that a race is on; null for one elsewhere */
    private boolean isBenign(Fault race, String shared, Device device) {
        return shared != null && benign.contains(shared) || device.nearest(race.address()).filter(found -> found.offset() >= 0 && found.offset() < found.bytes()
                        && benign.contains(found.allocation())).isPresent();
    }

    @Override
    public void close() {
        if (shadowMemory != null) {
            shadowMemory.close();
        }
    }
}
