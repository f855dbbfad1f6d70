/* integ/mass_metric.c - see mass_metric.h. */
#include "integ/mass_metric.h"

#include <math.h>
#include <string.h>

#include "base/random.h"
#include "base/status.h"
#include "linalg/vector.h"

typedef struct metric_room {
    mass_metric *m;
    const daedal_system *sys;
} metric_room;

static void lay_out(void *object, layout *l)
{
    metric_room *r = object;
    mass_metric *m = r->m;
    size_t n = (size_t)r->sys->n, rules = (size_t)r->sys->n_constraints;
    mechanical_form_lay_out(&m->form, r->sys, l);
    m->rule = layout_take(l, rules, sizeof *m->rule);
    m->of_positions = layout_take(l, rules, sizeof *m->of_positions);
    double **vectors[] = {&m->share_y, &m->share_yp, &m->delta, &m->yp};
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
        *vectors[k] = layout_take(l, n, sizeof(double));
}

/* Find the row of F by which each constraint is moved. */
static void index_rules(mass_metric *m)
{
    for (int32_t k = 0; k < m->form.n_on_velocity; k++)
        m->rule[m->form.on_velocity[k].constraint] = m->form.on_velocity[k];
    for (int32_t k = 0; k < m->form.n_on_position; k++) {
        m->rule[m->form.on_position[k].constraint] = m->form.on_position[k];
        m->of_positions[m->form.on_position[k].constraint] = true;
    }
}

static daedal_status make_matrix(mass_metric *m, evaluator *ev, const iteration_matrix *like,
                                 const daedal_allocator *a)
{
    matrix_setup setup = {.ev = ev,
                          .dy = &like->part[0].view,
                          .dyp = &like->part[1].view,
                          .solver = like->solver ? like->solver : daedal_linsolver_lapack(),
                          .allocator = a,
                          .by_differences = like->by_differences};
    return matrix_create(&m->matrix, &setup);
}

daedal_status mass_metric_create(mass_metric *m, const integ_context *in, double t, const double *y)
{
    metric_room room = {m, in->ev->sys};
    uint64_t random = RANDOM_SEED;
    m->n = in->ev->n;
    if (!block_create(&m->mem, in->allocator, lay_out, &room) ||
        make_matrix(m, in->ev, in->matrix, in->allocator) != DAEDAL_OK)
        return fail(in->why, DAEDAL_ERR_MEMORY, "out of memory for a projection");
    for (int32_t j = 0; j < m->n; j++) {
        m->share_yp[j] = in->is_differential[j] ? 1.0 : 0.0;
        m->share_y[j] = 1.0 - m->share_yp[j];
        m->yp[j] = random_share(&random);
    }
    integ_context own = *in;
    own.matrix = &m->matrix;
    m->form.asked_by = "projection_metric = mass";
    RETURN_UNLESS_OK(mechanical_form_find(&m->form, &own, t, y, m->yp));
    index_rules(m);
    m->nnz = pattern_nnz(&in->matrix->part[0].view);
    return DAEDAL_OK;
}

void mass_metric_free(mass_metric *m)
{
    if (m->mem.p)
        matrix_free(&m->matrix);
    block_free(&m->mem);
    *m = (mass_metric){0};
}

mass_metric *mass_metric_copy(const mass_metric *from, evaluator *ev, const daedal_allocator *a)
{
    mass_metric *m = memory_take(a, sizeof *m);
    metric_room room = {m, ev->sys};
    if (!m)
        return NULL;
    *m = *from;
    m->mem = (block){0};
    m->matrix = (iteration_matrix){0};
    if (!block_create(&m->mem, a, lay_out, &room) ||
        make_matrix(m, ev, &from->matrix, a) != DAEDAL_OK) {
        mass_metric_free(m);
        memory_give(a, m, sizeof *m);
        return NULL;
    }
    block_copy(&m->mem, &from->mem);
    matrix_copy(&m->matrix, &from->matrix); /* for the history of its factors */
    return m;
}

bool mass_metric_factor(mass_metric *m, double t, const double *y, const double *inverse_weight)
{
    const double short_step = 1e-3;
    matrix_point at = {t, short_step, y, m->yp, NULL, inverse_weight};
    return matrix_evaluate(&m->matrix, &at) == DAEDAL_CALL_OK &&
           matrix_factor_mixed(&m->matrix, m->share_y, m->share_yp) == DAEDAL_OK &&
           !matrix_is_nearly_singular(&m->matrix);
}

bool mass_metric_move(mass_metric *m, const int32_t *constraint, int32_t n, const double *g,
                      double *y)
{
    const mechanical_form *f = &m->form;
    bool positions = n > 0 && m->of_positions[constraint[0]];
    memset(m->delta, 0, (size_t)m->n * sizeof(double));
    for (int32_t k = 0; k < n; k++) {
        const mechanical_rule *rule = &m->rule[constraint[k]];
        m->delta[rule->row] = -rule->scale * g[constraint[k]];
    }
    matrix_solve(&m->matrix, m->delta);
    if (!vector_all_finite(m->delta, m->n))
        return false;
    for (int32_t k = 0; k < f->n_positions && positions; k++)
        y[f->position[k]] += m->delta[f->velocity[k]];
    for (int32_t j = 0; j < m->n && !positions; j++)
        y[j] += f->is_velocity[j] ? m->delta[j] : 0.0;
    return true;
}

daedal_status mass_metric_provide(const integ_context *in, double t, const double *y)
{
    projection *p = in->constraints;
    if (p->metric && p->metric->nnz == pattern_nnz(&in->matrix->part[0].view))
        return DAEDAL_OK;
    mass_metric *made = p->metric ? p->metric : memory_take(p->allocator, sizeof *made);
    if (!made)
        return fail(in->why, DAEDAL_ERR_MEMORY, "out of memory for a projection");
    if (p->metric)
        mass_metric_free(made);
    p->metric = NULL; /* the search evaluates the constraints */
    daedal_status status = mass_metric_create(made, in, t, y);
    if (status == DAEDAL_OK) {
        p->metric = made;
        return status;
    }
    mass_metric_free(made);
    memory_give(p->allocator, made, sizeof *made);
    return status;
}
