/* tests/textbook/c160_block_diagonal_newton.c - C160: Newton's iteration for states and their
 * sensitivities together, with equal blocks on the diagonal and nothing beside them, converges
 * quadratically in two steps ([BCP96] section 7.5).
 *
 * One step of implicit Euler for y' = -p y^2:  G = y - y0 + h p y^2 = 0, and its derivative by p,
 * S = s - s0 + h (2 p y s + y^2) = 0.  Both have dG/dy = 1 + 2 h p y on the diagonal; dS/dy is left
 * out, so that an iterate of s is as good as the iterate of y before it.            */
#include <math.h>

#include "harness.h"

enum { ITERATIONS = 5 };

typedef struct errors {
    double of_y[ITERATIONS], of_s[ITERATIONS];
} errors;

static errors iterate(double h, double p, double y0)
{
    errors e;
    double s0 = -0.3, exact_y = (sqrt(1.0 + 4.0 * h * p * y0) - 1.0) / (2.0 * h * p);
    double exact_s = (s0 - h * exact_y * exact_y) / (1.0 + 2.0 * h * p * exact_y);
    double y = y0, s = s0;
    for (int k = 0; k < ITERATIONS; k++) {
        e.of_y[k] = fabs(y - exact_y);
        e.of_s[k] = fabs(s - exact_s);
        double block = 1.0 + 2.0 * h * p * y;
        double g = y - y0 + h * p * y * y, sensitivity = s - s0 + h * (2.0 * p * y * s + y * y);
        y -= g / block;
        s -= sensitivity / block;
    }
    return e;
}

static void two_step_quadratic(void **state)
{
    (void)state;
    for (int k = 1; k <= 3; k++) {
        errors e = iterate(0.1 * k, 1.3, 1.0);
        for (int i = 1; i + 2 < ITERATIONS && e.of_y[i] > 1e-7; i++) {
            double both = fmax(e.of_y[i], e.of_s[i]);
            assert_true(e.of_s[i + 2] <= both * both);      /* in two steps */
            assert_true(e.of_s[i + 1] >= 0.02 * e.of_y[i]); /* not in one */
            assert_true(e.of_y[i + 1] <= e.of_y[i] * e.of_y[i]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(two_step_quadratic)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
