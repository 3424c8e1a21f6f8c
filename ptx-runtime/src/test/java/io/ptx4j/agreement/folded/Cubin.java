package io.ptx4j.agreement.folded;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * What kernels of constants store, read off the machine code that ptxas makes for sm_75 and later: moves of constants into registers are
 * followed to the stores, up to the first branch. Any other instruction makes what it may write unknown. Instructions are 16 bytes;
 * bits 0 to 11 say which, 12 to 15 the guard, 16 to 23 the destination, then come the sources.
 */
final class Cubin {
    private static final int ZERO = 0xff;
    private static final int UNIFORM_ZERO = 0x3f;
    private static final long UNGUARDED = 7;
    /** Bits of the upper half that belong to the instruction; the others schedule it. */
    private static final long MODIFIERS = (1L << 41) - 1;
    private static final long MULTIPLY_ZEROS = 0x078e00ffL;
    private static final long FUSE_ZEROS = 0x1ffL;
    /** Registers that an instruction may write, at most. */
    private static final int WIDEST = 4;

    private final Map<Integer, Integer> registers = new HashMap<>(Map.of(ZERO, 0));
    private final Map<Integer, Integer> uniform = new HashMap<>(Map.of(UNIFORM_ZERO, 0));
    private final Map<Integer, Byte> stored = new HashMap<>();

    private Cubin() {
    }

    /** The bytes that each kernel stores, by offset; without those that are no constants. */
    static Map<String, Map<Integer, Byte>> constants(byte[] elf) {
        ByteBuffer file = ByteBuffer.wrap(elf).order(ByteOrder.LITTLE_ENDIAN);
        int headers = (int) file.getLong(40);
        int count = file.getShort(60);
        int names = (int) file.getLong(headers + 64 * file.getShort(62) + 24);
        Map<String, Map<Integer, Byte>> kernels = new HashMap<>();
        for (int i = 0; i < count; i++) {
            int header = headers + 64 * i;
            int from = names + file.getInt(header);
            int end = from;
            while (elf[end] != 0) {
                end++;
            }
            String name = new String(elf, from, end - from, StandardCharsets.US_ASCII);
            if (name.startsWith(".text.")) {
                kernels.put(name.substring(".text.".length()), run(file, (int) file.getLong(header + 24), (int) file.getLong(header + 32)));
            }
        }
        return kernels;
    }

    private static Map<Integer, Byte> run(ByteBuffer file, int from, int size) {
        Cubin state = new Cubin();
        for (int at = from; at < from + size; at += 16) {
            if (!state.step(file.getLong(at), file.getLong(at + 8))) {
                break;
            }
        }
        return state.stored;
    }

    /** @return whether the next instruction follows */
    private boolean step(long low, long high) {
        int opcode = (int) (low & 0xfff);
        boolean guarded = (low >> 12 & 0xf) != UNGUARDED;
        int destination = (int) (low >> 16 & 0xff);
        int a = (int) (low >> 24 & 0xff);
        int b = (int) (low >> 32 & 0xff);
        int c = (int) (high & 0xff);
        int constant = (int) (low >>> 32);
        long modifiers = high & MODIFIERS;
        Integer value = null;
        switch (opcode) {
            case 0x94d, 0x947, 0x94a, 0x944, 0x943, 0x950, 0x949 -> {
                return false;
            }
            case 0x986 -> {
                store(b, (int) (low >> 40), (int) (high >> 9 & 7), guarded);
                return true;
            }
            case 0x882, 0xc82 -> {
                uniform.put(destination & UNIFORM_ZERO, guarded ? null : opcode == 0x882 ? (Integer) constant : uniform.get(b & UNIFORM_ZERO));
                return true;
            }
            case 0x805 -> {
                if (modifiers == 0xff00 && !guarded) {
                    put(destination, 0);
                    put(destination + 1, 0);
                    return true;
                }
            }
            case 0x802 -> value = constant;
            case 0x202 -> value = registers.get(b);
            case 0xc02 -> value = uniform.get(b & UNIFORM_ZERO);
            case 0x424 -> value = a == ZERO && modifiers == MULTIPLY_ZEROS ? (Integer) constant : null;
            case 0x224 -> value = a == ZERO && b == ZERO && (modifiers & ~0xffL) == (MULTIPLY_ZEROS & ~0xffL) ? registers.get(c) : null;
            case 0x431, 0x435 -> value = a == ZERO && modifiers == FUSE_ZEROS ? (Integer) constant : null;
            default -> { }
        }
        if (value != null && !guarded) {
            put(destination, value);
        } else if (destination != ZERO) {
            for (int r = destination; r < destination + WIDEST && r < ZERO; r++) {
                registers.remove(r);
            }
            // Instructions of the uniform data path have their destinations in the same place.
            for (int r = destination & UNIFORM_ZERO; r < (destination & UNIFORM_ZERO) + WIDEST && r < UNIFORM_ZERO; r++) {
                uniform.remove(r);
            }
        }
        return true;
    }

    private void put(int register, int value) {
        if (register != ZERO) {
            registers.put(register, value);
        }
    }

    private void store(int register, int offset, int size, boolean guarded) {
        int bytes = size < 2 ? 1 : size < 4 ? 2 : 4 << size - 4;
        for (int k = 0; k < bytes; k++) {
            Integer word = register == ZERO ? Integer.valueOf(0) : registers.get(register + k / 4);
            if (word == null || guarded) {
                stored.remove(offset + k);
            } else {
                stored.put(offset + k, (byte) (word >> 8 * (k & 3)));
            }
        }
    }
}
