/* solver/system_copy.c - see system_copy.h. */
#include "solver/system_copy.h"

#include <string.h>

static const void *keep(layout *l, const void *from, size_t count, size_t size)
{
    if (!from || count == 0)
        return NULL;
    void *to = layout_take(l, count, size);
    if (to)
        memcpy(to, from, count * size);
    return to;
}

/* A text that stands several times in succession, as that of the equations of a loop, is kept once.
 */
static size_t bytes_of_names(const char *const *from, int32_t n)
{
    size_t bytes = 0;
    for (int32_t i = 0; i < n; i++)
        if (from[i] && (i == 0 || from[i] != from[i - 1]))
            bytes += strlen(from[i]) + 1;
    return bytes;
}

/* One name behind the other, without gaps. */
static const char *const *keep_names(layout *l, const char *const *from, int32_t n)
{
    if (!from)
        return NULL;
    const char **to = layout_take(l, (size_t)n, sizeof *to);
    char *text = layout_take(l, bytes_of_names(from, n), 1);
    for (int32_t i = 0; i < n && to; i++) {
        to[i] = i > 0 && from[i] == from[i - 1] ? to[i - 1] : from[i] ? text : NULL;
        if (to[i] != text)
            continue;
        size_t bytes = strlen(from[i]) + 1;
        memcpy(text, from[i], bytes);
        text += bytes;
    }
    return to;
}

static void lay_out(void *object, layout *l)
{
    system_copy *c = object;
    const daedal_system *from = c->source;
    daedal_system *to = &c->sys;
    size_t n = (size_t)from->n, m = (size_t)from->n_events;
    to->event_direction.at =
        keep(l, from->event_direction.at, from->event_direction.n ? m : 0, sizeof(int32_t));
    to->variable_kind.at =
        keep(l, from->variable_kind.at, from->variable_kind.n ? n : 0, sizeof(int32_t));
    to->variable_index.at =
        keep(l, from->variable_index.at, from->variable_index.n ? n : 0, sizeof(int32_t));
    to->constraint_level.at =
        keep(l, from->constraint_level.at,
             from->constraint_level.n ? (size_t)from->n_constraints : 0, sizeof(int32_t));
    to->variable_level.at =
        keep(l, from->variable_level.at, from->variable_level.n ? n : 0, sizeof(int32_t));
    to->state_select.at =
        keep(l, from->state_select.at, from->state_select.n ? n : 0, sizeof(int32_t));
    to->lower.at = keep(l, from->lower.at, from->lower.n ? n : 0, sizeof(double));
    to->upper.at = keep(l, from->upper.at, from->upper.n ? n : 0, sizeof(double));
    size_t k = (size_t)from->n_parameters;
    to->parameters = keep(l, from->parameters, k, sizeof *from->parameters);
    to->parameter_scale.at =
        keep(l, from->parameter_scale.at, from->parameter_scale.n ? k : 0, sizeof(double));
}

static void lay_out_names(void *object, layout *l)
{
    system_copy *c = object;
    const daedal_system *from = c->source;
    daedal_system *to = &c->sys;
    to->variable_names = keep_names(l, from->variable_names, from->n);
    to->equation_names = keep_names(l, from->equation_names, from->n);
    to->event_names = keep_names(l, from->event_names, from->n_events);
}

/* The pattern of a callback's values: as given, else full if the callback exists. */
static bool keep_pattern(pattern *p, const daedal_pattern **kept, bool needed, int32_t n,
                         const daedal_allocator *a)
{
    bool fine = true;
    if (*kept)
        fine = pattern_copy(p, *kept, a);
    else if (needed)
        fine = pattern_full(p, n, a);
    *kept = p->mem.p ? &p->view : NULL;
    return fine;
}

bool system_copy_create(system_copy *copy, const daedal_system *from, const daedal_allocator *a)
{
    *copy = (system_copy){.sys = *from, .source = from};
    bool fine =
        block_create(&copy->mem, a, lay_out, copy) &&
        block_create(&copy->names, a, lay_out_names, copy) &&
        keep_pattern(&copy->pattern, &copy->sys.pattern, from->jacobian || from->rhs_jacobian,
                     from->n, a) &&
        keep_pattern(&copy->mass_pattern, &copy->sys.mass_pattern, from->mass != NULL, from->n,
                     a) &&
        keep_pattern(&copy->dyp_pattern, &copy->sys.dyp_pattern, false, from->n, a) &&
        keep_pattern(&copy->constraint_pattern, &copy->sys.constraint_pattern, false, from->n, a);
    copy->source = NULL;
    return fine;
}

void system_copy_free(system_copy *copy)
{
    block_free(&copy->mem);
    block_free(&copy->names);
    pattern_free(&copy->pattern);
    pattern_free(&copy->mass_pattern);
    pattern_free(&copy->dyp_pattern);
    pattern_free(&copy->constraint_pattern);
}

static void use_pattern(pattern *p, const daedal_pattern **kept, const daedal_pattern *given)
{
    if (!given)
        return;
    pattern_free(p);
    *kept = given;
}

void system_copy_rely_on(system_copy *copy, const daedal_system *from)
{
    daedal_system *sys = &copy->sys;
    use_pattern(&copy->pattern, &sys->pattern, from->pattern);
    use_pattern(&copy->dyp_pattern, &sys->dyp_pattern, from->dyp_pattern);
    use_pattern(&copy->constraint_pattern, &sys->constraint_pattern, from->constraint_pattern);
    block_free(&copy->names);
    sys->variable_names = from->variable_names;
    sys->equation_names = from->equation_names;
    sys->event_names = from->event_names;
}
