package io.ptx4j.jit.code;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** Methods and fields that generated code uses, looked up once: a kernel names the same few hundred over and over. */
final class Members {
    /**
     * A public method as an instruction names it.
     *
     * @param owner internal name of the class it is called on
     * @param result null if it has none
     */
    record Callee(int opcode, String owner, String name, String descriptor, boolean ofInterface, JvmType[] operands, JvmType result) {
    }

    /** A public field as an instruction names it. */
    record FieldOf(String owner, String name, String descriptor, JvmType type) {
    }

    /** What code asks for; {@code parameters} is null for the only method of that name. */
    private record Wanted(Class<?>[] parameters, Callee callee) {
    }

    private static final Map<Class<?>, Map<String, Wanted[]>> CALLEES = new ConcurrentHashMap<>();
    private static final Wanted[] NONE = {};
    private static final Map<Class<?>, Map<String, FieldOf>> FIELDS = new ConcurrentHashMap<>();

    private Members() {
    }

    /**
     * @param parameters null for the only public method {@code name} of {@code holder}
     * @throws IllegalStateException unless there is exactly one such method
     */
    static Callee callee(Class<?> holder, String name, Class<?>... parameters) {
        Map<String, Wanted[]> methods = CALLEES.computeIfAbsent(holder, h -> new ConcurrentHashMap<>());
        for (Wanted known : methods.getOrDefault(name, NONE)) {
            if (Arrays.equals(known.parameters, parameters)) {
                return known.callee;
            }
        }
        Callee found = describe(holder, find(holder, name, parameters));
        methods.merge(name, new Wanted[] {new Wanted(parameters, found)}, Members::both);
        return found;
    }

    private static Wanted[] both(Wanted[] some, Wanted[] more) {
        Wanted[] all = Arrays.copyOf(some, some.length + more.length);
        System.arraycopy(more, 0, all, some.length, more.length);
        return all;
    }

    private static Method find(Class<?> holder, String name, Class<?>[] parameters) {
        List<Method> named = Arrays.stream(holder.getMethods()).filter(m -> m.getName().equals(name))
                .filter(m -> parameters == null || Arrays.equals(m.getParameterTypes(), parameters)).toList();
        // A public method of a hidden superclass is there as a bridge only.
        List<Method> own = named.stream().filter(m -> !m.isBridge()).toList();
        List<Method> found = own.isEmpty() ? named : own;
        if (found.size() != 1) {
            throw new IllegalStateException(found.size() + " methods " + name + " in " + holder);
        }
        return found.getFirst();
    }

    private static Callee describe(Class<?> holder, Method method) {
        boolean isStatic = Modifier.isStatic(method.getModifiers());
        int opcode = isStatic ? Opcodes.INVOKESTATIC : holder.isInterface() ? Opcodes.INVOKEINTERFACE : Opcodes.INVOKEVIRTUAL;
        String descriptor = Type.getMethodDescriptor(method);
        return new Callee(opcode, Type.getInternalName(holder), method.getName(), descriptor, holder.isInterface(),
                operands(descriptor, isStatic), JvmType.result(descriptor));
    }

    private static JvmType[] operands(String descriptor, boolean isStatic) {
        JvmType[] arguments = JvmType.arguments(descriptor);
        if (isStatic) {
            return arguments;
        }
        JvmType[] all = new JvmType[arguments.length + 1];
        all[0] = JvmType.REFERENCE;
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        return all;
    }

    /** @throws IllegalStateException if {@code holder} has no such public field */
    static FieldOf field(Class<?> holder, String name) {
        return FIELDS.computeIfAbsent(holder, h -> new ConcurrentHashMap<>()).computeIfAbsent(name, n -> {
            try {
                Type type = Type.getType(holder.getField(name).getType());
                return new FieldOf(Type.getInternalName(holder), name, type.getDescriptor(), JvmType.of(type));
            } catch (NoSuchFieldException e) {
                throw new IllegalStateException("no public field " + name + " in " + holder, e);
            }
        });
    }
}
