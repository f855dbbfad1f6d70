/* hybrid/corners.c - see corners.h. */
#include "hybrid/corners.h"

#include <math.h>

#include "expr/walk.h"

static const double EQUAL = 1e-3; /* of rtol times the scale: a and b are equal */

/* True if e depends on an unknown or on time. */
static bool varies(const discrete_part *m, expr_walker *w, expr e)
{
    bool known = expr_depends(w, e, EXPR_ALL), found = false;
    for (size_t k = 0; known && k < w->n_found && !found; k++) {
        int32_t slot = compiled_slot(m->compiled, expr_index(&m->flat->graph, w->found[k]));
        found = slot >= 0 && slot < (int32_t)m->values->place.discrete;
    }
    return found || !known;
}

static bool is_comparison(expr_op op)
{
    return op == EXPR_LT || op == EXPR_LE || op == EXPR_GT || op == EXPR_GE;
}

static bool is_corner(const discrete_part *m, expr_walker *inner, expr e)
{
    expr_op op = expr_op_of(&m->flat->graph, e);
    if (is_comparison(op))
        return true;
    if (op != EXPR_ABS && op != EXPR_MIN && op != EXPR_MAX)
        return false;
    expr_walker_forget(inner);
    return varies(m, inner, e);
}

bool corners_exist(const discrete_part *m)
{
    expr_walker *w = m->reduced->walker, inner;
    bool found = false;
    expr_walker_create(&inner, &m->flat->graph);
    expr_walker_forget(w);
    for (int32_t i = 0; i < m->reduced->n && !found; i++) {
        found = !expr_walk(w, m->reduced->residual[i], EXPR_ALL);
        for (size_t k = 0; k < w->n_found && !found; k++)
            found = is_corner(m, &inner, w->found[k]);
    }
    expr_walker_free(&inner);
    return found;
}

/* ---- their arguments ---- */

static bool has_argument(const discrete_part *m, expr_walker *inner, expr e)
{
    expr_op op = expr_op_of(&m->flat->graph, e);
    if (op != EXPR_SIGN && !is_corner(m, inner, e))
        return false;
    expr_walker_forget(inner);
    return varies(m, inner, e);
}

/* What is found, or (into NULL) only counted. */
typedef struct corner_list {
    expr_walker inner;
    expr *into; /* two operands of each */
    size_t n;
} corner_list;

/* The corners below a root that were not met below earlier ones.  false: out of memory. */
static bool list_below(discrete_part *m, corner_list *list, expr root)
{
    expr_walker *w = m->reduced->walker;
    expr_graph *g = &m->flat->graph;
    expr zero = expr_constant(g, 0.0);
    if (!expr_walk(w, root, EXPR_ALL))
        return false;
    for (size_t k = 0; k < w->n_found; k++) {
        const expr *operands;
        if (!has_argument(m, &list->inner, w->found[k]))
            continue;
        bool two = expr_operands(g, w->found[k], &operands) == 2;
        if (list->into) {
            list->into[2 * list->n] = operands[0];
            list->into[2 * list->n + 1] = two ? operands[1] : zero;
        }
        list->n++;
    }
    return true;
}

static size_t list_in_equations(discrete_part *m, expr *into)
{
    corner_list list = {.into = into};
    bool fine = true;
    expr_walker_create(&list.inner, &m->flat->graph);
    expr_walker_forget(m->reduced->walker);
    for (int32_t i = 0; i < m->reduced->n && fine; i++)
        fine = list_below(m, &list, m->reduced->residual[i]);
    expr_walker_free(&list.inner);
    return fine ? list.n : 0;
}

size_t corners_in_relations(discrete_part *m, expr *into)
{
    const flat_model *f = m->flat;
    corner_list list = {.into = into};
    bool fine = true;
    expr_walker_create(&list.inner, &f->graph);
    expr_walker_forget(m->reduced->walker);
    for (size_t k = 0; k < f->n_relations && fine; k++)
        fine =
            m->relation[k].kind != RELATION_STATE || (list_below(m, &list, f->relations[k].left) &&
                                                      list_below(m, &list, f->relations[k].right));
    expr_walker_free(&list.inner);
    return fine ? list.n : 0;
}

bool corners_build(discrete_part *m, model_corners **corners)
{
    model_corners *c = *corners = arena_take(m->mem, 1, sizeof *c);
    if (!c)
        return false;
    size_t n = list_in_equations(m, NULL);
    expr *operands = arena_take(m->mem, 2 * n + 1, sizeof *operands);
    *c = (model_corners){.of = m, .scale = arena_take(m->mem, n + 1, sizeof *c->scale)};
    if (operands && c->scale)
        c->n = (int32_t)list_in_equations(m, operands);
    bool fine = operands && c->scale && !m->reduced->walker->failed && !m->flat->graph.failed;
    return fine && (n == 0 || program_create(m->compiled, &c->operands, operands, 2 * n));
}

void corners_begin(model_corners *c)
{
    for (int32_t k = 0; k < c->n; k++)
        c->scale[k] = 0.0;
}

int corners_arguments(double t, const double *y, const double *yp, double *g, void *user)
{
    model_corners *c = user;
    discrete_part *m = c->of;
    delays_set_allow_present(m, true);
    int answer = program_run(m->compiled, c->operands, t, y, yp);
    delays_set_allow_present(m, false);
    for (int32_t k = 0; k < c->n && answer == 0; k++) {
        double a = c->operands->out[2 * k], b = c->operands->out[2 * k + 1];
        double size = fmax(fabs(a), fabs(b));
        if (size < OPERAND_MAX)
            c->scale[k] = fmax(c->scale[k], size);
        bool known = fabs(a - b) > EQUAL * m->rtol * c->scale[k]; /* and not NaN */
        g[k] = known ? a - b : 0.0;
    }
    return answer;
}
