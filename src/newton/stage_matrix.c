/* newton/stage_matrix.c - see stage_matrix.h. */
#include "newton/stage_matrix.h"

static void lay_out(void *object, layout *l)
{
    stage_matrix *m = object;
    size_t nnz = m->n_pairs > 0 ? (size_t)pattern_nnz(&m->matrix->pattern.view) : 0;
    m->re = layout_take(l, nnz, sizeof *m->re);
    m->im = layout_take(l, nnz, sizeof *m->im);
}

daedal_status stage_matrix_create(stage_matrix *m, iteration_matrix *matrix, int32_t n_pairs,
                                  const daedal_allocator *a)
{
    *m = (stage_matrix){.matrix = matrix, .n_pairs = n_pairs};
    m->solver = complex_solver_of(matrix->solver);
    daedal_status status = block_create(&m->mem, a, lay_out, m) ? DAEDAL_OK : DAEDAL_ERR_MEMORY;
    for (int32_t k = 0; k < n_pairs && status == DAEDAL_OK; k++)
        status = m->solver->create(&m->pair[k], matrix->solver, matrix->factors,
                                   &matrix->pattern.view, a);
    if (status != DAEDAL_OK)
        stage_matrix_free(m);
    return status;
}

void stage_matrix_free(stage_matrix *m)
{
    for (int32_t k = 0; k < m->n_pairs; k++)
        if (m->pair[k])
            m->solver->destroy(m->pair[k]);
    block_free(&m->mem);
    m->n_pairs = 0;
}

bool stage_matrix_copy(stage_matrix *m, const stage_matrix *from)
{
    for (int32_t k = 0; m->solver->copy && k < m->n_pairs; k++)
        m->solver->copy(m->pair[k], from->pair[k]);
    return m->solver->copy != NULL;
}

/* The iteration matrix counts the growth of its own solver; this adds that of the others. */
static void count_growth(stage_matrix *m)
{
    for (int32_t k = 0; k < m->n_pairs && m->solver->reallocations; k++)
        m->matrix->ev->stats->solver_reallocations += m->solver->reallocations(m->pair[k]);
}

daedal_status stage_matrix_factor_pairs(stage_matrix *m, const stage_shifts *shifts)
{
    int32_t nnz = pattern_nnz(&m->matrix->pattern.view);
    const double *dy = m->matrix->dy, *dyp = m->matrix->dyp;
    daedal_status status = DAEDAL_OK;
    for (int32_t k = 0; k < shifts->n_pairs && status == DAEDAL_OK; k++) {
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
    m->matrix->ev->stats->factorizations += shifts->n_pairs;
    status = stage_matrix_factor_pairs(m, shifts);
    count_growth(m);
    return status;
}

void stage_matrix_solve_pair(stage_matrix *m, int32_t k, double *re, double *im)
{
    m->matrix->ev->stats->solves++;
    m->solver->solve(m->pair[k], re, im);
}
