package io.ptx4j.waiting;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ptx4j.cases.CaseEngine;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import io.ptx4j.runtime.KernelException;
import io.ptx4j.runtime.TensorMap;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tensor copies of one to five dimensions on both engines against plain Java. */
final class TensorCopyTest {
    private static final int WORDS = 256;

    /** Loads the box at {@code start}, shows it as it lies in shared memory, and moves it to the same place of another tensor. */
    private static String kernel(int dimensions, String move) {
        String place = IntStream.range(0, dimensions).mapToObj(d -> "%c" + d).collect(Collectors.joining(", ", "{", "}"));
        StringBuilder text = new StringBuilder("""
                .version 8.6
                .target sm_100a
                .address_size 64
                .visible .entry k(.param .align 64 .b8 from[128], .param .u64 to, .param .align 4 .b8 start[20], .param .u64 out)
                {
                .reg .pred %p<3>; .reg .b32 %r<8>, %c<5>; .reg .b64 %d<8>;
                .shared .align 1024 .b8 box[1024]; .shared .align 8 .b64 bar;
                ld.param.u64 %d1, [to]; ld.param.u64 %d2, [out];
                mov.u32 %r0, %tid.x; setp.ne.u32 %p0, %r0, 0;
                """);
        for (int d = 0; d < dimensions; d++) {
            text.append("ld.param.u32 %c").append(d).append(", [start+").append(4 * d).append("];\n");
        }
        return text.append("""
                @%p0 bra WAIT;
                mbarrier.init.shared.b64 [bar], 1;
                fence.proxy.async;
                mov.b64 %d3, from; cvta.param.u64 %d3, %d3;
                prefetch.tensormap [%d3];
                cp.async.bulk.prefetch.tensor.Nd.L2.global [%d3, PLACE];
                cp.async.bulk.tensor.Nd.shared::cluster.global.mbarrier::complete_tx::bytes [box], [%d3, PLACE], [bar];
                // the bytes have come already
                ld.shared.b64 %d4, [bar];
                bfe.u64 %d5, %d4, 40, 21;
                neg.s64 %d5, %d5; and.b64 %d5, %d5, 0x1fffff; cvt.u32.u64 %r1, %d5;
                mbarrier.arrive.expect_tx.shared.b64 _, [bar], %r1;
                st.global.u32 [%d2+1024], %r1;
                WAIT: bar.sync 0;
                LOOP: mbarrier.try_wait.parity.shared.b64 %p1, [bar], 0;
                @!%p1 bra LOOP;
                mov.u32 %r2, box; mad.lo.u32 %r2, %r0, 4, %r2; ld.shared.u32 %r3, [%r2];
                mul.wide.u32 %d6, %r0, 4; add.u64 %d6, %d6, %d2; st.global.u32 [%d6], %r3;
                bar.sync 0;
                @%p0 bra END;
                MOVE [%d1, PLACE], [box];
                cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;
                END: ret;
                }
                """.replace("MOVE", move).replace("Nd", dimensions + "d").replace("PLACE", place)).toString().replace("Nd", dimensions + "d");
    }

    private record Shape(int[] extents, int[] box, int[] every, TensorMap.Swizzle swizzle, int[] start) {
        int elements(int d) {
            return (box[d] + every[d] - 1) / every[d];
        }

        int elements() {
            return IntStream.range(0, box.length).map(this::elements).reduce(1, (a, b) -> a * b);
        }

        /** Index in the tensor of element {@code e} of the box; -1 outside. */
        int index(int e) {
            int index = 0;
            int stride = 1;
            for (int d = 0; d < box.length; d++) {
                int at = start[d] + e % elements(d) * every[d];
                e /= elements(d);
                if (at < 0 || at >= extents[d]) {
                    return -1;
                }
                index += at * stride;
                stride *= extents[d];
            }
            return index;
        }

        /** Word of shared memory in which element {@code e} lies. */
        int place(int e) {
            int address = 4 * e;
            int span = swizzle.ordinal();
            int row = address >> 7 & (1 << span) - 1;
            return (address ^ row << 4) / 4;
        }
    }

    private static final Shape[] SHAPES = {
        new Shape(new int[] {100}, new int[] {32}, new int[] {1}, TensorMap.Swizzle.NONE, new int[] {-3}),
        new Shape(new int[] {40}, new int[] {16}, new int[] {2}, TensorMap.Swizzle.NONE, new int[] {30}),
        new Shape(new int[] {20, 9}, new int[] {8, 4}, new int[] {1, 1}, TensorMap.Swizzle.NONE, new int[] {15, 7}),
        new Shape(new int[] {64, 16}, new int[] {32, 8}, new int[] {1, 1}, TensorMap.Swizzle.BYTES_128, new int[] {4, 2}),
        new Shape(new int[] {64, 16}, new int[] {16, 16}, new int[] {1, 1}, TensorMap.Swizzle.BYTES_64, new int[] {-4, -2}),
        new Shape(new int[] {64, 40}, new int[] {8, 32}, new int[] {1, 1}, TensorMap.Swizzle.BYTES_32, new int[] {60, 20}),
        new Shape(new int[] {12, 5, 6}, new int[] {4, 3, 5}, new int[] {1, 1, 2}, TensorMap.Swizzle.NONE, new int[] {2, 1, 1}),
        new Shape(new int[] {8, 3, 4, 5}, new int[] {4, 2, 3, 2}, new int[] {1, 1, 1, 1}, TensorMap.Swizzle.NONE, new int[] {6, 2, -1, 3}),
        new Shape(new int[] {4, 3, 2, 3, 4}, new int[] {4, 2, 2, 2, 3}, new int[] {1, 1, 1, 1, 1}, TensorMap.Swizzle.NONE,
                new int[] {0, 1, 1, 2, 2})};

    @ParameterizedTest
    @EnumSource(CaseEngine.class)
    void boxesComeAndGoAsInPlainJava(CaseEngine engine) {
        try (Device device = Device.builder().engine(engine.create()).memory(1 << 22).open()) {
            for (Shape shape : SHAPES) {
                for (String move : new String[] {"cp.async.bulk.tensor.Nd.global.shared::cta.bulk_group",
                    "cp.reduce.async.bulk.tensor.Nd.global.shared::cta.add.tile.bulk_group",
                    "cp.reduce.async.bulk.tensor.Nd.global.shared::cta.xor.bulk_group"}) {
                    check(device, shape, move);
                }
            }
        }
    }

    private static void check(Device device, Shape shape, String move) {
        int n = shape.extents.length;
        int count = Arrays.stream(shape.extents).reduce(1, (a, b) -> a * b);
        int[] values = IntStream.range(0, count).map(i -> i * 0x9E3779B9).toArray();
        int[] before = IntStream.range(0, count).map(i -> 1000 * i).toArray();
        int[] shared = new int[WORDS];
        int[] after = before.clone();
        for (int e = 0; e < shape.elements(); e++) {
            int index = shape.index(e);
            shared[shape.place(e)] = index < 0 ? 0 : values[index];
            if (index >= 0) {
                after[index] = move.contains(".add") ? after[index] + values[index] : move.contains(".xor") ? after[index] ^ values[index]
                        : values[index];
            }
        }
        long[] extents = Arrays.stream(shape.extents).asLongStream().toArray();
        try (DeviceBuffer from = device.copyOf(values); DeviceBuffer to = device.copyOf(before); DeviceBuffer out = device.allocate(1028)) {
            TensorMap map = TensorMap.of(from, ScalarType.U32, extents, shape.box).elementStrides(shape.every).swizzle(shape.swizzle);
            TensorMap target = TensorMap.of(to, ScalarType.U32, extents, shape.box).elementStrides(shape.every).swizzle(shape.swizzle);
            byte[] start = new byte[20];
            ByteBuffer.wrap(start).order(ByteOrder.LITTLE_ENDIAN).asIntBuffer().put(shape.start);
            try (DeviceBuffer inMemory = target.copyTo(device)) {
                device.load("k.ptx", kernel(n, move)).kernel("k").grid(1).block(WORDS).launch(map.bytes(), inMemory, start, out);
            }
            int[] found = out.toInts();
            assertEquals(4 * shape.elements(), found[WORDS], "bytes counted");
            for (int e = 0; e < shape.elements(); e++) {
                assertEquals(shared[shape.place(e)], found[shape.place(e)], "element " + e + " of " + shape);
            }
            assertArrayEquals(after, to.toInts(), move);
        }
    }

    @ParameterizedTest
    @EnumSource(CaseEngine.class)
    void fieldsOfAMapCanBeReplaced(CaseEngine engine) {
        String text = """
                .version 8.6
                .target sm_100a
                .address_size 64
                .visible .entry k(.param .u64 map, .param .u64 in)
                {
                .reg .b32 %r<4>; .reg .b64 %d<4>; .reg .pred %p;
                .shared .align 128 .b8 copy[128]; .shared .align 128 .b8 box[128];
                ld.param.u64 %d0, [map]; ld.param.u64 %d1, [in];
                ld.global.v4.b32 {%r0, %r1, %r2, %r3}, [%d0];
                mov.u32 %r0, %tid.x; mad.lo.u32 %r1, %r0, 4, 0; cvt.u64.u32 %d2, %r1; add.u64 %d2, %d2, %d0; ld.global.u32 %r2, [%d2];
                mov.u32 %r3, copy; add.u32 %r3, %r3, %r1; st.shared.u32 [%r3], %r2;
                bar.sync 0;
                setp.ne.u32 %p, %r0, 0;
                @%p bra COPY;
                tensormap.replace.tile.rank.shared::cta.b1024.b32 [copy], 0;
                tensormap.replace.tile.global_address.shared::cta.b1024.b64 [copy], %d1;
                tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [copy], 0, 6;
                tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [copy], 0, 8;
                tensormap.replace.tile.element_stride.shared::cta.b1024.b32 [copy], 0, 1;
                tensormap.replace.tile.global_stride.shared::cta.b1024.b64 [copy], 0, 64;
                tensormap.replace.tile.elemtype.shared::cta.b1024.b32 [copy], 7;
                tensormap.replace.tile.swizzle_mode.shared::cta.b1024.b32 [copy], 0;
                tensormap.replace.tile.interleave_layout.shared::cta.b1024.b32 [copy], 0;
                tensormap.replace.tile.fill_mode.shared::cta.b1024.b32 [copy], 1;
                COPY: bar.sync 0;
                tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%d0], [copy], 128;
                fence.proxy.tensormap::generic.acquire.gpu [%d0], 128;
                @%p bra END;
                .shared .align 8 .b64 bar;
                mbarrier.init.shared.b64 [bar], 1;
                mov.u32 %r1, 2;
                cp.async.bulk.tensor.1d.shared::cta.global.tile.mbarrier::complete_tx::bytes [box], [%d0, {%r1}], [bar];
                ld.shared.v4.b32 {%r0, %r1, %r2, %r3}, [box]; st.global.v4.b32 [%d1+32], {%r0, %r1, %r2, %r3};
                ld.shared.v4.b32 {%r0, %r1, %r2, %r3}, [box+16]; st.global.v4.b32 [%d1+48], {%r0, %r1, %r2, %r3};
                END: ret;
                }
                """;
        try (Device device = Device.builder().engine(engine.create()).memory(1 << 22).open();
                DeviceBuffer in = device.copyOf(0f, 1f, 2f, 3f, 4f, 5f, 6f, 7f, 0f, 0f, 0f, 0f, 0f, 0f, 0f, 0f);
                DeviceBuffer map = TensorMap.of(in, ScalarType.U8, new long[] {16, 2}, 16, 2).copyTo(device)) {
            device.load("k.ptx", text).kernel("k").grid(1).block(32).launch(map, in);
            assertArrayEquals(new float[] {2, 3, 4, 5, Float.NaN, Float.NaN, Float.NaN, Float.NaN}, Arrays.copyOfRange(in.toFloats(), 8, 16));
        }
    }

    @ParameterizedTest
    @EnumSource(CaseEngine.class)
    void whatIsNoMapIsNamed(CaseEngine engine) {
        String move = "cp.async.bulk.tensor.Nd.global.shared::cta.bulk_group";
        try (Device device = Device.builder().engine(engine.create()).memory(1 << 22).open(); DeviceBuffer out = device.allocate(1028)) {
            var launch = device.load("k.ptx", kernel(1, move)).kernel("k").grid(1).block(WORDS);
            String message = assertThrows(KernelException.class, () -> launch.launch(new byte[128], out, new byte[20], out)).getMessage();
            assertTrue(message.startsWith("k.ptx:17: kernel k, block (0,0,0), thread (0,0,0): no tensor map is at 0x"), message);
        }
    }

    @Test
    void mapsThatAreNotPossibleAreRefused() {
        try (Device device = Device.builder().memory(1 << 22).open(); DeviceBuffer b = device.allocate(4096)) {
            assertRefused("rows of the box of 12 bytes, which is no multiple of 16", () -> TensorMap.of(b, ScalarType.U32, new long[] {8}, 3));
            assertRefused("a box of 257 elements; possible are 1 to 256", () -> TensorMap.of(b, ScalarType.U8, new long[] {8}, 257));
            assertRefused("a stride of 20 bytes, which is no multiple of 16", () -> TensorMap.of(b, ScalarType.U32, new long[] {5, 5}, 4, 1));
            assertRefused("rows of the box of 64 bytes; swizzled they have at most 32",
                    () -> TensorMap.of(b, ScalarType.U32, new long[] {32}, 16).swizzle(TensorMap.Swizzle.BYTES_32));
            assertRefused("NaN in a tensor of .u32", () -> TensorMap.of(b, ScalarType.U32, new long[] {32}, 16).fillNan());
        }
    }

    private static void assertRefused(String what, Runnable make) {
        assertEquals("no tensor map has " + what, assertThrows(IllegalArgumentException.class, make::run).getMessage());
    }
}
