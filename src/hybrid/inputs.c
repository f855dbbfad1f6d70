/* hybrid/inputs.c - see discrete.h: inputs of the whole model.
 *
 * An input keeps its value until the caller writes another one; that takes effect in the next
 * event, for all inputs that were written at once, and the event iteration finds what follows from
 * it.  An input that was never written has its start value.                                */
#include <math.h>

#include "hybrid/discrete.h"

typedef struct model_inputs {
    size_t n;
    double *value;    /* written last; NAN: not written */
    bool has_changed; /* some value is not in x yet */
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
    *in = (model_inputs){.n = n, .value = arena_take(m->mem, n + 1, sizeof *in->value)};
    for (size_t k = 0; k < n && in->value; k++)
        in->value[k] = NAN;
    m->compiled->signals->user = in;
    return in->value != NULL;
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
    return inputs_of(m)->has_changed;
}

bool inputs_are_free(const discrete_part *m)
{
    return inputs_of(m)->n > 0;
}

bool inputs_has_value(const discrete_part *m, size_t k)
{
    return !isnan(inputs_of(m)->value[k]);
}

/* Enumerations begin with 1. */
static double default_value(const discrete_part *m, size_t k)
{
    const flat_variable *v = &m->flat->variables[m->flat->inputs[k].variable];
    if (v->start == EXPR_NONE)
        return v->type == FLAT_ENUM ? 1.0 : 0.0;
    return compiled_evaluate(m->compiled, v->start);
}

void inputs_begin(discrete_part *m)
{
    model_inputs *in = inputs_of(m);
    for (size_t k = 0; k < in->n; k++)
        values_set(m->values, slot_of(m, k),
                   isnan(in->value[k]) ? default_value(m, k) : in->value[k]);
    in->has_changed = false;
}

void inputs_take(discrete_part *m)
{
    model_inputs *in = inputs_of(m);
    for (size_t k = 0; k < in->n && in->has_changed; k++)
        if (!isnan(in->value[k]))
            values_set(m->values, slot_of(m, k), in->value[k]);
    in->has_changed = false;
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
    state_copy_bytes(s, in->value, in->n * sizeof *in->value);
}
