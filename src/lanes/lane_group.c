/* lanes/lane_group.c - see lane_group.h: making, loading, and the control of steps. */
#include "lanes/lane_group.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "lanes/lane_state.h"

/* ---- which models ---- */

/* Operations in plain order: no branches, no calls. */
static bool is_plain(const program *p)
{
    return !p || (tape_measure(p->tape).in_units == 0 && p->tape->scratch == 0);
}

bool lanes_admit(const compiled_model *m)
{
    const reduced_model *r = m->reduced;
    return r->n > 0 && r->n == r->n_system && r->n <= LANE_UNKNOWNS_MAX && r->n_constraints == 0 &&
           r->flat->n_redundant == 0 && m->jacobian->exists && is_plain(m->residuals) &&
           is_plain(m->jacobian->program) && is_plain(m->computed_program);
}

/* ---- memory ---- */

static void place_program(layout *l, lane_program *p, program *of, size_t n_out, size_t width)
{
    p->of = of;
    p->work = layout_take(l, of ? of->n_work * width : 1, sizeof *p->work);
    p->out = layout_take(l, n_out * width + 1, sizeof *p->out);
}

static void place_vectors(layout *l, lane_vectors *at, size_t items)
{
    double **all[] = {&at->y,    &at->yp,      &at->y_new, &at->yp_new,
                      &at->here, &at->in_time, &at->sum,   &at->atol};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        *all[k] = layout_take(l, items, sizeof(double));
    for (int i = 0; i < RODAS_STAGES_MAX; i++) {
        at->u[i] = layout_take(l, items, sizeof(double));
        at->v[i] = layout_take(l, items, sizeof(double));
    }
}

static void lay_out(void *object, layout *l)
{
    lane_group *g = object;
    const compiled_model *m = g->m;
    size_t width = (size_t)g->width, n = (size_t)g->n, kept = (size_t)g->task.n_kept;
    size_t nnz = (size_t)pattern_nnz(&m->jacobian->pattern.view);
    size_t n_values = m->values->place.n + (size_t)m->reduced->n_computed;
    place_program(l, &g->residuals, m->residuals, n, width);
    place_program(l, &g->jacobian, m->jacobian->program, 2 * nnz, width);
    place_program(l, &g->computed, m->computed_program, (size_t)m->reduced->n_computed, width);
    place_vectors(l, &g->at, n * width);
    g->entry = layout_take(l, nnz + 1, sizeof *g->entry);
    g->slope = layout_take(l, nnz + 1, sizeof *g->slope);
    g->matrix = layout_take(l, n * n * width, sizeof(double));
    g->pivoting = layout_take(l, n * n * width, sizeof(double));
    g->values = layout_take(l, n_values * width, sizeof(double));
    g->factor = layout_take(l, kept * width + 1, sizeof(double));
    g->slot = layout_take(l, kept + 1, sizeof *g->slot);
    g->t = layout_take(l, width, sizeof(double));
    g->h = layout_take(l, width, sizeof(double));
    g->t_new = layout_take(l, width, sizeof(double));
    g->error = layout_take(l, width, sizeof(double));
    for (size_t k = 0; k < width; k++)
        g->results[k] = layout_take(l, kept * (size_t)g->task.n_points + 1, sizeof(double));
}

/* Which entries exist in dF/dy, and which in dF/dy'. */
static void list_entries(lane_group *g)
{
    const compiled_jacobian *j = g->m->jacobian;
    const daedal_pattern *p = &j->pattern.view;
    int32_t nnz = pattern_nnz(p);
    bool apart = j->dyp_pattern.mem.p != NULL;
    for (int32_t c = 0; c < g->n; c++)
        for (int32_t q = p->start[c]; q < p->start[c + 1]; q++) {
            bool has_slope = !apart;
            for (int32_t s = apart ? j->dyp_pattern.view.start[c] : 0;
                 apart && s < j->dyp_pattern.view.start[c + 1]; s++)
                has_slope = has_slope || j->dyp_pattern.view.row[s] == p->row[q];
            g->entry[g->n_entries++] = (lane_entry){q, p->row[q], c};
            if (has_slope)
                g->slope[g->n_slopes++] = (lane_entry){nnz + q, p->row[q], c};
        }
}

lane_group *lanes_create(const compiled_model *m, const lane_task *task,
                         const daedal_allocator *allocator)
{
    lane_group *g = memory_take(allocator, sizeof *g);
    if (!g)
        return NULL;
    g->m = m;
    g->task = *task;
    g->allocator = allocator;
    g->kernel = lane_kernel_choose();
    g->width = g->kernel->width;
    g->n = m->reduced->n;
    g->reads_time = m->is_read[0];
    if (!block_create(&g->mem, allocator, lay_out, g)) {
        lanes_free(g);
        return NULL;
    }
    list_entries(g);
    for (int32_t i = 0; i < g->n * g->width; i++)
        g->at.atol[i] = task->atol[i / g->width];
    for (int k = 0; k < g->width; k++)
        g->h[k] = 1.0; /* lanes without a run compute values that are not read */
    return g;
}

void lanes_free(lane_group *g)
{
    if (!g)
        return;
    block_free(&g->mem);
    memory_give(g->allocator, g, sizeof *g);
}

int lanes_width(const lane_group *g)
{
    return g->width;
}

/* ---- loading ---- */

static void load_program(lane_group *g, lane_program *p, size_t lane)
{
    const compiled_model *m = g->m;
    const value_places *place = &m->values->place;
    size_t width = (size_t)g->width;
    if (!p->of)
        return;
    tape *t = p->of->tape;
    tape_follow(t, &m->flat->graph);
    double *constant = p->work + t->size.n_inputs * width + lane;
    for (size_t i = 0; i < t->size.n_constants; i++)
        constant[i * width] = t->constant[i];
    for (uint32_t i = place->discrete; i < place->n; i++)
        p->work[i * width + lane] = m->values->x[i];
    p->is_fresh = true;
}

static void load_jacobian(lane_group *g, size_t lane)
{
    const compiled_jacobian *j = g->m->jacobian;
    size_t nnz = (size_t)pattern_nnz(&j->pattern.view), width = (size_t)g->width;
    compiled_write_live_entries(g->m, j->dy);
    for (size_t q = 0; q < 2 * nnz; q++)
        g->jacobian.out[q * width + lane] = q < nnz ? j->dy[q] : j->dyp[q - nnz];
}

/* Where the kept variables come from may depend on parameters, too. */
static void load_kept(lane_group *g, size_t lane)
{
    const compiled_model *m = g->m;
    size_t width = (size_t)g->width;
    for (uint32_t i = m->values->place.discrete; i < m->values->place.n; i++)
        g->values[i * width + lane] = m->values->x[i];
    for (int32_t k = 0; k < g->task.n_kept; k++) {
        uint32_t v = g->task.kept[k];
        value_origin from = g->task.is_slope[k] ? compiled_slope_origin(m, v) : m->origin[v];
        g->slot[k] = from.slot;
        g->factor[(size_t)k * width + lane] = from.factor;
    }
}

/* A step of first order in which y changes by the tolerance; the error test corrects it. */
static double first_step(const lane_group *g, const double *y, const double *yp)
{
    double sum = 0.0, span = g->task.times[g->task.n_points - 1] - g->task.t_start;
    for (int32_t i = 0; i < g->n; i++) {
        double part = yp[i] / (g->task.rtol * fabs(y[i]) + g->task.atol[i]);
        sum += part * part;
    }
    double rate = sqrt(sum / g->n), most = 1e-3 * span;
    return rate * most > 1.0 ? 1.0 / rate : most;
}

static void emit_due(lane_group *g);

void lanes_load(lane_group *g, int lane)
{
    const model_values *from = g->m->values;
    const double *y = from->x + from->place.y, *yp = from->x + from->place.yp;
    size_t width = (size_t)g->width, k = (size_t)lane;
    lane_control *c = &g->lane[lane];
    load_program(g, &g->residuals, k);
    load_program(g, &g->jacobian, k);
    load_program(g, &g->computed, k);
    load_jacobian(g, k);
    load_kept(g, k);
    for (size_t i = 0; i < (size_t)g->n; i++) {
        g->at.y[i * width + k] = y[i];
        g->at.yp[i * width + k] = yp[i];
    }
    *c = (lane_control){.end = LANE_RUNS, .t = g->task.t_start};
    c->h = first_step(g, y, yp);
    g->t[lane] = c->t;
    if (g->task.times[0] <= c->t)
        emit_due(g);
}

/* ---- output points ---- */

static void emit_lane(lane_group *g, size_t lane)
{
    lane_control *c = &g->lane[lane];
    size_t width = (size_t)g->width;
    double *row = g->results[lane] + (size_t)c->point * (size_t)g->task.n_kept;
    bool good = true;
    for (int32_t k = 0; k < g->task.n_kept; k++) {
        double factor = g->factor[(size_t)k * width + lane];
        row[k] = g->slot[k] < 0 ? factor : factor * g->values[(size_t)g->slot[k] * width + lane];
        good = good && (isfinite(row[k]) || g->slot[k] < 0);
    }
    c->point++;
    if (!good)
        c->end = LANE_GAVE_UP;
    else if (c->point == g->task.n_points)
        c->end = LANE_DONE;
}

static bool is_due(const lane_group *g, size_t lane)
{
    const lane_control *c = &g->lane[lane];
    return c->end == LANE_RUNS && g->task.times[c->point] <= c->t;
}

/* The values of all lanes; rows for those that have come to an output point. */
static void emit_due(lane_group *g)
{
    const value_places *place = &g->m->values->place;
    size_t width = (size_t)g->width, bytes = (size_t)g->n * width * sizeof(double);
    lane_program *p = &g->computed;
    memcpy(g->values, g->t, width * sizeof(double));
    memcpy(g->values + place->y * width, g->at.y, bytes);
    memcpy(g->values + place->yp * width, g->at.yp, bytes);
    if (p->of) {
        memcpy(p->work, g->values, place->discrete * width * sizeof(double));
        g->kernel->run(p->of->tape, p->work, p->out, 0);
        memcpy(g->values + place->n * width, p->out,
               (size_t)g->m->reduced->n_computed * width * sizeof(double));
    }
    for (size_t k = 0; k < width; k++)
        if (is_due(g, k))
            emit_lane(g, k);
}

/* ---- steps ---- */

enum { FAILURES_MAX = 12 };
static const int64_t ATTEMPTS_MAX = 20000;

/* The next attempt ends at an output point, or in the middle before one that is near. */
static void plan_attempt(lane_group *g, size_t lane)
{
    lane_control *c = &g->lane[lane];
    if (c->end != LANE_RUNS)
        return;
    double target = g->task.times[c->point], left = target - c->t;
    bool ends = c->h >= left * (1.0 - 1e-10);
    c->h_used = ends ? left : 2.0 * c->h > left ? 0.5 * left : c->h;
    c->t_new = ends ? target : c->t + c->h_used;
    g->t[lane] = c->t;
    g->h[lane] = c->h_used;
    g->t_new[lane] = c->t_new;
    c->attempts++;
    if (c->attempts > ATTEMPTS_MAX || !(c->h_used > 8.0 * DBL_EPSILON * fabs(c->t)))
        c->end = LANE_GAVE_UP;
}

/* x^(-1/10) for 0 < x < inf to a few digits: a guess from the exponent, and two steps of Newton's
 * iteration.                                                                      */
static double inverse_tenth_root(double x)
{
    const int64_t one = INT64_C(0x3ff0000000000000); /* the bits of 1.0 */
    int64_t bits;
    double y;
    memcpy(&bits, &x, sizeof bits);
    bits = one - (bits - one) / 10;
    memcpy(&y, &bits, sizeof y);
    for (int i = 0; i < 2; i++) {
        double y2 = y * y, y4 = y2 * y2;
        y *= 1.1 - 0.1 * (x * y4 * y4 * y2);
    }
    return y;
}

/* As in integ/rodas_step.c; `square` is that of the norm of the error. */
static double step_factor(const lane_control *c, double square)
{
    const double safety = 0.9, least = 0.2, most = 6.0, floor = 1e-12;
    double error = square > floor ? square : floor;
    double factor = safety * inverse_tenth_root(error);
    if (square <= 1.0 && c->h_last > 0.0) {
        double foreseen =
            safety * (c->h_used / c->h_last) * inverse_tenth_root(error * error / c->e_last);
        factor = foreseen < factor ? foreseen : factor;
    }
    return factor < least ? least : factor > most ? most : factor;
}

static void retreat(lane_control *c, double error)
{
    c->n_failed++;
    if (c->n_failed > FAILURES_MAX)
        c->end = LANE_GAVE_UP;
    if (!isfinite(error))
        c->h = 0.25 * c->h_used;
    else
        c->h = c->h_used * (c->steps == 0 ? 0.1 : step_factor(c, error));
}

static void advance_lane(lane_control *c, double error)
{
    const double least_error = 1e-4; /* the square of 1e-2 */
    double factor = step_factor(c, error);
    double h = c->h_used * (c->n_failed > 0 ? fmin(factor, 1.0) : factor);
    bool is_cut = c->h_used < c->h * (1.0 - 1e-10); /* by an output point alone */
    c->h = is_cut ? fmax(h, c->h) : h;
    c->h_last = c->h_used;
    c->e_last = fmax(error, least_error);
    c->t = c->t_new;
    c->n_failed = 0;
    c->steps++;
}

static void attempt(lane_group *g)
{
    double take[LANES_MAX] __attribute__((aligned(64))) = {0};
    bool due = false;
    for (size_t k = 0; k < (size_t)g->width; k++)
        plan_attempt(g, k);
    g->kernel->attempt(g);
    for (size_t k = 0; k < (size_t)g->width; k++) {
        lane_control *c = &g->lane[k];
        if (c->end != LANE_RUNS)
            continue;
        if (!(g->error[k] <= 1.0)) {
            retreat(c, g->error[k]);
            continue;
        }
        take[k] = 1.0;
        advance_lane(c, g->error[k]);
        g->t[k] = c->t;
        due = due || is_due(g, k);
    }
    g->kernel->accept(g, take);
    if (due)
        emit_due(g);
}

bool lanes_advance(lane_group *g)
{
    for (;;) {
        int running = 0;
        for (int k = 0; k < g->width; k++) {
            if (g->lane[k].end == LANE_DONE || g->lane[k].end == LANE_GAVE_UP)
                return true;
            running += g->lane[k].end == LANE_RUNS;
        }
        if (running == 0)
            return false;
        attempt(g);
    }
}

lane_end lanes_take(lane_group *g, int lane)
{
    lane_end end = g->lane[lane].end;
    if (end == LANE_DONE || end == LANE_GAVE_UP)
        g->lane[lane].end = LANE_EMPTY;
    return end;
}

const double *lanes_results(const lane_group *g, int lane)
{
    return g->results[lane];
}

int64_t lanes_steps(const lane_group *g, int lane)
{
    return g->lane[lane].attempts;
}
