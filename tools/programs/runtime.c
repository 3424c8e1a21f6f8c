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

/* What RunProgram does; addresses are those of ptx4j's device or of the host. Modules are numbered. */
static int (*load)(int module, const char *ptx, size_t bytes);
static long (*allocate)(size_t bytes);
static int (*release)(void *memory);
static int (*copy)(void *to, const void *from, size_t bytes);
static int (*fill)(void *memory, int byte, size_t bytes);
static long (*global)(int module, const char *name);
static int (*launch)(int module, const char *kernel, const unsigned *extents, size_t shared, int cooperative, void **arguments);

void use(int (*m)(int, const char *, size_t), long (*a)(size_t), int (*r)(void *), int (*c)(void *, const void *, size_t), int (*f)(void *, int, size_t),
    long (*g)(int, const char *), int (*l)(int, const char *, const unsigned *, size_t, int, void **))
{
    load = m;
    allocate = a;
    release = r;
    copy = c;
    fill = f;
    global = g;
    launch = l;
}

/* What has been registered: PTX, and kernels and variables by the address that they have on the host. */
static struct { const char *ptx; size_t bytes; int loaded; } modules[1024];
static int module_count, last_error;

typedef struct { const void *host; const char *name; int module; } Symbol;

enum { SYMBOLS = 1 << 16 };

static Symbol kernels[SYMBOLS], variables[SYMBOLS];

/* Where an address is or would be. */
static Symbol *symbol(Symbol *table, const void *host)
{
    unsigned i = (unsigned)(((size_t)host >> 2) * 2654435761u) % SYMBOLS;
    while (table[i].host && table[i].host != host)
        i = (i + 1) % SYMBOLS;
    return &table[i];
}

/* PTX and machine code that nvcc has packed: a header (its own bytes at 6, those of all entries at 8), then entries with headers (kind at 0, its own bytes at 4, those of what follows at 8). */
void **__cudaRegisterFatBinary(void *binary)
{
    enum { PTX = 1 };
    const char *packed = ((const char **)binary)[1], *entry = packed + *(unsigned short *)(packed + 6), *end = entry + *(size_t *)(packed + 8);
    for (; entry < end; entry += *(unsigned *)(entry + 4) + *(size_t *)(entry + 8))
        if (*(unsigned short *)entry == PTX) {
            modules[module_count].ptx = entry + *(unsigned *)(entry + 4);
            modules[module_count].bytes = strnlen(modules[module_count].ptx, *(size_t *)(entry + 8));
        }
    return (void **)&modules[module_count++];
}

void __cudaRegisterFatBinaryEnd(void **handle) {}
void __cudaUnregisterFatBinary(void **handle) {}
char __cudaInitModule(void **handle) { return 1; }

static int number(void **handle) { return (int)(((char *)handle - (char *)modules) / sizeof modules[0]); }

void __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name, int limit, void *tid, void *bid, void *block, void *grid, int *warp)
{
    *symbol(kernels, host) = (Symbol){host, name, number(handle)};
}

void __cudaRegisterVar(void **handle, char *host, char *device, const char *name, int external, size_t bytes, int constant, int is_global)
{
    *symbol(variables, host) = (Symbol){host, name, number(handle)};
}

/* A kernel or variable, its module loaded; null if there is none. */
static Symbol *ready(Symbol *table, const void *host)
{
    Symbol *found = symbol(table, host);
    if (!found->host)
        return NULL;
    if (!modules[found->module].loaded)
        modules[found->module].loaded = load(found->module, modules[found->module].ptx, modules[found->module].bytes) == SUCCESS;
    return modules[found->module].loaded ? found : NULL;
}

static int start(const void *host, Dim3 grid, Dim3 block, void **arguments, size_t shared, int cooperative)
{
    unsigned extents[] = {grid.x, grid.y, grid.z, block.x, block.y, block.z};
    Symbol *kernel = ready(kernels, host);
    int error = kernel ? launch(kernel->module, kernel->name, extents, shared, cooperative, arguments) : NO_KERNEL;
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

int cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height, int kind)
{
    int error = SUCCESS;
    for (size_t row = 0; row < height && error == SUCCESS; row++)
        error = cudaMemcpy((char *)to + row * to_pitch, (const char *)from + row * from_pitch, width, kind);
    return error;
}

int cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height, int kind, void *stream)
{
    return cudaMemcpy2D(to, to_pitch, from, from_pitch, width, height, kind);
}

int cudaMemset(void *memory, int byte, size_t bytes) { return bytes ? fill(memory, byte, bytes) : SUCCESS; }
int cudaMemsetAsync(void *memory, int byte, size_t bytes, void *stream) { return cudaMemset(memory, byte, bytes); }

static char *variable(const void *host)
{
    Symbol *found = ready(variables, host);
    return found ? (char *)global(found->module, found->name) : NULL;
}

int cudaMemcpyToSymbol(const void *host, const void *from, size_t bytes, size_t offset, int kind) { return copy(variable(host) + offset, from, bytes); }
int cudaMemcpyFromSymbol(void *to, const void *host, size_t bytes, size_t offset, int kind) { return copy(to, variable(host) + offset, bytes); }
int cudaGetSymbolAddress(void **address, const void *host) { *address = variable(host); return SUCCESS; }

int cudaDeviceSynchronize(void) { return last_error; }
int cudaStreamSynchronize(void *stream) { return last_error; }
int cudaStreamCreate(void **stream) { *stream = &last_error; return SUCCESS; }
int cudaStreamCreateWithFlags(void **stream, unsigned flags) { return cudaStreamCreate(stream); }
int cudaStreamDestroy(void *stream) { return SUCCESS; }
int cudaStreamWaitEvent(void *stream, void *event, unsigned flags) { return SUCCESS; }
int cudaStreamIsCapturing(void *stream, int *status) { *status = 0; return SUCCESS; }
int cudaEventCreate(void **event) { *event = &last_error; return SUCCESS; }
int cudaEventCreateWithFlags(void **event, unsigned flags) { return cudaEventCreate(event); }
int cudaEventDestroy(void *event) { return SUCCESS; }
int cudaEventRecord(void *event, void *stream) { return SUCCESS; }
int cudaEventSynchronize(void *event) { return last_error; }
int cudaEventQuery(void *event) { return last_error; }
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
