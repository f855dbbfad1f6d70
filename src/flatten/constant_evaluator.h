/* flatten/constant_evaluator.h - values of expressions before there is a model.
 *
 * Responsibility: evaluates expressions of literals and of calls of functions, for sizes and
 * conditions that decide which equations a model has.
 * Invariant: nothing is reported; an expression without a finite value is answered by NULL.
 * Depends on: lang/parser.h.                                                       */
#ifndef DAEDAL_FLATTEN_CONSTANT_EVALUATOR_H
#define DAEDAL_FLATTEN_CONSTANT_EVALUATOR_H

#include "lang/parser.h"

typedef struct constant_evaluator constant_evaluator;

/* NULL: out of memory. */
constant_evaluator *constant_evaluator_create(compilation *c);
void constant_evaluator_free(constant_evaluator *v);

/* The value as a literal: a number, a text, a literal of an enumeration (with its number), an array
 * or the call of the constructor of a record (flag set).  Functions, records and enumerations are
 * those of the list, which may grow at its front or at its end between calls.  */
ast_expr *constant_evaluator_run(constant_evaluator *v, const ast_class *classes,
                                 const ast_expr *e);
#endif
