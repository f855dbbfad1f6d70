/* newton/missing_entries.h - entries of the Jacobian that its pattern lacks.
 *
 * Responsibility: while a Jacobian is computed by differences, notice that F depends on a variable
 * where the pattern has no entry, and find the entry.  The pattern is extended by the run
 * (solver/pattern_repair.c).
 * Depends on: newton/iteration_matrix.h.                                        */
#ifndef DAEDAL_NEWTON_MISSING_ENTRIES_H
#define DAEDAL_NEWTON_MISSING_ENTRIES_H

#include "newton/iteration_matrix.h"

typedef struct missing_entries {
    int32_t n;
    int32_t *row;    /* what was found: F_row depends on variable `column` of dF/dy, or  */
    int32_t *column; /* on variable `column - n` of dF/dy'                               */
    int32_t n_found; /* at most `capacity`; the rest is found next time                  */
    int32_t capacity;
    uint64_t random;    /* state of the generator                                           */
    int32_t *list;      /* 2 n: columns to be moved                                         */
    int32_t *explained; /* n: the last colour with an entry in this row                     */
    int32_t colour;     /* counts colours over all evaluations                              */
    bool *is_suspect;   /* n: rows under search                                             */
    int32_t n_suspects;
    uint8_t *alarms;   /* n: how often a search for this row found nothing                 */
    int32_t fruitless; /* searches after failures of Newton's iteration that found nothing */
    double *noise, *expected, *size; /* n each: of a change of F                             */
    block mem;
} missing_entries;

missing_entries *missing_entries_create(int32_t n, const daedal_allocator *a);
void missing_entries_free(missing_entries *x);

/* During an evaluation: colour c has been moved, m->r is F there.  Notes the rows that changed
 * although no column of the colour has an entry there.                          */
void missing_entries_note_colour(iteration_matrix *m, int32_t colour);
/* After it, with all variables back in place: find the entries of the rows noted.  A daedal_answer.
 */
int missing_entries_search_colour(iteration_matrix *m, const matrix_point *at, int32_t colour);

/* After a complete evaluation, with the noise of the terms of F in m->watch->noise
 * (matrix_term_noise): compare F along a random direction with the Jacobian, by one call.
 * A daedal_answer; DAEDAL_CALL_STOP if entries were found in this evaluation.    */
int missing_entries_check(iteration_matrix *m, const matrix_point *at);

/* Newton's iteration has failed with a new Jacobian, and got as far as this point: look there. True
 * if entries were found.  Only while a step is under way.            */
bool missing_entries_look(iteration_matrix *m, const matrix_point *at);
#endif
