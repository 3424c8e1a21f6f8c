package io.ptx4j.isa;

import java.util.ArrayList;
import java.util.List;

/** Rows of the warp level matrix instructions (manual: "Warp Level Matrix Multiply-Accumulate Instructions"). */
final class MatrixRows {
    private static final String FLOATS = "(e4m3|e5m2|e3m2|e2m3|e2m1)";

    private MatrixRows() {
    }

    static Rows ldmatrix() {
        List<String> rows = new ArrayList<>();
        String space = "{.(shared|shared::cta)}";
        for (int count : new int[] {1, 2, 4}) {
            String d = " d:v" + count + ".b32, [a:$] ; ";
            rows.add("ldmatrix.sync.aligned.m8n8.x" + count + "{.trans}" + space + ".b16" + d + "ptx 6.5, sm_75");
            rows.add("ldmatrix.sync.aligned.m8n16.x" + count + space + ".b8x16.(b6x16_p32|b4x16_p64)" + d + "ptx 8.6, sm_100f|sm_110f|sm_120f");
        }
        for (int count : new int[] {1, 2}) {
            String d = " d:v" + 2 * count + ".b32, [a:$] ; ptx 8.6, sm_100f|sm_110f|sm_120f";
            rows.add("ldmatrix.sync.aligned.m16n16.x" + count + ".trans" + space + ".b8" + d);
            rows.add("ldmatrix.sync.aligned.m16n16.x" + count + ".trans" + space + ".b8x16.(b6x16_p32|b4x16_p64)" + d);
        }
        return new Rows(Family.MATRIX, rows);
    }

    static Rows stmatrix() {
        List<String> rows = new ArrayList<>();
        for (int count : new int[] {1, 2, 4}) {
            String tail = " [a:$], b:v" + count + ".=b32 ; ";
            rows.add("stmatrix.sync.aligned.m8n8.x" + count + "{.trans}{.(shared|shared::cta)}.b16" + tail + "ptx 7.8, sm_90");
            rows.add("stmatrix.sync.aligned.m16n8.x" + count + ".trans{.(shared|shared::cta)}.b8" + tail + "ptx 8.6, sm_100f|sm_110f|sm_120f");
        }
        return new Rows(Family.MATRIX, rows);
    }

    static Rows mma() {
        List<String> rows = new ArrayList<>();
        halves(rows);
        String any = ".(row|col).(row|col).";
        mma(rows, "m8n8k4", any + "f16.f16.f16.f16", "v4.f16x2", "v2.f16x2", "v2.f16x2", "v4.f16x2", "ptx 6.4, sm_70");
        mma(rows, "m8n8k4", any + "f32.f16.f16.f16", "v8.f32", "v2.f16x2", "v2.f16x2", "v4.f16x2", "ptx 6.4, sm_70");
        mma(rows, "m8n8k4", any + "f32.f16.f16.f32", "v8.f32", "v2.f16x2", "v2.f16x2", "v8.f32", "ptx 6.4, sm_70");
        mma(rows, "m16n8k4", ".row.col.f32.tf32.tf32.f32", "v4.f32", "v2.tf32", "v1.tf32", "v4.f32", "ptx 7.0, sm_80");
        mma(rows, "m16n8k8", ".row.col.f32.tf32.tf32.f32", "v4.f32", "v4.tf32", "v2.tf32", "v4.f32", "ptx 7.0, sm_80");
        String doubles = ".row.col.f64.f64.f64.f64";
        mma(rows, "m8n8k4", doubles, "v2.f64", "v1.f64", "v1.f64", "v2.f64", "ptx 7.0, sm_80");
        mma(rows, "m16n8k4", doubles, "v4.f64", "v2.f64", "v1.f64", "v4.f64", "ptx 7.8, sm_90");
        mma(rows, "m16n8k8", doubles, "v4.f64", "v4.f64", "v2.f64", "v4.f64", "ptx 7.8, sm_90");
        mma(rows, "m16n8k16", doubles, "v4.f64", "v8.f64", "v4.f64", "v4.f64", "ptx 7.8, sm_90");
        integers(rows, "(u8|s8)", "m8n8k16", "m16n8k16", "m16n8k32");
        integers(rows, "(u4|s4)", "m8n8k32", "m16n8k32", "m16n8k64");
        bits(rows);
        narrow(rows);
        sparse(rows);
        return new Rows(Family.MATRIX, rows);
    }

    private static void mma(
            List<String> rows, String shape, String types, String d, String a, String b, String c, String needs) {
        rows.add("mma.sync.aligned." + shape + types + " d:" + d + ", a:=" + a + ", b:=" + b + ", c:=" + c + " ; " + needs);
    }

    private static void halves(List<String> rows) {
        for (String[] shape : new String[][] {{"m16n8k8", "v2", "v1", "ptx 6.5, sm_75"}, {"m16n8k16", "v4", "v2", "ptx 7.0, sm_80"}}) {
            String a = shape[1] + ".f16x2";
            String b = shape[2] + ".f16x2";
            mma(rows, shape[0], ".row.col.f16.f16.f16.f16", "v2.f16x2", a, b, "v2.f16x2", shape[3]);
            mma(rows, shape[0], ".row.col.f32.f16.f16.f32", "v4.f32", a, b, "v4.f32", shape[3]);
            mma(rows, shape[0], ".row.col.f32.bf16.bf16.f32", "v4.f32", shape[1] + ".bf16x2", shape[2] + ".bf16x2", "v4.f32",
                    "ptx 7.0, sm_80");
        }
    }

    private static void integers(List<String> rows, String types, String small, String middle, String large) {
        String spelled = ".row.col{.satfinite}.s32." + types + "." + types + ".s32";
        mma(rows, small, spelled, "v2.s32", "v1.u8x4", "v1.u8x4", "v2.s32", "ptx 6.5, sm_75");
        mma(rows, middle, spelled, "v4.s32", "v2.u8x4", "v1.u8x4", "v4.s32", "ptx 7.0, sm_80");
        mma(rows, large, spelled, "v4.s32", "v4.u8x4", "v2.u8x4", "v4.s32", "ptx 7.0, sm_80");
    }

    private static void bits(List<String> rows) {
        String types = ".row.col.s32.b1.b1.s32.(xor|and).popc";
        String needs = "ptx 7.0, sm_80, and ptx 7.1 sm_80";
        mma(rows, "m8n8k128", types, "v2.s32", "v1.u8x4", "v1.u8x4", "v2.s32", "ptx 7.0, sm_75, and ptx 7.1 sm_80");
        mma(rows, "m16n8k128", types, "v4.s32", "v2.u8x4", "v1.u8x4", "v4.s32", needs);
        mma(rows, "m16n8k256", types, "v4.s32", "v4.u8x4", "v2.u8x4", "v4.s32", needs);
    }

    /** Eight, six and four bits wide floating-point matrices, also with scales. */
    private static void narrow(List<String> rows) {
        for (String[] result : new String[][] {{"f16", "v2.f16x2"}, {"f32", "v4.f32"}}) {
            String eight = ".row.col." + result[0] + ".(e4m3|e5m2).(e4m3|e5m2)." + result[0];
            mma(rows, "m16n8k16", eight, result[1], "v2.u8x4", "v1.u8x4", result[1], "ptx 8.7, sm_89");
            mma(rows, "m16n8k32", eight, result[1], "v4.u8x4", "v2.u8x4", result[1],
                    result[0].equals("f16") ? "ptx 8.7, sm_89" : "ptx 8.4, sm_89");
            mma(rows, "m16n8k32", eight.replace(".row.col", ".row.col.kind::f8f6f4"), result[1], "v4.u8x4", "v2.u8x4", result[1],
                    "ptx 8.7, sm_100f|sm_110f|sm_120f");
            for (String types : List.of("(e4m3|e5m2|e3m2|e2m3|e2m1).(e4m3|e5m2|e3m2|e2m3|e2m1)")) {
                mma(rows, "m16n8k32", ".row.col.kind::f8f6f4." + result[0] + "." + types + "." + result[0], result[1], "v4.u8x4",
                        "v2.u8x4", result[1], "ptx 8.7, sm_120f");
            }
        }
        String fragments = " d:v4.f32, a:=v4.u8x4, b:=v2.u8x4, c:=v4.f32";
        rows.add("mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale{.scale_vec::1X}.f32." + FLOATS + "." + FLOATS
                + ".f32.ue8m0" + fragments + scales("0..3"));
        rows.add("mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale{.scale_vec::2X}.f32.e2m1.e2m1.f32.ue8m0" + fragments
                + scales("0 2"));
        rows.add("mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32.ue8m0" + fragments
                + scales("0 2"));
        rows.add("mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3" + fragments
                + scales("0"));
    }

    /** Scales of both factors: a register, and which of its bytes, of which thread, they are. */
    private static String scales(String bytes) {
        return ", f:=b32, g:v2.u16(" + bytes + "|0..1), h:=b32, j:v2.u16(" + bytes + "|0..3) ; ptx 8.7, sm_120f";
    }

    private static void sparse(List<String> rows) {
        for (String sp : List.of("mma.sp", "mma.sp::ordered_metadata")) {
            String head = sp + ".sync.aligned.";
            String needs = sp.equals("mma.sp") ? " ; ptx 7.1, sm_80" : " ; ptx 8.5, sm_80";
            for (String[] k : new String[][] {{"m16n8k16", "v2", "(0..3)"}, {"m16n8k32", "v4", "(0..1)"}}) {
                String half = ", e:=b32, i:#u32" + k[2] + needs;
                String ab = "a:=" + k[1] + ".f16x2, b:=" + k[1] + ".f16x2";
                rows.add(head + k[0] + ".row.col.f16.f16.f16.f16 d:v2.f16x2, " + ab + ", c:=v2.f16x2" + half);
                rows.add(head + k[0] + ".row.col.f32.f16.f16.f32 d:v4.f32, " + ab + ", c:=v4.f32" + half);
                rows.add(head + k[0] + ".row.col.f32.bf16.bf16.f32 d:v4.f32, " + ab.replace("f16x2", "bf16x2") + ", c:=v4.f32" + half);
            }
            rows.add(head + "m16n8k8.row.col.f32.tf32.tf32.f32 d:v4.f32, a:=v2.tf32, b:=v2.tf32, c:=v4.f32, e:=b32, i:#u32(0..3)" + needs);
            rows.add(head + "m16n8k16.row.col.f32.tf32.tf32.f32 d:v4.f32, a:=v4.tf32, b:=v4.tf32, c:=v4.f32, e:=b32, i:#u32(0..1)" + needs);
            sparseIntegers(rows, head, needs, "(u8|s8)", "m16n8k32", "m16n8k64");
            sparseIntegers(rows, head, needs, "(u4|s4)", "m16n8k64", "m16n8k128");
            for (String[] result : new String[][] {{"f16", "v2.f16x2"}, {"f32", "v4.f32"}}) {
                String operands = " d:" + result[1] + ", a:=v4.u8x4, b:=v4.u8x4, c:=" + result[1] + ", e:=b32, i:#u32(0)";
                rows.add(head + "m16n8k64.row.col." + result[0] + ".(e4m3|e5m2).(e4m3|e5m2)." + result[0] + operands
                        + (sp.equals("mma.sp") ? " ; ptx 8.4, sm_89" : " ; ptx 8.5, sm_89"));
                rows.add(head + "m16n8k64.row.col.kind::f8f6f4." + result[0] + "." + FLOATS + "." + FLOATS + "." + result[0]
                        + operands + " ; ptx 8.7, sm_120f");
            }
        }
        String head = "mma.sp::ordered_metadata.sync.aligned.";
        String operands = " d:v4.f32, a:=v4.u8x4, b:=v4.u8x4, c:=v4.f32, e:=b32, i:#u32(0)";
        rows.add(head + "m16n8k64.row.col.kind::mxf8f6f4.block_scale{.scale_vec::1X}.f32." + FLOATS + "." + FLOATS + ".f32.ue8m0"
                + operands + scales("0..3"));
        rows.add(head + "m16n8k128.row.col.kind::mxf4.block_scale{.scale_vec::2X}.f32.e2m1.e2m1.f32.ue8m0" + operands + scales("0 2"));
        rows.add(head + "m16n8k128.row.col.kind::mxf4nvf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32.ue8m0" + operands + scales("0 2"));
        rows.add(head + "m16n8k128.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3" + operands + scales("0"));
    }

    private static void sparseIntegers(List<String> rows, String head, String needs, String types, String small, String large) {
        String spelled = ".row.col{.satfinite}.s32." + types + "." + types + ".s32";
        rows.add(head + small + spelled + " d:v4.s32, a:=v2.u8x4, b:=v2.u8x4, c:=v4.s32, e:=b32, i:#u32(0..1)" + needs);
        rows.add(head + large + spelled + " d:v4.s32, a:=v4.u8x4, b:=v4.u8x4, c:=v4.s32, e:=b32, i:#u32(0)" + needs);
    }

    /** A wmma shape: how many registers of which type each fragment has. */
    private record Fragments(String shape, String type, String a, String b, String needs) {
    }

    private static final List<Fragments> FRAGMENTS = List.of(
            new Fragments("m16n16k16|m8n32k16|m32n8k16", "f16", "v8.f16x2", "v8.f16x2", "ptx 6.0, sm_70, m8n32k16|m32n8k16 ptx 6.1"),
            new Fragments("m16n16k16", "bf16", "v4.bf16x2", "v4.bf16x2", "ptx 7.0, sm_80"),
            new Fragments("m8n32k16", "bf16", "v2.bf16x2", "v8.bf16x2", "ptx 7.0, sm_80"),
            new Fragments("m32n8k16", "bf16", "v8.bf16x2", "v2.bf16x2", "ptx 7.0, sm_80"),
            new Fragments("m16n16k8", "tf32", "v4.tf32", "v4.tf32", "ptx 7.0, sm_80"),
            new Fragments("m8n8k4", "f64", "v1.f64", "v1.f64", "ptx 7.0, sm_80"),
            new Fragments("m16n16k16", "u8|s8", "v2.u8x4", "v2.u8x4", "ptx 6.3, sm_72"),
            new Fragments("m8n32k16", "u8|s8", "v1.u8x4", "v4.u8x4", "ptx 6.3, sm_72"),
            new Fragments("m32n8k16", "u8|s8", "v4.u8x4", "v1.u8x4", "ptx 6.3, sm_72"),
            new Fragments("m8n8k32", "u4|s4", "v1.u8x4", "v1.u8x4", "ptx 6.3, sm_75"),
            new Fragments("m8n8k128", "b1", "v1.u8x4", "v1.u8x4", "ptx 6.3, sm_75"));

    /** Accumulators: shapes, type, registers. */
    private static final String[][] ACCUMULATORS = {
            {"m16n16k16|m8n32k16|m32n8k16", "f16", "v4.f16x2", "ptx 6.0, sm_70, m8n32k16|m32n8k16 ptx 6.1"},
            {"m16n16k16|m8n32k16|m32n8k16", "f32", "v8.f32", "ptx 6.0, sm_70, m8n32k16|m32n8k16 ptx 6.1"},
            {"m16n16k16|m8n32k16|m32n8k16", "s32", "v8.s32", "ptx 6.3, sm_72"},
            {"m16n16k8", "f32", "v8.f32", "ptx 7.0, sm_80"},
            {"m8n8k4", "f64", "v2.f64", "ptx 7.0, sm_80"},
            {"m8n8k32|m8n8k128", "s32", "v2.s32", "ptx 6.3, sm_75"}};

    static Rows wmma() {
        List<String> rows = new ArrayList<>();
        String space = "{.(global|shared|shared::cta)}";
        for (Fragments f : FRAGMENTS) {
            String layout = f.type.contains("4") && !f.type.equals("f64") || f.type.equals("b1") ? null : "(row|col)";
            for (String matrix : List.of("a", "b")) {
                String order = layout != null ? layout : matrix.equals("a") ? "row" : "col";
                rows.add("wmma.load!." + matrix + "!.sync.aligned." + order + ".(" + f.shape + ")" + space + ".(" + f.type + ") d:"
                        + (matrix.equals("a") ? f.a : f.b) + ", [a]{, s:u32} ; " + f.needs);
            }
        }
        for (String[] c : ACCUMULATORS) {
            rows.add("wmma.load!.c!.sync.aligned.(row|col).(" + c[0] + ")" + space + "." + c[1] + " d:" + c[2] + ", [a]{, s:u32} ; " + c[3]);
            rows.add("wmma.store!.d!.sync.aligned.(row|col).(" + c[0] + ")" + space + "." + c[1] + " [a], c:=" + c[2]
                    + "{, s:u32} ; " + c[3]);
        }
        products(rows);
        rows.addAll(rows.stream().filter(row -> row.contains("ptx 6.0")).map(MatrixRows::beforeAligned).toList());
        return new Rows(Family.MATRIX, rows.stream().map(row -> row.startsWith("wmma") && !row.contains(", as ") ? row + ", aligned ptx 6.3" : row).toList());
    }

    /** The word {@code .aligned} came with PTX 6.3 and has to stand since. */
    private static String beforeAligned(String row) {
        return row.replace(".aligned", "") + ", until ptx 6.2, as .aligned";
    }

    private static void products(List<String> rows) {
        String head = "wmma.mma!.sync.aligned.";
        String any = "(row|col).(row|col).";
        String large = "(m16n16k16|m8n32k16|m32n8k16)";
        String needs = " ; ptx 6.0, sm_70, m8n32k16|m32n8k16 ptx 6.1";
        for (String d : List.of("f16", "f32")) {
            for (String c : List.of("f16", "f32")) {
                String fragments = " d:" + half(d) + ", a:=v8.f16x2, b:=v8.f16x2, c:=" + half(c) + needs;
                rows.add(head + any + large + "." + d + "." + c + fragments);
                rows.add(head + any + large + "." + d + "." + c + ".satfinite" + fragments + ", until ptx 6.4");
            }
        }
        for (Fragments f : FRAGMENTS) {
            String ab = ", a:=" + f.a + ", b:=" + f.b + ", c:=";
            String shape = "(" + f.shape + ")";
            switch (f.type) {
                case "bf16", "tf32" -> rows.add(
                        head + any + shape + ".f32." + f.type + "." + f.type + ".f32 d:v8.f32" + ab + "v8.f32 ; " + f.needs);
                case "f64" -> rows.add(head + any + shape + "{.(<rnd>)}.f64.f64.f64.f64 d:v2.f64" + ab + "v2.f64 ; " + f.needs);
                case "u8|s8" -> List.of("u8", "s8").forEach(same ->
                        rows.add(head + any + shape + ".s32." + same + "." + same + ".s32{.satfinite} d:v8.s32" + ab + "v8.s32 ; " + f.needs));
                case "u4|s4" -> List.of("u4", "s4").forEach(same ->
                        rows.add(head + "row.col." + shape + ".s32." + same + "." + same + ".s32{.satfinite} d:v2.s32" + ab + "v2.s32 ; " + f.needs));
                case "b1" -> rows.add("wmma.mma!.(xor|and).popc.sync.aligned.row.col." + shape + ".s32.b1.b1.s32 d:v2.s32" + ab + "v2.s32 ; "
                        + f.needs + ", and ptx 7.1 sm_80");
                default -> { }
            }
        }
    }

    private static String half(String type) {
        return type.equals("f16") ? "v4.f16x2" : "v8.f32";
    }

    static Rows wgmma() {
        List<String> rows = new ArrayList<>();
        rows.add("wgmma.fence!.sync.aligned ; ptx 8.0, sm_90a");
        rows.add("wgmma.commit_group!.sync.aligned ; ptx 8.0, sm_90a");
        rows.add("wgmma.wait_group!.sync.aligned c:#u32(0..7) ; ptx 8.0, sm_90a");
        for (String sparse : List.of("", ".sp!")) {
            String meta = sparse.isEmpty() ? "" : ", m:=b32, n:#u32(0..3)";
            for (String a : List.of("a:=b64", "a:v4.=b32")) {
                String rest = ", " + a + ", b:=b64" + meta + ", s:pred(0 1), x:#s32(-1 1), y:#s32(-1 1)";
                String transposed = rest + (a.contains("v4") ? "" : ", v:#u32(0 1)") + ", w:#u32(0 1)";
                String sums = ", c:+n2.f32 ; ptx 8.0, sm_90a";
                String halves = ", c:+n4.f16x2 ; ptx 8.0, sm_90a";
                String head = "wgmma.mma_async!" + sparse + ".sync.aligned.";
                String half = sparse.isEmpty() ? "m64nNk16" : "m64nNk32";
                String eight = sparse.isEmpty() ? "m64nNk32" : "m64nNk64";
                rows.add(head + half + ".f16.f16.f16 d:n4.f16x2" + transposed + halves);
                rows.add(head + half + ".f32.f16.f16 d:n2.f32" + transposed + sums);
                rows.add(head + half + ".f32.bf16.bf16 d:n2.f32" + transposed + sums);
                rows.add(head + (sparse.isEmpty() ? "m64nNk8" : "m64nNk16") + ".f32.tf32.tf32 d:n2.f32" + rest + sums);
                rows.add(head + eight + ".f16.(e4m3|e5m2).(e4m3|e5m2) d:n4.f16x2" + rest + halves);
                rows.add(head + eight + ".f32.(e4m3|e5m2).(e4m3|e5m2) d:n2.f32" + rest + sums);
                String integers = ", " + a + ", b:=b64" + meta + ", s:pred(0 1), c:+n2.s32 ; ptx 8.0, sm_90a";
                rows.add(head + eight + ".s32.(u8|s8).(u8|s8){.satfinite} d:n2.s32" + integers);
                if (sparse.isEmpty()) {
                    rows.add(head + "m64nNk256.s32.b1.b1.and.popc d:n2.s32" + integers);
                }
            }
        }
        return new Rows(Family.WARPGROUP_MATRIX, rows);
    }
}
