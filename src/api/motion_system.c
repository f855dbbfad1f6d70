/* api/motion_system.c - equations of motion as a daedal_system of index one.
 *
 * With y = (q, v, lambda):
 *     F = (q' - v,  M v' - f + G' lambda,  G v' + (G(q) v)_q v),   g(q) = 0,   G v = 0
 * The last term of the third row is the derivative of G v along v, by a central difference: it
 * concerns lambda alone, and G v' + ... = 0 is kept by the constraints.            */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/pattern.h"
#include "base/status.h"
#include "linalg/vector.h"

struct daedal_motion_system {
    daedal_motion motion;
    daedal_allocator allocator;
    daedal_system system;
    pattern mass_pattern, jacobian_pattern;
    pattern constraint_pattern; /* of (g, G v) by y                                        */
    int32_t *level, *variable_level;
    double *mass, *slopes; /* values of M and G                                            */
    double *q, *along;     /* n, n_constraints                                             */
    block mem;
};
typedef daedal_motion_system motion;

static void lay_out(void *object, layout *l)
{
    motion *m = object;
    size_t n = (size_t)m->motion.n, rules = (size_t)m->motion.n_constraints;
    m->level = layout_take(l, 2 * rules, sizeof(int32_t));
    m->variable_level = layout_take(l, 2 * n + rules, sizeof(int32_t));
    m->mass = layout_take(l, (size_t)pattern_nnz(&m->mass_pattern.view), sizeof(double));
    m->slopes = layout_take(l, (size_t)pattern_nnz(&m->jacobian_pattern.view), sizeof(double));
    m->q = layout_take(l, n, sizeof(double));
    m->along = layout_take(l, rules, sizeof(double));
}

/* ---- values ---- */

static int find_mass(motion *m, const double *q)
{
    int32_t nnz = pattern_nnz(&m->mass_pattern.view);
    for (int32_t k = 0; k < nnz; k++)
        m->mass[k] = m->motion.mass ? 0.0 : 1.0;
    return m->motion.mass ? m->motion.mass(q, m->mass, m->motion.user) : DAEDAL_CALL_OK;
}

static int find_slopes(motion *m, const double *q)
{
    int32_t nnz = pattern_nnz(&m->jacobian_pattern.view);
    memset(m->slopes, 0, (size_t)nnz * sizeof(double));
    return m->motion.constraint_jacobian(q, m->slopes, m->motion.user);
}

/* out += factor A x, A by the pattern; or with its transpose. */
static void add_product(const daedal_pattern *p, const double *values, double factor,
                        const double *x, double *out)
{
    for (int32_t j = 0; j < p->n_cols; j++)
        for (int32_t k = p->start[j]; k < p->start[j + 1]; k++)
            out[p->row[k]] += factor * values[k] * x[j];
}

static void add_transposed(const daedal_pattern *p, const double *values, const double *x,
                           double *out)
{
    for (int32_t j = 0; j < p->n_cols; j++)
        for (int32_t k = p->start[j]; k < p->start[j + 1]; k++)
            out[j] += values[k] * x[p->row[k]];
}

/* out += (G(q) v)_q v */
static int add_curvature(motion *m, const double *q, const double *v, double *out)
{
    int32_t n = m->motion.n;
    double speed = vector_max_abs(v, n), size = fmax(vector_max_abs(q, n), 1e-3);
    double eps = cbrt(DBL_EPSILON) * size / speed;
    for (int side = -1; side <= 1 && speed > 0.0; side += 2) {
        for (int32_t j = 0; j < n; j++)
            m->q[j] = q[j] + side * eps * v[j];
        int answer = find_slopes(m, m->q);
        if (answer != DAEDAL_CALL_OK)
            return answer;
        add_product(&m->jacobian_pattern.view, m->slopes, 0.5 * side / eps, v, out);
    }
    return DAEDAL_CALL_OK;
}

/* ---- callbacks ---- */

static int add_constraint_rows(motion *m, const double *y, const double *yp, double *r)
{
    int32_t n = m->motion.n, rules = m->motion.n_constraints;
    const daedal_pattern *p = &m->jacobian_pattern.view;
    memset(m->along, 0, (size_t)rules * sizeof(double));
    int answer = add_curvature(m, y, y + n, m->along);
    if (answer == DAEDAL_CALL_OK)
        answer = find_slopes(m, y);
    add_product(p, m->slopes, 1.0, yp + n, m->along);
    add_transposed(p, m->slopes, y + 2 * (size_t)n, r + n);
    memcpy(r + 2 * (size_t)n, m->along, (size_t)rules * sizeof(double));
    return answer;
}

static int residual(double t, const double *y, const double *yp, double *r, void *user)
{
    motion *m = user;
    int32_t n = m->motion.n;
    int answer = m->motion.force(t, y, y + n, r + n, m->motion.user);
    if (answer == DAEDAL_CALL_OK)
        answer = find_mass(m, y);
    for (int32_t j = 0; j < n; j++) {
        r[j] = yp[j] - y[n + j];
        r[n + j] = -r[n + j];
    }
    add_product(&m->mass_pattern.view, m->mass, 1.0, yp + n, r + n);
    if (answer == DAEDAL_CALL_OK && m->motion.n_constraints > 0)
        answer = add_constraint_rows(m, y, yp, r);
    return answer;
}

static int constraints(double t, const double *y, double *g, void *user)
{
    motion *m = user;
    int32_t n = m->motion.n, rules = m->motion.n_constraints;
    (void)t;
    int answer = m->motion.constraint(y, g, m->motion.user);
    if (answer == DAEDAL_CALL_OK)
        answer = find_slopes(m, y);
    memset(g + rules, 0, (size_t)rules * sizeof(double));
    add_product(&m->jacobian_pattern.view, m->slopes, 1.0, y + n, g + rules);
    return answer;
}

/* G in the columns of q, and once more, in the rows of G v, in those of v. */
static int constraint_slopes(double t, const double *y, double *values, void *user)
{
    motion *m = user;
    size_t nnz = (size_t)pattern_nnz(&m->jacobian_pattern.view);
    (void)t;
    int answer = find_slopes(m, y);
    memcpy(values, m->slopes, nnz * sizeof(double));
    memcpy(values + nnz, m->slopes, nnz * sizeof(double));
    return answer;
}

/* ---- set-up ---- */

static daedal_status check(const daedal_motion *d, daedal_diagnosis *why)
{
    char text[96];
    const daedal_pattern *mass = d->mass_pattern, *rules = d->constraint_pattern;
    if (d->n < 1 || d->n_constraints < 0 || d->n > INT32_MAX / 4 || d->n_constraints > d->n)
        return fail(why, DAEDAL_ERR_ARGUMENT,
                    "motion: %d positions and %d constraints; there must be a position, and not "
                    "more constraints than positions",
                    (int)d->n, (int)d->n_constraints);
    int64_t full = (int64_t)d->n * d->n, limit = INT32_MAX / 4;
    if ((d->mass && !mass && full > limit) || (!rules && (int64_t)d->n * d->n_constraints > limit))
        return fail(why, DAEDAL_ERR_ARGUMENT, "motion: %d positions need a pattern", (int)d->n);
    if (!d->force)
        return fail(why, DAEDAL_ERR_ARGUMENT, "motion.force is NULL");
    if (d->n_constraints > 0 && (!d->constraint || !d->constraint_jacobian))
        return fail(why, DAEDAL_ERR_ARGUMENT, "motion.n_constraints is %d but %s is NULL",
                    (int)d->n_constraints, d->constraint ? "constraint_jacobian" : "constraint");
    if (d->mass && mass &&
        (mass->n_rows != d->n || mass->n_cols != d->n ||
         pattern_complaint(mass, text, sizeof text)))
        return fail(why, DAEDAL_ERR_ARGUMENT, "motion.mass_pattern is no pattern of %d x %d",
                    (int)d->n, (int)d->n);
    if (d->n_constraints > 0 && rules &&
        (rules->n_rows != d->n_constraints || rules->n_cols != d->n ||
         pattern_complaint(rules, text, sizeof text)))
        return fail(why, DAEDAL_ERR_ARGUMENT, "motion.constraint_pattern is no pattern of %d x %d",
                    (int)d->n_constraints, (int)d->n);
    return DAEDAL_OK;
}

static bool make_full(pattern *p, int32_t rows, int32_t cols, const daedal_allocator *a)
{
    if (!pattern_create(p, rows, cols, rows * cols, a))
        return false;
    for (int32_t k = 0; k < rows * cols; k++)
        p->row[k] = k % rows;
    for (int32_t j = 0; j <= cols; j++)
        p->start[j] = j * rows;
    return true;
}

static bool make_diagonal(pattern *p, int32_t n, const daedal_allocator *a)
{
    if (!pattern_create(p, n, n, n, a))
        return false;
    for (int32_t j = 0; j <= n; j++) {
        p->start[j] = j;
        if (j < n)
            p->row[j] = j;
    }
    return true;
}

static bool make_constraint_pattern(motion *m, const daedal_allocator *a)
{
    const daedal_pattern *g = &m->jacobian_pattern.view;
    int32_t n = m->motion.n, rules = m->motion.n_constraints, nnz = pattern_nnz(g);
    pattern *p = &m->constraint_pattern;
    if (!pattern_create(p, 2 * rules, 2 * n + rules, 2 * nnz, a))
        return false;
    for (int32_t k = 0; k < nnz; k++) {
        p->row[k] = g->row[k];
        p->row[nnz + k] = g->row[k] + rules;
    }
    for (int32_t j = 0; j <= 2 * n + rules; j++)
        p->start[j] = j <= n ? g->start[j] : j <= 2 * n ? nnz + g->start[j - n] : 2 * nnz;
    return true;
}

static bool make_patterns(motion *m, const daedal_allocator *a)
{
    const daedal_motion *d = &m->motion;
    bool fits = !d->mass          ? make_diagonal(&m->mass_pattern, d->n, a)
                : d->mass_pattern ? pattern_copy(&m->mass_pattern, d->mass_pattern, a)
                                  : make_full(&m->mass_pattern, d->n, d->n, a);
    if (fits && d->n_constraints > 0 && d->constraint_pattern)
        fits = pattern_copy(&m->jacobian_pattern, d->constraint_pattern, a);
    else if (fits)
        fits = make_full(&m->jacobian_pattern, d->n_constraints, d->n, a);
    return fits && make_constraint_pattern(m, a);
}

static void describe(motion *m)
{
    int32_t n = m->motion.n, rules = m->motion.n_constraints, all = 2 * n + rules;
    for (int32_t c = 0; c < 2 * rules; c++)
        m->level[c] = c < rules ? -2 : -1;
    for (int32_t j = 0; j < all; j++)
        m->variable_level[j] = j < n ? -2 : j < 2 * n ? -1 : 0;
    m->system = (daedal_system){.n = all, .residual = residual, .user = m};
    if (rules == 0)
        return;
    m->system.n_constraints = 2 * rules;
    m->system.constraints = constraints;
    m->system.constraint_jacobian = constraint_slopes;
    m->system.constraint_pattern = &m->constraint_pattern.view;
    m->system.constraint_level = (daedal_ints){m->level, 2 * rules};
    m->system.variable_level = (daedal_ints){m->variable_level, all};
}

daedal_status daedal_motion_create(daedal_motion_system **system, const daedal_motion *description,
                                   const daedal_allocator *allocator, daedal_diagnosis *why)
{
    daedal_diagnosis ignored;
    why = why ? why : &ignored;
    diagnosis_clear(why);
    if (!system)
        return fail(why, DAEDAL_ERR_ARGUMENT, "system is NULL");
    *system = NULL;
    if (!description)
        return fail(why, DAEDAL_ERR_ARGUMENT, "motion is NULL");
    TRY(check(description, why));
    const daedal_allocator *a = allocator ? allocator : &memory_default;
    motion *m = memory_take(a, sizeof *m);
    if (!m)
        return fail(why, DAEDAL_ERR_MEMORY, "out of memory");
    m->motion = *description;
    m->allocator = *a;
    if (!make_patterns(m, &m->allocator) || !block_create(&m->mem, &m->allocator, lay_out, m)) {
        daedal_motion_free(m);
        return fail(why, DAEDAL_ERR_MEMORY, "out of memory");
    }
    describe(m);
    *system = m;
    return DAEDAL_OK;
}

const daedal_system *daedal_motion_describe(const daedal_motion_system *system)
{
    return system ? &system->system : NULL;
}

void daedal_motion_free(daedal_motion_system *m)
{
    if (!m)
        return;
    daedal_allocator a = m->allocator;
    pattern_free(&m->mass_pattern);
    pattern_free(&m->jacobian_pattern);
    pattern_free(&m->constraint_pattern);
    block_free(&m->mem);
    memory_give(&a, m, sizeof *m);
}
