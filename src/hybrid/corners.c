/* hybrid/corners.c - see corners.h. */
#include "hybrid/corners.h"

#include <math.h>

#include "expr/derive.h"
#include "expr/walk.h"

static const double EQUAL = 1e-3; /* of rtol times the scale: a and b may be equal */

enum { CORNERS_OF_CALL = 12 }; /* at most */

/* What an expression depends on. */
typedef enum dependence { ON_NOTHING, ON_EVENTS, ON_TIME, ON_STATES } dependence;

/* Values that change at events together with time count as states. */
static dependence dependence_of(const discrete_part *m, expr_walker *w, expr e)
{
    const value_places *place = &m->values->place;
    dependence all = ON_NOTHING;
    expr_walker_forget(w);
    if (!expr_depends(w, e, EXPR_ALL))
        return ON_STATES;
    for (size_t k = 0; k < w->n_found; k++) {
        int32_t slot = compiled_slot(m->compiled, expr_index(&m->flat->graph, w->found[k]));
        bool at_events = slot >= (int32_t)place->discrete &&
                         !(slot >= (int32_t)place->delay && slot < (int32_t)place->initial);
        dependence on = slot < 0    ? ON_NOTHING
                        : slot == 0 ? ON_TIME
                        : at_events ? ON_EVENTS
                                    : ON_STATES;
        bool both = (on == ON_EVENTS && all == ON_TIME) || (on == ON_TIME && all == ON_EVENTS);
        all = both ? ON_STATES : on > all ? on : all;
    }
    return all;
}

/* True if e depends on time and on nothing else that changes between events. */
static bool is_known_between_events(discrete_part *m, expr_walker *w, expr e, bool *reads_discrete)
{
    const value_places *place = &m->values->place;
    bool of_time = false;
    expr_walker_forget(w);
    if (!expr_depends(w, e, EXPR_ALL))
        return false;
    for (size_t k = 0; k < w->n_found; k++) {
        int32_t slot = compiled_slot(m->compiled, expr_index(&m->flat->graph, w->found[k]));
        bool is_discrete = slot >= (int32_t)place->discrete && slot < (int32_t)place->delay;
        if (slot > 0 && !is_discrete)
            return false;
        of_time = of_time || slot == 0;
        *reads_discrete = *reads_discrete || is_discrete;
    }
    return of_time;
}

/* True if e depends on an unknown or on time. */
static bool varies(const discrete_part *m, expr_walker *w, expr e)
{
    return dependence_of(m, w, e) >= ON_TIME;
}

static bool is_comparison(expr_op op)
{
    return op == EXPR_LT || op == EXPR_LE || op == EXPR_GT || op == EXPR_GE;
}

static bool is_rounding(expr_op op)
{
    return op >= EXPR_FLOOR && op <= EXPR_REM;
}

static bool chooses(expr_op op)
{
    return is_comparison(op) || is_rounding(op) || op == EXPR_SIGN || op == EXPR_ABS ||
           op == EXPR_MIN || op == EXPR_MAX;
}

/* Whether no expression of the model, used or not, calls anything or chooses values. */
static bool is_plain(const flat_model *f)
{
    for (expr e = 1; e < f->graph.n; e++)
        if (expr_op_of(&f->graph, e) == EXPR_CALL || chooses(expr_op_of(&f->graph, e)))
            return false;
    return true;
}

static bool is_corner(const discrete_part *m, expr_walker *inner, expr e)
{
    expr_op op = expr_op_of(&m->flat->graph, e);
    if (is_comparison(op))
        return true;
    if (op != EXPR_ABS && op != EXPR_MIN && op != EXPR_MAX)
        return false;
    return varies(m, inner, e);
}

bool corners_exist(const discrete_part *m)
{
    expr_walker *w = m->reduced->walker, inner;
    bool found = false;
    if (is_plain(m->flat))
        return false;
    expr_walker_create(&inner, &m->flat->graph);
    expr_walker_forget(w);
    for (int32_t i = 0; i < m->reduced->n && !found; i++) {
        found = !expr_walk(w, m->reduced->residual[i], EXPR_ALL);
        for (size_t k = 0; k < w->n_found && !found; k++)
            found = is_corner(m, &inner, w->found[k]);
    }
    expr_walker_free(&inner);
    return found;
}

/* ---- their arguments ---- */

static bool has_argument(const discrete_part *m, expr_walker *inner, expr e)
{
    expr_op op = expr_op_of(&m->flat->graph, e);
    return (op == EXPR_SIGN || is_corner(m, inner, e)) && varies(m, inner, e);
}

/* What is found, or (into NULL) only counted. */
typedef struct corner_list {
    expr_walker inner;
    expr *into;   /* two operands of each */
    bool *rounds; /* NULL: roundings are left out */
    size_t n;
    bool reads_discrete; /* one of them changes at events */
    bool is_incomplete;  /* a call has none that is known  */
} corner_list;

static void add_corner(discrete_part *m, corner_list *list, expr e)
{
    expr_graph *g = &m->flat->graph;
    const expr *operands;
    bool two = expr_operands(g, e, &operands) == 2, rounds = is_rounding(expr_op_of(g, e));
    expr a = operands[0], b = two ? operands[1] : EXPR_NONE;
    if (list->into) {
        list->into[2 * list->n] = a;
        list->into[2 * list->n + 1] = two ? b : expr_constant(g, rounds ? 1.0 : 0.0);
        if (list->rounds)
            list->rounds[list->n] = rounds;
    }
    list->n++;
}

/* The corners below a root that were not met below earlier ones.  false: out of memory. */
static bool list_below(discrete_part *m, corner_list *list, expr root)
{
    expr_walker *w = m->reduced->walker;
    if (!expr_walk(w, root, EXPR_ALL))
        return false;
    for (size_t k = 0; k < w->n_found; k++)
        if (has_argument(m, &list->inner, w->found[k]))
            add_corner(m, list, w->found[k]);
    return true;
}

size_t corners_in_relations(discrete_part *m, expr *into)
{
    const flat_model *f = m->flat;
    corner_list list = {.into = into};
    bool fine = true;
    expr_walker_create(&list.inner, &f->graph);
    expr_walker_forget(m->reduced->walker);
    for (size_t k = 0; k < f->n_relations && fine; k++)
        fine =
            m->relation[k].kind != RELATION_STATE || (list_below(m, &list, f->relations[k].left) &&
                                                      list_below(m, &list, f->relations[k].right));
    expr_walker_free(&list.inner);
    return fine ? list.n : 0;
}

/* The places where a call bends, as roundings: whole numbers are corners. */
static void add_call(discrete_part *m, expr_walker *inner, corner_list *of_time,
                     corner_list *of_states, expr call)
{
    expr_graph *g = &m->flat->graph;
    bool is_known = false;
    for (uint32_t k = 0; k < CORNERS_OF_CALL; k++) {
        expr e = m->flat->functions->corner(m->flat->functions, g, call, k);
        is_known = is_known || e != EXPR_NONE;
        dependence on = e != EXPR_NONE ? dependence_of(m, inner, e) : ON_NOTHING;
        if (on < ON_TIME)
            continue;
        corner_list *list = on == ON_TIME ? of_time : of_states;
        list->into[2 * list->n] = e;
        list->into[2 * list->n + 1] = expr_constant(g, 1.0);
        list->rounds[list->n++] = true;
    }
    of_time->is_incomplete = of_time->is_incomplete || (!is_known && varies(m, inner, call));
}

/* ---- pulses ----
 *
 * exp(-((time - 5)/0.1)^2) is no corner, but in a long run a step may pass it.  Of exp, of
 * quotients and of powers the place of a pulse is where their argument has an extremum; of
 * functions that rise from one constant to another, whose differences and products are pulses,
 * where it is zero.  */

typedef enum pulse_kind { NO_PULSE, AT_EXTREMUM, AT_ZERO } pulse_kind;

/* *argument: what places the pulses of e. */
static pulse_kind pulse_of(expr_graph *g, expr e, expr *argument)
{
    const double steep = 4.0; /* lower powers make no narrow pulses */
    const expr *x;
    uint32_t n = expr_operands(g, e, &x);
    *argument = n > 0 ? x[0] : EXPR_NONE;
    switch (expr_op_of(g, e)) {
    case EXPR_EXP:
    case EXPR_COSH:
        return AT_EXTREMUM;
    case EXPR_DIV:
        *argument = x[1];
        return AT_EXTREMUM;
    case EXPR_POW:
        return !expr_is_constant(g, x[1]) || expr_value(g, x[1]) < 0.0 ||
                       expr_value(g, x[1]) > steep
                   ? AT_EXTREMUM
                   : NO_PULSE;
    case EXPR_TANH:
    case EXPR_ATAN:
        return AT_ZERO;
    default:
        return NO_PULSE;
    }
}

static expr no_slope(void *user, uint32_t symbol)
{
    (void)user;
    (void)symbol;
    return EXPR_NONE;
}

/* Adds the function of time that is zero at the pulses of e, if e has such. */
static bool add_pulse(discrete_part *m, expr_walker *inner, corner_list *list, expr e)
{
    expr_graph *g = &m->flat->graph;
    expr argument, slope = EXPR_NONE;
    bool reads_discrete = false;
    pulse_kind kind = pulse_of(g, e, &argument);
    if (kind == NO_PULSE || !is_known_between_events(m, inner, argument, &reads_discrete))
        return true;
    if (kind == AT_EXTREMUM) {
        flat_motion motion = {.slope = no_slope};
        expr_direction direction = flat_in_time(m->flat, &motion);
        expr_differ *differ = expr_differ_create(g, &direction);
        expr_outcome outcome =
            differ ? expr_differ_of(differ, argument, &slope, NULL) : EXPR_NO_MEMORY;
        expr_differ_free(differ);
        if (outcome == EXPR_NO_MEMORY)
            return false;
        reads_discrete = false;
        if (outcome != EXPR_OK || slope == EXPR_NONE ||
            !is_known_between_events(m, inner, slope, &reads_discrete))
            return true;
        argument = slope;
    }
    list->into[2 * list->n] = argument;
    list->into[2 * list->n + 1] = expr_constant(g, 0.0);
    list->rounds[list->n++] = false;
    list->reads_discrete = list->reads_discrete || reads_discrete;
    return true;
}

/* The pulses of the equations, behind the corners; without a list they are only counted. */
static bool list_pulses(discrete_part *m, corner_list *of_time, size_t *n)
{
    expr_graph *g = &m->flat->graph;
    expr_walker *w = m->reduced->walker, inner;
    expr argument;
    bool fine = true;
    *n = 0;
    expr_walker_create(&inner, g);
    expr_walker_forget(w);
    for (int32_t i = 0; i < m->reduced->n && fine; i++) {
        fine = expr_walk(w, m->reduced->residual[i], EXPR_ALL);
        for (size_t k = 0; k < w->n_found && fine; k++) {
            *n += pulse_of(g, w->found[k], &argument) != NO_PULSE;
            fine = !of_time || add_pulse(m, &inner, of_time, w->found[k]);
        }
    }
    expr_walker_free(&inner);
    return fine;
}

/* What chooses values in the equations, by what it depends on; without lists it is only counted. */
static bool list_in_equations(discrete_part *m, corner_list *of_time, corner_list *of_states,
                              size_t *n)
{
    expr_walker *w = m->reduced->walker, inner;
    bool fine = true;
    *n = 0;
    expr_walker_create(&inner, &m->flat->graph);
    expr_walker_forget(w);
    for (int32_t i = 0; i < m->reduced->n && fine; i++) {
        fine = expr_walk(w, m->reduced->residual[i], EXPR_ALL);
        for (size_t k = 0; k < w->n_found && fine; k++) {
            expr e = w->found[k];
            if (expr_op_of(&m->flat->graph, e) == EXPR_CALL && m->flat->functions) {
                *n += CORNERS_OF_CALL;
                if (of_time)
                    add_call(m, &inner, of_time, of_states, e);
            }
            if (!chooses(expr_op_of(&m->flat->graph, e)))
                continue;
            ++*n;
            dependence on = of_time ? dependence_of(m, &inner, e) : ON_NOTHING;
            if (on >= ON_TIME)
                add_corner(m, on == ON_TIME ? of_time : of_states, e);
        }
    }
    expr_walker_free(&inner);
    return fine;
}

static bool make_lists(discrete_part *m, corner_list *list, corner_set *c, size_t n)
{
    list->into = arena_take(m->mem, 2 * n + 1, sizeof *list->into);
    list->rounds = c->rounds = arena_take(m->mem, n + 1, sizeof *list->rounds);
    c->scale = arena_take(m->mem, n + 1, sizeof *c->scale);
    return list->into && list->rounds && c->scale;
}

static bool compile_set(discrete_part *m, const corner_list *list, corner_set *c)
{
    c->n = (int32_t)list->n;
    return list->n == 0 || program_create(m->compiled, &c->operands, list->into, 2 * list->n);
}

bool corners_build(discrete_part *m, model_corners **corners)
{
    model_corners *c = *corners = arena_take(m->mem, 1, sizeof *c);
    corner_list of_time = {0}, of_states = {0};
    size_t n = 0, n_pulses = 0;
    if (!c)
        return false;
    *c = (model_corners){.of = m};
    if ((!is_plain(m->flat) && !list_in_equations(m, NULL, NULL, &n)) ||
        !list_pulses(m, NULL, &n_pulses))
        return false;
    if (n + n_pulses == 0)
        return true;
    bool fine = make_lists(m, &of_time, &c->of_time, n + n_pulses) &&
                make_lists(m, &of_states, &c->of_states, n) &&
                (n == 0 || list_in_equations(m, &of_time, &of_states, &n));
    c->n_corners_of_time = (int32_t)of_time.n;
    fine = fine && list_pulses(m, &of_time, &n_pulses) && !m->flat->graph.failed &&
           compile_set(m, &of_time, &c->of_time) && compile_set(m, &of_states, &c->of_states);
    c->changes_at_events = of_time.reads_discrete;
    c->is_incomplete = of_time.is_incomplete;
    return fine;
}

void corners_free(const daedal_allocator *a, model_corners *c)
{
    program_free(a, &c->of_time.operands);
    program_free(a, &c->of_states.operands);
}

/* What has never been larger than an absolute tolerance has no sign that matters: a quantity at
 * rest, whose sign is that of rounding errors.                                    */
static void begin_set(corner_set *c)
{
    for (int32_t k = 0; k < c->n; k++)
        c->scale[k] = NOMINAL_LEAST;
}

void corners_begin(model_corners *c)
{
    begin_set(&c->of_time);
    begin_set(&c->of_states);
}

double corners_band(const model_corners *c)
{
    return EQUAL * c->of->rtol;
}

/* Smooth, and zero with a change of sign exactly where x is whole. */
static double whole_part_argument(double x)
{
    const double pi = 3.14159265358979323846;
    double whole = floor(x + 0.5);
    return sin(pi * (x - whole)) * (fmod(whole, 2.0) == 0.0 ? 1.0 : -1.0);
}

static int arguments(const discrete_part *m, corner_set *c, double t, const double *y,
                     const double *yp, double *g)
{
    int answer = program_run(m->compiled, c->operands, t, y, yp);
    for (int32_t k = 0; k < c->n && answer == 0; k++) {
        double a = c->operands->out[2 * k], b = c->operands->out[2 * k + 1];
        double size = c->rounds[k] ? 1.0 : fmax(fabs(a), fabs(b));
        if (size < OPERAND_MAX)
            c->scale[k] = fmax(c->scale[k], size);
        double value = c->rounds[k] ? whole_part_argument(a / b) : a - b;
        g[k] = isfinite(value) ? value : 0.0;
    }
    return answer;
}

int corners_of_time(double t, const double *y, const double *yp, double *g, void *user)
{
    model_corners *c = user;
    return arguments(c->of, &c->of_time, t, y, yp, g);
}

int corners_of_states(double t, const double *y, const double *yp, double *g, void *user)
{
    model_corners *c = user;
    delays_set_allow_present(c->of, true);
    int answer = arguments(c->of, &c->of_states, t, y, yp, g);
    delays_set_allow_present(c->of, false);
    return answer;
}

void corners_copy_state(model_corners *c, state_copy *s)
{
    state_copy_bytes(s, c->of_time.scale, (size_t)c->of_time.n * sizeof(double));
    state_copy_bytes(s, c->of_states.scale, (size_t)c->of_states.n * sizeof(double));
}
