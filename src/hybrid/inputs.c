/* hybrid/inputs.c - see discrete.h: inputs of the whole model.
 *
 * An input keeps its value until the caller writes another one; that takes effect in the next
 * event, for all inputs that were written at once, and the event iteration finds what follows from
 * it.  An input that was never written has its start value.  An input may also be given by data
 * over time: then it varies by itself, and jumps at events (input_signals.h).                 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "hybrid/discrete.h"
#include "hybrid/input_signals.h"

typedef struct model_inputs {
    size_t n;
    double *value;         /* written last; NAN: not written */
    bool has_changed;      /* some value is not in x yet */
    bool is_told;          /* that a derivative of an input is an impulse */
    double *before;        /* values at the beginning of an event */
    input_signal **signal; /* by input, or NULL: it is written */
    size_t n_signals;
} model_inputs;

static model_inputs *inputs_of(const discrete_part *m)
{
    return m->compiled->signals->user;
}

bool inputs_build(discrete_part *m)
{
    size_t n = m->flat->n_inputs;
    model_inputs *in = arena_take(m->mem, 1, sizeof *in);
    if (!in)
        return false;
    *in = (model_inputs){.n = n,
                         .value = arena_take(m->mem, n + 1, sizeof *in->value),
                         .before = arena_take(m->mem, n + 1, sizeof *in->before),
                         .signal = arena_take(m->mem, n + 1, sizeof *in->signal)};
    for (size_t k = 0; k < n && in->value; k++)
        in->value[k] = NAN;
    m->compiled->signals->user = in;
    return !m->mem->failed;
}

static uint32_t slot_of(const discrete_part *m, size_t k)
{
    return m->values->place.input + flat_input_number((uint32_t)k, 0);
}

void inputs_write(discrete_part *m, size_t k, double value)
{
    model_inputs *in = inputs_of(m);
    in->value[k] = value;
    in->has_changed = in->has_changed || m->values->x[slot_of(m, k)] != value;
}

bool inputs_are_written(const discrete_part *m)
{
    return inputs_of(m)->has_changed || m->search->parameters.is_waiting;
}

bool inputs_are_free(const discrete_part *m)
{
    return inputs_of(m)->n > inputs_of(m)->n_signals;
}

bool inputs_has_signal(const discrete_part *m, size_t k)
{
    return inputs_of(m)->signal[k] != NULL;
}

bool inputs_has_value(const discrete_part *m, size_t k)
{
    return !isnan(inputs_of(m)->value[k]) || inputs_of(m)->signal[k];
}

/* Enumerations begin with 1. */
static double default_value(const discrete_part *m, size_t k)
{
    const flat_variable *v = &m->flat->variables[m->flat->inputs[k].variable];
    if (v->start == EXPR_NONE)
        return v->type == FLAT_ENUM ? 1.0 : 0.0;
    return compiled_evaluate(m->compiled, v->start);
}

/* ---- data over time ---- */

static void fill(void *user, double t, double *values)
{
    const model_inputs *in = user;
    for (size_t k = 0; k < in->n; k++)
        if (in->signal[k])
            signal_values(in->signal[k], t, values + flat_input_number((uint32_t)k, 0),
                          FLAT_INPUT_ORDERS);
}

void inputs_forget_signal(discrete_part *m, size_t k)
{
    model_inputs *in = inputs_of(m);
    if (!in->signal[k])
        return;
    signal_free(in->signal[k]);
    memory_give(m->allocator, in->signal[k], sizeof *in->signal[k]);
    in->signal[k] = NULL;
    in->n_signals--;
    m->compiled->signals->fill = in->n_signals ? fill : NULL;
}

bool inputs_use_signal(discrete_part *m, size_t k, const daedal_signal *from)
{
    model_inputs *in = inputs_of(m);
    input_signal *made = memory_take(m->allocator, sizeof *made);
    if (!made || !signal_create(made, from, m->allocator)) {
        memory_give(m->allocator, made, made ? sizeof *made : 0);
        return false;
    }
    inputs_forget_signal(m, k);
    in->signal[k] = made;
    in->n_signals++;
    m->compiled->signals->fill = fill;
    return true;
}

void inputs_bring(discrete_part *m, size_t i, const discrete_part *from, size_t k)
{
    model_inputs *to = inputs_of(m), *of = inputs_of(from);
    to->value[i] = of->value[k];
    if (!of->signal[k])
        return;
    to->signal[i] = of->signal[k];
    to->signal[i]->mem.allocator = m->allocator;
    to->n_signals++;
    m->compiled->signals->fill = fill;
    of->signal[k] = NULL;
    of->n_signals--;
}

bool inputs_duplicate(discrete_part *m, size_t i, const discrete_part *from, size_t k)
{
    const input_signal *of = inputs_of(from)->signal[k];
    inputs_of(m)->value[i] = inputs_of(from)->value[k];
    if (!of)
        return true;
    daedal_signal data = {.times = {of->t, (int32_t)of->n},
                          .values = {of->value, (int32_t)of->n},
                          .interpolation = of->interpolation,
                          .extrapolation = of->extrapolation};
    return inputs_use_signal(m, i, &data);
}

void inputs_free(discrete_part *m)
{
    for (size_t k = 0; inputs_of(m) && inputs_of(m)->signal && k < inputs_of(m)->n; k++)
        inputs_forget_signal(m, k);
}

daedal_status inputs_check_span(const discrete_part *m)
{
    const model_inputs *in = inputs_of(m);
    for (size_t k = 0; k < in->n; k++) {
        const input_signal *s = in->signal[k];
        if (!s || s->extrapolation != DAEDAL_REFUSE ||
            (s->t[0] <= m->t_start && s->t[s->n - 1] >= m->t_stop))
            continue;
        fail(m->why, DAEDAL_ERR_ARGUMENT,
             "the data of the input %.200s go from t = %.10g to %.10g, the run from %.10g to %.10g",
             variable_text(m->reduced, m->flat->inputs[k].variable), s->t[0], s->t[s->n - 1],
             m->t_start, m->t_stop);
        hint(m->why, "shorten the run, or let the first and last values hold outside (hold)");
        return DAEDAL_ERR_ARGUMENT;
    }
    return DAEDAL_OK;
}

void inputs_refresh(discrete_part *m)
{
    if (inputs_of(m)->n_signals)
        fill(inputs_of(m), m->values->x[0], m->values->x + m->values->place.input);
}

double inputs_next_time(const discrete_part *m)
{
    const model_inputs *in = inputs_of(m);
    double t = HUGE_VAL;
    for (size_t k = 0; k < in->n && in->n_signals; k++)
        if (in->signal[k])
            t = fmin(t, signal_next_jump(in->signal[k]));
    return t;
}

double inputs_next_knot(const discrete_part *m, double t)
{
    const double share = 0.1; /* of the tolerance */
    const model_inputs *in = inputs_of(m);
    double first = HUGE_VAL;
    for (size_t k = 0; k < in->n && in->n_signals; k++) {
        input_signal *s = in->signal[k];
        if (s)
            first = fmin(first, signal_next_knot(s, t, share * m->rtol * s->scale));
    }
    return first;
}

/* ---- at the start and at events ---- */

void inputs_begin(discrete_part *m)
{
    model_inputs *in = inputs_of(m);
    for (size_t k = 0; k < in->n; k++)
        if (in->signal[k])
            signal_begin(in->signal[k], m->values->x[0]);
        else
            values_set(m->values, slot_of(m, k),
                       isnan(in->value[k]) ? default_value(m, k) : in->value[k]);
    inputs_refresh(m);
    in->has_changed = in->is_told = false;
}

/* An input has jumped and the model contains its derivative.  Where its data are given, values of
 * other variables follow the jump without a word; what depends on the impulse is lost.  */
static void tell_impulse(discrete_part *m, size_t k)
{
    model_inputs *in = inputs_of(m);
    char text[400];
    snprintf(text, sizeof text,
             "%.150s jumps from %.6g to %.6g at t = %.10g: the equations contain its derivative, "
             "which is an impulse there, and is not integrated",
             variable_text(m->reduced, m->flat->inputs[k].variable), in->before[k],
             m->values->x[slot_of(m, k)], m->values->x[0]);
    log_warning(m->log, DAEDAL_CAUSE_DISCONTINUITY, m->values->x[0], text);
    in->is_told = true;
}

bool inputs_told_impulse(const discrete_part *m)
{
    const model_inputs *in = inputs_of(m);
    return in && in->is_told;
}

static void note_values(discrete_part *m)
{
    model_inputs *in = inputs_of(m);
    for (size_t k = 0; k < in->n; k++)
        in->before[k] = m->values->x[slot_of(m, k)];
}

static void look_for_impulses(discrete_part *m)
{
    const double tolerances = 10.0;
    model_inputs *in = inputs_of(m);
    for (size_t k = 0; k < in->n && !in->is_told; k++) {
        double from = in->before[k], to = m->values->x[slot_of(m, k)];
        if (m->compiled->slope_is_read[k] &&
            fabs(to - from) > tolerances * m->rtol * fmax(fabs(from), fabs(to)))
            tell_impulse(m, k);
    }
}

/* Behind a jump, values are those of the next piece. */
static void pass_jumps(discrete_part *m)
{
    model_inputs *in = inputs_of(m);
    double t = m->values->x[0];
    bool passed = false;
    for (size_t k = 0; k < in->n && in->n_signals; k++)
        if (in->signal[k] && signal_pass_jumps(in->signal[k], t))
            passed = true;
    if (!passed)
        return;
    inputs_refresh(m);
    m->values->version++;
}

static daedal_status take_parameters(discrete_part *m)
{
    parameter_source *p = &m->search->parameters;
    if (!p->is_waiting)
        return DAEDAL_OK;
    p->is_waiting = false;
    p->is_taken = true;
    m->values->version++;
    return p->take(p->user);
}

daedal_status inputs_take(discrete_part *m)
{
    model_inputs *in = inputs_of(m);
    note_values(m);
    for (size_t k = 0; k < in->n && in->has_changed; k++)
        if (!isnan(in->value[k]) && !in->signal[k])
            values_set(m->values, slot_of(m, k), in->value[k]);
    in->has_changed = false;
    pass_jumps(m);
    look_for_impulses(m);
    return take_parameters(m);
}

void inputs_copy(discrete_part *to, const discrete_part *from)
{
    for (size_t k = 0; k < inputs_of(to)->n && k < inputs_of(from)->n; k++)
        inputs_of(to)->value[k] = from->values->x[slot_of(from, k)];
}

void inputs_copy_state(discrete_part *m, state_copy *s)
{
    model_inputs *in = inputs_of(m);
    STATE_COPY(s, in->has_changed);
    STATE_COPY(s, in->is_told);
    state_copy_bytes(s, in->value, in->n * sizeof *in->value);
    for (size_t k = 0; k < in->n; k++)
        if (in->signal[k])
            signal_copy_state(in->signal[k], s);
}
