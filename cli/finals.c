/* cli/finals.c - see finals.h. */
#include "finals.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "final_texts.h"
#include "messages.h"
#include "output/json_writer.h"

/* ---- what the texts mean ---- */

int finals_find(job *j)
{
    const final_arguments *a = &j->args->finals;
    if (a->n == 0)
        return CLI_SOLVED;
    j->finals.at = must_resize(NULL, (size_t)a->n, sizeof *j->finals.at);
    for (int32_t k = 0; k < a->n; k++) {
        double value = 0.0;
        char *name = final_name(a->texts[k], &value);
        int32_t number = daedal_model_find(j->source.model, name ? name : a->texts[k]);
        free(name);
        if (number < 0)
            return print_error("--final %s: %s", a->texts[k],
                               daedal_model_diagnosis(j->source.model)->message);
        j->finals.at[j->finals.n++] = (daedal_final){number, value};
    }
    return CLI_SOLVED;
}

/* ---- the run ---- */

daedal_status finals_run(job *j)
{
    const final_arguments *a = &j->args->finals;
    daedal_model_bvp bvp = {
        .finals = j->finals.at, .n_finals = j->finals.n, .from = a->from.n > 0 ? a->from.at : NULL};
    if (a->method)
        bvp.method = (daedal_bvp_method)final_method_of(a->method);
    daedal_status status =
        daedal_model_bvp_solve(j->source.model, &j->plan, &bvp, &j->finals.found, &j->outcome);
    j->finals.is_found = status >= 0;
    return status;
}

/* ---- reports ---- */

void finals_print(const job *j)
{
    const daedal_model_bvp_report *r = &j->finals.found;
    const double bad = 1e6;
    if (!j->finals.is_found)
        return;
    for (int32_t k = 0; k < r->n_found; k++)
        fprintf(stderr, "start: %s = %.10g was found for the final conditions, by %s\n",
                r->found_names[k], r->found_values[k], r->method);
    if (r->condition > bad)
        print_warning("the boundary value problem is badly conditioned: a change of 1 in a final "
                      "value may change the solution by %.3g",
                      r->condition);
}

void finals_print_condition(const job *j)
{
    const daedal_model_bvp_report *r = &j->finals.found;
    if (!j->finals.is_found)
        return;
    fprintf(stderr, "  %-20s %10.3g\n", "condition of --final", r->condition);
    if (!isnan(r->equation_condition)) /* shooting does not know it */
        fprintf(stderr, "  %-20s %10.3g\n", "of the equations", r->equation_condition);
}

void finals_json(json_writer *w, const job *j)
{
    const daedal_model_bvp_report *r = &j->finals.found;
    if (!j->finals.is_found)
        return;
    json_key(w, "final");
    json_open_object(w);
    json_string_member(w, "method", r->method);
    json_string_member(w, "method_reason", r->method_reason);
    json_key(w, "start");
    json_open_object(w);
    for (int32_t k = 0; k < r->n_found; k++)
        json_number_member(w, r->found_names[k], r->found_values[k]);
    json_close(w);
    json_number_member(w, "error", r->error);
    json_number_member(w, "condition", r->condition);
    json_number_member(w, "equation_condition", r->equation_condition);
    json_number_member(w, "intervals", r->intervals);
    json_number_member(w, "meshes", r->meshes);
    json_number_member(w, "iterations", (double)r->iterations);
    json_number_member(w, "continuation_steps", r->continuation_steps);
    json_close(w);
}
