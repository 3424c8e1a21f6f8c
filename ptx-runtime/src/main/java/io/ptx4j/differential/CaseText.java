package io.ptx4j.differential;

import io.ptx4j.runtime.Dim3;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/** The case file of a kernel. */
final class CaseText {
    private CaseText() {
    }

    /**
     * @param comment what it shows
     * @param expected contents of {@code out}, {@code sums}, the {@code out} of the second kernel, {@code boxes} and the replicas; null when none are to be expected
     */
    static String of(RandomKernel kernel, String comment, byte[][] expected) {
        StringBuilder text = new StringBuilder();
        comment.lines().forEach(line -> text.append("// ").append(line.replace(':', ' ').replaceAll("[^ -~]", "?")).append('\n'));
        text.append("// launch: ").append(RandomKernel.NAME).append(" grid=").append(kernel.grid()).append(" block=").append(block(kernel.block())).append('\n');
        text.append("// arg: in: buffer b64[").append(RandomKernel.INPUT).append("] = ");
        if (kernel.text().contains(", [in]") && Pattern.compile("\\[%in|%in;|%tensor").matcher(kernel.text()).find()) {
            String separator = "";
            for (long element : kernel.input()) {
                text.append(separator).append("0x").append(Long.toHexString(element));
                separator = ", ";
            }
            text.append('\n');
        } else {
            text.append("zero\n");
        }
        text.append("// arg: out: buffer b32[").append(kernel.outputWords()).append("] = zero\n");
        text.append("// arg: sums: buffer b32[").append(RandomKernel.SUMS / 4).append("] = zero\n");
        for (int i = 0; i < kernel.images().size(); i++) {
            text.append("// arg: image").append(i).append(": ").append(kernel.images().get(i).text()).append('\n');
        }
        if (kernel.tensor() != null) {
            text.append("// arg: tensor: ").append(kernel.tensor().text("in")).append('\n');
            if (!kernel.tensor().operations().isEmpty()) {
                text.append("// arg: boxes: buffer b64[").append(RandomKernel.INPUT).append("] = zero\n// arg: target: ").append(kernel.tensor().text("boxes")).append('\n');
            }
        }
        for (int i = 0; i < kernel.replicas().size(); i++) {
            long[] replica = kernel.replicas().get(i);
            text.append(i == 0 ? "// arg: many: multicast b64[" + replica.length + "] = " : " | ")
                    .append(LongStream.of(replica).mapToObj(element -> "0x" + Long.toHexString(element)).collect(Collectors.joining(", ")));
        }
        text.append(kernel.replicas().isEmpty() ? "" : "\n");
        if (kernel.hasSecond()) {
            text.append("// launch: ").append(RandomKernel.SECOND).append(" grid=").append(kernel.grid()).append(" block=").append(block(kernel.block()))
                    .append("\n// arg: in\n// arg: out2: buffer b32[").append(kernel.outputWords()).append("] = zero\n// arg: sums\n");
        }
        if (expected != null) {
            expect(text, "out", expected[0], Integer.BYTES);
            expect(text, "sums", expected[1], Integer.BYTES);
            if (kernel.hasSecond()) {
                expect(text, "out2", expected[2], Integer.BYTES);
            }
            if (kernel.tensor() != null && !kernel.tensor().operations().isEmpty()) {
                expect(text, "boxes", expected[3], Long.BYTES);
            }
            for (int i = 0; i < kernel.replicas().size(); i++) {
                expect(text, "many" + i, expected[4 + i], Long.BYTES);
            }
        }
        return text.append(kernel.text()).toString();
    }

    private static String block(Dim3 block) {
        return block.x() + (block.y() * block.z() == 1 ? "" : "," + block.y() + "," + block.z());
    }

    /** @param size of an element in bytes */
    private static void expect(StringBuilder text, String name, byte[] bytes, int size) {
        ByteBuffer elements = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        text.append("// expect: ").append(name).append("[0..").append(bytes.length / size - 1).append("] = ");
        String separator = "";
        while (elements.hasRemaining()) {
            text.append(separator).append("0x").append(size == Long.BYTES ? Long.toHexString(elements.getLong()) : Integer.toHexString(elements.getInt()));
            separator = ", ";
        }
        text.append('\n');
    }
}
