/* simulate/impasse.c - see simulation.h: messages about points where the equations cease to
 * determine the solution.                                                        */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "hybrid/discrete.h"
#include "initial/start_problem.h"
#include "simulate/simulation.h"

/* The largest growth at the last state and within the last step, which may have gone past it. */
static double largest_growth(simulation *m, int32_t *most)
{
    enum { POINTS = 8 };
    double t = m->values->x[0], h = daedal_solver_stats(m->discrete->solver)->h_last;
    double growth = compiled_leading_growth(m->compiled, most);
    for (int k = 1; k <= POINTS; k++) {
        int32_t which = -1;
        double *y = m->values->x + m->values->place.y, *yp = m->values->x + m->values->place.yp,
               at = t - h * k / POINTS;
        if (daedal_solver_interpolate(m->discrete->solver, at, y, yp) != DAEDAL_OK)
            break;
        double here = compiled_leading_growth(m->compiled, &which);
        if (here > growth) {
            growth = here;
            *most = which;
        }
    }
    discrete_read_state(m->discrete);
    return growth;
}

/* 'equation "z^2 = x" (line 5) does not determine z' */
static const char *undetermined_text(const simulation *m, int32_t variable, int32_t equation,
                                     char *text, size_t size)
{
    bool slope = m->reduced->differential[variable];
    const char *name = m->compiled->variable_name[variable];
    if (equation < 0)
        snprintf(text, size,
                 slope ? "the equations do not determine der(%.90s)"
                       : "the equations do not determine %.90s",
                 name);
    else
        snprintf(text, size,
                 slope ? "%.230s does not determine der(%.90s)" : "%.230s does not determine %.90s",
                 m->compiled->equation_name[equation], name);
    return text;
}

const char *simulation_undetermined_text(const simulation *m, int32_t which, char *text,
                                         size_t size)
{
    int32_t variable = -1, equation = -1;
    singularity_blame(m, which, &variable, &equation);
    return undetermined_text(m, variable, equation, text, size);
}

/* A sum of the residuals, with the algebraic variable as it is; *size: of their absolute values. */
static double sum_of_residuals(simulation *m, double *size)
{
    double sum = 0.0;
    *size = 0.0;
    if (program_run(m->compiled, m->compiled->residuals, m->values->x[0], NULL, NULL) != 0)
        return NAN;
    for (int32_t i = 0; i < m->reduced->n; i++) {
        double r = m->compiled->residuals->out[i];
        sum += r * cos(1.0 + i);
        *size += fabs(r);
    }
    return sum;
}

/* Whether the residuals do not change with a variable at all, whatever its value is: then it is
 * free and not at the end of a branch.  */
static bool is_free(simulation *m, int32_t variable)
{
    static const double moves[] = {0.37, -0.81, 5.3};
    const double roundoff = 1e-13;
    double *y = m->values->x + m->values->place.y + variable, kept = *y, size, other;
    double sum = sum_of_residuals(m, &size);
    bool same = !m->reduced->differential[variable] && isfinite(sum);
    for (size_t k = 0; k < sizeof moves / sizeof *moves && same; k++) {
        *y = kept + moves[k] * fmax(fabs(kept), 1.0);
        same = fabs(sum_of_residuals(m, &other) - sum) <= roundoff * fmax(size, other);
    }
    *y = kept;
    return same;
}

static daedal_status report_free(simulation *m, daedal_status status, int32_t variable)
{
    const char *name = m->compiled->variable_name[variable];
    double t = m->values->x[0];
    fail(m->why, status,
         "the equations leave %.90s free at t = %.10g: with the other values as they are they hold "
         "for any value of it",
         name, t);
    hint(m->why,
         "a factor of it is zero there, such as an amplitude whose phase is asked for: "
         "prescribe %.90s for that case, or leave it out",
         name);
    blame(m->why, t, -1, variable);
    set_cause(m->why, DAEDAL_CAUSE_UNDETERMINED_VARIABLE);
    return status;
}

daedal_status simulation_report_impasse(simulation *m, daedal_status status, int32_t variable,
                                        int32_t equation)
{
    double t = m->values->x[0];
    char text[360];
    if (variable >= 0 && is_free(m, variable))
        return report_free(m, status, variable);
    fail(m->why, status, "the solution reaches an impasse at t = %.10g: there %s", t,
         undetermined_text(m, variable, equation, text, sizeof text));
    hint(m->why, "the solution ends there or continues on another branch: look for a turning point "
                 "or a singular configuration");
    blame(m->why, t, equation, variable);
    set_cause(m->why, DAEDAL_CAUSE_IMPASSE);
    return status;
}

/* Whether what the solver found leaves room for it. */
static bool may_be_impasse(daedal_cause found)
{
    return found == DAEDAL_CAUSE_NONE || found == DAEDAL_CAUSE_IMPASSE ||
           found == DAEDAL_CAUSE_UNDETERMINED_VARIABLE || found == DAEDAL_CAUSE_DISCONTINUITY ||
           found == DAEDAL_CAUSE_INCONSISTENT_START || found == DAEDAL_CAUSE_NO_SOLUTION ||
           found == DAEDAL_CAUSE_REDUNDANT_EQUATIONS;
}

/* If the steps failed because the equations cease to determine the solution, report an impasse
 * instead.  There the leading unknowns grow as 1/sqrt(t* - t) compared with the start, which shows
 * even in steps that end early.                                                  */
static void detect_impasse(simulation *m)
{
    const double factor = 30.0, least = 10.0; /* of the growth at the start; in any case */
    int32_t variable = -1, equation = -1, which = singularity_after_failure(m);
    if (which >= 0)
        singularity_blame(m, which, &variable, &equation);
    else if (!may_be_impasse(m->why->cause) ||
             !(largest_growth(m, &variable) > fmax(least, factor * m->growth_start)))
        variable = -1;
    if (variable >= 0)
        simulation_report_impasse(m, m->why->status, variable, equation);
}

daedal_status simulation_explain_failure(simulation *m, daedal_status status,
                                         const daedal_diagnosis *why)
{
    *m->why = *why;
    compiled_explain(m->compiled, m->why);
    bool at_restart = status == DAEDAL_ERR_INCONSISTENT && m->values->x[0] != m->discrete->t_start;
    if (failure_is(status, STEP_FAILURE | DOMAIN_FAILURE) || at_restart)
        detect_impasse(m);
    return status;
}

/* ---- a singular start ---- */

static bool describe_singular_start(simulation *m, char *message, size_t size)
{
    char text[360];
    int32_t which = singularity_start(m);
    if (which >= 0)
        snprintf(message, size, "the start at t = %.10g is a singular point: %s there",
                 m->values->x[0], simulation_undetermined_text(m, which, text, sizeof text));
    return which >= 0;
}

void simulation_warn_singular_start(simulation *m)
{
    char message[480];
    if (describe_singular_start(m, message, sizeof message))
        log_warning(m->log, DAEDAL_CAUSE_NONE, m->values->x[0], message);
}

/* The start is computed equation by equation from the start values.  That is the actual start if
 * there are no initial equations and no constraints.                              */
const char *simulation_predict_singular_start(simulation *m)
{
    const flat_experiment *e = &m->flat->experiment;
    bool changed = false, found = false;
    char message[480];
    if (!m->watch || m->watch->n == 0 || m->flat->n_initials > 0 || m->reduced->n_constraints > 0)
        return NULL;
    m->discrete->t_start = e->has_start ? e->start : 0.0;
    if (start_prepare_values(m->start) == DAEDAL_OK &&
        discrete_update_relations(m->discrete, true, &changed) == 0) {
        start_forward(m->start);
        found = describe_singular_start(m, message, sizeof message);
    }
    diagnosis_clear(m->why);
    return found ? arena_text(m->mem, message, strlen(message)) : NULL;
}
