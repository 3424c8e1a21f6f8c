package io.ptx4j.syntax;

import java.util.Locale;

/**
 * The catalogue of everything that the front end can report: the stable name of each kind of problem and what its page under
 * docs/diagnostics says. Each code has at least one case file.
 *
 * <p>An example that begins with {@code .version} is a whole module; every other one stands in the body of a kernel that has
 * registers {@code %p1}, {@code %h1}, {@code %r1}, {@code %rd1}, {@code %f1}, {@code %fd1} and so on to 7, parameters
 * {@code data} (.u64) and {@code n} (.u32), and variables {@code counter} (.global .u32) and {@code tile} (.shared .f32[256]).
 */
public enum DiagnosticCode {
    SYNTAX(Severity.ERROR, "The text does not follow the grammar", "Syntax", """
            The words at this place do not make a statement. Every instruction ends with a semicolon, a label with a colon, operands
            stand between commas. One statement is given up; reading goes on behind its semicolon, before the next closing brace, or
            at the next line that looks like a statement.
            """, """
            add.s32 %r1, %r2, %r3
            mul.lo.s32 %r1, %r1, %r1;
            """, """
            add.s32 %r1, %r2, %r3;
            mul.lo.s32 %r1, %r1, %r1;
            """),
    UNCLOSED(Severity.ERROR, "Something is opened and never closed", "Syntax", """
            A brace, a comment, a string or a debug section begins at this place and has no end, or the file ends within a statement.
            """, """
            {
                add.s32 %r1, %r2, %r3;
            """, """
            {
                add.s32 %r1, %r2, %r3;
            }
            """),
    NESTING(Severity.ERROR, "Too deep nesting", "Syntax", """
            Scopes, initialisers and the parentheses of one statement may stand 250 deep in each other. No compiler writes such a text;
            the limit keeps every stack small.
            """, "", ""),
    BAD_CONSTANT(Severity.ERROR, "A constant has no value", "Constants", """
            A literal is written wrongly or has more than 64 bits, or a constant expression mixes integers and floats, divides by zero,
            or applies an operator to something that it is not defined for.
            """, """
            mov.f32 %f1, 0f3F8000;
            """, """
            mov.f32 %f1, 0f3F800000;
            """),
    BAD_OPERAND(Severity.ERROR, "An operand is built from parts that do not go together", "Instruction Operands", """
            An operand is a register, a constant, an address in brackets, a vector of these in braces, or a name plus a constant.
            PTX computes nothing else within an operand: a sum of registers takes an instruction of its own.
            """, """
            ld.global.u32 %r1, [%rd1+%rd2];
            """, """
            add.u64 %rd3, %rd1, %rd2;
            ld.global.u32 %r1, [%rd3];
            """),
    MISPLACED(Severity.ERROR, "A statement stands where the language does not allow it", "Directive Statements", """
            Instructions and labels stand in the bodies of kernels and functions; modules hold directives, variables and functions, and
            functions do not stand in each other. A body uses tensor memory for a block (`.cta_group::1`) or for pairs of them (`.cta_group::2`),
            never both.
            """, """
            .version 9.0
            .target sm_90
            add.s32 %r1, %r2, %r3;
            """, """
            .version 9.0
            .target sm_90
            .visible .entry k()
            {
                .reg .s32 %r<4>;
                add.s32 %r1, %r2, %r3;
            }
            """),
    HEAD(Severity.ERROR, "The head of a module is wrong", "PTX Module Directives", """
            A module begins with .version, then .target, then perhaps .address_size. Both say what the rest of the module may contain.
            """, """
            .version 9.0
            .target sm_91
            """, """
            .version 9.0
            .target sm_90
            """),
    NEWER(Severity.WARNING, "A later version of PTX than is known here", "PTX Module Directives", """
            The module says a later .version than the newest that is known here, or a target that came with one. What is known of PTX is
            checked and run as ever; instructions that the later version brought are errors where they stand. A target that is not known
            is taken for one that has everything.
            """, """
            .version 19.0
            .target sm_190
            .address_size 64
            .visible .entry k()
            {
            ret;
            }
            """, """
            .version 9.0
            .target sm_90
            .address_size 64
            .visible .entry k()
            {
            ret;
            }
            """),
    ADDRESS_SIZE(Severity.WARNING, "Addresses of two sizes", "PTX Module Directives: .address_size", """
            Without .address_size a module's addresses have the size that its global and generic addresses have: 32 bits where
            one has 32, else 64. A module that uses both likely has a register of the wrong size.
            """, """
            .version 8.0
            .target sm_80
            .visible .entry k(.param .u64 to)
            {
            .reg .b32 %r<2>;
            .reg .b64 %rd<2>;
            ld.param.u64 %rd1, [to];
            ld.global.u32 %r1, [%rd1];
            st.global.u32 [%r1], 7;
            }
            """, """
            .version 8.0
            .target sm_80
            .visible .entry k(.param .u64 to)
            {
            .reg .b32 %r<2>;
            .reg .b64 %rd<2>;
            ld.param.u64 %rd1, [to];
            ld.global.u32 %r1, [%rd1];
            st.global.u32 [%rd1], 7;
            }
            """),
    UNKNOWN_INSTRUCTION(Severity.ERROR, "No instruction has this name", "Instructions", """
            The word before the first dot names no instruction of any version of PTX up to 9.2.
            """, """
            mull.lo.s32 %r1, %r2, %r3;
            """, """
            mul.lo.s32 %r1, %r2, %r3;
            """),
    NO_SUCH_FORM(Severity.ERROR, "The instruction has no such form", "Instructions", """
            The instruction exists, but not with these modifiers and types together. The hint shows the nearest forms as the manual
            writes them: (a|b) is a choice, {.x} may be left out. docs/instructions.md lists them all.
            """, """
            mul.s32 %r1, %r2, %r3;
            """, """
            mul.lo.s32 %r1, %r2, %r3;
            """),
    OPERAND_COUNT(Severity.ERROR, "Wrong number of operands", "Instructions", """
            The form takes more or fewer operands than are written.
            """, """
            add.s32 %r1, %r2;
            """, """
            add.s32 %r1, %r1, %r2;
            """),
    OPERAND_TYPE(Severity.ERROR, "An operand does not fit", "Type Information for Instructions and Operands", """
            Registers must have the width of the instruction's type, and .f32 and .f64 are not mixed with .s, .u types; .b types fit
            all of their width. Loads, stores and conversions take wider registers. Some operands must be constants, some must not.
            """, """
            add.s32 %r1, %rd2, %r3;
            """, """
            cvt.u32.u64 %r2, %rd2;
            add.s32 %r1, %r2, %r3;
            """),
    OPERAND_RANGE(Severity.ERROR, "A constant operand is out of range", "Instructions", """
            Some operands are constants of a small range: numbers of barriers, positions of bits, lane masks. Others are bounded by the
            constant that stands beside them: createpolicy.range takes a part of the window that is no larger than the window, cp.async reads
            no more bytes than it writes.
            """, """
            bar.sync 16;
            """, """
            bar.sync 15;
            """),
    STATE_SPACE(Severity.ERROR, "Wrong state space", "State Spaces", """
            A load, store or atomic names another state space than the one that its variable lies in. An address in a register is not
            checked here: whoever runs the kernel finds it at the access.
            """, """
            ld.global.f32 %f1, [tile];
            """, """
            ld.shared.f32 %f1, [tile];
            """),
    UNKNOWN_NAME(Severity.ERROR, "Nothing declares this name", "Identifiers", """
            Names are declared before they are used. Registers and variables of a scope are not seen outside of it; .reg .b32 %r<8>
            declares %r0 to %r7.
            """, """
            mov.u32 %r1, %r8;
            """, """
            mov.u32 %r1, %r7;
            """),
    UNDEFINED_NAME(Severity.ERROR, "Nothing defines this name", "Linking Directives", """
            A function or kernel is declared without a body, or a variable is .extern, and no module that is linked defines it. In one
            module alone, what is declared without .extern must be defined; what is .extern may come from another module.
            """, """
            .version 9.0
            .target sm_90
            .func helper(.param .b32 x);
            """, """
            .version 9.0
            .target sm_90
            .extern .func helper(.param .b32 x);
            """),
    LINK_MISMATCH(Severity.ERROR, "Modules disagree about a name", "Linking Directives", """
            Two modules that are linked declare the same name with other parameters, another size or another state space, or have
            addresses of different sizes. The hint says where the other declaration stands.
            """, "", ""),
    UNKNOWN_LABEL(Severity.ERROR, "No such label can be seen", "Control Flow Instructions", """
            A branch goes to a label of its own scope or of one around it, before or behind the branch.
            """, """
            bra DONE;
            Done: ret;
            """, """
            bra DONE;
            DONE: ret;
            """),
    DUPLICATE_NAME(Severity.ERROR, "A name is declared twice", "Identifiers", """
            Registers, variables, labels and functions share the names of their scope. An inner scope may declare a name again and
            hides the outer one.
            """, """
            .reg .s32 i;
            .reg .u32 i;
            """, """
            .reg .s32 i;
            .reg .u32 j;
            """),
    NEEDS_VERSION(Severity.ERROR, "Newer than the module's .version", "PTX Module Directives: .version", """
            The instruction, the form, the modifier or the target was added to PTX after the version that the module declares.
            """, """
            .version 7.0
            .target sm_80
            .visible .entry k()
            {
                .reg .b32 %r<3>;
                bmsk.clamp.b32 %r1, %r1, %r2;
            }
            """, """
            .version 7.6
            .target sm_80
            .visible .entry k()
            {
                .reg .b32 %r<3>;
                bmsk.clamp.b32 %r1, %r1, %r2;
            }
            """),
    NEEDS_TARGET(Severity.ERROR, "The module's .target lacks it", "PTX Module Directives: .target", """
            The machines that .target names do not have the instruction, the form or the modifier. A target with an 'a' has what its own
            machine has and later ones may lack; one with an 'f' what its family has.
            """, """
            .version 7.8
            .target sm_80
            .visible .entry k()
            {
                .reg .b32 %r<2>;
                barrier.cluster.arrive;
            }
            """, """
            .version 7.8
            .target sm_90
            .visible .entry k()
            {
                .reg .b32 %r<2>;
                barrier.cluster.arrive;
            }
            """),
    BAD_DECLARATION(Severity.ERROR, "A declaration combines what does not go together", "Variables", """
            A variable has one state space, one type, perhaps a vector length and an alignment that is a power of two; .param variables,
            .const and .shared have rules of their own about initial values, sizes and linkage.
            """, """
            .shared .f64 .align 3 x;
            """, """
            .shared .align 8 .f64 x;
            """),
    BAD_INITIALIZER(Severity.ERROR, "An initial value does not fit its variable", "Initializers", """
            Only .global and .const variables have initial values. There may be fewer values than elements, not more; floats initialise
            float types only, addresses integers of 32 or 64 bits or masks of them.
            """, """
            .version 9.0
            .target sm_90
            .global .u32 a[2] = {1, 2, 3};
            """, """
            .version 9.0
            .target sm_90
            .global .u32 a[3] = {1, 2, 3};
            """),
    BAD_CALL(Severity.ERROR, "A call does not fit its function", "Control Flow Instructions: call", """
            A call names its results, the function and the arguments in the order of the function's declaration, each with the type and
            size that the declaration has: call (results), function, (arguments). An indirect call names a prototype or a list of
            targets too.
            """, """
            .version 9.0
            .target sm_90
            .func f(.param .b32 a) { ret; }
            .visible .entry k()
            {
                call f;
            }
            """, """
            .version 9.0
            .target sm_90
            .func f(.param .b32 a) { ret; }
            .visible .entry k()
            {
                .param .b32 x;
                st.param.b32 [x], 1;
                call f, (x);
            }
            """),
    UNKNOWN_DIRECTIVE(Severity.ERROR, "No such directive", "Directives", """
            A word that begins with a dot is no directive, state space, type or property that may stand here.
            """, """
            .version 9.0
            .target sm_90
            .visible .entry k() .maxntids 256 { ret; }
            """, """
            .version 9.0
            .target sm_90
            .visible .entry k() .maxntid 256 { ret; }
            """),
    TOO_MANY(Severity.NOTE, "More problems than are reported", "", """
            Of one file the first 1,000 problems are reported. Reading stops here, so the rest of the file was not looked at.
            """, "", "");

    private final Severity severity;
    private final String title;
    private final String section;
    private final String explanation;
    private final String wrong;
    private final String right;

    DiagnosticCode(Severity severity, String title, String section, String explanation, String wrong, String right) {
        this.severity = severity;
        this.title = title;
        this.section = section;
        this.explanation = explanation.strip();
        this.wrong = wrong;
        this.right = right;
    }

    public Severity severity() {
        return severity;
    }

    /** A few words, without a full stop. */
    public String title() {
        return title;
    }

    /** The heading in the manual under which the rule stands; empty for a limit of ptx4j. */
    public String section() {
        return section;
    }

    /** Whole sentences. */
    public String explanation() {
        return explanation;
    }

    /** PTX that is reported with this code; empty where no short text is. */
    public String wrong() {
        return wrong;
    }

    /** The same made right. */
    public String right() {
        return right;
    }

    /** The stable name, such as {@code bad-operand}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The code of a stable name; null for none. */
    public static DiagnosticCode named(String name) {
        for (DiagnosticCode code : values()) {
            if (code.toString().equals(name)) {
                return code;
            }
        }
        return null;
    }
}
