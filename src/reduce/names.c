/* reduce/names.c - see reduced.h: the names of variables and the texts of equations, for messages.
 */
#include <stdio.h>
#include <string.h>

#include "reduce/reduced.h"

const char *variable_text(const reduced_model *m, uint32_t variable)
{
    return intern_text(&m->flat->from->names, m->flat->variables[variable].name);
}

static const char *derivative_text(const reduced_model *m, uint32_t variable)
{
    char text[160];
    snprintf(text, sizeof text, "the derivative of %s", variable_text(m, variable));
    return arena_text(m->mem, text, strlen(text));
}

const char *equation_text(const reduced_model *m, uint32_t number)
{
    if (number & EQUATION_OF_DERIVATIVE)
        return derivative_text(m, number & ~EQUATION_OF_DERIVATIVE);
    const flat_equation *e = number & EQUATION_REDUNDANT
                                 ? &m->flat->redundant[number & ~EQUATION_REDUNDANT]
                                 : &m->flat->equations[number];
    char quoted[88], text[128];
    flat_quote(m->flat, e->at, e->end, quoted, sizeof quoted);
    source_place at = sources_place(&m->flat->from->sources, e->at);
    int length =
        snprintf(text, sizeof text, "equation \"%s\" (line %u)", quoted, (unsigned)at.line);
    return length > 0 ? arena_text(m->mem, text, strlen(text)) : NULL;
}

bool reduced_is_unknown(void *user, uint32_t symbol)
{
    const reduced_model *m = user;
    flat_symbol_kind kind = flat_kind(symbol);
    return (kind == FLAT_VALUE || kind == FLAT_DER) && m->column[flat_number(symbol)] >= 0;
}
