/*
 * What CUDA programs take from the CUDA runtime, as far as the programs beside this file need it, on top of ptx4j: memory, copies and launches
 * are done by RunProgram, which hands its functions over before the program begins. One device, and everything is done when a call returns.
 */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SUCCESS = 0, OUT_OF_MEMORY = 2, NO_KERNEL = 98 };

typedef struct { unsigned x, y, z; } Dim3;

/* What RunProgram does; addresses are those of ptx4j's device or of the host. */
static long (*allocate)(size_t bytes);
static int (*release)(void *memory);
static int (*copy)(void *to, const void *from, size_t bytes);
static int (*fill)(void *memory, int byte, size_t bytes);
static long (*global)(const char *name);
static int (*launch)(const char *kernel, const unsigned *extents, size_t shared, int cooperative, void **arguments);

void use(long (*a)(size_t), int (*r)(void *), int (*c)(void *, const void *, size_t), int (*f)(void *, int, size_t), long (*g)(const char *),
    int (*l)(const char *, const unsigned *, size_t, int, void **))
{
    allocate = a;
    release = r;
    copy = c;
    fill = f;
    global = g;
    launch = l;
}

/* Kernels and variables, by the address that they have on the host. */
static struct { const void *host; const char *name; } kernels[4096], variables[1024];
static int kernel_count, variable_count, last_error;

void **__cudaRegisterFatBinary(void *binary) { static void *handle; return &handle; }
void __cudaRegisterFatBinaryEnd(void **handle) {}
void __cudaUnregisterFatBinary(void **handle) {}
char __cudaInitModule(void **handle) { return 1; }

void __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name, int limit, void *tid, void *bid, void *block, void *grid, int *warp)
{
    kernels[kernel_count].host = host;
    kernels[kernel_count++].name = name;
}

void __cudaRegisterVar(void **handle, char *host, char *device, const char *name, int external, size_t bytes, int constant, int is_global)
{
    variables[variable_count].host = host;
    variables[variable_count++].name = name;
}

static int start(const void *host, Dim3 grid, Dim3 block, void **arguments, size_t shared, int cooperative)
{
    unsigned extents[] = {grid.x, grid.y, grid.z, block.x, block.y, block.z};
    int error = NO_KERNEL;
    for (int i = 0; i < kernel_count; i++)
        if (kernels[i].host == host)
            error = launch(kernels[i].name, extents, shared, cooperative, arguments);
    last_error = error != SUCCESS ? error : last_error;
    return error;
}

static struct { Dim3 grid, block; size_t shared; void *stream; } pushed;

unsigned __cudaPushCallConfiguration(Dim3 grid, Dim3 block, size_t shared, void *stream)
{
    pushed.grid = grid;
    pushed.block = block;
    pushed.shared = shared;
    pushed.stream = stream;
    return 0;
}

int __cudaPopCallConfiguration(Dim3 *grid, Dim3 *block, size_t *shared, void *stream)
{
    *grid = pushed.grid;
    *block = pushed.block;
    *shared = pushed.shared;
    *(void **)stream = pushed.stream;
    return SUCCESS;
}

struct LaunchConfig { Dim3 grid, block; size_t shared; void *stream, *attributes; unsigned attribute_count; };

int __cudaGetKernel(void **kernel, const void *host) { *kernel = (void *)host; return SUCCESS; }
int __cudaLaunchKernel(void *k, Dim3 g, Dim3 b, void **a, size_t s, void *stream) { return start(k, g, b, a, s, 0); }
int cudaLaunchKernel(const void *k, Dim3 g, Dim3 b, void **a, size_t s, void *stream) { return start(k, g, b, a, s, 0); }
int cudaLaunchCooperativeKernel(const void *k, Dim3 g, Dim3 b, void **a, size_t s, void *stream) { return start(k, g, b, a, s, 1); }
int cudaLaunchKernelExC(const struct LaunchConfig *c, const void *k, void **a) { return start(k, c->grid, c->block, a, c->shared, 0); }

int cudaMalloc(void **memory, size_t bytes)
{
    *memory = (void *)allocate(bytes);
    return *memory ? SUCCESS : OUT_OF_MEMORY;
}

int cudaMallocAsync(void **memory, size_t bytes, void *stream) { return cudaMalloc(memory, bytes); }
int cudaFree(void *memory) { return memory ? release(memory) : SUCCESS; }
int cudaFreeAsync(void *memory, void *stream) { return cudaFree(memory); }
int cudaMallocHost(void **memory, size_t bytes) { *memory = malloc(bytes); return SUCCESS; }
int cudaFreeHost(void *memory) { free(memory); return SUCCESS; }
int cudaMemcpy(void *to, const void *from, size_t bytes, int kind) { return bytes ? copy(to, from, bytes) : SUCCESS; }
int cudaMemcpyAsync(void *to, const void *from, size_t bytes, int kind, void *stream) { return cudaMemcpy(to, from, bytes, kind); }
int cudaMemset(void *memory, int byte, size_t bytes) { return bytes ? fill(memory, byte, bytes) : SUCCESS; }
int cudaMemsetAsync(void *memory, int byte, size_t bytes, void *stream) { return cudaMemset(memory, byte, bytes); }

static char *variable(const void *host)
{
    for (int i = 0; i < variable_count; i++)
        if (variables[i].host == host)
            return (char *)global(variables[i].name);
    return NULL;
}

int cudaMemcpyToSymbol(const void *host, const void *from, size_t bytes, size_t offset, int kind) { return copy(variable(host) + offset, from, bytes); }
int cudaMemcpyFromSymbol(void *to, const void *host, size_t bytes, size_t offset, int kind) { return copy(to, variable(host) + offset, bytes); }
int cudaGetSymbolAddress(void **address, const void *host) { *address = variable(host); return SUCCESS; }

int cudaDeviceSynchronize(void) { return last_error; }
int cudaStreamSynchronize(void *stream) { return last_error; }
int cudaPeekAtLastError(void) { return last_error; }
int cudaGetLastError(void) { int error = last_error; last_error = SUCCESS; return error; }
const char *cudaGetErrorString(int error) { static char text[32]; snprintf(text, sizeof text, "error %d", error); return text; }
const char *cudaGetErrorName(int error) { return cudaGetErrorString(error); }

int cudaGetDevice(int *device) { *device = 0; return SUCCESS; }
int cudaSetDevice(int device) { return SUCCESS; }
int cudaGetDeviceCount(int *count) { *count = 1; return SUCCESS; }
int cudaDriverGetVersion(int *version) { *version = 13000; return SUCCESS; }
int cudaRuntimeGetVersion(int *version) { *version = 13000; return SUCCESS; }

/* The target that a program was made for, from the environment: 80 for sm_80. */
static int target(void)
{
    const char *text = getenv("PTX4J_TARGET");
    return text ? atoi(text) : 80;
}

int cudaDeviceGetAttribute(int *value, int attribute, int device)
{
    switch (attribute) {
    case 1: *value = 1024; break; /* threads of a block */
    case 5: *value = 2147483647; break; /* blocks of a grid */
    case 6: case 7: *value = 65535; break;
    case 8: *value = 48 << 10; break; /* shared memory of a block */
    case 10: *value = 32; break; /* threads of a warp */
    case 12: case 82: *value = 65536; break; /* registers */
    case 16: *value = 4; break; /* multiprocessors */
    case 38: *value = 50 << 20; break; /* second cache */
    case 39: *value = 2048; break; /* threads of a multiprocessor */
    case 75: *value = target() / 10; break;
    case 76: *value = target() % 10; break;
    case 81: *value = 228 << 10; break;
    case 95: *value = 1; break; /* cooperative launches */
    case 97: *value = 227 << 10; break; /* shared memory on request */
    case 106: *value = 32; break; /* blocks of a multiprocessor */
    case 111: *value = 1024; break; /* shared memory kept back */
    default: *value = 0;
    }
    return SUCCESS;
}

struct FunctionAttributes { size_t shared, constants, local; int threads, registers, ptx, binary, caches, dynamic, carveout, more[10]; };

int cudaFuncGetAttributes(struct FunctionAttributes *attributes, const void *host)
{
    memset(attributes, 0, sizeof *attributes);
    attributes->threads = 1024;
    attributes->registers = 32;
    attributes->ptx = attributes->binary = target();
    attributes->dynamic = 227 << 10;
    return SUCCESS;
}

int cudaFuncSetAttribute(const void *host, int attribute, int value) { return SUCCESS; }
int cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *host, int threads, size_t shared) { *blocks = 2; return SUCCESS; }

int cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *host, int threads, size_t shared, unsigned flags)
{
    *blocks = 2;
    return SUCCESS;
}

struct PointerAttributes { int type, device; void *on_device, *on_host; long more[8]; };

int cudaPointerGetAttributes(struct PointerAttributes *attributes, const void *memory)
{
    memset(attributes, 0, sizeof *attributes);
    attributes->type = 2;
    return SUCCESS;
}

int cudaGetDriverEntryPointByVersion(const char *name, void **function, unsigned version, unsigned long flags, int *found)
{
    *function = NULL;
    if (found)
        *found = 1;
    return SUCCESS;
}
