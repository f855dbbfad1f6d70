/* flatten/flattener.h - what the files of flattening share, with those of execute/ and
 * functions/; nobody else includes it.
 *
 * Responsibility: the state of one flattening and the functions its files call in one another.
 * How it works: every expression of the text is executed symbolically.  A `value` is a type
 * with a flat list of scalar expressions of the graph (arrays row by row, the members of a
 * record one after another); functions and algorithms are executed on such values (execute/), so
 * that constants fold, loops with constant ranges unroll and conditions become if-expressions.
 * Strings are constants too: the number of their text in the intern table.
 * Invariant: a failure is reported once where it is known and answered by a value of type
 * T_BAD, which everything passes on silently.
 * Depends on: flat/flat.h, expr/.                                               */
#ifndef DAEDAL_FLATTEN_FLATTENER_H
#define DAEDAL_FLATTEN_FLATTENER_H

#include "flatten/flatten.h"

enum {
    MOST_DIMS = 6,
    DEPTH_MAX = 2500,           /* of nested evaluation                                  */
    CALL_DEPTH_MAX = 60,        /* of functions called inside functions                  */
    LOOP_MAX = 10000000,        /* passes of one loop                                    */
    ELEMENTS_MAX = 1 << 23,     /* scalars of one declaration                            */
    INLINE_NODES_MAX = 1 << 21, /* what one function may add to the graph when inlined    */
    TEXT_MAX = 1 << 20,         /* bytes of a text that was joined                       */
    VARIABLE_WORK = 8,          /* what a variable costs of the work below               */
};

/* Limits of effort, in expressions evaluated and scalars made: of a flattening (and one more for
 * every byte of its text), and of one call of a function during a simulation.  About a second
 * each; a real export needs 15 per variable.                                     */
#ifdef DAEDAL_LIBFUZZER /* a thousand inputs a second, not one */
enum { WORK_MAX = 1 << 16, RUN_WORK_MAX = 1 << 14 };
#else
enum { WORK_MAX = 1 << 25, RUN_WORK_MAX = 1 << 22 };
#endif

typedef enum base_type {
    T_BAD,
    T_REAL,
    T_INTEGER,
    T_BOOLEAN,
    T_ENUM,
    T_STRING,
    T_RECORD,
    T_FUNCTION
} base_type;

typedef struct type {
    uint8_t base, n_dims;
    int32_t info; /* number of the enumeration, the record or the function value, else -1 */
    int32_t dim[MOST_DIMS];
} type;

typedef struct value {
    type type;
    size_t n;
    expr *e;
} value;

static const value bad_value = {.type = {.base = T_BAD, .info = -1}};

typedef struct expr_map {
    uint64_t *key; /* 0: empty */
    uint32_t *number;
    size_t n, n_slots;
} expr_map;

/* Modifiers around a declaration, the strongest first. */
typedef struct layer {
    const ast_mod *mods;
    const struct layer *next;
} layer;

typedef struct member {
    int32_t name;
    type type;
    size_t offset;              /* of its first scalar in the record */
    const ast_element *element; /* NULL in records made up from names */
    const layer *layers;        /* of its type */
} member;

typedef struct record {
    int32_t name;
    const ast_class *class; /* or NULL */
    member *member;
    int32_t n;
    size_t leaves;
} record;

/* A declared name of the model or its package. */
typedef struct component {
    int32_t name;
    const ast_element *element;
    const layer *layers;
    type type;
    uint32_t first; /* its variables are first .. first + n - 1 */
    size_t n;
    bool is_sized, is_valued;
    bool is_sizing, is_valuing; /* in progress: to find cycles */
    bool is_global;             /* of a package */
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
    source_at assigned_at;
} leaf;

/* A name with a value while a loop or a function runs. */
typedef struct iteration {
    int32_t name;
    value value;
    struct iteration *next;
} iteration;

/* An equation on its way to the model. */
typedef struct pending {
    expr left, right;
    type type; /* of the sides: Real, or something discrete */
    source_at at, end;
} pending;

typedef struct pending_list {
    pending *item;
    size_t n, capacity;
} pending_list;

/* What may still be spent: loops and calls in a short text can ask for any amount. */
typedef struct effort {
    size_t left, limit;
    source_at at; /* of the expression under way */
    bool is_over;
    bool in_simulation; /* the model is finished; calls of functions are counted one by one */
} effort;

typedef enum section { IN_EQUATIONS, IN_INITIAL, IN_NOWHERE } section;

typedef struct flattener {
    compilation *c;
    intern_table *names;
    arena *mem;   /* of values: &values, or that of a run */
    arena values; /* emptied now and then between clauses */
    flat_model *m;
    expr_graph *g;
    const ast_file *file;
    const ast_class *model;
    const flat_change *changes;
    int32_t *change_name;
    bool *change_used;
    size_t n_changes;

    /* names; arrays by intern id hold number + 1 */
    uint32_t *component_of, *variable_of, *class_of;
    size_t n_ids;
    component *component;
    size_t n_components, component_capacity;
    leaf *leaf; /* by variable */
    size_t leaf_capacity;
    const ast_class **class;
    size_t n_classes, class_capacity;
    record *record;
    size_t n_records, record_capacity;
    struct function_value *function_value;
    size_t n_function_values, function_value_capacity;
    uint32_t *sorted; /* variables by name, once needed */
    size_t n_sorted;
    expr_map group_map; /* by intern id: entry of group */
    struct group *group;
    size_t n_groups, group_capacity;

    /* where we are */
    effort work;
    section section;
    int depth, call_depth;
    int literal;             /* > 0: relations are plain comparisons */
    int raw;                 /* > 0: names mean the variables, not what the algorithm assigned */
    int32_t end;             /* meaning of `end`, -1 outside of subscripts */
    int32_t assertion_level; /* the enumeration */
    expr path;           /* condition under which the text is executed here, EXPR_NONE: always */
    expr when;           /* condition of the when-clause, or EXPR_NONE */
    struct frame *frame; /* of the function being executed, or NULL */
    iteration *iterations;
    struct overlay *overlay;   /* of the algorithm being executed, or NULL */
    struct departure **breaks; /* of the innermost loop */
    bool gave_up;              /* a function cannot be inlined */
    bool mixes_homotopy;       /* flatten_mixed */
    bool is_run;               /* executing a called function with numbers */
    const char *why_not;
    source_at why_not_at;

    pending_list *sink;         /* where equations go; NULL: to the model */
    pending_list discrete;      /* equations between discrete things */
    struct expr_differ *differ; /* of der(), once needed */
    flat_motion motion;         /* of its variables */
    bool met_derivative;        /* der() of what contains a derivative */
    expr_map relation_map, rounding_map, sample_map, condition_map;
    struct call_memory *memory; /* of functions */
    struct {
        size_t enumerations, variables, relations, roundings, samples, delays, equations, initials,
            reinits, asserts, terminates, assignments;
    } room;                /* of the arrays of the model, in items */
    struct called *called; /* functions that are called during the run */
    size_t n_called, called_capacity;
    struct {
        int32_t time, start, fixed, nominal, min, max, unit, display_unit, state_select;
    } id;
} flattener;

/* ---- flatten.c ---- */

value fl_error(flattener *f, source_at at, const char *format, ...) PRINTF_LIKE(3, 4);
/* Spend n units of work; false, with an error when it first happens, if they are used up or
 * there are too many errors already.  Whatever repeats something asks before.    */
bool fl_work(flattener *f, size_t n);
const char *fl_name(const flattener *f, int32_t id);
int32_t fl_intern(flattener *f, const char *text);
/* One more item behind n of an array in the arena; NULL when out of memory. */
void *fl_push(flattener *f, void *array, size_t n, size_t *capacity, size_t size);
/* Text in the arena, as printf. */
char *fl_text(flattener *f, const char *format, ...) PRINTF_LIKE(2, 3);
char *fl_expr_text(flattener *f, expr e);
bool map_find(const expr_map *m, uint64_t key, uint32_t *number);
bool map_put(flattener *f, expr_map *m, uint64_t key, uint32_t number);

/* ---- values.c ---- */

static inline bool is_bad(value v)
{
    return v.type.base == T_BAD;
}
type type_scalar(base_type base);
base_type type_base_of(flat_type t);
flat_type type_flat_of(type t);
type type_array(type element, int32_t n, const int32_t *dims);
type type_element(type t); /* without sizes */
size_t type_leaves(const flattener *f, type t);
size_t type_count(type t); /* product of the sizes */
bool type_same_sizes(type a, type b);
char *type_text(flattener *f, type t); /* Real[3,2] */
value value_new(flattener *f, type t);
value type_zero(flattener *f, type t);
value value_scalar(flattener *f, base_type base, expr e);
value value_number(flattener *f, base_type base, double number);
value value_text(flattener *f, const char *text);
bool value_is_constant(const flattener *f, value v);
bool value_integer(const flattener *f, value v, int64_t *number); /* scalar constant */
/* As a value of that type: Integer to Real, records by the names of members. */
value value_convert(flattener *f, value v, type to, source_at at, const char *what);
bool value_is_numeric(value v);
value value_arith(flattener *f, ast_op op, value a, value b, source_at at);
value value_negate(flattener *f, value a, source_at at);
value value_map(flattener *f, value a, expr_op op, base_type result);
value value_map2(flattener *f, value a, value b, expr_op op, source_at at);
value value_if(flattener *f, expr condition, value yes, value no, source_at at);
value value_member(flattener *f, value v, int32_t name, source_at at);
value value_stack(flattener *f, const value *v, size_t n, source_at at); /* {v1, v2, ...} */

/* One subscript: a colon, or a value (scalar or vector). */
typedef struct subscript {
    bool is_colon;
    value value;
    source_at at;
} subscript;
value value_index(flattener *f, value v, const subscript *subs, int32_t n);

/* ---- type_names.c ---- */

void classes_collect(flattener *f, const ast_class *c, const char *inside);
const ast_class *class_find(flattener *f, const ast_expr *ref);
const ast_class *class_named(const flattener *f, int32_t name);
/* Type and modifiers that a type name stands for.  T_BAD after an error. */
type type_resolve(flattener *f, const ast_expr *ref, const layer **layers);
type type_sized(flattener *f, type t, const ast_list *dims, bool *is_open);
type type_of_element(flattener *f, const ast_element *e, const layer **layers, bool *is_open);
int32_t enumeration_of_class(flattener *f, const ast_class *c);
int32_t enumeration_named(const flattener *f, int32_t name);
int32_t record_of_class(flattener *f, const ast_class *c, source_at at);
bool class_is_external_object(const flattener *f, const ast_class *c);

/* ---- declarations.c ---- */

/* inside: the full name of the package, or NULL: c is the model. */
void declare_class(flattener *f, const ast_class *c, const char *inside);
bool component_size(flattener *f, component *c);
void declare_finish(flattener *f); /* sizes, values of parameters, attributes, bindings */
expr variable_read(flattener *f, uint32_t variable);
uint32_t variable_make(flattener *f, int32_t name, flat_type type, source_at at);
uint32_t variable_hidden(flattener *f, const char *stem, flat_type type, source_at at);

/* ---- references.c ---- */

value name_eval(flattener *f, const ast_expr *ref);
struct local *local_find(flattener *f, int32_t name);
type variable_type(const flattener *f, uint32_t variable);
value parts_apply(flattener *f, value v, const ast_part *part, int32_t n);
bool subscripts_eval(flattener *f, value v, const ast_part *part, subscript *subs);
value unknown_name(flattener *f, source_at at, const char *what, const char *name);
/* Unknown name of the command line: what is a "variable" or a "parameter". */
void unknown_change(flattener *f, const char *what, const char *name);
bool ids_grow(flattener *f);

/* ---- name_groups.c ---- */

/* What a name that only its parts have stands for; false: there is no such. */
bool group_value(flattener *f, int32_t name, value *v);
/* 'x[\'i\']' as the reference x[i]; NULL: it is no such name. */
const ast_expr *name_with_subscripts(flattener *f, int32_t name, source_at at);

/* ---- expressions.c ---- */

value eval(flattener *f, const ast_expr *e);
value eval_literal(flattener *f, const ast_expr *e); /* without events */
value eval_scalar(flattener *f, const ast_expr *e, base_type base, const char *what);
expr eval_condition(flattener *f, const ast_expr *e);
bool eval_integer(flattener *f, const ast_expr *e, int64_t *number, const char *what);
/* Every value that an iterator takes; false after an error. */
bool eval_range(flattener *f, const ast_iterator *it, value *range);
value range_item(flattener *f, value range, size_t k);
/* A relation of two scalars, with an event where one is due. */
expr relation_make(flattener *f, expr_op op, value a, value b, source_at at);
expr fl_and(flattener *f, expr a, expr b); /* EXPR_NONE is true */
expr fl_not(flattener *f, expr a);
expr fl_constant(flattener *f, double number);

/* ---- builtin_functions.c, array_functions.c, library.c ---- */

/* Is it a builtin function, and what is its value? */
bool builtin_call(flattener *f, const ast_expr *call, const char *name, value *result);
bool array_call(flattener *f, const ast_expr *call, const char *name, value *result);
int library_run(int64_t builtin, const double *args, double *outputs); /* 0: done */
bool library_call(flattener *f, const ast_expr *call, const char *name, value *outputs,
                  int32_t *n_outputs);
/* Arguments by position and name, `names` separated by blanks; a missing one is NULL.
 * false: reported.                                                               */
bool builtin_args(flattener *f, const ast_expr *call, const char *names, int32_t least,
                  const ast_expr **args);
value total_derivative(flattener *f, value v, source_at at);

/* ---- execute/: functions and algorithms; the rest is in flatten/execute.h ---- */

enum { MOST_OUTPUTS = 64 };
/* All outputs of a call; n = 0 after an error. */
int32_t call_outputs(flattener *f, const ast_expr *call, value *outputs);
value call_eval(flattener *f, const ast_expr *call);
value record_construct(flattener *f, const ast_class *c, const ast_expr *call);
value function_as_value(flattener *f, const ast_expr *e);
void algorithm_flatten(flattener *f, const ast_section *s, bool is_initial);
/* Ends an execution that cannot go on symbolically; outside of functions an error. */
void give_up(flattener *f, source_at at, const char *why);
/* The condition under which this is executed, callers included; EXPR_NONE: always. */
expr path_whole(flattener *f);
/* Makes m->functions at the beginning of flattening. */
bool functions_create(flattener *f);
/* See flat_with_homotopy. */
flat_model *flatten_with_homotopy(const flat_model *of);

/* ---- equation_clauses.c, when_clauses.c, discrete_equations.c ---- */

void equations_flatten(flattener *f, const ast_clause *clause);
void equation_emit(flattener *f, pending p);
void equate(flattener *f, value left, value right, source_at at, source_at end);
void when_flatten(flattener *f, const ast_clause *clause);
/* The condition under which a branch of a when fires. */
expr when_fires(flattener *f, const ast_expr *condition);
void invoke_flatten(flattener *f, const ast_clause *clause);
void assignment_emit(flattener *f, uint32_t variable, expr e, source_at at, source_at end);
void discrete_finish(flattener *f);
void initial_emit(flattener *f, expr left, expr right, source_at at, source_at end);
/* assert(condition, message, level), looked at where the guard holds (EXPR_NONE: always). */
void assert_emit(flattener *f, expr guard, const ast_expr *call);
flat_message message_make(flattener *f, const ast_expr *e); /* NULL: empty */
void pending_push(flattener *f, pending_list *list, pending p);
bool is_value_symbol(const flattener *f, expr e, uint32_t *variable);
#endif
