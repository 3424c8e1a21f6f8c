package io.ptx4j.differential;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Takes lines out of a kernel as long as it still shows the same difference. */
final class Reducer {
    private static final long TIME_NANOS = 60_000_000_000L;

    private final Judge judge;
    private final Difference shown;
    private final long end = System.nanoTime() + TIME_NANOS;
    private RandomKernel smallest;

    /** Says how engines differ on a kernel; null if they do not. */
    @FunctionalInterface
    interface Judge {
        Difference compare(RandomKernel kernel);
    }

    private Reducer(Judge judge, RandomKernel kernel, Difference shown) {
        this.judge = judge;
        this.shown = shown;
        this.smallest = kernel;
    }

    static RandomKernel reduce(Judge judge, RandomKernel kernel, Difference shown) {
        Reducer reducer = new Reducer(judge, kernel, shown);
        if (kernel.hasSecond()) {
            reducer.keep(kernel.alone());
        }
        reducer.launch();
        int before;
        do {
            before = reducer.smallest.text().length();
            reducer.lines(part -> part.body(), RandomKernel::withBody);
            reducer.guards();
            reducer.lines(part -> part.tail(), RandomKernel::withTail);
            reducer.lines(part -> part.head(), RandomKernel::withHead);
        } while (reducer.smallest.text().length() < before && System.nanoTime() < reducer.end);
        reducer.launch();
        return reducer.smallest;
    }

    private boolean keep(RandomKernel candidate) {
        if (System.nanoTime() > end || !shown.like(judge.compare(candidate))) {
            return false;
        }
        smallest = candidate;
        return true;
    }

    private void launch() {
        keep(smallest.launched(1, smallest.threads()));
        for (int threads : new int[] {1, 2, 3, 31, 32, 33, 64}) {
            if (threads < smallest.threads() && keep(smallest.launched(smallest.grid(), threads))) {
                return;
            }
        }
    }

    private interface Part {
        List<String> of(RandomKernel kernel);
    }

    private interface Replacement {
        RandomKernel in(RandomKernel kernel, List<String> lines);
    }

    private void lines(Part part, Replacement replacement) {
        for (int chunk = Math.max(1, part.of(smallest).size() / 2); chunk > 0; chunk /= 2) {
            for (int at = part.of(smallest).size() - chunk; at > -chunk; at -= chunk) {
                List<String> lines = new ArrayList<>(part.of(smallest));
                if (at < lines.size()) {
                    List<String> removed = lines.subList(Math.max(0, at), Math.min(lines.size(), at + chunk));
                    if (removed.stream().noneMatch(this::needed)) {
                        removed.clear();
                        keep(replacement.in(smallest, lines));
                    }
                }
            }
        }
    }

    /** Whether without this line something would be read that has no value, or threads would write to one place. */
    private boolean needed(String line) {
        return smallest.head().contains(line) && sets(line) || line.contains("st.shared.b64 [%sa+0]") && smallest.body().stream().anyMatch(other -> other.contains(".shared") || other.contains("%gs"))
                || line.contains("[%lo+0]") && smallest.head().contains(line) && smallest.body().stream().anyMatch(other -> other.contains(".local") || other.contains("%gl"))
                || line.contains("mov.u32 %thread") || line.contains("%first") || line.contains("%size") && smallest.head().contains(line)
                || line.contains(" fixed[") || line.contains("%tile") && line.contains("%thread, ") && smallest.head().contains(line)
                || line.contains("mov.u32 %bins") || line.contains("mov.u32 %met") || line.contains("[many]") || line.contains("mov.u32 %bm") || line.contains("ld.param.u64 %im") || line.contains("tiles;");
    }

    /** Whether a line of the head gives a first value to a register of the body: what a register holds before it is written is anything. */
    private boolean sets(String line) {
        return !line.contains(".reg ") && !Collections.disjoint(KernelGenerator.used(List.of(line)), KernelGenerator.used(smallest.body()));
    }

    private void guards() {
        for (int i = 0; i < smallest.body().size(); i++) {
            String line = smallest.body().get(i);
            if (line.startsWith("@")) {
                List<String> lines = new ArrayList<>(smallest.body());
                lines.set(i, line.substring(line.indexOf(' ') + 1));
                keep(smallest.withBody(lines));
            }
        }
    }
}
