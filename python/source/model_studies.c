/* model_studies.c - what is made of many runs of a model, or at a point of one: linearisation,
 * fits, sweeps.                                                                    */
#include "model_object.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static PyObject *copied(const double *values, size_t n)
{
    doubles view = {(double *)(uintptr_t)values, values ? n : 0, 0};
    return doubles_bytes(&view);
}

static PyObject *texts(const char *const *list, int32_t n)
{
    PyObject *all = PyList_New(0);
    for (int32_t i = 0; all && i < n; i++) {
        PyObject *one = text_or_none(list[i]);
        if (!one || PyList_Append(all, one) < 0)
            Py_CLEAR(all);
        Py_XDECREF(one);
    }
    return all;
}

/* ---- linearisation ---- */

static bool put_pencil(PyObject *to, const daedal_pencil_structure *p)
{
    size_t modes = (size_t)p->n_finite;
    return put(to, "index", PyLong_FromLong(p->index)) &&
           put(to, "is_regular", PyBool_FromLong(p->is_regular)) &&
           put(to, "real", copied(p->real, modes)) &&
           put(to, "imaginary", copied(p->imaginary, modes)) &&
           put(to, "participation",
               copied(p->participation, p->participation ? modes * (size_t)p->columns : 0));
}

static PyObject *linear_dict(const daedal_linear_system *s)
{
    size_t n = (size_t)s->n, u = (size_t)s->n_inputs, y = (size_t)s->n_outputs;
    PyObject *to = Py_BuildValue("{s:d,s:i,s:O,s:O}", "t", s->t, "n", (int)s->n, "is_linear",
                                 s->is_linear ? Py_True : Py_False, "is_equilibrium",
                                 s->is_equilibrium ? Py_True : Py_False);
    bool good = to && put(to, "variables", texts(s->variables, s->n)) &&
                put(to, "equations", texts(s->equations, s->n)) &&
                put(to, "inputs", texts(s->inputs, s->n_inputs)) &&
                put(to, "outputs", texts(s->outputs, s->n_outputs)) &&
                put(to, "E", copied(s->e, n * n)) && put(to, "A", copied(s->a, n * n)) &&
                put(to, "B", copied(s->b, n * u)) && put(to, "C", copied(s->c, y * n)) &&
                put(to, "D", copied(s->d, y * u)) && put(to, "values", copied(s->values, n)) &&
                put(to, "slopes", copied(s->slopes, n)) &&
                put(to, "moving", text_or_none(s->moving)) && put_pencil(to, s->pencil);
    if (!good)
        Py_CLEAR(to);
    return to;
}

/* model_linearize(model, inputs, n, outputs, n): at the point of the run; n < 0: as declared */
PyObject *native_model_linearize(PyObject *self, PyObject *args)
{
    PyObject *capsule, *in, *out;
    int n_in, n_out;
    (void)self;
    if (!PyArg_ParseTuple(args, "OOiOi", &capsule, &in, &n_in, &out, &n_out))
        return NULL;
    daedal_ints inputs = {array_data(in), n_in}, outputs = {array_data(out), n_out};
    model_object *m = PyErr_Occurred() ? NULL : model_enter(capsule);
    if (!m)
        return NULL;
    daedal_linear_system *system = NULL;
    daedal_status status = daedal_model_linearize(m->model, n_in < 0 ? NULL : &inputs,
                                                  n_out < 0 ? NULL : &outputs, &system);
    PyObject *result =
        status < 0 ? raise_status(status, daedal_model_diagnosis(m->model)) : linear_dict(system);
    daedal_linear_system_free(system);
    model_leave(m);
    return result;
}

/* ---- fits ---- */

/* The experiments of a fit: lists of dictionaries; everything points into their arrays. */
typedef struct fit_request {
    daedal_unknown *unknowns;
    daedal_experiment *experiments;
    daedal_signal **signals; /* by experiment */
    int32_t n_unknowns, n_experiments;
} fit_request;

static void fit_request_free(fit_request *r)
{
    for (int32_t i = 0; r->signals && i < r->n_experiments; i++)
        free(r->signals[i]);
    free(r->signals);
    free(r->unknowns);
    free(r->experiments);
}

/* [(times, values, n, interpolation, extrapolation), ...] */
static daedal_signal *read_signals(PyObject *list, int32_t n)
{
    daedal_signal *to = calloc((size_t)n + 1, sizeof *to);
    for (int32_t i = 0; to && i < n; i++) {
        PyObject *one = PyList_GetItem(list, i), *times, *values;
        int count, interpolation, extrapolation;
        if (!PyArg_ParseTuple(one, "OOiii", &times, &values, &count, &interpolation,
                              &extrapolation))
            break;
        to[i] = (daedal_signal){{array_data(times), count},
                                {array_data(values), count},
                                (daedal_interpolation)interpolation,
                                (daedal_extrapolation)extrapolation};
    }
    return to;
}

static void read_experiment(PyObject *from, daedal_experiment *to, daedal_signal **signals)
{
    int32_t n_fed = (int32_t)spec_int(from, "n_fed", 0);
    to->name = spec_text(from, "name");
    to->times =
        (daedal_doubles){spec_doubles(from, "times"), (int32_t)spec_int(from, "n_times", 0)};
    to->measured = spec_ints(from, "measured", (int32_t)spec_int(from, "n_measured", 0));
    to->values = spec_doubles(from, "values");
    to->deviations = spec_doubles(from, "deviations");
    to->set = spec_ints(from, "set", (int32_t)spec_int(from, "n_set", 0));
    to->set_to = spec_doubles(from, "set_to");
    to->fed = spec_ints(from, "fed", n_fed);
    *signals = n_fed > 0 ? read_signals(spec_item(from, "signals"), n_fed) : NULL;
    to->signals = *signals;
}

static bool read_fit(PyObject *spec, fit_request *r)
{
    PyObject *unknowns = spec_item(spec, "unknowns"), *experiments = spec_item(spec, "experiments");
    r->n_unknowns = (int32_t)PyList_Size(unknowns);
    r->n_experiments = (int32_t)PyList_Size(experiments);
    r->unknowns = calloc((size_t)r->n_unknowns + 1, sizeof *r->unknowns);
    r->experiments = calloc((size_t)r->n_experiments + 1, sizeof *r->experiments);
    r->signals = calloc((size_t)r->n_experiments + 1, sizeof *r->signals);
    if (!r->unknowns || !r->experiments || !r->signals) {
        PyErr_NoMemory();
        return false;
    }
    for (int32_t i = 0; i < r->n_unknowns; i++) {
        int number;
        if (!PyArg_ParseTuple(PyList_GetItem(unknowns, i), "iddd", &number, &r->unknowns[i].start,
                              &r->unknowns[i].lower, &r->unknowns[i].upper))
            return false;
        r->unknowns[i].number = number;
    }
    for (int32_t i = 0; i < r->n_experiments; i++)
        read_experiment(PyList_GetItem(experiments, i), &r->experiments[i], &r->signals[i]);
    return !PyErr_Occurred();
}

static PyObject *estimates_list(const daedal_fit_result *f)
{
    static const char *const words[] = {"determined", "at bound", "undetermined"};
    PyObject *list = PyList_New(0);
    for (int32_t i = 0; list && i < f->n_unknowns; i++) {
        const daedal_estimate *e = &f->estimates[i];
        PyObject *one = Py_BuildValue("(Ndddds)", text_or_none(e->name), e->value, e->deviation,
                                      e->low, e->high, words[e->determination]);
        if (!one || PyList_Append(list, one) < 0)
            Py_CLEAR(list);
        Py_XDECREF(one);
    }
    return list;
}

static PyObject *predicted_list(const daedal_fit_result *f, const fit_request *r)
{
    PyObject *list = PyList_New(0);
    for (int32_t i = 0; list && i < r->n_experiments; i++) {
        const daedal_experiment *e = &r->experiments[i];
        PyObject *one = copied(f->predicted ? f->predicted[i] : NULL,
                               (size_t)e->times.n * (size_t)e->measured.n);
        if (!one || PyList_Append(list, one) < 0)
            Py_CLEAR(list);
        Py_XDECREF(one);
    }
    return list;
}

static PyObject *fit_dict(const daedal_fit_result *f, const fit_request *r)
{
    size_t n = (size_t)f->n_unknowns;
    PyObject *to = Py_BuildValue("{s:O,s:d,s:i,s:i,s:i,s:L,s:N,s:N}", "has_converged",
                                 f->has_converged ? Py_True : Py_False, "sum", f->sum, "n_values",
                                 (int)f->n_values, "degrees_of_freedom", (int)f->degrees_of_freedom,
                                 "iterations", (int)f->iterations, "runs", (long long)f->runs,
                                 "message", text_or_none(f->message), "undetermined",
                                 texts(f->undetermined, f->n_undetermined));
    bool good = to && put(to, "estimates", estimates_list(f)) &&
                put(to, "correlation", copied(f->correlation, n * n)) &&
                put(to, "predicted", predicted_list(f, r));
    if (!good)
        Py_CLEAR(to);
    return to;
}

/* model_fit(model, spec) */
PyObject *native_model_fit(PyObject *self, PyObject *args)
{
    PyObject *spec, *result = NULL;
    (void)self;
    model_object *m = model_enter_with(args, &spec);
    if (!m)
        return NULL;
    watch w;
    fit_request request = {0};
    daedal_options options;
    daedal_simulation how;
    daedal_fit_result *found = NULL;
    daedal_diagnosis why = {0};
    if (watch_begin(&w, spec) && read_simulation(spec, &w, &options, &how) &&
        read_fit(spec, &request)) {
        daedal_fit fit = {.unknowns = request.unknowns,
                          .n_unknowns = request.n_unknowns,
                          .experiments = request.experiments,
                          .n_experiments = request.n_experiments,
                          .t_start = how.t_start,
                          .options = &options,
                          .scale_atol = how.scale_atol,
                          .starts = (int32_t)spec_int(spec, "starts", 1),
                          .seed = (uint64_t)spec_int(spec, "seed", 0),
                          .iterations_most = (int32_t)spec_int(spec, "iterations_most", 0),
                          .confidence = spec_double(spec, "confidence", 0.0)};
        watch_release(&w);
        daedal_status status = daedal_model_fit(m->model, &fit, &found, &why);
        watch_enter(&w);
        if (!watch_raise(&w))
            result = status < 0 ? raise_status(status, &why) : fit_dict(found, &request);
    }
    daedal_fit_result_free(found);
    fit_request_free(&request);
    watch_end(&w);
    model_leave(m);
    return result;
}

/* ---- sweeps ---- */

typedef struct sweep_keeper {
    double *results, *t_reached; /* arrays of the caller                               */
    int32_t *status;
    size_t row; /* numbers of a run                                                   */
    PyObject *messages, *progress;
    int64_t n_done;
    watch *watch; /* of this thread                                                   */
} sweep_keeper;

/* Runs arrive one call at a time, but from any thread: the interpreter is taken for failures and
 * for the progress only.                                                               */
static int receive_run(const daedal_sweep_run *run, void *user)
{
    sweep_keeper *k = user;
    int answer = DAEDAL_CALL_OK;
    memcpy(k->results + k->row * (size_t)run->number, run->results, k->row * sizeof *k->results);
    k->t_reached[run->number] = run->outcome->t;
    k->status[run->number] = run->outcome->status;
    k->n_done++;
    bool has_failed = run->outcome->status < 0, reports = k->progress && k->n_done % 16 == 0;
    if (!has_failed && !reports)
        return answer;
    PyGILState_STATE state = PyGILState_Ensure();
    PyObject *key = has_failed ? PyLong_FromLongLong(run->number) : NULL,
             *text = has_failed ? text_or_none(run->outcome->diagnosis.message) : NULL;
    if (has_failed && (!key || !text || PyDict_SetItem(k->messages, key, text) < 0))
        answer = watch_keep_exception(k->watch);
    Py_XDECREF(key);
    Py_XDECREF(text);
    PyObject *told = reports ? PyObject_CallFunction(k->progress, "L", (long long)k->n_done) : NULL;
    if (reports && !told)
        answer = watch_keep_exception(k->watch);
    Py_XDECREF(told);
    PyGILState_Release(state);
    return answer;
}

/* The steps of all threads at once look at nothing but whether the sweep was stopped: by an
 * exception, or by the Python thread that waits for it and receives signals. */
static int sweep_progress(const daedal_progress *where, void *user)
{
    const watch *w = user;
    (void)where;
    return w->failed || *w->stop ? DAEDAL_CALL_STOP : DAEDAL_CALL_OK;
}

/* model_sweep(model, spec): fills the arrays results, t_reached, status; returns messages */
PyObject *native_model_sweep(PyObject *self, PyObject *args)
{
    PyObject *spec;
    (void)self;
    model_object *m = model_enter_with(args, &spec);
    if (!m)
        return NULL;
    watch w;
    daedal_options options;
    daedal_simulation how;
    sweep_keeper keeper = {
        .watch = &w, .progress = spec_item(spec, "report"), .messages = PyDict_New()};
    bool good =
        watch_begin(&w, spec) && read_simulation(spec, &w, &options, &how) && keeper.messages;
    if (good) {
        options.progress = sweep_progress;
        options.log = NULL;
        w.stop = array_data(spec_item(spec, "stop"));
        how.times =
            (daedal_doubles){spec_doubles(spec, "t_eval"), (int32_t)spec_int(spec, "n_eval", 0)};
        keeper.results = spec_doubles(spec, "results");
        keeper.t_reached = spec_doubles(spec, "t_reached");
        keeper.status = array_data(spec_item(spec, "status"));
        daedal_sweep sweep = {.n_runs = spec_int(spec, "n_runs", 0),
                              .varied =
                                  spec_ints(spec, "varied", (int32_t)spec_int(spec, "n_varied", 0)),
                              .values = spec_doubles(spec, "values"),
                              .kept = spec_ints(spec, "kept", (int32_t)spec_int(spec, "n_kept", 0)),
                              .simulation = &how,
                              .threads = (int32_t)spec_int(spec, "threads", 0),
                              .one_by_one = (int32_t)spec_int(spec, "one_by_one", 0),
                              .receive = receive_run,
                              .user = &keeper};
        keeper.row = (size_t)sweep.kept.n * (size_t)how.times.n;
        good = !PyErr_Occurred();
        if (good) {
            watch_release(&w);
            daedal_status status = daedal_model_sweep(m->model, &sweep);
            watch_enter(&w);
            if (status < 0)
                raise_status(status, daedal_model_diagnosis(m->model));
            good = !watch_raise(&w) && !PyErr_Occurred();
        }
    }
    PyObject *result =
        good ? Py_BuildValue("(OO)", keeper.messages, *w.stop ? Py_True : Py_False) : NULL;
    Py_XDECREF(keeper.messages);
    watch_end(&w);
    model_leave(m);
    return result;
}
