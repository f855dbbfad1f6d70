/* integ/step_size.c - see step_size.h. */
#include "integ/step_size.h"

#include <float.h>
#include <math.h>

#include "linalg/vector.h"

static const double FIRST_PART = 1e-3; /* of the run: the first step at most */

/* The first step without other information, [BCP96] end of section 5.2.3: h0 = min(1e-3 |tout -
 * t|, 1/(2 ||y'||)). */
double step_first(const integ_context *in, const integ_begin *from, const double *inverse_weight,
                  step_courage rule)
{
    const daedal_options *opt = in->options;
    double h = opt->first_step;
    if (h == 0.0 && from->h_before > 0.0)
        h = rule.share * from->h_before;
    if (h == 0.0) {
        double speed = space_wrms(&in->ev->space, from->yp, inverse_weight);
        double size = fmax(rule.part * space_wrms(&in->ev->space, from->y, inverse_weight), 0.5);
        h = FIRST_PART * (from->span > 0.0 ? from->span : fmax(fabs(from->t), 1.0));
        if (speed * h > size)
            h = size / speed;
    }
    h = fmax(h, fmax(64.0 * DBL_EPSILON * fabs(from->t), opt->min_step));
    if (opt->max_step > 0.0)
        h = fmin(h, opt->max_step);
    return copysign(h, from->direction);
}
