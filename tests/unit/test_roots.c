/* tests/unit/test_roots.c - the search for events on a curve: all roots in order, wherever their
 * function stands in the list, and every answer of the event functions passed on at once.  */
#include <float.h>
#include <math.h>
#include <string.h>

#include "integ/roots.h"

#include "harness.h"

enum { N = 2, MOST = 5, ROOTS = 10 };

typedef double event_function(double t);

static double one(double t)
{
    (void)t;
    return 1.0;
}

static double wave(double t)
{
    return cos(5.0 * t);
}

static double middle(double t) /* exactly zero at its root */
{
    return 0.5 - t;
}

static double valley(double t)
{
    return (t - 0.6) * (t - 0.6) - 1e-8;
}

static double notch(double t) /* as narrow as the points of a panel are apart */
{
    double x = (t - 0.4) / 0.05;
    return 1.0 - 2.0 * exp(-x * x);
}

static double bell(double t) /* a valley that no polynomial follows */
{
    double x = (t - 0.75) / 0.2;
    return 1.0 - 1e-6 - exp(-x * x);
}

static double near_miss(double t)
{
    return (t - 0.6) * (t - 0.6) + 1e-7;
}

static double ripple(double t) /* too fast for the panels of a stretch, and never zero */
{
    return 1.0 + 1e-6 + sin(1200.0 * t);
}

static double leaves(double t) /* zero at 0, and again at 0.3 */
{
    return t * (0.3 - t);
}

static double hops(double t) /* the same within a time that no panel resolves */
{
    return t * (1e-9 - t);
}

/* Functions of the time of the curve; the call with the number `fails_at` answers `answer`, and its
 * values are worthless.                                                          */
typedef struct scene {
    int32_t n;
    event_function *g[MOST];
    long calls, fails_at;
    int answer;
} scene;

static int call_scene(void *self, double t, const double *y, const double *yp, double *g)
{
    scene *s = self;
    bool fails = ++s->calls == s->fails_at;
    (void)t;
    (void)yp;
    for (int32_t i = 0; i < s->n; i++)
        g[i] = fails ? -s->g[i](y[0]) : s->g[i](y[0]);
    return fails ? s->answer : DAEDAL_CALL_OK;
}

static void curve_values(void *self, double t, double *y, double *yp)
{
    (void)self;
    y[0] = t;
    yp[0] = 1.0;
    y[1] = 7.0;
    yp[1] = 0.0;
}

static const roots_curve CURVE = {curve_values, NULL};

static roots roots_of(scene *s, int32_t samples, const int32_t *direction)
{
    roots r;
    roots_setup setup = {{call_scene, s}, N, s->n, direction, samples, 0.0, NULL};
    assert_true(roots_create(&r, &setup));
    return r;
}

static int begin_at(roots *r, double t, bool after_event)
{
    double y[N], yp[N];
    curve_values(NULL, t, y, yp);
    return roots_begin(r, t, y, yp, after_event);
}

static void note_slopes_at(roots *r, double t, double reach)
{
    const bool is_differential[N] = {true, false};
    double y[N], yp[N];
    curve_values(NULL, t, y, yp);
    roots_note_slopes(r, t, y, yp, is_differential, reach);
}

typedef struct event {
    double t;
    int32_t which, direction;
} event;

/* All events from one time to another in stretches, each with a new beginning behind it if
 * asked for.  Returns their number, or the answer that was not OK, negative.           */
static int32_t find_all(scene *s, roots *r, const double span[2], int stretches, bool restart,
                        event list[ROOTS])
{
    int32_t n = 0;
    double from = span[0], t_root = NAN;
    s->calls = 0;
    int answer = begin_at(r, from, false);
    if (answer == DAEDAL_CALL_OK)
        note_slopes_at(r, from, 0.1 * (span[1] - from));
    for (int k = 1; k <= stretches && answer == DAEDAL_CALL_OK; k++) {
        double end = k == stretches ? span[1] : span[0] + (span[1] - span[0]) * k / stretches;
        bool found = true;
        while (found && answer == DAEDAL_CALL_OK) {
            answer = roots_scan(r, &CURVE, end, &found, &t_root);
            for (int32_t i = 0; i < s->n && found && answer == DAEDAL_CALL_OK; i++)
                if (r->fired[i]) {
                    assert_true(n < ROOTS);
                    list[n++] = (event){t_root, i, r->fired[i]};
                }
            if (found && restart && answer == DAEDAL_CALL_OK)
                answer = begin_at(r, t_root, true);
        }
    }
    return answer == DAEDAL_CALL_OK ? n : -answer;
}

typedef struct expected_root {
    event_function *g;
    double t;
    int32_t direction; /* with time */
} expected_root;

static const double PI = 3.14159265358979323846;

/* In order of time. */
static int32_t expect_roots(expected_root list[ROOTS])
{
    double half = 0.05 * sqrt(log(2.0)), dip = 0.2 * sqrt(-log(1.0 - 1e-6));
    expected_root all[] = {{leaves, 0.3, -1},        {wave, 0.1 * PI, -1},
                           {notch, 0.4 - half, -1},  {notch, 0.4 + half, +1},
                           {middle, 0.5, -1},        {valley, 0.6 - 1e-4, -1},
                           {valley, 0.6 + 1e-4, +1}, {bell, 0.75 - dip, -1},
                           {bell, 0.75 + dip, +1},   {wave, 0.3 * PI, +1}};
    memcpy(list, all, sizeof all);
    return COUNT(all);
}

static void check_events(const scene *s, const event *list, int32_t n, bool backward)
{
    expected_root all[ROOTS];
    int32_t n_all = expect_roots(all), k = 0;
    for (int32_t q = 0; q < n_all; q++) {
        const expected_root *e = &all[backward ? n_all - 1 - q : q];
        for (int32_t i = 0; i < s->n; i++) {
            if (s->g[i] != e->g)
                continue;
            assert_true(k < n);
            assert_int_equal(list[k].which, i);
            assert_int_equal(list[k].direction, backward ? -e->direction : e->direction);
            expect_near(list[k++].t, e->t, e->g == bell ? 1e-10 : 1e-12);
        }
    }
    assert_int_equal(k, n);
}

static const scene SCENES[] = {{.n = 1, .g = {wave}},
                               {.n = 1, .g = {valley}},
                               {.n = 1, .g = {near_miss}},
                               {.n = 1, .g = {ripple}},
                               {.n = 1, .g = {bell}},
                               {.n = 3, .g = {bell, one, middle}},
                               {.n = 3, .g = {one, wave, bell}},
                               {.n = 2, .g = {one, middle}},
                               {.n = 3, .g = {notch, one, one}},
                               {.n = 3, .g = {one, near_miss, notch}},
                               {.n = 4, .g = {valley, one, notch, middle}},
                               {.n = 5, .g = {middle, notch, one, wave, valley}}};

/* Each root once, forward and backward, in one stretch and in several. */
static void test_all_roots(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT(SCENES); k++)
        for (int way = 0; way < 8; way++) {
            bool backward = way & 1, restart = way & 2;
            scene s = SCENES[k];
            event list[ROOTS];
            double span[2] = {backward ? 1.0 : 0.0, backward ? 0.0 : 1.0};
            roots r = roots_of(&s, 4, NULL);
            int32_t n = find_all(&s, &r, span, way & 4 ? 7 : 1, restart, list);
            check_events(&s, list, n, backward);
            roots_free(&r);
        }
}

/* A search costs a few calls for each root, and a few for each stretch without one. */
static void test_cost(void **state)
{
    (void)state;
    static const struct {
        event_function *g;
        long most;
    } rows[] = {{one, 9}, {wave, 40}, {middle, 20}, {valley, 120}, {near_miss, 12}, {notch, 80}};
    for (size_t k = 0; k < COUNT(rows); k++) {
        scene s = {1, {rows[k].g}, 0, 0, 0};
        event list[ROOTS];
        roots r = roots_of(&s, 4, NULL);
        find_all(&s, &r, (double[]){0.0, 1.0}, 1, false, list);
        assert_true(s.calls <= rows[k].most);
        roots_free(&r);
    }
}

/* Before a root none has fired, at it those that are told have; only wanted directions are told. */
static void test_directions(void **state)
{
    (void)state;
    for (int32_t wanted = -1; wanted <= 1; wanted++) {
        scene s = {3, {wave, one, notch}, 0, 0, 0};
        int32_t direction[3] = {wanted, 0, -wanted}, n = 0;
        event list[ROOTS], all[4] = {{0, 0, -1}, {0, 2, -1}, {0, 2, 1}, {0, 0, 1}};
        roots r = roots_of(&s, 4, direction);
        int32_t found = find_all(&s, &r, (double[]){0.0, 1.0}, 3, false, list);
        for (int k = 0; k < 4; k++) {
            if (direction[all[k].which] && direction[all[k].which] != all[k].direction)
                continue;
            assert_int_equal(list[n].which, all[k].which);
            assert_int_equal(list[n++].direction, all[k].direction);
        }
        assert_int_equal(n, found);
        roots_free(&r);
    }
}

/* The bracket of a root: as narrow as numbers allow, or as the resolution says. */
static void test_brackets(void **state)
{
    (void)state;
    for (int k = 0; k < 3; k++) {
        double resolution = k == 0 ? 0.0 : k == 1 ? 1e-6 : 1e-3, t_root = NAN;
        scene s = {2, {one, wave}, 0, 0, 0};
        roots r = roots_of(&s, 4, NULL);
        bool found = false;
        r.resolution = resolution;
        assert_int_equal(begin_at(&r, 0.0, false), DAEDAL_CALL_OK);
        assert_int_equal(roots_scan(&r, &CURVE, 1.0, &found, &t_root), DAEDAL_CALL_OK);
        assert_true(found && wave(r.t_before) > 0.0 && wave(t_root) <= 0.0);
        assert_true(t_root - r.t_before <= fmax(resolution, 4.0 * DBL_EPSILON * t_root));
        assert_true(k == 0 || s.calls < 40);
        assert_true(r.t_seen == t_root);
        roots_free(&r);
    }
}

/* With no interior samples only the end of a stretch counts. */
static void test_end_only(void **state)
{
    (void)state;
    scene s = {3, {notch, one, middle}, 0, 0, 0};
    event list[ROOTS];
    roots r = roots_of(&s, 0, NULL);
    int32_t n = find_all(&s, &r, (double[]){0.0, 1.0}, 1, false, list);
    assert_int_equal(n, 1);
    assert_int_equal(list[0].which, 2);
    expect_near(list[0].t, 0.5, 1e-12);
    roots_free(&r);
}

/* Silent functions are located without being events. */
static void test_silent(void **state)
{
    (void)state;
    for (int32_t samples = 0; samples <= 4; samples += 4) {
        scene s = {3, {one, middle, wave}, 0, 0, 0};
        event list[ROOTS];
        roots r = roots_of(&s, samples, NULL);
        r.n_silent = 1;
        int32_t n = find_all(&s, &r, (double[]){0.0, 0.8}, 1, false, list);
        assert_int_equal(n, 1);
        assert_int_equal(list[0].which, 1);
        r.n_silent = 2;
        assert_int_equal(find_all(&s, &r, (double[]){0.0, 0.8}, 1, false, list), 0);
        roots_free(&r);
    }
}

/* A function that leaves zero fires when it returns, also where no sample shows that it left. */
static void test_return_to_zero(void **state)
{
    (void)state;
    static event_function *const functions[] = {leaves, hops};
    for (size_t f = 0; f < COUNT(functions); f++)
        for (int32_t at = 0; at < 3; at++) {
            scene s = {3, {one, one, one}, 0, 0, 0};
            event list[ROOTS];
            s.g[at] = functions[f];
            roots r = roots_of(&s, 4, NULL);
            int32_t n = find_all(&s, &r, (double[]){0.0, 1.0}, 2, false, list);
            assert_int_equal(n, 1);
            assert_int_equal(list[0].which, at);
            assert_int_equal(list[0].direction, -1);
            expect_near(list[0].t, f == 0 ? 0.3 : 1e-9, 1e-12);
            roots_free(&r);
        }
}

/* The slope with which a function leaves zero, of those that are zero. */
static void test_slopes(void **state)
{
    (void)state;
    for (int sign = -1; sign <= 1; sign += 2) {
        scene s = {4, {leaves, one, hops, leaves}, 0, 0, 0};
        roots r = roots_of(&s, 4, NULL);
        begin_at(&r, 0.0, false);
        note_slopes_at(&r, 0.0, sign * 0.1);
        expect_near(r.slope[0], sign * 0.3, 0.01);
        expect_near(r.slope[1], 0.0, 0.0);
        expect_near(r.slope[2], sign * 1e-9, 1e-10);
        expect_near(r.slope[3], sign * 0.3, 0.01);
        roots_free(&r);
    }
}

/* ---- answers ---- */

/* Whichever call answers something else than OK: it was the last, and its answer is returned. */
static void check_every_answer(scene s, int32_t samples)
{
    const double span[2] = {0.0, 1.0};
    event list[ROOTS];
    roots r = roots_of(&s, samples, NULL);
    assert_true(find_all(&s, &r, span, 1, true, list) >= 0);
    long calls = s.calls;
    roots_free(&r);
    for (long k = 1; k <= calls; k += k < 300 ? 1 : 13)
        for (s.answer = DAEDAL_CALL_RETRY;; s.answer = DAEDAL_CALL_STOP) {
            s.fails_at = k;
            r = roots_of(&s, samples, NULL);
            assert_int_equal(find_all(&s, &r, span, 1, true, list), -s.answer);
            assert_int_equal(s.calls, k);
            roots_free(&r);
            if (s.answer == DAEDAL_CALL_STOP)
                break;
        }
}

static void test_answers(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT(SCENES); k++) {
        check_every_answer(SCENES[k], 4);
        check_every_answer(SCENES[k], 0);
    }
}

/* ---- around events ---- */

/* A state of which the functions themselves are the unknowns. */
static int call_values(void *self, double t, const double *y, const double *yp, double *g)
{
    (void)t;
    (void)yp;
    memcpy(g, y, 3 * sizeof *g);
    return *(int *)self;
}

static const double ZERO[3] = {0.0};

static roots values_with_root(int *answer, int32_t at)
{
    roots r;
    roots_setup setup = {{call_values, answer}, 3, 3, NULL, 4, 0.0, NULL};
    assert_true(roots_create(&r, &setup));
    double before[3] = {1.0, 1.0, 1.0};
    assert_int_equal(roots_begin(&r, 0.0, before, ZERO, false), DAEDAL_CALL_OK);
    r.fired[at] = -1;
    return r;
}

/* Values that are made consistent after an event may move a function that fired by a little, and
 * another one by anything.                                                        */
static void test_moved_values(void **state)
{
    (void)state;
    for (int32_t at = 0; at < 3; at++)
        for (int32_t i = 0; i < 3; i++) {
            int answer = DAEDAL_CALL_OK;
            roots r = values_with_root(&answer, at);
            double y[3] = {0.0};
            y[i] = 1e-7;
            assert_int_equal(roots_look(&r, 1.0, y, ZERO), DAEDAL_CALL_OK);
            assert_int_equal(roots_show(&r, 1.0, y, ZERO), DAEDAL_CALL_OK);
            for (int32_t k = 0; k < 3; k++)
                expect_near(r.remainder[k], k == at ? y[k] : 0.0, 0.0);
            y[i] = 1e-5;
            assert_int_equal(roots_look(&r, 1.0, y, ZERO),
                             i == at ? DAEDAL_CALL_RETRY : DAEDAL_CALL_OK);
            answer = DAEDAL_CALL_STOP;
            y[i] = 0.0;
            assert_int_equal(roots_look(&r, 1.0, y, ZERO), DAEDAL_CALL_STOP);
            assert_int_equal(roots_show(&r, 1.0, y, ZERO), DAEDAL_CALL_STOP);
            assert_int_equal(roots_give(&r, 1.0, y, ZERO), DAEDAL_CALL_STOP);
            assert_int_equal(roots_begin(&r, 1.0, y, ZERO, true), DAEDAL_CALL_STOP);
            roots_free(&r);
        }
}

/* What is left of a root after an event has no sign; another value has, and so has every value
 * without an event.                                                              */
static void test_remainders(void **state)
{
    (void)state;
    static const struct {
        double given, begun;
        bool after_event;
        int32_t sign;
    } rows[] = {{1e-12, 1e-12, true, 0},    {-1e-11, -1e-11, true, 0}, {5e-11, 5e-11, true, 1},
                {-5e-11, -5e-11, true, 0},  {-1e-9, -1e-9, true, -1},  {1e-12, 1e-8, true, 0},
                {1e-12, 1e-5, true, 1},     {1e-3, 1e-3, true, 1},     {1e-12, 1e-12, false, 1},
                {-1e-12, -1e-12, false, -1}};
    for (size_t k = 0; k < COUNT(rows); k++)
        for (int32_t at = 0; at < 3; at++) {
            int answer = DAEDAL_CALL_OK;
            roots r = values_with_root(&answer, at);
            double given[3] = {1e-12, 1e-12, 1e-12}, begun[3] = {1e-12, 1e-12, 1e-12};
            given[at] = rows[k].given;
            begun[at] = rows[k].begun;
            assert_int_equal(roots_give(&r, 1.0, given, ZERO), DAEDAL_CALL_OK);
            assert_int_equal(roots_begin(&r, 1.0, begun, ZERO, rows[k].after_event),
                             DAEDAL_CALL_OK);
            for (int32_t i = 0; i < 3; i++) {
                assert_int_equal(r.sign[i], i == at ? rows[k].sign : 1);
                assert_int_equal(r.fired[i], 0);
                expect_near(r.size[i], fabs(begun[i]), 0.0);
                assert_false(r.spent[i]);
            }
            roots_free(&r);
        }
}

/* What was shown at the root is what may be left of it, twice. */
static void test_shown_remainder(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        int answer = DAEDAL_CALL_OK;
        roots r = values_with_root(&answer, 2);
        double shown[3] = {1.0, 1.0, 1e-8}, begun[3] = {1.0, 1.0, k ? 3e-8 : 1.9e-8};
        assert_int_equal(roots_show(&r, 1.0, shown, ZERO), DAEDAL_CALL_OK);
        assert_int_equal(roots_begin(&r, 1.0, begun, ZERO, true), DAEDAL_CALL_OK);
        assert_int_equal(r.sign[2], k);
        roots_free(&r);
    }
}

static void test_fire_at(void **state)
{
    (void)state;
    for (int32_t at = -1; at < 3; at++) {
        int answer = DAEDAL_CALL_OK;
        bool fires = at < 0;
        roots r = values_with_root(&answer, 0);
        double y[3] = {1.0, 1.0, 1.0};
        if (at >= 0)
            y[at] = -1.0;
        assert_int_equal(roots_fire_at(&r, 1.0, y, ZERO, &fires), DAEDAL_CALL_OK);
        assert_true(fires == (at >= 0));
        answer = DAEDAL_CALL_RETRY;
        assert_int_equal(roots_fire_at(&r, 1.0, y, ZERO, &fires), DAEDAL_CALL_RETRY);
        assert_false(fires);
        roots_free(&r);
    }
}

/* A step that is replaced by another: the search knows what it knew. */
static void test_going_back(void **state)
{
    (void)state;
    scene s = {3, {leaves, one, middle}, 0, 0, 0};
    event first[ROOTS], again[ROOTS];
    double t_root;
    bool found;
    roots r = roots_of(&s, 4, NULL);
    begin_at(&r, 0.0, false);
    note_slopes_at(&r, 0.0, 0.1);
    double slope = r.slope[0];
    roots_keep(&r);
    for (int round = 0; round < 2; round++) {
        int32_t n = 0;
        do {
            roots_scan(&r, &CURVE, 1.0, &found, &t_root);
            for (int32_t i = 0; i < 3 && found; i++)
                if (r.fired[i])
                    (round ? again : first)[n++] = (event){t_root, i, r.fired[i]};
        } while (found);
        assert_int_equal(n, 2);
        expect_near(r.size[2], 0.5, 0.0);
        roots_go_back(&r);
        expect_near(r.t_seen, 0.0, 0.0);
        expect_near(r.slope[0], slope, 0.0);
        for (int32_t i = 0; i < 3; i++) {
            expect_near(r.g_seen[i], s.g[i](0.0), 0.0);
            expect_near(r.size[i], fabs(s.g[i](0.0)), 0.0);
            assert_int_equal(r.sign[i], i > 0);
            assert_int_equal(r.fired[i], 0);
        }
    }
    assert_memory_equal(first, again, 2 * sizeof *first);
    roots_free(&r);
}

/* From a root away until the functions that fired are more than rounding errors. */
static void test_leaving_noise(void **state)
{
    (void)state;
    for (int way = -1; way <= 1; way += 2)
        for (int32_t at = 0; at < 3; at++) {
            scene s = {3, {one, one, one}, 0, 0, 0};
            double scale[3] = {1e-30, 1e-30, 1e-30}, t = 0.5;
            s.g[at] = middle;
            scale[at] = 1.0;
            roots r = roots_of(&s, 4, NULL);
            begin_at(&r, 0.5, false);
            assert_int_equal(roots_leave_noise(&r, &CURVE, scale, way * 1e-16, &t), DAEDAL_CALL_OK);
            expect_near(t, 0.5, 0.0); /* nothing has fired */
            r.fired[at] = -1;
            double least = 16.0 * DBL_EPSILON;
            assert_int_equal(roots_leave_noise(&r, &CURVE, scale, way * 0x1p-52, &t),
                             DAEDAL_CALL_OK);
            assert_true((t - 0.5) * way > least && (t - 0.5) * way <= 2.0 * least + 0x1p-52);
            s.answer = DAEDAL_CALL_STOP;
            for (int k = 1; k <= 3; k++) {
                t = 0.5;
                s.fails_at = s.calls + k;
                assert_int_equal(roots_leave_noise(&r, &CURVE, scale, way * 0x1p-52, &t),
                                 DAEDAL_CALL_STOP);
                assert_int_equal(s.calls, s.fails_at);
            }
            s.fails_at = 0;
            scale[at] = HUGE_VAL; /* never left: the steps end, each twice as long as the last */
            t = 0.5;
            assert_int_equal(roots_leave_noise(&r, &CURVE, scale, way * 0x1p-40, &t),
                             DAEDAL_CALL_OK);
            expect_near(t, 0.5 + way * 0x1p-40 * 4095.0, 0.0);
            roots_free(&r);
        }
}

/* A copy goes on as the original does. */
static void test_copies(void **state)
{
    (void)state;
    scene s = {3, {notch, one, wave}, 0, 0, 0};
    double t[2] = {NAN, NAN};
    bool found[2];
    roots r = roots_of(&s, 4, NULL), copy = roots_of(&s, 4, NULL);
    begin_at(&r, 0.0, false);
    roots_scan(&r, &CURVE, 1.0, &found[0], &t[0]);
    roots_keep(&r);
    roots_copy(&copy, &r);
    for (int k = 0; k < 3; k++) {
        roots_scan(&r, &CURVE, 1.0, &found[0], &t[0]);
        long before = s.calls;
        roots_scan(&copy, &CURVE, 1.0, &found[1], &t[1]);
        assert_true(found[0] == found[1] && (t[0] == t[1] || !found[0]) && s.calls > before);
    }
    roots_go_back(&copy);
    roots_go_back(&r);
    assert_true(copy.t_seen == r.t_seen && copy.t_before == r.t_before && copy.width == r.width &&
                copy.patience == r.patience);
    roots_free(&copy);
    roots_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_roots),      cmocka_unit_test(test_cost),
        cmocka_unit_test(test_directions),     cmocka_unit_test(test_brackets),
        cmocka_unit_test(test_end_only),       cmocka_unit_test(test_silent),
        cmocka_unit_test(test_return_to_zero), cmocka_unit_test(test_slopes),
        cmocka_unit_test(test_answers),        cmocka_unit_test(test_moved_values),
        cmocka_unit_test(test_remainders),     cmocka_unit_test(test_shown_remainder),
        cmocka_unit_test(test_fire_at),        cmocka_unit_test(test_going_back),
        cmocka_unit_test(test_leaving_noise),  cmocka_unit_test(test_copies)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
