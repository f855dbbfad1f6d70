/* lanes/lane_group.h - several runs of a small model side by side, one in each lane of the vector
 * unit of the processor.
 *
 * Responsibility: integrate models without events, constraints and delays by Rodas5P (integ/rodas.h
 * has the formulas).  Each lane has its own parameters, time, step size and pivots; a lane that has
 * ended is loaded with another run while the others go on.  Lanes do not influence each other, and
 * the results are the same bits for every width, so that they depend on the run alone.
 * A lane in which anything is unusual gives up: the run is then done in the ordinary way, which
 * also knows how to explain a failure. Depends on: compile/, integ/rodas_table.h. */
#ifndef DAEDAL_LANES_LANE_GROUP_H
#define DAEDAL_LANES_LANE_GROUP_H

#include "compile/compiled.h"

enum { LANES_MAX = 8, LANE_UNKNOWNS_MAX = 16 };

/* What all runs have in common; borrowed. */
typedef struct lane_task {
    double t_start;
    const double *times; /* output points, ascending, the last is the end */
    int32_t n_points;
    double rtol;
    const double *atol;   /* by unknown */
    const uint32_t *kept; /* variables of the flat model */
    const bool *is_slope; /* by kept variable: its derivative is meant */
    int32_t n_kept;
} lane_task;

typedef enum lane_end { LANE_EMPTY, LANE_RUNS, LANE_DONE, LANE_GAVE_UP } lane_end;

typedef struct lane_group lane_group;

/* Whether the tapes of the model can be evaluated in lanes: few unknowns, no constraints, no calls
 * of functions and no branches.  That it has no events is for the caller to know.      */
bool lanes_admit(const compiled_model *m);

/* NULL: out of memory. */
lane_group *lanes_create(const compiled_model *m, const lane_task *task,
                         const daedal_allocator *allocator);
void lanes_free(lane_group *g); /* accepts NULL */
int lanes_width(const lane_group *g);

/* A run begins in a lane with the parameters and values that the model has now. */
void lanes_load(lane_group *g, int lane);
/* Take steps until a lane has ended; false: none is running. */
bool lanes_advance(lane_group *g);
/* What became of a lane.  One that has ended becomes empty by this call. */
lane_end lanes_take(lane_group *g, int lane);
/* Of a lane that is done: a row of the kept variables for each output point. */
const double *lanes_results(const lane_group *g, int lane);
int64_t lanes_steps(const lane_group *g, int lane); /* steps and attempts that failed */
#endif
