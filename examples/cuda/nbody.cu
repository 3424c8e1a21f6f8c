// Gravity between n bodies, softened by eps2. A body is (x, y, z, mass), a velocity (vx, vy, vz, unused).
// Each block reads the bodies through shared memory (16 bytes a thread), a tile of blockDim.x bodies at a time.

extern __shared__ float4 tile[];

__device__ float3 pull(float4 self, float4 other, float eps2, float3 sum)
{
    float dx = other.x - self.x, dy = other.y - self.y, dz = other.z - self.z;
    float distance2 = dx * dx + dy * dy + dz * dz + eps2;
    float inverse = rsqrtf(distance2);
    float strength = other.w * inverse * inverse * inverse;
    sum.x += dx * strength;
    sum.y += dy * strength;
    sum.z += dz * strength;
    return sum;
}

extern "C" __global__ void nbody_step(int n, float dt, float eps2, const float4 *bodies, float4 *velocities, float4 *moved)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 self = i < n ? bodies[i] : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    float3 sum = make_float3(0.0f, 0.0f, 0.0f);
    for (int start = 0; start < n; start += blockDim.x) {
        int other = start + threadIdx.x;
        tile[threadIdx.x] = other < n ? bodies[other] : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
        __syncthreads();
        for (int k = 0; k < blockDim.x; k++)
            sum = pull(self, tile[k], eps2, sum);
        __syncthreads();
    }
    if (i < n) {
        float4 v = velocities[i];
        v.x += dt * sum.x;
        v.y += dt * sum.y;
        v.z += dt * sum.z;
        velocities[i] = v;
        moved[i] = make_float4(self.x + dt * v.x, self.y + dt * v.y, self.z + dt * v.z, self.w);
    }
}
