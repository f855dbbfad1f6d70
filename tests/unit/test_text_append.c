/* tests/unit/test_text_append.c - texts that grow piece by piece end where their room ends
 * (base/status.c). */
#include <string.h>

#include "base/status.h"
#include "harness.h"

enum { BEHIND = 20 };

/* Whatever fits is there, and no byte behind the room is touched. */
static void test_room(void **state)
{
    static const char all[] = "one, 2, three, 4";
    (void)state;
    for (size_t size = 1; size <= sizeof all; size++) {
        char text[sizeof all + BEHIND];
        memset(text, '#', sizeof text);
        text[0] = '\0';
        text_append(text, size, "%s", "one");
        text_append(text, size, ", %d", 2);
        text_append(text, size, "%s%s", ", ", "three");
        text_append(text, size, ", %d", 4);
        assert_int_equal(strlen(text), size - 1);
        assert_memory_equal(text, all, size - 1);
        for (size_t k = size; k < sizeof text; k++)
            assert_int_equal(text[k], '#');
    }
}

static void test_message(void **state)
{
    (void)state;
    daedal_diagnosis d;
    diagnosis_clear(&d);
    message_append(&d, "first");
    for (int k = 0; k < 100; k++)
        message_append(&d, "; part %d", k);
    assert_int_equal(strlen(d.message), sizeof d.message - 1);
    assert_int_equal(strncmp(d.message, "first; part 0; part 1;", 22), 0);
    assert_string_equal(d.hint, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_room), cmocka_unit_test(test_message)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
