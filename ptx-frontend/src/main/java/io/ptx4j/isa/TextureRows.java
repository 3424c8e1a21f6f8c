package io.ptx4j.isa;

import java.util.ArrayList;
import java.util.List;

/** Rows of textures and surfaces (manual: "Texture Instructions", "Surface Instructions"). */
final class TextureRows {
    private static final String DESTINATION = " d:v4.?t1{|p:pred}, ";

    private TextureRows() {
    }

    static Rows tex() {
        List<String> rows = new ArrayList<>();
        for (String[] shape : new String[][] {
                {"1d", "v1", "v2"}, {"2d", "v2", "v2"}, {"3d", "v4", "v4"}, {"a1d", "v2", "v2"}, {"a2d", "v4", "v2"}}) {
            for (String kind : List.of("", ".base!")) {
                String offsets = "{, e:" + shape[2] + ".s32}" + (shape[0].equals("3d") ? "" : "{, f:f32}");
                colours(rows, kind, shape[0], "(s32|f32)", "[a, c:" + shape[1] + ".t2]" + offsets);
            }
            String derivative = shape[0].endsWith("1d") ? "v1" : shape[0].equals("3d") ? "v4" : "v2";
            String offsets = "{, e:" + shape[2] + ".s32}" + (shape[0].equals("3d") ? "" : "{, f:f32}");
            colours(rows, ".level!", shape[0], "f32", "[a, c:" + shape[1] + ".t2], b:f32" + offsets);
            colours(rows, ".grad!", shape[0], "(s32|f32)",
                    "[a, c:" + shape[1] + ".t2], g:" + derivative + ".f32, h:" + derivative + ".f32" + offsets);
        }
        for (String shape : List.of("cube", "acube")) {
            for (String kind : List.of("", ".base!")) {
                colours(rows, kind, shape, "f32", "[a, c:v4.t2]{, f:f32}");
            }
            colours(rows, ".level!", shape, "f32", "[a, c:v4.t2], b:f32{, f:f32}");
            colours(rows, ".grad!", shape, "f32", "[a, c:v4.t2], g:v4.f32, h:v4.f32{, f:f32}");
        }
        colours(rows, "", "2dms", "s32", "[a, c:v4.t2]{, e:v2.s32}");
        colours(rows, "", "a2dms", "s32", "[a, c:v4.t2]{, e:v2.s32}");
        return new Rows(Family.TEXTURE, rows);
    }

    private static void colours(List<String> rows, String kind, String shape, String coordinates, String operands) {
        String needs = shape.endsWith("2dms") ? " ; ptx 3.2, sm_30" : !kind.isEmpty() ? " ; ptx 3.1, sm_20"
                : shape.equals("acube") ? " ; ptx 3.0, sm_20" : shape.equals("cube") ? " ; ptx 3.0" : shape.startsWith("a") ? " ; ptx 2.3" : "";
        for (String tail : depths(operands)) {
            rows.add("tex" + kind + "." + shape + ".v4.(u32|s32|f32)." + coordinates + DESTINATION + tail + needs);
            rows.add("tex" + kind + "." + shape + ".v4.f16." + coordinates + DESTINATION + tail + " ; ptx 4.2, sm_53");
            rows.add("tex" + kind + "." + shape + ".v2.f16x2." + coordinates + " d:v2.?t1{|p:pred}, " + tail + " ; ptx 4.2, sm_53");
        }
    }

    /** The depth to compare with may stand without the offset before it. */
    private static List<String> depths(String operands) {
        int offset = operands.indexOf("{, e:");
        int depth = operands.indexOf("{, f:");
        return offset >= 0 && depth > offset ? List.of(operands, operands.substring(0, offset) + ", f:f32") : List.of(operands);
    }

    static Rows tld4() {
        List<String> rows = new ArrayList<>();
        for (String[] shape : new String[][] {{"2d", "v2", " ; ptx 2.2, sm_20"}, {"a2d", "v4", " ; ptx 4.3, sm_30"}}) {
            for (String tail : depths("[a, c:" + shape[1] + ".t2]{, e:v2.s32}{, f:f32}")) {
                rows.add("tld4.(r|g|b|a)." + shape[0] + ".v4.(u32|s32|f32).f32" + DESTINATION + tail + shape[2]);
            }
        }
        rows.add("tld4.(r|g|b|a).(cube|acube).v4.(u32|s32|f32).f32" + DESTINATION + "[a, c:v4.t2]{, f:f32} ; ptx 4.3, sm_30");
        return new Rows(Family.TEXTURE, rows);
    }

    static Rows txq() {
        return new Rows(Family.TEXTURE, List.of(
                "txq.(width|height|depth|channel_data_type|channel_order|normalized_coords|array_size|num_mipmap_levels|num_samples"
                        + "|memory_layout).b32 d, [a, c:v0.s32] ; ptx 1.5, channel_data_type|channel_order ptx 2.1, array_size ptx 4.1, "
                        + "num_mipmap_levels ptx 4.1 sm_20, num_samples ptx 4.1 sm_30, memory_layout ptx 4.2",
                "txq.level!.(width|height|depth).b32 d, [a, c:v0.s32], b:u32 ; ptx 4.3, sm_30",
                "txq.(filter_mode|addr_mode_0|addr_mode_1|addr_mode_2|force_unnormalized_coords).b32 d, [a, c:v0.s32] "
                        + "; ptx 1.5, force_unnormalized_coords ptx 2.2"));
    }

    static Rows suq() {
        return new Rows(Family.SURFACE, List.of(
                "suq.(width|height|depth|channel_data_type|channel_order|array_size|memory_layout).b32 d, [a, c:v0.s32] "
                        + "; ptx 1.5, channel_data_type|channel_order ptx 2.1, array_size ptx 4.1, memory_layout ptx 4.2"));
    }

    private static final String[][] SURFACES = {{"1d", "v1"}, {"2d", "v2"}, {"3d", "v4"}, {"a1d", "v2"}, {"a2d", "v4"}};

    static Rows suld() {
        List<String> rows = new ArrayList<>();
        for (String[] shape : SURFACES) {
            formatted(rows, "suld.b!." + shape[0] + "{.(ca|cg|cs|cv)}", " d:~vec.t1, [a, c:" + shape[1] + ".s32]", shape[0]);
        }
        return new Rows(Family.SURFACE, rows);
    }

    static Rows sust() {
        List<String> rows = new ArrayList<>();
        for (String[] shape : SURFACES) {
            formatted(rows, "sust.b!." + shape[0] + "{.(wb|cg|cs|wt)}", " [a, c:" + shape[1] + ".s32], b:~vec.t1", shape[0]);
            String array = shape[0].startsWith("a") ? "ptx 4.1, sm_30" : shape[0].equals("3d") ? "ptx 3.0, sm_20" : "ptx 2.0, sm_20";
            rows.add("sust.p!." + shape[0] + "{.(v2|v4)}.b32.(trap|clamp|zero) [a, c:" + shape[1] + ".s32], b:~vec.t1 ; " + array);
        }
        return new Rows(Family.SURFACE, rows);
    }

    private static void formatted(List<String> rows, String head, String operands, String shape) {
        String needs = shape.startsWith("a") || shape.equals("3d") ? " ; ptx 3.0, sm_20" : " ; ptx 1.5, clamp|zero ptx 2.0";
        rows.add(head + "{.(v2|v4)}.(b8|b16|b32).(trap|clamp|zero)" + operands + needs);
        rows.add(head + "{.v2}.b64.(trap|clamp|zero)" + operands + needs);
    }

    static Rows sured() {
        List<String> rows = new ArrayList<>();
        for (String[] shape : new String[][] {{"1d", "v1"}, {"2d", "v2"}, {"3d", "v4"}}) {
            String operands = " [a, c:" + shape[1] + ".s32], b ; ptx 3.0, sm_20";
            rows.add("sured.b!.add." + shape[0] + ".(u32|s32|u64).(trap|clamp|zero)" + operands);
            rows.add("sured.b!.(min|max)." + shape[0] + ".(u32|s32|u64|s64).(trap|clamp|zero)" + operands + ", u64|s64 ptx 8.1 sm_50");
            rows.add("sured.b!.(and|or)." + shape[0] + ".b32.(trap|clamp|zero)" + operands);
            rows.add("sured.p!.(add|and|or)." + shape[0] + ".b32.(trap|clamp|zero)" + operands);
            rows.add("sured.p!.(min|max)." + shape[0] + ".(b32|b64).(trap|clamp|zero)" + operands + ", b64 ptx 8.1 sm_50");
        }
        return new Rows(Family.SURFACE, rows);
    }
}
