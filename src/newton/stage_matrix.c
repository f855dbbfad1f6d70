/* newton/stage_matrix.c - see stage_matrix.h.
 *
 * With P = gamma K + J, the matrix P^-1 ((alpha + i beta) K + J) = I + (alpha - gamma + i beta)
 * P^-1 K has its eigenvalues in a disc around one whatever K and J are, if those of P^-1 K are real
 * and between 0 and 1/gamma: GMRES then gains a factor of four or five an iteration (order 5). */
#include "newton/stage_matrix.h"

#include <math.h>
#include <string.h>

#include "linalg/linsolver.h"
#include "newton/inexact_solve.h"

enum { LENGTH = 20, LARGE = 1000 };
static const double ACCURACY = 0.01;     /* of a complex solve, relative; docs/theory/krylov.md  */
static const double COSTLY_FACTORS = 20; /* a real factorization in solves, from which GMRES wins */

static void lay_out(void *object, layout *l)
{
    stage_matrix *m = object;
    bool factors = m->n_pairs > 0 && !m->space, iterates = m->n_pairs > 0 && m->space;
    size_t nnz = factors ? (size_t)pattern_nnz(&m->matrix->pattern.view) : 0;
    m->re = layout_take(l, nnz, sizeof *m->re);
    m->im = layout_take(l, nnz, sizeof *m->im);
    size_t both = iterates ? 2 * (size_t)m->matrix->ev->n : 0;
    m->both = layout_take(l, both, sizeof *m->both);
    m->slope = layout_take(l, matrix_is_free(m->matrix) ? both : 0, sizeof *m->slope);
}

/* Whether complex factors would cost much more than solves with the real ones. */
static bool is_costly(const iteration_matrix *matrix)
{
    daedal_pattern p = matrix_first_block(&matrix->pattern.view, matrix->repeats);
    linsolver_forecast f;
    if (p.n_cols < LARGE || matrix->solver != daedal_linsolver_klu())
        return false;
    linsolver_choose_foretold(LINSOLVER_AUTO, &p, &f);
    linsolver_forecast_free(&f);
    return linsolver_factor_price(&p, &f) >= COSTLY_FACTORS;
}

static daedal_status create_space(stage_matrix *m)
{
    gmres_size size = {.n = m->matrix->ev->n,
                       .is_complex = true,
                       .length = LENGTH,
                       .parallel = m->matrix->ev->space.parallel};
    m->space = gmres_create(&size, m->allocator);
    if (!m->space || !block_create(&m->mem, m->allocator, lay_out, m))
        return DAEDAL_ERR_MEMORY;
    return DAEDAL_OK;
}

static daedal_status create_factors(stage_matrix *m)
{
    iteration_matrix *matrix = m->matrix;
    daedal_pattern first = matrix_first_block(&matrix->pattern.view, matrix->repeats);
    daedal_status status =
        block_create(&m->mem, m->allocator, lay_out, m) ? DAEDAL_OK : DAEDAL_ERR_MEMORY;
    for (int32_t k = 0; k < m->n_pairs && status == DAEDAL_OK; k++)
        status =
            m->solver->create(&m->pair[k], matrix->solver, matrix->factors, &first, m->allocator);
    return status;
}

daedal_status stage_matrix_create(stage_matrix *m, iteration_matrix *matrix, int32_t n_pairs,
                                  bool may_iterate, const daedal_allocator *a)
{
    *m = (stage_matrix){.matrix = matrix, .n_pairs = n_pairs, .allocator = a};
    m->solver = complex_solver_of(matrix->solver);
    bool iterates = n_pairs > 0 && (matrix->inexact || (may_iterate && is_costly(matrix)));
    daedal_status status = iterates ? create_space(m) : create_factors(m);
    if (status != DAEDAL_OK)
        stage_matrix_free(m);
    return status;
}

void stage_matrix_free(stage_matrix *m)
{
    for (int32_t k = 0; k < m->n_pairs; k++)
        if (m->pair[k])
            m->solver->destroy(m->pair[k]);
    gmres_free(m->space);
    block_free(&m->mem);
    m->space = NULL;
    m->n_pairs = 0;
}

bool stage_matrix_copy(stage_matrix *m, const stage_matrix *from)
{
    if (m->space || from->space)
        return false;
    for (int32_t k = 0; m->solver->copy && k < m->n_pairs; k++)
        m->solver->copy(m->pair[k], from->pair[k]);
    return m->solver->copy != NULL;
}

/* The iteration matrix counts the growth of its own solver; this adds that of the others. */
static void count_growth(stage_matrix *m)
{
    for (int32_t k = 0; k < m->n_pairs && !m->space && m->solver->reallocations; k++)
        m->matrix->ev->stats->solver_reallocations += m->solver->reallocations(m->pair[k]);
}

daedal_status stage_matrix_factor_pairs(stage_matrix *m, const stage_shifts *shifts)
{
    int32_t nnz = pattern_nnz(&m->matrix->pattern.view) / m->matrix->repeats;
    const double *dy = m->matrix->dy, *dyp = m->matrix->dyp;
    daedal_status status = DAEDAL_OK;
    m->shifts = *shifts;
    for (int32_t k = 0; k < shifts->n_pairs && status == DAEDAL_OK && !m->space; k++) {
        double alpha = shifts->alpha[k], beta = shifts->beta[k];
        for (int32_t q = 0; q < nnz; q++) {
            m->re[q] = dy[q] + alpha * dyp[q];
            m->im[q] = beta * dyp[q];
        }
        status = m->solver->factor(m->pair[k], m->re, m->im);
    }
    return status;
}

daedal_status stage_matrix_factor(stage_matrix *m, const stage_shifts *shifts)
{
    daedal_status status = matrix_factor(m->matrix, shifts->gamma);
    if (status != DAEDAL_OK)
        return status;
    if (!m->space)
        m->matrix->ev->stats->factorizations += shifts->n_pairs;
    status = stage_matrix_factor_pairs(m, shifts);
    count_growth(m);
    return status;
}

bool stage_matrix_is_inexact(const stage_matrix *m)
{
    return m->space || matrix_is_iterative(m->matrix);
}

/* ---- by GMRES -------------------------------------------------------------- */

/* The product by differences of F in two directions. */
static int multiply_freely(const stage_matrix *m, const double *v, double *out)
{
    double alpha = m->shifts.alpha[m->solving], beta = m->shifts.beta[m->solving];
    int32_t n = m->matrix->ev->n;
    for (int32_t j = 0; j < n; j++) {
        m->slope[j] = alpha * v[j] - beta * v[n + j];
        m->slope[n + j] = alpha * v[n + j] + beta * v[j];
    }
    m->matrix->ev->stats->jacobian_products++;
    int answer = inexact_solve_direction(m->matrix, v, m->slope, out);
    return answer == DAEDAL_CALL_OK
               ? inexact_solve_direction(m->matrix, v + n, m->slope + n, out + n)
               : answer;
}

static int multiply(void *self, const double *v, double *out)
{
    const stage_matrix *m = self;
    if (matrix_is_free(m->matrix))
        return multiply_freely(m, v, out);
    const daedal_pattern *p = &m->matrix->pattern.view;
    const double *dy = m->matrix->dy, *dyp = m->matrix->dyp;
    double alpha = m->shifts.alpha[m->solving], beta = m->shifts.beta[m->solving];
    int32_t n = p->n_cols;
    memset(out, 0, 2 * (size_t)n * sizeof *out);
    for (int32_t j = 0; j < n; j++) {
        double re = v[j], im = v[n + j], k_re = alpha * re - beta * im,
               k_im = alpha * im + beta * re;
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++) {
            out[p->row[q]] += dy[q] * re + dyp[q] * k_re;
            out[n + p->row[q]] += dy[q] * im + dyp[q] * k_im;
        }
    }
    m->matrix->ev->stats->jacobian_products++;
    return DAEDAL_CALL_OK;
}

static int precondition(void *self, double *v)
{
    const stage_matrix *m = self;
    int answer = matrix_precondition(m->matrix, v);
    return answer == DAEDAL_CALL_OK ? matrix_precondition(m->matrix, v + m->matrix->ev->n) : answer;
}

/* GMRES failed: complex factors, from now on.  False: these fail too. */
static bool take_factors(stage_matrix *m)
{
    gmres_free(m->space);
    block_free(&m->mem);
    m->space = NULL;
    matrix_give_up(m->matrix);
    m->matrix->ev->stats->factorizations += m->shifts.n_pairs;
    return create_factors(m) == DAEDAL_OK && stage_matrix_factor_pairs(m, &m->shifts) == DAEDAL_OK;
}

static void solve_directly(stage_matrix *m, int32_t k, double *re, double *im)
{
    size_t n = (size_t)m->matrix->ev->n / (size_t)m->matrix->repeats;
    for (size_t i = 0; i < (size_t)m->matrix->repeats; i++)
        m->solver->solve(m->pair[k], re + i * n, im + i * n);
}

static void solve_by_gmres(stage_matrix *m, int32_t k, const double *inverse_weight, double *re,
                           double *im)
{
    daedal_stats *stats = m->matrix->ev->stats;
    size_t n = (size_t)m->matrix->ev->n, bytes = n * sizeof(double);
    gmres_problem p = {.apply = multiply,
                       .precondition = precondition,
                       .self = m,
                       .inverse_weight = inverse_weight,
                       .relative = ACCURACY};
    m->solving = k;
    memcpy(m->both, re, bytes);
    memcpy(m->both + n, im, bytes);
    gmres_result r = gmres_solve(m->space, &p, m->both);
    stats->krylov_iterations += r.iterations;
    if (r.verdict == GMRES_CONVERGED) {
        memcpy(re, m->both, bytes);
        memcpy(im, m->both + n, bytes);
        return;
    }
    stats->krylov_failures++;
    if (!matrix_is_free(m->matrix) && take_factors(m))
        solve_directly(m, k, re, im);
    else
        re[0] = NAN; /* Newton's iteration fails */
}

void stage_matrix_solve_pair(stage_matrix *m, int32_t k, const double *inverse_weight, double *re,
                             double *im)
{
    if (m->space) {
        solve_by_gmres(m, k, inverse_weight, re, im);
        return;
    }
    m->matrix->ev->stats->solves++;
    solve_directly(m, k, re, im);
}
