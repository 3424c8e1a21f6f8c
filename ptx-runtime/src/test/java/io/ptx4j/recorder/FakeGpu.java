package io.ptx4j.recorder;

import io.ptx4j.interpreter.Interpreter;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import io.ptx4j.runtime.Dim3;
import io.ptx4j.runtime.Kernel;
import io.ptx4j.runtime.KernelException;
import io.ptx4j.runtime.PtxException;
import io.ptx4j.runtime.PtxModule;
import io.ptx4j.syntax.SourceFile;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A GPU that is the interpreter: handles are places in a list, addresses are those of its own device. After a kernel's fault every call fails, as with the driver. */
final class FakeGpu implements Gpu {
    private boolean lost;
    private final Device device = Device.builder().engine(new Interpreter()).memory(1 << 24).open();
    private final List<Object> handles = new ArrayList<>();
    private final List<DeviceBuffer> buffers = new ArrayList<>();

    @Override
    public String name() {
        return "Fake GPU (compute capability 9.9), driver 0.0";
    }

    private long handle(Object what) {
        handles.add(what);
        return handles.size() - 1;
    }

    @Override
    public long load(String ptx) {
        try {
            return handle(device.load(new SourceFile("on-gpu.ptx", ptx)));
        } catch (PtxException wrong) {
            throw new GpuException("cuModuleLoadData failed: a PTX JIT compilation failed");
        }
    }

    @Override
    public void unload(long module) {
        ((PtxModule) handles.get((int) module)).close();
    }

    @Override
    public long function(long module, String kernel) {
        return handle(((PtxModule) handles.get((int) module)).kernel(kernel));
    }

    @Override
    public long global(long module, String variable) {
        DeviceBuffer found = ((PtxModule) handles.get((int) module)).global(variable);
        buffers.add(found);
        return found.address();
    }

    @Override
    public long allocate(long bytes) {
        DeviceBuffer buffer = device.allocate(bytes);
        buffers.add(buffer);
        return buffer.address();
    }

    @Override
    public void free(long address) {
        if (lost) {
            throw new GpuException("cuMemFree_v2 failed: an illegal memory access was encountered");
        }
        DeviceBuffer buffer = at(address);
        buffers.remove(buffer);
        buffer.close();
    }

    private DeviceBuffer at(long address) {
        return buffers.stream().filter(buffer -> buffer.address() == address).findFirst().orElseThrow();
    }

    @Override
    public void write(long address, MemorySegment from) {
        at(address).segment().copyFrom(from);
    }

    @Override
    public void read(long address, MemorySegment to) {
        to.copyFrom(at(address).segment());
    }

    @Override
    public void launch(long function, Dim3 grid, Dim3 block, int shared, byte[] parameters) {
        Kernel kernel = (Kernel) handles.get((int) function);
        Object[] arguments = new Object[kernel.parameters().size()];
        for (int i = 0; i < arguments.length; i++) {
            int at = kernel.checked().parameterOffsets().get(i);
            arguments[i] = Arrays.copyOfRange(parameters, at, at + (int) kernel.parameters().get(i).bytes());
        }
        try {
            kernel.grid(grid.x(), grid.y(), grid.z()).block(block.x(), block.y(), block.z()).shared(shared).launch(arguments);
        } catch (KernelException fault) {
            lost = true;
            throw new GpuException("cuCtxSynchronize failed: an illegal memory access was encountered");
        }
    }

    @Override
    public boolean works() {
        return !lost;
    }

    @Override
    public void close() {
        device.close();
    }
}
