/* reduce/repair_rounds.c - see repairs.h: where numbers contradict the structure, equations are
 * rewritten (repair.h, augment.h), one at a time in a small system, block by block in a large
 * one.                                         */
#include "reduce/rewriting.h"

/* ---- the callbacks of the test ---- */

static double sample_value(void *user, int sample, uint32_t symbol)
{
    return reduced_sample_value(user, sample, symbol);
}

/* All symbols change at events, except time, parameters and continuous variables. */
static bool switches(void *user, uint32_t symbol)
{
    const reduced_model *m = user;
    switch (flat_kind(symbol)) {
    case FLAT_TIME:
    case FLAT_DELAY:
    case FLAT_INPUT:
    case FLAT_DER:
    case FLAT_HOMOTOPY:
        return false;
    case FLAT_VALUE: {
        int32_t column = m->column[flat_number(symbol)];
        return m->flat->variables[flat_number(symbol)].variability == FLAT_DISCRETE ||
               (column >= 0 && m->repairs->points.switching[column]);
    }
    default:
        return true;
    }
}

/* True if equation e gives column j as a function of time and of other such columns. */
static bool depends_on_time_only(const reduced_model *m, expr_walker *w, expr e, int32_t j,
                                 const bool *given)
{
    expr_walker_forget(w);
    if (!expr_depends(w, e, EXPR_ALL))
        return false;
    for (size_t k = 0; k < w->n_found; k++) {
        uint32_t symbol = expr_index(w->g, w->found[k]);
        int32_t other = reduced_place(m->repairs->points.system->user, symbol).unknown;
        bool itself = other == j && flat_kind(symbol) == FLAT_VALUE;
        if (flat_kind(symbol) == FLAT_DELAY || (other >= 0 && !itself && !given[other]))
            return false;
    }
    return true;
}

/* A variable that is given by an expression of time that switches is marked as switching, too.
 * false: out of memory.                             */
static bool mark_switching(reduced_model *m, const repair_task *task, const components *order)
{
    bool *given = arena_take(m->scratch, (size_t)m->n, sizeof *given);
    bool *switching = arena_take(m->mem, (size_t)m->n, sizeof *switching);
    m->repairs->points.switching = switching;
    for (int32_t b = 0; b < order->n_blocks && given && switching; b++) {
        int32_t at = order->start[b], j = order->col[at];
        expr e = task->system->residual[order->row[at]];
        if (order->start[b + 1] - at > 1 || !depends_on_time_only(m, task->walker, e, j, given))
            continue;
        given[j] = true;
        switching[j] = repair_is_switching(task, e);
    }
    return given && switching;
}

static bool settle(void *user, bool keep_states)
{
    reduced_model *m = user;
    sample_points *p = &m->repairs->points;
    p->moved = false; /* begin at the generic points */
    p->moved = keep_states ? reduced_find_points(m, p->system, 0, p->highest, p->at)
                           : reduced_find_points(m, p->system, m->index_left, NULL, p->at);
    return p->moved;
}

static int sample_call(void *user, uint32_t function, const double *args, double *outputs)
{
    const reduced_model *m = user;
    return flat_call(m->flat->functions, function, args, outputs);
}

/* ---- one repair ---- */

/* A system of index one by numbers, although the structure is that of an ODE, needs no repair if
 * there are no conditions for the start: the integrator solves the equations as they are, with
 * fewer steps (transistor amplifier: 10 500 instead of 13 900). */
static bool needs_no_repair(const reduced_model *m, const signature *offsets, int32_t index)
{
    if (index < 0 || index > 1 || offsets->differentiations > 0 || m->repairs->n_repairs > 0 ||
        m->flat->n_initials > 0)
        return false;
    for (int32_t u = 0; u < m->n_unknowns; u++)
        if (m->flat->variables[m->unknown[u]].fixed)
            return false;
    return true;
}

static bool copy_system(reduced_model *m, const equations *system, equations *copy)
{
    *copy = *system;
    if (system->n > REPAIR_MAX) /* too large to be measured */
        return true;
    copy->residual = arena_take(m->mem, (size_t)system->n + 1, sizeof *copy->residual);
    for (int32_t i = 0; i < system->n && copy->residual; i++)
        copy->residual[i] = system->residual[i];
    return copy->residual != NULL;
}

/* Measure the index before the repair changes the equations; by the local pencil if there is no
 * other result.  false: out of memory.                                                          */
static bool measure(reduced_model *m, const equations *before, int32_t *index, int32_t *freedom)
{
    *index = -1;
    if (!reduced_find_numeric_index(m))
        return false;
    const numeric_index_result *j = &m->repairs->numeric_index;
    if (j->verdict == NUMERIC_INDEX_SOLVABLE) {
        *index = j->index;
        *freedom = j->freedom;
    } else if (j->verdict == NUMERIC_INDEX_UNKNOWN) {
        *index = reduced_measure_index(m, before, freedom);
    }
    m->report->index = *index > m->report->index ? *index : m->report->index;
    return true;
}

/* Record the equations that depended on one another in this repair. */
static bool record_dependent(reduced_model *m, const row_origin *origin)
{
    uint32_t *list = arena_take(m->mem, (size_t)origin->n + 1, sizeof *list);
    for (int32_t k = 0; k < origin->n && list; k++)
        list[k] = m->repairs->unrepaired_equation[origin->made_of[k]];
    m->repairs->dependent = list;
    m->repairs->n_dependent = origin->n;
    return list != NULL;
}

/* The numeric index before the first repair; *left: the system is left as it is. */
static daedal_status measure_unrepaired(reduced_model *m, const repair_task *task,
                                        const equations *before, bool *left)
{
    int32_t index = -1, freedom = 0;
    if (m->repairs->n_repairs == 0 && !measure(m, before, &index, &freedom))
        return DAEDAL_ERR_MEMORY;
    *left = needs_no_repair(m, task->offsets, index);
    if (*left)
        m->repairs->measured_freedom = freedom;
    return DAEDAL_OK;
}

static daedal_status repair_part_of(reduced_model *m, repair_task *task, const repair_part *part,
                                    bool *changed)
{
    equations before;
    size_t room = (size_t)part->n + 1;
    repair_set set = {.row = arena_take(m->mem, room, sizeof *set.row),
                      .col = arena_take(m->mem, room, sizeof *set.col)};
    if (m->mem->failed || !copy_system(m, task->system, &before))
        return DAEDAL_ERR_MEMORY;
    repair_verdict verdict = repair_once(task, part, &set);
    if (verdict == REPAIR_NOT_NEEDED || verdict == REPAIR_NO_MEMORY)
        return verdict == REPAIR_NO_MEMORY ? DAEDAL_ERR_MEMORY : DAEDAL_OK;
    int32_t row = set.row[set.n_rows - 1];
    bool left = false, done = verdict == REPAIR_DONE;
    row_origin origin;
    m->repairs->is_contradicted = true;
    TRY(measure_unrepaired(m, task, &before, &left));
    if (left) {
        task->system->residual[row] = before.residual[row];
        return DAEDAL_OK;
    }
    if (!reduced_join_origins(m, task->offsets, &set, &origin))
        return DAEDAL_ERR_MEMORY;
    if (!done)
        TRY(reduced_augment(m, task, &set, origin, &done));
    if (done) {
        m->repairs->n_repairs++;
        m->repairs->origins[row] = origin;
        reduced_keep_added(m);
        *changed = true;
        TRY(reduced_record_rewritten(m, m->equation[row]) ? DAEDAL_OK : DAEDAL_ERR_MEMORY);
    }
    return record_dependent(m, &origin) ? DAEDAL_OK : DAEDAL_ERR_MEMORY;
}

/* ---- block by block ---- */

/* The matrix of the leading unknowns is block triangular: it is singular if a diagonal block is.
 * The equations on which rows of that block depend are in it and in the blocks that it needs. */
typedef struct block_search {
    reduced_model *m;
    const components *order;
    pattern rows;               /* leading entries by row: columns                            */
    int32_t *row, *col, *of, n; /* the blocks that a singular one needs, itself included     */
    int32_t *stack;
    int32_t *seen;      /* by block: 1 + the block for which it was needed                    */
    bool *is_rewritten; /* by block: an equation of it was rewritten */
} block_search;

static bool begin_search(block_search *s, reduced_model *m, const analysis *a)
{
    size_t blocks = (size_t)a->order.n_blocks + 1;
    signature_matrix matrix = {&a->incidence.pattern.view, a->incidence.order};
    pattern essential = {0};
    *s = (block_search){.m = m, .order = &a->order};
    s->row = arena_take(m->mem, REPAIR_MAX + 1, sizeof *s->row);
    s->col = arena_take(m->mem, REPAIR_MAX + 1, sizeof *s->col);
    s->of = arena_take(m->mem, REPAIR_MAX + 1, sizeof *s->of);
    s->stack = arena_take(m->mem, blocks, sizeof *s->stack);
    s->seen = arena_take(m->mem, blocks, sizeof *s->seen);
    s->is_rewritten = arena_take(m->mem, blocks, sizeof *s->is_rewritten);
    bool fine = !m->mem->failed &&
                signature_essential(&essential, &matrix, &a->offsets, m->allocator) &&
                pattern_transpose(&s->rows, &essential.view, m->allocator);
    pattern_free(&essential);
    return fine;
}

/* Add block b to the list, and the blocks whose unknowns lead in its rows to the stack. */
static void add_block(block_search *s, int32_t b, int32_t mark, int32_t *depth)
{
    const components *o = s->order;
    for (int32_t k = o->start[b]; k < o->start[b + 1]; k++) {
        int32_t i = o->row[k];
        s->row[s->n] = i;
        s->of[s->n] = b;
        s->col[s->n++] = o->col[k];
        for (int32_t q = s->rows.start[i]; q < s->rows.start[i + 1]; q++) {
            int32_t other = o->block_of[s->rows.row[q]];
            if (s->seen[other] == mark)
                continue;
            s->seen[other] = mark;
            s->stack[(*depth)++] = other;
        }
    }
}

static void reverse(int32_t *list, int32_t n)
{
    for (int32_t i = 0, k = n - 1; i < k; i++, k--) {
        int32_t kept = list[i];
        list[i] = list[k];
        list[k] = kept;
    }
}

/* Collect the blocks that block b needs; false: they are too large, or some were just rewritten. */
static bool collect(block_search *s, int32_t b)
{
    const components *o = s->order;
    int32_t depth = 0, mark = b + 1;
    s->n = 0;
    s->seen[b] = mark;
    s->stack[depth++] = b;
    while (depth > 0) {
        int32_t next = s->stack[--depth];
        if (s->is_rewritten[next] || s->n + o->start[next + 1] - o->start[next] > REPAIR_MAX)
            return false;
        add_block(s, next, mark, &depth);
    }
    reverse(s->row, s->n); /* needed blocks first, because the last rows are replaced */
    reverse(s->col, s->n);
    reverse(s->of, s->n);
    return true;
}

static void mark_rewritten(block_search *s)
{
    for (int32_t k = 0; k < s->n; k++)
        s->is_rewritten[s->order->block_of[s->col[k]]] = true;
}

static daedal_status search_blocks(block_search *s, repair_task *task, bool *changed)
{
    const double work_max = 4e8; /* operations: bounds the time for large systems */
    const components *o = s->order;
    double work = 0.0;
    for (int32_t b = 0; b < o->n_blocks && work < work_max; b++) {
        int32_t at = o->start[b], n = o->start[b + 1] - at;
        repair_part part = {o->row + at, o->col + at, NULL, n};
        work += n > 1 && n <= REPAIR_MAX ? (double)n * n * n : 0.0;
        if (!repair_is_singular(task, &part) || !collect(s, b))
            continue;
        bool done = false;
        part = (repair_part){s->row, s->col, s->of, s->n};
        TRY(repair_part_of(s->m, task, &part, &done));
        if (done)
            mark_rewritten(s);
        *changed = *changed || done;
    }
    return DAEDAL_OK;
}

static daedal_status repair_blocks(reduced_model *m, repair_task *task, const analysis *a,
                                   bool *changed)
{
    block_search s;
    bool fine = begin_search(&s, m, a);
    daedal_status status = fine ? search_blocks(&s, task, changed) : DAEDAL_ERR_MEMORY;
    pattern_free(&s.rows);
    return status;
}

static daedal_status repair_whole(reduced_model *m, repair_task *task, const analysis *a,
                                  bool *changed)
{
    const components *o = &a->order;
    int32_t *of = arena_take(m->scratch, (size_t)o->n + 1, sizeof *of);
    for (int32_t b = 0; b < o->n_blocks && of; b++)
        for (int32_t k = o->start[b]; k < o->start[b + 1]; k++)
            of[k] = b;
    repair_part all = {o->row, o->col, of, o->n};
    return of ? repair_part_of(m, task, &all, changed) : DAEDAL_ERR_MEMORY;
}

/* ---- the system before repairs ---- */

bool reduced_save_unrepaired(reduced_model *m)
{
    size_t n = (size_t)m->n_rows;
    expr *residual = arena_take(m->mem, n + 1, sizeof *residual);
    for (size_t i = 0; i < n && residual; i++)
        residual[i] = m->residual[i];
    m->repairs->unrepaired =
        (unrepaired_system){residual, m->variable, m->equation, m->n, m->n_rows};
    return residual != NULL;
}

void reduced_restore_unrepaired(reduced_model *m)
{
    const unrepaired_system *p = &m->repairs->unrepaired;
    for (int32_t j = p->n; j < m->n; j++)
        m->column[m->variable[j]] = -1;
    m->residual = p->residual;
    m->variable = p->variable;
    m->equation = p->equation;
    m->n = p->n;
    m->n_rows = p->n_rows;
    m->n_system = m->n > 0 ? m->n : 1;
    m->repairs->origins = NULL;
    m->repairs->n_repairs = m->repairs->n_rewritten = 0;
}

bool reduced_is_repairable(reduced_model *m)
{
    m->repairs->unrepairable = reduced_find_numeric_index(m) &&
                               m->repairs->numeric_index.verdict == NUMERIC_INDEX_SOLVABLE;
    return !m->repairs->unrepairable;
}

daedal_status reduced_repair(reduced_model *m, equations *system, const analysis *a, bool *changed)
{
    repair_task task = {.system = system,
                        .offsets = &a->offsets,
                        .value = sample_value,
                        .call = sample_call,
                        .partials = flat_partials(m->flat),
                        .derivative = reduced_derivative,
                        .switches = switches,
                        .settle = settle,
                        .user = m,
                        .allocator = m->allocator};
    *changed = false;
    if (m->n == 0)
        return DAEDAL_OK;
    system->place = reduced_place;
    m->repairs->points = (sample_points){.system = system, .highest = a->offsets.d};
    bool ready = repair_open(&task) && mark_switching(m, &task, &a->order);
    daedal_status status = !ready                   ? DAEDAL_ERR_MEMORY
                           : system->n > REPAIR_MAX ? repair_blocks(m, &task, a, changed)
                                                    : repair_whole(m, &task, a, changed);
    repair_close(&task);
    m->repairs->points = (sample_points){0};
    reduced_discard_added(m);
    if (status == DAEDAL_OK && !reduced_append_added(m))
        status = DAEDAL_ERR_MEMORY;
    return status;
}
