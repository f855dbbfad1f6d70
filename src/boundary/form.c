/* boundary/form.c - see form.h. */
#include "boundary/form.h"

#include <math.h>
#include <string.h>

#include "base/random.h"
#include "base/status.h"

static void lay_out(void *object, layout *l)
{
    bvp_form *f = object;
    size_t n = (size_t)f->problem.n;
    f->y = layout_take(l, n, sizeof(double));
    f->yp = layout_take(l, n, sizeof(double));
    f->share_y = layout_take(l, n, sizeof(double));
    f->share_yp = layout_take(l, n, sizeof(double));
    f->inverse_weight = layout_take(l, n, sizeof(double));
    f->place = layout_take(l, n, sizeof(int32_t));
    f->x_of = layout_take(l, n, sizeof(int32_t));
    f->z_of = layout_take(l, n, sizeof(int32_t));
    f->constraint_of = layout_take(l, n, sizeof(int32_t));
    f->slope_row_of = layout_take(l, n, sizeof(int32_t));
    f->pushed_of = layout_take(l, n, sizeof(int32_t));
    f->has_slope = layout_take(l, n, sizeof(bool));
    f->has_algebraic = layout_take(l, n, sizeof(bool));
}

static void number_unknowns(bvp_form *f, const run *r)
{
    collocation_problem *p = &f->problem;
    for (int32_t v = 0; v < p->n; v++) {
        bool is_x = r->is_differential[v];
        f->place[v] = is_x ? p->nx : -1 - p->nz;
        if (is_x)
            f->x_of[p->nx++] = v;
        else
            f->z_of[p->nz++] = v;
        f->share_yp[v] = is_x ? 1.0 : 0.0;
        f->share_y[v] = 1.0 - f->share_yp[v];
        f->constraint_of[v] = f->slope_row_of[v] = f->pushed_of[v] = -1;
        f->inverse_weight[v] = 1.0 / (r->now.rtol[v] * fabs(r->y[v]) + r->now.atol[v]);
    }
}

static daedal_status make_parts(bvp_form *f, const run *r)
{
    f->solver = linsolver_choose(LINSOLVER_AUTO, &r->matrix.pattern.view);
    matrix_setup setup = {.ev = &f->ev,
                          .dy = &r->matrix.part[0].view,
                          .dyp = &r->matrix.part[1].view,
                          .solver = f->solver,
                          .allocator = r->allocator};
    return matrix_create(&f->parts, &setup);
}

/* The derivatives near the values of the run; k = 0: there.  A daedal_answer. */
static int evaluate_near(bvp_form *f, const run *r, int k)
{
    uint64_t state = RANDOM_SEED + (uint64_t)k;
    const double reach = 0.1;
    for (int32_t v = 0; v < f->problem.n; v++) {
        double size = fmax(fabs(r->y[v]), 1.0), slope = fmax(fabs(r->yp[v]), 1.0);
        double move = k ? reach * random_share(&state) : 0.0;
        f->y[v] = r->y[v] + move * size;
        f->yp[v] = r->is_differential[v] ? r->yp[v] + move * slope : 0.0;
    }
    matrix_point at = {r->state.t, 1.0, f->y, f->yp, NULL, f->inverse_weight};
    return matrix_evaluate(&f->parts, &at);
}

enum { PLACES = 4 };

/* Whether F determines x' and z: the index is one at most. */
static bool has_low_index(bvp_form *f, const run *r)
{
    for (int k = 0; k < PLACES; k++)
        if (evaluate_near(f, r, k) == DAEDAL_CALL_OK &&
            matrix_factor_mixed(&f->parts, f->share_y, f->share_yp) == DAEDAL_OK &&
            !matrix_is_nearly_singular(&f->parts))
            return true;
    return false;
}

static void look_at_rows(bvp_form *f)
{
    const iteration_matrix *m = &f->parts;
    const daedal_pattern *q = &m->pattern.view;
    for (int32_t v = 0; v < q->n_cols; v++)
        for (int32_t e = q->start[v]; e < q->start[v + 1]; e++) {
            bool is_x = f->place[v] >= 0;
            f->has_slope[q->row[e]] = f->has_slope[q->row[e]] || (is_x && m->dyp[e] != 0.0);
            f->has_algebraic[q->row[e]] = f->has_algebraic[q->row[e]] || (!is_x && m->dy[e] != 0.0);
        }
}

/* Rows without y' and z are the constraints g(t, x) = 0; the variables of index two are theirs. */
static bool is_hessenberg(bvp_form *f, const run *r, const int32_t *variable_index)
{
    collocation_problem *p = &f->problem;
    int32_t slopes = 0, pushed = 0;
    for (int k = 0; k < PLACES; k++)
        if (evaluate_near(f, r, k) == DAEDAL_CALL_OK)
            look_at_rows(f);
    for (int32_t k = 0; k < p->n; k++) {
        if (f->has_slope[k])
            f->slope_row_of[k] = slopes++;
        else if (!f->has_algebraic[k])
            f->constraint_of[k] = p->m++;
        if (f->place[k] < 0 && variable_index[k] == 2)
            f->pushed_of[k] = pushed++;
    }
    return slopes == p->nx && pushed == p->m && p->m > 0;
}

static bool constraints_are_of_x(const bvp_form *f)
{
    const daedal_pattern *g = f->problem.sys->constraint_pattern;
    for (int32_t v = 0; v < g->n_cols; v++)
        if (g->start[v + 1] > g->start[v] && f->place[v] < 0)
            return false;
    return true;
}

static daedal_status classify(bvp_form *f, daedal_solver *solver, daedal_diagnosis *why)
{
    collocation_problem *p = &f->problem;
    const run *r = &solver->run;
    daedal_analysis found;
    if (has_low_index(f, r)) {
        p->m = p->sys->n_constraints;
        p->kind = p->m > 0 ? MESH_GIVEN : MESH_FREE;
        f->serves = p->m == 0 || constraints_are_of_x(f);
        f->reason = !f->serves   ? "constraints contain algebraic variables"
                    : p->m > 0   ? "index one with constraints"
                    : p->nz == 0 ? "all derivatives are determined"
                                 : "index one";
        return DAEDAL_OK;
    }
    daedal_status status = daedal_solver_analyze(solver, r->state.t, r->y, NULL, &found);
    if (status < 0) {
        *why = *daedal_solver_diagnosis(solver);
        return status;
    }
    f->reason = "the equations are not semi-explicit, or their index is above two";
    if (found.index != 2 || p->sys->n_constraints > 0 || !is_hessenberg(f, r, found.variable_index))
        return DAEDAL_OK;
    p->kind = MESH_OF_ROWS;
    f->serves = true;
    f->reason = "index two in Hessenberg's form";
    return DAEDAL_OK;
}

daedal_status form_create(bvp_form *f, daedal_solver *solver, daedal_diagnosis *why)
{
    const run *r = &solver->run;
    collocation_problem *p = &f->problem;
    *f = (bvp_form){.reason = ""};
    *p = (collocation_problem){.sys = &r->system.sys,
                               .allocator = r->allocator,
                               .ev = &f->ev,
                               .parts = &f->parts,
                               .n = r->n,
                               .rtol = r->now.rtol,
                               .atol = r->now.atol,
                               .iterations = &f->iterations,
                               .why = why};
    if (!block_create(&f->mem, r->allocator, lay_out, f) ||
        !evaluator_create(&f->ev, p->sys, &f->stats, r->allocator))
        return DAEDAL_ERR_MEMORY;
    TRY(make_parts(f, r));
    number_unknowns(f, r);
    p->place = f->place;
    p->x_of = f->x_of;
    p->z_of = f->z_of;
    p->constraint_of = f->constraint_of;
    p->slope_row_of = f->slope_row_of;
    p->pushed_of = f->pushed_of;
    return classify(f, solver, why);
}

void form_free(bvp_form *f)
{
    matrix_free(&f->parts);
    evaluator_free(&f->ev);
    block_free(&f->mem);
}
