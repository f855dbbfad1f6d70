/* bench/peer.h - one run of one code on one problem, and the guard on its callbacks.
 *
 * Both codes are driven alike: the consistent start is given, the stop time is the end
 * of the problem, one call goes from the start to the end (in pieces only at
 * breakpoints), and the clock runs during that call alone.  Creating, starting and
 * freeing are timed apart or not at all.  Both codes call the problem through the same
 * guard, which counts calls and ends a run that takes too long.
 * Depends on: support/problems.h.                                                 */
#ifndef DAEDAL_BENCH_PEER_H
#define DAEDAL_BENCH_PEER_H

#include "problems.h"

#define PEER_STEP_LIMIT 2000000
#define PEER_SECONDS_LIMIT 30.0

typedef struct run {
    bool done;
    char status[96];   /* what the code says; "done" after success         */
    int64_t steps;     /* accepted                                          */
    int64_t residuals; /* as the code reports them, differences included    */
    int64_t jacobians;
    int64_t factorizations;
    int64_t rejected;       /* error test failures                               */
    int64_t residual_calls; /* as the guard counted them during the clocked part */
    int64_t jacobian_calls;
    double setup_seconds; /* create and start                                  */
    double seconds;       /* the way from t0 to t_end                          */
    double digits;        /* problem_digits() at the end, NAN after failure    */
    double error;         /* problem_error() at the end, NAN after failure     */
} run;

/* Between a code and the problem.  Pass the guard as `user`. */
typedef struct guard {
    const problem *p;
    daedal_jacobian_fn *jacobian; /* the one in use, or NULL */
    int64_t residuals, jacobians;
    int64_t look_every; /* calls between two looks at the clock */
    int64_t look_in;    /* calls until the next one             */
    double deadline;
    bool expired;
} guard;

void guard_begin(guard *g, const problem *p, daedal_jacobian_fn *jacobian);
daedal_residual_fn guard_residual;
daedal_jacobian_fn guard_jacobian;

/* Complete a run: counts of the guard, digits and error of the end state. */
void run_judge(run *r, const guard *g, const double *y, double rtol);

/* Zero everything and say why nothing was run. */
void run_fail(run *r, const char *status);

/* Keep the faster of two runs of the same kind in *best. */
void run_keep_faster(run *best, const run *next);

double seconds_now(void); /* processor time of this process */

/* Of BLAS: several would disturb every measurement. */
void use_one_thread(void);
#endif
