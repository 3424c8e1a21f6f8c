package io.ptx4j.engine;

import io.ptx4j.ir.Module;
import io.ptx4j.ir.Variable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** A module whose variables have their place in device memory. */
public final class Program {
    /** Function addresses are this plus the function's index times 16; nothing is mapped there. */
    private static final long FUNCTIONS = 0x7E00_0000_0000L;

    /** Stack of a thread in bytes when nobody asks for another. */
    public static final int DEFAULT_STACK = 32 << 10;

    /** Names that every device supplies, for programs that only are looked at. */
    private static final Map<String, DeviceFunction> BUILT_IN = Map.of("malloc", Program::unplaced, "free", Program::unplaced);

    private final Module module;
    private final int stackBytes;
    private final Map<String, DeviceFunction> external;
    private final ProgramLimits limits;
    private final long[] addresses;
    private final long constBase;
    private final List<String> functions;
    private final Set<Check> checks;
    private final boolean goesOn;
    private final Set<Integer> benignLines;
    private volatile CodeStore store;
    private volatile Approximations approximations = Approximations.PORTABLE;
    private final Map<Object, Kept> cache = new ConcurrentHashMap<>();

    private static final class Kept {
        private Object value;
    }

    /**
     * @param addresses generic address by {@link Variable#index()} of every {@code .global} variable (0 for others)
     * @param constBase generic address of the module's constant window
     */
    public Program(Module module, long[] addresses, long constBase) {
        this(module, addresses, constBase, DEFAULT_STACK, BUILT_IN, Set.of(), false, Set.of(), ProgramLimits.NONE);
    }

    /**
     * @param stackBytes stack of each thread of a kernel that needs one, beyond variables in fixed places: for recursion,
     *     functions called out of line and {@code alloca}
     * @param external functions that the module may call without defining them, by name
     * @param checks what its kernels are watched for; what they are compiled to depends on it
     * @param goesOn whether launches go on behind races and reads of unwritten bytes; what kernels are compiled to depends on it too
     * @param benignLines lines of the module whose accesses race with nothing; what kernels are compiled to depends on them too
     * @param limits what its kernels may cost; what they are compiled to depends on it too
     */
    public Program(
            Module module, long[] addresses, long constBase, int stackBytes, Map<String, DeviceFunction> external, Set<Check> checks,
            boolean goesOn, Set<Integer> benignLines, ProgramLimits limits) {
        this.goesOn = goesOn;
        this.benignLines = Set.copyOf(benignLines);
        this.limits = limits;
        this.checks = Set.copyOf(checks);
        this.external = Map.copyOf(external);
        this.module = module;
        this.stackBytes = stackBytes;
        this.addresses = addresses.clone();
        this.constBase = constBase;
        this.functions = new ArrayList<>(module.functions().keySet());
        this.functions.addAll(module.kernels().keySet());
    }

    private static void unplaced(DeviceCall call) {
        throw new IllegalStateException("this program has no device");
    }

    public Module module() {
        return module;
    }

    /** Where engines may keep what they generate for it; null for nowhere. */
    public CodeStore store() {
        return store;
    }

    /** Lets engines keep what they generate for it. */
    public void keepIn(CodeStore keeps) {
        store = keeps;
    }

    /** What its approximate instructions give; what kernels are compiled to depends on it. */
    public Approximations approximations() {
        return approximations;
    }

    /** Says what its approximate instructions give, before any kernel is prepared. */
    public void approximate(Approximations wanted) {
        approximations = wanted;
    }

    /** All that generated code may depend on beside the module and {@link #checks()} and {@link #limits()}, as text. */
    public String identity() {
        return Arrays.toString(addresses) + constBase + "," + stackBytes + "," + approximations + new TreeSet<>(external.keySet());
    }

    /** What its kernels are watched for; launches of a program that asks for anything have a {@link Grid#checks()}. */
    public Set<Check> checks() {
        return checks;
    }

    /** Whether launches go on behind races and reads of unwritten bytes, and gather them in {@link io.ptx4j.engine.checks.LaunchChecks#findings()}. */
    public boolean goesOn() {
        return goesOn;
    }

    /** Whether no access in a line of the module counts as part of a race. */
    public boolean isBenign(int line) {
        return benignLines.contains(line);
    }

    /** Stack of each thread in bytes, a multiple of 16. */
    public int stackBytes() {
        return stackBytes;
    }

    /** What its kernels may cost. */
    public ProgramLimits limits() {
        return limits;
    }

    /** What runs when a kernel calls {@code name}, which has no body in the module; null if nobody supplies it. */
    public DeviceFunction function(String name) {
        return external.get(name);
    }

    /** Generic address of a {@code .global} variable. */
    public long address(Variable variable) {
        return addresses[variable.index()];
    }

    /** Generic address of the constant window. */
    public long constBase() {
        return constBase;
    }

    /** What taking the address of {@code function} gives. */
    public long functionAddress(String function) {
        return FUNCTIONS + 16L * functions.indexOf(function);
    }

    /** Function {@code number} of the module, in its order. */
    public String functionNamed(int number) {
        return functions.get(number);
    }

    /** The function at {@code address}, or null. */
    public String functionAt(long address) {
        long index = (address - FUNCTIONS) / 16;
        return address % 16 == 0 && address >= FUNCTIONS && index < functions.size() ? functions.get((int) index) : null;
    }

    /** What an engine keeps for this program under {@code key}, made once; making one thing may ask for another. */
    @SuppressWarnings("unchecked")
    public <T> T cached(Object key, Supplier<T> make) {
        Kept kept = cache.computeIfAbsent(key, ignored -> new Kept());
        synchronized (kept) {
            if (kept.value == null) {
                kept.value = make.get();
            }
            return (T) kept.value;
        }
    }
}
