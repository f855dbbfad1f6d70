/* adjoint/quadrature.c - see backward_run.h: formulas of Gauss, whose order is that of the steps at
 * the least. */
#include "adjoint/backward_run.h"

quadrature quadrature_of_order(int32_t order)
{
    static const double at2[] = {0.2113248654051871, 0.7886751345948129};
    static const double weight2[] = {0.5, 0.5};
    static const double at3[] = {0.1127016653792583, 0.5, 0.8872983346207417};
    static const double weight3[] = {5.0 / 18.0, 8.0 / 18.0, 5.0 / 18.0};
    static const double at4[] = {0.06943184420297371, 0.33000947820757187, 0.6699905217924281,
                                 0.9305681557970263};
    static const double weight4[] = {0.17392742256872693, 0.32607257743127307, 0.32607257743127307,
                                     0.17392742256872693};
    static const double at5[] = {0.04691007703066802, 0.23076534494715845, 0.5, 0.7692346550528415,
                                 0.953089922969332};
    static const double weight5[] = {0.11846344252809454, 0.23931433524968324, 0.28444444444444444,
                                     0.23931433524968324, 0.11846344252809454};
    if (order <= 4)
        return (quadrature){2, at2, weight2};
    if (order <= 6)
        return (quadrature){3, at3, weight3};
    return order <= 8 ? (quadrature){4, at4, weight4} : (quadrature){5, at5, weight5};
}

enum { ENDS_ORDER = 5 }; /* of the polynomials between ends of steps */

int functional_add_step(solution_record *record, void *user)
{
    functional_sum *sum = user;
    const recorded_step *step = &record->steps[record->n_steps - 1];
    quadrature q = quadrature_of_order(step->n_points > 0 ? step->order : ENDS_ORDER);
    double width = step->t_to - step->t_from, value;
    for (int32_t k = 0; k < q.n && sum->g->integrand.value; k++) {
        double t = step->t_from + q.at[k] * width;
        solution_at(record, t, sum->y, NULL);
        int answer = functional_value(sum->g, &sum->g->integrand, t, sum->y, &value);
        if (answer != DAEDAL_CALL_OK) {
            sum->is_bad = true;
            sum->t_bad = t;
            return answer;
        }
        sum->value += q.weight[k] * width * value;
    }
    return DAEDAL_CALL_OK;
}
