/*
 * The grammar of PTX. It knows no opcode, no modifier, no type and no state space: those stand in the tables of
 * io.ptx4j.isa. An instruction's spelling ("ld.global.v4.f32") is one token.
 *
 * A file is read piece by piece (rule "piece"), so that memory does not grow with the file and a mistake costs one
 * statement. Braces of bodies and scopes are pieces of their own; initialisers and debug sections are read element by
 * element ("initialValue", "debugPiece"). Every decision looks at one token, or at two at the start of a piece.
 * Operands are one expression rule; which shapes an operand may take is decided, and worded, where they are built.
 */
grammar Ptx;

@lexer::members {
    /** Whether only blanks stand before the token on its line. */
    private boolean startsLine() {
        int back = _tokenStartCharIndex - _input.index() - 1;
        while (" \t\f".indexOf(_input.LA(back)) >= 0) {
            back--;
        }
        return lineEnd(_input.LA(back));
    }

    /** Whether nothing stands behind the token on its line. */
    private boolean endsLine() {
        return lineEnd(_input.LA(1));
    }

    private static boolean lineEnd(int character) {
        return character == '\n' || character == '\r' || character == IntStream.EOF;
    }
}

piece
    : name=NAME ':'                                                                     # label
    | condition=guard? opcode=(NAME | DOTTED) modifiers+=WORD*
      (operands+=expression (',' operands+=expression)*)? ';'                           # instruction
    | '{'                                                                               # open
    | '}'                                                                               # close
    | linkages+=('.visible' | '.extern' | '.weak' | '.common')* (head=function | data=variables)  # declaration
    | '.pragma' strings+=STRING (',' strings+=STRING)* ';'                              # pragma
    | '.loc' file=INTEGER line=INTEGER column=INTEGER
      (',' key=NAME name=NAME ('+' offset=INTEGER)?
       ',' inlined=NAME inFile=INTEGER inLine=INTEGER inColumn=INTEGER)?                # location
    | '.file' index=INTEGER name=STRING (',' time=INTEGER (',' size=INTEGER)?)?         # file
    | '.section' name=WORD '{'                                                          # section
    | DWARF_LINE                                                                        # dwarf
    | '.version' number=FLOAT                                                           # version
    | '.target' names+=NAME (',' names+=NAME)*                                          # target
    | '.address_size' size=INTEGER                                                      # addressSize
    | '.alias' name=NAME ',' aliasee=NAME ';'                                           # alias
    | '.callprototype' ('(' results=parameters ')')? '_' ('(' formals=parameters ')')?
      traits+=trait* ';'                                                                # callPrototype
    | '.branchtargets' targets+=branchTarget (',' targets+=branchTarget)* ';'           # branchTargets
    | '.calltargets' names+=NAME (',' names+=NAME)* ';'                                 # callTargets
    ;

/* A<3> stands for A0, A1, A2. */
branchTarget
    : name=NAME ('<' count=INTEGER '>')?
    ;

guard
    : '@' negated='!'? name=NAME
    ;

function
    : kind=('.entry' | '.func') marks=attributes? ('(' results=parameters ')')? name=NAME ('(' formals=parameters ')')?
      traits+=trait* end=('{' | ';')
    ;

/* Performance directives and the like, between the head of a function and its body. */
trait
    : word=WORD (arguments+=traitArgument (',' arguments+=traitArgument)*)?
    | pragma='.pragma' strings+=STRING (',' strings+=STRING)* ';'
    ;

traitArgument
    : (target=NAME ':')? value=INTEGER
    ;

parameters
    : (list+=parameter (',' list+=parameter)*)?
    ;

parameter
    : specifiers+=specifier+ name=(NAME | '_') dimensions+=dimension*
    ;

/* After '=' an initialiser follows, then moreVariables. */
variables
    : specifiers+=specifier+ (declarators+=declarator (',' declarators+=declarator)*)? end=(';' | '=')
    ;

moreVariables
    : (',' declarators+=declarator)* end=(';' | '=')
    ;

specifier
    : word=WORD ('[' bank=INTEGER ']')?
    | align='.align' size=(INTEGER | 'WARP_SZ')
    | marks=attributes
    ;

attributes
    : '.attribute' '(' list+=attribute (',' list+=attribute)* ')'
    ;

attribute
    : word=WORD ('(' values+=INTEGER (',' values+=INTEGER)* ')')?
    ;

declarator
    : name=NAME ('<' count=(INTEGER | 'WARP_SZ') '>' | dimensions+=dimension*)
    ;

dimension
    : '[' size=(INTEGER | 'WARP_SZ')? ']'
    ;

initialValue
    : value=expression ('=' property=expression)?
    ;

comma
    : ','
    ;

debugPiece
    : name=NAME ':'                                                                     # debugLabel
    | word=WORD values+=debugValue (',' values+=debugValue)*                            # debugData
    | '}'                                                                               # debugEnd
    ;

debugValue
    : negative='-'? number=INTEGER
    | NAME (('+' | '-') (NAME | INTEGER))?
    | WORD ('+' INTEGER)?
    ;

expression
    : unaries+=unary (operators+=('*' | '/' | '%' | '+' | '-' | '<<' | '>>' | '<' | '>' | '<=' | '>=' | '==' | '!='
                                  | '&' | '^' | '|' | '&&' | '||') unaries+=unary)*
      ('?' then=expression ':' otherwise=expression)?
    ;

unary
    : prefixes+=('+' | '-' | '!' | '~')* value=term
    ;

term
    : name=(NAME | DOTTED) selectors+=WORD* ('(' argument=expression ')')?              # name
    | value=INTEGER ('(' argument=expression ')')?                                      # integer
    | value=(FLOAT | SINGLE | DOUBLE | 'WARP_SZ')                                       # literal
    | '_'                                                                               # discard
    | '(' (type=WORD ')' value=unary | (elements+=expression (',' elements+=expression)*)? ')')  # parentheses
    | '{' elements+=expression (',' elements+=expression)* '}'                          # vector
    | '[' elements+=expression (',' elements+=expression)* ']' suffix=WORD?             # address
    ;

LEFT          : '(' ;
LEFT_BRACKET  : '[' ;
RIGHT_BRACKET : ']' ;
LEFT_BRACE    : '{' ;
RIGHT_BRACE   : '}' ;
QUESTION      : '?' ;
SEMICOLON     : ';' ;
COMMA         : ',' ;
BAR           : '|' ;
PLUS          : '+' ;
MINUS         : '-' ;
NOT           : '!' ;
EQUALS        : '=' ;
ENTRY         : '.entry' ;
FUNC          : '.func' ;
VISIBLE       : '.visible' ;
EXTERN        : '.extern' ;
WEAK          : '.weak' ;
COMMON        : '.common' ;
SECTION       : '.section' ;
AT            : '@' ;
COLON         : ':' ;

NAME    : Name ;
DOTTED  : Name ('.' Part)+ ;
WORD    : '.' [a-zA-Z_$] Follow* ('::' Follow+)* ;

INTEGER : ('0' [xX] Hex+ | '0' [bB] [01]+ | '0' [0-7]* | [1-9] [0-9]*) 'U'? ;
FLOAT   : ([0-9]+ '.' [0-9]* | '.' [0-9]+) Exponent? | [0-9]+ Exponent ;
SINGLE  : '0' [fF] Hex Hex Hex Hex Hex Hex Hex Hex ;
DOUBLE  : '0' [dD] Hex Hex Hex Hex Hex Hex Hex Hex Hex Hex Hex Hex Hex Hex Hex Hex ;
STRING  : '"' ~["]* '"' ;

/* Tokens that no rule takes: each names its mistake. */
MALFORMED_NUMBER : [0-9]+ ('.' [0-9]*)? Follow* ;
OPEN_STRING      : '"' ~["\r\n]* ;
OPEN_COMMENT     : '/*' ;

DWARF_LINE   : '@@DWARF' ~[\r\n]* ;
/* What the C preprocessor writes: anywhere with a file's name, as ptxas has it, else at the start of a line. */
LINE_MARKER  : Marker [ \t]+ '"' ~["\r\n]* '"' [ \t0-9]* {endsLine()}? -> skip ;
SHORT_MARKER : Marker [ \t]* {startsLine() && endsLine()}? -> skip ;
LINE_COMMENT : '//' ~[\r\n]* -> skip ;
COMMENT      : '/*' .*? '*/' -> skip ;
BLANK        : [ \t\r\n\f]+ -> skip ;

UNKNOWN      : . ;

fragment Marker   : '#' [ \t]* ('line' [ \t]+)? [0-9]+ ;
fragment Name     : [a-zA-Z] Follow* | [_$%] Follow+ ;
fragment Follow   : [a-zA-Z0-9_$] ;
fragment Part     : Follow+ ('::' Follow+)* ;
fragment Hex      : [0-9a-fA-F] ;
fragment Exponent : [eE] [+-]? [0-9]+ ;
