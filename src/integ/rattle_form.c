/* integ/rattle_form.c - whether a system has the form of the method RATTLE: positions and
 * velocities, and accelerations that do not change when velocities change their sign.
 *
 * The long-time properties of the method are those of reversible motion.  Friction has none, and
 * for gyroscopic forces the form is another one.                                 */
#include <math.h>
#include <string.h>

#include "base/random.h"
#include "base/status.h"
#include "integ/rattle.h"
#include "linalg/vector.h"

/* Draw a velocity of random direction that satisfies the constraints.  The answer is false if none
 * was found, or if the constraints depend on time. */
static bool draw_velocity(rattle *r, double *y)
{
    enum { ROUNDS = 4 };
    const double still = 1e-8;
    uint64_t random = RANDOM_SEED;
    double size = 0.0;
    int answer = DAEDAL_CALL_OK;
    for (int32_t j = 0; j < r->n; j++)
        if (r->form.is_velocity[j])
            size = fmax(size, fabs(r->y[j]));
    size = size > 0.0 ? size : 1.0;
    memcpy(y, r->y, (size_t)r->n * sizeof(double));
    for (int32_t j = 0; j < r->n; j++)
        if (r->form.is_velocity[j])
            y[j] = 0.0;
    if (r->form.n_on_velocity > 0)
        answer = projection_evaluate(r->in.constraints, r->t, y);
    for (int32_t i = 0; i < r->form.n_on_velocity; i++)
        if (fabs(r->in.constraints->g[r->form.on_velocity[i].constraint]) > still * size)
            return false;
    for (int32_t j = 0; j < r->n; j++)
        if (r->form.is_velocity[j])
            y[j] = size * random_share(&random);
    for (int i = 0; i < ROUNDS && answer == DAEDAL_CALL_OK; i++)
        answer = rattle_restrict(r, r->t, y);
    return answer == DAEDAL_CALL_OK;
}

static daedal_status complain(const rattle *r, int32_t j)
{
    char name[96];
    fail(r->in.why, DAEDAL_ERR_ARGUMENT,
         "method rattle takes reversible motion only: the derivative of %s changes when all "
         "velocities change their sign, as by friction",
         evaluator_variable_name(r->in.ev->sys, j, name, sizeof name));
    blame(r->in.why, r->t, -1, j);
    hint(r->in.why, "use method = auto, radau or dopri");
    return DAEDAL_ERR_ARGUMENT;
}

/* Compare accelerations at v and -v. */
static daedal_status check_reversible(rattle *r)
{
    const double same = 1e-6;
    double *there = r->y_new, *back = r->y_side, largest = 0.0, worst = 0.0;
    size_t bytes = (size_t)r->n * sizeof(double);
    int32_t which = -1;
    if (rattle_prepare(r, r->t, r->y, r->yp) != NEWTON_DONE || !draw_velocity(r, there))
        return DAEDAL_OK; /* the steps will tell */
    memcpy(back, there, bytes);
    for (int32_t j = 0; j < r->n; j++)
        back[j] = r->form.is_velocity[j] ? -there[j] : there[j];
    memcpy(r->yp_new, r->yp, bytes);
    memcpy(r->yp_side, r->yp, bytes);
    if (rattle_settle(r, r->t, there, r->yp_new) != NEWTON_DONE ||
        rattle_settle(r, r->t, back, r->yp_side) != NEWTON_DONE)
        return DAEDAL_OK;
    for (int32_t j = 0; j < r->n; j++) {
        double off = r->form.is_velocity[j] ? fabs(r->yp_new[j] - r->yp_side[j]) : 0.0;
        largest = r->form.is_velocity[j] ? fmax(largest, fabs(r->yp_new[j])) : largest;
        which = off > worst ? j : which;
        worst = fmax(worst, off);
    }
    return worst > same * largest ? complain(r, which) : DAEDAL_OK;
}

daedal_status rattle_check_form(rattle *r)
{
    r->form.asked_by = "method rattle";
    RETURN_UNLESS_OK(mechanical_form_find(&r->form, &r->in, r->t, r->y, r->yp));
    RETURN_UNLESS_OK(check_reversible(r));
    r->form_is_known = true;
    r->is_ready = false;
    return DAEDAL_OK;
}
