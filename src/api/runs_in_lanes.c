/* api/runs_in_lanes.c - see parameter_sweep.h: runs of small models, several of them side by side.
 *
 * A run goes to the lanes if nothing can happen in it but steps: no events, no constraints,
 * equations that determine the solution everywhere, and values that need no new reading of the
 * model.  What is unusual in a lane is repeated by itself. */
#include <math.h>
#include <string.h>

#include "api/parameter_sweep.h"
#include "hybrid/corners.h"
#include "lanes/lane_start.h"

enum { RUNS_LEAST = 32, PILOTS = 5 };
/* Pilot runs in lanes and by themselves may differ by so many tolerances.  Else the tolerance in
 * the lanes is reduced by the next of these factors; after the last one there are no lanes.  */
static const double PILOT_TOLERANCE = 10.0, TIGHTENING[] = {1.0, 0.1, 0.01};

struct sweep_lanes {
    daedal_model *model; /* one that is never read again */
    lane_group *group;
    int64_t run[LANES_MAX];
    bool has_start; /* all runs begin with the states of `start` */
    lane_start start;
    uint32_t *kept;
    bool *is_slope;
    double *atol;
    block mem;
    int32_t n_kept, n_unknowns; /* for the layout */
    double tightening;          /* of the tolerances */
};

/* ---- which models and tasks ---- */

static bool has_no_events(const daedal_model *d)
{
    const flat_model *f = d->flat;
    return f->n_relations + f->n_roundings + f->n_samples + f->n_delays + f->n_inputs +
                   f->n_reinits + f->n_asserts + f->n_terminates + f->n_assignments ==
               0 &&
           !f->has_homotopy && !corners_exist(d->model.discrete);
}

static bool is_regular(const daedal_model *d)
{
    return d->model.compiled && d->model.discrete && d->model.start && d->simulation.watch &&
           d->simulation.watch->n == 0;
}

/* Other options than tolerances and callbacks ask for a certain way of integration. */
static bool has_plain_options(const daedal_options *given)
{
    daedal_options plain;
    daedal_options_defaults(&plain);
    plain.rtol = given->rtol;
    plain.atol = given->atol;
    bool same = true;
#define X(type, name, value, low, high, choices, doc) same = same && given->name == plain.name;
    DAEDAL_OPTION_LIST(X)
#undef X
    return same && given->rtol_each.n == 0 && given->atol_each.n == 0 &&
           given->breakpoints.n == 0 && !given->linsolver && !given->own_preconditioner;
}

static bool is_task_for_lanes(const sweep_state *s)
{
    const daedal_simulation *how = s->sweep->simulation;
    return !s->sweep->one_by_one && s->sweep->n_runs >= RUNS_LEAST && how->t_stop > how->t_start &&
           s->times[s->n_points - 1] == how->t_stop && s->times[0] >= how->t_start &&
           s->options.rtol > 0.0 && s->options.atol > 0.0 && has_plain_options(&s->options);
}

/* ---- making ---- */

static void lay_out_lanes(void *object, layout *l)
{
    sweep_lanes *p = object;
    p->kept = layout_take(l, (size_t)p->n_kept + 1, sizeof *p->kept);
    p->is_slope = layout_take(l, (size_t)p->n_kept + 1, sizeof *p->is_slope);
    p->atol = layout_take(l, (size_t)p->n_unknowns + 1, sizeof *p->atol);
}

/* The variables of the model of the lanes are those of the model of the caller: unlike the model
 * that does single runs, it is never read again.                                       */
static int32_t place_of(const sweep_state *s, daedal_ints numbers, int32_t k)
{
    return numbers.at[k] - s->model->now->first_number;
}

static lane_task describe(const sweep_worker *w, sweep_lanes *p)
{
    const sweep_state *s = w->shared;
    const daedal_model *d = p->model->now;
    const compiled_model *m = d->model.compiled;
    for (int32_t k = 0; k < p->n_kept; k++) {
        p->kept[k] = d->shown[place_of(s, s->sweep->kept, k) % d->info.n_variables];
        p->is_slope[k] = s->kept[k].is_slope;
    }
    for (int32_t i = 0; i < p->n_unknowns; i++)
        p->atol[i] = p->tightening * s->options.atol *
                     (w->simulation.scale_atol && m->nominal[i] > 0.0 ? m->nominal[i] : 1.0);
    return (lane_task){.t_start = s->sweep->simulation->t_start,
                       .times = s->times,
                       .n_points = s->n_points,
                       .rtol = p->tightening * s->options.rtol,
                       .atol = p->atol,
                       .kept = p->kept,
                       .is_slope = p->is_slope,
                       .n_kept = p->n_kept};
}

static daedal_status create_for(sweep_worker *w, double tightening)
{
    sweep_state *s = w->shared;
    const daedal_allocator *a = &s->model->allocator;
    sweep_lanes *p = w->lanes = memory_take(a, sizeof *p);
    if (!p)
        return DAEDAL_ERR_MEMORY;
    TRY(model_twin(s->model, &p->model));
    p->tightening = tightening;
    p->n_kept = s->sweep->kept.n;
    p->n_unknowns = p->model->now->model.compiled->reduced->n_system;
    if (!block_create(&p->mem, a, lay_out_lanes, p))
        return DAEDAL_ERR_MEMORY;
    lane_task task = describe(w, p);
    p->group = lanes_create(p->model->now->model.compiled, &task, a);
    return p->group ? DAEDAL_OK : DAEDAL_ERR_MEMORY;
}

void sweep_lanes_free(sweep_worker *w)
{
    sweep_lanes *p = w->lanes;
    if (!p)
        return;
    lanes_free(p->group);
    block_free(&p->mem);
    daedal_model_free(p->model);
    memory_give(&w->shared->model->allocator, p, sizeof *p);
    w->lanes = NULL;
}

/* ---- a run into a lane ---- */

static bool set_value(sweep_worker *w, int32_t k, double value)
{
    daedal_model *d = w->lanes->model->now;
    uint32_t v = d->shown[place_of(w->shared, w->shared->sweep->varied, k)];
    flat_variability kind = d->flat->variables[v].variability;
    if (kind != FLAT_CONSTANT && kind != FLAT_PARAMETER)
        return start_override(d->model.start, v, value) == DAEDAL_OK;
    if (d->flat->variables[v].is_final || model_set_parameter(&d->model, v, value) != DAEDAL_OK)
        return false;
    d->has_moved = true;
    return true;
}

/* Start by the whole procedure of a single run. */
static bool find_any_start(sweep_worker *w)
{
    daedal_model *d = w->lanes->model->now;
    simulation_task task = {.request = &w->simulation,
                            .start_only = true,
                            .shown = {d->shown, d->info.n_variables},
                            .is_moved = d->has_moved};
    model_clear_outcome(d, w->simulation.t_start);
    return simulation_run(&d->simulation, &task, &d->outcome) == DAEDAL_OK &&
           d->model.log->kept->n == 0;
}

static bool find_start(sweep_worker *w)
{
    const sweep_lanes *p = w->lanes;
    return p->has_start
               ? lane_start_find(&p->start, p->model->now->model.compiled, w->simulation.t_start)
               : find_any_start(w);
}

/* false: it must be done by itself. */
static bool load_run(sweep_worker *w, int lane, int64_t run)
{
    const daedal_sweep *sweep = w->shared->sweep;
    const double *values = sweep->values + run * sweep->varied.n;
    for (int32_t k = 0; k < sweep->varied.n; k++)
        if (!isfinite(values[k]) || !set_value(w, k, values[k]))
            return false;
    if (!find_start(w))
        return false;
    w->lanes->run[lane] = run;
    lanes_load(w->lanes->group, lane);
    return true;
}

/* ---- pilot runs ---- */

static bool agree(const sweep_state *s, const double *a, const double *b)
{
    int32_t n = s->sweep->kept.n;
    for (int32_t k = 0; k < n; k++) {
        double size = 0.0;
        for (int32_t i = 0; i < s->n_points; i++)
            size = fmax(size, fabs(b[(int64_t)i * n + k]));
        for (int32_t i = 0; i < s->n_points; i++) {
            double difference = fabs(a[(int64_t)i * n + k] - b[(int64_t)i * n + k]);
            if (!(difference <= PILOT_TOLERANCE * (s->options.rtol * size + s->options.atol)))
                return false;
        }
    }
    return true;
}

/* Whether the short way to the start gives what the whole procedure has found. */
static bool starts_agree(const lane_start *s, const compiled_model *m, double t)
{
    const double rounding = 1e-9;
    lane_start found, again;
    lane_start_note(&found, m);
    if (!lane_start_find(s, m, t))
        return false;
    lane_start_note(&again, m);
    double largest = 0.0, difference = 0.0;
    for (int32_t i = 0; i < m->reduced->n; i++) {
        double size = fmax(fabs(found.y[i]), m->nominal[i] > 0.0 ? m->nominal[i] : 1.0);
        if (!(fabs(found.y[i] - again.y[i]) <= rounding * size))
            return false;
        largest = fmax(largest, fabs(found.yp[i]));
        difference = fmax(difference, found.is_state[i] ? fabs(found.yp[i] - again.yp[i]) : 0.0);
    }
    return difference <= rounding * largest;
}

static bool varies_start(const sweep_state *s)
{
    const daedal_model *d = s->model->now;
    for (int32_t k = 0; k < s->sweep->varied.n; k++)
        if (!d->variables[s->sweep->varied.at[k] - d->first_number].is_parameter)
            return true;
    return false;
}

/* The first pilot tells with which states all runs begin, if that is so; the others check it. */
static void learn_start(sweep_worker *w, bool is_first)
{
    sweep_lanes *p = w->lanes;
    const compiled_model *m = p->model->now->model.compiled;
    if (is_first) {
        p->has_start = !varies_start(w->shared) && lane_start_is_common(m);
        lane_start_note(&p->start, m);
    }
    p->has_start = p->has_start && starts_agree(&p->start, m, w->simulation.t_start);
}

/* One run in a lane and by itself. */
static bool pilot_agrees(sweep_worker *w, int64_t run, bool is_first)
{
    const daedal_sweep *sweep = w->shared->sweep;
    daedal_outcome outcome;
    bool knows_start = w->lanes->has_start;
    w->lanes->has_start = false;
    bool is_loaded = load_run(w, 0, run);
    w->lanes->has_start = knows_start && is_loaded;
    if (!is_loaded)
        return true; /* which says nothing of lanes */
    learn_start(w, is_first);
    lanes_advance(w->lanes->group);
    if (lanes_take(w->lanes->group, 0) != LANE_DONE)
        return true;
    sweep_run_one(w, sweep->values + run * sweep->varied.n, &outcome);
    return w->is_interrupted || (outcome.status == DAEDAL_OK && outcome.n_warnings == 0 &&
                                 agree(w->shared, lanes_results(w->lanes->group, 0), w->results));
}

static bool pilots_agree(sweep_worker *w)
{
    int64_t last = w->shared->sweep->n_runs - 1;
    for (int64_t k = 0; k < PILOTS; k++)
        if (!pilot_agrees(w, last * k / (PILOTS - 1), k == 0))
            return false;
    return true;
}

/* Lanes of the first worker that agree with single runs, or none. */
static daedal_status create_first(sweep_worker *w)
{
    for (size_t k = 0; k < sizeof TIGHTENING / sizeof *TIGHTENING; k++) {
        TRY(create_for(w, TIGHTENING[k]));
        if (pilots_agree(w))
            return DAEDAL_OK;
        sweep_lanes_free(w);
    }
    return DAEDAL_OK;
}

daedal_status sweep_lanes_create(sweep_state *s)
{
    const daedal_model *d = s->model->now;
    if (!is_task_for_lanes(s) || !is_regular(d) || !has_no_events(d) ||
        !lanes_admit(d->model.compiled))
        return DAEDAL_OK;
    TRY(create_first(&s->workers[0]));
    const sweep_lanes *first = s->workers[0].lanes;
    for (int32_t k = 1; k < s->n_workers && first; k++) {
        TRY(create_for(&s->workers[k], first->tightening));
        s->workers[k].lanes->has_start = first->has_start;
        s->workers[k].lanes->start = first->start;
    }
    return DAEDAL_OK;
}

/* ---- all runs ---- */

static void do_alone(sweep_worker *w, int64_t run)
{
    const daedal_sweep *sweep = w->shared->sweep;
    daedal_outcome outcome;
    sweep_run_one(w, sweep->values + run * sweep->varied.n, &outcome);
    if (!w->is_interrupted)
        sweep_deliver(w, run, w->results, &outcome);
}

/* Another run into a lane, if there is one. */
static void refill(sweep_worker *w, int lane)
{
    int64_t run;
    while ((run = sweep_next_run(w->shared)) >= 0) {
        if (load_run(w, lane, run))
            return;
        do_alone(w, run);
    }
}

static void deliver_lane(sweep_worker *w, int lane)
{
    const lane_group *g = w->lanes->group;
    daedal_outcome outcome = {.status = DAEDAL_OK,
                              .t = w->shared->sweep->simulation->t_stop,
                              .stats = {.steps = lanes_steps(g, lane)},
                              .method = "rodas",
                              .method_reason = "several runs side by side"};
    sweep_deliver(w, w->lanes->run[lane], lanes_results(g, lane), &outcome);
}

void sweep_lanes_work(sweep_worker *w)
{
    lane_group *g = w->lanes->group;
    for (int k = 0; k < lanes_width(g); k++)
        refill(w, k);
    while (!sweep_is_interrupted(w) && lanes_advance(g)) {
        for (int k = 0; k < lanes_width(g); k++) {
            lane_end end = lanes_take(g, k);
            if (end == LANE_GAVE_UP)
                do_alone(w, w->lanes->run[k]);
            else if (end == LANE_DONE)
                deliver_lane(w, k);
            if (end == LANE_GAVE_UP || end == LANE_DONE)
                refill(w, k);
        }
    }
}
