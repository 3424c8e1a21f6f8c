package io.ptx4j.jit.support;

import io.ptx4j.engine.AddressSpace;
import io.ptx4j.engine.Fault;
import io.ptx4j.engine.ImageDescriptor;
import io.ptx4j.engine.ImageShape;
import io.ptx4j.engine.Worker;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * What generated code calls for textures and surfaces. It hands over coordinates and values word by word ({@link #set}) and takes
 * results so ({@link #word}). Each frame has one, which knows the images of its worker's launch.
 */
public final class ImageUnit {
    /** First words of the operands; coordinates stand as written, with numbers of layers and samples in front. */
    public static final int COORDINATES = 0;
    public static final int LEVEL = 4;
    public static final int GRADIENTS = 4;
    public static final int OFFSETS = 12;
    public static final int REFERENCE = 16;
    public static final int VALUES = 20;

    /** A power of two. */
    private static final int KEPT = 8;

    final int[] words = new int[36];
    final int[] results = new int[8];
    private final Map<Long, ImageView> images = new HashMap<>();
    private final Map<Long, SamplerView> samplers = new HashMap<>();
    /** The last texture instructions, by the hash of what they read and how. */
    private final Fetch[] fetches = new Fetch[KEPT];
    private final long[] surfaces = new long[KEPT];
    private final ImageView[] surfaceImages = new ImageView[KEPT];
    private final Sampling sampling = new Sampling(this);
    private final SurfaceAccess surface = new SurfaceAccess(this);
    private Worker worker;

    ImageUnit() {
    }

    /** Sets word {@code index} of the operands. */
    public static void set(int bits, Frame frame, int index) {
        frame.images().words[index] = bits;
    }

    /** Word {@code index} of the results. */
    public static int word(Frame frame, int index) {
        return frame.images().results[index];
    }

    /** {@code tex} and {@code tld4}; {@code sampler} is 0 where the texture says how it is read. */
    public static void sample(long texture, long sampler, Worker worker, Frame frame, int operation) {
        ImageUnit unit = frame.images();
        unit.enter(worker);
        unit.sampling.sample(unit.fetch(texture, sampler, operation));
    }

    /** {@code suld}, {@code sust} and {@code sured}. */
    public static void surface(long handle, Worker worker, Frame frame, int operation) {
        ImageUnit unit = frame.images();
        unit.enter(worker);
        unit.surface.access(worker.memory, unit.surfaceImage(handle), new SurfaceOperation(operation));
    }

    /** {@code txq} and {@code suq} of a field of the image; {@code level} is 0 for its greatest one. */
    public static int query(long handle, Worker worker, Frame frame, int field, int level) {
        ImageUnit unit = frame.images();
        unit.enter(worker);
        long at = unit.find(handle, 0);
        if (field >= ImageQuery.SAMPLER_FIELDS) {
            return unit.sampler(handle).query(field);
        }
        return ImageQuery.of(unit.images.computeIfAbsent(at, a -> new ImageView(worker.memory, a)), unit.samplerAt(at), field, level);
    }

    /** {@code istypep}: whether the handle is one of the given {@link ImageDescriptor#KIND}. */
    public static int isKind(long handle, Worker worker, long kind) {
        MemorySegment memory = worker.memory;
        return kindAt(memory, handle) == kind || kindAt(memory, behind(memory, handle)) == kind ? 1 : 0;
    }

    /** Forgets the images of the launch before. */
    private void enter(Worker current) {
        if (worker != current) {
            worker = current;
            images.clear();
            samplers.clear();
            Arrays.fill(fetches, null);
            Arrays.fill(surfaceImages, null);
        }
    }

    private Fetch fetch(long texture, long sampler, int operation) {
        int slot = slot(31 * (31 * texture + sampler) + operation);
        Fetch kept = fetches[slot];
        if (kept != null && kept.is(texture, sampler, operation)) {
            return kept;
        }
        Fetch made = new Fetch(texture, sampler, new TextureOperation(operation), image(texture, ImageDescriptor.TEXTURE),
                sampler(sampler == 0 ? texture : sampler));
        fetches[slot] = made;
        return made;
    }

    private ImageView surfaceImage(long handle) {
        int slot = slot(handle);
        if (surfaceImages[slot] == null || surfaces[slot] != handle) {
            surfaceImages[slot] = image(handle, ImageDescriptor.SURFACE);
            surfaces[slot] = handle;
        }
        return surfaceImages[slot];
    }

    private static int slot(long key) {
        return (int) (key * 0x9e37_79b9_7f4a_7c15L >>> 40) & KEPT - 1;
    }

    private ImageView image(long handle, long kind) {
        return images.computeIfAbsent(find(handle, kind), at -> new ImageView(worker.memory, at));
    }

    private SamplerView sampler(long handle) {
        return samplerAt(find(handle, 0));
    }

    private SamplerView samplerAt(long offset) {
        return samplers.computeIfAbsent(offset, at -> new SamplerView(worker.memory, at));
    }

    /** Where the descriptor lies that the handle, or the variable that it is the address of, names; {@code kind} is 0 for any. */
    private long find(long handle, long kind) {
        for (long address : new long[] {handle, behind(worker.memory, handle)}) {
            long found = kindAt(worker.memory, address);
            if (found != 0 && (kind == 0 || found == kind)) {
                return address - AddressSpace.ORIGIN;
            }
        }
        throw Fault.at(Fault.Kind.ILLEGAL_OPERAND, "0x" + Long.toHexString(handle) + " is no handle of a "
                + (kind == ImageDescriptor.SURFACE ? "surface" : kind == ImageDescriptor.TEXTURE ? "texture" : "texture, surface or sampler"),
                0, -1, -1);
    }

    private static long behind(MemorySegment memory, long address) {
        long offset = address - AddressSpace.ORIGIN;
        return inside(memory, offset, Long.BYTES) ? memory.get(Memory.I64, offset) : 0;
    }

    private static long kindAt(MemorySegment memory, long address) {
        long offset = address - AddressSpace.ORIGIN;
        if (!inside(memory, offset, ImageDescriptor.BYTES)) {
            return 0;
        }
        long kind = memory.get(Memory.I64, offset);
        return kind == ImageDescriptor.TEXTURE || kind == ImageDescriptor.SURFACE || kind == ImageDescriptor.SAMPLER ? kind : 0;
    }

    private static boolean inside(MemorySegment memory, long offset, int bytes) {
        return offset >= 0 && offset <= memory.byteSize() - bytes && offset % Long.BYTES == 0;
    }

    /** @throws Fault if an instruction for {@code dimensions}, layers and cubes cannot read an image of that shape */
    static void require(ImageShape shape, boolean fits, String instruction) {
        if (!fits) {
            throw Fault.at(Fault.Kind.ILLEGAL_OPERAND, instruction + " on an image of shape " + shape, 0, -1, -1);
        }
    }
}
