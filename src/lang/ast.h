/* lang/ast.h - the syntax tree of a model text.
 *
 * Responsibility: the node types and a few questions about them. The tree is syntax only: it has
 * no types and no scopes, and nothing is folded.
 * Invariants: every node lives in the arena of its compilation and is never changed after parsing.
 * Names are ids of its intern table, decoded: 'a.b[1].c' is the text a.b[1].c; `quoted` remembers
 * the quotes ('time' is not the builtin time). Every node carries the stretch of text it was read
 * from, [at, end). Trees are at most a few thousand nodes deep whatever the input is
 * (PARSER_DEPTH_MAX times the levels of the grammar): long sums, `else if` and member chains are
 * single nodes. Lists are counted arrays (expressions, arguments, name parts) or linked by `next`
 * (everything larger), in source order.
 * Depends on: base/intern.h, lang/source.h. */
#ifndef DAEDAL_LANG_AST_H
#define DAEDAL_LANG_AST_H

#include "base/intern.h"
#include "lang/source.h"

typedef struct ast_expr ast_expr;
typedef struct ast_mod ast_mod;
typedef struct ast_clause ast_clause;
typedef struct ast_class ast_class;

/* ---- expressions ---- */

/* X(kind, what; which fields of ast_expr it uses) */
#define AST_EXPR_LIST(X)                                                                           \
    X(AST_INTEGER, "literal that fits int64: integer")                                             \
    X(AST_REAL, "literal: real; also an integer literal beyond int64, correctly rounded")          \
    X(AST_BOOLEAN, "true, false: integer 1, 0")                                                    \
    X(AST_STRING, "literal, decoded: text (NUL-terminated), n bytes")                              \
    X(AST_END, "end, in a subscript")                                                              \
    X(AST_COLON, "':', a whole dimension, in a subscript or a declared size")                      \
    X(AST_EMPTY, "#EMPTY#, left by the exporter where it failed")                                  \
    X(AST_REF, "a.b[i].c: part[n]; flag: written with a leading dot; ordinal of a literal")        \
    X(AST_ACCESS, "(base)[i].c: base, part[n]; a part without name is subscripts only")            \
    X(AST_CALL, "f(x, k = y): base is an AST_REF (also der, initial, pure), arg[n]")               \
    X(AST_FUNCTION, "argument `function f(k = y)`: base is an AST_REF, arg[n]")                    \
    X(AST_UNARY, "op base; op is AST_ADD, AST_SUB, AST_EL_ADD, AST_EL_SUB or AST_NOT")             \
    X(AST_CHAIN, "item[0] op item[1] op ..., n >= 2, left to right; item[k]->joint is its op")     \
    X(AST_RANGE, "item[0] : item[1] [: item[2]], n = 2 or 3; the middle of three is the step")     \
    X(AST_IF, "if item[0] then item[1] elseif item[2] then item[3] ... else item[n - 1]")          \
    X(AST_ARRAY, "{item[0], ...}; {e for i in r} has one AST_ITERATED item")                       \
    X(AST_MATRIX, "[item[0]; item[1]; ...], all AST_ROW")                                          \
    X(AST_ROW, "one row of a matrix: item[n]")                                                     \
    X(AST_TUPLE, "(item[0], , item[2]), n = 0 or n >= 2; an item may be NULL")                     \
    X(AST_ITERATED, "base for i in r, j in s: iterator[n]; only item or argument")                 \
    X(AST_DECORATED, "base @decoration (draft)")

typedef enum ast_expr_kind {
#define X(kind, what) kind,
    AST_EXPR_LIST(X)
#undef X
} ast_expr_kind;

/* X(operator, text, level): a higher level binds tighter. */
#define AST_OP_LIST(X)                                                                             \
    X(AST_NO_OP, "", 0)                                                                            \
    X(AST_OR, "or", 1)                                                                             \
    X(AST_AND, "and", 2)                                                                           \
    X(AST_NOT, "not", 3)                                                                           \
    X(AST_LT, "<", 4)                                                                              \
    X(AST_LE, "<=", 4)                                                                             \
    X(AST_GT, ">", 4)                                                                              \
    X(AST_GE, ">=", 4)                                                                             \
    X(AST_EQ, "==", 4)                                                                             \
    X(AST_NE, "<>", 4)                                                                             \
    X(AST_ADD, "+", 5)                                                                             \
    X(AST_SUB, "-", 5)                                                                             \
    X(AST_EL_ADD, ".+", 5)                                                                         \
    X(AST_EL_SUB, ".-", 5)                                                                         \
    X(AST_MUL, "*", 6)                                                                             \
    X(AST_DIV, "/", 6)                                                                             \
    X(AST_EL_MUL, ".*", 6)                                                                         \
    X(AST_EL_DIV, "./", 6)                                                                         \
    X(AST_POW, "^", 7)                                                                             \
    X(AST_EL_POW, ".^", 7)

typedef enum ast_op {
#define X(op, text, level) op,
    AST_OP_LIST(X)
#undef X
} ast_op;

/* One step of a reference: name and subscripts. */
typedef struct ast_part {
    int32_t name; /* INTERN_NONE: subscripts of the base of an AST_ACCESS */
    bool quoted;
    int32_t n_subs;
    source_at at, end;
    ast_expr **sub;
} ast_part;

typedef struct ast_arg {
    int32_t name; /* INTERN_NONE: positional */
    bool quoted;
    source_at at;
    ast_expr *value;
} ast_arg;

typedef struct ast_iterator {
    int32_t name;
    bool quoted;
    source_at at;
    ast_expr *range; /* NULL: not written */
} ast_iterator;

struct ast_expr {
    uint8_t kind;  /* ast_expr_kind */
    uint8_t op;    /* ast_op of an AST_UNARY */
    uint8_t joint; /* ast_op before this operand of an AST_CHAIN, else AST_NO_OP */
    bool flag;
    int32_t n;
    source_at at, end;
    union {
        int64_t integer;
        double real;
        const char *text;
        ast_expr *base;
    };
    union {
        ast_expr **item;
        ast_part *part;
        ast_arg *arg;
        ast_iterator *iterator;
        int64_t decoration;
    };
};

typedef struct ast_list {
    ast_expr **item;
    int32_t n;
} ast_list;

/* ---- modifiers and annotations ---- */

enum { AST_NOT_DECORATED = -1 };

/* [each] [final] name(mods) = value "text" */
struct ast_mod {
    ast_mod *next;
    ast_mod *mods;
    ast_expr *value;  /* or NULL */
    const char *text; /* description, or NULL */
    int32_t name;     /* dotted names as one, a.b */
    int32_t decoration;
    source_at at, end;
    bool quoted, is_each, is_final;
    bool has_mods;                   /* name() is not name */
    bool is_break;                   /* name = break, break name */
    struct ast_element *declaration; /* redeclare, replaceable: what is declared; or NULL */
};

typedef struct ast_comment {
    const char *text;    /* or NULL; "a" + "b" are joined */
    ast_mod *annotation; /* its modifiers: experiment(StopTime = 1), Evaluate = true, ... */
} ast_comment;

/* ---- equations and statements ---- */

/* X(kind, what; which fields it uses) */
#define AST_CLAUSE_LIST(X)                                                                         \
    X(AST_EQUATION, "left = right")                                                                \
    X(AST_ASSIGN, "left := right; left is an AST_REF or an AST_TUPLE of those and NULL")           \
    X(AST_INVOKE, "left, a call: assert, reinit, terminate, prioritize, f(x)")                     \
    X(AST_WHEN, "when, elsewhen: branches")                                                        \
    X(AST_CHOICE, "if, elseif, else: branches, the last without condition if there is an else")    \
    X(AST_FOR, "iterator[n], one branch without condition")                                        \
    X(AST_WHILE, "one branch")                                                                     \
    X(AST_BREAK, "")                                                                               \
    X(AST_RETURN, "")

typedef enum ast_clause_kind {
#define X(kind, what) kind,
    AST_CLAUSE_LIST(X)
#undef X
} ast_clause_kind;

typedef struct ast_branch {
    struct ast_branch *next;
    ast_expr *condition; /* NULL: else, or the body of a for */
    ast_clause *body;
    source_at at;
} ast_branch;

/* An equation, or a statement of an algorithm. */
struct ast_clause {
    ast_clause *next;
    ast_clause_kind kind;
    int32_t decoration;
    source_at at, end; /* with its comment, without ';' */
    ast_expr *left, *right;
    ast_branch *branches;
    ast_iterator *iterator;
    int32_t n;
    int32_t owner; /* of a model with components, see owners.h */
    ast_comment comment;
};

typedef enum ast_section_kind {
    AST_EQUATIONS,
    AST_INITIAL_EQUATIONS,
    AST_ALGORITHM,
    AST_INITIAL_ALGORITHM
} ast_section_kind;

typedef struct ast_section {
    struct ast_section *next;
    ast_section_kind kind;
    source_at at; /* of the keyword */
    ast_clause *clauses;
} ast_section;

/* ---- declarations ---- */

enum { /* ast_element.prefixes */
       AST_FINAL = 1 << 0,
       AST_INNER = 1 << 1,
       AST_OUTER = 1 << 2,
       AST_FLOW = 1 << 3,
       AST_STREAM = 1 << 4,
       AST_DISCRETE = 1 << 5,
       AST_PARAMETER = 1 << 6,
       AST_CONSTANT = 1 << 7,
       AST_INPUT = 1 << 8,
       AST_OUTPUT = 1 << 9,
       AST_PROTECTED = 1 << 10, /* written before it, or by the section it stands in */
       AST_REDECLARE = 1 << 11,
       AST_REPLACEABLE = 1 << 12
};

typedef enum ast_element_kind {
    AST_COMPONENT, /* prefixes type[type_dims] name[dims](mods) = binding if condition comment */
    AST_EXTENDS,   /* extends type(mods) comment                                            */
    AST_NESTED,    /* class                                                                 */
    AST_IMPORT,    /* import name = type, import type.* (has_mods)                          */
    AST_GUESS      /* parameter equation guess(type) = binding comment: type is the variable */
} ast_element_kind;

/* One declared name; `Real x, y;` gives two elements that share their type. */
typedef struct ast_element {
    struct ast_element *next;
    ast_element_kind kind;
    uint32_t prefixes;
    source_at at, end; /* of the name with what follows it; of the whole for the other kinds */
    int32_t name;      /* dotted and subscripted names as one: a.b[2].c */
    int32_t decoration;
    bool quoted;
    bool has_mods;
    ast_expr *type; /* AST_REF without subscripts */
    ast_list type_dims, dims;
    ast_mod *mods;
    ast_expr *binding, *condition; /* or NULL */
    ast_comment comment;
    ast_class *nested;
    ast_expr *constraint; /* constrainedby constraint(constraint_mods); or NULL */
    ast_mod *constraint_mods;
} ast_element;

/* ---- classes ---- */

typedef enum ast_class_kind {
    AST_MODEL,
    AST_CLASS,
    AST_BLOCK,
    AST_RECORD,
    AST_FUNCTION_CLASS,
    AST_TYPE,
    AST_CONNECTOR,
    AST_PACKAGE
} ast_class_kind;

typedef enum ast_class_form {
    AST_LONG,        /* body ... end name                                   */
    AST_ALIAS,       /* = [input|output] base[dims](mods)                   */
    AST_ENUMERATION, /* = enumeration(literals); `is_open` for (:)          */
    AST_DERIVATIVE,  /* = der(base, part[n]): a function's partial derivative */
    AST_UNREAD       /* a long form whose body has not been read: parse_unread_class */
} ast_class_form;

enum { /* ast_class.prefixes */
       AST_ENCAPSULATED = 1 << 0,
       AST_PARTIAL = 1 << 1,
       AST_PURE = 1 << 2,
       AST_PURE_CONSTANT = 1 << 3,
       AST_IMPURE = 1 << 4,
       AST_OPERATOR = 1 << 5,
       AST_EXPANDABLE = 1 << 6,
       AST_CLASS_EXTENDS = 1 << 7 /* class extends name(mods) ... end name */
};

typedef struct ast_literal {
    struct ast_literal *next;
    int32_t name;
    bool quoted;
    source_at at;
    ast_comment comment;
} ast_literal;

/* external "C" result = function(arg, ...) annotation(...); */
typedef struct ast_external {
    const char *language; /* or NULL */
    ast_expr *result;     /* AST_REF or NULL */
    int32_t function;     /* INTERN_NONE: not written, the name of the class */
    bool quoted;
    ast_list args;
    source_at at, end;
    ast_mod *annotation;
} ast_external;

/* Clock name = value comment; */
typedef struct ast_clock {
    struct ast_clock *next;
    int32_t name;
    bool quoted;
    source_at at;
    ast_expr *value;
    ast_comment comment;
} ast_clock;

typedef struct ast_subpartition {
    struct ast_subpartition *next;
    source_at at;
    ast_mod *mods;
    ast_comment comment;
    ast_section *sections; /* equations and algorithms */
} ast_subpartition;

typedef struct ast_partition {
    struct ast_partition *next;
    source_at at;
    ast_comment comment;
    ast_clock *clocks;
    ast_subpartition *subpartitions;
} ast_partition;

struct ast_class {
    ast_class *next; /* in a file; nested classes hang in elements */
    ast_class_kind kind;
    ast_class_form form;
    uint32_t prefixes;
    int32_t name;      /* dotted names as one: A.B */
    source_at at, end; /* at: of the name; end: behind the end of the definition */
    bool quoted;
    bool is_open;
    bool has_mods;
    ast_comment comment; /* description; the annotations of the body joined */
    ast_element *elements;
    ast_section *sections;
    ast_external *external; /* or NULL */
    ast_partition *partitions;
    /* short forms */
    uint32_t base_prefixes; /* AST_INPUT, AST_OUTPUT */
    ast_expr *base;         /* AST_REF */
    ast_list dims;
    ast_mod *mods;
    ast_literal *literals;
    ast_part *part; /* n of them */
    int32_t n;
    const source *unread; /* AST_UNREAD: the text, and where in it the definition begins */
    uint32_t from;
};

typedef struct ast_file {
    const source *source;
    const char *base_version; /* "0.1.0" of a first line `//! base 0.1.0`, or NULL */
    bool has_within;
    ast_expr *within; /* AST_REF or NULL */
    ast_class *classes;
} ast_file;

/* ---- helpers ---- */

const char *ast_op_text(ast_op op); /* "+" */
int ast_op_level(ast_op op);
const char *ast_class_kind_text(ast_class_kind kind); /* "model" */

/* A single name without dots and subscripts, `x`: its id, else INTERN_NONE.     */
int32_t ast_simple_name(const ast_expr *e);

/* The flat name of an AST_REF whose subscripts are integer literals: a.b[2].c, the same id
 * as the declaration Real a.b[2].c or Real 'a.b[2].c' has; INTERN_NONE if a subscript is
 * something else, or out of memory.                                             */
int32_t ast_flat_name(const ast_expr *ref, intern_table *names);

/* Whether this is a call of the unquoted name (der, assert, ...). */
bool ast_is_call_of(const ast_expr *e, const intern_table *names, const char *name);

/* Calls visit for each expression directly inside e: operands, arguments, subscripts, ranges. */
void ast_visit(const ast_expr *e, void (*visit)(void *user, const ast_expr *inner), void *user);

/* The modifier of that name in a list, or NULL: ast_mod_find(a, names, "experiment"). */
const ast_mod *ast_mod_find(const ast_mod *mods, const intern_table *names, const char *name);
#endif
