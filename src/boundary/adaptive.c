/* boundary/adaptive.c - see adaptive.h. */
#include "boundary/adaptive.h"

#include <math.h>
#include <string.h>

#include "base/status.h"

static const double AIM = 0.3; /* the error of an accepted solution, in tolerances */
/* By how much the error found by halving may exceed what local errors show, so that the next mesh
 * is finer but not beyond reach; a local error below SHOWN_LEAST of what is allowed counts as that.
 */
static const double EXCESS_LEAST = 1.5, EXCESS_MOST = 1e3, SHOWN_LEAST = 1e-3;

void adaptive_begin(adaptive *a, const collocation_problem *p, int32_t stages,
                    const adaptive_settings *settings)
{
    *a = (adaptive){.p = p, .settings = *settings, .error = NAN};
    gauss_create(&a->table, stages);
}

void adaptive_free(adaptive *a)
{
    collocation_free(&a->now);
    a->has_mesh = a->has_solution = false;
}

bool adaptive_copy(adaptive *to, const adaptive *from)
{
    const collocation *c = &from->now;
    adaptive_free(to);
    to->error = from->error;
    if (!collocation_create(&to->now, to->p, &to->table, c->t, c->n_intervals))
        return false;
    memcpy(to->now.u, c->u, (size_t)c->size * sizeof *c->u);
    to->has_mesh = true;
    to->has_solution = from->has_solution;
    return true;
}

/* ---- one mesh ---- */

static void guess_from(double t, double *y, double *yp, void *user)
{
    collocation_at(user, t, y, yp);
}

static daedal_status no_memory(const adaptive *a)
{
    return fail(a->p->why, DAEDAL_ERR_MEMORY, "out of memory for a mesh");
}

static daedal_status explain(const adaptive *a, daedal_status status)
{
    const collocation *c = &a->now;
    daedal_diagnosis *why = a->p->why;
    switch (status) {
    case DAEDAL_ERR_MEMORY:
        return no_memory(a);
    case DAEDAL_ERR_CALLBACK:
        if (a->p->ev->trouble.answer != DAEDAL_CALL_OK)
            return evaluator_explain(a->p->ev, why);
        return fail(why, status, "the function of the boundary conditions failed");
    case DAEDAL_ERR_SINGULAR:
        return fail(why, status, "the linear equations of the boundary value problem are singular");
    case DAEDAL_ERR_NEWTON:
        fail(why, status,
             "no solution of the boundary value problem was found: Newton's iteration does not "
             "converge on a mesh of %d intervals",
             (int)c->n_intervals);
        hint(why, "there may be none near the guess: give a better one, or a parameter to continue "
                  "in");
        return status;
    default:
        return status;
    }
}

/* Solve on a mesh, from a guess; it takes the place of the last one. */
static daedal_status solve_on(adaptive *a, const double *t, int32_t n_intervals,
                              collocation_guess_fn *guess, void *user)
{
    collocation next;
    if (!collocation_create(&next, a->p, &a->table, t, n_intervals)) {
        collocation_free(&next);
        return no_memory(a);
    }
    collocation_guess(&next, guess, user);
    daedal_status status = collocation_solve(&next);
    if (a->has_mesh)
        collocation_free(&a->now);
    a->now = next;
    a->has_mesh = true;
    a->has_solution = status == DAEDAL_OK;
    a->meshes++;
    return status;
}

/* Where Newton's iteration fails on a coarse mesh, a finer one may show where to go. */
static daedal_status solve_first(adaptive *a, collocation_guess_fn *guess, void *user)
{
    enum { FINER = 4 };
    int32_t n = a->settings.intervals, n_points = a->p->conditions->n_points;
    size_t most = ((size_t)n << FINER) + 2 * (size_t)n_points + 1;
    double *t = memory_take_array(a->p->allocator, most, sizeof *t);
    if (!t)
        return no_memory(a);
    daedal_status status = DAEDAL_ERR_NEWTON;
    for (int k = 0; k < FINER && status == DAEDAL_ERR_NEWTON; k++) {
        if (k > 0 && (a->settings.keeps_mesh || n << k > a->settings.intervals_most))
            break;
        int32_t count = mesh_even(a->p->conditions, n << k, t);
        status = solve_on(a, t, count, guess, user);
    }
    memory_give(a->p->allocator, t, most * sizeof *t);
    return status;
}

/* ---- the mesh follows the solution ---- */

static daedal_status too_many(const adaptive *a, double wanted)
{
    daedal_diagnosis *why = a->p->why;
    fail(why, DAEDAL_ERR_STEP_LIMIT,
         "the tolerance needs a mesh of about %.0f intervals; %d are allowed", wanted,
         (int)a->settings.intervals_most);
    hint(why, "allow more intervals or a larger tolerance; a solution that is not smooth, or a "
              "nearly singular problem, may be the reason");
    return DAEDAL_ERR_STEP_LIMIT;
}

/* The errors of the present mesh are to become even, and `goal` tolerances large. */
static daedal_status redistribute(adaptive *a, double *density, double goal, bool is_unresolved)
{
    const double growth = 4.0, reserve = 1.1;
    collocation *c = &a->now;
    double wanted = reserve * mesh_intervals(c, density, goal) + 2.0;
    if (is_unresolved) /* what is there to be seen is not known yet */
        wanted = fmax(wanted, c->n_intervals);
    if (wanted > growth * c->n_intervals)
        wanted = growth * c->n_intervals;
    if (wanted > a->settings.intervals_most)
        return too_many(a, wanted);
    int32_t n = (int32_t)fmax(wanted, 4.0), n_points = a->p->conditions->n_points;
    size_t room = (size_t)n + 3 * (size_t)n_points + 1;
    double *t = memory_take_array(a->p->allocator, room, sizeof *t);
    if (!t)
        return no_memory(a);
    collocation before = *c;
    a->has_mesh = false; /* it is kept here, as the guess */
    int32_t count = mesh_distribute(&before, density, n, t);
    daedal_status status = solve_on(a, t, count, guess_from, &before);
    memory_give(a->p->allocator, t, room * sizeof *t);
    collocation_free(&before);
    return status;
}

/* Solve on the halved mesh; *difference: of the two solutions, in tolerances. */
static daedal_status halve(adaptive *a, double *difference)
{
    collocation before = a->now;
    size_t room = 2 * (size_t)before.n_intervals + 1;
    double *t = memory_take_array(a->p->allocator, room, sizeof *t);
    if (!t)
        return no_memory(a);
    a->has_mesh = false;
    mesh_halve(&before, t);
    daedal_status status = solve_on(a, t, 2 * before.n_intervals, guess_from, &before);
    if (status == DAEDAL_OK)
        *difference = mesh_difference(&a->now, &before);
    memory_give(a->p->allocator, t, room * sizeof *t);
    collocation_free(&before);
    return status;
}

/* The least factor by which the error shrinks when all intervals are halved. */
static double gain(const adaptive *a)
{
    return pow(2.0, a->table.s + (a->p->nz > 0 ? 0 : 1));
}

/* One round: a look at the mesh, and another one.  *done: the solution is accepted. */
static daedal_status improve(adaptive *a, double *density, double *excess, bool is_first,
                             bool *done)
{
    const double much = 2.5, unresolved = 20.0;
    double shown = mesh_density(&a->now, density) * *excess, difference = 0.0;
    double allowed = AIM * gain(a), wanted = mesh_intervals(&a->now, density, allowed);
    bool too_fine = is_first && much * fmax(wanted, a->settings.intervals) < a->now.n_intervals;
    if (shown > allowed || too_fine)
        return redistribute(a, density, allowed / *excess, shown > unresolved * allowed);
    if (2 * a->now.n_intervals > a->settings.intervals_most)
        return too_many(a, 2.0 * a->now.n_intervals);
    daedal_status status = halve(a, &difference);
    if (status != DAEDAL_OK)
        return status;
    a->error = difference / (gain(a) - 1.0);
    *done = a->error <= 1.0;
    if (!*done) /* the local errors say too little: more is asked of them from now on */
        *excess =
            fmin(fmax(difference / fmax(shown, SHOWN_LEAST * allowed), EXCESS_LEAST), EXCESS_MOST);
    return status;
}

static daedal_status refine(adaptive *a)
{
    enum { ROUNDS = 25 };
    double excess = 1.0;
    bool done = a->settings.keeps_mesh;
    daedal_status status = DAEDAL_OK;
    a->error = NAN;
    for (int k = 0; k < ROUNDS && !done && status == DAEDAL_OK; k++) {
        size_t room = (size_t)a->now.n_intervals;
        double *density = memory_take_array(a->p->allocator, room, sizeof *density);
        if (!density)
            return no_memory(a);
        status = improve(a, density, &excess, k == 0, &done);
        memory_give(a->p->allocator, density, room * sizeof *density);
    }
    if (status == DAEDAL_OK && !done)
        return fail(a->p->why, DAEDAL_ERR_ERROR_TEST,
                    "the error of the boundary value problem stays at %.3g tolerances, although "
                    "the mesh has %d intervals",
                    a->error, (int)a->now.n_intervals);
    return status;
}

daedal_status adaptive_solve(adaptive *a, collocation_guess_fn *guess, void *user)
{
    daedal_status status = guess ? solve_first(a, guess, user) : adaptive_follow(a);
    if (status == DAEDAL_OK)
        status = refine(a);
    return status == DAEDAL_OK || a->p->why->status < 0 ? status : explain(a, status);
}

daedal_status adaptive_follow(adaptive *a)
{
    a->meshes++;
    daedal_status status = collocation_solve(&a->now);
    a->has_solution = status == DAEDAL_OK;
    return status;
}
