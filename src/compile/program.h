/* compile/program.h - tapes with their memory.
 *
 * Responsibility: expressions of a model as a tape that reads the values of the model, with
 * memory for its results.  Running a program changes its own memory only.
 * Depends on: expr/tape.h.                                                       */
#ifndef DAEDAL_COMPILE_PROGRAM_H
#define DAEDAL_COMPILE_PROGRAM_H

#include "expr/tape.h"

struct compiled_model;

typedef struct program {
    tape *tape;
    double *work, *out;
    size_t n_work, n_out;
    bool reads_slopes;     /* y' */
    uint64_t version;      /* of the discrete values it has seen */
    uint64_t live_version; /* of the values of parameters        */
} program;

/* *p is NULL before and, after program_free, again.  false: out of memory. */
bool program_create(const struct compiled_model *m, program **p, const expr *roots, size_t n);
/* Root k is written to out[target[k]] of n_out items; the others keep their values, at first 0. */
typedef struct program_places {
    const uint32_t *target;
    size_t n_out;
} program_places;
bool program_create_into(const struct compiled_model *m, program **p, const expr *roots, size_t n,
                         program_places to);
void program_free(const daedal_allocator *a, program **p);

/* Evaluate at (t, y, y'), or (y NULL) at the current values.  Returns a daedal_answer; does nothing
 * if p is NULL.                                                                 */
int program_run(const struct compiled_model *m, program *p, double t, const double *y,
                const double *yp);
#endif
