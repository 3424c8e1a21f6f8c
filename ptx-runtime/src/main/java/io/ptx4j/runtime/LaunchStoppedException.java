package io.ptx4j.runtime;

/** A launch was stopped from outside before all its blocks had run. What the blocks had written by then stays written. */
public final class LaunchStoppedException extends PtxException {
    private static final long serialVersionUID = 1L;

    /** Why it was stopped. */
    public enum Reason {
        /** Its future was cancelled. */
        CANCELLED("was cancelled"),
        /** It ran longer than its timeout. */
        TIMED_OUT("ran longer than its timeout"),
        /** The thread that waited in {@code launch()} was interrupted; its interrupt flag is set again. */
        INTERRUPTED("was stopped because the launching thread was interrupted"),
        /** The device was closed. */
        DEVICE_CLOSED("was stopped because its device was closed"),
        /** A launch before it in its stream failed, so it never started; that failure is the cause. */
        EARLIER_FAILURE("did not start because an earlier launch of its stream failed");

        private final String text;

        Reason(String text) {
            this.text = text;
        }
    }

    private final String kernel;
    private final Reason reason;

    LaunchStoppedException(String kernel, Reason reason, String detail, Throwable cause) {
        super("the launch of kernel " + kernel + " " + reason.text + detail, cause);
        this.kernel = kernel;
        this.reason = reason;
    }

    public String kernel() {
        return kernel;
    }

    public Reason reason() {
        return reason;
    }
}
