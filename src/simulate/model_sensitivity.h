/* simulate/model_sensitivity.h - derivatives of the run of a model by parameters.
 *
 * Responsibility: dF/dp for the solver, the derivatives of the start, and the derivatives of all
 * variables at the points of the output.  The integration is that of solver/sensitivity.h.
 * Depends on: simulate/simulation.h, compile/parameter_tapes.h.                  */
#ifndef DAEDAL_SIMULATE_MODEL_SENSITIVITY_H
#define DAEDAL_SIMULATE_MODEL_SENSITIVITY_H

#include "compile/parameter_tapes.h"
#include "hybrid/discrete.h"
#include "simulate/simulation.h"

/* Derivatives in the rounds of an event (event_rounds.c): of the unknowns, and of discrete
 * variables that are numbers, which equations hold between events.                             */
typedef struct event_rounds {
    event_observer observer;
    int32_t n_held;
    uint32_t *held;     /* n_held: their places among the discrete variables          */
    int32_t *item;      /* n_held: the assignment, or -1                                  */
    double *now, *pre;  /* n x n_held: of their values in this round; of pre          */
    double *start;      /* n x n_held: at the start of the run                                */
    double *begun;      /* n x n_held: before the event                               */
    double *before;     /* n x n_system: of the unknowns before the event                */
    double *settled;    /* all values at the beginning of a round                       */
    double *kept;       /* all values, while others are tried                         */
    double *side[2];    /* what a program gives on both sides                         */
    int32_t *moved;     /* n_system: states that have moved without a reinit                */
    bool *is_differing; /* n_held: assignments in a loop are not followed                */
    bool is_unresolved; /* algebraic variables have no derivatives at an event           */
    bool is_open;       /* between event_rounds_enter and the end of the event            */
    daedal_status status;
} event_rounds;

typedef struct model_sensitivities {
    simulation *of;
    int32_t n;            /* parameters                                              */
    uint32_t *variable;   /* n: their variables, which may stand for their start values */
    bool *is_start;       /* n: which do                                             */
    uint32_t *read;       /* n: what equations read of them; UINT32_MAX: nothing     */
    double *value, *size; /* n: their values in this run; |value|                    */
    double *written;      /* n: start values that the caller gave before, else NAN   */
    bool is_starting;     /* derivatives of the start are under way                  */
    double *start;        /* n_system x n: of the start values                       */
    double *x, *kept;     /* as long as the values of the model                      */
    double *row[2];       /* two rows                                                */
    double *time;         /* n: derivative of the time of the last event              */
    double *total;        /* n_system x n: of the states at that event, whose time moves too */
    bool has_gaps;        /* something is not counted, and a warning has told of it   */
    bool is_told;         /* that a discrete variable is not followed                  */
    event_rounds rounds;
    parameter_tapes tapes;
    block mem;
} model_sensitivities;

/* What the request asks for, with the derivatives of the start, which is solved several times; NULL
 * without parameters.  Before the run begins.                                     */
daedal_status model_sensitivity_prepare(simulation *m, const simulation_task *task);
void model_sensitivity_free(simulation *m);

/* Whether the run has derivatives that do not count everything; false: it has none. */
bool model_sensitivity_has_gaps(const simulation *m);

/* Tell the solver the derivatives of the start. */
daedal_status model_sensitivity_give_start(simulation *m);

/* ---- start_sensitivity.c ---- */

daedal_status model_sensitivity_differentiate_start(model_sensitivities *s,
                                                    const simulation_task *given);
void model_sensitivity_choose_start(model_sensitivities *s, int32_t i);
daedal_status model_sensitivity_move_start(model_sensitivities *s, int32_t i, double step);
void model_sensitivity_put_back_start(model_sensitivities *s, int32_t i);
/* After the start of a run: it has kept the start values by which it is differentiated. */
daedal_status model_sensitivity_check_starts(simulation *m);

/* ---- event_sensitivity.c ---- */

/* Around an event at x: the time of the event depends on the parameters, and with it the states
 * behind it.  DAEDAL_ERR_STRUCTURE: a dependence that is not known.                 */
daedal_status model_sensitivity_before_event(driver *d);
daedal_status model_sensitivity_after_event(driver *d);

/* Shared: a parameter moved by a share of its size, and as it was before. */
daedal_status model_sensitivity_move(model_sensitivities *s, int32_t i, double step);
void model_sensitivity_put_back(model_sensitivities *s, int32_t i, const flat_variable *before);
/* From the present value: a step that is small against the parameter and against all unknowns along
 * their derivatives. */
double model_sensitivity_step(model_sensitivities *s, int32_t i, const double *slope);

/* ---- event_rounds.c ---- */

void event_rounds_count(model_sensitivities *s);
void event_rounds_lay_out(model_sensitivities *s, layout *l);
/* Before a run: which variables are held. */
void event_rounds_begin(model_sensitivities *s);
/* Before an event: the derivatives of time and unknowns are known. */
void event_rounds_enter(model_sensitivities *s);
/* Behind it: whether numbers that the equations read have other derivatives. */
bool event_rounds_matter(const model_sensitivities *s);
/* Behind an event: states that constraints have moved follow from the others.  false: these are not
 * determined by them. */
bool event_rounds_follow_constraints(model_sensitivities *s, const int32_t *state, int32_t n);
/* Held numbers become those in `from`, moved by a share of the size of parameter i. */
void event_rounds_move_held(const model_sensitivities *s, const double *from, int32_t i,
                            double step);

/* The derivatives of the row at x, to the receiver of the request. */
daedal_status model_sensitivity_emit(driver *d, daedal_row_kind kind);
#endif
