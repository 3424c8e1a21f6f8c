package io.ptx4j.differential;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Predicate;

/** Takes lines out of a kernel as long as it still shows the same difference. */
final class Reducer {
    private static final long TIME_NANOS = 60_000_000_000L;
    /** Parts of lines without which others mean something else. */
    private static final List<String> PREPARING = List.of("mov.u32 %thread", "%first", " fixed[", "mov.u32 %bins", "mov.u32 %met", "[many]", "mov.u32 %bm", "ld.param.u64 %im", "tiles;");

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
            reducer.lines(RandomKernel::body, RandomKernel::withBody, line -> false);
            reducer.guards();
            reducer.lines(RandomKernel::tail, RandomKernel::withTail, reducer::isOfHead);
            reducer.lines(RandomKernel::head, RandomKernel::withHead, reducer::isOfHead);
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

    private boolean isOfHead(String line) {
        return smallest.head().contains(line);
    }

    /** @param head which lines prepare what the body uses */
    private void lines(Part part, Replacement replacement, Predicate<String> head) {
        for (int chunk = Math.max(1, part.of(smallest).size() / 2); chunk > 0; chunk /= 2) {
            for (int at = part.of(smallest).size() - chunk; at > -chunk; at -= chunk) {
                List<String> lines = new ArrayList<>(part.of(smallest));
                if (at < lines.size()) {
                    List<String> removed = lines.subList(Math.max(0, at), Math.min(lines.size(), at + chunk));
                    if (removed.stream().noneMatch(line -> isNeeded(line, head.test(line)))) {
                        removed.clear();
                        keep(replacement.in(smallest, lines));
                    }
                }
            }
        }
    }

    /** Whether without this line something would be read that has no value, or threads would write to one place. */
    private boolean isNeeded(String line, boolean head) {
        return head && (sets(line) || line.contains("%size") || line.contains("%tile") && line.contains("%thread, ")
                || line.contains("[%lo+0]") && bodyNames(".local", "%gl"))
                || line.contains("st.shared.b64 [%sa+0]") && bodyNames(".shared", "%gs")
                || PREPARING.stream().anyMatch(line::contains);
    }

    private boolean bodyNames(String space, String address) {
        return smallest.body().stream().anyMatch(line -> line.contains(space) || line.contains(address));
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
