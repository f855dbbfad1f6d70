/* simulate/invariant_watch.c - see invariant_watch.h. */
#include "simulate/invariant_watch.h"

#include <math.h>
#include <string.h>

#include "expr/terms.h"

/* An equation that the others imply is off by what errors of the solution add up to. */
static const double TOLERATED = 1e3;     /* relative tolerances, in units of its terms */
static const double MOST = 0.1;          /* however large they are                     */
static const double AT_THE_START = 1e-6; /* where there are no such errors yet         */

/* ---- equations ---- */

static bool compile_sides(simulation *m)
{
    invariant_watch *w = m->invariants;
    expr_graph *g = &m->flat->graph;
    expr *roots = arena_take(m->mem, 2 * (size_t)w->n_equations, sizeof *roots);
    if (!roots)
        return false;
    for (int32_t k = 0; k < w->n_equations; k++) {
        const flat_equation *e = &m->flat->redundant[k];
        expr off = expr_sub(g, e->left, e->right);
        roots[2 * k] = off;
        roots[2 * k + 1] = expr_size_of_terms(g, off);
        w->text[k] = equation_text(m->reduced, EQUATION_REDUNDANT | (uint32_t)k);
    }
    return !g->failed && program_create(m->compiled, &w->sides, roots, 2 * (size_t)w->n_equations);
}

bool invariants_create(simulation *m)
{
    invariant_watch *w = m->invariants = arena_take(m->mem, 1, sizeof *w);
    size_t n = m->flat->n_redundant;
    if (!w)
        return false;
    w->n_equations = (int32_t)n;
    w->size = arena_take(m->mem, n + 1, sizeof *w->size);
    w->text = arena_take(m->mem, n + 1, sizeof *w->text);
    return !m->mem->failed && (n == 0 || compile_sides(m));
}

void invariants_free(simulation *m)
{
    if (!m->invariants)
        return;
    program_free(m->allocator, &m->invariants->sides);
    block_free(&m->invariants->mem);
}

static daedal_status fail_equation(simulation *m, int32_t k, double off)
{
    const daedal_invariant *e = &m->invariants->at[k];
    fail(m->why, DAEDAL_ERR_INCONSISTENT,
         "%s does not hold at t = %.10g: its sides differ by %.3g.  It was set aside as redundant",
         e->name, m->values->x[0], off);
    hint(m->why, "the equations are too many and contradict each other: remove one of them");
    m->why->t = m->values->x[0];
    set_cause(m->why, DAEDAL_CAUSE_CONTRADICTION);
    return DAEDAL_ERR_INCONSISTENT;
}

static daedal_status check_equations(simulation *m, double tolerance)
{
    invariant_watch *w = m->invariants;
    if (w->n_equations == 0)
        return DAEDAL_OK;
    int answer = program_run(m->compiled, w->sides, 0.0, NULL, NULL);
    if (answer != DAEDAL_CALL_OK)
        return compiled_fail_call(m->compiled, answer);
    for (int32_t k = 0; k < w->n_equations; k++) {
        double off = fabs(w->sides->out[2 * k]);
        w->size[k] = fmax(w->size[k], w->sides->out[2 * k + 1]);
        w->at[k].size = w->size[k];
        w->at[k].drift = fmax(w->at[k].drift, off);
        if (!(off <= tolerance * w->size[k]))
            return fail_equation(m, k, off);
    }
    return DAEDAL_OK;
}

/* ---- variables ---- */

static double value_of(const simulation *m, int32_t k)
{
    return origin_value(m->compiled->origin[m->invariants->variable[k]], m->values->x);
}

static daedal_status note_variables(simulation *m)
{
    invariant_watch *w = m->invariants;
    if (w->n_variables == 0)
        return DAEDAL_OK;
    TRY(compiled_compute(m->compiled));
    for (int32_t k = 0; k < w->n_variables; k++) {
        daedal_invariant *v = &w->at[w->n_equations + k];
        double value = value_of(m, k);
        v->drift = fmax(v->drift, fabs(value - v->start));
        v->size = fmax(v->size, fabs(value));
    }
    return DAEDAL_OK;
}

/* ---- a run ---- */

static void lay_out(void *object, layout *l)
{
    invariant_watch *w = object;
    w->variable = layout_take(l, (size_t)w->n_variables, sizeof *w->variable);
    w->at = layout_take(l, (size_t)(w->n_equations + w->n_variables), sizeof *w->at);
}

daedal_status invariants_prepare(simulation *m, const simulation_task *task)
{
    invariant_watch *w = m->invariants;
    const daedal_ints *asked = &task->request->conserved;
    for (int32_t k = 0; k < asked->n; k++)
        if (asked->at[k] < 0 || asked->at[k] >= task->shown.n)
            return fail(m->why, DAEDAL_ERR_ARGUMENT,
                        "simulation.conserved[%d] is %d, but there are %d variables", (int)k,
                        (int)asked->at[k], (int)task->shown.n);
    block_free(&w->mem);
    w->n_variables = asked->n;
    if (!block_create(&w->mem, m->allocator, lay_out, w))
        return fail(m->why, DAEDAL_ERR_MEMORY, "out of memory for a run");
    for (int32_t k = 0; k < w->n_equations; k++) {
        w->size[k] = 0.0;
        w->at[k] = (daedal_invariant){.name = w->text[k],
                                      .is_equation = 1,
                                      .is_held = m->flat->redundant[k].is_held &&
                                                 m->compiled->reduction <= DAEDAL_REDUCE_GGL};
    }
    for (int32_t k = 0; k < asked->n; k++) {
        w->variable[k] = task->shown.variable[asked->at[k]];
        w->at[w->n_equations + k] =
            (daedal_invariant){.name = variable_text(m->reduced, w->variable[k])};
    }
    return DAEDAL_OK;
}

daedal_status invariants_begin(simulation *m)
{
    invariant_watch *w = m->invariants;
    for (int32_t k = 0; k < w->n_variables; k++)
        w->at[w->n_equations + k].start = value_of(m, k);
    return check_equations(m, AT_THE_START);
}

static daedal_status check_all(simulation *m)
{
    TRY(check_equations(m, fmin(TOLERATED * m->discrete->options->rtol, MOST)));
    return note_variables(m);
}

/* The state of the solver may stand at an output point inside of the step. */
daedal_status invariants_check(simulation *m, double t)
{
    const invariant_watch *w = m->invariants;
    double *x = m->values->x;
    if (w->n_equations + w->n_variables == 0)
        return DAEDAL_OK;
    simulation_read_solver(m);
    daedal_status status = daedal_solver_interpolate(m->discrete->solver, t, x + m->values->place.y,
                                                     x + m->values->place.yp);
    x[0] = t;
    status = status == DAEDAL_OK ? check_all(m) : DAEDAL_OK;
    simulation_read_solver(m);
    return status;
}

void invariants_copy_state(simulation *m, state_copy *s)
{
    invariant_watch *w = m->invariants;
    state_copy_bytes(s, w->size, (size_t)w->n_equations * sizeof *w->size);
    state_copy_bytes(s, w->at, (size_t)(w->n_equations + w->n_variables) * sizeof *w->at);
}
