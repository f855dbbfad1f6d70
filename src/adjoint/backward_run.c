/* adjoint/backward_run.c - see backward_run.h. */
#include "adjoint/backward_run.h"

#include <math.h>
#include <string.h>

#include "base/choices.h"
#include "base/status.h"
#include "linalg/vector.h"

static void lay_out(void *object, layout *l)
{
    backward_run *b = object;
    size_t n = (size_t)b->sys->n, m = (size_t)b->sys->n_parameters;
    double **twice[] = {&b->rtol, &b->atol, &b->x, &b->xp, &b->moved};
    double **vectors[] = {&b->weight, &b->atol_mu, &b->end_by_y, &b->by_start};
    double **by_parameter[] = {&b->by_p,           &b->terms[0],      &b->terms[1],
                               &b->sums.value,     &b->sums.error[0], &b->sums.error[1],
                               &b->sums.magnitude, &b->sums.size};
    for (size_t i = 0; i < sizeof twice / sizeof *twice; i++)
        *twice[i] = layout_take(l, 2 * n, sizeof(double));
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        *vectors[i] = layout_take(l, n, sizeof(double));
    for (size_t i = 0; i < sizeof by_parameter / sizeof *by_parameter; i++)
        *by_parameter[i] = layout_take(l, m, sizeof(double));
}

daedal_status backward_create(backward_run *b)
{
    const daedal_allocator *a = b->of->allocator;
    if (!block_create(&b->mem, a, lay_out, b))
        return DAEDAL_ERR_MEMORY;
    TRY(coefficients_create(&b->c, b->sys, b->of, &b->forward->record));
    if (!equations_create(&b->equations, &b->c, b->g) || !end_values_create(&b->end, &b->c))
        return DAEDAL_ERR_MEMORY;
    return DAEDAL_OK;
}

void backward_free(backward_run *b)
{
    daedal_solver_free(b->solver);
    end_values_free(&b->end);
    equations_free(&b->equations);
    coefficients_free(&b->c);
    block_free(&b->mem);
}

/* ---- the end ---- */

daedal_status backward_complain(backward_run *b, const char *what, double t)
{
    return fail(b->why, DAEDAL_ERR_CALLBACK, "%s cannot be evaluated at t = %.10g", what, t);
}

static void forget(backward_run *b)
{
    evaluator_forget(&b->c.ev);
    coefficients_forget(&b->c);
    equations_forget(&b->equations);
}

void backward_enter(backward_run *b, size_t part)
{
    forward_enter(b->forward, part);
    forget(b);
}

static daedal_status load(backward_run *b, size_t part)
{
    TRY(forward_load(b->forward, part, b->why));
    forget(b);
    return DAEDAL_OK;
}

static daedal_status refuse_index(backward_run *b)
{
    fail(b->why, DAEDAL_ERR_INDEX,
         "the index of the system is above one, and the system does not have Hessenberg's form of "
         "index two");
    hint(b->why, "models are reduced to index one: write the equations as a model");
    return DAEDAL_ERR_INDEX;
}

static daedal_status look_at_end(backward_run *b)
{
    double t = b->forward->t_end;
    const functional_term *h = &b->g->end;
    TRY(load(b, b->forward->n_parts - 1));
    coefficients_go_to(&b->c, t);
    if (functional_by_y(b->g, h, t, b->c.y, b->end_by_y) != DAEDAL_CALL_OK)
        return backward_complain(b, "the gradient of the end term", t);
    if (!b->is_hessenberg)
        return DAEDAL_OK;
    if (coefficients_evaluate(&b->c) != DAEDAL_CALL_OK)
        return backward_complain(b, "the gradient of the equations", t);
    return end_values_are_hessenberg(&b->end) ? DAEDAL_OK : refuse_index(b);
}

/* What the end term and its algebraic variables add to the gradient; lambda at the end. */
static daedal_status take_end_values(backward_run *b)
{
    double t = b->forward->t_end;
    int32_t n = b->sys->n, m = b->sys->n_parameters;
    memset(b->by_p, 0, (size_t)m * sizeof *b->by_p);
    memset(b->sums.size, 0, (size_t)m * sizeof *b->by_p);
    memset(b->x, 0, 2 * (size_t)n * sizeof *b->x);
    if (!b->g->end.value && !b->is_hessenberg)
        return DAEDAL_OK;
    coefficients_go_to(&b->c, t);
    if (coefficients_evaluate(&b->c) != DAEDAL_CALL_OK ||
        functional_by_p(b->g, &b->g->end, t, b->c.y, b->by_p) != DAEDAL_CALL_OK)
        return backward_complain(b, "the gradient of the equations or of the end term", t);
    b->end.span = fabs(t - b->forward->t_start);
    b->end.weight = b->weight;
    daedal_status status =
        b->is_hessenberg ? backward_find_hessenberg(b, t) : end_values_find(&b->end, b->end_by_y);
    if (status == DAEDAL_ERR_INDEX)
        return fail(b->why, status,
                    "the adjoint variables have no end values for the end term of the functional: "
                    "the index is above one at t = %.10g",
                    t);
    TRY(status);
    if (coefficients_by_parameters(&b->c, b->end.eta, b->terms[0]) != DAEDAL_CALL_OK)
        return backward_complain(b, "the derivative of the equations by parameters", t);
    for (int32_t i = 0; i < m; i++)
        b->by_p[i] -= b->terms[0][i];
    memcpy(b->x, b->end.lambda, (size_t)n * sizeof *b->x);
    return DAEDAL_OK;
}

/* The mu that belong to lambda where the coefficients are. */
static void complete_values(backward_run *b)
{
    const daedal_pattern *p = &b->c.parts.pattern.view;
    const backward_equations *e = &b->equations;
    for (int32_t j = 0; j < e->n; j++) {
        double product = 0.0;
        for (int32_t q = p->start[j]; q < p->start[j + 1] && e->extra[j] >= 0; q++)
            product += b->c.parts.dyp[q] * b->x[p->row[q]];
        if (e->extra[j] >= 0)
            b->x[e->n + e->extra[j]] = product;
    }
}

/* ---- the run ---- */

/* What is chosen for the run is chosen backward; methods for few digits are not followed. */
static int32_t method_backward(const backward_run *b)
{
    int32_t asked = b->options->method, used = b->of->now.method;
    if (asked == METHOD_AUTO)
        return METHOD_AUTO;
    return used == METHOD_BDF || used == METHOD_BDF_CLASSIC ? METHOD_BDF : METHOD_RADAU;
}

static bool is_by_differences(const backward_run *b)
{
    return b->c.parts.colours.n_colours > 0;
}

static daedal_options options_backward(const backward_run *b, int32_t n)
{
    daedal_options opt = run_linear_options(b->options, b->rtol, b->atol, n);
    opt.method = method_backward(b);
    opt.linear_solver = LINSOLVER_AUTO;
    if (is_by_differences(b)) /* algebraic unknowns have their noise */
        opt.error_test = ERROR_DIFFERENTIAL;
    return opt;
}

static void set_tolerances_of_mu(backward_run *b)
{
    const backward_equations *e = &b->equations;
    for (int32_t j = 0; j < e->n; j++)
        if (e->extra[j] >= 0)
            b->atol[e->n + e->extra[j]] = b->atol_mu[j];
}

static daedal_status complain(backward_run *b, daedal_status status)
{
    const daedal_diagnosis *why = daedal_solver_diagnosis(b->solver);
    double t = daedal_solver_state(b->solver)->t;
    fail(b->why, status, "the adjoint equations could not be solved at t = %.10g: %.350s", t,
         why->message[0] ? why->message : daedal_status_text(status));
    blame(b->why, t, -1, -1);
    return status;
}

static daedal_status make_solver(backward_run *b)
{
    daedal_system sys;
    daedal_solver_free(b->solver);
    b->solver = NULL;
    if (!equations_describe(&b->equations, &sys))
        return DAEDAL_ERR_MEMORY;
    set_tolerances_of_mu(b);
    daedal_options opt = options_backward(b, sys.n);
    TRY(daedal_solver_create(&b->solver, &sys, &opt, b->why));
    b->solver->run.limits.corners_are_known = b->corners_are_known;
    b->solver->run.now.is_unheard = true;
    return DAEDAL_OK;
}

static daedal_status go_through(backward_run *b, const solution_part *part)
{
    while (daedal_solver_state(b->solver)->t != part->t_from) {
        daedal_status status = daedal_solver_step(b->solver, part->t_from);
        if (status == DAEDAL_STOPPED)
            return status;
        if (status < 0)
            return complain(b, status);
        if (b->sys->n_parameters > 0)
            TRY(backward_add_step(b));
        if (b->options->log)
            backward_add_defect(b);
    }
    return DAEDAL_OK;
}

static daedal_status begin(backward_run *b, const solution_part *part, bool is_first)
{
    daedal_status status = is_first ? daedal_solver_start(b->solver, part->t_to, b->x, NULL)
                                    : daedal_solver_restart(b->solver, b->x, NULL);
    return status < 0 ? complain(b, status) : DAEDAL_OK;
}

/* From the end of the last part to the beginning of the first one, with x in the beginning of each.
 * Parts between two events at the same time have no length.                        */
static daedal_status go_through_parts(backward_run *b)
{
    forward_solution *f = b->forward;
    bool is_first = true, begins = true;
    for (size_t k = f->n_parts; k-- > 0;) {
        const solution_part *part = &f->parts[k];
        TRY(load(b, k));
        if (part->t_to != part->t_from) {
            if (begins)
                TRY(begin(b, part, is_first));
            is_first = begins = false;
            RETURN_UNLESS_OK(go_through(b, part));
            memcpy(b->x, daedal_solver_state(b->solver)->y,
                   (size_t)(b->equations.n + b->equations.n_extra) * sizeof *b->x);
        }
        if (k > 0 && b->pass) {
            TRY(b->pass(b, k, b->pass_user));
            complete_values(b);
            begins = true;
        }
    }
    return DAEDAL_OK;
}

/* DAEDAL_STOPPED also where a column of dF/dy' has turned out to vary. */
static daedal_status go_once(backward_run *b)
{
    forward_solution *f = b->forward;
    TRY(load(b, f->n_parts - 1));
    TRY(take_end_values(b));
    TRY(make_solver(b));
    if (b->g->end.value || b->is_hessenberg)
        complete_values(b);
    TRY(daedal_solver_set_stop_time(b->solver, f->t_start));
    return go_through_parts(b);
}

static void add_stats(backward_run *b)
{
    b->stats = *daedal_solver_stats(b->solver);
    b->stats.residuals = b->c.stats.residuals;
    b->stats.jacobian_residuals = b->c.stats.jacobian_residuals;
    b->stats.jacobians = b->c.stats.jacobians;
}

/* Noise of derivatives that are found by differences may be more than the tolerance. */
static bool loosen(backward_run *b, daedal_status status)
{
    const double factor = 10.0, loosest = 1e-3;
    if (!failure_is(status, STEP_FAILURE) || !is_by_differences(b) ||
        b->tolerance * factor > loosest)
        return false;
    b->tolerance *= factor;
    for (int32_t i = 0; i < 2 * b->sys->n; i++) {
        b->rtol[i] *= factor;
        b->atol[i] *= factor;
    }
    for (int32_t j = 0; j < b->sys->n; j++)
        b->atol_mu[j] *= factor;
    return true;
}

daedal_status backward_go(backward_run *b)
{
    daedal_status status;
    TRY(look_at_end(b));
    TRY(backward_set_tolerances(b));
    do {
        b->equations.has_changed = false;
        b->inherited.sum = 0.0;
        status = go_once(b);
    } while (status != DAEDAL_ERR_MEMORY && (b->equations.has_changed || loosen(b, status)));
    RETURN_UNLESS_OK(status);
    diagnosis_clear(b->why);
    add_stats(b);
    equations_product(&b->equations, b->x, b->by_start);
    return DAEDAL_OK;
}
