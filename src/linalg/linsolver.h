/* linalg/linsolver.h - which linear solver for which matrix.
 *
 * Responsibility: the choice among the solvers of daedal.h (each in its own file
 * linsolver_<name>.c behind the same vtable), from n and the pattern alone.
 * Depends on: base/.                                                            */
#ifndef DAEDAL_LINALG_LINSOLVER_H
#define DAEDAL_LINALG_LINSOLVER_H

#include "base/choices.h"
#include "base/pattern.h"

/* Factors, and what the next ones depend on, into a solver made for the same pattern.  false: this
 * solver cannot; factor again.                                                    */
bool linsolver_copy(const daedal_linsolver *solver, void *to, const void *from);
/* For `count` right-hand sides of n entries, one behind the other. */
void linsolver_solve_many(const daedal_linsolver *solver, void *self, double *b, int32_t n,
                          int32_t count);
void band_solve_many(void *self, double *b, int32_t count); /* linsolver_band.c */
void klu_solve_many(void *self, double *b, int32_t count);  /* linsolver_klu.c  */
/* A run begins: the same matrices shall give the same bits as at first. */
void linsolver_forget(const daedal_linsolver *solver, void *self);

/* The solver with this number of the option `linear_solver`, or for LINSOLVER_AUTO the one expected
 * to be fastest. */
const daedal_linsolver *linsolver_choose(int32_t wanted, const daedal_pattern *pattern);

/* What complete factors of a matrix by KLU are expected to take; entries 0: not known. */
typedef struct linsolver_forecast {
    double flops, entries;
    void *analysis; /* by KLU, from which this is known, or NULL */
    void *rival;    /* that with KLU's other ordering, where a trial needed it, or NULL */
} linsolver_forecast;

void linsolver_forecast_free(linsolver_forecast *forecast);

/* The same, and what was foretold on the way, for n > 16 and LINSOLVER_AUTO only; to be freed. */
const daedal_linsolver *linsolver_choose_foretold(int32_t wanted, const daedal_pattern *pattern,
                                                  linsolver_forecast *forecast);

/* Whether GMRES with incomplete factors is expected to be faster than factors of this size: for
 * large matrices with much fill.                                                 */
bool linsolver_iteration_wins(const daedal_pattern *pattern, const linsolver_forecast *forecast);

/* A factorization of this size in units of a solve. */
double linsolver_factor_price(const daedal_pattern *pattern, const linsolver_forecast *forecast);

/* How many iterations of GMRES a solve with factors of this size is worth, the factorizations
 * included.                                                                      */
double linsolver_worth_of_factors(const daedal_pattern *pattern,
                                  const linsolver_forecast *forecast);

/* A solver that was chosen for this pattern, without another analysis where the forecast has one,
 * which it takes.                                                                 */
daedal_status linsolver_create(const daedal_linsolver *solver, const daedal_pattern *pattern,
                               linsolver_forecast *forecast, const daedal_allocator *allocator,
                               void **self);

/* Choose a solver for a pattern, and create it. */
daedal_status linsolver_open(const daedal_pattern *pattern, const daedal_allocator *allocator,
                             const daedal_linsolver **solver, void **self);
/* The same for a few factorizations, for which the analysis of a sparse matrix costs more than it
 * saves. */
daedal_status linsolver_open_for_few(const daedal_pattern *pattern,
                                     const daedal_allocator *allocator,
                                     const daedal_linsolver **solver, void **self);

/* Operations and entries of a factorization by KLU, foretold by its analysis, which is for the
 * pattern of A + A': without symmetry half of the work it counts is real.  false: no memory.
 * linsolver_klu.c. */
bool klu_foretell(const daedal_pattern *pattern, linsolver_forecast *forecast);

/* A solver by the analyses of a forecast, which it takes, and the end of an analysis that was not
 * taken. */
daedal_status klu_create_analysed(void **self, const daedal_pattern *pattern,
                                  linsolver_forecast *forecast, const daedal_allocator *allocator);
void klu_free_analysis(void *analysis);

/* Operations and entries of a factorization by KLU with values made up for the pattern, in *found,
 * with the ordering of the forecast or with its rival, which is kept in the forecast.  false: too
 * large for a trial, singular, no rival, or no memory.  linsolver_klu.c.             */
bool klu_try(const daedal_pattern *pattern, bool rival, linsolver_forecast *forecast,
             linsolver_forecast *found);

/* The next factorization by KLU chooses its pivots anew. */
void klu_forget(void *self);
#endif
