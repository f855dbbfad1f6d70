/* support/dulmage_parts.h - the equations and the variables of a part of a decomposition.
 *
 * Depends on: graph/dulmage_mendelsohn.h.                                                   */
#ifndef DAEDAL_SUPPORT_DULMAGE_PARTS_H
#define DAEDAL_SUPPORT_DULMAGE_PARTS_H

#include "graph/dulmage_mendelsohn.h"

static inline daedal_ints dulmage_rows(const dulmage *d, dulmage_part part)
{
    const int32_t *s = d->row_start;
    return (daedal_ints){d->row + s[part], s[part + 1] - s[part]};
}

static inline daedal_ints dulmage_cols(const dulmage *d, dulmage_part part)
{
    const int32_t *s = d->col_start;
    return (daedal_ints){d->col + s[part], s[part + 1] - s[part]};
}
#endif
