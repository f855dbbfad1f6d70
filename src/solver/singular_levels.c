/* solver/singular_levels.c - see run.h: whether a system of index two or three has come to a point
 * where its index changes, and the solution ends.
 *
 * With x' = f(x, z), 0 = g(x) the variables z are determined as long as g_x f_z is regular.  The
 * iteration matrix for a small step h, with the columns of variables of index i divided by h^(i-1)
 * and all rows brought to the same size, tends to [I, -f_z; g_x, 0], whose determinant is that of
 * g_x f_z.  Let u and v be its singular vectors for the smallest singular value s: u'Mv = s, and
 * where u'Mv has changed its sign at a point nearby, in the direction v, the matrix is singular in
 * between ([BCP96] section 6.3). */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "linalg/lapack.h"
#include "linalg/svd.h"
#include "solver/run.h"

enum { SMALL = 120 }; /* unknowns: the matrix is dense */

typedef struct levels {
    run *r;
    svd d;
    double h;
    double *row_scale, *u, *v, *y; /* n each */
    double *kept;                  /* the values of the matrix, 2 nnz */
} levels;

/* The scaled matrix at y into d.a; rows by the scales at the state, or new ones. */
static bool evaluate(levels *l, const double *y, bool new_scales)
{
    run *r = l->r;
    const daedal_pattern *p = &r->matrix.pattern.view;
    matrix_point at = {r->state.t, 1.0, y, r->yp, NULL, r->inverse_weight};
    size_t n = (size_t)r->n;
    if (matrix_evaluate(&r->matrix, &at) != DAEDAL_CALL_OK)
        return false;
    memset(l->d.a, 0, n * n * sizeof(double));
    for (int32_t j = 0; j < r->n; j++) {
        double unit = pow(l->h, 1.0 - fmax(r->variable_index[j], 1));
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++)
            l->d.a[(size_t)j * n + (size_t)p->row[q]] =
                unit * (r->matrix.dyp[q] + l->h * r->matrix.dy[q]);
    }
    for (size_t i = 0; i < n && new_scales; i++) {
        double most = 0.0;
        for (size_t j = 0; j < n; j++)
            most = fmax(most, fabs(l->d.a[j * n + i]));
        l->row_scale[i] = most > 0.0 ? 1.0 / most : 1.0;
    }
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < n; i++)
            l->d.a[j * n + i] *= l->row_scale[i];
    return true;
}

/* u' M v */
static double weak_value(const levels *l)
{
    size_t n = (size_t)l->r->n;
    double sum = 0.0;
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < n; i++)
            sum += l->u[i] * l->d.a[j * n + i] * l->v[j];
    return sum;
}

/* The singular vectors of the smallest singular value; false: there are none. */
static bool find_weak_vectors(levels *l)
{
    size_t n = (size_t)l->r->n;
    if (!evaluate(l, l->r->y, true) || !svd_decompose(&l->d))
        return false;
    memcpy(l->u, l->d.u + (n - 1) * n, n * sizeof(double));
    for (size_t j = 0; j < n; j++)
        l->v[j] = l->d.vt[j * n + n - 1];
    return evaluate(l, l->r->y, false);
}

/* The variable of higher index that v moves most, for its size; *unit: times v it moves by all of
 * it.  -1: v moves others. */
static int32_t find_variable(const levels *l, double *unit)
{
    const run *r = l->r;
    double most = 0.0;
    int32_t which = -1;
    for (int32_t j = 0; j < r->n; j++) {
        double size = fmax(fabs(r->y[j]), 1e3 / r->inverse_weight[j]), share = fabs(l->v[j]) / size;
        if (r->variable_index[j] < 2 || share <= most)
            continue;
        most = share;
        which = j;
    }
    *unit = 1.0 / most;
    return which;
}

/* Whether the weak value changes its sign within `reach` of the variable's size, on either side. */
static bool turns_nearby(levels *l, double unit, double reach)
{
    const double roundoff = 1e-10; /* of entries of size 1: singular at this point, and elsewhere */
    const run *r = l->r;
    double here = weak_value(l);
    bool turns = false;
    if (fabs(here) <= roundoff)
        return false;
    for (int side = -1; side <= 1 && !turns; side += 2) {
        for (int32_t j = 0; j < r->n; j++)
            l->y[j] = r->y[j] + (r->variable_index[j] >= 2 ? side * reach * unit * l->v[j] : 0.0);
        turns = evaluate(l, l->y, false) && weak_value(l) * here <= 0.0;
    }
    return turns;
}

static void tell(run *r, int32_t j)
{
    char name[96];
    daedal_status status = r->why.status;
    fail(&r->why, status,
         "the solution reaches an impasse at t = %.10g: there the equations and their derivatives "
         "cease to determine %s, which is %.6g",
         r->state.t, evaluator_variable_name(&r->system.sys, j, name, sizeof name), r->y[j]);
    blame(&r->why, r->state.t, -1, j);
    hint(&r->why, "the solution ends there or continues on another branch: look for a turning "
                  "point or a singular configuration");
    set_cause(&r->why, DAEDAL_CAUSE_IMPASSE);
}

static bool search(levels *l, double reach)
{
    double unit = 0.0;
    if (!find_weak_vectors(l))
        return false;
    int32_t j = find_variable(l, &unit);
    if (j < 0 || !turns_nearby(l, unit, reach))
        return false;
    tell(l->r, j);
    return true;
}

/* Of the scaled matrix at y; 0: F has no value there, or there is no room. */
static int sign_of_determinant(levels *l, const double *y)
{
    int32_t n = l->r->n, info = 0;
    int32_t *pivot = memory_take_array(l->r->allocator, (size_t)n, sizeof *pivot);
    int sign = pivot && evaluate(l, y, true) ? 1 : 0;
    if (sign)
        dgetrf_(&n, &n, l->d.a, &n, pivot, &info);
    for (int32_t k = 0; k < n && sign; k++) {
        double entry = l->d.a[(size_t)k * (size_t)n + (size_t)k];
        sign = entry == 0.0 ? 0 : (entry < 0.0) == (pivot[k] == k + 1) ? -sign : sign;
    }
    memory_give(l->r->allocator, pivot, (size_t)n * sizeof *pivot);
    return sign;
}

/* What all questions need; false: they have no answer. */
static bool levels_begin(levels *l, run *r)
{
    const double small = 1e-3; /* of the longest of the last steps */
    size_t n = (size_t)r->n;
    *l = (levels){.r = r, .h = small * r->stagnation.growth.longest_step};
    bool is_higher = r->index.answer.verdict == INDEX_FOUND && r->index.answer.index > 1;
    if (!is_higher || r->n > SMALL || !(l->h > 0.0))
        return false;
    size_t nnz = (size_t)pattern_nnz(&r->matrix.pattern.view);
    l->row_scale = memory_take_array(r->allocator, 4 * n, sizeof(double));
    l->kept = memory_take_array(r->allocator, 2 * nnz, sizeof(double));
    if (!svd_create(&l->d, r->n, r->allocator) || !l->row_scale || !l->kept)
        return false;
    memcpy(l->kept, r->matrix.dy, nnz * sizeof(double));
    memcpy(l->kept + nnz, r->matrix.dyp, nnz * sizeof(double));
    l->u = l->row_scale + n;
    l->v = l->u + n;
    l->y = l->v + n;
    weights_inverse(&r->tolerances, r->y, r->inverse_weight);
    return true;
}

/* The steps go on with the matrix that they had. */
static void levels_end(levels *l)
{
    size_t nnz = (size_t)pattern_nnz(&l->r->matrix.pattern.view);
    if (l->y) {
        memcpy(l->r->matrix.dy, l->kept, nnz * sizeof(double));
        memcpy(l->r->matrix.dyp, l->kept + nnz, nnz * sizeof(double));
    }
    memory_give(l->r->allocator, l->kept, 2 * nnz * sizeof(double));
    svd_free(&l->d);
    memory_give(l->r->allocator, l->row_scale, 4 * (size_t)l->r->n * sizeof(double));
}

bool run_levels_are_singular(run *r, double reach)
{
    levels l;
    bool singular = levels_begin(&l, r) && search(&l, reach);
    levels_end(&l);
    return singular;
}

bool run_levels_change_sign(run *r, const double *from, const double *to, int32_t j)
{
    levels l;
    bool changes = levels_begin(&l, r);
    int before = changes ? sign_of_determinant(&l, from) : 0;
    changes = before != 0 && sign_of_determinant(&l, to) == -before;
    if (changes)
        tell(r, j);
    levels_end(&l);
    return changes;
}
