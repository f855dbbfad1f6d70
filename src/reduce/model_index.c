/* reduce/model_index.c - see model.h: is the index what the structure says?
 *
 * The structure sees which entries of the Jacobian there are, not their values.  At a
 * generic point near the start the matrix of the leading unknowns (y' of states, y of the
 * others) is factored; if it is singular although the structure allows a pivot everywhere,
 * the index is that of the local pencil: the k from which on the rank of M^k stays,
 * M = (c E + A)^-1 E, E = dF/dy', A = dF/dy.                                    */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/random.h"
#include "compile/model.h"
#include "expr/derive.h"
#include "hybrid/hybrid.h"
#include "initial/initial.h"
#include "linalg/linsolver.h"
#include "linalg/scaling.h"
#include "linalg/svd.h"
#include "reduce/model_repair.h"

enum { PENCIL_MOST = 300, INDEX_MOST = 8 };

/* The next of a sequence spread over 0.06 .. 0.3. */
static double next_share(double *state)
{
    return 0.06 + 0.24 * spread_next(state, GOLDEN_RATIO);
}

/* Starts moved by a few percent, zeros by a little. */
static void choose_point(model *m)
{
    double state = 0.0;
    for (uint32_t j = 0; j < (uint32_t)m->n; j++) {
        double share = next_share(&state), y = m->start[j];
        double nominal = m->nominal[j] > 0.0 ? m->nominal[j] : 1.0;
        m->x[m->place.y + j] = y != 0.0 ? y * (1.0 + 0.2 * share) : share * nominal;
        m->x[m->place.yp + j] = next_share(&state) * nominal;
    }
}

static bool evaluate_parts(model *m, double c, double *values)
{
    daedal_system sys;
    model_describe_system(m, &sys);
    int32_t nnz = pattern_nnz(&m->pattern.view);
    if (sys.jacobian(m->x[0], m->x + m->place.y, m->x + m->place.yp, c, values, m) != 0)
        return false;
    for (int32_t q = 0; q < nnz; q++)
        if (!isfinite(values[q]))
            return false;
    return true;
}

/* By how much a solution exceeds its right-hand side; HUGE_VAL: no factors.  *most: the unknown
 * in which it does.                                                              */
static double growth_of(const model *m, const daedal_linsolver *solver, void *factors,
                        double *values, double *b, int32_t *most)
{
    enum { SWEEPS = 8 };
    const daedal_pattern *p = &m->pattern.view;
    double state = 0.0, growth = 0.0;
    scaling_by_roots_sparse(p, values, SWEEPS, NULL, NULL, b); /* units do not decide */
    if (solver->factor(factors, values) != DAEDAL_OK) {
        *most = solver->blame ? solver->blame(factors) : -1;
        return HUGE_VAL;
    }
    for (int32_t i = 0; i < m->n; i++)
        b[i] = next_share(&state);
    solver->solve(factors, b);
    for (int32_t j = 0; j < m->n; j++)
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++)
            if (fabs(b[j] * values[q]) > growth) {
                growth = fabs(b[j] * values[q]);
                *most = j;
            }
    return growth;
}

/* Of the matrix of the leading unknowns, where dy and dyp were evaluated; 0: not to be told. */
static double leading_growth(model *m, double *values, double *b, int32_t *most)
{
    const daedal_pattern *p = &m->pattern.view;
    const daedal_linsolver *solver = linsolver_choose(LINSOLVER_AUTO, p);
    void *factors = NULL;
    for (int32_t j = 0; j < m->n; j++)
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++)
            values[q] = m->differential[j] ? m->dyp[q] : m->dy[q];
    daedal_status status = solver->create(&factors, p, m->allocator);
    if (status == DAEDAL_ERR_MEMORY)
        return 0.0;
    double growth = status == DAEDAL_OK ? growth_of(m, solver, factors, values, b, most) : HUGE_VAL;
    if (factors)
        solver->destroy(factors);
    return growth;
}

static bool is_singular(model *m, double *values, double *b)
{
    int32_t most = -1;
    return leading_growth(m, values, b, &most) >= 1e12;
}

double model_leading_growth(model *m, int32_t *most)
{
    *most = -1;
    if (m->n == 0 || !m->has_jacobian)
        return 0.0;
    size_t nnz = (size_t)pattern_nnz(&m->pattern.view), n = nnz + (size_t)m->n;
    double *room = memory_take_array(m->allocator, n, sizeof(double)), growth = 0.0;
    if (room && evaluate_parts(m, 0.0, room))
        growth = leading_growth(m, room, room + nnz, most);
    memory_give(m->allocator, room, n * sizeof(double));
    return growth;
}

/* ---- the pencil ---- */

typedef struct pencil {
    int32_t n;
    double *e, *a; /* E and A, by columns */
    double *m, *power, *product;
    pattern pattern;
    svd s;
    block mem;
} pencil;

static void lay_out(void *object, layout *l)
{
    pencil *p = object;
    double **all[] = {&p->e, &p->a, &p->m, &p->power, &p->product};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        *all[k] = layout_take(l, (size_t)p->n * (size_t)p->n, sizeof(double));
}

static bool pencil_create(pencil *p, int32_t n, const daedal_allocator *a)
{
    *p = (pencil){.n = n};
    return block_create(&p->mem, a, lay_out, p) && svd_create(&p->s, n, a) &&
           pattern_full(&p->pattern, n, a);
}

static void pencil_free(pencil *p)
{
    svd_free(&p->s);
    pattern_free(&p->pattern);
    block_free(&p->mem);
}

static double largest(const double *v, size_t n)
{
    double most = DBL_MIN;
    for (size_t k = 0; k < n; k++)
        most = fmax(most, fabs(v[k]));
    return most;
}

/* p->m = (c E + A)^-1 c E by columns; false: singular. */
static bool make_matrix(pencil *p, const daedal_allocator *a)
{
    const daedal_linsolver *solver = daedal_linsolver_dense();
    size_t n = (size_t)p->n;
    void *factors = NULL;
    double c = 0.77 * largest(p->a, n * n) / largest(p->e, n * n);
    for (size_t k = 0; k < n * n; k++) {
        p->m[k] = c * p->e[k];
        p->product[k] = p->m[k] + p->a[k];
    }
    bool fine = solver->create(&factors, &p->pattern.view, a) == DAEDAL_OK &&
                solver->factor(factors, p->product) == DAEDAL_OK;
    for (size_t j = 0; j < n && fine; j++)
        solver->solve(factors, p->m + j * n);
    if (factors)
        solver->destroy(factors);
    return fine;
}

/* Of the power, whose entries are noise below `noise`. */
static int32_t rank_of(pencil *p, double noise)
{
    size_t nn = (size_t)p->n * (size_t)p->n;
    memcpy(p->s.a, p->power, nn * sizeof(double));
    return svd_decompose(&p->s) ? svd_rank(p->s.s, p->n, noise) : p->n;
}

static void multiply(pencil *p)
{
    size_t n = (size_t)p->n;
    memset(p->product, 0, n * n * sizeof(double));
    for (size_t j = 0; j < n; j++)
        for (size_t k = 0; k < n; k++) {
            double factor = p->power[j * n + k];
            for (size_t i = 0; i < n && factor != 0.0; i++)
                p->product[j * n + i] += p->m[k * n + i] * factor;
        }
    memcpy(p->power, p->product, n * n * sizeof(double));
}

/* The index of the local pencil; -1: it cannot be told.  *freedom: the rank that stays, the
 * number of finite eigenvalues.                                                  */
static int32_t index_of(pencil *p, const daedal_allocator *a, int32_t *freedom)
{
    int32_t index = -1, rank = p->n;
    if (!make_matrix(p, a))
        return -1;
    double size = largest(p->m, (size_t)p->n * (size_t)p->n), noise = 1e-11;
    memcpy(p->power, p->m, (size_t)p->n * (size_t)p->n * sizeof(double));
    for (int32_t k = 0; k <= INDEX_MOST && index < 0; k++) {
        noise *= fmin(size, 1.0);
        int32_t next = rank_of(p, noise);
        if (next == rank)
            index = k;
        rank = next;
        multiply(p);
    }
    *freedom = rank;
    return index;
}

/* That of the compiled system, where dy and dyp were evaluated. */
static int32_t pencil_index(model *m)
{
    pencil p;
    const daedal_pattern *pat = &m->pattern.view;
    int32_t index = -1, freedom = 0;
    if (pencil_create(&p, m->n, m->allocator)) {
        for (int32_t j = 0; j < m->n; j++)
            for (int32_t q = pat->start[j]; q < pat->start[j + 1]; q++) {
                size_t at = (size_t)j * (size_t)m->n + (size_t)pat->row[q];
                p.e[at] = m->dyp[q];
                p.a[at] = m->dy[q];
            }
        index = index_of(&p, m->allocator, &freedom);
    }
    pencil_free(&p);
    return index;
}

/* E and A of the equations as they are; false: something has no value or derivative. */
static bool fill_pencil(pencil *p, expr_deriver *d, const equations *system, const expr_source *at)
{
    for (int32_t i = 0; i < system->n; i++) {
        expr_gradient g = {0};
        if (expr_gradient_of(d, system->residual[i], &g, NULL) != EXPR_OK)
            return false;
        for (size_t k = 0; k < g.n; k++) {
            equations_place to = system->place(system->user, g.entry[k].variable);
            size_t place = (size_t)to.unknown * (size_t)p->n + (size_t)i;
            double *v = to.order > 0 ? &p->e[place] : &p->a[place];
            if (expr_evaluate(system->g, g.entry[k].derivative, at, v) != 0 || !isfinite(*v))
                return false;
        }
    }
    return true;
}

static double value_near_start(void *user, uint32_t symbol)
{
    return model_generic_value(user, 0, symbol);
}

static int call_function(void *user, uint32_t function, const double *args, double *outputs)
{
    const model *m = user;
    return flat_call(m->flat->functions, function, args, outputs);
}

int32_t model_measure_index(model *m, const equations *system, int32_t *freedom)
{
    expr_source at = {value_near_start, call_function, m};
    pencil p;
    int32_t index = -1;
    if (system->n > PENCIL_MOST)
        return -1;
    expr_selection selection = {model_is_unknown, m, flat_partials(m->flat)};
    expr_deriver *d = expr_deriver_create(system->g, &selection);
    if (pencil_create(&p, system->n, m->allocator) && d && fill_pencil(&p, d, system, &at))
        index = index_of(&p, m->allocator, freedom);
    expr_deriver_free(d);
    pencil_free(&p);
    return index;
}

daedal_status model_check_index(model *m)
{
    if (m->n == 0 || !m->has_jacobian || model_prepare_values(m) != DAEDAL_OK) {
        diagnosis_clear(&m->why);
        return DAEDAL_OK;
    }
    bool changed = false;
    choose_point(m);
    size_t nnz = (size_t)pattern_nnz(&m->pattern.view), n = nnz + (size_t)m->n;
    double *room = memory_take_array(m->allocator, n, sizeof(double));
    if (!room)
        return DAEDAL_ERR_MEMORY;
    if (model_update_relations(m, true, &changed) == 0 && evaluate_parts(m, 0.0, room) &&
        is_singular(m, room, room + nnz) && m->n <= PENCIL_MOST) {
        int32_t lowered = 0, index = pencil_index(m);
        for (int32_t k = 0; k < m->n_constraints; k++)
            lowered = -m->constraint[k].level > lowered ? -m->constraint[k].level : lowered;
        if (index >= 0 && index + lowered > m->report.index)
            m->report.index = index + lowered;
        if (index > m->index_left || (index >= 0 && index > m->report.index)) {
            m->index_left = index > m->index_left ? index : m->index_left;
            m->report.index = index > m->report.index ? index : m->report.index;
        }
    }
    memory_give(m->allocator, room, n * sizeof(double));
    return DAEDAL_OK;
}
