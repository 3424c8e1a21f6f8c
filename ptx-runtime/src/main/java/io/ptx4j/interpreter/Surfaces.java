package io.ptx4j.interpreter;

import io.ptx4j.engine.ChannelType;
import io.ptx4j.engine.Fault;
import io.ptx4j.engine.ImageDescriptor;
import io.ptx4j.ir.Instruction;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.Spelling;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.List;

/** The manual's "Surface Instructions". */
final class Surfaces {
    private static final VarHandle WORD = ValueLayout.JAVA_INT.varHandle();
    private static final VarHandle LONG_WORD = ValueLayout.JAVA_LONG.varHandle();

    private Surfaces() {
    }

    /** What {@code instruction} does; null when there is no definition here. */
    static Step step(Instruction instruction, Operands operands) {
        return switch (instruction.opcode()) {
            case SUQ -> Textures.step(instruction, operands);
            case SULD -> load(instruction, operands);
            case SUST -> instruction.spelling().has(Modifier.P) ? storeTexel(instruction, operands) : store(instruction, operands);
            case SURED -> reduce(instruction, operands);
            default -> null;
        };
    }

    /** Finds where an access of so many bytes lies: a generic address; −1 where nothing is accessed. */
    private interface Where {
        long address(ThreadState thread, Image image, int bytes);
    }

    private static Where where(Instruction instruction, Operands operands) {
        Spelling spelling = instruction.spelling();
        List<Source> coordinates = Textures.place(instruction).coordinates().stream().map(operands::source).toList();
        int dimensions = Textures.dimensions(spelling);
        int first = Textures.layered(spelling) ? 1 : 0;
        boolean texels = spelling.has(Modifier.P);
        return (thread, image, bytes) -> {
            if (!Textures.fits(spelling, image.shape())) {
                throw thread.fault(Fault.Kind.ILLEGAL_OPERAND, spelling + " on an image of shape " + image.shape());
            }
            long row = (long) image.size(0, 0) * image.texelBytes();
            long[] place = new long[4];
            long[] last = {row - bytes, image.size(1, 0) - 1, image.size(2, 0) - 1, image.layers() - 1};
            for (int d = 0; d < dimensions; d++) {
                place[d] = (int) coordinates.get(first + d).bits(thread);
            }
            place[0] *= texels ? image.texelBytes() : 1;
            place[3] = first == 1 ? coordinates.getFirst().bits(thread) : 0;
            for (int d = 0; d < 4; d++) {
                if (place[d] >= 0 && place[d] <= last[d]) {
                    continue;
                }
                if (spelling.has(Modifier.TRAP)) {
                    throw thread.fault(Fault.Kind.OUT_OF_BOUNDS, spelling + " of " + bytes + " bytes at byte " + place[0] + ", row " + place[1]
                            + ", slice " + place[2] + ", layer " + place[3] + " is outside the image");
                }
                if (spelling.has(Modifier.ZERO) || row < bytes) {
                    return -1;
                }
                place[d] = place[d] < 0 ? 0 : last[d];
            }
            return image.address(0, (int) place[3], (int) place[2], (int) place[1], place[0]);
        };
    }

    private static Image surface(ThreadState thread, Source handle) {
        return Image.named(thread, handle.bits(thread), ImageDescriptor.SURFACE);
    }

    private static long checked(ThreadState thread, long address, int bytes, Spelling spelling) {
        return new Place(Window.GENERIC, null, false, 0).checked(thread, address, bytes, spelling.text());
    }

    private static Step load(Instruction instruction, Operands operands) {
        Spelling spelling = instruction.spelling();
        Source handle = Textures.handle(Textures.place(instruction).object(), operands);
        Where where = where(instruction, operands);
        List<Destination> d = operands.destinations(0);
        int bytes = spelling.type().bytes();
        return thread -> {
            long address = where.address(thread, surface(thread, handle), bytes * d.size());
            long offset = address < 0 ? 0 : checked(thread, address, bytes * d.size(), spelling);
            for (int e = 0; e < d.size(); e++) {
                d.get(e).write(thread, address < 0 ? 0 : MemoryOrder.WEAK.read(thread.block.worker.memory, offset + (long) e * bytes, bytes));
            }
        };
    }

    private static Step store(Instruction instruction, Operands operands) {
        Spelling spelling = instruction.spelling();
        Source handle = Textures.handle(Textures.place(instruction).object(), operands);
        Where where = where(instruction, operands);
        List<Source> b = operands.elements(1);
        int bytes = spelling.type().bytes();
        return thread -> {
            long address = where.address(thread, surface(thread, handle), bytes * b.size());
            if (address >= 0) {
                long offset = checked(thread, address, bytes * b.size(), spelling);
                for (int e = 0; e < b.size(); e++) {
                    MemoryOrder.WEAK.write(thread.block.worker.memory, offset + (long) e * bytes, bytes, b.get(e).bits(thread));
                }
                thread.patience.stored();
            }
        };
    }

    /** {@code sust.p}: each word becomes a channel of the image. */
    private static Step storeTexel(Instruction instruction, Operands operands) {
        Spelling spelling = instruction.spelling();
        Source handle = Textures.handle(Textures.place(instruction).object(), operands);
        Where where = where(instruction, operands);
        List<Source> b = operands.elements(1);
        return thread -> {
            Image image = surface(thread, handle);
            long address = where.address(thread, image, image.texelBytes());
            if (address < 0) {
                return;
            }
            int bytes = image.type().bytes();
            for (int c = 0; c < Math.min(b.size(), image.channels()); c++) {
                long offset = checked(thread, address + (long) c * bytes, bytes, spelling);
                MemoryOrder.WEAK.write(thread.block.worker.memory, offset, bytes, channel(image.type(), b.get(c).bits(thread)));
            }
            thread.patience.stored();
        };
    }

    private static long channel(ChannelType type, long word) {
        long signed = Bits.signed(word, 32);
        return switch (type) {
            case U8 -> Math.min(word, 0xFF);
            case U16 -> Math.min(word, 0xFFFF);
            case S8 -> Math.max(-128, Math.min(127, signed));
            case S16 -> Math.max(-32768, Math.min(32767, signed));
            case F16 -> Format.F16.round(Format.F32.decode(word), Rounding.Fixed.NEAREST_EVEN);
            case U32, S32, F32 -> word;
        };
    }

    private static Step reduce(Instruction instruction, Operands operands) {
        Spelling spelling = instruction.spelling();
        Source handle = Textures.handle(Textures.place(instruction).object(), operands);
        Where where = where(instruction, operands);
        Source b = operands.source(1);
        int bytes = spelling.type().bytes();
        return thread -> {
            Image image = surface(thread, handle);
            long address = where.address(thread, image, spelling.has(Modifier.P) ? Math.max(bytes, image.texelBytes()) : bytes);
            if (address < 0) {
                return;
            }
            boolean signed = spelling.has(Modifier.P) ? image.type().signed() : spelling.type().signed();
            ScalarType compared = ScalarType.named((signed ? "s" : "u") + 8 * bytes);
            update(thread.block.worker.memory, checked(thread, address, bytes, spelling), bytes, spelling.operation(), compared, b.bits(thread));
            thread.patience.stored();
        };
    }

    private static void update(MemorySegment memory, long offset, int bytes, Modifier operation, ScalarType type, long b) {
        boolean done = false;
        while (!done) {
            long old = bytes == 4 ? Integer.toUnsignedLong((int) WORD.getVolatile(memory, offset)) : (long) LONG_WORD.getVolatile(memory, offset);
            long next = Bits.cut(switch (operation) {
                case ADD -> old + b;
                case MIN -> Bits.compare(b, old, type) < 0 ? b : old;
                case MAX -> Bits.compare(b, old, type) > 0 ? b : old;
                case AND -> old & b;
                case OR -> old | b;
                default -> throw new IllegalArgumentException("no reduction " + operation);
            }, 8 * bytes);
            done = bytes == 4 ? WORD.compareAndSet(memory, offset, (int) old, (int) next) : LONG_WORD.compareAndSet(memory, offset, old, next);
        }
    }
}
