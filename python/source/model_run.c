/* model_run.c - runs of models: in one go, call by call, and their starts. */
#include "model_object.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What the rows of a run become. */
typedef struct row_keeper {
    daedal_model *model;
    int32_t n_variables; /* of a row, without derivatives                                     */
    daedal_ints kept;    /* columns of a row that are wanted                                   */
    bool with_slopes;
    const double *t_eval; /* or NULL: every step                                               */
    int64_t n_eval, next;
    bool by_steps; /* rows come at steps                                                   */
    bool is_dense;
    double t_last; /* of the last row, NAN before the first                                */
    doubles t, y, yp, slopes_by_parameter;
    daedal_ints event_column; /* Boolean columns whose changes are events of the user         */
    daedal_ints direction;
    daedal_ints at_zero; /* by event: its function is zero at the start                         */
    double t_start, span;
    const int64_t *terminal;
    int64_t *n_happened;
    double *before; /* row before an event                                                    */
    double *inside; /* row inside a step                                                      */
    doubles event;  /* number, time, kept columns                                             */
    bool is_jump;   /* the run shall end at an event, for an action or because it is terminal  */
    int32_t ended_by;
    bool no_memory;
    dense_record dense;
} row_keeper;

enum { MODEL_POINTS = 14 }; /* of a piece of dense output: the order of the method is at most 13 */

static bool keep(row_keeper *k, double t, const double *row)
{
    double *y = doubles_add(&k->y, (size_t)k->kept.n),
           *yp = k->with_slopes ? doubles_add(&k->yp, (size_t)k->kept.n) : NULL;
    if (!y || (k->with_slopes && !yp) || !doubles_append(&k->t, &t, 1))
        return false;
    for (int32_t i = 0; i < k->kept.n; i++) {
        y[i] = row[k->kept.at[i]];
        if (yp)
            yp[i] = row[k->n_variables + k->kept.at[i]];
    }
    return true;
}

/* Output times inside the step that ends at t. */
static bool keep_passed(row_keeper *k, double t, const double *row)
{
    while (k->next < k->n_eval && k->t_eval[k->next] <= t) {
        double at = k->t_eval[k->next++];
        bool is_end = at == t || isnan(k->t_last);
        if (!is_end && daedal_model_evaluate(k->model, at, k->inside) != DAEDAL_OK)
            is_end = true;
        if (!keep(k, at, is_end ? row : k->inside))
            return false;
    }
    return true;
}

static bool keep_piece(row_keeper *k, double t, const double *row)
{
    double *to = doubles_add(&k->dense.values, (size_t)k->kept.n * MODEL_POINTS);
    if (!to || !dense_begin_piece(&k->dense, k->t_last, t, MODEL_POINTS))
        return false;
    for (int32_t p = 0; p < MODEL_POINTS; p++, to += k->kept.n) {
        double at = k->t_last + dense_place(p, MODEL_POINTS) * (t - k->t_last);
        bool is_end = p == MODEL_POINTS - 1;
        if (!is_end && daedal_model_evaluate(k->model, at, k->inside) != DAEDAL_OK)
            return false;
        for (int32_t i = 0; i < k->kept.n; i++)
            to[i] = (is_end ? row : k->inside)[k->kept.at[i]];
    }
    return true;
}

/* An event function that is zero at the start becomes positive at once, which is no event. */
static bool begins_at_zero(const row_keeper *k, int32_t i, double t)
{
    const double soon = 1e-6; /* of the span */
    return k->at_zero.at && k->at_zero.at[i] && t - k->t_start <= soon * k->span;
}

/* The user's events at a change of the model from `before` to `row`. */
static bool keep_events(row_keeper *k, double t, const double *row)
{
    for (int32_t i = 0; i < k->event_column.n; i++) {
        double change = row[k->event_column.at[i]] - k->before[k->event_column.at[i]];
        if (change == 0.0 || change * k->direction.at[i] < 0.0 || begins_at_zero(k, i, t))
            continue;
        double head[2] = {i, t}, *y;
        if (!doubles_append(&k->event, head, 2) || !(y = doubles_add(&k->event, (size_t)k->kept.n)))
            return false;
        for (int32_t j = 0; j < k->kept.n; j++)
            y[j] = k->before[k->kept.at[j]];
        k->n_happened[i]++;
        if (k->terminal[i] > 0 && k->n_happened[i] >= k->terminal[i]) {
            k->is_jump = true;
            k->ended_by = i;
        }
    }
    return true;
}

static bool take_row(row_keeper *k, daedal_row_kind kind, double t, const double *row)
{
    size_t bytes = (size_t)k->n_variables * sizeof *row;
    bool moved = isnan(k->t_last) || t > k->t_last;
    if (k->is_dense && moved && !isnan(k->t_last) && !keep_piece(k, t, row))
        return false;
    if (k->t_eval && k->by_steps && moved && !keep_passed(k, t, row))
        return false;
    bool is_output = k->t_eval ? !k->by_steps && kind == DAEDAL_ROW_POINT
                               : moved || memcmp(k->before, row, bytes) != 0;
    if (is_output && !keep(k, t, row))
        return false;
    if (kind == DAEDAL_ROW_AFTER_EVENT && !keep_events(k, t, row))
        return false;
    memcpy(k->before, row, bytes);
    k->t_last = t;
    return true;
}

static int receive_row(daedal_row_kind kind, double t, const double *row, void *user)
{
    row_keeper *k = user;
    k->no_memory = k->no_memory || !take_row(k, kind, t, row);
    return k->no_memory || k->is_jump ? DAEDAL_CALL_STOP : DAEDAL_CALL_OK;
}

/* Derivatives belong to the row that was received last; those of rows that are not kept are left
 * out.                                                                             */
static int receive_derivatives(daedal_row_kind kind, double t, int32_t i, const double *derivatives,
                               void *user)
{
    row_keeper *k = user;
    (void)t;
    (void)i;
    if (k->t_eval && kind != DAEDAL_ROW_POINT)
        return DAEDAL_CALL_OK;
    double *to = doubles_add(&k->slopes_by_parameter, (size_t)k->kept.n);
    for (int32_t j = 0; to && j < k->kept.n; j++)
        to[j] = derivatives[k->kept.at[j]];
    k->no_memory = k->no_memory || !to;
    return to ? DAEDAL_CALL_OK : DAEDAL_CALL_STOP;
}

static bool keeper_begin(row_keeper *k, model_object *m, PyObject *spec)
{
    int32_t n = daedal_model_describe(m->model)->n_variables;
    int32_t n_events = (int32_t)spec_int(spec, "n_events", 0);
    *k = (row_keeper){.model = m->model, .n_variables = n, .t_last = NAN, .ended_by = -1};
    k->kept = spec_ints(spec, "kept", (int32_t)spec_int(spec, "n_kept", 0));
    k->with_slopes = spec_int(spec, "derivatives", 0) != 0;
    k->t_eval = spec_doubles(spec, "t_eval");
    k->n_eval = spec_int(spec, "n_eval", 0);
    k->is_dense = spec_int(spec, "dense", 0) != 0;
    k->by_steps = !k->t_eval || k->is_dense;
    k->event_column = spec_ints(spec, "event_column", n_events);
    k->direction = spec_ints(spec, "event_direction", n_events);
    k->at_zero = spec_ints(spec, "at_zero", n_events);
    k->t_start = spec_double(spec, "t0", 0.0);
    k->span = spec_double(spec, "t_end", 0.0) - k->t_start;
    k->terminal = array_data(spec_item(spec, "terminal"));
    k->n_happened = calloc((size_t)n_events + 1, sizeof *k->n_happened);
    k->before = calloc(2 * (size_t)n + 1, sizeof *k->before);
    k->inside = calloc(2 * (size_t)n + 1, sizeof *k->inside);
    if (!k->n_happened || !k->before || !k->inside)
        PyErr_NoMemory();
    return !PyErr_Occurred();
}

static void keeper_end(row_keeper *k)
{
    doubles_free(&k->t);
    doubles_free(&k->y);
    doubles_free(&k->yp);
    doubles_free(&k->slopes_by_parameter);
    doubles_free(&k->event);
    dense_free(&k->dense);
    free(k->n_happened);
    free(k->before);
    free(k->inside);
}

/* ---- requests and outcomes ---- */

bool read_simulation(PyObject *spec, watch *w, daedal_options *options, daedal_simulation *to)
{
    if (!read_options(spec_item(spec, "options"), options))
        return false;
    read_breakpoints(spec, options);
    options->progress = watch_progress;
    options->log = watch_log;
    options->callback_user = w;
    *to = (daedal_simulation){.t_start = spec_double(spec, "t0", 0.0),
                              .t_stop = spec_double(spec, "t_end", 0.0),
                              .options = options,
                              .scale_atol = (int32_t)spec_int(spec, "scale_atol", 1),
                              .stop_at_events = (int32_t)spec_int(spec, "stop_at_events", 0),
                              .verify = (int32_t)spec_int(spec, "verify", 0)};
    to->parameters = spec_ints(spec, "by", (int32_t)spec_int(spec, "n_by", 0));
    return !PyErr_Occurred();
}

static PyObject *warnings_list(const daedal_outcome *o)
{
    PyObject *list = PyList_New(0);
    for (int32_t i = 0; list && i < o->n_warnings; i++) {
        PyObject *one = text_or_none(o->warnings[i].message);
        if (!one || PyList_Append(list, one) < 0)
            Py_CLEAR(list);
        Py_XDECREF(one);
    }
    return list;
}

static PyObject *moved_list(const daedal_outcome *o)
{
    PyObject *list = PyList_New(0);
    for (int32_t i = 0; list && i < o->n_moved; i++) {
        PyObject *one = Py_BuildValue("(Ndd)", text_or_none(o->moved_names[i]), o->moved_from[i],
                                      o->moved_to[i]);
        if (!one || PyList_Append(list, one) < 0)
            Py_CLEAR(list);
        Py_XDECREF(one);
    }
    return list;
}

static PyObject *open_list(const daedal_outcome *o)
{
    PyObject *list = PyList_New(0);
    for (int32_t i = 0; list && i < o->n_open; i++) {
        PyObject *one = text_or_none(o->open_names[i]);
        if (!one || PyList_Append(list, one) < 0)
            Py_CLEAR(list);
        Py_XDECREF(one);
    }
    return list;
}

static PyObject *verification_dict(const daedal_verification *v)
{
    if (!v)
        return text_or_none(NULL);
    return Py_BuildValue("{s:s,s:N,s:d,s:N}", "verdict", daedal_verdict_name(v->verdict), "method",
                         text_or_none(v->method), "error", v->error, "message",
                         text_or_none(v->message));
}

PyObject *outcome_dict(const daedal_outcome *o, const watch *w)
{
    const char *ended = w->is_interrupted             ? "interrupted"
                        : w->is_late                  ? "timeout"
                        : o->status == DAEDAL_STOPPED ? "stopped"
                        : o->status < 0               ? "failed"
                                                      : "end";
    PyObject *to = Py_BuildValue(
        "{s:s,s:i,s:d,s:N,s:N,s:N,s:d,s:N,s:N,s:N}", "ended", ended, "status", (int)o->status,
        "t_reached", o->t, "stats", stats_dict(&o->stats), "method", text_or_none(o->method),
        "method_reason", text_or_none(o->method_reason), "constraint_residual",
        o->constraint_residual, "diagnosis", diagnosis_dict(&o->diagnosis), "blamed_equation",
        text_or_none(o->blamed_equation), "blamed_variable", text_or_none(o->blamed_variable));
    bool good =
        to && put(to, "warnings", warnings_list(o)) && put(to, "moved", moved_list(o)) &&
        put(to, "open", open_list(o)) &&
        put(to, "limiting", limiters_list(o->limiting_variables, o->n_limiting_variables)) &&
        put(to, "verification", verification_dict(o->verification));
    if (!good)
        Py_CLEAR(to);
    return to;
}

static bool put_rows(PyObject *to, const row_keeper *k)
{
    return put(to, "t", doubles_bytes(&k->t)) && put(to, "y", doubles_bytes(&k->y)) &&
           put(to, "yp", doubles_bytes(&k->yp)) && put(to, "events", doubles_bytes(&k->event)) &&
           put(to, "derivatives", doubles_bytes(&k->slopes_by_parameter)) &&
           put(to, "ended_by", PyLong_FromLong(k->ended_by)) &&
           (!k->is_dense || put(to, "dense", dense_dict(&k->dense)));
}

/* ---- runs ---- */

/* model_run(model, spec) */
PyObject *native_model_run(PyObject *self, PyObject *args)
{
    PyObject *spec, *result = NULL;
    row_keeper keeper;
    watch w;
    daedal_options options;
    daedal_simulation how;
    daedal_outcome outcome = {0};
    (void)self;
    model_object *m = model_enter_with(args, &spec);
    if (!m)
        return NULL;
    bool good = watch_begin(&w, spec);
    good = keeper_begin(&keeper, m, spec) && good && read_simulation(spec, &w, &options, &how);
    if (good) {
        how.row = receive_row;
        how.row_user = &keeper;
        how.derivatives = keeper.with_slopes;
        how.every_step = keeper.by_steps;
        how.sensitivity = how.parameters.n > 0 ? receive_derivatives : NULL;
        if (!keeper.by_steps)
            how.times = (daedal_doubles){keeper.t_eval, (int32_t)keeper.n_eval};
        watch_release(&w);
        daedal_model_simulate(m->model, &how, &outcome);
        watch_enter(&w);
        if (keeper.no_memory)
            PyErr_NoMemory();
        else if (!watch_raise(&w) && !PyErr_Occurred())
            result = outcome_dict(&outcome, &w);
        if (result && !put_rows(result, &keeper))
            Py_CLEAR(result);
    }
    keeper_end(&keeper);
    watch_end(&w);
    model_leave(m);
    return result;
}

/* model_start(model, spec, values): the consistent start, into an array of all variables and
 * derivatives.                                                                     */
PyObject *native_model_start(PyObject *self, PyObject *args)
{
    PyObject *capsule, *spec, *values, *result = NULL;
    watch w;
    daedal_options options;
    daedal_simulation how;
    daedal_outcome outcome = {0};
    (void)self;
    if (!PyArg_ParseTuple(args, "OOO", &capsule, &spec, &values))
        return NULL;
    double *to = array_data(values);
    model_object *m = to ? model_enter(capsule) : NULL;
    if (!m)
        return NULL;
    if (watch_begin(&w, spec) && read_simulation(spec, &w, &options, &how)) {
        how.derivatives = 1;
        watch_release(&w);
        daedal_model_start(m->model, &how, to, &outcome);
        watch_enter(&w);
        if (!watch_raise(&w))
            result = outcome_dict(&outcome, &w);
    }
    watch_end(&w);
    model_leave(m);
    return result;
}

/* ---- call by call ---- */

/* model_begin(model, spec) */
PyObject *native_model_begin(PyObject *self, PyObject *args)
{
    PyObject *spec;
    daedal_options options;
    daedal_simulation how;
    (void)self;
    model_object *m = model_enter_with(args, &spec);
    if (!m)
        return NULL;
    if (m->has_watch)
        watch_end(&m->stepping);
    m->has_watch = watch_begin(&m->stepping, spec);
    PyObject *result = NULL;
    if (m->has_watch && read_simulation(spec, &m->stepping, &options, &how)) {
        watch_release(&m->stepping);
        daedal_status status = daedal_model_begin(m->model, &how);
        watch_enter(&m->stepping);
        if (!watch_raise(&m->stepping))
            result = status < 0 ? raise_status(status, daedal_model_diagnosis(m->model))
                                : PyFloat_FromDouble(daedal_model_time(m->model));
    }
    model_leave(m);
    return result;
}

/* model_advance(model, t, single): (t, status) */
PyObject *native_model_advance(PyObject *self, PyObject *args)
{
    PyObject *capsule, *result = NULL;
    double t;
    int single;
    (void)self;
    if (!PyArg_ParseTuple(args, "Odi", &capsule, &t, &single))
        return NULL;
    model_object *m = model_enter(capsule);
    if (!m)
        return NULL;
    watch *w = &m->stepping;
    w->failed = w->is_interrupted = false;
    watch_release(w);
    daedal_status status =
        single ? daedal_model_step(m->model, t) : daedal_model_advance(m->model, t);
    watch_enter(w);
    if (!watch_raise(w)) {
        if (w->is_interrupted)
            PyErr_SetNone(PyExc_KeyboardInterrupt);
        else
            result = status < 0 ? raise_status(status, daedal_model_diagnosis(m->model))
                                : Py_BuildValue("(di)", daedal_model_time(m->model), (int)status);
    }
    model_leave(m);
    return result;
}

/* model_end(model): the outcome */
PyObject *native_model_end(PyObject *self, PyObject *capsule)
{
    model_object *m = model_enter(capsule);
    daedal_outcome outcome = {0};
    (void)self;
    if (!m)
        return NULL;
    watch none = {0};
    daedal_model_end(m->model, &outcome);
    PyObject *result = outcome_dict(&outcome, m->has_watch ? &m->stepping : &none);
    model_leave(m);
    return result;
}
