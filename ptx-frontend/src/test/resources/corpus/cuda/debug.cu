// build: debug.sm_75 -arch=sm_75 -G
// build: debug.sm_100 -arch=sm_100 -G
// build: debug.sm_100.lineinfo -arch=sm_100 -lineinfo
// What debug information describes: types, templates, inlined functions, lexical blocks, statics.
namespace shapes {
enum Colour { Red = 1, Green = 2 };
template <typename T, int N> struct Stack {
    T items[N];
    int top = 0;
    __device__ void push(T t) { items[top++] = t; }
    __device__ T pop() { return items[--top]; }
};
struct Point { float x, y; Colour colour; const Point *next; };
}
static __device__ int calls;
__device__ __forceinline__ float length(const shapes::Point &p) { return sqrtf(p.x * p.x + p.y * p.y); }
extern "C" __global__ void walk(const shapes::Point *points, int n, float *out)
{
    shapes::Stack<int, 8> stack;
    float total = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        const shapes::Point &p = points[i];
        if (p.colour == shapes::Red) {
            float l = length(p);
            stack.push((int) l);
            total += l;
        } else {
            auto half = [&](float f) { return f * 0.5f; };
            total += half(length(p));
        }
        if (stack.top == 8)
            while (stack.top > 0)
                total -= stack.pop();
    }
    calls++;
    out[threadIdx.x] = total;
}
