/* linear/model_linearize.c - daedal_model_linearize: a model near a point of its run.
 *
 * The pencil is that of the equations as written.  Where their coefficients are fractions, the
 * index and the number of finite eigenvalues are known without rounding (index/constant_pencil.h),
 * and the tolerance of the ranks is chosen so that they agree. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "index/constant_pencil.h"
#include "linear/linearization.h"
#include "linear/standstill.h"
#include "linear/structure_report.h"

enum { EXACT_MOST = 150 };           /* unknowns */
static const double STANDING = 1e-4; /* nearer to where a model stands still, it does */

/* What the caller gets, and its memory. */
typedef struct linear_memory {
    daedal_linear_system shown;
    daedal_pencil_structure pencil;
    daedal_allocator allocator; /* a copy: the result may outlive the model */
    arena mem;
} linear_memory;

typedef struct linearization {
    daedal_model *d;
    const compiled_model *model;
    const reduced_model *reduced;
    linear_memory *to;
    written_equations w;
    double *e, *a, *b, *c, *values, *slopes;
    int32_t n;
    daedal_diagnosis *why;
} linearization;

static double *take(linearization *l, int32_t rows, int32_t cols)
{
    return arena_take(&l->to->mem, (size_t)rows * (size_t)cols + 1, sizeof(double));
}

static const char *keep_text(linearization *l, const char *text)
{
    return arena_text(&l->to->mem, text, strlen(text));
}

/* ---- inputs and outputs ---- */

/* The place in the description of number k of a list, or -1 with a message. */
static int32_t place_of(linearization *l, const daedal_ints *list, int32_t k, const char *what)
{
    int32_t place = list->at[k] - l->d->first_number;
    int32_t n = l->d->info.n_variables;
    if (place >= 0 && place < n)
        return place;
    if (place >= n && place < 2 * n) {
        fail(l->why, DAEDAL_ERR_ARGUMENT,
             "der(%s) cannot be among the %s: add a variable that is equal to it",
             l->d->variables[place - n].name, what);
        return -1;
    }
    fail(l->why, DAEDAL_ERR_ARGUMENT,
         "%d in the list of %s is no number of a variable: daedal_model_find gives those that are",
         (int)list->at[k], what);
    return -1;
}

static int32_t input_of(const linearization *l, uint32_t variable)
{
    const flat_model *f = l->d->flat;
    for (size_t k = 0; k < f->n_inputs; k++)
        if (f->inputs[k].variable == variable)
            return (int32_t)k;
    return -1;
}

static daedal_status refuse_input(linearization *l, int32_t place)
{
    const daedal_model_variable *v = &l->d->variables[place];
    const flat_variable *of = &l->d->flat->variables[l->d->shown[place]];
    if (of->is_input && !of->is_parameter)
        return fail(l->why, DAEDAL_ERR_ARGUMENT,
                    "%s is given by an expression: leave out its binding to have it as an input",
                    v->name);
    if (v->is_parameter)
        return fail(
            l->why, DAEDAL_ERR_ARGUMENT,
            "%s cannot be an input: the equations cannot be differentiated by this parameter",
            v->name);
    return fail(l->why, DAEDAL_ERR_ARGUMENT,
                "%s is neither an input of the model nor a parameter: declare it with `input`",
                v->name);
}

static bool is_live(const flat_model *flat, uint32_t v)
{
    const flat_variable *of = &flat->variables[v];
    return of->is_parameter && of->variability == FLAT_CONSTANT && of->binding != EXPR_NONE &&
           expr_is_live(&flat->graph, of->value);
}

static daedal_status add_input(linearization *l, int32_t place, int32_t k)
{
    uint32_t variable = l->d->shown[place];
    double *column = l->b + (size_t)k * (size_t)l->n;
    int32_t input = input_of(l, variable);
    if (input >= 0)
        return written_equations_by_input(&l->w, (uint32_t)input, column);
    return is_live(l->d->flat, variable) ? written_equations_by_parameter(&l->w, variable, column)
                                         : refuse_input(l, place);
}

static daedal_status add_output(linearization *l, int32_t place, int32_t k, int32_t n_outputs)
{
    int32_t unknown = l->reduced->unknown_of[l->d->shown[place]];
    if (unknown < 0)
        return fail(l->why, DAEDAL_ERR_ARGUMENT,
                    "%s cannot be an output: it is no continuous unknown of the equations",
                    l->d->variables[place].name);
    l->c[(size_t)unknown * (size_t)n_outputs + (size_t)k] = 1.0;
    return DAEDAL_OK;
}

/* The numbers that are declared as inputs or as outputs. */
static bool list_declared(linearization *l, bool outputs, daedal_ints *list)
{
    const daedal_model *d = l->d;
    int32_t n = 0, *at = arena_take(&l->to->mem, (size_t)d->info.n_variables + 1, sizeof *at);
    for (int32_t k = 0; k < d->info.n_variables && at; k++) {
        uint32_t v = d->shown[k];
        bool listed = outputs ? d->variables[k].is_output && l->reduced->unknown_of[v] >= 0
                              : input_of(l, v) >= 0 && d->flat->variables[v].type == FLAT_REAL;
        if (listed)
            at[n++] = d->first_number + k;
    }
    *list = (daedal_ints){at, n};
    return at != NULL;
}

static daedal_status add_inputs(linearization *l, const daedal_ints *list)
{
    daedal_linear_system *s = &l->to->shown;
    const char **names = arena_take(&l->to->mem, (size_t)list->n + 1, sizeof *names);
    s->b = l->b = take(l, l->n, list->n);
    if (l->to->mem.failed)
        return DAEDAL_ERR_MEMORY;
    for (int32_t k = 0; k < list->n; k++) {
        int32_t place = place_of(l, list, k, "inputs");
        if (place < 0)
            return DAEDAL_ERR_ARGUMENT;
        TRY(add_input(l, place, k));
        names[k] = keep_text(l, l->d->variables[place].name);
    }
    s->inputs = names;
    s->n_inputs = list->n;
    return DAEDAL_OK;
}

static daedal_status add_outputs(linearization *l, const daedal_ints *list)
{
    daedal_linear_system *s = &l->to->shown;
    const char **names = arena_take(&l->to->mem, (size_t)list->n + 1, sizeof *names);
    s->c = l->c = take(l, list->n, l->n);
    s->d = take(l, list->n, s->n_inputs);
    if (l->to->mem.failed)
        return DAEDAL_ERR_MEMORY;
    for (int32_t k = 0; k < list->n; k++) {
        int32_t place = place_of(l, list, k, "outputs");
        if (place < 0)
            return DAEDAL_ERR_ARGUMENT;
        TRY(add_output(l, place, k, list->n));
        names[k] = keep_text(l, l->d->variables[place].name);
    }
    s->outputs = names;
    s->n_outputs = list->n;
    return DAEDAL_OK;
}

/* ---- the point ---- */

/* An equation without text is that of an input. */
static const char *keep_equation(linearization *l, int32_t i)
{
    const flat_equation *e = &l->d->flat->equations[i];
    const expr_graph *g = &l->d->flat->graph;
    char text[400];
    flat_quote(l->d->flat, e->at, e->end, text, sizeof text);
    if (!text[0] && expr_is_variable(g, e->left))
        snprintf(text, sizeof text, "%.300s is an input",
                 variable_text(l->reduced, flat_number(expr_index(g, e->left))));
    return keep_text(l, text);
}

static bool tell_point(linearization *l)
{
    daedal_linear_system *s = &l->to->shown;
    const char **variables = arena_take(&l->to->mem, (size_t)l->n + 1, sizeof *variables);
    const char **texts = arena_take(&l->to->mem, (size_t)l->n + 1, sizeof *texts);
    s->values = l->values = take(l, l->n, 1);
    s->slopes = l->slopes = take(l, l->n, 1);
    if (l->to->mem.failed)
        return false;
    for (int32_t k = 0; k < l->n; k++) {
        uint32_t v = l->reduced->unknown[k];
        variables[k] = keep_text(l, variable_text(l->reduced, v));
        texts[k] = keep_equation(l, k);
        l->values[k] = l->w.at ? l->w.at->y[k] : written_value(l->model, v);
        l->slopes[k] = l->w.at ? 0.0 : written_slope(l->model, v);
    }
    s->variables = variables;
    s->equations = texts;
    s->n = l->n;
    s->t = l->w.at ? l->w.at->t : l->model->values->x[0];
    return !l->to->mem.failed;
}

static bool find_distance(linearization *l)
{
    daedal_linear_system *s = &l->to->shown;
    double *size = take(l, l->n, 1);
    int32_t farthest = 0;
    for (int32_t k = 0; k < l->n && size; k++) {
        double nominal = l->d->flat->variables[l->reduced->unknown[k]].nominal;
        size[k] = fmax(fabs(l->values[k]), nominal != 0.0 ? fabs(nominal) : 1.0);
        size[k] = isfinite(size[k]) ? size[k] : 1.0;
    }
    standstill_point at = {l->n, l->e, l->a, l->slopes, size};
    if (!size || !standstill_distance(&at, &s->distance, &farthest, &l->to->allocator))
        return false;
    s->is_equilibrium = s->distance <= STANDING;
    s->moving = s->is_equilibrium || l->n == 0 ? NULL : s->variables[farthest];
    return true;
}

/* ---- the pencil ---- */

/* Index and freedom without rounding; false: the coefficients are not exact, or too many. */
static bool know_exactly(const linearization *l, pencil_finding *found)
{
    size_t n = (size_t)l->n;
    const daedal_allocator *a = &l->to->allocator;
    *found = (pencil_finding){.exact = false};
    if (l->n == 0 || l->n > EXACT_MOST)
        return false;
    double *rows = memory_take_array(a, 2 * n * n, sizeof *rows);
    for (size_t k = 0; k < n * n && rows; k++) {
        size_t place = k % n * n + k / n;
        rows[place] = l->e[k];
        rows[n * n + place] = l->a[k];
    }
    bool known = rows && constant_pencil_judge(rows, rows + n * n, l->n, found, a);
    memory_give(a, rows, 2 * n * n * sizeof *rows);
    return known && found->exact;
}

static bool agrees(const daedal_pencil_structure *p, const pencil_finding *found)
{
    if (!found->regular)
        return !p->is_regular;
    return p->is_regular && p->n_finite == found->freedom && p->index == found->index;
}

static daedal_status analyze_pencil(linearization *l)
{
    static const double other[] = {1e-12, 1e-8, 1e-13, 1e-6, 1e-14};
    daedal_pencil pencil = {l->n, l->n, l->e, l->a};
    daedal_pencil_structure *p = &l->to->pencil, again;
    pencil_finding found;
    TRY(structure_report(p, &pencil, 0.0, &l->to->mem, l->why));
    bool fine = !know_exactly(l, &found) || agrees(p, &found);
    for (size_t k = 0; k < sizeof other / sizeof *other && !fine; k++) {
        TRY(structure_report(&again, &pencil, other[k], &l->to->mem, l->why));
        fine = agrees(&again, &found);
        if (fine)
            *p = again;
    }
    return DAEDAL_OK;
}

/* ---- the whole ---- */

static daedal_status linearize(linearization *l, const daedal_ints *inputs,
                               const daedal_ints *outputs)
{
    daedal_linear_system *s = &l->to->shown;
    daedal_ints declared_inputs, declared_outputs;
    if (!tell_point(l) || !list_declared(l, false, &declared_inputs) ||
        !list_declared(l, true, &declared_outputs))
        return DAEDAL_ERR_MEMORY;
    s->e = l->e = take(l, l->n, l->n);
    s->a = l->a = take(l, l->n, l->n);
    if (l->to->mem.failed)
        return DAEDAL_ERR_MEMORY;
    TRY(written_equations_jacobians(&l->w, l->e, l->a));
    s->is_linear = l->w.is_linear;
    TRY(add_inputs(l, inputs ? inputs : &declared_inputs));
    TRY(add_outputs(l, outputs ? outputs : &declared_outputs));
    TRY(analyze_pencil(l));
    s->pencil = &l->to->pencil;
    return find_distance(l) ? DAEDAL_OK : DAEDAL_ERR_MEMORY;
}

static daedal_status check_size(const linearization *l)
{
    if (l->w.system.n != l->n)
        return fail(l->why, DAEDAL_ERR_STRUCTURE, "the model has %d equations for %d unknowns",
                    (int)l->w.system.n, (int)l->n);
    if (l->n > PENCIL_LARGEST)
        return fail(l->why, DAEDAL_ERR_ARGUMENT,
                    "the model has %d unknowns; models of at most %d are linearised", (int)l->n,
                    (int)PENCIL_LARGEST);
    return DAEDAL_OK;
}

static daedal_status run_linearization(linearization *l, const still_point *at,
                                       const daedal_ints *inputs, const daedal_ints *outputs)
{
    daedal_status status = written_equations_create(&l->w, l->model);
    l->w.at = at;
    if (status == DAEDAL_OK)
        status = check_size(l);
    if (status == DAEDAL_OK)
        status = compiled_compute(l->model);
    if (status == DAEDAL_OK)
        status = linearize(l, inputs, outputs);
    written_equations_free(&l->w);
    return status == DAEDAL_ERR_MEMORY ? fail(l->why, status, "out of memory for a linearisation")
                                       : status;
}

daedal_status linearize_at(daedal_model *d, const still_point *at, const daedal_ints *inputs,
                           const daedal_ints *outputs, daedal_linear_system **system)
{
    linear_memory *made = memory_take(&d->allocator, sizeof *made);
    if (!made)
        return fail(d->model.why, DAEDAL_ERR_MEMORY, "out of memory for a linearisation");
    made->allocator = d->allocator;
    arena_create(&made->mem, &made->allocator, 0);
    linearization l = {.d = d,
                       .model = d->model.compiled,
                       .reduced = d->model.reduced,
                       .to = made,
                       .n = d->model.reduced->n_unknowns,
                       .why = d->model.why};
    daedal_status status = run_linearization(&l, at, inputs, outputs);
    if (status == DAEDAL_OK)
        *system = &made->shown;
    else
        daedal_linear_system_free(&made->shown);
    return status;
}

static daedal_status check_run(const daedal_model *d)
{
    if (!d->simulation.driver)
        return fail(d->model.why, DAEDAL_ERR_CALL_SEQUENCE,
                    "no run of the model is under way: call daedal_model_begin first");
    if (d->stepping.failed < 0)
        return fail(d->model.why, DAEDAL_ERR_CALL_SEQUENCE, "the run has failed before: %.400s",
                    d->stepping.why.message);
    return DAEDAL_OK;
}

daedal_status daedal_model_linearize(daedal_model *handle, const daedal_ints *inputs,
                                     const daedal_ints *outputs, daedal_linear_system **system)
{
    if (!handle || !system)
        return DAEDAL_ERR_ARGUMENT;
    daedal_model *d = handle->now;
    *system = NULL;
    diagnosis_clear(d->model.why);
    TRY(check_run(d));
    return linearize_at(d, NULL, inputs, outputs, system);
}

void daedal_linear_system_free(daedal_linear_system *system)
{
    linear_memory *made = (linear_memory *)system; /* whose first member it is */
    if (!made)
        return;
    daedal_allocator allocator = made->allocator;
    arena_free(&made->mem);
    memory_give(&allocator, made, sizeof *made);
}
