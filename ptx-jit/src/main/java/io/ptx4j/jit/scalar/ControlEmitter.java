package io.ptx4j.jit.scalar;

import io.ptx4j.engine.DeviceCall;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.StateSpace;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.JvmType;
import io.ptx4j.jit.code.Local;
import io.ptx4j.jit.support.DeviceCalls;
import io.ptx4j.jit.support.Memory;

import java.util.List;

/**
 * Calls that are left when those to known functions have been inlined: to functions of the device runtime, and through an
 * address that is no function's.
 */
final class ControlEmitter {
    private ControlEmitter() {
    }

    static void emit(ThreadCode c, Instruction i) {
        if (!(i.operands().getFirst() instanceof Operand.Call call)) {
            throw new NoCode("not supported by the JIT");
        }
        if (call.function() == null) {
            c.pushLong(new Operand.Reg(call.target(), ScalarType.U64, false));
            c.code().call(DeviceCalls.class, "noFunction");
            return;
        }
        switch (call.function()) {
            case "vprintf" -> {
                c.code().load(c.worker);
                push(c, call.arguments(), JvmType.LONG, JvmType.LONG);
                c.code().call(DeviceCalls.class, "print");
                result(c, call.results());
            }
            case "__assertfail" -> {
                c.code().load(c.worker);
                push(c, call.arguments().subList(0, 4), JvmType.LONG, JvmType.LONG, JvmType.INT, JvmType.LONG);
                c.code().call(DeviceCalls.class, "assertionFailed");
            }
            default -> supplied(c, call);
        }
    }

    /** Calls a function that the device supplies in Java. */
    private static void supplied(ThreadCode c, Operand.Call call) {
        if (c.context().program().function(call.function()) == null) {
            throw new NoCode("function " + call.function() + " is declared and defined nowhere; Device.builder().function(\""
                    + call.function() + "\", ...) supplies one in Java");
        }
        Code code = c.code();
        Local made = c.scratch(JvmType.REFERENCE, 0);
        code.load(c.worker).load(c.frame).load(c.thread).push(functionNumber(c, call)).call(DeviceCalls.class, "begin").store(made);
        for (Operand argument : call.arguments()) {
            code.load(made);
            if (argument instanceof Operand.AddressOf area) {
                Operand.Address address = area(area);
                c.push(Addresses.part(c, address));
                Addresses.pushOffset(c, address, 0);
                code.call(DeviceCalls.class, "passArea");
            } else if (argument instanceof Operand.Vector wide) {
                c.pushLong(wide.elements().get(0));
                c.pushLong(wide.elements().get(1));
                code.call(DeviceCalls.class, "passWide");
            } else {
                c.pushLong(argument);
                code.call(DeviceCalls.class, "pass");
            }
        }
        code.load(made).call(DeviceCall.class, "run");
        if (!call.results().isEmpty()) {
            takeResult(c, made, call.results().getFirst());
        }
    }

    private static void takeResult(ThreadCode c, Local made, Operand result) {
        switch (result) {
            case Operand.AddressOf area -> {
                Operand.Address address = area(area);
                c.code().load(made);
                c.push(Addresses.part(c, address));
                Addresses.pushOffset(c, address, 0);
                c.code().call(DeviceCall.class, "store");
            }
            case Operand.Vector wide -> {
                c.code().load(made).call(DeviceCall.class, "low");
                c.pop(wide.elements().get(0), JvmType.LONG);
                c.code().load(made).call(DeviceCall.class, "high");
                c.pop(wide.elements().get(1), JvmType.LONG);
            }
            default -> {
                c.code().load(made).call(DeviceCall.class, "low");
                c.pop(result, JvmType.LONG);
            }
        }
    }

    private static int functionNumber(ThreadCode c, Operand.Call call) {
        return List.copyOf(c.context().program().module().functions().keySet()).indexOf(call.function());
    }

    /** Pushes arguments, which stand in registers or whole in call areas. */
    private static void push(ThreadCode c, List<Operand> arguments, JvmType... types) {
        for (int k = 0; k < types.length; k++) {
            boolean wide = types[k] == JvmType.LONG;
            if (arguments.get(k) instanceof Operand.AddressOf area) {
                Operand.Address address = area(area);
                c.push(Addresses.part(c, address));
                Addresses.pushOffset(c, address, 0);
                c.code().call(Memory.class, wide ? "loadI64" : "loadI32");
            } else if (wide) {
                c.pushLong(arguments.get(k));
            } else {
                c.pushInt(arguments.get(k));
            }
        }
    }

    /** Stores the {@code int} on the stack as the call's result. */
    private static void result(ThreadCode c, List<Operand> results) {
        if (results.isEmpty()) {
            c.code().pop();
        } else if (results.getFirst() instanceof Operand.AddressOf area) {
            var value = c.scratch(JvmType.INT, 0);
            c.code().store(value);
            Operand.Address address = area(area);
            c.push(Addresses.part(c, address));
            Addresses.pushOffset(c, address, 0);
            c.code().load(value).call(Memory.class, "storeI32");
        } else {
            c.pop(results.getFirst(), JvmType.INT);
        }
    }

    private static Operand.Address area(Operand.AddressOf area) {
        return new Operand.Address(StateSpace.PARAM, null, area.variable(), area.offset());
    }
}
