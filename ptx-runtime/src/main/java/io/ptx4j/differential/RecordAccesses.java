package io.ptx4j.differential;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/**
 * Loads and stores in turn of a structure that each thread has for itself at the beginning of {@code out}, and loads from one of {@code in}. Several registers point into the thread's structure, which
 * arithmetic shows, or only a look at them: engines that make accesses to neighbouring words together must find out which may change places.
 */
final class RecordAccesses {
    static final String DECLARATIONS = ".reg .b64 %sums, %none, %twin;";
    /** Another register for the beginning of {@code out}, which no compiler can know to be one. */
    static final String TWIN = "ld.param.u64 %sums, [sums]; ld.global.u64 %none, [%sums]; add.s64 %twin, %out, %none;";
    /** Bytes of a structure: of 4 or 8 bytes, so that all elements are aligned. */
    private static final int[] SIZES = {4, 8, 8, 12, 16, 16, 16, 16, 20, 24, 24, 24, 32, 32, 32, 40, 64};
    private static final int[] INPUT_SIZES = {4, 8, 12, 16};
    private static final int[] BYTES = {1, 2, 4, 4, 4, 8};
    private static final int MOST_BYTES = 16;
    /** Of how many accesses one has elements unlike most, or several. */
    private static final int OTHERS = 12;
    /** Of how many accesses one has a guard, one is skipped by some threads with those behind it, and one has an address of its own. */
    private static final int GUARDED = 30;
    private static final int SKIPPED = 25;
    private static final int ADDRESSES = 2;
    /** Most addresses of a structure. */
    private static final int MOST_ADDRESSES = 4;
    /** Of how many accesses one is of the structure in {@code in}. */
    private static final int INPUTS = 8;

    private final SplittableRandom random;
    private final Registers registers;
    /** Gives a new register for an address. */
    private final Supplier<String> places;
    private final Supplier<String> indices;
    private final List<String> lines;
    private final int size;
    private final int inputSize;
    /** Bytes of most elements. */
    private final int element;
    private final int addresses;
    /** Whether there is next to nothing but accesses to words that are alike. */
    private final boolean dense;
    private final List<Place> known = new ArrayList<>();
    private final List<Place> inputs = new ArrayList<>();
    private int labels;

    /** A register that points so many bytes behind the beginning of the thread's structure. */
    private record Place(String register, int bytes) {
    }

    RecordAccesses(SplittableRandom random, Registers registers, Supplier<String> places, Supplier<String> indices, List<String> lines) {
        this.random = random;
        this.registers = registers;
        this.places = places;
        this.indices = indices;
        this.lines = lines;
        this.size = SIZES[random.nextInt(SIZES.length)];
        this.inputSize = INPUT_SIZES[random.nextInt(INPUT_SIZES.length)];
        this.element = BYTES[random.nextInt(BYTES.length)];
        this.addresses = 1 + random.nextInt(MOST_ADDRESSES);
        this.dense = random.nextBoolean();
    }

    /** Bytes of {@code out} that the structures take for a thread, a multiple of 8. */
    int bytes() {
        return (size + 7) & -8;
    }

    boolean dense() {
        return dense;
    }

    /** An access, or some that a branch goes around. */
    void some() {
        if (dense || random.nextInt(SKIPPED) > 0) {
            access();
            return;
        }
        String behind = "R" + labels++;
        lines.add("@" + registers.condition() + " bra " + behind + ";");
        // What is computed here, other threads do not have.
        int before = known.size();
        int inputsBefore = inputs.size();
        for (int n = 1 + random.nextInt(4); n > 0; n--) {
            access();
        }
        known.subList(before, known.size()).clear();
        inputs.subList(inputsBefore, inputs.size()).clear();
        lines.add(behind + ":");
    }

    private void access() {
        boolean input = random.nextInt(INPUTS) == 0;
        int of = input ? inputSize : size;
        int bytes;
        int elements;
        boolean other = !dense && random.nextInt(OTHERS) == 0;
        do {
            bytes = other ? BYTES[random.nextInt(BYTES.length)] : element;
            elements = other ? 1 << random.nextInt(3) : 1;
            other |= of % bytes != 0;
        } while (of % (bytes * elements) != 0 || bytes * elements > MOST_BYTES);
        int at = bytes * elements * random.nextInt(of / (bytes * elements));
        Place place = place(input ? inputs : known, input ? "%in" : known.size() % 2 == 0 ? "%out" : "%twin", of);
        boolean load = input || random.nextBoolean();
        String values = values(bytes, elements, load);
        if (values == null) {
            return;
        }
        String type = (elements == 1 ? "" : ".v" + elements) + (bytes == 1 ? random.nextBoolean() ? ".u8" : ".s8" : (random.nextBoolean() ? ".b" : ".u") + 8 * bytes);
        int offset = at - place.bytes;
        String address = "[" + place.register + (offset == 0 ? "" : "+" + offset) + "]";
        String guard = !dense && random.nextInt(GUARDED) == 0 ? "@" + registers.condition() + " " : "";
        lines.add(guard + (load ? "ld.global" + type + " " + values + ", " + address : "st.global" + type + " " + address + ", " + values) + ";");
    }

    /** Registers to load or store; null if there are not as many. */
    private String values(int bytes, int elements, boolean load) {
        List<String> all = new ArrayList<>();
        Set<String> different = new HashSet<>();
        int bits = bytes == 1 ? 16 << random.nextInt(2) : 8 * bytes;
        for (int n = 0; n < elements; n++) {
            String register = registers.ofBits(bits);
            if (!different.add(register) && load) {
                return null;
            }
            all.add(register);
        }
        return elements == 1 ? all.getFirst() : "{" + String.join(", ", all) + "}";
    }

    private Place place(List<Place> some, String base, int of) {
        if (some.isEmpty() || some.size() < addresses && random.nextInt(ADDRESSES) == 0) {
            some.add(address(base, of));
        }
        return some.get(random.nextInt(some.size()));
    }

    private Place address(String base, int of) {
        int part = 4 * (1 + random.nextInt(4));
        String offset = places.get();
        switch (random.nextInt(6)) {
            case 0 -> {
                lines.add("mad.wide.u32 " + offset + ", %gid, " + of + ", " + base + ";");
                return new Place(offset, 0);
            }
            case 1 -> {
                String wide = places.get();
                lines.add("cvt.u64.u32 " + wide + ", %gid; mul.lo.s64 " + offset + ", " + wide + ", " + of + ";");
            }
            case 2 -> {
                String more = places.get();
                String less = places.get();
                lines.add("mul.wide.u32 " + more + ", %gid, " + (of + part) + "; mul.wide.u32 " + less + ", %gid, " + part + "; sub.s64 " + offset + ", " + more + ", " + less + ";");
            }
            case 3 -> {
                String index = indices.get();
                lines.add("mad.lo.s32 " + index + ", %gid, " + of / 4 + ", " + part / 4 + "; mul.wide.s32 " + offset + ", " + index + ", 4;");
                return new Place(sum(base, offset), part);
            }
            case 4 -> {
                int power = Integer.numberOfTrailingZeros(of);
                String wide = places.get();
                String scaled = places.get();
                lines.add("cvt.u64.u32 " + wide + ", %gid; shl.b64 " + scaled + ", " + wide + ", " + power + "; mul.lo.s64 " + offset + ", " + scaled + ", " + (of >> power) + ";");
            }
            default -> lines.add("mul.wide.u32 " + offset + ", %gid, " + of + ";");
        }
        return new Place(sum(base, offset), 0);
    }

    private String sum(String base, String offset) {
        String place = places.get();
        lines.add(ElementKernels.sum(random, place, base, offset));
        return place;
    }
}
