/* boundary/dependence.c - see conditioning.h: which boundary conditions depend on each other.
 *
 * The linearised equations have d independent solutions Phi.  They are found with boundary
 * conditions of random coefficients at all points, which are well conditioned where growing and
 * decaying solutions are both present.  The given conditions see the matrix Q = dr/dy Phi: a
 * combination of its rows that vanishes names conditions that depend on each other, a combination
 * of columns that vanishes names values that stay open.                            */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "base/status.h"
#include "boundary/conditioning.h"

static const double TAKES_PART = 1e-6; /* of the largest coefficient: less is roundoff */
static const double ZERO = 1e-8;       /* differences have about ten digits            */

typedef struct dependence {
    collocation_problem problem;
    boundary_conditions free; /* d conditions with random coefficients */
    boundary_conditions *given;
    collocation c;
    int32_t d, n, rank;
    double *probe;    /* d x width                                                  */
    double *phi;      /* width x d by columns: solutions at the points              */
    double *near;     /* the same: their largest sizes there and at the mesh points beside */
    double *first;    /* nx x d by columns: at the start                            */
    double *slopes;   /* n x width                                                  */
    double *q;        /* n x d by rows                                              */
    double *combined; /* n x n by rows: which conditions a row of q is made of      */
    double *r, *v;    /* n: of the conditions; unknowns                             */
    int32_t *column;  /* by row of q: its pivot column, or -1                       */
    bool *has_pivot;  /* by column                                                  */
    block mem;
} dependence;

static void lay_out(void *object, layout *l)
{
    dependence *x = object;
    size_t d = (size_t)x->d, n = (size_t)x->n;
    size_t width = (size_t)x->given->n_points * (size_t)x->problem.n;
    x->probe = layout_take(l, d * width, sizeof(double));
    x->phi = layout_take(l, d * width, sizeof(double));
    x->near = layout_take(l, d * width, sizeof(double));
    x->first = layout_take(l, d * (size_t)x->problem.nx, sizeof(double));
    x->slopes = layout_take(l, n * width, sizeof(double));
    x->q = layout_take(l, n * d, sizeof(double));
    x->combined = layout_take(l, n * n, sizeof(double));
    x->r = layout_take(l, n, sizeof(double));
    x->v = layout_take(l, (size_t)x->c.size, sizeof(double));
    x->column = layout_take(l, n, sizeof(int32_t));
    x->has_pivot = layout_take(l, d, sizeof(bool));
}

static int no_values(const double *const *y, double *r, void *user)
{
    const dependence *x = user;
    (void)y;
    memset(r, 0, (size_t)x->d * sizeof *r);
    return DAEDAL_CALL_OK;
}

static void guess_from(double t, double *y, double *yp, void *user)
{
    collocation_at(user, t, y, yp);
}

static bool prepare(dependence *x, const collocation *at)
{
    x->problem = *at->p;
    x->d = at->p->nx - (at->p->n_fixed > 0 ? at->p->n_fixed : at->p->m);
    x->n = x->given->n;
    x->free = (boundary_conditions){.n = x->d,
                                    .width = at->p->n,
                                    .n_points = x->given->n_points,
                                    .points = x->given->points,
                                    .values = no_values,
                                    .user = x};
    x->problem.conditions = &x->free;
    if (!conditions_create(&x->free, at->p->allocator) ||
        !collocation_create(&x->c, &x->problem, at->g, at->t, at->n_intervals) ||
        !block_create(&x->mem, at->p->allocator, lay_out, x))
        return false;
    collocation_guess(&x->c, guess_from, (void *)(uintptr_t)at);
    uint64_t state = RANDOM_SEED;
    int32_t n = at->p->n, width = x->given->n_points * n;
    for (int32_t k = 0; k < x->d; k++)
        for (int32_t j = 0; j < width; j++) {
            bool is_end = j < n || j >= width - n;
            double share = random_share(&state);
            x->probe[(size_t)k * (size_t)width + (size_t)j] =
                is_end && at->p->place[j % n] >= 0 ? share : 0.0;
        }
    x->c.probe = x->probe;
    return true;
}

/* How large solution v is at the points and at the mesh points beside them. */
static void look_beside(dependence *x, double *near)
{
    const collocation *c = &x->c;
    int32_t n = x->problem.n;
    for (int32_t q = 0; q < x->given->n_points; q++)
        for (int32_t i = c->point_node[q] - 1; i <= c->point_node[q] + 1; i++) {
            if (i < 0 || i > c->n_intervals)
                continue;
            collocation_node_values(c, x->v, i, c->y);
            for (int32_t j = 0; j < n; j++)
                near[q * n + j] = fmax(near[q * n + j], fabs(c->y[j]));
        }
}

/* The solutions at the points, and the residuals r of the conditions at the nearest solution of the
 * linearised equations.                                                          */
static daedal_status find_solutions(dependence *x)
{
    collocation *c = &x->c;
    size_t n = (size_t)x->problem.n, width = (size_t)x->given->n_points * n;
    TRY(collocation_linearize(c));
    for (int32_t k = 0; k < x->d; k++) {
        memset(x->v, 0, (size_t)c->size * sizeof(double));
        x->v[k] = 1.0;
        emitted_solve(&c->matrix, x->v);
        collocation_read_points(c, x->v);
        memcpy(x->phi + (size_t)k * width, c->point_y, width * sizeof(double));
        look_beside(x, x->near + (size_t)k * width);
        memcpy(x->first + k * x->problem.nx, x->v, (size_t)x->problem.nx * sizeof(double));
    }
    if (collocation_residual(c, c->u, x->v) != DAEDAL_CALL_OK)
        return DAEDAL_ERR_CALLBACK;
    emitted_solve(&c->matrix, x->v);
    for (int32_t k = 0; k < c->size; k++)
        c->u[k] -= x->v[k];
    collocation_read_points(c, c->u);
    if (conditions_evaluate(x->given, c->point_y, x->r) != DAEDAL_CALL_OK ||
        conditions_differentiate(x->given, c->point_y, c->largest, x->slopes) != DAEDAL_CALL_OK)
        return DAEDAL_ERR_CALLBACK;
    return DAEDAL_OK;
}

/* Row k of Q, and how large it is beside the points: where it vanishes at the points alone, as at a
 * resonance, only roundoff is left of it.                                        */
static double form_row(dependence *x, int32_t k, double *beside)
{
    size_t width = (size_t)x->given->n_points * (size_t)x->problem.n;
    const double *slope = x->slopes + (size_t)k * width;
    double length = 0.0, *row = x->q + k * x->d;
    *beside = 0.0;
    for (int32_t j = 0; j < x->d; j++) {
        const double *phi = x->phi + (size_t)j * width, *near = x->near + (size_t)j * width;
        double sum = 0.0;
        row[j] = vector_dot(slope, phi, (int32_t)width);
        length = fmax(length, fabs(row[j]));
        for (size_t v = 0; v < width; v++)
            sum += fabs(slope[v] * near[v]);
        *beside = fmax(*beside, sum);
    }
    return length;
}

/* Q with rows of length one, and r scaled with it. */
static void form_matrix(dependence *x)
{
    for (int32_t k = 0; k < x->n; k++) {
        double beside, length = form_row(x, k, &beside), *row = x->q + k * x->d;
        bool is_zero = length <= ZERO * beside;
        x->combined[k * x->n + k] = 1.0;
        x->column[k] = -1;
        for (int32_t j = 0; j < x->d && length > 0.0; j++)
            row[j] = is_zero ? 0.0 : row[j] / length;
        x->r[k] = is_zero && beside > 0.0 ? x->r[k] / beside
                  : length > 0.0          ? x->r[k] / length
                                          : x->r[k];
    }
}

static bool find_pivot(const dependence *x, int32_t *row, int32_t *col)
{
    double most = ZERO;
    for (int32_t k = 0; k < x->n; k++)
        for (int32_t j = 0; j < x->d && x->column[k] < 0; j++)
            if (!x->has_pivot[j] && fabs(x->q[k * x->d + j]) > most) {
                most = fabs(x->q[k * x->d + j]);
                *row = k;
                *col = j;
            }
    return most > ZERO;
}

/* Gauss and Jordan's elimination with complete pivoting. */
static void eliminate(dependence *x)
{
    int32_t row = 0, col = 0;
    while (find_pivot(x, &row, &col)) {
        double *pivot = x->q + row * x->d;
        x->column[row] = col;
        x->has_pivot[col] = true;
        x->rank++;
        for (int32_t k = 0; k < x->n; k++) {
            double factor = x->q[k * x->d + col] / pivot[col];
            for (int32_t j = 0; j < x->d && k != row; j++)
                x->q[k * x->d + j] -= factor * pivot[j];
            for (int32_t j = 0; j < x->n && k != row; j++)
                x->combined[k * x->n + j] -= factor * x->combined[row * x->n + j];
        }
    }
}

/* ---- words ---- */

/* The names of conditions that row k, which vanishes, is made of, and how many these are; whether
 * they contradict. */
static bool describe_row(const dependence *x, int32_t k, int32_t *count, char *text, size_t size)
{
    char name[64];
    const double *part = x->combined + k * x->n;
    double residual = 0.0, terms = 0.0, most = 0.0;
    size_t used = 0;
    for (int32_t j = 0; j < x->n; j++) {
        most = fmax(most, fabs(part[j]));
        residual += part[j] * x->r[j];
        terms = fmax(terms, fabs(part[j] * x->r[j]));
    }
    *count = 0;
    text[0] = '\0';
    for (int32_t j = 0; j < x->n && used < size; j++)
        if (fabs(part[j]) > TAKES_PART * most && ++*count)
            used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "",
                                     condition_name(x->given, j, name, sizeof name));
    return conditions_contradict(residual, terms);
}

/* Unknowns whose values at the start the conditions leave open. */
static void describe_open(const dependence *x, char *text, size_t size)
{
    enum { SHOWN = 4 };
    const collocation_problem *p = &x->problem;
    char name[96];
    size_t used = 0;
    int32_t shown = 0;
    text[0] = '\0';
    for (int32_t j = 0; j < x->d; j++) {
        if (x->has_pivot[j])
            continue; /* the solution Phi_j less the pivots' shares is open */
        for (int32_t k = 0; k < p->nx && used < size && shown < SHOWN; k++) {
            double at = x->first[j * p->nx + k];
            for (int32_t i = 0; i < x->n; i++)
                if (x->column[i] >= 0)
                    at -= x->q[i * x->d + j] / x->q[i * x->d + x->column[i]] *
                          x->first[x->column[i] * p->nx + k];
            if (fabs(at) <= TAKES_PART)
                continue;
            shown++;
            used +=
                (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "",
                                 evaluator_variable_name(p->sys, p->x_of[k], name, sizeof name));
        }
        return;
    }
}

static daedal_status tell(const dependence *x, daedal_diagnosis *why)
{
    char text[300] = "";
    bool contradicts = false;
    int32_t bad = -1, count = 0;
    for (int32_t k = 0; k < x->n && !contradicts; k++)
        if (x->column[k] < 0) {
            contradicts = describe_row(x, k, &count, text, sizeof text);
            bad = k;
        }
    const char *what = contradicts ? "contradict each other, so that there is no solution"
                                   : "repeat each other, so that the solution is not unique";
    if (x->n > x->d) {
        fail(why, DAEDAL_ERR_STRUCTURE,
             "there are %d boundary conditions for %d degrees of freedom, %d too many: with the "
             "equations, %s depend on each other and %s",
             (int)x->n, (int)x->d, (int)(x->n - x->d), text, contradicts ? "contradict" : "agree");
        set_cause(why, DAEDAL_CAUSE_REDUNDANT_EQUATIONS);
        return DAEDAL_ERR_STRUCTURE;
    }
    if (bad >= 0) {
        if (count == 1)
            fail(why, DAEDAL_ERR_SINGULAR,
                 "of the boundary conditions, %s does not depend on the values that are open: %s",
                 text,
                 contradicts ? "it cannot hold, so that there is no solution"
                             : "it holds for many values, so that the solution is not unique");
        else
            fail(why, DAEDAL_ERR_SINGULAR, "boundary conditions depend on each other: %s %s", text,
                 what);
        set_cause(why, contradicts ? DAEDAL_CAUSE_NO_SOLUTION : DAEDAL_CAUSE_REDUNDANT_EQUATIONS);
        return DAEDAL_ERR_SINGULAR;
    }
    if (x->n == x->d)
        return DAEDAL_OK;
    describe_open(x, text, sizeof text);
    fail(why, DAEDAL_ERR_STRUCTURE,
         "there are %d boundary conditions for %d degrees of freedom, %d too few: the start of %s "
         "stays open",
         (int)x->n, (int)x->d, (int)(x->d - x->n), text);
    set_cause(why, DAEDAL_CAUSE_UNDETERMINED_VARIABLE);
    return DAEDAL_ERR_STRUCTURE;
}

daedal_status dependence_explain(const collocation *at, boundary_conditions *given,
                                 daedal_diagnosis *why)
{
    dependence x = {.given = given};
    daedal_status status = prepare(&x, at) ? find_solutions(&x) : DAEDAL_ERR_MEMORY;
    if (status == DAEDAL_OK) {
        form_matrix(&x);
        eliminate(&x);
        status = tell(&x, why);
    } else {
        status = DAEDAL_OK; /* nothing is known of them */
    }
    collocation_free(&x.c);
    conditions_free(&x.free);
    block_free(&x.mem);
    return status;
}
