package io.ptx4j.runtime;

import io.ptx4j.engine.AddressSpace;
import io.ptx4j.engine.Multicast;
import io.ptx4j.engine.Multicasts;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** The multicast objects of a device. */
final class MulticastObjects {
    private volatile Multicasts current = Multicasts.NONE;
    private long next = AddressSpace.MULTICAST;

    /** Those that a launch which begins now may use. */
    Multicasts current() {
        return current;
    }

    /** @throws IllegalArgumentException if the replicas cannot be one object of {@code device} */
    synchronized Multicast add(String name, Device device, List<DeviceBuffer> replicas) {
        check(device, replicas);
        if (current == Multicasts.NONE) {
            // What is made in one order has the same addresses each time, whatever was there before: messages name them.
            next = AddressSpace.MULTICAST;
        }
        Multicast object = new Multicast(name, next, replicas.getFirst().byteSize(),
                replicas.stream().map(replica -> replica.address() - AddressSpace.ORIGIN).toList());
        // Two steps on: what runs over the end of an object finds nothing there.
        next += (object.bytes() / Multicast.ALIGNMENT + 2) * Multicast.ALIGNMENT;
        current = current.with(object);
        return object;
    }

    private static void check(Device device, List<DeviceBuffer> replicas) {
        if (replicas.isEmpty()) {
            throw new IllegalArgumentException("a multicast buffer of no buffers");
        }
        Set<Long> places = new HashSet<>();
        for (DeviceBuffer replica : replicas) {
            String wrong = replica.device() != device ? " belongs to another device"
                    : replica.byteSize() != replicas.getFirst().byteSize() ? " is not as large as " + replicas.getFirst()
                    : replica.address() % 16 != 0 ? " does not lie at a multiple of 16" : places.add(replica.address()) ? "" : " stands there twice";
            if (!wrong.isEmpty()) {
                throw new IllegalArgumentException("multicast buffer: " + replica + wrong);
            }
        }
    }

    /** Gives up the addresses of these objects. */
    synchronized void forget(Predicate<Multicast> gone) {
        current = current.without(gone);
    }

    /** Gives up the addresses of objects that lie there. */
    void forget(Allocation allocation) {
        // Every launch frees the memory of its parameters.
        if (current == Multicasts.NONE) {
            return;
        }
        forget(object -> object.replicas().stream().anyMatch(place -> place >= allocation.offset() && place < allocation.end()));
    }
}
