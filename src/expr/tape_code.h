/* expr/tape_code.h - what tape_build.c writes and tape.c reads.
 *
 * The code is a sequence of 32-bit words.  At top level, runs:
 *     op, count, first destination, sources (1, 2 or 3 for each of count)
 *     op + TAPE_EVEN*mode, count, first destination, two first sources: a source advances
 *         with the destination (its bit of mode is set) or stays
 *     op + TAPE_EVEN*TAPE_APART, count, ... as the first: no item needs the result of another one
 * of this run, as in even runs, so that several threads may share it TAPE_CALLS, count, then count
 * times:  a call, as below without its op TAPE_UNITS, count, then count times:  number of words,
 * instructions, TAPE_END Inside units, instructions: op, destination, sources EXPR_CALL,
 * destination, function, n_args, n_outputs, sources TAPE_ELSE, condition, words to skip if it is 0
 *     TAPE_SKIP, words to skip        TAPE_MOVE, destination, source        TAPE_END
 * EXPR_IF is the choice between two values that are both there.
 * Depends on: expr/tape.h.                                                      */
#ifndef DAEDAL_EXPR_TAPE_CODE_H
#define DAEDAL_EXPR_TAPE_CODE_H

#include "expr/tape.h"

enum { TAPE_UNITS = EXPR_N_OPS, TAPE_CALLS, TAPE_ELSE, TAPE_SKIP, TAPE_MOVE, TAPE_END, TAPE_N_OPS };

enum { TAPE_EVEN = 64, TAPE_FIRST = 1, TAPE_SECOND = 2, TAPE_APART = 4 };

/* Runs of fewer items are not shared by threads. */
enum { TAPE_SHARED_MIN = 4096 };

/* Whether the word begins an even run. */
static inline bool tape_is_even(uint32_t word)
{
    return word >= TAPE_EVEN && word < TAPE_EVEN * TAPE_APART;
}

/* Operations for which even runs are worth having. */
static inline bool tape_can_be_even(uint32_t op)
{
    return op >= EXPR_ADD && op <= EXPR_NEG;
}

/* A constant that follows a live constant of the graph. */
typedef struct tape_live {
    uint32_t constant; /* its number */
    expr e;
} tape_live;

struct tape {
    const daedal_allocator *allocator;
    uint32_t *code;
    size_t n_code, code_capacity;
    size_t level_start[TAPE_LEVELS]; /* where the code of a level begins            */
    double *constant;
    size_t constant_capacity;
    tape_live *live;
    size_t n_live, live_capacity;
    uint32_t *root;   /* slot of every root                                           */
    uint32_t *target; /* its place in out, or NULL: in order                        */
    tape_size size;
    size_t n_slots;         /* inputs, constants, results                           */
    size_t scratch;         /* room for arguments and outputs of a call, behind     */
    size_t n_shared;        /* operations in runs that threads may share            */
    size_t scratch_outputs; /* where the outputs begin in it                        */
};
#endif
