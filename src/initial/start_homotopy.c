/* initial/start_homotopy.c - see start_problem.h: from the simplified to the actual equations.
 *
 * homotopy(actual, simplified) is `actual` in the model that runs.  For the start a second
 * model is made of the same text, in which it is w*actual + (1 - w)*simplified.  Its structure is
 * its own: simplified equations have other dependences, and may even have another index.  It is
 * solved for w = 0, and followed to w = 1 in steps that grow when they succeed; each solution is
 * the guess of the next (Modelica Language Specification 3.7.4.4;
 * docs/theory/start.md).  What is found at w = 1 is handed to the model that runs, as guesses. */
#include <math.h>
#include <string.h>

#include "initial/model.h"

static const double STEP_FIRST = 0.1, STEP_LEAST = 1e-3;
enum { ATTEMPTS_MAX = 60 };

/* Made when it is first needed; it lives as long as the model. */
typedef struct model_twin {
    const start_problem *of;
    daedal_status made;
    flat_model *flat;
    model m;
    daedal_options opt;
    double *x, *start; /* of the last solution */
    size_t n_x, n_start;
    block mem;
} twin;

/* ---- making it ---- */

static void lay_out(void *object, layout *l)
{
    twin *t = object;
    t->x = layout_take(l, t->n_x, sizeof(double));
    t->start = layout_take(l, t->n_start, sizeof(double));
}

/* The tolerances of the run; nothing that belongs to its unknowns. */
static daedal_status open_solver(twin *t)
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

static daedal_status create(twin *t)
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

static twin *twin_of(start_problem *m)
{
    if (m->twin)
        return m->twin;
    m->twin = memory_take(m->allocator, sizeof *m->twin);
    if (m->twin) {
        m->twin->of = m;
        m->twin->made = create(m->twin);
    }
    return m->twin;
}

void start_free_homotopy(start_problem *m)
{
    twin *t = m->twin;
    if (t && t->flat) {
        model_free(&t->m);
        flat_free(t->flat);
        block_free(&t->mem);
    }
    memory_give(m->allocator, t, sizeof *t);
    m->twin = NULL;
}

/* ---- the way ---- */

static void remember(twin *t)
{
    start_problem *m = t->m.start;
    for (int32_t j = 0; j < m->reduced->n; j++) /* the next guess */
        if (!m->start_fixed[j])
            m->start[j] = m->values->x[m->values->place.y + (uint32_t)j];
    memcpy(t->x, m->values->x, t->n_x * sizeof(double));
    memcpy(t->start, m->start, t->n_start * sizeof(double));
}

static void go_back(twin *t)
{
    start_problem *m = t->m.start;
    memcpy(m->values->x, t->x, t->n_x * sizeof(double));
    memcpy(m->start, t->start, t->n_start * sizeof(double));
    m->values->version++;
}

static daedal_status follow(twin *t)
{
    start_problem *m = t->m.start;
    double done = 0.0, step = STEP_FIRST;
    TRY(start_prepare_values(m));
    values_set(m->values, m->values->place.homotopy, 0.0);
    TRY(start_settle(m));
    remember(t);
    for (int k = 0; k < ATTEMPTS_MAX && done < 1.0; k++) {
        double weight = fmin(done + step, 1.0);
        values_set(m->values, m->values->place.homotopy, weight);
        daedal_status status = start_settle(m);
        if (status == DAEDAL_OK) {
            remember(t);
            done = weight;
            step *= 2.0;
            continue;
        }
        if (status == DAEDAL_ERR_MEMORY || status == DAEDAL_STOPPED || step < STEP_LEAST)
            return status;
        go_back(t);
        step *= 0.25;
    }
    return done < 1.0 ? DAEDAL_ERR_START : compiled_compute(m->compiled);
}

/* ---- what it found ---- */

/* The variable of the twin that is v here, or -1.  Those that lowering the index has added have
 * other numbers, but the same names. */
static int64_t counterpart(const twin *t, uint32_t v)
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

static void hand_over(const twin *t, start_problem *m)
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

static daedal_status run(twin *t, start_problem *m)
{
    TRY(t->made);
    daedal_status status = open_solver(t);
    if (status == DAEDAL_OK)
        status = follow(t);
    if (status == DAEDAL_OK)
        hand_over(t, m);
    daedal_solver_free(t->m.discrete->solver);
    t->m.discrete->solver = NULL;
    return status;
}

daedal_status start_follow_homotopy(start_problem *m)
{
    twin *t = twin_of(m);
    return t ? run(t, m) : DAEDAL_ERR_MEMORY;
}
