package io.ptx4j.jit.scalar;

import io.ptx4j.engine.ImageDescriptor;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Variable;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.Spelling;
import io.ptx4j.isa.StateSpace;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.JvmType;
import io.ptx4j.jit.code.Op;
import io.ptx4j.jit.support.ImageQuery;
import io.ptx4j.jit.support.ImageUnit;
import io.ptx4j.jit.support.Memory;
import io.ptx4j.jit.support.SurfaceOperation;
import io.ptx4j.jit.support.TextureOperation;
import java.util.List;

/** Textures and surfaces (manual: "Texture Instructions", "Surface Instructions"): operands go to and come from {@link ImageUnit}. */
final class TextureEmitter {
    private TextureEmitter() {
    }

    static void emit(ThreadCode c, Instruction i) {
        switch (i.opcode()) {
            case TEX, TLD4 -> sample(c, i);
            case TXQ, SUQ -> query(c, i);
            case ISTYPEP -> isType(c, i);
            case SULD, SUST, SURED -> surface(c, i);
            default -> throw new NoCode("not supported by the JIT");
        }
    }

    private static List<Operand> elements(Operand operand) {
        return operand instanceof Operand.Vector v ? v.elements() : List.of(operand);
    }

    private static Operand.Texture place(Instruction i) {
        return (Operand.Texture) i.operands().stream().filter(o -> o instanceof Operand.Texture).findFirst().orElseThrow();
    }

    private static void setWords(ThreadCode c, List<Operand> values, int first) {
        for (int w = 0; w < values.size(); w++) {
            c.pushInt(values.get(w));
            c.code().load(c.frame).push(first + w).call(ImageUnit.class, "set");
        }
    }

    private static void setWords(ThreadCode c, Operand value, int first) {
        if (value != null) {
            setWords(c, elements(value), first);
        }
    }

    /** Pushes the handle that a register holds or that lies in a variable; 0 for none. */
    private static void pushHandle(ThreadCode c, Operand object) {
        switch (object) {
            case Operand.AddressOf named -> {
                Variable variable = named.variable();
                StateSpace space = variable.space() == StateSpace.PARAM ? StateSpace.PARAM : StateSpace.GLOBAL;
                Operand.Address address = new Operand.Address(space, null, variable, 0);
                c.push(Addresses.part(c, address));
                Addresses.pushOffset(c, address, 0);
                c.code().call(Memory.class, "loadI64");
            }
            case Operand.Absent none -> c.code().push(0L);
            default -> c.pushLong(object);
        }
    }

    private static TextureOperation.Geometry geometry(Spelling spelling) {
        return switch (spelling.one(Modifier.Category.GEOMETRY)) {
            case D1 -> TextureOperation.Geometry.D1;
            case D2 -> TextureOperation.Geometry.D2;
            case D3 -> TextureOperation.Geometry.D3;
            case A1D -> TextureOperation.Geometry.A1D;
            case A2D -> TextureOperation.Geometry.A2D;
            case CUBE -> TextureOperation.Geometry.CUBE;
            case ACUBE -> TextureOperation.Geometry.ACUBE;
            case D2MS -> TextureOperation.Geometry.D2MS;
            case A2DMS -> TextureOperation.Geometry.A2DMS;
            case null, default -> throw new NoCode("no geometry");
        };
    }

    private static void sample(ThreadCode c, Instruction i) {
        Spelling spelling = i.spelling();
        Operand.Texture texture = place(i);
        setWords(c, texture.coordinates(), ImageUnit.COORDINATES);
        setWords(c, i.operand("b"), ImageUnit.LEVEL);
        setWords(c, i.operand("g"), ImageUnit.GRADIENTS);
        setWords(c, i.operand("h"), ImageUnit.GRADIENTS + 4);
        setWords(c, i.operand("e"), ImageUnit.OFFSETS);
        setWords(c, i.operand("f"), ImageUnit.REFERENCE);
        pushHandle(c, texture.object());
        pushHandle(c, texture.sampler());
        TextureOperation.Lod lod = spelling.has(Modifier.BASE) ? TextureOperation.Lod.BASE
                : spelling.has(Modifier.LEVEL) ? TextureOperation.Lod.LEVEL
                : spelling.has(Modifier.GRAD) ? TextureOperation.Lod.GRAD : TextureOperation.Lod.NONE;
        TextureOperation.Result result = i.type() == ScalarType.F16 ? TextureOperation.Result.HALVES
                : i.type() == ScalarType.F16X2 ? TextureOperation.Result.HALF_PAIRS : TextureOperation.Result.WORDS;
        c.code().load(c.worker).load(c.frame).push(TextureOperation.pack(geometry(spelling), spelling.lastType() == ScalarType.F32, lod,
                i.operand("e") != null, i.operand("f") != null, result, component(i))).call(ImageUnit.class, "sample");
        results(c, elements(i.operand(0)), 4);
        Operand resident = i.operand("p");
        if (resident != null) {
            c.code().push(1);
            c.pop(resident, JvmType.INT);
        }
    }

    private static int component(Instruction i) {
        if (i.opcode() != Opcode.TLD4) {
            return -1;
        }
        Spelling spelling = i.spelling();
        return spelling.has(Modifier.R) ? 0 : spelling.has(Modifier.G) ? 1 : spelling.has(Modifier.B) ? 2 : 3;
    }

    private static void results(ThreadCode c, List<Operand> destinations, int bytes) {
        Code code = c.code();
        for (int e = 0; e < destinations.size(); e++) {
            if (destinations.get(e) instanceof Operand.Sink) {
                continue;
            }
            if (bytes == 8) {
                code.load(c.frame).push(2 * e + 1).call(ImageUnit.class, "word").op(Op.I2L).push(32).op(Op.LSHL);
                code.load(c.frame).push(2 * e).call(ImageUnit.class, "word").op(Op.I2L).push(0xffff_ffffL).op(Op.LAND).op(Op.LOR);
                c.pop(destinations.get(e), JvmType.LONG);
            } else {
                code.load(c.frame).push(e).call(ImageUnit.class, "word");
                c.pop(destinations.get(e), JvmType.INT);
            }
        }
    }

    private static void query(ThreadCode c, Instruction i) {
        pushHandle(c, place(i).object());
        c.code().load(c.worker).load(c.frame).push(field(i.spelling()));
        Operand level = i.operand("b");
        if (level == null) {
            c.code().push(0);
        } else {
            c.pushInt(level);
        }
        c.code().call(ImageUnit.class, "query");
        c.pop(i.operand(0), JvmType.INT);
    }

    private static int field(Spelling spelling) {
        for (Modifier modifier : spelling.modifiers()) {
            switch (modifier) {
                case WIDTH -> {
                    return ImageQuery.WIDTH;
                }
                case HEIGHT -> {
                    return ImageQuery.HEIGHT;
                }
                case DEPTH -> {
                    return ImageQuery.DEPTH;
                }
                case CHANNEL_DATA_TYPE -> {
                    return ImageQuery.CHANNEL_DATA_TYPE;
                }
                case CHANNEL_ORDER -> {
                    return ImageQuery.CHANNEL_ORDER;
                }
                case NORMALIZED_COORDS -> {
                    return ImageQuery.NORMALIZED_COORDS;
                }
                case ARRAY_SIZE -> {
                    return ImageQuery.ARRAY_SIZE;
                }
                case NUM_MIPMAP_LEVELS -> {
                    return ImageQuery.LEVELS;
                }
                case NUM_SAMPLES -> {
                    return ImageQuery.SAMPLES;
                }
                case MEMORY_LAYOUT -> {
                    return ImageQuery.MEMORY_LAYOUT;
                }
                case FILTER_MODE -> {
                    return ImageQuery.FILTER_MODE;
                }
                case FORCE_UNNORMALIZED_COORDS -> {
                    return ImageQuery.FORCE_UNNORMALIZED;
                }
                case ADDR_MODE_0, ADDR_MODE_1, ADDR_MODE_2 -> {
                    return ImageQuery.ADDRESS_MODE + modifier.ordinal() - Modifier.ADDR_MODE_0.ordinal();
                }
                default -> { }
            }
        }
        throw new NoCode("no field");
    }

    private static void isType(ThreadCode c, Instruction i) {
        pushHandle(c, i.operand(1) instanceof Operand.AddressOf variable ? variable : i.operand(1));
        c.code().load(c.worker).push(switch (i.type()) {
            case TEXREF -> ImageDescriptor.TEXTURE;
            case SAMPLERREF -> ImageDescriptor.SAMPLER;
            default -> ImageDescriptor.SURFACE;
        }).call(ImageUnit.class, "isKind");
        c.pop(i.operand(0), JvmType.INT);
    }

    private static void surface(ThreadCode c, Instruction i) {
        Spelling spelling = i.spelling();
        boolean load = i.opcode() == Opcode.SULD;
        boolean texels = spelling.has(Modifier.P);
        Operand.Texture place = place(i);
        setWords(c, place.coordinates(), ImageUnit.COORDINATES);
        int bytes = i.type().bytes();
        if (!load) {
            values(c, elements(i.operand(1)), bytes);
        }
        pushHandle(c, place.object());
        SurfaceOperation.Action action = load ? SurfaceOperation.Action.LOAD
                : i.opcode() == Opcode.SUST ? texels ? SurfaceOperation.Action.STORE_TEXEL : SurfaceOperation.Action.STORE
                : reduction(spelling);
        SurfaceOperation.Outside outside = spelling.has(Modifier.TRAP) ? SurfaceOperation.Outside.TRAP
                : spelling.has(Modifier.ZERO) ? SurfaceOperation.Outside.ZERO : SurfaceOperation.Outside.CLAMP;
        c.code().load(c.worker).load(c.frame).push(SurfaceOperation.pack(geometry(spelling), action, outside,
                spelling.vectorLength(), bytes, i.type().signed(), texels)).call(ImageUnit.class, "surface");
        if (load) {
            results(c, elements(i.operand(0)), bytes);
        }
    }

    private static void values(ThreadCode c, List<Operand> elements, int bytes) {
        if (bytes < 8) {
            setWords(c, elements, ImageUnit.VALUES);
            return;
        }
        for (int e = 0; e < elements.size(); e++) {
            c.pushLong(elements.get(e));
            c.code().op(Op.L2I).load(c.frame).push(ImageUnit.VALUES + 2 * e).call(ImageUnit.class, "set");
            c.pushLong(elements.get(e));
            c.code().push(32).op(Op.LUSHR).op(Op.L2I).load(c.frame).push(ImageUnit.VALUES + 2 * e + 1).call(ImageUnit.class, "set");
        }
    }

    private static SurfaceOperation.Action reduction(Spelling spelling) {
        return switch (spelling.operation()) {
            case ADD -> SurfaceOperation.Action.ADD;
            case MIN -> SurfaceOperation.Action.MIN;
            case MAX -> SurfaceOperation.Action.MAX;
            case AND -> SurfaceOperation.Action.AND;
            case OR -> SurfaceOperation.Action.OR;
            default -> throw new NoCode("no such reduction of surfaces");
        };
    }
}
