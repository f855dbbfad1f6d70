/* integ/rattle_composition.c - steps of order 4 and 6 from symmetric ones of order 2; see rattle.h.
 *
 * Order 4: [HLW06] II (4.5), five steps of which the middle one goes back.  Order 6: [HLW06] V
 * (3.12), nine steps.  The sums of gamma and of its odd powers that make the order are tested
 * (tests/property/test_rattle.c).                                                 */
#include "integ/rattle.h"

/* 1/(4 - 4^(1/3)) */
#define OUTER 0.41449077179437573714
#define INNER (1.0 - 4.0 * OUTER)

static const double of_order_2[] = {1.0};
static const double of_order_4[] = {OUTER, OUTER, INNER, OUTER, OUTER};
static const double of_order_6[] = {
    0.39216144400731413928,  0.33259913678935943860, -0.70624617255763935981,
    0.08221359629355080023,  0.79854399093482996340, 0.08221359629355080023,
    -0.70624617255763935981, 0.33259913678935943860, 0.39216144400731413928};

const rattle_composition *rattle_composition_for(int32_t order_max)
{
    static const rattle_composition table[] = {
        {2, 1, of_order_2}, {4, 5, of_order_4}, {6, 9, of_order_6}};
    return &table[order_max >= 6 ? 2 : order_max >= 4 ? 1 : 0];
}
