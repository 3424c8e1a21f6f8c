package io.ptx4j.runtime;

import io.ptx4j.engine.ImageDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** Writes the fields of {@link ImageDescriptor}. */
final class Descriptors {
    static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT.withOrder(ByteOrder.LITTLE_ENDIAN);

    private Descriptors() {
    }

    static void write(MemorySegment fields, Sampler sampler) {
        fields.set(INT, ImageDescriptor.NORMALIZED, sampler.normalized() ? 1 : 0);
        fields.set(INT, ImageDescriptor.READ_AS_FLOAT, sampler.readAsFloat() ? 1 : 0);
        fields.set(INT, ImageDescriptor.SRGB, sampler.srgb() ? 1 : 0);
        fields.set(INT, ImageDescriptor.FILTER, sampler.filter().ordinal());
        fields.set(INT, ImageDescriptor.MIP_FILTER, sampler.mipFilter().ordinal());
        for (int d = 0; d < 3; d++) {
            fields.set(INT, ImageDescriptor.ADDRESS_MODES + 4L * d, sampler.modes().get(d).ordinal());
        }
        fields.set(FLOAT, ImageDescriptor.LOD_BIAS, sampler.lodBias());
        fields.set(FLOAT, ImageDescriptor.LOD_MIN, sampler.lodMin());
        fields.set(FLOAT, ImageDescriptor.LOD_MAX, sampler.lodMax());
        for (int c = 0; c < 4; c++) {
            fields.set(FLOAT, ImageDescriptor.BORDER + 4L * c, sampler.border().get(c));
        }
    }
}
