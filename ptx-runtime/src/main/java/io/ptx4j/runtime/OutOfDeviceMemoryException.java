package io.ptx4j.runtime;

/** The device has no room for an allocation, or the host none for a device. */
public final class OutOfDeviceMemoryException extends PtxException {
    private static final long serialVersionUID = 1L;

    OutOfDeviceMemoryException(String message, Throwable cause) {
        super(message, cause);
    }
}
