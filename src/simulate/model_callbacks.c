/* simulate/model_callbacks.c - see model.h: what the integrator calls.  Nothing here takes
 * memory.                                                                       */
#include <math.h>
#include <string.h>

#include "compile/model.h"
#include "hybrid/hybrid.h"
#include "linalg/vector.h"

/* Keep a point where the equations have no value, for the message. */
static void keep_bad_point(model *m, double t, const double *y, const double *yp)
{
    size_t n = (size_t)m->n_system;
    m->bad.known = true;
    m->bad.t = t;
    memcpy(m->bad.x, y, n * sizeof(double));
    memcpy(m->bad.x + n, yp, n * sizeof(double));
}

static int residual(double t, const double *y, const double *yp, double *r, void *user)
{
    model *m = user;
    if (m->n == 0) {
        r[0] = yp[0];
        return DAEDAL_CALL_OK;
    }
    int answer = program_run(m, &m->residuals, t, y, yp);
    memcpy(r, m->residuals.out, (size_t)m->n * sizeof(double));
    if (answer != 0 || !vector_all_finite(r, m->n))
        keep_bad_point(m, t, y, yp);
    return answer;
}

/* Are dy and dyp those of this point? */
static bool is_known(const model *m, double t, const double *y, const double *yp)
{
    size_t bytes = (size_t)m->n_system * sizeof(double);
    return m->jacobian_known && m->jacobian_version == m->version && m->jacobian_at[0] == t &&
           memcmp(m->jacobian_at + 1, y, bytes) == 0 &&
           memcmp(m->jacobian_at + 1 + m->n_system, yp, bytes) == 0;
}

static bool parts_are_finite(const model *m)
{
    int32_t nnz = pattern_nnz(&m->pattern.view);
    return vector_all_finite(m->dy, nnz) && vector_all_finite(m->dyp, nnz);
}

/* sqrt(x) has a value at x = 0 but no derivative.  Newton needs just some slope there: that
 * of a point beside it.                                                          */
static int evaluate_beside(model *m, double t, const double *y, const double *yp)
{
    const double sides[] = {1.0, -1.0}, aside = 1e-8;
    double *moved = m->jacobian_at + 1, *kept = m->dy_kept;
    size_t both = m->jacobian.n_out;
    memcpy(kept, m->dy, both * sizeof *kept);
    for (int side = 0; side < 2 && !parts_are_finite(m); side++) {
        for (int32_t j = 0; j < m->n; j++) {
            double size = fmax(fabs(y[j]), m->nominal[j] > 0.0 ? m->nominal[j] : 1.0);
            moved[j] = y[j] + sides[side] * aside * size;
        }
        int answer = program_run(m, &m->jacobian, t, moved, yp);
        if (answer != 0)
            return answer;
        for (size_t q = 0; q < both; q++)
            kept[q] = isfinite(kept[q]) ? kept[q] : m->dy[q];
    }
    memcpy(m->dy, kept, both * sizeof *kept);
    return DAEDAL_CALL_OK;
}

int model_evaluate_parts(model *m, double t, const double *y, const double *yp)
{
    if (is_known(m, t, y, yp))
        return DAEDAL_CALL_OK;
    m->jacobian_known = false;
    int answer = program_run(m, &m->jacobian, t, y, yp);
    if (answer != 0)
        return answer;
    if (!parts_are_finite(m))
        answer = evaluate_beside(m, t, y, yp);
    if (answer != 0)
        return answer;
    size_t n = (size_t)m->n_system;
    m->jacobian_at[0] = t;
    memcpy(m->jacobian_at + 1, y, n * sizeof(double));
    memcpy(m->jacobian_at + 1 + n, yp, n * sizeof(double));
    m->jacobian_version = m->version;
    m->jacobian_known = true;
    m->jacobian_count++;
    return DAEDAL_CALL_OK;
}

static int jacobian(double t, const double *y, const double *yp, double c, double *values,
                    void *user)
{
    model *m = user;
    int answer = model_evaluate_parts(m, t, y, yp);
    if (answer != 0)
        return answer;
    int32_t nnz = pattern_nnz(&m->pattern.view);
    for (int32_t q = 0; q < nnz; q++)
        values[q] = m->dy[q] + c * m->dyp[q];
    return DAEDAL_CALL_OK;
}

/* By row: the terms |dF/dy_j| |y_j|; -1: it has slopes. */
static void measure_rows(model *m, const double *y)
{
    const daedal_pattern *p = &m->pattern.view;
    memset(m->row_size, 0, (size_t)m->n * sizeof *m->row_size);
    for (int32_t j = 0; j < m->n; j++) {
        double size = fmax(fabs(y[j]), m->nominal[j] > 0.0 ? m->nominal[j] : 1.0);
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++) {
            double *row = &m->row_size[p->row[q]];
            *row = m->dyp[q] != 0.0 || *row < 0.0 ? -1.0 : *row + fabs(m->dy[q]) * size;
        }
    }
}

double model_algebraic_residual(model *m)
{
    const double *y = m->x + m->place.y, *yp = m->x + m->place.yp;
    double worst = model_constraint_residual(m);
    if (m->n == 0 || !m->has_jacobian ||
        model_evaluate_parts(m, m->x[0], y, yp) != DAEDAL_CALL_OK ||
        program_run(m, &m->residuals, m->x[0], y, yp) != DAEDAL_CALL_OK)
        return worst;
    measure_rows(m, y);
    for (int32_t i = 0; i < m->n; i++)
        if (m->row_size[i] > 0.0)
            worst = fmax(worst, fabs(m->residuals.out[i]) / m->row_size[i]);
    return worst;
}

static int events(double t, const double *y, const double *yp, double *g, void *user)
{
    model *m = user;
    model_set_lenient(m, true);
    int answer = program_run(m, &m->events, t, y, yp);
    if (answer == 0)
        answer = model_delay_events(m, t, y, yp, g + m->n_relation_events);
    model_set_lenient(m, false);
    for (int32_t e = 0; e < m->n_relation_events && answer == 0; e++) {
        const double *operands = m->events.out + 2 * (size_t)e;
        model_relation *r = &m->relation[m->event_relation[e]];
        double size = fmax(fabs(operands[0]), fabs(operands[1]));
        if (size > r->pending && size < 1e50)
            r->pending = size;
        g[e] = model_is_resting(r, t)
                   ? 1.0
                   : model_event_function(m, (size_t)m->event_relation[e], operands);
    }
    return answer;
}

/* Is some value chosen by a comparison that makes no event (noEvent)? */
static bool has_corners(model *m)
{
    const expr_graph *g = &m->flat->graph;
    expr_walker_forget(&m->walker);
    for (int32_t i = 0; i < m->n; i++) {
        if (!expr_walk(&m->walker, m->residual[i], EXPR_ALL))
            return true;
        for (size_t k = 0; k < m->walker.n_found; k++) {
            expr_op op = expr_op_of(g, m->walker.found[k]);
            if (op == EXPR_LT || op == EXPR_LE || op == EXPR_GT || op == EXPR_GE)
                return true;
        }
    }
    return false;
}

void model_describe_system(model *m, daedal_system *sys)
{
    *sys = (daedal_system){.n = m->n_system,
                           .residual = residual,
                           .jacobian = m->has_jacobian ? jacobian : NULL,
                           .pattern = m->has_jacobian ? &m->pattern.view : NULL,
                           .slope_pattern = m->slope_pattern.mem.p ? &m->slope_pattern.view : NULL,
                           .n_events = m->n_events,
                           .events = m->n_events ? events : NULL,
                           .event_direction = {m->event_falling, m->n_events},
                           .has_corners = has_corners(m),
                           .variable_names = m->variable_name,
                           .equation_names = m->equation_name,
                           .event_names = m->event_name,
                           .user = m};
    model_describe_constraints(m, sys);
}
