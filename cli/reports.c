/* cli/reports.c - reports of a finished run: JSON, work statistics, and the line under a plot.
 *
 * Scripts rely on the members of the JSON object; see docs/howto/command-line.md. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "console.h"
#include "finals.h"
#include "job.h"
#include "messages.h"
#include "output/json_writer.h"

/* ---- JSON ---- */

void report_moved_json(json_writer *w, const job *j)
{
    const daedal_outcome *o = &j->outcome;
    json_key(w, "start_moved");
    json_open_object(w);
    for (int32_t i = 0; i < o->n_moved; i++) {
        json_key(w, o->moved_names[i]);
        json_open_flat_array(w);
        json_number(w, o->moved_from[i]);
        json_number(w, o->moved_to[i]);
        json_close(w);
    }
    json_close(w);
}

void report_open_json(json_writer *w, const job *j)
{
    const daedal_outcome *o = &j->outcome;
    json_key(w, "start_open");
    json_open_object(w);
    for (int32_t i = 0; i < o->n_open; i++)
        json_string_member(w, o->open_names[i], o->open_kept[i] ? "kept" : "moved");
    json_close(w);
}

static void blamed_member(json_writer *w, const char *key, const char *name)
{
    json_key(w, key);
    json_open_array(w);
    if (name)
        json_string(w, name);
    json_close(w);
}

typedef struct verdict {
    char status[64];
    daedal_cause cause;
    double t;
    const char *message, *hint;
    const char *equation, *variable; /* NULL if none is blamed */
} verdict;

/* null where the failure is none of the problem: a flag, a file, memory. */
static void cause_member(json_writer *w, daedal_cause cause)
{
    json_key(w, "cause");
    cause == DAEDAL_CAUSE_NONE ? json_null(w) : json_string(w, daedal_cause_name(cause));
}

static void write_verdict(json_writer *w, const verdict *v)
{
    json_open_object(w);
    cause_member(w, v->cause);
    json_string_member(w, "status", v->status);
    json_number_member(w, "t", v->t);
    json_string_member(w, "message", v->message);
    json_string_member(w, "hint", v->hint);
    blamed_member(w, "equations", v->equation);
    blamed_member(w, "variables", v->variable);
    json_close(w);
}

static verdict verdict_before_run(const job *j)
{
    daedal_status status = j->source.status;
    verdict v = {.cause = j->refused, .t = NAN, .message = last_error(), .hint = ""};
    if (status < 0) {
        v.message = j->source.message;
        v.hint = j->source.hint;
        v.cause = j->source.cause;
    }
    status_word(status < 0 ? status : DAEDAL_ERR_ARGUMENT, v.status, sizeof v.status);
    return v;
}

static verdict verdict_of_stop(const job *j)
{
    bool late = strcmp(j->monitor.stop_cause, "timeout") == 0;
    verdict v = {.t = j->outcome.t,
                 .message = late ? "the time limit was reached before the end of the run"
                                 : "the run was interrupted",
                 .hint = late ? "allow more time (--timeout), loosen the tolerance, shorten the "
                                "run, or leave out what varies so fast"
                              : ""};
    v.cause = late ? DAEDAL_CAUSE_TOO_MUCH_WORK : DAEDAL_CAUSE_NONE;
    snprintf(v.status, sizeof v.status, "%s", j->monitor.stop_cause);
    return v;
}

void report_diagnosis_json(json_writer *w, const job *j)
{
    const daedal_diagnosis *why = &j->outcome.diagnosis;
    verdict v = {.cause = why->cause,
                 .t = why->t,
                 .message = why->message,
                 .hint = why->hint,
                 .equation = j->outcome.blamed_equation,
                 .variable = j->outcome.blamed_variable};
    daedal_status status = j->ran ? j->outcome.status : j->source.status;
    json_key(w, "diagnosis");
    if (j->ran && status >= 0 && !j->monitor.stop_cause) {
        json_null(w);
        return;
    }
    status_word(status, v.status, sizeof v.status);
    if (!j->ran)
        v = verdict_before_run(j);
    else if (j->monitor.stop_cause)
        v = verdict_of_stop(j);
    write_verdict(w, &v);
}

static void warning_object(json_writer *w, const daedal_warning *about)
{
    json_open_object(w);
    cause_member(w, about->cause);
    json_string_member(w, "message", about->message);
    json_number_member(w, "t", about->t);
    json_close(w);
}

void report_warnings_json(json_writer *w, const job *j)
{
    json_key(w, "warnings");
    json_open_array(w);
    for (int32_t i = 0; j->source.info && i < j->source.info->n_warnings; i++) {
        daedal_warning of_text = {.cause = DAEDAL_CAUSE_NONE, .t = NAN};
        snprintf(of_text.message, sizeof of_text.message, "%s", j->source.info->warnings[i]);
        warning_object(w, &of_text);
    }
    for (int32_t i = 0; i < j->outcome.n_warnings; i++)
        warning_object(w, &j->outcome.warnings[i]);
    json_close(w);
}

static void structure_members(json_writer *w, job *j)
{
    daedal_model_structure structure;
    daedal_diagnosis ignored;
    bool known =
        j->source.model && daedal_model_analyze(j->source.model, &structure, &ignored) >= 0;
    json_key(w, "index");
    known ? json_integer(w, structure.index) : json_null(w);
    json_key(w, "degrees_of_freedom");
    known ? json_integer(w, structure.degrees_of_freedom) : json_null(w);
}

static void cost_members(json_writer *w, const daedal_stats *stats)
{
    json_integer_member(w, "steps", stats->steps);
    json_integer_member(w, "rejected", stats->rejected_error + stats->rejected_newton);
    json_integer_member(w, "residuals", stats->residuals);
    json_integer_member(w, "jacobians", stats->jacobians);
    json_integer_member(w, "factorizations", stats->factorizations);
    if (stats->preconditioner_setups > 0) {
        json_integer_member(w, "krylov_iterations", stats->krylov_iterations);
        json_integer_member(w, "krylov_failures", stats->krylov_failures);
        json_integer_member(w, "jacobian_products", stats->jacobian_products);
        json_integer_member(w, "preconditioner_setups", stats->preconditioner_setups);
        json_integer_member(w, "direct_fallbacks", stats->direct_fallbacks);
    }
    json_integer_member(w, "events", stats->events);
}

static void limiter_object(json_writer *w, const daedal_limiter *one, bool is_variable)
{
    json_open_object(w);
    json_string_member(w, "name", one->name);
    if (is_variable) {
        json_integer_member(w, "accepted", one->steps);
        json_integer_member(w, "rejected_error", one->rejected_error);
    }
    json_integer_member(w, "rejected_newton", one->rejected_newton);
    json_close(w);
}

/* What limited the step size, the first in rank first. */
static void limiting_member(json_writer *w, const daedal_outcome *o)
{
    json_key(w, "limiting");
    json_open_object(w);
    json_key(w, "by_variable");
    json_open_array(w);
    for (int32_t k = 0; k < o->n_limiting_variables; k++)
        limiter_object(w, &o->limiting_variables[k], true);
    json_close(w);
    json_key(w, "by_equation");
    json_open_array(w);
    for (int32_t k = 0; k < o->n_limiting_equations; k++)
        limiter_object(w, &o->limiting_equations[k], false);
    json_close(w);
    json_close(w);
}

static void invariants_member(json_writer *w, const daedal_outcome *o)
{
    json_key(w, "invariants");
    json_open_array(w);
    for (int32_t k = 0; k < o->n_invariants; k++) {
        const daedal_invariant *one = &o->invariants[k];
        json_open_object(w);
        json_string_member(w, "name", one->name);
        json_string_member(w, "kind",
                           !one->is_equation ? "variable"
                           : one->is_held    ? "held equation"
                                             : "watched equation");
        json_number_member(w, "start", one->start);
        json_number_member(w, "drift", one->drift);
        json_number_member(w, "size", one->size);
        json_close(w);
    }
    json_close(w);
}

void report_json(job *j)
{
    sink to = sink_to_stream(stdout);
    json_writer w = json_to(&to, JSON_PRETTY);
    json_open_object(&w);
    json_string_member(&w, "status", job_status_word(j));
    json_number_member(&w, "t", j->outcome.t);
    json_string_member(&w, "method", j->outcome.method);
    json_string_member(&w, "method_reason", j->outcome.method_reason);
    structure_members(&w, j);
    cost_members(&w, &j->outcome.stats);
    limiting_member(&w, &j->outcome);
    json_number_member(&w, "wall_seconds", console_seconds() - j->began);
    json_number_member(&w, "constraint_residual", j->ran ? j->outcome.constraint_residual : NAN);
    if (j->outcome.n_invariants > 0)
        invariants_member(&w, &j->outcome);
    report_moved_json(&w, j);
    report_open_json(&w, j);
    report_diagnosis_json(&w, j);
    report_warnings_json(&w, j);
    comparison_json(&w, j);
    finals_json(&w, j);
    json_close(&w);
}

/* ---- work statistics ---- */

static void stats_count(const char *name, int64_t value, const char *note)
{
    fprintf(stderr, "  %-20s %10" PRId64 "%s%s\n", name, value, *note ? "  " : "", note);
}

static void print_counts(const daedal_stats *s)
{
    char note[80];
    stats_count("steps", s->steps, "");
    snprintf(note, sizeof note, "%" PRId64 " by the error test, %" PRId64 " by Newton",
             s->rejected_error, s->rejected_newton);
    stats_count("rejected", s->rejected_error + s->rejected_newton, note);
    snprintf(note, sizeof note, "%" PRId64 " of them for Jacobians", s->jacobian_residuals);
    stats_count("residuals", s->residuals, s->jacobian_residuals ? note : "");
    stats_count("jacobians", s->jacobians, "");
    stats_count("factorizations", s->factorizations, "");
    stats_count("solves", s->solves, "");
    stats_count("Newton iterations", s->iterations, "");
    if (s->preconditioner_setups > 0) {
        snprintf(note, sizeof note, "%" PRId64 " solves failed", s->krylov_failures);
        stats_count("gmres iterations", s->krylov_iterations, s->krylov_failures ? note : "");
        stats_count("Jacobian products", s->jacobian_products, "");
        stats_count("preconditioners", s->preconditioner_setups,
                    s->direct_fallbacks ? "given up for a direct solver" : "");
    }
    stats_count("events", s->events, "");
}

enum { LIMITERS_PRINTED = 5 };

static void print_limiting_variables(const daedal_outcome *o)
{
    if (o->n_limiting_variables == 0)
        return;
    fprintf(stderr, "  %-20s %10s %12s %10s\n", "step limited by", "accepted", "error test",
            "Newton");
    for (int32_t k = 0; k < o->n_limiting_variables && k < LIMITERS_PRINTED; k++) {
        const daedal_limiter *one = &o->limiting_variables[k];
        fprintf(stderr, "    %-18s %10" PRId64 " %12" PRId64 " %10" PRId64 "\n", one->name,
                one->steps, one->rejected_error, one->rejected_newton);
    }
}

static void print_limiting_equations(const daedal_outcome *o)
{
    if (o->n_limiting_equations == 0)
        return;
    fprintf(stderr, "  Newton failed in\n");
    for (int32_t k = 0; k < o->n_limiting_equations && k < LIMITERS_PRINTED; k++)
        fprintf(stderr, "    %18s %10" PRId64 "  %s\n", "",
                o->limiting_equations[k].rejected_newton, o->limiting_equations[k].name);
}

static void print_invariants(const daedal_outcome *o)
{
    if (o->n_invariants > 0)
        fprintf(stderr, "  %-20s %10s %12s\n", "invariants", "drift", "of size");
    for (int32_t k = 0; k < o->n_invariants; k++) {
        const daedal_invariant *one = &o->invariants[k];
        const char *kind = !one->is_equation ? "" : one->is_held ? "held " : "watched ";
        fprintf(stderr, "    %18s %10.2g %12.3g  %s%s\n", "", one->drift, one->size, kind,
                one->name);
    }
}

void report_stats(job *j)
{
    const daedal_outcome *o = &j->outcome;
    daedal_model_structure structure;
    daedal_diagnosis ignored;
    if (!j->ran)
        return;
    fprintf(stderr, "%s: %s at t = %g\n", j->source.info->name, job_status_word(j), o->t);
    if (o->method)
        fprintf(stderr, "  %-20s %10s%s%s\n", "method", o->method,
                o->method_reason && *o->method_reason ? "  " : "",
                o->method_reason ? o->method_reason : "");
    if (daedal_model_analyze(j->source.model, &structure, &ignored) >= 0) {
        stats_count("unknowns", structure.unknowns, "");
        stats_count("states", structure.states, "");
        stats_count("index", structure.index, "");
    }
    print_counts(&o->stats);
    stats_count("rows", j->rows.rows, "");
    fprintf(stderr, "  %-20s %10.3g\n", "last step", o->stats.h_last);
    fprintf(stderr, "  %-20s %10d\n", "last order", (int)o->stats.order_last);
    fprintf(stderr, "  %-20s %10.2g\n", "rtol", j->options.rtol);
    fprintf(stderr, "  %-20s %10.2g\n", "constraint residual", o->constraint_residual);
    fprintf(stderr, "  %-20s %10.3f\n", "seconds", console_seconds() - j->began);
    finals_print_condition(j);
    print_invariants(o);
    print_limiting_variables(o);
    print_limiting_equations(o);
}

void report_footer(const job *j, char *text, size_t size)
{
    const daedal_stats *s = &j->outcome.stats;
    const char *method = j->outcome.method ? j->outcome.method : "";
    snprintf(text, size,
             "%s to t = %g by %s: %" PRId64 " steps, %" PRId64 " events, rtol %.2g, daedal %s",
             job_status_word(j), j->outcome.t, method, s->steps, s->events, j->options.rtol,
             daedal_version());
}
