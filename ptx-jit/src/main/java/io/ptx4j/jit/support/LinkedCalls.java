package io.ptx4j.jit.support;

import java.lang.invoke.CallSite;
import java.lang.invoke.ConstantCallSite;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Call sites that call a method of this package through its handle, for code with more accesses to memory than HotSpot's second compiler inlines.
 * Once what it has read of a method comes to 18,000 nodes ({@code NodeCountInliningCutoff}; an access takes some 700), it leaves further calls as they are,
 * but puts those that it meets in the code of a method handle off until later, when most of these nodes are gone, and inlines them then.
 */
public final class LinkedCalls {
    private static final Map<Callee, CallSite> SITES = new ConcurrentHashMap<>();

    private record Callee(Class<?> owner, String name, MethodType type) {
    }

    private LinkedCalls() {
    }

    /** Bootstraps a call of the static method; all calls of a method share one site, which makes linking cheap. */
    public static CallSite link(MethodHandles.Lookup caller, String name, MethodType type, Class<?> owner) throws ReflectiveOperationException {
        Callee callee = new Callee(owner, name, type);
        CallSite site = SITES.get(callee);
        if (site == null) {
            site = new ConstantCallSite(caller.findStatic(owner, name, type));
            SITES.put(callee, site);
        }
        return site;
    }
}
