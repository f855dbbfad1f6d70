/* adjoint/forward_solution.c - see forward_solution.h. */
#include "adjoint/forward_solution.h"

#include <math.h>
#include <string.h>

#include "base/status.h"

static void lay_out(void *object, layout *l)
{
    forward_solution *f = object;
    f->samples.values = layout_take(l, 2 * (size_t)f->n * SAMPLES_MOST, sizeof(double));
    f->samples.size = layout_take(l, (size_t)f->n, sizeof(double));
    f->begin = layout_take(l, 2 * (size_t)f->n, sizeof(double));
}

bool forward_create(forward_solution *f, int32_t n, const daedal_allocator *a)
{
    *f = (forward_solution){.n = n, .allocator = a, .samples.stride = 1};
    solution_create(&f->record, n, a);
    return block_create(&f->mem, a, lay_out, f);
}

static void forget_parts(forward_solution *f)
{
    for (size_t k = 0; k < f->n_parts; k++) {
        daedal_solver_free(f->parts[k].at);
        solution_free(&f->parts[k].kept);
    }
    memory_give(f->allocator, f->parts, f->room * sizeof *f->parts);
    f->parts = NULL;
    f->n_parts = f->room = 0;
}

void forward_free(forward_solution *f)
{
    forget_parts(f);
    solution_free(&f->record);
    block_free(&f->mem);
}

/* ---- samples ---- */

/* Every second one is enough from now on. */
static void thin_out(forward_solution *f)
{
    solution_samples *s = &f->samples;
    size_t width = 2 * (size_t)f->n;
    for (int32_t k = 1; 2 * k < s->n; k++) {
        s->t[k] = s->t[2 * k];
        s->part[k] = s->part[2 * k];
        memcpy(s->values + (size_t)k * width, s->values + (size_t)(2 * k) * width,
               width * sizeof(double));
    }
    s->n /= 2;
    s->stride *= 2;
}

static void sample(forward_solution *f, double t, const double *y, const double *yp)
{
    solution_samples *s = &f->samples;
    size_t n = (size_t)f->n;
    for (size_t j = 0; j < n; j++)
        s->size[j] = fmax(s->size[j], fabs(y[j]));
    if (s->seen++ % s->stride != 0)
        return;
    if (s->n == SAMPLES_MOST)
        thin_out(f);
    s->t[s->n] = t;
    s->part[s->n] = f->current;
    memcpy(s->values + 2 * n * (size_t)s->n, y, n * sizeof(double));
    memcpy(s->values + 2 * n * (size_t)s->n + n, yp, n * sizeof(double));
    s->n++;
}

/* ---- the run ---- */

daedal_status forward_add(forward_solution *f, run *of, double t)
{
    if (!solution_add(&f->record, of, t))
        return DAEDAL_ERR_MEMORY;
    if (f->samples.seen == 0) {
        solution_at(&f->record, f->t_start, f->begin, f->begin + f->n);
        sample(f, f->t_start, f->begin, f->begin + f->n);
    }
    sample(f, t, of->y, of->yp);
    int answer = f->step ? f->step(&f->record, f->step_user) : DAEDAL_CALL_OK;
    if (answer == DAEDAL_CALL_STOP)
        return DAEDAL_STOPPED;
    return answer == DAEDAL_CALL_OK ? DAEDAL_OK : DAEDAL_ERR_CALLBACK;
}

static daedal_status add_part(forward_solution *f, double t_from, double t_to)
{
    if (f->n_parts == f->room) {
        size_t room = 2 * f->room + 8;
        solution_part *more = memory_take_array(f->allocator, room, sizeof *more);
        if (!more)
            return DAEDAL_ERR_MEMORY;
        if (f->n_parts > 0)
            memcpy(more, f->parts, f->n_parts * sizeof *more);
        memory_give(f->allocator, f->parts, f->room * sizeof *f->parts);
        f->parts = more;
        f->room = room;
    }
    f->parts[f->n_parts] = (solution_part){.t_from = t_from, .t_to = t_to};
    f->current = f->n_parts++;
    return DAEDAL_OK;
}

/* Its record moves into it, and that of the next part begins. */
daedal_status forward_end_part(forward_solution *f, double t)
{
    double t_from = f->n_parts > 0 ? f->parts[f->n_parts - 1].t_to : f->t_start;
    TRY(add_part(f, t_from, t));
    f->parts[f->current].kept = f->record;
    solution_create(&f->record, f->n, f->allocator);
    f->record.t_begin = t;
    f->current = f->n_parts;
    return DAEDAL_OK;
}

static daedal_status begin_part(forward_solution *f, daedal_solver *solver)
{
    double t = daedal_solver_state(solver)->t;
    TRY(add_part(f, t, t));
    solution_clear(&f->record);
    return daedal_solver_clone(&f->parts[f->current].at, solver);
}

static bool is_full(const forward_solution *f)
{
    return f->memory_most > 0 && solution_bytes(&f->record) >= f->memory_most;
}

static daedal_status take_step(forward_solution *f, daedal_solver *solver, daedal_diagnosis *why)
{
    double t_before = daedal_solver_state(solver)->t;
    daedal_status status = daedal_solver_step(solver, f->t_end);
    if (status < 0 || status == DAEDAL_STOPPED) {
        *why = *daedal_solver_diagnosis(solver);
        return status;
    }
    double t = daedal_solver_state(solver)->t;
    return t == t_before ? DAEDAL_OK : forward_add(f, &solver->run, t);
}

daedal_status forward_run(forward_solution *f, daedal_solver *solver, daedal_diagnosis *why)
{
    f->t_start = daedal_solver_state(solver)->t;
    TRY(daedal_solver_set_stop_time(solver, f->t_end));
    TRY(begin_part(f, solver));
    while (daedal_solver_state(solver)->t != f->t_end) {
        if (is_full(f))
            TRY(begin_part(f, solver));
        RETURN_UNLESS_OK(take_step(f, solver, why));
        f->parts[f->current].t_to = daedal_solver_state(solver)->t;
    }
    return DAEDAL_OK;
}

/* ---- reading ---- */

static daedal_status repeat(forward_solution *f, daedal_solver *solver, double t_to,
                            daedal_diagnosis *why)
{
    while (f->record.direction * (t_to - daedal_solver_state(solver)->t) > 0.0) {
        daedal_status status = daedal_solver_step(solver, f->t_end);
        if (status < 0 || status == DAEDAL_STOPPED) {
            *why = *daedal_solver_diagnosis(solver);
            return status;
        }
        if (!solution_add(&f->record, &solver->run, daedal_solver_state(solver)->t))
            return DAEDAL_ERR_MEMORY;
        f->repeated++;
    }
    return DAEDAL_OK;
}

void forward_enter(const forward_solution *f, size_t part)
{
    if (f->enter)
        f->enter(f->enter_user, part);
}

static void exchange(forward_solution *f, size_t part)
{
    if (f->current < f->n_parts)
        f->parts[f->current].kept = f->record;
    else
        solution_free(&f->record);
    f->record = f->parts[part].kept;
    f->parts[part].kept = (solution_record){.allocator = f->allocator};
    f->current = part;
}

static daedal_status run_again(forward_solution *f, size_t part, daedal_diagnosis *why)
{
    daedal_solver *solver;
    TRY(daedal_solver_clone(&solver, f->parts[part].at));
    solution_clear(&f->record);
    daedal_status status = repeat(f, solver, f->parts[part].t_to, why);
    daedal_solver_free(solver);
    f->current = part;
    return status;
}

daedal_status forward_load(forward_solution *f, size_t part, daedal_diagnosis *why)
{
    daedal_status status = DAEDAL_OK;
    if (part != f->current && f->parts[part].at)
        status = run_again(f, part, why);
    else if (part != f->current)
        exchange(f, part);
    forward_enter(f, part);
    return status;
}
