/* initial/start_homotopy.c - see start_problem.h: from the simplified to the actual equations.
 *
 * homotopy(actual, simplified) is `actual` in the model that runs.  For the start a second
 * model is built from the same text, in which it is w*actual + (1 - w)*simplified.  It has its own
 * structure, since simplified equations have other dependences and may even have another index.  It
 * is solved for w = 0, and then up to w = 1 in steps that grow when they succeed; each solution is
 * the guess of the next (Modelica Language Specification 3.7.4.4; docs/theory/start.md).  The
 * solution for w = 1 gives the guesses for the model that runs. */
#include <math.h>
#include <string.h>

#include "initial/model.h"

static const double STEP_FIRST = 0.1, STEP_MIN = 1e-3; /* of w */
enum { ATTEMPTS_MAX = 60 };

/* Built when it is first needed; it lives as long as the model. */
typedef struct homotopy_model {
    const start_problem *of;
    daedal_status made;
    flat_model *flat;
    model m;
    daedal_options opt;
    double *x, *start; /* of the last solution */
    size_t n_x, n_start;
    block mem;
} homotopy_model;

/* ---- building the second model ---- */

static void lay_out(void *object, layout *l)
{
    homotopy_model *t = object;
    t->x = layout_take(l, t->n_x, sizeof(double));
    t->start = layout_take(l, t->n_start, sizeof(double));
}

/* With the tolerances of the run, except those for single unknowns. */
static daedal_status open_solver(homotopy_model *t)
{
    daedal_system sys;
    discrete_part *d = t->m.discrete;
    const discrete_part *of = t->of->discrete;
    discrete_describe_system(d, &sys);
    t->opt = *of->options;
    t->opt.atol_each = t->opt.rtol_each = (daedal_doubles){0};
    t->opt.progress = NULL;
    t->opt.log = NULL;
    d->options = &t->opt;
    d->rtol = of->rtol;
    d->t_start = of->t_start;
    d->t_stop = of->t_stop;
    d->t_end = of->t_end;
    return daedal_solver_create(&d->solver, &sys, &t->opt, t->m.why);
}

static daedal_status create(homotopy_model *t)
{
    sources *s = &t->of->flat->from->sources;
    source_mark before = sources_mark(s);
    model_setup setup = {.allocator = t->of->allocator,
                         .reduction = t->of->compiled->reduction,
                         .baumgarte = t->of->reduced->setup.baumgarte};
    t->flat = flat_with_homotopy(t->of->flat);
    bool too_short = t->of->flat->from->mem.failed;
    daedal_status status = too_short ? DAEDAL_ERR_MEMORY : DAEDAL_ERR_STRUCTURE;
    if (t->flat)
        status = model_create(&t->m, t->flat, &setup);
    sources_rewind(s, before); /* the model itself was accepted */
    TRY(status);
    TRY(reduced_check_runnable(t->m.reduced));
    t->n_x = t->m.compiled->values->place.n;
    t->n_start = (size_t)t->m.reduced->n_system;
    return block_create(&t->mem, t->of->allocator, lay_out, t) ? DAEDAL_OK : DAEDAL_ERR_MEMORY;
}

static homotopy_model *get_homotopy_model(start_problem *m)
{
    if (m->homotopy_model)
        return m->homotopy_model;
    m->homotopy_model = memory_take(m->allocator, sizeof *m->homotopy_model);
    if (m->homotopy_model) {
        m->homotopy_model->of = m;
        m->homotopy_model->made = create(m->homotopy_model);
    }
    return m->homotopy_model;
}

void start_free_homotopy(start_problem *m)
{
    homotopy_model *t = m->homotopy_model;
    if (t && t->flat) {
        model_free(&t->m);
        flat_free(t->flat);
        block_free(&t->mem);
    }
    memory_give(m->allocator, t, sizeof *t);
    m->homotopy_model = NULL;
}

/* ---- continuation ---- */

static void save_solution(homotopy_model *t)
{
    start_problem *m = t->m.start;
    for (int32_t j = 0; j < m->reduced->n; j++) /* the next guess */
        if (!m->start_fixed[j])
            m->start[j] = m->values->x[m->values->place.y + (uint32_t)j];
    memcpy(t->x, m->values->x, t->n_x * sizeof(double));
    memcpy(t->start, m->start, t->n_start * sizeof(double));
}

static void restore_solution(homotopy_model *t)
{
    start_problem *m = t->m.start;
    memcpy(m->values->x, t->x, t->n_x * sizeof(double));
    memcpy(m->start, t->start, t->n_start * sizeof(double));
    m->values->version++;
}

static daedal_status follow(homotopy_model *t)
{
    start_problem *m = t->m.start;
    double done = 0.0, step = STEP_FIRST;
    inputs_copy(m->discrete, t->of->discrete);
    TRY(start_prepare_values(m));
    values_set(m->values, m->values->place.homotopy, 0.0);
    TRY(start_settle(m));
    save_solution(t);
    for (int k = 0; k < ATTEMPTS_MAX && done < 1.0; k++) {
        double weight = fmin(done + step, 1.0);
        values_set(m->values, m->values->place.homotopy, weight);
        daedal_status status = start_settle(m);
        if (status == DAEDAL_OK) {
            save_solution(t);
            done = weight;
            step *= 2.0;
            continue;
        }
        if (status == DAEDAL_ERR_MEMORY || status == DAEDAL_STOPPED || step < STEP_MIN)
            return status;
        restore_solution(t);
        step *= 0.25;
    }
    return done < 1.0 ? DAEDAL_ERR_START : compiled_compute(m->compiled);
}

/* ---- guesses from its solution ---- */

/* The variable of the second model that corresponds to v, or -1.  Variables that index reduction
 * has added have other numbers there, but the same names. */
static int64_t counterpart(const homotopy_model *t, uint32_t v)
{
    const flat_model *mine = t->of->flat, *its = t->flat;
    size_t n = mine->n_flattened;
    if (v < n)
        return v;
    for (size_t w = n; w < its->n_variables; w++)
        if (its->variables[w].name == mine->variables[v].name)
            return (int64_t)w;
    return -1;
}

static void copy_guesses(const homotopy_model *t, start_problem *m)
{
    const compiled_model *its = t->m.compiled;
    const value_places *place = &its->values->place;
    double *x = m->values->x, *y = x + m->values->place.y, *yp = x + m->values->place.yp;
    for (int32_t j = 0; j < m->reduced->n; j++) {
        int64_t v = counterpart(t, m->reduced->variable[j]);
        if (v < 0 || m->start_fixed[j])
            continue;
        value_origin from = its->origin[v];
        uint32_t slot = (uint32_t)from.slot;
        double value = origin_value(from, its->values->x);
        if (isfinite(value))
            m->start[j] = y[j] = value;
        if (from.slot >= (int32_t)place->y && slot < place->yp)
            yp[j] = from.factor * its->values->x[place->yp + (slot - place->y)];
    }
    m->values->version++;
}

static daedal_status run(homotopy_model *t, start_problem *m)
{
    TRY(t->made);
    daedal_status status = open_solver(t);
    if (status == DAEDAL_OK)
        status = follow(t);
    if (status == DAEDAL_OK)
        copy_guesses(t, m);
    daedal_solver_free(t->m.discrete->solver);
    t->m.discrete->solver = NULL;
    return status;
}

daedal_status start_follow_homotopy(start_problem *m)
{
    homotopy_model *t = get_homotopy_model(m);
    return t ? run(t, m) : DAEDAL_ERR_MEMORY;
}
