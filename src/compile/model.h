/* compile/model.h - a flat model made ready to run.
 *
 * Responsibility: from flat equations to callbacks of a daedal_system: unknowns without
 * aliases, residual and exact sparse Jacobian by tapes, relations as events, the discrete
 * part, the start and the run with events (docs/theory/hybrid.md).
 *
 * All values live in one array `x`, the inputs of every tape:
 *     time | y | y' | discrete | their pre | pre of y | relations | roundings | samples |
 *     delays | initial | terminal || computed
 * Everything behind y' changes at events only, but for delays; computed values are shown but
 * not read by tapes.
 * Depends on: base/, linalg/, graph/, expr/, flatten/, reduce/.               */
#ifndef DAEDAL_COMPILE_MODEL_H
#define DAEDAL_COMPILE_MODEL_H

#include "base/arena.h"
#include "base/pattern.h"
#include "base/status.h"
#include "expr/tape.h"
#include "expr/walk.h"
#include "flat/flat.h"
#include "reduce/alias.h"
#include "reduce/analysis.h"

/* Where the parts of x begin. */
typedef struct model_places {
    uint32_t y, yp, discrete, pre, pre_y, relation, rounding, sample, delay, initial, terminal,
        homotopy;
    uint32_t n;
} model_places;

/* A tape with its memory. */
typedef struct program {
    tape *tape;
    double *work, *out;
    size_t n_work, n_out;
    uint64_t version; /* of the discrete part it has seen */
} program;

/* How a variable that can be shown gets its value: x[slot] * factor, or factor alone. */
typedef struct model_origin {
    int32_t slot; /* or -1 */
    double factor;
} model_origin;
static inline double origin_value(model_origin from, const double *x)
{
    return from.slot < 0 ? from.factor : from.factor * x[from.slot];
}

typedef enum relation_kind { RELATION_DISCRETE, RELATION_TIME, RELATION_STATE } relation_kind;

/* The memory of a relation, or of one bound of a rounding. */
typedef struct model_relation {
    relation_kind kind;
    double scale;   /* largest |a|, |b| seen                               */
    double pending; /* the same with what was seen since the last step     */
    double eps;     /* width of its band now                               */
    double before;  /* a - b at the left limit of the event                */
    bool triggered; /* it stopped the integrator                           */
    /* chattering: hybrid/model_chatter.c */
    int32_t events, crowd; /* that it caused since `since`; in a row that nearly coincide */
    double since, last;    /* times                                                       */
    double wider;          /* its band is so many times the usual one; 0: never changed   */
    double rest;           /* it keeps its value for so long after its events             */
    bool told;
} model_relation;

/* Which relations may change in one pass of the event iteration. */
typedef enum relation_choice { CHOOSE_ALL, CHOOSE_LEAST, CHOOSE_WORST, CHOOSE_ANY } relation_choice;

/* The search for relations and equations that agree: model_mixed.c. */
typedef struct model_search {
    relation_choice choice;
    double *first, *seen; /* relations before the event, and in the last pass */
    bool *touched;        /* changed in this event                            */
    bool *held;           /* must not change now                              */
    double *values;       /* y and y' before the event                        */
    uint64_t random;
    bool stale;    /* y and y' are not those of the relations: solve in any case */
    bool restless; /* the discrete part alone did not settle */
    bool told;
} model_search;

typedef struct model_sample {
    double start, interval;
    int64_t k; /* next is start + k interval */
} model_sample;

/* Which rows determine which unknowns, in an order in which they can be solved: block b has
 * the rows row[start[b]] .. row[start[b + 1] - 1] and as many columns.          */
typedef struct model_order {
    int32_t *row, *column, *start;
    int32_t n_blocks;
} model_order;

static inline int32_t order_size(const model_order *o, int32_t b)
{
    return o->start[b + 1] - o->start[b];
}

/* f^(order) of an equation that was differentiated more often: it holds, but must be held. */
typedef struct model_constraint {
    expr value;
    uint32_t equation;
    int32_t order;
    int32_t level; /* order - times differentiated: below 0, the most negative first */
    int32_t row;   /* of the highest derivative; -1: it is not solved for              */
} model_constraint;

/* Constraints as functions of (t, y). */
typedef struct constraint_set {
    int32_t n;
    int32_t *level;
    pattern pattern;
    program values, slopes;
} constraint_set;

/* In the list of equations: the derivative of this variable is the next variable. */
#define EQUATION_OF_DERIVATIVE (1u << 31)

/* A variable that is computed where it is shown: its value in terms of the others. */
typedef struct computed_variable {
    uint32_t variable, equation;
    expr value;
} computed_variable;

/* Where expressions stand in the flat model. */
typedef struct exprs {
    expr **at;
    size_t n, capacity;
} exprs;

/* Blocks whose leading unknowns may cease to be determined: model_watch.c. */
typedef struct model_watch {
    int32_t n, *block;      /* numbers in model_order                                      */
    signed char *sign;      /* of their determinants, at the reference                     */
    double *size, *ease;    /* log |determinant| when looked at last; while steps are long    */
    int32_t *place;         /* by row: its place in the block looked at, else -1             */
    double *column;         /* room                                                        */
    double *matrix, *y;     /* room; y and y'                                              */
    program leading;        /* entries of dy and dyp that are in the blocks, and vary      */
    bool each_step;         /* it is cheap enough to be run after every step               */
    bool known;             /* there is a reference, of the mode `version`                 */
    uint64_t version, seen; /* seen: Jacobians up to this one                              */
    int32_t flipped;        /* block whose sign changed last, number in `block`, or -1     */
    double longest;         /* step                                                        */
    double t_flipped;
    int32_t near; /* block that is nearly singular, while steps are tiny, or -1    */
    bool asked;   /* about one such, since steps were long                         */
    bool leapt;   /* it did not; but on the way to there it would have changed twice */
    double *before, *middle, *there; /* y and y' at the last look; room; y after the step */
    int32_t singular;                /* at the start, number in `block`, or -1 */
    bool *told;                      /* by block: that the solution went through a singular point */
} model_watch;

/* A discrete initial equation: x[slot] = root number `root` of the initial program. */
typedef struct initial_rule {
    uint32_t slot;
    size_t root;
    bool late; /* a parameter that says which of several solutions: reads unknowns */
} initial_rule;

typedef enum model_verdict {
    JUDGED_UNKNOWN, /* too large, functions without derivatives, ranks not clear */
    JUDGED_SOLVABLE,
    JUDGED_SINGULAR,    /* linear, constant coefficients: det(lambda A + B) = 0 for all lambda */
    JUDGED_NOT_SOLVABLE /* equations and their derivatives depend on one another              */
} model_verdict;

/* What the equations as written determine, by numbers: model_judge.c. */
typedef struct model_judgement {
    bool done, on_solution; /* at points on which they hold, or it does not matter */
    bool regular_pencil;    /* with the coefficients of one instant                */
    model_verdict verdict;
    int32_t index, freedom;
} model_judgement;

/* A point on which equations and derivatives of them hold, by unknown of the system. */
enum { MODEL_POINTS = 2 };
typedef struct model_point {
    double *value, *slope;
} model_point;

typedef struct model_points {
    const struct equations *system; /* that is being repaired */
    const bool *switching;          /* by column: given by an expression that switches */
    bool moved;                     /* `at` is known          */
    model_point at[MODEL_POINTS];
} model_points;

/* The system before any repair. */
typedef struct model_plain {
    expr *residual;
    uint32_t *variable, *equation;
    int32_t n, n_rows;
} model_plain;

/* Unknowns and equations that wait to join the system: model_extend.c. */
typedef struct added_unknown {
    uint32_t variable, of; /* it stands for the derivative number `order` of `of`; a proxy */
    int32_t order;         /* (reduce/augment.h) has the order -1                       */
} added_unknown;

/* What a row was made of in repairs. */
typedef struct row_origin {
    int32_t *made_of; /* rows before any repair, ascending; NULL: of itself, or of nothing */
    int32_t n;
    int32_t order; /* how often these were differentiated                              */
} row_origin;

typedef struct added_row {
    expr residual;
    uint32_t equation;
    row_origin origin;
} added_row;

typedef struct model_added {
    added_unknown *unknown;
    added_row *row;
    size_t n_unknowns, unknown_room, n_rows, row_room;
    size_t n_equations; /* of the flat model behind its n_equations: copies of some of these */
    size_t kept_unknowns, kept_rows; /* of those above: model_forget_added leaves them          */
} model_added;

typedef struct model_bad_point {
    bool known;
    double t;
    double *x; /* y and y' there */
} model_bad_point;

typedef struct model {
    flat_model *flat;
    const daedal_allocator *allocator;
    daedal_reduction reduction;
    double baumgarte; /* rate; 0: to be chosen */
    arena mem;
    daedal_diagnosis why;
    expr_walker walker; /* for model_is_known: its memory is as long as the graph */

    /* structure, as written and without aliases */
    daedal_model_structure report;
    daedal_incidence incidence; /* once it was asked for: then equations is not NULL       */
    size_t variable_room;       /* of all tables by variable, once some were added            */
    int32_t *unknown_of;        /* by variable: number among the unknowns as written, or -1   */
    uint32_t *unknown;          /* their variables                                            */
    int32_t n_unknowns;
    alias_outcome aliases;
    int32_t *variable_index;  /* by unknown as written                                  */
    int32_t measured_freedom; /* degrees of freedom where that is not done, else -1    */
    int32_t n_repairs;        /* equations rewritten because the structure misled           */
    bool misled;              /* the leading matrix was singular at some time               */
    bool unrepairable;        /* solvable by numbers, but repairs led nowhere               */
    model_plain plain;
    uint32_t *rewritten; /* equations that became combinations of several              */
    int32_t n_rewritten;
    size_t rewritten_room;
    uint32_t *dependent; /* equations that depended on one another at the last repair  */
    int32_t n_dependent;
    row_origin *origins;            /* by row; NULL: no repair */
    int32_t n_plain;                /* rows before any repair  */
    const uint32_t *plain_equation; /* theirs */
    model_added added;
    model_points points;
    model_judgement judgement;
    int32_t index_left; /* structural, after elimination                              */

    /* what is solved */
    int32_t n;               /* unknowns and equations; may be 0                                  */
    int32_t n_rows;          /* while the structure is looked at: may differ from n               */
    int32_t n_system;        /* max(n, 1): a model without unknowns has one that stands still     */
    uint32_t *variable;      /* of each unknown                                                   */
    int32_t *column;         /* by variable: its unknown, or -1                                   */
    uint32_t *equation;      /* of each row: where it came from                                   */
    int32_t *differentiated; /* by row: how often; NULL: none was                            */
    expr *residual;
    bool *differential; /* n_system */
    const char **variable_name, **equation_name;
    model_order order;
    model_constraint *constraint;
    int32_t n_constraints;
    int32_t *depth; /* by unknown: which derivative - the highest one; with constraints only */
    int32_t *constraint_level;
    double *constraint_size;    /* what its residual is compared with */
    pattern constraint_pattern; /* unknowns that a constraint may move                 */
    program constraints_program, constraint_slopes;
    constraint_set held; /* by the integrator, if it is not just those: then n > 0      */
    daedal_levels levels;
    int32_t *state_wish;         /* by unknown: as stateSelect says; NULL: nobody does          */
    computed_variable *computed; /* their values stand in x behind place.n */
    int32_t n_computed;

    int32_t *discrete_of;        /* by variable, or -1 */
    uint32_t *discrete_variable; /* n_discrete */
    int32_t n_discrete;
    model_places place;
    double *x;
    uint64_t version;     /* counts changes of the discrete part */
    bool *is_read;        /* by slot: by the equations */
    model_origin *origin; /* by variable */

    program residuals, jacobian, events, assigns, relations, actions, samples_program,
        computed_program;
    bool has_jacobian;
    pattern pattern, slope_pattern; /* of both parts of the Jacobian; of dF/dy' alone         */
    double *row_size;               /* by equation: what a residual is compared with */
    double *dy, *dyp; /* by entry of the pattern: what the tape writes, dyp behind dy; entries that
                         are constant stand there already */
    double *dy_kept;  /* both once more, for points where some derivative has no value */
    expr *jacobian_root;       /* entries that are not constant, n_jacobian_roots */
    uint32_t *jacobian_target; /* where they stand in dy and dyp together */
    size_t n_jacobian_roots;
    double *jacobian_at; /* where dy, dyp were computed: t, y, y' */
    bool jacobian_known;
    uint64_t jacobian_count; /* evaluations */
    model_watch watch;
    uint64_t jacobian_version;

    /* hybrid */
    model_relation *relation; /* n_relations, then two for each rounding */
    size_t n_memories;
    int32_t *event_relation; /* by event: number in `relation`                       */
    int32_t n_events;
    int32_t *event_falling; /* all -1: the direction of events                      */
    const char **event_name;
    uint32_t *assigned; /* variables in the order of `assigns`, n_assigned      */
    expr *item_value;   /* their expressions, before inlining                   */
    size_t n_assigned;
    bool has_loops; /* assignments that read one another in a circle        */
    model_sample *sample;
    model_search search;
    struct model_delays *delays; /* or NULL: none                                       */
    int32_t n_relation_events;   /* of n_events; those of delays follow                 */
    double *old;                 /* x before a pass                                      */

    /* initial equations */
    expr *initial_row;    /* residuals of the continuous ones, n_initial_rows              */
    uint32_t *initial_of; /* the flat_initial of each                                      */
    size_t n_initial_rows;
    initial_rule *rule;
    size_t n_rules;
    bool has_late_rules;
    program rules_program;
    double *start, *nominal; /* by unknown: of the variable with the best claim           */
    expr *start_of;          /* EXPR_NONE: zero                                             */
    double *start_factor;
    uint32_t *start_from; /* the variable */
    bool *start_fixed, *start_given;
    bool *start_said; /* by unknown: an initial equation says what its value is            */
    uint32_t *free_parameter; /* variables: parameters found by initial equations          */
    size_t n_free;

    const char **open_name;    /* degrees of freedom of the start that no condition closes     */
    const char **open_instead; /* what could be fixed instead, or NULL                     */
    int32_t *open_kept;        /* whether their start values were kept                         */
    int32_t n_open;

    struct model_twin *twin; /* with homotopy() mixed, once it was needed                  */
    struct start_rows *rows; /* of the full start-value problem, once it was needed        */

    model_bad_point bad;

    /* a run */
    daedal_solver *solver;
    const daedal_options *options; /* its */
    double t_start, t_stop, rtol;
    double t_end;   /* a little past the stop time, if there may be events */
    bool restarted; /* the equations were solved anew in this event */
    bool terminated;
    bool uses_terminal;
    double growth_start; /* model_leading_growth at the start */
    bool *warned;        /* by assert: violated when it was looked at last */
    daedal_log_fn *log;
    void *log_user;
} model;

/* DAEDAL_OK; DAEDAL_ERR_STRUCTURE with errors in the sources of the compilation and in
 * m->why; DAEDAL_ERR_MEMORY.  model_free in any case.                           */
typedef struct model_setup {
    const daedal_allocator *allocator;
    daedal_reduction reduction;
    daedal_levels levels;
    double baumgarte;
} model_setup;

daedal_status model_create(model *m, flat_model *flat, const model_setup *setup); /* or NULL */
void model_free(model *m);

/* Refuse what cannot be run: DAEDAL_ERR_STRUCTURE with m->why. */
daedal_status model_check_runnable(model *m);

/* ---- inside the module ---- */

/* model_reduce.c: the equations as written, all of them; false: out of memory. */
bool model_write_out(model *m, equations *system);
/* From these to the system that is solved. */
daedal_status model_reduce(model *m, equations *system);

/* model_substitute.c: everything but the equations that reads variables. */
exprs model_list_others(model *m);
/* In the equations as they are now and in all that; false: out of memory. */
bool model_substitute(model *m, expr_image_fn *image, void *user);

/* model_variables.c: variables beside those of the text, each hidden, Real, with the place in the
 * text of another.  false: out of memory.                                              */
bool model_reserve_variables(model *m, size_t more);
bool model_add_variable(model *m, const char *name, uint32_t like, uint32_t *number);

/* model_lower.c: from the offsets of the system as it is now. */
daedal_status model_lower_index(model *m, const signature *offsets);

/* model_constraints.c */
bool model_compile_constraints(model *m);
void model_describe_constraints(model *m, daedal_system *sys);
int32_t model_hold(const model *m); /* the option `hold` of its solver */
/* The largest at x, relative to the terms. */
double model_constraint_residual(model *m);
const char *model_constraint_text(model *m, int32_t i, char *text, size_t size);

/* model_explicit.c */
daedal_status model_take_out_explicit(model *m);
bool model_compile_computed(model *m);
daedal_status model_compute(model *m); /* into x, from x */

/* model_compile.c: places, tapes, Jacobian. */
daedal_status model_compile(model *m);
int32_t model_slot(const model *m, uint32_t symbol); /* in x, or -1 */
const char *model_equation_text(model *m, uint32_t number);
bool program_create(model *m, program *p, const expr *roots, size_t n);
/* Root k goes to out[target[k]] of n_out items, the others stay as they are, at first 0. */
typedef struct program_places {
    const uint32_t *target;
    size_t n_out;
} program_places;
bool program_create_into(model *m, program *p, const expr *roots, size_t n, program_places to);
void program_free(model *m, program *p);
/* At (t, y, y'), or at x as it stands (y NULL).  A daedal_answer. */
int program_run(model *m, program *p, double t, const double *y, const double *yp);

/* model_jacobian.c; the first for expr/derive.h, user is the model. */
bool model_is_unknown(void *user, uint32_t symbol); /* or its derivative */
daedal_status model_compile_jacobian(model *m);

/* model_index.c: raise the index where values say so. */
daedal_status model_check_index(model *m);

/* How ill the leading unknowns (y' of states, y of others) are determined at x; *most: which. */
double model_leading_growth(model *m, int32_t *most);

/* Of the local pencil of equations that are not compiled; -1: it cannot be told. */
int32_t model_measure_index(model *m, const equations *system, int32_t *freedom);

/* model_callbacks.c */
void model_describe_system(model *m, daedal_system *sys);
/* Both parts of the Jacobian, into dy and dyp.  A daedal_answer. */
int model_evaluate_parts(model *m, double t, const double *y, const double *yp);
/* The largest residual at x of an equation without slopes, relative to its terms. */
double model_algebraic_residual(model *m);

/* model_explain.c: add the text and the values to a diagnosis of the solver. */
void model_explain(model *m, daedal_diagnosis *why);
/* At x; `name` says what e is the residual of. */
daedal_status model_fail_not_finite(model *m, expr e, const char *name);
const char *model_name(const model *m, uint32_t variable);
/* Relation or rounding number k of the memories, with its line, in buffer. */
const char *model_relation_text(model *m, size_t k, char *buffer, size_t size);
#endif
