/* hybrid/delays.c - see discrete.h: delay(e, T) is e at time - T (docs/theory/hybrid.md).
 *
 * The history is a sequence of pieces, one or more for each step of the integrator: a polynomial
 * through the values of e at Chebyshev points of the piece, taken from the dense output of the
 * integrator, so that none of its accuracy is lost.  A piece where some e begins with a jump is
 * marked. Between events a delay reads from one segment, the pieces between two jumps, just as a
 * relation keeps the value of the last event.  Leaving the segment is an event: a time event where
 * T is a constant, else the zero of an event function. Invariant: pieces join, and the last one
 * ends at the time of the integrator.  During a step that is where the step began, so that delayed
 * values are known and Newton needs no derivative of them. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "compile/compiled.h"
#include "expr/buffer.h"
#include "hybrid/discrete.h"
#include "linalg/fixed_point.h"

enum { NODES = 7, LAST = NODES - 1 }; /* exact for every order of the BDF methods */

/* A jump has been passed when it is older than this part of the span. */
static const double JUMP_TOLERANCE = 1e-10;
/* Jumps that are due at times which differ by rounding, relative to the span, are passed together.
 */
static const double COINCIDING = 1e-14;
/* Share of the span: over a step of this size e is a straight line, up to the square of the step.
 */
static const double SHORT_STEP = 1e-5;
/* Relative: rounding of a delay time at its maximum, and of a value at the start. */
static const double MAX_TIME_TOLERANCE = 1e-9, START_TOLERANCE = 1e-12;

/* cos(pi k / 6), mirrored: -1 .. 1; weights of the barycentric formula at these points. */
static const double NODE[NODES] = {-1.0, -0.8660254037844387, -0.5, 0.0,
                                   0.5,  0.8660254037844387,  1.0};
static const double WEIGHT[NODES] = {0.5, -1.0, 1.0, -1.0, 1.0, -1.0, 0.5};

typedef struct piece {
    double from, to; /* of the polynomial                            */
    double end;      /* where the next piece begins, at most `to`    */
} piece;

typedef struct delay {
    bool is_constant;        /* its delay time is constant                                   */
    bool piecewise_constant; /* e changes at events only                                     */
    double time, max_time;   /* delay time (the last one if it varies) and its maximum       */
    double value;            /* evaluated last                                               */
    double scale;            /* largest |e| seen                                             */
    int64_t begin, end;      /* the segment: numbers of pieces; end < 0: it is still growing */
    uint8_t corners;         /* generations of corners of e that begin a segment             */
} delay;

struct model_delays {
    size_t n, n_variable;
    bool piecewise_constant; /* all of them are */
    bool nested;             /* some delay time reads another delay */
    delay *of;
    uint32_t *variable; /* delays whose time is not constant */
    program *values, *times;
    double *y, *yp, *scratch; /* a point between two steps; the polynomials of one piece */

    /* the history: piece number `first` + k stands at place `skip` + k */
    piece *pieces;
    double *polynomials; /* n * NODES for each piece */
    uint8_t *jumps;      /* n for each piece: 0, or the generation of a jump or corner */
    size_t skip, count, capacity, polynomial_capacity, jump_capacity;
    int64_t first;

    uint8_t passed;        /* generation of the jumps that were passed at this event; 0: none */
    bool evaluating_times; /* meanwhile delays have their last values                */
    bool allow_present;    /* use present values where a step is longer than a delay */
    bool failed;           /* out of memory, or a delay time out of range            */
    fixed_point start;     /* of the values at the start                             */
    double t_stepped, longest;
    size_t invalid;      /* delay whose time is out of range */
    double invalid_time; /* NAN: none                        */
};

typedef struct model_delays delays;

/* ---- the pieces ---- */

static piece *piece_at(const delays *d, int64_t number)
{
    return &d->pieces[d->skip + (size_t)(number - d->first)];
}

static double *polynomial_at(const delays *d, int64_t number, size_t k)
{
    return &d->polynomials[((d->skip + (size_t)(number - d->first)) * d->n + k) * NODES];
}

static uint8_t *jump_at(const delays *d, int64_t number, size_t k)
{
    return &d->jumps[(d->skip + (size_t)(number - d->first)) * d->n + k];
}

static int64_t newest(const delays *d)
{
    return d->first + (int64_t)d->count - 1;
}

static double known_until(const delays *d)
{
    return piece_at(d, newest(d))->end;
}

static double evaluate(const piece *p, const double *v, double t)
{
    double width = p->to - p->from;
    double x = width > 0.0 ? (2.0 * t - p->from - p->to) / width : -1.0;
    double above = 0.0, below = 0.0;
    for (int j = 0; j < NODES; j++) {
        if (x == NODE[j])
            return v[j];
        double w = WEIGHT[j] / (x - NODE[j]);
        above += w * v[j];
        below += w;
    }
    return above / below;
}

/* The last piece of [low, high] that begins at or before t, else low. */
static int64_t find(const delays *d, int64_t low, int64_t high, double t)
{
    while (low < high) {
        int64_t middle = low + (high - low + 1) / 2;
        if (piece_at(d, middle)->from <= t)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* Make room for one more piece.  Pieces older than every delay are overwritten once they are more
 * than half of all. */
static bool reserve(discrete_part *m, delays *d)
{
    if (d->skip > d->count + 16) {
        size_t n = d->n;
        memmove(d->pieces, d->pieces + d->skip, d->count * sizeof *d->pieces);
        memmove(d->polynomials, d->polynomials + d->skip * n * NODES,
                d->count * n * NODES * sizeof *d->polynomials);
        memmove(d->jumps, d->jumps + d->skip * n, d->count * n * sizeof *d->jumps);
        d->skip = 0;
    }
    size_t need = d->skip + d->count + 1;
    piece *pieces = buffer_reserve(m->allocator, d->pieces, &d->capacity, need, sizeof *d->pieces);
    d->pieces = pieces ? pieces : d->pieces;
    double *values = buffer_reserve(m->allocator, d->polynomials, &d->polynomial_capacity,
                                    need * d->n * NODES, sizeof *values);
    d->polynomials = values ? values : d->polynomials;
    uint8_t *jumps =
        buffer_reserve(m->allocator, d->jumps, &d->jump_capacity, need * d->n, sizeof *jumps);
    d->jumps = jumps ? jumps : d->jumps;
    return pieces && values && jumps;
}

/* Append a piece with the polynomials in scratch. */
static bool append(discrete_part *m, double from, double to)
{
    delays *d = m->delays;
    if (!reserve(m, d))
        return false;
    d->count++;
    *piece_at(d, newest(d)) = (piece){from, to, to};
    memset(jump_at(d, newest(d), 0), 0, d->n * sizeof(uint8_t));
    memcpy(polynomial_at(d, newest(d), 0), d->scratch, d->n * NODES * sizeof *d->scratch);
    return true;
}

static void forget_old(delays *d, double t)
{
    while (d->count > 1 && piece_at(d, d->first)->end < t - d->longest) {
        d->first++;
        d->skip++;
        d->count--;
    }
}

/* ---- looking up ---- */

static double look_up(const delays *d, size_t k, double t)
{
    const delay *of = &d->of[k];
    int64_t low = of->begin > d->first ? of->begin : d->first;
    int64_t high = of->end >= 0 ? of->end - 1 : newest(d);
    int64_t number = find(d, low, high, t);
    const piece *p = piece_at(d, number);
    double inside = fmin(fmax(t, p->from), p->end); /* before the start: the first value */
    return evaluate(p, polynomial_at(d, number, k), inside);
}

/* A delay whose time is (nearly) zero has the present value of e within a step. */
static int evaluate_present(discrete_part *m, delay *of, double t, const double *y,
                            const double *yp)
{
    delays *d = m->delays;
    d->evaluating_times = true;
    int answer = program_run(m->compiled, d->values, t, y, yp);
    d->evaluating_times = false;
    of->value = d->values->out[of - d->of];
    return answer;
}

/* Within a step that is longer than a delay, e is taken to be a straight line from the end of the
 * history to its present value: a delay that grows from zero is at first shorter than any step. */
static int evaluate_beyond(discrete_part *m, delay *of, double t, const double *y, const double *yp)
{
    delays *d = m->delays;
    double known = known_until(d), before = look_up(d, (size_t)(of - d->of), known);
    int answer = evaluate_present(m, of, t, y, yp);
    if (!d->allow_present)
        of->value = before + (of->value - before) * (t - of->time - known) / (t - known);
    return answer;
}

/* Evaluate the delays whose time varies; RETRY where a step needs values beyond the history. */
static int look_up_variable(discrete_part *m, double t, const double *y, const double *yp)
{
    delays *d = m->delays;
    d->evaluating_times = true;
    int answer = program_run(m->compiled, d->times, t, y, yp);
    d->evaluating_times = false;
    double known = known_until(d), span = m->t_stop - m->t_start;
    for (size_t i = 0; i < d->n_variable && answer == 0; i++) {
        delay *of = &d->of[d->variable[i]];
        of->time = d->times->out[i];
        bool beyond = y && t - of->time > known + 4.0 * DBL_EPSILON * fabs(t);
        if (!beyond)
            of->value = look_up(d, d->variable[i], t - of->time);
        else if (d->allow_present || t - known <= SHORT_STEP * span)
            answer = evaluate_beyond(m, of, t, y, yp);
        else if (of->time <= JUMP_TOLERANCE * span)
            answer = evaluate_present(m, of, t, y, yp);
        else
            answer = DAEDAL_CALL_RETRY;
    }
    return answer;
}

/* The values of all delays at (t, y, y'), or at x, for delay_source; RETRY: the step is longer than
 * a delay. */
static int fill(void *user, double t, const double *y, const double *yp, double *values)
{
    discrete_part *m = user;
    delays *d = m->delays;
    if (d->count == 0) { /* at the start there is no history: the values are in x */
        memcpy(values, m->values->x + m->values->place.delay, d->n * sizeof *values);
        return DAEDAL_CALL_OK;
    }
    int answer = DAEDAL_CALL_OK;
    if (!d->evaluating_times) {
        for (size_t k = 0; k < d->n; k++)
            if (d->of[k].is_constant)
                d->of[k].value = look_up(d, k, t - d->of[k].time);
        size_t passes = d->n_variable == 0 ? 0 : d->nested ? d->n_variable : 1;
        for (size_t pass = 0; pass < passes && answer == 0; pass++)
            answer = look_up_variable(m, t, y, yp);
    }
    for (size_t k = 0; k < d->n; k++)
        values[k] = d->of[k].value;
    return answer;
}

void delays_refresh(discrete_part *m)
{
    if (m->delays)
        fill(m, m->values->x[0], NULL, NULL, m->values->x + m->values->place.delay);
}

/* ---- segments ---- */

static int64_t next_jump(const delays *d, size_t k, int64_t after)
{
    for (int64_t p = after + 1 > d->first ? after + 1 : d->first; p <= newest(d); p++)
        if (*jump_at(d, p, k))
            return p;
    return -1;
}

static int64_t last_jump(const delays *d, size_t k, int64_t before)
{
    int64_t p = before - 1;
    while (p > d->first && !*jump_at(d, p, k))
        p--;
    return p > d->first ? p : d->first;
}

static void move_segment(delays *d, size_t k, double t, double slack)
{
    delay *of = &d->of[k];
    while (of->end >= 0 && t >= piece_at(d, of->end)->from + slack) {
        uint8_t generation = *jump_at(d, of->end, k);
        d->passed = d->passed == 0 || generation < d->passed ? generation : d->passed;
        of->begin = of->end;
        of->end = next_jump(d, k, of->begin);
    }
    while (of->begin > d->first && t < piece_at(d, of->begin)->from - slack) {
        of->end = of->begin;
        of->begin = last_jump(d, k, of->begin);
    }
}

/* When a delay with a constant time leaves its segment. */
static double leaving_time(const delays *d, size_t k)
{
    const delay *of = &d->of[k];
    return of->is_constant && of->end >= 0 ? piece_at(d, of->end)->from + of->time : HUGE_VAL;
}

double delays_next_time(const discrete_part *m)
{
    double t = HUGE_VAL;
    for (size_t k = 0; m->delays && k < m->delays->n; k++)
        t = fmin(t, leaving_time(m->delays, k));
    return t;
}

void delays_advance(discrete_part *m)
{
    delays *d = m->delays;
    if (!d || d->count == 0)
        return;
    double span = m->t_stop - m->t_start, coinciding = COINCIDING * (span + fabs(m->values->x[0]));
    for (size_t k = 0; k < d->n; k++) {
        if (!d->of[k].is_constant)
            move_segment(d, k, m->values->x[0] - d->of[k].time, 0.5 * JUMP_TOLERANCE * span);
        while (leaving_time(d, k) <= m->values->x[0] + coinciding)
            move_segment(d, k, piece_at(d, d->of[k].end)->from, 0.0);
    }
    double *values = m->values->x + m->values->place.delay;
    for (size_t k = 0; k < d->n; k++) {
        double t = m->values->x[0] - d->of[k].time;
        values_set(m->values, m->values->place.delay + (uint32_t)k, look_up(d, k, t));
        d->of[k].value = values[k];
    }
}

/* Two event functions for each delay, positive while it stays in its segment: one for its end, one
 * for its beginning. */
int delays_events(discrete_part *m, double t, const double *y, const double *yp, double *g)
{
    delays *d = m->delays;
    int answer = DAEDAL_CALL_OK;
    double slack = JUMP_TOLERANCE * (m->t_stop - m->t_start);
    if (d && d->n_variable && d->count)
        answer = look_up_variable(m, t, y, yp);
    for (size_t i = 0; d && i < d->n_variable; i++) {
        const delay *of = &d->of[d->variable[i]];
        double at = t - of->time;
        g[2 * i] = g[2 * i + 1] = 1.0;
        if (d->count && of->end >= 0)
            g[2 * i] = piece_at(d, of->end)->from - at + slack;
        if (d->count && of->begin > d->first)
            g[2 * i + 1] = at - piece_at(d, of->begin)->from + slack;
    }
    return answer;
}

void delays_set_allow_present(discrete_part *m, bool allow)
{
    if (m->delays)
        m->delays->allow_present = allow;
}

/* ---- recording ---- */

/* Evaluate all e at a point, or (y NULL) at x, for node j of the next piece. */
static bool note_values(discrete_part *m, double t, const double *y, const double *yp, int j)
{
    delays *d = m->delays;
    if (program_run(m->compiled, d->values, t, y, yp) != 0)
        return false;
    for (size_t k = 0; k < d->n; k++) {
        d->scratch[k * NODES + (size_t)j] = d->values->out[k];
        d->of[k].scale = fmax(d->of[k].scale, fabs(d->values->out[k]));
    }
    return true;
}

static bool time_is_valid(const delay *of)
{
    return of->time >= 0.0 && of->time <= of->max_time * (1.0 + MAX_TIME_TOLERANCE);
}

static bool times_are_valid(delays *d)
{
    for (size_t i = 0; i < d->n_variable; i++) {
        if (time_is_valid(&d->of[d->variable[i]]))
            continue;
        d->invalid = d->variable[i];
        d->invalid_time = d->of[d->invalid].time;
        return false;
    }
    return true;
}

/* All e at a point inside the last step. */
static bool values_at(discrete_part *m, double t)
{
    delays *d = m->delays;
    return m->hooks->values_inside(m->solver, t, d->y, d->yp) == DAEDAL_OK &&
           program_run(m->compiled, d->values, t, d->y, d->yp) == 0;
}

/* How far the polynomials in scratch are from e between their nodes: the largest difference
 * relative to rtol and to the scale of e. */
static bool measure_polynomials(discrete_part *m, double from, double to, double *error)
{
    const double between[] = {-0.7071067811865476, 0.25881904510252074};
    const piece p = {from, to, to};
    const delays *d = m->delays;
    *error = 0.0;
    for (int i = 0; i < 2; i++) {
        double t = from + 0.5 * (between[i] + 1.0) * (to - from);
        if (!values_at(m, t))
            return false;
        for (size_t k = 0; k < d->n; k++) {
            double missed = fabs(evaluate(&p, &d->scratch[k * NODES], t) - d->values->out[k]);
            if (missed > 0.0)
                *error = fmax(*error, missed / (m->rtol * d->of[k].scale));
        }
    }
    return true;
}

/* Append polynomials from the end of the history to `to`.  Steps are as long as the states allow,
 * but e need not be a state: sin(time) may turn several times in one of them.  The piece is halved
 * until a polynomial follows e, as long as that helps; error_before is that of the longer piece. */
static bool record_pieces(discrete_part *m, double to, double error_before, int depth)
{
    enum { DEEPEST = 8 };
    const double allowed = 0.1, helps = 0.25; /* smooth functions gain a factor 2^7 */
    double from = known_until(m->delays), error = 0.0;
    bool fine = true;
    for (int j = 0; j < NODES && fine; j++) {
        double at = j == LAST ? to : from + 0.5 * (NODE[j] + 1.0) * (to - from);
        fine = m->hooks->values_inside(m->solver, at, m->delays->y, m->delays->yp) == DAEDAL_OK &&
               note_values(m, at, m->delays->y, m->delays->yp, j);
    }
    if (!fine || !times_are_valid(m->delays) || !measure_polynomials(m, from, to, &error))
        return false;
    double middle = 0.5 * (from + to);
    if (error <= allowed || error > helps * error_before || depth >= DEEPEST || middle <= from ||
        middle >= to)
        return append(m, from, to);
    return record_pieces(m, middle, error, depth + 1) && record_pieces(m, to, error, depth + 1);
}

/* Record the step that ends at t, or the rest of it after an event. */
int delays_record(discrete_part *m, double t)
{
    delays *d = m->delays;
    if (!d || d->count == 0)
        return DAEDAL_CALL_OK;
    double from = known_until(d);
    bool fine = true;
    d->t_stepped = t;
    if (t <= from)
        return DAEDAL_CALL_OK;
    d->allow_present = true;
    if (d->piecewise_constant) /* the last values continue */
        piece_at(d, newest(d))->end = t;
    else
        fine = record_pieces(m, t, HUGE_VAL, 0);
    d->allow_present = false;
    forget_old(d, fmin(daedal_solver_state(m->solver)->t, from));
    d->failed = d->failed || !fine;
    return fine ? DAEDAL_CALL_OK : DAEDAL_CALL_STOP;
}

daedal_status delays_check(discrete_part *m)
{
    const delays *d = m->delays;
    if (!d || !d->failed)
        return DAEDAL_OK;
    if (!isnan(d->invalid_time)) {
        source_place at = sources_place(&m->flat->from->sources, m->flat->delays[d->invalid].at);
        fail(m->why, DAEDAL_ERR_CALLBACK,
             "the delay time of delay() in line %u is %.10g at t = %.10g; it must lie between 0 "
             "and %.10g",
             (unsigned)at.line, d->invalid_time, m->values->x[0], d->of[d->invalid].max_time);
        m->why->t = m->values->x[0];
        return m->why->status;
    }
    return fail(m->why, DAEDAL_ERR_MEMORY,
                "the history of delay() could not be stored at t = %.10g", m->values->x[0]);
}

/* Truncate the history at t, because the solution beyond t is discarded. */
void delays_truncate(discrete_part *m, double t)
{
    delays *d = m->delays;
    if (!d || d->count == 0)
        return;
    piece *last = piece_at(d, newest(d));
    while (d->count > 1 && (last->from > t || (last->from == t && last->to > t))) {
        d->count--; /* a piece of length zero at t marks an event there */
        last = piece_at(d, newest(d));
    }
    last->end = fmin(last->end, fmax(t, last->from));
}

/* The newest piece begins a segment of e number k: with a jump (generation 1), or with a corner, of
 * the event itself or of a jump or corner that another delay has passed. */
static void begin_segment(delays *d, size_t k, uint8_t generation)
{
    if (generation > 1 && generation > d->of[k].corners)
        return;
    *jump_at(d, newest(d), k) = generation;
    if (d->of[k].end < 0)
        d->of[k].end = newest(d);
}

/* After an event: append a piece of length zero, and mark the e that have jumped. */
void delays_continue(discrete_part *m)
{
    delays *d = m->delays;
    if (!d || d->count == 0)
        return;
    double t = m->values->x[0];
    int64_t before = newest(d);
    bool fine = true;
    for (int j = 0; j < NODES && fine; j++)
        fine = note_values(m, t, NULL, NULL, j);
    fine = fine && append(m, t, t);
    uint8_t corner = (uint8_t)(d->passed > 1 ? d->passed + 1 : 2);
    for (size_t k = 0; k < d->n && fine; k++) {
        double left = evaluate(piece_at(d, before), polynomial_at(d, before, k), t);
        double right = polynomial_at(d, newest(d), k)[0];
        /* within the accuracy of the equations this is no jump */
        bool jumped = fabs(right - left) > 10.0 * m->rtol * d->of[k].scale;
        begin_segment(d, k, jumped ? 1 : corner);
    }
    d->passed = 0;
    d->failed = d->failed || !fine;
    double end = fmin(d->t_stepped, m->hooks->step_end(m->solver)); /* it may have been shortened */
    if (fine && !m->restarted && end > t)
        delays_record(m, end);
}

/* ---- the start ---- */

/* The values of all e become those of the delays, which e may depend on: an equation x = g(x), of
 * which this is one iteration. */
int delays_start(discrete_part *m, bool *changed)
{
    delays *d = m->delays;
    *changed = false;
    if (!d)
        return DAEDAL_CALL_OK;
    int answer = program_run(m->compiled, d->values, 0.0, NULL, NULL);
    if (answer != 0)
        return answer;
    const double *x = m->values->x + m->values->place.delay, *g = d->values->out;
    double *next = d->scratch;
    fixed_point_next(&d->start, x, g, next);
    for (size_t k = 0; k < d->n; k++) {
        bool steps = d->of[k].piecewise_constant; /* its values are those of a set: none between */
        if (fabs(g[k] - x[k]) <= START_TOLERANCE * fmax(fabs(g[k]), fabs(x[k])))
            continue;
        uint32_t slot = m->values->place.delay + (uint32_t)k;
        bool moved = values_set(m->values, slot, steps ? g[k] : next[k]);
        moved = moved || values_set(m->values, slot, g[k]); /* the acceleration is at its end */
        *changed |= moved && !steps;
    }
    return DAEDAL_CALL_OK;
}

void delays_forget(discrete_part *m)
{
    delays *d = m->delays;
    if (!d)
        return;
    d->skip = d->count = 0;
    d->first = 0;
    fixed_point_begin(&d->start);
    d->failed = false;
    d->invalid_time = NAN;
    d->t_stepped = m->t_start;
    for (size_t k = 0; k < d->n; k++) {
        d->of[k].begin = 0;
        d->of[k].end = -1;
        d->of[k].scale = 0.0;
    }
}

daedal_status delays_begin(discrete_part *m)
{
    delays *d = m->delays;
    if (!d)
        return DAEDAL_OK;
    d->longest = 0.0;
    for (size_t k = 0; k < d->n; k++) {
        expr most = m->flat->delays[k].most;
        delay *of = &d->of[k];
        of->max_time = of->is_constant ? of->time
                       : most          ? compiled_evaluate(m->compiled, most)
                                       : HUGE_VAL;
        d->longest = fmax(d->longest, of->max_time);
        of->value = m->values->x[m->values->place.delay + k];
    }
    for (size_t k = 0; k < d->n; k++)
        for (size_t j = 0; j < NODES; j++)
            d->scratch[k * NODES + j] = d->of[k].value;
    if (!append(m, m->values->x[0], m->values->x[0]))
        return fail(m->why, DAEDAL_ERR_MEMORY, "out of memory for the history of delay()");
    delays_refresh(m);
    d->passed = 0;
    if (!append(m, m->values->x[0], m->values->x[0])) /* e is constant before the start */
        return fail(m->why, DAEDAL_ERR_MEMORY, "out of memory for the history of delay()");
    for (size_t k = 0; k < d->n; k++)
        begin_segment(d, k, 2);
    d->failed = !times_are_valid(d);
    return delays_check(m);
}

double delays_smallest(const discrete_part *m)
{
    double smallest = HUGE_VAL;
    for (size_t k = 0; m->delays && k < m->delays->n; k++)
        if (m->delays->of[k].is_constant && !m->delays->of[k].piecewise_constant)
            smallest = fmin(smallest, m->delays->of[k].time);
    return smallest;
}

/* ---- saving ---- */

/* The pieces begin at the first place when they are restored. */
static void copy_pieces(discrete_part *m, state_copy *s)
{
    delays *d = m->delays;
    size_t count = d->count;
    STATE_COPY(s, count);
    if (s->action == STATE_RESTORE) {
        d->skip = 0;
        d->count = count;
        s->failed = s->failed || !reserve(m, d);
    }
    if (s->failed)
        return;
    STATE_COPY(s, d->first);
    state_copy_bytes(s, d->pieces + d->skip, count * sizeof *d->pieces);
    state_copy_bytes(s, d->polynomials + d->skip * d->n * NODES,
                     count * d->n * NODES * sizeof *d->polynomials);
    state_copy_bytes(s, d->jumps + d->skip * d->n, count * d->n * sizeof *d->jumps);
}

void delays_copy_state(discrete_part *m, state_copy *s)
{
    delays *d = m->delays;
    if (!d)
        return;
    state_copy_bytes(s, d->of, d->n * sizeof *d->of);
    STATE_COPY(s, d->passed);
    STATE_COPY(s, d->failed);
    STATE_COPY(s, d->t_stepped);
    STATE_COPY(s, d->longest);
    STATE_COPY(s, d->invalid);
    STATE_COPY(s, d->invalid_time);
    copy_pieces(m, s);
}

/* ---- making ---- */

static bool reads_delays(discrete_part *m, expr_walker *w, expr e)
{
    expr_walker_forget(w);
    bool found = !expr_depends(w, e, EXPR_ALL);
    for (size_t i = 0; i < w->n_found && !found; i++)
        found = flat_kind(expr_index(&m->flat->graph, w->found[i])) == FLAT_DELAY;
    return found;
}

/* True if e reads nothing that changes between events.  Then a step may be longer than the delay,
 * because the value that it needs is the last one. */
static bool changes_at_events(discrete_part *m, expr_walker *w, expr e)
{
    const expr_graph *g = &m->flat->graph;
    expr_walker_forget(w);
    bool fine = expr_depends(w, e, EXPR_ALL);
    for (size_t i = 0; i < w->n_found && fine; i++) {
        uint32_t symbol = expr_index(g, w->found[i]);
        fine = flat_kind(symbol) == FLAT_DELAY
                   ? m->delays->of[flat_number(symbol)].piecewise_constant
                   : flat_kind(symbol) != FLAT_INPUT &&
                         compiled_slot(m->compiled, symbol) >= (int32_t)m->values->place.discrete;
    }
    return fine;
}

/* A polynomial through a corner is inaccurate, and so is a step.  Corners of e begin a segment:
 * those of the last FEW generations, because a state that is made of a delay is smoother than it,
 * and where the history of another delay is made of this one, through a chain of at most DEPTH
 * delays. */
static void choose_corners(discrete_part *m, delays *d, expr_walker *w)
{
    enum { FEW = 4, DEPTH = 20 };
    for (size_t k = 0; k < d->n; k++)
        if (d->of[k].is_constant && !d->of[k].piecewise_constant)
            d->of[k].corners = FEW;
    const expr_graph *g = &m->flat->graph;
    for (size_t j = 0; j < d->n; j++) {
        expr_walker_forget(w);
        bool known = expr_depends(w, m->flat->delays[j].of, EXPR_ALL);
        for (size_t i = 0; known && i < w->n_found; i++) {
            uint32_t symbol = expr_index(g, w->found[i]);
            if (flat_kind(symbol) != FLAT_DELAY)
                continue;
            delay *inner = &d->of[flat_number(symbol)];
            if (inner->is_constant && !inner->piecewise_constant)
                inner->corners = DEPTH;
        }
    }
}

static bool sort_delays(discrete_part *m, delays *d, expr *roots)
{
    expr_graph *g = &m->flat->graph;
    expr_walker w;
    expr_walker_create(&w, g);
    d->piecewise_constant = true;
    for (size_t k = 0; k < d->n; k++) { /* delays inside delays have lower numbers */
        expr by = m->flat->delays[k].by;
        d->of[k].is_constant = expr_is_constant(g, by);
        d->of[k].piecewise_constant =
            d->of[k].is_constant && changes_at_events(m, &w, m->flat->delays[k].of);
        d->piecewise_constant = d->piecewise_constant && d->of[k].piecewise_constant;
        if (d->of[k].is_constant) {
            d->of[k].time = expr_value(g, by);
            continue;
        }
        d->nested = d->nested || reads_delays(m, &w, by);
        roots[d->n_variable] = by;
        d->variable[d->n_variable++] = (uint32_t)k;
    }
    choose_corners(m, d, &w);
    expr_walker_free(&w);
    return d->n_variable == 0 || program_create(m->compiled, &d->times, roots, d->n_variable);
}

bool delays_build(discrete_part *m)
{
    const flat_model *f = m->flat;
    if (f->n_delays == 0)
        return true;
    delays *d = arena_take(m->mem, 1, sizeof *d);
    expr *roots = arena_take(m->mem, f->n_delays, sizeof *roots);
    if (!d || !roots)
        return false;
    d->n = f->n_delays;
    d->of = arena_take(m->mem, d->n, sizeof *d->of);
    d->variable = arena_take(m->mem, d->n, sizeof *d->variable);
    d->y = arena_take(m->mem, (size_t)m->reduced->n_system, sizeof *d->y);
    d->yp = arena_take(m->mem, (size_t)m->reduced->n_system, sizeof *d->yp);
    d->scratch = arena_take(m->mem, d->n * NODES, sizeof *d->scratch);
    m->delays = d;
    *m->compiled->delayed = (delay_source){fill, m};
    if (m->mem->failed || !fixed_point_create(&d->start, (int32_t)d->n, m->allocator) ||
        !sort_delays(m, d, roots))
        return false;
    for (size_t k = 0; k < d->n; k++)
        roots[k] = f->delays[k].of;
    return program_create(m->compiled, &d->values, roots, d->n);
}

int32_t delays_count_events(const discrete_part *m)
{
    return m->delays ? 2 * (int32_t)m->delays->n_variable : 0;
}

void delays_free(discrete_part *m)
{
    delays *d = m->delays;
    if (!d)
        return;
    fixed_point_free(&d->start);
    program_free(m->allocator, &d->values);
    program_free(m->allocator, &d->times);
    buffer_free(m->allocator, d->pieces, d->capacity, sizeof *d->pieces);
    buffer_free(m->allocator, d->polynomials, d->polynomial_capacity, sizeof *d->polynomials);
    buffer_free(m->allocator, d->jumps, d->jump_capacity, sizeof *d->jumps);
    m->delays = NULL;
    *m->compiled->delayed = (delay_source){0};
}
