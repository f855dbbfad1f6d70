/* run/method_choice.c - see method_choice.h. */
#include "run/method_choice.h"

method_choice method_for(const choice_facts *f)
{
    if (f->index > 1)
        return (method_choice){METHOD_RADAU, "the index is above one"};
    if (f->constrained && f->rtol < 1e-7)
        return (method_choice){METHOD_RADAU, "many digits with constraints"};
    return (method_choice){METHOD_BDF, "the index is at most one"};
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
