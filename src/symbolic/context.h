/* symbolic/context.h - what evaluating an expression needs beside its operands.
 *
 * Responsibility: the graph and the memory that values are made in, the model under construction,
 * messages, a limit on the work, and whether comparisons generate events.  Built-in functions get
 * a context and the syntax of their call; what only the flattener knows they ask through
 * `interpreter`.
 * Invariant: the fields `g`, `mem`, `frame` and `is_numeric` change together when a function is
 * executed aside with numbers.
 * Depends on: symbolic/value.h, flat/builder.h.                                     */
#ifndef DAEDAL_SYMBOLIC_CONTEXT_H
#define DAEDAL_SYMBOLIC_CONTEXT_H

#include "expr/derive.h"
#include "flat/builder.h"
#include "symbolic/value.h"

/* What may still be spent, in expressions evaluated and scalars made: loops and calls in a short
 * text can ask for any amount.                                                   */
typedef struct effort {
    size_t left, limit;
    source_at at; /* of the expression under way */
    bool is_over;
    bool in_simulation; /* the model is finished: each call of a function has its own limit */
} effort;

/* Why a function cannot be executed on symbolic values: it becomes a call at run time. */
typedef struct obstacle {
    bool is_met;
    const char *why;
    source_at at;
} obstacle;

/* What built-in functions need of the flattener. */
typedef struct interpreter {
    value (*evaluate)(context *in, const ast_expr *e);
    /* Acts as if the call of assert() stood in the text here. */
    void (*require)(context *in, const ast_expr *assertion);
    /* The condition under which this text acts at an event or at the start; EXPR_NONE: it stands in
     * no when-clause and in no initial section. */
    expr (*event_condition)(context *in);
    /* The record that the text declares under this name, -1 after an error; false: none. */
    bool (*find_record)(context *in, int32_t name, source_at at, int32_t *number);
    /* A new variable that is not shown; FLAT_NONE when out of memory. */
    uint32_t (*add_hidden_variable)(context *in, const char *stem, flat_type type, source_at at);
    /* The number under which nodes of the graph call a function of the library on an object, or on
     * none; -1: no memory. */
    int64_t (*add_called)(context *in, int64_t builtin, const void *object, uint32_t n_args,
                          uint32_t n_outputs);
} interpreter;

/* An object of the library that values of type T_OBJECT refer to by its number, from 1. */
typedef struct context_object {
    int kind; /* of the library */
    void *data;
} context_object;

struct context {
    compilation *c; /* messages, and memory that lives as long as the model */
    intern_table *names;
    flat_model *m; /* the model under construction */
    flat_builder *build;
    expr_graph *g; /* expressions: of the model, or of an execution with numbers */
    arena *mem;    /* of values */
    record *record;
    size_t n_records, record_capacity;
    context_object *object;
    size_t n_objects, object_capacity;
    effort work;
    obstacle obstacle;
    struct frame *frame; /* the function being executed, NULL in the model */
    int without_events;  /* > 0: comparisons and roundings generate no events */
    int as_variables;    /* > 0: names mean variables, not what the algorithm assigned to them */
    bool is_numeric;     /* a function is executed with numbers: nothing is reported */
    bool sizes_only;     /* of the expression only the sizes are asked for */
    bool mixes_homotopy; /* see flat_with_homotopy */
    struct clock_list *clocks;     /* operators of clocks */
    struct derivation *derivation; /* of der(); NULL before the first */
    uint32_t random_variable;      /* first state variable of the impure generator + 1; 0: none */
    expr last_write, last_write_fires; /* the last file that is written, and when; or EXPR_NONE */
    expr random_seed;                  /* a call with its first state as arguments, or EXPR_NONE */
    const interpreter *interpreter;
    void *user; /* the flattener, for the interpreter */
};

/* ---- messages, names, memory: context.c ---- */

/* Reports an error and returns a bad value. */
value context_error(context *in, source_at at, const char *format, ...) PRINTF_LIKE(3, 4);
/* Spends n units of work; false, with an error when it first happens, if they are used up or
 * there are too many errors already.  Whatever repeats something asks before.    */
bool context_work(context *in, size_t n);
const char *context_name(const context *in, int32_t id);
int32_t context_intern(context *in, const char *text);
char *context_text(context *in, const char *format, ...) PRINTF_LIKE(2, 3); /* lives as values do */
/* One more item behind n of an array that lives as long as the model; NULL when out of memory. */
void *context_push(context *in, void *array, size_t n, size_t *capacity, size_t size);
/* The number of a new object; 0 when out of memory. */
int64_t context_object_add(context *in, int kind, void *data);
/* Notes why this function cannot be executed on symbolic values. */
void context_give_up(context *in, source_at at, const char *why);

/* ---- syntax: evaluation.c ---- */

static inline value evaluate(context *in, const ast_expr *e)
{
    return in->interpreter->evaluate(in, e);
}
value evaluate_without_events(context *in, const ast_expr *e);
value evaluate_scalar(context *in, const ast_expr *e, base_type base, const char *what);
expr evaluate_condition(context *in, const ast_expr *e); /* EXPR_NONE after an error */
/* A constant Integer; what is written into messages, as in "a size". */
bool evaluate_integer(context *in, const ast_expr *e, int64_t *number, const char *what);

/* ---- what generates events: event_symbols.c ---- */

/* A comparison of two scalars, and the floor of one: symbols that change at events only, or plain
 * operations where no events are wanted.                                         */
expr event_relation(context *in, expr_op op, value a, value b, source_at at);
expr event_floor(context *in, expr u, source_at at);

/* ---- der(): total_derivative.c ---- */

value total_derivative(context *in, value v, source_at at);
void total_derivative_free(context *in);
#endif
