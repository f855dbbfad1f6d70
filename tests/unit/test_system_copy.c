/* tests/unit/test_system_copy.c - solver/system_copy.c: names are kept whatever becomes of those
 * given, and take no more room than their letters.                                       */
#include "harness.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "solver/system_copy.h"

enum { N = 1000 };

static int residual(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t;
    (void)user;
    for (int i = 0; i < N; i++)
        r[i] = yp[i] + y[i];
    return DAEDAL_CALL_OK;
}

/* Every third variable has no name, and the equations of each hundred share a text. */
static void test_names(void **state)
{
    (void)state;
    static char letters[2 * N][16];
    static const char *variables[N], *equations[N];
    for (int i = 0; i < N; i++) {
        snprintf(letters[i], sizeof *letters, "x[%d]", i);
        snprintf(letters[N + i], sizeof *letters, "loop %d", i);
        variables[i] = i % 3 == 0 ? NULL : letters[i];
        equations[i] = letters[N + i / 100];
    }
    daedal_system sys = {
        .n = N, .residual = residual, .variable_names = variables, .equation_names = equations};
    system_copy copy;
    assert_true(system_copy_create(&copy, &sys, NULL));
    memset(letters, '?', sizeof letters);
    for (int i = 0; i < N; i++) {
        char name[16], text[16];
        snprintf(name, sizeof name, "x[%d]", i);
        snprintf(text, sizeof text, "loop %d", i / 100);
        if (i % 3 == 0)
            assert_null(copy.sys.variable_names[i]);
        else
            assert_string_equal(copy.sys.variable_names[i], name);
        assert_string_equal(copy.sys.equation_names[i], text);
    }
    assert_true(copy.mem.size < N * (2 * sizeof(char *) + 8) + 1000);
    system_copy_free(&copy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_names)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
