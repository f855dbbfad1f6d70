/* simulate/model_sensitivity.c - see model_sensitivity.h.
 *
 * Derivatives of the variables of the output are differences of the output with moved parameters,
 * which follow in all constants of the model (expr/live.h): so whatever a parameter reaches is
 * counted.  The equations in between are exact.     */
#include "simulate/model_sensitivity.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "hybrid/corners.h"
#include "hybrid/discrete.h"
#include "solver/held_restart.h"

static const double SAMPLE_STEP = 1e-3; /* of a parameter that may move the ticks of clocks */

/* ---- which parameters ---- */

/* A variable of the solver that is no parameter stands for its start value. */
static bool stands_for_start(const simulation *m, uint32_t v)
{
    const flat_variable *var = &m->flat->variables[v];
    return !var->is_parameter && var->type == FLAT_REAL && var->variability == FLAT_CONTINUOUS &&
           m->start && !isnan(start_written(m->start, v)) && m->reduced->unknown_of[v] >= 0;
}

static daedal_status check_parameter(const simulation *m, uint32_t v)
{
    const flat_variable *var = &m->flat->variables[v];
    const char *name = variable_text(m->reduced, v);
    if (!var->is_parameter || var->variability != FLAT_CONSTANT)
        return fail(m->why, DAEDAL_ERR_ARGUMENT, "%s is no parameter, and has no start value",
                    name);
    if (var->binding != EXPR_NONE && expr_is_live(&m->flat->graph, var->value))
        return DAEDAL_OK;
    fail(m->why, DAEDAL_ERR_ARGUMENT,
         "the value of the parameter %s decides what the equations are", name);
    hint(m->why, "a parameter of the value 0 removes terms: give it another value, however small");
    return DAEDAL_ERR_ARGUMENT;
}

static void lay_out(void *object, layout *l)
{
    model_sensitivities *s = object;
    const simulation *m = s->of;
    size_t n = (size_t)s->n, width = (size_t)m->driver_width;
    s->variable = layout_take(l, n, sizeof(uint32_t));
    s->read = layout_take(l, n + (size_t)s->rounds.n_held, sizeof(uint32_t));
    s->is_start = layout_take(l, n, sizeof(bool));
    s->value = layout_take(l, n, sizeof(double));
    s->written = layout_take(l, n, sizeof(double));
    s->size = layout_take(l, n, sizeof(double));
    s->start = layout_take(l, n * (size_t)m->reduced->n_system, sizeof(double));
    s->x = layout_take(l, m->values->place.n, sizeof(double));
    s->kept = layout_take(l, m->values->place.n, sizeof(double));
    s->row[0] = layout_take(l, width, sizeof(double));
    s->row[1] = layout_take(l, width, sizeof(double));
    s->time = layout_take(l, n, sizeof(double));
    s->total = layout_take(l, n * (size_t)m->reduced->n_system, sizeof(double));
    event_rounds_lay_out(s, l);
}

static daedal_status choose(model_sensitivities *s, const simulation_task *task)
{
    const simulation *m = s->of;
    for (int32_t i = 0; i < s->n; i++) {
        int32_t number = task->request->parameters.at[i];
        if (number < 0 || number >= task->shown.n)
            return fail(m->why, DAEDAL_ERR_ARGUMENT, "there is no variable number %d", (int)number);
        uint32_t v = s->variable[i] = task->shown.variable[number];
        s->is_start[i] = stands_for_start(m, v);
        s->read[i] = s->is_start[i] ? NO_PARAMETER : v;
        if (s->is_start[i]) {
            model_sensitivity_choose_start(s, i);
            continue;
        }
        TRY(check_parameter(m, v));
        s->value[i] = expr_value_now(&m->flat->graph, m->flat->variables[v].value);
        s->size[i] = fabs(s->value[i]);
    }
    return DAEDAL_OK;
}

/* ---- moved parameters ---- */

daedal_status model_sensitivity_move(model_sensitivities *s, int32_t i, double step)
{
    const simulation *m = s->of;
    if (s->is_start[i])
        return model_sensitivity_move_start(s, i, step);
    daedal_status status =
        model_set_parameter(m->model, s->variable[i], s->value[i] + step * s->size[i]);
    if (status == DAEDAL_ERR_STRUCTURE)
        return fail(m->why, DAEDAL_ERR_ARGUMENT,
                    "the value %.10g of the parameter %s decides what the equations are",
                    s->value[i], variable_text(m->reduced, s->variable[i]));
    return status == DAEDAL_OK ? status : fail(m->why, status, "out of memory");
}

/* As it was: set by the caller, or as in the text. */
void model_sensitivity_put_back(model_sensitivities *s, int32_t i, const flat_variable *before)
{
    if (s->is_start[i])
        model_sensitivity_put_back_start(s, i);
    else
        model_set_parameter(s->of->model, s->variable[i], before->is_set ? before->set_to : NAN);
}

/* ---- before a run ---- */

daedal_status model_sensitivity_prepare(simulation *m, const simulation_task *task)
{
    if (task->request->parameters.n <= 0)
        return DAEDAL_OK;
    model_sensitivities *s = memory_take(m->allocator, sizeof *s);
    if (!s)
        return fail(m->why, DAEDAL_ERR_MEMORY, "out of memory for sensitivities");
    *s = (model_sensitivities){.of = m, .n = task->request->parameters.n};
    m->driver_width = (task->request->derivatives ? 2 : 1) * task->shown.n;
    event_rounds_count(s);
    daedal_status status = block_create(&s->mem, m->allocator, lay_out, s)
                               ? choose(s, task)
                               : fail(m->why, DAEDAL_ERR_MEMORY, "out of memory for sensitivities");
    if (status == DAEDAL_OK) {
        event_rounds_begin(s);
        status = parameter_tapes_build(&s->tapes, m->compiled, s->read, s->n + s->rounds.n_held);
        if (status != DAEDAL_OK)
            fail(m->why, status,
                 status == DAEDAL_ERR_MEMORY ? "out of memory for sensitivities"
                                             : "a function of the model cannot be differentiated");
    }
    if (status == DAEDAL_OK)
        status = model_sensitivity_differentiate_start(s, task);
    m->sensitivities = s;
    if (status != DAEDAL_OK) {
        model_sensitivity_free(m);
        return status;
    }
    s->tapes.scale = s->size;
    s->tapes.n_held = s->rounds.n_held;
    s->tapes.held = s->rounds.now;
    return DAEDAL_OK;
}

void model_sensitivity_free(simulation *m)
{
    model_sensitivities *s = m->sensitivities;
    m->sensitivities = NULL;
    if (!s)
        return;
    parameter_tapes_free(&s->tapes);
    block_free(&s->mem);
    memory_give(m->allocator, s, sizeof *s);
}

bool model_sensitivity_has_gaps(const simulation *m)
{
    const model_sensitivities *s = m->sensitivities;
    const daedal_solver *solver = m->discrete->solver;
    return s && (s->has_gaps || (solver && solver_lacks_sensitivities(solver)));
}

/* What is not counted is told. */
static void warn_of_gap(model_sensitivities *s, const char *text)
{
    s->has_gaps = true;
    log_warning(s->of->log, DAEDAL_CAUSE_NONE, NAN, text);
}

/* The ticks of clocks are taken for given: tell of parameters that move them. */
static daedal_status warn_of_clocks(model_sensitivities *s)
{
    const simulation *m = s->of;
    program *times = m->discrete->samples_program;
    char text[300];
    for (int32_t i = 0; i < s->n && times; i++) {
        flat_variable before = m->flat->variables[s->variable[i]];
        bool moved = false;
        if (program_run(m->compiled, times, 0.0, NULL, NULL) != 0)
            continue;
        memcpy(s->x, times->out,
               (times->n_out < m->values->place.n ? times->n_out : m->values->place.n) *
                   sizeof(double));
        TRY(model_sensitivity_move(s, i, SAMPLE_STEP));
        if (program_run(m->compiled, times, 0.0, NULL, NULL) == 0)
            for (size_t k = 0; k < times->n_out && k < m->values->place.n; k++)
                moved = moved || (m->flat->samples[k / 2].parts != 0 && times->out[k] != s->x[k]);
        model_sensitivity_put_back(s, i, &before);
        if (!moved)
            continue;
        snprintf(text, sizeof text,
                 "sensitivities by %.200s are wrong: they take the ticks of clocks for given, "
                 "which depend on it",
                 variable_text(m->reduced, s->variable[i]));
        warn_of_gap(s, text);
    }
    return DAEDAL_OK;
}

enum { CORNER_TIMES = 3 };

/* Operands of the corners at known times, at the beginning and the end of the run and between. */
static bool read_time_corners(const model_sensitivities *s, double *out)
{
    const simulation *m = s->of;
    program *operands = m->corners->of_time.operands;
    double from = m->discrete->t_start, to = m->discrete->t_stop, now = m->values->x[0];
    double t[CORNER_TIMES] = {from, from + 0.381966 * (to - from), to};
    bool fine = true;
    for (int k = 0; k < CORNER_TIMES && fine; k++) {
        m->values->x[0] = t[k];
        fine = program_run(m->compiled, operands, 0.0, NULL, NULL) == 0;
        memcpy(out + (size_t)k * operands->n_out, operands->out, operands->n_out * sizeof *out);
    }
    m->values->x[0] = now;
    return fine;
}

/* Whether a parameter moves a corner whose time is known beforehand: noEvent(if time > p ...). */
static daedal_status look_at_time_corners(model_sensitivities *s)
{
    const simulation *m = s->of;
    program *operands = m->corners->of_time.operands;
    if (m->corners->n_corners_of_time == 0 || !operands)
        return DAEDAL_OK;
    size_t n = CORNER_TIMES * operands->n_out;
    double *before = memory_take_array(m->allocator, 2 * n, sizeof(double)), *moved = before + n;
    bool moves = false;
    daedal_status status = before ? DAEDAL_OK : fail(m->why, DAEDAL_ERR_MEMORY, "out of memory");
    for (int32_t i = 0; i < s->n && status == DAEDAL_OK && read_time_corners(s, before); i++) {
        flat_variable kept = m->flat->variables[s->variable[i]];
        status = model_sensitivity_move(s, i, SAMPLE_STEP);
        moves = moves || (status == DAEDAL_OK && read_time_corners(s, moved) &&
                          memcmp(before, moved, n * sizeof(double)) != 0);
        model_sensitivity_put_back(s, i, &kept);
    }
    memory_give(m->allocator, before, 2 * n * sizeof(double));
    if (moves)
        solver_tell_time_jumps(m->discrete->solver);
    return status;
}

/* What the linear equations leave out. */
static void warn_of_gaps(model_sensitivities *s)
{
    if (s->of->flat->n_delays > 0)
        warn_of_gap(s, "sensitivities are wrong: they do not follow delay(), and take its values "
                       "for given");
}

daedal_status model_sensitivity_give_start(simulation *m)
{
    model_sensitivities *s = m->sensitivities;
    if (s) {
        warn_of_gaps(s);
        TRY(warn_of_clocks(s));
        memcpy(s->rounds.now, s->rounds.start,
               (size_t)s->n * (size_t)s->rounds.n_held * sizeof(double));
        TRY(look_at_time_corners(s));
    }
    for (int32_t i = 0; s && i < s->n; i++) {
        const double *start = s->start + (size_t)i * (size_t)m->reduced->n_system;
        if (daedal_solver_set_sensitivity(m->discrete->solver, i, start) != DAEDAL_OK)
            return fail(m->why, DAEDAL_ERR_ARGUMENT,
                        "the start has no derivative by the parameter %s",
                        variable_text(m->reduced, s->variable[i]));
    }
    return DAEDAL_OK;
}

/* ---- the output ---- */

static double usual_size(const simulation *m, int32_t j)
{
    return m->compiled->nominal[j] > 0.0 ? m->compiled->nominal[j] : 1.0;
}

double model_sensitivity_step(model_sensitivities *s, int32_t i, const double *slope)
{
    const simulation *m = s->of;
    if (!s->is_start[i])
        s->value[i] = expr_value_now(&m->flat->graph, m->flat->variables[s->variable[i]].value);
    const double *y = s->kept + m->values->place.y;
    double most = 1.0;
    for (int32_t j = 0; j < m->reduced->n; j++)
        most = fmax(most, s->size[i] * fabs(slope[j]) / fmax(fabs(y[j]), usual_size(m, j)));
    return cbrt(DBL_EPSILON) / most;
}

/* A row with parameter and unknowns moved by a step along the sensitivities. */
static daedal_status moved_row(driver *d, int32_t i, double step, const double *const slopes[2],
                               double *row)
{
    simulation *m = d->m;
    model_sensitivities *s = m->sensitivities;
    double *y = m->values->x + m->values->place.y, *yp = m->values->x + m->values->place.yp;
    for (int32_t j = 0; j < m->reduced->n; j++) {
        y[j] = s->kept[m->values->place.y + (uint32_t)j] + step * s->size[i] * slopes[0][j];
        yp[j] = s->kept[m->values->place.yp + (uint32_t)j] + step * s->size[i] * slopes[1][j];
    }
    event_rounds_move_held(s, s->kept, i, step);
    TRY(model_sensitivity_move(s, i, step));
    TRY(compiled_compute(m->compiled));
    driver_fill_row(d, row);
    return DAEDAL_OK;
}

/* The derivative of a variable that is an unknown of the solver, or the derivative of one, in time;
 * of others what differences have found.                                         */
static double exact_slope(const simulation *m, value_origin of, const double *const slopes[2],
                          double found)
{
    const int32_t n = m->reduced->n,
                  first[2] = {(int32_t)m->values->place.y, (int32_t)m->values->place.yp};
    for (int k = 0; k < 2; k++)
        if (of.slot >= first[k] && of.slot < first[k] + n)
            return of.factor * slopes[k][of.slot - first[k]];
    return found;
}

static void take_exact_slopes(const driver *d, const double *const slopes[2], double *row)
{
    const simulation *m = d->m;
    int32_t n = d->task->shown.n;
    for (int32_t k = 0; k < m->driver_width; k++) {
        uint32_t v = d->task->shown.variable[k < n ? k : k - n];
        value_origin of = k < n ? m->compiled->origin[v] : compiled_slope_origin(m->compiled, v);
        row[k] = exact_slope(m, of, slopes, row[k]);
    }
}

static daedal_status differentiate_row(driver *d, int32_t i)
{
    simulation *m = d->m;
    model_sensitivities *s = m->sensitivities;
    flat_variable before = m->flat->variables[s->variable[i]];
    const double *slopes[2];
    daedal_status status =
        daedal_solver_sensitivity(m->discrete->solver, i, &slopes[0], &slopes[1]);
    if (status != DAEDAL_OK)
        return simulation_explain_failure(m, status, daedal_solver_diagnosis(m->discrete->solver));
    double step = model_sensitivity_step(s, i, slopes[0]);
    status = moved_row(d, i, step, slopes, s->row[0]);
    if (status == DAEDAL_OK)
        status = moved_row(d, i, -step, slopes, s->row[1]);
    model_sensitivity_put_back(s, i, &before);
    for (int32_t k = 0; k < m->driver_width; k++)
        s->row[0][k] = (s->row[0][k] - s->row[1][k]) / (2.0 * step * s->size[i]);
    take_exact_slopes(d, slopes, s->row[0]);
    return status;
}

daedal_status model_sensitivity_emit(driver *d, daedal_row_kind kind)
{
    simulation *m = d->m;
    model_sensitivities *s = m->sensitivities;
    const daedal_simulation *q = d->request;
    daedal_status status = DAEDAL_OK;
    if (!s || !q->sensitivity)
        return DAEDAL_OK;
    size_t bytes = m->values->place.n * sizeof(double);
    memcpy(s->kept, m->values->x, bytes);
    for (int32_t i = 0; i < s->n && status == DAEDAL_OK && !d->stopped; i++) {
        status = differentiate_row(d, i);
        if (status == DAEDAL_OK)
            d->stopped =
                q->sensitivity(kind, driver_time(d), i, s->row[0], q->row_user) == DAEDAL_CALL_STOP;
    }
    memcpy(m->values->x, s->kept, bytes);
    m->values->version++;
    return status;
}
