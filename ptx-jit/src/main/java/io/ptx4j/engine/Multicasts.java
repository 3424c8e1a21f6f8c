package io.ptx4j.engine;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The multicast objects of a device at one time, which never change: what a launch finds at its start it keeps to its end. Their
 * addresses lie behind all of device memory, so that every other access to one is out of bounds.
 */
public final class Multicasts {
    /** No objects. */
    public static final Multicasts NONE = new Multicasts(List.of());

    private final List<Multicast> objects;

    private Multicasts(List<Multicast> objects) {
        this.objects = objects;
    }

    /** These and {@code more}. */
    public Multicasts with(Multicast more) {
        List<Multicast> all = new ArrayList<>(objects);
        all.add(more);
        return new Multicasts(List.copyOf(all));
    }

    /** These but for those that {@code gone} holds for. */
    public Multicasts without(Predicate<Multicast> gone) {
        List<Multicast> left = objects.stream().filter(gone.negate()).toList();
        return left.isEmpty() ? NONE : new Multicasts(left);
    }

    /**
     * The object that an access of {@code bytes} lies in.
     *
     * @throws Fault if there is none, or if the address is no multiple of {@code bytes}; who did it where is left to be added
     */
    public Multicast at(long address, int bytes) {
        for (Multicast object : objects) {
            if (address >= object.address() && address <= object.end() - bytes) {
                if ((address & bytes - 1) != 0) {
                    throw fault(Fault.Kind.MISALIGNED, "is misaligned", address, bytes);
                }
                return object;
            }
        }
        throw fault(Fault.Kind.OUT_OF_BOUNDS, "lies in no multicast object", address, bytes);
    }

    private static Fault fault(Fault.Kind kind, String problem, long address, int bytes) {
        String message = "a multimem access of " + bytes + " bytes at 0x" + Long.toHexString(address) + " " + problem;
        return new Fault(kind, message, 0, -1, -1, address, bytes, "multimem", null);
    }

    /** The object that holds a multimem address, or ends or starts nearest to it. */
    public Optional<Multicast> nearest(long address) {
        return objects.stream().min(Comparator.comparingLong(object -> object.distance(address)));
    }
}
