/* graph/greedy_matching.h - a good matching to begin with.
 *
 * Responsibility: pairs that need no search, rows and columns with one choice first.
 * Depends on: graph/matching.h.                                                 */
#ifndef DAEDAL_GRAPH_GREEDY_MATCHING_H
#define DAEDAL_GRAPH_GREEDY_MATCHING_H

#include "graph/matching.h"

/* Add pairs of free rows and free columns until none is left side by side.  false: out
 * of memory, nothing changed.                                                   */
bool greedy_matching_extend(matching *m, const daedal_pattern *p, const daedal_allocator *a);
#endif
