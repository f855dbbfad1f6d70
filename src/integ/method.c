/* integ/method.c - the table of methods; see method.h. */
#include "integ/method.h"

#include "integ/bdf.h"

static const method *const table[METHOD_COUNT] = {
    [METHOD_AUTO] = &method_bdf,
    [METHOD_BDF] = &method_bdf,
    [METHOD_BDF_CLASSIC] = &method_bdf_classic,
    [METHOD_RADAU] = &method_radau,
    [METHOD_RODAS] = &method_rodas,
    [METHOD_LIMEX] = &method_limex,
    [METHOD_DOPRI] = &method_dopri,
    [METHOD_ARRAY] = &method_array,
    [METHOD_RATTLE] = &method_rattle,
};

const method *method_choose(int32_t wanted)
{
    return table[wanted];
}

/* The highest index.  The plain norm of a BDF step contains variables of index 2 and 3 divided by
 * h and h^2, so that no step is small enough for it.  The filter removes one power of h, and
 * leaving those variables out of the norm removes both (docs/theory/index-of-functions.md, C132,
 * C133). */
int32_t method_highest_index(int32_t wanted, int32_t error_test)
{
    const method *how = method_choose(wanted);
    if (how == &method_radau)
        return 3;
    if (how == &method_dopri)
        return 0;
    if (how == &method_array)
        return ARRAY_HIGHEST_INDEX;
    if (how != &method_bdf && how != &method_bdf_classic)
        return 1;
    if (error_test == ERROR_DIFFERENTIAL)
        return 3;
    bool filters = how == &method_bdf ? error_test != ERROR_PLAIN : error_test == ERROR_FILTERED;
    return filters ? 2 : 1;
}
