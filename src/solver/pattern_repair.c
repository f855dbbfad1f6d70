/* solver/pattern_repair.c - entries that the pattern of the Jacobian lacked, added during a run.
 *
 * newton/missing_entries.h finds them.  The integrator keeps its history, so that the step under
 * way is repeated as if the pattern had been complete.  Only a y' that turns up where F had none
 * makes the run begin again from its state, because its variable is a differential one then.   */
#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "newton/missing_entries.h"
#include "solver/run.h"

/* The entries found in one part, in the order in which they were found. */
static void fill_columns(const missing_entries *x, int32_t which, pattern *out)
{
    for (int32_t k = 0; k < x->n_found; k++)
        if (x->column[k] / x->n == which)
            out->start[x->column[k] % x->n + 1]++;
    for (int32_t j = 0; j < x->n; j++)
        out->start[j + 1] += out->start[j];
    for (int32_t k = 0; k < x->n_found; k++)
        if (x->column[k] / x->n == which)
            out->row[out->start[x->column[k] % x->n]++] = x->row[k];
    for (int32_t j = x->n; j > 0; j--) /* undo the shift of the fill above */
        out->start[j] = out->start[j - 1];
    out->start[0] = 0;
}

/* One part with what was found in it.  Two transpositions sort rows. */
static bool extend(const missing_entries *x, int32_t which, const daedal_pattern *part,
                   pattern *out, const daedal_allocator *a)
{
    pattern found = {0}, turned = {0}, sorted = {0};
    bool fine = pattern_create(&found, x->n, x->n, x->n_found, a);
    if (fine)
        fill_columns(x, which, &found);
    fine = fine && pattern_transpose(&turned, &found.view, a) &&
           pattern_transpose(&sorted, &turned.view, a) && pattern_union(out, part, &sorted.view, a);
    pattern_free(&found);
    pattern_free(&turned);
    pattern_free(&sorted);
    return fine;
}

/* Variables whose y' turned up; true if there are any. */
static bool make_differential(run *r)
{
    const daedal_pattern *dyp = &r->matrix.part[1].view;
    const int32_t *said = r->system.sys.variable_kind.at;
    bool any = false;
    for (int32_t j = 0; j < r->n; j++) {
        bool known = r->is_differential[j] || (said && said[j] != DAEDAL_KIND_DETECT);
        if (known || dyp->start[j] == dyp->start[j + 1])
            continue;
        r->is_differential[j] = any = true;
        r->kind[j] = DAEDAL_DIFFERENTIAL;
        r->variable_index[j] = 0;
        r->structure.n_differential++;
    }
    run_note_high_index(r);
    return any;
}

/* "d(equation 3)/d(y[2])", up to a few of them. */
static void name_entries(const run *r, const missing_entries *x, char *text, size_t size)
{
    enum { NAMED_MAX = 4 };
    text[0] = '\0';
    for (int32_t k = 0; k < x->n_found && k < NAMED_MAX; k++) {
        char equation[96], variable[96];
        const daedal_system *sys = &r->system.sys;
        text_append(text, size, "%sd(%s)/d(%s%s)", k ? ", " : "",
                    evaluator_equation_name(sys, x->row[k], equation, sizeof equation),
                    evaluator_variable_name(sys, x->column[k] % x->n, variable, sizeof variable),
                    x->column[k] >= x->n ? "'" : "");
    }
    if (x->n_found > NAMED_MAX)
        text_append(text, size, " and %d more", (int)(x->n_found - NAMED_MAX));
}

/* A pattern that was given is the user's to correct; one that was found has merely grown. */
static void tell(run *r, const missing_entries *x)
{
    char names[400];
    daedal_diagnosis told;
    double t = r->method->view(r->integrator).t;
    name_entries(r, x, names, sizeof names);
    if (!r->system.sys.pattern) {
        run_log(r, DAEDAL_LOG_INFO, "%d more entries of the Jacobian near t = %.10g: %s",
                (int)x->n_found, t, names);
        return;
    }
    fail(&told, DAEDAL_OK,
         "the given pattern lacks %d entries of the Jacobian that F has near t = %.10g: %s; they "
         "are "
         "added",
         (int)x->n_found, t, names);
    set_cause(&told, DAEDAL_CAUSE_MISSED_SPARSITY);
    blame(&told, t, x->row[0], x->column[0] % x->n);
    run_warn(r, &told);
}

/* Add to *to. */
static bool unite(pattern *to, const daedal_pattern *more, const daedal_allocator *a)
{
    pattern both = {0};
    if (!pattern_union(&both, &to->view, more, a))
        return false;
    pattern_free(to);
    *to = both;
    return true;
}

/* Where one entry has appeared others will: probe about the present point, also at values far from
 * it.  What cannot be probed there is left to the watch.                         */
static daedal_status look_around(run *r, pattern *dy, pattern *dyp)
{
    static const double REACH[] = {1.0, 30.0};
    integ_view v = r->method->view(r->integrator);
    run_start_values here = {.t = v.t, .y = v.y, .yp = v.yp};
    bool fine = true;
    for (size_t k = 0; fine && k < sizeof REACH / sizeof *REACH; k++) {
        pattern more_dy = {0}, more_dyp = {0};
        daedal_status status = run_probe(r, &here, REACH[k], &more_dy, &more_dyp);
        if (status == DAEDAL_STOPPED || status == DAEDAL_ERR_CALLBACK)
            return status == DAEDAL_STOPPED ? status : evaluator_explain(&r->ev, &r->why);
        if (status == DAEDAL_OK)
            fine = unite(dy, &more_dy.view, r->allocator) &&
                   (evaluator_is_mass_form(&r->ev) || unite(dyp, &more_dyp.view, r->allocator));
        pattern_free(&more_dy);
        pattern_free(&more_dyp);
    }
    return fine ? DAEDAL_OK : fail(&r->why, DAEDAL_ERR_MEMORY, "out of memory for the pattern");
}

/* Repairs 2, 4, 8, ... of a pattern that was found look around. */
static bool looks_around(const run *r)
{
    int64_t repairs = r->stats.pattern_repairs + 1;
    return !r->system.sys.pattern && repairs > 1 && (repairs & (repairs - 1)) == 0;
}

/* Another matrix with the entries found; what is known of false alarms stays. */
static daedal_status replace_matrix(run *r, iteration_matrix *old)
{
    missing_entries *x = old->watch;
    pattern dy = {0}, dyp = {0};
    bool fine = extend(x, 0, &old->part[0].view, &dy, r->allocator) &&
                extend(x, 1, &old->part[1].view, &dyp, r->allocator);
    daedal_status status = fine ? DAEDAL_OK : fail(&r->why, DAEDAL_ERR_MEMORY, "out of memory");
    if (fine && looks_around(r))
        status = look_around(r, &dy, &dyp);
    r->matrix = (iteration_matrix){0};
    if (status == DAEDAL_OK)
        status = run_set_up_matrix(r, &dy.view, &dyp.view);
    pattern_free(&dy);
    pattern_free(&dyp);
    if (status == DAEDAL_OK && r->matrix.watch) {
        memcpy(r->matrix.watch->alarms, x->alarms, (size_t)x->n);
        r->matrix.watch->random = x->random;
        r->matrix.watch->fruitless = x->fruitless;
    }
    return status;
}

static daedal_status use_entries(run *r)
{
    iteration_matrix old = r->matrix;
    run_forget_correction(r);
    daedal_status status = replace_matrix(r, &old);
    matrix_free(&old);
    RETURN_UNLESS_OK(status);
    run_describe_matrix(r);
    if (r->method->use_pattern && r->method->use_pattern(r->integrator) != DAEDAL_OK)
        return fail(&r->why, DAEDAL_ERR_MEMORY, "out of memory for the method %s", r->method->name);
    return DAEDAL_OK;
}

daedal_status run_add_entries(run *r, bool *grown)
{
    *grown = r->matrix.watch && r->matrix.watch->n_found > 0;
    if (!*grown)
        return DAEDAL_OK;
    tell(r, r->matrix.watch);
    daedal_status status = use_entries(r);
    if (status != DAEDAL_OK) {
        r->started = r->matrix_ready = false; /* another start sets everything up anew */
        return status;
    }
    r->stats.pattern_repairs++;
    return make_differential(r) ? run_resume(r) : DAEDAL_OK;
}
