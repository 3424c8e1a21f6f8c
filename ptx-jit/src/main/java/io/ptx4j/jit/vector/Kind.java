package io.ptx4j.jit.vector;

import io.ptx4j.jit.code.JvmType;
import io.ptx4j.jit.flow.Representation.Held;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;

/** The kinds of vectors. */
enum Kind {
    INT(IntVector.class, int.class, int[].class, JvmType.INT, "laneInts", "ints", "resultInts", "crossingInts"),
    FLOAT(FloatVector.class, float.class, float[].class, JvmType.FLOAT, "laneFloats", "floats", "resultFloats", "crossingFloats"),
    LONG(LongVector.class, long.class, long[].class, JvmType.LONG, "laneLongs", "longs", "resultLongs", "crossingLongs"),
    DOUBLE(DoubleVector.class, double.class, double[].class, JvmType.DOUBLE, "laneDoubles", "doubles", "resultDoubles", "crossingDoubles");

    final Class<?> type;
    final Class<?> element;
    final Class<?> array;
    final JvmType jvm;
    /** The arrays of {@link io.ptx4j.jit.support.VectorFrame} for single lanes, of {@link io.ptx4j.jit.support.Frame}, for {@link LoopResults} and for {@link Crossing}. */
    final String lanes;
    final String saved;
    final String results;
    final String crossing;

    Kind(Class<?> type, Class<?> element, Class<?> array, JvmType jvm, String lanes, String saved, String results, String crossing) {
        this.type = type;
        this.element = element;
        this.array = array;
        this.jvm = jvm;
        this.lanes = lanes;
        this.saved = saved;
        this.results = results;
        this.crossing = crossing;
    }

    static Kind of(Held held) {
        return switch (held) {
            case INT -> INT;
            case FLOAT -> FLOAT;
            case WIDE, LONG -> LONG;
            case DOUBLE -> DOUBLE;
        };
    }

    boolean wide() {
        return this == LONG || this == DOUBLE;
    }

    /** Vectors that a group takes in this kind. */
    int parts(Group group) {
        return wide() ? group.spread() * group.vectors() : group.vectors();
    }

    /** Lanes of one vector. */
    int length(Group group) {
        return wide() ? group.length() / group.spread() : group.length();
    }

    /** Name of the species in {@link io.ptx4j.jit.support.VectorLanes}. */
    String species(Group group) {
        return !wide() && group.narrow() ? "HALF_" + name() : name();
    }

    /** Name of the class of such vectors in {@link io.ptx4j.jit.support.VectorLanes}. */
    String vectorClass(Group group) {
        return species(group) + "_CLASS";
    }
}
