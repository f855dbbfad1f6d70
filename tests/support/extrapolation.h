/* support/extrapolation.h - extrapolated Euler methods for B(y) y' = f(y) in wide numbers.
 *
 * Responsibility: the basic methods of [BCP96] 4.6 and the table T_jk they are extrapolated to.
 * High columns have errors below the roundoff of double, so everything is computed with
 * 113 bits where the machine has them.
 * Depends on: libc, cmocka.                                                     */
#ifndef DAEDAL_SUPPORT_EXTRAPOLATION_H
#define DAEDAL_SUPPORT_EXTRAPOLATION_H

#include <float.h>
#include <stdbool.h>
#include <stdint.h>

#if LDBL_MANT_DIG < 113 && defined __SIZEOF_FLOAT128__
__extension__ typedef __float128 wide;
enum { WIDE_DIGITS = 33 };
#else
typedef long double wide;
enum { WIDE_DIGITS = LDBL_DIG };
#endif

enum { WIDE_MAX = 2, TABLE_ROWS = 10 };

/* B by rows.  Functions of rational operations only: there are no wide elementary functions. */
typedef struct wide_system {
    int32_t n;
    void (*mass)(const wide *y, wide *b);
    void (*rhs)(const wide *y, wide *f);
    void (*exact)(wide t, wide *y, wide *yp);
} wide_system;

/* Systems of index 1 with the solution y = 1/(1+t), z = y^2, not linear in either; the last one is
 * an implicit ordinary differential equation.                                     */
extern const wide_system WIDE_SEMI_EXPLICIT, WIDE_CONSTANT_RANGE, WIDE_TURNING_RANGE,
    WIDE_NONSINGULAR;
/* The algebraic equation of the first two. */
wide wide_constraint(const wide *y);

/* y after `steps` steps of size h from the exact values at t = 0. */
typedef void basic_method(const wide_system *sys, wide h, int32_t steps, wide *y);
basic_method implicit_euler; /* iterated to roundoff                              */
basic_method scheme_1;       /* linearly implicit, one matrix for all steps       */
basic_method scheme_2;       /* linearly implicit, B taken anew for every step    */

/* row[j][k], j and k from 0, is T_{j+1,k+1} at t = H: [BCP96] (4.6.1), with n_j/n_{j-k} - 1 as
 * denominator (misprinted there).                                                  */
typedef struct wide_table {
    int32_t rows;
    wide row[TABLE_ROWS][TABLE_ROWS][WIDE_MAX];
} wide_table;

extern const int32_t HARMONIC[TABLE_ROWS]; /* 1, 2, 3 ... */
void extrapolate(wide_table *table, basic_method *basic, const wide_system *sys, wide H,
                 const int32_t *sequence);

/* The tables for H and H/2. */
typedef struct table_pair {
    double H;
    wide_table coarse, fine;
} table_pair;

/* The exponent of H in the error of T_jk, component v, measured between the two; INFINITY if the
 * error is at roundoff.  j and k from 0.                                                 */
double exponent_of(const wide_system *sys, const table_pair *pair, int32_t j, int32_t k, int32_t v);

/* a x = b with a 2 x 2 at most; b becomes x. */
void wide_solve(int32_t n, const wide *a, wide *b);
wide wide_abs(wide x);
#endif
