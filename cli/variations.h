/* cli/variations.h - what `daedal sweep` varies, as the command line gives it.
 *
 *     k=0.1:10:50        50 values from 0.1 to 10 at equal distances
 *     k=0.1:10:50:log    the same with equal ratios
 *     k=1,2,5            these values
 *     k=0.1:10           any value in between, for samples; also uniform(0.1,10)
 *     k=loguniform(a,b), normal(mean,deviation), lognormal(median,sigma)
 * Depends on: sweep/variation.h.                                                */
#ifndef DAEDAL_CLI_VARIATIONS_H
#define DAEDAL_CLI_VARIATIONS_H

#include <stdbool.h>

#include "sweep/variation.h"

typedef struct varied {
    char *name;
    bool is_start; /* its start value varies (-y) */
    variation how;
    double *list;     /* of the variation; owned here */
    const char *text; /* as given, for messages: "k=1:2" */
} varied;

typedef struct varied_list {
    varied *at;
    int32_t n;
} varied_list;

/* Read the whole text as a number; true and false are 1 and 0. */
bool number_read(const char *text, double *x);

/* Add what `text`, which is no NAME=VALUE, asks for; `option` is -p or -y.  false after a message.
 */
bool varied_add(varied_list *all, const char *option, const char *text);
/* The name start(x) means the start value of x. */
void varied_take_start(varied *v);
void varied_free(varied_list *all);
#endif
