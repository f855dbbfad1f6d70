/* clocks/ticks.c - see partitions.h: what happens at the ticks of a partition.
 *
 * A periodic clock is a sample with its own grid, an event clock a condition; a clock below an
 * event clock counts its ticks. */
#include "clocks/partitions.h"

static uint32_t hidden(partitions *p, flat_type kind, expr start, source_at at)
{
    uint32_t v = p->in->interpreter->add_hidden_variable(p->in, "tick", kind, at);
    if (v != FLAT_NONE) {
        p->in->m->variables[v].variability = FLAT_DISCRETE;
        p->in->m->variables[v].start = start;
    }
    return v;
}

expr ticks_start(partitions *p, uint32_t v)
{
    const flat_variable *var = &p->in->m->variables[v];
    return var->start != EXPR_NONE ? var->start
                                   : expr_constant(p->in->g, var->type == FLAT_ENUM ? 1.0 : 0.0);
}

static source_at place_of(const partitions *p, uint32_t root)
{
    return p->list->item[p->partition[root].grid.base].at;
}

/* The base clock itself. */
static expr base_fires(partitions *p, const clock_grid *g)
{
    const clock_operator *op = &p->list->item[g->base];
    if (g->is_event)
        return p->hooks->fires(p->hooks->user, op->operand, op->at);
    ratio first = g->first, step = g->step;
    int64_t parts = first.d, n = 0, k = 0;
    while (parts % step.d !=
           0) /* the least common multiple, which the sum of both has shown to fit */
        parts += first.d;
    n = first.n * (parts / first.d);
    k = step.n * (parts / step.d);
    flat_sample s = {.start = expr_constant(p->in->g, 0.0),
                     .interval =
                         op->kind == CLOCK_REAL ? op->interval : expr_constant(p->in->g, 1.0),
                     .first = n,
                     .step = k,
                     .parts = parts,
                     .at = op->at};
    uint32_t number = flat_add_sample(p->in->build, s);
    if (number == FLAT_NONE)
        return EXPR_NONE;
    return p->hooks->fires(p->hooks->user,
                           expr_variable(p->in->g, flat_symbol(FLAT_SAMPLE, number)), op->at);
}

/* Every step-th tick of an event clock, from number `first` on. */
static expr counted(partitions *p, const clock_grid *g, expr fires)
{
    expr_graph *gr = p->in->g;
    source_at at = p->list->item[g->base].at;
    if (g->step.n == 1 && g->first.n == 0)
        return fires;
    uint32_t n = hidden(p, FLAT_INTEGER, expr_constant(gr, -1.0), at);
    if (n == FLAT_NONE)
        return EXPR_NONE;
    expr before = pre_value(p, n), next = expr_add(gr, before, expr_constant(gr, 1.0));
    p->hooks->assign(p->hooks->user, n, expr_if(gr, fires, next, before), at, at);
    expr behind = expr_sub(gr, next, expr_constant(gr, (double)g->first.n));
    expr rest = expr_make2(gr, EXPR_MOD, behind, expr_constant(gr, (double)g->step.n));
    expr due = expr_make2(gr, EXPR_AND, expr_make2(gr, EXPR_GE, behind, expr_constant(gr, 0.0)),
                          expr_make2(gr, EXPR_EQ, rest, expr_constant(gr, 0.0)));
    return expr_make2(gr, EXPR_AND, fires, due);
}

expr ticks_fire(partitions *p, uint32_t root)
{
    clock_partition *part = &p->partition[root];
    const clock_grid *g = &part->grid;
    if (part->fires == EXPR_NONE) {
        part->fires = base_fires(p, g);
        if (g->is_event)
            part->fires = counted(p, g, part->fires);
    }
    return part->fires;
}

void ticks_assign(partitions *p, uint32_t root, uint32_t v, expr e, source_at at, source_at end)
{
    expr fires = ticks_fire(p, root);
    if (fires != EXPR_NONE && e != EXPR_NONE)
        p->hooks->assign(p->hooks->user, v, expr_if(p->in->g, fires, e, pre_value(p, v)), at, end);
}

expr ticks_have_begun(partitions *p, uint32_t root)
{
    clock_partition *part = &p->partition[root];
    source_at at = place_of(p, root);
    if (part->ticked == FLAT_NONE) {
        part->ticked = hidden(p, FLAT_BOOLEAN, expr_constant(p->in->g, 0.0), at);
        if (part->ticked == FLAT_NONE)
            return EXPR_NONE;
        ticks_assign(p, root, part->ticked, expr_constant(p->in->g, 1.0), at, at);
    }
    return value_of(p, part->ticked);
}

expr ticks_first(partitions *p, uint32_t root)
{
    clock_partition *part = &p->partition[root];
    source_at at = place_of(p, root);
    if (part->first == FLAT_NONE && ticks_have_begun(p, root) != EXPR_NONE) {
        part->first = hidden(p, FLAT_BOOLEAN, expr_constant(p->in->g, 0.0), at);
        if (part->first == FLAT_NONE)
            return EXPR_NONE;
        ticks_assign(p, root, part->first, condition_not(p->in, pre_value(p, part->ticked)), at,
                     at);
    }
    return value_of(p, part->first);
}

expr ticks_time(partitions *p, uint32_t root)
{
    clock_partition *part = &p->partition[root];
    source_at at = place_of(p, root);
    if (part->time == FLAT_NONE) {
        part->time = hidden(p, FLAT_REAL, expr_constant(p->in->g, 0.0), at);
        if (part->time == FLAT_NONE)
            return EXPR_NONE;
        ticks_assign(p, root, part->time, expr_variable(p->in->g, flat_symbol(FLAT_TIME, 0)), at,
                     at);
    }
    return value_of(p, part->time);
}

/* The length of the last interval; of an event clock it is measured. */
expr ticks_interval(partitions *p, uint32_t root)
{
    const clock_grid *g = &p->partition[root].grid;
    expr_graph *gr = p->in->g;
    const clock_operator *op = &p->list->item[g->base];
    if (!g->is_event) {
        expr unit = op->kind == CLOCK_REAL ? op->interval : expr_constant(gr, 1.0);
        expr n = expr_mul(gr, unit, expr_constant(gr, (double)g->step.n));
        return expr_div(gr, n, expr_constant(gr, (double)g->step.d));
    }
    uint32_t v = hidden(p, FLAT_REAL, op->interval, op->at);
    if (v == FLAT_NONE || ticks_time(p, root) == EXPR_NONE)
        return EXPR_NONE;
    expr before = pre_value(p, p->partition[root].time);
    expr since = expr_sub(gr, expr_variable(gr, flat_symbol(FLAT_TIME, 0)), before);
    expr first = ticks_first(p, root);
    ticks_assign(p, root, v, expr_if(gr, first, op->interval, since), op->at, op->end);
    return value_of(p, v);
}

expr ticks_previous(partitions *p, uint32_t root, uint32_t variable, source_at at)
{
    const flat_variable *var = &p->in->m->variables[variable];
    uint32_t v = hidden(p, (flat_type)var->type, ticks_start(p, variable), at);
    if (v == FLAT_NONE)
        return EXPR_NONE;
    ticks_assign(p, root, v, pre_value(p, variable), at, at);
    return value_of(p, v);
}

/* ---- operators ---- */

/* The left limit of what sample() reads. */
static expr left_limit(partitions *p, const clock_operator *op)
{
    uint32_t v = 0;
    expr_graph *g = p->in->g;
    if (flat_is_value(g, op->operand, &v))
        return p->in->m->variables[v].variability > FLAT_PARAMETER ? pre_value(p, v) : op->operand;
    if (!expr_has(g, op->operand, EXPR_HAS_VARIABLE))
        return op->operand;
    flat_type kind = (flat_type)p->in->m->variables[op->result].type;
    v = p->in->interpreter->add_hidden_variable(p->in, "sampled", kind, op->at);
    if (v == FLAT_NONE)
        return EXPR_NONE;
    if (kind == FLAT_REAL)
        flat_add_equation(p->in->build, (flat_equation){value_of(p, v), op->operand, op->at,
                                                        op->end, false, false});
    else
        p->hooks->assign(p->hooks->user, v, op->operand, op->at, op->end);
    return pre_value(p, v);
}

static void take_start(partitions *p, const clock_operator *op)
{
    uint32_t v = 0;
    if (flat_is_value(p->in->g, op->operand, &v))
        p->in->m->variables[op->result].start = ticks_start(p, v);
}

/* What is held of an event clock is seen one round of the event iteration after its tick: the
 * condition of the clock may depend on it, and a tick that ends its own condition would contradict
 * it within the same round. */
static expr held_value(partitions *p, const clock_operator *op)
{
    uint32_t v = 0;
    if (!flat_is_value(p->in->g, op->operand, &v) ||
        p->in->m->variables[v].variability <= FLAT_PARAMETER)
        return op->operand;
    return partitions_of(p, v)->grid.is_event ? pre_value(p, v) : op->operand;
}

static void assign_operator(partitions *p, const clock_operator *op)
{
    uint32_t root = partitions_root(p, op->result), v = 0;
    expr e = op->operand;
    switch (op->kind) {
    case CLOCK_HOLD:
        p->hooks->assign(p->hooks->user, op->result, held_value(p, op), op->at, op->end);
        return;
    case CLOCK_SUPER:
        p->hooks->assign(p->hooks->user, op->result, op->operand, op->at, op->end);
        return;
    case CLOCK_PREVIOUS:
        if (flat_is_value(p->in->g, op->operand, &v))
            e = pre_value(p, v);
        break;
    case CLOCK_SAMPLE:
        e = left_limit(p, op);
        break;
    case CLOCK_INTERVAL:
        e = ticks_interval(p, root);
        p->hooks->assign(p->hooks->user, op->result, e, op->at, op->end);
        return;
    case CLOCK_FIRST:
        p->hooks->assign(p->hooks->user, op->result, ticks_first(p, root), op->at, op->end);
        return;
    default:
        break;
    }
    if (op->kind != CLOCK_SAMPLE)
        take_start(p, op);
    ticks_assign(p, root, op->result, e, op->at, op->end);
}

void ticks_assign_operators(partitions *p)
{
    for (size_t k = 0; k < p->list->n; k++) {
        clock_operator op = p->list->item[k];
        if (p->in->m->variables[op.result].type != FLAT_CLOCK)
            assign_operator(p, &op);
    }
}
