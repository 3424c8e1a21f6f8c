package io.ptx4j.isa;

import java.util.List;
import java.util.Map;

/** Named sets of words that rows share, written {@code <name>} in a row. */
final class WordSet {
    private static final Map<String, List<String>> SETS = Map.ofEntries(
            set("rnd", "rn rz rm rp"),
            set("irnd", "rni rzi rmi rpi"),
            set("u", "u16 u32 u64"),
            set("s", "s16 s32 s64"),
            set("int", "u16 u32 u64 s16 s32 s64"),
            set("int32", "u32 s32"),
            set("int64", "u64 s64"),
            set("int3264", "u32 s32 u64 s64"),
            set("b", "b16 b32 b64"),
            set("space", "global shared shared::cta shared::cluster local const param param::entry param::func"),
            set("gsspace", "global shared shared::cta shared::cluster"),
            set("loadcache", "ca cg cs lu cv"),
            set("storecache", "wb cg cs wt"),
            set("stspace", "global shared shared::cta shared::cluster local param param::func"),
            set("shared", "shared shared::cta shared::cluster"),
            set("mem8", "b8 u8 s8 b16 u16 s16"),
            set("mem32", "b32 u32 s32 f32"),
            set("mem64", "b64 u64 s64 f64"),
            set("mem", "b8 b16 b32 b64 u8 u16 u32 u64 s8 s16 s32 s64 f32 f64"),
            set("vec", "v2 v4 v8"),
            set("scope", "cta cluster gpu sys"),
            set("order", "relaxed acquire release acq_rel"),
            set("cmp", "eq ne lt le gt ge"),
            set("ucmp", "eq ne lt le gt ge lo ls hi hs"),
            set("fcmp", "eq ne lt le gt ge equ neu ltu leu gtu geu num nan"),
            set("bool", "and or xor"),
            set("cvt", "u8 u16 u32 u64 s8 s16 s32 s64"),
            set("evict", "L1::evict_normal L1::evict_unchanged L1::evict_first L1::evict_last L1::no_allocate"),
            set("l2evict", "L2::evict_normal L2::evict_first L2::evict_last"),
            set("anyl2", "L2::evict_normal L2::evict_first L2::evict_last L2::evict_unchanged"),
            set("window", "const global local shared shared::cta shared::cluster param param::entry"),
            set("prefetch", "L2::64B L2::128B L2::256B"));

    private WordSet() {
    }

    private static Map.Entry<String, List<String>> set(String name, String words) {
        return Map.entry(name, List.of(words.split(" ")));
    }

    static List<String> named(String name) {
        List<String> words = SETS.get(name);
        if (words == null) {
            throw new IllegalArgumentException("no set of words is named <" + name + ">");
        }
        return words;
    }
}
