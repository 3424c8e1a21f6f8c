package io.ptx4j.runtime;

import io.ptx4j.engine.Multicast;
import java.util.List;

/**
 * Several buffers of one size under one address, CUDA's multicast object: {@code multimem.ld_reduce} at an address of it reads the same place
 * of every buffer and puts the values together, from the first buffer to the last; {@code multimem.st} and {@code multimem.red} change that
 * place of every buffer (manual: "multimem"). On a GPU each of them lies in the memory of another device; here all lie in this one's.
 *
 * <p>It is passed to kernels as a buffer is. Instructions other than {@code multimem} do not take its addresses, and those do not take the
 * addresses of buffers: both are errors of the kernel.
 */
public final class MulticastBuffer implements AutoCloseable {
    private final Device device;
    private final Multicast object;
    private final List<DeviceBuffer> replicas;
    private boolean closed;

    MulticastBuffer(Device device, Multicast object, List<DeviceBuffer> replicas) {
        this.device = device;
        this.object = object;
        this.replicas = List.copyOf(replicas);
    }

    /** What error messages call it. */
    public String name() {
        return object.name();
    }

    public Device device() {
        return device;
    }

    /** The multimem address that kernels use, a multiple of 65,536. */
    public long address() {
        checkOpen();
        return object.address();
    }

    /** Bytes of each replica. */
    public long byteSize() {
        return object.bytes();
    }

    /** The buffers, in the order in which their values are put together. */
    public List<DeviceBuffer> replicas() {
        return replicas;
    }

    /** @throws IllegalStateException if it is closed, or one of its buffers */
    synchronized void checkOpen() {
        device.checkOpen();
        if (closed) {
            throw new IllegalStateException("multicast buffer " + name() + " is closed");
        }
        for (DeviceBuffer replica : replicas) {
            if (replica.closed()) {
                throw new IllegalStateException("buffer " + replica.name() + " of multicast buffer " + name() + " is closed");
            }
        }
    }

    /** Gives the address up once launches under way have ended. The buffers stay. Closing twice does nothing. */
    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        device.release(object);
    }

    @Override
    public String toString() {
        return name() + " (" + replicas.size() + " replicas of " + Amount.bytes(object.bytes()) + " at " + Amount.address(object.address()) + ")";
    }
}
