/* boundary/parameter_path.c - see parameter_path.h. */
#include "boundary/parameter_path.h"

#include <math.h>
#include <stdio.h>

/* Values of one sign are passed in equal factors, others in equal differences. */
static double value_at(const parameter_path *p, double share)
{
    if (share >= 1.0)
        return p->to;
    if (p->from * p->to > 0.0)
        return p->from * pow(p->to / p->from, share);
    return p->from + share * (p->to - p->from);
}

bool path_may_go_on(daedal_status failure)
{
    return failure_is(failure, NUMERIC_FAILURE) || failure == DAEDAL_ERR_STEP_LIMIT;
}

static daedal_status end(const parameter_path *p, daedal_status status, daedal_diagnosis *why)
{
    daedal_diagnosis last = *why;
    fail(why, status, "the solutions could be followed from %s %.6g to %.10g, not to %.6g: %.250s",
         p->name, p->from, value_at(p, p->done), p->to, last.message);
    hint(why, "the path of solutions may end or turn back there: then the problem has no solution "
              "near it beyond that value");
    set_cause(why, DAEDAL_CAUSE_NO_SOLUTION);
    return status;
}

daedal_status parameter_path_follow(parameter_path *p, daedal_diagnosis *why)
{
    enum { STEPS_MOST = 1000 };
    const double first = 0.25, growth = 2.0, retreat = 0.25;
    double step = first;
    TRY(p->solve_at(p->self, p->from));
    p->done = 0.0;
    p->steps = 1;
    while (p->done < 1.0) {
        if (p->keep && !p->keep(p->self))
            return fail(why, DAEDAL_ERR_MEMORY, "out of memory for a solution");
        double next = fmin(p->done + step, 1.0);
        daedal_status status = p->solve_at(p->self, value_at(p, next));
        if (status == DAEDAL_OK) {
            p->done = next;
            p->steps++;
            step *= growth;
            continue;
        }
        if (!path_may_go_on(status))
            return status;
        step = retreat * (next - p->done);
        if (step < p->least || p->steps > STEPS_MOST)
            return end(p, status, why);
        if (p->go_back && !p->go_back(p->self))
            return fail(why, DAEDAL_ERR_MEMORY, "out of memory for a solution");
    }
    return DAEDAL_OK;
}
