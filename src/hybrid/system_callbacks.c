/* hybrid/system_callbacks.c - see discrete.h: the model as a daedal_system, with the functions that
 * the integrator calls.  None of them allocates memory.                             */
#include <math.h>
#include <string.h>

#include "compile/compiled.h"
#include "compile/parameter_tapes.h"
#include "hybrid/corners.h"
#include "hybrid/discrete.h"
#include "linalg/vector.h"

static int residual(double t, const double *y, const double *yp, double *r, void *user)
{
    discrete_part *m = user;
    if (m->reduced->n == 0) {
        r[0] = yp[0];
        return DAEDAL_CALL_OK;
    }
    int answer = program_run(m->compiled, m->compiled->residuals, t, y, yp);
    memcpy(r, m->compiled->residuals->out, (size_t)m->reduced->n * sizeof(double));
    if (answer != 0 || !vector_all_finite(r, m->reduced->n))
        compiled_keep_bad_point(m->compiled, t, y, yp);
    return answer;
}

static int jacobian(double t, const double *y, const double *yp, double c, double *values,
                    void *user)
{
    const discrete_part *m = user;
    const compiled_jacobian *at = m->compiled->jacobian;
    int answer = compiled_evaluate_jacobian(m->compiled, t, y, yp);
    if (answer != 0)
        return answer;
    int32_t nnz = pattern_nnz(&at->pattern.view);
    for (int32_t q = 0; q < nnz; q++)
        values[q] = at->dy[q] + c * at->dyp[q];
    return DAEDAL_CALL_OK;
}

int discrete_jacobian_parts(double t, const double *y, const double *yp, double *dy, double *dyp,
                            void *user)
{
    const discrete_part *m = user;
    const compiled_jacobian *at = m->compiled->jacobian;
    size_t bytes = (size_t)pattern_nnz(&at->pattern.view) * sizeof(double);
    int answer = compiled_evaluate_jacobian(m->compiled, t, y, yp);
    if (answer != DAEDAL_CALL_OK || !at->is_finite)
        return DAEDAL_CALL_RETRY;
    memcpy(dy, at->dy, bytes);
    memcpy(dyp, at->dyp, bytes);
    return DAEDAL_CALL_OK;
}

/* Behind those of relations and delays: arguments of corners, which lead the search for events. */
static void add_silent_events(const discrete_part *m, double *g)
{
    const double *operands = m->events->out + 2 * (size_t)m->n_relation_events;
    for (int32_t k = m->n_events - discrete_count_silent(m); k < m->n_events; k++, operands += 2) {
        double difference = operands[0] - operands[1];
        g[k] = isfinite(difference) ? difference : 1.0;
    }
}

static int events(double t, const double *y, const double *yp, double *g, void *user)
{
    discrete_part *m = user;
    delays_set_allow_present(m, true);
    int answer = program_run(m->compiled, m->events, t, y, yp);
    if (answer == 0)
        answer = delays_events(m, t, y, yp, g + m->n_relation_events);
    delays_set_allow_present(m, false);
    for (int32_t e = 0; e < m->n_relation_events && answer == 0; e++) {
        const double *operands = m->events->out + 2 * (size_t)e;
        model_relation *r = &m->relation[m->event_relation[e]];
        relation_note_size(r, operands[0], operands[1]);
        double room = discrete_event_function(m, (size_t)m->event_relation[e], operands);
        r->reach = fmax(r->reach, room - r->eps);
        g[e] = relation_in_dead_time(r, t) ? 1.0 : room;
    }
    if (answer == 0 && m->events)
        add_silent_events(m, g);
    return answer;
}

static int run_into(const compiled_model *m, program *p, double t, const double *y, double *out)
{
    int answer = program_run(m, p, t, y, y);
    if (p)
        memcpy(out, p->out, p->n_out * sizeof(double));
    return answer;
}

static int constraints(double t, const double *y, double *g, void *user)
{
    const compiled_model *m = ((const discrete_part *)user)->compiled;
    const compiled_constraints *c = m->constraints;
    return run_into(m, c->held.n ? c->held.values : c->values, t, y, g);
}

static int constraint_slopes(double t, const double *y, double *values, void *user)
{
    const compiled_model *m = ((const discrete_part *)user)->compiled;
    const compiled_constraints *c = m->constraints;
    return run_into(m, c->held.n ? c->held.slopes : c->slopes, t, y, values);
}

static void describe_constraints(const compiled_model *m, daedal_system *sys)
{
    const reduced_model *r = m->reduced;
    const compiled_constraints *c = m->constraints;
    bool apart = c->held.n > 0;
    if (r->n_constraints == 0 || m->reduction > DAEDAL_REDUCE_GGL)
        return;
    sys->n_constraints = apart ? c->held.n : r->n_constraints;
    sys->constraints = constraints;
    sys->constraint_jacobian = constraint_slopes;
    sys->constraint_pattern = apart ? &c->held.pattern.view : &c->pattern.view;
    sys->constraint_level = (daedal_ints){apart ? c->held.level : c->level, sys->n_constraints};
    sys->variable_level = (daedal_ints){r->depth, r->n};
    if (m->state_select)
        sys->state_select = (daedal_ints){m->state_select, r->n};
}

static int by_parameters(double t, const double *y, const double *yp, double *values, void *user)
{
    return parameter_tapes_residuals(((const discrete_part *)user)->hooks->parameters, t, y, yp,
                                     values);
}

static int constraints_by_parameters(double t, const double *y, double *values, void *user)
{
    return parameter_tapes_constraints(((const discrete_part *)user)->hooks->parameters, t, y,
                                       values);
}

static int complete_slopes(double t, const double *y, double *values, void *user)
{
    return parameter_tapes_slopes(((const discrete_part *)user)->hooks->parameters, t, y, values);
}

void discrete_describe_parameters(const parameter_tapes *t, daedal_system *sys)
{
    if (!t)
        return;
    sys->n_parameters = t->n - t->n_held;
    sys->parameter_scale = (daedal_doubles){t->scale, sys->n_parameters};
    sys->parameter_derivative = by_parameters;
    sys->constraint_parameter_derivative = constraints_by_parameters;
    if (sys->n_constraints > 0 && t->slopes) {
        sys->constraint_jacobian = complete_slopes;
        sys->constraint_pattern = &t->slope_pattern.view;
    }
}

void discrete_describe_system(discrete_part *m, daedal_system *sys)
{
    const compiled_jacobian *j = m->compiled->jacobian;
    *sys = (daedal_system){.n = m->reduced->n_system,
                           .residual = residual,
                           .jacobian = j->exists ? jacobian : NULL,
                           .pattern = j->exists ? &j->pattern.view : NULL,
                           .dyp_pattern = j->dyp_pattern.mem.p ? &j->dyp_pattern.view : NULL,
                           .n_events = m->n_events,
                           .events = m->n_events ? events : NULL,
                           .event_direction = {m->event_falling, m->n_events},
                           .is_nonsmooth = corners_exist(m),
                           .variable_names = m->compiled->variable_name,
                           .equation_names = m->compiled->equation_name,
                           .event_names = m->event_name,
                           .user = m};
    describe_constraints(m->compiled, sys);
}
