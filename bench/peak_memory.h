/* bench/peak_memory.h - one run in a process of its own, for its peak memory.
 * Depends on: bench/measure.h; POSIX.                                             */
#ifndef DAEDAL_BENCH_PEAK_MEMORY_H
#define DAEDAL_BENCH_PEAK_MEMORY_H

#include "measure.h"

typedef struct footprint {
    run result;
    double peak_bytes; /* 0: the child could not be started */
} footprint;

/* Call early: the child begins with the pages its parent has in use. */
footprint measure_memory(const problem *p, double rtol, const char *method, bool with_ida);
#endif
