/* flat/flat.c - see flat.h: what every reader of a flat model needs. */
#include "flat/flat.h"

#include <string.h>

void flat_free(flat_model *m)
{
    if (!m)
        return;
    if (m->functions)
        m->functions->free(m->functions);
    m->functions = NULL;
    expr_graph_free(&m->graph);
}

const char *flat_quote(const flat_model *m, source_at at, source_at end, char *buffer, size_t size)
{
    size_t length = 0, n = 0;
    const char *text = source_stretch(&m->from->sources, at, end, &length);
    for (size_t i = 0; text && i < length && n + 4 < size; i++) {
        bool blank = text[i] == ' ' || (text[i] >= '\t' && text[i] <= '\r');
        if (!blank)
            buffer[n++] = text[i];
        else if (n && buffer[n - 1] != ' ')
            buffer[n++] = ' ';
        if (n + 4 >= size && i + 1 < length) {
            memcpy(buffer + n - (n >= 3 ? 3 : n), "...", n >= 3 ? 3 : n);
            break;
        }
    }
    if (size)
        buffer[n] = '\0';
    return buffer;
}

bool flat_is_value(const expr_graph *g, expr e, uint32_t *variable)
{
    if (e == EXPR_NONE || !expr_is_variable(g, e) || flat_kind(expr_index(g, e)) != FLAT_VALUE)
        return false;
    *variable = flat_number(expr_index(g, e));
    return true;
}

/* ---- functions that are called ---- */

flat_model *flat_with_homotopy(const flat_model *of)
{
    return of->functions->with_homotopy(of);
}

int flat_call(void *functions, uint32_t function, const double *args, double *outputs)
{
    flat_functions *f = functions;
    return f->call(f, function, args, outputs);
}

expr_partials flat_partials(const flat_model *m)
{
    return (expr_partials){m->functions ? m->functions->partial : NULL, m->functions};
}

bool flat_calls_out_of_memory(const flat_model *m)
{
    return m->functions && m->functions->out_of_memory;
}

const char *flat_calls_endless(const flat_model *m)
{
    return m->functions ? m->functions->endless : NULL;
}

/* ---- the total time derivative ---- */

static expr along_time(void *user, expr_graph *g, uint32_t symbol)
{
    flat_motion *motion = user;
    switch (flat_kind(symbol)) {
    case FLAT_TIME:
        return expr_constant(g, 1.0);
    case FLAT_VALUE:
    case FLAT_DER:
        return motion->slope(motion->user, symbol);
    case FLAT_INPUT:
        return flat_number(symbol) % FLAT_INPUT_ORDERS == FLAT_INPUT_ORDERS - 1
                   ? EXPR_NONE
                   : expr_variable(g, symbol + 1);
    case FLAT_DELAY:
        motion->met_delay = true;
        return EXPR_NONE;
    default:
        return EXPR_NONE;
    }
}

expr_direction flat_in_time(const flat_model *m, flat_motion *motion)
{
    return (expr_direction){along_time, motion, flat_partials(m), NULL};
}
