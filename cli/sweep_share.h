/* cli/sweep_share.h - which runs of a sweep this process carries out, where several share a file.
 *
 * Responsibility: runs are divided into blocks; a process claims a block by a lock on the file of
 * the results, which it keeps until it ends.  The blocks of a process that dies are free again, and
 * what it had finished is in the file. Invariant: the blocks depend on the number of runs alone.
 * Depends on: output/array_file.h, sweep/shared_file.h.                                   */
#ifndef DAEDAL_CLI_SWEEP_SHARE_H
#define DAEDAL_CLI_SWEEP_SHARE_H

#include "output/array_file.h"

typedef struct sweep_share {
    bool is_shared;
    int32_t rank, size;    /* of a group that mpirun or srun started; 0, 1: no group            */
    int32_t part, parts;   /* --part: only blocks part, part + parts, ... are taken; 0, 1: all  */
    int64_t n_runs, block; /* runs in all, in a block                                          */
    int64_t decided;       /* the block that was decided last, or -1                            */
    bool is_mine;          /* whether it is ours                                                */
} sweep_share;

/* From --share and --part ("2/10", or NULL), and from the environment in which mpirun and srun
 * start processes.  An exit status.                                                       */
int sweep_share_plan(sweep_share *s, bool asked, const char *part);
void sweep_share_begin(sweep_share *s, int64_t n_runs);

/* Whether this process carries out a run.  `done` gets, for the block of the run, what the file
 * says when the block was claimed; the array has the number `array` in the file.           */
bool sweep_share_claim(sweep_share *s, int64_t run, array_file *file, size_t array,
                       unsigned char *done);
#endif
