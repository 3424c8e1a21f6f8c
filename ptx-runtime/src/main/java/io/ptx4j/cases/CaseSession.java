package io.ptx4j.cases;

import io.ptx4j.cases.CaseFile.Argument;
import io.ptx4j.cases.CaseFile.Contents;
import io.ptx4j.cases.CaseFile.Expectation;
import io.ptx4j.engine.TensorPixels;
import io.ptx4j.ir.Variable;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import io.ptx4j.runtime.Image;
import io.ptx4j.runtime.ImageObject;
import io.ptx4j.runtime.Kernel;
import io.ptx4j.runtime.Launch;
import io.ptx4j.runtime.LaunchResult;
import io.ptx4j.runtime.MulticastBuffer;
import io.ptx4j.runtime.PtxException;
import io.ptx4j.runtime.PtxModule;
import io.ptx4j.runtime.TensorMap;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.function.LongUnaryOperator;

/** A case on a device: its module, and its buffers by name. */
public final class CaseSession implements AutoCloseable {
    private static final int DIFFERENCES_SHOWN = 3;
    private static final long LARGEST_VARIABLE_KEPT = 1 << 24;

    private final CaseFile file;
    private final Device device;
    private final PtxModule module;
    private final Map<String, CaseBuffer> buffers = new LinkedHashMap<>();
    private final Map<String, Argument.Buffer> definitions = new LinkedHashMap<>();
    /** What the module's variables held at first. */
    private final Map<String, byte[]> variables = new LinkedHashMap<>();
    private final Map<String, Object> scalars = new LinkedHashMap<>();

    /** @throws io.ptx4j.runtime.PtxException if the module does not load */
    public CaseSession(CaseFile file, Device device) {
        this.file = file;
        this.device = device;
        this.module = file.linked().isEmpty() ? device.load(file.source()) : device.link(file.sources());
        for (String name : module.globals()) {
            if (module.global(name).byteSize() <= LARGEST_VARIABLE_KEPT) {
                variables.put(name, module.global(name).toBytes());
            }
        }
    }

    public PtxModule module() {
        return module;
    }

    /** The buffers made so far, in the order of their definition. */
    public Collection<CaseBuffer> buffers() {
        return Collections.unmodifiableCollection(buffers.values());
    }

    /** The buffers and module variables that hold anything else than at first. */
    public List<CaseBuffer> outputs() {
        List<CaseBuffer> changed = new ArrayList<>(buffers.values().stream().filter(this::changed).toList());
        variables.forEach((name, before) -> {
            if (!buffers.containsKey(name) && !Arrays.equals(before, module.global(name).toBytes())) {
                changed.add(find(name, null));
            }
        });
        return changed;
    }

    private boolean changed(CaseBuffer buffer) {
        Contents contents = definitions.get(buffer.name()).contents();
        LongUnaryOperator before = CaseData.elements(contents, buffer.type(), buffer.count(), file.folder());
        for (long i = 0; i < buffer.count(); i++) {
            if (buffer.bits(i) != before.applyAsLong(i)) {
                return true;
            }
        }
        return false;
    }

    /** Gives buffers and module variables the contents that they had at first. */
    public void reset() {
        module.reset();
        for (Argument.Buffer buffer : definitions.values()) {
            CaseData.write(buffer.contents(), buffer.type(), buffer.count(), file.folder(), buffers.get(buffer.name()).memory().segment());
        }
    }

    /** A launch of the case with its arguments in device memory, which can be run more than once. */
    public record Prepared(Launch launch, Object[] arguments) {
        public LaunchResult run() {
            return launch.launch(arguments);
        }

        /** Makes it as fast as it gets; nothing of that shows. */
        public void warmUp() {
            try {
                launch.prepare(arguments).join();
            } catch (CompletionException failed) {
                throw failed.getCause() instanceof PtxException known ? known : failed;
            }
        }
    }

    /** Makes the buffers that {@code launch} defines. */
    public Prepared prepare(CaseFile.Launch launch) {
        Kernel kernel = module.kernel(launch.kernel());
        List<Object> arguments = new ArrayList<>();
        for (Argument argument : launch.arguments()) {
            int index = arguments.size();
            Object value = value(argument, index < kernel.parameters().size() ? kernel.parameters().get(index) : null);
            if (!(argument instanceof Argument.Image image && image.bound())) {
                arguments.add(value);
            }
        }
        Launch made = kernel.grid(launch.grid().x(), launch.grid().y(), launch.grid().z())
                .block(launch.block().x(), launch.block().y(), launch.block().z()).shared(launch.shared());
        if (launch.cluster() != null) {
            made = made.cluster(launch.cluster().x(), launch.cluster().y(), launch.cluster().z());
        }
        return new Prepared(launch.cooperative() ? made.cooperative() : made, arguments.toArray());
    }

    private Object value(Argument argument, Kernel.Parameter parameter) {
        return switch (argument) {
            case Argument.Buffer buffer -> define(buffer);
            case Argument.Image image -> define(image);
            case Argument.Multicast multicast -> scalar(multicast.name(), device.multicast(multicast.name(),
                    multicast.replicas().stream().map(this::define).toArray(DeviceBuffer[]::new)));
            case Argument.Value value -> scalar(value.name(), plain(value.type(), value.count(), value.contents()));
            case Argument.Struct struct -> scalar(struct.name(), struct.bytes());
            case Argument.Tensor tensor -> scalar(tensor.name(), map(tensor));
            case Argument.Reference reference -> refer(reference, parameter);
            case Argument.Literal literal -> literal(literal, parameter);
        };
    }

    private Object scalar(String name, Object value) {
        scalars.put(name, value);
        return value;
    }

    private byte[] map(Argument.Tensor tensor) {
        CaseBuffer buffer = find(tensor.buffer(), null);
        if (buffer == null) {
            throw new CaseException(tensor.place(), "there is no buffer " + tensor.buffer() + " yet that holds the tensor");
        }
        try {
            TensorPixels pixels = tensor.pixels();
            TensorMap map = pixels == null ? TensorMap.of(buffer.memory(), tensor.type(), tensor.extents(), tensor.box())
                    : pixels.wide() ? TensorMap.im2colWide(buffer.memory(), tensor.type(), tensor.extents(), pixels.lower()[0], pixels.upper()[0],
                            pixels.channels(), pixels.count())
                    : TensorMap.im2col(buffer.memory(), tensor.type(), tensor.extents(), pixels.lower(), pixels.upper(), pixels.channels(),
                            pixels.count());
            map = tensor.every() == null ? map : map.elementStrides(tensor.every());
            map = map.swizzle(tensor.swizzle());
            return (tensor.fillsNan() ? map.fillNan() : map).bytes();
        } catch (IllegalArgumentException wrong) {
            throw new CaseException(tensor.place(), wrong.getMessage());
        }
    }

    private DeviceBuffer define(Argument.Buffer buffer) {
        DeviceBuffer memory = device.allocate(buffer.name(), Math.multiplyExact(buffer.count(), (long) buffer.type().bytes()));
        if (!(buffer.contents() instanceof Contents.Unwritten)) {
            CaseData.write(buffer.contents(), buffer.type(), buffer.count(), file.folder(), memory.segment());
        }
        definitions.put(buffer.name(), buffer);
        buffers.put(buffer.name(), new CaseBuffer(buffer.name(), buffer.type(), buffer.count(), memory));
        return memory;
    }

    /** Makes the image; a module's opaque variable of that name then stands for it. */
    private ImageObject define(Argument.Image image) {
        DeviceBuffer texels = define(image.texels());
        Image made = device.image(image.layout(), image.type(), image.channels(), texels,
                image.layout().width() * image.layout().samples() * image.channels() * image.type().bytes());
        ImageObject object = image.surface() ? made.surface() : made.texture(image.sampler());
        if (module.checked().variables().stream().anyMatch(v -> v.name().equals(image.name()) && v.type().kind() == ScalarType.Kind.OPAQUE)) {
            module.bind(image.name(), object);
        }
        scalars.put(image.name(), object);
        return object;
    }

    /** A scalar as the launch takes it; an array by value as its bytes. */
    private Object plain(ScalarType type, long count, Contents contents) {
        if (count != 1) {
            byte[] bytes = new byte[Math.toIntExact(count * type.bytes())];
            CaseData.write(contents, type, count, file.folder(), MemorySegment.ofArray(bytes));
            return bytes;
        }
        return boxed(type, CaseData.elements(contents, type, 1, file.folder()).applyAsLong(0));
    }

    private static Object boxed(ScalarType type, long bits) {
        if (type.kind() == ScalarType.Kind.BITS) {
            byte[] bytes = new byte[type.bytes()];
            CaseData.set(MemorySegment.ofArray(bytes), type, 0, bits);
            return bytes;
        }
        return switch (type) {
            case F32 -> Float.intBitsToFloat((int) bits);
            case F64 -> Double.longBitsToDouble(bits);
            default -> switch (type.bytes()) {
                case 1 -> (Object) (byte) bits;
                case 2 -> (short) bits;
                case 4 -> (int) bits;
                default -> bits;
            };
        };
    }

    private Object refer(Argument.Reference reference, Kernel.Parameter parameter) {
        if (scalars.get(reference.name()) instanceof ImageObject object) {
            return object;
        }
        if (scalars.get(reference.name()) instanceof MulticastBuffer multicast) {
            return multicast.address() + reference.offset();
        }
        if (scalars.containsKey(reference.name()) && !buffers.containsKey(reference.name())) {
            return scalars.get(reference.name());
        }
        CaseBuffer known = find(reference.name(), null);
        if (known == null) {
            throw new CaseException(reference.place(), "there is no buffer, scalar or module variable " + reference.name()
                    + "; define it as in '" + reference.name() + ": buffer f32[100] = zero'");
        }
        if (reference.offset() == 0) {
            return known.memory();
        }
        long address = known.memory().address() + reference.offset();
        return parameter != null && parameter.bytes() == 4 ? (Object) (int) address : address;
    }

    private static Object literal(Argument.Literal literal, Kernel.Parameter parameter) {
        ScalarType type = parameter == null ? ScalarType.S32 : parameter.type();
        try {
            return boxed(type, ElementText.parse(type, literal.text()));
        } catch (NumberFormatException wrong) {
            throw new CaseException(literal.place(), "for parameter " + parameter + ": " + wrong.getMessage());
        }
    }

    /** The buffer or module variable of that name; null if there is none. */
    public CaseBuffer find(String name, ScalarType type) {
        CaseBuffer buffer = buffers.get(name);
        if (buffer == null && module.globals().contains(name)) {
            ScalarType declared = module.checked().variables().stream().filter(v -> v.name().equals(name)).map(Variable::type)
                    .filter(ElementText.TYPES::contains).findFirst().orElse(ScalarType.B8);
            DeviceBuffer memory = module.global(name);
            buffer = new CaseBuffer(name, declared, memory.byteSize() / declared.bytes(), memory);
        }
        return buffer == null || type == null ? buffer
                : new CaseBuffer(name, type, buffer.memory().byteSize() / type.bytes(), buffer.memory());
    }

    /** What the expectations of the case find wrong, worded for people; empty when all is well. */
    public List<String> mismatches() {
        List<String> wrong = new ArrayList<>();
        for (Expectation expectation : file.expectations()) {
            CaseBuffer buffer = find(expectation.name(), expectation.type());
            if (buffer == null) {
                throw new CaseException(expectation.place(), "there is no buffer or module variable " + expectation.name());
            }
            compare(expectation, buffer, wrong);
        }
        return wrong;
    }

    private void compare(Expectation expectation, CaseBuffer buffer, List<String> wrong) {
        Expected expected = Expected.read(file.source().name(), expectation, buffer.type(), buffer.count());
        LongUnaryOperator wanted = CaseData.elements(expected.contents(), buffer.type(), expected.count(), file.folder());
        MemorySegment memory = buffer.memory().segment();
        StringBuilder text = new StringBuilder();
        long different = 0;
        for (long i = 0; i < expected.count(); i++) {
            long index = expected.first() + i;
            long found = CaseData.get(memory, buffer.type(), index);
            if (!expected.allows(i, found, wanted) && different++ < DIFFERENCES_SHOWN) {
                text.append(different == 1 ? "" : "; ").append(expectation.name()).append('[').append(index).append("] is ")
                        .append(both(buffer.type(), found)).append(", expected ").append(both(buffer.type(), wanted.applyAsLong(i)));
            }
        }
        if (different > 0) {
            wrong.add(expectation.place() + ": " + text
                    + (different > DIFFERENCES_SHOWN ? "; " + (different - DIFFERENCES_SHOWN) + " more of " + expected.count() : ""));
        }
    }

    private static String both(ScalarType type, long bits) {
        return ElementText.format(type, bits)
                + (type.kind() == ScalarType.Kind.BITS ? "" : " (" + ElementText.hexadecimal(type, bits) + ")");
    }

    @Override
    public void close() {
        buffers.values().forEach(buffer -> buffer.memory().close());
        module.close();
    }
}
