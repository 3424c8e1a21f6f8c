package io.ptx4j.cli;

import java.io.Console;

/** One line on a terminal that tells how far long work is; nothing where errors go to a file. */
final class Progress implements AutoCloseable {
    private static final int WIDTH = 78;
    private static final long INTERVAL = 100_000_000;

    private final boolean shown;
    private final int total;
    private int done;
    private long last = System.nanoTime();
    private boolean dirty;

    Progress(int total) {
        Console console = System.console();
        this.shown = console != null && console.isTerminal();
        this.total = total;
    }

    /** Another piece is done. */
    synchronized void step(String what) {
        done++;
        long now = System.nanoTime();
        if (shown && now - last > INTERVAL) {
            last = now;
            dirty = true;
            String line = "[" + done + "/" + total + "] " + what;
            System.err.print("\r" + (line.length() > WIDTH ? line.substring(0, WIDTH) : line + " ".repeat(WIDTH - line.length())));
            System.err.flush();
        }
    }

    @Override
    public void close() {
        wipe();
    }

    /** Removes the line, before something else is printed. */
    synchronized void wipe() {
        if (dirty) {
            System.err.print("\r" + " ".repeat(WIDTH) + "\r");
            System.err.flush();
            dirty = false;
        }
    }
}
