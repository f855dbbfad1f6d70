/* support/link_chain.c - see link_chain.h. */
#include "link_chain.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

int link_chain_residual(double t, const double *y, const double *yp, double *r, void *user)
{
    const int32_t links = *(const int32_t *)user;
    (void)t;
    for (int32_t k = 0; k < links; k++) {
        const double *x = y + OF_A_LINK * k, *v = x + 2, *xp = yp + OF_A_LINK * k;
        const double *before = k > 0 ? x - OF_A_LINK : NULL,
                     *after = k + 1 < links ? x + OF_A_LINK : NULL;
        double *out = r + OF_A_LINK * k, length = -1.0;
        for (int i = 0; i < 2; i++) {
            double to = x[i] - (before ? before[i] : 0.0);
            out[i] = xp[i] - v[i];
            out[2 + i] = xp[2 + i] + x[4] * to + (i == 1 ? 1.0 : 0.0);
            if (after)
                out[2 + i] -= after[4] * (after[i] - x[i]);
            length += to * to;
        }
        out[4] = length;
    }
    return DAEDAL_CALL_OK;
}

void link_chain_start(int32_t links, double *y)
{
    const double turn = 0.5;
    memset(y, 0, (size_t)(OF_A_LINK * links) * sizeof *y);
    for (int32_t k = 0; k < links; k++) {
        double *x = y + OF_A_LINK * k, along = k + 1.0;
        x[0] = 0.6 * along;
        x[1] = -0.8 * along;
        x[2] = -turn * x[1] / links;
        x[3] = turn * x[0] / links;
    }
}

void link_chain_violation(int32_t links, const double *y, double *length, double *speed)
{
    *length = *speed = 0.0;
    for (int32_t k = 0; k < links; k++) {
        const double *x = y + OF_A_LINK * k, *before = x - OF_A_LINK;
        double of_length = -1.0, of_speed = 0.0;
        for (int i = 0; i < 2; i++) {
            double to = x[i] - (k > 0 ? before[i] : 0.0);
            of_length += to * to;
            of_speed += to * (x[2 + i] - (k > 0 ? before[2 + i] : 0.0));
        }
        *length = fmax(*length, fabs(of_length));
        *speed = fmax(*speed, fabs(of_speed));
    }
}
