/* simulate/model_impasse.c - see simulate.h: failures where the equations cease to determine what
 * follows, in words.                                                             */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "hybrid/hybrid.h"
#include "initial/initial.h"
#include "simulate/simulate.h"

/* At the last state and inside the last step, which may have gone past the point. */
static double worst_growth(model *m, int32_t *most)
{
    enum { POINTS = 8 };
    double t = m->x[0], h = daedal_solver_stats(m->solver)->h_last;
    double growth = model_leading_growth(m, most);
    for (int k = 1; k <= POINTS; k++) {
        int32_t which = -1;
        double *y = m->x + m->place.y, *yp = m->x + m->place.yp, at = t - h * k / POINTS;
        if (daedal_solver_interpolate(m->solver, at, y, yp) != DAEDAL_OK)
            break;
        double here = model_leading_growth(m, &which);
        if (here > growth) {
            growth = here;
            *most = which;
        }
    }
    model_read_state(m);
    return growth;
}

/* 'equation "z^2 = x" (line 5) does not determine z' */
static const char *undetermined_by(const model *m, int32_t variable, int32_t equation, char *text,
                                   size_t size)
{
    bool slope = m->differential[variable];
    const char *name = m->variable_name[variable];
    if (equation < 0)
        snprintf(text, size,
                 slope ? "the equations do not determine der(%.90s)"
                       : "the equations do not determine %.90s",
                 name);
    else
        snprintf(text, size,
                 slope ? "%.230s does not determine der(%.90s)" : "%.230s does not determine %.90s",
                 m->equation_name[equation], name);
    return text;
}

const char *model_undetermined(const model *m, int32_t which, char *text, size_t size)
{
    int32_t variable = -1, equation = -1;
    model_watch_blame(m, which, &variable, &equation);
    return undetermined_by(m, variable, equation, text, size);
}

daedal_status model_tell_impasse(model *m, daedal_status status, int32_t variable, int32_t equation)
{
    double t = m->x[0];
    char text[360];
    fail(&m->why, status, "the solution reaches an impasse at t = %.10g: there %s", t,
         undetermined_by(m, variable, equation, text, sizeof text));
    hint(&m->why, "beyond it there is no solution, or another branch: look for a turning point or "
                  "a singular configuration");
    blame(&m->why, t, equation, variable);
    return status;
}

/* Where steps end because the equations cease to determine what follows, that is the news:
 * an impasse.  There the leading unknowns are determined much worse than at the start: like
 * 1/sqrt(t* - t), so that even steps that end early see it.                      */
static void look_for_impasse(model *m)
{
    const double worse = 30.0, bad = 10.0;
    int32_t variable = -1, equation = -1, which = model_watch_singular(m);
    if (which >= 0)
        model_watch_blame(m, which, &variable, &equation);
    else if (!(worst_growth(m, &variable) > fmax(bad, worse * m->growth_start)))
        variable = -1;
    if (variable >= 0)
        model_tell_impasse(m, m->why.status, variable, equation);
}

daedal_status model_explain_failure(model *m, daedal_status status, const daedal_diagnosis *why)
{
    m->why = *why;
    model_explain(m, &m->why);
    bool at_restart = status == DAEDAL_ERR_INCONSISTENT && m->x[0] != m->t_start;
    if (failure_is(status, STEP_FAILURE | DOMAIN_FAILURE) || at_restart)
        look_for_impasse(m);
    return status;
}

/* ---- a singular start ---- */

static bool describe_singular_start(model *m, char *message, size_t size)
{
    char text[360];
    int32_t which = model_watch_start(m);
    if (which >= 0)
        snprintf(message, size, "the start at t = %.10g is a singular point: %s there", m->x[0],
                 model_undetermined(m, which, text, sizeof text));
    return which >= 0;
}

void model_warn_singular_start(model *m)
{
    char message[480];
    if (describe_singular_start(m, message, sizeof message) && m->log)
        m->log(DAEDAL_LOG_WARNING, message, m->log_user);
}

/* From the start values equation by equation, which is the start where nothing else is asked of
 * it: no initial equations and no constraints.                                    */
const char *model_foresee_singular_start(model *m)
{
    const flat_experiment *e = &m->flat->experiment;
    bool changed = false, found = false;
    char message[480];
    if (m->watch.n == 0 || m->flat->n_initials > 0 || m->n_constraints > 0)
        return NULL;
    m->t_start = e->has_start ? e->start : 0.0;
    if (model_prepare_values(m) == DAEDAL_OK && model_update_relations(m, true, &changed) == 0) {
        model_forward(m);
        found = describe_singular_start(m, message, sizeof message);
    }
    diagnosis_clear(&m->why);
    return found ? arena_text(&m->mem, message, strlen(message)) : NULL;
}
