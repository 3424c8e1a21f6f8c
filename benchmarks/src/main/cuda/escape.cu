// The steps after which points leave the Mandelbrot set's circle, one number for each: a divergent loop and nothing else.

extern "C" __global__ void escape(int *steps, int w, int h, float x0, float y0, float dx, float dy, int limit)
{
    int px = blockIdx.x * blockDim.x + threadIdx.x;
    int py = blockIdx.y * blockDim.y + threadIdx.y;
    if (px >= w || py >= h)
        return;
    float cx = __fmaf_rn((float) px, dx, x0);
    float cy = __fmaf_rn((float) py, dy, y0);
    float x = 0.0f, y = 0.0f;
    int step = 0;
    while (step < limit) {
        float xx = __fmul_rn(x, x), yy = __fmul_rn(y, y);
        if (__fadd_rn(xx, yy) > 4.0f)
            break;
        y = __fmaf_rn(__fadd_rn(x, x), y, cy);
        x = __fadd_rn(__fsub_rn(xx, yy), cx);
        step++;
    }
    steps[py * w + px] = step;
}
