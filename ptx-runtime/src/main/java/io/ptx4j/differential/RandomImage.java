package io.ptx4j.differential;

import io.ptx4j.engine.AddressMode;
import io.ptx4j.engine.ChannelType;
import io.ptx4j.engine.FilterMode;
import io.ptx4j.isa.Modifier;
import io.ptx4j.runtime.ImageLayout;
import io.ptx4j.runtime.Sampler;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * An image of a random kernel.
 *
 * @param geometry how instructions name its shape
 * @param layout as a case file writes it
 * @param look as a case file writes the sampler; empty for a surface
 * @param sampler null for a surface, in which each thread has a texel of 16 bytes of its own
 */
public record RandomImage(Modifier geometry, String layout, ImageLayout shape, ChannelType type, int channels, String look, Sampler sampler, byte[] texels) {
    private static final int WORD = 4;
    private static final int MOST = 2;

    /** One or two. */
    static List<RandomImage> some(SplittableRandom random) {
        List<RandomImage> images = new ArrayList<>();
        for (int i = random.nextInt(MOST); i >= 0; i--) {
            images.add(random.nextInt(3) == 0 ? surface(random) : texture(random));
        }
        return images;
    }

    private static RandomImage surface(SplittableRandom random) {
        boolean flat = random.nextBoolean();
        int threads = KernelGenerator.MOST_BLOCK;
        int blocks = KernelGenerator.MOST_THREADS / threads;
        ImageLayout shape = flat ? ImageLayout.of2d(threads, blocks) : ImageLayout.of1d(KernelGenerator.MOST_THREADS);
        byte[] texels = new byte[KernelGenerator.MOST_THREADS * 4 * WORD];
        random.nextBytes(texels);
        return new RandomImage(flat ? Modifier.D2 : Modifier.D1, flat ? "2d " + threads + "x" + blocks : "1d " + KernelGenerator.MOST_THREADS, shape, ChannelType.U32, 4, "",
                null, texels);
    }

    private static RandomImage texture(SplittableRandom random) {
        int width = 1 + random.nextInt(9);
        int height = 1 + random.nextInt(6);
        int third = 1 + random.nextInt(4);
        return switch (random.nextInt(6)) {
            case 0 -> texture(random, Modifier.D1, "1d " + width, ImageLayout.of1d(width));
            case 1, 2 -> texture(random, Modifier.D2, "2d " + width + "x" + height, ImageLayout.of2d(width, height));
            case 3 -> texture(random, Modifier.D3, "3d " + width + "x" + height + "x" + third, ImageLayout.of3d(width, height, third));
            case 4 -> texture(random, Modifier.A2D, "a2d " + width + "x" + height + "x" + third, ImageLayout.layered2d(width, height, third));
            default -> texture(random, Modifier.CUBE, "cube " + width, ImageLayout.cube(width));
        };
    }

    private static RandomImage texture(SplittableRandom random, Modifier geometry, String layout, ImageLayout shape) {
        ChannelType type = new ChannelType[] {ChannelType.F32, ChannelType.U8, ChannelType.S16, ChannelType.F16, ChannelType.U32}[random.nextInt(5)];
        int channels = 1 << random.nextInt(3);
        StringBuilder look = new StringBuilder();
        Sampler sampler = Sampler.DEFAULT;
        boolean floats = type.isFloat();
        if (!floats && type.bytes() < WORD && random.nextBoolean()) {
            sampler = sampler.withReadAsFloat(true);
            look.append(" float");
            floats = true;
        }
        if (floats && random.nextBoolean()) {
            sampler = sampler.withFilter(FilterMode.LINEAR);
            look.append(" filter");
        }
        if (random.nextBoolean()) {
            sampler = sampler.withNormalized(true);
            look.append(" normalized");
        }
        AddressMode mode = AddressMode.values()[random.nextInt(AddressMode.values().length)];
        sampler = sampler.withAddressMode(mode);
        look.append(' ').append(mode.name().toLowerCase(Locale.ROOT));
        byte[] texels = new byte[Math.toIntExact(shape.texels()) * channels * type.bytes()];
        random.nextBytes(texels);
        return new RandomImage(geometry, layout, shape, type, channels, look.toString(), sampler, texels);
    }

    boolean isSurface() {
        return sampler == null;
    }

    KernelLaunch.Image argument() {
        return new KernelLaunch.Image(shape, type, channels, sampler, texels);
    }

    /** The line of a case file without its name. */
    String text() {
        StringBuilder text = new StringBuilder(isSurface() ? "surface " : "texture ").append(type.name().toLowerCase(Locale.ROOT)).append('x').append(channels)
                .append(' ').append(layout).append(look).append(" = ");
        for (int at = 0; at < texels.length; at += type.bytes()) {
            text.append(at == 0 ? "0x" : ", 0x");
            for (int b = type.bytes() - 1; b >= 0; b--) {
                text.append("%02x".formatted(texels[at + b]));
            }
        }
        return text.toString();
    }
}
