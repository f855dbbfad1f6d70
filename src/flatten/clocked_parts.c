/* flatten/clocked_parts.c - see flattener.h: hands the equations of the model to clocks/ and takes
 * those that have become assignments out of it. */
#include "clocks/clocks.h"
#include "expr/walk.h"
#include "flatten/flattener.h"
#include "lang/owners.h"

static expr fires(void *user, expr condition, source_at at)
{
    return condition_fires(user, condition, at, at);
}

static void assign(void *user, uint32_t variable, expr e, source_at at, source_at end)
{
    flattener *f = user;
    if (e == EXPR_NONE)
        return;
    f->in->m->variables[variable].variability = FLAT_DISCRETE;
    assignment_emit(f, variable, e, at, end);
}

static bool is_assigned(void *user, uint32_t variable)
{
    const flattener *f = user;
    return f->scope->leaf[variable].is_assigned;
}

/* Equations that are done go; the others keep their owners. */
static void keep_equations(flattener *f, const clock_equation *e, size_t n)
{
    flat_model *m = f->in->m;
    size_t kept = 0;
    for (size_t k = 0; k < m->n_equations; k++) {
        if (k < n && e[k].is_done)
            continue;
        if (k < n) {
            m->equations[k].left = e[k].left;
            m->equations[k].right = e[k].right;
        }
        owner_of_equation_is(f->in->c, (uint32_t)kept, owner_of_equation(f->in->c, (uint32_t)k));
        m->equations[kept++] = m->equations[k];
    }
    m->n_equations = kept;
}

static void keep_discrete(flattener *f, const clock_equation *e)
{
    size_t kept = 0;
    for (size_t k = 0; k < f->discrete.n; k++)
        if (!e[k].is_done)
            f->discrete.item[kept++] = f->discrete.item[k];
    f->discrete.n = kept;
}

/* Initial equations cannot set the derivative of a clocked variable, which begins with its start.
 */
static void check_initials(flattener *f)
{
    const flat_model *m = f->in->m;
    expr_walker w;
    expr_walker_create(&w, f->in->g);
    for (size_t k = 0; k < 2 * m->n_initials; k++) {
        const flat_initial *q = &m->initials[k / 2];
        expr_walker_forget(&w);
        if (!expr_depends(&w, k % 2 ? q->right : q->left, EXPR_ALL))
            break;
        for (size_t i = 0; i < w.n_found; i++) {
            uint32_t symbol = expr_index(f->in->g, w.found[i]);
            if (flat_kind(symbol) == FLAT_DER && clocks_own(f->in, flat_number(symbol)))
                context_error(f->in, q->at,
                              "an initial equation cannot set the derivative of '%s', which is "
                              "clocked: at the first tick it has its start value",
                              context_name(f->in, m->variables[flat_number(symbol)].name));
        }
    }
    expr_walker_free(&w);
}

void clocked_finish(flattener *f)
{
    const flat_model *m = f->in->m;
    const clock_hooks hooks = {fires, assign, is_assigned, f};
    const clock_list *l = f->in->clocks;
    if (l->n == 0 && l->n_members == 0)
        return;
    size_t n = m->n_equations, all = n + f->discrete.n;
    clock_equation *e = arena_take(&f->in->c->mem, all + 1, sizeof *e);
    for (size_t k = 0; e && k < n; k++) {
        const flat_equation *q = &m->equations[k];
        e[k] = (clock_equation){q->left, q->right, T_REAL, q->at, q->end, false};
    }
    for (size_t k = 0; e && k < f->discrete.n; k++) {
        const pending *q = &f->discrete.item[k];
        e[n + k] =
            (clock_equation){q->left, q->right, (base_type)q->type.base, q->at, q->end, false};
    }
    if (!e)
        return;
    clocks_finish(f->in, &hooks, e, all);
    keep_equations(f, e, n);
    keep_discrete(f, e + n);
    check_initials(f);
}
