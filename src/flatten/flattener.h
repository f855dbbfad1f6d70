/* flatten/flattener.h - the state of one flattening, and what its files call in one another.
 *
 * Responsibility: every expression of the text is evaluated on symbolic values (symbolic/value.h),
 * so that constants fold, loops with constant ranges unroll and conditions become if-expressions;
 * what remains is added to the flat model.  Functions and algorithms are executed in the same way
 * (execute.h).
 * Invariant: a failure is reported once where it is known and answered by a value of type T_BAD.
 * Depends on: library/library.h, symbolic/context.h, flat/builder.h.                */
#ifndef DAEDAL_FLATTEN_FLATTENER_H
#define DAEDAL_FLATTEN_FLATTENER_H

#include "flatten/flatten.h"
#include "library/library.h"

enum {
    DEPTH_MAX = 2500,     /* of nested evaluation, in expressions inside one another    */
    CLAUSE_DEPTH = 4,     /* stack of a nested clause, in nested expressions            */
    NESTED_CALL_COST = 2, /* the same of a call of any function                         */
    CALL_COST = 2,        /* the same of executing a function of the text               */
    DECLARATION_COST = 2, /* the same of a declaration whose size or value is asked for */
    CALL_DEPTH_MAX = 60,  /* of functions inlined inside functions                      */
    RUN_DEPTH_MAX = 400,  /* of functions called inside functions in any way            */
    TYPE_DEPTH_MAX = 50,  /* of types and records defined by one another                */
    VARIABLE_WORK = 8,    /* what a variable costs of the work below                    */
};

/* Limits of effort, in expressions evaluated and scalars made: of a flattening (one more for every
 * byte of its text, WORK_PER_VARIABLE more for every declared scalar), and of one call of a
 * function during a simulation.  About a second each; a real export needs 15 per variable, heat
 * in a square with its boundary in if-expressions 60.                            */
#ifdef DAEDAL_LIBFUZZER /* a thousand inputs a second, not one */
enum { WORK_MAX = 1 << 16, RUN_WORK_MAX = 1 << 14, VARIABLES_MAX = 1 << 13, WORK_PER_VARIABLE = 0 };
#else
enum {
    WORK_MAX = 1 << 25,
    RUN_WORK_MAX = 1 << 22,
    VARIABLES_MAX = 1 << 23,
    WORK_PER_VARIABLE = 200
};
#endif

/* ---- declared names ---- */

/* A declared name of the model or its package. */
typedef struct component {
    int32_t name;
    const ast_element *element;
    const layer *layers;
    type type;
    uint32_t first; /* its variables are first .. first + n - 1 */
    size_t n;
    bool is_sized, is_valued;
    bool is_sizing, is_valuing; /* under way, to find cycles */
    bool is_global;             /* of a package */
    bool is_element;            /* of an array that is declared element by element, as a[1] ... */
    int32_t array;              /* ... and the name of that array */
    bool is_ambiguous;          /* its short name means something in other packages too */
} component;

/* What is known of a variable beyond flat_variable. */
typedef struct leaf {
    uint32_t component;
    const ast_element *element; /* with its attributes: the component's, or of a member */
    const layer *layers;
    const ast_expr *binding; /* of a member, where the component has none */
    uint32_t at, count;      /* which element of how many, for attributes that are arrays */
    bool is_assigned;        /* has an assignment   */
    bool is_idle;            /* an algorithm assigns it where that is never executed ... */
    bool is_idle_in_when;    /* ... in a when */
    source_at assigned_at;
} leaf;

/* The names of the text.  Arrays by intern id hold a number + 1, 0 where there is none. */
typedef struct scope {
    uint32_t *component_of, *variable_of, *class_of;
    size_t n_ids;
    component *component;
    size_t n_components, component_capacity;
    leaf *leaf; /* by variable */
    size_t leaf_capacity;
    const ast_class **class;
    size_t n_classes, class_capacity;
    uint32_t *sorted; /* variables by name, once needed */
    size_t n_sorted;
    number_map group_map; /* by intern id: entry of group */
    struct group *group;  /* see name_groups.c */
    size_t n_groups, group_capacity;
} scope;

/* Intern ids of names that have a meaning. */
enum { ATTRIBUTES_MAX = 10 };
typedef struct known_names {
    int32_t time;
    int32_t attribute[ATTRIBUTES_MAX]; /* see attributes.c */
} known_names;

/* What the command line changes, by number of the change. */
typedef struct change_list {
    const flat_change *item;
    int32_t *name;
    bool *is_used;
    size_t n;
} change_list;

/* ---- where the text is ---- */

/* A name with a value while a loop or a function runs. */
typedef struct iteration {
    int32_t name;
    value value;
    struct iteration *next;
} iteration;

/* An equation that is not yet in the model. */
typedef struct pending {
    expr left, right;
    type type; /* of the sides: Real, or something discrete */
    source_at at, end;
    bool is_invariant; /* annotated as one */
} pending;

typedef struct pending_list {
    pending *item;
    size_t n, capacity;
} pending_list;

typedef enum section { IN_EQUATIONS, IN_INITIAL, IN_NOWHERE } section;

typedef struct flattener {
    context *in;                     /* values, messages, the model under construction */
    scope *scope;                    /* declared names                                 */
    struct function_list *functions; /* of the text: see execute.h                     */
    change_list *changes;
    const known_names *id;
    const ast_file *file;
    const ast_class *model;
    int32_t assertion_level; /* the number of the enumeration              */
    arena values;            /* of values; emptied between clauses when it is large */

    section section;
    int depth, call_depth, type_depth;
    int32_t end;    /* meaning of `end`, -1 outside of subscripts */
    expr path;      /* condition under which the text is executed here, EXPR_NONE: always */
    expr when;      /* condition of the when-clause, or EXPR_NONE */
    uint32_t clock; /* variable of the clock of the when-clause, or FLAT_NONE */
    iteration *iterations;
    struct overlay *overlay;   /* of the algorithm being executed, or NULL */
    struct departure **breaks; /* of the innermost loop */

    bool value_failed;     /* of a parameter: others that depend on it have no value either */
    bool is_invariant;     /* the equation being flattened is annotated as one */
    int32_t owner;         /* of that equation, see lang/owners.h */
    pending_list *sink;    /* where equations go; NULL: to the model */
    pending_list discrete; /* equations between discrete variables */
    number_map conditions; /* hidden variables of when-conditions, by expression */
} flattener;

/* ---- flatten.c ---- */

/* A flattener of a model that has nothing; NULL: out of memory. */
flattener *flattener_for_constants(compilation *c);

/* ---- type_names.c ---- */

void classes_collect(flattener *f, const ast_class *c, const char *inside);
const ast_class *class_find(flattener *f, const ast_expr *ref);
const ast_class *class_named(const flattener *f, int32_t name);
/* Type and modifiers that a type name stands for.  T_BAD after an error. */
type type_resolve(flattener *f, const ast_expr *ref, const layer **layers);
type type_sized(flattener *f, type t, const ast_list *dims, bool *is_open);
type type_of_element(flattener *f, const ast_element *e, const layer **layers, bool *is_open);
int32_t enumeration_of_class(flattener *f, const ast_class *c);
int32_t record_of_class(flattener *f, const ast_class *c, source_at at);
bool class_is_external_object(const flattener *f, const ast_class *c);

/* ---- declarations.c ---- */

/* inside: the full name of the package, or NULL: c is the model. */
void declare_class(flattener *f, const ast_class *c, const char *inside);
bool component_size(flattener *f, component *c);
void declare_finish(flattener *f);      /* sizes, values of parameters, attributes, bindings */
void declare_definitions(flattener *f); /* that the caller has added, after all else */
expr variable_read(flattener *f, uint32_t variable);
/* Whether the expression contains only parameters; else an error is reported about what, as
 * "parameter", of variable v. */
bool depends_on_parameters(flattener *f, const char *what, uint32_t v, expr e, source_at at);
uint32_t variable_hidden(flattener *f, const char *stem, flat_type type, source_at at);

/* ---- attributes.c ---- */

void attributes_learn(flattener *f, known_names *id);

/* The last value of an attribute or binding, since all elements of an array need the same one. */
typedef struct remembered {
    const ast_expr *text;
    value value;
} remembered;

/* The scalar that one variable gets from the value of an attribute or binding, which may be an
 * array; EXPR_NONE after an error. */
expr share_take(flattener *f, value v, const leaf *l, source_at at);
expr share_of(flattener *f, remembered *last, const ast_expr *e, const leaf *l);
void attribute_start(flattener *f, remembered *last, uint32_t v); /* sets the start value */
bool attribute_unfixed(flattener *f, uint32_t v);                 /* fixed = false is given */
void attributes_set(flattener *f);                                /* of all variables */

/* ---- references.c ---- */

value name_eval(flattener *f, const ast_expr *ref);
component *component_named(flattener *f, int32_t name); /* or NULL */
struct local *local_find(flattener *f, int32_t name);
type variable_type(const flattener *f, uint32_t variable);
value parts_apply(flattener *f, value v, const ast_part *part, int32_t n);
bool subscripts_eval(flattener *f, value v, const ast_part *part, subscript *subs);
value name_unknown(flattener *f, source_at at, const char *what, const char *name);
/* Unknown name of the command line: what is a "variable" or a "parameter". */
void change_unknown(flattener *f, const char *what, const char *name);
bool ids_grow(flattener *f);

/* ---- value_limits.c ---- */

void derivatives_finish(
    flattener *f);               /* unknowns for derivatives that only the discrete part reads */
void limits_watch(flattener *f); /* warnings where min or max are violated */

/* ---- units.c ---- */

void units_check(flattener *f); /* warnings where sides of equations differ in their units */

/* ---- cures.c ---- */

/* What to write instead of a name of another language; NULL: it is not known.  what is a "type", a
 * "function" or a "name". */
const char *cure_of(flattener *f, const char *what, const char *name);

/* ---- predeclared.c ---- */

/* Modelica.Constants.pi and the like; false: it is none of them. */
bool library_constant(flattener *f, const char *name, value *result);
/* Modelica.Units.SI.Length and the like, and functions that are written in the language; or NULL.
 */
const ast_class *library_class(flattener *f, const char *name);

/* ---- name_groups.c ---- */

/* What a name of which only the parts are declared stands for; false: there is none such. */
bool group_value(flattener *f, int32_t name, value *v);
/* 'x[\'i\']' as the reference x[i]; NULL: the name is not of this kind. */
const ast_expr *name_with_subscripts(flattener *f, int32_t name, source_at at);

/* ---- expressions.c ---- */

value expression_eval(flattener *f, const ast_expr *e);
/* Every value that an iterator takes; false after an error. body or clauses, the other NULL, is
 * what is repeated: it tells the range if the text does not. */
bool iterator_range(flattener *f, const ast_iterator *it, const ast_expr *body,
                    const ast_clause *clauses, value *range);

/* ---- record_operators.c ---- */

/* An operator with n operands, at least one of which is a record. */
value record_operator(flattener *f, ast_op op, const value *operand, int32_t n, source_at at);

/* ---- implicit_range.c ---- */

/* 1 to the size of the arrays that have the iterator as a subscript. */
value implicit_range(flattener *f, const ast_iterator *it, const ast_expr *body,
                     const ast_clause *clauses);

/* ---- functions and algorithms; the rest is in flatten/execute.h ---- */

enum { MOST_OUTPUTS = 64 };
/* All outputs of a call; n = 0 after an error. */
int32_t call_outputs(flattener *f, const ast_expr *call, value *outputs);
value call_eval(flattener *f, const ast_expr *call);
value function_as_value(flattener *f, const ast_expr *e);
void algorithm_flatten(flattener *f, const ast_section *s, bool is_initial);
/* After all equations: variables whose assignments are never executed keep their values. */
void algorithm_finish(flattener *f);
/* Ends an execution that cannot go on symbolically; outside of functions an error. */
void execution_give_up(flattener *f, source_at at, const char *why);
/* The condition under which this is executed, callers included; EXPR_NONE: always. */
expr path_with_callers(flattener *f);
/* See flat_with_homotopy. */
flat_model *flatten_with_homotopy(const flat_model *of);

/* ---- equation_clauses.c, when_clauses.c, discrete_equations.c ---- */

void equations_flatten(flattener *f, const ast_clause *clause);
void equation_flatten(flattener *f, const ast_clause *clause); /* left = right */
/* uniform_loop.c: a loop over the range, whose iterator is here and in f->iterations.  false, with
 * nothing done: it is not of the kind that is treated there.                       */
bool uniform_loop(flattener *f, const ast_clause *body, iteration *here, value range);
void equation_emit(flattener *f, pending p);
void equation_equate(flattener *f, value left, value right, source_at at, source_at end);
void when_flatten(flattener *f, const ast_clause *clause);
/* True in the one moment in which the condition becomes true; EXPR_NONE: out of memory. */
expr condition_fires(flattener *f, expr condition, source_at at, source_at end);
/* The condition under which a branch of a when fires. */
expr when_fires(flattener *f, const ast_expr *condition);
void invoke_flatten(flattener *f, const ast_clause *clause);
void assignment_emit(flattener *f, uint32_t variable, expr e, source_at at, source_at end);
/* Says that an Integer variable cannot be given a Real value. */
void assignment_refuse_real(flattener *f, uint32_t variable, source_at at);
/* clocked_parts.c: clocked equations become assignments, before discrete_finish. */
void clocked_finish(flattener *f);
void discrete_finish(flattener *f);
/* Refuses equations that would give a Real value to an Integer variable, once all assignments are
 * known. */
void discrete_check_integers(flattener *f);
/* Discrete variables are assigned, not reinitialised. */
void discrete_check_reinits(flattener *f);
/* Adds assert(condition, message, level), checked where the guard holds (EXPR_NONE: always). */
void assert_emit(flattener *f, expr guard, const ast_expr *call);
#endif
