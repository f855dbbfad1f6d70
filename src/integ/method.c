/* integ/method.c - the table of methods; see method.h. */
#include "integ/method.h"

const method *method_choose(int32_t wanted)
{
    static const method *const table[] = {&method_bdf,   &method_bdf,   &method_bdf_classic,
                                          &method_radau, &method_rodas, &method_limex};
    return table[wanted];
}
