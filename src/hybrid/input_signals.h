/* hybrid/input_signals.h - an input that is given by data over time.
 *
 * Responsibility: values and derivatives between the rows of a table; where the value jumps, and
 * which rows no step should pass.
 * Two rows of the same time are a jump.  The rows between two jumps are a piece; a signal reads one
 * piece until signal_pass_jumps is called at an event, as a relation keeps its value between
 * events. Depends on: tables/point_curve.h, daedal.h.                                     */
#ifndef DAEDAL_HYBRID_INPUT_SIGNALS_H
#define DAEDAL_HYBRID_INPUT_SIGNALS_H

#include <stdbool.h>

#include "base/memory.h"
#include "base/state_copy.h"

typedef struct input_signal {
    size_t n;          /* rows                                                           */
    double *t, *value; /* n each                                                         */
    double *slope;     /* n: of cubic interpolation                                      */
    double scale;      /* the largest |value|                                            */
    daedal_interpolation interpolation;
    daedal_extrapolation extrapolation;
    /* of the run: */
    size_t begin, end; /* rows of the piece                                              */
    size_t row;        /* the interval used last begins here                             */
    size_t knot_from,
        knot; /* no step from the interval knot_from passes the row `knot`; 0: unknown */
    block mem;
} input_signal;

/* The data are checked already.  false: out of memory. */
bool signal_create(input_signal *s, const daedal_signal *from, const daedal_allocator *a);
void signal_free(input_signal *s);

void signal_copy_state(input_signal *signal, state_copy *s); /* which rows it reads */

void signal_begin(input_signal *s, double t);      /* the piece that holds from t on */
bool signal_pass_jumps(input_signal *s, double t); /* true: another piece holds now */
double signal_next_jump(const input_signal *s);    /* HUGE_VAL: none */
/* The value at t and its first n_orders - 1 derivatives. */
void signal_values(input_signal *s, double t, double *values, int n_orders);
/* The first row after t whose value the present interval does not predict within `tolerance`: no
 * step should pass it.  HUGE_VAL: there is none.                                 */
double signal_next_knot(input_signal *s, double t, double tolerance);
#endif
