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
    static Rows arithmetic(String name) {
        return scalar(name + ".(u32|s32).(u32|s32).(u32|s32){.sat}", "t3");
    }

    static Rows shift(String name) {
        return scalar(name + ".(u32|s32).(u32|s32).u32{.sat}.(clamp|wrap)", "t3");
    }

    static Rows set() {
        return scalar("vset.(u32|s32).(u32|s32).(<cmp>)", "t2", "u32");
    }

    private static Rows scalar(String head, String secondType) {
        return scalar(head, secondType, "t1");
    }

    private static Rows scalar(String head, String secondType, String result) {
        boolean set = result.equals("u32");
        String first = set ? "t1" : "t2";
        String d = set ? "u32" : "t1";
        return new Rows(Family.VIDEO, List.of(
                head + " d:" + d + ", a:." + first + ", b:." + secondType + SCALAR,
                head + ".(add|min|max) d:" + d + ", a:." + first + ", b:." + secondType + ", c:" + d + SCALAR,
                head + " d:." + d + ", a:." + first + ", b:." + secondType + ", c:" + d + SCALAR));
    }

    static Rows vmad() {
        return new Rows(Family.VIDEO, List.of(
                "vmad.(u32|s32).(u32|s32).(u32|s32){.po}{.sat}{.(shr7|shr15)} d, a:.-t2, b:.-t3, c:-t1" + SCALAR));
    }

    static Rows simd(String name) {
        List<String> rows = new ArrayList<>();
        String types = name + ".(u32|s32).(u32|s32).(u32|s32)";
        rows.add(types + "{.sat} d:.t1, a:.=t2, b:.=t3, c:=t1" + SIMD);
        rows.add(types + ".add d:.t1, a:.=t2, b:.=t3, c:=t1" + SIMD);
        return new Rows(Family.SIMD_VIDEO, rows);
    }

    static Rows simdSet(String name) {
        return new Rows(Family.SIMD_VIDEO, List.of(
                name + ".(u32|s32).(u32|s32).(<cmp>){.add} d:.u32, a:.=t1, b:.=t2, c:=u32" + SIMD));
    }
}
