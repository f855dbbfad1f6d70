/* solver/method_evidence.c - what the steps tell of the method that takes them. */
#include <stdio.h>

#include "base/choices.h"
#include "solver/run.h"

/* An explicit method that was asked for goes on, with steps as short as stability wants them. */
static void tell_stiffness(run *r, double t)
{
    daedal_diagnosis told = {.t = t, .equation = -1, .variable = -1};
    snprintf(told.message, sizeof told.message,
             "the equations are stiff near t = %.10g: stability limits the steps of method %s, not "
             "accuracy",
             t, r->method->name);
    snprintf(told.hint, sizeof told.hint, "method = auto, radau or bdf takes longer steps there");
    r->now.stiffness_told = true;
    run_warn(r, &told);
}

void run_watch_method(run *r)
{
    integ_view v = r->method->view(r->integrator);
    if (v.is_stiff && !r->now.stiffness_told && !run_is_automatic(r))
        tell_stiffness(r, v.t);
}
