/* compile/value_messages.c - see compiled.h: messages with names and values of the model. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "compile/compiled.h"
#include "expr/print.h"
#include "reduce/sentence.h"

enum { LISTED_MAX = 5 };

/* ---- values that are not finite ---- */

static const char *name_symbol(void *user, uint32_t symbol)
{
    static const char *const others[] = {
        [FLAT_TIME] = "time",           [FLAT_RELATION] = "(relation)",
        [FLAT_ROUNDING] = "(rounding)", [FLAT_SAMPLE] = "(sample)",
        [FLAT_DELAY] = "(delay)",       [FLAT_INITIAL] = "initial()",
        [FLAT_TERMINAL] = "terminal()", [FLAT_HOMOTOPY] = "(homotopy)"};
    const compiled_model *m = user;
    flat_symbol_kind kind = flat_kind(symbol);
    if (kind == FLAT_INPUT)
        return variable_text(m->reduced,
                             m->flat->inputs[flat_number(symbol) / FLAT_INPUT_ORDERS].variable);
    return kind == FLAT_VALUE || kind == FLAT_DER || kind == FLAT_PRE
               ? variable_text(m->reduced, flat_number(symbol))
               : others[kind];
}

typedef struct point {
    const compiled_model *m;
    double t;
    const double *y; /* y and y' */
} point;

static double value_of(void *user, uint32_t symbol)
{
    const point *p = user;
    int32_t slot = compiled_slot(p->m, symbol);
    if (slot < 0)
        return (double)NAN;
    if (slot == 0)
        return p->t;
    return slot < (int32_t)p->m->values->place.discrete ? p->y[slot - 1] : p->m->values->x[slot];
}

static int call_function(void *user, uint32_t function, const double *args, double *outputs)
{
    const point *p = user;
    return flat_call(p->m->flat->functions, function, args, outputs);
}

/* Appends "; x = 1, y = 0": the variables that an expression reads, with their values. */
static void list_values(const compiled_model *m, expr e, point *p, sentence *t)
{
    const expr_graph *g = &m->flat->graph;
    expr_walker w;
    expr_walker_create(&w, g);
    if (expr_depends(&w, e, EXPR_ALL))
        for (size_t k = 0; k < w.n_found && k < LISTED_MAX; k++) {
            uint32_t symbol = expr_index(g, w.found[k]);
            char item[128];
            const char *form = flat_kind(symbol) == FLAT_DER   ? "der(%.80s) = %.6g"
                               : flat_kind(symbol) == FLAT_PRE ? "pre(%.80s) = %.6g"
                                                               : "%.80s = %.6g";
            snprintf(item, sizeof item, form, name_symbol((void *)(uintptr_t)m, symbol),
                     value_of(p, symbol));
            append(t, k ? ", %s" : "; %s", item);
        }
    expr_walker_free(&w);
}

/* Names the operation without a finite value, and the values of its operands. */
static void explain_not_finite(const compiled_model *m, expr e, const char *name, point *at,
                               daedal_diagnosis *why)
{
    expr_source from = {value_of, call_function, at};
    double value = 0.0;
    expr culprit = expr_blame(&m->flat->graph, e, &from, &value);
    if (culprit == EXPR_NONE)
        return;
    char shown[160];
    expr_names names = {name_symbol, NULL, (void *)(uintptr_t)m};
    expr_print(&m->flat->graph, culprit, &names, shown, sizeof shown);
    sentence t = {why->message, sizeof why->message, 0};
    snprintf(why->message, sizeof why->message, "%s is not finite at t = %.10g: %s is %g", name,
             at->t, shown, value);
    t.used = strlen(why->message);
    list_values(m, culprit, at, &t);
}

/* A rounding that the event iteration has made infinite: in a loop with what it rounds it grew from
 * pass to pass, since no whole number agrees with the equations.  -1: there is none.  */
static int64_t find_diverged_rounding(const compiled_model *m)
{
    const value_places *place = &m->values->place;
    for (uint32_t slot = place->rounding; slot < place->sample; slot++)
        if (!isfinite(m->values->x[slot]))
            return (int64_t)slot - place->rounding;
    return -1;
}

static void explain_diverged_rounding(const compiled_model *m, size_t which, daedal_status status,
                                      daedal_diagnosis *why)
{
    char shown[160];
    expr_names names = {name_symbol, NULL, (void *)(uintptr_t)m};
    expr_print(&m->flat->graph, m->flat->roundings[which].of, &names, shown, sizeof shown);
    fail(why, status,
         "at t = %.10g no rounded value of %s agrees with the equations, which depend on it: it "
         "grows with each pass of the event iteration",
         m->values->x[0], shown);
    hint(why, "break the loop between the rounding and what it rounds, by pre() or by a state");
    why->t = m->values->x[0];
    set_cause(why, DAEDAL_CAUSE_CONTRADICTION);
}

daedal_status compiled_fail_not_finite(const compiled_model *m, expr e, const char *name)
{
    int64_t rounding = find_diverged_rounding(m);
    if (rounding >= 0) {
        explain_diverged_rounding(m, (size_t)rounding, DAEDAL_ERR_START, m->why);
        return DAEDAL_ERR_START;
    }
    point at = {m, m->values->x[0], m->values->x + 1};
    fail(m->why, DAEDAL_ERR_START, "%s cannot be evaluated at the start, t = %.10g", name,
         m->values->x[0]);
    explain_not_finite(m, e, name, &at, m->why);
    hint(m->why, "look for a division by zero, or a root or logarithm of a negative number "
                 "there; better start values may help");
    m->why->t = m->values->x[0];
    set_cause(m->why, DAEDAL_CAUSE_DOMAIN_ERROR);
    return DAEDAL_ERR_START;
}

/* The solver gives advice to users of its functions.  What names a part of that interface is said
 * in other words to users of models. */
static void advise(daedal_diagnosis *why)
{
    static const struct {
        const char *part, *instead;
    } words[] = {
        {"check_jacobian",
         "look for jumps, kinks and very steep functions in the equations; another "
         "--method or start values closer to the solution may help"},
        {"option start", "the start values do not satisfy the equations: fix fewer of them"},
        {"breakpoint",
         "look for a discontinuity that is not an event, as inside of noEvent() or of "
         "a function; let a relation show it, or smooth it"},
        {"min_step", "a singularity of the solution may be near"},
        {"DAEDAL_CALL_FAIL", "look for a function of the model that has no value there"}};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (strstr(why->hint, words[k].part)) {
            hint(why, "%s", words[k].instead);
            return;
        }
}

void compiled_explain(const compiled_model *m, daedal_diagnosis *why)
{
    advise(why);
    bool has_row = why->equation >= 0 && why->equation < m->reduced->n;
    int64_t rounding = why->status == DAEDAL_ERR_NOT_FINITE || why->status == DAEDAL_ERR_START
                           ? find_diverged_rounding(m)
                           : -1;
    if (rounding >= 0) {
        explain_diverged_rounding(m, (size_t)rounding, why->status, why);
        return;
    }
    if (why->status == DAEDAL_ERR_NOT_FINITE && has_row && m->bad->known)
        explain_not_finite(m, m->reduced->residual[why->equation], m->equation_name[why->equation],
                           &(point){m, m->bad->t, m->bad->x}, why);
    else if (has_row && m->reduced->n > 0) {
        point at = {m, m->values->x[0], m->values->x + 1};
        sentence t = {why->message, sizeof why->message, strlen(why->message)};
        list_values(m, m->reduced->residual[why->equation], &at, &t);
    }
}

/* ---- relations ---- */

const char *compiled_relation_text(const compiled_model *m, size_t k, char *buffer, size_t size)
{
    const flat_model *f = m->flat;
    expr_names names = {.variable = name_symbol, .user = (void *)(uintptr_t)m};
    char text[128];
    bool rounding = k >= f->n_relations;
    const flat_rounding *of = rounding ? &f->roundings[(k - f->n_relations) / 2] : NULL;
    source_at at = rounding ? of->at : f->relations[k].at;
    expr_print(&f->graph, rounding ? of->of : f->relations[k].as_written, &names, text,
               sizeof text);
    snprintf(buffer, size, rounding ? "the rounding of %s in line %u" : "%s in line %u", text,
             (unsigned)sources_place(&f->from->sources, at).line);
    return buffer;
}
