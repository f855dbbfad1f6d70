/* linear/structure_report.h - the public description of a pencil.
 *
 * Depends on: pencil/.                                                             */
#ifndef DAEDAL_LINEAR_STRUCTURE_REPORT_H
#define DAEDAL_LINEAR_STRUCTURE_REPORT_H

#include "base/arena.h"

enum { PENCIL_LARGEST = 2000 }; /* rows and columns: dense matrices in reasonable time */

/* Everything lives in the arena.  tolerance 0: the default.                          */
daedal_status structure_report(daedal_pencil_structure *to, const daedal_pencil *from,
                               double tolerance, arena *mem, daedal_diagnosis *why);
#endif
