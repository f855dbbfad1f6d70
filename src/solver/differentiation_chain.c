/* solver/differentiation_chain.c - see differentiation_chain.h. */
#include "solver/differentiation_chain.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/status.h"

enum { NAMED_MAX = 8 }; /* variables of a chain that are written out */

static void append_variable(char *text, size_t size, const char *before, const daedal_system *sys,
                            int32_t j)
{
    char name[96];
    text_append(text, size, "%s%s", before, evaluator_variable_name(sys, j, name, sizeof name));
}

void chain_write(char *text, size_t size, const index_answer *x, const daedal_system *sys)
{
    char name[96];
    text[0] = '\0';
    if (x->index < 1 || x->n_chain == 0)
        return;
    text_append(text, size, "%s",
                evaluator_equation_name(sys, x->chain_equation, name, sizeof name));
    for (int32_t k = 0; k < x->n_chain; k++) {
        bool skipped =
            x->n_chain > NAMED_MAX && k >= NAMED_MAX / 2 && k < x->n_chain - NAMED_MAX / 2;
        if (!skipped)
            append_variable(text, size, " -> ", sys, x->chain[k]);
        else if (k == NAMED_MAX / 2)
            text_append(text, size, " -> ...");
    }
}

/* "a, b and 3 more": the names of those marked. */
static void append_marked(char *text, size_t size, const bool *marked, int32_t n, bool equations,
                          const daedal_system *sys)
{
    int32_t named = 0, more = 0;
    char name[96];
    for (int32_t i = 0; i < n; i++) {
        if (!marked[i])
            continue;
        if (named < NAMED_MAX / 2)
            text_append(text, size, "%s%s", named++ ? ", " : "",
                        equations ? evaluator_equation_name(sys, i, name, sizeof name)
                                  : evaluator_variable_name(sys, i, name, sizeof name));
        else
            more++;
    }
    if (more > 0)
        text_append(text, size, " and %d more", (int)more);
}

static void explain_dependence(char *text, size_t size, const index_answer *x,
                               const daedal_system *sys)
{
    if (x->equation < 0) {
        text_append(text, size,
                    "equations depend on one another, so that the solution is not unique or "
                    "does not exist");
        return;
    }
    append_marked(text, size, x->row_suspect, x->n, true, sys);
    text_append(text, size, " depend on one another and leave undetermined ");
    append_marked(text, size, x->column_suspect, x->n, false, sys);
}

static void append_methods(char *text, size_t size, const index_answer *x)
{
    const struct {
        const char *name;
        int32_t says;
    } methods[] = {
        {"derivative array", x->array}, {"pole orders", x->growth}, {"staircase", x->staircase}};
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++)
        if (methods[k].says >= 0)
            text_append(text, size, "; %s: %d", methods[k].name, (int)methods[k].says);
}

static void explain_found(char *text, size_t size, const index_answer *x)
{
    if (x->grade == INDEX_GRADE_C)
        text_append(text, size, "unconfirmed: the methods see one instant only, or disagree");
    else if (!x->is_regular)
        text_append(text, size, "relations are hidden in combinations of the equations");
    else if (x->index < x->structural)
        text_append(text, size, "the sparsity alone would say %d, but terms cancel",
                    (int)x->structural);
    else
        text_append(text, size, "by the sparsity; the system Jacobian is regular%s",
                    x->is_attained ? ", its inverse confirms it" : "");
    append_methods(text, size, x);
    if (x->is_singular_here)
        text_append(text, size, "; singular in this very point, regular around it");
}

void chain_write_grade(char *text, size_t size, const index_answer *x, const daedal_system *sys)
{
    char equation[96], variable[96];
    text[0] = '\0';
    switch (x->verdict) {
    case INDEX_FOUND:
        explain_found(text, size, x);
        break;
    case INDEX_STRUCTURE:
        text_append(text, size, "no one-to-one assignment of equations to variables exists");
        if (x->equation >= 0 && x->variable >= 0)
            text_append(text, size, ": %s is one equation too many, and no equation determines %s",
                        evaluator_equation_name(sys, x->equation, equation, sizeof equation),
                        evaluator_variable_name(sys, x->variable, variable, sizeof variable));
        break;
    case INDEX_DEPENDENT:
        explain_dependence(text, size, x, sys);
        break;
    case INDEX_NOISY:
        text_append(text, size, "%s differs between two calls with the same arguments",
                    evaluator_equation_name(sys, x->equation, equation, sizeof equation));
        break;
    case INDEX_UNDEFINED:
        text_append(text, size, "the functions are not defined around this point");
        break;
    case INDEX_OPEN:
        text_append(text, size,
                    "not determined: the system Jacobian is singular, and the other methods do not "
                    "agree");
        append_methods(text, size, x);
        break;
    }
}

/* The variables with the highest index. */
static void append_highest(char *text, size_t size, const index_answer *x, const daedal_system *sys)
{
    for (int32_t j = 0; j < x->n; j++)
        x->column_suspect[j] = x->variable_index[j] == x->index;
    append_marked(text, size, x->column_suspect, x->n, false, sys);
}

bool chain_explain(daedal_diagnosis *why, daedal_status status, const index_answer *x,
                   const daedal_system *sys)
{
    char chain[256], reason[256];
    if (x->verdict == INDEX_STRUCTURE && sys->pattern)
        return false; /* a pattern that was given knows branches that are not active here */
    if (x->verdict == INDEX_STRUCTURE || x->verdict == INDEX_DEPENDENT) {
        double t = why->t;
        chain_write_grade(reason, sizeof reason, x, sys);
        fail(why, status, "the system at t = %.10g is singular: %s", t, reason);
        blame(why, t, x->equation, x->variable);
        hint(why, "an equation repeats another or follows from others, or one is missing");
        set_cause(why, x->verdict == INDEX_STRUCTURE ? DAEDAL_CAUSE_STRUCTURE
                                                     : DAEDAL_CAUSE_REDUNDANT_EQUATIONS);
        return true;
    }
    if (x->verdict == INDEX_NOISY) {
        chain_write_grade(reason, sizeof reason, x, sys);
        message_append(why, "; %s", reason);
        why->equation = x->equation;
        set_cause(why, DAEDAL_CAUSE_TOLERANCE_TOO_SMALL);
        return true;
    }
    if (x->verdict != INDEX_FOUND || x->index < 2)
        return false;
    double t = why->t;
    chain_write(chain, sizeof chain, x, sys);
    if (chain[0] == '\0' && x->variable_index[0] >= 0)
        append_highest(chain, sizeof chain, x, sys);
    fail(why, status, "the index at t = %.10g is %d (grade %c)%s%s", t, (int)x->index,
         "ABCD"[x->grade],
         x -> n_chain > 0     ? ": differentiate along "
              : chain[0] != 0 ? "; highest for "
                              : "",
         chain);
    set_cause(why, DAEDAL_CAUSE_HIGH_INDEX);
    int32_t last = x->n_chain > 0 ? x->chain[x->n_chain - 1] : -1;
    blame(why, t, x->chain_equation, last);
    return true;
}

void chain_append(daedal_diagnosis *why, const index_answer *x, const daedal_system *sys)
{
    char chain[256];
    chain_write(chain, sizeof chain, x, sys);
    message_append(why, "; the index is %d%s%s", (int)x->index, chain[0] ? ": " : "", chain);
}
