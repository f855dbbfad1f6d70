/* api/system_check.c - see system_check.h. */
#include "api/system_check.h"

#include <math.h>

#include "base/status.h"
#include "newton/evaluator.h"

static daedal_status check_callbacks(const daedal_system *sys, daedal_diagnosis *why)
{
    if (sys->n < 1)
        return fail(why, DAEDAL_ERR_ARGUMENT, "system.n is %d; it must be at least 1", (int)sys->n);
    if (!sys->residual && !sys->rhs)
        return fail(why, DAEDAL_ERR_ARGUMENT, "system.residual and system.rhs are both NULL");
    if (sys->residual && sys->rhs)
        return fail(why, DAEDAL_ERR_ARGUMENT, "system.residual and system.rhs are both given");
    if (sys->residual && (sys->mass || sys->rhs_jacobian))
        return fail(why, DAEDAL_ERR_ARGUMENT, "system.%s goes with rhs, not with residual",
                    sys->mass ? "mass" : "rhs_jacobian");
    if (sys->rhs && sys->jacobian)
        return fail(why, DAEDAL_ERR_ARGUMENT,
                    "system.jacobian goes with residual; use rhs_jacobian");
    if (sys->mass_kind < DAEDAL_MASS_CONSTANT || sys->mass_kind > DAEDAL_MASS_OF_STATE)
        return fail(why, DAEDAL_ERR_ARGUMENT, "system.mass_kind is %d", (int)sys->mass_kind);
    if (sys->n_events < 0 || (sys->n_events > 0 && !sys->events))
        return fail(why, DAEDAL_ERR_ARGUMENT, "system.n_events is %d but events is NULL",
                    (int)sys->n_events);
    return DAEDAL_OK;
}

static daedal_status check_constraints(const daedal_system *sys, daedal_diagnosis *why)
{
    if (sys->n_constraints < 0)
        return fail(why, DAEDAL_ERR_ARGUMENT, "system.n_constraints is %d",
                    (int)sys->n_constraints);
    if (sys->n_constraints == 0)
        return DAEDAL_OK;
    if (!sys->constraints || !sys->constraint_jacobian || !sys->constraint_pattern)
        return fail(why, DAEDAL_ERR_ARGUMENT, "system.n_constraints is %d but %s is NULL",
                    (int)sys->n_constraints,
                    !sys->constraints           ? "constraints"
                    : !sys->constraint_jacobian ? "constraint_jacobian"
                                                : "constraint_pattern");
    return DAEDAL_OK;
}

static daedal_status check_parameters(const daedal_system *sys, daedal_diagnosis *why)
{
    bool differences = !sys->parameter_derivative ||
                       (sys->n_constraints > 0 && !sys->constraint_parameter_derivative);
    if (sys->n_parameters < 0)
        return fail(why, DAEDAL_ERR_ARGUMENT, "system.n_parameters is %d", (int)sys->n_parameters);
    if (sys->n_parameters > INT32_MAX / sys->n)
        return fail(why, DAEDAL_ERR_ARGUMENT, "%d parameters of %d equations are too many",
                    (int)sys->n_parameters, (int)sys->n);
    if (sys->n_parameters > 0 && !sys->parameters && differences)
        return fail(why, DAEDAL_ERR_ARGUMENT,
                    "system.n_parameters is %d but parameters is NULL, and %s",
                    (int)sys->n_parameters,
                    sys->parameter_derivative ? "constraint_parameter_derivative too"
                                              : "parameter_derivative too");
    for (int32_t i = 0; i < sys->n_parameters; i++) {
        const double *p = sys->parameters ? sys->parameters[i] : NULL;
        bool bad_scale =
            sys->parameter_scale.n == sys->n_parameters &&
            !(isfinite(sys->parameter_scale.at[i]) && sys->parameter_scale.at[i] > 0.0);
        if (bad_scale || (p && !isfinite(*p)))
            return fail(why, DAEDAL_ERR_ARGUMENT, "%s[%d] is %g",
                        bad_scale ? "system.parameter_scale" : "*system.parameters", (int)i,
                        bad_scale ? sys->parameter_scale.at[i] : *p);
    }
    return DAEDAL_OK;
}

static daedal_status check_pattern(const daedal_pattern *p, const char *name, int32_t rows,
                                   int32_t n, daedal_diagnosis *why)
{
    char buffer[128];
    if (!p)
        return DAEDAL_OK;
    if (p->n_rows != rows || p->n_cols != n)
        return fail(why, DAEDAL_ERR_ARGUMENT, "%s is %d x %d; it must be %d x %d", name,
                    (int)p->n_rows, (int)p->n_cols, (int)rows, (int)n);
    const char *complaint = pattern_complaint(p, buffer, sizeof buffer);
    return complaint ? fail(why, DAEDAL_ERR_ARGUMENT, "%s: %s", name, complaint) : DAEDAL_OK;
}

static daedal_status check_dyp_pattern(const daedal_system *sys, daedal_diagnosis *why)
{
    const daedal_pattern *p = sys->dyp_pattern;
    TRY(check_pattern(p, "system.dyp_pattern", sys->n, sys->n, why));
    for (int32_t j = 0; p && sys->pattern && j < sys->n; j++)
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++)
            if (pattern_find(sys->pattern, p->row[q], j) < 0)
                return fail(why, DAEDAL_ERR_ARGUMENT,
                            "system.dyp_pattern has the entry (%d, %d), which system.pattern lacks",
                            (int)p->row[q], (int)j);
    return DAEDAL_OK;
}

static daedal_status check_count(const char *name, const void *at, int32_t count, int32_t wanted,
                                 daedal_diagnosis *why)
{
    if (count == 0 || (count == wanted && at))
        return DAEDAL_OK;
    return fail(why, DAEDAL_ERR_ARGUMENT, "%s has %d entries; %d are needed", name, (int)count,
                (int)wanted);
}

static daedal_status check_values(const daedal_system *sys, daedal_diagnosis *why)
{
    for (int32_t i = 0; i < sys->variable_index.n; i++)
        if (sys->variable_index.at[i] < 0)
            return fail(why, DAEDAL_ERR_ARGUMENT, "system.variable_index[%d] is %d", (int)i,
                        (int)sys->variable_index.at[i]);
    for (int32_t i = 0; i < sys->variable_kind.n; i++)
        if (sys->variable_kind.at[i] < DAEDAL_KIND_DETECT ||
            sys->variable_kind.at[i] > DAEDAL_ALGEBRAIC)
            return fail(why, DAEDAL_ERR_ARGUMENT, "system.variable_kind[%d] is %d", (int)i,
                        (int)sys->variable_kind.at[i]);
    for (int32_t i = 0; i < sys->state_select.n; i++)
        if (sys->state_select.at[i] < -2 || sys->state_select.at[i] > 2)
            return fail(why, DAEDAL_ERR_ARGUMENT, "system.state_select[%d] is %d", (int)i,
                        (int)sys->state_select.at[i]);
    for (int32_t i = 0; i < sys->event_direction.n; i++)
        if (sys->event_direction.at[i] < -1 || sys->event_direction.at[i] > 1)
            return fail(why, DAEDAL_ERR_ARGUMENT, "system.event_direction[%d] is %d", (int)i,
                        (int)sys->event_direction.at[i]);
    for (int32_t i = 0; i < sys->n; i++) {
        double low = sys->lower.n ? sys->lower.at[i] : -INFINITY;
        double high = sys->upper.n ? sys->upper.at[i] : INFINITY;
        char name[96];
        if (!(low <= high))
            return fail(why, DAEDAL_ERR_ARGUMENT, "the bounds of %s are %g and %g",
                        evaluator_variable_name(sys, i, name, sizeof name), low, high);
    }
    return DAEDAL_OK;
}

daedal_status system_check(const daedal_system *sys, daedal_diagnosis *why)
{
    TRY(check_callbacks(sys, why));
    TRY(check_constraints(sys, why));
    TRY(check_parameters(sys, why));
    TRY(check_pattern(sys->pattern, "system.pattern", sys->n, sys->n, why));
    TRY(check_pattern(sys->mass_pattern, "system.mass_pattern", sys->n, sys->n, why));
    TRY(check_dyp_pattern(sys, why));
    if (sys->n_constraints > 0)
        TRY(check_pattern(sys->constraint_pattern, "system.constraint_pattern", sys->n_constraints,
                          sys->n, why));
    TRY(check_count("system.constraint_level", sys->constraint_level.at, sys->constraint_level.n,
                    sys->n_constraints, why));
    TRY(check_count("system.variable_level", sys->variable_level.at, sys->variable_level.n, sys->n,
                    why));
    TRY(check_count("system.state_select", sys->state_select.at, sys->state_select.n, sys->n, why));
    TRY(check_count("system.event_direction", sys->event_direction.at, sys->event_direction.n,
                    sys->n_events, why));
    TRY(check_count("system.variable_kind", sys->variable_kind.at, sys->variable_kind.n, sys->n,
                    why));
    TRY(check_count("system.variable_index", sys->variable_index.at, sys->variable_index.n, sys->n,
                    why));
    TRY(check_count("system.parameter_scale", sys->parameter_scale.at, sys->parameter_scale.n,
                    sys->n_parameters, why));
    TRY(check_count("system.lower", sys->lower.at, sys->lower.n, sys->n, why));
    TRY(check_count("system.upper", sys->upper.at, sys->upper.n, sys->n, why));
    return check_values(sys, why);
}
