/* arrays/start_on_array.c - see start_on_array.h. */
#include "arrays/start_on_array.h"

#include <math.h>
#include <string.h>

#include "base/status.h"
#include "linalg/vector.h"

enum { ROUNDS = 8 };
/* The search ends when y has moved by less than AT_REST weights, or by less than NOISES times the
 * noise of y*.  */
static const double AT_REST = 1e-2, NOISES = 10.0;

static daedal_status complain(const equivalent_begin *from, daedal_diagnosis *why)
{
    fail(why, DAEDAL_ERR_START,
         "no consistent start near the given one at t = %.10g: the equations and their derivatives "
         "could not be satisfied together",
         from->t);
    hint(why, "give a better guess");
    return DAEDAL_ERR_START;
}

/* One round: choose T at the present values, then find the y* with the same T' y. */
static daedal_status approach(equivalent_system *x, const equivalent_begin *at, double *y)
{
    RETURN_UNLESS_OK(equivalent_system_begin(x, at));
    int answer = equivalent_system_correct(x, at->t, y);
    if (answer == DAEDAL_CALL_STOP)
        return DAEDAL_STOPPED;
    return answer == DAEDAL_CALL_OK ? DAEDAL_OK : complain(at, x->why);
}

static double largest_move(const equivalent_begin *at, const double *y, int32_t n)
{
    double most = 0.0;
    for (int32_t j = 0; j < n; j++)
        most = fmax(most, fabs(y[j] - at->y[j]) * at->inverse_weight[j]);
    return most;
}

static daedal_status find(equivalent_system *x, const equivalent_begin *from, double *y, double *yp)
{
    size_t bytes = (size_t)x->n * sizeof(double);
    double now[EQUIVALENT_LARGEST], slope[EQUIVALENT_LARGEST], moved = INFINITY, least = AT_REST;
    equivalent_begin at = *from;
    memcpy(now, from->y, bytes);
    memcpy(slope, from->yp, bytes);
    at.y = now;
    at.yp = slope;
    for (int k = 0; k < ROUNDS && moved > least; k++) {
        memcpy(y, now, bytes);
        RETURN_UNLESS_OK(approach(x, &at, y));
        moved = largest_move(&at, y, x->n);
        least = fmax(AT_REST, NOISES * x->at.noise);
        memcpy(now, y, bytes);
        RETURN_UNLESS_OK(equivalent_system_slopes(x, slope));
    }
    memcpy(yp, slope, bytes);
    return moved <= least && vector_all_finite(y, x->n) ? DAEDAL_OK : complain(from, x->why);
}

daedal_status start_on_array(const equivalent_setup *setup, const equivalent_begin *from, double *y,
                             double *yp)
{
    size_t bytes = (size_t)setup->sys->n * sizeof(double);
    double y_found[EQUIVALENT_LARGEST], yp_found[EQUIVALENT_LARGEST];
    equivalent_system x;
    daedal_status status = equivalent_system_create(&x, setup);
    x.at.is_start = true;
    if (status == DAEDAL_OK)
        status = find(&x, from, y_found, yp_found);
    else
        fail(setup->why, status, "out of memory at the start");
    equivalent_system_free(&x);
    if (status == DAEDAL_OK) {
        memcpy(y, y_found, bytes);
        memcpy(yp, yp_found, bytes);
    }
    return status;
}
