/* integ/mechanical_form.h - equations of motion, recognised in F(t, y, y') = 0.
 *
 * Responsibility: find out whether a system whose index was reduced has the form
 *     q' = v,   M(q) v' = f(t, q) - G(q)' lambda,   0 = g''(q, v, v')
 * with the constraints g(q) = 0 and g' = G(q) v = 0 beside it, which is what equations of motion
 * become in models and in daedal_mechanics_system.  Positions are found by equations q' = v; all
 * other differentiated variables are velocities, some of them perhaps tied to one another by
 * constraints as v = u.  The equation that is the derivative of a constraint on velocities is found
 * by its derivatives.  What does not fit is refused in words.
 * Depends on: integ/method.h.                                                    */
#ifndef DAEDAL_INTEG_MECHANICAL_FORM_H
#define DAEDAL_INTEG_MECHANICAL_FORM_H

#include "integ/method.h"

/* A constraint and the equation that is its highest derivative: the derivatives of the equation by
 * accelerations are `scale` times those of the constraint by what it restricts.   */
typedef struct mechanical_rule {
    int32_t constraint, row;
    double scale;
} mechanical_rule;

enum { MECHANICAL_PROBES = 3 };

/* Work space of the search, which only mechanical_form.c uses. */
typedef struct mechanical_search {
    struct mechanical_form *f;
    const integ_context *in;
    const daedal_system *sys;
    double t;
    int32_t n, n_rules;
    double *y, *yp, *inverse_weight;       /* the point                                          */
    int32_t *of_y, *of_yp;                 /* n: entries of each row of dF/dy and dF/dy'         */
    int32_t *at_y, *at_yp;                 /* n: where the last of them stands in the pattern    */
    int32_t *column;                       /* n: the unknown of the last entry of dF/dy          */
    bool *is_partner;                      /* n: the velocity of a position                      */
    int32_t *restricted;                   /* n_rules: a velocity in the constraint, or -1       */
    int32_t *held;                         /* n_rules: the velocity of a position in it, or -1   */
    int32_t *rule_of;                      /* n_rules: its number in on_velocity                 */
    double *probe[MECHANICAL_PROBES];      /* n: a random number for each velocity               */
    double *row[MECHANICAL_PROBES];        /* n: the product of each row of dF/dy' with it       */
    double *constraint[MECHANICAL_PROBES]; /* n_rules: of each row of dg/dv, or of dg/dq         */
} mechanical_search;

typedef struct mechanical_form {
    const char *asked_by; /* for messages: "method rattle" */
    int32_t n_positions;
    int32_t *position, *velocity; /* n_positions: the two unknowns of q' = v                */
    bool *is_velocity;            /* n                                                      */
    mechanical_rule *on_position; /* constraints g(q) = 0                                   */
    mechanical_rule *on_velocity; /* constraints that contain velocities                    */
    int32_t n_on_position, n_on_velocity;
    mechanical_search search;
} mechanical_form;

void mechanical_form_lay_out(mechanical_form *f, const daedal_system *sys, layout *l);

/* Search at (t, y, yp).  Returns DAEDAL_OK, DAEDAL_ERR_ARGUMENT with the reason in in->why, or
 * what a callback answered.  The values of the matrix of the context have changed afterwards. */
daedal_status mechanical_form_find(mechanical_form *f, const integ_context *in, double t,
                                   const double *y, const double *yp);
#endif
