package io.ptx4j.isa;

import java.util.ArrayList;
import java.util.List;

/** Rows of the video instructions (manual: "Scalar Video Instructions", "SIMD Video Instructions"). */
final class VideoRows {
    private static final String SCALAR = " ; ptx 2.0, sm_20";
    private static final String SIMD = " ; ptx 3.0, sm_30";

    private VideoRows() {
    }

    /** Three types, selectors, and an optional second operation; a merged destination has a third source and no operation. */
    static Form[] arithmetic(String name) {
        return scalar(name + ".(u32|s32).(u32|s32).(u32|s32){.sat}", "t3");
    }

    static Form[] shift(String name) {
        return scalar(name + ".(u32|s32).(u32|s32).u32{.sat}.(clamp|wrap)", "t3");
    }

    static Form[] set() {
        return scalar("vset.(u32|s32).(u32|s32).(<cmp>)", "t2", "u32");
    }

    private static Form[] scalar(String head, String secondType) {
        return scalar(head, secondType, "t1");
    }

    private static Form[] scalar(String head, String secondType, String result) {
        boolean set = result.equals("u32");
        String first = set ? "t1" : "t2";
        String d = set ? "u32" : "t1";
        return MemoryRows.forms(Family.VIDEO, List.of(
                head + " d:" + d + ", a:." + first + ", b:." + secondType + SCALAR,
                head + ".(add|min|max) d:" + d + ", a:." + first + ", b:." + secondType + ", c:" + d + SCALAR,
                head + " d:." + d + ", a:." + first + ", b:." + secondType + ", c:" + d + SCALAR));
    }

    static Form[] vmad() {
        return MemoryRows.forms(Family.VIDEO, List.of(
                "vmad.(u32|s32).(u32|s32).(u32|s32){.po}{.sat}{.(shr7|shr15)} d, a:.-t2, b:.-t3, c:-t1" + SCALAR));
    }

    static Form[] simd(String name) {
        List<String> rows = new ArrayList<>();
        String types = name + ".(u32|s32).(u32|s32).(u32|s32)";
        rows.add(types + "{.sat} d:.t1, a:.=t2, b:.=t3, c:=t1" + SIMD);
        rows.add(types + ".add d:.t1, a:.=t2, b:.=t3, c:=t1" + SIMD);
        return MemoryRows.forms(Family.SIMD_VIDEO, rows);
    }

    static Form[] simdSet(String name) {
        return MemoryRows.forms(Family.SIMD_VIDEO, List.of(
                name + ".(u32|s32).(u32|s32).(<cmp>){.add} d:.u32, a:.=t1, b:.=t2, c:=u32" + SIMD));
    }
}
