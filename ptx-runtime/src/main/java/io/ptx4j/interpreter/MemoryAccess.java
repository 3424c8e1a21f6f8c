package io.ptx4j.interpreter;

import io.ptx4j.engine.AddressSpace;
import io.ptx4j.engine.Cluster;
import io.ptx4j.engine.Fault;
import io.ptx4j.engine.Worker;
import io.ptx4j.ir.Instruction;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Spelling;
import io.ptx4j.isa.StateSpace;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** The memory part of the manual's "Data Movement and Conversion Instructions". */
final class MemoryAccess {
    private MemoryAccess() {
    }

    /** What {@code instruction} does; null when there is no definition here. */
    static Step step(Instruction instruction, Operands operands) {
        return switch (instruction.opcode()) {
            case LD, LDU -> load(instruction, operands);
            case ST -> store(instruction, operands);
            case CVTA -> convertAddress(instruction, operands);
            case ISSPACEP -> isSpace(instruction, operands);
            case PREFETCH, PREFETCHU, APPLYPRIORITY, DISCARD -> thread -> { };
            case CREATEPOLICY -> constant(operands, 0);
            case MAPA -> mapAddress(instruction, operands);
            case GETCTARANK -> rank(instruction, operands);
            case MULTIMEM -> Multimem.step(instruction, operands);
            default -> null;
        };
    }

    /** Cache policies are opaque. */
    private static Step constant(Operands operands, long value) {
        Destination d = operands.destination(0);
        return thread -> d.write(thread, value);
    }

    /** {@code mapa}: the address of the same place in the shared memory of another block of the cluster. */
    private static Step mapAddress(Instruction instruction, Operands operands) {
        Destination d = operands.destination(0);
        Source a = operands.source(1);
        Source rank = operands.source(2);
        boolean shared = instruction.spelling().has(Modifier.SHARED_CLUSTER);
        return thread -> {
            Cluster cluster = thread.block.worker.cluster();
            long wanted = rank.bits(thread);
            if (wanted >= cluster.blocks()) {
                throw thread.fault(Fault.Kind.ILLEGAL_OPERAND,
                        "mapa asks for block " + wanted + " of a cluster of " + cluster.blocks());
            }
            d.write(thread, shared ? Cluster.mapped(a.bits(thread), (int) wanted)
                    : mapGeneric(thread, cluster, a.bits(thread), (int) wanted));
        };
    }

    private static long mapGeneric(ThreadState thread, Cluster cluster, long address, int rank) {
        int from = cluster.rankOf(address);
        if (from < 0) {
            throw thread.fault(Fault.Kind.ILLEGAL_OPERAND,
                    "mapa of 0x" + Long.toHexString(address) + ", which is no address in shared memory of the cluster");
        }
        return address - cluster.worker(from).sharedBase + cluster.worker(rank).sharedBase;
    }

    /** {@code getctarank}. */
    private static Step rank(Instruction instruction, Operands operands) {
        Destination d = operands.destination(0);
        Source a = operands.source(1);
        if (!instruction.spelling().has(Modifier.SHARED_CLUSTER)) {
            return thread -> d.write(thread, Bits.cut(thread.block.worker.cluster().rankOf(a.bits(thread)), 32));
        }
        return thread -> {
            long mapped = a.bits(thread) >>> Cluster.OFFSET_BITS;
            d.write(thread, mapped == 0 ? thread.block.rankInCluster() : mapped - 1);
        };
    }

    private static Step load(Instruction instruction, Operands operands) {
        Destination[] elements = operands.destinations(0).toArray(Destination[]::new);
        Place place = operands.place(1);
        Spelling spelling = instruction.spelling();
        MemoryOrder order = MemoryOrder.of(spelling);
        int bytes = spelling.type().bytes();
        if (order != MemoryOrder.WEAK) {
            return strongLoad(elements, place, spelling, order, bytes);
        }
        return thread -> {
            long offset = place.checked(thread, place.address(thread), bytes * elements.length, spelling.text());
            MemorySegment segment = place.window().segment(thread);
            for (int i = 0; i < elements.length; i++) {
                long at = offset + (long) i * bytes;
                if (bytes <= 8) {
                    elements[i].write(thread, order.read(segment, at, bytes));
                } else {
                    elements[i].write(thread, order.read(segment, at, 8), order.read(segment, at + 8, 8));
                }
            }
        };
    }

    /** The manual takes a vector for so many accesses; GPUs make one of it, and programs rely on that where it is not weak. */
    private static Step strongLoad(Destination[] elements, Place place, Spelling spelling, MemoryOrder order, int bytes) {
        int all = bytes * elements.length;
        return thread -> {
            long address = place.address(thread);
            long offset = place.checked(thread, address, all, spelling.text());
            long[] words = order.readWhole(place.window().segment(thread), offset, all);
            for (int i = 0; i < elements.length; i++) {
                int word = i * bytes / 8;
                if (bytes <= 8) {
                    elements[i].write(thread, Bits.field(words[word], i * bytes % 8 * 8, bytes * 8));
                } else {
                    elements[i].write(thread, words[word], words[word + 1]);
                }
            }
            thread.polled(address, Arrays.hashCode(words));
        };
    }

    private static Step store(Instruction instruction, Operands operands) {
        Place place = operands.place(0);
        Source[] elements = operands.elements(1).toArray(Source[]::new);
        Spelling spelling = instruction.spelling();
        MemoryOrder order = MemoryOrder.of(spelling);
        int bytes = spelling.type().bytes();
        return thread -> {
            long address = place.address(thread);
            long offset = place.checked(thread, address, bytes * elements.length, spelling.text());
            store(thread, elements, order, place.window().segment(thread), offset, bytes);
            if (place.window() == Window.LOCAL || place.window() == Window.GENERIC && Window.LOCAL.holds(thread, address)) {
                thread.storedForItself();
            } else {
                thread.stored();
            }
        };
    }

    /** Writes elements of up to 16 bytes, at once where the order is not weak. */
    static void store(ThreadState thread, Source[] elements, MemoryOrder order, MemorySegment segment, long offset, int bytes) {
        if (order == MemoryOrder.WEAK) {
            for (int i = 0; i < elements.length; i++) {
                long at = offset + (long) i * bytes;
                order.write(segment, at, Math.min(bytes, 8), elements[i].bits(thread));
                if (bytes > 8) {
                    order.write(segment, at + 8, 8, elements[i].high(thread));
                }
            }
            return;
        }
        int all = bytes * elements.length;
        long[] words = new long[Math.ceilDiv(all, 8)];
        for (int i = 0; i < elements.length; i++) {
            int word = i * bytes / 8;
            words[word] |= Bits.cut(elements[i].bits(thread), Math.min(bytes, 8) * 8) << i * bytes % 8 * 8;
            if (bytes > 8) {
                words[word + 1] = elements[i].high(thread);
            }
        }
        order.writeWhole(segment, offset, all, words);
    }

    /** The window that an address in {@code space} is converted to or from. */
    private static Window window(StateSpace space, Operands operands) {
        return switch (space) {
            case SHARED -> Window.SHARED;
            case LOCAL -> Window.LOCAL;
            case CONST -> Window.CONSTANTS;
            case PARAM -> operands.body() == operands.kernel().body() ? Window.PARAMETERS : Window.LOCAL;
            case GLOBAL, GENERIC -> Window.GENERIC;
            case REG, SREG, TEX, TENSOR -> throw new NoDefinition("space " + space + " has no generic addresses");
        };
    }

    private static Step convertAddress(Instruction instruction, Operands operands) {
        Spelling spelling = instruction.spelling();
        Destination d = operands.destination(0);
        Source a = operands.source(1);
        if (spelling.has(Modifier.SHARED_CLUSTER)) {
            return convertInCluster(spelling.has(Modifier.TO), d, a, spelling.type().bits());
        }
        Window window = window(spelling.space(), operands);
        int width = spelling.type().bits();
        boolean to = spelling.has(Modifier.TO);
        if (window == Window.GENERIC) {
            return thread -> d.write(thread, a.bits(thread));
        }
        return thread -> {
            long base = window.base(thread);
            d.write(thread, Bits.cut(to ? a.bits(thread) - base : a.bits(thread) + base, width));
        };
    }

    private static Step convertInCluster(boolean to, Destination d, Source a, int width) {
        return thread -> {
            Worker own = thread.block.worker;
            long address = a.bits(thread);
            if (!to) {
                long generic = own.cluster().generic(own, address);
                d.write(thread, Bits.cut(generic < 0 ? own.sharedBase + address : generic, width));
                return;
            }
            int rank = own.cluster().rankOf(address);
            boolean other = rank >= 0 && own.cluster().worker(rank) != own;
            d.write(thread, Bits.cut(other ? Cluster.mapped(address - own.cluster().worker(rank).sharedBase, rank)
                    : address - own.sharedBase, width));
        };
    }

    private static Step isSpace(Instruction instruction, Operands operands) {
        Destination p = operands.destination(0);
        Source a = operands.source(1);
        Window window = instruction.spelling().has(Modifier.SHARED_CLUSTER) ? Window.CLUSTER
                : window(instruction.spelling().space(), operands);
        boolean narrow = Operands.typeOf(instruction.operand(1)).bits() == 32;
        return thread -> {
            long address = a.bits(thread) + (narrow ? AddressSpace.BASE : 0);
            p.write(thread, window.holds(thread, address) ? 1 : 0);
        };
    }
}
