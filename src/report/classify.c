/* report/classify.c - see model_report.h: the class of the system of equations, as written.
 *
 * The index of a variable is how often equations must be differentiated until its derivative is
 * known.  With offsets c and d it is C + 1 - d, where C is the largest c among the equations
 * that its value depends on, those of its block and of the blocks before.  The forms are those
 * of [BCP96] section 2.2 and 2.4: semi-explicit, Hessenberg of size r, triangular chains. */
#include <stdio.h>
#include <string.h>

#include "expr/derive.h"
#include "report/model_report.h"

enum { LINEAR_MAX = 3000 }; /* equations: linearity of larger systems is not examined */

/* ---- forms ---- */

typedef struct form {
    bool semi_explicit; /* every equation has at most one derivative, with a constant factor,
                           and no two the same                                        */
    bool hessenberg;
    bool linear, constant; /* with coefficients that depend on time at most; on nothing */
    bool known;            /* linearity was examined                                 */
} form;

typedef struct form_search {
    reduced_model *m;
    expr_walker w;
    bool *derived; /* by unknown: some equation gives its derivative */
    form form;
} form_search;

static bool is_unknown(void *user, uint32_t symbol)
{
    const reduced_model *m = user;
    flat_symbol_kind kind = flat_kind(symbol);
    return (kind == FLAT_VALUE || kind == FLAT_DER) && m->unknown_of[flat_number(symbol)] >= 0;
}

/* The dependence of a coefficient: 0 constant, 1 on time only, 2 on more. */
static int dependence(form_search *l, expr e)
{
    const expr_graph *g = &l->m->flat->graph;
    int most = 0;
    expr_walker_forget(&l->w);
    if (!expr_depends(&l->w, e, EXPR_ALL))
        return 2;
    for (size_t k = 0; k < l->w.n_found; k++)
        most = flat_kind(expr_index(g, l->w.found[k])) == FLAT_TIME && most < 1 ? 1 : 2;
    return most;
}

/* The unknown whose derivative the equation gives; -1: none; -2: several, or with a factor that
 * varies. */
static int32_t derivative_in(form_search *l, const expr_gradient *g)
{
    int32_t found = -1;
    for (size_t k = 0; k < g->n; k++) {
        if (flat_kind(g->entry[k].variable) != FLAT_DER)
            continue;
        if (found != -1 || !expr_is_constant(&l->m->flat->graph, g->entry[k].derivative))
            return -2;
        found = l->m->unknown_of[flat_number(g->entry[k].variable)];
    }
    return found;
}

/* Hessenberg: x_k' may depend on classes up to k + 1, constraints on class 1 only; the last
 * class is algebraic ([BCP96] (2.4.1)).                                          */
static bool fits_hessenberg(const form_search *l, const expr_gradient *g, int32_t derivative)
{
    const reduced_model *m = l->m;
    int32_t most = derivative < 0 ? 1 : m->variable_index[derivative] + 1;
    for (size_t k = 0; k < g->n; k++) {
        uint32_t symbol = g->entry[k].variable;
        if (flat_kind(symbol) == FLAT_VALUE &&
            m->variable_index[m->unknown_of[flat_number(symbol)]] > most)
            return false;
    }
    return true;
}

static void inspect_equation(form_search *l, const expr_gradient *g)
{
    form *f = &l->form;
    int32_t derivative = derivative_in(l, g);
    f->semi_explicit =
        f->semi_explicit && derivative != -2 && (derivative < 0 || !l->derived[derivative]);
    if (derivative >= 0)
        l->derived[derivative] = true;
    f->hessenberg = f->hessenberg && f->semi_explicit && fits_hessenberg(l, g, derivative);
    for (size_t k = 0; k < g->n && f->linear; k++) {
        int on = dependence(l, g->entry[k].derivative);
        f->constant = f->constant && on == 0;
        f->linear = on < 2;
    }
}

static bool inspect_equations(form_search *l)
{
    const flat_model *f = l->m->flat;
    expr_graph *g = &l->m->flat->graph;
    expr_selection selection = {is_unknown, l->m, flat_partials(f)};
    expr_deriver *d = expr_deriver_create(g, &selection);
    bool fine = d != NULL;
    for (size_t i = 0; i < f->n_equations && fine; i++) {
        expr_gradient gradient;
        expr residual = expr_sub(g, f->equations[i].left, f->equations[i].right);
        fine = expr_gradient_of(d, residual, &gradient, NULL) == EXPR_OK;
        if (fine)
            inspect_equation(l, &gradient);
    }
    expr_deriver_free(d);
    return fine;
}

static form form_of(reduced_model *m)
{
    form_search l = {.m = m, .form = {true, true, true, true, true}};
    l.derived = arena_take(m->mem, (size_t)m->n_unknowns + 1, sizeof *l.derived);
    if (!l.derived || m->flat->n_equations > LINEAR_MAX || !m->variable_index)
        return (form){0};
    expr_walker_create(&l.w, &m->flat->graph);
    bool fine = inspect_equations(&l);
    expr_walker_free(&l.w);
    return fine ? l.form : (form){0};
}

static const char *kind_text(const reduced_model *m, const form *f, char *text, size_t size)
{
    const daedal_model_structure *r = m->report;
    bool chain = r->largest_block == 1 && r->degrees_of_freedom == 0;
    if (r->index == 0)
        snprintf(text, size, "%s", !f->known || f->semi_explicit ? "ODE" : "implicit ODE");
    else if (r->states == 0 && r->index == 1)
        snprintf(text, size, "algebraic equations");
    else if (r->index == 1)
        snprintf(text, size, "%s index 1", f->semi_explicit ? "semi-explicit" : "fully implicit");
    else if (chain)
        snprintf(text, size, "triangular chain of index %d", (int)r->index);
    else if (f->hessenberg && r->index == r->structural_index)
        snprintf(text, size, "Hessenberg of size %d", (int)r->index);
    else
        snprintf(text, size, "%s index %d", f->semi_explicit ? "semi-explicit" : "fully implicit",
                 (int)r->index);
    return text;
}

const char *report_class(reduced_model *m)
{
    char kind[80], whole[160];
    if (m->report->equations == 0)
        return "no continuous equations";
    form f = form_of(m);
    const char *linear = !f.known || !f.linear ? ""
                         : f.constant          ? ", linear with constant coefficients"
                                               : ", linear with coefficients of time";
    snprintf(whole, sizeof whole, "%s%s", kind_text(m, &f, kind, sizeof kind), linear);
    const char *text = arena_text(m->mem, whole, strlen(whole));
    return text ? text : "";
}
