/* compile/program.c - tapes with their memory, run on the values of a model. */
#include "compile/program.h"

#include <string.h>

#include "compile/compiled.h"

enum { LEVEL_DISCRETE = 1, LEVEL_CONTINUOUS = 3 };

/* A program that is being made. */
typedef struct program_inputs {
    const compiled_model *model;
    program *of;
} program_inputs;

static uint32_t place_on_tape(void *user, uint32_t symbol)
{
    const program_inputs *in = user;
    const value_places *place = &in->model->values->place;
    int32_t slot = compiled_slot(in->model, symbol);
    if (slot >= (int32_t)place->yp && slot < (int32_t)place->discrete)
        in->of->reads_slopes = true;
    return slot < 0 ? 0 : (uint32_t)slot;
}

static uint32_t level_on_tape(void *user, uint32_t symbol)
{
    const compiled_model *m = ((const program_inputs *)user)->model;
    int32_t slot = compiled_slot(m, symbol);
    flat_symbol_kind kind = flat_kind(symbol);
    bool continuous =
        slot < (int32_t)m->values->place.discrete || kind == FLAT_DELAY || kind == FLAT_INPUT;
    return continuous ? LEVEL_CONTINUOUS : LEVEL_DISCRETE;
}

bool program_create(const compiled_model *m, program **p, const expr *roots, size_t n)
{
    return program_create_into(m, p, roots, n, (program_places){NULL, n});
}

bool program_create_into(const compiled_model *m, program **made, const expr *roots, size_t n,
                         program_places to)
{
    program *p = *made = memory_take(m->allocator, sizeof *p);
    program_inputs in = {m, p};
    tape_setup setup = {.g = &m->flat->graph,
                        .roots = roots,
                        .n_roots = n,
                        .target = to.target,
                        .inputs = {m->values->place.n, place_on_tape, level_on_tape, &in},
                        .allocator = m->allocator};
    if (!p)
        return false;
    p->n_out = to.n_out;
    if (tape_create(&p->tape, &setup) != DAEDAL_OK)
        return false;
    p->n_work = tape_measure(p->tape).work;
    p->work = memory_take_array(m->allocator, p->n_work, sizeof(double));
    p->out = memory_take_array(m->allocator, p->n_out, sizeof(double));
    if (!p->work || !p->out)
        return false;
    tape_prepare(p->tape, p->work);
    p->live_version = m->flat->graph.live_version;
    return true;
}

void program_free(const daedal_allocator *a, program **made)
{
    program *p = *made;
    if (!p)
        return;
    memory_give(a, p->work, p->n_work * sizeof(double));
    memory_give(a, p->out, p->n_out * sizeof(double));
    tape_free(p->tape);
    memory_give(a, p, sizeof *p);
    *made = NULL;
}

/* New values of parameters: everything is computed again. */
static void follow_parameters(const compiled_model *m, program *p)
{
    tape_follow(p->tape, &m->flat->graph);
    tape_prepare(p->tape, p->work);
    p->live_version = m->flat->graph.live_version;
    p->version = m->values->version - 1;
}

int program_run(const compiled_model *m, program *p, double t, const double *y, const double *yp)
{
    if (!p)
        return DAEDAL_CALL_OK;
    const double *x = m->values->x;
    const value_places *place = &m->values->place;
    size_t n = (size_t)m->reduced->n_system, first = place->discrete;
    uint32_t level = LEVEL_CONTINUOUS;
    if (p->live_version != m->flat->graph.live_version)
        follow_parameters(m, p);
    if (p->version != m->values->version) {
        memcpy(p->work + first, x + first, (place->n - first) * sizeof(double));
        p->version = m->values->version;
        level = 0;
    }
    if (y) {
        p->work[0] = t;
        memcpy(p->work + place->y, y, n * sizeof(double));
        if (p->reads_slopes)
            memcpy(p->work + place->yp, yp, n * sizeof(double));
    } else {
        memcpy(p->work, x, first * sizeof(double));
    }
    if (m->delayed->fill) {
        double *values = p->work + place->delay;
        int answer = m->delayed->fill(m->delayed->user, y ? t : x[0], y, yp, values);
        if (answer != DAEDAL_CALL_OK)
            return answer;
    }
    if (m->signals->fill)
        m->signals->fill(m->signals->user, y ? t : x[0], p->work + place->input);
    tape_calls calls = {flat_call, m->flat->functions, m->crew};
    return tape_run(p->tape, p->work, p->out, level, &calls);
}
