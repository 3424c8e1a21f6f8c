package io.ptx4j.check;

import io.ptx4j.ir.Variable.Pointer;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.StateSpace;
import io.ptx4j.syntax.DiagnosticCode;
import io.ptx4j.syntax.Diagnostics;
import io.ptx4j.syntax.Span;
import io.ptx4j.syntax.Statement;
import java.util.List;

/**
 * What the words before a declared name say.
 *
 * @param space null where no state space is written
 * @param lanes 1, or 2 or 4 for a vector
 * @param alignment 0 where none is written
 * @param attributes whether {@code .attribute} is written
 * @param pointer the {@code .ptr} attribute, or null
 */
record Declared(StateSpace space, ScalarType type, int lanes, int alignment, boolean attributes, Pointer pointer) {
    private static final int LARGEST_VECTOR_BITS = 128;

    /** Reads specifiers; null, and reported, where they make no declaration. */
    static Declared read(List<Statement.Specifier> specifiers, Span place, Diagnostics diagnostics) {
        return new Reader(diagnostics, false).read(specifiers, place);
    }

    /** Reads the specifiers of a kernel parameter, which alone may say what it points at. */
    static Declared ofKernelParameter(List<Statement.Specifier> specifiers, Span place, Diagnostics diagnostics) {
        return new Reader(diagnostics, true).read(specifiers, place);
    }

    /** Bytes of one element, all lanes. */
    long elementBytes() {
        return (long) type.bytes() * lanes;
    }

    /** The alignment written, or the natural one. */
    int alignmentOrNatural() {
        return alignment > 0 ? alignment : (int) Math.min(elementBytes(), 16);
    }

    /** Space, alignment and attributes come first, then the vector, then the type, then what a pointer points at. */
    private static final class Reader {
        private final Diagnostics diagnostics;
        private final boolean kernelParameter;
        private StateSpace space;
        private StateSpace pointerSpace;
        private boolean pointer;
        private int pointerAlignment;
        private ScalarType type;
        private int lanes = 1;
        private int alignment;
        private boolean attributed;
        private boolean managed;
        private boolean good = true;

        Reader(Diagnostics diagnostics, boolean kernelParameter) {
            this.diagnostics = diagnostics;
            this.kernelParameter = kernelParameter;
        }

        Declared read(List<Statement.Specifier> specifiers, Span place) {
            for (Statement.Specifier specifier : specifiers) {
                switch (specifier) {
                    case Statement.Plain plain -> word(plain);
                    case Statement.Alignment align -> align(align);
                    case Statement.Attributes attributes -> attributes(attributes);
                }
            }
            if (good && type == null) {
                problem(place, "the declaration has no type");
            }
            if (good && type.bits() * lanes > LARGEST_VECTOR_BITS && lanes > 1) {
                problem(place, "a vector has at most 128 bits; found " + lanes + " elements of " + type);
            }
            if (good && managed && space != StateSpace.GLOBAL) {
                problem(place, "only .global variables are .managed");
            }
            if (!good) {
                return null;
            }
            Pointer pointing = !pointer ? null
                    : new Pointer(pointerSpace == null ? StateSpace.GENERIC : pointerSpace, Math.max(1, pointerAlignment));
            return new Declared(space, type, lanes, alignment, attributed, pointing);
        }

        private void word(Statement.Plain plain) {
            String word = plain.word().text().substring(1);
            StateSpace named = space(word);
            ScalarType scalar = ScalarType.named(word);
            if (plain.bank() >= 0) {
                problem(plain.span(), "banks of constant memory were never part of the language; found " + plain.word().text());
            } else if (named != null) {
                space(plain, named);
            } else if (scalar != null) {
                type(plain, scalar);
            } else if (word.equals("v2") || word.equals("v4")) {
                vector(plain, word.charAt(1) - '0');
            } else if (word.equals("ptr")) {
                pointer(plain);
            } else {
                diagnostics.report(DiagnosticCode.UNKNOWN_DIRECTIVE, plain.span(),
                        "'" + plain.word().text() + "' is no directive, state space or type", Foreign.type(word));
                good = false;
            }
        }

        private static StateSpace space(String word) {
            return switch (word) {
                case "reg" -> StateSpace.REG;
                case "const" -> StateSpace.CONST;
                case "global" -> StateSpace.GLOBAL;
                case "local" -> StateSpace.LOCAL;
                case "param" -> StateSpace.PARAM;
                case "shared" -> StateSpace.SHARED;
                case "tex" -> StateSpace.TEX;
                default -> null;
            };
        }

        private void space(Statement.Plain plain, StateSpace named) {
            if (pointer) {
                pointedAt(plain, named);
            } else if (space != null) {
                problem(plain.span(), "a declaration has one state space; found " + space + " and " + named);
            } else if (type != null || lanes > 1) {
                problem(plain.span(), "the state space stands first; found " + named + " behind the type");
            } else {
                space = named;
            }
        }

        private void pointedAt(Statement.Plain plain, StateSpace named) {
            boolean known = named == StateSpace.CONST || named == StateSpace.GLOBAL || named == StateSpace.LOCAL
                    || named == StateSpace.SHARED;
            if (!known || pointerSpace != null || pointerAlignment != 0) {
                problem(plain.span(), "behind .ptr stands .const, .global, .local or .shared, then .align; found " + named);
            } else {
                pointerSpace = named;
            }
        }

        private void vector(Statement.Plain plain, int count) {
            if (type != null || lanes > 1) {
                problem(plain.span(), "one .v2 or .v4 stands before the type; found another " + plain.word().text());
            }
            lanes = count;
        }

        private void pointer(Statement.Plain plain) {
            if (!kernelParameter) {
                problem(plain.span(), ".ptr describes kernel parameters only");
            } else if (type == null || pointer || pointerAlignment != 0) {
                problem(plain.span(), ".ptr stands once, directly behind the type");
            }
            pointer = true;
        }

        private void type(Statement.Plain plain, ScalarType scalar) {
            if (type != null) {
                problem(plain.span(), "a declaration has one type; found " + type + " and " + scalar);
            }
            boolean declarable = switch (scalar) {
                case B8, B16, B32, B64, B128, U8, U16, U32, U64, S8, S16, S32, S64, F16, F16X2, F32, F64, PRED, TEXREF, SAMPLERREF,
                        SURFREF -> true;
                default -> false;
            };
            if (!declarable) {
                problem(plain.span(), "no variable has type " + scalar + "; declare it " + ScalarType.bitsOf(
                        Math.clamp(Integer.highestOneBit(Math.max(8, scalar.bits())), 8, 128)));
            }
            type = scalar;
        }

        private void align(Statement.Alignment align) {
            if (align.bytes() <= 0 || Long.bitCount(align.bytes()) != 1 || align.bytes() > 1 << 30) {
                problem(align.span(), "an alignment is a power of two; found " + align.bytes());
            } else if (pointer || kernelParameter && type != null) {
                pointerAlignment = (int) align.bytes();
            } else if (type != null || lanes > 1) {
                problem(align.span(), ".align stands before the type");
            } else {
                alignment = (int) align.bytes();
            }
        }

        private void attributes(Statement.Attributes attributes) {
            attributed = true;
            if (type != null || lanes > 1) {
                problem(attributes.span(), ".attribute stands before the type");
            }
            for (Statement.Attribute attribute : attributes.list()) {
                int wanted = switch (attribute.word().text()) {
                    case ".managed" -> 0;
                    case ".unified" -> 2;
                    default -> -1;
                };
                if (wanted < 0) {
                    problem(attribute.word().span(), "'" + attribute.word().text() + "' is no attribute; there are "
                            + ".managed and .unified");
                } else if (attribute.values().size() != wanted) {
                    problem(attribute.word().span(), attribute.word().text() + " takes " + wanted + " numbers; found "
                            + attribute.values().size());
                }
                managed |= wanted == 0;
            }
        }

        private void problem(Span span, String message) {
            diagnostics.report(DiagnosticCode.BAD_DECLARATION, span, message);
            good = false;
        }
    }
}
