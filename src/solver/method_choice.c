/* solver/method_choice.c - see method_choice.h. */
#include "solver/method_choice.h"

#include <float.h>
#include <math.h>
#include <stddef.h>

#include "base/choices.h"

/* All are measured: docs/decisions/020-method-auto.md. */
enum { MEDIUM_SIZE = 40, LARGE_SIZE = 300 };               /* equations */
enum { FULL_ROWS = 12 };                                   /* entries in a row */
enum { CHEAP_JACOBIAN = 20 };                              /* an evaluation, in residuals */
static const double COSTLY_FACTORS = 6.0;                  /* a factorization, in solves */
static const double SHORT_RUN = 50.0, CALM = 1000.0;       /* stiffness of a run; a digit */
static const double ACTIVE = 0.08;                         /* activity */
static const double FEW_DIGITS = 1e-5, MANY_DIGITS = 1e-8; /* rtol */

bool method_depends_on_price(const choice_facts *f)
{
    return f->n >= LARGE_SIZE && f->index <= 1 && !f->is_nonsmooth && !f->asks_for_bdf &&
           !f->is_iterative;
}

/* Either no method could save much, since the steps of an implicit one cost more with each digit,
 * or the solution is as fast as stability allows.                                       */
bool method_is_calm(double stiffness, double activity, double rtol)
{
    double digits = -log10(fmin(fmax(rtol, DBL_EPSILON), 1.0));
    return stiffness <= SHORT_RUN * (1.0 + digits) || (stiffness <= CALM && activity >= ACTIVE);
}

bool method_may_be_explicit(const choice_facts *f)
{
    return f->index == 0 && !f->is_nonsmooth && !f->asks_for_bdf;
}

/* Radau takes the fewest steps, and its factorizations cost three to seven times as much as that of
 * one real matrix: it is the best choice unless factorizations dominate.  If they do, Rodas with
 * one factorization per step is chosen for few digits, and BDF, which keeps its factors over
 * several steps, for more.  BDF also gets systems with derivative discontinuities that are not
 * events, because the error test of its short steps detects them.  Events make no difference
 * (docs/decisions/086-method-with-events.md): event functions are sampled inside a step as closely
 * as they vary, and a one-step method resumes with the step size it had before the event.  */
method_choice method_for(const choice_facts *f)
{
    if (f->is_nonsmooth && f->index <= 1)
        return (method_choice){METHOD_BDF,
                               "the equations have corners or jumps that are no events"};
    if (method_may_be_explicit(f) && f->is_explicit &&
        method_is_calm(f->stiffness, f->activity, f->rtol))
        return (method_choice){METHOD_DOPRI, "the equations are explicit and not stiff"};
    if (f->index == 2 && f->n >= MEDIUM_SIZE && f->entries >= FULL_ROWS * f->n)
        return (method_choice){METHOD_BDF,
                               "index 2 and full rows: bdf factors one real matrix, radau several"};
    if (f->index > 1)
        return (method_choice){METHOD_RADAU, "the index is above one"};
    if (f->is_iterative)
        return (method_choice){
            METHOD_BDF, "large and sparse: gmres has one linear system in an iteration of bdf"};
    if (f->has_sensitivities)
        return (method_choice){METHOD_BDF, "sensitivities are integrated with the steps of bdf"};
    if (f->asks_for_bdf)
        return (method_choice){METHOD_BDF, "an option that only bdf has is set"};
    if (!method_depends_on_price(f) || f->factor_price <= COSTLY_FACTORS)
        return (method_choice){METHOD_RADAU, "factorizations are cheap"};
    if (f->rtol >= FEW_DIGITS && f->jacobian_price <= CHEAP_JACOBIAN)
        return (method_choice){METHOD_RODAS, "factorizations are costly, few digits are asked for"};
    if (f->rtol >= MANY_DIGITS)
        return (method_choice){METHOD_BDF, "factorizations are costly"};
    return (method_choice){METHOD_RADAU, "many digits are asked for"};
}

method_choice method_for_option(int32_t option)
{
    return (method_choice){option == METHOD_AUTO ? METHOD_BDF : option, "asked for"};
}

method_choice method_for_delays(void)
{
    return (method_choice){METHOD_BDF, "delays are evaluated by its dense output"};
}

method_choice method_after(int32_t failed, uint32_t tried, int32_t index)
{
    static const int32_t others[] = {METHOD_RADAU, METHOD_BDF};
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
        bool able = index <= 2 || others[k] == METHOD_RADAU;
        if (others[k] != failed && able && !(tried & 1u << others[k]))
            return (method_choice){others[k], "another method could not go on"};
    }
    return (method_choice){-1, ""};
}
