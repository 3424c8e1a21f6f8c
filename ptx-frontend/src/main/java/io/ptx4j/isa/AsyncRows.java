package io.ptx4j.isa;

import java.util.ArrayList;
import java.util.List;

/** Rows of barriers in memory and of asynchronous copies (manual: "mbarrier", "Data Movement: Asynchronous copy"). */
final class AsyncRows {
    /** Constant sizes of bulk copies, in bytes. */
    private static final String BULK = "(0..1048560/16)";

    /** How many arrivals one instruction stands for. */
    private static final String COUNT = "(1..4294967295)";

    /** What the modes of tensor copies need that came with sm_100. */
    private static final String FAMILIES = " ; ptx 8.6, sm_100f|sm_110f";

    private AsyncRows() {
    }

    static Rows mbarrier() {
        List<String> rows = new ArrayList<>();
        String cta = "{.(shared|shared::cta)}.b64";
        String cluster = "{.(<shared>)}.b64";
        rows.add("mbarrier.init!" + cta + " [a], c:u32 ; ptx 7.0, sm_80");
        rows.add("mbarrier.inval!" + cta + " [a] ; ptx 7.0, sm_80");
        rows.add("mbarrier.(expect_tx|complete_tx)!{.relaxed.(cta|cluster)}" + cluster + " [a], c:u32 ; ptx 8.0, sm_90");
        for (String arrive : List.of("arrive", "arrive_drop")) {
            String head = "mbarrier." + arrive + "!";
            rows.add(head + cta + " d:?u64, [a]{, c:u32" + COUNT + "} ; ptx 7.0, sm_80");
            rows.add(head + ".release.cta" + cta + " d:?u64, [a]{, c:u32" + COUNT + "} ; ptx 8.0, sm_80");
            for (String[] place : new String[][] {{cta, "?"}, {".shared::cluster.b64", "!"}}) {
                rows.add(head + "{.(release|relaxed).(cta|cluster)}" + place[0] + " d:" + place[1] + "u64, [a]{, c:u32" + COUNT + "} "
                        + "; ptx 8.0, sm_90, relaxed ptx 8.6");
                rows.add(head + ".expect_tx!{.(release|relaxed).(cta|cluster)}" + place[0] + " d:" + place[1] + "u64, [a], c:u32 "
                        + "; ptx 8.0, sm_90, relaxed ptx 8.6");
            }
            rows.add(head + ".noComplete{.release.cta}" + cta + " d:?u64, [a], c:u32" + COUNT + " ; ptx 7.0, sm_80, release ptx 8.0");
        }
        rows.add("mbarrier.test_wait!{.acquire.(cta|cluster)}" + cta + " p:pred, [a], c:u64 ; ptx 7.0, sm_80, acquire ptx 8.0");
        rows.add("mbarrier.test_wait!.parity!{.acquire.(cta|cluster)}" + cta + " p:pred, [a], c:u32(0 1) ; ptx 7.1, sm_80, acquire ptx 8.0");
        rows.add("mbarrier.test_wait!.relaxed.(cta|cluster)" + cta + " p:pred, [a], c:u64 ; ptx 8.6, sm_90");
        rows.add("mbarrier.test_wait!.parity!.relaxed.(cta|cluster)" + cta + " p:pred, [a], c:u32(0 1) ; ptx 8.6, sm_90");
        rows.add("mbarrier.try_wait!{.(acquire|relaxed).(cta|cluster)}" + cta + " p:pred, [a], c:u64{, e:u32} ; ptx 7.8, sm_90, "
                + "acquire ptx 8.0, relaxed ptx 8.6");
        rows.add("mbarrier.try_wait!.parity!{.(acquire|relaxed).(cta|cluster)}" + cta + " p:pred, [a], c:u32(0 1){, e:u32} ; ptx 7.8, sm_90, "
                + "acquire ptx 8.0, relaxed ptx 8.6");
        rows.add("mbarrier.pending_count!.b64 d:u32, c:u64 ; ptx 7.0, sm_80");
        return new Rows(Family.MBARRIER, rows);
    }

    static Rows cp() {
        List<String> rows = new ArrayList<>();
        copy(rows, "ca", "(4 8 16)");
        copy(rows, "cg", "(16)");
        rows.add("cp.async!.commit_group! ; ptx 7.0, sm_80");
        rows.add("cp.async!.wait_all! ; ptx 7.0, sm_80");
        rows.add("cp.async!.wait_group! c:#u32 ; ptx 7.0, sm_80");
        rows.add("cp.async!.mbarrier!.arrive!{.noinc}{.(shared|shared::cta)}.b64 [a:$] ; ptx 7.0, sm_80");
        bulk(rows);
        tensor(rows);
        columns(rows);
        fourRows(rows);
        reductions(rows);
        return new Rows(Family.ASYNC_COPY, rows);
    }

    private static void copy(List<String> rows, String cache, String sizes) {
        String head = "cp.async!." + cache + ".(shared|shared::cta).global";
        for (String hint : List.of("", ".L2::cache_hint")) {
            String last = hint.isEmpty() ? "" : ", e:u64";
            rows.add(head + hint + "{.(<prefetch>)} [d:shared], [a:global], c:#u32" + sizes + "{, b:u32(0..c)}" + last + " ; ptx 7.0, sm_80");
            rows.add(head + hint + "{.(<prefetch>)} [d:shared], [a:global], c:#u32" + sizes + ", b:=pred" + last + " ; ptx 7.0, sm_80");
        }
    }

    private static void bulk(List<String> rows) {
        String bytes = ".mbarrier::complete_tx::bytes";
        for (String hint : List.of("", ".L2::cache_hint")) {
            String last = (hint.isEmpty() ? "" : ", e:u64") + " ; ptx 8.0, sm_90";
            rows.add("cp.async!.bulk!.shared::cluster.global" + bytes + hint + " [d:shared], [a:global], c:u32" + BULK + ", [m:shared]" + last);
            rows.add("cp.async!.bulk!.shared::cta.global" + bytes + hint + " [d:shared], [a:global], c:u32" + BULK + ", [m:shared]"
                    + last.replace("8.0", "8.6"));
            rows.add("cp.async!.bulk!.shared::cluster.global" + bytes + ".multicast::cluster" + hint
                    + " [d:shared], [a:global], c:u32" + BULK + ", [m:shared], n:u16" + last);
            rows.add("cp.async!.bulk!.global.shared::cta.bulk_group" + hint + " [d:global], [a:shared], c:u32" + BULK + last);
            rows.add("cp.async!.bulk!.global.shared::cta.bulk_group" + hint + ".cp_mask [d:global], [a:shared], c:u32" + BULK
                    + (hint.isEmpty() ? "" : ", e:u64") + ", n:u16 ; ptx 8.6, sm_100");
            rows.add("cp.async!.bulk!.prefetch!.L2.global" + hint + " [a:global], c:u32" + BULK + last);
        }
        rows.add("cp.async!.bulk!.shared::cluster.shared::cta" + bytes + " [d:shared], [a:shared], c:u32" + BULK + ", [m:shared] ; ptx 8.0, sm_90");
        rows.add("cp.async!.bulk!.commit_group! ; ptx 8.0, sm_90");
        rows.add("cp.async!.bulk!.wait_group!{.read} c:#u32 ; ptx 8.0, sm_90");
    }

    private static void tensor(List<String> rows) {
        String bytes = ".mbarrier::complete_tx::bytes";
        for (int dimensions = 1; dimensions <= 5; dimensions++) {
            String place = "[a, c:v" + dimensions + ".s32]";
            String head = "cp.async!.bulk!.tensor!." + dimensions + "d";
            for (String hint : List.of("", ".L2::cache_hint")) {
                String last = (hint.isEmpty() ? "" : ", e:u64") + " ; ptx 8.0, sm_90, shared::cta ptx 8.6, cta_group::1|cta_group::2 ptx 8.6 sm_100f|sm_110f";
                for (String mode : modes(dimensions)) {
                    String offsets = offsets(dimensions, mode);
                    for (String space : List.of("shared::cluster", "shared::cta")) {
                        String cast = space.endsWith("cta") ? "" : "{.(cta_group::1|cta_group::2)}";
                        rows.add(head + "." + space + ".global" + mode + bytes + cast + hint
                                + " [d:shared], " + place + ", [m:shared]" + offsets + last);
                    }
                    rows.add(head + ".shared::cluster.global" + mode + bytes + ".multicast::cluster{.(cta_group::1|cta_group::2)}" + hint
                            + " [d:shared], " + place + ", [m:shared]" + offsets + ", n:u16" + last);
                    rows.add("cp.async!.bulk!.prefetch!.tensor!." + dimensions + "d.L2.global" + mode + hint + " " + place + offsets
                            + last);
                }
                String stores = (hint.isEmpty() ? "" : ", e:u64") + " ; ptx 8.0, sm_90";
                String store = dimensions >= 3 ? "{.(tile|im2col_no_offs)}" : "{.tile}";
                rows.add(head + ".global.shared::cta" + store + ".bulk_group" + hint + " " + place + ", [b:shared]" + stores);
                rows.add("cp.reduce!.async!.bulk!.tensor!." + dimensions + "d.global.shared::cta.(add|min|max|inc|dec|and|or|xor)" + store
                        + ".bulk_group" + hint + " " + place + ", [b:shared]" + stores);
            }
        }
    }

    /** Modes im2col::w and im2col::w::128: tensors of three to five dimensions, with two offsets. */
    private static void columns(List<String> rows) {
        for (int dimensions = 3; dimensions <= 5; dimensions++) {
            for (String mode : List.of(".im2col::w", ".im2col::w::128")) {
                String own = mode.endsWith("128") ? FAMILIES : " ; ptx 8.6, sm_100";
                loads(rows, dimensions + "d", mode, "[a, c:v" + dimensions + ".s32]", ", i:v2.b16", own);
            }
        }
    }

    /** Mode tile::gather4 and its counterpart: four rows of a matrix, each with a coordinate of its own. */
    private static void fourRows(List<String> rows) {
        String place = "[a, c:v5.s32]";
        loads(rows, "2d", ".tile::gather4", place, "", " ; ptx 8.6, sm_100");
        for (String hint : List.of("", ".L2::cache_hint")) {
            String store = ".tile::scatter4.bulk_group" + hint + " " + place + ", [b:shared]" + (hint.isEmpty() ? "" : ", e:u64") + FAMILIES;
            rows.add("cp.async!.bulk!.tensor!.2d.global.shared::cta" + store);
            rows.add("cp.reduce!.async!.bulk!.tensor!.2d.global.shared::cta.(add|min|max|inc|dec|and|or|xor)" + store);
        }
    }

    /** @param own what copies to the block itself need; those to a cluster, and prefetches, need one of the families */
    private static void loads(List<String> rows, String dimensions, String mode, String place, String offsets, String own) {
        String head = "cp.async!.bulk!.tensor!." + dimensions;
        String bytes = ".mbarrier::complete_tx::bytes";
        String group = "{.(cta_group::1|cta_group::2)}";
        for (String hint : List.of("", ".L2::cache_hint")) {
            String last = hint.isEmpty() ? "" : ", e:u64";
            String to = " [d:shared], " + place + ", [m:shared]" + offsets;
            rows.add(head + ".shared::cta.global" + mode + bytes + hint + to + last + own);
            rows.add(head + ".shared::cluster.global" + mode + bytes + group + hint + to + last + FAMILIES);
            rows.add(head + ".shared::cluster.global" + mode + bytes + ".multicast::cluster" + group + hint + to + ", n:u16" + last + FAMILIES);
            rows.add("cp.async!.bulk!.prefetch!.tensor!." + dimensions + ".L2.global" + mode + hint + " " + place + offsets + last + FAMILIES);
        }
    }

    private static List<String> modes(int dimensions) {
        return dimensions >= 3 ? List.of("{.tile}", ".im2col") : List.of("{.tile}");
    }

    private static String offsets(int dimensions, String mode) {
        return mode.equals(".im2col") ? ", i:v" + (dimensions - 2) + ".b16" : "";
    }

    private static void reductions(List<String> rows) {
        String global = "cp.reduce!.async!.bulk!.global.shared::cta.bulk_group";
        for (String hint : List.of("", ".L2::cache_hint")) {
            String operands = " [d:global], [a:shared], c:u32" + BULK + (hint.isEmpty() ? "" : ", e:u64") + " ; ptx 8.0, sm_90";
            rows.add(global + hint + ".add.(u32|s32|u64|f32|f64)" + operands);
            rows.add(global + hint + ".add.noftz.(f16|bf16)" + operands);
            rows.add(global + hint + ".(min|max).(u32|s32|u64|s64|f16|bf16)" + operands);
            rows.add(global + hint + ".(inc|dec).u32" + operands);
            rows.add(global + hint + ".(and|or|xor).(b32|b64)" + operands);
        }
        String shared = "cp.reduce!.async!.bulk!.shared::cluster.shared::cta.mbarrier::complete_tx::bytes";
        String operands = " [d:shared], [a:shared], c:u32" + BULK + ", [m:shared] ; ptx 8.0, sm_90";
        rows.add(shared + ".add.(u32|s32|u64)" + operands);
        rows.add(shared + ".(min|max).(u32|s32)" + operands);
        rows.add(shared + ".(inc|dec).u32" + operands);
        rows.add(shared + ".(and|or|xor).b32" + operands);
    }

    static Rows stAsync() {
        String bytes = ".mbarrier::complete_tx::bytes";
        return new Rows(Family.ASYNC_COPY, List.of(
                "st.async!{.weak}{.shared::cluster}" + bytes + "{.(v2|v4)}.(b32|u32|s32|f32) [a:shared], b:vec.t1, [m:shared] ; ptx 8.1, sm_90",
                "st.async!{.weak}{.shared::cluster}" + bytes + "{.v2}.(b64|u64|s64|f64) [a:shared], b:vec.t1, [m:shared] ; ptx 8.1, sm_90",
                "st.async!{.weak}{.shared::cluster}" + bytes + ".b128 [a:shared], b, [m:shared] ; ptx 9.2, sm_90",
                "st.async!{.mmio}.release.(gpu|sys){.global}.(b8|b16|b32|b64|u8|u16|u32|u64|s8|s16|s32|s64|f32|f64) [a:global], b"
                        + " ; ptx 8.7, sm_100",
                "st.bulk!{.weak}{.shared::cta} [a:shared], c:b64(0..16777216/8), i:#u64(0) ; ptx 8.6, sm_100"));
    }

    static Rows redAsync() {
        String head = "red.async!{.relaxed}{.cluster}.shared::cluster.mbarrier::complete_tx::bytes";
        String operands = " [a:shared], b, [m:shared] ; ptx 8.1, sm_90";
        return new Rows(Family.ASYNC_COPY, List.of(
                head + ".(inc|dec).u32" + operands, head + ".(min|max).(u32|s32)" + operands, head + ".add.(u32|s32|u64)" + operands,
                head + ".(and|or|xor).b32" + operands,
                "red.async!{.mmio}.release.(gpu|sys){.global}.add.(u32|s32|u64|s64) [a:global], b ; ptx 8.7, sm_100"));
    }

    static Rows tensormap() {
        String place = "{.(global|shared::cta)}.b1024";
        String head = "tensormap.replace!.tile.";
        String needs = " ; ptx 8.3, sm_90a|sm_100f|sm_110f|sm_120f";
        String later = " ; ptx 8.3, sm_100f|sm_110f|sm_120f";
        return new Rows(Family.ASYNC_COPY, List.of(
                head + "global_address" + place + ".b64 [a], b:b64" + needs,
                head + "rank" + place + ".b32 [a], b:b32" + needs,
                head + "(box_dim|global_dim|element_stride)" + place + ".b32 [a], o:#u32(0..4), b:b32" + needs,
                head + "global_stride" + place + ".b64 [a], o:#u32(0..4), b:b64" + needs,
                head + "elemtype" + place + ".b32 [a], b:#u32(0..12)" + needs,
                head + "elemtype" + place + ".b32 [a], b:#u32(0..15)" + later.replace("8.3", "8.7"),
                head + "interleave_layout" + place + ".b32 [a], b:#u32(0..2)" + needs,
                head + "swizzle_mode" + place + ".b32 [a], b:#u32(0..3)" + needs,
                head + "swizzle_mode" + place + ".b32 [a], b:#u32(0..4) ; ptx 8.8, sm_103a",
                head + "swizzle_atomicity" + place + ".b32 [a], b:#u32(0..3)" + later,
                head + "fill_mode" + place + ".b32 [a], b:#u32(0..1)" + needs,
                "tensormap.cp_fenceproxy!.global.shared::cta.tensormap::generic.release.(<scope>).sync.aligned "
                        + "[d:global], [a:shared], c:#u32(128) ; ptx 8.3, sm_90"));
    }

    static Rows clusterLaunchControl() {
        String bytes = ".mbarrier::complete_tx::bytes";
        return new Rows(Family.ASYNC_COPY, List.of(
                "clusterlaunchcontrol.try_cancel!.async{.shared::cta}" + bytes + ".b128 [a:shared], [m:shared] ; ptx 8.6, sm_100",
                "clusterlaunchcontrol.try_cancel!.async{.shared::cta}" + bytes + ".multicast::cluster::all.b128 [a:shared], [m:shared] "
                        + "; ptx 8.6, sm_100f|sm_110f|sm_120f",
                "clusterlaunchcontrol.query_cancel!.is_canceled.pred.b128 p:pred, c:=b128 ; ptx 8.6, sm_100",
                "clusterlaunchcontrol.query_cancel!.get_first_ctaid.v4.b32.b128 d:v4.?b32, c:=b128 ; ptx 8.6, sm_100",
                "clusterlaunchcontrol.query_cancel!.(get_first_ctaid::x|get_first_ctaid::y|get_first_ctaid::z).b32.b128 d:b32, c:=b128 "
                        + "; ptx 8.6, sm_100"));
    }
}
