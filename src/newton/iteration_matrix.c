/* newton/iteration_matrix.c - see iteration_matrix.h.
 *
 * The two parts come from one of four sources:
 *   user's Jacobian J(c) = dF/dy + c dF/dy':  dF/dy = J(0), dF/dy' = (J(c) - J(0))/c
 *   mass form with df/dy:      dF/dy' = M, dF/dy = -df/dy (+ d(M y')/dy by differences
 *                              where M depends on y)
 *   mass form without:         dF/dy' = M, dF/dy by differences
 *   nothing given:             both by differences, their columns coloured together
 * A matrix without entries, of a system that is spread over ranks, has no parts: GMRES
 * takes differences of F in the directions it needs, and the preconditioner is the user's.  */
#include "newton/iteration_matrix.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/random.h"
#include "linalg/linsolver.h"
#include "linalg/vector.h"
#include "newton/difference_jacobian.h"
#include "newton/inexact_solve.h"
#include "newton/missing_entries.h"
#include "newton/overflown_entries.h"

static const double SOLVE_ACCURACY = 1e-8; /* of GMRES, where no other one is asked for */
static const double ESTIMATE_ACCURACY = 1e-2;

static bool uses_user_jacobian(const iteration_matrix *m)
{
    return !m->by_differences && m->ev->sys->jacobian != NULL;
}

static bool uses_rhs_jacobian(const iteration_matrix *m)
{
    return !m->by_differences && evaluator_is_mass_form(m->ev) && m->ev->sys->rhs_jacobian;
}

static bool uses_given_mass(const iteration_matrix *m)
{
    return evaluator_is_mass_form(m->ev);
}

static bool needs_differences(const iteration_matrix *m)
{
    if (uses_user_jacobian(m) || matrix_is_free(m))
        return false;
    return !uses_rhs_jacobian(m) || m->ev->sys->mass_kind == DAEDAL_MASS_OF_STATE;
}

static void lay_out(void *object, layout *l)
{
    iteration_matrix *m = object;
    size_t n = (size_t)m->ev->n;
    size_t nnz = (size_t)pattern_nnz(&m->pattern.view);
    size_t nnz_dy = (size_t)pattern_nnz(&m->part[0].view);
    size_t nnz_dyp = (size_t)pattern_nnz(&m->part[1].view);
    m->dy = layout_take(l, nnz, sizeof(double));
    m->dyp = layout_take(l, nnz, sizeof(double));
    m->values = layout_take(l, nnz, sizeof(double));
    m->given = layout_take(l, uses_rhs_jacobian(m) ? nnz_dy : 0, sizeof(double));
    m->part_at[0] = layout_take(l, nnz_dy, sizeof(int32_t));
    m->part_at[1] = layout_take(l, nnz_dyp, sizeof(int32_t));
    m->dyp_at = layout_take(l, nnz_dyp, sizeof(int32_t));
    m->dyp_row = layout_take(l, nnz_dyp, sizeof(int32_t));
    m->dyp_col = layout_take(l, nnz_dyp, sizeof(int32_t));
    m->growth = layout_take(l, 2 * n, sizeof(double));
    m->settled = layout_take(l, 2 * n, sizeof(bool));
    m->useful = layout_take(l, 2 * n, sizeof(double));
    m->missing = layout_take(l, 2 * n, sizeof(int32_t));
    m->known[0] = layout_take(l, nnz_dy, sizeof(bool));
    m->known[1] = layout_take(l, nnz_dyp, sizeof(bool));
    m->increment = layout_take(l, 2 * n, sizeof(double));
    double **vectors[] = {&m->y, &m->yp, &m->r, &m->r0, &m->least_move};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        *vectors[i] = layout_take(l, n, sizeof(double));
}

daedal_pattern matrix_first_block(const daedal_pattern *p, int32_t repeats)
{
    daedal_pattern first = *p;
    if (repeats > 1) {
        first.n_rows /= repeats;
        first.n_cols /= repeats;
    }
    return first;
}

/* The patterns of the parts, and of their sum. */
static bool keep_patterns(iteration_matrix *m, const matrix_setup *setup)
{
    const daedal_allocator *a = setup->allocator;
    m->part[0].view = *setup->dy;
    m->part[1].view = *setup->dyp;
    return (setup->patterns_stay || (pattern_copy(&m->part[0], setup->dy, a) &&
                                     pattern_copy(&m->part[1], setup->dyp, a))) &&
           pattern_union(&m->pattern, setup->dy, setup->dyp, a);
}

daedal_status matrix_create(iteration_matrix *m, const matrix_setup *setup)
{
    const daedal_allocator *a = setup->allocator;
    *m = (iteration_matrix){.ev = setup->ev,
                            .c = NAN,
                            .solver = setup->solver,
                            .repeats = setup->repeats > 1 ? setup->repeats : 1,
                            .by_differences = setup->by_differences};
    if (!keep_patterns(m, setup) || !block_create(&m->mem, a, lay_out, m))
        return DAEDAL_ERR_MEMORY;
    for (int which = 0; which < 2; which++)
        pattern_locate(&m->pattern.view, &m->part[which].view, m->part_at[which]);
    if (needs_differences(m) &&
        !colouring_create(&m->colours, setup->dy, uses_given_mass(m) ? NULL : setup->dyp, a))
        return DAEDAL_ERR_MEMORY;
    if (setup->is_watched && needs_differences(m)) {
        m->watch = missing_entries_create(setup->ev->n, a);
        if (!m->watch)
            return DAEDAL_ERR_MEMORY;
    }
    if (setup->inexact)
        return inexact_solve_create(&m->inexact, m, setup->inexact, a);
    daedal_pattern first = matrix_first_block(&m->pattern.view, m->repeats);
    return m->solver ? linsolver_create(m->solver, &first, setup->forecast, a, &m->factors)
                     : DAEDAL_OK;
}

void matrix_free(iteration_matrix *m)
{
    if (m->factors)
        m->solver->destroy(m->factors);
    if (m->whole)
        m->solver->destroy(m->whole);
    inexact_solve_free(m->inexact);
    colouring_free(&m->colours);
    block_free(&m->mem);
    pattern_free(&m->pattern);
    pattern_free(&m->part[0]);
    pattern_free(&m->part[1]);
    missing_entries_free(m->watch);
    m->factors = m->whole = NULL;
    m->watch = NULL;
    m->inexact = NULL;
}

bool matrix_copy(iteration_matrix *to, const iteration_matrix *from)
{
    block_copy(&to->mem, &from->mem);
    to->n_dyp = from->n_dyp;
    to->dyp_is_diagonal = from->dyp_is_diagonal;
    bool copied =
        to->factors && from->factors && linsolver_copy(to->solver, to->factors, from->factors);
    if (to->inexact && from->inexact)
        inexact_solve_copy(to->inexact, from->inexact);
    to->c = copied ? from->c : NAN;
    to->factor_price = copied ? from->factor_price : 0.0;
    return copied;
}

void matrix_forget(iteration_matrix *m)
{
    if (m->factors)
        linsolver_forget(m->solver, m->factors);
}

/* The part's values from `given`, which is in the part's own order, times sign. */
static void scatter(const iteration_matrix *m, int which, const double *given, double sign)
{
    double *values = which == 0 ? m->dy : m->dyp;
    int32_t nnz = pattern_nnz(&m->part[which].view);
    for (int32_t q = 0; q < nnz; q++)
        values[m->part_at[which][q]] += sign * given[q];
}

/* A judge of entries says which entry is bad; people know rows. */
static int judge_entries(iteration_matrix *m, int answer, double t, const double *values,
                         const daedal_pattern *p)
{
    evaluator_trouble *tr = &m->ev->trouble;
    answer = evaluator_judge(m->ev, answer, "Jacobian", t, values, pattern_nnz(p));
    if (answer != DAEDAL_CALL_OK && tr->not_finite >= 0 && tr->not_finite < pattern_nnz(p))
        tr->not_finite = p->row[tr->not_finite];
    return answer;
}

static int call_jacobian(iteration_matrix *m, const matrix_point *at, double c, double *values)
{
    const daedal_system *sys = m->ev->sys;
    size_t nnz = (size_t)pattern_nnz(&m->pattern.view);
    memset(values, 0, nnz * sizeof *values);
    if (evaluator_is_stopped(m->ev))
        return DAEDAL_CALL_STOP;
    int answer = sys->jacobian(at->t, at->y, at->yp, c, values, sys->user);
    if (answer == DAEDAL_CALL_OK && !vector_all_finite(values, (int32_t)nnz))
        answer = overflown_entries_mend(m, at, c, values);
    return judge_entries(m, answer, at->t, values, &m->pattern.view);
}

/* J(c) - J(0) keeps the more digits of dF/dy' the larger c is: it takes the size of dF/dy,
 * or the 1/h of the step if that is larger.                                     */
static int from_user_jacobian(iteration_matrix *m, const matrix_point *at)
{
    int32_t nnz = pattern_nnz(&m->pattern.view);
    int answer = call_jacobian(m, at, 0.0, m->dy);
    double c = copysign(fmax(1.0 / fabs(at->h), vector_max_abs(m->dy, nnz)), at->h);
    if (answer == DAEDAL_CALL_OK)
        answer = call_jacobian(m, at, c, m->dyp);
    for (int32_t q = 0; q < nnz; q++)
        m->dyp[q] = (m->dyp[q] - m->dy[q]) / c;
    return answer;
}

static int add_rhs_jacobian(iteration_matrix *m, const matrix_point *at)
{
    const daedal_system *sys = m->ev->sys;
    int32_t nnz = pattern_nnz(&m->part[0].view);
    memset(m->given, 0, (size_t)nnz * sizeof *m->given);
    if (evaluator_is_stopped(m->ev))
        return DAEDAL_CALL_STOP;
    int answer = sys->rhs_jacobian(at->t, at->y, m->given, sys->user);
    answer = judge_entries(m, answer, at->t, m->given, &m->part[0].view);
    if (answer == DAEDAL_CALL_OK)
        scatter(m, 0, m->given, -1.0);
    return answer;
}

static int from_parts(iteration_matrix *m, const matrix_point *at)
{
    size_t bytes = (size_t)pattern_nnz(&m->pattern.view) * sizeof(double);
    memset(m->dy, 0, bytes);
    memset(m->dyp, 0, bytes);
    int answer = DAEDAL_CALL_OK;
    if (needs_differences(m))
        answer = difference_jacobian_evaluate(
            m, at, uses_rhs_jacobian(m) ? DIFFERENCE_MASS_PRODUCT : DIFFERENCE_RESIDUAL);
    if (answer == DAEDAL_CALL_OK && uses_rhs_jacobian(m))
        answer = add_rhs_jacobian(m, at);
    if (answer == DAEDAL_CALL_OK && uses_given_mass(m)) {
        answer = evaluator_mass(m->ev, at->t, at->y);
        if (answer == DAEDAL_CALL_OK)
            scatter(m, 1, m->ev->mass, 1.0);
    }
    return answer;
}

/* Whether the entries that are listed, and no others, are not zero. */
static bool dyp_is_indexed(const iteration_matrix *m)
{
    const int32_t nnz = pattern_nnz(&m->pattern.view);
    double product = 1.0;
    if (vector_count_nonzero(m->dyp, nnz) != m->n_dyp)
        return false;
    for (int32_t k = 0; k < m->n_dyp && product != 0.0; k++)
        product = m->dyp[m->dyp_at[k]];
    return product != 0.0;
}

/* List the entries of dF/dy' that are not zero. */
static void index_dyp(iteration_matrix *m)
{
    const daedal_pattern *p = &m->part[1].view;
    if (dyp_is_indexed(m))
        return;
    m->n_dyp = 0;
    m->dyp_is_diagonal = true;
    for (int32_t j = 0; j < p->n_cols; j++)
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++) {
            int32_t at = m->part_at[1][q];
            if (m->dyp[at] != 0.0) {
                m->dyp_is_diagonal = m->dyp_is_diagonal && p->row[q] == j;
                m->dyp_at[m->n_dyp] = at;
                m->dyp_row[m->n_dyp] = p->row[q];
                m->dyp_col[m->n_dyp++] = j;
            }
        }
}

void matrix_take_parts(iteration_matrix *m)
{
    m->ev->stats->jacobians++;
    index_dyp(m);
}

int matrix_evaluate(iteration_matrix *m, const matrix_point *at)
{
    m->ev->stats->jacobians++;
    if (matrix_is_free(m)) {
        inexact_solve_note_point(m->inexact, at);
        return DAEDAL_CALL_OK;
    }
    int answer = uses_user_jacobian(m) ? from_user_jacobian(m, at) : from_parts(m, at);
    if (answer == DAEDAL_CALL_OK)
        index_dyp(m);
    if (answer == DAEDAL_CALL_OK && m->inexact)
        inexact_solve_note_point(m->inexact, at);
    return answer;
}

/* ---- factors, or a preconditioner in their place ---- */

/* Whether the values of all blocks are those of the first. */
static bool blocks_are_equal(const iteration_matrix *m)
{
    size_t nnz = (size_t)pattern_nnz(&m->pattern.view) / (size_t)m->repeats;
    bool equal = true;
    for (int32_t k = 1; k < m->repeats && equal; k++)
        equal = memcmp(m->values, m->values + (size_t)k * nnz, nnz * sizeof(double)) == 0;
    return equal;
}

static daedal_status factor_directly(iteration_matrix *m)
{
    m->ev->stats->factorizations++;
    m->is_whole = !blocks_are_equal(m);
    void **factors = m->is_whole ? &m->whole : &m->factors;
    daedal_pattern first = matrix_first_block(&m->pattern.view, m->is_whole ? 1 : m->repeats);
    if (!*factors && m->solver->create(factors, &first, m->mem.allocator))
        return DAEDAL_ERR_MEMORY;
    daedal_status status = m->solver->factor(*factors, m->values);
    if (m->solver->reallocations)
        m->ev->stats->solver_reallocations = m->solver->reallocations(*factors);
    /* dense elimination, 2/3 n^3 against 2 n^2, where a solver does not say */
    m->factor_price =
        m->solver->factor_cost ? m->solver->factor_cost(*factors) : first.n_cols / 3.0;
    if (!m->is_whole)
        m->factor_price /= m->repeats;
    return status;
}

void matrix_use_factors(iteration_matrix *m)
{
    inexact_solve_free(m->inexact);
    m->inexact = NULL;
    m->is_bypassed = false;
    m->c = NAN;
}

/* A preconditioner of ours that is singular says nothing about the matrix: factor that. */
static daedal_status factor_values(iteration_matrix *m, double c)
{
    daedal_status status = DAEDAL_ERR_SINGULAR;
    m->is_bypassed = false;
    if (m->inexact && m->inexact->is_given_up)
        matrix_use_factors(m);
    if (m->inexact)
        status = inexact_solve_setup(m, c, isnan(c));
    if (status == DAEDAL_ERR_SINGULAR && !matrix_is_free(m)) {
        m->is_bypassed = m->inexact != NULL;
        status = factor_directly(m);
    }
    m->c = status == DAEDAL_OK ? c : NAN;
    return status;
}

daedal_status matrix_factor(iteration_matrix *m, double c)
{
    int32_t nnz = pattern_nnz(&m->pattern.view);
    for (int32_t q = 0; q < nnz; q++)
        m->values[q] = m->dy[q] + c * m->dyp[q];
    return factor_values(m, c);
}

daedal_status matrix_factor_mixed(iteration_matrix *m, const double *share_y,
                                  const double *share_yp)
{
    const daedal_pattern *p = &m->pattern.view;
    for (int32_t j = 0; j < p->n_cols; j++)
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++)
            m->values[q] = share_y[j] * m->dy[q] + share_yp[j] * m->dyp[q];
    daedal_status status = factor_values(m, NAN);
    m->c = NAN; /* not a matrix that a step could use */
    return status;
}

/* A right-hand side of the size of the rows, and a solution measured by the size of the
 * columns: how much larger it is estimates the condition of the equilibrated matrix.  */
double matrix_condition(iteration_matrix *m)
{
    const daedal_pattern *p = &m->pattern.view;
    double state = 0.0, growth = 0.0;
    memset(m->r, 0, (size_t)p->n_cols * sizeof *m->r);
    for (int32_t q = 0; q < p->start[p->n_cols]; q++)
        m->r[p->row[q]] = fmax(m->r[p->row[q]], fabs(m->values[q]));
    for (int32_t i = 0; i < p->n_cols; i++)
        m->r[i] *= spread_share(&state);
    matrix_solve_to(m, ESTIMATE_ACCURACY, m->r);
    for (int32_t j = 0; j < p->n_cols; j++) {
        double size = vector_max_abs(m->values + p->start[j], p->start[j + 1] - p->start[j]);
        growth = fmax(growth, fabs(m->r[j]) * size);
    }
    return isnan(growth) ? INFINITY : growth;
}

bool matrix_is_nearly_singular(iteration_matrix *m)
{
    const double hopeless = 1e13;
    return !(matrix_condition(m) < hopeless);
}

int32_t matrix_blame(const iteration_matrix *m)
{
    void *factors = m->is_whole ? m->whole : m->factors;
    return factors && m->solver->singular_column ? m->solver->singular_column(factors) : -1;
}

bool matrix_is_iterative(const iteration_matrix *m)
{
    return m->inexact && !m->is_bypassed;
}

bool matrix_is_current(const iteration_matrix *m)
{
    return matrix_is_iterative(m) && m->inexact->settings.krylov_product != PRODUCT_MATRIX;
}

static void solve_directly(iteration_matrix *m, double *b)
{
    int32_t n = m->ev->n / m->repeats;
    m->ev->stats->solves++;
    if (m->is_whole)
        m->solver->solve(m->whole, b);
    else if (m->repeats == 1)
        m->solver->solve(m->factors, b);
    else
        linsolver_solve_many(m->solver, m->factors, b, n, m->repeats);
}

bool matrix_solve_many(iteration_matrix *m, double *b, int32_t count)
{
    if (m->repeats > 1 || matrix_is_iterative(m) || !m->factors || isnan(m->c))
        return false;
    m->ev->stats->solves++;
    linsolver_solve_many(m->solver, m->factors, b, m->ev->n, count);
    return true;
}

bool matrix_solve_first_block(iteration_matrix *m, double *b)
{
    if (m->is_whole || matrix_is_iterative(m) || !m->factors || isnan(m->c))
        return false;
    m->solver->solve(m->factors, b);
    return true;
}

/* Factors of the values at hand in place of a preconditioner that did not serve, for this matrix
 * only.  Without them b is nothing, and whoever asked will see that.            */
static void bypass(iteration_matrix *m, double *b)
{
    if (matrix_is_free(m)) {
        for (int32_t i = 0; i < m->ev->n; i++)
            b[i] = NAN;
        return;
    }
    if (!isnan(m->c))
        matrix_note_failure(m, false);
    m->is_bypassed = factor_directly(m) == DAEDAL_OK;
    if (m->is_bypassed)
        solve_directly(m, b);
    else
        b[0] = NAN;
}

void matrix_solve_within(iteration_matrix *m, double relative, double absolute, double *b)
{
    if (!matrix_is_iterative(m)) {
        solve_directly(m, b);
        return;
    }
    if (inexact_solve_by_values(m, relative, absolute, b) != MATRIX_SOLVED)
        bypass(m, b);
}

void matrix_solve_to(iteration_matrix *m, double relative, double *b)
{
    matrix_solve_within(m, relative, 0.0, b);
}

int matrix_precondition(iteration_matrix *m, double *b)
{
    if (matrix_is_iterative(m))
        return inexact_solve_precondition(m, b) ? DAEDAL_CALL_OK : m->ev->trouble.answer;
    solve_directly(m, b);
    return DAEDAL_CALL_OK;
}

void matrix_solve(iteration_matrix *m, double *b)
{
    matrix_solve_to(m, SOLVE_ACCURACY, b);
}

void matrix_solve_roughly(iteration_matrix *m, double *b)
{
    bool has_units = matrix_is_iterative(m) && inexact_solve_resembles(m->inexact);
    if (!has_units || !inexact_solve_precondition(m, b))
        matrix_solve_to(m, ESTIMATE_ACCURACY, b);
}

matrix_outcome matrix_solve_at(iteration_matrix *m, const matrix_linear *at, double *b)
{
    if (matrix_is_iterative(m))
        return inexact_solve_at(m, at, b);
    solve_directly(m, b);
    return MATRIX_SOLVED;
}

bool matrix_wants_new_parts(const iteration_matrix *m)
{
    return matrix_is_iterative(m) && inexact_solve_is_worse(m->inexact);
}

const char *matrix_solver_name(const iteration_matrix *m)
{
    return m->inexact && !m->inexact->is_given_up ? "gmres" : m->solver->name;
}

const char *matrix_preconditioner_name(const iteration_matrix *m)
{
    return m->inexact ? preconditioner_name(m->inexact->step) : NULL;
}

const inexact_settings *matrix_inexact_settings(const iteration_matrix *m)
{
    return m->inexact && !m->inexact->is_given_up ? &m->inexact->settings : NULL;
}

/* Others may still use the preconditioner in this step: the next factorization is one. */
void matrix_give_up(iteration_matrix *m)
{
    if (!m->inexact || !m->inexact->is_given_up)
        m->ev->stats->direct_fallbacks++;
    if (m->inexact)
        m->inexact->is_given_up = true;
}

void matrix_note_success(iteration_matrix *m)
{
    if (!m->inexact || matrix_is_free(m))
        return;
    m->inexact->strikes = 0;
    if (!inexact_solve_is_too_slow(m))
        return;
    m->is_too_slow = true;
    matrix_give_up(m);
}

void matrix_note_failure(iteration_matrix *m, bool of_newton)
{
    if (!matrix_is_iterative(m) || matrix_is_free(m) || !inexact_solve_is_hopeless(m, of_newton))
        return;
    matrix_give_up(m);
}

void matrix_scale_rows(const iteration_matrix *m, const double *inverse_weight, double h,
                       double *scale)
{
    const daedal_pattern *p = &m->pattern.view;
    for (int32_t i = 0; i < m->ev->n; i++)
        scale[i] = 0.0;
    const double rate = 1.0 / h;
    for (int32_t j = 0; j < m->ev->n; j++) {
        double weight = 1.0 / inverse_weight[j];
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++)
            scale[p->row[q]] += (fabs(m->dy[q]) + fabs(m->dyp[q]) * rate) * weight;
    }
}

void matrix_term_noise(const iteration_matrix *m, const double *y, const double *yp, double *out)
{
    const daedal_pattern *p = &m->pattern.view;
    memset(out, 0, (size_t)p->n_cols * sizeof *out);
    for (int32_t j = 0; j < p->n_cols; j++)
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++)
            out[p->row[q]] += fabs(m->dy[q] * y[j]) + fabs(m->dyp[q] * yp[j]);
    double state = 0.0;
    for (int32_t i = 0; i < p->n_cols; i++)
        out[i] *= DBL_EPSILON * spread_share(&state);
}

void matrix_noise(iteration_matrix *m, const double *y, const double *yp, double *out)
{
    const double roundoffs = 10.0;
    if (!matrix_is_free(m)) {
        matrix_term_noise(m, y, yp, out);
        matrix_solve_roughly(m, out);
        return;
    }
    double most = roundoffs * DBL_EPSILON * space_max_abs(&m->ev->space, y);
    for (int32_t i = 0; i < m->ev->n; i++)
        out[i] = most;
}

void matrix_add_noise_of_time(iteration_matrix *m, double t, const double *y, const double *yp,
                              double *out)
{
    const double units = 4.0; /* more than one, to see them through the roundoff of F */
    double dt = units * DBL_EPSILON * fabs(t);
    if (evaluator_residual(m->ev, t + dt, y, yp, m->r) != DAEDAL_CALL_OK ||
        evaluator_residual(m->ev, t, y, yp, m->r0) != DAEDAL_CALL_OK)
        return;
    for (int32_t i = 0; i < m->ev->n; i++)
        m->r[i] -= m->r0[i];
    matrix_solve_roughly(m, m->r);
    for (int32_t i = 0; i < m->ev->n; i++)
        out[i] = fabs(out[i]) + fabs(m->r[i]);
}

/* A move of y' that belongs to one of a tolerance in y. */
static void difference_dyp(const iteration_matrix *m, const double *v, double *out)
{
    inexact_solve *x = m->inexact;
    double size = space_wrms(&m->ev->space, v, x->inverse_weight);
    double move = size > 0.0 ? fabs(m->c) / size : 0.0;
    for (int32_t i = 0; i < m->ev->n; i++) {
        m->r[i] = move * v[i];
        m->r0[i] = 0.0;
    }
    bool known = move > 0.0 && inexact_solve_direction(m, m->r0, m->r, out) == DAEDAL_CALL_OK;
    for (int32_t i = 0; i < m->ev->n; i++)
        out[i] = known ? out[i] / move : size > 0.0 ? NAN : 0.0;
}

void matrix_times_dyp(const iteration_matrix *m, const double *v, double *out)
{
    if (matrix_is_free(m)) {
        difference_dyp(m, v, out);
        return;
    }
    memset(out, 0, (size_t)m->ev->n * sizeof *out);
    for (int32_t p = 0; p < m->n_dyp; p++)
        out[m->dyp_row[p]] += m->dyp[m->dyp_at[p]] * v[m->dyp_col[p]];
}

bool matrix_slopes_are_single(const iteration_matrix *m, double *row, double *column)
{
    bool single = true;
    for (int32_t j = 0; j < m->ev->n; j++)
        row[j] = column[j] = 0.0;
    for (int32_t k = 0; k < m->n_dyp && single; k++) {
        double *in_row = &row[m->dyp_row[k]], *in_column = &column[m->dyp_col[k]];
        single = *in_row == 0.0 && *in_column == 0.0;
        *in_row = *in_column = 1.0;
    }
    return single;
}

bool matrix_slopes_are_differenced(const iteration_matrix *m)
{
    return !uses_user_jacobian(m) && !uses_given_mass(m);
}

int32_t matrix_price(const iteration_matrix *m)
{
    enum { USER_JACOBIAN_PRICE = 3 }; /* BDF study 4.5: about three residuals */
    return needs_differences(m) ? m->colours.n_colours : USER_JACOBIAN_PRICE;
}
