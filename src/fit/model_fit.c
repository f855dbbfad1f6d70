/* fit/model_fit.c - daedal_model_fit: the search for parameters, and what is known of them then.
 *
 * The deviations of the errors that are not given are estimated: after a search each is the root of
 * the squares of the residuals of its variable over their degrees of freedom, which are their
 * number without what the unknowns absorb of their errors (the sum of the leverages), and the
 * search continues with these weights until they do not change any more.  The confidence intervals
 * are those of the linearised problem ([BW88] chapter 2), in x of experiment_runs.h, with the
 * quantiles of Student.  Where several deviations are estimated the degrees of freedom of an
 * unknown follow from the shares that the variables have in its variance ([Sat46]). */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "api/model_handle.h"
#include "base/random.h"
#include "base/status.h"
#include "fit/covariance.h"
#include "fit/experiment_runs.h"
#include "fit/student.h"

enum { ITERATIONS_MOST = 100, WEIGHINGS_MOST = 10, STARTS_MOST = 100000 };
static const double CONFIDENCE = 0.95;
static const double WEIGHT_CHANGE = 0.01; /* of a deviation, below which the weights have settled */
static const double FREEDOM_LEAST = 0.5;  /* of a variable whose errors are absorbed completely */
static const double SAME_SUM = 1e-3; /* searches whose sums differ less ended at one point    */
/* Relative errors of J, in units of the tolerance: of derivatives that come with a run, and of
 * those by differences in units of its power 2/3.                                       */
static const double DERIVATIVE_ERROR = 30.0, DIFFERENCE_ERROR = 10.0;

/* What the caller gets, and its memory. */
typedef struct fit_memory {
    daedal_fit_result shown;
    daedal_allocator allocator; /* a copy: the result may outlive the model */
    arena mem;
} fit_memory;

typedef struct fit_search {
    experiment_runs runs;
    marquardt q;
    covariance of;
    double *first;                  /* n: where the first search begins */
    double *best_x;                 /* n */
    double *lower, *upper, *values; /* n: bounds of x; values of the unknowns */
    double *follow;                 /* n: of one row */
    double *freedom;                /* degrees of freedom of the measured variables */
    double *share;                  /* n x measured variables: of the variances of the unknowns */
    double best_square;
    int32_t start; /* number of the present one */
    marquardt_end best_end;
    int32_t best_iterations, n_failed, n_same;
    bool is_stopped;
    daedal_diagnosis why; /* of a search without a first run */
} fit_search;

/* ---- searches ---- */

static bool tell_progress(void *self, int32_t iteration, double square)
{
    experiment_runs *e = self;
    fit_search *s = (fit_search *)self; /* whose first member it is */
    const daedal_fit *f = e->asked;
    if (!f->progress)
        return true;
    for (int32_t j = 0; j < e->n; j++)
        s->values[j] = unknown_value(&e->unknown[j], s->q.x[j]);
    return f->progress(s->start, iteration, square, s->values, f->progress_user) == DAEDAL_CALL_OK;
}

/* Another place to begin: anywhere between finite bounds, else within a factor of about ten. */
static void draw_start(fit_search *s, uint64_t *state)
{
    for (int32_t j = 0; j < s->runs.n; j++) {
        const fit_unknown *u = &s->runs.unknown[j];
        double x = s->first[j];
        if (isfinite(u->lower) && isfinite(u->upper))
            x = random_uniform(state, u->lower, u->upper);
        else if (u->is_log)
            x += random_uniform(state, -2.3, 2.3);
        else
            x *= exp(random_uniform(state, -2.3, 2.3));
        s->q.x[j] = fmin(fmax(x, u->lower), u->upper);
    }
}

static void keep_if_best(fit_search *s, marquardt_end end)
{
    bool same = fabs(s->q.square - s->best_square) <= SAME_SUM * s->best_square;
    if (s->q.square < s->best_square) {
        memcpy(s->best_x, s->q.x, (size_t)s->runs.n * sizeof *s->best_x);
        s->n_same = same ? s->n_same : 0;
        s->best_square = s->q.square;
        s->best_end = end;
        s->best_iterations = s->q.iterations;
        same = true;
    }
    s->n_same += same;
}

/* One search from q.x.  DAEDAL_OK: it ended somewhere, or there is no run at its first point. */
static daedal_status search_once(fit_search *s)
{
    daedal_status status;
    marquardt_end end = marquardt_solve(&s->q, &status);
    s->is_stopped = end == MARQUARDT_STOPPED;
    if (end != MARQUARDT_FAILED) {
        keep_if_best(s, end);
        return DAEDAL_OK;
    }
    if (s->q.iterations > 0 && failure_is(status, NUMERIC_FAILURE)) {
        keep_if_best(s, MARQUARDT_STUCK); /* no derivatives where it had got to */
        return DAEDAL_OK;
    }
    s->why = s->runs.why;
    s->n_failed++;
    return failure_is(status, NUMERIC_FAILURE) ? DAEDAL_OK : status;
}

static daedal_status search_all(fit_search *s, int32_t n_starts)
{
    uint64_t state = RANDOM_SEED ^ (s->runs.asked->seed * GOLDEN_BITS);
    s->best_square = INFINITY;
    memcpy(s->q.x, s->first, (size_t)s->runs.n * sizeof *s->q.x);
    for (s->start = 0; s->start < n_starts && !s->is_stopped; s->start++) {
        if (s->start > 0)
            draw_start(s, &state);
        TRY(search_once(s));
    }
    if (isinf(s->best_square) && !s->is_stopped)
        return s->why.status;
    return DAEDAL_OK;
}

/* ---- weights ---- */

/* Sum of the squares of the residuals of a variable, in its own units. */
static double square_of(const fit_search *s, int32_t group)
{
    double sum = 0.0;
    for (int32_t i = 0; i < s->runs.m; i++)
        if (s->runs.group[i] == group) {
            double r = s->q.r[i] * s->runs.deviation[group];
            sum += r * r;
        }
    return sum;
}

static int32_t count_free(const fit_search *s)
{
    int32_t n = 0;
    for (int32_t j = 0; j < s->runs.n; j++)
        n += !s->q.is_at_bound[j];
    return n;
}

static double noise_of_jacobian(const experiment_runs *e)
{
    double with_run = DERIVATIVE_ERROR * e->accuracy;
    double by_difference = DIFFERENCE_ERROR * pow(e->accuracy, 2.0 / 3.0);
    bool all_with_run = true;
    for (int32_t j = 0; j < e->n; j++)
        all_with_run &= e->unknown[j].has_derivative;
    return all_with_run ? with_run : by_difference;
}

/* Degrees of freedom of the measured variables, and their shares of the variances of the unknowns.
 */
static bool find_freedoms(fit_search *s)
{
    const experiment_runs *e = &s->runs;
    size_t n = (size_t)e->n;
    if (!covariance_find(&s->of, s->q.jacobian, s->q.is_at_bound, noise_of_jacobian(e)))
        return false;
    memset(s->freedom, 0, (size_t)e->n_groups * sizeof *s->freedom);
    memset(s->share, 0, (size_t)e->n_groups * n * sizeof *s->share);
    for (int32_t i = 0; i < e->m; i++) {
        size_t g = (size_t)e->group[i];
        s->freedom[g] += 1.0 - covariance_follow(&s->of, s->q.jacobian, i, s->follow);
        for (size_t j = 0; j < n; j++)
            s->share[g * n + j] += s->follow[j] * s->follow[j];
    }
    return true;
}

/* A new deviation of a measured variable: residuals and derivatives have other weights. */
static void set_deviation(fit_search *s, int32_t group, double deviation)
{
    experiment_runs *e = &s->runs;
    double ratio = e->deviation[group] / deviation;
    for (int32_t i = 0; i < e->m; i++) {
        if (e->group[i] != group)
            continue;
        s->q.r[i] *= ratio;
        for (int32_t j = 0; j < e->n; j++)
            s->q.jacobian[(size_t)j * (size_t)e->m + (size_t)i] *= ratio;
    }
    e->deviation[group] = deviation;
}

static double largest_of(const experiment_runs *e, int32_t group)
{
    double size = 0.0;
    for (int32_t i = 0; i < e->m; i++)
        if (e->group[i] == group)
            size = fmax(size, fabs(e->data[i]));
    return size;
}

/* New deviations; the largest relative change.  None is less than the errors of the runs. */
static double weigh_again(fit_search *s)
{
    experiment_runs *e = &s->runs;
    double change = 0.0;
    if (!find_freedoms(s))
        return 0.0;
    for (int32_t g = 0; g < e->n_groups; g++) {
        if (!e->is_estimated[g])
            continue;
        double sum = square_of(s, g), freedom = fmax(s->freedom[g], FREEDOM_LEAST);
        double deviation = fmax(sqrt(sum / freedom), e->accuracy * largest_of(e, g));
        if (deviation == 0.0)
            continue;
        change = fmax(change, fabs(deviation / e->deviation[g] - 1.0));
        set_deviation(s, g, deviation);
    }
    return change;
}

/* Go on from the best point with the weights that its residuals tell. */
static daedal_status refine(fit_search *s)
{
    experiment_runs *e = &s->runs;
    daedal_status status;
    memcpy(s->q.x, s->best_x, (size_t)e->n * sizeof *s->q.x);
    for (int k = 0; k < WEIGHINGS_MOST; k++) {
        marquardt_end end = marquardt_solve(&s->q, &status);
        if (end == MARQUARDT_FAILED)
            return status;
        s->best_end = end;
        s->is_stopped |= end == MARQUARDT_STOPPED;
        double change = weigh_again(s);
        if (change <= WEIGHT_CHANGE || e->n_groups == 1 || s->is_stopped)
            break;
    }
    memcpy(s->best_x, s->q.x, (size_t)e->n * sizeof *s->best_x);
    return DAEDAL_OK;
}

/* ---- the result ---- */

static const char *name_of(const experiment_runs *e, int32_t number)
{
    return daedal_model_describe(e->model)->variables[number - e->first_number].name;
}

/* The degrees of freedom with which the variance of an unknown is known: infinite where all
 * deviations were given.                                                          */
static double freedom_of(const fit_search *s, int32_t unknown)
{
    const experiment_runs *e = &s->runs;
    double sum = 0.0, uncertain = 0.0;
    for (int32_t g = 0; g < e->n_groups; g++) {
        double share = s->share[(size_t)g * (size_t)e->n + (size_t)unknown];
        sum += share;
        if (e->is_estimated[g])
            uncertain += share * share / fmax(s->freedom[g], FREEDOM_LEAST);
    }
    return uncertain > 0.0 ? sum * sum / uncertain : HUGE_VAL;
}

static void fill_estimates(const fit_search *s, daedal_estimate *out)
{
    const experiment_runs *e = &s->runs;
    double confidence = e->asked->confidence > 0.0 ? e->asked->confidence : CONFIDENCE;
    for (int32_t j = 0; j < e->n; j++) {
        const fit_unknown *u = &e->unknown[j];
        double x = s->best_x[j];
        double quantile = student_interval(confidence, freedom_of(s, j));
        double deviation = sqrt(s->of.matrix[(size_t)j * (size_t)e->n + (size_t)j]);
        bool held = !s->is_stopped && s->q.is_at_bound[j];
        bool free = !s->is_stopped && s->of.is_undetermined[j];
        out[j] = (daedal_estimate){.name = name_of(e, u->number),
                                   .value = unknown_value(u, x),
                                   .deviation = deviation * fabs(unknown_slope(u, x)),
                                   .low = unknown_value(u, x - quantile * deviation),
                                   .high = unknown_value(u, x + quantile * deviation),
                                   .determination = DAEDAL_DETERMINED};
        if (free || held) {
            out[j].deviation = free ? INFINITY : 0.0;
            out[j].low = free ? unknown_value(u, u->lower) : out[j].value;
            out[j].high = free ? unknown_value(u, u->upper) : out[j].value;
            out[j].determination = free ? DAEDAL_UNDETERMINED : DAEDAL_AT_BOUND;
        }
    }
}

static void fill_correlation(const fit_search *s, double *out)
{
    size_t n = (size_t)s->runs.n;
    const double *c = s->of.matrix;
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < n; i++) {
            double size = sqrt(c[i * n + i] * c[j * n + j]);
            bool known = size > 0.0 && !s->of.is_undetermined[i] && !s->of.is_undetermined[j];
            out[j * n + i] = known ? c[j * n + i] / size : NAN;
        }
}

/* "k1, k2" of the unknowns that take part in a direction. */
static const char *direction_text(fit_memory *to, const fit_search *s, int32_t direction)
{
    char text[400] = "";
    size_t used = 0;
    for (int32_t j = 0; j < s->runs.n && used < sizeof text; j++)
        if (covariance_takes_part(&s->of, direction, j))
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", used ? ", " : "",
                                     name_of(&s->runs, s->runs.unknown[j].number));
    return arena_text(&to->mem, text, strlen(text));
}

static bool fill_undetermined(fit_memory *to, const fit_search *s)
{
    int32_t n = s->of.n_directions;
    const char **text = arena_take(&to->mem, (size_t)n + 1, sizeof *text);
    for (int32_t k = 0; k < n && text; k++)
        text[k] = direction_text(to, s, k);
    to->shown.n_undetermined = n;
    to->shown.undetermined = text;
    return !to->mem.failed;
}

static bool fill_measured(fit_memory *to, const fit_search *s)
{
    const experiment_runs *e = &s->runs;
    daedal_measured *out = arena_take(&to->mem, (size_t)e->n_groups, sizeof *out);
    for (int32_t g = 0; g < e->n_groups && out; g++) {
        out[g] =
            (daedal_measured){.name = name_of(e, e->variable[g]), .deviation = e->deviation[g]};
        for (int32_t i = 0; i < e->m; i++)
            out[g].n += e->group[i] == g;
        out[g].misfit = sqrt(square_of(s, g) / (out[g].n ? out[g].n : 1));
    }
    to->shown.n_measured = e->n_groups;
    to->shown.measured = out;
    return out != NULL;
}

static bool fill_predicted(fit_memory *to, const fit_search *s)
{
    const daedal_fit *f = s->runs.asked;
    const double **all = arena_take(&to->mem, (size_t)f->n_experiments, sizeof *all);
    for (int32_t k = 0; k < f->n_experiments && all; k++) {
        const daedal_experiment *x = &f->experiments[k];
        size_t n = (size_t)x->times.n * (size_t)x->measured.n;
        all[k] = arena_copy(&to->mem, s->runs.plan[k].predicted, n, n, sizeof(double));
    }
    to->shown.predicted = all;
    return !to->mem.failed;
}

static void fill_message(daedal_fit_result *r, const fit_search *s)
{
    static const char *const ends[] = {
        [MARQUARDT_CONVERGED] = "the sum of squares is least here",
        [MARQUARDT_STUCK] = "no step makes the sum of squares smaller, yet its slope is large",
        [MARQUARDT_EXHAUSTED] = "all iterations are used up",
        [MARQUARDT_STOPPED] = "the search was stopped",
        [MARQUARDT_FAILED] = "no run at these values"};
    snprintf(r->message, sizeof r->message, "%s",
             ends[s->is_stopped ? MARQUARDT_STOPPED : s->best_end]);
}

static daedal_status fill_result(fit_memory *to, fit_search *s, int32_t n_starts)
{
    experiment_runs *e = &s->runs;
    daedal_fit_result *r = &to->shown;
    size_t n = (size_t)e->n;
    daedal_estimate *estimates = arena_take(&to->mem, n, sizeof *estimates);
    double *correlation = arena_take(&to->mem, n * n, sizeof *correlation);
    int32_t freedom = e->m - count_free(s);
    if (to->mem.failed || !fill_undetermined(to, s) || !fill_measured(to, s) ||
        !fill_predicted(to, s))
        return DAEDAL_ERR_MEMORY;
    fill_estimates(s, estimates);
    fill_correlation(s, correlation);
    r->has_converged = s->best_end == MARQUARDT_CONVERGED && !s->is_stopped;
    r->n_unknowns = e->n;
    r->estimates = estimates;
    r->correlation = correlation;
    r->n_values = e->m;
    r->degrees_of_freedom = freedom;
    for (int32_t i = 0; i < e->m; i++)
        r->sum += s->q.r[i] * s->q.r[i];
    r->iterations = s->best_iterations;
    r->n_starts = n_starts;
    r->n_failed = s->n_failed;
    r->n_same = s->n_same;
    r->runs = e->runs;
    fill_message(r, s);
    return DAEDAL_OK;
}

/* After a stop the values are known, but neither derivatives nor residuals belong to them. */
static void forget_accuracy(fit_memory *to, const fit_search *s)
{
    const experiment_runs *e = &s->runs;
    daedal_fit_result *r = &to->shown;
    daedal_estimate *estimates = (daedal_estimate *)(uintptr_t)r->estimates;
    daedal_measured *measured = (daedal_measured *)(uintptr_t)r->measured;
    double *correlation = (double *)(uintptr_t)r->correlation;
    r->sum = NAN;
    r->n_undetermined = 0;
    for (int32_t j = 0; j < e->n; j++)
        estimates[j].deviation = estimates[j].low = estimates[j].high = NAN;
    for (int32_t k = 0; k < e->n * e->n; k++)
        correlation[k] = NAN;
    for (int32_t g = 0; g < e->n_groups; g++)
        measured[g].misfit = NAN;
    for (int32_t k = 0; k < e->asked->n_experiments; k++) {
        const daedal_experiment *x = &e->asked->experiments[k];
        double *predicted = (double *)(uintptr_t)r->predicted[k];
        for (int32_t i = 0; i < x->times.n * x->measured.n; i++)
            predicted[i] = NAN;
    }
}

/* ---- the whole ---- */

static bool search_create(fit_search *s, const daedal_allocator *a)
{
    experiment_runs *e = &s->runs;
    size_t n = (size_t)e->n;
    s->first = arena_copy(&e->mem, e->moved_x, n, n, sizeof(double));
    s->best_x = arena_take(&e->mem, n, sizeof(double));
    s->lower = arena_take(&e->mem, n, sizeof(double));
    s->upper = arena_take(&e->mem, n, sizeof(double));
    s->values = arena_take(&e->mem, n, sizeof(double));
    s->follow = arena_take(&e->mem, n, sizeof(double));
    s->freedom = arena_take(&e->mem, (size_t)e->n_groups, sizeof(double));
    s->share = arena_take(&e->mem, (size_t)e->n_groups * n, sizeof(double));
    if (e->mem.failed)
        return false;
    for (size_t j = 0; j < n; j++) {
        s->lower[j] = e->unknown[j].lower;
        s->upper[j] = e->unknown[j].upper;
    }
    s->q = (marquardt){.m = e->m,
                       .n = e->n,
                       .self = s,
                       .residuals = experiment_residuals,
                       .after_step = tell_progress,
                       .lower = s->lower,
                       .upper = s->upper,
                       .iterations_most = e->asked->iterations_most > 0 ? e->asked->iterations_most
                                                                        : ITERATIONS_MOST,
                       .accuracy = e->accuracy};
    return marquardt_create(&s->q, a) && covariance_create(&s->of, e->m, e->n, a);
}

/* At the values that were found: residuals and predictions, which stay set in the model. */
static daedal_status finish(fit_search *s)
{
    daedal_status status = experiment_residuals(s, s->best_x, s->q.r, NULL);
    if (status == DAEDAL_OK &&
        !covariance_find(&s->of, s->q.jacobian, s->q.is_at_bound, noise_of_jacobian(&s->runs)))
        status = DAEDAL_ERR_NEWTON;
    return status;
}

static daedal_status search(fit_search *s, fit_memory *to, const daedal_allocator *a)
{
    int32_t n_starts = s->runs.asked->starts > 0 ? s->runs.asked->starts : 1;
    n_starts = n_starts < STARTS_MOST ? n_starts : STARTS_MOST;
    if (!search_create(s, a))
        return DAEDAL_ERR_MEMORY;
    TRY(search_all(s, n_starts));
    if (isinf(s->best_square))
        return DAEDAL_STOPPED;
    if (!s->is_stopped)
        TRY(refine(s));
    if (!s->is_stopped)
        RETURN_UNLESS_OK(finish(s));
    TRY(fill_result(to, s, n_starts));
    if (s->is_stopped)
        forget_accuracy(to, s);
    return s->is_stopped ? DAEDAL_STOPPED : DAEDAL_OK;
}

static daedal_status refuse(daedal_diagnosis *why, daedal_status status, const fit_search *s)
{
    if (why && s->runs.why.status < 0)
        *why = s->runs.why;
    else
        fail(why, status, "%s", daedal_status_text(status));
    return status;
}

daedal_status daedal_model_fit(daedal_model *handle, const daedal_fit *fit,
                               daedal_fit_result **result, daedal_diagnosis *why)
{
    fit_search s = {0};
    if (result)
        *result = NULL;
    if (!handle || !fit || !result)
        return fail(why, DAEDAL_ERR_ARGUMENT,
                    "a model, a request and a place for the result "
                    "are needed");
    const daedal_allocator *a = &handle->allocator;
    fit_memory *to = memory_take(a, sizeof *to);
    if (!to)
        return fail(why, DAEDAL_ERR_MEMORY, "out of memory");
    to->allocator = *a;
    arena_create(&to->mem, &to->allocator, 0);
    daedal_status status = experiment_runs_create(&s.runs, handle, fit, a);
    if (status == DAEDAL_OK)
        status = search(&s, to, a);
    if (status < 0)
        refuse(why, status, &s);
    marquardt_free(&s.q);
    covariance_free(&s.of);
    experiment_runs_free(&s.runs);
    if (to->shown.estimates)
        *result = &to->shown;
    else
        daedal_fit_result_free(&to->shown);
    return status;
}

void daedal_fit_result_free(daedal_fit_result *result)
{
    fit_memory *of = (fit_memory *)result; /* whose first member it is */
    if (!of)
        return;
    daedal_allocator a = of->allocator;
    arena_free(&of->mem);
    memory_give(&a, of, sizeof *of);
}
