package io.ptx4j.jit.vector;

import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.jit.code.JvmType;
import io.ptx4j.jit.code.Local;
import io.ptx4j.jit.support.RecordOrder;

import java.util.Arrays;
import java.util.List;

/** The words of records in locals, where code in line sorts them. */
final class RecordWords {
    private final VectorCode vc;
    private final RecordRun run;
    private final Kind kind;
    /** By word and vector; null for words that nobody accesses. */
    private final Local[][] locals;

    RecordWords(VectorCode vc, RecordRun run) {
        this.vc = vc;
        this.run = run;
        this.kind = run.kind();
        this.locals = new Local[run.count(run.first().type().bytes())][];
    }

    /** Gives words that are to be loaded their locals. */
    RecordWords prepare() {
        int some = run.some(run.first().type().bytes());
        for (int w = 0; w < locals.length; w++) {
            if ((some >> w & 1) != 0) {
                locals[w] = new Local[kind.parts(vc.group)];
                Arrays.setAll(locals[w], part -> newVector());
            }
        }
        return this;
    }

    private Local newVector() {
        Local vector = vc.code.newLocal(JvmType.REFERENCE);
        vc.code.staticField(RecordOrder.class, kind + "_EVEN").store(vector);
        return vector;
    }

    Kind kind() {
        return kind;
    }

    Local[][] locals() {
        return locals;
    }

    /** The only vector of each element. */
    Local[] elements() {
        return Arrays.stream(locals).map(word -> word == null ? null : word[0]).toArray(Local[]::new);
    }

    /** The number of an access's first word, of as many bits as it has. */
    int word(Instruction i) {
        return (int) (RecordRun.offset(i) - run.low()) / i.type().bytes();
    }

    /** Gives a load's registers its words. */
    void take(Instruction i) {
        List<Operand> elements = MemoryVectors.elements(i, true);
        for (int e = 0; e < elements.size(); e++) {
            for (int part = 0; part < kind.parts(vc.group) && !(elements.get(e) instanceof Operand.Sink); part++) {
                vc.code.load(locals[word(i) + e][part]);
                if (kind == Kind.INT) {
                    vc.popInts(elements.get(e), part);
                } else {
                    vc.popLongs(elements.get(e), part);
                }
            }
        }
    }

    /** Keeps the words of a store until all are there. */
    void keep(Instruction i) {
        List<Operand> elements = MemoryVectors.elements(i, false);
        for (int e = 0; e < elements.size(); e++) {
            Local[] word = new Local[kind.parts(vc.group)];
            locals[word(i) + e] = word;
            for (int part = 0; part < word.length; part++) {
                if (kind == Kind.INT) {
                    vc.pushInts(NarrowVectors.whole(elements.get(e)), part);
                } else {
                    vc.pushLongs(NarrowVectors.whole(elements.get(e)), part);
                }
                word[part] = vc.code.newLocal(JvmType.REFERENCE);
                vc.code.store(word[part]);
            }
        }
    }
}
