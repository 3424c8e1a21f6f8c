// Records what this machine's GPU gives for approximate instructions: results of the ranges that fit.py needs, one file of words each, and sums over all sources for sums.py.
// Usage: nvcc -arch=native -o record record.cu && ./record FOLDER
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

typedef unsigned long long Sum;

__device__ uint64_t mixed(uint64_t result, uint64_t word) {
    uint64_t v = result * 0x9E3779B97F4A7C15ull + word;
    v ^= v >> 32;
    v *= 0xD6E8FEB86659FD93ull;
    return v ^ v >> 32;
}

// How the word that stands for a function's sources becomes sources, and a result bits.
#define F32(name, instruction) struct name { __device__ static uint64_t of(uint32_t word) { \
    float y; asm volatile(instruction " %0, %1;" : "=f"(y) : "f"(__uint_as_float(word))); return __float_as_uint(y); } };
#define F64(name, instruction) struct name { __device__ static uint64_t of(uint32_t word) { \
    double y; asm volatile(instruction " %0, %1;" : "=d"(y) : "d"(__hiloint2double(word, (word & 3) == 0 ? 0 : word * 0x9E3779B1u))); return __double_as_longlong(y); } };
#define QUOTIENT(name, instruction) struct name { __device__ static uint64_t of(uint32_t word) { \
    uint64_t random = mixed(word, 12345); uint32_t a = random; \
    if ((word & 7) == 7) a = (a & 0x807fffff) | ((word + ((uint32_t)(random >> 40) & 3) * 0x800000) & 0x7f800000); \
    float y; asm volatile(instruction " %0, %1, %2;" : "=f"(y) : "f"(__uint_as_float(a)), "f"(__uint_as_float(word))); return __float_as_uint(y); } };

F32(RcpFtz, "rcp.approx.ftz.f32") F32(Rcp, "rcp.approx.f32") F32(RsqrtFtz, "rsqrt.approx.ftz.f32") F32(Rsqrt, "rsqrt.approx.f32")
F32(SqrtFtz, "sqrt.approx.ftz.f32") F32(Sqrt, "sqrt.approx.f32") F32(Lg2Ftz, "lg2.approx.ftz.f32") F32(Lg2, "lg2.approx.f32")
F32(Ex2Ftz, "ex2.approx.ftz.f32") F32(Ex2, "ex2.approx.f32") F32(SinFtz, "sin.approx.ftz.f32") F32(Sin, "sin.approx.f32")
F32(CosFtz, "cos.approx.ftz.f32") F32(Cos, "cos.approx.f32") F32(Tanh, "tanh.approx.f32")
F64(RcpF64, "rcp.approx.ftz.f64") F64(RsqrtFtzF64, "rsqrt.approx.ftz.f64") F64(RsqrtF64, "rsqrt.approx.f64")
QUOTIENT(Div, "div.approx.f32") QUOTIENT(DivFtz, "div.approx.ftz.f32") QUOTIENT(DivFull, "div.full.f32") QUOTIENT(DivFullFtz, "div.full.ftz.f32")

template <class Function> __global__ void results(uint32_t first, uint32_t count, uint32_t *out) {
    for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) out[i] = Function::of(first + i);
}

// One block for the 2^16 sources that begin with its number.
template <class Function> __global__ void sums(Sum *out) {
    Sum sum = 0;
    for (uint32_t i = threadIdx.x; i < 65536; i += blockDim.x) sum += mixed(Function::of(blockIdx.x << 16 | i), blockIdx.x << 16 | i);
    atomicAdd(out + blockIdx.x, sum);
}

static std::string folder;

static void write(const std::string &name, const void *device, size_t bytes) {
    std::vector<char> host(bytes);
    cudaError_t error = cudaMemcpy(host.data(), device, bytes, cudaMemcpyDeviceToHost);
    FILE *file = fopen((folder + "/" + name).c_str(), "wb");
    if (error != cudaSuccess || !file || fwrite(host.data(), 1, bytes, file) != bytes || fclose(file)) {
        fprintf(stderr, "%s: %s\n", name.c_str(), error == cudaSuccess ? "cannot be written" : cudaGetErrorString(error));
        exit(1);
    }
}

template <class Function> static void range(const char *name, uint32_t first, uint32_t count) {
    uint32_t *out;
    cudaMalloc(&out, (size_t)count * 4);
    results<Function><<<1024, 256>>>(first, count, out);
    char hex[9];
    snprintf(hex, sizeof hex, "%08x", first);
    write(std::string(name) + "-" + hex, out, (size_t)count * 4);
    cudaFree(out);
}

template <class Function> static void all(const char *instruction) {
    Sum *out;
    cudaMalloc(&out, 65536 * sizeof(Sum));
    cudaMemset(out, 0, 65536 * sizeof(Sum));
    sums<Function><<<65536, 256>>>(out);
    write(std::string("sums-") + instruction, out, 65536 * sizeof(Sum));
    cudaFree(out);
}

int main(int count, char **arguments) {
    if (count != 2) {
        fprintf(stderr, "usage: record FOLDER\n");
        return 2;
    }
    folder = arguments[1];
    const uint32_t binade = 1 << 23;
    range<RcpFtz>("rcp", 0x3f800000, binade);
    range<RsqrtFtz>("rsqrt", 0x3f800000, 2 * binade);
    range<SqrtFtz>("sqrt", 0x3f800000, 2 * binade);
    range<Ex2Ftz>("ex2", 0x3f800000, binade);
    range<Lg2Ftz>("lg2", 0x40000000, binade);
    range<SinFtz>("sin", 0x3f800000, 3 * binade);
    range<Tanh>("tanh", 0x3b800000, 11 * binade);
    all<RcpFtz>("rcp.approx.ftz.f32"), all<Rcp>("rcp.approx.f32"), all<RsqrtFtz>("rsqrt.approx.ftz.f32"), all<Rsqrt>("rsqrt.approx.f32");
    all<SqrtFtz>("sqrt.approx.ftz.f32"), all<Sqrt>("sqrt.approx.f32"), all<Lg2Ftz>("lg2.approx.ftz.f32"), all<Lg2>("lg2.approx.f32");
    all<Ex2Ftz>("ex2.approx.ftz.f32"), all<Ex2>("ex2.approx.f32"), all<SinFtz>("sin.approx.ftz.f32"), all<Sin>("sin.approx.f32");
    all<CosFtz>("cos.approx.ftz.f32"), all<Cos>("cos.approx.f32"), all<Tanh>("tanh.approx.f32");
    all<RcpF64>("rcp.approx.ftz.f64"), all<RsqrtFtzF64>("rsqrt.approx.ftz.f64"), all<RsqrtF64>("rsqrt.approx.f64");
    all<Div>("div.approx.f32"), all<DivFtz>("div.approx.ftz.f32"), all<DivFull>("div.full.f32"), all<DivFullFtz>("div.full.ftz.f32");
    return 0;
}
