package io.ptx4j.jit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ptx4j.check.CheckedModule;
import io.ptx4j.check.Checker;
import io.ptx4j.engine.BlockShape;
import io.ptx4j.engine.Program;
import io.ptx4j.ir.Module;
import io.ptx4j.jit.code.Code;
import io.ptx4j.syntax.SourceFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

class GeneratedClassTest {
    private static final String HEAD = """
            .version 8.0
            .target sm_75
            .address_size 64
            .visible .entry k(.param .u64 out)
            {
            .reg .b32 %r<200>;
            .reg .b64 %rd<4>;
            ld.param.u64 %rd1, [out];
            mov.u32 %r0, %tid.x;
            """;
    private static final String TAIL = """
            mul.wide.u32 %rd2, %r0, 4;
            add.u64 %rd3, %rd1, %rd2;
            st.global.u32 [%rd3], %r1;
            ret;
            }
            """;

    private static GeneratedClass compile(String statements) {
        return compile(Jit.Shape.SCALAR, statements);
    }

    private static GeneratedClass compile(Jit.Shape shape, String statements) {
        CheckedModule checked = Checker.check(new SourceFile("kernel.ptx", HEAD + statements + TAIL));
        assertEquals("[]", checked.diagnostics().toString());
        Module module = checked.module();
        return new Jit(shape).classOf(new Program(module, new long[module.variableCount()], 0), module.kernels().get("k"), new BlockShape(64, 1, 1));
    }

    @Test
    void methodsThatAccessMemoryOftenCallThroughHandles() {
        assertEquals(0, linkedCalls(compile("ld.global.u32 %r1, [%rd1];\n".repeat(10))));
        assertEquals(31, linkedCalls(compile("ld.global.u32 %r1, [%rd1];\n".repeat(30))));
    }

    private static int linkedCalls(GeneratedClass generated) {
        int[] found = new int[1];
        new ClassReader(generated.bytes()).accept(new ClassVisitor(Opcodes.ASM9) {
            @Override
            public MethodVisitor visitMethod(int access, String name, String descriptor, String signature, String[] exceptions) {
                return new MethodVisitor(Opcodes.ASM9) {
                    @Override
                    public void visitInvokeDynamicInsn(String callee, String type, Handle bootstrap, Object... arguments) {
                        found[0]++;
                    }
                };
            }
        }, 0);
        return found[0];
    }

    /** A vector would stay in no register over a call from which the loop goes on. */
    @ParameterizedTest
    @EnumSource(names = {"SCALAR", "VECTOR"})
    void noLoopCallsAnythingToAskWhetherToGoOn(Jit.Shape shape) {
        GeneratedClass generated = compile(shape, """
                mov.u32 %r1, 0;
                mov.u32 %r2, %r0;
                .reg .pred %p;
                LOOP:
                mad.lo.u32 %r1, %r1, 1664525, %r0;
                shf.l.wrap.b32 %r1, %r1, %r1, %r2;
                shr.u32 %r2, %r2, 1;
                setp.ne.u32 %p, %r2, 0;
                @%p bra LOOP;
                """);
        List<String> asked = new ArrayList<>();
        new ClassReader(generated.bytes()).accept(new ClassVisitor(Opcodes.ASM9) {
            @Override
            public MethodVisitor visitMethod(int access, String name, String descriptor, String signature, String[] exceptions) {
                return new MethodVisitor(Opcodes.ASM9) {
                    private boolean cancelled;

                    @Override
                    public void visitMethodInsn(int opcode, String owner, String callee, String type, boolean ofInterface) {
                        if (owner.endsWith("/Polls")) {
                            cancelled = callee.equals("cancelled");
                            asked.add(callee);
                        }
                    }

                    @Override
                    public void visitInsn(int opcode) {
                        if (cancelled && opcode == Opcodes.ATHROW) {
                            asked.set(asked.size() - 1, "ended");
                        }
                        cancelled = false;
                    }
                };
            }
        }, 0);
        assertEquals(Set.of("ended"), Set.copyOf(asked));
    }

    @Test
    void debuggersSeeThePtxTextItsLinesAndItsRegisters() {
        Set<Integer> lines = new TreeSet<>();
        Set<String> locals = new TreeSet<>();
        String[] source = new String[1];
        new ClassReader(compile("add.u32 %r1, %r0, 7;\n").bytes()).accept(new ClassVisitor(Opcodes.ASM9) {
            @Override
            public void visitSource(String name, String debug) {
                source[0] = name;
            }

            @Override
            public MethodVisitor visitMethod(int access, String name, String descriptor, String signature, String[] exceptions) {
                return new MethodVisitor(Opcodes.ASM9) {
                    @Override
                    public void visitLineNumber(int line, Label start) {
                        lines.add(line);
                    }

                    @Override
                    public void visitLocalVariable(String local, String type, String signature, Label start, Label end, int index) {
                        locals.add(local);
                    }
                };
            }
        }, 0);
        assertEquals("kernel.ptx", source[0]);
        assertTrue(lines.containsAll(Set.of(8, 9, 10, 11, 12, 13)), lines.toString());
        assertTrue(locals.containsAll(Set.of("%r0", "%r1", "%rd1", "%rd2", "%rd3", "thread")), locals.toString());
    }

    @Test
    void noMethodOfALargeKernelIsTooLargeForHotSpot() {
        Random random = new Random(7);
        StringBuilder statements = new StringBuilder();
        for (int i = 1; i < 200; i++) {
            statements.append("add.u32 %r").append(i).append(", %r0, ").append(i).append(";\n");
        }
        String[] operations = {"add.u32", "xor.b32", "mul.lo.u32", "sub.u32", "and.b32"};
        for (int i = 0; i < 45_000; i++) {
            statements.append(operations[random.nextInt(operations.length)]).append(" %r").append(1 + random.nextInt(199)).append(", %r")
                    .append(random.nextInt(200)).append(", %r").append(random.nextInt(200)).append(";\n");
        }
        for (int i = 2; i < 200; i++) {
            statements.append("xor.b32 %r1, %r1, %r").append(i).append(";\n");
        }
        int largest = compile(statements.toString()).largestMethod();
        assertTrue(largest <= Code.LIMIT && largest > Code.LIMIT / 8, "largest method has " + largest + " bytecodes");
    }

    /** A function out of line, of whose caller many registers live on: each call stores them, and loads them again. */
    @Test
    void noMethodOfAKernelWithCallsOutOfLineIsTooLargeForHotSpot() {
        StringBuilder body = new StringBuilder();
        int live = 150;
        for (int k = 0; k < 1500; k++) {
            if (k % 500 == 250) {
                body.append("{ .param .b32 a; .param .b32 b; st.param.b32 [a], %r").append(k % live).append("; call.uni (b), f, (a); ld.param.b32 %r").append(k % live).append(", [b]; }\n");
            }
            body.append("mad.lo.u32 %%r%d, %%r%d, %%r%d, %%r%d;\n".formatted(k % live, k * 7 % live, k * 11 % live, (k + 1) % live));
        }
        String text = """
                .version 8.0
                .target sm_75
                .address_size 64
                .func (.param .b32 result) f(.param .b32 n)
                {
                .reg .b32 %r<200>; .reg .pred %p;
                ld.param.b32 %r1, [n]; setp.eq.u32 %p, %r1, 0; @%p bra OUT; sub.u32 %r1, %r1, 1;
                BODY
                OUT: st.param.b32 [result], %r1; ret;
                }
                .visible .entry k(.param .u64 out)
                {
                .reg .b32 %r<2>; .reg .b64 %rd<2>;
                { .param .b32 a; .param .b32 b; st.param.b32 [a], 3; call.uni (b), f, (a); ld.param.b32 %r1, [b]; }
                ld.param.u64 %rd1, [out]; st.global.u32 [%rd1], %r1; ret;
                }
                """.replace("BODY", body);
        CheckedModule checked = Checker.check(new SourceFile("kernel.ptx", text));
        assertEquals("[]", checked.diagnostics().toString());
        Module module = checked.module();
        int largest = new Jit(Jit.Shape.SCALAR).classOf(new Program(module, new long[module.variableCount()], 0), module.kernels().get("k"), new BlockShape(64, 1, 1)).largestMethod();
        assertTrue(largest <= 8000, () -> largest + " bytecodes");
    }

    @Test
    void noMethodOfAKernelWithJumpsToManyPlacesIsTooLargeForHotSpot() {
        Random random = new Random(7);
        StringBuilder statements = new StringBuilder(".reg .pred %p;\nmov.b32 %r1, 0;\n");
        int blocks = 1_500;
        for (int block = 0; block < blocks; block++) {
            statements.append("L").append(block).append(":\n");
            for (int i = 0; i < 10; i++) {
                statements.append("mad.lo.u32 %r1, %r1, ").append(random.nextInt(1 << 20)).append(", %r0;\n");
            }
            statements.append("setp.gt.u32 %p, %r1, ").append(random.nextInt(1 << 20)).append(";\n");
            statements.append("@%p bra L").append(block + 1 + random.nextInt(blocks - block)).append(";\n");
        }
        statements.append("L").append(blocks).append(":\n");
        int largest = compile(statements.toString()).largestMethod();
        assertTrue(largest <= Code.LIMIT && largest > Code.LIMIT / 8, "largest method has " + largest + " bytecodes");
    }
}
