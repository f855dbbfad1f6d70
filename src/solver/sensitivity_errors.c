/* solver/sensitivity_errors.c - see sensitivity.h: what becomes of the errors of sensitivities, and
 * of those of the states.
 *
 * The errors e of sensitivities satisfy the same linear equations without dF/dp, and each step adds
 * one of the size of its tolerance.  Where sensitivities grow by a factor of 1e6 and fall back, as
 * in the jumps of a relaxation oscillator, the errors need not fall back with them, however small
 * each of them was.  So one vector of errors is followed: random signs times the weights of the
 * largest sensitivities are added in each step, and c dF/dy' e is solved for with the factors of
 * the step, as implicit Euler does with steps of 1/c; every third step is enough for the rough
 * answer that is wanted.  On problems without such trouble the result is 0.1 to 30 tolerances; on
 * Van der Pol's oscillator (mu = 1000) it is 7e3 to 2e6.  Constraints would have to be kept by
 * these errors, too: with them nothing is followed.
 *
 * The errors of the states are inherited: a solution that is late by phi has sensitivities that are
 * late as well, off by phi s'.  Steps along with bdf follow the errors e of the states as one more
 * sensitivity, F_y e + F_y' (e' + d) = 0 with the defect d of each step.                    */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "base/status.h"
#include "integ/bdf.h"
#include "solver/sensitivity.h"

static const double SHARE = 0.08;     /* of a weight: the error of a step                        */
static const double TOLD = 300.0;     /* tolerances                                              */
static const double STATES_OFF = 3.0; /* tolerances                                              */
static const double LATE = 6.0;       /* tolerances of sensitivities, by errors of phase         */
static const double AGAIN = 100.0;    /* what has been told: tell it again                       */
static const double NEGLIGIBLE = 0.1; /* a scaled sensitivity, of a variable                     */
enum { EULER_STEPS_MAX = 2, EVERY = 3 }; /* steps of the linear run for one of the errors  */

void sensitivity_errors_begin(sensitivities *s)
{
    memset(s->errors.drift, 0, (size_t)s->n * sizeof(double));
    memset(s->errors.largest, 0, (size_t)s->n * sizeof(double));
    memset(s->errors.states, 0, (size_t)s->n * sizeof(double));
    memset(s->errors.size, 0, (size_t)s->n * sizeof(double));
    memset(s->errors.shown, 0, (size_t)s->n * sizeof(double));
    s->errors.random = RANDOM_SEED;
    s->errors.told = 0.0;
    s->errors.h_before = 0.0;
    s->errors.smooth_from = 0;
    s->errors.lasting = 1.0;
    s->errors.inside = 0.0;
}

/* most[j] = the largest of all parameters, or more if it was. */
static void raise_to_largest(const sensitivities *s, const double *value, double *most)
{
    for (int32_t i = 0; i < s->n_parameters; i++, value += s->n)
        for (int32_t j = 0; j < s->n; j++) {
            double size = fabs(value[j]);
            most[j] = size > most[j] ? size : most[j];
        }
}

static bool solve(sensitivities *s)
{
    return s->steps.is_on ? matrix_solve_many(&s->parts, s->errors.work, 1)
                          : matrix_solve_first_block(&s->linear->matrix, s->errors.work);
}

/* The matrix of the linear run is that of a step from here on. */
static bool follow(sensitivities *s)
{
    double c = s->steps.is_on ? s->parts.c : s->linear->matrix.c, h = s->linear->stats.h_last;
    if (!isfinite(c) || !s->at.has_parts)
        return false;
    double steps = fmin(fmax(round(fabs(c * h)), 1.0), EULER_STEPS_MAX);
    for (int k = 0; k < (int)steps; k++) {
        matrix_times_dyp(&s->parts, s->errors.drift, s->errors.work);
        for (int32_t j = 0; j < s->n; j++)
            s->errors.work[j] *= c;
        if (!solve(s))
            return false;
        memcpy(s->errors.drift, s->errors.work, (size_t)s->n * sizeof(double));
    }
    return true;
}

void sensitivity_errors_follow(sensitivities *s)
{
    sensitivity_errors *e = &s->errors;
    const double *value = s->steps.is_on ? s->steps.value[s->steps.slot[0]]
                                         : s->linear->method->view(s->linear->integrator).y;
    if (s->ev.sys->n_constraints > 0 || s->linear->stats.steps % EVERY != 0 || !follow(s))
        return;
    memset(e->work, 0, (size_t)s->n * sizeof(double));
    raise_to_largest(s, value, e->work);
    for (int32_t j = 0; j < s->n; j++) {
        double weight = s->system.rtol[j] * e->work[j] + s->system.atol[j];
        e->drift[j] += random_next(&e->random) & 1 ? SHARE * weight : -SHARE * weight;
    }
}

/* An error in tolerances.  What has been shown tells how large a sensitivity is where it passes
 * zero.  Algebraic variables may be small differences of others at any time: they are not judged.
 */
static double in_tolerances(const sensitivities *s, int32_t j, double error)
{
    if (!s->states->is_differential[j])
        return 0.0;
    double size = fmax(s->errors.largest[j], NEGLIGIBLE * fabs(s->states->y[j]));
    return fabs(error) / (s->system.rtol[j] * size + s->system.atol[j]);
}

/* ---- errors of the states ---- */

/* The errors of one step are d / c: all of them together are about that many times as large as the
 * steps are many that they last.                                                     */
static void note_how_long(sensitivities *s, const double *e, double c)
{
    const double share = 0.4; /* of the last value in the mean */
    const run *r = s->states;
    double *defect = s->errors.work, all = 0.0, one = 0.0;
    memset(defect, 0, (size_t)s->n * sizeof *defect);
    bdf_add_defect(r->integrator, defect);
    for (int32_t j = 0; j < s->n; j++) {
        double weight = 1.0 / (r->now.rtol[j] * fabs(s->at.y[j]) + r->now.atol[j]);
        all += weight * weight * e[j] * e[j];
        one += weight * weight * defect[j] * defect[j];
    }
    double steps = one > 0.0 ? fabs(c) * sqrt(all / one) : 1.0;
    if (isfinite(steps))
        s->errors.lasting *= pow(fmax(steps, 1.0) / s->errors.lasting, share);
}

void sensitivity_errors_note_states(sensitivities *s, const double *e, double c)
{
    for (int32_t j = 0; j < s->n; j++) {
        double size = fabs(s->at.y[j]);
        s->errors.states[j] = e[j];
        s->errors.size[j] = size > s->errors.size[j] ? size : s->errors.size[j];
    }
    if (s->linear->stats.steps % EVERY == 0)
        note_how_long(s, e, c);
}

/* What has been shown tells how large a state is, if it is not small by chance. */
static double tolerance_of_state(const sensitivities *s, int32_t j)
{
    const run *r = s->states;
    double size = fmax(s->errors.shown[j], NEGLIGIBLE * s->errors.size[j]);
    return r->now.rtol[j] * size + r->now.atol[j];
}

/* The largest error of a state, in tolerances; *lateness is the time by which they are late all
 * together, in the sense of least squares.                                        */
static double error_of_states(const sensitivities *s, int32_t *worst, double *lateness)
{
    const run *r = s->states;
    double most = 0.0, product = 0.0, square = 0.0;
    for (int32_t j = 0; j < s->n; j++) {
        double tolerance = tolerance_of_state(s, j);
        if (!r->is_differential[j] || !(tolerance > 0.0))
            continue;
        double error = s->errors.states[j] / tolerance, slope = r->yp[j] / tolerance;
        *worst = fabs(error) > most ? j : *worst;
        most = fmax(most, fabs(error));
        product += error * slope;
        square += slope * slope;
    }
    *lateness = square > 0.0 ? product / square : 0.0;
    return most;
}

/* What lateness makes of sensitivities, in tolerances. */
static double error_by_lateness(const sensitivities *s, double lateness, int32_t *worst)
{
    double most = 0.0;
    const double *slope = s->slope;
    for (int32_t i = 0; i < s->n_parameters; i++, slope += s->n)
        for (int32_t j = 0; j < s->n; j++) {
            double error = in_tolerances(s, j, lateness * slope[j]);
            *worst = error > most ? j : *worst;
            most = fmax(most, error);
        }
    return most;
}

/* ---- warnings ---- */

static void name_variable(const sensitivities *s, int32_t j, char name[104])
{
    const char *const *names = s->states->system.sys.variable_names;
    if (names)
        snprintf(name, 104, "%.100s", names[j]);
    else
        snprintf(name, 104, "y[%d]", (int)j);
}

static void warn(sensitivities *s, double t, const char *name, double error, const char *why,
                 const char *cure)
{
    daedal_diagnosis about = {.cause = DAEDAL_CAUSE_NONE};
    s->errors.told = error;
    fail(&about, DAEDAL_OK,
         "the sensitivities at t = %.10g, that of %s among them, may be off by %.3g tolerances: "
         "%s; %s helps",
         t, name, error, why, cure);
    about.t = t;
    run_warn(s->states, &about);
}

static void warn_of_states(sensitivities *s, double t)
{
    int32_t state = -1, late = -1;
    double lateness = 0.0, error = error_of_states(s, &state, &lateness);
    double inherited = error_by_lateness(s, lateness, &late), told = AGAIN * s->errors.told;
    bool by_lateness = inherited > error;
    if (!s->steps.is_on || !(error > fmax(STATES_OFF, told) || inherited > fmax(LATE, told)))
        return;
    char name[104], why[160];
    name_variable(s, by_lateness ? late : state, name);
    snprintf(why, sizeof why,
             by_lateness ? "they change so fast that the errors of the states, %.2g tolerances, "
                           "count for that much"
                         : "the states are off by %.2g tolerances, since the errors of their steps "
                           "add up",
             error);
    warn(s, t, name, by_lateness ? inherited : error, why, "a smaller rtol");
}

/* The linear run reads the states where its own stages lie.  In a long step of radau the values of
 * stiff components may be far less accurate there than at its ends: on HIRES (rtol 1e-8) they were
 * off by 15 tolerances in a step that is a third of the run, and sensitivities by 690.  Values of
 * higher index are corrected before they are used.                                */
void sensitivity_errors_look_inside(sensitivities *s)
{
    enum { PARTS = 8 };
    const run *r = s->states;
    double most = 0.0;
    if (s->steps.is_on || !r->method->interpolation_error || run_has_high_index(r) ||
        r->constraints.n_levels > 0)
        return;
    integ_view v = r->method->view(r->integrator);
    for (int k = 1; k < PARTS; k++) {
        double t = v.t_before + k * (v.t - v.t_before) / PARTS;
        most = fmax(most, r->method->interpolation_error(r->integrator, t, false));
    }
    s->errors.inside = fmax(s->errors.inside, most);
}

/* A step that contains a jump is told as such. */
static bool warn_of_steps(sensitivities *s, double t)
{
    char name[104];
    int32_t j = s->states->method->view(s->states->integrator).worst;
    if (!(s->errors.inside > fmax(STATES_OFF, AGAIN * s->errors.told)) || s->is_jump_told)
        return false;
    name_variable(s, j >= 0 && j < s->n ? j : 0, name);
    warn(s, t, name, s->errors.inside,
         "the states on which they depend are off by that inside a step", "method = bdf");
    return true;
}

void sensitivity_errors_tell(sensitivities *s, double t)
{
    sensitivity_errors *e = &s->errors;
    int32_t worst = -1;
    double most = fmax(TOLD, AGAIN * e->told);
    raise_to_largest(s, s->value, e->largest);
    for (int32_t j = 0; j < s->n; j++) {
        e->shown[j] = fmax(e->shown[j], fabs(s->states->y[j]));
        double error = in_tolerances(s, j, e->drift[j]);
        worst = error > most ? j : worst;
        most = fmax(most, error);
    }
    if (worst < 0) {
        if (!warn_of_steps(s, t))
            warn_of_states(s, t);
        return;
    }
    char name[104];
    name_variable(s, worst, name);
    warn(s, t, name, most, "errors of earlier steps count more and more", "a smaller rtol");
}
