/* api/options.c - everything that derives from the table of options in daedal.h. */
#include "api/options.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "newton/evaluator.h"

static const daedal_option_info table[] = {
#define X(type, name, value, low, high, choices, doc)                                              \
    {#name, #type, choices, doc, (double)(value), (double)(low), (double)(high)},
    DAEDAL_OPTION_LIST(X)
#undef X
};

enum { COUNT = sizeof table / sizeof *table };

double daedal_default_atol(double rtol)
{
    const double share = 1e-3;
    return share * rtol;
}

void daedal_options_defaults(daedal_options *options)
{
    if (!options)
        return;
    *options = (daedal_options){0};
#define X(type, name, value, low, high, choices, doc) options->name = value;
    DAEDAL_OPTION_LIST(X)
#undef X
}

int32_t daedal_option_count(void)
{
    return COUNT;
}

const daedal_option_info *daedal_option_describe(int32_t i)
{
    return i >= 0 && i < COUNT ? &table[i] : NULL;
}

/* The number of `word` in "first|second|...", or -1. */
static int32_t choice_number(const char *choices, const char *word)
{
    size_t length = strlen(word);
    for (int32_t number = 0; *choices; number++) {
        size_t width = strcspn(choices, "|");
        if (width == length && strncmp(choices, word, width) == 0)
            return number;
        choices += width + (choices[width] == '|');
    }
    return -1;
}

static bool parse(const daedal_option_info *info, const char *text, double *value)
{
    int32_t number = choice_number(info->choices, text);
    *value = number;
    if (number >= 0)
        return true;
    char *end = NULL;
    errno = 0;
    *value = strtod(text, &end);
    bool whole = strcmp(info->type, "double") == 0 ||
                 (*value == floor(*value) && fabs(*value) <= 9007199254740992.0);
    return end != text && *end == '\0' && errno == 0 && whole && *value >= info->low &&
           *value <= info->high;
}

daedal_status daedal_options_set(daedal_options *options, const char *name, const char *value)
{
    if (!options || !name || !value)
        return DAEDAL_ERR_ARGUMENT;
    int32_t i = 0;
    double number = 0.0;
#define X(type, option, initial, low, high, choices, doc)                                          \
    if (strcmp(name, #option) == 0) {                                                              \
        if (!parse(&table[i], value, &number))                                                     \
            return DAEDAL_ERR_ARGUMENT;                                                            \
        options->option = (type)number;                                                            \
        return DAEDAL_OK;                                                                          \
    }                                                                                              \
    i++;
    DAEDAL_OPTION_LIST(X)
#undef X
    return DAEDAL_ERR_ARGUMENT;
}

static daedal_status check_tolerances(const daedal_options *opt, const daedal_system *sys,
                                      daedal_diagnosis *why)
{
    int32_t n = sys->n;
    char name[96];
    const daedal_doubles *lists[] = {&opt->rtol_each, &opt->atol_each};
    const char *names[] = {"rtol_each", "atol_each"};
    for (int k = 0; k < 2; k++) {
        if (lists[k]->n != 0 && (lists[k]->n != n || !lists[k]->at))
            return fail(why, DAEDAL_ERR_ARGUMENT, "%s has %d entries; the system has %d variables",
                        names[k], (int)lists[k]->n, (int)n);
        for (int32_t i = 0; i < lists[k]->n; i++)
            if (!(lists[k]->at[i] >= 0.0 && lists[k]->at[i] < HUGE_VAL)) {
                fail(why, DAEDAL_ERR_ARGUMENT,
                     "%s[%d] is %g: tolerances are finite and not negative", names[k], (int)i,
                     lists[k]->at[i]);
                blame(why, NAN, -1, i);
                return DAEDAL_ERR_ARGUMENT;
            }
    }
    for (int32_t i = 0; i < n; i++) {
        double rtol = opt->rtol_each.n ? opt->rtol_each.at[i] : opt->rtol;
        double atol = opt->atol_each.n ? opt->atol_each.at[i] : opt->atol;
        if (rtol > 0.0 || atol > 0.0)
            continue;
        fail(why, DAEDAL_ERR_ARGUMENT, "rtol and atol of %s are both zero",
             evaluator_variable_name(sys, i, name, sizeof name));
        set_cause(why, DAEDAL_CAUSE_TOLERANCE_TOO_SMALL);
        blame(why, NAN, -1, i);
        return DAEDAL_ERR_ARGUMENT;
    }
    return DAEDAL_OK;
}

static daedal_status check_plug_ins(const daedal_options *opt, daedal_diagnosis *why)
{
    const daedal_linsolver *ls = opt->linsolver;
    if (opt->own_preconditioner && !opt->own_preconditioner->solve)
        return fail(why, DAEDAL_ERR_ARGUMENT, "option own_preconditioner lacks its solve");
    if (ls && (!ls->name || !ls->create || !ls->factor || !ls->solve || !ls->destroy))
        return fail(why, DAEDAL_ERR_ARGUMENT,
                    "option linsolver lacks its name, create, factor, solve or destroy");
    if (opt->allocator && !opt->allocator->resize)
        return fail(why, DAEDAL_ERR_ARGUMENT, "option allocator has no resize function");
    return DAEDAL_OK;
}

daedal_status options_check(const daedal_options *opt, const daedal_system *sys,
                            daedal_diagnosis *why)
{
#define X(type, name, value, low, high, choices, doc)                                              \
    if (!((double)opt->name >= (double)(low) && (double)opt->name <= (double)(high)))              \
        return fail(why, DAEDAL_ERR_ARGUMENT, "option " #name " is %g; it must lie in [%g, %g]",   \
                    (double)opt->name, (double)(low), (double)(high));
    DAEDAL_OPTION_LIST(X)
#undef X
    if (opt->max_step > 0.0 && opt->max_step < opt->min_step)
        return fail(why, DAEDAL_ERR_ARGUMENT, "option max_step (%g) is below min_step (%g)",
                    opt->max_step, opt->min_step);
    if (opt->breakpoints.n < 0 || (opt->breakpoints.n > 0 && !opt->breakpoints.at))
        return fail(why, DAEDAL_ERR_ARGUMENT, "breakpoints has a count but no times");
    for (int32_t i = 0; i < opt->breakpoints.n; i++)
        if (!isfinite(opt->breakpoints.at[i]))
            return fail(why, DAEDAL_ERR_ARGUMENT, "breakpoints[%d] is not finite", (int)i);
    TRY(check_plug_ins(opt, why));
    return check_tolerances(opt, sys, why);
}

daedal_status options_of_study(daedal_options *own, const daedal_options *given,
                               const daedal_system *sys, const char *study, daedal_diagnosis *why)
{
    daedal_options_defaults(own);
    if (given)
        *own = *given;
    TRY(options_check(own, sys, why));
    if (own->parallel)
        return fail(why, DAEDAL_ERR_ARGUMENT, "%s not available for distributed systems", study);
    return DAEDAL_OK;
}

/* What a method, its matrices or the start was made with stays. */
static bool may_change(const char *name)
{
    static const char *const names[] = {"rtol",     "atol",      "first_step",      "min_step",
                                        "max_step", "max_steps", "event_resolution"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (strcmp(name, names[k]) == 0)
            return true;
    return false;
}

const char *options_fixed(const daedal_options *now, const daedal_options *wanted)
{
#define X(type, name, value, low, high, choices, doc)                                              \
    if ((double)now->name != (double)wanted->name && !may_change(#name))                           \
        return #name;
    DAEDAL_OPTION_LIST(X)
#undef X
    if (now->linsolver != wanted->linsolver)
        return "linsolver";
    if (now->own_preconditioner != wanted->own_preconditioner)
        return "own_preconditioner";
    if (now->parallel != wanted->parallel)
        return "parallel";
    bool same = now->breakpoints.n == wanted->breakpoints.n;
    for (int32_t i = 0; i < now->breakpoints.n && same; i++) { /* those of the run are sorted */
        bool found = false;
        for (int32_t k = 0; k < wanted->breakpoints.n && !found; k++)
            found = wanted->breakpoints.at[k] == now->breakpoints.at[i];
        same = found;
    }
    return same ? NULL : "breakpoints";
}
