/* flatten/called.c - see flat.h and execute.h: functions that are executed with numbers.
 *
 * The flattener stays in memory behind m->functions. An execution with numbers is the symbolic
 * execution with constants, on a graph and an arena of its own that are emptied afterwards, so
 * that memory does not grow. It sets in->is_numeric and reports nothing; outputs that cannot be
 * computed are NaN. */
#include "flatten/execute.h"

#include <math.h>
#include <string.h>

enum { RUN_BYTES_MAX = 1 << 29 }; /* bytes of one execution, so that a loop without end stops */

/* After this many calls that exceeded their limit the function is not called any more. A single
 * one may be a trial step with meaningless arguments. */
enum { ENDLESS_MAX = 10 };

/* The state of the flattener that an execution with numbers puts aside. */
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

/* ---- runs ---- */

static aside run_begin(executor *s)
{
    flattener *f = s->f;
    aside a = {.g = f->in->g,
               .mem = f->in->mem,
               .frame = f->in->frame,
               .iterations = f->iterations,
               .overlay = f->overlay,
               .breaks = f->breaks,
               .path = f->path,
               .when = f->when,
               .literal = f->in->without_events,
               .raw = f->in->as_variables,
               .end = f->end,
               .gave_up = f->in->obstacle.is_met,
               .is_run = f->in->is_numeric,
               .n_function_values = f->functions->n_function_values,
               .n_asserts = f->in->m->n_asserts};
    f->in->g = &s->graph;
    f->in->mem = &s->mem;
    f->in->frame = NULL;
    f->iterations = NULL;
    f->overlay = NULL;
    f->breaks = NULL;
    f->path = f->when = EXPR_NONE;
    f->in->without_events = f->in->as_variables = 0;
    f->end = -1;
    f->in->obstacle.is_met = false;
    f->in->is_numeric = true;
    if (s->busy++ == 0 && f->in->work.in_simulation)
        f->in->work = (effort){.left = RUN_WORK_MAX, .in_simulation = true};
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
    g->n_frozen = g->n_live = 0;
    memset(g->slot, 0, g->n_slots * sizeof *g->slot);
}

static void run_end(executor *s, const aside *a)
{
    flattener *f = s->f;
    f->in->g = a->g;
    f->in->mem = a->mem;
    f->in->frame = a->frame;
    f->iterations = a->iterations;
    f->overlay = a->overlay;
    f->breaks = a->breaks;
    f->path = a->path;
    f->when = a->when;
    f->in->without_events = a->literal;
    f->in->as_variables = a->raw;
    f->end = a->end;
    f->in->obstacle.is_met = a->gave_up;
    f->in->is_numeric = a->is_run;
    f->functions->n_function_values = a->n_function_values;
    f->in->m->n_asserts = a->n_asserts;
    if (--s->busy > 0)
        return;
    bool is_out_of_memory = s->mem.failed || s->graph.failed;
    if (f->in->work.in_simulation) {
        s->service.out_of_memory = s->service.out_of_memory || is_out_of_memory;
    } else {
        f->in->c->mem.failed = f->in->c->mem.failed || is_out_of_memory;
        f->in->c->mem.over_limit = f->in->c->mem.over_limit || s->mem.over_limit;
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

double numeric_value(const flattener *f, expr e)
{
    double x = NAN;
    expr_source from = {.variable = no_variable, .call = flat_call, .user = f->in->m->functions};
    if (e == EXPR_NONE)
        return NAN;
    if (expr_is_constant(f->in->g, e))
        return expr_value(f->in->g, e);
    return expr_evaluate(f->in->g, e, &from, &x) == 0 ? x : NAN;
}

/* A function value whose bound values belong to the execution under way. */
static value function_bound(flattener *f, type t, value *bound)
{
    function_value fv = f->functions->function_value[t.info];
    fv.bound_value = bound;
    function_value *list =
        context_push(f->in, f->functions->function_value, f->functions->n_function_values,
                     &f->functions->function_value_capacity, sizeof *list);
    if (!list)
        return (value){.type = type_scalar(T_BAD)};
    f->functions->function_value = list;
    f->functions->function_value[f->functions->n_function_values] = fv;
    t.info = (int32_t)f->functions->n_function_values++;
    value v = value_number(f->in, T_FUNCTION, t.info);
    v.type = t;
    return v;
}

/* ---- constant arguments ---- */

static value value_move(flattener *f, expr_graph *from, value v);

static value function_move(flattener *f, expr_graph *from, value v)
{
    const function_value fv = f->functions->function_value[v.type.info];
    size_t n = fv.bound ? (size_t)fv.bound->n : 0;
    value *bound = arena_take(f->in->mem, n + 1, sizeof *bound);
    for (size_t i = 0; bound && i < n; i++)
        bound[i] = value_move(f, from, fv.bound_value[i]);
    return bound ? function_bound(f, v.type, bound) : (value){.type = type_scalar(T_BAD)};
}

/* A constant of another graph in that of the execution under way. */
static value value_move(flattener *f, expr_graph *from, value v)
{
    if (v.type.base == T_FUNCTION)
        return function_move(f, from, v);
    value r = value_new(f->in, v.type);
    for (size_t i = 0; !is_bad(r) && i < r.n; i++)
        r.e[i] = expr_constant(f->in->g, expr_value(from, v.e[i]));
    return r;
}

static bool outputs_move(flattener *f, const aside *a, value *outputs, int32_t n)
{
    for (int32_t i = 0; i < n; i++) {
        value v = outputs[i];
        v.e = arena_take(a->mem, v.n + 1, sizeof *v.e);
        for (size_t k = 0; v.e && k < v.n; k++) {
            double x = numeric_value(f, outputs[i].e[k]);
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

int32_t plan_execute_with_numbers(flattener *f, plan *p, const value *args, value *outputs,
                                  source_at at)
{
    executor *s = (executor *)f->in->m->functions;
    if (!s)
        return 0;
    aside a = run_begin(s);
    value *moved = arena_take(f->in->mem, (size_t)p->n + 1, sizeof *moved);
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

/* Takes the next argument from a list of numbers. */
static value value_take(flattener *f, type t, const double **args)
{
    value v = {.type = type_scalar(T_BAD)};
    if (t.base == T_FUNCTION) {
        const function_value fv = f->functions->function_value[t.info];
        size_t n = fv.bound ? (size_t)fv.bound->n : 0;
        value *bound = arena_take(f->in->mem, n + 1, sizeof *bound);
        (*args)++;
        for (size_t i = 0; bound && i < n; i++)
            bound[i] = value_take(f, fv.bound_value[i].type, args);
        return bound ? function_bound(f, t, bound) : v;
    }
    v = value_new(f->in, t);
    for (size_t i = 0; !is_bad(v) && i < v.n; i++)
        v.e[i] = expr_constant(f->in->g, *(*args)++);
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
        if (!type_same_sizes(v[i].type, c->output[i]) || v[i].n != type_leaves(f->in, c->output[i]))
            return false;
        for (size_t k = 0; k < v[i].n; k++)
            *to++ = numeric_value(f, v[i].e[k]);
    }
    return true;
}

static bool class_run(executor *s, uint32_t function, const double *args, double *outputs)
{
    flattener *f = s->f;
    const called *c = &f->functions->called[function];
    plan *p = plan_of(f, c->class);
    if (!p || c->endless >= ENDLESS_MAX)
        return false;
    aside a = run_begin(s);
    value *in = arena_take(f->in->mem, (size_t)p->n + 1, sizeof *in);
    value *out = arena_take(f->in->mem, MOST_OUTPUTS, sizeof *out);
    bool ok = in && out && args_take(f, p, c, args, in);
    int32_t n = ok ? plan_execute(f, p, in, out, p->class->at) : 0;
    c = &f->functions->called[function]; /* the list may have grown */
    ok = n > 0 && outputs_give(f, c, out, n, outputs);
    f->functions->called[function].endless += f->in->work.is_over;
    if (f->in->work.is_over && !s->service.endless)
        s->service.endless = context_name(f->in, f->functions->called[function].class->name);
    run_end(s, &a);
    return ok;
}

/* ---- differences ---- */

/* The step that balances truncation and roundoff: eps^(1/3), and eps^(1/5) for differences of
 * differences. */
static double step_for(double x, int order)
{
    const double least = 1e-2;                  /* scale of arguments near zero */
    const double first = 6e-6, repeated = 7e-4; /* eps^(1/3), eps^(1/5)         */
    return (order > 1 ? repeated : first) * fmax(fabs(x), least);
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

static int call_with_numbers(flat_functions *functions, uint32_t function, const double *args,
                             double *outputs);

static bool difference_run(executor *s, const called *c, const double *args, double *outputs)
{
    const daedal_allocator *allocator = s->f->in->c->mem.allocator;
    size_t n = c->n_args, m = c->n_results, room = n + 3 * m;
    double *all = memory_take_array(allocator, room, sizeof *all);
    s->service.out_of_memory = s->service.out_of_memory || !all;
    if (!all)
        return false;
    double *x = all, *low = all + n, *high = low + m, *middle = high + m;
    double h = step_for(args[c->along], c->order);
    memcpy(x, args, n * sizeof *x);
    x[c->along] = args[c->along] - h;
    call_with_numbers(&s->service, c->of, x, low);
    x[c->along] = args[c->along] + h;
    call_with_numbers(&s->service, c->of, x, high);
    bool finite = true;
    for (size_t i = 0; i < m; i++)
        finite = finite && isfinite(low[i]) && isfinite(high[i]);
    if (!finite)
        call_with_numbers(&s->service, c->of, args, middle);
    differ(low, high, middle, h, outputs, m);
    memory_give(allocator, all, room * sizeof *all);
    return true;
}

static int call_with_numbers(flat_functions *functions, uint32_t function, const double *args,
                             double *outputs)
{
    executor *s = (executor *)functions;
    const called c = s->f->functions->called[function];
    bool ok = c.is_difference  ? difference_run(s, &c, args, outputs)
              : c.builtin >= 0 ? library_compute(c.builtin, c.object, args, outputs) == 0
                               : class_run(s, function, args, outputs);
    for (uint32_t i = 0; !ok && i < c.n_results; i++)
        outputs[i] = NAN;
    return 0;
}

/* ---- beginning and end ---- */

static void executor_free(flat_functions *functions)
{
    executor *s = (executor *)functions;
    shared_objects_free(s->f);
    expr_graph_free(&s->graph);
    arena_free(&s->mem);
}

bool executor_create(flattener *f)
{
    executor *s = arena_take(&f->in->c->mem, 1, sizeof *s);
    if (!s)
        return false;
    s->service = (flat_functions){.call = call_with_numbers,
                                  .partial = called_partial,
                                  .corner = called_corner,
                                  .with_homotopy = flatten_with_homotopy,
                                  .free = executor_free};
    s->f = f;
    arena_create(&s->mem, f->in->c->mem.allocator, RUN_BYTES_MAX);
    f->in->m->functions = &s->service;
    return expr_graph_create(&s->graph, f->in->c->mem.allocator, 0);
}
