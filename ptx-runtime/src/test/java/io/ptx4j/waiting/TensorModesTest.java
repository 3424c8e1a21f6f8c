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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tensor copies of rows and of pixels on every engine against plain loops over images, rows and pixels. */
final class TensorModesTest {
    private static final int WORDS = 4608;

    /** Loads by {@code load}, shows shared memory and the bytes counted, and sends the box on by {@code store} if there is one. */
    private static String kernel(String load, String store, int coordinates, int offsets) {
        String place = list("%c", coordinates);
        StringBuilder text = new StringBuilder("""
                .version 9.0
                .target sm_100a
                .address_size 64
                .visible .entry k(.param .align 64 .b8 from[128], .param .u64 to, .param .align 4 .b8 start[32], .param .u64 out)
                {
                .reg .pred %p<3>; .reg .b16 %i<4>; .reg .b32 %r<8>, %c<5>; .reg .b64 %d<8>;
                .shared .align 1024 .b8 box[18432]; .shared .align 8 .b64 bar;
                ld.param.u64 %d1, [to]; ld.param.u64 %d2, [out];
                mov.u32 %r0, %tid.x; setp.ne.u32 %p0, %r0, 0;
                """);
        IntStream.range(0, coordinates).forEach(d -> text.append("ld.param.u32 %c" + d + ", [start+" + 4 * d + "];\n"));
        IntStream.range(0, offsets).forEach(k -> text.append("ld.param.u16 %i" + k + ", [start+" + (20 + 4 * k) + "];\n"));
        return text.append("""
                @%p0 bra WAIT;
                mbarrier.init.shared.b64 [bar], 1;
                mov.b64 %d3, from; cvta.param.u64 %d3, %d3;
                LOAD [box], [%d3, PLACE], [bar]OFFSETS;
                ld.shared.b64 %d4, [bar];
                bfe.u64 %d5, %d4, 40, 21;
                neg.s64 %d5, %d5; and.b64 %d5, %d5, 0x1fffff; cvt.u32.u64 %r1, %d5;
                mbarrier.arrive.expect_tx.shared.b64 _, [bar], %r1;
                st.global.u32 [%d2+18432], %r1;
                WAIT: bar.sync 0;
                LOOP: mbarrier.try_wait.parity.shared.b64 %p1, [bar], 0;
                @!%p1 bra LOOP;
                mov.u32 %r5, %ntid.x; mov.u32 %r4, %r0;
                SHOW: mov.u32 %r2, box; mad.lo.u32 %r2, %r4, 4, %r2; ld.shared.u32 %r3, [%r2];
                mul.wide.u32 %d6, %r4, 4; add.u64 %d6, %d6, %d2; st.global.u32 [%d6], %r3;
                add.u32 %r4, %r4, %r5; setp.lt.u32 %p1, %r4, 4608; @%p1 bra SHOW;
                bar.sync 0;
                @%p0 bra END;
                STORE
                END: ret;
                }
                """).toString().replace("LOAD", load).replace("STORE", store == null ? "" : store + " [%d1, PLACE], [box];\n"
                        + "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;").replace("PLACE", place)
                .replace("OFFSETS", offsets == 0 ? "" : ", " + list("%i", offsets));
    }

    private static String list(String register, int count) {
        return IntStream.range(0, count).mapToObj(d -> register + d).collect(Collectors.joining(", ", "{", "}"));
    }

    /** One copy: the map, the instruction's operands, and the index in the tensor of each element, -1 outside. */
    private record Copy(
            String name, String load, String store, int[] extents, MapMaker map, int[] start, int[] offsets, List<Integer> elements, int swizzle) {
        /** Word of shared memory where an element lies. */
        int word(int element) {
            int address = 4 * element;
            return (address ^ (address >> 7 & (1 << swizzle) - 1) << 4) / 4;
        }
    }

    private interface MapMaker {
        TensorMap of(DeviceBuffer tensor, long[] extents);
    }

    private static Copy rows(int[] extents, int length, TensorMap.Swizzle swizzle, int... start) {
        List<Integer> elements = new ArrayList<>();
        for (int row = 1; row <= 4; row++) {
            for (int x = start[0]; x < start[0] + length; x++) {
                boolean inside = x >= 0 && x < extents[0] && start[row] >= 0 && start[row] < extents[1];
                elements.add(inside ? start[row] * extents[0] + x : -1);
            }
        }
        return new Copy("rows", "cp.async.bulk.tensor.2d.shared::cta.global.tile::gather4.mbarrier::complete_tx::bytes",
                "cp.OPasync.bulk.tensor.2d.global.shared::cta.OFtile::scatter4.bulk_group", extents,
                (tensor, sizes) -> TensorMap.of(tensor, ScalarType.U32, sizes, length, 1).swizzle(swizzle), start, new int[0], elements,
                swizzle.ordinal());
    }

    /** Pixels as they come in loops over images, D, H and W; extents, strides and corners of W, H and D. */
    private static Copy pixels(int[] extents, int[] lower, int[] upper, int[] every, int channels, int count, int[] start, int... offsets) {
        int space = extents.length - 2;
        int[] size = {1, 1, 1};
        int[] from = new int[3];
        int[] to = new int[3];
        int[] step = {1, 1, 1};
        int[] move = new int[3];
        int[] first = new int[3];
        for (int k = 0; k < space; k++) {
            size[k] = extents[1 + k];
            from[k] = lower[k];
            to[k] = extents[1 + k] - 1 + upper[k];
            step[k] = every[k];
            first[k] = start[1 + k];
            move[k] = offsets.length == 0 ? 0 : offsets[k];
        }
        int images = extents[1 + space];
        List<Integer> elements = new ArrayList<>();
        boolean begun = false;
        for (int n = start[1 + space]; elements.size() < count * channels; n++) {
            for (int d = begun ? from[2] : first[2]; d <= to[2] && elements.size() < count * channels; d += step[2]) {
                for (int h = begun ? from[1] : first[1]; h <= to[1] && elements.size() < count * channels; h += step[1]) {
                    for (int w = begun ? from[0] : first[0]; w <= to[0] && elements.size() < count * channels; w += step[0]) {
                        begun = true;
                        int x = w + move[0];
                        int y = h + move[1];
                        int z = d + move[2];
                        for (int c = start[0]; c < start[0] + channels; c++) {
                            boolean inside = c >= 0 && c < extents[0] && x >= 0 && x < size[0] && y >= 0 && y < size[1] && z >= 0 && z < size[2]
                                    && n >= 0 && n < images;
                            elements.add(inside ? (((n * size[2] + z) * size[1] + y) * size[0] + x) * extents[0] + c : -1);
                        }
                    }
                }
            }
        }
        int[] strides = new int[extents.length];
        Arrays.fill(strides, 1);
        System.arraycopy(every, 0, strides, 1, space);
        String dimensions = extents.length + "d";
        return new Copy("pixels " + dimensions,
                "cp.async.bulk.tensor." + dimensions + ".shared::cluster.global.im2col.mbarrier::complete_tx::bytes",
                offsets.length > 0 && Arrays.stream(offsets).sum() > 0 ? null
                        : "cp.OPasync.bulk.tensor." + dimensions + ".global.shared::cta.OFim2col_no_offs.bulk_group",
                extents, (tensor, sizes) -> TensorMap.im2col(tensor, ScalarType.U32, sizes, lower, upper, channels, count).elementStrides(strides),
                start, offsets.length == 0 ? new int[space] : offsets, elements, 0);
    }

    /** Pixels along W, image after image; behind {@code count} pixels (or each 32 of 128) a halo of those that follow. */
    private static Copy line(int[] extents, int lower, int upper, int every, int channels, int count, int[] start, int halo, int offset) {
        int images = extents.length - 1;
        int pixel = 1;
        int row = 0;
        int[] size = {1, 1, 1};
        for (int k = 1; k < images; k++) {
            size[k - 1] = extents[k];
            row += k > 1 ? start[k] * pixel : 0;
            pixel *= extents[k];
        }
        boolean there = IntStream.range(2, images).allMatch(k -> start[k] >= 0 && start[k] < extents[k]);
        // place of the image, and of W, pixel by pixel
        List<int[]> walk = new ArrayList<>();
        for (int n = start[images], w = start[1]; walk.size() < 1024; ) {
            walk.add(new int[] {n, w + offset});
            w += every;
            if (w > extents[1] - 1 + upper) {
                w = lower;
                n++;
            }
        }
        List<int[]> moved = new ArrayList<>();
        for (int part = 0; part < (count == 0 ? 4 : 1); part++) {
            moved.addAll(walk.subList(32 * part, (count == 0 ? 32 * (part + 1) : count) + halo));
        }
        List<Integer> elements = new ArrayList<>();
        for (int[] at : moved) {
            for (int c = start[0]; c < start[0] + channels; c++) {
                boolean inside = there && c >= 0 && c < extents[0] && at[1] >= 0 && at[1] < extents[1] && at[0] >= 0 && at[0] < extents[images];
                elements.add(inside ? (at[0] * pixel + row + at[1]) * extents[0] + c : -1);
            }
        }
        int[] strides = new int[extents.length];
        Arrays.fill(strides, 1);
        strides[1] = every;
        String mode = count == 0 ? "im2col::w::128" : "im2col::w";
        return new Copy(mode, "cp.async.bulk.tensor." + extents.length + "d.shared::cluster.global." + mode + ".mbarrier::complete_tx::bytes", null,
                extents, (tensor, sizes) -> TensorMap.im2colWide(tensor, ScalarType.U32, sizes, lower, upper, channels, count == 0 ? 1 : count)
                        .elementStrides(strides), start, new int[] {halo, offset}, elements, 3);
    }

    private static int[] of(int... values) {
        return values;
    }

    private static final List<Copy> COPIES = List.of(
            rows(of(20, 12), 8, TensorMap.Swizzle.NONE, 1, 2, 5, 0, 9),
            rows(of(64, 12), 32, TensorMap.Swizzle.BYTES_128, 40, 11, 11, -1, 12),
            rows(of(64, 300), 16, TensorMap.Swizzle.BYTES_64, -3, 299, 7, 300, 0),
            // a filter of three pixels that shifts by one, and one that begins inside
            pixels(of(8, 20, 3), of(-1), of(-1), of(1), 4, 50, of(4, 6, 1)),
            pixels(of(8, 20, 3), of(0), of(-2), of(1), 8, 33, of(2, 3, 0), 2),
            // the manual's examples with fewer channels
            pixels(of(8, 9, 14, 9), of(-1, -1), of(-1, -1), of(1, 1), 8, 64, of(0, 4, 7, 7), 0, 0),
            pixels(of(8, 9, 14, 9), of(0, 0), of(-2, -2), of(1, 1), 8, 64, of(0, 4, 7, 7), 2, 2),
            pixels(of(16, 8, 14, 9), of(-1, -1), of(-1, -1), of(2, 2), 16, 32, of(0, 5, 7, 7), 1, 1),
            // beyond the last image
            pixels(of(8, 5, 4, 3), of(-2, 0), of(1, -1), of(1, 3), 4, 100, of(4, 0, 0, 1)),
            pixels(of(4, 4, 3, 5, 2), of(-1, 0, -2), of(0, -1, 1), of(1, 2, 3), 4, 90, of(0, 1, 0, 1, 0), 1, 0, 2),
            pixels(of(4, 4, 3, 5, 2), of(0, 0, 0), of(0, 0, 0), of(1, 1, 1), 4, 70, of(0, 3, 2, 4, 0)),
            // the manual's examples of im2col::w with fewer channels and pixels
            line(of(32, 9, 7, 12), 0, 0, 1, 32, 100, of(0, 3, 2, 7), 2, 0),
            line(of(32, 9, 7, 64), -1, 0, 2, 32, 64, of(0, -1, 2, 7), 1, 0),
            line(of(32, 9, 7, 64), -1, 0, 2, 32, 64, of(0, -1, 2, 7), 0, 1),
            line(of(16, 7, 3), -1, -1, 3, 16, 30, of(4, -1, 1), 0, 2),
            line(of(32, 9, 7, 40), 0, 0, 1, 32, 0, of(0, 3, 2, 7), 2, 0),
            line(of(8, 33, 2, 3, 5), -4, 2, 1, 8, 0, of(0, -4, 1, 2, 1), 31, 4),
            line(of(8, 33, 2, 3, 5), -4, 2, 1, 8, 0, of(0, -4, 1, 3, 1), 0, 0));

    @ParameterizedTest
    @EnumSource(CaseEngine.class)
    void rowsAndPixelsComeAndGoAsInPlainLoops(CaseEngine engine) {
        try (Device device = Device.builder().engine(engine.create()).memory(1 << 23).open()) {
            // the vector shape runs the scalar shape's code lane by lane
            for (int k = 0; k < COPIES.size(); k += engine == CaseEngine.JIT_VECTOR ? 5 : 1) {
                Copy copy = COPIES.get(k);
                boolean adds = k % 2 == 1;
                check(device, copy, copy.store == null ? null
                        : copy.store.replace("OP", adds ? "reduce." : "").replace("OF", adds ? "add." : ""));
            }
        }
    }

    private static void check(Device device, Copy copy, String move) {
        int count = Arrays.stream(copy.extents).reduce(1, (a, b) -> a * b);
        int[] values = IntStream.range(0, count).map(i -> (i + 1) * 0x9E3779B9).toArray();
        int[] before = IntStream.range(0, count).map(i -> 1000 * i).toArray();
        int[] shared = new int[WORDS];
        int[] after = before.clone();
        for (int e = 0; e < copy.elements.size(); e++) {
            int index = copy.elements.get(e);
            shared[copy.word(e)] = index < 0 ? 0 : values[index];
            if (index >= 0 && move != null) {
                after[index] = move.contains("reduce") ? after[index] + values[index] : values[index];
            }
        }
        long[] extents = Arrays.stream(copy.extents).asLongStream().toArray();
        try (DeviceBuffer from = device.copyOf(values); DeviceBuffer to = device.copyOf(before); DeviceBuffer out = device.allocate(4 * WORDS + 4);
                DeviceBuffer target = copy.map.of(to, extents).copyTo(device)) {
            ByteBuffer start = ByteBuffer.allocate(32).order(ByteOrder.LITTLE_ENDIAN);
            start.asIntBuffer().put(copy.start);
            start.position(20).slice().order(ByteOrder.LITTLE_ENDIAN).asIntBuffer().put(copy.offsets);
            String text = kernel(copy.load, move, copy.start.length, copy.offsets.length);
            device.load("k.ptx", text).kernel("k").grid(1).block(96).launch(copy.map.of(from, extents).bytes(), target, start.array(), out);
            int[] found = out.toInts();
            assertEquals(4 * copy.elements.size(), found[WORDS], "bytes counted by " + copy);
            for (int e = 0; e < copy.elements.size(); e++) {
                assertEquals(shared[copy.word(e)], found[copy.word(e)], "element " + e + " of " + copy);
            }
            assertArrayEquals(after, to.toInts(), move);
        }
    }

    @ParameterizedTest
    @EnumSource(CaseEngine.class)
    void mapsAndOffsetsThatDoNotFitTheCopyAreNamed(CaseEngine engine) {
        String gather = COPIES.getFirst().load;
        String pixels = "cp.async.bulk.tensor.3d.shared::cta.global.im2col.mbarrier::complete_tx::bytes";
        String line = "cp.async.bulk.tensor.3d.shared::cta.global.im2col::w.mbarrier::complete_tx::bytes";
        String tile = "cp.async.bulk.tensor.2d.shared::cta.global.tile.mbarrier::complete_tx::bytes";
        try (Device device = Device.builder().engine(engine.create()).memory(1 << 22).open(); DeviceBuffer b = device.allocate(65536)) {
            TensorMap tiles = TensorMap.of(b, ScalarType.U32, new long[] {16, 8}, 16, 2);
            TensorMap images = TensorMap.im2col(b, ScalarType.U32, new long[] {4, 8, 3, 4}, of(0, 0), of(0, 0), 4, 20);
            TensorMap lines = TensorMap.im2colWide(b, ScalarType.U32, new long[] {4, 8, 3}, 0, 0, 4, 20);
            assertFault(device, b, gather, 5, 0, tiles, "its box has 2 rows; four rows are copied one by one");
            assertFault(device, b, tile, 2, 0, images, "it is one of im2col, the copy one of tiles");
            assertFault(device, b, gather, 5, 0, lines, "it is one of im2col::w, the copy one of tiles");
            assertFault(device, b, pixels, 3, 1, images, "it has 4 dimensions, the copy 3");
            assertFault(device, b, pixels, 3, 1, lines, "it is one of im2col::w, the copy one of im2col");
            assertFault(device, b, line, 3, 2, lines, "offset 1 is 32; possible are 0 to 31");
            assertFault(device, b, line.replace("::w", "::w::128"), 3, 2, lines, "offset 0 is 32; possible are 0 to 31");
        }
    }

    private static void assertFault(Device device, DeviceBuffer buffer, String load, int coordinates, int offsets, TensorMap map, String why) {
        byte[] start = new byte[32];
        start[20] = 32;
        start[24] = 32;
        var launch = device.load("k.ptx", kernel(load, null, coordinates, offsets)).kernel("k").grid(1).block(1);
        String message = assertThrows(KernelException.class, () -> launch.launch(map.bytes(), buffer, start, buffer)).getMessage();
        assertTrue(message.contains("the tensor map at 0x") && message.contains(" is not for this copy: " + why), message);
    }

    @Test
    void mapsOfPixelsThatAreNotPossibleAreRefused() {
        try (Device device = Device.builder().memory(1 << 22).open(); DeviceBuffer b = device.allocate(65536)) {
            long[] images = {4, 8, 3, 4};
            assertRefused("pixels in 2 dimensions; images have three to five",
                    () -> TensorMap.im2col(b, ScalarType.U32, new long[] {4, 4}, of(), of(), 4, 4));
            assertRefused("corners of 1 and 2 dimensions; the box has 2", () -> TensorMap.im2col(b, ScalarType.U32, images, of(0), of(0, 0), 4, 4));
            assertRefused("corners of -129 and 0; possible are -128 to 127",
                    () -> TensorMap.im2col(b, ScalarType.U32, images, of(-129, 0), of(0, 0), 4, 4));
            assertRefused("a box of pixels that ends before it begins",
                    () -> TensorMap.im2col(b, ScalarType.U32, images, of(0, 0), of(0, -3), 4, 4));
            assertRefused("257 channels of a pixel; possible are 1 to 256",
                    () -> TensorMap.im2col(b, ScalarType.U32, images, of(0, 0), of(0, 0), 257, 4));
            assertRefused("1025 pixels of a column; possible are 1 to 1024",
                    () -> TensorMap.im2col(b, ScalarType.U32, images, of(0, 0), of(0, 0), 4, 1025));
            assertRefused("rows of the box of 12 bytes, which is no multiple of 16",
                    () -> TensorMap.im2col(b, ScalarType.U32, images, of(0, 0), of(0, 0), 3, 4));
            assertRefused("pixels along W without a swizzle of 64 or 128 bytes",
                    () -> TensorMap.im2colWide(b, ScalarType.U32, images, 0, 0, 4, 4).swizzle(TensorMap.Swizzle.BYTES_32));
        }
    }

    private static void assertRefused(String what, Runnable make) {
        assertEquals("no tensor map has " + what, assertThrows(IllegalArgumentException.class, make::run).getMessage());
    }
}
