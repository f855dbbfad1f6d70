/* cli/sweep_share.c - see sweep_share.h. */
#include "sweep_share.h"

#include <stdio.h>
#include <stdlib.h>

#include "messages.h"
#include "sweep/shared_file.h"

enum {
    BLOCKS_WANTED = 64, /* blocks are so small that all processes end at about the same time */
    BLOCK_MOST = 256    /* and so large that locks cost nothing                              */
};

/* ---- who takes part ---- */

/* Variables of the environment: the number of processes of a group, the number of this one. */
static const struct {
    const char *size, *rank;
} GROUPS[] = {
    {"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"}, /* Open MPI */
    {"PMI_SIZE", "PMI_RANK"},                         /* MPICH and its descendants */
    {"SLURM_STEP_NUM_TASKS", "SLURM_PROCID"},         /* srun */
};

static bool read_whole(const char *text, int32_t *value)
{
    char *end;
    long number = text ? strtol(text, &end, 10) : -1;
    if (!text || end == text || *end || number < 0 || number > INT32_MAX)
        return false;
    *value = (int32_t)number;
    return true;
}

static void find_group(sweep_share *s)
{
    for (size_t k = 0; k < sizeof GROUPS / sizeof *GROUPS; k++) {
        int32_t size, rank;
        if (read_whole(getenv(GROUPS[k].size), &size) &&
            read_whole(getenv(GROUPS[k].rank), &rank) && size > 1 && rank < size) {
            s->size = size;
            s->rank = rank;
            return;
        }
    }
}

static int read_part(sweep_share *s, const char *text)
{
    int part, parts, length = 0;
    if (sscanf(text, "%d/%d%n", &part, &parts, &length) != 2 || text[length] || part < 1 ||
        part > parts)
        return print_error("--part needs K/N with K from 1 to N, not '%s'", text);
    s->part = part - 1;
    s->parts = parts;
    return CLI_SOLVED;
}

int sweep_share_plan(sweep_share *s, bool asked, const char *part)
{
    *s = (sweep_share){.size = 1, .parts = 1, .decided = -1};
    find_group(s);
    s->is_shared = asked || part || s->size > 1;
    return part ? read_part(s, part) : CLI_SOLVED;
}

void sweep_share_begin(sweep_share *s, int64_t n_runs)
{
    s->n_runs = n_runs;
    s->block = n_runs / BLOCKS_WANTED;
    s->block = s->block < 1 ? 1 : s->block > BLOCK_MOST ? BLOCK_MOST : s->block;
    s->decided = -1;
}

/* ---- blocks ---- */

/* With the lock, the file says which runs of the block others have finished. */
static bool take_block(sweep_share *s, int64_t number, array_file *file, size_t array,
                       unsigned char *done)
{
    int64_t first = number * s->block;
    int64_t n = s->n_runs - first < s->block ? s->n_runs - first : s->block;
    if (number % s->parts != s->part)
        return false;
    if (!shared_file_try_lock(file->stream, (uint32_t)(LOCKS_FREE + number)))
        return false;
    return array_file_read(file, array, (uint64_t)first, done + first, (size_t)n);
}

bool sweep_share_claim(sweep_share *s, int64_t run, array_file *file, size_t array,
                       unsigned char *done)
{
    int64_t number = run / s->block;
    if (number != s->decided) {
        s->is_mine = take_block(s, number, file, array, done);
        s->decided = number;
    }
    return s->is_mine && !done[run];
}
