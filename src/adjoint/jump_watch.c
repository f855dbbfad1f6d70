/* adjoint/jump_watch.c - see jump_watch.h. */
#include "adjoint/jump_watch.h"

#include <math.h>
#include <string.h>

static const double JUMP = 1e-4;   /* relative: what is more is a jump                      */
static const double ACROSS = 1e-7; /* of a step: a change is located so closely, and values are
                                      compared so far from it                               */

/* ---- comparisons ---- */

static bool is_comparison(expr_op op)
{
    return op == EXPR_LT || op == EXPR_LE || op == EXPR_GT || op == EXPR_GE || op == EXPR_SIGN;
}

/* Operands of all comparisons. */
typedef struct operand_list {
    expr *at;
    size_t n, room;
} operand_list;

static bool add_below(jump_watch *w, operand_list *list, expr_walker *walker, expr root)
{
    expr_graph *g = &w->of->flat->graph;
    if (!expr_walk(walker, root, EXPR_ALL))
        return false;
    for (size_t k = 0; k < walker->n_found; k++) {
        const expr *operands;
        expr e = walker->found[k];
        if (!is_comparison(expr_op_of(g, e)) || !expr_has(g, e, EXPR_HAS_VARIABLE))
            continue;
        bool two = expr_operands(g, e, &operands) == 2;
        expr a = operands[0], b = two ? operands[1] : expr_constant(g, 0.0);
        list->at = arena_grow(&w->mem, list->at, &list->room, list->n + 2, sizeof *list->at);
        if (!list->at || g->failed)
            return false;
        list->at[list->n++] = a;
        list->at[list->n++] = b;
    }
    return true;
}

static bool collect(jump_watch *w, const expr *of, operand_list *list)
{
    expr_walker walker;
    expr_walker_create(&walker, &w->of->flat->graph);
    bool fine = true;
    for (size_t i = 0; i < w->n_values && fine; i++)
        fine = add_below(w, list, &walker, of[i]);
    expr_walker_free(&walker);
    return fine;
}

static bool make_room(jump_watch *w)
{
    size_t n = (size_t)w->of->reduced->n_system;
    double **vectors[] = {&w->y, &w->yp, &w->zero};
    w->before = arena_take(&w->mem, w->n, sizeof(double));
    w->now = arena_take(&w->mem, w->n, sizeof(double));
    w->size = arena_take(&w->mem, w->n_values, sizeof(double));
    for (int k = 0; k < 2; k++)
        w->side[k] = arena_take(&w->mem, w->n_values, sizeof(double));
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
        *vectors[k] = arena_take(&w->mem, n, sizeof(double));
    return !w->mem.failed;
}

daedal_status jump_watch_create(jump_watch *w, const compiled_model *of, expressions terms)
{
    operand_list list = {0};
    *w = (jump_watch){.of = of, .n_equations = (size_t)of->reduced->n, .t_jump = NAN};
    arena_create(&w->mem, of->allocator, 0);
    w->n_values = w->n_equations + (size_t)terms.n;
    expr *all = arena_take(&w->mem, w->n_values + 1, sizeof *all);
    if (!all)
        return DAEDAL_ERR_MEMORY;
    memcpy(all, of->reduced->residual, w->n_equations * sizeof *all);
    for (int32_t k = 0; k < terms.n; k++)
        all[w->n_equations + (size_t)k] = terms.at[k];
    if (!collect(w, all, &list))
        return DAEDAL_ERR_MEMORY;
    w->n = list.n / 2;
    if (w->n == 0)
        return DAEDAL_OK;
    bool fine = make_room(w) && program_create(of, &w->operands, list.at, list.n) &&
                program_create(of, &w->values, all, w->n_values);
    return fine ? DAEDAL_OK : DAEDAL_ERR_MEMORY;
}

void jump_watch_free(jump_watch *w)
{
    if (!w->of)
        return;
    program_free(w->of->allocator, &w->operands);
    program_free(w->of->allocator, &w->values);
    arena_free(&w->mem);
    *w = (jump_watch){0};
}

/* ---- along the run ---- */

/* a - b of all comparisons at t, into `to`. */
static bool compare_at(jump_watch *w, solution_record *record, double t, double *to)
{
    solution_at(record, t, w->y, w->yp);
    if (program_run(w->of, w->operands, t, w->y, w->yp) != DAEDAL_CALL_OK)
        return false;
    for (size_t k = 0; k < w->n; k++)
        to[k] = w->operands->out[2 * k] - w->operands->out[2 * k + 1];
    return true;
}

/* The comparison changes between low and high: both move together around it. */
static bool locate(jump_watch *w, solution_record *record, size_t k, double *low, double *high)
{
    double narrow = ACROSS * fabs(*high - *low);
    bool is_above = w->before[k] > 0.0;
    while (fabs(*high - *low) > narrow) {
        double middle = 0.5 * (*low + *high);
        if (middle == *low || middle == *high)
            break;
        if (!compare_at(w, record, middle, w->now))
            return false;
        *((w->now[k] > 0.0) == is_above ? low : high) = middle;
    }
    return true;
}

/* With y' left out, so that only what stands beside it counts. */
static bool evaluate(jump_watch *w, solution_record *record, double t, double *to)
{
    solution_at(record, t, w->y, w->yp);
    bool fine = program_run(w->of, w->values, t, w->y, w->zero) == DAEDAL_CALL_OK;
    memcpy(to, w->values->out, w->n_values * sizeof *to);
    return fine;
}

/* Sizes of the values in a step, by its ends: at a change all may be small. */
static bool measure(jump_watch *w, solution_record *record, const recorded_step *s)
{
    if (!evaluate(w, record, s->t_from, w->side[0]) || !evaluate(w, record, s->t_to, w->side[1]))
        return false;
    for (size_t i = 0; i < w->n_values; i++)
        w->size[i] = fmax(fabs(w->side[0][i]), fabs(w->side[1][i]));
    return true;
}

static void judge(jump_watch *w, solution_record *record, size_t k)
{
    const recorded_step *s = &record->steps[record->n_steps - 1];
    double low = s->t_from, high = s->t_to, margin = ACROSS * (high - low);
    if (!locate(w, record, k, &low, &high) || !measure(w, record, s) ||
        !evaluate(w, record, low - margin, w->side[0]) ||
        !evaluate(w, record, high + margin, w->side[1]))
        return;
    for (size_t i = 0; i < w->n_values; i++)
        if (fabs(w->side[1][i] - w->side[0][i]) > JUMP * w->size[i]) {
            w->t_jump = high;
            w->is_of_equation = i < w->n_equations;
        }
}

void jump_watch_step(jump_watch *w, solution_record *record)
{
    const recorded_step *s = &record->steps[record->n_steps - 1];
    if (w->n == 0 || !isnan(w->t_jump))
        return;
    bool is_first = record->n_steps == 1; /* an event may have changed everything before */
    if (is_first)
        w->has_before = compare_at(w, record, s->t_from, w->before);
    if (!compare_at(w, record, s->t_to, w->now))
        return;
    for (size_t k = 0; k < w->n && w->has_before && isnan(w->t_jump); k++)
        if (w->before[k] * w->now[k] < 0.0) { /* not at a zero: it is passed in the next step */
            judge(w, record, k);
            compare_at(w, record, s->t_to, w->now);
        }
    for (size_t k = 0; k < w->n; k++)
        if (w->now[k] != 0.0 || !w->has_before)
            w->before[k] = w->now[k];
    w->has_before = true;
}
