package io.ptx4j.cases;

import io.ptx4j.engine.AddressMode;
import io.ptx4j.engine.ChannelType;
import io.ptx4j.engine.FilterMode;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.runtime.ImageLayout;
import io.ptx4j.runtime.Sampler;
import java.util.Locale;

/** Reads textures and surfaces of a case: {@code texture f32x4 2d 8x6 linear wrap normalized = iota}. */
final class ImageReader {
    private ImageReader() {
    }

    /** @param surface whether {@code surface} stood before, not {@code texture} */
    static CaseFile.Argument.Image read(LineCursor cursor, String place, String name, boolean bound, boolean surface) {
        CaseException unknown = cursor.expected("a channel type and their number, such as f32x4");
        String[] texel = cursor.requireName("a channel type").split("x");
        ScalarType element = ScalarType.named(texel[0].toLowerCase(Locale.ROOT));
        ChannelType type = null;
        for (ChannelType candidate : ChannelType.values()) {
            type = candidate.name().equalsIgnoreCase(texel[0]) ? candidate : type;
        }
        if (element == null || type == null || texel.length != 2 || !texel[1].matches("[124]")) {
            throw unknown;
        }
        ImageLayout layout = layout(cursor);
        if (cursor.take("levels")) {
            layout = layout.withLevels(cursor.smallCount("a count of mip levels"));
        }
        Sampler sampler = surface ? Sampler.DEFAULT : sampler(cursor);
        cursor.require("=");
        int channels = Integer.parseInt(texel[1]);
        long count = layout.texels() * channels;
        CaseFile.Contents contents = ContentsReader.read(cursor, element, count);
        cursor.end();
        return new CaseFile.Argument.Image(place, name, bound, surface, layout, type, channels, sampler, new CaseFile.Argument.Buffer(place, name, element,
                count, contents));
    }

    private static ImageLayout layout(LineCursor cursor) {
        for (String shape : new String[] {"linear", "1d", "2dms", "2d", "3d", "a1d", "a2dms", "a2d", "cube", "acube"}) {
            if (cursor.take(shape)) {
                int width = cursor.smallCount("a size");
                return switch (shape) {
                    case "linear" -> ImageLayout.linear(width);
                    case "1d" -> ImageLayout.of1d(width);
                    case "2d" -> ImageLayout.of2d(width, next(cursor));
                    case "3d" -> ImageLayout.of3d(width, next(cursor), next(cursor));
                    case "a1d" -> ImageLayout.layered1d(width, next(cursor));
                    case "a2d" -> ImageLayout.layered2d(width, next(cursor), next(cursor));
                    case "cube" -> ImageLayout.cube(width);
                    case "acube" -> ImageLayout.layeredCube(width, next(cursor));
                    case "2dms" -> ImageLayout.multisampled(width, next(cursor), next(cursor));
                    default -> ImageLayout.layeredMultisampled(width, next(cursor), next(cursor), next(cursor));
                };
            }
        }
        throw cursor.expected("linear, 1d, 2d, 3d, a1d, a2d, cube, acube, 2dms or a2dms");
    }

    private static int next(LineCursor cursor) {
        cursor.require("x");
        return cursor.smallCount("a size");
    }

    private static Sampler sampler(LineCursor cursor) {
        Sampler sampler = Sampler.DEFAULT;
        while (!cursor.at("=")) {
            CaseException unknown = cursor.expected("'=', filter, mipfilter, wrap, mirror, clamp, border, normalized, float or srgb");
            sampler = switch (cursor.name()) {
                case "filter" -> sampler.withFilter(FilterMode.LINEAR);
                case "mipfilter" -> sampler.withMipFilter(FilterMode.LINEAR);
                case "wrap" -> sampler.withAddressMode(AddressMode.WRAP);
                case "mirror" -> sampler.withAddressMode(AddressMode.MIRROR);
                case "clamp" -> sampler.withAddressMode(AddressMode.CLAMP);
                case "border" -> sampler.withAddressMode(AddressMode.BORDER);
                case "normalized" -> sampler.withNormalized(true);
                case "float" -> sampler.withReadAsFloat(true);
                case "srgb" -> sampler.withSrgb(true);
                default -> throw unknown;
            };
        }
        return sampler;
    }
}
