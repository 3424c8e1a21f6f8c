package io.ptx4j.engine.checks;

/**
 * What one worker has claimed of {@link Cells} for itself, so that it need not lock each word that it looks at. Others that want a part of it ask, and
 * wait until the worker gives it all back, which it does at its next access, when it asks whether to go on, before it calls code of the host, and at the
 * end of a block. What was asked for becomes common, and its words are locked one by one from then on.
 */
public final class Claim {
    /** Nobody's. */
    static final Claim NONE = new Claim(null);

    private final Races races;
    private volatile boolean released;
    private volatile int wanted;
    /** Whether anything was claimed with it; the worker's own affair. */
    boolean used;

    /** @param races of the worker; null where it is for all of them */
    Claim(Races races) {
        this.races = races;
    }

    /** @param part number of what is wanted, from 1 */
    void ask(int part) {
        wanted = part;
        races.asked();
    }

    /** What was asked for last; 0 for nothing. */
    int wanted() {
        return wanted;
    }

    boolean released() {
        return released;
    }

    void release() {
        released = true;
    }
}
