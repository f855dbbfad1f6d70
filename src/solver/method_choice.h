/* solver/method_choice.h - which method for which system.
 *
 * Responsibility: what `method = auto` means, as a function of counts that are the same in every
 * run (docs/decisions/020-method-auto.md).
 * Depends on: base/choices.h.                                                    */
#ifndef DAEDAL_SOLVER_METHOD_CHOICE_H
#define DAEDAL_SOLVER_METHOD_CHOICE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct choice_facts {
    int32_t n;
    int32_t entries;        /* of the Jacobian                                        */
    int32_t index;          /* the highest of a variable                              */
    double rtol;            /* the tightest                                           */
    bool is_nonsmooth;      /* F has kinks without events   */
    bool asks_for_bdf;      /* by options that only BDF has */
    bool has_sensitivities; /* they are integrated beside, with steps of their own    */
    bool is_iterative;      /* gmres solves the linear systems                        */
    double factor_price;    /* a factorization in solves                              */
    int32_t jacobian_price; /* an evaluation in residuals                             */
    bool is_explicit;       /* each equation determines one y', each y' by one equation */
    double stiffness;       /* then: spectral radius of dy'/dy times the time of the run */
    double activity;        /* and: the rate at which y' changes over that radius      */
} choice_facts;

typedef struct method_choice {
    int32_t method; /* a value of the option */
    const char *reason;
} method_choice;

method_choice method_for(const choice_facts *facts);

/* The method before anything is known of the system: the option, or a first choice for auto. */
method_choice method_for_option(int32_t option);

/* What auto means for a model with delay(). */
method_choice method_for_delays(void);

/* Whether a look at dF/dy' is worth its price. */
bool method_may_be_explicit(const choice_facts *facts);

/* Whether a run of this stiffness (see choice_facts) suits an explicit method. */
bool method_is_calm(double stiffness, double activity, double rtol);

/* Whether the price of a factorization could change the choice. */
bool method_depends_on_price(const choice_facts *facts);

/* After `failed` could not go on: what to try next; `tried` has a bit for each method that was
 * in use.  method -1: nothing is left.                                           */
method_choice method_after(int32_t failed, uint32_t tried, int32_t index);
#endif
