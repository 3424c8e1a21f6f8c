// Records what this machine's GPU reads from textures, as cases that RecordedTest replays: filters of every type of texel, address modes, levels.
// Usage: nvcc -std=c++17 -arch=native -o record record.cu && ./record FOLDER
#include <cuda_fp16.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

constexpr int READS = 1024;
static std::string folder;
static std::string gpu;

static void check(cudaError_t error) {
    if (error != cudaSuccess) {
        fprintf(stderr, "%s\n", cudaGetErrorString(error));
        exit(1);
    }
}

#define KERNEL(name, instruction) __global__ void name(cudaTextureObject_t t, const float4 *in, float4 *out) { \
    int i = blockIdx.x * blockDim.x + threadIdx.x; float4 p = in[i], r; \
    asm(instruction : "=f"(r.x), "=f"(r.y), "=f"(r.z), "=f"(r.w) : "l"(t), "f"(p.x), "f"(p.y), "f"(p.z), "f"(p.w)); out[i] = r; }
#define TEX(name, geometry, place) KERNEL(name, "tex." geometry ".v4.f32.f32 {%0, %1, %2, %3}, [%4, " place "];")
TEX(tex1d, "1d", "{%5}") TEX(tex2d, "2d", "{%5, %6}") TEX(tex3d, "3d", "{%5, %6, %7, %7}")
KERNEL(level1d, "tex.level.1d.v4.f32.f32 {%0, %1, %2, %3}, [%4, {%5}], %8;")
KERNEL(level2d, "tex.level.2d.v4.f32.f32 {%0, %1, %2, %3}, [%4, {%5, %6}], %8;")
KERNEL(level3d, "tex.level.3d.v4.f32.f32 {%0, %1, %2, %3}, [%4, {%5, %6, %7, %7}], %8;")
KERNEL(gather2d, "tld4.r.2d.v4.f32.f32 {%0, %1, %2, %3}, [%4, {%5, %6}];")

static uint32_t random_word(uint32_t i) {
    uint32_t v = i * 0x9E3779B1u + 0x7F4A7C15u;
    v ^= v >> 15; v *= 0x85EBCA6Bu; v ^= v >> 13; v *= 0xC2B2AE35u;
    return v ^ v >> 16;
}

static float unit(uint32_t i) { return (random_word(i) >> 8) * 0x1p-24f; }

static float from_bits(uint32_t bits) { float f; memcpy(&f, &bits, 4); return f; }

// Any sign, exponents of 34 binades.
static float wide(uint32_t i) { return from_bits((random_word(i) & 0x807fffff) | (110 + random_word(i + 77777) % 34) << 23); }

// From 1 to 2.
static float near(uint32_t i) { return 1 + unit(i); }

static float special(uint32_t i) { return i % 7 == 3 ? INFINITY : i % 7 == 5 ? -INFINITY : i % 11 == 5 ? NAN : i % 5 == 0 ? 1e-41f * i : wide(i); }

static void save(const std::string &name, const void *data, size_t bytes) {
    FILE *file = fopen((folder + "/" + name).c_str(), "wb");
    if (!file || fwrite(data, 1, bytes, file) != bytes || fclose(file)) {
        fprintf(stderr, "%s cannot be written\n", name.c_str());
        exit(1);
    }
}

struct Image {
    std::string type;               // as a case spells it
    cudaChannelFormatDesc format;
    int dims, w, h, d;
    int levels = 1;
    std::function<float(uint32_t)> number = wide;  // of float texels
};

struct Read {
    bool filter = true, normalized = false, mipfilter = false;
    cudaTextureAddressMode mode = cudaAddressModeClamp;
    std::string instruction = "tex";  // tex, level or gather
    float low = -1, high = 0;         // of coordinates; high 0 for the size and one
};

static int count = 0;

static void record(const std::string &name, const Image &image, const Read &read) {
    int channels = (image.format.x > 0) + (image.format.y > 0) + (image.format.z > 0) + (image.format.w > 0);
    int bytes = image.format.x / 8 * channels;
    bool whole = image.format.f != cudaChannelFormatKindFloat;
    std::vector<std::vector<uint8_t>> levels;
    std::vector<uint8_t> all;
    for (int l = 0; l < image.levels; l++) {
        size_t texels = (size_t)std::max(image.w >> l, 1) * (image.dims > 1 ? std::max(image.h >> l, 1) : 1) * (image.dims > 2 ? std::max(image.d >> l, 1) : 1);
        std::vector<uint8_t> data(texels * bytes);
        for (size_t e = 0; e < texels * channels; e++) {
            uint32_t seed = count * 100000 + l * 50000 + e;
            uint32_t bits = random_word(seed);
            if (!whole && image.format.x == 32) { float f = image.number(seed); memcpy(&bits, &f, 4); }
            if (!whole && image.format.x == 16) { __half f = __float2half((unit(seed) - 0.5f) * (1 << e % 8)); uint16_t h; memcpy(&h, &f, 2); bits = h; }
            memcpy(&data[e * image.format.x / 8], &bits, image.format.x / 8);
        }
        all.insert(all.end(), data.begin(), data.end());
        levels.push_back(data);
    }
    cudaTextureDesc how = {};
    // In the dimensions that it has: of a line the others would be read too.
    for (int d = 0; d < 3; d++) how.addressMode[d] = d < image.dims ? read.mode : cudaAddressModeClamp;
    how.filterMode = read.filter ? cudaFilterModeLinear : cudaFilterModePoint;
    how.readMode = whole ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
    how.normalizedCoords = read.normalized;
    cudaResourceDesc from = {};
    cudaExtent extent = make_cudaExtent(image.w, image.dims > 1 ? image.h : 0, image.dims > 2 ? image.d : 0);
    if (image.levels > 1) {
        cudaMipmappedArray_t mips;
        check(cudaMallocMipmappedArray(&mips, &image.format, extent, image.levels));
        from.resType = cudaResourceTypeMipmappedArray;
        from.res.mipmap.mipmap = mips;
        how.mipmapFilterMode = read.mipfilter ? cudaFilterModeLinear : cudaFilterModePoint;
        how.maxMipmapLevelClamp = image.levels - 1;
    } else {
        cudaArray_t array;
        check(cudaMalloc3DArray(&array, &image.format, extent, read.instruction == "gather" ? cudaArrayTextureGather : 0));
        from.resType = cudaResourceTypeArray;
        from.res.array.array = array;
    }
    for (int l = 0; l < image.levels; l++) {
        cudaArray_t array = from.res.array.array;
        if (image.levels > 1) check(cudaGetMipmappedArrayLevel(&array, from.res.mipmap.mipmap, l));
        int w = std::max(image.w >> l, 1), h = image.dims > 1 ? std::max(image.h >> l, 1) : 1, d = image.dims > 2 ? std::max(image.d >> l, 1) : 1;
        cudaMemcpy3DParms copy = {};
        copy.srcPtr = make_cudaPitchedPtr(levels[l].data(), w * bytes, w, h);
        copy.dstArray = array;
        copy.extent = make_cudaExtent(w, h, d);
        copy.kind = cudaMemcpyHostToDevice;
        check(cudaMemcpy3D(&copy));
    }
    cudaTextureObject_t texture;
    check(cudaCreateTextureObject(&texture, &from, &how, nullptr));
    std::vector<float4> places(READS), results(READS);
    for (int i = 0; i < READS; i++) {
        float *p = &places[i].x;
        int sizes[3] = {image.w, image.h, image.d};
        for (int c = 0; c < 3; c++) {
            float high = read.high ? read.high : (c < image.dims ? sizes[c] : 1) + 1.0f;
            p[c] = read.low + unit(count * 7777777 + 3 * i + c) * (high - read.low);
            // Weights without fractions, and texels' middles, among others.
            if (!read.normalized && i % 4 == 0) p[c] = floorf(p[c] * 256) / 256;
        }
        p[3] = i % 4 == 0 ? floorf(unit(i) * 256) / 256 * (image.levels - 1) : unit(i) * image.levels - 0.5f;
    }
    float4 *in, *out;
    check(cudaMalloc(&in, READS * sizeof(float4)));
    check(cudaMalloc(&out, READS * sizeof(float4)));
    check(cudaMemcpy(in, places.data(), READS * sizeof(float4), cudaMemcpyHostToDevice));
    std::string geometry = std::to_string(image.dims) + "d";
    auto kernel = read.instruction == "gather" ? gather2d
            : read.instruction == "level" ? image.dims == 1 ? level1d : image.dims == 2 ? level2d : level3d : image.dims == 1 ? tex1d : image.dims == 2 ? tex2d : tex3d;
    kernel<<<READS / 128, 128>>>(texture, in, out);
    check(cudaDeviceSynchronize());
    check(cudaMemcpy(results.data(), out, READS * sizeof(float4), cudaMemcpyDeviceToHost));
    save(name + ".t.bin", all.data(), all.size());
    save(name + ".in.bin", places.data(), READS * sizeof(float4));
    save(name + ".out.bin", results.data(), READS * sizeof(float4));
    std::string size = std::to_string(image.w) + (image.dims > 1 ? "x" + std::to_string(image.h) : "") + (image.dims > 2 ? "x" + std::to_string(image.d) : "");
    const char *modes[] = {"wrap", "clamp", "mirror", "border"};
    std::string place = image.dims == 1 ? "{%f0}" : image.dims == 2 ? "{%f0, %f1}" : "{%f0, %f1, %f2, %f2}";
    std::string text = "// Made by tools/textures/record.cu: " + name + "\n// Recorded on " + gpu + ".\n"
            "// launch: probe grid=" + std::to_string(READS / 128) + " block=128\n"
            "// arg: t: texture " + image.type + " " + geometry + " " + size + (image.levels > 1 ? " levels " + std::to_string(image.levels) : "") + (read.filter ? " filter" : "")
            + (read.mipfilter ? " mipfilter" : "") + (read.normalized ? " normalized" : "") + (whole ? " float" : "") + " " + modes[read.mode] + " = @" + name + ".t.bin\n"
            "// arg: in: buffer u32[" + std::to_string(4 * READS) + "] = @" + name + ".in.bin\n// arg: out: buffer u32[" + std::to_string(4 * READS) + "] = zero\n"
            "// expect: out = @" + name + ".out.bin\n"
            ".version 7.8\n.target sm_75\n.address_size 64\n.visible .entry probe(.param .u64 t, .param .u64 in, .param .u64 out)\n{\n"
            ".reg .b32 %r<3>; .reg .f32 %f<8>; .reg .b64 %d<4>;\n"
            "ld.param.u64 %d0, [t]; ld.param.u64 %d1, [in]; ld.param.u64 %d2, [out];\n"
            "mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x; mad.lo.u32 %r0, %r1, 128, %r0; mul.wide.u32 %d3, %r0, 16; add.u64 %d1, %d1, %d3; add.u64 %d2, %d2, %d3;\n"
            "ld.global.v4.f32 {%f0, %f1, %f2, %f3}, [%d1];\n"
            + (read.instruction == "gather" ? "tld4.r.2d.v4.f32.f32 {%f4, %f5, %f6, %f7}, [%d0, {%f0, %f1}];\n"
               : read.instruction == "level" ? "tex.level." + geometry + ".v4.f32.f32 {%f4, %f5, %f6, %f7}, [%d0, " + place + "], %f3;\n"
               : "tex." + geometry + ".v4.f32.f32 {%f4, %f5, %f6, %f7}, [%d0, " + place + "];\n")
            + "st.global.v4.f32 [%d2], {%f4, %f5, %f6, %f7};\nret;\n}\n";
    save(name + ".ptx", text.data(), text.size());
    count++;
}

int main(int arguments, char **argument) {
    if (arguments != 2) {
        fprintf(stderr, "usage: record FOLDER\n");
        return 2;
    }
    folder = argument[1];
    cudaDeviceProp properties;
    int driver;
    check(cudaGetDeviceProperties(&properties, 0));
    check(cudaDriverGetVersion(&driver));
    gpu = std::string(properties.name) + ", driver " + std::to_string(driver / 1000) + "." + std::to_string(driver % 1000 / 10);
    auto f32 = cudaCreateChannelDesc<float>();
    Image line{"f32x1", f32, 1, 1024, 1, 1}, plane{"f32x1", f32, 2, 32, 32, 1}, solid{"f32x1", f32, 3, 8, 8, 8, 1, near}, odd{"f32x1", f32, 2, 25, 31, 1};
    Image specials = line;
    specials.number = special;
    Read filter, wrap, nearest;
    wrap.normalized = true, wrap.mode = cudaAddressModeWrap, wrap.low = -2, wrap.high = 3;
    Read mirror = wrap, border = wrap, within = wrap;
    mirror.mode = cudaAddressModeMirror, border.mode = cudaAddressModeBorder, within.mode = cudaAddressModeClamp;
    nearest.filter = false;
    record("f32-1d", line, filter), record("f32-special", specials, filter), record("f32-2d", plane, filter), record("f32-3d", solid, filter);
    record("f32-2d-wrap", odd, wrap), record("f32-2d-mirror", odd, mirror), record("f32-2d-border", odd, border), record("f32-2d-clamp", odd, within);
    record("f32-3d-wrap", solid, wrap);
    struct { const char *type; cudaChannelFormatDesc format; } formats[] = {{"f16x1", cudaCreateChannelDescHalf()}, {"f16x4", cudaCreateChannelDescHalf4()},
        {"u8x1", cudaCreateChannelDesc<unsigned char>()}, {"u8x4", cudaCreateChannelDesc<uchar4>()}, {"s8x1", cudaCreateChannelDesc<signed char>()}, {"s8x2", cudaCreateChannelDesc<char2>()},
        {"u16x1", cudaCreateChannelDesc<unsigned short>()}, {"s16x1", cudaCreateChannelDesc<short>()}, {"s16x2", cudaCreateChannelDesc<short2>()}, {"f32x2", cudaCreateChannelDesc<float2>()}};
    for (auto &f : formats) {
        std::string type = f.type;
        record(type + "-1d-nearest", {type, f.format, 1, 1024, 1, 1}, nearest);
        record(type + "-1d", {type, f.format, 1, 1024, 1, 1}, filter);
        record(type + "-2d", {type, f.format, 2, 32, 32, 1}, filter);
        record(type + "-3d", {type, f.format, 3, 8, 8, 8, 1, near}, filter);
    }
    for (int width : {7, 1000, 3001, 10000}) {
        Image wide_line = line;
        wide_line.w = width;
        wide_line.number = [](uint32_t i) { return (float)(i % 50000); };
        for (auto &mode : {std::pair<const char *, Read>{"wrap", wrap}, {"mirror", mirror}, {"clamp", within}, {"border", border}}) {
            Read point = mode.second;
            point.filter = false;
            record("place-" + std::to_string(width) + "-" + mode.first, wide_line, point);
            record("place-" + std::to_string(width) + "-" + mode.first + "-filter", wide_line, mode.second);
        }
    }
    Read gather = filter;
    gather.instruction = "gather";
    record("gather", plane, gather);
    Read level = within;
    level.instruction = "level", level.low = -0.2f, level.high = 1.2f;
    for (int dims = 1; dims <= 3; dims++) {
        Image mips{"f32x1", f32, dims, 8, 8, 8, 3, near};
        for (int kind = 0; kind < 4; kind++) {
            Read read = level;
            read.filter = kind & 1, read.mipfilter = kind >> 1;
            record("levels-" + std::to_string(dims) + "d" + (read.filter ? "-filter" : "") + (read.mipfilter ? "-mipfilter" : ""), mips, read);
        }
    }
    Image mips{"u8x4", cudaCreateChannelDesc<uchar4>(), 2, 16, 16, 1, 4};
    Read both = level;
    both.mipfilter = true;
    record("levels-u8x4", mips, both);
    Image halves{"f16x1", cudaCreateChannelDescHalf(), 2, 16, 16, 1, 4};
    record("levels-f16x1", halves, both);
    printf("%d cases recorded on %s\n", count, gpu.c_str());
    return 0;
}
