package io.ptx4j.jit.matrix;

import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.Spelling;
import io.ptx4j.jit.support.HalfOps;
import io.ptx4j.jit.support.SmallFloats;
import io.ptx4j.jit.support.WarpWords;

/**
 * How elements lie in a register of 32 bits and what numbers they are.
 *
 * @param width bits from one element to the next
 * @param shift where it begins within them
 * @param numbers of all codes of a type of up to 8 bits, else null
 */
record Elements(ScalarType type, int width, int shift, float[] numbers) {
    static Elements of(Spelling spelling, ScalarType type) {
        boolean bytes = type.isFloat() && type.bits() < 8
                && (spelling.has(Modifier.KIND_F8F6F4) || spelling.has(Modifier.KIND_MXF8F6F4));
        int width = type == ScalarType.B1 ? 32 : bytes ? 8 : Math.min(32, type.bits());
        return new Elements(type, width, bytes && type.bits() == 4 ? 2 : 0, type.isFloat() && type.bits() <= 8 ? numbers(type) : null);
    }

    /** Elements of a register; of single bits, which are taken by the word, one. */
    int each() {
        return 32 / width;
    }

    private static float[] numbers(ScalarType type) {
        float[] numbers = new float[1 << type.bits()];
        for (int code = 0; code < numbers.length; code++) {
            numbers[code] = HalfOps.fromF16(switch (type) {
                case E4M3 -> SmallFloats.e4m3ToF16(code);
                case E5M2 -> SmallFloats.e5m2ToF16(code);
                case E2M3 -> SmallFloats.e2m3ToF16(code);
                case E3M2 -> SmallFloats.e3m2ToF16(code);
                case E2M1 -> SmallFloats.e2m1ToF16(code);
                default -> throw new IllegalArgumentException(type + " is no small float");
            });
        }
        return numbers;
    }

    /** Fills {@code matrix} from registers that begin at {@code slot} of each thread's operands. */
    void gather(Fragments fragments, WarpWords words, int slot, float[] matrix) {
        int[] places = fragments.places();
        int next = 0;
        for (int r = 0; r < fragments.registers(); r++) {
            int from = words.at(slot + r);
            for (int lane = 0; lane < Fragments.LANES; lane++) {
                int word = words.operands[from + lane];
                switch (type) {
                    case F16 -> {
                        matrix[places[next++]] = Float.float16ToFloat((short) word);
                        matrix[places[next++]] = Float.float16ToFloat((short) (word >> 16));
                    }
                    case BF16 -> {
                        matrix[places[next++]] = Float.intBitsToFloat(word << 16);
                        matrix[places[next++]] = Float.intBitsToFloat(word & 0xffff0000);
                    }
                    case TF32 -> matrix[places[next++]] = Float.intBitsToFloat(word & 0xffffe000);
                    case F32 -> matrix[places[next++]] = Float.intBitsToFloat(word);
                    default -> {
                        for (int bit = shift; bit < 32; bit += width) {
                            matrix[places[next++]] = numbers[word >>> bit & numbers.length - 1];
                        }
                    }
                }
            }
        }
    }

    /** Fills {@code matrix} from bytes that lie in its order. */
    void read(byte[] bytes, float[] matrix) {
        for (int i = 0; i < matrix.length; i++) {
            matrix[i] = switch (type) {
                case F16 -> Float.float16ToFloat((short) half(bytes, i));
                case BF16 -> Float.intBitsToFloat(half(bytes, i) << 16);
                case TF32 -> Float.intBitsToFloat(word(bytes, i) & 0xffffe000);
                default -> numbers[bytes[i] & 0xff];
            };
        }
    }

    /** As for floats. */
    void read(byte[] bytes, int[] matrix) {
        for (int i = 0; i < matrix.length; i++) {
            matrix[i] = type == ScalarType.B1 ? word(bytes, i) : type.signed() ? bytes[i] : bytes[i] & 0xff;
        }
    }

    private static int half(byte[] bytes, int i) {
        return bytes[2 * i] & 0xff | bytes[2 * i + 1] << 8;
    }

    private static int word(byte[] bytes, int i) {
        return half(bytes, 2 * i) & 0xffff | half(bytes, 2 * i + 1) << 16;
    }

    /**
     * The same in the order of the registers.
     *
     * @param to takes element {@code e} of register {@code r} of a lane at {@code (r * each() + e) * 32 + lane}
     */
    void read(WarpWords words, int slot, int registers, float[] to) {
        for (int r = 0; r < registers; r++) {
            int from = words.at(slot + r);
            int at = r * each() * Fragments.LANES;
            if (numbers == null) {
                LaneNumbers.read(type, width, words.operands, from, to, at);
                continue;
            }
            for (int bit = shift; bit < 32; bit += width) {
                for (int lane = 0; lane < Fragments.LANES; lane++) {
                    to[at + lane] = numbers[words.operands[from + lane] >>> bit & numbers.length - 1];
                }
                at += Fragments.LANES;
            }
        }
    }

    /** As for floats; integers are extended as their type says. */
    void gather(Fragments fragments, WarpWords words, int slot, int[] matrix) {
        int[] places = fragments.places();
        int next = 0;
        boolean signed = type.signed();
        for (int r = 0; r < fragments.registers(); r++) {
            int from = words.at(slot + r);
            for (int lane = 0; lane < Fragments.LANES; lane++) {
                int word = words.operands[from + lane];
                for (int bit = 32 - width; bit >= 0; bit -= width) {
                    int top = word << bit;
                    matrix[places[next++]] = signed ? top >> 32 - width : top >>> 32 - width;
                }
            }
        }
    }

    /** Puts a matrix of f32 into the results, as f16 where that is the type. */
    void scatter(Fragments fragments, float[] matrix, WarpWords words, boolean finite) {
        int[] places = fragments.places();
        int next = 0;
        for (int r = 0; r < fragments.registers(); r++) {
            int to = words.resultAt(r);
            for (int lane = 0; lane < Fragments.LANES; lane++) {
                if (type == ScalarType.F16) {
                    int first = half(matrix[places[next++]], finite);
                    words.results[to + lane] = first | half(matrix[places[next++]], finite) << 16;
                } else {
                    float number = matrix[places[next++]];
                    float bounded = finite ? Math.clamp(number, -Float.MAX_VALUE, Float.MAX_VALUE) : number;
                    words.results[to + lane] = bounded == bounded ? Float.floatToRawIntBits(bounded) : 0x7fffffff;
                }
            }
        }
    }

    private static int half(float number, boolean finite) {
        int bits = HalfOps.roundF16(number);
        return finite && (bits & 0x7fff) == 0x7c00 ? bits - 1 : bits;
    }
}
