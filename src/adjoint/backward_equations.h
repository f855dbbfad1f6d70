/* adjoint/backward_equations.h - the adjoint equations as a system of their own.
 *
 * With A = dF/dy' and B = dF/dy along the solution
 *     (A' lambda)' - B' lambda + (dg/dy)' = 0                               [CLPS03]
 * in backward time.  Columns of A that are constant stand in front of lambda', zero ones included;
 * for each other column j there is an unknown mu_j = (A' lambda)_j, so that no derivative of A is
 * needed.  Unknowns: lambda, then these mu.  Where A has one entry in each row and column the
 * equations are ordered so that it is diagonal.
 * Depends on: adjoint/coefficients.h, adjoint/functional.h.                      */
#ifndef DAEDAL_ADJOINT_BACKWARD_EQUATIONS_H
#define DAEDAL_ADJOINT_BACKWARD_EQUATIONS_H

#include "adjoint/coefficients.h"
#include "adjoint/functional.h"

/* What the equations read at a time.  A step of several stages comes back to each of its times in
 * every iteration, and the integrals over a step read them again, so that some are kept.  */
enum { TIMES_KEPT = 16 };
typedef struct equations_at {
    double t;         /* NAN: nothing */
    double *dy, *dyp; /* of F, in the order of the pattern; dyp without varying columns: none */
    double *by_y;     /* n: dg/dy */
    double *y;        /* n        */
} equations_at;

/* Where an entry of F stands: its row is the unknown lambda, its column makes an equation. */
typedef struct backward_entry {
    int32_t place; /* in the pattern of F */
    int32_t unknown, equation;
} backward_entry;

typedef struct backward_equations {
    coefficients *of;
    const functional *g;
    int32_t n, n_extra;
    bool *is_varying;        /* n: columns of A                                        */
    int32_t *extra;          /* n: the number of its mu, or -1                         */
    double *reference;       /* A where it was seen first, in the order of the pattern */
    double *column_max;      /* n: of these                                            */
    backward_entry *entry;   /* n_entries: of B, by columns of F                        */
    int32_t *entries_to;     /* n: where those of a column end                          */
    backward_entry *leading; /* n_leading: of A, that are not zero, of constant columns */
    double *diagonal;        /* n: entries of A on the diagonal, which `leading` leaves out */
    int32_t n_entries, n_leading;
    int32_t *equation, *column; /* n: the equation of a column of F, and the other way round */
    double constancy;           /* relative changes of A that are none                    */
    bool has_changed;           /* a column that was taken for constant                   */
    int32_t *at, *at_extra; /* places of an entry of the pattern of F in that of these equations;
                               at_extra -1: none                                    */
    int32_t *at_mu;         /* 2 n_extra: of the entries of the mu                  */
    double *by_y;           /* n: dg/dy, for others                                 */
    equations_at kept[TIMES_KEPT];
    equations_at *now; /* of these                                             */
    int32_t next;      /* to be replaced                                       */
    pattern pattern, dyp;
    block mem;
} backward_equations;

bool equations_create(backward_equations *e, coefficients *of, const functional *g);
void equations_free(backward_equations *e);

/* Look at A where the coefficients are: at first as a reference, then for columns that vary. */
void equations_begin_columns(backward_equations *e);
void equations_compare_columns(backward_equations *e);

/* The coefficients are those of another part of the solution. */
void equations_forget(backward_equations *e);

/* The system for the columns that are known to vary by now.  false: out of memory. */
bool equations_describe(backward_equations *e, daedal_system *sys);

/* The coefficients get y at t, and y' if products with dF/dp read it. */
void equations_go_to_product(backward_equations *e, double t);

/* out = A' lambda at the point of the coefficients, of unknowns x. */
void equations_product(const backward_equations *e, const double *x, double *out);
#endif
