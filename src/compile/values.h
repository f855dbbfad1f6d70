/* compile/values.h - the values of all variables of a model at one instant.
 *
 * All values live in one array `x`, the inputs of every tape:
 *     time | y | y' | discrete | their pre | pre of y | relations | roundings | samples |
 *     delays | inputs | initial | terminal | homotopy || computed
 * pre of y has no place if nothing reads it.
 * Everything behind y' changes at events only, except delays and inputs; computed values are output
 * but not read by tapes. Owner: compile/.  The start, the event iteration and the simulation change
 * the values.  Values behind y' are changed by values_set, which increments `version`, so that
 * programs notice it. Depends on: nothing. */
#ifndef DAEDAL_COMPILE_VALUES_H
#define DAEDAL_COMPILE_VALUES_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

/* Where the parts of x begin. */
typedef struct value_places {
    uint32_t y, yp, discrete, pre, pre_y, relation, rounding, sample, delay, input, initial,
        terminal, homotopy;
    uint32_t n;
} value_places;

typedef struct model_values {
    double *x;
    value_places place;
    uint64_t version; /* counts changes of what changes at events */
} model_values;

/* true: it changed. */
static inline bool values_set(model_values *v, uint32_t slot, double value)
{
    if (v->x[slot] == value || (isnan(value) && isnan(v->x[slot])))
        return false;
    v->x[slot] = value;
    v->version++;
    return true;
}

/* The value of a variable of the text: x[slot] * factor, or factor alone. */
typedef struct value_origin {
    int32_t slot; /* or -1 */
    double factor;
} value_origin;

static inline double origin_value(value_origin from, const double *x)
{
    return from.slot < 0 ? from.factor : from.factor * x[from.slot];
}
#endif
