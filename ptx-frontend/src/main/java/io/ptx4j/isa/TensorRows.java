package io.ptx4j.isa;

import java.util.ArrayList;
import java.util.List;

/** Rows of the fifth generation of tensor cores (manual: "TensorCore 5th Generation Family Instructions"). */
final class TensorRows {
    private static final String NEEDS = " ; ptx 8.6, sm_100f|sm_110f";
    private static final String GROUP = ".(cta_group::1|cta_group::2)";

    private TensorRows() {
    }

    static Rows tcgen05() {
        List<String> rows = new ArrayList<>();
        rows.add("tcgen05.alloc!" + GROUP + ".sync.aligned{.shared::cta}.b32 [a:shared], c:u32(32 64 128 256 512)" + NEEDS);
        rows.add("tcgen05.dealloc!" + GROUP + ".sync.aligned.b32 a:b32, c:u32(32 64 128 256 512)" + NEEDS);
        rows.add("tcgen05.relinquish_alloc_permit!" + GROUP + ".sync.aligned" + NEEDS);
        rows.add("tcgen05.(wait::ld|wait::st)!.sync.aligned" + NEEDS);
        rows.add("tcgen05.(fence::before_thread_sync|fence::after_thread_sync)!" + NEEDS);
        rows.add("tcgen05.commit!" + GROUP + ".mbarrier::arrive::one{.shared::cluster}.b64 [a]" + NEEDS);
        rows.add("tcgen05.commit!" + GROUP + ".mbarrier::arrive::one{.shared::cluster}.multicast::cluster.b64 [a], c:u16" + NEEDS);
        rows.add("tcgen05.shift!" + GROUP + ".down [a:tensor] ; ptx 8.6, sm_100a|sm_103a|sm_110a");
        String formats = "{.b8x16.(b6x16_p32|b4x16_p64)}";
        rows.add("tcgen05.cp!" + GROUP + ".(128x256b|4x256b|128x128b)" + formats + " [a:tensor], b:=u64" + NEEDS);
        rows.add("tcgen05.cp!" + GROUP + ".64x128b.(warpx2::02_13|warpx2::01_23)" + formats + " [a:tensor], b:=u64" + NEEDS);
        rows.add("tcgen05.cp!" + GROUP + ".32x128b.warpx4" + formats + " [a:tensor], b:=u64" + NEEDS);
        moves(rows);
        minima(rows);
        products(rows);
        productsOfWarps(rows);
        return new Rows(Family.TENSOR_CORE_5, rows);
    }

    private static void moves(List<String> rows) {
        for (int count = 1; count <= 128; count *= 2) {
            move(rows, "(32x32b|16x64b)", count, count, "");
            move(rows, "16x32bx2", count, count, ", i:#s64");
            if (count <= 64) {
                move(rows, "16x128b", count, 2 * count, "");
            }
            if (count <= 32) {
                move(rows, "16x256b", count, 4 * count, "");
            }
        }
    }

    private static void move(List<String> rows, String shape, int count, int registers, String offset) {
        rows.add("tcgen05.ld!.sync.aligned." + shape + ".x" + count + "{.pack::16b}.b32 d:v" + registers + ".b32, [a:tensor]" + offset
                + NEEDS);
        rows.add("tcgen05.st!.sync.aligned." + shape + ".x" + count + "{.unpack::16b}.b32 [a:tensor]" + offset + ", b:v" + registers
                + ".=b32" + NEEDS);
    }

    /** Loads that also give the least or greatest element. */
    private static void minima(List<String> rows) {
        for (int count = 2; count <= 128; count *= 2) {
            for (String[] shape : new String[][] {{"32x32b", ""}, {"16x32bx2", ", i:#s64"}}) {
                String head = "tcgen05.ld!.red!.sync.aligned." + shape[0] + ".x" + count + ".(min|max)";
                String operands = " d:v" + count + ".t1, q:t1, [a:tensor]" + shape[1] + " ; ptx 8.8, sm_103f|sm_110f";
                rows.add(head + ".(u32|s32)" + operands);
                rows.add(head + "{.abs}{.NaN}.f32" + operands);
            }
        }
    }

    private static void productsOfWarps(List<String> rows) {
        StringBuilder collector = new StringBuilder();
        for (int buffer = 0; buffer < 4; buffer++) {
            for (String use : List.of("fill", "use", "lastuse", "discard")) {
                collector.append(collector.isEmpty() ? "" : "|").append("collector::b").append(buffer).append("::").append(use);
            }
        }
        for (String sparse : List.of("", ".sp!")) {
            for (String a : List.of("a:=b64", "[a:tensor]")) {
                rows.add("tcgen05.mma!.ws!" + sparse + ".cta_group::1.(kind::f16|kind::tf32|kind::f8f6f4|kind::i8){.(" + collector
                        + ")} [d:tensor], " + a + ", b:=b64" + (sparse.isEmpty() ? "" : ", [m:tensor]")
                        + ", i:=b32, e:pred{, z:b64}" + NEEDS);
            }
        }
    }

    private static void products(List<String> rows) {
        String collector = "{.(collector::a::fill|collector::a::use|collector::a::lastuse|collector::a::discard)}";
        for (String sparse : List.of("", ".sp!")) {
            String meta = sparse.isEmpty() ? "" : ", [m:tensor]";
            for (String a : List.of("a:=b64", "[a:tensor]")) {
                for (int lanes : new int[] {0, 4, 8}) {
                    String mask = lanes == 0 ? "" : ", l:v" + lanes + ".=b32";
                    String group = lanes == 4 ? ".cta_group::1" : lanes == 8 ? ".cta_group::2" : GROUP;
                    String operands = " [d:tensor], " + a + ", b:=b64" + meta + ", i:=b32" + mask + ", p1:pred";
                    String head = "tcgen05.mma!" + sparse + group;
                    rows.add(head + ".(kind::f16|kind::tf32){.ashift}" + collector + operands.replace("p1:pred", "e:pred")
                            + "{, s:#u32(0..15)}" + NEEDS);
                    rows.add(head + ".(kind::f8f6f4|kind::i8){.ashift}" + collector + operands.replace("p1:pred", "e:pred") + NEEDS);
                }
                rows.add("tcgen05.mma!" + sparse + GROUP
                        + ".(kind::mxf8f6f4|kind::mxf4|kind::mxf4nvf4).block_scale{.(scale_vec::1X|scale_vec::2X|scale_vec::4X|block16|block32)}"
                        + collector + " [d:tensor], " + a + ", b:=b64" + meta + ", i:=b32, [x:tensor], [y:tensor], e:pred" + NEEDS);
            }
        }
    }
}
