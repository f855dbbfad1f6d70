/* solver/sensitivity_errors.c - see sensitivity.h: what becomes of the errors of sensitivities.
 *
 * The errors e of sensitivities satisfy the same linear equations without dF/dp, and each step adds
 * one of the size of its tolerance.  Where sensitivities grow by a factor of 1e6 and fall back, as
 * in the jumps of a relaxation oscillator, the errors need not fall back with them, however small
 * each of them was.  So one vector of errors is followed: random signs times the weights of the
 * largest sensitivities are added in each step, and c dF/dy' e is solved for with the factors of
 * the step, as implicit Euler does with steps of 1/c; every third step is enough for the rough
 * answer that is wanted.  On problems without such trouble the result is 0.1 to 30 tolerances; on
 * Van der Pol's oscillator (mu = 1000) it is 7e3 to 2e6.  Constraints would have to be kept by
 * these errors, too: with them nothing is followed.                                    */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "base/status.h"
#include "solver/sensitivity.h"

static const double SHARE = 0.08;     /* of a weight: the error of a step                        */
static const double TOLD = 300.0;     /* tolerances                                              */
static const double NEGLIGIBLE = 0.1; /* a scaled sensitivity, of a variable                     */
enum { EULER_STEPS_MAX = 2, EVERY = 3 }; /* steps of the linear run for one of the errors  */

void sensitivity_errors_begin(sensitivities *s)
{
    memset(s->errors.drift, 0, (size_t)s->n * sizeof(double));
    memset(s->errors.largest, 0, (size_t)s->n * sizeof(double));
    s->errors.random = RANDOM_SEED;
    s->errors.is_told = false;
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

/* In tolerances.  What has been shown tells how large a sensitivity is where it passes zero.
 * Algebraic variables may be small differences of others at any time: they are not judged. */
static double error_of(const sensitivities *s, int32_t j)
{
    const sensitivity_errors *e = &s->errors;
    if (!s->states->is_differential[j])
        return 0.0;
    double size = fmax(e->largest[j], NEGLIGIBLE * fabs(s->states->y[j]));
    return fabs(e->drift[j]) / (s->system.rtol[j] * size + s->system.atol[j]);
}

static void warn(sensitivities *s, double t, int32_t j, double error)
{
    run *r = s->states;
    daedal_diagnosis about = {.cause = DAEDAL_CAUSE_NONE};
    const char *const *names = r->system.sys.variable_names;
    char number[32];
    snprintf(number, sizeof number, "y[%d]", (int)j);
    fail(
        &about, DAEDAL_OK,
        "the sensitivities at t = %.10g, that of %.100s among them, may be off by %.0e tolerances: "
        "errors of earlier steps count more and more; a smaller rtol helps",
        t, names ? names[j] : number, error);
    about.t = t;
    run_warn(r, &about);
}

void sensitivity_errors_tell(sensitivities *s, double t)
{
    sensitivity_errors *e = &s->errors;
    int32_t worst = -1;
    double most = TOLD;
    raise_to_largest(s, s->value, e->largest);
    for (int32_t j = 0; j < s->n && !e->is_told; j++) {
        double error = error_of(s, j);
        if (error > most) {
            most = error;
            worst = j;
        }
    }
    if (worst < 0)
        return;
    e->is_told = true;
    warn(s, t, worst, most);
}
