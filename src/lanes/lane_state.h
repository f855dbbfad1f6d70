/* lanes/lane_state.h - the memory of a lane_group; inside this folder.
 *
 * Item i of lane k of an array stands at [i * width + k].
 * Depends on: lanes/lane_group.h.                                               */
#ifndef DAEDAL_LANES_LANE_STATE_H
#define DAEDAL_LANES_LANE_STATE_H

#include "expr/tape_code.h"
#include "integ/rodas_table.h"
#include "lanes/lane_group.h"

/* A tape of the model with memory for all lanes. */
typedef struct lane_program {
    program *of; /* NULL: there is none */
    double *work, *out;
    bool is_fresh; /* some lane has other parameters than in the last evaluation */
} lane_program;

/* An entry of the Jacobian that may differ from zero. */
typedef struct lane_entry {
    int32_t place, row, column;
} lane_entry;

/* The control of one lane. */
typedef struct lane_control {
    lane_end end;
    double t, h;           /* h: of the next step, as the error allows               */
    double t_new, h_used;  /* of the attempt                                         */
    double h_last, e_last; /* of the last accepted step; h_last 0: none              */
    int32_t point;         /* next output point                                      */
    int32_t n_failed;      /* attempts since the last accepted step                  */
    int64_t steps, attempts;
} lane_control;

/* The quantities of a step, by unknown and lane. */
typedef struct lane_vectors {
    double *y, *yp, *y_new, *yp_new;
    double *u[RODAS_STAGES_MAX], *v[RODAS_STAGES_MAX];
    double *here, *in_time, *sum, *atol;
} lane_vectors;

struct lane_group {
    const compiled_model *m;
    lane_task task;
    const daedal_allocator *allocator;
    const struct lane_kernel *kernel; /* lane_kernels.c */
    int width;
    int32_t n;
    bool reads_time;
    lane_program residuals, jacobian, computed;
    lane_entry *entry; /* of dF/dy and dF/dy' together */
    int32_t n_entries;
    lane_entry *slope; /* those of dF/dy' alone */
    int32_t n_slopes;
    lane_vectors at;
    double *matrix;   /* n * n: the factors, the inverse of the pivots on the diagonal */
    double *pivoting; /* n * n: masks of exchanged rows                              */
    double *values;   /* x of the lanes: what kept variables are made of             */
    double *factor;   /* by kept variable and lane                                   */
    int32_t *slot;    /* by kept variable; -1: the factor is the value               */
    double *t, *h, *t_new, *error; /* by lane, for the kernel                         */
    double *results[LANES_MAX];
    lane_control lane[LANES_MAX];
    block mem;
};

/* What depends on the width. */
typedef struct lane_kernel {
    int width;
    void (*run)(const tape *t, double *work, double *out, uint32_t level);
    /* One attempt in all lanes, with t, h and t_new: y_new, yp_new and error.  */
    void (*attempt)(lane_group *g);
    /* y and y' of the lanes with take != 0 become y_new and yp_new. */
    void (*accept)(lane_group *g, const double *take);
} lane_kernel;

/* The widest one that this processor has. */
const lane_kernel *lane_kernel_choose(void);

#endif
