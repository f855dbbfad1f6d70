/* compile/jacobian_values.c - see compiled.h: both parts of the Jacobian at a point, and residuals
 * of algebraic equations relative to their terms.  Nothing here allocates memory. */
#include <math.h>
#include <string.h>

#include "compile/compiled.h"
#include "linalg/vector.h"

void compiled_keep_bad_point(const compiled_model *m, double t, const double *y, const double *yp)
{
    size_t n = (size_t)m->reduced->n_system;
    m->bad->known = true;
    m->bad->t = t;
    memcpy(m->bad->x, y, n * sizeof(double));
    memcpy(m->bad->x + n, yp, n * sizeof(double));
}

void compiled_forget(const compiled_model *m)
{
    m->jacobian->known = m->bad->known = false;
}

/* True if dy and dyp belong to this point. */
static bool is_known(const compiled_model *m, double t, const double *y, const double *yp)
{
    const compiled_jacobian *jac = m->jacobian;
    size_t bytes = (size_t)m->reduced->n_system * sizeof(double);
    return jac->known && jac->version == m->values->version && jac->at[0] == t &&
           memcmp(jac->at + 1, y, bytes) == 0 &&
           memcmp(jac->at + 1 + m->reduced->n_system, yp, bytes) == 0;
}

void compiled_write_live_entries(const compiled_model *m, double *both)
{
    const compiled_jacobian *jac = m->jacobian;
    for (size_t k = 0; k < jac->n_live; k++)
        both[jac->live[k].place] = expr_value_now(&m->flat->graph, jac->live[k].e);
}

static void follow_parameters(const compiled_model *m)
{
    compiled_write_live_entries(m, m->jacobian->dy);
    m->jacobian->live_version = m->flat->graph.live_version;
    m->jacobian->known = false;
}

/* Of the entries that vary: others are as the parameters make them, at any point. */
static bool parts_are_finite(const compiled_model *m)
{
    const compiled_jacobian *jac = m->jacobian;
    const double *both = jac->program ? jac->program->out : NULL;
    double sum = 0.0; /* NaN as soon as an entry is not finite */
    for (size_t k = 0; k < jac->n_roots && both; k++)
        sum += 0.0 * both[jac->target[k]];
    return sum == 0.0;
}

/* How far variable j is moved, from 1 to 2: sqrt(x - y) has no derivative where x and y are equal,
 * and still has none if both are moved by the same amount.  Multiples of the golden ratio keep
 * the amounts of any few variables apart.                                        */
static double uneven(int32_t j)
{
    double multiple = 0.6180339887498949 * (double)(j + 1);
    return 1.0 + multiple - floor(multiple);
}

/* sqrt(x) has a value at x = 0 but no derivative.  Newton converges with the derivative of a
 * neighbouring point as well.                                                    */
static int evaluate_beside(const compiled_model *m, double t, const double *y, const double *yp)
{
    compiled_jacobian *jac = m->jacobian;
    const double sides[] = {1.0, -1.0}, distance = 1e-8; /* relative: about sqrt(rounding) */
    double *moved = jac->at + 1, *kept = jac->dy_kept;
    size_t both = jac->program->n_out;
    memcpy(kept, jac->dy, both * sizeof *kept);
    for (int side = 0; side < 2 && !parts_are_finite(m); side++) {
        for (int32_t j = 0; j < m->reduced->n; j++) {
            double size = fmax(fabs(y[j]), m->nominal[j] > 0.0 ? m->nominal[j] : 1.0);
            moved[j] = y[j] + sides[side] * distance * uneven(j) * size;
        }
        int answer = program_run(m, jac->program, t, moved, yp);
        if (answer != 0)
            return answer;
        for (size_t q = 0; q < both; q++)
            kept[q] = isfinite(kept[q]) ? kept[q] : jac->dy[q];
    }
    memcpy(jac->dy, kept, both * sizeof *kept);
    return DAEDAL_CALL_OK;
}

int compiled_evaluate_jacobian(const compiled_model *m, double t, const double *y, const double *yp)
{
    compiled_jacobian *jac = m->jacobian;
    if (jac->live_version != m->flat->graph.live_version)
        follow_parameters(m);
    if (is_known(m, t, y, yp))
        return DAEDAL_CALL_OK;
    jac->known = false;
    int answer = program_run(m, jac->program, t, y, yp);
    if (answer != 0)
        return answer;
    jac->is_finite = parts_are_finite(m);
    if (!jac->is_finite)
        answer = evaluate_beside(m, t, y, yp);
    if (answer != 0)
        return answer;
    jac->is_finite = jac->is_finite || parts_are_finite(m);
    size_t n = (size_t)m->reduced->n_system;
    jac->at[0] = t;
    memcpy(jac->at + 1, y, n * sizeof(double));
    memcpy(jac->at + 1 + n, yp, n * sizeof(double));
    jac->version = m->values->version;
    jac->known = true;
    jac->count++;
    return DAEDAL_CALL_OK;
}

/* By row: the sum of |dF/dy_j| |y_j|; -1: the row has derivatives. */
static void measure_rows(const compiled_model *m, const double *y)
{
    const daedal_pattern *p = &m->jacobian->pattern.view;
    memset(m->row_size, 0, (size_t)m->reduced->n * sizeof *m->row_size);
    for (int32_t j = 0; j < m->reduced->n; j++) {
        double size = fmax(fabs(y[j]), m->nominal[j] > 0.0 ? m->nominal[j] : 1.0);
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++) {
            double *row = &m->row_size[p->row[q]];
            *row = m->jacobian->dyp[q] != 0.0 || *row < 0.0
                       ? -1.0
                       : *row + fabs(m->jacobian->dy[q]) * size;
        }
    }
}

double compiled_algebraic_residual(const compiled_model *m)
{
    const double *y = m->values->x + m->values->place.y, *yp = m->values->x + m->values->place.yp;
    double worst = compiled_constraint_residual(m);
    if (m->reduced->n == 0 || !m->jacobian->exists ||
        compiled_evaluate_jacobian(m, m->values->x[0], y, yp) != DAEDAL_CALL_OK ||
        program_run(m, m->residuals, m->values->x[0], y, yp) != DAEDAL_CALL_OK)
        return worst;
    measure_rows(m, y);
    for (int32_t i = 0; i < m->reduced->n; i++)
        if (m->row_size[i] > 0.0)
            worst = fmax(worst, fabs(m->residuals->out[i]) / m->row_size[i]);
    return worst;
}
