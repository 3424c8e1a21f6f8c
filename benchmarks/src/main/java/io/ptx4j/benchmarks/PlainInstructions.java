package io.ptx4j.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.tools.JavaCompiler;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * The kernels of {@link InstructionBenchmark} as loops in Java: as many threads, turns, chains and instructions in a turn, made from what
 * Java writes for the instruction. Java has one rounding, so instructions with another one stand against that.
 */
final class PlainInstructions {
    /** A loop over threads; what it gives keeps it from being left out. */
    interface Loop {
        /** @param data for each thread its two sources, as the kernel loads them */
        long run(long[] data, int turns);
    }

    /**
     * By instruction as {@link InstructionBenchmark} spells it, with the same names; behind {@code where} methods that it calls, if any.
     * Words of carry chains are held zero-extended, halves as {@code short}s, as Java code would. A fused sum of halves rounds once: from
     * f64, through an f32 that is rounded to odd.
     */
    private static final Map<String, String> STATEMENTS = Map.ofEntries(
            Map.entry("add.f32 X, X, B", "X = X + B"),
            Map.entry("fma.f32 X, X, B, C", "X = Math.fma(X, B, C)"),
            Map.entry("add.f64 X, X, B", "X = X + B"),
            Map.entry("add.f64 X, X, Y", "X = X + Y"),
            Map.entry("mul.f64 X, X, B", "X = X * B"),
            Map.entry("mul.f64 X, X, Y", "X = X * Y"),
            Map.entry("fma.f64 X, X, B, C", "X = Math.fma(X, B, C)"),
            Map.entry("mul.f32 X, X, B", "X = X * B"),
            Map.entry("min.f32 X, X, Y", "X = X != X ? Y : Y != Y ? X : Math.min(X, Y)"),
            Map.entry("div.f32 X, B, X", "X = B / X"),
            Map.entry("sqrt.f32 X, X", "X = (float) Math.sqrt(X)"),
            Map.entry("ex2.approx.ftz.f32 X, X", "X = (float) Math.pow(2, X)"),
            Map.entry("sin.approx.f32 X, X", "X = (float) Math.sin(X)"),
            Map.entry("fma.f16x2 X, X, B, C", "X = both(X, B, C) where static int both(int x, int b, int c) {"
                    + "return half(x, b, c) & 0xffff | half(x >> 16, b >> 16, c >> 16) << 16; }"
                    + "static int half(int x, int b, int c) { long sum = Double.doubleToRawLongBits(Math.fma((double) Float.float16ToFloat((short) x),"
                    + "(double) Float.float16ToFloat((short) b), (double) Float.float16ToFloat((short) c)));"
                    + "return Float.floatToFloat16((float) Double.longBitsToDouble((sum | (sum & 0x1fffffff) + 0x1fffffff) & ~0x1fffffffL)); }"),
            Map.entry("add.u32 X, X, Y", "X = X + Y"),
            Map.entry("mul.hi.u32 X, X, B", "X = (int) ((X & 0xffffffffL) * (B & 0xffffffffL) >>> 32)"),
            Map.entry("mad.lo.u32 X, X, B, C", "X = X * B + C"),
            Map.entry("cvt.u32.u64 T, X; mad.wide.u32 X, T, S, Y", "X = (X & 0xffffffffL) * (S & 0xffffffffL) + Y"),
            Map.entry("mad.lo.cc.u32 X, X, B, C; addc.u32 X, X, C", "X = carry(X, B, C) where static long carry(long x, long b, long c) {"
                    + "long low = (x * b & 0xffffffffL) + c; return (low & 0xffffffffL) + c + (low >>> 32) & 0xffffffffL; }"),
            Map.entry("add.cc.u64 X, X, B; addc.u64 X, X, C", "X = carry(X, B, C) where static long carry(long x, long b, long c) {"
                    + "long low = x + b; return low + c + (Long.compareUnsigned(low, b) < 0 ? 1 : 0); }"),
            Map.entry("div.u32 X, X, B", "X = Integer.divideUnsigned(X, B)"),
            Map.entry("rem.u32 X, C, X", "X = X == 0 ? -1 : Integer.remainderUnsigned(C, X)"),
            Map.entry("popc.b32 X, Y", "X = Integer.bitCount(Y)"),
            Map.entry("bfe.u32 T, X, 5, 24; add.u32 X, T, Y", "X = (X >>> 5 & 0xffffff) + Y"),
            Map.entry("dp4a.u32.u32 X, X, B, C", "X = dot(X, B, C) where static int dot(int x, int b, int c) { return c + (x & 0xff) * (b & 0xff)"
                    + "+ (x >>> 8 & 0xff) * (b >>> 8 & 0xff) + (x >>> 16 & 0xff) * (b >>> 16 & 0xff) + (x >>> 24) * (b >>> 24); }"),
            Map.entry("lop3.b32 X, X, Y, C, 0x96", "X = X ^ Y ^ C"),
            Map.entry("prmt.b32 X, X, Y, 0x2143", "X = X >>> 24 | (Y & 0xff) << 8 | X << 8 & 0xffff0000"),
            Map.entry("prmt.b32 X, X, Y, C", "X = permute(X, Y, C) where static int permute(int x, int b, int c) {"
                    + "long all = x & 0xffffffffL | (long) b << 32; int sum = 0; for (int k = 0; k < 4; k++) { int s = c >> 4 * k & 15;"
                    + "int part = (int) (all >>> 8 * (s & 7)) & 0xff; sum |= (s > 7 ? (byte) part >> 7 & 0xff : part) << 8 * k; } return sum; }"),
            Map.entry("shf.l.wrap.b32 X, X, Y, 7", "X = Y << 7 | X >>> 25"),
            Map.entry("shf.l.wrap.b32 X, X, X, 7", "X = Integer.rotateLeft(X, 7)"),
            Map.entry("setp.lt.u32 Q, X, Y; selp.b32 T, B, C, Q; add.u32 X, X, T", "X = X + (Integer.compareUnsigned(X, Y) < 0 ? B : C)"),
            Map.entry("vadd.u32.u32.u32.sat X, X.h0, Y.b1", "X = (X & 0xffff) + (Y >>> 8 & 0xff)"),
            Map.entry("vabsdiff4.u32.u32.u32 X, X, B, C", "X = lanes(X, B) where static int lanes(int x, int b) { int sum = 0;"
                    + "for (int k = 0; k < 32; k += 8) { sum |= Math.abs((x >>> k & 0xff) - (b >>> k & 0xff)) << k; } return sum; }"),
            Map.entry("cvt.rni.s32.f32 T, X; cvt.f32.s32 X, T", "X = (int) Math.rint(X)"));

    private PlainInstructions() {
    }

    /** The loop in Java for an instruction of the benchmark, compiled. */
    static Loop loop(String instruction, InstructionBenchmark.Holding held, int chains, int unrolled) {
        // Java keeps the words of a carry chain zero-extended; the bits that a kernel loads are.
        var holding = instruction.contains(".cc.u32") ? InstructionBenchmark.Holding.LONG : held;
        String statement = STATEMENTS.get(instruction.replaceAll("\\.r[nzmp](?=[. ])", ""));
        if (statement == null) {
            throw new IllegalArgumentException("no Java for " + instruction);
        }
        String[] parts = statement.split(" where ");
        String all = IntStream.range(0, chains).mapToObj(k -> "x" + k).collect(Collectors.joining(", "));
        String text = """
                public class Plain implements io.ptx4j.benchmarks.PlainInstructions.Loop {
                    %s
                    public long run(long[] data, int turns) {
                        long sum = 0;
                        for (int t = 0; t < data.length; t += 2) {
                            %2$s b = %3$s, c = %7$s;
                            %2$s %4$s;
                            for (int i = 0; i < turns; i++) {
                                %5$s
                            }
                            sum ^= %6$s;
                        }
                        return sum;
                    }
                }
                """.formatted(parts.length > 1 ? parts[1] : "", holding.java, holding.fromBits.replace("bits", "data[t]"),
                all.replace(",", " = b,") + " = b",
                IntStream.range(0, unrolled).mapToObj(k -> parts[0].replaceAll("\\bX\\b", "x" + k % chains).replaceAll("\\bB\\b", "b")
                        .replaceAll("\\bC\\b", "c").replaceAll("\\bS\\b", "b").replaceAll("\\bY\\b", "x" + (k + 1) % chains) + ";").collect(Collectors.joining("\n")),
                IntStream.range(0, chains).mapToObj(k -> holding.toBits.replace("X", "x" + k)).collect(Collectors.joining(" ^ ")),
                holding.fromBits.replace("bits", "data[t + 1]"));
        return compiled(text);
    }

    /** A class of its own for each loop, which HotSpot compiles by itself. */
    private static Loop compiled(String text) {
        try {
            Path folder = Files.createTempDirectory("plain");
            JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
            var source = new SimpleJavaFileObject(URI.create("string:///io/ptx4j/benchmarks/Plain.java"), SimpleJavaFileObject.Kind.SOURCE) {
                @Override
                public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                    return "package io.ptx4j.benchmarks;\n" + text;
                }
            };
            String path = Path.of(URI.create(PlainInstructions.class.getProtectionDomain().getCodeSource().getLocation().toString())).toString();
            if (!compiler.getTask(null, null, null, List.of("-d", folder.toString(), "-cp", path, "-proc:none"), null, List.of(source)).call()) {
                throw new IllegalStateException("no Java: " + text);
            }
            Path file = folder.resolve("io/ptx4j/benchmarks/Plain.class");
            byte[] bytes = Files.readAllBytes(file);
            Files.delete(file);
            var lookup = MethodHandles.lookup().defineHiddenClass(bytes, true);
            return (Loop) lookup.findConstructor(lookup.lookupClass(), MethodType.methodType(void.class)).invoke();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}
