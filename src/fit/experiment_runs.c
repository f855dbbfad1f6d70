/* fit/experiment_runs.c - see experiment_runs.h. */
#include "fit/experiment_runs.h"

#include <math.h>
#include <string.h>

#include "base/status.h"
#include "linalg/vector.h"

static const double USUAL_RTOL = 1e-6; /* the default of the option rtol */
static const double LOG_RANGE = 100.0; /* from this ratio of its bounds on an unknown is searched
                                          for in its logarithm */

/* What the model says of a call that failed. */
static daedal_status refused(experiment_runs *e, daedal_status status)
{
    e->why = *daedal_model_diagnosis(e->model);
    return status;
}

/* ---- unknowns ---- */

double unknown_value(const fit_unknown *u, double x)
{
    return u->is_log ? exp(x) : u->unit * x;
}

/* x for a value of the unknown. */
static double scaled_value(const fit_unknown *u, double value)
{
    return u->is_log ? log(value) : value / u->unit;
}

double unknown_slope(const fit_unknown *u, double x)
{
    return u->is_log ? exp(x) : u->unit;
}

static const daedal_model_variable *variable_of(const experiment_runs *e, int32_t number)
{
    return &daedal_model_describe(e->model)->variables[number - e->first_number];
}

static const char *name_of(const experiment_runs *e, int32_t number)
{
    return variable_of(e, number)->name;
}

static bool is_variable(const experiment_runs *e, int32_t number)
{
    int32_t place = number - e->first_number;
    return place >= 0 && place < daedal_model_describe(e->model)->n_variables;
}

/* A parameter that can be set without another structure, or a variable with a start value. */
static daedal_status check_unknown(experiment_runs *e, const daedal_tuning *tunings, int32_t k)
{
    const daedal_unknown *u = &e->asked->unknowns[k];
    bool has_bounds = u->lower != 0.0 || u->upper != 0.0;
    if (!is_variable(e, u->number))
        return fail(&e->why, DAEDAL_ERR_ARGUMENT, "unknown %d: %d is no variable of the model",
                    (int)k, (int)u->number);
    const char *name = name_of(e, u->number);
    const daedal_model_variable *v = variable_of(e, u->number);
    daedal_tuning tuning = tunings[u->number - e->first_number];
    if (v->is_constant && tuning == DAEDAL_TUNING_STRUCTURE && v->value == 0.0)
        return fail(&e->why, DAEDAL_ERR_ARGUMENT,
                    "%s is 0, which removes terms from the equations; give another value at which "
                    "the search begins, or bounds without 0",
                    name);
    if (v->is_constant && tuning == DAEDAL_TUNING_STRUCTURE)
        return fail(&e->why, DAEDAL_ERR_ARGUMENT,
                    "%s decides the structure of the equations and cannot be fitted", name);
    if (v->is_constant && !v->is_parameter)
        return fail(&e->why, DAEDAL_ERR_ARGUMENT, "%s is a constant and cannot be fitted", name);
    if (v->is_constant && (tuning == DAEDAL_TUNING_NONE || tuning == DAEDAL_TUNING_FINAL))
        return fail(&e->why, DAEDAL_ERR_ARGUMENT, "%s follows from others and cannot be fitted",
                    name);
    if (v->type != DAEDAL_REAL || v->is_input)
        return fail(&e->why, DAEDAL_ERR_ARGUMENT,
                    "%s is neither a real parameter nor a variable with a start value", name);
    for (int32_t i = 0; i < k; i++)
        if (e->asked->unknowns[i].number == u->number)
            return fail(&e->why, DAEDAL_ERR_ARGUMENT, "%s is named twice as unknown", name);
    if (has_bounds && !(u->lower < u->upper))
        return fail(&e->why, DAEDAL_ERR_ARGUMENT, "%s: the bounds %g and %g leave no room", name,
                    u->lower, u->upper);
    return DAEDAL_OK;
}

/* The value at which the search begins; without one, the middle of the bounds. */
static double first_value(const daedal_unknown *u, const daedal_model_variable *v)
{
    bool has_bounds = u->lower != 0.0 || u->upper != 0.0;
    double value = !isnan(u->start) ? u->start : v->is_constant ? v->value : v->start;
    if (isnan(value))
        value = has_bounds && isfinite(u->lower + u->upper) ? 0.5 * (u->lower + u->upper) : 1.0;
    return has_bounds ? fmin(fmax(value, u->lower), u->upper) : value;
}

static void scale_unknown(experiment_runs *e, const daedal_tuning *tunings, int32_t k)
{
    const daedal_unknown *u = &e->asked->unknowns[k];
    const daedal_model_variable *v = variable_of(e, u->number);
    bool has_bounds = u->lower != 0.0 || u->upper != 0.0;
    double value = first_value(u, v);
    fit_unknown *s = &e->unknown[k];
    s->number = u->number;
    s->is_log = has_bounds && u->lower > 0.0 && u->upper >= LOG_RANGE * u->lower;
    s->unit = value != 0.0                                  ? fabs(value)
              : has_bounds && isfinite(u->upper - u->lower) ? u->upper - u->lower
                                                            : 1.0;
    s->has_derivative = v->is_constant ? tunings[u->number - e->first_number] == DAEDAL_TUNING_LIVE
                                       : v->is_state; /* by its start value */
    s->lower = has_bounds ? scaled_value(s, u->lower) : -INFINITY;
    s->upper = has_bounds ? scaled_value(s, u->upper) : INFINITY;
    e->moved_x[k] = scaled_value(s, value);
}

/* A parameter whose value is 0 removes terms from the equations: they are read with the value at
 * which the search begins.                                                        */
static daedal_status leave_zero(experiment_runs *e, const daedal_unknown *u)
{
    const daedal_model_info *info = daedal_model_describe(e->model);
    const daedal_model_variable *v = &info->variables[u->number - e->first_number];
    double value = first_value(u, v);
    if (!v->is_constant || v->value != 0.0 || value == 0.0)
        return DAEDAL_OK;
    daedal_status status = daedal_model_set(e->model, u->number, value);
    if (status < 0)
        return refused(e, status);
    if (daedal_model_describe(e->model)->first_number != e->first_number)
        return fail(&e->why, DAEDAL_ERR_ARGUMENT,
                    "unknown %d decides which variables there are and cannot be fitted",
                    (int)u->number);
    return DAEDAL_OK;
}

static daedal_status take_unknowns(experiment_runs *e)
{
    int32_t n_variables = daedal_model_describe(e->model)->n_variables;
    daedal_tuning *tunings = arena_take(&e->mem, (size_t)n_variables + 1, sizeof *tunings);
    if (!tunings)
        return DAEDAL_ERR_MEMORY;
    for (int32_t k = 0; k < e->n; k++)
        if (is_variable(e, e->asked->unknowns[k].number))
            TRY(leave_zero(e, &e->asked->unknowns[k]));
    daedal_status status = daedal_model_tunings(e->model, tunings);
    if (status < 0)
        return refused(e, status);
    for (int32_t k = 0; k < e->n; k++) {
        TRY(check_unknown(e, tunings, k));
        scale_unknown(e, tunings, k);
    }
    return DAEDAL_OK;
}

/* ---- experiments ---- */

static const char *title(const daedal_experiment *x)
{
    return x->name ? x->name : "an experiment";
}

static daedal_status check_times(experiment_runs *e, const daedal_experiment *x)
{
    const double *t = x->times.at;
    if (x->times.n <= 0 || !t)
        return fail(&e->why, DAEDAL_ERR_ARGUMENT, "%s has no rows", title(x));
    for (int32_t i = 0; i < x->times.n; i++) {
        if (!isfinite(t[i]))
            return fail(&e->why, DAEDAL_ERR_ARGUMENT, "%s, row %d: the time is %g", title(x),
                        (int)i + 1, t[i]);
        if (i > 0 && t[i] < t[i - 1])
            return fail(&e->why, DAEDAL_ERR_ARGUMENT,
                        "%s, row %d: the time %.10g comes after %.10g; times must ascend", title(x),
                        (int)i + 1, t[i], t[i - 1]);
        if (t[i] < e->asked->t_start)
            return fail(&e->why, DAEDAL_ERR_ARGUMENT,
                        "%s, row %d: the time %.10g lies before the start of the run, %.10g",
                        title(x), (int)i + 1, t[i], e->asked->t_start);
    }
    return DAEDAL_OK;
}

static daedal_status check_columns(experiment_runs *e, const daedal_experiment *x)
{
    if (x->measured.n <= 0 || !x->measured.at || !x->values)
        return fail(&e->why, DAEDAL_ERR_ARGUMENT, "%s measures no variable", title(x));
    for (int32_t j = 0; j < x->measured.n; j++) {
        if (!is_variable(e, x->measured.at[j]))
            return fail(&e->why, DAEDAL_ERR_ARGUMENT, "%s: %d is no variable of the model",
                        title(x), (int)x->measured.at[j]);
        if (variable_of(e, x->measured.at[j])->is_discrete)
            return fail(&e->why, DAEDAL_ERR_ARGUMENT,
                        "%s: %s is a discrete variable, and only continuous ones can be fitted; "
                        "leave it out",
                        title(x), name_of(e, x->measured.at[j]));
        if (x->deviations && !(x->deviations[j] > 0.0 && isfinite(x->deviations[j])))
            return fail(&e->why, DAEDAL_ERR_ARGUMENT,
                        "%s: the standard deviation of %s is %g; it must be positive", title(x),
                        name_of(e, x->measured.at[j]), x->deviations[j]);
    }
    return DAEDAL_OK;
}

static daedal_status check_settings(experiment_runs *e, const daedal_experiment *x)
{
    for (int32_t j = 0; j < x->set.n; j++) {
        if (!is_variable(e, x->set.at[j]))
            return fail(&e->why, DAEDAL_ERR_ARGUMENT, "%s: %d is no variable of the model",
                        title(x), (int)x->set.at[j]);
        for (int32_t k = 0; k < e->n; k++)
            if (e->unknown[k].number == x->set.at[j])
                return fail(&e->why, DAEDAL_ERR_ARGUMENT,
                            "%s sets %s, which is one of the unknowns", title(x),
                            name_of(e, x->set.at[j]));
    }
    return DAEDAL_OK;
}

/* Each time once, with the first row of each. */
static void gather_times(experiment_plan *p)
{
    for (int32_t i = 0; i < p->of->times.n; i++)
        if (i == 0 || p->of->times.at[i] != p->of->times.at[i - 1]) {
            p->begin[p->n_times] = i;
            p->time[p->n_times++] = p->of->times.at[i];
        }
    p->begin[p->n_times] = p->of->times.n;
}

/* The number of a measured variable, a new one at its first occurrence. */
static int32_t group_of(experiment_runs *e, int32_t number)
{
    int32_t g = 0;
    while (g < e->n_groups && e->variable[g] != number)
        g++;
    if (g == e->n_groups)
        e->variable[e->n_groups++] = number;
    return g;
}

static daedal_status plan_experiment(experiment_runs *e, experiment_plan *p)
{
    const daedal_experiment *x = p->of;
    TRY(check_times(e, x));
    TRY(check_columns(e, x));
    TRY(check_settings(e, x));
    size_t rows = (size_t)x->times.n, columns = (size_t)x->measured.n;
    p->time = arena_take(&e->mem, rows, sizeof *p->time);
    p->begin = arena_take(&e->mem, rows + 1, sizeof *p->begin);
    p->group = arena_take(&e->mem, columns, sizeof *p->group);
    p->place = arena_take(&e->mem, rows * columns, sizeof *p->place);
    p->predicted = arena_take(&e->mem, rows * columns, sizeof *p->predicted);
    if (e->mem.failed)
        return DAEDAL_ERR_MEMORY;
    gather_times(p);
    for (size_t j = 0; j < columns; j++)
        p->group[j] = group_of(e, x->measured.at[j]);
    for (size_t k = 0; k < rows * columns; k++) {
        if (isinf(x->values[k]))
            return fail(&e->why, DAEDAL_ERR_ARGUMENT, "%s, row %d: %s is infinite", title(x),
                        (int)(k % rows) + 1, name_of(e, x->measured.at[k / rows]));
        p->place[k] = isnan(x->values[k]) ? -1 : e->m++;
    }
    return DAEDAL_OK;
}

static daedal_status plan_experiments(experiment_runs *e)
{
    size_t columns = 0;
    for (int32_t k = 0; k < e->asked->n_experiments; k++)
        columns += e->asked->experiments[k].measured.n > 0
                       ? (size_t)e->asked->experiments[k].measured.n
                       : 0;
    e->plan = arena_take(&e->mem, (size_t)e->asked->n_experiments, sizeof *e->plan);
    e->variable = arena_take(&e->mem, columns + 1, sizeof *e->variable);
    if (e->mem.failed)
        return DAEDAL_ERR_MEMORY;
    for (int32_t k = 0; k < e->asked->n_experiments; k++) {
        e->plan[k].of = &e->asked->experiments[k];
        TRY(plan_experiment(e, &e->plan[k]));
    }
    if (e->m <= e->n)
        return fail(&e->why, DAEDAL_ERR_ARGUMENT,
                    "%d measured value%s cannot determine %d unknown%s and their accuracy",
                    (int)e->m, e->m == 1 ? "" : "s", (int)e->n, e->n == 1 ? "" : "s");
    return DAEDAL_OK;
}

/* Data in the order of the residuals.  A deviation that is not given begins as the range of the
 * data, so that all variables count alike.                                         */
static void gather_data(experiment_runs *e)
{
    for (int32_t g = 0; g < e->n_groups; g++)
        e->is_estimated[g] = true;
    for (int32_t k = 0; k < e->asked->n_experiments; k++) {
        const experiment_plan *p = &e->plan[k];
        size_t rows = (size_t)p->of->times.n;
        for (size_t i = 0; i < rows * (size_t)p->of->measured.n; i++) {
            if (p->place[i] < 0)
                continue;
            e->data[p->place[i]] = p->of->values[i];
            e->group[p->place[i]] = p->group[i / rows];
        }
        for (int32_t j = 0; j < p->of->measured.n && p->of->deviations; j++) {
            e->is_estimated[p->group[j]] = false;
            e->deviation[p->group[j]] = p->of->deviations[j];
        }
    }
    for (int32_t g = 0; g < e->n_groups; g++) {
        double low = INFINITY, high = -INFINITY;
        for (int32_t i = 0; i < e->m; i++)
            if (e->group[i] == g) {
                low = fmin(low, e->data[i]);
                high = fmax(high, e->data[i]);
            }
        double range = high > low ? high - low : fabs(high);
        if (e->is_estimated[g])
            e->deviation[g] = range > 0.0 && isfinite(range) ? range : 1.0;
    }
}

static bool take_memory(experiment_runs *e)
{
    size_t m = (size_t)e->m, n = (size_t)e->n, groups = (size_t)e->n_groups;
    e->data = arena_take(&e->mem, m, sizeof(double));
    e->group = arena_take(&e->mem, m, sizeof(int32_t));
    e->deviation = arena_take(&e->mem, groups, sizeof(double));
    e->is_estimated = arena_take(&e->mem, groups, sizeof(bool));
    e->values = arena_take(&e->mem, m, sizeof(double));
    e->parameter = arena_take(&e->mem, n, sizeof(int32_t));
    e->unknown_of = arena_take(&e->mem, n, sizeof(int32_t));
    e->before = arena_take(&e->mem, m, sizeof(double));
    e->behind = arena_take(&e->mem, m, sizeof(double));
    return !e->mem.failed;
}

static daedal_status check_request(experiment_runs *e)
{
    const daedal_fit *f = e->asked;
    if (f->n_unknowns <= 0 || !f->unknowns)
        return fail(&e->why, DAEDAL_ERR_ARGUMENT, "there is no unknown to fit");
    if (f->n_experiments <= 0 || !f->experiments)
        return fail(&e->why, DAEDAL_ERR_ARGUMENT, "there are no data to fit");
    if (!(f->confidence >= 0.0 && f->confidence < 1.0))
        return fail(&e->why, DAEDAL_ERR_ARGUMENT, "the confidence %g is not between 0 and 1",
                    f->confidence);
    if (!isfinite(f->t_start))
        return fail(&e->why, DAEDAL_ERR_ARGUMENT, "the start time is not finite");
    return DAEDAL_OK;
}

daedal_status experiment_runs_create(experiment_runs *e, daedal_model *model,
                                     const daedal_fit *asked, const daedal_allocator *a)
{
    *e = (experiment_runs){.model = model, .asked = asked, .n = asked->n_unknowns};
    arena_create(&e->mem, a, 0);
    TRY(check_request(e));
    e->first_number = daedal_model_describe(model)->first_number;
    e->accuracy = asked->options ? asked->options->rtol : USUAL_RTOL;
    e->unknown = arena_take(&e->mem, (size_t)e->n, sizeof *e->unknown);
    e->moved_x = arena_take(&e->mem, (size_t)e->n, sizeof *e->moved_x);
    if (e->mem.failed)
        return DAEDAL_ERR_MEMORY;
    TRY(take_unknowns(e));
    TRY(plan_experiments(e));
    if (!take_memory(e))
        return DAEDAL_ERR_MEMORY;
    gather_data(e);
    return DAEDAL_OK;
}

void experiment_runs_free(experiment_runs *e)
{
    arena_free(&e->mem);
}

/* ---- one run ---- */

static int take_row(daedal_row_kind kind, double t, const double *values, void *user)
{
    experiment_runs *e = user;
    const experiment_plan *p = e->current;
    if (kind != DAEDAL_ROW_POINT)
        return DAEDAL_CALL_OK;
    while (e->next < p->n_times && p->time[e->next] < t)
        e->next++;
    if (e->next >= p->n_times || p->time[e->next] != t)
        return DAEDAL_CALL_OK;
    for (int32_t j = 0; j < p->of->measured.n; j++) {
        double value = values[p->of->measured.at[j] - e->first_number];
        for (int32_t i = p->begin[e->next]; i < p->begin[e->next + 1]; i++) {
            size_t k = (size_t)j * (size_t)p->of->times.n + (size_t)i;
            p->predicted[k] = value;
            if (p->place[k] >= 0)
                e->values[p->place[k]] = value;
        }
    }
    return DAEDAL_CALL_OK;
}

static int take_derivatives(daedal_row_kind kind, double t, int32_t parameter,
                            const double *derivatives, void *user)
{
    experiment_runs *e = user;
    const experiment_plan *p = e->current;
    if (kind != DAEDAL_ROW_POINT || e->next >= p->n_times || p->time[e->next] != t)
        return DAEDAL_CALL_OK;
    double *column = e->derivatives + (size_t)e->unknown_of[parameter] * (size_t)e->m;
    for (int32_t j = 0; j < p->of->measured.n; j++)
        for (int32_t i = p->begin[e->next]; i < p->begin[e->next + 1]; i++) {
            int32_t place = p->place[(size_t)j * (size_t)p->of->times.n + (size_t)i];
            if (place >= 0)
                column[place] = derivatives[p->of->measured.at[j] - e->first_number];
        }
    return DAEDAL_CALL_OK;
}

static daedal_status set_values(experiment_runs *e, const experiment_plan *p, const double *x)
{
    for (int32_t j = 0; j < p->of->set.n; j++) {
        daedal_status status = daedal_model_set(e->model, p->of->set.at[j], p->of->set_to[j]);
        if (status < 0)
            return refused(e, status);
    }
    for (int32_t j = 0; j < p->of->fed.n; j++) {
        daedal_status status = daedal_model_feed(e->model, p->of->fed.at[j], &p->of->signals[j]);
        if (status < 0)
            return refused(e, status);
    }
    for (int32_t j = 0; j < e->n; j++) {
        daedal_status status =
            daedal_model_set(e->model, e->unknown[j].number, unknown_value(&e->unknown[j], x[j]));
        if (status < 0)
            return refused(e, status);
    }
    return DAEDAL_OK;
}

/* What an experiment has set does not stay for the next one. */
static void take_back(experiment_runs *e, const experiment_plan *p)
{
    for (int32_t j = 0; j < p->of->set.n; j++)
        daedal_model_set(e->model, p->of->set.at[j], NAN);
    for (int32_t j = 0; j < p->of->fed.n; j++)
        daedal_model_feed(e->model, p->of->fed.at[j], NULL);
}

static daedal_status simulate(experiment_runs *e, const experiment_plan *p)
{
    daedal_outcome outcome;
    daedal_simulation how = {.t_start = e->asked->t_start,
                             .t_stop = p->time[p->n_times - 1],
                             .times = {p->time, p->n_times},
                             .no_event_rows = 1,
                             .options = e->asked->options,
                             .scale_atol = e->asked->scale_atol,
                             .row = take_row,
                             .row_user = e};
    if (e->derivatives && e->n_parameters > 0) {
        how.parameters = (daedal_ints){e->parameter, e->n_parameters};
        how.sensitivity = take_derivatives;
    }
    e->current = p;
    e->next = 0;
    e->runs++;
    daedal_status status = daedal_model_simulate(e->model, &how, &outcome);
    e->why = outcome.diagnosis;
    e->lacks_derivatives = e->lacks_derivatives || outcome.lacks_derivatives;
    if (status == DAEDAL_STOPPED && outcome.t < how.t_stop)
        return status;
    return status < 0 ? status : DAEDAL_OK;
}

/* All experiments at x; e->values, and e->derivatives unless they are NULL.       */
static daedal_status run_all(experiment_runs *e, const double *x)
{
    daedal_status status = DAEDAL_OK;
    for (int32_t i = 0; i < e->m; i++)
        e->values[i] = NAN;
    for (int32_t k = 0; k < e->asked->n_experiments && status == DAEDAL_OK; k++) {
        status = set_values(e, &e->plan[k], x);
        if (status == DAEDAL_OK)
            status = simulate(e, &e->plan[k]);
        take_back(e, &e->plan[k]);
    }
    for (int32_t i = 0; i < e->m && status == DAEDAL_OK; i++)
        if (!isfinite(e->values[i]))
            status = fail(&e->why, DAEDAL_ERR_NOT_FINITE, "a run gives no value for %s",
                          name_of(e, e->variable[e->group[i]]));
    return status;
}

/* ---- residuals and derivatives ---- */

/* Parameters whose derivatives come with a run: not those that are 0, where terms are missing. */
static void choose_parameters(experiment_runs *e, const double *x)
{
    e->n_parameters = 0;
    for (int32_t j = 0; j < e->n; j++)
        if (e->unknown[j].has_derivative && unknown_value(&e->unknown[j], x[j]) != 0.0) {
            e->parameter[e->n_parameters] = e->unknown[j].number - e->first_number;
            e->unknown_of[e->n_parameters++] = j;
        }
}

static bool comes_with_run(const experiment_runs *e, int32_t unknown)
{
    for (int32_t k = 0; k < e->n_parameters; k++)
        if (e->unknown_of[k] == unknown)
            return true;
    return false;
}

static void weigh(const experiment_runs *e, double *column)
{
    for (int32_t i = 0; i < e->m; i++)
        column[i] /= e->deviation[e->group[i]];
}

/* Values at a moved unknown; false: there are none. */
static bool run_moved(experiment_runs *e, const double *x, int32_t j, double by, double *values,
                      daedal_status *status)
{
    memcpy(e->moved_x, x, (size_t)e->n * sizeof *x);
    e->moved_x[j] = fmin(fmax(x[j] + by, e->unknown[j].lower), e->unknown[j].upper);
    *status = run_all(e, e->moved_x);
    memcpy(values, e->values, (size_t)e->m * sizeof *values);
    return *status == DAEDAL_OK;
}

/* d values / dx of one unknown by differences: central ones, of one side at a bound or where there
 * is no run on the other.  The step balances truncation and the errors of the runs.   */
static daedal_status difference_column(experiment_runs *e, const double *x, int32_t j,
                                       const double *here, double *column)
{
    double step = cbrt(e->accuracy) * fmax(1.0, e->unknown[j].is_log ? 1.0 : fabs(x[j]));
    daedal_status ahead, back;
    bool has_ahead = run_moved(e, x, j, step, e->behind, &ahead);
    double x_ahead = has_ahead ? e->moved_x[j] : x[j];
    if (!has_ahead && !failure_is(ahead, NUMERIC_FAILURE))
        return ahead;
    bool has_back = run_moved(e, x, j, -step, e->before, &back);
    double x_back = has_back ? e->moved_x[j] : x[j];
    if (!has_back && !failure_is(back, NUMERIC_FAILURE))
        return back;
    if (x_ahead == x_back)
        return has_ahead ? back : ahead;
    const double *high = has_ahead ? e->behind : here, *low = has_back ? e->before : here;
    for (int32_t i = 0; i < e->m; i++)
        column[i] = (high[i] - low[i]) / (x_ahead - x_back);
    return DAEDAL_OK;
}

static void take_differences(experiment_runs *e)
{
    e->n_parameters = 0;
    for (int32_t j = 0; j < e->n; j++)
        e->unknown[j].has_derivative = false;
}

/* The run at x with its derivatives; where the model does not have them, or they do not count
 * everything, all come from differences from then on.                             */
static daedal_status run_with_derivatives(experiment_runs *e, const double *x, double *jacobian)
{
    choose_parameters(e, x);
    e->derivatives = jacobian;
    daedal_status status = run_all(e, x);
    e->derivatives = NULL;
    bool differs = e->lacks_derivatives || (status < 0 && e->n_parameters > 0);
    if (status < 0 && differs) {
        e->n_parameters = 0;
        if (run_all(e, x) != DAEDAL_OK)
            return status;
        status = DAEDAL_OK;
    }
    if (differs)
        take_differences(e);
    return status;
}

static daedal_status find_derivatives(experiment_runs *e, const double *x, const double *here,
                                      double *jacobian)
{
    for (int32_t j = 0; j < e->n; j++) {
        double *column = jacobian + (size_t)j * (size_t)e->m;
        if (comes_with_run(e, j)) {
            double slope = unknown_slope(&e->unknown[j], x[j]);
            for (int32_t i = 0; i < e->m; i++)
                column[i] *= slope;
        } else {
            TRY(difference_column(e, x, j, here, column));
        }
        if (!vector_all_finite(column, e->m))
            return fail(&e->why, DAEDAL_ERR_NOT_FINITE, "the derivatives by %s are not finite",
                        name_of(e, e->unknown[j].number));
        weigh(e, column);
    }
    return DAEDAL_OK;
}

daedal_status experiment_residuals(void *self, const double *x, double *r, double *jacobian)
{
    experiment_runs *e = self;
    daedal_status status = jacobian ? run_with_derivatives(e, x, jacobian) : run_all(e, x);
    if (status != DAEDAL_OK)
        return status;
    memcpy(r, e->values, (size_t)e->m * sizeof *r);
    if (jacobian)
        status = find_derivatives(e, x, r, jacobian);
    for (int32_t i = 0; i < e->m; i++)
        r[i] -= e->data[i];
    weigh(e, r);
    return status;
}
