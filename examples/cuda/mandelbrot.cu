// The Mandelbrot set as an RGB picture, 3 bytes a pixel, rows from the top.
// Pixel (px, py) stands for the point (x0 + px·dx, y0 + py·dy). Points that stay within |z| ≤ 2
// for maxIter steps are black; the others are coloured by the step at which they leave.

__constant__ unsigned char COLOURS[8][3] = {
    {12, 16, 64}, {24, 72, 148}, {60, 140, 200}, {180, 220, 232},
    {248, 236, 176}, {248, 176, 40}, {176, 84, 16}, {72, 24, 40},
};

extern "C" __global__ void mandelbrot(unsigned char *rgb, int w, int h, float x0, float y0, float dx, float dy, int maxIter)
{
    int px = blockIdx.x * blockDim.x + threadIdx.x;
    int py = blockIdx.y * blockDim.y + threadIdx.y;
    if (px >= w || py >= h)
        return;
    float cx = __fmaf_rn((float) px, dx, x0);
    float cy = __fmaf_rn((float) py, dy, y0);
    float x = 0.0f, y = 0.0f;
    int step = 0;
    while (step < maxIter) {
        float xx = __fmul_rn(x, x), yy = __fmul_rn(y, y);
        if (__fadd_rn(xx, yy) > 4.0f)
            break;
        y = __fmaf_rn(__fadd_rn(x, x), y, cy);
        x = __fadd_rn(__fsub_rn(xx, yy), cx);
        step++;
    }
    unsigned char *pixel = rgb + 3 * ((long long) py * w + px);
    int band = step / 8 % 8, within = step % 8;
    for (int channel = 0; channel < 3; channel++) {
        int from = COLOURS[band][channel], to = COLOURS[(band + 1) % 8][channel];
        pixel[channel] = step == maxIter ? 0 : from + (to - from) * within / 8;
    }
}
