/* tests/textbook/c092_rk_higher_index.c - Runge-Kutta methods on the pendulum of index 2 and 3:
 * C092, C094.                                                                     */
#include <string.h>

#include "fixed_step.h"
#include "harness.h"
#include "order_problems.h"
#include "order_tables.h"

/* ---- C092: [BCP96] table 4.4.1 and more ----------------------------------------------------- */

static void c092_reference(void **state)
{
    (void)state;
    static const double TRUTH[] = {0.87954813, -0.47580992, -0.46415736, -0.85800804, 1.42742977};
    trial_problem p = problem_pendulum(&PENDULUM_STABILIZED);
    double y[6];
    p.exact(1.0, y, p.sys.user);
    for (int v = 0; v < 5; v++)
        expect_near(y[v], TRUTH[v], 6e-9);
}

static void c092_orders_on_index_two(void **state)
{
    (void)state;
    order_expect("C092", false);
}

/* ---- C094 ------------------------------------------------------------------------------------ */

static void c094_orders_on_index_three(void **state)
{
    (void)state;
    order_expect("C094", false);
}

/* The bounds of [BCP96] 4.4: k_I, k_I, k_I - 1 in place, speed and force. */
static void c094_stage_order_is_a_lower_bound(void **state)
{
    (void)state;
    for (int32_t t = 0; t < order_table_count(); t++) {
        const order_table *table = order_table_at(t);
        for (int32_t i = 0; i < table->n_rows && strcmp(table->item, "C094") == 0; i++) {
            if (table->row[i].kind != RUNGE_KUTTA)
                continue;
            tableau m = tableau_of(table->row[i].name);
            double found[PARTS_MAX];
            int32_t stage = tableau_stage_order(&m);
            order_measure(table, &table->row[i], found);
            assert_true(stage >= 2 && found[0] > stage - 0.3 && found[1] > stage - 0.3);
            assert_true(found[2] > stage - 1.3);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(c092_reference),
        cmocka_unit_test(c092_orders_on_index_two),
        cmocka_unit_test(c094_orders_on_index_three),
        cmocka_unit_test(c094_stage_order_is_a_lower_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
