/* function_run.c - a run of a function: the loop over steps and output points. */
#include "python_calls.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What a run has produced. */
typedef struct function_run {
    python_calls calls;
    watch watch;
    daedal_solver *solver;
    daedal_system system;
    daedal_pattern pattern, dyp_pattern, mass_pattern;
    daedal_options options;
    const char **names;
    double t0, t_end;
    const double *t_eval; /* or NULL: every step                                   */
    int64_t n_eval, next;
    int64_t max_steps;
    bool is_dense;
    dense_record dense;
    doubles t, y, yp;     /* output                                                  */
    doubles event;        /* number, time, y of each event                           */
    PyObject *actions;    /* tuple: a function or None for each event                */
    int64_t *terminal;    /* by event: after how many it ends the run; 0: never       */
    int64_t *n_happened;  /* by event                                                */
    int32_t ended_by;     /* number of the terminal event, or -1                     */
    double *state;        /* working memory: y and y'                                */
    daedal_diagnosis why; /* of a failure before there was a solver                 */
} function_run;

/* ---- set-up ---- */

/* A pattern from the arrays `<key>_start` and `<key>_row`. */
static const daedal_pattern *read_pattern(PyObject *spec, const char *start, const char *row,
                                          int32_t n, daedal_pattern *to)
{
    if (!spec_item(spec, start))
        return NULL;
    *to = (daedal_pattern){n, n, array_data(spec_item(spec, start)),
                           array_data(spec_item(spec, row))};
    return to;
}

static bool read_names(function_run *r, PyObject *spec)
{
    PyObject *list = spec_item(spec, "names");
    if (!list)
        return true;
    r->names = calloc((size_t)r->calls.n, sizeof *r->names);
    for (int32_t i = 0; r->names && i < r->calls.n; i++)
        r->names[i] = PyBytes_AsString(PyList_GetItem(list, i));
    r->system.variable_names = r->names;
    if (!r->names)
        PyErr_NoMemory();
    return r->names && !PyErr_Occurred();
}

static bool read_system(function_run *r, PyObject *spec)
{
    int32_t n = r->calls.n, n_events = r->calls.n_events;
    daedal_system *s = &r->system;
    python_calls_describe(&r->calls, s);
    s->pattern = read_pattern(spec, "pattern_start", "pattern_row", n, &r->pattern);
    s->dyp_pattern = read_pattern(spec, "dyp_start", "dyp_row", n, &r->dyp_pattern);
    s->mass_pattern = read_pattern(spec, "mass_start", "mass_row", n, &r->mass_pattern);
    s->mass_kind = (int32_t)spec_int(spec, "mass_kind", DAEDAL_MASS_CONSTANT);
    s->event_direction = spec_ints(spec, "event_direction", n_events);
    s->variable_index = spec_ints(spec, "variable_index", n);
    double *lower = spec_doubles(spec, "lower"), *upper = spec_doubles(spec, "upper");
    s->lower = (daedal_doubles){lower, lower ? n : 0};
    s->upper = (daedal_doubles){upper, upper ? n : 0};
    return read_names(r, spec) && !PyErr_Occurred();
}

static bool read_request(function_run *r, PyObject *spec)
{
    int32_t n = r->calls.n;
    size_t n_events = (size_t)r->calls.n_events;
    r->t0 = spec_double(spec, "t0", 0.0);
    r->t_end = spec_double(spec, "t_end", 0.0);
    r->t_eval = spec_doubles(spec, "t_eval");
    r->n_eval = spec_int(spec, "n_eval", 0);
    r->max_steps = spec_int(spec, "max_steps", INT64_MAX);
    r->is_dense = spec_int(spec, "dense", 0) != 0;
    r->actions = spec_item(spec, "actions");
    r->ended_by = -1;
    r->terminal = array_data(spec_item(spec, "terminal"));
    r->n_happened = calloc(n_events + 1, sizeof *r->n_happened);
    r->state = malloc((2 * (size_t)n + 1) * sizeof *r->state);
    if (!r->n_happened || !r->state)
        PyErr_NoMemory();
    if (PyErr_Occurred() || !read_options(spec_item(spec, "options"), &r->options))
        return false;
    double *atol = spec_doubles(spec, "atol_each"), *rtol = spec_doubles(spec, "rtol_each");
    r->options.atol_each = (daedal_doubles){atol, atol ? n : 0};
    r->options.rtol_each = (daedal_doubles){rtol, rtol ? n : 0};
    read_breakpoints(spec, &r->options);
    r->options.progress = watch_progress;
    r->options.log = watch_log;
    r->options.callback_user = &r->watch;
    return !PyErr_Occurred();
}

static bool set_up(function_run *r, PyObject *spec)
{
    return watch_begin(&r->watch, spec) && python_calls_begin(&r->calls, spec, &r->watch) &&
           read_system(r, spec) && read_request(r, spec);
}

static void clean_up(function_run *r)
{
    daedal_solver_free(r->solver);
    python_calls_end(&r->calls);
    watch_end(&r->watch);
    dense_free(&r->dense);
    doubles_free(&r->t);
    doubles_free(&r->y);
    doubles_free(&r->yp);
    doubles_free(&r->event);
    free(r->names);
    free(r->n_happened);
    free(r->state);
}

/* ---- output ---- */

static bool add_point(function_run *r, double t, const double *y, const double *yp)
{
    size_t n = (size_t)r->calls.n;
    return doubles_append(&r->t, &t, 1) && doubles_append(&r->y, y, n) &&
           doubles_append(&r->yp, yp, n);
}

static bool add_state(function_run *r)
{
    const daedal_state *s = daedal_solver_state(r->solver);
    return add_point(r, s->t, s->y, s->yp);
}

/* The piece of the solution between t_from and the state, at its points. */
static daedal_status add_piece(function_run *r, double t_from)
{
    const daedal_state *s = daedal_solver_state(r->solver);
    size_t n = (size_t)r->calls.n;
    double t_to = s->t;
    int32_t n_points = dense_points(daedal_solver_stats(r->solver)->order_last);
    if (t_to == t_from)
        return DAEDAL_OK;
    double *to = doubles_add(&r->dense.values, n * (size_t)n_points);
    if (!to || !dense_begin_piece(&r->dense, t_from, t_to, n_points))
        return DAEDAL_ERR_MEMORY;
    for (int32_t k = 0; k < n_points; k++, to += n) {
        double t = t_from + dense_place(k, n_points) * (t_to - t_from);
        daedal_status status =
            daedal_solver_evaluate(r->solver, k + 1 < n_points ? t : t_to, to, r->state);
        if (status != DAEDAL_OK)
            return status;
    }
    return DAEDAL_OK;
}

/* Output times inside the last step. */
static daedal_status add_passed(function_run *r)
{
    double direction = r->t_end >= r->t0 ? 1.0 : -1.0, t = daedal_solver_state(r->solver)->t;
    size_t n = (size_t)r->calls.n;
    while (r->next < r->n_eval && direction * (t - r->t_eval[r->next]) >= 0.0) {
        double at = r->t_eval[r->next++], *y = doubles_add(&r->y, n), *yp = doubles_add(&r->yp, n);
        if (!y || !yp || !doubles_append(&r->t, &at, 1))
            return DAEDAL_ERR_MEMORY;
        daedal_status status = daedal_solver_evaluate(r->solver, at, y, yp);
        if (status != DAEDAL_OK)
            return status;
    }
    return DAEDAL_OK;
}

/* ---- events ---- */

/* The actions of the events at the current state; the integrator begins again if one of them
 * changes it.                                                                       */
static daedal_status act(function_run *r, bool *has_ended)
{
    const daedal_state *s = daedal_solver_state(r->solver);
    size_t n = (size_t)r->calls.n;
    bool any = false;
    memcpy(r->state, s->y, n * sizeof *r->state);
    for (int32_t i = 0; i < r->calls.n_events; i++) {
        if (s->event[i] == 0)
            continue;
        double head[2] = {i, s->t};
        if (!doubles_append(&r->event, head, 2) || !doubles_append(&r->event, s->y, n))
            return DAEDAL_ERR_MEMORY;
        r->n_happened[i]++;
        if (r->terminal[i] > 0 && r->n_happened[i] >= r->terminal[i] && !*has_ended) {
            *has_ended = true;
            r->ended_by = i;
        }
        PyObject *action = PyTuple_GetItem(r->actions, i);
        bool changed = false;
        if (action != Py_None &&
            !python_calls_action(&r->calls, action, s->t, r->state, s->yp, &changed))
            return DAEDAL_STOPPED;
        any = any || changed;
    }
    daedal_status status = any ? daedal_solver_restart(r->solver, r->state, NULL) : DAEDAL_OK;
    return any && status == DAEDAL_OK && !add_state(r) ? DAEDAL_ERR_MEMORY : status;
}

/* ---- the run ---- */

static bool has_reached(const function_run *r)
{
    return daedal_solver_state(r->solver)->t == r->t_end;
}

/* One step, with what it passes. */
static daedal_status step(function_run *r, bool *has_ended)
{
    double t_from = daedal_solver_state(r->solver)->t;
    daedal_status status = daedal_solver_step(r->solver, r->t_end);
    if (status != DAEDAL_OK && status != DAEDAL_EVENT)
        return status;
    daedal_status added = r->is_dense ? add_piece(r, t_from) : DAEDAL_OK;
    if (added == DAEDAL_OK && r->t_eval)
        added = add_passed(r);
    if (added == DAEDAL_OK && !r->t_eval && !add_state(r))
        added = DAEDAL_ERR_MEMORY;
    return added == DAEDAL_OK && status == DAEDAL_EVENT ? act(r, has_ended) : added;
}

/* To the next output time. */
static daedal_status advance(function_run *r, bool *has_ended)
{
    double to = r->next < r->n_eval ? r->t_eval[r->next] : r->t_end;
    daedal_status status = daedal_solver_advance(r->solver, to);
    if (status != DAEDAL_OK && status != DAEDAL_EVENT)
        return status;
    if (r->next < r->n_eval && daedal_solver_state(r->solver)->t == to) {
        r->next++;
        if (!add_state(r))
            return DAEDAL_ERR_MEMORY;
    }
    return status == DAEDAL_EVENT ? act(r, has_ended) : DAEDAL_OK;
}

static daedal_status fail_step_limit(function_run *r)
{
    r->why = (daedal_diagnosis){.status = DAEDAL_ERR_STEP_LIMIT,
                                .cause = DAEDAL_CAUSE_TOO_MUCH_WORK,
                                .t = daedal_solver_state(r->solver)->t,
                                .equation = -1,
                                .variable = -1};
    PyOS_snprintf(r->why.message, sizeof r->why.message,
                  "t = %.10g was reached after max_steps = %lld steps, before the end", r->why.t,
                  (long long)r->max_steps);
    return DAEDAL_ERR_STEP_LIMIT;
}

static daedal_status integrate(function_run *r)
{
    bool has_ended = false, by_steps = !r->t_eval || r->is_dense;
    daedal_status status = DAEDAL_OK;
    if (!r->t_eval ? !add_state(r) : r->n_eval > 0 && r->t_eval[0] == r->t0 && !add_state(r))
        return DAEDAL_ERR_MEMORY;
    r->next = r->t_eval && r->n_eval > 0 && r->t_eval[0] == r->t0;
    while (status == DAEDAL_OK && !has_reached(r) && !has_ended) {
        status = by_steps ? step(r, &has_ended) : advance(r, &has_ended);
        if (status == DAEDAL_OK && daedal_solver_stats(r->solver)->steps > r->max_steps)
            status = fail_step_limit(r);
    }
    if (has_ended && r->t_eval && status == DAEDAL_OK) /* as solve_ivp: no further output */
        return DAEDAL_EVENT;
    return has_ended && status == DAEDAL_OK ? DAEDAL_EVENT : status;
}

/* daedal_solver_start, with masks where values are fixed. */
static daedal_status start(function_run *r, PyObject *spec)
{
    int32_t n = r->calls.n;
    double *y0 = spec_doubles(spec, "y0"), *yp0 = spec_doubles(spec, "yp0");
    daedal_ints y_mask = spec_ints(spec, "y_mask", n), yp_mask = spec_ints(spec, "yp_mask", n);
    bool goes_on = spec_int(spec, "start_only", 0) == 0; /* read while the interpreter is held */
    bool is_native = !r->calls.fun && !r->calls.jac && !r->calls.mass && !r->calls.n_events;
    if (is_native)
        watch_release(&r->watch);
    daedal_status status =
        y_mask.at ? daedal_solver_start_masked(r->solver, r->t0, y0, yp0, y_mask, yp_mask)
                  : daedal_solver_start(r->solver, r->t0, y0, yp0);
    if (status == DAEDAL_OK && !r->watch.failed && goes_on)
        status = integrate(r);
    watch_enter(&r->watch);
    return status;
}

/* ---- what a run tells ---- */

static PyObject *moved_list(const function_run *r)
{
    int32_t count = 0;
    const daedal_moved *moved = daedal_solver_moved(r->solver, &count);
    PyObject *list = PyList_New(0);
    for (int32_t i = 0; list && i < count; i++) {
        PyObject *one = Py_BuildValue("(iidd)", (int)moved[i].variable, (int)moved[i].is_derivative,
                                      moved[i].from, moved[i].to);
        if (!one || PyList_Append(list, one) < 0)
            Py_CLEAR(list);
        Py_XDECREF(one);
    }
    return list;
}

static PyObject *structure_dict(const function_run *r)
{
    const daedal_structure *s = daedal_solver_structure(r->solver);
    PyObject *kinds = s ? PyList_New(0) : NULL;
    for (int32_t i = 0; kinds && s->variable_kind && i < s->n; i++) {
        PyObject *kind = PyLong_FromLong(s->variable_kind[i]);
        if (!kind || PyList_Append(kinds, kind) < 0)
            Py_CLEAR(kinds);
        Py_XDECREF(kind);
    }
    if (!kinds)
        return PyErr_Occurred() ? NULL : text_or_none(NULL);
    return Py_BuildValue("{s:i,s:i,s:i,s:i,s:N,s:N,s:N,s:N}", "nnz", (int)s->nnz, "index",
                         (int)s->index, "colours", (int)s->n_colours, "differential",
                         (int)s->n_differential, "kinds", kinds, "linear_solver",
                         text_or_none(s->linear_solver), "method", text_or_none(s->method),
                         "method_reason", text_or_none(s->method_reason));
}

static bool put_state(const function_run *r, PyObject *to)
{
    const daedal_state *s = daedal_solver_state(r->solver);
    doubles y = {(double *)(uintptr_t)s->y, (size_t)s->n, 0},
            yp = {(double *)(uintptr_t)s->yp, (size_t)s->n, 0};
    return put(to, "t_reached", PyFloat_FromDouble(s->t)) &&
           put(to, "y_reached", doubles_bytes(&y)) && put(to, "yp_reached", doubles_bytes(&yp));
}

static PyObject *outcome(function_run *r, daedal_status status)
{
    PyObject *to = PyDict_New();
    const daedal_diagnosis *why =
        r->why.status < 0 || !r->solver ? &r->why : daedal_solver_diagnosis(r->solver);
    const char *ended = r->watch.is_interrupted    ? "interrupted"
                        : r->watch.is_late         ? "timeout"
                        : status == DAEDAL_EVENT   ? "event"
                        : status == DAEDAL_STOPPED ? "stopped"
                        : status < 0               ? "failed"
                                                   : "end";
    bool good = to && put(to, "ended", PyUnicode_FromString(ended)) &&
                put(to, "status", PyLong_FromLong(status)) &&
                put(to, "ended_by", PyLong_FromLong(r->ended_by)) &&
                put(to, "diagnosis", diagnosis_dict(why)) && put(to, "t", doubles_bytes(&r->t)) &&
                put(to, "y", doubles_bytes(&r->y)) && put(to, "yp", doubles_bytes(&r->yp)) &&
                put(to, "events", doubles_bytes(&r->event)) &&
                PyDict_SetItemString(to, "warnings", r->watch.warnings) == 0;
    if (good && r->is_dense)
        good = put(to, "dense", dense_dict(&r->dense));
    if (good && r->solver)
        good = put_state(r, to) && put(to, "stats", stats_dict(daedal_solver_stats(r->solver))) &&
               put(to, "moved", moved_list(r)) && put(to, "structure", structure_dict(r));
    if (!good)
        Py_CLEAR(to);
    return to;
}

PyObject *native_run_function(PyObject *self, PyObject *spec)
{
    function_run r = {0};
    PyObject *result = NULL;
    (void)self;
    if (set_up(&r, spec)) {
        daedal_status status = daedal_solver_create(&r.solver, &r.system, &r.options, &r.why);
        if (status == DAEDAL_OK)
            status = start(&r, spec);
        if (status == DAEDAL_ERR_MEMORY)
            PyErr_NoMemory();
        else if (!watch_raise(&r.watch) && !PyErr_Occurred())
            result = outcome(&r, status);
    }
    clean_up(&r);
    return result;
}

/* ---- the index of a function ---- */

static PyObject *analysis_dict(const daedal_analysis *a, int32_t n)
{
    PyObject *indices = PyList_New(0);
    for (int32_t i = 0; indices && a->variable_index && i < n; i++) {
        PyObject *one = PyLong_FromLong(a->variable_index[i]);
        if (!one || PyList_Append(indices, one) < 0)
            Py_CLEAR(indices);
        Py_XDECREF(one);
    }
    return indices
               ? Py_BuildValue("{s:i,s:C,s:i,s:i,s:N,s:N,s:N,s:L}", "index", (int)a->index, "grade",
                               (int)a->grade, "structural_index", (int)a->structural_index,
                               "degrees_of_freedom", (int)a->degrees_of_freedom, "variable_index",
                               indices, "chain", text_or_none(a->chain), "reason",
                               text_or_none(a->reason), "residuals", (long long)a->residuals)
               : NULL;
}

PyObject *native_analyze_function(PyObject *self, PyObject *spec)
{
    function_run r = {0};
    PyObject *result = NULL;
    (void)self;
    if (set_up(&r, spec)) {
        daedal_analysis a;
        double *y = spec_doubles(spec, "y0"), *yp = spec_doubles(spec, "yp0");
        daedal_status status = daedal_solver_create(&r.solver, &r.system, &r.options, &r.why);
        const daedal_diagnosis *why = &r.why;
        if (status == DAEDAL_OK) {
            status = daedal_solver_analyze(r.solver, r.t0, y, yp, &a);
            why = daedal_solver_diagnosis(r.solver);
        }
        if (!watch_raise(&r.watch)) {
            if (status < 0)
                PyErr_SetString(PyExc_ValueError, why->message);
            else
                result = analysis_dict(&a, r.calls.n);
        }
    }
    clean_up(&r);
    return result;
}
