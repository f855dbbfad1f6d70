/* lanes/lane_start.c - see lane_start.h. */
#include "lanes/lane_start.h"

#include <math.h>
#include <string.h>

static bool is_state(const compiled_model *m, int32_t unknown)
{
    const compiled_jacobian *j = m->jacobian;
    return j->dyp_pattern.mem.p &&
           j->dyp_pattern.view.start[unknown] < j->dyp_pattern.view.start[unknown + 1];
}

bool lane_start_is_common(const compiled_model *m)
{
    const flat_model *f = m->flat;
    if (f->n_initials > 0 || m->reduced->n > LANE_UNKNOWNS_MAX || !m->jacobian->dyp_pattern.mem.p)
        return false;
    for (size_t v = 0; v < f->n_variables; v++) {
        const flat_variable *x = &f->variables[v];
        int32_t unknown = m->origin[v].slot - (int32_t)m->values->place.y;
        bool of_state = unknown >= 0 && unknown < m->reduced->n && is_state(m, unknown);
        if (x->value != EXPR_NONE)
            continue; /* a constant or a parameter */
        if (x->fixed && !of_state)
            return false;
        if (x->start != EXPR_NONE && expr_is_live(&f->graph, x->start))
            return false;
        if (x->start != EXPR_NONE && !expr_is_constant(&f->graph, x->start))
            return false;
    }
    return true;
}

void lane_start_note(lane_start *s, const compiled_model *m)
{
    const model_values *from = m->values;
    for (int32_t i = 0; i < m->reduced->n; i++) {
        s->is_state[i] = is_state(m, i);
        s->y[i] = from->x[from->place.y + (uint32_t)i];
        s->yp[i] = from->x[from->place.yp + (uint32_t)i];
    }
}

/* Gauss elimination with row exchanges; a is destroyed.  false: singular. */
static bool solve(double *a, double *b, int32_t n)
{
    for (int32_t k = 0; k < n; k++) {
        int32_t best = k;
        for (int32_t i = k + 1; i < n; i++)
            if (fabs(a[i * n + k]) > fabs(a[best * n + k]))
                best = i;
        if (!(fabs(a[best * n + k]) > 0.0))
            return false;
        for (int32_t j = 0; j < n && best != k; j++) {
            double kept = a[k * n + j];
            a[k * n + j] = a[best * n + j];
            a[best * n + j] = kept;
        }
        double kept = b[k];
        b[k] = b[best];
        b[best] = kept;
        for (int32_t i = k + 1; i < n; i++) {
            double l = a[i * n + k] / a[k * n + k];
            for (int32_t j = k + 1; j < n && l != 0.0; j++)
                a[i * n + j] -= l * a[k * n + j];
            b[i] -= l * b[k];
        }
    }
    for (int32_t k = n; k-- > 0;) {
        for (int32_t j = k + 1; j < n; j++)
            b[k] -= a[k * n + j] * b[j];
        b[k] /= a[k * n + k];
    }
    return true;
}

/* One step of Newton's iteration for y' of states and y of the others; *change: relative to the
 * largest of them.                                                                */
static bool improve(const lane_start *s, const compiled_model *m, double t, double *y, double *yp,
                    double *change)
{
    const compiled_jacobian *jac = m->jacobian;
    const daedal_pattern *p = &jac->pattern.view;
    int32_t n = m->reduced->n;
    double a[LANE_UNKNOWNS_MAX * LANE_UNKNOWNS_MAX] = {0}, b[LANE_UNKNOWNS_MAX];
    if (compiled_evaluate_jacobian(m, t, y, yp) != DAEDAL_CALL_OK ||
        program_run(m, m->residuals, t, y, yp) != DAEDAL_CALL_OK)
        return false;
    memcpy(b, m->residuals->out, (size_t)n * sizeof *b);
    for (int32_t j = 0; j < n; j++)
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++)
            a[p->row[q] * n + j] = s->is_state[j] ? jac->dyp[q] : jac->dy[q];
    if (!solve(a, b, n))
        return false;
    double moved = 0.0, largest = 0.0;
    for (int32_t i = 0; i < n; i++) {
        double *z = s->is_state[i] ? &yp[i] : &y[i];
        *z -= b[i];
        moved = fmax(moved, fabs(b[i]));
        largest = fmax(largest, fabs(*z));
        if (!isfinite(*z))
            return false;
    }
    *change = moved > 0.0 ? moved / largest : 0.0;
    return true;
}

bool lane_start_find(const lane_start *s, const compiled_model *m, double t)
{
    const double rounding = 1e-9; /* what the second step may still change, relative */
    double *x = m->values->x, *y = x + m->values->place.y, *yp = x + m->values->place.yp, change;
    size_t bytes = (size_t)m->reduced->n * sizeof(double);
    double first_y[LANE_UNKNOWNS_MAX], first_yp[LANE_UNKNOWNS_MAX];
    memcpy(first_y, s->y, bytes);
    memcpy(first_yp, s->yp, bytes);
    if (!improve(s, m, t, first_y, first_yp, &change))
        return false;
    if (!improve(s, m, t, first_y, first_yp, &change) || !(change <= rounding))
        return false;
    x[0] = t;
    memcpy(y, first_y, bytes);
    memcpy(yp, first_yp, bytes);
    return true;
}
