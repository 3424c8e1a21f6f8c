// build: runtime.sm_75 -arch=sm_75
// build: runtime.sm_75.debug -arch=sm_75 -G
// build: runtime.sm_90.lineinfo -arch=sm_90 -lineinfo
// build: runtime.sm_100 -arch=sm_100
// Calls into the device runtime: printf, assert, malloc, free, memcpy, traps, clocks, sleeping.
#include <cassert>
#include <cstdio>

struct Item { int key; Item *next; };

extern "C" __global__ void prints(int n, double x, const char *name)
{
    printf("no arguments\n");
    printf("%d of %u: %s %5.3f %lld %c %p %%\n", n, blockDim.x, name, x, (long long) n << 40, 'c', (void *) name);
}
extern "C" __global__ void asserts(const int *x, int *y)
{
    assert(x[threadIdx.x] > 0 && "positive");
    y[threadIdx.x] = x[threadIdx.x];
}
extern "C" __global__ void lists(int n, int *sum)
{
    Item *head = nullptr;
    for (int i = 0; i < n; i++) {
        Item *item = (Item *) malloc(sizeof(Item));
        if (!item)
            __trap();
        item->key = i;
        item->next = head;
        head = item;
    }
    while (head) {
        Item *next = head->next;
        *sum += head->key;
        free(head);
        head = next;
    }
    Item *fresh = new Item[4];
    fresh[n & 3].key = 1;
    *sum += fresh[1].key;
    delete[] fresh;
}
extern "C" __global__ void copies(char *to, const char *from, int n, int4 *block)
{
    memcpy(to, from, n);
    memset(to + n, 7, n);
    memcpy(block, from, 64);
    memset(block + 4, 0, 48);
}
extern "C" __global__ void clocks(long long *out, unsigned ns)
{
    long long start = clock64();
    out[1] = clock();
    __nanosleep(ns);
    out[0] = clock64() - start;
    unsigned long long timer;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(timer));
    unsigned sm, lane, warp, nwarp, below;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
    asm volatile("mov.u32 %0, %%warpid;" : "=r"(warp));
    asm volatile("mov.u32 %0, %%nwarpid;" : "=r"(nwarp));
    asm volatile("mov.u32 %0, %%lanemask_lt;" : "=r"(below));
    out[2] = timer + sm + lane + warp + nwarp + below + warpSize;
    if (ns == 77)
        __brkpt();
    __prof_trigger(1);
}
extern "C" __global__ void spaces(int *generic, int *out)
{
    __shared__ int s[4];
    int l[4] = {1, 2, 3, 4};
    int *p = out[0] ? s : out[1] ? l : generic;
    out[2] = __isGlobal(p) + __isShared(p) * 2 + __isLocal(p) * 4 + __isConstant(p) * 8;
    out[3] = p[out[4]];
    out[5] = (int) __cvta_generic_to_shared(s) + (int) (long long) __cvta_generic_to_global(generic);
}
