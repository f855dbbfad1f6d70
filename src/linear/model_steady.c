/* linear/model_steady.c - daedal_model_steady: where a model stands still.
 *
 * The equations as written with all derivatives zero: of the constraints of a higher index none is
 * lost in them, as it would be in the equations of index one.  Relations and discrete variables
 * keep their values during an iteration and are compared afterwards, until nothing changes. */
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "linear/linearization.h"
#include "linear/steady_iteration.h"
#include "linear/structure_report.h"

enum { MODES_MOST = 30, PASSES_MOST = 30, HORIZONS = 3 };
static const double FARTHER = 100.0;  /* from one horizon to the next                 */
static const double IMAGINARY = 1e-9; /* real parts below, of the largest eigenvalue, are zero */

/* What the caller gets, and its memory. */
typedef struct steady_memory {
    daedal_steady_state shown;
    daedal_allocator allocator;
    arena mem;
} steady_memory;

typedef struct steady_search {
    daedal_model *d;
    const reduced_model *reduced;
    steady_memory *to;
    still_point at;
    written_equations w;
    double *size;
    steady_result found;
    daedal_diagnosis *why;
} steady_search;

/* ---- the point ---- */

static double *take(steady_search *s, size_t n)
{
    return arena_take(&s->to->mem, n + 1, sizeof(double));
}

static bool take_point(steady_search *s)
{
    const flat_model *f = s->d->flat;
    size_t n = (size_t)s->reduced->n_unknowns, m = (size_t)s->reduced->n_discrete;
    s->at.y = take(s, n);
    s->size = take(s, n);
    s->at.relation = take(s, f->n_relations);
    s->at.rounding = take(s, f->n_roundings);
    s->at.discrete = take(s, m);
    s->at.discrete_before = take(s, m);
    s->found.open = arena_take(&s->to->mem, n + 1, sizeof(bool));
    return !s->to->mem.failed;
}

static double slot_value(const steady_search *s, flat_symbol_kind kind, uint32_t number)
{
    const compiled_model *c = s->d->model.compiled;
    int32_t slot = compiled_slot(c, flat_symbol(kind, number));
    return slot < 0 ? 0.0 : c->values->x[slot];
}

/* The values of the run become the point. */
static void read_point(steady_search *s)
{
    const flat_model *f = s->d->flat;
    const reduced_model *r = s->reduced;
    for (int32_t k = 0; k < r->n_unknowns; k++) {
        double nominal = f->variables[r->unknown[k]].nominal;
        double value = written_value(s->d->model.compiled, r->unknown[k]);
        s->at.y[k] = isfinite(value) ? value : 0.0;
        s->size[k] = fmax(fabs(s->at.y[k]), nominal != 0.0 ? fabs(nominal) : 1.0);
    }
    for (uint32_t k = 0; k < f->n_relations; k++)
        s->at.relation[k] = slot_value(s, FLAT_RELATION, k);
    for (uint32_t k = 0; k < f->n_roundings; k++)
        s->at.rounding[k] = slot_value(s, FLAT_ROUNDING, k);
    for (int32_t k = 0; k < r->n_discrete; k++)
        s->at.discrete[k] = s->at.discrete_before[k] =
            slot_value(s, FLAT_VALUE, r->discrete_variable[k]);
}

/* ---- relations and discrete variables ---- */

static bool put(double *to, double value)
{
    bool changed = !isnan(value) && *to != value;
    if (changed)
        *to = value;
    return changed;
}

static double truth(steady_search *s, const flat_relation *r)
{
    double left = written_equations_value(&s->w, r->left);
    double right = written_equations_value(&s->w, r->right);
    if (isnan(left) || isnan(right))
        return NAN;
    switch (r->op) {
    case EXPR_LT:
        return left < right;
    case EXPR_LE:
        return left <= right;
    case EXPR_GT:
        return left > right;
    default:
        return left >= right;
    }
}

/* One pass; true: something has changed. */
static bool compare(steady_search *s)
{
    const flat_model *f = s->d->flat;
    const reduced_model *r = s->reduced;
    bool changed = false;
    for (size_t k = 0; k < f->n_relations; k++)
        changed |= put(&s->at.relation[k], truth(s, &f->relations[k]));
    for (size_t k = 0; k < f->n_roundings; k++)
        changed |=
            put(&s->at.rounding[k], floor(written_equations_value(&s->w, f->roundings[k].of)));
    memcpy(s->at.discrete_before, s->at.discrete, (size_t)r->n_discrete * sizeof(double));
    for (size_t k = 0; k < f->n_assignments; k++) {
        int32_t of = r->discrete_of[f->assignments[k].variable];
        if (of >= 0)
            changed |=
                put(&s->at.discrete[of], written_equations_value(&s->w, f->assignments[k].value));
    }
    return changed;
}

/* true: the mode is another one than before. */
static bool change_mode(steady_search *s)
{
    bool changed = false;
    for (int pass = 0; pass < PASSES_MOST && compare(s); pass++)
        changed = true;
    return changed;
}

/* ---- the equations ---- */

static steady_reply residual(void *self, const double *y, double *r)
{
    steady_search *s = self;
    still_point here = s->at;
    here.y = (double *)(uintptr_t)y;
    s->w.at = &here;
    for (int32_t i = 0; i < s->w.system.n; i++)
        r[i] = written_equations_value(&s->w, s->w.system.residual[i]);
    s->w.at = &s->at;
    return s->w.lacks_memory ? STEADY_GIVE_UP : STEADY_VALUE;
}

static steady_reply jacobian(void *self, const double *y, double *a)
{
    steady_search *s = self;
    still_point here = s->at;
    size_t n = (size_t)s->w.system.n;
    here.y = (double *)(uintptr_t)y;
    s->w.at = &here;
    daedal_status status = written_equations_jacobians(&s->w, NULL, a);
    s->w.at = &s->at;
    for (size_t k = 0; k < n * n; k++)
        a[k] = -a[k];
    if (status == DAEDAL_ERR_NOT_FINITE)
        return STEADY_NO_VALUE;
    return status < 0 ? STEADY_GIVE_UP : STEADY_VALUE;
}

static void iterate(steady_search *s)
{
    steady_problem p = {s->w.system.n, s, residual, jacobian, s->size};
    for (int k = 0; k < MODES_MOST; k++) {
        steady_solve(&p, s->at.y, &s->found, &s->d->allocator);
        if (s->found.outcome != STEADY_FOUND || !change_mode(s))
            return;
    }
    s->found.outcome = STEADY_NONE;
}

/* ---- runs ---- */

static daedal_status begin(steady_search *s, daedal_model *handle, const daedal_simulation *how,
                           double t_stop)
{
    daedal_simulation run = *how;
    run.row = NULL;
    run.t_stop = t_stop;
    run.verify = run.stop_at_events = 0;
    run.intervals = 0;
    run.times = (daedal_doubles){NULL, 0};
    run.parameters = (daedal_ints){NULL, 0};
    daedal_status status = daedal_model_begin(handle, &run);
    s->d = handle->now;
    s->reduced = s->d->model.reduced;
    s->why = s->d->model.why;
    return status;
}

static daedal_status fail_none(steady_search *s)
{
    if (s->found.outcome == STEADY_MEMORY || s->w.lacks_memory)
        return fail(s->why, DAEDAL_ERR_MEMORY, "out of memory for a steady state");
    if (s->found.outcome == STEADY_ABORTED)
        return s->why->status;
    int32_t worst = s->found.worst;
    if (s->found.outcome == STEADY_UNDEFINED)
        return fail(s->why, DAEDAL_ERR_NOT_FINITE,
                    "the equations have no value at the start with all derivatives zero");
    fail(s->why, DAEDAL_ERR_NEWTON,
         "no steady state was found: %.400s does not hold with all derivatives zero",
         equation_text(s->reduced, (uint32_t)worst));
    hint(s->why, "there may be none; or give start values nearer to it, or a longer run by -t");
    return DAEDAL_ERR_NEWTON;
}

static daedal_status check_size(const steady_search *s)
{
    if (s->w.system.n != s->reduced->n_unknowns)
        return fail(s->why, DAEDAL_ERR_STRUCTURE, "the model has %d equations for %d unknowns",
                    (int)s->w.system.n, (int)s->reduced->n_unknowns);
    if (s->w.system.n > PENCIL_LARGEST)
        return fail(s->why, DAEDAL_ERR_ARGUMENT,
                    "the model has %d unknowns; steady states of at most %d are searched for",
                    (int)s->w.system.n, (int)PENCIL_LARGEST);
    return DAEDAL_OK;
}

/* From the values of the run under way. */
static daedal_status search_here(steady_search *s, double t)
{
    const compiled_model *c = s->d->model.compiled;
    written_equations_free(&s->w);
    TRY(written_equations_create(&s->w, c));
    TRY(check_size(s));
    TRY(compiled_compute(c));
    if (!s->at.y && !take_point(s))
        return fail(s->why, DAEDAL_ERR_MEMORY, "out of memory for a steady state");
    read_point(s);
    s->at.t = t;
    s->w.at = &s->at;
    change_mode(s);
    iterate(s);
    return s->found.outcome == STEADY_FOUND && !s->w.lacks_memory ? DAEDAL_OK : fail_none(s);
}

/* ---- results ---- */

static daedal_stability judge(const daedal_pencil_structure *p)
{
    double most = 0.0, size = 0.0;
    for (int32_t i = 0; i < p->n_finite; i++) {
        most = i == 0 ? p->real[i] : fmax(most, p->real[i]);
        size = fmax(size, hypot(p->real[i], p->imaginary[i]));
    }
    if (!p->is_regular)
        return DAEDAL_UNDECIDED;
    if (p->n_finite == 0 || most < -IMAGINARY * size)
        return DAEDAL_STABLE;
    return most > IMAGINARY * size ? DAEDAL_UNSTABLE : DAEDAL_UNDECIDED;
}

static bool tell_open(steady_search *s)
{
    daedal_steady_state *to = &s->to->shown;
    size_t n = (size_t)s->reduced->n_unknowns;
    const char **names = arena_take(&s->to->mem, n + 1, sizeof *names);
    to->n_open = s->found.n_open;
    for (size_t k = 0; k < n && names && s->found.n_open > 0; k++)
        if (s->found.open[k]) {
            const char *name = variable_text(s->reduced, s->reduced->unknown[k]);
            names[to->n_names++] = arena_text(&s->to->mem, name, strlen(name));
        }
    to->open = names;
    return !s->to->mem.failed;
}

static bool tell_values(steady_search *s)
{
    const daedal_model *d = s->d;
    double *values = take(s, (size_t)d->info.n_variables);
    for (int32_t k = 0; k < d->info.n_variables && values; k++) {
        uint32_t v = d->shown[k];
        int32_t unknown = s->reduced->unknown_of[v], discrete = s->reduced->discrete_of[v];
        values[k] = unknown >= 0    ? s->at.y[unknown]
                    : discrete >= 0 ? s->at.discrete[discrete]
                                    : written_value(d->model.compiled, v);
    }
    s->to->shown.values = values;
    return values != NULL;
}

static daedal_status tell(steady_search *s)
{
    daedal_steady_state *to = &s->to->shown;
    if (!tell_open(s) || !tell_values(s))
        return fail(s->why, DAEDAL_ERR_MEMORY, "out of memory for a steady state");
    TRY(linearize_at(s->d, &s->at, NULL, NULL, &to->system));
    to->uncertainty = s->found.uncertainty;
    to->stability = judge(to->system->pencil);
    return DAEDAL_OK;
}

/* One run to `t`, where the search begins. */
static daedal_status try_run(steady_search *s, daedal_model *handle, const daedal_simulation *how,
                             double t)
{
    TRY(begin(s, handle, how, t));
    daedal_status status = DAEDAL_OK;
    if (t > how->t_start)
        status = daedal_model_advance(handle, t);
    if (status == DAEDAL_STOPPED)
        status = fail(s->why, DAEDAL_STOPPED, "stopped");
    else if (status >= 0)
        status = search_here(s, how->t_start);
    if (status == DAEDAL_OK)
        status = tell(s);
    s->to->shown.t_integrated = t;
    daedal_diagnosis why = *s->why;
    daedal_model_end(handle, NULL);
    *s->why = why;
    return status;
}

/* A failure of the first search is told, not that of a run after it. */
static daedal_status search(steady_search *s, daedal_model *handle, const daedal_simulation *how)
{
    double span = how->t_stop - how->t_start;
    daedal_status first = try_run(s, handle, how, how->t_start), status = first;
    daedal_diagnosis why = *s->why;
    for (int k = 0; k < HORIZONS && status == DAEDAL_ERR_NEWTON && span > 0.0; k++) {
        status = try_run(s, handle, how, how->t_start + span);
        span *= FARTHER;
    }
    if (status != DAEDAL_OK && status != DAEDAL_STOPPED && first < 0) {
        *s->why = why;
        status = first;
    }
    return status;
}

daedal_status daedal_model_steady(daedal_model *handle, const daedal_simulation *how,
                                  daedal_steady_state **state)
{
    if (!handle || !how || !state)
        return DAEDAL_ERR_ARGUMENT;
    *state = NULL;
    TRY(model_check_idle(handle->now));
    steady_memory *made = memory_take(&handle->allocator, sizeof *made);
    if (!made)
        return fail(handle->now->model.why, DAEDAL_ERR_MEMORY, "out of memory");
    made->allocator = handle->allocator;
    arena_create(&made->mem, &made->allocator, 0);
    steady_search s = {.d = handle->now, .to = made, .why = handle->now->model.why};
    daedal_status status = search(&s, handle, how);
    written_equations_free(&s.w);
    if (status == DAEDAL_OK)
        *state = &made->shown;
    else
        daedal_steady_state_free(&made->shown);
    return status;
}

void daedal_steady_state_free(daedal_steady_state *state)
{
    steady_memory *made = (steady_memory *)state; /* whose first member it is */
    if (!made)
        return;
    daedal_allocator allocator = made->allocator;
    daedal_linear_system_free(made->shown.system);
    arena_free(&made->mem);
    memory_give(&allocator, made, sizeof *made);
}
