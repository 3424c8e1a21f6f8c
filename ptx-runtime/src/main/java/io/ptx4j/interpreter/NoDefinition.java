package io.ptx4j.interpreter;

/** The interpreter cannot run a construct; the message is the reason. */
final class NoDefinition extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NoDefinition(String reason) {
        super(reason);
    }
}
