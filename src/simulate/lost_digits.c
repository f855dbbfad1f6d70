/* simulate/lost_digits.c - see simulation.h: states of which rounding leaves no digit.
 *
 * A difference of large numbers may be all rounding: p - 1e20 where p is 1e20 and a few pascal.
 * The equations are then satisfied, the error test passes, and the solution is another one.  At the
 * end of a run it is asked how far rounding in the equations moves the states within its time. */
#include <math.h>
#include <stdio.h>

#include "simulate/simulation.h"

static const double SINGULAR =
    1e8; /* growth: what is nearly singular, as mechanisms may be, is told otherwise */

static const double LOST = 0.1; /* of a state: not one of its digits is certain then */

/* Whether an effect of rounding on a state leaves nothing of it. */
static bool is_lost(const driver *d, int32_t j, double effect)
{
    const double many = 1e3; /* tolerances */
    const double *x = d->m->values->x;
    double y = fabs(x[d->m->values->place.y + (uint32_t)j]);
    double size = fmax(y, fabs(d->y_first[j]));
    return d->m->reduced->differential[j] && effect > LOST * size &&
           effect > many * (d->opt->rtol * size + d->atol[j]);
}

/* The effect over the run, or over a third of it if that is less: a growth that just fits the time
 * would look like a singular matrix. */
static bool find_effects(driver *d, double span)
{
    const compiled_model *m = d->m->compiled;
    double *effect = d->effect, *shorter = effect + m->reduced->n;
    if (!compiled_rounding_effect(m, span, effect) ||
        !compiled_rounding_effect(m, span / 3.0, shorter))
        return false;
    for (int32_t j = 0; j < m->reduced->n; j++)
        effect[j] = fmin(fabs(effect[j]), fabs(shorter[j]));
    return true;
}

/* The unknown that loses most for its size. */
static int32_t find_culprit(const driver *d)
{
    const double *y = d->m->values->x + d->m->values->place.y;
    int32_t worst = 0;
    double most = 0.0;
    for (int32_t j = 0; j < d->m->reduced->n; j++) {
        double share = d->effect[j] / (fabs(y[j]) + d->atol[j]);
        worst = share > most ? j : worst;
        most = fmax(most, share);
    }
    return worst;
}

void driver_warn_lost_digits(driver *d)
{
    simulation *m = d->m;
    char message[400];
    double t = m->values->x[0], span = t - d->request->t_start;
    int32_t lost = -1;
    bool is_plain = m->reduced->n_constraints == 0 && m->growth_start < SINGULAR;
    if (!(span > 0.0) || !is_plain || !find_effects(d, span))
        return;
    for (int32_t j = 0; j < m->reduced->n && lost < 0; j++)
        lost = is_lost(d, j, d->effect[j]) ? j : -1;
    if (lost < 0)
        return;
    int32_t by = find_culprit(d);
    snprintf(message, sizeof message,
             "bad scaling: rounding in the equations may change %.100s by %.3g and %.100s by %.3g, "
             "which leaves no digit of it: terms that differ by 16 digits and more are added",
             m->compiled->variable_name[by], d->effect[by], m->compiled->variable_name[lost],
             d->effect[lost]);
    log_warning(m->log, DAEDAL_CAUSE_BAD_SCALING, t, message);
}
