/* index/differentiation_index.h - the index of a system given by a function.
 *
 * Responsibility: put together what patterns, the system Jacobian, the frozen pencil and the
 * derivative array say; grade the answer, or give none.
 * Depends on: index/.                                                          */
#ifndef DAEDAL_INDEX_DIFFERENTIATION_INDEX_H
#define DAEDAL_INDEX_DIFFERENTIATION_INDEX_H

#include "index/sparsity_probe.h"

/* How an answer was reached.  A: the structure, confirmed by a regular system Jacobian and, where
 * it could be too high, by a second method.  B: one method that sees all of the system, namely the
 * derivative array, or the structure with a regular Jacobian where n is too large for a second
 * one.  C: methods that see one instant only, or that disagree.  D: no answer.   */
typedef enum index_grade { INDEX_GRADE_A, INDEX_GRADE_B, INDEX_GRADE_C, INDEX_GRADE_D } index_grade;

typedef enum index_verdict {
    INDEX_FOUND,
    INDEX_STRUCTURE, /* no assignment of equations to variables                         */
    INDEX_DEPENDENT, /* equations, with derivatives, are dependent: no unique solution  */
    INDEX_NOISY,     /* F differs between two calls with the same arguments             */
    INDEX_UNDEFINED, /* F is defined nowhere around                                     */
    INDEX_OPEN       /* the methods do not decide                                       */
} index_verdict;

typedef struct index_question {
    const probe_target *target;
    double t;
    const double *y, *yp;
    const daedal_pattern *dy, *dyp; /* patterns of the two parts                         */
    double time_scale, time_ahead;  /* > 0: in which y changes by itself; that may be run    */
    double direction;               /* +1, -1: F may be asked on this side of t only; 0: both */
} index_question;

typedef struct index_answer {
    int32_t n;
    index_verdict verdict;
    index_grade grade;
    int32_t index;      /* -1: no answer                                                 */
    int32_t structural; /* what the patterns alone say; -1 if they are singular          */
    int32_t freedom;    /* degrees of freedom, or -1                                     */
    int32_t growth, staircase, array; /* the other methods; -1: no answer or not asked  */
    bool is_attained;                 /* an inverse of the system Jacobian shows `structural` */
    bool is_regular;                  /* the system Jacobian is: c and d hold                */
    bool is_singular_here;            /* it is regular around the point, but not there       */
    int32_t *c, *d;                   /* n: offsets of equations and variables               */
    int32_t *variable_index;          /* n: 0 differential, 1 .. ; -1 not known              */
    int32_t n_chain;                  /* variables in the chain; 0: none known               */
    int32_t chain_equation, *chain;
    bool *row_suspect, *column_suspect; /* n: part in a relation among dependent equations;
                                           of variables that it leaves undetermined      */
    int32_t equation, variable;         /* the cause where no index was found, or -1           */
    block mem;
} index_answer;

/* DAEDAL_OK with an answer, DAEDAL_STOPPED, DAEDAL_ERR_CALLBACK or DAEDAL_ERR_MEMORY.
 * index_free in any case.                                                        */
daedal_status index_find(index_answer *x, const index_question *q, const daedal_allocator *a);
void index_free(index_answer *x);

/* false: out of memory, and there is no answer. */
bool index_copy(index_answer *to, const index_answer *from, const daedal_allocator *a);
#endif
