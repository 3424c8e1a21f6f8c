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
     * @param inlined as {@link Code#inlined()} counts
     */
    record Callee(int opcode, String owner, String name, String descriptor, boolean ofInterface, JvmType[] operands, JvmType result, int inlined) {
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
    private static final String MASK = "Ljdk/incubator/vector/VectorMask;";

    private Members() {
    }

    /**
     * @param parameters null for the only public method {@code name} of {@code holder}
     * @throws IllegalStateException unless there is exactly one such method
     */
    static Callee callee(Class<?> holder, String name, Class<?>... parameters) {
        Map<String, Wanted[]> methods = byName(CALLEES, holder);
        for (Wanted known : methods.getOrDefault(name, NONE)) {
            if (Arrays.equals(known.parameters, parameters)) {
                return known.callee;
            }
        }
        Callee found = describe(holder, find(holder, name, parameters));
        methods.merge(name, new Wanted[] {new Wanted(parameters, found)}, Members::both);
        return found;
    }

    private static <T> Map<String, T> byName(Map<Class<?>, Map<String, T>> all, Class<?> holder) {
        Map<String, T> known = all.get(holder);
        return known != null ? known : all.computeIfAbsent(holder, h -> new ConcurrentHashMap<>());
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
        String owner = Type.getInternalName(holder);
        return new Callee(opcode, owner, method.getName(), descriptor, holder.isInterface(), operands(descriptor, isStatic), JvmType.result(descriptor),
                inlined(owner, method.getName(), descriptor));
    }

    /**
     * Methods that HotSpot's first compiler (JDK 25) inlines below a call of the Vector API, counted in its log of compilations; of accesses to memory, what they take
     * of the room that others have: it took 49 loads or stores in a method, 14 stores under a mask, 99 loads from arrays and 124 stores to them.
     */
    private static int inlined(String owner, String callee, String descriptor) {
        if (!owner.startsWith("jdk/incubator/vector/") && !owner.equals("java/lang/foreign/MemorySegment")) {
            return 0;
        }
        return switch (callee) {
            case "fromMemorySegment" -> descriptor.contains(MASK) ? 350 : 25;
            case "intoMemorySegment" -> descriptor.contains(MASK) ? 90 : 25;
            case "get" -> 27;
            case "fromArray" -> 15;
            case "intoArray" -> 9;
            case "fromLong" -> 7;
            case "broadcast" -> 6;
            case "lanewise" -> descriptor.contains(";I)") || descriptor.contains(";J)") ? 4 : 0;
            case "selectFrom" -> owner.endsWith("LongVector") ? 8 : 5;
            case "reinterpretAsInts", "reinterpretAsFloats", "reinterpretAsDoubles" -> 3;
            case "reinterpretAsLongs" -> owner.endsWith("IntVector") ? 20 : 3;
            default -> 0;
        };
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
        Map<String, FieldOf> fields = byName(FIELDS, holder);
        FieldOf known = fields.get(name);
        return known != null ? known : fields.computeIfAbsent(name, n -> describe(holder, n));
    }

    private static FieldOf describe(Class<?> holder, String field) {
        try {
            Type type = Type.getType(holder.getField(field).getType());
            return new FieldOf(Type.getInternalName(holder), field, type.getDescriptor(), JvmType.of(type));
        } catch (NoSuchFieldException e) {
            throw new IllegalStateException("no public field " + field + " in " + holder, e);
        }
    }
}
