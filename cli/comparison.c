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

static void differences(json_writer *w, const daedal_verification *v)
{
    json_key(w, "worst");
    json_open_array(w);
    for (int32_t k = 0; k < v->n_worst; k++) {
        const daedal_difference *d = &v->worst[k];
        json_open_object(w);
        json_string_member(w, "name", d->name);
        json_number_member(w, "error", d->error);
        json_number_member(w, "t", d->t);
        json_number_member(w, "value", d->value);
        json_number_member(w, "other", d->other);
        json_number_member(w, "tolerance", d->tolerance);
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
    json_string_member(w, "verdict", daedal_verdict_name(v->verdict));
    json_string_member(w, "message", v->message);
    json_string_member(w, "method", v->method);
    json_key(w, "other_method");
    json_boolean(w, v->is_other_method != 0);
    json_number_member(w, "rtol", v->rtol);
    json_number_member(w, "atol", v->atol);
    json_number_member(w, "error", v->error);
    json_integer_member(w, "variables_apart", v->n_apart);
    json_number_member(w, "diverges_from", v->t_diverge);
    json_number_member(w, "growth", v->verdict == DAEDAL_VERDICT_DIVERGES ? v->growth : NAN);
    json_number_member(w, "event_shift", v->event_shift);
    json_key(w, "jumps");
    json_open_flat_array(w);
    json_integer(w, v->events_with_jumps[0]);
    json_integer(w, v->events_with_jumps[1]);
    json_close(w);
    differences(w, v);
    json_close(w);
}
