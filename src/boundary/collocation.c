/* boundary/collocation.c - see collocation.h. */
#include "boundary/collocation.h"

#include <math.h>
#include <string.h>

#include "base/ascending.h"
#include "linalg/damped_newton.h"

static void lay_out(void *object, layout *l)
{
    collocation *c = object;
    const collocation_problem *p = c->p;
    size_t n = (size_t)p->n, size = (size_t)c->size, points = (size_t)p->conditions->n_points;
    c->t = layout_take(l, (size_t)c->n_intervals + 1, sizeof(double));
    c->point_node = layout_take(l, points, sizeof(int32_t));
    c->u = layout_take(l, size, sizeof(double));
    c->trial = layout_take(l, size, sizeof(double));
    c->r = layout_take(l, size, sizeof(double));
    c->step = layout_take(l, size, sizeof(double));
    c->inverse_weight = layout_take(l, size, sizeof(double));
    c->y = layout_take(l, n, sizeof(double));
    c->yp = layout_take(l, n, sizeof(double));
    c->row = layout_take(l, n, sizeof(double));
    c->largest = layout_take(l, n, sizeof(double));
    c->inverse_size = layout_take(l, n, sizeof(double));
    c->point_y = layout_take(l, points * n, sizeof(double));
    c->slopes = layout_take(l, (size_t)p->conditions->n * points * n, sizeof(double));
    c->reads = layout_take(l, (size_t)p->conditions->n * points * n, sizeof(bool));
    c->node_slopes = layout_take(l, ((size_t)c->n_intervals + 1) * c->node_width, sizeof(double));
}

bool collocation_create(collocation *c, const collocation_problem *p, const gauss_table *g,
                        const double *t, int32_t n_intervals)
{
    int32_t n_points = p->conditions->n_points;
    *c = (collocation){.p = p, .g = g, .n_intervals = n_intervals};
    c->stride = g->s * p->n + (p->kind == MESH_OF_ROWS ? 2 : 1) * p->nx + p->m;
    c->point_base = p->nx + n_intervals * c->stride;
    c->size = c->point_base + (p->kind == MESH_OF_ROWS ? 0 : n_points * p->n);
    if (p->kind == MESH_GIVEN)
        c->node_width = (size_t)pattern_nnz(p->sys->constraint_pattern);
    else if (p->kind == MESH_OF_ROWS)
        c->node_width = 2 * (size_t)pattern_nnz(&p->parts->pattern.view);
    if (!block_create(&c->mem, p->allocator, lay_out, c))
        return false;
    memcpy(c->t, t, ((size_t)n_intervals + 1) * sizeof *t);
    int32_t node = 0;
    for (int32_t q = 0; q < n_points; q++) {
        while (node < n_intervals && c->t[node] < p->conditions->points[q])
            node++;
        c->point_node[q] = node;
    }
    return true;
}

void collocation_free(collocation *c)
{
    if (c->has_matrix)
        emitted_free(&c->matrix);
    block_free(&c->mem);
    *c = (collocation){0};
}

/* ---- values ---- */

int32_t collocation_interval(const collocation *c, double t)
{
    return (int32_t)ascending_interval(c->t, (size_t)c->n_intervals, t);
}

void collocation_at(const collocation *c, double t, double *y, double *yp)
{
    const collocation_problem *p = c->p;
    int32_t i = collocation_interval(c, t), s = c->g->s;
    double h = c->t[i + 1] - c->t[i], theta = (t - c->t[i]) / h;
    double value[GAUSS_STAGES_MAX], sum[GAUSS_STAGES_MAX];
    gauss_values(c->g, theta, value);
    gauss_integrals(c->g, theta, sum);
    const double *x = c->u + collocation_node(c, i), *first = c->u + collocation_stage(c, i, 0);
    for (int32_t k = 0; k < p->n; k++) {
        int32_t v = k < p->nx ? p->x_of[k] : p->z_of[k - p->nx];
        double polynomial = 0.0, integral = 0.0;
        for (int32_t l = 0; l < s; l++) {
            polynomial += value[l] * first[l * p->n + k];
            integral += sum[l] * first[l * p->n + k];
        }
        if (y)
            y[v] = k < p->nx ? x[k] + h * integral : polynomial;
        if (yp)
            yp[v] = k < p->nx ? polynomial : 0.0;
    }
    if (y && t == c->t[i + 1]) /* after the projection */
        for (int32_t k = 0; k < p->nx; k++)
            y[p->x_of[k]] = c->u[collocation_node(c, i + 1) + k];
}

static void spread(const collocation_problem *p, const double *v, double *to, bool of_z)
{
    for (int32_t k = 0; k < (of_z ? p->nz : p->nx); k++)
        to[k] = v[of_z ? p->z_of[k] : p->x_of[k]];
}

void collocation_guess(collocation *c, collocation_guess_fn *guess, void *user)
{
    const collocation_problem *p = c->p;
    memset(c->u, 0, (size_t)c->size * sizeof *c->u);
    for (int32_t i = 0; i <= c->n_intervals; i++) {
        guess(c->t[i], c->y, c->yp, user);
        spread(p, c->y, c->u + collocation_node(c, i), false);
        for (int32_t j = 0; j < c->g->s && i < c->n_intervals; j++) {
            double *stage = c->u + collocation_stage(c, i, j);
            guess(c->t[i] + c->g->c[j] * (c->t[i + 1] - c->t[i]), c->y, c->yp, user);
            spread(p, c->yp, stage, false);
            spread(p, c->y, stage + p->nx, true);
        }
    }
    for (int32_t q = 0; q < p->conditions->n_points && p->kind != MESH_OF_ROWS; q++) {
        double *own = c->u + c->point_base + q * p->n;
        guess(c->t[c->point_node[q]], c->y, c->yp, user);
        spread(p, c->yp, own, false);
        spread(p, c->y, own + p->nx, true);
    }
}

/* ---- weights ---- */

static void find_sizes(collocation *c)
{
    const collocation_problem *p = c->p;
    memset(c->largest, 0, (size_t)p->n * sizeof(double));
    for (int32_t i = 0; i <= c->n_intervals; i++) {
        const double *x = c->u + collocation_node(c, i);
        for (int32_t k = 0; k < p->nx; k++)
            c->largest[p->x_of[k]] = fmax(c->largest[p->x_of[k]], fabs(x[k]));
        for (int32_t j = 0; j < c->g->s && i < c->n_intervals; j++) {
            const double *z = c->u + collocation_stage(c, i, j) + p->nx;
            for (int32_t k = 0; k < p->nz; k++)
                c->largest[p->z_of[k]] = fmax(c->largest[p->z_of[k]], fabs(z[k]));
        }
    }
    for (int32_t v = 0; v < p->n; v++) {
        double weight = p->rtol[v] * c->largest[v] + p->atol[v];
        c->inverse_size[v] = weight > 0.0 ? 1.0 / weight : 1.0;
    }
}

void collocation_weigh(collocation *c)
{
    const collocation_problem *p = c->p;
    find_sizes(c);
    memset(c->inverse_weight, 0, (size_t)c->size * sizeof(double));
    for (int32_t i = 0; i <= c->n_intervals; i++) {
        spread(p, c->inverse_size, c->inverse_weight + collocation_node(c, i), false);
        for (int32_t j = 0; j < c->g->s && i < c->n_intervals; j++) {
            double *stage = c->inverse_weight + collocation_stage(c, i, j);
            double h = c->t[i + 1] - c->t[i];
            spread(p, c->inverse_size, stage, false);
            spread(p, c->inverse_size, stage + p->nx, true);
            for (int32_t k = 0; k < p->nx; k++)
                stage[k] *= h;
        }
    }
}

/* ---- Newton's iteration ---- */

static const double NEAR = 1e-3; /* a correction of this relative size is one of the last */

static double norm(const collocation *c, const double *v)
{
    double most = 0.0;
    for (int32_t k = 0; k < c->size; k++) {
        double at = fabs(v[k]) * c->inverse_weight[k];
        if (!(at <= most)) /* NaN counts */
            most = at;
    }
    return most;
}

static damped_reply reply_of(int answer)
{
    if (answer == DAEDAL_CALL_OK)
        return DAMPED_OK;
    return answer == DAEDAL_CALL_RETRY ? DAMPED_UNDEFINED : DAMPED_ABORT;
}

/* The largest correction relative to the sizes of the unknowns. */
static double relative_step(const collocation *c)
{
    double most = 0.0;
    for (int32_t k = 0; k < c->size; k++)
        most = fmax(most, fabs(c->step[k]) * c->inverse_weight[k]);
    double rtol = 0.0;
    for (int32_t v = 0; v < c->p->n; v++)
        rtol = fmax(rtol, c->p->rtol[v]);
    return most * rtol;
}

static damped_reply measure(void *self, double *size)
{
    collocation *c = self;
    collocation_weigh(c);
    c->answer = DAEDAL_CALL_OK;
    int answer = c->is_near ? DAEDAL_CALL_OK : collocation_renew_directions(c);
    if (answer == DAEDAL_CALL_OK)
        answer = collocation_residual(c, c->u, c->step);
    if (answer == DAEDAL_CALL_OK)
        answer = collocation_evaluate_matrix(c);
    if (answer != DAEDAL_CALL_OK)
        return reply_of(answer);
    (*c->p->iterations)++;
    daedal_status status = emitted_factor(&c->matrix);
    c->no_memory = c->no_memory || status == DAEDAL_ERR_MEMORY;
    c->is_singular = status == DAEDAL_ERR_SINGULAR;
    if (status != DAEDAL_OK)
        return DAMPED_ABORT;
    emitted_solve(&c->matrix, c->step);
    *size = norm(c, c->step);
    c->is_singular = !isfinite(*size);
    /* differences in the directions of moves would disturb the last digits */
    c->is_near = c->was_near;
    c->was_near = c->was_near || relative_step(c) < NEAR;
    return c->is_singular ? DAMPED_ABORT : DAMPED_OK;
}

static damped_reply try_share(void *self, double share, double *size)
{
    collocation *c = self;
    for (int32_t k = 0; k < c->size; k++)
        c->trial[k] = c->u[k] - share * c->step[k];
    int answer = collocation_residual(c, c->trial, c->r);
    if (answer != DAEDAL_CALL_OK)
        return reply_of(answer);
    emitted_solve(&c->matrix, c->r);
    *size = norm(c, c->r);
    return isfinite(*size) ? DAMPED_OK : DAMPED_UNDEFINED;
}

static void accept(void *self, double share)
{
    collocation *c = self;
    double *old = c->u;
    c->u = c->trial;
    c->trial = old;
    c->damping = fmin(c->damping, share);
}

daedal_status collocation_solve(collocation *c)
{
    damped_newton d = {.self = c,
                       .measure = measure,
                       .try_share = try_share,
                       .accept = accept,
                       .iterations_max = 40,
                       .halvings_max = 14,
                       .decrease = 0.25,
                       .negligible = 0.05,
                       .solved = 0.05,
                       .last = 0.05,
                       .tolerated = 0.2};
    c->damping = 1.0;
    c->is_singular = c->is_near = c->was_near = false;
    damped_outcome outcome = damped_newton_solve(&d);
    c->left = d.size;
    if (outcome == DAMPED_FOUND)
        return DAEDAL_OK;
    if (c->no_memory)
        return DAEDAL_ERR_MEMORY;
    if (c->answer == DAEDAL_CALL_STOP)
        return DAEDAL_STOPPED;
    if (c->answer == DAEDAL_CALL_FAIL)
        return DAEDAL_ERR_CALLBACK;
    return c->is_singular ? DAEDAL_ERR_SINGULAR : DAEDAL_ERR_NEWTON;
}

daedal_status collocation_linearize(collocation *c)
{
    collocation_weigh(c);
    int answer = collocation_renew_directions(c);
    if (answer == DAEDAL_CALL_OK)
        answer = collocation_evaluate_matrix(c);
    if (answer != DAEDAL_CALL_OK)
        return c->no_memory ? DAEDAL_ERR_MEMORY : DAEDAL_ERR_CALLBACK;
    return emitted_factor(&c->matrix);
}
