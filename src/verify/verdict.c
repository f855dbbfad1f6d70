/* verify/verdict.c - see verdict.h.  Read it from the end: verdict_find, find. */
#include "verify/verdict.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/choices.h"
#include "base/status.h"
#include "integ/method.h"

static const double TIGHTER = 0.01;      /* tolerances of the other runs                       */
static const double LEAST_RTOL = 1e-13;  /* they are not tightened beyond                      */
static const double GROWN_ERRORS = 10.0; /* of one tolerance each may be in a solution          */
enum { PERTURBED_RUNS = 2, OTHER_METHODS = 2 };

typedef struct inquiry {
    const verified_solution *s;
    daedal_verification *out;
    recorded_run other, perturbed[PERTURBED_RUNS];
    double *error, *worst, *growth, *again; /* n each: of a row; the largest, and of what row     */
    int32_t *worst_row;
    double t_apart;     /* from when on a variable disagrees; NAN: never         */
    int32_t apart;      /* that variable                                         */
    double factor;      /* of the tolerances of the other run                    */
    char failures[300]; /* of methods that did not succeed                       */
    block mem;
} inquiry;

static void lay_out(void *object, layout *l)
{
    inquiry *q = object;
    size_t n = (size_t)q->s->rows->n + 1;
    double **vectors[] = {&q->error, &q->worst, &q->growth, &q->again};
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
        *vectors[k] = layout_take(l, n, sizeof(double));
    q->worst_row = layout_take(l, n, sizeof(int32_t));
}

/* ---- words ---- */

static void say(daedal_verification *out, const char *format, ...)
{
    size_t used = strlen(out->message);
    va_list args;
    va_start(args, format);
    vsnprintf(out->message + used, sizeof out->message - used, format, args);
    va_end(args);
}

static const char *name_of(const inquiry *q, int32_t i, char *text, size_t size)
{
    if (q->s->names && q->s->names[i])
        return q->s->names[i];
    snprintf(text, size, "y[%d]", (int)i);
    return text;
}

static void say_run(const inquiry *q)
{
    say(q->out, "%s %s with rtol = %.3g", q->out->is_other_method ? "method" : "the same method,",
        q->out->method, q->out->rtol);
}

static void say_differences(const inquiry *q)
{
    const daedal_difference *first = &q->out->worst[0];
    char name[32];
    if (q->out->n_worst == 0) {
        say(q->out, ", without any difference");
        return;
    }
    say(q->out, ": the largest difference is %.3g tolerances, in %s at t = %.6g (%.8g and %.8g)",
        first->error, name_of(q, first->variable, name, sizeof name), first->t, first->value,
        first->other);
}

static void say_verdict(const inquiry *q)
{
    daedal_verification *out = q->out;
    char name[32];
    switch (out->verdict) {
    case DAEDAL_VERDICT_AGREES:
        say_run(q);
        say(out, " gives the same solution");
        say_differences(q);
        break;
    case DAEDAL_VERDICT_DISAGREES:
        say_run(q);
        say(out, " gives another solution");
        say_differences(q);
        break;
    case DAEDAL_VERDICT_DIVERGES:
        if (2 * out->n_apart >= out->n_variables)
            say(out, "solutions diverge from t = %.6g on by nature", out->t_diverge);
        else
            say(out, "%d of %d variables %s sensitive by nature from t = %.6g on",
                (int)out->n_apart, (int)out->n_variables, out->n_apart == 1 ? "is" : "are",
                out->t_diverge);
        say(out, ": an error of one tolerance in the equations changes %s by %.3g tolerances; ",
            name_of(q, q->apart, name, sizeof name), out->growth);
        say_run(q);
        say(out, " gives the same solution otherwise");
        break;
    default:
        say(out, "no other run succeeded");
    }
    const recorded_run *rows = q->s->rows;
    if (out->method[0] && (rows->is_full || q->other.is_full)) {
        double until = rows->t[rows->n_rows - 1], other = q->other.t[q->other.n_rows - 1];
        say(out, "; there was room to compare up to t = %.6g only", fmin(until, other));
    }
    if (q->failures[0])
        say(out, "; %s", q->failures);
}

/* ---- comparing ---- */

static void note_errors(inquiry *q, int32_t k)
{
    const recorded_run *a = q->s->rows;
    for (int32_t i = 0; i < a->n; i++) {
        if (q->error[i] > q->worst[i]) {
            q->worst[i] = q->error[i];
            q->worst_row[i] = k;
        }
        if (q->error[i] > TOLERANCES_MOST && isnan(q->t_apart)) {
            q->t_apart = a->t[k];
            q->apart = i;
        }
    }
}

/* Insert variable i into the list of the worst. */
static void rank(inquiry *q, const run_comparison *c, int32_t i)
{
    daedal_verification *out = q->out;
    const int32_t most = (int32_t)(sizeof out->worst / sizeof *out->worst);
    int32_t place = out->n_worst;
    while (place > 0 && out->worst[place - 1].error < q->worst[i])
        place--;
    if (q->worst[i] == 0.0 || place == most)
        return;
    int32_t moved = (out->n_worst < most ? out->n_worst : most - 1) - place;
    memmove(&out->worst[place + 1], &out->worst[place], (size_t)moved * sizeof *out->worst);
    out->n_worst += out->n_worst < most;
    int32_t row = q->worst_row[i], there = recorded_find(c->b, c->a->t[row]);
    there -= there == c->b->n_rows;
    out->worst[place] = (daedal_difference){.variable = i,
                                            .name = q->s->names ? q->s->names[i] : NULL,
                                            .error = q->worst[i],
                                            .t = c->a->t[row],
                                            .value = recorded_row(c->a, row)[i],
                                            .other = recorded_row(c->b, there)[i],
                                            .tolerance = c->tolerance[i]};
}

/* A run that ends elsewhere, as by terminate(), disagrees in time. */
static double error_of_end(const inquiry *q, const run_comparison *c)
{
    double ends = c->a->t[c->a->n_rows - 1] - c->b->t[c->b->n_rows - 1];
    return c->span > 0.0 && q->s->rtol > 0.0 && !q->other.is_full && !c->a->is_full
               ? fabs(ends) / (q->s->rtol * c->span)
               : 0.0;
}

static void compare(inquiry *q, const run_comparison *c)
{
    daedal_verification *out = q->out;
    size_t bytes = (size_t)c->a->n * sizeof(double);
    memset(q->worst, 0, bytes);
    q->t_apart = NAN;
    out->n_worst = 0;
    for (int32_t k = 0; k < c->a->n_rows; k++)
        if (comparison_row(c, k, q->error))
            note_errors(q, k);
    out->n_variables = c->a->n;
    out->n_apart = 0;
    for (int32_t i = 0; i < c->a->n; i++) {
        rank(q, c, i);
        out->n_apart += q->worst[i] > TOLERANCES_MOST;
    }
    out->error = fmax(out->n_worst ? out->worst[0].error : 0.0, error_of_end(q, c));
    out->event_shift = c->event_shift;
    out->events_with_jumps[0] = c->n_events[0];
    out->events_with_jumps[1] = c->n_events[1];
}

/* ---- other runs ---- */

static double tighter(const verified_solution *s)
{
    return s->rtol > 0.0 ? fmin(1.0, fmax(TIGHTER, LEAST_RTOL / s->rtol)) : TIGHTER;
}

static const char *name_of_method(int32_t number)
{
    return method_choose(number)->name;
}

static int32_t number_of(const char *name)
{
    for (int32_t k = METHOD_BDF; k < METHOD_COUNT; k++)
        if (name && strcmp(name, name_of_method(k)) == 0)
            return k;
    return METHOD_BDF;
}

/* Methods of other families, in the order in which they are tried: BDF first, since its steps are
 * the shortest.                                                                  */
static const int32_t *others(int32_t number)
{
    static const int32_t of_bdf[] = {METHOD_RADAU, METHOD_RODAS},
                         of_radau[] = {METHOD_BDF, METHOD_RODAS},
                         of_rest[] = {METHOD_BDF, METHOD_RADAU};
    bool is_bdf = number == METHOD_BDF || number == METHOD_BDF_CLASSIC;
    return is_bdf ? of_bdf : number == METHOD_RADAU ? of_radau : of_rest;
}

static void note_failure(inquiry *q, const char *name, const daedal_diagnosis *why)
{
    size_t used = strlen(q->failures);
    snprintf(q->failures + used, sizeof q->failures - used, "%smethod %s failed: %.120s",
             used ? "; " : "", name, why->message);
}

/* *done: the run succeeded, and is in q->other. */
static daedal_status run_other(inquiry *q, int32_t number, double factor, bool *done)
{
    const verified_solution *s = q->s;
    daedal_diagnosis why = {0};
    comparison_run how = {.method = number, .tighter = factor};
    recorded_clear(&q->other);
    daedal_status status = s->run(&how, &q->other, &why, s->user);
    *done = false;
    if (status == DAEDAL_ERR_MEMORY || q->other.has_failed)
        return DAEDAL_ERR_MEMORY;
    if (status < 0) {
        note_failure(q, name_of_method(number), &why);
        return DAEDAL_OK;
    }
    *done = q->other.n_rows > 0;
    q->factor = factor;
    q->out->method = name_of_method(number);
    q->out->is_other_method = number != number_of(s->method);
    q->out->rtol = how.tighter * s->rtol;
    q->out->atol = how.tighter * s->atol;
    return why.status == DAEDAL_STOPPED ? DAEDAL_STOPPED : DAEDAL_OK;
}

/* ---- growth of errors ---- */

typedef struct growth {
    run_comparison with[PERTURBED_RUNS];
    int32_t next; /* row of the other run whose growth is not yet taken in */
} growth;

/* The largest change by a perturbation until t, into q->growth. */
static void take_in(inquiry *q, growth *g, double t)
{
    const recorded_run *b = &q->other;
    for (; g->next < b->n_rows && b->t[g->next] <= t; g->next++)
        for (int p = 0; p < PERTURBED_RUNS; p++)
            if (q->perturbed[p].n_rows > 0 && comparison_row(&g->with[p], g->next, q->again))
                for (int32_t i = 0; i < b->n; i++)
                    q->growth[i] = fmax(q->growth[i], q->again[i]);
}

/* Whether every disagreement is explained by how errors grow. */
static bool is_explained(inquiry *q, const run_comparison *c, growth *g)
{
    memset(q->growth, 0, (size_t)c->a->n * sizeof(double));
    q->out->growth = 0.0;
    for (int32_t k = 0; k < c->a->n_rows; k++) {
        take_in(q, g, c->a->t[k]);
        if (!comparison_row(c, k, q->error))
            continue;
        for (int32_t i = 0; i < c->a->n; i++)
            if (q->error[i] > fmax(TOLERANCES_MOST, GROWN_ERRORS * q->growth[i]))
                return false;
        if (c->a->t[k] <= q->t_apart)
            q->out->growth = q->growth[q->apart];
    }
    return true;
}

static daedal_status run_perturbed(inquiry *q, const run_comparison *c)
{
    const verified_solution *s = q->s;
    for (int p = 0; p < PERTURBED_RUNS; p++) {
        daedal_diagnosis why = {0};
        comparison_run how = {number_of(q->out->method), q->factor, c->tolerance, p};
        recorded_clear(&q->perturbed[p]);
        if (s->run(&how, &q->perturbed[p], &why, s->user) == DAEDAL_ERR_MEMORY)
            return DAEDAL_ERR_MEMORY;
        if (why.status == DAEDAL_STOPPED)
            return DAEDAL_STOPPED;
    }
    return DAEDAL_OK;
}

static daedal_status examine_growth(inquiry *q, const run_comparison *c, bool *explained)
{
    growth g = {.next = 0};
    *explained = false;
    RETURN_UNLESS_OK(run_perturbed(q, c));
    bool fine = true;
    for (int p = 0; p < PERTURBED_RUNS; p++) {
        comparison_setup setup = {.a = &q->other,
                                  .b = &q->perturbed[p],
                                  .rtol = q->s->rtol,
                                  .tolerance = c->tolerance,
                                  .allocator = q->s->allocator};
        fine = comparison_create(&g.with[p], &setup) && fine;
    }
    *explained = fine && is_explained(q, c, &g);
    for (int p = 0; p < PERTURBED_RUNS; p++)
        comparison_free(&g.with[p]);
    return fine ? DAEDAL_OK : DAEDAL_ERR_MEMORY;
}

/* ---- the verdict ---- */

/* Compare with the run in q->other. */
static daedal_status judge(inquiry *q, bool may_diverge)
{
    const verified_solution *s = q->s;
    run_comparison c;
    comparison_setup setup = {.a = s->rows,
                              .b = &q->other,
                              .rtol = s->rtol,
                              .atol = s->atol_each,
                              .is_discrete = s->is_discrete,
                              .allocator = s->allocator};
    daedal_status status = comparison_create(&c, &setup) ? DAEDAL_OK : DAEDAL_ERR_MEMORY;
    if (status == DAEDAL_OK) {
        compare(q, &c);
        bool agrees = q->out->error <= TOLERANCES_MOST, explained = false;
        if (!agrees && may_diverge && !isnan(q->t_apart))
            status = examine_growth(q, &c, &explained);
        q->out->verdict = agrees      ? DAEDAL_VERDICT_AGREES
                          : explained ? DAEDAL_VERDICT_DIVERGES
                                      : DAEDAL_VERDICT_DISAGREES;
        q->out->t_diverge = explained ? q->t_apart : NAN;
    }
    comparison_free(&c);
    return status;
}

/* One other method suffices if it agrees; if it does not, another one is asked.  Only if all of
 * them fail, the tolerance alone is tightened; if that fails too, the method alone is changed.  */
static daedal_status find(inquiry *q)
{
    int32_t own = number_of(q->s->method);
    const int32_t *list = others(own);
    daedal_verification first = *q->out;
    bool done = false, disagreed = false;
    for (int k = 0; k < OTHER_METHODS; k++) {
        RETURN_UNLESS_OK(run_other(q, list[k], tighter(q->s), &done));
        if (!done)
            continue;
        RETURN_UNLESS_OK(judge(q, !disagreed));
        if (q->out->verdict != DAEDAL_VERDICT_DISAGREES)
            return DAEDAL_OK;
        first = disagreed ? first : *q->out;
        disagreed = true;
    }
    if (disagreed) {
        *q->out = first;
        return DAEDAL_OK;
    }
    RETURN_UNLESS_OK(run_other(q, own, tighter(q->s), &done));
    for (int k = 0; k < OTHER_METHODS && !done; k++)
        RETURN_UNLESS_OK(run_other(q, list[k], 1.0, &done));
    return done ? judge(q, true) : DAEDAL_OK;
}

void verdict_unknown(daedal_verification *out, daedal_status status)
{
    *out = (daedal_verification){.verdict = DAEDAL_VERDICT_UNVERIFIED,
                                 .method = "",
                                 .rtol = NAN,
                                 .atol = NAN,
                                 .error = NAN,
                                 .t_diverge = NAN};
    if (status == DAEDAL_ERR_MEMORY)
        say(out, "out of memory for the comparison");
    else if (status == DAEDAL_STOPPED)
        say(out, "the comparison was stopped");
}

daedal_status verdict_find(const verified_solution *s, daedal_verification *out)
{
    inquiry q = {.s = s, .out = out, .t_apart = NAN};
    verdict_unknown(out, DAEDAL_OK);
    recorded_create(&q.other, s->rows->n, s->allocator);
    for (int p = 0; p < PERTURBED_RUNS; p++)
        recorded_create(&q.perturbed[p], s->rows->n, s->allocator);
    daedal_status status = DAEDAL_ERR_MEMORY;
    if (!s->rows->has_failed && block_create(&q.mem, s->allocator, lay_out, &q))
        status = find(&q);
    if (status == DAEDAL_OK)
        say_verdict(&q);
    recorded_free(&q.other);
    for (int p = 0; p < PERTURBED_RUNS; p++)
        recorded_free(&q.perturbed[p]);
    block_free(&q.mem);
    return status;
}
