// Prices of European call and put options; the normal distribution by a polynomial in 1 / (1 + 0.2316419 |d|).

__device__ float normal(float d)
{
    float k = __fdividef(1.0f, __fmaf_rn(0.2316419f, fabsf(d), 1.0f));
    float p = __fmaf_rn(k, 1.330274429f, -1.821255978f);
    p = __fmaf_rn(k, p, 1.781477937f);
    p = __fmaf_rn(k, p, -0.356563782f);
    p = __fmaf_rn(k, p, 0.319381530f);
    float tail = 0.39894228f * __expf(-0.5f * d * d) * (k * p);
    return d > 0.0f ? 1.0f - tail : tail;
}

extern "C" __global__ void black_scholes(unsigned n, float rate, float volatility, const float *spot, const float *strike,
    const float *years, float *call, float *put)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = spot[i], x = strike[i], t = years[i];
    float root = __fsqrt_rn(t);
    float d1 = __fdividef(__logf(__fdividef(s, x)) + (rate + 0.5f * volatility * volatility) * t, volatility * root);
    float d2 = d1 - volatility * root;
    float n1 = normal(d1), n2 = normal(d2);
    float discounted = x * __expf(-rate * t);
    call[i] = s * n1 - discounted * n2;
    put[i] = discounted * (1.0f - n2) - s * (1.0f - n1);
}
