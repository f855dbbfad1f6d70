/* library/library.h - functions that a model may call without declaring them.
 *
 * Responsibility: the built-in functions of the language (builtin_functions.c, array_functions.c)
 * and functions of the Modelica Standard Library that exported models call without a body
 * (library.c and its tables).  A call is given as syntax, since some functions treat their
 * arguments in their own way: pre(x), noEvent(e), sum(e for i in r).
 * Depends on: symbolic/context.h.                                                   */
#ifndef DAEDAL_LIBRARY_LIBRARY_H
#define DAEDAL_LIBRARY_LIBRARY_H

#include "symbolic/context.h"

/* A function of the language; false if there is none of this name. */
/* The name of a builtin function, NULL behind the last one. */
const char *builtin_name(size_t k);
bool builtin_is_der(const char *name);
/* Whether it is a Real function of one number without events, as sin, and its operation. */
bool builtin_elementary(const char *name, expr_op *op);
bool builtin_call(context *in, const ast_expr *call, const char *name, value *result);

/* Clock(...) and the operators of clocked equations but sample(), and sample(u, clock), where a bad
 * clock means that there is none.                                                 */
value clock_function(context *in, const ast_expr *call, const char *name);
value clock_sample(context *in, const ast_expr *call, value u, value clock);

/* A function of the library with all its outputs, 0 of them after an error; false if there is none
 * of this name.                                                                  */
bool library_call(context *in, const ast_expr *call, const char *name, value *outputs,
                  int32_t *n_outputs);

/* Arguments by position and name, `names` separated by blanks; a missing one is NULL.  At least
 * `least` must be given.  false after an error.                                  */
bool builtin_args(context *in, const ast_expr *call, const char *names, int32_t least,
                  const ast_expr **args);

/* Functions that expressions cannot write and that are computed with numbers at run time. */
typedef enum library_builtin {
    LIBRARY_XORSHIFT_64,
    LIBRARY_XORSHIFT_128,
    LIBRARY_XORSHIFT_1024,
    LIBRARY_ERF,
    LIBRARY_ERFC,
    LIBRARY_ERF_INVERSE,
    LIBRARY_ERFC_INVERSE,
    LIBRARY_SEED_WORDS = 256, /* + n: a state of n Integers from two seeds */
    LIBRARY_WRITE_MATRIX = 1 << 17,
    LIBRARY_SOLVE = 1 << 18,   /* + n: see matrix_functions.c */
    LIBRARY_FOURIER = 1 << 19, /* + n: see fourier_functions.c */
    LIBRARY_TABLES = 1 << 20   /* + n: functions of tables, see table_functions.c */
} library_builtin;

/* 0: done.  `object` is the table that the function belongs to, or NULL. */
int library_compute(int64_t builtin, const void *object, const double *args, double *outputs);

/* A call of such a function. */
typedef struct library_called {
    int64_t builtin;
    const void *object;
    const expr *args;
    uint32_t n_args;
    expr result; /* the value of the call */
} library_called;
/* The derivative with respect to argument k; EXPR_NONE: it is not known. */
expr library_derivative(context *in, expr_graph *g, const library_called *c, uint32_t k);

/* Quantities that are whole only where the function bends or jumps, together at all such places:
 * number k of them; EXPR_NONE: it is not there.                                                  */
expr library_corner(context *in, expr_graph *g, const library_called *c, uint32_t k);

/* A library function of values; what it returns first. */
value library_apply(context *in, const char *name, const value *args, int32_t n, source_at at);
/* Whether a function of this name can be called. */
bool library_has(const char *name);
#endif
