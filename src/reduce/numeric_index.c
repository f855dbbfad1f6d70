/* reduce/numeric_index.c - see repairs.h: index and degrees of freedom by numbers, not by
 * structure.
 *
 * The structural index is an upper bound where the system Jacobian is regular, and anything where
 * it is not [Pry01].  The index of equations with constant coefficients follows exactly from their
 * pencil, that of others from the derivative array at two points on which they and their
 * derivatives hold. */
#include <math.h>
#include <string.h>

#include "index/constant_pencil.h"
#include "index/dense_pencil.h"
#include "reduce/repairs.h"
#include "reduce/system_array.h"

enum { PENCIL_MAX = 150, ARRAY_MAX = 50, ROWS_MAX = 320, POINTS = SAMPLE_POINTS };

typedef struct index_search {
    reduced_model *m;
    const uint32_t *variable; /* of the unknowns */
    array_source from;
    system_array array;
    int sample;
    const int32_t *held; /* see reduced_find_points */
    bool on_solution;    /* or the result does not depend on the point */
} index_search;

/* ---- points ---- */

static void known_coefficients(void *user, uint32_t symbol, int32_t order, double *c)
{
    const index_search *j = user;
    c[0] = reduced_sample_value(j->m, j->sample, symbol);
    if (order == 0)
        return;
    switch (flat_kind(symbol)) {
    case FLAT_TIME:
        c[1] = 1.0;
        return;
    case FLAT_INPUT:
    case FLAT_DELAY: /* some function of time */
        for (int32_t k = 1; k <= order; k++)
            c[k] = reduced_sample_value(j->m, j->sample + k, symbol);
        return;
    default:
        return;
    }
}

static void choose_path(index_search *j)
{
    int32_t width = j->array.order + 2;
    for (int32_t u = 0; u < j->array.n; u++) {
        double *x = j->array.x + (size_t)u * (size_t)width;
        x[0] = reduced_sample_value(j->m, j->sample, flat_symbol(FLAT_VALUE, j->variable[u]));
        for (int32_t k = 1; k < width; k++)
            x[k] = reduced_sample_value(j->m, j->sample + 3 * k,
                                        flat_symbol(FLAT_DER, j->variable[u]));
    }
}

/* Values that the start fixes or gives move least: a point far from them may be a singular solution
 * of its own, such as x = 1, y = 0 of der(x) = y, y^2 + 1 = x. */
static double mobility(void *user, int32_t unknown)
{
    static const double OF_FIXED = 1e-2, OF_GIVEN = 0.1;
    const index_search *j = user;
    const flat_variable *v = &j->m->flat->variables[j->variable[unknown]];
    if (j->held)
        return j->held[unknown] > 0 ? 0.0 : 1.0;
    return v->fixed ? OF_FIXED : v->has_start ? OF_GIVEN : 1.0;
}

static expr_outcome begin(index_search *j, reduced_model *m, const equations *system,
                          const uint32_t *variable)
{
    *j = (index_search){.m = m, .variable = variable};
    j->from = (array_source){.system = system,
                             .partials = flat_partials(m->flat),
                             .known = known_coefficients,
                             .mobility = mobility,
                             .user = j,
                             .allocator = m->allocator};
    return system_array_create(&j->array, &j->from);
}

/* ---- points on which the equations hold ---- */

static bool settle_point(index_search *j, int32_t order, sample_point *to)
{
    system_array *s = &j->array;
    size_t n = (size_t)s->n, width = (size_t)order + 2;
    to->value = arena_take(j->m->mem, n + 1, sizeof *to->value);
    to->slope = arena_take(j->m->mem, n + 1, sizeof *to->slope);
    if (j->m->mem->failed || !system_array_set(s, order))
        return false;
    choose_path(j);
    if (!system_array_settle(s, false))
        return false;
    for (size_t k = 0; k < n; k++) {
        to->value[k] = s->x[k * width];
        to->slope[k] = s->x[k * width + 1];
    }
    return true;
}

bool reduced_find_points(reduced_model *m, const equations *system, int32_t order,
                         const int32_t *held, sample_point *points)
{
    index_search j;
    if (system->n > ARRAY_MAX || system->n != system->n_unknowns)
        return false;
    bool fine = begin(&j, m, system, m->variable) == EXPR_OK;
    j.held = held;
    for (j.sample = 0; j.sample < POINTS && fine; j.sample++)
        fine = settle_point(&j, order, &points[j.sample]);
    system_array_free(&j.array);
    return fine;
}

/* Unknowns that no equation contains make the system square. */
bool reduced_is_consistent(reduced_model *m, const equations *system)
{
    equations square = *system;
    index_search j;
    sample_point at;
    uint32_t *variable =
        arena_copy(m->mem, m->unknown, (size_t)m->n_unknowns, (size_t)system->n, sizeof *variable);
    bool found = system->n > ARRAY_MAX || !variable;
    if (found)
        return true;
    for (int32_t k = m->n_unknowns; k < system->n; k++)
        variable[k] = m->unknown[0];
    square.n_unknowns = system->n;
    bool is_known = begin(&j, m, &square, variable) == EXPR_OK;
    for (j.sample = 0; j.sample < POINTS && is_known && !found; j.sample++)
        found = settle_point(&j, 1, &at);
    system_array_free(&j.array);
    return found || !is_known;
}

/* ---- the derivative array ---- */

/* At one point, with as many derivatives as are needed. */
static array_verdict find_at_point(index_search *j, array_finding *found)
{
    system_array *s = &j->array;
    array_verdict verdict = ARRAY_TOO_SHORT;
    int32_t order = j->m->report->structural_index;
    int32_t most = s->n < ROWS_MAX / s->n ? s->n : ROWS_MAX / s->n;
    for (; verdict == ARRAY_TOO_SHORT && order <= most + 1; order += 2) {
        if (!system_array_set(s, order))
            return ARRAY_NO_MEMORY;
        choose_path(j);
        j->on_solution = s->kind != ARRAY_NONLINEAR || system_array_settle(s, true);
        expr_outcome outcome = system_array_fill(s);
        if (outcome != EXPR_OK)
            return outcome == EXPR_NO_MEMORY ? ARRAY_NO_MEMORY : ARRAY_UNCLEAR;
        verdict = derivative_array_judge(&s->array, found, j->m->allocator);
    }
    return verdict;
}

/* det(lambda A + B) with the coefficients of one instant. */
static bool is_regular(const index_search *j)
{
    const derivative_array *d = &j->array.array;
    pencil_finding found = {0};
    constant_pencil_judge(d->a, d->b, d->n, &found, j->m->allocator);
    return found.regular;
}

static numeric_index_result find_by_array(index_search *j)
{
    array_finding found[POINTS] = {0};
    array_verdict verdict[POINTS];
    bool on_solution = true;
    for (j->sample = 0; j->sample < POINTS; j->sample++) {
        verdict[j->sample] = find_at_point(j, &found[j->sample]);
        on_solution = on_solution && j->on_solution;
    }
    numeric_index_result to = {.on_solution = on_solution};
    bool same = verdict[0] == verdict[1] && found[0].index == found[1].index &&
                found[0].freedom == found[1].freedom;
    if (same && verdict[0] == ARRAY_SOLVABLE) {
        to.verdict = NUMERIC_INDEX_SOLVABLE;
        to.index = found[0].index;
        to.freedom = found[0].freedom;
    } else if (verdict[0] == ARRAY_NOT_SOLVABLE && verdict[1] == ARRAY_NOT_SOLVABLE) {
        to.verdict = NUMERIC_INDEX_NOT_SOLVABLE;
        to.regular_pencil = is_regular(j);
    }
    return to;
}

/* ---- constant coefficients ---- */

/* *exact: the result needs no confirmation by the derivative array. */
static bool find_by_pencil(index_search *j, numeric_index_result *to, bool *exact)
{
    system_array *s = &j->array;
    pencil_finding found;
    j->sample = 0;
    if (!system_array_set(s, 0))
        return false;
    choose_path(j);
    if (system_array_fill(s) != EXPR_OK)
        return true;
    if (!constant_pencil_judge(s->array.a, s->array.b, s->n, &found, j->m->allocator))
        return false;
    *exact = found.exact;
    to->on_solution = true;
    to->verdict = found.regular ? NUMERIC_INDEX_SOLVABLE : NUMERIC_INDEX_SINGULAR;
    to->index = found.index;
    to->freedom = found.freedom;
    return true;
}

/* Exact ranks of rounded coefficients are meaningless: there the derivative array decides, if its
 * ranks are clear.                                                */
static bool find_index(index_search *j, numeric_index_result *to)
{
    int32_t n = j->array.n;
    bool exact = false;
    if (j->array.kind == ARRAY_CONSTANT && n <= PENCIL_MAX && !find_by_pencil(j, to, &exact))
        return false;
    if (exact || n > ARRAY_MAX)
        return true;
    numeric_index_result by_array = find_by_array(j);
    if (by_array.verdict != NUMERIC_INDEX_UNKNOWN)
        *to = by_array;
    return true;
}

/* ---- the pencil at one point ---- */

/* E and A of the current equations; false: a value or derivative does not exist. */
static bool fill_pencil(dense_pencil *p, expr_deriver *d, const equations *system,
                        const expr_source *at)
{
    for (int32_t i = 0; i < system->n; i++) {
        expr_gradient g = {0};
        if (expr_gradient_of(d, system->residual[i], &g, NULL) != EXPR_OK)
            return false;
        for (size_t k = 0; k < g.n; k++) {
            equations_place to = system->place(system->user, g.entry[k].variable);
            size_t place = (size_t)to.unknown * (size_t)p->n + (size_t)i;
            double *v = to.order > 0 ? &p->e[place] : &p->a[place];
            if (expr_evaluate(system->g, g.entry[k].derivative, at, v) != 0 || !isfinite(*v))
                return false;
        }
    }
    return true;
}

static double value_near_start(void *user, uint32_t symbol)
{
    return reduced_sample_value(user, 0, symbol);
}

static int call_function(void *user, uint32_t function, const double *args, double *outputs)
{
    const reduced_model *m = user;
    return flat_call(m->flat->functions, function, args, outputs);
}

int32_t reduced_measure_index(reduced_model *m, const equations *system, int32_t *freedom)
{
    expr_source at = {value_near_start, call_function, m};
    dense_pencil p;
    int32_t index = -1;
    if (system->n > PENCIL_ROWS_MAX)
        return -1;
    expr_selection selection = {reduced_is_unknown, m, flat_partials(m->flat)};
    expr_deriver *d = expr_deriver_create(system->g, &selection);
    if (dense_pencil_create(&p, system->n, m->allocator) && d && fill_pencil(&p, d, system, &at))
        index = dense_pencil_index(&p, m->allocator, freedom);
    expr_deriver_free(d);
    dense_pencil_free(&p);
    return index;
}

/* ---- the report ---- */

/* Definitions v = e do not count in the index of an ODE. */
static bool counts_definitions(const reduced_model *m)
{
    const daedal_model_structure *r = m->report;
    return m->repairs->numeric_index.index == 1 && r->index == 0 && r->structural_index == 1;
}

static void correct_report(reduced_model *m)
{
    const numeric_index_result *j = &m->repairs->numeric_index;
    daedal_model_structure *r = m->report;
    if (j->verdict != NUMERIC_INDEX_SOLVABLE || /* singular systems fail instead */
        (!j->on_solution && (j->freedom != r->degrees_of_freedom || j->index < r->index)))
        return; /* ranks may differ from those on a solution */
    if (!counts_definitions(m))
        r->index = j->index;
    r->degrees_of_freedom = j->freedom;
}

/* The structural index is right if the leading matrix is regular and no equation is
 * differentiated.                                                 */
static bool is_structure_certain(const reduced_model *m)
{
    return m->n_unknowns == 0 || (m->report->structural_index <= 1 && !m->repairs->is_contradicted);
}

static bool find_index_as_written(reduced_model *m)
{
    equations system;
    index_search j;
    if (!reduced_as_written(m, &system))
        return false;
    if (system.n != system.n_unknowns)
        return true;
    expr_outcome outcome = begin(&j, m, &system, m->unknown);
    bool fine =
        outcome != EXPR_OK ? outcome != EXPR_NO_MEMORY : find_index(&j, &m->repairs->numeric_index);
    system_array_free(&j.array);
    return fine;
}

bool reduced_find_numeric_index(reduced_model *m)
{
    if (!m->repairs->numeric_index.done && !is_structure_certain(m) &&
        m->n_unknowns <= PENCIL_MAX && !find_index_as_written(m))
        return false;
    m->repairs->numeric_index.done = true;
    correct_report(m);
    return true;
}
