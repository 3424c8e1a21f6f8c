package io.ptx4j.cases;

/** A case file that is written wrongly; the message begins with the place. */
public final class CaseException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public CaseException(String place, String problem) {
        super(place + ": " + problem);
    }
}
