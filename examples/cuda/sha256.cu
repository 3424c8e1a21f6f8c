// SHA-256 (FIPS 180-4): of many messages of one length, and of its own digests again and again.

__constant__ unsigned ROUND[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

struct Digest {
    unsigned word[8];
};

__device__ Digest firstDigest()
{
    return {{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};
}

__device__ unsigned rotate(unsigned x, int bits)
{
    return __funnelshift_r(x, x, bits);
}

// Takes the next 64 bytes into the digest; all 64 rounds are unrolled, w holds the last 16 words of the schedule.
__device__ Digest compress(const Digest &digest, unsigned w[16])
{
    unsigned a = digest.word[0], b = digest.word[1], c = digest.word[2], d = digest.word[3];
    unsigned e = digest.word[4], f = digest.word[5], g = digest.word[6], h = digest.word[7];
#pragma unroll
    for (int t = 0; t < 64; t++) {
        if (t >= 16) {
            unsigned early = w[(t + 1) % 16], late = w[(t + 14) % 16];
            unsigned s0 = rotate(early, 7) ^ rotate(early, 18) ^ (early >> 3);
            unsigned s1 = rotate(late, 17) ^ rotate(late, 19) ^ (late >> 10);
            w[t % 16] += s0 + w[(t + 9) % 16] + s1;
        }
        unsigned choice = (e & f) ^ (~e & g);
        unsigned majority = (a & b) ^ (a & c) ^ (b & c);
        unsigned t1 = h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + choice + ROUND[t] + w[t % 16];
        unsigned t2 = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + majority;
        h = g;
        g = f;
        f = e;
        e = d + t1;
        d = c;
        c = b;
        b = a;
        a = t1 + t2;
    }
    return {{digest.word[0] + a, digest.word[1] + b, digest.word[2] + c, digest.word[3] + d,
        digest.word[4] + e, digest.word[5] + f, digest.word[6] + g, digest.word[7] + h}};
}

// Byte `at` of a message with its padding, which ends with the length in bits at byte `end`.
__device__ unsigned paddedByte(const unsigned char *message, unsigned length, unsigned at, unsigned end)
{
    if (at < length)
        return message[at];
    if (at == length)
        return 0x80;
    if (at < end - 8)
        return 0;
    unsigned long long bits = 8ull * length;
    return (unsigned) (bits >> 8 * (end - 1 - at)) & 0xff;
}

// Thread i hashes the bytes [i·length, (i+1)·length) of messages into the bytes [32·i, 32·i + 32) of digests.
extern "C" __global__ void sha256(unsigned count, unsigned length, const unsigned char *messages, unsigned *digests)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    const unsigned char *message = messages + (size_t) i * length;
    unsigned end = (length + 9 + 63) / 64 * 64;
    Digest digest = firstDigest();
    for (unsigned start = 0; start < end; start += 64) {
        unsigned w[16];
#pragma unroll
        for (int k = 0; k < 16; k++) {
            unsigned word = 0;
#pragma unroll 1
            for (int byte = 0; byte < 4; byte++)
                word = word << 8 | paddedByte(message, length, start + 4 * k + byte, end);
            w[k] = word;
        }
        digest = compress(digest, w);
    }
    for (int k = 0; k < 8; k++)
        digests[8 * i + k] = __byte_perm(digest.word[k], 0, 0x0123);
}

// Thread i hashes the 64 bytes that are the big-endian number first + i sixteen times, then the digest
// written twice, and so on: `iterations` hashes in all. It stores the words of the last digest as numbers.
extern "C" __global__ void sha256_chain(unsigned count, unsigned first, unsigned iterations, unsigned *digests)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    Digest digest;
    for (int k = 0; k < 8; k++)
        digest.word[k] = first + i;
    for (unsigned iteration = 0; iteration < iterations; iteration++) {
        unsigned message[16], padding[16] = {};
#pragma unroll
        for (int k = 0; k < 16; k++)
            message[k] = digest.word[k % 8];
        padding[0] = 0x80000000;
        padding[15] = 512;
        digest = compress(compress(firstDigest(), message), padding);
    }
    for (int k = 0; k < 8; k++)
        digests[8 * i + k] = digest.word[k];
}
