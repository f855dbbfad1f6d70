/* flatten/flatten_called.c - see flat.h and flatten_core.h: functions that are executed with
 * numbers.
 *
 * The flattener stays behind m->functions.  A run is the symbolic execution with constants, on a
 * graph and an arena of its own that are emptied afterwards, so that nothing grows; f->is_run
 * says so and keeps it silent.  What fails has the value NaN.  Derivatives are those of the
 * annotation, or central differences, which are functions of the same kind.       */
#include "functions/flatten_library.h"

#include <math.h>
#include <string.h>

enum { RUN_BYTES_MAX = 1 << 29 }; /* what one run may take: a loop without end must end */

/* Calls that may be given up before the function is: one may be a trial with arguments that
 * make no sense, many are a wait without end.                                    */
enum { ENDLESS_MAX = 10 };

struct flat_functions {
    flattener *f;
    expr_graph graph;
    arena mem;
    int busy;      /* runs under way                                             */
    bool is_short; /* memory was missing in a run of the simulation              */
};

/* What a run puts aside. */
typedef struct aside {
    expr_graph *g;
    arena *mem;
    frame *frame;
    iteration *iterations;
    overlay *overlay;
    departure **breaks;
    expr path, when;
    int literal, raw;
    int32_t end;
    bool gave_up, is_run;
    size_t n_function_values, n_asserts;
} aside;

bool functions_create(flattener *f)
{
    struct flat_functions *s = arena_take(&f->c->mem, 1, sizeof *s);
    if (!s)
        return false;
    s->f = f;
    arena_create(&s->mem, f->c->mem.allocator, RUN_BYTES_MAX);
    f->m->functions = s;
    return expr_graph_create(&s->graph, f->c->mem.allocator, 0);
}

void functions_free(flat_model *m)
{
    if (!m->functions)
        return;
    expr_graph_free(&m->functions->graph);
    arena_free(&m->functions->mem);
    m->functions = NULL;
}

/* ---- runs ---- */

static aside run_begin(struct flat_functions *s)
{
    flattener *f = s->f;
    aside a = {.g = f->g,
               .mem = f->mem,
               .frame = f->frame,
               .iterations = f->iterations,
               .overlay = f->overlay,
               .breaks = f->breaks,
               .path = f->path,
               .when = f->when,
               .literal = f->literal,
               .raw = f->raw,
               .end = f->end,
               .gave_up = f->gave_up,
               .is_run = f->is_run,
               .n_function_values = f->n_function_values,
               .n_asserts = f->m->n_asserts};
    f->g = &s->graph;
    f->mem = &s->mem;
    f->frame = NULL;
    f->iterations = NULL;
    f->overlay = NULL;
    f->breaks = NULL;
    f->path = f->when = EXPR_NONE;
    f->literal = f->raw = 0;
    f->end = -1;
    f->gave_up = false;
    f->is_run = true;
    if (s->busy++ == 0 && f->work.in_simulation)
        f->work = (effort){.left = RUN_WORK_MAX, .in_simulation = true};
    return a;
}

static void graph_empty(expr_graph *g)
{
    enum { SLOTS_ENOUGH = 1 << 12 };
    const daedal_allocator *allocator = g->allocator;
    if (g->n_slots > SLOTS_ENOUGH || g->failed || !g->slot) {
        expr_graph_free(g);
        expr_graph_create(g, allocator, 0);
        return;
    }
    g->n = 1;
    g->n_pool = 0;
    memset(g->slot, 0, g->n_slots * sizeof *g->slot);
}

static void run_end(struct flat_functions *s, const aside *a)
{
    flattener *f = s->f;
    f->g = a->g;
    f->mem = a->mem;
    f->frame = a->frame;
    f->iterations = a->iterations;
    f->overlay = a->overlay;
    f->breaks = a->breaks;
    f->path = a->path;
    f->when = a->when;
    f->literal = a->literal;
    f->raw = a->raw;
    f->end = a->end;
    f->gave_up = a->gave_up;
    f->is_run = a->is_run;
    f->n_function_values = a->n_function_values;
    f->m->n_asserts = a->n_asserts;
    if (--s->busy > 0)
        return;
    bool is_short = s->mem.failed || s->graph.failed;
    if (f->work.in_simulation) {
        s->is_short = s->is_short || is_short;
    } else {
        f->c->mem.failed = f->c->mem.failed || is_short;
        f->c->mem.over_limit = f->c->mem.over_limit || s->mem.over_limit;
    }
    graph_empty(&s->graph);
    arena_free(&s->mem);
    s->mem.failed = false;
}

static double no_variable(void *user, uint32_t index)
{
    (void)user;
    (void)index;
    return NAN;
}

/* The value of an expression of a run. */
static double number_of(const flattener *f, expr e)
{
    double x = NAN;
    expr_source from = {.variable = no_variable, .call = flat_call, .user = f->m->functions};
    if (e == EXPR_NONE)
        return NAN;
    if (expr_is_constant(f->g, e))
        return expr_value(f->g, e);
    return expr_evaluate(f->g, e, &from, &x) == 0 ? x : NAN;
}

/* A function value of a run: its bound values are those of the run. */
static value function_bound(flattener *f, type t, value *bound)
{
    function_value fv = f->function_value[t.info];
    fv.bound_value = bound;
    function_value *list = fl_push(f, f->function_value, f->n_function_values,
                                   &f->function_value_capacity, sizeof *list);
    if (!list)
        return (value){.type = type_scalar(T_BAD)};
    f->function_value = list;
    f->function_value[f->n_function_values] = fv;
    t.info = (int32_t)f->n_function_values++;
    value v = value_number(f, T_FUNCTION, t.info);
    v.type = t;
    return v;
}

/* ---- constant arguments ---- */

static value value_move(flattener *f, const expr_graph *from, value v);

static value function_move(flattener *f, const expr_graph *from, value v)
{
    const function_value fv = f->function_value[v.type.info];
    size_t n = fv.bound ? (size_t)fv.bound->n : 0;
    value *bound = arena_take(f->mem, n + 1, sizeof *bound);
    for (size_t i = 0; bound && i < n; i++)
        bound[i] = value_move(f, from, fv.bound_value[i]);
    return bound ? function_bound(f, v.type, bound) : (value){.type = type_scalar(T_BAD)};
}

/* A constant of another graph in that of the run. */
static value value_move(flattener *f, const expr_graph *from, value v)
{
    if (v.type.base == T_FUNCTION)
        return function_move(f, from, v);
    value r = value_new(f, v.type);
    for (size_t i = 0; !is_bad(r) && i < r.n; i++)
        r.e[i] = fl_constant(f, expr_value(from, v.e[i]));
    return r;
}

static bool outputs_move(flattener *f, const aside *a, value *outputs, int32_t n)
{
    for (int32_t i = 0; i < n; i++) {
        value v = outputs[i];
        v.e = arena_take(a->mem, v.n + 1, sizeof *v.e);
        for (size_t k = 0; v.e && k < v.n; k++) {
            double x = number_of(f, outputs[i].e[k]);
            if (!isfinite(x))
                return false;
            v.e[k] = expr_constant(a->g, x);
        }
        if (!v.e || v.type.base == T_FUNCTION)
            return false;
        outputs[i] = v;
    }
    return true;
}

int32_t functions_run(flattener *f, plan *p, const value *args, value *outputs, source_at at)
{
    struct flat_functions *s = f->m->functions;
    if (!s)
        return 0;
    aside a = run_begin(s);
    value *moved = arena_take(f->mem, (size_t)p->n + 1, sizeof *moved);
    bool ok = moved != NULL;
    for (int32_t i = 0; ok && i < p->n; i++)
        if (!is_bad(args[i])) {
            moved[i] = value_move(f, a.g, args[i]);
            ok = !is_bad(moved[i]);
        }
    int32_t n = ok ? plan_execute(f, p, moved, outputs, at) : 0;
    if (n && !outputs_move(f, &a, outputs, n))
        n = 0;
    run_end(s, &a);
    return n;
}

/* ---- calls with numbers ---- */

/* The next argument out of a list of numbers. */
static value value_take(flattener *f, type t, const double **args)
{
    value v = {.type = type_scalar(T_BAD)};
    if (t.base == T_FUNCTION) {
        const function_value fv = f->function_value[t.info];
        size_t n = fv.bound ? (size_t)fv.bound->n : 0;
        value *bound = arena_take(f->mem, n + 1, sizeof *bound);
        (*args)++;
        for (size_t i = 0; bound && i < n; i++)
            bound[i] = value_take(f, fv.bound_value[i].type, args);
        return bound ? function_bound(f, t, bound) : v;
    }
    v = value_new(f, t);
    for (size_t i = 0; !is_bad(v) && i < v.n; i++)
        v.e[i] = fl_constant(f, *(*args)++);
    return v;
}

static bool args_take(flattener *f, const plan *p, const called *c, const double *args, value *to)
{
    int32_t k = 0;
    for (int32_t i = 0; i < p->n; i++) {
        if (!p->item[i].is_input)
            continue;
        to[i] = value_take(f, c->input[k++], &args);
        if (is_bad(to[i]))
            return false;
    }
    return true;
}

static bool outputs_give(const flattener *f, const called *c, const value *v, int32_t n, double *to)
{
    if (n < c->n_outputs)
        return false;
    for (int32_t i = 0; i < c->n_outputs; i++) {
        if (!type_same_sizes(v[i].type, c->output[i]))
            return false;
        for (size_t k = 0; k < v[i].n; k++)
            *to++ = number_of(f, v[i].e[k]);
    }
    return true;
}

static bool class_run(struct flat_functions *s, uint32_t function, const double *args,
                      double *outputs)
{
    flattener *f = s->f;
    const called *c = &f->called[function];
    plan *p = plan_of(f, c->class);
    if (!p || c->endless >= ENDLESS_MAX)
        return false;
    aside a = run_begin(s);
    value *in = arena_take(f->mem, (size_t)p->n + 1, sizeof *in);
    value *out = arena_take(f->mem, MOST_OUTPUTS, sizeof *out);
    bool ok = in && out && args_take(f, p, c, args, in);
    int32_t n = ok ? plan_execute(f, p, in, out, p->class->at) : 0;
    c = &f->called[function]; /* the list may have grown */
    ok = n > 0 && outputs_give(f, c, out, n, outputs);
    f->called[function].endless += f->work.is_over;
    run_end(s, &a);
    return ok;
}

/* ---- differences ---- */

/* Steps that balance truncation and roundoff: eps^(1/3), and for differences of differences
 * eps^(1/5).                                                                    */
static double step_for(double x, int order)
{
    const double least = 1e-2; /* scale of arguments near zero */
    return (order > 1 ? 7e-4 : 6e-6) * fmax(fabs(x), least);
}

static void differ(const double *low, const double *high, const double *middle, double h,
                   double *outputs, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        double both = (high[i] - low[i]) / (2.0 * h);
        double right = (high[i] - middle[i]) / h, left = (middle[i] - low[i]) / h;
        outputs[i] = isfinite(both) ? both : isfinite(right) ? right : left;
    }
}

static bool difference_run(struct flat_functions *s, const called *c, const double *args,
                           double *outputs)
{
    const daedal_allocator *allocator = s->f->c->mem.allocator;
    size_t n = c->n_args, m = c->n_results, room = n + 3 * m;
    double *all = memory_take_array(allocator, room, sizeof *all);
    s->is_short = s->is_short || !all;
    if (!all)
        return false;
    double *x = all, *low = all + n, *high = low + m, *middle = high + m;
    double h = step_for(args[c->along], c->order);
    memcpy(x, args, n * sizeof *x);
    x[c->along] = args[c->along] - h;
    flat_call(s, c->of, x, low);
    x[c->along] = args[c->along] + h;
    flat_call(s, c->of, x, high);
    bool finite = true;
    for (size_t i = 0; i < m; i++)
        finite = finite && isfinite(low[i]) && isfinite(high[i]);
    if (!finite)
        flat_call(s, c->of, args, middle);
    differ(low, high, middle, h, outputs, m);
    memory_give(allocator, all, room * sizeof *all);
    return true;
}

int flat_call(void *functions, uint32_t function, const double *args, double *outputs)
{
    struct flat_functions *s = functions;
    const called c = s->f->called[function];
    bool ok = c.is_difference  ? difference_run(s, &c, args, outputs)
              : c.builtin >= 0 ? library_run(c.builtin, args, outputs) == 0
                               : class_run(s, function, args, outputs);
    for (uint32_t i = 0; !ok && i < c.n_results; i++)
        outputs[i] = NAN;
    return 0;
}

bool flat_calls_short(const flat_model *m)
{
    return m->functions && m->functions->is_short;
}

const char *flat_calls_endless(const flat_model *m)
{
    const flattener *f = m->functions ? m->functions->f : NULL;
    for (size_t i = 0; f && i < f->n_called; i++)
        if (f->called[i].endless > 0)
            return fl_name(f, f->called[i].class->name);
    return NULL;
}

/* ---- derivatives ---- */

/* Which input or output a scalar belongs to; -1: none of these (it is bound in a function value).
 */
static int32_t owner_of(const flattener *f, const type *t, int32_t n, uint32_t scalar)
{
    size_t at = 0;
    for (int32_t i = 0; i < n; i++) {
        if (t[i].base == T_FUNCTION)
            return -1;
        at += type_leaves(f, t[i]);
        if (scalar < at)
            return i;
    }
    return -1;
}

static bool is_excluded(const flattener *f, const ast_mod *derivative, int32_t name)
{
    for (const ast_mod *m = derivative->mods; m; m = m->next) {
        const char *what = fl_name(f, m->name);
        bool excludes = strcmp(what, "noDerivative") == 0 || strcmp(what, "zeroDerivative") == 0;
        if (excludes && m->value && m->value->kind == AST_REF && m->value->part[0].name == name)
            return true;
    }
    return false;
}

/* annotation(derivative = df), of first order. */
static const ast_mod *derivative_of_class(const flattener *f, const ast_class *c)
{
    for (const ast_mod *m = c->comment.annotation; m; m = m->next) {
        if (strcmp(fl_name(f, m->name), "derivative") != 0 || !m->value ||
            m->value->kind != AST_REF)
            continue;
        const ast_mod *order = ast_mod_find(m->mods, f->names, "order");
        bool first = !order || !order->value || order->value->kind != AST_INTEGER ||
                     order->value->integer == 1;
        if (first)
            return m;
    }
    return NULL;
}

/* A call of the derivative function while it is put together. */
typedef struct tangent {
    const plan *of;
    const ast_mod *mod; /* derivative = df */
    called c;
    expr *args;
    size_t n;
} tangent;

/* The function's own arguments, then the directions of its Real inputs. */
static bool tangent_inputs(flattener *f, expr_graph *g, const called *c, uint32_t k, tangent *t)
{
    const plan *p = t->of;
    uint32_t at = 0;
    int32_t input = 0;
    t->n = c->n_args;
    for (int32_t i = 0; i < p->n; i++) {
        if (!p->item[i].is_input)
            continue;
        type here = c->input[input++];
        size_t n = type_leaves(f, here);
        bool excluded = is_excluded(f, t->mod, p->item[i].element->name);
        if (here.base == T_RECORD || here.base == T_FUNCTION || (excluded && k >= at && k < at + n))
            return false;
        for (size_t j = 0; j < n && here.base == T_REAL && !excluded; j++)
            t->args[t->n++] = expr_constant(g, at + j == k);
        if (here.base == T_REAL && !excluded)
            t->c.input[t->c.n_inputs++] = here;
        at += (uint32_t)n;
    }
    t->c.n_args = (uint32_t)t->n;
    return true;
}

static bool tangent_outputs(const flattener *f, const called *c, uint32_t output, tangent *t,
                            uint32_t *which)
{
    uint32_t at = 0, kept = 0;
    for (int32_t i = 0; i < c->n_outputs; i++) {
        size_t n = type_leaves(f, c->output[i]);
        if (c->output[i].base == T_RECORD)
            return false;
        if (output >= at && output < at + n)
            *which = kept + output - at;
        if (c->output[i].base == T_REAL) {
            t->c.output[t->c.n_outputs++] = c->output[i];
            kept += (uint32_t)n;
        }
        at += (uint32_t)n;
    }
    t->c.n_results = kept;
    return true;
}

static bool tangent_fits(flattener *f, const ast_class *c, const tangent *t)
{
    const plan *p = plan_of(f, c);
    return p && p->body && p->item && p->n_inputs == t->c.n_inputs &&
           p->n_outputs == t->c.n_outputs && p->body->sections;
}

/* By the annotation; EXPR_NONE: there is none that serves. */
static expr partial_written(flattener *f, expr_graph *g, const called *c, const expr *args,
                            uint32_t output, uint32_t k)
{
    const plan *p = c->class ? plan_of(f, c->class) : NULL;
    const ast_mod *mod = p && p->body ? derivative_of_class(f, p->body) : NULL;
    const ast_class *df = mod ? class_find(f, mod->value) : NULL;
    uint32_t which = 0;
    if (!df || df->kind != AST_FUNCTION_CLASS)
        return EXPR_NONE;
    tangent t = {.of = p, .mod = mod, .c = {.class = df, .builtin = -1, .n_inputs = c->n_inputs}};
    t.args = arena_take(&f->c->mem, 2 * (size_t)c->n_args + 1, sizeof *t.args);
    t.c.input = arena_take(&f->c->mem, 2 * (size_t)c->n_inputs + 1, sizeof *t.c.input);
    t.c.output = arena_take(&f->c->mem, (size_t)c->n_outputs + 1, sizeof *t.c.output);
    if (!t.args || !t.c.input || !t.c.output)
        return EXPR_NONE;
    memcpy(t.args, args, c->n_args * sizeof *args);
    memcpy(t.c.input, c->input, (size_t)c->n_inputs * sizeof *c->input);
    if (!tangent_inputs(f, g, c, k, &t) || !tangent_outputs(f, c, output, &t, &which) ||
        !tangent_fits(f, df, &t))
        return EXPR_NONE;
    int64_t id = called_add(f, &t.c);
    expr_function function = {
        .id = (uint32_t)id, .n_outputs = (uint16_t)t.c.n_results, .output = (uint16_t)which};
    return id < 0 ? EXPR_NONE : expr_call(g, function, t.args, t.c.n_args);
}

/* d erf(x) = 2/sqrt(pi) exp(-x^2), and of its inverse y: sqrt(pi)/2 exp(y^2). */
static expr partial_builtin(expr_graph *g, const called *c, const expr *args, expr value_of)
{
    const double slope = 2.0 / sqrt(LIBRARY_PI);
    bool inverse = c->builtin == LIBRARY_ERF_INVERSE || c->builtin == LIBRARY_ERFC_INVERSE;
    bool negative = c->builtin == LIBRARY_ERFC || c->builtin == LIBRARY_ERFC_INVERSE;
    if (!inverse && c->builtin != LIBRARY_ERF && c->builtin != LIBRARY_ERFC)
        return EXPR_NONE;
    expr at = inverse ? value_of : args[0], square = expr_mul(g, at, at);
    double factor = (inverse ? 1.0 / slope : slope) * (negative ? -1.0 : 1.0);
    expr power = expr_make1(g, EXPR_EXP, inverse ? square : expr_neg(g, square));
    return expr_mul(g, expr_constant(g, factor), power);
}

static expr partial_difference(flattener *f, expr_graph *g, expr_function of, const expr *args,
                               uint32_t k)
{
    const called c = f->called[of.id];
    called d = {.builtin = -1,
                .is_difference = true,
                .of = of.id,
                .along = k,
                .order = c.order + 1,
                .input = c.input,
                .output = c.output,
                .n_inputs = c.n_inputs,
                .n_outputs = c.n_outputs,
                .n_args = c.n_args,
                .n_results = c.n_results};
    int64_t id = called_add(f, &d);
    if (id < 0)
        return EXPR_NONE;
    of.id = (uint32_t)id;
    return expr_call(g, of, args, d.n_args);
}

static bool is_flat(const flattener *f, const type *t, int32_t n, uint32_t scalar)
{
    int32_t k = owner_of(f, t, n, scalar);
    return k >= 0 && t[k].base != T_REAL && t[k].base != T_RECORD;
}

static expr partial_of(void *functions, expr_graph *g, expr call, uint32_t k)
{
    flattener *f = ((struct flat_functions *)functions)->f;
    expr_function of = expr_function_of(g, call);
    const called c = f->called[of.id];
    const expr *operands;
    expr node = call;
    if (expr_op_of(g, call) == EXPR_OUTPUT) {
        expr_operands(g, call, &operands);
        node = operands[0];
    }
    if (is_flat(f, c.input, c.n_inputs, k) || is_flat(f, c.output, c.n_outputs, of.output))
        return expr_constant(g, 0.0);
    expr *args = arena_take(&f->c->mem, (size_t)c.n_args + 1, sizeof *args);
    if (!args)
        return EXPR_NONE;
    expr_operands(g, node, &operands);
    memcpy(args, operands, c.n_args * sizeof *args);
    expr e = EXPR_NONE;
    if (c.builtin >= 0)
        e = partial_builtin(g, &c, args, call);
    else if (!c.is_difference)
        e = partial_written(f, g, &c, args, of.output, k);
    return e != EXPR_NONE ? e : partial_difference(f, g, of, args, k);
}

expr_partials flat_partials(const flat_model *m)
{
    return (expr_partials){partial_of, m->functions};
}
