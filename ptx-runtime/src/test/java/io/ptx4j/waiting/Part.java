package io.ptx4j.waiting;

/** The part of a long run that {@code -Dptx4j.part=2/4} asks for, here the second of four; without it all of the run. */
public final class Part {
    private static final String[] ASKED = System.getProperty("ptx4j.part", "1/1").split("/");
    private static final int NUMBER = Integer.parseInt(ASKED[0]);
    private static final int PARTS = Integer.parseInt(ASKED[1]);

    private Part() {
    }

    /** Whether test {@code index}, counted from 0, belongs to it. Neighbours belong to different parts. */
    public static boolean has(int index) {
        return index % PARTS == NUMBER - 1;
    }
}
