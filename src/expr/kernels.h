/* expr/kernels.h - what every operation computes, once for all evaluators.
 *
 * Responsibility: one list of formulas from which constant folding, direct evaluation, both
 * parts of the tape and the emitted C are made, so that they agree bit for bit.
 * All are total: no operation traps, a NaN operand of an arithmetic operation gives NaN
 * (also through min, max and sign); relations with NaN are false, <> is true.
 * Depends on: libm.                                                             */
#ifndef DAEDAL_EXPR_KERNELS_H
#define DAEDAL_EXPR_KERNELS_H

#include <math.h>

/* Helper functions, as code here and as text in emitted C. */
#define KERNEL_HELPERS(K)                                                                          \
    K(static inline double kernel_sign(double x) { return x > 0.0 ? 1.0 : x < 0.0 ? -1.0 : x; })   \
    K(static inline double kernel_min(double x, double y) { return x < y || x != x ? x : y; })     \
    K(static inline double kernel_max(double x, double y) { return x > y || x != x ? x : y; })     \
    K(static inline double kernel_mod(double x, double y) { return x - floor(x / y) * y; })        \
    K(static inline double kernel_rem(double x, double y) { return x - trunc(x / y) * y; })

#define KERNEL_DEFINE(...) __VA_ARGS__
KERNEL_HELPERS(KERNEL_DEFINE)

/* K1(op, formula in x), K2(op, formula in x and y). */
/* clang-format off */
#define KERNEL_LIST(K1, K2)                                                                        \
    K2(ADD, x + y)                                                                                 \
    K2(SUB, x - y)                                                                                 \
    K2(MUL, x * y)                                                                                  \
    K2(DIV, x / y)                                                                                 \
    K1(NEG, -x)                                                                                    \
    K2(POW, pow(x, y))                                                                             \
    K1(SIN, sin(x))                                                                                \
    K1(COS, cos(x))                                                                                \
    K1(TAN, tan(x))                                                                                \
    K1(ASIN, asin(x))                                                                              \
    K1(ACOS, acos(x))                                                                              \
    K1(ATAN, atan(x))                                                                              \
    K2(ATAN2, atan2(x, y))                                                                         \
    K1(SINH, sinh(x))                                                                              \
    K1(COSH, cosh(x))                                                                              \
    K1(TANH, tanh(x))                                                                              \
    K1(EXP, exp(x))                                                                                \
    K1(LOG, log(x))                                                                                \
    K1(LOG10, log10(x))                                                                            \
    K1(SQRT, sqrt(x))                                                                              \
    K1(ABS, fabs(x))                                                                               \
    K1(SIGN, kernel_sign(x))                                                                       \
    K2(MIN, kernel_min(x, y))                                                                      \
    K2(MAX, kernel_max(x, y))                                                                      \
    K1(FLOOR, floor(x))                                                                            \
    K1(CEIL, ceil(x))                                                                              \
    K1(INTEGER, floor(x))                                                                          \
    K2(IDIV, trunc(x / y))                                                                         \
    K2(MOD, kernel_mod(x, y))                                                                      \
    K2(REM, kernel_rem(x, y))                                                                      \
    K2(LT, (double)(x < y))                                                                        \
    K2(LE, (double)(x <= y))                                                                       \
    K2(GT, (double)(x > y))                                                                        \
    K2(GE, (double)(x >= y))                                                                       \
    K2(EQ, (double)(x == y))                                                                       \
    K2(NE, (double)(x != y))                                                                       \
    K2(AND, (double)((x != 0.0) & (y != 0.0)))                                                     \
    K2(OR, (double)((x != 0.0) | (y != 0.0)))                                                      \
    K1(NOT, (double)(x == 0.0))
/* clang-format on */

#endif
