package io.ptx4j.check;

import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Location;
import io.ptx4j.ir.Register;
import io.ptx4j.ir.Terminator;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Function;

/** Cuts a body into basic blocks, in the order of the text. */
final class Flow {
    /** A label; {@code draft} is set where the text has it. */
    static final class Label {
        private final String name;
        private Draft draft;

        Label(String name) {
            this.name = name;
        }

        String name() {
            return name;
        }
    }

    /** A block that is not numbered yet. */
    private static final class Draft {
        private String label;
        private final List<Instruction> instructions = new ArrayList<>();
        private End end;
        private int index = -1;
        private boolean reached;
    }

    /** A terminator whose targets are not numbered yet. */
    private sealed interface End {
        record Jump(Label target, Location location) implements End {
        }

        record FallThrough(Draft target, Location location) implements End {
        }

        record Branch(Register predicate, boolean negated, Label taken, Draft made, Draft otherwise, boolean uniform,
                Location location) implements End {
        }

        record Switch(Register index, List<Label> targets, Location location) implements End {
        }

        record Leave(boolean exit, Location location) implements End {
        }
    }

    private final Function<Instruction, List<Instruction>> rewriting;
    private final List<Draft> drafts = new ArrayList<>();
    private Draft current = start(new Draft());

    /** @param rewriting what is put in for each instruction of the text */
    Flow(Function<Instruction, List<Instruction>> rewriting) {
        this.rewriting = rewriting;
    }

    private Draft start(Draft draft) {
        drafts.add(draft);
        current = draft;
        return draft;
    }

    void add(Instruction instruction) {
        current.instructions.addAll(rewriting.apply(instruction));
    }

    /** No jump goes to the entry block: a label at the very start begins a second one. */
    void label(Label label, Location location) {
        boolean fresh = current.instructions.isEmpty() && current.end == null && drafts.size() > 1;
        if (!fresh) {
            fallInto(new Draft(), location);
        }
        label.draft = current;
        current.label = current.label == null ? label.name : current.label;
    }

    private void fallInto(Draft next, Location location) {
        if (current.end == null) {
            current.end = new End.FallThrough(next, location);
        }
        start(next);
    }

    void jump(Label target, Location location) {
        end(new End.Jump(target, location));
    }

    void branch(Instruction.Guard guard, Label target, boolean uniform, Location location) {
        Draft next = new Draft();
        current.end = new End.Branch(guard.predicate(), guard.negated(), target, null, next, uniform, location);
        start(next);
    }

    /** A guarded instruction that ends a block: it gets a block of its own. */
    void guarded(Instruction.Guard guard, Location location, Runnable ending) {
        Draft own = new Draft();
        Draft next = new Draft();
        current.end = new End.Branch(guard.predicate(), guard.negated(), null, own, next, false, location);
        start(own);
        ending.run();
        drafts.removeLast();
        start(next);
    }

    void select(Register index, List<Label> targets, Location location) {
        end(new End.Switch(index, targets, location));
    }

    void leave(boolean exit, Location location) {
        end(new End.Leave(exit, location));
    }

    private void end(End end) {
        current.end = end;
        start(new Draft());
    }

    /** Numbers the blocks that can be reached. {@code last} is where the body ends: falling off it returns. */
    List<BasicBlock> finish(Location last) {
        if (current.end == null) {
            current.end = new End.Leave(false, last);
        }
        reach();
        List<Draft> kept = new ArrayList<>();
        for (Draft draft : drafts) {
            if (draft.reached) {
                draft.index = kept.size();
                kept.add(draft);
            }
        }
        List<BasicBlock> blocks = new ArrayList<>(kept.size());
        for (Draft draft : kept) {
            String label = draft.label == null ? "bb" + draft.index : draft.label;
            blocks.add(new BasicBlock(draft.index, label, List.copyOf(draft.instructions), terminator(draft.end)));
        }
        return List.copyOf(blocks);
    }

    private void reach() {
        Deque<Draft> open = new ArrayDeque<>();
        open.push(drafts.getFirst());
        while (!open.isEmpty()) {
            Draft draft = open.pop();
            if (!draft.reached) {
                draft.reached = true;
                targets(draft.end).forEach(open::push);
            }
        }
    }

    private static List<Draft> targets(End end) {
        return switch (end) {
            case End.Jump jump -> List.of(jump.target.draft);
            case End.FallThrough fall -> List.of(fall.target);
            case End.Branch branch -> List.of(branch.made == null ? branch.taken.draft : branch.made, branch.otherwise);
            case End.Switch select -> select.targets.stream().map(label -> label.draft).toList();
            case End.Leave _ -> List.of();
        };
    }

    private static Terminator terminator(End end) {
        return switch (end) {
            case End.Jump(Label target, Location location) -> new Terminator.Jump(target.draft.index, location);
            case End.FallThrough(Draft target, Location location) -> new Terminator.Jump(target.index, location);
            case End.Branch b -> new Terminator.Branch(b.predicate, b.negated, (b.made == null ? b.taken.draft : b.made).index,
                    b.otherwise.index, b.uniform, b.location);
            case End.Switch(Register index, List<Label> targets, Location location) ->
                    new Terminator.Switch(index, targets.stream().map(label -> label.draft.index).toList(), location);
            case End.Leave(boolean exit, Location location) ->
                    exit ? new Terminator.Exit(location) : new Terminator.Return(location);
        };
    }
}
