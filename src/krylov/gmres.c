/* krylov/gmres.c - see gmres.h.
 *
 * With S = diag(w) / sqrt(n) the system solved is (S P^-1 A S^-1) (S x) = S P^-1 b in the Euclidean
 * norm ([BHP94] section 2).  Arnoldi's basis V of its Krylov space is made by modified
 * Gram-Schmidt, repeated where much of a vector cancelled; Givens rotations keep the projected
 * matrix triangular, and the norm of the residual is |g_{l+1}|.  A restart takes the residual
 * V_{l+1} Q* e_{l+1} g_{l+1} from the basis itself: no product is needed, and b need not be kept.
 *
 * [SS86] Saad, Schultz: GMRES, SIAM J. Sci. Stat. Comput. 7 (1986) 856-869.
 * [BHP94] Brown, Hindmarsh, Petzold: Using Krylov methods in the solution of large-scale
 *         differential-algebraic systems, SIAM J. Sci. Comput. 15 (1994) 1467-1488.        */
#include "krylov/gmres.h"

#include <complex.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "linalg/vector.h"

typedef double complex number;

static const double CANCELLED = 0.1; /* less than this left of a vector: orthogonalise again */

struct gmres {
    gmres_size size;
    vector_space space; /* of a vector, or of its real part                           */
    size_t reals;       /* doubles of a vector: n, or 2 n                                  */
    double *basis;      /* length + 1 vectors, scaled                                      */
    double *x;          /* the solution so far, scaled                                     */
    double *work;       /* a vector with its units                                         */
    number *h;          /* triangle by columns, length + 1 rows                            */
    number *s, *g;      /* sines of the rotations, right-hand side                         */
    double *c;          /* cosines                                                         */
    number *u, *z;      /* length + 1: for the triangle's solutions                        */
    double *sums;       /* 2 length + 3: inner products that are reduced together           */
    block mem;
    const daedal_allocator *allocator;
};

static void lay_out(void *object, layout *l)
{
    gmres *g = object;
    size_t m = (size_t)g->size.length + 1;
    g->basis = layout_take(l, m * g->reals, sizeof(double));
    g->x = layout_take(l, g->reals, sizeof(double));
    g->work = layout_take(l, g->reals, sizeof(double));
    g->h = layout_take(l, m * m, sizeof(number));
    g->s = layout_take(l, m, sizeof(number));
    g->g = layout_take(l, m, sizeof(number));
    g->c = layout_take(l, m, sizeof(double));
    g->u = layout_take(l, m, sizeof(number));
    g->z = layout_take(l, m, sizeof(number));
    g->sums = layout_take(l, 2 * m + 1, sizeof(double));
}

gmres *gmres_create(const gmres_size *size, const daedal_allocator *a)
{
    gmres *g = memory_take(a, sizeof *g);
    if (!g)
        return NULL;
    g->size = *size;
    g->space = (vector_space){size->n, size->parallel};
    if (g->size.length > space_size(&g->space) && !size->is_complex)
        g->size.length = (int32_t)space_size(&g->space);
    g->reals = (size_t)size->n * (size->is_complex ? 2 : 1);
    g->allocator = a;
    if (!block_create(&g->mem, a, lay_out, g)) {
        memory_give(a, g, sizeof *g);
        return NULL;
    }
    return g;
}

void gmres_free(gmres *g)
{
    if (!g)
        return;
    block_free(&g->mem);
    memory_give(g->allocator, g, sizeof *g);
}

/* ---- vectors --------------------------------------------------------------- */

static double *basis(const gmres *g, int32_t l)
{
    return g->basis + (size_t)l * g->reals;
}

/* u* v of the entries of this rank */
static number inner_here(const gmres *g, const double *u, const double *v)
{
    int32_t n = g->size.n;
    if (!g->size.is_complex)
        return vector_dot(u, v, n);
    double re = vector_dot(u, v, n) + vector_dot(u + n, v + n, n);
    double im = vector_dot(u, v + n, n) - vector_dot(u + n, v, n);
    return re + im * I;
}

/* u* v */
static number inner(const gmres *g, const double *u, const double *v)
{
    number here = inner_here(g, u, v);
    if (!g->space.parallel)
        return here;
    double parts[2] = {creal(here), cimag(here)};
    space_reduce(&g->space, parts, 2, DAEDAL_REDUCE_SUM);
    return parts[0] + parts[1] * I;
}

static double norm(const gmres *g, const double *v)
{
    return sqrt(creal(inner(g, v, v)));
}

static void add(double *out, double factor, const double *v, int32_t n)
{
    for (int32_t i = 0; i < n; i++)
        out[i] += factor * v[i];
}

/* out += factor v */
static void add_multiple(const gmres *g, double *out, number factor, const double *v)
{
    int32_t n = g->size.n;
    add(out, creal(factor), v, n);
    if (!g->size.is_complex)
        return;
    add(out + n, creal(factor), v + n, n);
    add(out, -cimag(factor), v + n, n);
    add(out + n, cimag(factor), v, n);
}

static void multiply(const gmres *g, double *v, double factor)
{
    for (size_t i = 0; i < g->reals; i++)
        v[i] *= factor;
}

/* out = S v, or S^-1 v */
static void scale(const gmres *g, const gmres_problem *p, const double *v, double *out, bool back)
{
    int32_t n = g->size.n;
    double size = space_size(&g->space), root = back ? sqrt(size) : 1.0 / sqrt(size);
    for (size_t part = 0; part < g->reals; part += (size_t)n) {
        const double *from = v + part;
        double *to = out + part;
        if (!p->inverse_weight)
            for (int32_t i = 0; i < n; i++)
                to[i] = root * from[i];
        else if (back)
            for (int32_t i = 0; i < n; i++)
                to[i] = root * from[i] / p->inverse_weight[i];
        else
            for (int32_t i = 0; i < n; i++)
                to[i] = root * from[i] * p->inverse_weight[i];
    }
}

/* ---- the projected problem ------------------------------------------------- */

static number *column(const gmres *g, int32_t l)
{
    return g->h + (size_t)l * (size_t)(g->size.length + 1);
}

/* All coefficients of v along the directions first .. l, and its square, by one reduction. */
static double project_at_once(gmres *g, int32_t first, int32_t l, const double *v)
{
    int32_t count = 0;
    for (int32_t i = first; i <= l; i++) {
        number part = inner_here(g, basis(g, i), v);
        g->sums[count++] = creal(part);
        g->sums[count++] = cimag(part);
    }
    g->sums[count++] = creal(inner_here(g, v, v));
    space_reduce(&g->space, g->sums, count, DAEDAL_REDUCE_SUM);
    return g->sums[count - 1];
}

/* The same as orthogonalise with few reductions: classical Gram-Schmidt, whose norms follow from
 * Pythagoras' theorem unless much cancels; then it is repeated and the norm computed.     */
static double orthogonalise_at_once(gmres *g, int32_t first, int32_t l)
{
    double *v = basis(g, l + 1), before = 0.0, after = 0.0;
    number *h = column(g, l);
    for (int pass = 0; pass < 2; pass++) {
        double square = project_at_once(g, first, l, v), left = square;
        for (int32_t i = first; i <= l; i++) {
            number part = g->sums[2 * (i - first)] + g->sums[2 * (i - first) + 1] * I;
            h[i] += part;
            left -= creal(part * conj(part));
            add_multiple(g, v, -part, basis(g, i));
        }
        before = pass == 0 ? sqrt(square) : before;
        if (left >= CANCELLED * CANCELLED * square)
            return sqrt(left);
        after = pass == 1 || isnan(left) ? norm(g, v) : 0.0;
        if (isnan(left))
            break;
    }
    return after > DBL_EPSILON * before ? after : after <= DBL_EPSILON * before ? 0.0 : NAN;
}

/* Orthogonalise the vector l + 1 against those before; its coefficients go to column l.  The norm
 * of what is left.                                                               */
static double orthogonalise(gmres *g, int32_t l)
{
    int32_t first = g->size.keep > 0 && l + 1 > g->size.keep ? l + 1 - g->size.keep : 0;
    memset(column(g, l), 0, (size_t)(l + 2) * sizeof(number));
    if (g->space.parallel)
        return orthogonalise_at_once(g, first, l);
    double *v = basis(g, l + 1), before = norm(g, v), after = before;
    number *h = column(g, l);
    for (int pass = 0; pass < 2; pass++) {
        double started = after;
        for (int32_t i = first; i <= l; i++) {
            number part = inner(g, basis(g, i), v);
            h[i] += part;
            add_multiple(g, v, -part, basis(g, i));
        }
        after = norm(g, v);
        if (!(after < CANCELLED * started))
            break;
    }
    return after > DBL_EPSILON * before ? after : after <= DBL_EPSILON * before ? 0.0 : NAN;
}

/* Apply the earlier rotations to column l, and a new one that makes its last entry zero. */
static void rotate(gmres *g, int32_t l, double below)
{
    number *h = column(g, l);
    for (int32_t i = 0; i < l; i++) {
        number upper = h[i];
        h[i] = g->c[i] * upper + g->s[i] * h[i + 1];
        h[i + 1] = -conj(g->s[i]) * upper + g->c[i] * h[i + 1];
    }
    double size = cabs(h[l]), length = hypot(size, below);
    number direction = size > 0.0 ? h[l] / size : 1.0;
    g->c[l] = length > 0.0 ? size / length : 1.0;
    g->s[l] = length > 0.0 ? direction * (below / length) : 0.0;
    h[l] = direction * length;
    h[l + 1] = 0.0;
    g->g[l + 1] = -conj(g->s[l]) * g->g[l];
    g->g[l] *= g->c[l];
}

/* u := R^-1 u, R the triangle of m columns. */
static void solve_triangle(const gmres *g, int32_t m, number *u)
{
    for (int32_t j = m - 1; j >= 0; j--) {
        const number *r = column(g, j);
        u[j] /= r[j];
        for (int32_t i = 0; i < j; i++)
            u[i] -= r[i] * u[j];
    }
}

/* u := R^-* u */
static void solve_adjoint(const gmres *g, int32_t m, number *u)
{
    for (int32_t j = 0; j < m; j++) {
        const number *r = column(g, j);
        for (int32_t i = 0; i < j; i++)
            u[j] -= conj(r[i]) * u[i];
        u[j] /= conj(r[j]);
    }
}

static double small_norm(const number *u, int32_t m)
{
    double sum = 0.0;
    for (int32_t i = 0; i < m; i++)
        sum += creal(u[i] * conj(u[i]));
    return sqrt(sum);
}

/* ||R^-1|| by a few steps of the power method. */
static double inverse_norm(gmres *g, int32_t m)
{
    enum { STEPS = 3 };
    double size = 0.0;
    for (int32_t i = 0; i < m; i++)
        g->u[i] = 1.0 / sqrt(m);
    for (int k = 0; k < STEPS; k++) {
        solve_triangle(g, m, g->u);
        size = small_norm(g->u, m);
        if (!(size > 0.0) || k == STEPS - 1)
            break;
        solve_adjoint(g, m, g->u);
        double length = small_norm(g->u, m);
        for (int32_t i = 0; i < m; i++)
            g->u[i] /= length;
    }
    return size;
}

/* ---- the iteration --------------------------------------------------------- */

/* What is to be compared with the tolerance after m directions. */
static double measure(gmres *g, const gmres_problem *p, int32_t m)
{
    double residual = cabs(g->g[m]);
    return p->bounds_error && residual > 0.0 ? residual * fmax(1.0, inverse_norm(g, m)) : residual;
}

static bool is_over(gmres_result *r, int answer, bool by_precondition)
{
    if (answer == DAEDAL_CALL_OK)
        return false;
    r->verdict = GMRES_ENDED;
    r->answer = answer;
    r->by_precondition = by_precondition;
    return true;
}

/* The vector l + 1 := S P^-1 A S^-1 times the vector l.  False: it is over. */
static bool extend(gmres *g, const gmres_problem *p, int32_t l, gmres_result *r)
{
    double *next = basis(g, l + 1);
    scale(g, p, basis(g, l), g->work, true);
    r->iterations++;
    if (is_over(r, p->apply(p->self, g->work, next), false))
        return false;
    if (p->precondition && is_over(r, p->precondition(p->self, next), true))
        return false;
    scale(g, p, next, next, false);
    return true;
}

/* x += V u with R u = g, m directions. */
static void add_solution(gmres *g, int32_t m)
{
    memcpy(g->u, g->g, (size_t)m * sizeof *g->u);
    solve_triangle(g, m, g->u);
    for (int32_t i = 0; i < m; i++)
        add_multiple(g, g->x, g->u[i], basis(g, i));
}

/* The first direction of a restart: V_{m+1} Q* e_{m+1} g_{m+1}. */
static void take_residual(gmres *g, int32_t m)
{
    number rest = g->g[m];
    memset(g->z, 0, (size_t)(m + 1) * sizeof *g->z);
    g->z[m] = rest;
    for (int32_t i = m - 1; i >= 0; i--) {
        number upper = g->z[i], lower = g->z[i + 1];
        g->z[i] = g->c[i] * upper - g->s[i] * lower;
        g->z[i + 1] = conj(g->s[i]) * upper + g->c[i] * lower;
    }
    memset(g->work, 0, g->reals * sizeof *g->work);
    for (int32_t i = 0; i <= m; i++)
        add_multiple(g, g->work, g->z[i], basis(g, i));
    memcpy(basis(g, 0), g->work, g->reals * sizeof *g->work);
}

/* Iterate from the residual in the vector 0, of norm beta, until the goal or the space is reached.
 * How many directions were taken.                                                */
static int32_t build(gmres *g, const gmres_problem *p, double beta, double goal, gmres_result *r)
{
    g->g[0] = beta;
    multiply(g, basis(g, 0), 1.0 / beta);
    for (int32_t l = 0; l < g->size.length; l++) {
        if (!extend(g, p, l, r))
            return l;
        double below = orthogonalise(g, l);
        if (!isfinite(below)) {
            r->verdict = GMRES_NOT_FINITE;
            return l;
        }
        rotate(g, l, below);
        if (column(g, l)[l] == 0.0) {
            r->verdict = GMRES_SINGULAR;
            return l;
        }
        r->last = cabs(g->g[l + 1]);
        if (below == 0.0 || measure(g, p, l + 1) <= goal) {
            r->verdict = GMRES_CONVERGED;
            return l + 1;
        }
        multiply(g, basis(g, l + 1), 1.0 / below);
    }
    r->verdict = GMRES_SLOW;
    return g->size.length;
}

/* The preconditioned right-hand side, scaled, becomes the vector 0; its norm.  NAN: it is over. */
static double begin(gmres *g, const gmres_problem *p, const double *b, gmres_result *r)
{
    memcpy(g->work, b, g->reals * sizeof *b);
    if (p->precondition && is_over(r, p->precondition(p->self, g->work), true))
        return NAN;
    scale(g, p, g->work, basis(g, 0), false);
    double beta = norm(g, basis(g, 0));
    if (!isfinite(beta)) {
        r->verdict = GMRES_NOT_FINITE;
        r->by_precondition = true;
        return NAN;
    }
    r->first = r->last = beta;
    return beta;
}

gmres_result gmres_solve(gmres *g, const gmres_problem *p, double *b)
{
    gmres_result r = {.verdict = GMRES_CONVERGED, .answer = DAEDAL_CALL_OK};
    double beta = begin(g, p, b, &r);
    if (isnan(beta))
        return r;
    double goal = fmax(p->tolerance, p->relative * beta);
    if (beta == 0.0 || (p->precondition && beta <= goal)) {
        scale(g, p, basis(g, 0), b, true); /* P^-1 b is accurate enough */
        return r;
    }
    memset(g->x, 0, g->reals * sizeof *g->x);
    for (int32_t again = 0;; again++) {
        int32_t m = build(g, p, r.last, goal, &r);
        if (r.verdict == GMRES_NOT_FINITE || r.verdict == GMRES_ENDED)
            return r;
        add_solution(g, m);
        if (r.verdict != GMRES_SLOW || again >= g->size.restarts)
            break;
        take_residual(g, m);
        r.last = norm(g, basis(g, 0));
    }
    scale(g, p, g->x, b, true);
    return r;
}
