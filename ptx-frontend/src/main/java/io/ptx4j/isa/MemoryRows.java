package io.ptx4j.isa;

import java.util.ArrayList;
import java.util.List;

/** Rows of loads, stores and atomics, whose modifiers multiply. */
final class MemoryRows {
    /** Needs of atomics (manual: "atom", target notes). */
    private static final String ATOMIC = "ptx 1.1, sm_11, shared|shared::cta ptx 1.2 sm_12, generic ptx 2.0 sm_20, "
            + "cta|gpu|sys ptx 5.0 sm_60";

    private MemoryRows() {
    }

    static Rows ld() {
        List<String> rows = new ArrayList<>();
        String tail = " d:~vec.t1, [a]";
        String hint = " d:~vec.t1, [a], c:u64";
        narrow(rows, "ld{.weak}{.(<space>)}{.(<loadcache>)}", tail, "");
        wide(rows, "ld{.weak}{.global}{.(<loadcache>)}{.(<l2evict>)}{.(<prefetch>)}", tail);
        wide(rows, "ld{.weak}{.global}.(<loadcache>){.(<l2evict>)}.L2::cache_hint{.(<prefetch>)}", hint);
        narrow(rows, "ld{.weak}{.global}{.(<loadcache>)}.(<prefetch>)", tail, "");
        narrow(rows, "ld{.weak}{.global}.(<loadcache>).L2::cache_hint{.(<prefetch>)}", hint, "");
        loads(rows, "ld{.weak}{.global}");
        narrow(rows, "ld.volatile{.(<gsspace>)}", tail, "ptx 1.1");
        wide(rows, "ld.volatile{.global}{.(<l2evict>)}{.(<prefetch>)}", tail);
        narrow(rows, "ld.volatile{.global}.(<prefetch>)", tail, "");
        narrow(rows, "ld.(relaxed|acquire).(<scope>){.(<gsspace>)}", tail, "");
        wide(rows, "ld.(relaxed|acquire).(<scope>){.global}{.(<l2evict>)}{.(<prefetch>)}", tail);
        narrow(rows, "ld.(relaxed|acquire).(<scope>){.global}.(<prefetch>)", tail, "");
        loads(rows, "ld.(relaxed|acquire).(<scope>){.global}");
        rows.add("ld.mmio.relaxed.sys{.global}.(<mem>)" + tail);
        rows.add("ld.mmio.relaxed.sys{.global}.b128" + tail + " ; ptx 8.4, sm_70");
        narrow(rows, "ld.global{.(ca|cg|cs)}.nc{.(<prefetch>)}", tail, "");
        wide(rows, "ld.global{.(ca|cg|cs)}.nc{.(<l2evict>)}{.(<prefetch>)}", tail);
        loads(rows, "ld.global.nc");
        narrow(rows, "ld.global.(ca|cg|cs).nc.L2::cache_hint{.(<prefetch>)}", hint, "");
        wide(rows, "ld.global.(ca|cg|cs).nc{.(<l2evict>)}.L2::cache_hint{.(<prefetch>)}", hint);
        return new Rows(Family.MEMORY, rows);
    }

    /** Loads with priorities of eviction; those of 256 bits say one for the L2 cache too. */
    private static void loads(List<String> rows, String head) {
        String tail = " d:~vec.t1, [a]";
        String hint = " d:~vec.t1, [a], c:u64";
        narrow(rows, head + ".(<evict>){.(<prefetch>)}", tail, "");
        wide(rows, head + ".(<evict>){.(<l2evict>)}{.(<prefetch>)}", tail);
        narrow(rows, head + "{.(<evict>)}.L2::cache_hint{.(<prefetch>)}", hint, "");
        wide(rows, head + "{.(<evict>)}{.(<l2evict>)}.L2::cache_hint{.(<prefetch>)}", hint);
    }

    static Rows st() {
        List<String> rows = new ArrayList<>();
        String tail = " [a], b:~vec.t1";
        narrow(rows, "st{.weak}{.(<stspace>)}{.(<storecache>)}", tail, "");
        wide(rows, "st{.weak}{.global}{.(<storecache>)}{.(<l2evict>)}", tail);
        narrow(rows, "st{.weak}{.global}.(<storecache>).L2::cache_hint", tail + ", c:u64", "");
        wide(rows, "st{.weak}{.global}.(<storecache>){.(<l2evict>)}.L2::cache_hint", tail + ", c:u64");
        stores(rows, "st{.weak}{.global}");
        narrow(rows, "st.volatile{.(<gsspace>)}", tail, "ptx 1.1");
        wide(rows, "st.volatile{.global}{.(<l2evict>)}", tail);
        narrow(rows, "st.(relaxed|release).(<scope>){.(<gsspace>)}", tail, "");
        wide(rows, "st.(relaxed|release).(<scope>){.global}{.(<l2evict>)}", tail);
        stores(rows, "st.(relaxed|release).(<scope>){.global}");
        rows.add("st.mmio.relaxed.sys{.global}.(<mem>)" + tail);
        rows.add("st.mmio.relaxed.sys{.global}.b128" + tail + " ; ptx 8.4, sm_70");
        return new Rows(Family.MEMORY, rows);
    }

    /** Stores with priorities of eviction; those of 256 bits say one for the L2 cache too. */
    private static void stores(List<String> rows, String head) {
        String tail = " [a], b:~vec.t1";
        String hint = " [a], b:~vec.t1, c:u64";
        narrow(rows, head + ".(<evict>)", tail, "");
        wide(rows, head + ".(<evict>){.(<l2evict>)}", tail);
        narrow(rows, head + "{.(<evict>)}.L2::cache_hint", hint, "");
        wide(rows, head + "{.(<evict>)}{.(<l2evict>)}.L2::cache_hint", hint);
    }

    /** Scalars and vectors of up to 128 bits. */
    private static void narrow(List<String> rows, String head, String tail, String needs) {
        String all = needs.isEmpty() ? "generic ptx 2.0 sm_20" : needs + ", generic ptx 2.0 sm_20";
        rows.add(head + "{.(v2|v4|v8)}.(<mem8>)" + tail + " ; " + all);
        rows.add(head + "{.(v2|v4)}.(<mem32>)" + tail + " ; " + all);
        rows.add(head + "{.v2}.(<mem64>)" + tail + " ; " + all);
        rows.add(head + ".b128" + tail + " ; ptx 8.3, sm_70, sys ptx 8.4");
    }

    /** Vectors of 256 bits. */
    private static void wide(List<String> rows, String head, String tail) {
        rows.add(head + ".v8.(<mem32>)" + tail + " ; ptx 8.8, sm_100");
        rows.add(head + ".v4.(<mem64>)" + tail + " ; ptx 8.8, sm_100");
    }

    static Rows atom() {
        List<String> rows = new ArrayList<>();
        String head = "atom{.(<order>)}{.(<scope>)}";
        operations(rows, head, "d:?t1, [a], b");
        exchanges(rows, head, "exch", " d:?t1, [a], b");
        exchanges(rows, head, "cas", " d:?t1, [a], b, c");
        rows.add(head + "{.(<gsspace>)}.cas.b16 d:?t1, [a], b, c ; ptx 6.3, sm_70");
        return new Rows(Family.ATOMIC, rows);
    }

    private static void exchanges(List<String> rows, String head, String operation, String tail) {
        List<String> hints = operation.equals("exch") ? List.of("", ".L2::cache_hint") : List.of("");
        for (String hint : hints) {
            String space = hint.isEmpty() ? "{.(<gsspace>)}." : "{.global}.";
            String operands = tail + (hint.isEmpty() ? "" : ", e:u64");
            rows.add(head + space + operation + hint + ".b32" + operands + " ; " + ATOMIC);
            rows.add(head + space + operation + hint + ".b64" + operands + " ; " + ATOMIC
                    + ", global ptx 1.2 sm_12, shared|shared::cta ptx 2.0 sm_20");
            rows.add(head + space + operation + hint + ".b128" + operands.replace(", c", ", c:=t1") + " ; ptx 8.3, sm_90, sys ptx 8.4");
        }
    }

    static Rows red() {
        List<String> rows = new ArrayList<>();
        operations(rows, "red{.(relaxed|release)}{.(<scope>)}", "[a], b");
        return new Rows(Family.ATOMIC, rows);
    }

    /** What {@code atom} and {@code red} share. */
    private static void operations(List<String> rows, String head, String operands) {
        for (String hint : List.of("", ".L2::cache_hint")) {
            String space = hint.isEmpty() ? "{.(<gsspace>)}" : "{.global}";
            String tail = " " + operands + (hint.isEmpty() ? "" : ", e:u64") + " ; " + ATOMIC;
            rows.add(head + space + ".(and|or|xor)" + hint + ".(b32|b64)" + tail + ", b64 ptx 3.1 sm_32");
            rows.add(head + space + ".add" + hint + ".(u32|s32)" + tail);
            rows.add(head + space + ".add" + hint + ".u64" + tail + ", global ptx 1.2 sm_12, shared|shared::cta ptx 2.0 sm_20");
            rows.add(head + space + ".(inc|dec)" + hint + ".u32" + tail);
            rows.add(head + space + ".(min|max)" + hint + ".(u32|s32|u64|s64)" + tail + ", u64|s64 ptx 3.1 sm_32");
            rows.add(head + space + ".add" + hint + ".(f32|f64)" + tail + ", ptx 2.0, sm_20, f64 ptx 5.0 sm_60");
            rows.add(head + space + ".add.noftz" + hint + ".(f16|f16x2|bf16|bf16x2)" + tail
                    + ", ptx 6.2, sm_60, f16 ptx 6.3 sm_70, bf16|bf16x2 ptx 7.8 sm_90");
            String vector = " " + operands.replace("d:?t1", "d:?vec.t1").replace(" b", " b:vec.t1") + (hint.isEmpty() ? "" : ", e:u64")
                    + " ; ptx 8.1, sm_90";
            rows.add(head + "{.global}.add" + hint + ".(v2|v4).f32" + vector);
            rows.add(head + "{.global}.(add|min|max).noftz" + hint + ".(v2|v4|v8).(f16|bf16)" + vector);
            rows.add(head + "{.global}.(add|min|max).noftz" + hint + ".(v2|v4).(f16x2|bf16x2)" + vector);
        }
    }

    static Rows multimem() {
        List<String> rows = new ArrayList<>();
        for (String[] kind : new String[][] {
                {"ld_reduce", "{.weak}", " d:vec.t1, [a]"}, {"ld_reduce", ".(relaxed|acquire).(<scope>)", " d:vec.t1, [a]"},
                {"red", "", " [a], b:vec.t1"}, {"red", ".(relaxed|release).(<scope>)", " [a], b:vec.t1"}}) {
            String head = "multimem." + kind[0] + "!" + kind[1] + "{.global}";
            String tail = kind[2] + " ; ptx 8.1, sm_90";
            rows.add(head + ".(add|min|max).(u32|s32|u64)" + tail);
            rows.add(head + ".(min|max).s64" + tail);
            rows.add(head + ".(and|or|xor).(b32|b64)" + tail);
            rows.add(head + ".add{.(v2|v4)}.f32" + tail);
            rows.add(head + ".add.f64" + tail);
            String accumulate = kind[0].equals("ld_reduce") ? "{.acc::f32}" : "";
            String minMax = kind[0].equals("ld_reduce") ? "(min|max)" : "";
            rows.add(head + ".add" + accumulate + "{.(v2|v4)}.(f16x2|bf16x2)" + tail);
            rows.add(head + ".add" + accumulate + ".(v2|v4|v8).(f16|bf16)" + tail);
            if (!minMax.isEmpty()) {
                rows.add(head + "." + minMax + "{.(v2|v4)}.(f16x2|bf16x2)" + tail);
                rows.add(head + "." + minMax + ".(v2|v4|v8).(f16|bf16)" + tail);
            }
        }
        for (String mode : List.of("{.weak}", ".(relaxed|release).(<scope>)")) {
            String head = "multimem.st!" + mode + "{.global}";
            String tail = " [a], b:vec.t1 ; ptx 8.1, sm_90";
            rows.add(head + ".(b32|b64|u32|u64|s32|s64|f64)" + tail);
            rows.add(head + "{.(v2|v4)}.(f32|f16x2|bf16x2)" + tail);
            rows.add(head + ".(v2|v4|v8).(f16|bf16)" + tail);
        }
        smallFloats(rows);
        return new Rows(Family.MEMORY, rows);
    }

    /** Reductions and stores of eight-bit reals. */
    private static void smallFloats(List<String> rows) {
        for (String[] size : new String[][] {{".(v4|v8)", ".(e4m3|e5m2)"}, {".(v2|v4|v8)", ".(e4m3x2|e5m2x2)"}, {"{.(v2|v4)}", ".(e4m3x4|e5m2x4)"}}) {
            String needs = " ; ptx 8.6, sm_100f|sm_110f|sm_120f";
            for (String mode : List.of("{.weak}", ".(relaxed|acquire).(<scope>)")) {
                String head = "multimem.ld_reduce!" + mode + "{.global}";
                rows.add(head + ".add{.acc::f16}" + size[0] + size[1] + " d:vec.t1, [a]" + needs);
                rows.add(head + ".(min|max)" + size[0] + size[1] + " d:vec.t1, [a]" + needs);
            }
            for (String mode : List.of("{.weak}", ".(relaxed|release).(<scope>)")) {
                rows.add("multimem.st!" + mode + "{.global}" + size[0] + size[1] + " [a], b:vec.t1" + needs);
            }
        }
    }
}
