/* adjoint/forward_solution.h - the solution of a run, to be read from its end to its beginning.
 *
 * Responsibility: the run itself, in parts whose records take no more than the memory that is
 * allowed.  Of all parts but the last a copy of the solver at their beginning is kept, from which
 * they are run again when they are needed: the copy takes the same steps.
 * Depends on: adjoint/solution_record.h.                                         */
#ifndef DAEDAL_ADJOINT_FORWARD_SOLUTION_H
#define DAEDAL_ADJOINT_FORWARD_SOLUTION_H

#include "adjoint/solution_record.h"

typedef struct solution_part {
    double t_from, t_to;
    daedal_solver *at;    /* the solver at t_from, from which it is run again; NULL: it is kept */
    solution_record kept; /* where it is kept and not loaded                                  */
} solution_part;

/* Some states along the run, evenly by the number of steps: (y, y') each.         */
enum { SAMPLES_MOST = 64 };
typedef struct solution_samples {
    int32_t n;
    int64_t seen, stride; /* every stride-th step is one */
    double t[SAMPLES_MOST];
    size_t part[SAMPLES_MOST]; /* in which it lies */
    double *values;            /* SAMPLES_MOST x 2 n */
    double *size;              /* n: the largest |y| of all steps */
} solution_samples;

/* Called where a part becomes the one that is read. */
typedef void forward_enter_fn(void *user, size_t part);
/* Called after each step that was recorded; a daedal_answer. */
typedef int forward_step_fn(solution_record *record, void *user);

typedef struct forward_solution {
    int32_t n;
    double t_start, t_end;
    size_t memory_most;
    solution_record record; /* of the part that can be read now */
    solution_part *parts;
    size_t n_parts, room, current; /* current: that of the record */
    forward_enter_fn *enter;       /* or NULL */
    void *enter_user;
    solution_samples samples;
    double *begin; /* 2 n: y and y' at t_start */
    forward_step_fn *step;
    void *step_user;
    int64_t repeated; /* steps that were taken again */
    const daedal_allocator *allocator;
    block mem;
} forward_solution;

bool forward_create(forward_solution *f, int32_t n, const daedal_allocator *a);
void forward_free(forward_solution *f);

/* From the state of the solver, which has been started, to f->t_end.  A failure or DAEDAL_STOPPED,
 * with the reason in the diagnosis of the solver or, where that has none, in *why.  */
daedal_status forward_run(forward_solution *f, daedal_solver *solver, daedal_diagnosis *why);
/* A step that the caller has taken, up to t; and the end of a part of such a run. */
daedal_status forward_add(forward_solution *f, run *of, double t);
daedal_status forward_end_part(forward_solution *f, double t);

/* Make a part readable. */
daedal_status forward_load(forward_solution *f, size_t part, daedal_diagnosis *why);
/* What else belongs to a part takes effect, without its solution. */
void forward_enter(const forward_solution *f, size_t part);
#endif
