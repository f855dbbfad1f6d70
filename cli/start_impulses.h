/* cli/start_impulses.h - the impulses that an inconsistent start of a model contains.
 *
 * Responsibility: which variables contain w delta + w' delta' + ... because states jump to where
 * constraints hold (daedal_pencil_impulses).
 * Depends on: job.h.                                                             */
#ifndef DAEDAL_CLI_START_IMPULSES_H
#define DAEDAL_CLI_START_IMPULSES_H

#include "job.h"
#include "output/json_writer.h"

enum { IMPULSE_ORDERS = 4 };

typedef struct start_impulses {
    int32_t n, order;             /* unknowns; 0: there are none                      */
    daedal_linear_system *system; /* with their names, or NULL                        */
    double *weights;              /* n x IMPULSE_ORDERS by columns, or NULL            */
} start_impulses;

/* After a start that was found. */
void start_impulses_find(start_impulses *s, const job *j);
void start_impulses_free(start_impulses *s);
/* The weight of the impulse in a variable; 0: none.  order 0: of delta, 1: of its derivative ... */
double start_impulses_weight(const start_impulses *s, const char *name, int32_t order);
void start_impulses_json(const start_impulses *s, json_writer *w);
#endif
