/* solver/method_choice.c - see method_choice.h. */
#include "solver/method_choice.h"

enum { MIDDLING = 40, LARGE = 300, CHEAP_JACOBIAN = 20 };
static const double COSTLY = 6.0; /* factorizations, in solves */

bool method_depends_on_price(const choice_facts *f)
{
    return f->n >= LARGE && f->index <= 1 && !f->is_nonsmooth && !f->asks_for_bdf;
}

/* Radau takes the fewest steps and factors three to seven times the work of one matrix in each: the
 * best choice unless factoring dominates.  Then few digits go to a method with one factorization a
 * step, more to one that keeps its factors over steps.  A corner that is no event
 * goes to BDF, whose steps are short enough to feel it.  Events make no difference
 * (docs/decisions/086-method-with-events.md): however long a step is, it is looked into as closely
 * as they need, and a one-step method begins again with the steps it had before.  */
method_choice method_for(const choice_facts *f)
{
    if (f->is_nonsmooth && f->index <= 1)
        return (method_choice){METHOD_BDF, "values are chosen without events"};
    if (f->index == 2 && f->n >= MIDDLING)
        return (method_choice){METHOD_BDF,
                               "index 2, where its filter serves; one factorization a matrix"};
    if (f->index > 1)
        return (method_choice){METHOD_RADAU, "the index is above one"};
    if (f->asks_for_bdf)
        return (method_choice){METHOD_BDF, "an option of it is set"};
    if (!method_depends_on_price(f) || f->factor_price <= COSTLY)
        return (method_choice){METHOD_RADAU, "factorizations are cheap"};
    if (f->rtol >= 1e-5 && f->jacobian_price <= CHEAP_JACOBIAN)
        return (method_choice){METHOD_RODAS, "factorizations are costly, few digits are asked for"};
    if (f->rtol >= 1e-8)
        return (method_choice){METHOD_BDF, "factorizations are costly"};
    return (method_choice){METHOD_RADAU, "many digits are asked for"};
}

method_choice method_after(int32_t failed, uint32_t tried, int32_t index)
{
    static const int32_t others[] = {METHOD_RADAU, METHOD_BDF};
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
        bool able = index <= 1 || others[k] == METHOD_RADAU;
        if (others[k] != failed && able && !(tried & 1u << others[k]))
            return (method_choice){others[k], "another method could not go on"};
    }
    return (method_choice){-1, ""};
}
