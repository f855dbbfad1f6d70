/* simulate/crossing.c - see simulation.h: steps through singular points, and branches that
 * end in a corner.                                                                   */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "hybrid/discrete.h"
#include "simulate/simulation.h"

static const double TIGHTER = 0.01;   /* factor of the tolerances for each check   */
static const double RTOL_MIN = 1e-12; /* below it rounding errors dominate         */
static const double TINY_STEP = 1e-3; /* of the longest step: the solution may end */
enum {
    POLE_REPEATS_MAX = 40,  /* one after the other: a step of roundoff                       */
    POLE_LOOKS = 4,         /* repeats after which it is clear whether there is a pole       */
    BRANCH_CHECKS_MAX = 12, /* in a run: models that cross singular points often pay no more */
    NEAR_STEPS = 300,       /* extra steps of a check near a singular point                  */
    TINY_STEPS = 100        /* extra steps of a check where steps are tiny                   */
};

/* ---- the step once more, with smaller tolerances ---- */

static void scale_tolerances(driver *d, double factor)
{
    d->opt->rtol *= factor;
    d->opt->atol *= factor;
    for (int32_t j = 0; j < d->m->reduced->n_system; j++)
        d->atol[j] *= factor;
}

/* Where branches only come near to each other a repeated run stays on its own, and nothing is wrong
 * with the model; where they meet the steps are tiny, or the jump happens again.        */
static bool branches_meet(driver *d, const branch_task *q, bool tiny_steps)
{
    bool again = tiny_steps || q->t_from <= d->t_repeated;
    d->t_repeated = q->t_to;
    return again;
}

static void warn_branch(const driver *d, const branch_task *q, bool jumped, daedal_cause cause)
{
    simulation *m = d->m;
    char message[560], text[360];
    bool *is_reported = &m->watch->is_reported[m->watch->flipped];
    if (*is_reported && !jumped)
        return;
    *is_reported = *is_reported || !jumped;
    simulation_undetermined_text(m, m->watch->flipped, text, sizeof text);
    if (jumped)
        snprintf(message, sizeof message,
                 "near t = %.10g a step jumped to another branch, over a point where %s; the run "
                 "is repeated from there with rtol = %.3g",
                 q->t_crossing, text, d->opt->rtol);
    else
        snprintf(message, sizeof message,
                 "near t = %.10g the solution goes through a singular point, where %s; its "
                 "continuation may not be unique",
                 q->t_crossing, text);
    log_warning(m->log, cause, q->t_crossing, message);
}

/* Check with smaller tolerances, up to TIMES, while the answer is that the solution continues.  An
 * end that they find may be an effect of the small tolerances, so that it is checked with the
 * original ones.  After a jump the small tolerances stay in use. */
static branch_answer check_branch(driver *d, branch_task *q)
{
    enum { TIMES = 2 };
    double factor = 1.0;
    branch_answer answer = BRANCH_CONTINUES;
    for (int k = 0; k < TIMES && answer == BRANCH_CONTINUES; k++) {
        if (d->opt->rtol * TIGHTER < RTOL_MIN)
            break;
        scale_tolerances(d, TIGHTER);
        factor *= TIGHTER;
        answer = branch_check(d->m, q);
    }
    if (answer == BRANCH_JUMPED)
        return answer;
    scale_tolerances(d, 1.0 / factor);
    return answer == BRANCH_ENDS ? branch_check(d->m, q) : answer;
}

/* ---- corners ---- */

static void warn_corner(const simulation *m, int32_t which)
{
    char message[480], text[360];
    if (m->watch->is_reported[which])
        return;
    m->watch->is_reported[which] = true;
    snprintf(message, sizeof message,
             "at t = %.10g a branch ends in a corner, beyond which %s; the solution continues on "
             "another branch",
             m->values->x[0], simulation_undetermined_text(m, which, text, sizeof text));
    log_warning(m->log, DAEDAL_CAUSE_BRANCH_JUMP, m->values->x[0], message);
}

/* begins: the solver does not stand at x. */
static daedal_status jump_at_corner(driver *d, bool begins, bool *jumped)
{
    simulation *m = d->m;
    int32_t which = m->discrete->delays ? -1 : singularity_corner(m);
    *jumped = false;
    if (which < 0)
        return DAEDAL_OK;
    TRY(driver_emit(d, DAEDAL_ROW_BEFORE_EVENT));
    *jumped = branch_leave_corner(m, which, begins);
    if (!*jumped)
        return DAEDAL_OK;
    warn_corner(m, which);
    simulation_read_solver(m);
    return driver_end_event(d, DAEDAL_ROW_AFTER_EVENT);
}

daedal_status driver_jump_at_corner(driver *d, bool *jumped)
{
    return jump_at_corner(d, false, jumped);
}

/* ---- branches that end at a threshold ---- */

/* Whether a relation is about to change: then a branch may end because it holds there only. */
static bool is_at_threshold(const simulation *m, size_t k, double difference)
{
    const double near = 1e-3; /* of the largest operands so far */
    const model_relation *r = &m->discrete->relation[k];
    return r->kind == RELATION_STATE && fabs(difference) <= near * r->scale;
}

static bool has_threshold(simulation *m)
{
    double *difference = m->discrete->search->difference;
    bool found = false;
    if (m->discrete->delays || discrete_compare_operands(m->discrete, difference) != 0)
        return false;
    for (size_t k = 0; k < m->flat->n_relations && !found; k++)
        found = is_at_threshold(m, k, difference[k]);
    return found;
}

static void turn_stopped(simulation *m)
{
    for (uint32_t k = 0; k < (uint32_t)m->flat->n_relations; k++)
        if (m->discrete->relation[k].stopped)
            values_set(m->values, m->values->place.relation + k,
                       1.0 - m->values->x[m->values->place.relation + k]);
}

/* Values behind the end of the branch, into x, that agree with the relations. */
static bool find_behind_threshold(simulation *m, double t_most)
{
    double *trial = m->watch->y_trial, *yp = trial + m->reduced->n_system;
    for (int side = 1; side >= -1; side -= 2) {
        double t = t_most;
        if (!solver_find_continuation(m->discrete->solver, side, &t, trial, yp))
            continue;
        m->values->x[0] = t;
        memcpy(m->values->x + m->values->place.y, trial,
               2 * (size_t)m->reduced->n_system * sizeof(double));
        if (discrete_relations_hold(m->discrete))
            return true;
    }
    return false;
}

/* Moves the solver behind the end of the branch if the equations have a solution there after the
 * relations that are about to change have done so. */
static bool move_behind_threshold(simulation *m, double t_most)
{
    double *y = m->values->x + m->values->place.y;
    turn_stopped(m);
    bool found =
        find_behind_threshold(m, t_most) &&
        daedal_solver_start(m->discrete->solver, m->values->x[0], y, y + m->reduced->n_system) >= 0;
    turn_stopped(m);
    return found;
}

/* q^2 = p while q > 0, and -q^2 = p otherwise: the first branch ends where p is zero, without a
 * value of q that would change the relation.  It changes if the other branch begins there. */
daedal_status driver_pass_threshold(driver *d, bool *passed)
{
    const double close = 1e-9; /* of the span */
    simulation *m = d->m;
    double span = d->request->t_stop - d->request->t_start, before = d->t_threshold;
    *passed = false;
    d->t_threshold = m->values->x[0];
    if (fabs(m->values->x[0] - before) <= close * span || !has_threshold(m))
        return DAEDAL_OK;
    for (size_t k = 0; k < m->flat->n_relations; k++)
        m->discrete->relation[k].stopped =
            is_at_threshold(m, k, m->discrete->search->difference[k]);
    *passed = move_behind_threshold(m, driver_next_point(d));
    for (size_t k = 0; k < m->flat->n_relations && !*passed; k++)
        m->discrete->relation[k].stopped = false;
    simulation_read_solver(m);
    if (*passed)
        TRY(driver_emit_until(d, m->values->x[0]));
    return *passed ? driver_handle_event(d) : DAEDAL_OK;
}

/* ---- what to do about a crossing ---- */

static daedal_status fail_at_branch_end(simulation *m, double t)
{
    int32_t variable = -1, equation = -1;
    singularity_blame(m, m->watch->flipped, &variable, &equation);
    m->values->x[0] = t;
    return simulation_report_impasse(m, DAEDAL_ERR_SINGULAR, variable, equation);
}

daedal_status driver_leave_branch(driver *d)
{
    simulation *m = d->m;
    double *y = m->values->x + m->values->place.y, t = d->t_branch_end;
    bool jumped = false;
    d->t_branch_end = NAN;
    m->values->x[0] = t;
    memcpy(y, m->watch->y_trial, 2 * (size_t)m->reduced->n_system * sizeof(double));
    TRY(jump_at_corner(d, true, &jumped)); /* which may lie a little before the end */
    if (!jumped && has_threshold(m) &&
        daedal_solver_start(m->discrete->solver, t, y, y + m->reduced->n_system) == DAEDAL_OK)
        TRY(driver_pass_threshold(d, &jumped));
    d->n_branch_checks -= jumped; /* a check that led on does not count */
    return jumped ? DAEDAL_OK : fail_at_branch_end(m, t);
}

/* ---- poles ---- */

/* A step begins an approach to a pole, or is one more of the same approach. */
static void note_approach(driver *d, const accepted_step *step)
{
    pole_approach *a = &d->pole;
    if (step->t_from < a->t_passed) {
        a->n_repeats++;
        return;
    }
    a->n_repeats = 0;
    a->t_passed = step->t;
    a->numerator = d->m->watch->pole_numerator;
}

/* Where the numerator vanishes with the divisor, as that of (1 - cos(x))/x, it is small on both
 * sides once they are near: there is no pole. */
static bool is_removable(const driver *d)
{
    const double small = 0.1;
    return d->pole.n_repeats >= POLE_LOOKS &&
           d->m->watch->pole_numerator <= small * d->pole.numerator;
}

/* A step that passed a pole could do so because it was too long, or because the error test did not
 * see how small the unknowns in the divisor are.  It is repeated with a shorter one and then with
 * absolute tolerances below their size where it began. */
static bool repeat_at_pole(driver *d, accepted_step *step)
{
    const double shorter = 0.25;
    const singularity_watch *w = d->m->watch;
    double *y = w->y_trial, *yp = y + d->m->reduced->n_system;
    int32_t pole = w->pole >= 0 ? w->pole : w->pole_inside;
    if (pole < 0)
        return false;
    note_approach(d, step);
    if (d->pole.n_repeats >= POLE_REPEATS_MAX || is_removable(d) ||
        daedal_solver_interpolate(d->m->discrete->solver, step->t_from, y, yp) != DAEDAL_OK)
        return false;
    if (w->pole_is_certain || d->pole.n_repeats >= POLE_LOOKS)
        poles_lower_atol(w->poles, pole, d->opt->rtol, y, d->atol);
    step->atol = d->atol;
    d->pole.t_limit = step->t_from + shorter * (step->t - step->t_from);
    driver_limit_steps(d, step->t_from);
    return true;
}

daedal_status driver_resolve_divisors(driver *d, bool *changed)
{
    simulation *m = d->m;
    const pole_factors *p = m->watch->poles;
    const double *y = m->values->x + m->values->place.y;
    *changed = p && d->pole.n_failures++ < POLE_REPEATS_MAX &&
               poles_lower_unresolved(p, d->opt->rtol, y, d->atol);
    if (!*changed)
        return DAEDAL_OK;
    daedal_status status = daedal_solver_set_options(m->discrete->solver, d->opt);
    if (status == DAEDAL_OK)
        status = daedal_solver_restart(m->discrete->solver, NULL, NULL);
    *changed = status == DAEDAL_OK;
    return DAEDAL_OK;
}

after_step_answer driver_handle_crossing(driver *d, accepted_step *step)
{
    simulation *m = d->m;
    if (repeat_at_pole(d, step))
        return AFTER_STEP_REPEAT;
    bool is_pole = m->watch->pole >= 0 || m->watch->pole_inside >= 0;
    if (is_pole && is_removable(d)) {
        singularity_accept(m, m->watch->t_flipped);
        return AFTER_STEP_CONTINUE;
    }
    if (m->watch->flipped < 0) /* only between the ends of the step */
        return AFTER_STEP_CONTINUE;
    double t = m->watch->t_flipped, h = daedal_solver_stats(m->discrete->solver)->h_last;
    bool tiny_steps = h < TINY_STEP * m->watch->longest_step;
    branch_task q = {.options = d->opt,
                     .t_from = t - h,
                     .t_to = t,
                     .t_limit = fmax(t, step->t_stop),
                     .extra_steps = m->watch->nearly_singular >= 0 ? NEAR_STEPS
                                    : tiny_steps                   ? TINY_STEPS
                                                                   : 0};
    double before = d->opt->rtol;
    simulation_read_solver(m);
    bool may_check = d->n_branch_checks++ < BRANCH_CHECKS_MAX && !m->discrete->delays;
    branch_answer answer = may_check ? check_branch(d, &q) : BRANCH_UNCLEAR;
    bool unclear = answer == BRANCH_ENDS || answer == BRANCH_UNCLEAR;
    bool solved =
        daedal_solver_stats(m->discrete->solver)->iterations > 0; /* not linearly implicit */
    if (may_check && solved && !tiny_steps && !m->watch->double_crossing && unclear)
        answer = BRANCH_CONTINUES; /* the step itself passed every test */
    if (answer == BRANCH_ENDS && m->watch->nearly_singular >= 0 &&
        (solver_continues_behind(m->discrete->solver) || has_threshold(m)))
        answer = BRANCH_CONTINUES;
    if (answer == BRANCH_ENDS) {
        d->t_branch_end = q.t_reached;
        return AFTER_STEP_EVENT;
    }
    if (m->watch->nearly_singular >= 0) { /* it continues: no warning is needed */
        scale_tolerances(d, before / d->opt->rtol);
        return AFTER_STEP_CONTINUE;
    }
    step->t_from = q.t_from;
    step->tolerance_factor = d->opt->rtol / before;
    bool jumped = answer == BRANCH_JUMPED && step->tolerance_factor < 1.0;
    bool meet = jumped ? branches_meet(d, &q, tiny_steps) : answer == BRANCH_CONTINUES;
    if (jumped || meet)
        warn_branch(d, &q, jumped, meet ? DAEDAL_CAUSE_BRANCH_JUMP : DAEDAL_CAUSE_NONE);
    if (jumped)
        return AFTER_STEP_REPEAT;
    singularity_accept(m, t);
    return AFTER_STEP_CONTINUE;
}
