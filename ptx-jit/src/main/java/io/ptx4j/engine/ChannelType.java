package io.ptx4j.engine;

/** The type of each channel of a texel. */
public enum ChannelType {
    U8(1), S8(1), U16(2), S16(2), U32(4), S32(4), F16(2), F32(4);

    private final int bytes;

    ChannelType(int bytes) {
        this.bytes = bytes;
    }

    public int bytes() {
        return bytes;
    }

    public boolean isFloat() {
        return this == F16 || this == F32;
    }

    public boolean signed() {
        return this == S8 || this == S16 || this == S32;
    }
}
