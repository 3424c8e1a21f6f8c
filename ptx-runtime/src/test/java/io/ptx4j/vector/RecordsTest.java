package io.ptx4j.vector;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ptx4j.engine.Engine;
import io.ptx4j.interpreter.Interpreter;
import io.ptx4j.jit.Jit;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Several words of a structure for each thread, loaded and stored together: of every size and distance, some of the words, by some of the threads, and the right access fails. */
@Tag("widths")
@Tag("access")
@Timeout(120)
@Tag("thorough")
final class RecordsTest {
    private static final int BYTES = 1 << 15;
    private static final String PARAMETERS = ".param .u64 x, .param .u64 y, .param .u32 stride, .param .u64 places";
    /** {@code %d5} and {@code %d6} are the thread's records of {@code x} and {@code y}, {@code %r6} bytes from either beginning. */
    private static final String FROM = """
              ld.param.u64 %d1, [x];
              ld.param.u64 %d2, [y];
              cvt.s64.s32 %d3, %r6;
              add.s64 %d5, %d1, %d3;
              add.s64 %d6, %d2, %d3;
            """;

    /** How the kernel gets at {@code %r6}: a constant for each thread, a number only known at run time, or what data say. */
    private static String head(String way, int stride) {
        return Shapes.head(PARAMETERS) + switch (way) {
            case "constant" -> "mul.lo.s32 %r6, %r4, " + stride + ";\n";
            case "parameter" -> "ld.param.u32 %r5, [stride];\nmul.lo.s32 %r6, %r4, %r5;\n";
            default -> """
                      ld.param.u64 %d8, [places];
                      mul.wide.u32 %d9, %r4, 4;
                      add.s64 %d8, %d8, %d9;
                      ld.global.u32 %r6, [%d8];
                    """;
        } + FROM;
    }

    /** An access to a type at an offset; its registers are numbers from {@code first} on. */
    private record Access(String type, int offset, int first) {
        private int words() {
            return switch (type) {
                case "u32", "s32", "f32" -> 1;
                case "b64", "f64", "v2.u32" -> 2;
                default -> 4;
            };
        }

        private String registers() {
            return switch (type) {
                case "u32" -> "%r" + (10 + first);
                // Words that 64-bit registers take and leave.
                case "s32" -> "%d" + (10 + first);
                case "f32" -> "%f" + first;
                case "b64" -> "%d" + (10 + first);
                case "f64" -> "%g" + first;
                case "v2.u32" -> "{%r" + (10 + first) + ", %r" + (11 + first) + "}";
                case "v2.b64" -> "{%d" + (10 + first) + ", %d" + (11 + first) + "}";
                default -> "{%%r%d, %%r%d, %%r%d, %%r%d}".formatted(10 + first, 11 + first, 12 + first, 13 + first);
            };
        }
    }

    /** Accesses to some words of a record, in any order. */
    private static List<Access> accesses(Random random, int words, boolean wide) {
        String[] types = {"u32", "f32", "s32", "u32", "b64", "f64", "v2.u32", "v4.u32", "v2.b64"};
        List<Access> all = new ArrayList<>();
        for (int word = 0; word < words;) {
            Access access = new Access(types[random.nextInt(wide ? types.length : 3)], 4 * word, word);
            if (word % access.words() != 0 || word + access.words() > words) {
                continue;
            }
            if (random.nextInt(6) != 0) {
                all.add(random.nextInt(all.size() + 1), access);
            }
            word += access.words();
        }
        return all;
    }

    private static String copies(List<Access> accesses, Random random) {
        StringBuilder text = new StringBuilder();
        accesses.forEach(a -> text.append("  ld.global.%s %s, [%%d5+%d];\n".formatted(a.type, a.registers(), a.offset)));
        accesses.forEach(a -> {
            if (a.type.equals("u32") && random.nextBoolean()) {
                text.append("  add.s32 %1$s, %1$s, %%r4;\n".formatted(a.registers()));
            }
            text.append("  st.global.%s [%%d6+%d], %s;\n".formatted(a.type, a.offset, a.registers()));
        });
        return text.toString();
    }

    private static byte[] run(Engine engine, String text, int threads, int stride, int[] places) {
        try (Device device = Shapes.device(engine)) {
            byte[] x = new byte[BYTES];
            new Random(threads).nextBytes(x);
            DeviceBuffer from = device.copyOf(x).named("x");
            DeviceBuffer to = device.copyOf(new byte[BYTES]).named("y");
            device.load("k.ptx", text).kernel("k").grid(2).block(threads).launch(from, to, stride, device.copyOf(places));
            return to.toBytes();
        }
    }

    private static int[] places(int threads, int stride, Random random) {
        int[] places = new int[2 * threads];
        boolean apart = random.nextBoolean();
        for (int t = 0; t < places.length; t++) {
            places[t] = apart ? BYTES - stride * (t + 1) : stride * t;
        }
        return places;
    }

    @ParameterizedTest
    @ValueSource(strings = {"constant", "parameter", "data"})
    void wordsComeFromTheirRecords(String way) {
        Random random = new Random(way.hashCode());
        for (int words = 2; words <= 9; words++) {
            for (int more : new int[] {0, 4, 16, 88}) {
                boolean wide = words % 4 == 0 && more % 16 == 0;
                int stride = 4 * words + more;
                List<Access> accesses = accesses(random, words, wide);
                String text = head(way, stride) + copies(accesses, random) + "ret;\n}\n";
                int threads = more == 4 ? 20 : 64;
                int[] places = places(threads, stride, random);
                Shapes.assertAgree(e -> run(e, text, threads, stride, places), words + " words, stride " + stride + "\n" + text, Jit.Shape.VECTOR, Jit.Shape.SCALAR);
            }
        }
    }

    /** Accesses to all words of a record, or to all but one, each of 64 bits. */
    private static List<Access> wide(Random random, int words, boolean all, boolean aligned) {
        List<Access> accesses = new ArrayList<>();
        int missing = all ? -1 : random.nextInt(words);
        for (int word = 0; word < words; word++) {
            boolean pair = aligned && word % 2 == 0 && word + 1 < words && missing != word && missing != word + 1 && random.nextBoolean();
            if (word != missing) {
                accesses.add(random.nextInt(accesses.size() + 1), new Access(pair ? "v2.b64" : random.nextBoolean() ? "b64" : "f64", 8 * word, 2 * word));
            }
            word += pair ? 1 : 0;
        }
        return accesses;
    }

    @ParameterizedTest
    @ValueSource(strings = {"constant", "parameter", "data"})
    void wordsOf64BitsComeFromTheirRecords(String way) {
        Random random = new Random(way.hashCode() + 2);
        String guard = "setp.lt.u32 %p1, %r1, 50;\n@!%p1 bra END;\nand.b32 %r7, %r4, 5;\nsetp.eq.u32 %p2, %r7, 4;\n@%p2 bra END;\n";
        for (int words = 1; words <= 5; words++) {
            for (int more : new int[] {0, 8, 32}) {
                for (int kind = 0; kind < 4; kind++) {
                    int stride = 8 * words + more;
                    List<Access> accesses = wide(random, words, kind != 1 || words == 1, stride % 16 == 0);
                    String text = head(way, stride) + (kind == 2 ? guard : "") + copies(accesses, random) + "END:\nret;\n}\n";
                    int threads = kind == 3 ? 20 : 64;
                    int[] places = places(threads, stride, random);
                    Shapes.assertAgree(e -> run(e, text, threads, stride, places), words + " words, stride " + stride + "\n" + text, Jit.Shape.VECTOR, Jit.Shape.SCALAR);
                }
            }
        }
    }

    /** Products and sums that may be NaN, and integers with carries, between words of records: what compilers make of structures of f64 and of large numbers. */
    @Test
    void wordsOf64BitsAreComputedWith() {
        for (int words = 2; words <= 4; words++) {
            StringBuilder text = new StringBuilder(head("constant", 8 * words));
            for (int w = 0; w < words; w++) {
                text.append("ld.global.f64 %%g%d, [%%d5+%d];\n".formatted(w, 8 * w));
                text.append("fma.rn.f64 %%g%1$d, %%g%1$d, %%g0, %%g%1$d;\n".formatted(w));
                text.append("st.global.f64 [%%d6+%d], %%g%d;\n".formatted(8 * w, w));
            }
            for (int w = 0; w < words; w++) {
                text.append("ld.global.b64 %%d%d, [%%d5+%d];\n".formatted(20 + w, 8 * w));
                text.append("ld.global.b64 %%d%d, [%%d6+%d];\n".formatted(10 + w, 8 * w));
                text.append("add%s.cc.u64 %%d%2$d, %%d%2$d, %%d%3$d;\n".formatted(w == 0 ? "" : "c", 10 + w, 20 + w));
            }
            for (int w = 0; w < words; w++) {
                text.append("st.global.b64 [%%d6+%d], %%d%d;\n".formatted(8 * w, 10 + w));
            }
            text.append("ret;\n}\n");
            int stride = 8 * words;
            Shapes.assertAgree(e -> run(e, text.toString(), 64, stride, new int[128]), text.toString(), Jit.Shape.VECTOR);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"constant", "parameter", "data"})
    void someThreadsAlone(String way) {
        Random random = new Random(way.hashCode() + 1);
        String guard = "setp.lt.u32 %p1, %r1, 50;\n@!%p1 bra END;\nand.b32 %r7, %r4, 5;\nsetp.eq.u32 %p2, %r7, 4;\n@%p2 bra END;\n";
        for (int words : new int[] {2, 3, 4, 5, 8}) {
            int stride = 4 * words + 8 * (words & 2);
            String text = head(way, stride) + guard + copies(accesses(random, words, false), random) + "END:\nret;\n}\n";
            int[] places = places(64, stride, random);
            Shapes.assertAgree(e -> run(e, text, 64, stride, places), text, Jit.Shape.VECTOR);
        }
    }

    /** Records of {@code x} and {@code y} are the same: what is stored is loaded again, and neither is put off past the other. */
    @ParameterizedTest
    @ValueSource(strings = {"constant", "parameter", "data"})
    void loadsSeeStores(String way) {
        String text = head(way, 16) + """
                  mov.u64 %d5, %d6;
                  st.global.u32 [%d6], %r4;
                  ld.global.u32 %r10, [%d5];
                  ld.global.u32 %r11, [%d5+4];
                  add.s32 %r11, %r11, %r10;
                  st.global.u32 [%d6+4], %r11;
                  st.global.u32 [%d6+8], %r11;
                  ld.global.u32 %r12, [%d5+8];
                  ld.global.u32 %r13, [%d5+4];
                  mad.lo.s32 %r12, %r12, 3, %r13;
                  st.global.u32 [%d6+12], %r12;
                  st.global.u32 [%d5+8], %r1;
                  st.global.u32 [%d6+8], %r13;
                  st.global.u32 [%d5+4], %r12;
                  ret;
                }
                """;
        int[] places = places(64, 16, new Random(3));
        Shapes.assertAgree(e -> run(e, text, 64, 16, places), text, Jit.Shape.VECTOR);
    }

    /** What a register held when it was stored, whatever it gets afterwards. */
    @Test
    void storesKeepTheirValues() {
        String text = head("constant", 12) + """
                  mov.u32 %r10, %r4;
                  st.global.u32 [%d6], %r10;
                  add.s32 %r10, %r10, 7;
                  st.global.u32 [%d6+4], %r10;
                  mov.u64 %d7, %d6;
                  mov.u64 %d6, %d1;
                  st.global.u32 [%d7+8], %r10;
                  ret;
                }
                """;
        Shapes.assertAgree(e -> run(e, text, 64, 12, new int[128]), text, Jit.Shape.VECTOR);
    }

    /** With {@code x} and {@code y} so many bytes before the end of what device memory is in use. */
    private static byte[] runAtEnd(Engine engine, String text, int bytes, int stride) {
        try (Device device = Shapes.device(engine)) {
            int[] places = new int[128];
            for (int t = 0; t < places.length; t++) {
                places[t] = stride * t;
            }
            DeviceBuffer given = device.copyOf(places);
            long address = device.copyOf(new byte[BYTES]).named("last").address() + BYTES - bytes;
            device.load("k.ptx", text).kernel("k").grid(2).block(64).launch(address, address, stride, given);
            return new byte[0];
        }
    }

    /** Each word that is not there is named by the line and the thread that access it first. */
    @ParameterizedTest
    @ValueSource(strings = {"constant", "parameter", "data"})
    void theRightAccessFails(String way) {
        for (boolean load : new boolean[] {true, false}) {
            for (int words : new int[] {3, 4, 8}) {
                for (int missing = 1; missing <= words; missing++) {
                    StringBuilder text = new StringBuilder(head(way, 4 * words));
                    for (int w = 0; w < words; w++) {
                        int word = (w + 1) % words;
                        text.append((load ? "ld.global.u32 %%r%1$d, [%%d5+%2$d];\n" : "st.global.u32 [%%d6+%2$d], %%r%1$d;\n").formatted(10 + word, 4 * word));
                    }
                    text.append("ret;\n}\n");
                    // The record of thread 70 has its last words behind device memory.
                    int bytes = 4 * (71 * words - missing);
                    String error = Shapes.assertFailsLike(new Interpreter(), e -> runAtEnd(e, text.toString(), bytes, 4 * words), missing + " missing\n" + text);
                    assertTrue(error.contains("thread (6,0,0)"), error);
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"constant", "parameter", "data"})
    void theRightAccessOf64BitsFails(String way) {
        for (boolean load : new boolean[] {true, false}) {
            for (int words : new int[] {2, 3, 4}) {
                for (int missing = 1; missing <= words; missing++) {
                    StringBuilder text = new StringBuilder(head(way, 8 * words));
                    for (int w = 0; w < words; w++) {
                        int word = (w + 1) % words;
                        text.append((load ? "ld.global.b64 %%d%1$d, [%%d5+%2$d];\n" : "st.global.b64 [%%d6+%2$d], %%d%1$d;\n").formatted(10 + word, 8 * word));
                    }
                    text.append("ret;\n}\n");
                    int bytes = 8 * (71 * words - missing);
                    String error = Shapes.assertFailsLike(new Interpreter(), e -> runAtEnd(e, text.toString(), bytes, 8 * words), missing + " missing\n" + text);
                    assertTrue(error.contains("thread (6,0,0)"), error);
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"constant", "parameter", "data"})
    void accessesAreAligned(String way) {
        String words = head(way, 10) + "ld.global.u32 %r10, [%d5];\nld.global.u32 %r11, [%d5+4];\nst.global.u32 [%d6], %r10;\nst.global.u32 [%d6+4], %r11;\nret;\n}\n";
        Shapes.assertFailsLike(new Interpreter(), e -> runAtEnd(e, words, BYTES, 10), words);
        String pairs = head(way, 12) + "ld.global.b64 %d10, [%d5];\nld.global.u32 %r11, [%d5+8];\nst.global.u32 [%d6], %r11;\nret;\n}\n";
        Shapes.assertFailsLike(new Interpreter(), e -> runAtEnd(e, pairs, BYTES, 12), pairs);
    }

    /** Bytes and 16-bit elements: all or some of a record, from records at any distance to others, also from where device memory ends. */
    @ParameterizedTest
    @ValueSource(strings = {"u8", "s8", "u16", "s16"})
    void shortElementsComeFromTheirRecords(String type) {
        int bytes = Integer.parseInt(type.substring(1)) / 8;
        Random random = new Random(type.hashCode());
        for (int stride = bytes; stride <= 9 * bytes; stride += bytes) {
            for (int kind = 0; kind < 3; kind++) {
                String text = Shapes.head(PARAMETERS) + "mul.lo.s32 %r6, %r4, " + stride + ";\n" + FROM + (kind == 1 ? "setp.gt.u32 %p1, %r4, 90;\n@%p1 bra END;\n" : "")
                        + narrow(type, bytes, stride, kind == 2, random) + "END:\nret;\n}\n";
                int s = stride;
                Shapes.assertAgree(e -> run(e, text, 64, s, new int[128]), text, Jit.Shape.VECTOR);
                Shapes.assertAgree(e -> narrowAtEnd(e, text, 64 * 2 * s, new int[1]), text, Jit.Shape.VECTOR);
            }
        }
    }

    /** The same from places that data say, also where a record ends with device memory, and where one place is wrong. */
    @ParameterizedTest
    @ValueSource(strings = {"u8", "s8", "u16", "s16"})
    void shortElementsComeFromAnyPlaces(String type) {
        int bytes = Integer.parseInt(type.substring(1)) / 8;
        Random random = new Random(type.hashCode());
        for (int elements = 2; elements <= 9; elements++) {
            for (int kind = 0; kind < 3; kind++) {
                int size = elements * bytes;
                String text = head("data", 0) + (kind == 1 ? "setp.gt.u32 %p1, %r4, 90;\n@%p1 bra END;\n" : "") + narrow(type, bytes, size, kind == 2, random) + "END:\nret;\n}\n";
                int[] places = places(64, size, random);
                Shapes.assertAgree(e -> run(e, text, 64, 0, places), text, Jit.Shape.VECTOR);
                Shapes.assertAgree(e -> narrowAtEnd(e, text, BYTES, places), text, Jit.Shape.VECTOR);
            }
        }
        String text = head("data", 0) + "ld.global.%1$s %%r10, [%%d5+%2$d];\nld.global.%1$s %%r11, [%%d5];\nadd.s32 %%r10, %%r10, %%r11;\nst.global.%1$s [%%d2], %%r10;\nret;\n}\n".formatted(type, bytes);
        for (int wrong : bytes == 1 ? new int[] {BYTES - 1, BYTES} : new int[] {1, BYTES - 2, BYTES - 1}) {
            int[] places = new int[128];
            places[70] = wrong;
            String error = Shapes.assertFailsLike(new Interpreter(), e -> narrowAtEnd(e, text, BYTES, places), wrong + "\n" + text);
            assertTrue(error.contains("thread (6,0,0)"), error);
        }
    }

    private static String narrow(String type, int bytes, int stride, boolean all, Random random) {
        StringBuilder text = new StringBuilder();
        List<Integer> stored = new ArrayList<>();
        for (int element = 0; element < stride / bytes; element++) {
            if (all || random.nextInt(4) != 0) {
                text.append("ld.global.%s %%r%d, [%%d5+%d];\n".formatted(type, 10 + element, element * bytes));
                text.append("shr.u32 %%r%1$d, %%r%1$d, 3;\n".formatted(10 + element));
                stored.add(random.nextInt(stored.size() + 1), element);
            }
        }
        stored.forEach(e -> text.append("st.global.%s [%%d6+%d], %%r%d;\n".formatted(type, e * bytes, 10 + e)));
        return text.toString();
    }

    /** With {@code x} the last bytes of what device memory is in use. */
    private static byte[] narrowAtEnd(Engine engine, String text, int bytes, int[] places) {
        try (Device device = Shapes.device(engine)) {
            DeviceBuffer to = device.copyOf(new byte[BYTES]).named("y");
            DeviceBuffer by = device.copyOf(places);
            byte[] x = new byte[BYTES];
            new Random(bytes).nextBytes(x);
            long last = device.copyOf(x).named("last").address() + BYTES - bytes;
            device.load("k.ptx", text).kernel("k").grid(2).block(64).launch(last, to, 0, by);
            return to.toBytes();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"v2.u8", "v4.u8", "v4.s8", "v2.u16", "v4.s16"})
    void shortTuplesComeFromTheirRecords(String type) {
        int count = type.charAt(1) - '0';
        int bytes = Integer.parseInt(type.substring(4)) / 8;
        String registers = count == 2 ? "{%r10, %r11}" : "{%r10, %r11, %r12, %r13}";
        for (int stride = count * bytes; stride <= 3 * count * bytes; stride += count * bytes) {
            String text = head("constant", stride) + "ld.global.%1$s %2$s, [%%d5];\nadd.s32 %%r10, %%r10, %%r11;\nst.global.%1$s [%%d6], %2$s;\nret;\n}\n".formatted(type, registers);
            int s = stride;
            Shapes.assertAgree(e -> run(e, text, 64, s, new int[128]), text, Jit.Shape.VECTOR);
        }
    }

    /** A byte that is not there, within a record that is stored as a whole. */
    @Test
    void theRightByteFails() {
        for (boolean load : new boolean[] {true, false}) {
            for (int missing = 1; missing <= 3; missing++) {
                StringBuilder text = new StringBuilder(head("constant", 3));
                for (int w = 0; w < 3; w++) {
                    int word = (w + 1) % 3;
                    text.append((load ? "ld.global.u8 %%r%1$d, [%%d5+%2$d];\n" : "st.global.u8 [%%d6+%2$d], %%r%1$d;\n").formatted(10 + word, word));
                }
                text.append("ret;\n}\n");
                int bytes = 3 * 71 - missing;
                String error = Shapes.assertFailsLike(new Interpreter(), e -> runAtEnd(e, text.toString(), bytes, 3), missing + " missing\n" + text);
                assertTrue(error.contains("thread (6,0,0)"), error);
            }
        }
    }

    /** An index of 32 bits wraps around within a group: records are not where the first lane's says. */
    @Test
    void indicesWrapAround() {
        String text = Shapes.head(PARAMETERS) + """
                  add.s32 %r5, %r4, 2147483608;
                  shl.b32 %r6, %r5, 4;
                  mul.wide.s32 %d3, %r6, 1;
                  ld.param.u64 %d1, [x];
                  ld.param.u64 %d2, [y];
                  add.s64 %d5, %d1, %d3;
                  add.s64 %d6, %d2, %d3;
                  ld.global.u32 %r10, [%d5+640];
                  ld.global.u32 %r11, [%d5+644];
                  st.global.u32 [%d6+640], %r11;
                  st.global.u32 [%d6+644], %r10;
                  ret;
                }
                """;
        Shapes.assertAgree(e -> run(e, text, 64, 0, new int[128]), text, Jit.Shape.VECTOR);
    }

    /** Each thread leaves words in its record in shared memory, and takes words out of the record behind it. */
    private static String shared(int words, int stride, int begin, Random random) {
        StringBuilder text = new StringBuilder(Shapes.head(PARAMETERS) + """
                  .shared .align 16 .b8 tile[4096];
                  ld.param.u64 %d1, [x];
                  ld.param.u64 %d2, [y];
                  mul.wide.u32 %d3, %r4, 4;
                  add.s64 %d5, %d1, %d3;
                  mul.wide.u32 %d4, %r4, WORDS;
                  add.s64 %d6, %d2, %d4;
                  ld.global.u32 %r9, [%d5];
                  cvt.rn.f32.s32 %f9, %r9;
                  mov.u32 %r7, tile;
                  add.u32 %r7, %r7, BEGIN;
                  mul.lo.u32 %r6, %r1, STRIDE;
                  add.u32 %r8, %r7, %r6;
                  setp.ge.u32 %p1, %r9, 0x20000000;
                """.replace("WORDS", String.valueOf(4 * words)).replace("BEGIN", String.valueOf(begin)).replace("STRIDE", String.valueOf(stride)));
        for (int w = 0; w < words; w++) {
            boolean real = random.nextInt(3) == 0;
            text.append("add.u32 %%r%d, %%r9, %d;\n".formatted(10 + w, w * 77));
            text.append(random.nextInt(8) == 0 ? "@%p1 " : "").append("st.shared.%s [%%r8+%d], %s;\n".formatted(real ? "f32" : "u32", 4 * w, real ? "%f9" : "%r" + (10 + w)));
        }
        text.append("""
                bar.sync 0;
                add.u32 %r5, %r1, 1;
                rem.u32 %r5, %r5, %r3;
                mad.lo.u32 %r20, %r1, STRIDE, %r7;
                """.replace("STRIDE", String.valueOf(stride)));
        for (int w = words - 1; w >= 0; w--) {
            text.append("ld.shared.%s %s, [%%r20+%d];\n".formatted(w % 3 == 1 ? "f32" : "u32", w % 3 == 1 ? "%f" + w : "%r" + (30 + w), 4 * w));
        }
        for (int w = 0; w < words; w++) {
            text.append("st.global.%s [%%d6+%d], %s;\n".formatted(w % 3 == 1 ? "f32" : "u32", 4 * w, w % 3 == 1 ? "%f" + w : "%r" + (30 + w)));
        }
        return text.append("ret;\n}\n").toString();
    }

    @Test
    void wordsOfSharedMemoryAreRecordsToo() {
        Random random = new Random(9);
        for (int words = 1; words <= 8; words++) {
            for (int more : new int[] {0, 4, 12}) {
                int stride = 4 * words + more;
                String text = shared(words, stride, 16, random);
                for (int threads : new int[] {64, 20}) {
                    Shapes.assertAgree(e -> run(e, text, threads, stride, new int[2 * threads]), words + " words, stride " + stride + "\n" + text, Jit.Shape.VECTOR, Jit.Shape.SCALAR);
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {3_084, 18})
    void theRightAccessToSharedMemoryFails(int begin) {
        Random random = new Random(begin);
        for (int words = 2; words <= 5; words++) {
            int stride = 4 * words + 8;
            String text = shared(words, stride, begin, random);
            Shapes.assertFailsLike(new Interpreter(), e -> run(e, text, 64, stride, new int[128]), text);
        }
    }

    /** What leaves in {@code %d20} a place so many words behind the record of eight words of {@code %d2}, if not all are what they are for one way of writing them. */
    private static String place(int way, int words) {
        return switch (way) {
            case 0 -> "shl.b32 %%r20, %%r4, 3;\nmul.wide.s32 %%d21, %%r20, 4;\nadd.s64 %%d22, %%d2, %%d21;\nadd.s64 %%d20, %%d22, %d;\n".formatted(4 * words);
            case 1 -> "shl.b32 %%r21, %%r4, 1;\nmad.lo.s32 %%r20, %%r4, 6, %%r21;\nmad.wide.s32 %%d21, %%r20, 4, %%d2;\nsub.s64 %%d20, %%d21, %d;\n".formatted(-4 * words);
            case 2 -> "mul.lo.s32 %%r20, %%r4, 9;\nsub.s32 %%r21, %%r20, %%r4;\ncvt.s64.s32 %%d21, %%r21;\nshl.b64 %%d23, %%d21, 2;\nadd.s64 %%d22, %%d2, %d;\nadd.s64 %%d20, %%d23, %%d22;\n".formatted(4 * words);
            case 3 -> "add.s32 %%r20, %%r4, %%r4;\nadd.s32 %%r21, %%r20, %%r20;\nshl.b32 %%r22, %%r21, 1;\nmul.wide.s32 %%d21, %%r22, -4;\nsub.s64 %%d22, %%d2, %%d21;\nadd.s64 %%d20, %%d22, %d;\n".formatted(4 * words);
            // Others, which must not be taken for those.
            case 4 -> "shl.b32 %%r20, %%r4, 3;\nadd.s32 %%r21, %%r20, %d;\nmul.wide.s32 %%d21, %%r21, 4;\nadd.s64 %%d20, %%d2, %%d21;\n".formatted(words);
            case 5 -> "shl.b32 %%r20, %%r4, 3;\nor.b32 %%r21, %%r20, %d;\nmul.wide.u32 %%d21, %%r21, 4;\nadd.s64 %%d20, %%d2, %%d21;\n".formatted(words & 7);
            case 6 -> "shl.b32 %%r20, %%r4, 3;\nsub.s32 %%r21, %%r20, 600;\nmul.wide.s32 %%d21, %%r21, 4;\nadd.s64 %%d22, %%d2, %%d21;\nadd.s64 %%d20, %%d22, %d;\n".formatted(2400 + 4 * words);
            default -> "not.b32 %%r21, %%r4;\nand.b32 %%r22, %%r21, 63;\nadd.s32 %%r20, %%r4, %%r22;\nsub.s32 %%r23, %%r20, %%r22;\nshl.b32 %%r24, %%r23, 5;\nmul.wide.u32 %%d21, %%r24, 1;\nadd.s64 %%d22, %%d2, %%d21;\nadd.s64 %%d20, %%d22, %d;\n"
                    .formatted(4 * words);
        };
    }

    /** A register for each place, as compilers have. */
    private static String fresh(String text, int n) {
        return text.replaceAll("%([rd])2(\\d)", "%$1" + (n + 3) + "$2");
    }

    @Test
    void addressesThatAreOne() {
        Random random = new Random(11);
        for (int n = 0; n < 12; n++) {
            StringBuilder text = new StringBuilder(head("constant", 32).replace("%r<60>", "%r<200>").replace("%d<40>", "%d<200>"));
            boolean one = n < 6;
            for (int w = 0; w < 8; w++) {
                int word = (w * 3 + n) % 8;
                text.append("mad.lo.s32 %%r%d, %%r4, %d, %d;\n".formatted(10 + w, 3 + w, n));
                text.append(fresh(place(random.nextInt(one ? 4 : 8), word - 1) + "st.global.u32 [%d20+4], %r" + (10 + w) + ";\n", w));
                if (w == 4 && !one) {
                    text.append("ld.global.u32 %r19, [%d6+4];\nadd.s32 %r15, %r19, 1;\n");
                }
            }
            String kernel = text.append("ret;\n}\n").toString();
            Shapes.assertAgree(e -> run(e, kernel, 64, 32, new int[128]), kernel, Jit.Shape.VECTOR, Jit.Shape.SCALAR);
            assertTrue(!one || !Shapes.listing(kernel, 64).contains("storeSteps"), kernel);
        }
    }
}
