/* solver/system_copy.h - the user's description of a system, kept by the run.
 *
 * Responsibility: copy everything a daedal_system points to (patterns, masks, bounds,
 * names), so that the user may throw his away.
 * Depends on: base/.                                                            */
#ifndef DAEDAL_SOLVER_SYSTEM_COPY_H
#define DAEDAL_SOLVER_SYSTEM_COPY_H

#include "base/pattern.h"

typedef struct system_copy {
    daedal_system sys;
    pattern pattern, dyp_pattern, mass_pattern, constraint_pattern;
    block mem, names;
    const daedal_system *source; /* only while copying */
} system_copy;

/* Missing patterns of given Jacobians and masses become full ones.  false: no memory. */
bool system_copy_create(system_copy *copy, const daedal_system *from, const daedal_allocator *a);
void system_copy_free(system_copy *copy);
/* `from` is what was copied, and its patterns and names live longer than the copy: they are used in
 * place of those of the copy, which are given back. */
void system_copy_rely_on(system_copy *copy, const daedal_system *from);
#endif
