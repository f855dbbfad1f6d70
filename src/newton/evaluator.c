/* newton/evaluator.c - see evaluator.h. */
#include "newton/evaluator.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "linalg/vector.h"

enum { ANNOUNCED_NUMBERS = 2000000 }; /* of y and y' that are announced at once, at most */

/* As many points as a Jacobian has columns, if that is not too much memory. */
static size_t most_announced(const evaluator *ev)
{
    size_t n = (size_t)ev->n, all = 2 * n, fit = ANNOUNCED_NUMBERS / (2 * n);
    return fit < 1 ? 1 : fit < all ? fit : all;
}

static void lay_out(void *object, layout *l)
{
    evaluator *ev = object;
    size_t n = (size_t)ev->n;
    bool mass_form = evaluator_is_mass_form(ev);
    bool own_identity = mass_form && !ev->sys->mass;
    const daedal_pattern *given = ev->sys->mass_pattern;
    size_t nnz = !mass_form ? 0 : own_identity ? n : given ? (size_t)pattern_nnz(given) : n * n;
    ev->mass = layout_take(l, nnz, sizeof *ev->mass);
    ev->identity = layout_take(l, own_identity ? 2 * n + 1 : 0, sizeof *ev->identity);
    if (ev->sys->announce)
        ev->announced = layout_take(l, 2 * n * most_announced(ev), sizeof *ev->announced);
}

static void use_identity_mass(evaluator *ev)
{
    int32_t *start = ev->identity, *row = ev->identity + ev->n + 1;
    for (int32_t j = 0; j < ev->n; j++) {
        start[j + 1] = j + 1;
        row[j] = j;
        ev->mass[j] = 1.0;
    }
    ev->mass_pattern = (daedal_pattern){ev->n, ev->n, start, row};
    ev->mass_known = true;
}

bool evaluator_create(evaluator *ev, const daedal_system *sys, daedal_stats *stats,
                      const daedal_allocator *a)
{
    *ev = (evaluator){.sys = sys,
                      .stats = stats,
                      .n = sys->n,
                      .space = {.n = sys->n},
                      .trouble = {.not_finite = -1}};
    if (!block_create(&ev->mem, a, lay_out, ev))
        return false;
    if (evaluator_is_mass_form(ev) && !sys->mass)
        use_identity_mass(ev);
    else if (evaluator_is_mass_form(ev))
        ev->mass_pattern = *sys->mass_pattern;
    return true;
}

bool evaluator_use_threads(evaluator *ev, int32_t threads, const daedal_allocator *a)
{
    if (threads <= 1 || !ev->sys->is_thread_safe || ev->announced)
        return true;
    ev->ahead = calls_ahead_create(ev->sys, threads, a);
    return ev->ahead != NULL;
}

void evaluator_free(evaluator *ev)
{
    calls_ahead_free(ev->ahead);
    block_free(&ev->mem);
}

/* Remember the failure that a callback reported. */
static int note_failure(evaluator *ev, int answer, const char *who, double t, int32_t not_finite)
{
    if (answer != DAEDAL_CALL_RETRY && answer != DAEDAL_CALL_STOP)
        answer = DAEDAL_CALL_FAIL;
    ev->trouble = (evaluator_trouble){
        .answer = answer, .who = who, .not_finite = not_finite, .number = not_finite, .t = t};
    if (answer != DAEDAL_CALL_RETRY && ev->order.answer == DAEDAL_CALL_OK)
        ev->order = ev->trouble;
    if (answer == DAEDAL_CALL_STOP)
        (ev->outer ? ev->outer : ev)->is_stopped = true;
    return answer;
}

/* The worst answer of all ranks; that of this one is `answer`, with an entry that is not finite. */
static int agree(evaluator *ev, int answer, const char *who, double t, int32_t not_finite)
{
    enum { FINE, NOT_FINITE, RETRY, STOP, FAIL };
    static const int meant[] = {DAEDAL_CALL_OK, DAEDAL_CALL_RETRY, DAEDAL_CALL_RETRY,
                                DAEDAL_CALL_STOP, DAEDAL_CALL_FAIL};
    int here = not_finite >= 0               ? NOT_FINITE
               : answer == DAEDAL_CALL_OK    ? FINE
               : answer == DAEDAL_CALL_RETRY ? RETRY
               : answer == DAEDAL_CALL_STOP  ? STOP
                                             : FAIL;
    double worst = space_max(&ev->space, here);
    if (worst == FINE)
        return DAEDAL_CALL_OK;
    int all = worst >= FINE && worst <= FAIL ? (int)worst : FAIL; /* no rank can be reached */
    note_failure(ev, meant[all], who, t, all == here ? not_finite : -1);
    if (all == NOT_FINITE) {
        double first = here == all ? (double)space_number(&ev->space, not_finite) : HUGE_VAL;
        ev->trouble.number = (int64_t)space_min(&ev->space, first);
    }
    return meant[all];
}

int evaluator_judge(evaluator *ev, int answer, const char *who, double t, const double *v,
                    int32_t n)
{
    if (ev->space.parallel)
        return agree(ev, answer, who, t,
                     answer == DAEDAL_CALL_OK ? vector_first_not_finite(v, n) : -1);
    if (answer != DAEDAL_CALL_OK)
        return note_failure(ev, answer, who, t, -1);
    if (vector_all_finite(v, n))
        return DAEDAL_CALL_OK;
    return note_failure(ev, DAEDAL_CALL_RETRY, who, t, vector_first_not_finite(v, n));
}

void evaluator_forget(evaluator *ev)
{
    if (ev->sys->mass)
        ev->mass_known = false;
}

static bool mass_is_current(const evaluator *ev, double t)
{
    int32_t kind = ev->sys->mass_kind;
    return ev->mass_known && (!ev->sys->mass || kind == DAEDAL_MASS_CONSTANT ||
                              (kind == DAEDAL_MASS_OF_TIME && ev->mass_t == t));
}

int evaluator_mass(evaluator *ev, double t, const double *y)
{
    if (mass_is_current(ev, t))
        return DAEDAL_CALL_OK;
    if (evaluator_is_stopped(ev))
        return DAEDAL_CALL_STOP;
    int32_t nnz = pattern_nnz(&ev->mass_pattern);
    memset(ev->mass, 0, (size_t)nnz * sizeof *ev->mass);
    int answer = ev->sys->mass(t, y, ev->mass, ev->sys->user);
    answer = evaluator_judge(ev, answer, "mass matrix", t, ev->mass, nnz);
    ev->mass_known = answer == DAEDAL_CALL_OK;
    ev->mass_t = t;
    return answer;
}

/* out += M yp */
static void add_mass_product(const evaluator *ev, const double *yp, double *out)
{
    const daedal_pattern *p = &ev->mass_pattern;
    for (int32_t j = 0; j < ev->n; j++)
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++)
            out[p->row[q]] += ev->mass[q] * yp[j];
}

int evaluator_mass_product(evaluator *ev, double t, const double *y, const double *yp, double *out)
{
    int answer = evaluator_mass(ev, t, y);
    if (answer != DAEDAL_CALL_OK)
        return answer;
    memset(out, 0, (size_t)ev->n * sizeof *out);
    add_mass_product(ev, yp, out);
    return DAEDAL_CALL_OK;
}

/* r = M yp - f, with f computed in r. */
static int mass_form_residual(evaluator *ev, double t, const double *y, const double *yp, double *r)
{
    int answer = evaluator_mass(ev, t, y);
    if (answer != DAEDAL_CALL_OK)
        return answer;
    if (!ev->ahead || !calls_ahead_take(ev->ahead, t, y, yp, r, &answer))
        answer = ev->sys->rhs(t, y, r, ev->sys->user);
    answer = evaluator_judge(ev, answer, "right-hand side", t, r, ev->n);
    if (answer != DAEDAL_CALL_OK)
        return answer;
    for (int32_t i = 0; i < ev->n; i++)
        r[i] = -r[i];
    add_mass_product(ev, yp, r);
    return DAEDAL_CALL_OK;
}

int evaluator_residual_otherwise(evaluator *ev, const evaluator_call *c, int answer)
{
    double t = c->t, *r = c->r;
    const double *y = c->y;
    answer = ev->sys->residual ? evaluator_judge(ev, answer, "residual", t, r, ev->n)
                               : mass_form_residual(ev, t, y, c->yp, r);
    if (answer == DAEDAL_CALL_RETRY && ev->trouble.number >= 0)
        ev->trouble.reach =
            space_all_finite(&ev->space, y) ? space_max_abs(&ev->space, y) : HUGE_VAL;
    return answer;
}

bool evaluator_announce_add(evaluator *ev, const double *y, const double *yp)
{
    size_t n = (size_t)ev->n, most = most_announced(ev), at = (size_t)ev->n_announced;
    if (ev->ahead)
        return calls_ahead_add(ev->ahead, y, yp);
    if (at >= most)
        return false;
    memcpy(ev->announced + at * n, y, n * sizeof *y);
    memcpy(ev->announced + (most + at) * n, yp, n * sizeof *yp);
    ev->n_announced++;
    return true;
}

int evaluator_announce(evaluator *ev, double t)
{
    const daedal_system *sys = ev->sys;
    int32_t count = ev->n_announced;
    if (ev->ahead) {
        calls_ahead_compute(ev->ahead, t);
        return DAEDAL_CALL_OK;
    }
    const double *yp = ev->announced + most_announced(ev) * (size_t)ev->n;
    ev->n_announced = 0;
    if (count == 0)
        return DAEDAL_CALL_OK;
    int answer = sys->announce(t, count, ev->announced, sys->residual ? yp : NULL, sys->user);
    return answer == DAEDAL_CALL_OK ? answer : note_failure(ev, answer, "announcement", t, -1);
}

/* Whether all ranks have the same values: then the events they find are the same. */
static bool events_agree(evaluator *ev, const double *g)
{
    bool differ = false;
    for (int32_t i = 0; i < ev->sys->n_events; i++)
        differ = differ || space_max(&ev->space, g[i]) != space_min(&ev->space, g[i]);
    return !differ;
}

int evaluator_events(evaluator *ev, double t, const double *y, const double *yp, double *g)
{
    if (evaluator_is_stopped(ev))
        return DAEDAL_CALL_STOP;
    ev->stats->event_calls++;
    int answer = ev->sys->events(t, y, yp, g, ev->sys->user);
    answer = evaluator_judge(ev, answer, "event function", t, g, ev->sys->n_events);
    if (ev->space.parallel && answer == DAEDAL_CALL_OK && !events_agree(ev, g))
        return note_failure(ev, DAEDAL_CALL_FAIL,
                            "event function, whose values differ from rank to rank,", t, -1);
    return answer;
}

daedal_status evaluator_explain(const evaluator *ev, daedal_diagnosis *why)
{
    const evaluator_trouble *tr = &ev->trouble;
    char name[96];
    daedal_status status;
    if (tr->answer == DAEDAL_CALL_FAIL) {
        status =
            fail(why, DAEDAL_ERR_CALLBACK, "the %s reported failure at t = %.10g", tr->who, tr->t);
        hint(why, "it returned DAEDAL_CALL_FAIL; DAEDAL_CALL_RETRY asks for a smaller step");
    } else if (tr->number >= 0 && ev->space.parallel) {
        status = fail(why, DAEDAL_ERR_NOT_FINITE,
                      "the %s is NaN or Inf near t = %.10g, in entry %lld of all ranks", tr->who,
                      tr->t, (long long)tr->number);
        hint(why, "look for a division by zero, or a root or logarithm of a negative number there");
    } else if (tr->not_finite >= 0) {
        bool of_equations = strcmp(tr->who, "event function") != 0 && tr->not_finite < ev->n;
        status =
            fail(why, DAEDAL_ERR_NOT_FINITE, "the %s is NaN or Inf in %s near t = %.10g", tr->who,
                 of_equations ? evaluator_equation_name(ev->sys, tr->not_finite, name, sizeof name)
                              : "an entry",
                 tr->t);
        hint(why, "look for a division by zero, or a root or logarithm of a negative number there");
        blame(why, tr->t, of_equations ? tr->not_finite : -1, -1);
        return status;
    } else {
        status = fail(why, DAEDAL_ERR_RETRY, "the %s kept asking for a smaller step near t = %.10g",
                      tr->who, tr->t);
    }
    blame(why, tr->t, -1, -1);
    return status;
}

daedal_status evaluator_obey(evaluator *ev, daedal_diagnosis *why, daedal_status otherwise)
{
    if (ev->order.answer == DAEDAL_CALL_OK)
        return otherwise;
    ev->trouble = ev->order;
    return ev->order.answer == DAEDAL_CALL_STOP ? DAEDAL_STOPPED : evaluator_explain(ev, why);
}

const char *evaluator_equation_name(const daedal_system *sys, int32_t i, char *buffer, size_t size)
{
    if (sys->equation_names && sys->equation_names[i])
        return sys->equation_names[i];
    snprintf(buffer, size, "equation %d", (int)i);
    return buffer;
}

const char *evaluator_variable_name(const daedal_system *sys, int32_t j, char *buffer, size_t size)
{
    if (sys->variable_names && sys->variable_names[j])
        return sys->variable_names[j];
    snprintf(buffer, size, "y[%d]", (int)j);
    return buffer;
}
