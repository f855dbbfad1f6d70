/* integ/method.c - the table of methods; see method.h. */
#include "integ/method.h"

static const method *const table[] = {&method_bdf,   &method_bdf,   &method_bdf_classic,
                                      &method_radau, &method_rodas, &method_limex};

bool method_exists(int32_t wanted)
{
    return wanted >= 0 && (size_t)wanted < sizeof table / sizeof *table;
}

const method *method_choose(int32_t wanted)
{
    return table[wanted];
}
