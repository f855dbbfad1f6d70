/* flatten/execute.h - functions and algorithms, executed on values.
 *
 * Responsibility: calls (call.c), from the plan of a function (plan.c) through one execution of it
 * (frame.c) to functions that are called at run time (call_node.c, called.c); statements
 * (statements.c, assign.c) on a state that can fork (branches.c); algorithm sections of the model
 * (algorithm.c).
 * How it works: values are symbolic.  An execution that cannot go on, because something that must
 * be known is not constant, gives up and says why (context.obstacle).
 * Depends on: flatten/flattener.h.                                               */
#ifndef DAEDAL_FLATTEN_EXECUTE_H
#define DAEDAL_FLATTEN_EXECUTE_H

#include "flatten/flattener.h"

/* ---- the state ---- */

typedef struct local {
    int32_t name;
    bool is_set;
    bool is_open;         /* some size is ':' and not known yet */
    bool is_const;        /* an input: not to be assigned       */
    bool is_owned;        /* nobody else holds value.e: elements may be replaced in place */
    uint32_t mark, stamp; /* of the log and the merge that saw it last */
    type type;
    value value;
} local;

/* What a branch has changed: the old contents, or after log_swap the new ones. */
typedef struct undo {
    uint32_t index; /* of the local, or of the entry of the overlay */
    local local;
    expr value;
} undo;

typedef struct undo_log {
    undo *item;
    size_t n, capacity;
    uint32_t epoch;
} undo_log;

typedef struct snapshot {
    local *local;
    int32_t n_locals;
    expr *value;
    size_t n_values;
} snapshot;

/* A state at which a function returned or a loop was left under a condition. */
typedef struct departure {
    expr path;
    snapshot *state;
    struct departure *next;
} departure;

typedef struct frame {
    local *local;
    int32_t n, capacity;
    const ast_class *class;
    struct frame *up;
    departure *returns;
    undo_log *log;   /* of the branch under way, or NULL */
    source_at at;    /* of the call */
    uint32_t nodes;  /* of the graph at the entry */
    bool has_failed; /* an assertion that always fails was met */
    bool is_node;    /* only the declarations are evaluated, for a node of the graph */
    bool may_lack;   /* members of a record without a value are zero */
    /* of the caller, put aside during the call */
    iteration *iterations;
    departure **breaks;
    expr path;
    int32_t end;
    int raw;
} frame;

/* The variables that the algorithm being executed assigns. */
typedef struct overlay {
    uint32_t *variable;
    expr *value; /* EXPR_NONE: not assigned on this path */
    bool *in_when, *is_assigned;
    uint32_t *mark, *stamp; /* as in local */
    source_at *at, *end;    /* of the last assignment */
    undo_log *log;
    int loops;    /* around the statement */
    bool is_idle; /* while assignments that are never executed are collected */
    size_t n, capacity;
    uint32_t *slot; /* by variable: entry + 1 */
    size_t n_slots;
} overlay;

/* ---- branches.c ---- */

typedef enum flow { FLOW_NEXT, FLOW_BREAK, FLOW_RETURN, FLOW_FAIL, FLOW_GIVE_UP } flow;

/* To be called before a local is written. */
void local_touch(flattener *f, local *l);
void entry_write(flattener *f, uint32_t k, expr e); /* of the overlay */

snapshot *state_save(flattener *f);
void state_restore(flattener *f, const snapshot *s);
/* Records a state that leaves a loop or the function; `how` is FLOW_BREAK or FLOW_RETURN. */
bool departure_add(flattener *f, flow how, snapshot *state, expr path);
void departures_merge(flattener *f, departure *d, source_at at);

/* Executes both branches of a condition: fork_begin, the first branch, fork_turn, the second
 * branch, fork_end; or fork_stop after a failure. */
typedef struct fork {
    expr condition, before, yes_path,
        no_path; /* paths at the end of branches that nothing leaves */
    expr yes_end;
    undo_log yes, no, *outer;
    flow first;
    snapshot *left;
} fork;
void fork_begin(flattener *f, fork *k, expr condition, bool is_when);
bool fork_turn(flattener *f, fork *k, flow w); /* false: the first branch failed */
flow fork_end(flattener *f, fork *k, flow w, source_at at);
flow fork_stop(flattener *f, const fork *k, flow w);

/* ---- statements.c, assign.c, algorithm.c ---- */

flow statements_run(flattener *f, const ast_clause *clause);
/* Executes each statement as if it stood in a loop that `break` can leave: exporters unroll loops
 * but keep their breaks. */
flow statements_run_apart(flattener *f, const ast_clause *clause);
flow assign_run(flattener *f, const ast_clause *clause);
flow flow_failed(const flattener *f); /* FLOW_FAIL or FLOW_GIVE_UP */

/* Whether the truth of a condition is known here. */
bool condition_is_known(const flattener *f, expr condition, bool *truth);

/* The variables that the target of an assignment selects; if a subscript is not constant, those of
 * the whole array. */
typedef struct target {
    value symbols;
    bool is_chosen; /* subscripts choose among the symbols */
    const ast_expr *ref;
} target;
bool target_find(flattener *f, const ast_expr *ref, target *t);

/* The value that the algorithm under way assigned to the variable; false if it assigned none. */
bool algorithm_value(const flattener *f, uint32_t variable, expr *e);
uint32_t overlay_entry(const overlay *o, uint32_t variable); /* + 1; 0: none */

/* ---- plan.c ---- */

/* A declaration of a function (or a member of a record that is constructed). */
typedef struct plan_item {
    const ast_element *element;
    const ast_expr *binding;
    const ast_mod *given; /* members of a record without a binding, R r(x = 1), or NULL */
    type base;            /* without the sizes of the declaration */
    bool is_input, is_output;
} plan_item;

/* What is known of a function before it is called. */
typedef struct plan {
    const ast_class *class; /* as called */
    const ast_class *body;  /* behind all aliases; NULL: not in this text */
    const ast_expr *base;   /* the name behind all aliases, if there are any */
    plan_item *item;
    int32_t n, n_inputs, n_outputs;
    int32_t *order; /* of declaration: what others need comes first */
    bool is_bad, is_too_large;
    void (*foreign)(void); /* the C function of the user behind it; NULL before it is found */
    ast_expr *native;      /* the call of an external function as syntax; NULL before it is made */
} plan;

enum {
    MOST_ALIASES = 20,          /* of one class                                         */
    INLINE_NODES_MAX = 1 << 21, /* what one function may add to the graph when inlined    */
    LOOP_MAX = 10000000         /* passes of one loop                                     */
};

plan *plan_of(flattener *f, const ast_class *c); /* NULL after an error */
int32_t item_named(const plan *p, int32_t name); /* or -1 */
bool plan_has_body(const flattener *f, const plan *p);

/* ---- external.c ---- */

/* Whether the C function behind an external function is one of the library. */
bool external_is_known(const flattener *f, const ast_class *c);
/* Calls it with the locals of the frame, in place of statements. */
flow external_run(flattener *f, plan *p);
/* The function that makes an object of this class, and the one that ends an object which this
 * function makes; NULL: there is none. */
const ast_class *object_constructor(const flattener *f, const ast_class *c);
const ast_class *object_destructor(const flattener *f, const ast_class *constructor);
/* The output that an argument of the clause refers to as a whole, and the one that is its result;
 * -1: none. */
int32_t external_output(const plan *p, const ast_expr *e);
int32_t external_result(const plan *p);
bool external_set(flattener *f, int32_t output, value v);

/* ---- fortran_function.c ---- */

/* Whether it is a LAPACK routine that the library declares. */
bool fortran_is_known(const flattener *f, const ast_class *c);
flow fortran_run(flattener *f, plan *p);

/* ---- shared_object.c ---- */

enum { OBJECT_FOREIGN = 32 }; /* a kind of context_object */

typedef struct foreign_object {
    void *pointer;
    void (*destroy)(void); /* or NULL */
} foreign_object;

flow shared_object_run(flattener *f, plan *p);
void shared_objects_free(flattener *f); /* ends the objects and unloads what was loaded */

/* ---- the functions of the text ---- */

/* A function as argument of a function: its name, or `function f(k = 1)`. */
typedef struct function_value {
    const ast_class *class;
    const ast_expr *bound; /* AST_FUNCTION with named arguments, or NULL */
    int32_t name;
    value *bound_value;
} function_value;

/* A function that is called at run time: of the text, of the library, or the difference of one. */
typedef struct called {
    const ast_class *class;
    type *input, *output;
    int32_t n_inputs, n_outputs;
    int64_t builtin;            /* of the library, or -1 */
    const void *object;         /* that it belongs to, or NULL */
    uint32_t n_args, n_results; /* scalars */
    bool is_difference;         /* the change of function `of` with its argument `along` */
    uint32_t of, along;
    int order;       /* how many differences inside one another */
    int32_t endless; /* calls of it that took RUN_WORK_MAX      */
} called;

/* Memory for the locals of one function, used again by every call at the same depth. */
typedef struct frame_room {
    local *local;
    size_t capacity;
} frame_room;

typedef struct function_list {
    number_map plan_map; /* by class: entry of plan */
    plan **plan;
    size_t n_plans, plan_capacity;
    function_value *function_value;
    size_t n_function_values, function_value_capacity;
    called *called;
    size_t n_called, called_capacity;
    frame_room *room; /* by depth of calls */
    size_t n_rooms;
    void **shared; /* objects that were loaded */
    size_t n_shared, shared_capacity;
    value **outputs; /* of calls inside one another; n_open of them are in use */
    size_t n_outputs;
    int32_t n_open;
    uint32_t epoch; /* the last number given to a log or a merge */
} function_list;

/* ---- frame.c ---- */

/* Executes a function on values of its inputs (T_BAD: not given); the number of its outputs, 0
 * after an error or when it gave up.                                             */
int32_t plan_execute(flattener *f, plan *p, const value *args, value *outputs, source_at at);
/* False where calls are nested too deeply, with a message. */
bool frame_enter(flattener *f, const plan *p, frame *fr, source_at at);
void frame_leave(flattener *f);
/* Evaluates all declarations. If not strict, what is neither an input nor known is skipped. */
bool frame_settle(flattener *f, const plan *p, const value *args, source_at at, bool strict);
const char *item_text(flattener *f, const plan *p, int32_t k); /* "argument 'x' of 'f'" */
/* Gives a local a value of its type; what is written into messages as "argument 'x' of 'f'". */
/* The record with the values that modifiers give to members, R r(x = 1); others have their defaults
 * or zero. */
value record_of_members(flattener *f, type t, const ast_mod *mods, source_at at);
bool local_assign(flattener *f, local *l, value v, source_at at, const char *what);

/* ---- call.c ---- */

/* Calls a function with the arguments of a call; some may be given in args already. */
int32_t plan_call(flattener *f, plan *p, const ast_expr *call, value *args, value *outputs);
/* A builtin or library function; a function whose statements are not in the text. */
int32_t call_by_name(flattener *f, const ast_expr *call, int32_t name, bool quoted, value *outputs);
int32_t call_without_body(flattener *f, const plan *p, const ast_expr *call, value *outputs);

/* ---- function_value.c ---- */

int32_t function_value_call(flattener *f, int32_t number, const ast_expr *call, value *outputs);

/* ---- call_node.c ---- */

expr called_partial(void *functions, expr_graph *g, expr call, uint32_t k);
expr called_corner(void *functions, expr_graph *g, expr call, uint32_t k);
int64_t called_add(flattener *f,
                   const called *c); /* the number of an old or new entry; -1 when out of memory */
int32_t call_as_node(flattener *f, const plan *p, const value *args, value *outputs, source_at at);

/* ---- interpreter.c ---- */

extern const interpreter flattener_interpreter;

/* ---- called.c, called_derivative.c ---- */

/* The flattener behind a finished model, for functions that are called during a simulation. */
typedef struct executor {
    flat_functions service; /* first: m->functions points to it */
    flattener *f;
    expr_graph graph; /* of the execution under way */
    arena mem;
    int busy; /* executions under way, one inside another */
} executor;

/* Makes m->functions at the beginning of flattening. */
bool executor_create(flattener *f);
/* A function with constant arguments, executed with numbers; 0 if that is not possible. */
int32_t plan_execute_with_numbers(flattener *f, plan *p, const value *args, value *outputs,
                                  source_at at);
/* The value of an expression in an execution with numbers, or NaN. */
double numeric_value(const flattener *f, expr e);
#endif
