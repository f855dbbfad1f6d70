/* adjoint/event_slopes.c - see event_slopes.h. */
#include "adjoint/event_slopes.h"

#include <math.h>
#include <string.h>

#include "expr/derive.h"

/* ---- expressions ---- */

static bool is_wanted(void *user, uint32_t symbol)
{
    flat_symbol_kind kind = flat_kind(symbol);
    return (kind == FLAT_VALUE || kind == FLAT_DER || kind == FLAT_PRE) &&
           compiled_slot(user, symbol) >= 0;
}

/* The entries of all gradients, one after another. */
typedef struct entry_list {
    expr *root;
    size_t n, n_roots_room, n_slots_room;
} entry_list;

static expr_outcome add_gradient(event_slopes *s, entry_list *list, expr_deriver *d, expr e)
{
    expr_gradient g = {0};
    expr_outcome outcome = expr_gradient_of(d, e, &g, NULL);
    if (outcome != EXPR_OK || g.n == 0)
        return outcome;
    size_t wanted = list->n + g.n;
    list->root = arena_grow(&s->mem, list->root, &list->n_roots_room, wanted, sizeof *list->root);
    s->slot = arena_grow(&s->mem, s->slot, &list->n_slots_room, wanted, sizeof *s->slot);
    for (size_t k = 0; k < g.n && !s->mem.failed; k++) {
        list->root[list->n] = g.entry[k].derivative;
        s->slot[list->n++] = (uint32_t)compiled_slot(s->of, g.entry[k].variable);
    }
    return s->mem.failed ? EXPR_NO_MEMORY : EXPR_OK;
}

static expr_outcome differentiate(event_slopes *s, expressions of)
{
    flat_model *flat = s->of->flat;
    entry_list list = {0};
    expr_selection selection = {is_wanted, (void *)(uintptr_t)s->of, flat_partials(flat)};
    expr_deriver *d = expr_deriver_create(&flat->graph, &selection);
    expr_outcome outcome = d ? EXPR_OK : EXPR_NO_MEMORY;
    for (int32_t k = 0; k < of.n && outcome == EXPR_OK; k++) {
        outcome = add_gradient(s, &list, d, of.at[k]);
        s->start[k + 1] = list.n;
    }
    expr_deriver_free(d);
    if (outcome == EXPR_OK &&
        ((list.n > 0 && !program_create(s->of, &s->entries, list.root, list.n)) ||
         !program_create(s->of, &s->values, of.at, (size_t)of.n)))
        outcome = EXPR_NO_MEMORY;
    return outcome;
}

daedal_status event_slopes_create(event_slopes *s, const compiled_model *of, expressions list,
                                  const uint32_t *parameters, int32_t n_parameters)
{
    *s = (event_slopes){.of = of, .n = (size_t)list.n};
    arena_create(&s->mem, of->allocator, 0);
    s->start = arena_take(&s->mem, s->n + 1, sizeof *s->start);
    s->in_time = arena_take(&s->mem, s->n + 1, sizeof *s->in_time);
    if (s->mem.failed)
        return DAEDAL_ERR_MEMORY;
    if (list.n == 0)
        return DAEDAL_OK;
    expr_outcome outcome = differentiate(s, list);
    if (outcome != EXPR_OK)
        return outcome == EXPR_NO_MEMORY ? DAEDAL_ERR_MEMORY : DAEDAL_ERR_STRUCTURE;
    return parameter_tapes_build_of(&s->by_p, of, parameters, n_parameters, list);
}

void event_slopes_free(event_slopes *s)
{
    if (!s->of)
        return;
    program_free(s->of->allocator, &s->entries);
    program_free(s->of->allocator, &s->values);
    if (s->by_p.model)
        parameter_tapes_free(&s->by_p);
    arena_free(&s->mem);
    *s = (event_slopes){0};
}

/* ---- values ---- */

static int difference_in_time(event_slopes *s, double h)
{
    double *x = s->of->values->x, t = x[0];
    int answer = DAEDAL_CALL_OK;
    for (int side = -1; side <= 1 && answer == DAEDAL_CALL_OK; side += 2) {
        x[0] = t + side * h;
        answer = program_run(s->of, s->values, 0.0, NULL, NULL);
        for (size_t k = 0; k < s->n && s->values; k++)
            s->in_time[k] =
                side < 0 ? s->values->out[k] : (s->values->out[k] - s->in_time[k]) / (2.0 * h);
    }
    x[0] = t;
    return answer;
}

int event_slopes_evaluate(event_slopes *s, double h)
{
    int answer = program_run(s->of, s->entries, 0.0, NULL, NULL);
    if (answer == DAEDAL_CALL_OK)
        answer = program_run(s->of, s->by_p.residuals, 0.0, NULL, NULL);
    return answer == DAEDAL_CALL_OK ? difference_in_time(s, h) : answer;
}

double event_slopes_by_parameter(const event_slopes *s, size_t k, int32_t i)
{
    const program *p = s->by_p.residuals;
    return p ? p->out[(size_t)i * s->n + k] : 0.0;
}
