package io.ptx4j.runtime;

import io.ptx4j.engine.Unsupported;
import java.util.List;

/** A kernel is good PTX but uses something that the device's engine cannot run; other kernels of its module are not affected. */
public final class UnsupportedPtxException extends PtxException {
    private static final long serialVersionUID = 1L;

    private final String kernel;
    private final transient List<Unsupported> unsupported;

    UnsupportedPtxException(String module, String kernel, String engine, List<Unsupported> unsupported, Throwable cause) {
        super(text(module, kernel, engine, unsupported), cause);
        this.kernel = kernel;
        this.unsupported = List.copyOf(unsupported);
    }

    private static String text(String module, String kernel, String engine, List<Unsupported> unsupported) {
        var text = new StringBuilder("kernel " + kernel + " uses what the " + engine + " engine does not support:");
        for (Unsupported one : unsupported) {
            text.append("\n  ").append(module).append(':').append(one.location()).append(": ").append(one.construct())
                    .append(": ").append(one.reason());
        }
        return text.toString();
    }

    public String kernel() {
        return kernel;
    }

    /** All such places, in text order. */
    public List<Unsupported> unsupported() {
        return unsupported;
    }
}
