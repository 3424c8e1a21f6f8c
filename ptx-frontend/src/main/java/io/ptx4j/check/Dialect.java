package io.ptx4j.check;

import io.ptx4j.isa.PtxVersion;
import io.ptx4j.isa.Target;

/**
 * What the head of a module says about all of it.
 *
 * @param addressBits 32 or 64; 32 where nothing is said, so that addresses of both sizes may stand
 * @param saysAddressSize whether {@code .address_size} says it
 * @param independentTextures {@code texmode_independent}: samplers stand apart from textures
 * @param mapsDoubles {@code map_f64_to_f32}: instructions on {@code .f64} are done in {@code .f32}
 */
record Dialect(
        PtxVersion version, Target target, int addressBits, boolean saysAddressSize, boolean independentTextures, boolean mapsDoubles) {
    static final Dialect NEWEST = new Dialect(PtxVersion.NEWEST, new Target(121, 'a'), 64, true, false, false);

    /** Kernel parameters are declared in the body (PTX 1.0 to 1.3). */
    boolean parametersInBody() {
        return !version.atLeast(1, 4);
    }

    /** How many bytes the parameters of a kernel may take. */
    int parameterLimit() {
        return !version.atLeast(1, 5) ? 256 : version.atLeast(8, 1) && target.number() >= 70 ? 32_764 : 4_352;
    }
}
