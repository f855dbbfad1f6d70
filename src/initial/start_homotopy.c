/* initial/start_homotopy.c - see initial.h: from the simplified to the actual equations.
 *
 * homotopy(actual, simplified) is `actual` in the model that runs.  For the start a second
 * model is made of the same text, in which it is w*actual + (1 - w)*simplified.  Its structure is
 * its own: simplified equations have other dependences, and may even have another index.  It is
 * solved for w = 0, and followed to w = 1 in steps that grow when they succeed; each solution is
 * the guess of the next (Modelica Language Specification 3.7.4.4;
 * docs/theory/start.md).  What is found at w = 1 is handed to the model that runs, as guesses. */
#include <math.h>
#include <string.h>

#include "hybrid/hybrid.h"
#include "initial/initial.h"

static const double STEP_FIRST = 0.1, STEP_LEAST = 1e-3;
enum { ATTEMPTS_MAX = 60 };

/* Made when it is first needed; it lives as long as the model. */
typedef struct model_twin {
    const model *of;
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
    model_describe_system(&t->m, &sys);
    t->opt = *t->of->options;
    t->opt.atol_each = t->opt.rtol_each = (daedal_doubles){0};
    t->opt.progress = NULL;
    t->opt.log = NULL;
    t->m.options = &t->opt;
    t->m.rtol = t->of->rtol;
    t->m.t_start = t->of->t_start;
    t->m.t_stop = t->of->t_stop;
    t->m.t_end = t->of->t_end;
    return daedal_solver_create(&t->m.solver, &sys, &t->opt, &t->m.why);
}

static daedal_status create(twin *t)
{
    sources *s = &t->of->flat->from->sources;
    source_mark before = sources_mark(s);
    model_setup setup = {.allocator = t->of->allocator,
                         .reduction = t->of->reduction,
                         .baumgarte = t->of->baumgarte};
    t->flat = flat_with_homotopy(t->of->flat);
    bool too_short = t->of->flat->from->mem.failed;
    daedal_status status = too_short ? DAEDAL_ERR_MEMORY : DAEDAL_ERR_STRUCTURE;
    if (t->flat)
        status = model_create(&t->m, t->flat, &setup);
    sources_rewind(s, before); /* the model itself was accepted */
    TRY(status);
    TRY(model_check_runnable(&t->m));
    t->n_x = t->m.place.n;
    t->n_start = (size_t)t->m.n_system;
    return block_create(&t->mem, t->of->allocator, lay_out, t) ? DAEDAL_OK : DAEDAL_ERR_MEMORY;
}

static twin *twin_of(model *m)
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

void model_free_twin(model *m)
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
    model *m = &t->m;
    for (int32_t j = 0; j < m->n; j++) /* the next guess */
        if (!m->start_fixed[j])
            m->start[j] = m->x[m->place.y + (uint32_t)j];
    memcpy(t->x, m->x, t->n_x * sizeof(double));
    memcpy(t->start, m->start, t->n_start * sizeof(double));
}

static void go_back(twin *t)
{
    memcpy(t->m.x, t->x, t->n_x * sizeof(double));
    memcpy(t->m.start, t->start, t->n_start * sizeof(double));
    t->m.version++;
}

static daedal_status follow(twin *t)
{
    model *m = &t->m;
    double done = 0.0, step = STEP_FIRST;
    TRY(model_prepare_values(m));
    model_set(m, m->place.homotopy, 0.0);
    TRY(model_settle_start(m));
    remember(t);
    for (int k = 0; k < ATTEMPTS_MAX && done < 1.0; k++) {
        double weight = fmin(done + step, 1.0);
        model_set(m, m->place.homotopy, weight);
        daedal_status status = model_settle_start(m);
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
    return done < 1.0 ? DAEDAL_ERR_START : model_compute(m);
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

static void hand_over(const twin *t, model *m)
{
    const model *its = &t->m;
    for (int32_t j = 0; j < m->n; j++) {
        int64_t v = counterpart(t, m->variable[j]);
        if (v < 0 || m->start_fixed[j])
            continue;
        model_origin from = its->origin[v];
        uint32_t slot = (uint32_t)from.slot;
        double value = origin_value(from, its->x);
        if (isfinite(value))
            m->start[j] = m->x[m->place.y + (uint32_t)j] = value;
        if (from.slot >= (int32_t)its->place.y && slot < its->place.yp)
            m->x[m->place.yp + (uint32_t)j] =
                from.factor * its->x[its->place.yp + (slot - its->place.y)];
    }
    m->version++;
}

static daedal_status run(twin *t, model *m)
{
    TRY(t->made);
    daedal_status status = open_solver(t);
    if (status == DAEDAL_OK)
        status = follow(t);
    if (status == DAEDAL_OK)
        hand_over(t, m);
    daedal_solver_free(t->m.solver);
    t->m.solver = NULL;
    return status;
}

daedal_status model_follow_homotopy(model *m)
{
    twin *t = twin_of(m);
    return t ? run(t, m) : DAEDAL_ERR_MEMORY;
}
