/* linalg/damped_newton.h - Newton and Gauss-Newton iterations whose steps are halved until they
 * help.
 *
 * Responsibility: the one loop behind all starts.  What is solved, how a step is found and how its
 * size is measured belongs to the caller; so do the iterate and the trial point.  The size may be
 * that of the residual, or that of the correction the present matrix would make (the natural
 * level function of Deuflhard, which no scaling of the equations changes): it is only compared
 * with itself.
 * Depends on: libc.                                                             */
#ifndef DAEDAL_LINALG_DAMPED_NEWTON_H
#define DAEDAL_LINALG_DAMPED_NEWTON_H

/* What a function of the caller answers. */
typedef enum damped_reply {
    DAMPED_OK,
    DAMPED_ENOUGH, /* measure: the iterate is the solution; try_share: take it, whatever its size */
    DAMPED_UNDEFINED, /* there is no value at this point; find_step: there is no step            */
    DAMPED_ABORT      /* the iteration must end at once                                          */
} damped_reply;

/* How an iteration ended. */
typedef enum damped_outcome {
    DAMPED_FOUND,
    DAMPED_STUCK,     /* no share of the step helps, or there is no step */
    DAMPED_EXHAUSTED, /* all iterations are used up                      */
    DAMPED_NO_VALUE,  /* measure found none                              */
    DAMPED_ABORTED
} damped_outcome;

typedef struct damped_newton {
    void *self;
    /* Linearize at the iterate; the size of what is wrong with it. */
    damped_reply (*measure)(void *self, double *size);
    /* The whole step from the iterate.  NULL: measure has found it. */
    damped_reply (*find_step)(void *self);
    /* Set the trial point to the iterate + share * step; its size, in the units of measure. */
    damped_reply (*try_share)(void *self, double share, double *size);
    /* The trial point becomes the iterate.  NULL: it is so already. */
    void (*accept)(void *self, double share);
    /* No share helps: back to the iterate.  NULL: trials have left it as it was. */
    void (*restore)(void *self);
    int iterations_max;
    int halvings_max;  /* so many shares are tried: 1, 1/2, 1/4, ...                           */
    double reduction;  /* of a share that does not help; 0: 1/2                                */
    double decrease;   /* a share s is taken if at most 1 - decrease * s of the size is left   */
    double negligible; /* a trial of at most this size is taken in any case: it is roundoff    */
    double solved;     /* no step is made from an iterate of at most this size                 */
    double last;       /* a whole step from an iterate of at most this size is the last one    */
    double tolerated;  /* an iterate of at most this size is a solution where no share helps   */
    double size;       /* of the last iterate that was measured                                */
    double share;      /* that was taken last; 0: none helped                                  */
} damped_newton;

/* The largest share of the step that helps, from an iterate of size d->size.  DAMPED_FOUND,
 * DAMPED_STUCK or DAMPED_ABORTED.                                               */
damped_outcome damped_newton_step(damped_newton *d);

/* The iteration. */
damped_outcome damped_newton_solve(damped_newton *d);
#endif
