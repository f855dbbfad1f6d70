/* flat/flat.h - a model as flat lists: what flattening makes of a syntax tree.
 *
 * Responsibility: scalar variables, equations and discrete assignments on one expression
 * graph, with source positions.  Arrays, records, for-loops, if-equations, when-clauses,
 * algorithms and most functions are gone; parameters with a known value are constants, live ones
 * (expr/expression.h) if they are Real and can be set.
 * How hybrid constructs are lowered (docs/theory/hybrid.md):
 *   - a relation that generates events is entry k of `relations` and stands in expressions as
 *     the symbol FLAT_RELATION k; inside noEvent, smooth(>= 1), functions and bodies of when
 *     it is a plain comparison node
 *   - integer, floor, ceil, div, mod, rem with events read FLAT_ROUNDING k (the floor of
 *     `roundings[k]`)
 *   - every scalar element of a when condition is a hidden Boolean variable h with an
 *     assignment h = condition; it fires where h and not pre(h), or, for the element
 *     initial(), at the start.  A when-equation v = e is the assignment
 *     v = if fires then e else pre(v), or the next branch of elsewhen in the place of pre(v)
 *   - reinit, assert and terminate keep the expression that says when they act
 * Depends on: expr/expression.h, lang/parser.h.                                      */
#ifndef DAEDAL_FLAT_FLAT_H
#define DAEDAL_FLAT_FLAT_H

#include "expr/derive.h"
#include "expr/evaluate.h"
#include "expr/expression.h"
#include "lang/parser.h"

/* ---- symbols: what a variable index of the graph means ---- */

typedef enum flat_symbol_kind {
    FLAT_VALUE,    /* of variables[number]                                        */
    FLAT_DER,      /* its time derivative                                         */
    FLAT_PRE,      /* its value before the event                                  */
    FLAT_TIME,     /* number 0                                                    */
    FLAT_RELATION, /* frozen truth of relations[number]                           */
    FLAT_ROUNDING, /* frozen floor of roundings[number]                           */
    FLAT_SAMPLE,   /* samples[number] is due now                                  */
    FLAT_DELAY,    /* delays[number]                                              */
    FLAT_INITIAL,  /* initial(), number 0                                         */
    FLAT_TERMINAL, /* terminal(), number 0                                        */
    FLAT_HOMOTOPY, /* of flat_with_homotopy: 1 for actual, 0 for simplified; number 0 */
    FLAT_INPUT     /* an input of the whole model: flat_input_number                */
} flat_symbol_kind;

enum { FLAT_NUMBER_BITS = 27 };

static inline uint32_t flat_symbol(flat_symbol_kind kind, uint32_t number)
{
    return (uint32_t)kind << FLAT_NUMBER_BITS | number;
}
static inline flat_symbol_kind flat_kind(uint32_t symbol)
{
    return (flat_symbol_kind)(symbol >> FLAT_NUMBER_BITS);
}
static inline uint32_t flat_number(uint32_t symbol)
{
    return symbol & ((1u << FLAT_NUMBER_BITS) - 1);
}

/* The number of a FLAT_INPUT: which of `inputs`, and which time derivative of it.  Higher ones are
 * zero.                                                                         */
enum { FLAT_INPUT_ORDERS = 4 };

static inline uint32_t flat_input_number(uint32_t input, uint32_t order)
{
    return input * FLAT_INPUT_ORDERS + order;
}

/* Whether an expression is just a variable of the model, and which. */
bool flat_is_value(const expr_graph *g, expr e, uint32_t *variable);

/* ---- variables ---- */

typedef enum flat_type {
    FLAT_REAL,
    FLAT_INTEGER,
    FLAT_BOOLEAN,
    FLAT_ENUM,
    FLAT_STRING,
    FLAT_OBJECT, /* an external object: a table */
    FLAT_CLOCK
} flat_type;

/* Whether variables of this type have values that a run computes and shows. */
static inline bool flat_is_computed(flat_type t)
{
    return t < FLAT_STRING;
}

typedef enum flat_variability {
    FLAT_CONSTANT,  /* constants and parameters with a known value: `value` is a constant */
    FLAT_PARAMETER, /* a parameter to be found at the start (fixed = false), or one that
                       depends on such: `value` is its binding or EXPR_NONE               */
    FLAT_DISCRETE,  /* not Real, or assigned in a when-clause                             */
    FLAT_CONTINUOUS
} flat_variability;

typedef enum flat_select {
    FLAT_NEVER,
    FLAT_AVOID,
    FLAT_DEFAULT,
    FLAT_PREFER,
    FLAT_ALWAYS
} flat_select;

typedef struct flat_variable {
    int32_t name;        /* intern id: a.b[2].c                                         */
    uint8_t type;        /* flat_type                                                   */
    uint8_t variability; /* flat_variability                                            */
    uint8_t select;      /* flat_select                                                 */
    bool is_input, is_output;
    bool is_parameter; /* declared as one; else it may still be of variability FLAT_CONSTANT */
    bool is_final;
    bool hidden;    /* made by the front end, not shown to the user */
    bool is_when;   /* hidden: it follows the condition of a when, the text of its assignment */
    bool has_start; /* `start` was written                                         */
    bool fixed;     /* also: fixed by the user on the command line                 */
    bool is_set;    /* the caller has set this parameter, to set_to, instead of `binding` */
    bool is_wanted; /* in the run under way it becomes `wanted` with the next event; NAN: as written
                     */
    expr value;     /* see flat_variability; EXPR_NONE for unknowns                */
    expr binding;   /* of a parameter that can be set: the value it has otherwise, a constant */
    expr start;     /* EXPR_NONE: the default of the type                          */
    source_at at;
    int32_t enumeration; /* entry of `enumerations`, or -1                              */
    double set_to, wanted;
    double nominal;  /* 0: none                                                     */
    double min, max; /* -INFINITY, INFINITY: none                                   */
    const char *unit, *display_unit, *description; /* or NULL                         */
} flat_variable;

typedef struct flat_enumeration {
    int32_t name;
    int32_t *literals; /* intern ids, n of them; values are 1 .. n */
    int32_t n;
} flat_enumeration;

/* ---- equations ---- */

typedef struct flat_equation {
    expr left, right;  /* Real                                                            */
    source_at at, end; /* of the text it came from                                        */
    bool is_invariant; /* annotated as such: it follows from other equations              */
    bool is_held;      /* of a redundant one: the integrator satisfies it by projection   */
} flat_equation;

/* A discrete variable and how it is computed at events; also at the start. */
typedef struct flat_assignment {
    uint32_t variable; /* number of a flat_variable */
    expr value;
    source_at at, end;
} flat_assignment;

/* `initial equation`: left = right at the start.  Either side may be any type; pre(v) and
 * parameters with fixed = false may be what is determined.                              */
typedef struct flat_initial {
    expr left, right;
    source_at at, end;
} flat_initial;

typedef struct flat_relation {
    expr_op op; /* EXPR_LT, EXPR_LE, EXPR_GT, EXPR_GE */
    expr left, right;
    expr as_written; /* the comparison before variables are eliminated, for messages */
    source_at at;
} flat_relation;

typedef struct flat_rounding {
    expr of;
    source_at at;
} flat_rounding;

typedef struct flat_sample {
    expr start, interval;
    /* Of a clock: at (first + k step) / parts intervals after the start of the run; parts = 0: at
     * start + k interval. */
    int64_t first, step, parts;
    source_at at;
} flat_sample;

typedef struct flat_delay {
    expr of, by, most; /* most: EXPR_NONE if not given */
    source_at at;
} flat_delay;

/* A variable whose value comes from outside: the equation (or assignment) of it is `variable =
 * FLAT_INPUT`, so that it is eliminated and differentiated like any other.      */
typedef struct flat_input {
    uint32_t variable;
} flat_input;

/* Something that happens when `fires` is true at an event. */
typedef struct flat_reinit {
    uint32_t variable;
    expr fires, value;
    source_at at;
} flat_reinit;

/* A message: texts and numbers one after another. */
typedef struct flat_piece {
    const char *text; /* or NULL: the value */
    expr value;
    flat_type type;
    int32_t enumeration;
} flat_piece;

typedef struct flat_message {
    flat_piece *piece;
    int32_t n;
} flat_message;

typedef struct flat_assert {
    expr guard;     /* EXPR_NONE: always; else checked only where it is true (when)       */
    expr condition; /* reported where this is false */
    bool is_warning;
    bool in_when;  /* the guard is true at events only */
    bool is_bound; /* of the attributes min and max: told once */
    flat_message message;
    source_at at;
} flat_assert;

typedef struct flat_terminate {
    expr fires;
    flat_message message;
    source_at at;
} flat_terminate;

/* ---- the model ---- */

typedef struct flat_experiment {
    bool has_start, has_stop, has_interval, has_tolerance;
    double start, stop, interval, tolerance;
} flat_experiment;

typedef struct flat_model {
    compilation *from;
    int32_t name;
    const char *description;
    expr_graph graph;
    flat_variable *variables;
    size_t n_variables;
    flat_enumeration *enumerations;
    size_t n_enumerations;
    flat_equation *equations;
    size_t n_equations;
    flat_equation *redundant; /* equations beyond these, which follow from them (reduce/) */
    size_t n_redundant;
    flat_assignment *assignments;
    size_t n_assignments;
    flat_initial *initials;
    size_t n_initials;
    flat_relation *relations;
    size_t n_relations;
    flat_rounding *roundings;
    size_t n_roundings;
    flat_sample *samples;
    size_t n_samples;
    flat_delay *delays;
    size_t n_delays;
    flat_input *inputs;
    size_t n_inputs;
    flat_reinit *reinits;
    size_t n_reinits;
    flat_assert *asserts;
    size_t n_asserts;
    flat_terminate *terminates;
    size_t n_terminates;
    flat_experiment experiment;
    struct flat_functions *functions; /* what the front end still does for this model */
    size_t n_flattened; /* variables when flattening ended: lowering the index adds some */
    bool has_homotopy;  /* homotopy() occurs in it */
} flat_model;

/* What the front end still does for a finished model: it executes functions that could not be
 * inlined.  Whoever made the model fills this in and keeps its own state behind it.    */
typedef struct flat_functions {
    int (*call)(struct flat_functions *f, uint32_t function, const double *args, double *outputs);
    expr (*partial)(void *f, expr_graph *g, expr call, uint32_t k); /* as in expr_partials */
    /* Quantities that are whole only where the call bends or jumps, together at all such places:
     * number k of them; EXPR_NONE: it is not there. */
    expr (*corner)(void *f, expr_graph *g, expr call, uint32_t k);
    flat_model *(*with_homotopy)(const flat_model *of);
    void (*free)(struct flat_functions *f);
    bool out_of_memory;  /* memory was missing in a call                                     */
    const char *endless; /* a function that did not come to an end in a call, or NULL        */
} flat_functions;

/* The same model once more, with homotopy(actual, simplified) as a mixture of both, weighed by
 * FLAT_HOMOTOPY.  Variables have the same numbers as in `of`, which must live as long.  NULL if
 * that is not possible.                                                          */
flat_model *flat_with_homotopy(const flat_model *of);
void flat_free(flat_model *m); /* the graph and functions; the rest lives in the arena */

/* Calls a function that was not inlined, for tapes (expr_call_fn with user = model->functions), and
 * the derivatives of such functions.  What cannot be computed is NaN.             */
int flat_call(void *functions, uint32_t function, const double *args, double *outputs);
expr_partials flat_partials(const flat_model *m);

/* The total derivative with respect to time.  The caller says how a variable (FLAT_VALUE) or its
 * derivative (FLAT_DER) changes, EXPR_NONE if it does not; everything else except time is constant.
 * The derivatives of delays are not known.                                       */
typedef struct flat_motion {
    expr (*slope)(void *user, uint32_t symbol);
    void *user;
    bool met_delay; /* a delay was met: what was differentiated has no derivative */
} flat_motion;
/* The motion must live as long as the direction is used. */
expr_direction flat_in_time(const flat_model *m, flat_motion *motion);

/* Why outputs of calls were NaN: memory was missing, or this function did not come to an end. */
bool flat_calls_out_of_memory(const flat_model *m);
const char *flat_calls_endless(const flat_model *m); /* NULL: none */

/* The text of an equation for messages, in buffer. */
const char *flat_quote(const flat_model *m, source_at at, source_at end, char *buffer, size_t size);
#endif
