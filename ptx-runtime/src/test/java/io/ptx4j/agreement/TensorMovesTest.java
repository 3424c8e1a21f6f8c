package io.ptx4j.agreement;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import io.ptx4j.cases.CaseEngine;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import io.ptx4j.runtime.PtxModule;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code tcgen05.ld} and {@code tcgen05.st} of each shape and count against the manual's figures: what a thread has in a register is which cell. */
@Timeout(60)
@Tag("thorough")
final class TensorMovesTest {
    private static final int LANES = 128;
    private static final int COLUMNS = 512;
    private static final int SPLIT = 256;

    /** A move by its shape; the columns that a row of a fragment has. */
    private record Move(String shape, int count, int registers, boolean packs) {
        String modifiers() {
            return shape + ".x" + count;
        }

        String offset() {
            return shape.equals("16x32bx2") ? ", " + SPLIT : "";
        }

        int rows() {
            return shape.equals("32x32b") ? 32 : 16;
        }

        /** Lane and column of a register, packed ones by pairs of columns. */
        int[] cell(int thread, int register) {
            int row = thread / 4;
            return switch (shape) {
                case "32x32b" -> new int[] {thread, register};
                case "16x32bx2" -> new int[] {thread % 16, register};
                case "16x64b" -> new int[] {row + 8 * (thread % 2), 2 * register + thread % 4 / 2};
                case "16x128b" -> new int[] {row + 8 * (register % 2), register / 2 * 4 + thread % 4};
                default -> new int[] {row + 8 * (register / 2 % 2), register / 4 * 8 + thread % 4 * 2 + register % 2};
            };
        }

        int column(int thread, int register) {
            return cell(thread, register)[1] * (packs ? 2 : 1) + (shape.equals("16x32bx2") ? thread / 16 * SPLIT : 0);
        }
    }

    private static List<Move> moves() {
        List<Move> moves = new ArrayList<>();
        for (boolean packs : new boolean[] {false, true}) {
            for (int count = 1; count <= 128; count *= 2) {
                moves.add(new Move("32x32b", count, count, packs));
                moves.add(new Move("16x32bx2", count, count, packs));
                moves.add(new Move("16x64b", count, count, packs));
                if (count <= 64) {
                    moves.add(new Move("16x128b", count, 2 * count, packs));
                }
                if (count <= 32) {
                    moves.add(new Move("16x256b", count, 4 * count, packs));
                }
            }
        }
        return moves;
    }

    /** Each warp stores registers that hold their thread and number, and then all of tensor memory is the result; or loads them from random words. */
    private static String text(Move move, boolean store) {
        String registers = IntStream.range(0, move.registers).mapToObj(r -> "%v" + r).collect(Collectors.joining(", "));
        String packs = !move.packs ? "" : store ? ".unpack::16b" : ".pack::16b";
        String moved = store
                ? IntStream.range(0, move.registers).mapToObj(r -> "mad.lo.u32 %v" + r + ", %r1, 65537, " + (r + 1) * 0x10007 + ";\n").collect(Collectors.joining())
                        + "tcgen05.st.sync.aligned." + move.modifiers() + packs + ".b32 [%w]" + move.offset() + ", {" + registers + "};\n"
                : "tcgen05.ld.sync.aligned." + move.modifiers() + packs + ".b32 {" + registers + "}, [%w]" + move.offset() + ";\n"
                        + IntStream.range(0, move.registers).mapToObj(r -> "st.global.b32 [%d2 + " + 4 * r + "], %v" + r + ";\n").collect(Collectors.joining());
        return """
                .version 8.8
                .target sm_100a
                .address_size 64
                .visible .entry move(.param .u64 tensor, .param .u64 result)
                {
                .reg .b64 %%d<4>; .reg .b32 %%r<9>, %%t, %%w, %%v<128>; .reg .pred %%p<4>;
                .shared .b32 where;
                mov.u32 %%r1, %%tid.x;
                setp.lt.u32 %%p2, %%r1, 32;
                mov.u32 %%r3, where;
                @%%p2 tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%%r3], 512;
                bar.sync 0;
                ld.shared.b32 %%t, [where];
                and.b32 %%r3, %%r1, 96;
                shl.b32 %%r3, %%r3, 16;
                add.u32 %%w, %%t, %%r3;
                ld.param.u64 %%d1, [tensor];
                mad.wide.u32 %%d1, %%r1, 2048, %%d1;
                ld.param.u64 %%d2, [result];
                mad.wide.u32 %%d2, %%r1, 2048, %%d2;
                mov.u32 %%r4, 0;
                FILL:
                add.u32 %%r5, %%w, %%r4;
                ld.global.b32 %%r6, [%%d1];
                tcgen05.st.sync.aligned.32x32b.x1.b32 [%%r5], {%%r6};
                add.u64 %%d1, %%d1, 4;
                add.u32 %%r4, %%r4, 1;
                setp.lt.u32 %%p1, %%r4, 512;
                @%%p1 bra FILL;
                tcgen05.wait::st.sync.aligned;
                %s
                tcgen05.wait::ld.sync.aligned;
                mov.u32 %%r4, %d;
                READ:
                setp.ge.u32 %%p1, %%r4, 512;
                @%%p1 bra DONE;
                add.u32 %%r5, %%w, %%r4;
                tcgen05.ld.sync.aligned.32x32b.x1.b32 {%%r6}, [%%r5];
                st.global.b32 [%%d2], %%r6;
                add.u64 %%d2, %%d2, 4;
                add.u32 %%r4, %%r4, 1;
                bra READ;
                DONE:
                ret;
                }
                """.formatted(moved, store ? 0 : 512);
    }

    private static int[] run(CaseEngine engine, Move move, boolean store, int[] tensor) {
        try (Device device = Device.builder().engine(engine.create()).workers(1).memory(4 << 20).open(); PtxModule module = device.load("move.ptx", text(move, store))) {
            DeviceBuffer result = device.copyOf(new int[tensor.length]);
            module.kernel("move").grid(1).block(LANES).launch(device.copyOf(tensor), result);
            int[] found = new int[tensor.length];
            result.copyTo(found);
            return found;
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void areWhereTheManualSays(boolean store) {
        int[] tensor = new Random(5).ints((long) LANES * COLUMNS).toArray();
        for (Move move : moves()) {
            int[] expected = store ? tensor.clone() : new int[tensor.length];
            for (int thread = 0; thread < LANES; thread++) {
                for (int r = 0; r < move.registers; r++) {
                    int at = (thread / 32 * 32 + move.cell(thread % 32, r)[0]) * COLUMNS + move.column(thread % 32, r);
                    int value = thread * 65537 + (r + 1) * 0x10007;
                    if (!store) {
                        expected[thread * COLUMNS + r] = move.packs ? tensor[at] & 0xffff | tensor[at + 1] << 16 : tensor[at];
                    } else if (move.packs) {
                        expected[at] = value & 0xffff;
                        expected[at + 1] = value >>> 16;
                    } else {
                        expected[at] = value;
                    }
                }
            }
            for (CaseEngine engine : CaseEngine.values()) {
                assertArrayEquals(expected, run(engine, move, store, tensor), () -> engine + " " + move);
            }
        }
    }
}
