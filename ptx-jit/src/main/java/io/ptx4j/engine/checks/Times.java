package io.ptx4j.engine.checks;

/**
 * A time for each of many indices, 0 where none was given: a vector clock that never changes, shares what it can with those it was made of,
 * and of which {@link #join} looks only at the parts that differ. A tree with 32 branches a node; the leaves hold 32 times.
 */
final class Times {
    static final Times NONE = new Times(null, 0);

    private static final int BITS = 5;
    private static final int WIDTH = 1 << BITS;

    /** {@code int[]} at height 0, else {@code Object[]}; null where all is 0. */
    private final Object root;
    private final int height;

    private Times(Object root, int height) {
        this.root = root;
        this.height = height;
    }

    int get(long index) {
        if (index >>> BITS * (height + 1) != 0) {
            return 0;
        }
        Object node = root;
        for (int level = height; level > 0 && node != null; level--) {
            node = ((Object[]) node)[(int) (index >>> BITS * level) & WIDTH - 1];
        }
        return node == null ? 0 : ((int[]) node)[(int) index & WIDTH - 1];
    }

    /** With {@code time} at {@code index} where it was less. */
    Times with(long index, int time) {
        int[] leaf = new int[WIDTH];
        leaf[(int) index & WIDTH - 1] = time;
        return with(index & -WIDTH, leaf);
    }

    /** With at least the times {@code leaf} at the 32 indices from {@code base} on, a multiple of 32. */
    Times with(long base, int[] leaf) {
        Object node = leaf;
        int level = 0;
        while (base >>> BITS * (level + 1) != 0 || level < height) {
            level++;
            Object[] parent = new Object[WIDTH];
            parent[(int) (base >>> BITS * level) & WIDTH - 1] = node;
            node = parent;
        }
        return join(new Times(node, level));
    }

    /** At each index the later of both times. */
    Times join(Times other) {
        if (other == this || other.root == null) {
            return this;
        }
        if (root == null) {
            return other;
        }
        int level = Math.max(height, other.height);
        Object joined = join(raised(level), other.raised(level), level);
        return joined == root ? this : joined == other.root ? other : new Times(joined, level);
    }

    private Object raised(int level) {
        Object node = root;
        for (int at = height; at < level; at++) {
            Object[] parent = new Object[WIDTH];
            parent[0] = node;
            node = parent;
        }
        return node;
    }

    private static Object join(Object a, Object b, int level) {
        if (a == b || b == null) {
            return a;
        }
        return a == null ? b : level == 0 ? joinLeaves((int[]) a, (int[]) b) : joinNodes((Object[]) a, (Object[]) b, level);
    }

    private static Object joinLeaves(int[] a, int[] b) {
        boolean isA = true;
        boolean isB = true;
        for (int i = 0; i < WIDTH; i++) {
            isA &= a[i] >= b[i];
            isB &= b[i] >= a[i];
        }
        if (isA || isB) {
            return isA ? a : b;
        }
        int[] joined = new int[WIDTH];
        for (int i = 0; i < WIDTH; i++) {
            joined[i] = Math.max(a[i], b[i]);
        }
        return joined;
    }

    private static Object joinNodes(Object[] a, Object[] b, int level) {
        Object[] joined = new Object[WIDTH];
        boolean isA = true;
        boolean isB = true;
        for (int i = 0; i < WIDTH; i++) {
            joined[i] = join(a[i], b[i], level - 1);
            isA &= joined[i] == a[i];
            isB &= joined[i] == b[i];
        }
        return isA ? a : isB ? b : joined;
    }
}
