package io.ptx4j.syntax;

import org.antlr.v4.runtime.Token;

/** One string for each distinct name of a file: registers come up thousands of times. */
final class NamePool {
    private final String text;
    private String[] table = new String[1024];
    private int used;

    NamePool(String text) {
        this.text = text;
    }

    String of(Token token) {
        return of(token.getStartIndex(), token.getStopIndex() + 1);
    }

    String of(int start, int end) {
        int hash = 0;
        for (int i = start; i < end; i++) {
            hash = 31 * hash + text.charAt(i);
        }
        int length = end - start;
        int slot = slot(hash);
        for (String known = table[slot]; known != null; known = table[slot]) {
            if (known.length() == length && text.startsWith(known, start)) {
                return known;
            }
            slot = slot + 1 & table.length - 1;
        }
        String name = text.substring(start, end);
        table[slot] = name;
        if (++used > table.length / 2) {
            grow();
        }
        return name;
    }

    private int slot(int hash) {
        return (hash ^ hash >>> 15) * 0x9E3779B1 >>> 7 & table.length - 1;
    }

    private void grow() {
        String[] old = table;
        table = new String[old.length * 2];
        for (String name : old) {
            if (name != null) {
                int slot = slot(name.hashCode());
                while (table[slot] != null) {
                    slot = slot + 1 & table.length - 1;
                }
                table[slot] = name;
            }
        }
    }
}
