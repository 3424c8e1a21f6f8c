package io.ptx4j.check;

import io.ptx4j.isa.SpecialRegister;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;

/** Names of one pair of braces; an inner scope may declare a name again. */
final class Scope {
    /** {@code %r<100>}: the names %r0 to %r99, made when they are first used; %r07 is %r7. */
    private record Numbered(long count, LongFunction<Symbol> make) {
    }

    private static final int LONGEST_NUMBER = 18;

    private final Scope outer;
    private final Map<String, Symbol> names = new HashMap<>();
    private final Map<String, Numbered> numbered = new HashMap<>(0);
    /** The smallest number behind each prefix among names declared one by one. */
    private final Map<String, Long> single = new HashMap<>(0);
    private final Map<String, Flow.Label> labels = new HashMap<>(0);
    /** Offsets of the declarations in the text; those of sets of numbered names stand under their prefix and {@code <}. */
    private final Map<String, Integer> starts = new HashMap<>(0);

    Scope(Scope outer) {
        this.outer = outer;
    }

    /** Whether this is the scope of a module. */
    boolean outermost() {
        return outer == null;
    }

    /** The symbol of the innermost scope that has the name; null when none has. */
    Symbol find(String name) {
        for (Scope scope = this; scope != null; scope = scope.outer) {
            Symbol symbol = scope.own(name);
            if (symbol != null) {
                return symbol;
            }
        }
        return null;
    }

    /** The symbol that this very scope declares under the name, or null. */
    Symbol own(String name) {
        Symbol symbol = names.get(name);
        if (symbol == null && !numbered.isEmpty()) {
            symbol = fromNumbered(name);
            if (symbol != null) {
                names.put(name, symbol);
            }
        }
        return symbol;
    }

    private Symbol fromNumbered(String name) {
        int digits = digits(name);
        Numbered set = numbered.get(name.substring(0, digits));
        if (set == null || digits == name.length()) {
            return null;
        }
        long number = number(name, digits);
        if (number >= set.count) {
            return null;
        }
        String plain = name.substring(0, digits) + number;
        return plain.equals(name) ? set.make.apply(number) : own(plain);
    }

    /** Where the number at the end of a name begins. */
    private static int digits(String name) {
        int digits = name.length();
        while (digits > 0 && name.charAt(digits - 1) >= '0' && name.charAt(digits - 1) <= '9') {
            digits--;
        }
        return digits;
    }

    private static long number(String name, int digits) {
        return name.length() - digits > LONGEST_NUMBER ? Long.MAX_VALUE : Long.parseLong(name, digits, name.length(), 10);
    }

    /** Whether the name is that of a special register, which every module has already. */
    static boolean predefined(String name) {
        return name.charAt(0) == '%' && (SpecialRegister.named(name) != null || SpecialRegister.named(name + ".x") != null);
    }

    /** Where this very scope declares the name first, as an offset in the text; -1 where it does not. */
    int start(String name) {
        int digits = digits(name);
        Integer set = starts.get(name.substring(0, digits) + '<');
        return starts.getOrDefault(name, set == null ? -1 : set);
    }

    /** Where this scope declares, alone or in a set, the first of the names that a set of numbered ones would have. */
    int startOfNumbered(String prefix) {
        return starts.entrySet().stream().filter(one -> one.getKey().startsWith(prefix)
                        && one.getKey().substring(prefix.length()).matches("<|[0-9]+"))
                .mapToInt(Map.Entry::getValue).min().orElse(-1);
    }

    /** Declares a name, unless this scope has it, as a label or as anything else; then says so. */
    boolean declare(String name, Symbol symbol, int start) {
        if (own(name) != null || labels.containsKey(name)) {
            return false;
        }
        names.put(name, symbol);
        starts.put(name, start);
        int digits = digits(name);
        if (digits < name.length()) {
            single.merge(name.substring(0, digits), number(name, digits), Math::min);
        }
        return true;
    }

    /** A later declaration of the same function. */
    void replace(String name, Symbol symbol) {
        names.put(name, symbol);
    }

    boolean declareNumbered(String prefix, long count, LongFunction<Symbol> make, int start) {
        if (numbered.containsKey(prefix) || single.getOrDefault(prefix, Long.MAX_VALUE) < count) {
            return false;
        }
        numbered.put(prefix, new Numbered(count, make));
        starts.put(prefix + '<', start);
        return true;
    }

    /** Declares a label, unless this scope has it; then null. */
    Flow.Label declareLabel(String name, int start) {
        Flow.Label label = new Flow.Label(name);
        if (labels.putIfAbsent(name, label) != null) {
            return null;
        }
        starts.putIfAbsent(name, start);
        return label;
    }

    Flow.Label ownLabel(String name) {
        return labels.get(name);
    }

    Flow.Label findLabel(String name) {
        for (Scope scope = this; scope != null; scope = scope.outer) {
            Flow.Label label = scope.labels.get(name);
            if (label != null) {
                return label;
            }
        }
        return null;
    }

    /** What {@code .reg .b32 %r<8>} declares, said to somebody who writes {@code %r8}; null when no such declaration is near. */
    String numberedLike(String name) {
        int digits = digits(name);
        String prefix = name.substring(0, digits);
        for (Scope scope = this; scope != null && digits < name.length(); scope = scope.outer) {
            Numbered set = scope.numbered.get(prefix);
            if (set != null) {
                return prefix + "<" + set.count + "> declares " + prefix + "0 to " + prefix + (set.count - 1);
            }
        }
        return null;
    }

    /** Names that can be seen from here, for hints. */
    List<String> visibleNames() {
        List<String> all = new ArrayList<>();
        for (Scope scope = this; scope != null; scope = scope.outer) {
            all.addAll(scope.names.keySet());
            scope.numbered.keySet().forEach(prefix -> all.add(prefix + "0"));
        }
        return all;
    }

    List<String> visibleLabels() {
        List<String> all = new ArrayList<>();
        for (Scope scope = this; scope != null; scope = scope.outer) {
            all.addAll(scope.labels.keySet());
        }
        return all;
    }
}
