package io.ptx4j.jit.scalar;

import io.ptx4j.jit.code.ClassCode;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.JvmType;
import io.ptx4j.jit.code.Op;
import io.ptx4j.jit.support.Frame;

import java.util.ArrayList;
import java.util.List;

/**
 * The method of a generated class by which the scheduler calls a region by its number. A kernel may have more regions than calls fit
 * into a method that HotSpot compiles, so hundreds of them are reached through a second switch.
 */
public final class RegionDispatch {
    /** Parameters and result of a region's method: worker, frame, first thread, end, point to go on from; where the threads stopped. */
    public static final String REGION = "(Lio/ptx4j/engine/Worker;Lio/ptx4j/jit/support/Frame;III)I";
    private static final String NUMBERED = "(ILio/ptx4j/engine/Worker;Lio/ptx4j/jit/support/Frame;III)I";
    /** A call takes 18 bytecodes and its entry in the table. */
    private static final int MOST = 256;

    private RegionDispatch() {}

    /** Name of the method of a region. */
    public static String name(int region) {
        return "region" + region;
    }

    /** Emits {@code region(number, …)} over the methods {@link #name} of that many regions; other numbers give {@link Frame#ENDED}. */
    public static void emit(ClassCode classCode, int regions) {
        Code code = classCode.method("region", NUMBERED);
        if (regions <= MOST) {
            emitCalls(code, 1, 0, regions);
            return;
        }
        List<Code.Place> places = new ArrayList<>();
        for (int from = 0; from < regions; from += MOST) {
            places.add(new Code.Place());
        }
        Code.Place none = new Code.Place();
        code.load(code.parameter(1, JvmType.INT)).push(MOST).op(Op.IDIV).tableSwitch(places, none);
        for (int i = 0; i < places.size(); i++) {
            code.place(places.get(i)).load(code.parameter(1, JvmType.INT));
            loadRest(code, 2);
            code.callOwn("regionsFrom" + i * MOST, NUMBERED).ret();
        }
        code.place(none).push(Frame.ENDED).ret().end();
        for (int from = 0; from < regions; from += MOST) {
            emitCalls(classCode.staticMethod("regionsFrom" + from, NUMBERED), 0, from, Math.min(from + MOST, regions));
        }
    }

    private static void emitCalls(Code code, int number, int from, int to) {
        List<Code.Place> places = new ArrayList<>();
        for (int region = from; region < to; region++) {
            places.add(new Code.Place());
        }
        Code.Place none = new Code.Place();
        code.load(code.parameter(number, JvmType.INT));
        if (from > 0) {
            code.push(from).op(Op.ISUB);
        }
        code.tableSwitch(places, none);
        for (int i = 0; i < places.size(); i++) {
            code.place(places.get(i));
            loadRest(code, number + 1);
            code.callOwn(name(from + i), REGION).ret();
        }
        code.place(none).push(Frame.ENDED).ret().end();
    }

    private static void loadRest(Code code, int parameter) {
        code.load(code.parameter(parameter, JvmType.REFERENCE)).load(code.parameter(parameter + 1, JvmType.REFERENCE));
        for (int p = 2; p <= 4; p++) {
            code.load(code.parameter(parameter + p, JvmType.INT));
        }
    }
}
