/* flatten/read_derivatives.c - see flattener.h: derivatives that only the discrete part reads.
 *
 * The analysis of the equations looks at what their values depend on continuously.  der(v) in a
 * relation, a condition, an assignment, a reinit or an assert is invisible to it, so that a v which
 * is no state would have no derivative there: a = sin(time) with `when der(a) < 0`.  Each such
 * derivative becomes an unknown of its own with the equation unknown = der(v).       */
#include "clocks/clocks.h"
#include "flatten/flattener.h"

typedef struct derivative_search {
    flattener *f;
    expr_walker w;
    bool *is_known; /* by variable: its derivative is in the equations already, or is added */
    uint32_t n;     /* variables before any is added                                        */
} derivative_search;

static bool is_derivative(const derivative_search *s, uint32_t symbol)
{
    uint32_t v = flat_number(symbol);
    return flat_kind(symbol) == FLAT_DER && v < s->n &&
           s->f->in->m->variables[v].variability == FLAT_CONTINUOUS && !clocks_own(s->f->in, v);
}

static void mark_known(derivative_search *s, expr side)
{
    if (!expr_depends(&s->w, side, EXPR_INCIDENCE))
        return;
    for (size_t k = 0; k < s->w.n_found; k++) {
        uint32_t symbol = expr_index(s->f->in->g, s->w.found[k]);
        if (is_derivative(s, symbol))
            s->is_known[flat_number(symbol)] = true;
    }
}

static void add_unknown(derivative_search *s, uint32_t v)
{
    context *in = s->f->in;
    source_at at = in->m->variables[v].at;
    const char *stem = context_text(in, "der_%s_", context_name(in, in->m->variables[v].name));
    uint32_t slope = stem ? variable_hidden(s->f, stem, FLAT_REAL, at) : FLAT_NONE;
    s->is_known[v] = true;
    if (slope == FLAT_NONE)
        return;
    flat_equation e = {.left = expr_variable(in->g, flat_symbol(FLAT_VALUE, slope)),
                       .right = expr_variable(in->g, flat_symbol(FLAT_DER, v)),
                       .at = at,
                       .end = at};
    flat_add_equation(in->build, e);
}

static void look_at(derivative_search *s, expr e)
{
    if (e == EXPR_NONE || !expr_depends(&s->w, e, EXPR_ALL))
        return;
    for (size_t k = 0; k < s->w.n_found; k++) {
        uint32_t symbol = expr_index(s->f->in->g, s->w.found[k]);
        if (is_derivative(s, symbol) && !s->is_known[flat_number(symbol)])
            add_unknown(s, flat_number(symbol));
    }
}

static void look_at_message(derivative_search *s, const flat_message *message)
{
    for (int32_t k = 0; k < message->n; k++)
        if (!message->piece[k].text)
            look_at(s, message->piece[k].value);
}

static void look_at_discrete_part(derivative_search *s)
{
    const flat_model *m = s->f->in->m;
    for (size_t k = 0; k < m->n_relations; k++) {
        look_at(s, m->relations[k].left);
        look_at(s, m->relations[k].right);
    }
    for (size_t k = 0; k < m->n_roundings; k++)
        look_at(s, m->roundings[k].of);
    for (size_t k = 0; k < m->n_assignments; k++)
        look_at(s, m->assignments[k].value);
    for (size_t k = 0; k < m->n_reinits; k++) {
        look_at(s, m->reinits[k].fires);
        look_at(s, m->reinits[k].value);
    }
    for (size_t k = 0; k < m->n_delays; k++) {
        look_at(s, m->delays[k].of);
        look_at(s, m->delays[k].by);
    }
    for (size_t k = 0; k < m->n_asserts; k++) {
        look_at(s, m->asserts[k].guard);
        look_at(s, m->asserts[k].condition);
        look_at_message(s, &m->asserts[k].message);
    }
    for (size_t k = 0; k < m->n_terminates; k++) {
        look_at(s, m->terminates[k].fires);
        look_at_message(s, &m->terminates[k].message);
    }
}

void derivatives_finish(flattener *f)
{
    const flat_model *m = f->in->m;
    size_t n_equations = m->n_equations;
    derivative_search s = {.f = f, .n = (uint32_t)m->n_variables};
    s.is_known = arena_take(&f->values, m->n_variables + 1, sizeof *s.is_known);
    if (!s.is_known)
        return;
    expr_walker_create(&s.w, f->in->g);
    for (size_t i = 0; i < n_equations; i++) {
        mark_known(&s, m->equations[i].left);
        mark_known(&s, m->equations[i].right);
    }
    expr_walker_forget(&s.w);
    for (size_t i = 0; i < n_equations; i++) {
        look_at(&s, m->equations[i].left);
        look_at(&s, m->equations[i].right);
    }
    look_at_discrete_part(&s);
    expr_walker_free(&s.w);
}
