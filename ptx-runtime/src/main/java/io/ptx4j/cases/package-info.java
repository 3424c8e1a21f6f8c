/**
 * Case files: PTX texts whose first comment lines say how to launch their kernels and what must come out.
 *
 * <pre>{@code
 * // launch: saxpy grid=4 block=256 shared=0      grid and block: 1 to 3 counts, as in grid=2,4
 *                                                also cluster=2,1 and the word cooperative
 * // arg: n: u32 = 1000                           a scalar
 * // arg: p: struct[16] = u32 1, f32 2.5          a struct by value, members at their natural alignment
 * // arg: v: f32[4] = 1, 2, 3, 4                  an array by value
 * // arg: x: buffer f32[1000] = iota              a new buffer: iota | zero | fill V | random SEED | @file.bin | V, V, ...
 * // arg: t: texture f32x4 2d 8x6 filter wrap normalized = iota     a texture: type x channels, shape, how it is read
 * // arg: s: surface u32x1 a2d 8x6x3 = zero        a surface; shapes: linear 1d 2d 3d a1d a2d cube acube 2dms a2dms
 * // arg: m: multicast f32[8] = iota | zero       a multicast buffer over two new buffers, m0 and m1
 * // bind: u: texture u8x1 1d 16 = iota            an image for the module's variable u, no argument
 * // arg: m: tensor x u32 64x16 box 32x8 swizzle 128      a tensor map, 128 bytes by value, of the tensor in buffer x
 * // arg: x                                       the same buffer, scalar or a variable of the module again
 * // arg: x + 16                                  an address 16 bytes into it
 * // expect: x[0..3] = 0.0, 1.0, 2.0, 3.0 +- 2ulp the result, exact to the bit unless an error is allowed
 * // expect: counter = 5                          the only element; also of a variable of the module
 * // expect: table: u16[3..5] = fill 7            read as another type
 * // check: memory, init, race, sync              the device watches kernels for these; buffers may also be "= unwritten"
 * // benign: flag                                races on this buffer or variable are none
 * // matrix: hopper                               matrix instructions add up as an H100 does
 * // approximations: hopper                       ex2, sin, rcp and so on give the bits of an H100
 * // fault: out-of-bounds 12 block=1 thread=3     the last launch must fail so, in that line; block and thread may be left out
 * // show: rgb png 640x480 rgb                     the buffer is a picture, for ptx run --out rgb=a.png; or gray
 * // problem: 12:5 no form of 'add' takes ...     the text must not compile, for exactly such reasons
 * // diagnostic: operand-count 12 takes 3          must not compile: these codes in these lines and no others, each with such words
 * }</pre>
 *
 * Of an image the size is followed by the number of layers and of samples, then {@code levels N}; a texture is read as {@code filter},
 * {@code mipfilter}, {@code wrap}, {@code mirror}, {@code clamp}, {@code border}, {@code normalized}, {@code float} and {@code srgb} say. A variable of
 * the module that is a texture or surface stands for the image of its name. Its texels are a buffer of that name.
 *
 * A tensor map moves a {@code box}, or pixels: {@code im2col -1x-1 to 0x0 channels 4 pixels 64} between two corners (W first), or
 * {@code im2col::w -1 to 0 channels 32 pixels 64}. Behind that may stand {@code every 1x2x2x1} (element strides), {@code swizzle 32},
 * 64 or 128, and {@code nan} for what fills in outside the tensor.
 *
 * Integers are decimal or hexadecimal; for a float type {@code 0x...}, {@code 0f...} and {@code 0d...} give the bits, {@code nan}
 * expects any NaN. {@code +- 1e-6} (or {@code ±}) allows an absolute error, {@code +- 2ulp} one in units of the last place.
 * Counts may be products ({@code 1024*1024}). Several launches run in order over the same buffers; expectations are checked
 * after the last, also when it has failed as it must. Element {@code i} of {@code random SEED} is the number {@code r} that SplitMix64 finishes
 * {@code SEED * 0xD1B54A32D192ED03 + (i + 1) * 0x9E3779B97F4A7C15} to: for integers its low bits, for floats
 * {@code (r >>> 40) / 2^23 - 1}, which lies in [-1, 1), rounded to the type.
 */
package io.ptx4j.cases;
