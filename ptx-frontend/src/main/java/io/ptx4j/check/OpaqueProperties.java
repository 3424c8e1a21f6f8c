package io.ptx4j.check;

import io.ptx4j.isa.ScalarType;
import java.util.Set;
import java.util.TreeSet;

/** What initialisers may say about textures, samplers and surfaces (manual: "Texture Sampler and Surface Types"). */
final class OpaqueProperties {
    /** The words that stand for numbers. */
    static final Set<String> WORDS = new TreeSet<>(Set.of("wrap", "mirror", "clamp_ogl", "clamp_to_edge", "clamp_to_border", "nearest", "linear"));

    private static final Set<String> IMAGE =
            Set.of("width", "height", "depth", "channel_data_type", "channel_order", "array_size");
    private static final Set<String> FILTER = Set.of("addr_mode_0", "addr_mode_1", "addr_mode_2", "filter_mode");
    private static final Set<String> TEXTURE =
            with(with(IMAGE, FILTER), Set.of("normalized_coords", "num_mipmap_levels", "num_samples"));
    private static final Set<String> SAMPLER = with(FILTER, Set.of("force_unnormalized_coords"));
    private static final Set<String> SURFACE = with(IMAGE, Set.of("memory_layout"));

    private OpaqueProperties() {
    }

    private static Set<String> with(Set<String> some, Set<String> more) {
        Set<String> all = new TreeSet<>(some);
        all.addAll(more);
        return all;
    }

    /** The names of the properties that a variable of an opaque type has. */
    static Set<String> of(ScalarType type) {
        return type == ScalarType.TEXREF ? TEXTURE : type == ScalarType.SAMPLERREF ? SAMPLER : SURFACE;
    }
}
