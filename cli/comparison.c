/* cli/comparison.c - what --verify has found: in words, in JSON, and as an exit status. */
#include <math.h>
#include <stdio.h>

#include "job.h"
#include "messages.h"
#include "output/json_writer.h"

enum { VARIABLES_PRINTED = 5 };

bool comparison_has_failed(const job *j)
{
    const daedal_verification *v = j->outcome.verification;
    return v && (v->verdict == DAEDAL_VERDICT_DISAGREES || v->verdict == DAEDAL_VERDICT_UNVERIFIED);
}

static void print_table(const daedal_verification *v)
{
    if (v->n_worst == 0)
        return;
    fprintf(stderr, "  %-24s %12s %12s %16s %16s\n", "largest differences", "tolerances", "at t",
            "this run", v->method);
    for (int32_t k = 0; k < v->n_worst && k < VARIABLES_PRINTED; k++) {
        const daedal_difference *d = &v->worst[k];
        fprintf(stderr, "    %-22s %12.3g %12.6g %16.9g %16.9g\n", d->name, d->error, d->t,
                d->value, d->other);
    }
    if (v->event_shift > 0)
        fprintf(stderr, "  event times differ by up to %.3g\n", v->event_shift);
    if (v->events_with_jumps[0] != v->events_with_jumps[1])
        fprintf(stderr, "  the runs have %d and %d events at which something jumps\n",
                (int)v->events_with_jumps[0], (int)v->events_with_jumps[1]);
}

void comparison_print(const job *j)
{
    const daedal_verification *v = j->outcome.verification;
    if (!v || v->verdict == DAEDAL_VERDICT_NONE || j->monitor.stop_cause)
        return;
    if (comparison_has_failed(j))
        print_error("verify: %s", v->message);
    else if (!j->args->quiet)
        fprintf(stderr, "verify: %s\n", v->message);
    if (!j->args->quiet)
        print_table(v);
}

/* ---- JSON ---- */

static void number_member(json_writer *w, const char *name, double value)
{
    json_key(w, name);
    json_number(w, value);
}

static void text_member(json_writer *w, const char *name, const char *value)
{
    json_key(w, name);
    json_string(w, value);
}

static void differences(json_writer *w, const daedal_verification *v)
{
    json_key(w, "worst");
    json_open_array(w);
    for (int32_t k = 0; k < v->n_worst; k++) {
        const daedal_difference *d = &v->worst[k];
        json_open_object(w);
        text_member(w, "name", d->name);
        number_member(w, "error", d->error);
        number_member(w, "t", d->t);
        number_member(w, "value", d->value);
        number_member(w, "other", d->other);
        number_member(w, "tolerance", d->tolerance);
        json_close(w);
    }
    json_close(w);
}

void comparison_json(json_writer *w, const job *j)
{
    const daedal_verification *v = j->outcome.verification;
    if (!j->args->verify)
        return;
    json_key(w, "verify");
    if (!v || v->verdict == DAEDAL_VERDICT_NONE) {
        json_null(w);
        return;
    }
    json_open_object(w);
    text_member(w, "verdict", daedal_verdict_name(v->verdict));
    text_member(w, "message", v->message);
    text_member(w, "method", v->method);
    json_key(w, "other_method");
    json_boolean(w, v->is_other_method != 0);
    number_member(w, "rtol", v->rtol);
    number_member(w, "atol", v->atol);
    number_member(w, "error", v->error);
    json_key(w, "variables_apart");
    json_integer(w, v->n_apart);
    number_member(w, "diverges_from", v->t_diverge);
    number_member(w, "growth", v->verdict == DAEDAL_VERDICT_DIVERGES ? v->growth : NAN);
    number_member(w, "event_shift", v->event_shift);
    json_key(w, "jumps");
    json_open_flat_array(w);
    json_integer(w, v->events_with_jumps[0]);
    json_integer(w, v->events_with_jumps[1]);
    json_close(w);
    differences(w, v);
    json_close(w);
}
