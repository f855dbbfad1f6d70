/* simulate/model_sensitivity.h - derivatives of the run of a model by parameters.
 *
 * Responsibility: dF/dp for the solver, the derivatives of the start, and the derivatives of all
 * variables at the points of the output.  The integration is that of solver/sensitivity.h.
 * Depends on: simulate/simulation.h, compile/parameter_tapes.h.                  */
#ifndef DAEDAL_SIMULATE_MODEL_SENSITIVITY_H
#define DAEDAL_SIMULATE_MODEL_SENSITIVITY_H

#include "compile/parameter_tapes.h"
#include "simulate/simulation.h"

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
    bool is_told;         /* that discrete variables are not followed                 */
    uint32_t *moved;      /* n: a variable that the start determines and that depends on it;
                             UINT32_MAX: none                                         */
    bool *is_followed;    /* by discrete Real that is assigned: constant, or of time alone */
    bool *reads_time;     /* likewise: it depends on the time                          */
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

/* Before a run: which discrete variables depend on what; false: out of memory. */
bool model_sensitivity_look_at_discrete(simulation *m);

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

/* The derivatives of the row at x, to the receiver of the request. */
daedal_status model_sensitivity_emit(driver *d, daedal_row_kind kind);
#endif
