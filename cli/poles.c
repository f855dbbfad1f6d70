/* cli/poles.c - see poles.h. */
#include "poles.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "draw.h"
#include "messages.h"
#include "output/json_writer.h"

static const double PI = 3.14159265358979323846;
static const double ROUNDING = 1e-12;   /* of a real part beside the imaginary one */
static const double SHARE_SHOWN = 0.01; /* smaller participations are not listed */
enum { LISTED_MOST = 5 };

/* A real eigenvalue, or a pair of conjugates. */
typedef struct mode {
    double real, imaginary; /* not negative */
    double frequency, damping, time_constant;
    const double *share;
} mode;

static mode mode_at(const daedal_linear_system *s, int32_t i)
{
    const daedal_pencil_structure *p = s->pencil;
    mode m = {.real = p->real[i] + 0.0, .imaginary = fabs(p->imaginary[i])};
    double size = hypot(m.real, m.imaginary);
    m.frequency = m.imaginary / (2.0 * PI);
    m.damping = size > 0.0 ? 0.0 - m.real / size : 0.0;
    m.time_constant = m.real != 0.0 ? -1.0 / m.real : (double)INFINITY;
    m.share = p->participation ? p->participation + (size_t)i * (size_t)p->columns : NULL;
    return m;
}

/* Of a pair the second is left out. */
static bool is_second(const daedal_linear_system *s, int32_t i)
{
    return s->pencil->imaginary[i] < 0.0;
}

/* The unlisted variable with the largest share, or -1. */
static int32_t next_share(const double *share, int32_t n, const int32_t *listed, int32_t n_listed)
{
    int32_t best = -1;
    for (int32_t j = 0; j < n; j++) {
        bool is_listed = false;
        for (int32_t k = 0; k < n_listed; k++)
            is_listed = is_listed || listed[k] == j;
        if (!is_listed && (n_listed == 0 || share[j] >= SHARE_SHOWN) &&
            (best < 0 || share[j] > share[best] * 1.000001))
            best = j;
    }
    return best;
}

/* ---- text ---- */

static void print_shares(const daedal_linear_system *s, const mode *m)
{
    int32_t listed[LISTED_MOST], n = 0;
    for (; m->share && n < LISTED_MOST; n++) {
        listed[n] = next_share(m->share, s->n, listed, n);
        if (listed[n] < 0)
            break;
        printf("%s%s %.0f %%", n ? ", " : "", s->variables[listed[n]], 100.0 * m->share[listed[n]]);
    }
    putchar('\n');
}

static void print_mode(const daedal_linear_system *s, int32_t i)
{
    mode m = mode_at(s, i);
    if (fabs(m.real) <= ROUNDING * m.imaginary) {
        m.real = m.damping = 0.0;
        m.time_constant = INFINITY;
    }
    char value[64], frequency[32] = "-", damping[32] = "-", constant[32] = "-";
    if (m.imaginary > 0.0) {
        snprintf(value, sizeof value, "%.9g +- %.9g i", m.real, m.imaginary);
        snprintf(frequency, sizeof frequency, "%.6g", m.frequency);
        snprintf(damping, sizeof damping, "%.4g", m.damping);
    } else {
        snprintf(value, sizeof value, "%.9g", m.real);
    }
    if (isfinite(m.time_constant))
        snprintf(constant, sizeof constant, "%.6g", m.time_constant);
    printf("  %-28s %12s %10s %14s  ", value, frequency, damping, constant);
    print_shares(s, &m);
}

static void print_sizes(const char *name, const int32_t *at, int32_t n)
{
    for (int32_t k = 0; k < n; k++)
        printf(k ? ", %d" : name, (int)at[k]);
    if (n > 0)
        putchar('\n');
}

static void print_head(const daedal_linear_system *s)
{
    const daedal_pencil_structure *p = s->pencil;
    const char *plural = s->n == 1 ? "" : "s";
    if (p->is_regular)
        printf("  %d unknown%s, index %d, %d finite eigenvalue%s, %d infinite\n", (int)s->n, plural,
               (int)p->index, (int)p->n_finite, p->n_finite == 1 ? "" : "s", (int)p->n_infinite);
    else
        printf("  %d unknown%s; the pencil is singular, %d finite eigenvalue%s\n", (int)s->n,
               plural, (int)p->n_finite, p->n_finite == 1 ? "" : "s");
    print_sizes("  right minimal indices %d", p->right, p->n_right);
    print_sizes("  left minimal indices %d", p->left, p->n_left);
}

void poles_print(const daedal_linear_system *s)
{
    print_head(s);
    if (s->pencil->n_finite == 0)
        return;
    printf("\n  %-28s %12s %10s %14s  %s\n", "eigenvalue", "frequency", "damping", "time constant",
           "participations");
    for (int32_t i = 0; i < s->pencil->n_finite; i++)
        if (!is_second(s, i))
            print_mode(s, i);
}

/* ---- JSON; scripts rely on its members ---- */

static void sizes_member(json_writer *w, const char *name, const int32_t *at, int32_t n)
{
    json_key(w, name);
    json_open_flat_array(w);
    for (int32_t k = 0; k < n; k++)
        json_integer(w, at[k]);
    json_close(w);
}

static void shares_member(json_writer *w, const daedal_linear_system *s, const mode *m)
{
    json_key(w, "participation");
    json_open_object(w);
    for (int32_t j = 0; j < s->n && m->share; j++)
        if (m->share[j] >= SHARE_SHOWN)
            json_number_member(w, s->variables[j], m->share[j]);
    json_close(w);
}

static void mode_object(json_writer *w, const daedal_linear_system *s, int32_t i)
{
    mode m = mode_at(s, i);
    json_open_object(w);
    json_number_member(w, "real", m.real);
    json_number_member(w, "imaginary", s->pencil->imaginary[i]);
    json_number_member(w, "frequency", m.frequency);
    json_number_member(w, "damping", m.damping);
    json_number_member(w, "time_constant", m.time_constant);
    shares_member(w, s, &m);
    json_close(w);
}

static void characteristic_member(json_writer *w, const daedal_pencil_structure *p)
{
    json_key(w, "characteristic_values");
    json_open_object(w);
    json_integer_member(w, "r", p->r);
    json_integer_member(w, "a", p->a);
    json_integer_member(w, "s", p->s);
    json_integer_member(w, "d", p->d);
    json_integer_member(w, "u", p->u);
    json_integer_member(w, "v", p->v);
    json_close(w);
}

void poles_structure_json(json_writer *w, const daedal_pencil_structure *p, const char *index)
{
    json_key(w, "regular");
    json_boolean(w, p->is_regular);
    json_integer_member(w, index, p->index);
    json_integer_member(w, "finite", p->n_finite);
    json_integer_member(w, "infinite", p->n_infinite);
    sizes_member(w, "infinite_blocks", p->infinite_blocks, p->n_infinite_blocks);
    sizes_member(w, "right_minimal_indices", p->right, p->n_right);
    sizes_member(w, "left_minimal_indices", p->left, p->n_left);
    characteristic_member(w, p);
}

void poles_json(json_writer *w, const daedal_linear_system *s)
{
    const daedal_pencil_structure *p = s->pencil;
    poles_structure_json(w, p, "index");
    json_key(w, "eigenvalues");
    json_open_array(w);
    for (int32_t i = 0; i < p->n_finite; i++)
        mode_object(w, s, i);
    json_close(w);
}

void poles_diagnosis_json(json_writer *w, const daedal_diagnosis *why)
{
    json_key(w, "diagnosis");
    if (!why) {
        json_null(w);
        return;
    }
    json_open_object(w);
    json_string_member(w, "message", why->message[0] ? why->message : last_error());
    json_string_member(w, "hint", why->hint);
    json_close(w);
}

int poles_write_file(poles_write_fn *write, const void *task, const char *path)
{
    errno = 0;
    FILE *file = fopen(path, "wb");
    if (!file)
        return print_error("%s cannot be written: %s", path, strerror(errno));
    sink to = sink_to_stream(file);
    write(&to, task);
    bool fine = !ferror(file);
    fine = fclose(file) == 0 && fine;
    return fine ? CLI_SOLVED : print_error("%s could not be written completely", path);
}

/* ---- the picture ---- */

int poles_check_file(const arguments *a)
{
    size_t n = a->plot_file ? strlen(a->plot_file) : 0;
    if (!a->plot_file || (n > 4 && strcmp(a->plot_file + n - 4, ".svg") == 0))
        return CLI_SOLVED;
    return print_error("%s: a picture of eigenvalues must be written to a .svg file", a->plot_file);
}

static daedal_status fill(trajectory *table, const daedal_pencil_structure *p,
                          daedal_diagnosis *why)
{
    column c = {.name = "imaginary part"};
    TRY(trajectory_add_stored(table, &c, why));
    table->time.name = "real part";
    table->time.unit = "";
    for (int32_t i = 0; i < p->n_finite; i++)
        TRY(trajectory_append(table, p->real[i], &p->imaginary[i], why));
    return DAEDAL_OK;
}

int poles_draw(const daedal_linear_system *s, const arguments *a, const char *title)
{
    trajectory table;
    daedal_diagnosis why;
    const int32_t first = 0;
    int code = CLI_SOLVED;
    if (s->pencil->n_finite == 0) {
        fprintf(stderr, "note: there are no finite eigenvalues to draw\n");
        return CLI_SOLVED;
    }
    trajectory_create(&table, NULL, 0);
    if (fill(&table, s->pencil, &why) < 0) {
        code = print_diagnosis(&why);
    } else {
        drawing d = {.data = &table,
                     .columns = &first,
                     .n_columns = 1,
                     .title = title,
                     .is_path = true,
                     .is_scatter = true};
        FILE *page = a->plot_file ? draw_open_page(a->plot_file) : NULL;
        code = !a->plot_file ? draw_here(&d) : page ? draw_page(&d, page, a->plot_file) : CLI_USAGE;
    }
    trajectory_free(&table);
    return code;
}
