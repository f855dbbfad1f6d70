/* linalg/curtis_reid.c - see curtis_reid.h.
 *
 * Least squares over the logarithms of all entries that are not zero, after Curtis and Reid
 * [CR72], here with one unknown more for the unit of time:
 *
 *     sum_E (log|E_ij| + rho_i + kappa_j - theta)^2 + sum_A (log|A_ij| + rho_i + kappa_j)^2
 *
 * by conjugate gradients on the normal equations with their diagonal for a preconditioner.
 * The normal matrix is singular (rho + s, kappa - s changes nothing, and more than that where
 * the matrix falls apart), which conjugate gradients do not mind.  A few digits suffice. */
#include "linalg/curtis_reid.h"

#include <math.h>
#include <string.h>

enum { SWEEPS = 200 };
static const double ENOUGH = 1e-3; /* of the first residual */

/* Unknowns are rho (n), kappa (n), theta. */
typedef struct normal {
    const daedal_pattern *pattern;
    int32_t n, m;        /* m = 2 n + 1 */
    double *log_size[2]; /* by entries, NAN where zero; [1] is NULL without E */
    double *diagonal, *x, *r, *z, *p, *q;
    block mem;
} normal;

static void lay_out_normal(void *object, layout *l)
{
    normal *s = object;
    size_t nnz = (size_t)pattern_nnz(s->pattern), m = (size_t)s->m;
    s->log_size[0] = layout_take(l, nnz, sizeof(double));
    s->log_size[1] = layout_take(l, nnz, sizeof(double));
    double **vectors[] = {&s->diagonal, &s->x, &s->r, &s->z, &s->p, &s->q};
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
        *vectors[k] = layout_take(l, m, sizeof(double));
}

/* out += N' v over the entries of one part, v given by entries through `of`. */
static void add_entry(const normal *s, double v, int32_t i, int32_t j, bool of_slope, double *out)
{
    out[i] += v;
    out[s->n + j] += v;
    if (of_slope)
        out[2 * s->n] -= v;
}

static double entry_of(const normal *s, const double *x, int32_t i, int32_t j, bool of_slope)
{
    return x[i] + x[s->n + j] - (of_slope ? x[2 * s->n] : 0.0);
}

/* r = N'(-log), diagonal. */
static void set_up(normal *s)
{
    const daedal_pattern *p = s->pattern;
    for (int32_t j = 0; j < s->n; j++)
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++)
            for (int which = 0; which < 2; which++) {
                int32_t i = p->row[q];
                if (isnan(s->log_size[which][q]))
                    continue;
                add_entry(s, -s->log_size[which][q], i, j, which == 1, s->r);
                s->diagonal[i] += 1.0;
                s->diagonal[s->n + j] += 1.0;
                s->diagonal[2 * s->n] += which;
            }
}

static void apply(const normal *s, const double *x, double *out)
{
    const daedal_pattern *p = s->pattern;
    memset(out, 0, (size_t)s->m * sizeof *out);
    for (int32_t j = 0; j < s->n; j++)
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++)
            for (int which = 0; which < 2; which++)
                if (!isnan(s->log_size[which][q]))
                    add_entry(s, entry_of(s, x, p->row[q], j, which == 1), p->row[q], j, which == 1,
                              out);
}

static double dot(const double *a, const double *b, int32_t m)
{
    double sum = 0.0;
    for (int32_t k = 0; k < m; k++)
        sum += a[k] * b[k];
    return sum;
}

static void precondition(normal *s)
{
    for (int32_t k = 0; k < s->m; k++)
        s->z[k] = s->diagonal[k] > 0.0 ? s->r[k] / s->diagonal[k] : 0.0;
}

static void solve(normal *s)
{
    precondition(s);
    memcpy(s->p, s->z, (size_t)s->m * sizeof(double));
    double rz = dot(s->r, s->z, s->m), first = rz;
    for (int k = 0; k < SWEEPS && rz > ENOUGH * ENOUGH * first; k++) {
        apply(s, s->p, s->q);
        double curve = dot(s->p, s->q, s->m);
        if (!(curve > 0.0))
            return;
        double step = rz / curve;
        for (int32_t i = 0; i < s->m; i++) {
            s->x[i] += step * s->p[i];
            s->r[i] -= step * s->q[i];
        }
        precondition(s);
        double next = dot(s->r, s->z, s->m);
        for (int32_t i = 0; i < s->m; i++)
            s->p[i] = s->z[i] + next / rz * s->p[i];
        rz = next;
    }
}

/* x of the head comment for the two parts; the second may be NULL. */
static bool solve_logs(normal *s, const daedal_pattern *p, const double *a, const double *e,
                       const daedal_allocator *allocator)
{
    *s = (normal){.pattern = p, .n = p->n_cols, .m = 2 * p->n_cols + 1};
    if (!block_create(&s->mem, allocator, lay_out_normal, s))
        return false;
    for (int32_t q = 0; q < pattern_nnz(p); q++) {
        s->log_size[0][q] = a[q] != 0.0 ? log(fabs(a[q])) : NAN;
        s->log_size[1][q] = e && e[q] != 0.0 ? log(fabs(e[q])) : NAN;
    }
    set_up(s);
    solve(s);
    return true;
}

static double factor(double logarithm)
{
    return exp(fmax(-300.0, fmin(300.0, logarithm)));
}

static void lay_out(void *object, layout *l)
{
    pencil_scaling *s = object;
    s->row = layout_take(l, (size_t)s->n, sizeof(double));
    s->column = layout_take(l, (size_t)s->n, sizeof(double));
}

bool pencil_scaling_create(pencil_scaling *s, const daedal_pattern *p, const double *a,
                           const double *e, const daedal_allocator *allocator)
{
    normal logs;
    *s = (pencil_scaling){.n = p->n_cols};
    if (!block_create(&s->mem, allocator, lay_out, s))
        return false;
    bool done = solve_logs(&logs, p, a, e, allocator);
    for (int32_t i = 0; done && i < s->n; i++) {
        s->row[i] = factor(logs.x[i]);
        s->column[i] = factor(logs.x[s->n + i]);
    }
    s->tau = done ? factor(logs.x[2 * s->n]) : 1.0;
    block_free(&logs.mem);
    return done;
}

void pencil_scaling_free(pencil_scaling *s)
{
    block_free(&s->mem);
}

bool curtis_reid_scale(const daedal_pattern *p, const double *values, double *row, double *column,
                       const daedal_allocator *a)
{
    normal logs;
    bool done = solve_logs(&logs, p, values, NULL, a);
    for (int32_t i = 0; done && i < p->n_cols; i++) {
        row[i] = factor(logs.x[i]);
        column[i] = factor(logs.x[p->n_cols + i]);
    }
    block_free(&logs.mem);
    return done;
}
