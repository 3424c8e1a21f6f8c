package io.ptx4j.engine;

/** The layout of device addresses. */
public final class AddressSpace {
    /**
     * Added to every offset into device memory, so that null, small and truncated addresses fault. Its low 32 bits are zero:
     * a 32-bit address (PTX with {@code .address_size 32}) plus this constant is the 64-bit one.
     */
    public static final long BASE = 0x7F00_0000_0000L;

    /** Bytes at the start of the address space that never belong to anything, so that 32-bit null and small addresses fault too. */
    public static final long RESERVED = 0x1_0000L;

    /** The generic address of byte 0 of {@link Worker#memory}. */
    public static final long ORIGIN = BASE + RESERVED;

    /** Where the addresses of multicast objects begin: behind all of device memory, however large. */
    public static final long MULTICAST = BASE + 0x100_0000_0000L;

    private AddressSpace() {
    }
}
