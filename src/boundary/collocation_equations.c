/* boundary/collocation_equations.c - see collocation.h: residuals and their derivatives.
 *
 * Unknowns: x at the first mesh point; for each interval the stages, each with x' and z, then x at
 * its end, with MESH_OF_ROWS the move w of x, and the multipliers of the constraints; at last, but
 * not with MESH_OF_ROWS, x' and z at each point of the conditions, which F determines there.
 * Rows: conditions and what holds at the start; for each interval F at the stages, continuity,
 * with MESH_OF_ROWS the direction of w, and the constraints at its end; F at the points.       */
#include <math.h>
#include <string.h>

#include "boundary/collocation.h"

/* Where something is evaluated, and where the values come from. */
typedef struct place_of_values {
    int32_t x;        /* first of x, or -1                                           */
    int32_t interval; /* with stage values, or -1                                    */
    int32_t stage;    /* one of these, or -1: the polynomials at an end of the interval */
    bool at_end;
    int32_t point; /* first of x' and z of a point, or -1                            */
} place_of_values;

static double width(const collocation *c, int32_t i)
{
    return c->t[i + 1] - c->t[i];
}

static const double *end_weights(const collocation *c, bool at_end)
{
    return at_end ? c->g->at_end : c->g->at_start;
}

/* The interval from which z and x' of a mesh point are taken, and its end. */
static place_of_values at_node(const collocation *c, int32_t i)
{
    bool at_end = i > 0;
    return (place_of_values){collocation_node(c, i), at_end ? i - 1 : 0, -1, at_end, -1};
}

/* ---- values ---- */

static void read_stage(const collocation *c, const double *u, int32_t i, int32_t j, double *y,
                       double *yp)
{
    const collocation_problem *p = c->p;
    int32_t s = c->g->s;
    const double *x = u + collocation_node(c, i), *first = u + collocation_stage(c, i, 0);
    double h = width(c, i);
    for (int32_t k = 0; k < p->nx; k++) {
        double sum = 0.0;
        for (int32_t l = 0; l < s; l++)
            sum += c->g->a[j][l] * first[l * p->n + k];
        y[p->x_of[k]] = x[k] + h * sum;
        yp[p->x_of[k]] = first[j * p->n + k];
    }
    for (int32_t k = 0; k < p->nz; k++) {
        y[p->z_of[k]] = first[j * p->n + p->nx + k];
        yp[p->z_of[k]] = 0.0;
    }
}

/* At a mesh point, with x' and z extrapolated from the stages. */
static void read_node(const collocation *c, const double *u, int32_t i, double *y, double *yp)
{
    const collocation_problem *p = c->p;
    place_of_values at = at_node(c, i);
    const double *w = end_weights(c, at.at_end), *first = u + collocation_stage(c, at.interval, 0);
    for (int32_t k = 0; k < p->n; k++) {
        double sum = 0.0;
        for (int32_t l = 0; l < c->g->s; l++)
            sum += w[l] * first[l * p->n + k];
        if (k < p->nx) {
            y[p->x_of[k]] = u[at.x + k];
            yp[p->x_of[k]] = sum;
        } else {
            y[p->z_of[k - p->nx]] = sum;
            yp[p->z_of[k - p->nx]] = 0.0;
        }
    }
}

static int32_t point_unknowns(const collocation *c, int32_t q)
{
    return c->point_base + q * c->p->n;
}

/* At a point of the conditions. */
static void read_point(const collocation *c, const double *u, int32_t q, double *y, double *yp)
{
    const collocation_problem *p = c->p;
    if (p->kind == MESH_OF_ROWS) {
        read_node(c, u, c->point_node[q], y, yp);
        return;
    }
    const double *x = u + collocation_node(c, c->point_node[q]), *own = u + point_unknowns(c, q);
    for (int32_t k = 0; k < p->nx; k++) {
        y[p->x_of[k]] = x[k];
        yp[p->x_of[k]] = own[k];
    }
    for (int32_t k = 0; k < p->nz; k++) {
        y[p->z_of[k]] = own[p->nx + k];
        yp[p->z_of[k]] = 0.0;
    }
}

void collocation_read_points(collocation *c, const double *v)
{
    for (int32_t q = 0; q < c->p->conditions->n_points; q++)
        read_point(c, v, q, c->point_y + (size_t)q * (size_t)c->p->n, c->yp);
}

void collocation_node_values(const collocation *c, const double *v, int32_t i, double *y)
{
    read_node(c, v, i, y, c->yp);
    for (int32_t q = 0; q < c->p->conditions->n_points; q++)
        if (c->point_node[q] == i)
            read_point(c, v, q, y, c->yp);
}

/* ---- residuals ---- */

static int keep(collocation *c, int answer)
{
    if (answer != DAEDAL_CALL_OK)
        c->answer = answer;
    return answer;
}

/* F at the values in c->y, c->yp. */
static int evaluate(collocation *c, double t, double *r)
{
    return keep(c, evaluator_residual(c->p->ev, t, c->y, c->yp, r));
}

/* The constraints at mesh point i, and for MESH_OF_ROWS all of F in c->row. */
static int evaluate_constraints(collocation *c, const double *u, int32_t i, double *out)
{
    const collocation_problem *p = c->p;
    read_node(c, u, i, c->y, c->yp);
    if (p->kind == MESH_GIVEN) {
        int answer = p->sys->constraints(c->t[i], c->y, out, p->sys->user);
        return keep(c, evaluator_judge(p->ev, answer, "constraint", c->t[i], out, p->m));
    }
    int answer = evaluate(c, c->t[i], c->row);
    for (int32_t k = 0; k < p->n; k++)
        if (p->constraint_of[k] >= 0)
            out[p->constraint_of[k]] = c->row[k];
    return answer;
}

/* Derivatives of F at the values in c->y, c->yp. */
static int differentiate(collocation *c, double t)
{
    const collocation_problem *p = c->p;
    matrix_point at = {t, c->t[c->n_intervals] - c->t[0], c->y, c->yp, NULL, c->inverse_size};
    return keep(c, matrix_evaluate(p->parts, &at));
}

/* Slopes of the constraints, and with MESH_OF_ROWS of F, at mesh point i. */
static double *node_slopes(const collocation *c, int32_t i)
{
    return c->node_slopes + (size_t)i * c->node_width;
}

static int differentiate_node(collocation *c, int32_t i)
{
    const collocation_problem *p = c->p;
    double *to = node_slopes(c, i);
    read_node(c, c->u, i, c->y, c->yp);
    if (p->kind == MESH_OF_ROWS) {
        size_t half = c->node_width / 2;
        int answer = differentiate(c, c->t[i]);
        memcpy(to, p->parts->dy, half * sizeof *to);
        memcpy(to + half, p->parts->dyp, half * sizeof *to);
        return answer;
    }
    memset(to, 0, c->node_width * sizeof *to);
    int answer = p->sys->constraint_jacobian(c->t[i], c->y, to, p->sys->user);
    return keep(c, evaluator_judge(p->ev, answer, "constraint Jacobian", c->t[i], to,
                                   (int32_t)c->node_width));
}

int collocation_renew_directions(collocation *c)
{
    int answer = DAEDAL_CALL_OK;
    for (int32_t i = 0; i <= c->n_intervals && c->p->m > 0 && answer == DAEDAL_CALL_OK; i++)
        answer = differentiate_node(c, i);
    return answer;
}

/* What moves x at the end of interval i: w, or dg/dx' lambda. */
static void add_move(const collocation *c, const double *u, int32_t i, double *continuity)
{
    const collocation_problem *p = c->p;
    int32_t node = collocation_node(c, i + 1);
    if (p->kind == MESH_OF_ROWS)
        for (int32_t k = 0; k < p->nx; k++)
            continuity[k] -= u[node + p->nx + k];
    if (p->kind != MESH_GIVEN)
        return;
    const daedal_pattern *g = p->sys->constraint_pattern;
    const double *lambda = u + node + p->nx, *slope = node_slopes(c, i + 1);
    for (int32_t v = 0; v < g->n_cols; v++)
        for (int32_t q = g->start[v]; q < g->start[v + 1]; q++)
            continuity[p->place[v]] -= slope[q] * lambda[g->row[q]];
}

/* The rows dF/dx' w + dF/dz lambda = 0 that give the direction of the move. */
static void direction_residual(const collocation *c, const double *u, int32_t i, double *out)
{
    const collocation_problem *p = c->p;
    const iteration_matrix *f = p->parts;
    const double *w = u + collocation_node(c, i + 1) + p->nx, *lambda = w + p->nx;
    memset(out, 0, (size_t)p->nx * sizeof *out);
    for (int32_t which = 0; which < 2; which++) {
        const daedal_pattern *q = &f->part[which].view;
        const double *values = node_slopes(c, i + 1) + (size_t)which * c->node_width / 2;
        for (int32_t v = 0; v < p->n; v++) {
            double by = which == 1 ? (p->place[v] >= 0 ? w[p->place[v]] : 0.0)
                                   : (p->pushed_of[v] >= 0 ? lambda[p->pushed_of[v]] : 0.0);
            for (int32_t e = q->start[v]; e < q->start[v + 1] && by != 0.0; e++)
                if (p->slope_row_of[q->row[e]] >= 0)
                    out[p->slope_row_of[q->row[e]]] += values[f->part_at[which][e]] * by;
        }
    }
}

static int interval_residual(collocation *c, const double *u, int32_t i, double *r)
{
    const collocation_problem *p = c->p;
    int32_t s = c->g->s;
    const double *first = u + collocation_stage(c, i, 0);
    int answer = DAEDAL_CALL_OK;
    for (int32_t j = 0; j < s && answer == DAEDAL_CALL_OK; j++) {
        read_stage(c, u, i, j, c->y, c->yp);
        answer = evaluate(c, c->t[i] + c->g->c[j] * width(c, i), r + j * p->n);
    }
    double *continuity = r + s * p->n;
    const double *from = u + collocation_node(c, i), *to = u + collocation_node(c, i + 1);
    for (int32_t k = 0; k < p->nx; k++) {
        double sum = 0.0;
        for (int32_t l = 0; l < s; l++)
            sum += c->g->b[l] * first[l * p->n + k];
        continuity[k] = to[k] - from[k] - width(c, i) * sum;
    }
    add_move(c, u, i, continuity);
    double *next = continuity + p->nx;
    if (p->kind == MESH_OF_ROWS) {
        direction_residual(c, u, i, next);
        next += p->nx;
    }
    if (answer == DAEDAL_CALL_OK && p->m > 0)
        answer = evaluate_constraints(c, u, i + 1, next);
    return answer;
}

static int start_residual(collocation *c, const double *u, double *r)
{
    const collocation_problem *p = c->p;
    collocation_read_points(c, u);
    int answer = keep(c, conditions_evaluate(p->conditions, c->point_y, r));
    double *next = r + p->conditions->n;
    for (int32_t k = 0; k < p->n_fixed; k++) {
        next[k] = 0.0;
        for (int32_t j = 0; j < p->nx; j++)
            next[k] +=
                p->fixed_rows[(size_t)k * (size_t)p->nx + (size_t)j] * (u[j] - p->fixed_at[j]);
    }
    if (answer == DAEDAL_CALL_OK && p->n_fixed == 0 && p->m > 0)
        answer = evaluate_constraints(c, u, 0, next);
    return answer;
}

int collocation_residual(collocation *c, const double *u, double *r)
{
    const collocation_problem *p = c->p;
    int answer = start_residual(c, u, r);
    for (int32_t i = 0; i < c->n_intervals && answer == DAEDAL_CALL_OK; i++)
        answer = interval_residual(c, u, i, r + p->nx + i * c->stride);
    for (int32_t q = 0;
         q < p->conditions->n_points && p->kind != MESH_OF_ROWS && answer == DAEDAL_CALL_OK; q++) {
        read_point(c, u, q, c->y, c->yp);
        answer = evaluate(c, c->t[c->point_node[q]], r + point_unknowns(c, q));
    }
    return answer;
}

/* ---- derivatives ---- */

/* Columns of an unknown v where F is evaluated: of its value, and of its derivative. */
typedef struct target {
    int32_t row; /* of the first equation                         */
    place_of_values from;
} target;

/* d/dx of values at a stage: x at the mesh point, and all x' of the interval. */
static void emit_value(emitted_matrix *m, const collocation *c, const target *to, int32_t row,
                       int32_t v, double value)
{
    const collocation_problem *p = c->p;
    const place_of_values *f = &to->from;
    int32_t k = p->place[v], at = to->row + row;
    if (k >= 0) {
        emit(m, at, f->x + k, value);
        for (int32_t l = 0; f->stage >= 0 && l < c->g->s; l++)
            emit(m, at, collocation_stage(c, f->interval, l) + k,
                 value * width(c, f->interval) * c->g->a[f->stage][l]);
        return;
    }
    int32_t z = p->nx - 1 - k;
    if (f->point >= 0)
        emit(m, at, f->point + z, value);
    else if (f->stage >= 0)
        emit(m, at, collocation_stage(c, f->interval, f->stage) + z, value);
    else
        for (int32_t l = 0; l < c->g->s; l++)
            emit(m, at, collocation_stage(c, f->interval, l) + z,
                 value * end_weights(c, f->at_end)[l]);
}

/* All rows of F, from the parts as they were evaluated last. */
static void emit_equations(emitted_matrix *m, const collocation *c, const target *to)
{
    const collocation_problem *p = c->p;
    const iteration_matrix *f = p->parts;
    const daedal_pattern *dy = &f->part[0].view, *dyp = &f->part[1].view;
    for (int32_t v = 0; v < p->n; v++) {
        for (int32_t q = dy->start[v]; q < dy->start[v + 1]; q++)
            emit_value(m, c, to, dy->row[q], v, f->dy[f->part_at[0][q]]);
        int32_t k = p->place[v];
        int32_t slope = to->from.point >= 0
                            ? to->from.point
                            : collocation_stage(c, to->from.interval, to->from.stage);
        for (int32_t q = dyp->start[v]; q < dyp->start[v + 1] && k >= 0; q++)
            emit(m, to->row + dyp->row[q], slope + k, f->dyp[f->part_at[1][q]]);
    }
}

static void emit_constraints(emitted_matrix *m, const collocation *c, int32_t node, int32_t row)
{
    const collocation_problem *p = c->p;
    int32_t x = collocation_node(c, node);
    bool given = p->kind == MESH_GIVEN;
    const double *slope = node_slopes(c, node);
    const daedal_pattern *g = given ? p->sys->constraint_pattern : &p->parts->part[0].view;
    for (int32_t v = 0; v < g->n_cols; v++)
        for (int32_t q = g->start[v]; q < g->start[v + 1]; q++) {
            int32_t k = given ? g->row[q] : p->constraint_of[g->row[q]];
            double value = slope[given ? q : p->parts->part_at[0][q]];
            if (k >= 0 && p->place[v] >= 0)
                emit(m, row + k, x + p->place[v], value);
        }
}

static void emit_direction(emitted_matrix *m, const collocation *c, int32_t node, int32_t row)
{
    const collocation_problem *p = c->p;
    const iteration_matrix *f = p->parts;
    int32_t w = collocation_node(c, node) + p->nx, lambda = w + p->nx;
    for (int32_t which = 0; which < 2; which++) {
        const daedal_pattern *g = &f->part[which].view;
        const double *values = node_slopes(c, node) + (size_t)which * c->node_width / 2;
        for (int32_t v = 0; v < p->n; v++) {
            int32_t col = which == 1 ? (p->place[v] >= 0 ? w + p->place[v] : -1)
                                     : (p->pushed_of[v] >= 0 ? lambda + p->pushed_of[v] : -1);
            for (int32_t q = g->start[v]; q < g->start[v + 1] && col >= 0; q++)
                if (p->slope_row_of[g->row[q]] >= 0)
                    emit(m, row + p->slope_row_of[g->row[q]], col, values[f->part_at[which][q]]);
        }
    }
}

static void emit_continuity(emitted_matrix *m, const collocation *c, int32_t i, int32_t row)
{
    const collocation_problem *p = c->p;
    int32_t from = collocation_node(c, i), to = collocation_node(c, i + 1);
    for (int32_t k = 0; k < p->nx; k++) {
        emit(m, row + k, to + k, 1.0);
        emit(m, row + k, from + k, -1.0);
        for (int32_t l = 0; l < c->g->s; l++)
            emit(m, row + k, collocation_stage(c, i, l) + k, -width(c, i) * c->g->b[l]);
        if (p->kind == MESH_OF_ROWS)
            emit(m, row + k, to + p->nx + k, -1.0);
    }
    const daedal_pattern *g = p->sys->constraint_pattern;
    const double *slope = node_slopes(c, i + 1);
    for (int32_t v = 0; p->kind == MESH_GIVEN && v < g->n_cols; v++)
        for (int32_t q = g->start[v]; q < g->start[v + 1]; q++)
            emit(m, row + p->place[v], to + p->nx + g->row[q], -slope[q]);
}

static void emit_interval(emitted_matrix *m, collocation *c, int32_t i)
{
    const collocation_problem *p = c->p;
    int32_t s = c->g->s, row = p->nx + i * c->stride;
    bool valued = m->pass == EMISSION_VALUES;
    for (int32_t j = 0; j < s; j++) {
        if (valued && c->answer == DAEDAL_CALL_OK) {
            read_stage(c, c->u, i, j, c->y, c->yp);
            differentiate(c, c->t[i] + c->g->c[j] * width(c, i));
        }
        target stage = {row + j * p->n, {collocation_node(c, i), i, j, false, -1}};
        emit_equations(m, c, &stage);
    }
    row += s * p->n;
    emit_continuity(m, c, i, row);
    row += p->nx;
    if (p->kind == MESH_OF_ROWS) {
        emit_direction(m, c, i + 1, row);
        row += p->nx;
    }
    if (p->m > 0)
        emit_constraints(m, c, i + 1, row);
}

static void emit_conditions(emitted_matrix *m, const collocation *c)
{
    const collocation_problem *p = c->p;
    int32_t n = p->n, all = p->conditions->n_points * n;
    const double *slopes = c->probe ? c->probe : c->slopes;
    for (int32_t q = 0; q < p->conditions->n_points; q++) {
        target to = {0, at_node(c, c->point_node[q])};
        to.from.point = p->kind == MESH_OF_ROWS ? -1 : point_unknowns(c, q);
        for (int32_t k = 0; k < p->conditions->n; k++)
            for (int32_t v = 0; v < n; v++) {
                size_t at = (size_t)k * (size_t)all + (size_t)(q * n + v);
                if (c->probe || c->reads[at])
                    emit_value(m, c, &to, k, v, slopes[at]);
            }
    }
}

static void emit_start(emitted_matrix *m, collocation *c)
{
    const collocation_problem *p = c->p;
    emit_conditions(m, c);
    for (int32_t k = 0; k < p->n_fixed; k++)
        for (int32_t j = 0; j < p->nx; j++)
            emit(m, p->conditions->n + k, j, p->fixed_rows[(size_t)k * (size_t)p->nx + (size_t)j]);
    if (p->n_fixed > 0 || p->m == 0)
        return;
    emit_constraints(m, c, 0, p->conditions->n);
}

void collocation_emit(emitted_matrix *m, void *self)
{
    collocation *c = self;
    const collocation_problem *p = c->p;
    emit_start(m, c);
    for (int32_t i = 0; i < c->n_intervals; i++)
        emit_interval(m, c, i);
    for (int32_t q = 0; q < p->conditions->n_points && p->kind != MESH_OF_ROWS; q++) {
        if (m->pass == EMISSION_VALUES && c->answer == DAEDAL_CALL_OK) {
            read_point(c, c->u, q, c->y, c->yp);
            differentiate(c, c->t[c->point_node[q]]);
        }
        target point = {point_unknowns(c, q), at_node(c, c->point_node[q])};
        point.from.point = point.row;
        emit_equations(m, c, &point);
    }
}

/* Slopes of the conditions; entries that are new ask for another pattern. */
static int differentiate_conditions(collocation *c)
{
    const collocation_problem *p = c->p;
    size_t all = (size_t)p->conditions->n * (size_t)(p->conditions->n_points * p->n);
    collocation_read_points(c, c->u);
    int answer =
        keep(c, conditions_differentiate(p->conditions, c->point_y, c->largest, c->slopes));
    for (size_t k = 0; k < all && answer == DAEDAL_CALL_OK; k++)
        if (c->slopes[k] != 0.0 && !c->reads[k])
            c->reads[k] = c->has_new_entries = true;
    return answer;
}

int collocation_evaluate_matrix(collocation *c)
{
    c->answer = DAEDAL_CALL_OK;
    if (!c->probe && differentiate_conditions(c) != DAEDAL_CALL_OK)
        return c->answer;
    if (c->has_matrix && c->has_new_entries)
        emitted_free(&c->matrix);
    if (!c->has_matrix || c->has_new_entries) {
        c->has_new_entries = false;
        c->has_matrix = true;
        if (!emitted_create(&c->matrix, c->size, collocation_emit, c, c->p->allocator)) {
            c->has_matrix = false;
            c->no_memory = true;
            emitted_free(&c->matrix);
            return c->answer = DAEDAL_CALL_FAIL;
        }
    }
    emitted_begin(&c->matrix);
    collocation_emit(&c->matrix, c);
    return c->answer;
}
