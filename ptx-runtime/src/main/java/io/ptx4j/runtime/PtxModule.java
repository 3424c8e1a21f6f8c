package io.ptx4j.runtime;

import io.ptx4j.engine.Program;
import io.ptx4j.ir.Module;
import io.ptx4j.ir.Variable;
import io.ptx4j.isa.ScalarType;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A PTX module on a device: its kernels, and its {@code .global} and {@code .const} variables in device memory. Loading the
 * same text twice gives two modules with variables of their own. Thread-safe.
 */
public final class PtxModule implements AutoCloseable {
    private final Device device;
    private final Module checked;
    private final ModuleImage image;
    private final Map<String, Kernel> kernels = new LinkedHashMap<>();
    private volatile boolean closed;

    PtxModule(Device device, Module checked) {
        this.device = device;
        this.checked = checked;
        this.image = ModuleImage.place(device, checked);
        checked.kernels().forEach((name, kernel) -> kernels.put(name, new Kernel(this, kernel)));
    }

    /** What errors call the module, as given when it was loaded. */
    public String name() {
        return checked.name();
    }

    public Device device() {
        return device;
    }

    /** The checked program. */
    public Module checked() {
        return checked;
    }

    Program program() {
        return image.program();
    }

    Allocation constants() {
        return image.constants();
    }

    /** The kernels in text order. */
    public Collection<Kernel> kernels() {
        return Collections.unmodifiableCollection(kernels.values());
    }

    /**
     * The kernel of that name, as the PTX spells it.
     *
     * @throws UnknownNameException if there is none
     */
    public Kernel kernel(String name) {
        checkOpen();
        Kernel kernel = kernels.get(name);
        if (kernel == null) {
            throw new UnknownNameException(name(), "kernel", name, kernels.keySet());
        }
        return kernel;
    }

    /** Names of the {@code .global} and {@code .const} variables, in text order. */
    public List<String> globals() {
        return checked.variables().stream().filter(v -> image.memory(v) != null).map(Variable::name).distinct().toList();
    }

    /**
     * A view of the {@code .global} or {@code .const} variable of that name, for reading and writing. It lives as long as the module.
     *
     * @throws UnknownNameException if there is none
     */
    public DeviceBuffer global(String name) {
        checkOpen();
        for (Variable variable : checked.variables()) {
            Allocation memory = image.memory(variable);
            if (memory != null && variable.name().equals(name)) {
                return new DeviceBuffer(device, device.areas().slice(memory), memory, this);
            }
        }
        throw new UnknownNameException(name(), "variable", name, globals());
    }

    /**
     * Makes a {@code .texref}, {@code .samplerref}, {@code .surfref} or old {@code .tex} variable stand for that texture, sampler or surface.
     *
     * @throws UnknownNameException if there is no such variable
     */
    public void bind(String name, ImageObject object) {
        boolean opaque = checked.variables().stream()
                .anyMatch(v -> v.name().equals(name) && v.type().kind() == ScalarType.Kind.OPAQUE && image.memory(v) != null);
        if (!opaque) {
            throw new UnknownNameException(name(), "texture, sampler or surface variable", name, checked.variables().stream()
                    .filter(v -> v.type().kind() == ScalarType.Kind.OPAQUE).map(Variable::name).toList());
        }
        global(name).copyFrom(new long[] {object.handle()});
    }

    /** Gives all variables the contents that they had when the module was loaded. */
    public void reset() {
        checkOpen();
        image.reset();
    }

    boolean closed() {
        return closed;
    }

    void checkOpen() {
        device.checkOpen();
        if (closed) {
            throw new IllegalStateException("module " + name() + " is closed");
        }
    }

    /** Gives the memory of the variables back once launches under way have ended. Closing twice does nothing. */
    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        image.release();
    }

    @Override
    public String toString() {
        return name();
    }
}
