/* flatten/discrete_equations.c - see flattener.h: turns equations between discrete variables into
 * assignments. */
#include "flatten/flattener.h"

void assignment_emit(flattener *f, uint32_t variable, expr e, source_at at, source_at end)
{
    leaf *l = &f->scope->leaf[variable];
    if (l->is_assigned) {
        source_place first = sources_place(&f->in->c->sources, l->assigned_at);
        context_error(f->in, at, "'%s' is assigned in line %u already",
                      context_name(f->in, f->in->m->variables[variable].name),
                      (unsigned)first.line);
        return;
    }
    flat_assignment a = {.variable = variable, .value = e, .at = at, .end = end};
    if (flat_add_assignment(f->in->build, a) == FLAT_NONE)
        return;
    l->is_assigned = true;
    l->assigned_at = at;
}

void assignment_refuse_real(flattener *f, uint32_t variable, source_at at)
{
    const flat_variable *v = &f->in->m->variables[variable];
    context_error(f->in, at, "'%s' is Integer, the other side of its equation is Real: %s",
                  context_name(f->in, v->name), "integer(...) rounds down to an Integer");
}

/* Whether the equation can assign this side: a discrete variable without an assignment, or `not`
 * of one. */
static bool is_open(const flattener *f, expr side, uint32_t *v, bool *negated)
{
    const expr *operand;
    *negated = expr_op_of(f->in->g, side) == EXPR_NOT;
    if (*negated) {
        expr_operands(f->in->g, side, &operand);
        side = operand[0];
    }
    return flat_is_value(f->in->g, side, v) &&
           f->in->m->variables[*v].variability == FLAT_DISCRETE && !f->scope->leaf[*v].is_assigned;
}

static void assign_side(flattener *f, const pending *p, expr side, expr other)
{
    uint32_t v = 0;
    bool negated = false;
    if (is_open(f, side, &v, &negated))
        assignment_emit(f, v, negated ? condition_not(f->in, other) : other, p->at, p->end);
}

static int open_sides(const flattener *f, const pending *p, bool *left)
{
    uint32_t v = 0, w = 0;
    bool negated;
    *left = is_open(f, p->left, &v, &negated);
    bool right = is_open(f, p->right, &w, &negated);
    return *left + right;
}

/* Assigns by equations that leave one choice: a = b where b is assigned elsewhere. */
static size_t assign_certain(flattener *f, pending *item, size_t n)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        bool left = false;
        pending p = item[i];
        if (open_sides(f, &p, &left) != 1)
            item[kept++] = p;
        else
            assign_side(f, &p, left ? p.left : p.right, left ? p.right : p.left);
    }
    return kept;
}

static size_t assign_one_by_choice(flattener *f, pending *item, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        bool left = false;
        pending p = item[i];
        if (open_sides(f, &p, &left) == 2) {
            assign_side(f, &p, p.left, p.right);
            item[i] = item[n - 1];
            return n - 1;
        }
    }
    return n;
}

static void complain(flattener *f, const pending *p)
{
    uint32_t v = 0;
    bool known = flat_is_value(f->in->g, p->left, &v) || flat_is_value(f->in->g, p->right, &v);
    if (p->left == p->right)
        return;
    if (known && f->in->m->variables[v].variability != FLAT_CONTINUOUS)
        context_error(f->in, p->at, "one equation too many: '%s' is assigned already",
                      context_name(f->in, f->in->m->variables[v].name));
    else
        context_error(f->in, p->at,
                      "this equation between discrete values does not give a variable its "
                      "value: one side must be a variable");
}

void discrete_finish(flattener *f)
{
    size_t n = f->discrete.n, before = n + 1;
    pending *item = f->discrete.item;
    while (n > 0 && n < before) {
        before = n;
        n = assign_certain(f, item, n);
        if (n == before)
            n = assign_one_by_choice(f, item, n);
    }
    for (size_t i = 0; i < n; i++)
        complain(f, &item[i]);
}

/* An Integer variable that nothing assigns, alone on one side. */
static bool is_unassigned_integer(const flattener *f, expr side, uint32_t *v)
{
    return flat_is_value(f->in->g, side, v) && f->in->m->variables[*v].type == FLAT_INTEGER &&
           f->in->m->variables[*v].variability == FLAT_DISCRETE && !f->scope->leaf[*v].is_assigned;
}

void discrete_check_integers(flattener *f)
{
    const flat_equation *refused = NULL; /* one message for all elements of an array */
    for (size_t i = 0; i < f->in->m->n_equations; i++) {
        uint32_t v = FLAT_NONE;
        const flat_equation *e = &f->in->m->equations[i];
        if (refused && refused->at == e->at)
            continue;
        if (is_unassigned_integer(f, e->left, &v) || is_unassigned_integer(f, e->right, &v)) {
            assignment_refuse_real(f, v, e->at);
            refused = e;
        }
    }
}

void discrete_check_reinits(flattener *f)
{
    const flat_model *m = f->in->m;
    for (size_t k = 0; k < m->n_reinits; k++) {
        uint32_t v = m->reinits[k].variable;
        if (m->variables[v].variability != FLAT_DISCRETE && !f->scope->leaf[v].is_assigned)
            continue;
        const char *name = context_name(f->in, m->variables[v].name);
        context_error(f->in, m->reinits[k].at,
                      "reinit() is for states; '%s' is discrete: '%s = ...' in 'when' assigns it",
                      name, name);
    }
}
