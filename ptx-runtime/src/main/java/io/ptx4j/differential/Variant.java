package io.ptx4j.differential;

import io.ptx4j.isa.Family;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Another way to write a kernel that leaves the same in memory. */
enum Variant {
    /** The kernel itself. */
    NONE {
        @Override
        RandomKernel of(RandomKernel kernel, SplittableRandom random) {
            return kernel;
        }
    },
    /** Instructions whose results nobody reads. */
    DEAD_CODE {
        @Override
        RandomKernel of(RandomKernel kernel, SplittableRandom random) {
            return kernel.withHead(withDeadRegisters(kernel)).withBody(insert(kernel, random, line -> random.nextInt(4) == 0));
        }
    },
    /** Unrelated instructions within carry chains. */
    SPLIT_CARRIES {
        @Override
        boolean fits(RandomKernel kernel) {
            return kernel.body().stream().anyMatch(Variant::carries);
        }

        @Override
        RandomKernel of(RandomKernel kernel, SplittableRandom random) {
            return kernel.withHead(withDeadRegisters(kernel)).withBody(insert(kernel, random, Variant::carries));
        }
    },
    /** Other names for registers and labels. */
    RENAMED {
        @Override
        RandomKernel of(RandomKernel kernel, SplittableRandom random) {
            return kernel.withBody(kernel.body().stream().map(Variant::renamed).toList())
                    .withTail(kernel.tail().stream().map(Variant::renamed).toList())
                    .withHead(kernel.head().stream().map(Variant::renamed).toList());
        }
    },
    /** Basic blocks in another order, with jumps where they fell through. */
    REORDERED {
        @Override
        boolean fits(RandomKernel kernel) {
            return !kernel.ordered() && kernel.body().stream().anyMatch(line -> line.endsWith(":"));
        }

        @Override
        RandomKernel of(RandomKernel kernel, SplittableRandom random) {
            return kernel.withBody(reordered(kernel.body(), random));
        }
    },
    /** Each thread does the work of another one of its block. */
    PERMUTED {
        @Override
        boolean fits(RandomKernel kernel) {
            return kernel.threads() > 1 && Stream.of("tid.y", "lane", "%m0", "%am", "warpid").noneMatch(kernel.text()::contains);
        }

        @Override
        RandomKernel of(RandomKernel kernel, SplittableRandom random) {
            int turn = 1 + random.nextInt(kernel.threads() - 1);
            UnaryOperator<List<String>> permuted = lines -> lines.stream().map(line -> permuted(line, turn, kernel.threads())).toList();
            // The tail may have a second kernel, which calls the same functions.
            return kernel.withHead(permuted.apply(kernel.head())).withBody(permuted.apply(kernel.body())).withTail(permuted.apply(kernel.tail()));
        }
    };

    private static final Pattern NAME = Pattern.compile("%([phrdfgx])(\\d+)\\b|(?<![.\\w])([LTY])(L?)(\\d+)\\b");
    private static final Pattern LEAVES = Pattern.compile("^(@\\S+ )?(bra|exit|ret|brx)\\b.*");
    private static final String END = "Z0";
    private static final int SHIFT = 1000;

    /** Whether the kernel can be written so. */
    boolean fits(RandomKernel kernel) {
        return true;
    }

    /** The kernel written so; the same for the same random numbers. */
    abstract RandomKernel of(RandomKernel kernel, SplittableRandom random);

    private static boolean carries(String line) {
        return line.contains(".cc") || line.contains("addc") || line.contains("subc") || line.contains("madc");
    }

    private static Dialect dialect(RandomKernel kernel) {
        return Stream.of(Dialect.values()).filter(some -> some.head().startsWith(kernel.head().get(0) + "\n" + kernel.head().get(1))).findFirst().orElseThrow();
    }

    private static List<String> withDeadRegisters(RandomKernel kernel) {
        List<String> head = new ArrayList<>(kernel.head());
        int entry = 0;
        while (!head.get(entry).contains(".entry")) {
            entry++;
        }
        head.add(entry + 2, Registers.declarations(dialect(kernel), "z"));
        return head;
    }

    @FunctionalInterface
    private interface Gap {
        boolean behind(String line);
    }

    private static List<String> insert(RandomKernel kernel, SplittableRandom random, Gap gap) {
        Instructions instructions = new Instructions(random, new Registers(random, dialect(kernel), 1));
        List<String> lines = new ArrayList<>();
        for (String line : kernel.body()) {
            lines.add(line);
            if (gap.behind(line)) {
                String dead = carries(line) ? instructions.of(Family.INTEGER) : instructions.any();
                lines.add(dead.replaceAll("%([phrdfgx])", "%z$1") + ";");
            }
        }
        return lines;
    }

    private static String renamed(String line) {
        return NAME.matcher(line).replaceAll(found -> Matcher.quoteReplacement(found.group(1) == null
                ? found.group(3) + found.group(4) + (Integer.parseInt(found.group(5)) + SHIFT)
                : "%" + found.group(1) + other(Registers.Kind.of(found.group()), Integer.parseInt(found.group(2)))));
    }

    private static int other(Registers.Kind kind, int number) {
        return number < kind.most ? kind.most - 1 - number : number;
    }

    private static String permuted(String line, int turn, int block) {
        int at = line.indexOf("%thread, %tid.x;");
        if (at < 0) {
            return line.contains("%tid.x") ? line.replace("%tid.x", "%thread").replace("cvt.u32.u16 ", "mov.u32 ") : line;
        }
        int end = line.indexOf(';', at) + 1;
        return line.substring(0, end) + " add.u32 %thread, %thread, " + turn + "; rem.u32 %thread, %thread, " + block + ";" + line.substring(end);
    }

    private static List<String> reordered(List<String> body, SplittableRandom random) {
        List<List<String>> blocks = new ArrayList<>();
        List<String> block = new ArrayList<>();
        String entry = "Z1";
        int labels = 2;
        block.add(entry + ":");
        for (String line : body) {
            if (line.endsWith(":") && !block.isEmpty()) {
                block.add("bra " + line.substring(0, line.length() - 1) + ";");
                blocks.add(block);
                block = new ArrayList<>();
            }
            block.add(line);
            if (LEAVES.matcher(line).matches()) {
                String next = "Z" + labels++;
                block.add("bra " + next + ";");
                blocks.add(block);
                block = new ArrayList<>(List.of(next + ":"));
            }
        }
        block.add("bra " + END + ";");
        blocks.add(block);
        Collections.shuffle(blocks, new Random(random.nextLong()));
        List<String> lines = new ArrayList<>(List.of("bra " + entry + ";"));
        blocks.forEach(lines::addAll);
        lines.add(END + ":");
        return lines;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
