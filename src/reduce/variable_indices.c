/* reduce/variable_indices.c - see reduced.h: the index of every unknown as written.
 *
 * The index of a variable is how often equations must be differentiated until its derivative is
 * known.  With offsets c and d it is C + 1 - d, where C is the largest c among the equations
 * that its value depends on, those of its block and of the blocks before. */
#include "reduce/reduced.h"
#include "reduce/repairs.h"

typedef struct reaching {
    const analysis *a;
    const row_origin *origins; /* of repaired rows; NULL: there are none */
    pattern rows;
    int32_t *reach; /* by block: the C of the head of the file */
} reaching;

static int32_t block_reach(const reaching *r, int32_t b)
{
    const analysis *a = r->a;
    const components *o = &a->order;
    const pattern *rows = &r->rows;
    const int32_t *reach = r->reach;
    int32_t most = 0;
    for (int32_t k = o->start[b]; k < o->start[b + 1]; k++) {
        int32_t i = o->row[k], c = a->offsets.c[i] + (r->origins ? r->origins[i].order : 0);
        most = c > most ? c : most;
        for (int32_t q = rows->start[i]; q < rows->start[i + 1]; q++) {
            int32_t other = o->block_of[rows->row[q]];
            if (other < b && reach[other] > most)
                most = reach[other];
        }
    }
    return most;
}

/* By column of the analysis into `index`. */
static bool list_indices(reduced_model *m, reaching *r, int32_t *index)
{
    const components *o = &r->a->order;
    r->reach = arena_take(m->scratch, (size_t)o->n_blocks + 1, sizeof *r->reach);
    bool fine = !m->scratch->failed && index &&
                pattern_transpose(&r->rows, &r->a->incidence.pattern.view, m->allocator);
    for (int32_t b = 0; b < o->n_blocks && fine; b++) {
        r->reach[b] = block_reach(r, b);
        for (int32_t k = o->start[b]; k < o->start[b + 1]; k++) {
            int32_t found = r->reach[b] + 1 - r->a->offsets.d[o->col[k]];
            index[o->col[k]] = found > 0 ? found : 0;
        }
    }
    pattern_free(&r->rows);
    return fine;
}

bool reduced_note_indices(reduced_model *m, const analysis *a)
{
    reaching r = {.a = a};
    m->variable_index = arena_take(m->mem, (size_t)m->n_unknowns + 1, sizeof(int32_t));
    return list_indices(m, &r, m->variable_index);
}

bool reduced_note_repaired_indices(reduced_model *m, const analysis *a)
{
    reaching r = {.a = a, .origins = m->repairs->origins};
    int32_t *index = arena_take(m->scratch, (size_t)m->n + 1, sizeof *index);
    if (!list_indices(m, &r, index))
        return false;
    m->report->index = 0;
    for (int32_t j = 0; j < m->n; j++)
        m->report->index = index[j] > m->report->index ? index[j] : m->report->index;
    for (int32_t u = 0; u < m->n_unknowns; u++) {
        int32_t root = m->aliases->of[u].root;
        if (root != ALIAS_CONSTANT)
            m->variable_index[u] = index[m->column[m->unknown[root]]];
    }
    return true;
}
