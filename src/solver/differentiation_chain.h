/* solver/differentiation_chain.h - the index of a system in words.
 *
 * Responsibility: the chain of equations and variables behind an index, and how it was found, in
 * the names of the user.
 * Depends on: index/differentiation_index.h, newton/evaluator.h.                            */
#ifndef DAEDAL_SOLVER_DIFFERENTIATION_CHAIN_H
#define DAEDAL_SOLVER_DIFFERENTIATION_CHAIN_H

#include "index/differentiation_index.h"
#include "newton/evaluator.h"

/* "length -> x -> u -> lambda": the equation that is differentiated most, then the variables it
 * determines one after the other; "" if it is not known.                         */
void chain_write(char *text, size_t size, const index_answer *x, const daedal_system *sys);

/* How the answer was reached, or why there is none: one or two sentences.        */
void chain_write_grade(char *text, size_t size, const index_answer *x, const daedal_system *sys);

/* Replace a diagnosis by one that names index and chain, if the index explains the failure: it
 * is at least 2.  Also for equations that depend on one another, or whose values are noise.  True
 * if it did.                                                                          */
bool chain_explain(daedal_diagnosis *why, daedal_status status, const index_answer *x,
                   const daedal_system *sys);

/* Add index and chain to a diagnosis that stays. */
void chain_append(daedal_diagnosis *why, const index_answer *x, const daedal_system *sys);
#endif
