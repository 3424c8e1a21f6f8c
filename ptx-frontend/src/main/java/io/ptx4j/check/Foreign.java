package io.ptx4j.check;

import java.util.HashMap;
import java.util.Map;

/** Words of CUDA C++, of LLVM and of other assemblers that stray into PTX, with what PTX has instead. */
final class Foreign {
    private static final Map<String, String> INSTRUCTIONS = pairs("""
            jmp bra; br bra; goto bra; jump bra; branch bra; b bra; return ret; load ld; store st; move mov; mult mul; cmp setp; icmp setp; fcmp setp
            select selp; lshr shr; ashr shr; inv not; printf call vprintf; __syncthreads bar.sync 0; __syncwarp bar.warp.sync
            syncthreads bar.sync 0; __threadfence membar.gl; atomicAdd atom.add; __shfl_sync shfl.sync; fmul mul; fadd add; fsub sub; fdiv div
            """);
    private static final Map<String, String> NAMES = pairs("""
            threadIdx %tid; blockIdx %ctaid; blockDim %ntid; gridDim %nctaid; tid %tid; ctaid %ctaid; ntid %ntid; nctaid %nctaid
            laneid %laneid; warpid %warpid; clock %clock; warpSize WARP_SZ
            """);
    private static final Map<String, String> TYPES = pairs("""
            int .s32; uint .u32; unsigned .u32; long .s64; short .s16; char .s8; float .f32; double .f64; half .f16; bool .pred; i1 .pred
            i8 .b8; i16 .b16; i32 .b32; i64 .b64; i128 .b128; v3 .v4; register .reg; word .b32
            """);

    private Foreign() {
    }

    private static Map<String, String> pairs(String text) {
        Map<String, String> pairs = new HashMap<>();
        for (String pair : text.strip().split("[;\n]")) {
            String[] both = pair.strip().split(" ", 2);
            pairs.put(both[0], both[1]);
        }
        return pairs;
    }

    /** A hint for an instruction that PTX does not have; empty when nothing is known. */
    static String instruction(String word) {
        return hint(INSTRUCTIONS.get(word));
    }

    /** A hint for a type, a vector length or a state space. */
    static String type(String word) {
        return hint(TYPES.get(word));
    }

    /** A hint for a special register, {@code %tid} without its component among them. */
    static String name(String name, String selector) {
        String plain = name.startsWith("%") ? name.substring(1) : name;
        String meant = NAMES.get(plain);
        boolean vector = meant != null && meant.endsWith("id") && !meant.contains("lane") && !meant.contains("warp");
        return !vector ? hint(meant) : selector.isEmpty() ? "did you mean '" + meant + ".x'? It has .x, .y and .z"
                : hint(meant + "." + selector);
    }

    private static String hint(String meant) {
        return meant == null ? "" : "did you mean '" + meant + "'?";
    }
}
