/* library/table_functions.c - see function_table.h: tables of the Modelica library.
 *
 * A table is an external object: its constructor puts a curve or a surface (tables/) into the
 * context, and its value is the number of that object. Functions of it become nodes of the graph
 * that are computed with numbers; their derivatives are functions of the same kind. They are known
 * by their names in Modelica and by those of the C functions behind them. */
#include "library/function_table.h"
#include "tables/point_curve.h"
#include "tables/surface.h"

#include <stdio.h>
#include <string.h>

typedef enum table_kind { CURVE, TIMED, SURFACE } table_kind;

static const char *const kind_text[] = {"of one variable", "of time", "of two variables"};

/* ---- functions that are called ---- */

/* What is computed, packed into a number from LIBRARY_TABLES on.  The arguments are: CURVE: column,
 * u; TIMED: column, t, next event, what it was before; SURFACE: u1, u2; NEXT_EVENT: t. */
enum {
    NEXT_EVENT = 3,
    CURVE_POSITION,
    ROW_POSITION,
    COLUMN_POSITION,
    KIND_SHIFT = 8,
    ORDER_SHIFT = 4,
    ORDER_MASK = 15
};

static int64_t builtin_of(int kind, int order1, int order2)
{
    return LIBRARY_TABLES + (((int64_t)kind << KIND_SHIFT) | (order1 << ORDER_SHIFT) | order2);
}

typedef struct unpacked {
    int kind, order1, order2;
} unpacked;

static unpacked unpack(int64_t builtin)
{
    int n = (int)(builtin - LIBRARY_TABLES);
    return (unpacked){.kind = n >> KIND_SHIFT,
                      .order1 = (n >> ORDER_SHIFT) & ORDER_MASK,
                      .order2 = n & ORDER_MASK};
}

int table_compute(int64_t builtin, const void *object, const double *args, double *outputs)
{
    unpacked f = unpack(builtin);
    switch (f.kind) {
    case CURVE:
        outputs[0] = table_curve_value(object, f.order1, args[0], args[1]);
        return 0;
    case TIMED:
        outputs[0] = table_timed_value(object, f.order1, args[0], args[1], args[2], args[3]);
        return 0;
    case SURFACE:
        outputs[0] = table_surface_value(object, f.order1, f.order2, args[0], args[1]);
        return 0;
    case NEXT_EVENT:
        outputs[0] = table_timed_next(object, args[0]);
        return 0;
    case CURVE_POSITION:
        outputs[0] = table_curve_position(object, args[0]);
        return 0;
    case ROW_POSITION:
        outputs[0] = table_surface_position(object, 0, args[0]);
        return 0;
    case COLUMN_POSITION:
        outputs[0] = table_surface_position(object, 1, args[0]);
        return 0;
    default:
        return -1;
    }
}

/* A position over a power of two is whole at some of the marks. A step that passes an even number
 * of marks leaves the sign of the finest quantity as it was, but it changes that of a coarser one.
 */
static expr position_call(context *in, expr_graph *g, const library_called *c, int kind, expr u,
                          uint32_t level)
{
    uint32_t number = 0;
    if (!called_number(in, builtin_of(kind, 0, 0), c->object, 1, 1, &number))
        return EXPR_NONE;
    expr position = expr_call(g, (expr_function){.id = number, .n_outputs = 1}, &u, 1);
    return expr_mul(g, position, expr_constant(g, 1.0 / (double)(1u << level)));
}

static expr surface_corner(context *in, expr_graph *g, const library_called *c, uint32_t k)
{
    const table_surface *s = c->object;
    size_t n = k % 2 == 0 ? s->n_rows : s->n_columns;
    if (table_has_slopes(s->smoothness) || (size_t)1 << (k / 2) > n)
        return EXPR_NONE;
    return position_call(in, g, c, k % 2 == 0 ? ROW_POSITION : COLUMN_POSITION, c->args[k % 2],
                         k / 2);
}

/* Time tables have events at their points, unless these are not wanted. */
expr table_corner(context *in, expr_graph *g, const library_called *c, uint32_t k)
{
    int kind = unpack(c->builtin).kind;
    const table_curve *curve = c->object;
    if (kind == SURFACE)
        return surface_corner(in, g, c, k);
    if ((kind != CURVE && kind != TIMED) || curve->n_points < 2)
        return EXPR_NONE;
    bool has_events = kind == TIMED && curve->events == TABLE_EVENTS_ALWAYS &&
                      !table_has_slopes(curve->smoothness);
    if (has_events || (size_t)1 << k > curve->n_marks)
        return EXPR_NONE;
    return position_call(in, g, c, CURVE_POSITION, c->args[1], k);
}

/* The order from which on all derivatives of the table are zero. */
static int order_most(table_smoothness smoothness, table_extrapolation extrapolation)
{
    if (table_has_slopes(smoothness))
        return TABLE_ORDER_MOST + 1;
    bool is_flat = smoothness == TABLE_CONSTANT && extrapolation != TABLE_EXTEND;
    return is_flat ? 1 : 2;
}

static int order_of_object(int kind, const void *object)
{
    const table_curve *c = object;
    const table_surface *s = object;
    return kind == SURFACE ? order_most(s->smoothness, s->extrapolation)
                           : order_most(c->smoothness, c->extrapolation);
}

expr table_derivative(context *in, expr_graph *g, const library_called *c, uint32_t k)
{
    unpacked f = unpack(c->builtin);
    uint32_t number = 0;
    bool is_column = f.kind != SURFACE && k != 1; /* of these only u and t count */
    if (f.kind >= NEXT_EVENT || is_column)
        return expr_constant(g, 0.0);
    int order1 = f.order1 + (f.kind != SURFACE || k == 0);
    int order2 = f.order2 + (f.kind == SURFACE && k == 1);
    int most = order_of_object(f.kind, c->object);
    if (order1 >= most || order2 >= most)
        return expr_constant(g, 0.0);
    if (!called_number(in, builtin_of(f.kind, order1, order2), c->object, c->n_args, 1, &number))
        return EXPR_NONE;
    return expr_call(g, (expr_function){.id = number, .n_outputs = 1}, c->args, c->n_args);
}

/* ---- one call of a function ---- */

/* The table that is argument 0; NULL after an error. */
static const void *table_given(library_site *s, int kind)
{
    int64_t number = 0;
    value v = s->arg[0];
    if (v.type.base == T_OBJECT && value_integer(s->in, v, &number) && number >= 1 &&
        (size_t)number <= s->in->n_objects && s->in->object[number - 1].kind == kind)
        return s->in->object[number - 1].data;
    context_error(s->in, s->call->at, "argument 1 of %s is not a table %s", s->entry->name,
                  kind_text[kind]);
    return NULL;
}

static bool scalars_given(library_site *s, int32_t first)
{
    for (int32_t k = first; k < s->n_args; k++) {
        type t = s->arg[k].type;
        bool is_number = t.base == T_REAL || t.base == T_INTEGER || t.base == T_ENUM;
        if (!is_number || t.n_dims > 0)
            return context_error(s->in, s->call->at, "argument %d of %s is %s, not a number",
                                 (int)k + 1, s->entry->name, type_text(s->in, t))
                .n;
    }
    return true;
}

/* One value of a table: a number where the arguments are numbers. */
static expr table_value(library_site *s, int64_t builtin, const void *object, const expr *args,
                        uint32_t n_args)
{
    enum { ARGS_MOST = 4 };
    double x[ARGS_MOST], y = 0.0;
    uint32_t number = 0, known = 0;
    while (known < n_args && expr_is_constant(s->g, args[known])) {
        x[known] = expr_value(s->g, args[known]);
        known++;
    }
    if (known == n_args && table_compute(builtin, object, x, &y) == 0)
        return library_number(s, y);
    if (!called_number(s->in, builtin, object, n_args, 1, &number))
        return EXPR_NONE;
    return expr_call(s->g, (expr_function){.id = number, .n_outputs = 1}, args, n_args);
}

static bool result_real(library_site *s, expr e)
{
    return e != EXPR_NONE && library_result(s, value_scalar(s->in, T_REAL, e));
}

/* ---- tables that have no value outside ---- */

static ast_expr *real_node(library_site *s, double number)
{
    ast_expr *e = library_node(s, AST_REAL);
    if (e)
        e->real = number;
    return e;
}

/* a op b; b is a node that belongs to nothing else. */
static ast_expr *chain_node(library_site *s, ast_expr *a, ast_op op, ast_expr *b)
{
    ast_expr *chain = library_node(s, AST_CHAIN);
    ast_expr **item = arena_take(&s->in->c->mem, 2, sizeof *item);
    if (!chain || !item || !a || !b)
        return NULL;
    b->joint = (uint8_t)op;
    item[0] = a;
    item[1] = b;
    chain->n = 2;
    chain->item = item;
    return chain;
}

/* Asserts that argument k of the call lies in the table. */
static void require_inside(library_site *s, int32_t k, double least, double greatest)
{
    ast_expr *u = (ast_expr *)(uintptr_t)s->given[k];
    ast_expr *message = library_node(s, AST_STRING);
    ast_expr *low = chain_node(s, u, AST_GE, real_node(s, least));
    ast_expr *high = chain_node(s, u, AST_LE, real_node(s, greatest));
    ast_expr *both = chain_node(s, low, AST_AND, high);
    ast_arg arg = {.name = INTERN_NONE, .at = s->call->at, .value = both};
    char text[160];
    snprintf(text, sizeof text,
             "a table without extrapolation is used outside of its range from %.9g to %.9g", least,
             greatest);
    if (!message || !both || s->in->is_numeric)
        return;
    message->text = arena_text(&s->in->c->mem, text, strlen(text));
    message->n = (int32_t)strlen(text);
    if (message->text)
        library_assert(s, library_syntax(s, "noEvent", &arg, 1), message);
}

static void curve_requires(library_site *s, const table_curve *c)
{
    if (c->extrapolation == TABLE_NEVER && c->n_points > 1)
        require_inside(s, 2, table_curve_least(c) + c->shift, table_curve_greatest(c) + c->shift);
}

static void surface_requires(library_site *s, const table_surface *t)
{
    if (t->extrapolation != TABLE_NEVER)
        return;
    if (t->n_rows > 1)
        require_inside(s, 1, t->row[0], t->row[t->n_rows - 1]);
    if (t->n_columns > 1)
        require_inside(s, 2, t->column[0], t->column[t->n_columns - 1]);
}

/* ---- curves ---- */

/* Argument 1 is a column that exists. */
static bool column_given(library_site *s, const table_curve *c)
{
    int64_t column = 0;
    if (!expr_is_constant(s->g, s->arg[1].e[0]))
        return true;
    if (value_integer(s->in, s->arg[1], &column) && column >= 1 && column <= (int64_t)c->n_columns)
        return true;
    return context_error(s->in, s->call->at, "argument 2 of %s is not one of the %zu columns",
                         s->entry->name, c->n_columns)
        .n;
}

/* tableID, icol, u or time (with two more of its events), then as many derivatives of it as the row
 * of the table says. */
static bool run_curve(library_site *s)
{
    int order = s->entry->what, kind = s->entry->offset != 0.0 ? TIMED : CURVE;
    uint32_t n = kind == TIMED ? 4 : 2;
    const table_curve *c = table_given(s, kind);
    if (!c || !scalars_given(s, 1) || !column_given(s, c))
        return false;
    expr args[4], y[3] = {EXPR_NONE};
    for (uint32_t k = 0; k < n; k++)
        args[k] = s->arg[k + 1].e[0];
    for (int i = 0; i <= order; i++)
        y[i] = i < order_of_object(kind, c) ? table_value(s, builtin_of(kind, i, 0), c, args, n)
                                            : library_number(s, 0.0);
    curve_requires(s, c);
    if (order == 0)
        return result_real(s, y[0]);
    expr rate = s->arg[n + 1].e[0], first = expr_mul(s->g, y[1], rate);
    if (order == 1)
        return result_real(s, first);
    expr square = expr_mul(s->g, y[2], expr_mul(s->g, rate, rate));
    return result_real(s, expr_add(s->g, square, expr_mul(s->g, y[1], s->arg[n + 2].e[0])));
}

static bool run_curve_end(library_site *s)
{
    const table_curve *c = table_given(s, s->entry->offset != 0.0 ? TIMED : CURVE);
    return c && result_real(s, library_number(s, s->entry->what ? table_curve_greatest(c)
                                                                : table_curve_least(c)));
}

static bool run_next_event(library_site *s)
{
    const table_curve *c = table_given(s, TIMED);
    return c && scalars_given(s, 1) &&
           result_real(s, table_value(s, builtin_of(NEXT_EVENT, 0, 0), c, s->arg[1].e, 1));
}

/* ---- surfaces ---- */

static expr surface_partial(library_site *s, const table_surface *t, int order1, int order2)
{
    expr args[2] = {s->arg[1].e[0], s->arg[2].e[0]};
    int most = order_of_object(SURFACE, t);
    if (order1 >= most || order2 >= most)
        return library_number(s, 0.0);
    return table_value(s, builtin_of(SURFACE, order1, order2), t, args, 2);
}

/* The second derivative along a path with the given first and second ones. */
static expr surface_second(library_site *s, const table_surface *t)
{
    expr_graph *g = s->g;
    expr v1 = s->arg[3].e[0], v2 = s->arg[4].e[0], both = expr_mul(g, v1, v2);
    expr sum = expr_mul(g, surface_partial(s, t, 2, 0), expr_mul(g, v1, v1));
    sum = expr_add(g, sum, expr_mul(g, surface_partial(s, t, 0, 2), expr_mul(g, v2, v2)));
    expr mixed = expr_mul(g, library_number(s, 2.0), surface_partial(s, t, 1, 1));
    sum = expr_add(g, sum, expr_mul(g, mixed, both));
    sum = expr_add(g, sum, expr_mul(g, surface_partial(s, t, 1, 0), s->arg[5].e[0]));
    return expr_add(g, sum, expr_mul(g, surface_partial(s, t, 0, 1), s->arg[6].e[0]));
}

/* tableID, u1, u2 and derivatives of these. */
static bool run_surface(library_site *s)
{
    const table_surface *t = table_given(s, SURFACE);
    if (!t || !scalars_given(s, 1))
        return false;
    surface_requires(s, t);
    if (s->entry->what == 0)
        return result_real(s, surface_partial(s, t, 0, 0));
    if (s->entry->what == 2)
        return result_real(s, surface_second(s, t));
    expr first = expr_mul(s->g, surface_partial(s, t, 1, 0), s->arg[3].e[0]);
    expr second = expr_mul(s->g, surface_partial(s, t, 0, 1), s->arg[4].e[0]);
    return result_real(s, expr_add(s->g, first, second));
}

static bool run_surface_end(library_site *s)
{
    const table_surface *t = table_given(s, SURFACE);
    value v = value_new(s->in, type_array(type_scalar(T_REAL), 1, (int32_t[]){2}));
    if (!t || is_bad(v))
        return false;
    v.e[0] = library_number(s, s->entry->what ? t->row[t->n_rows - 1] : t->row[0]);
    v.e[1] = library_number(s, s->entry->what ? t->column[t->n_columns - 1] : t->column[0]);
    return library_result(s, v);
}

/* ---- constructors ---- */

/* Versions of the constructors. The oldest one has the name before the file, the newest one a
 * delimiter and a number of headers at its end. */
enum { OLDEST = 1, NEWER, NEWEST };

/* Where the arguments of a constructor stand; -1: it has none. */
typedef struct constructor {
    table_kind kind;
    int file, name, table, start, columns, smoothness, extrapolation, shift, events;
} constructor;

static bool number_given(library_site *s, int k, int64_t if_none, int64_t *number)
{
    *number = if_none;
    return k < 0 || is_bad(s->arg[k]) || library_integer(s, k, number);
}

static bool real_given(library_site *s, int k, double *number)
{
    *number = 0.0;
    if (k < 0 || is_bad(s->arg[k]))
        return true;
    if (s->arg[k].n != 1 || !value_is_constant(s->in, s->arg[k]))
        return context_error(s->in, s->call->at, "argument %d of %s must be a constant", k + 1,
                             s->entry->name)
            .n;
    *number = expr_value(s->g, s->arg[k].e[0]);
    return true;
}

/* The constant numbers of an argument; NULL after an error. */
static double *numbers_given(library_site *s, int k)
{
    value v = s->arg[k];
    bool is_number = v.type.base == T_REAL || v.type.base == T_INTEGER || v.n == 0;
    double *x = arena_take(s->in->mem, v.n + 1, sizeof *x);
    if (!is_number || !value_is_constant(s->in, v)) {
        context_error(s->in, s->call->at, "argument %d of %s must be constant numbers", k + 1,
                      s->entry->name);
        return NULL;
    }
    for (size_t i = 0; x && i < v.n; i++)
        x[i] = expr_value(s->g, v.e[i]);
    return x;
}

static bool columns_given(library_site *s, int k, table_choice *choice)
{
    double *x = numbers_given(s, k);
    int64_t *column = arena_take(s->in->mem, s->arg[k].n + 1, sizeof *column);
    for (size_t i = 0; x && column && i < s->arg[k].n; i++)
        column[i] = x[i] >= 1.0 && x[i] < INTEGER_LIMIT ? (int64_t)x[i] : 0;
    choice->column = column;
    choice->n_columns = s->arg[k].n;
    return x && column;
}

/* The names NoName and "" mean that none is given. */
static bool is_named(const char *name)
{
    return name[0] != '\0' && strcmp(name, "NoName") != 0;
}

static bool matrix_in_file(library_site *s, const constructor *c, table_matrix *m)
{
    library_matrix from = {.file = library_text(s, c->file), .name = library_text(s, c->name)};
    int delimiter = s->n_args - 2, headers = s->n_args - 1;
    bool is_newest = s->entry->what == NEWEST;
    if (is_newest && !is_bad(s->arg[delimiter]))
        from.delimiter = library_text(s, delimiter);
    if (is_newest && !library_integer(s, headers, &from.n_headers))
        return false;
    if (!is_named(from.file))
        return context_error(s->in, s->call->at,
                             "table '%s' is in no file: functions usertab are not supported",
                             from.name)
            .n;
    return library_matrix_read(s, &from, m);
}

static bool matrix_given(library_site *s, const constructor *c, table_matrix *m)
{
    const char *file = library_text(s, c->file), *name = file ? library_text(s, c->name) : NULL;
    value v = s->arg[c->table];
    if (!name)
        return false;
    if (is_named(name))
        return matrix_in_file(s, c, m);
    if (is_named(file))
        return context_error(s->in, s->call->at, "the table in file '%s' has no name", file).n;
    if (v.type.n_dims != 2)
        return context_error(s->in, s->call->at, "the table is %s, not a matrix",
                             type_text(s->in, v.type))
            .n;
    m->n_rows = (size_t)v.type.dim[0];
    m->n_columns = (size_t)v.type.dim[1];
    m->e = numbers_given(s, c->table);
    return m->e != NULL;
}

static bool object_result(library_site *s, int kind, void *data, const table_why *why)
{
    context *in = s->in;
    if (!data)
        return why->text[0] && context_error(in, s->call->at, "%s", why->text).n;
    int64_t number = context_object_add(in, kind, data);
    return number > 0 && library_result(s, value_number(in, T_OBJECT, (double)number));
}

static bool construct(library_site *s, const constructor *c)
{
    table_matrix m;
    table_why why = {""};
    table_choice choice = {.is_timed = c->kind == TIMED};
    if (!number_given(s, c->smoothness, TABLE_LINEAR, &choice.smoothness) ||
        !number_given(s, c->extrapolation, TABLE_EXTEND, &choice.extrapolation) ||
        !number_given(s, c->events, TABLE_EVENTS_ALWAYS, &choice.events) ||
        !real_given(s, c->start, &choice.start) || !real_given(s, c->shift, &choice.shift) ||
        (c->columns >= 0 && !columns_given(s, c->columns, &choice)) || !matrix_given(s, c, &m))
        return false;
    arena *mem = &s->in->c->mem;
    void *data = c->kind == SURFACE ? (void *)table_surface_create(mem, &m, choice.smoothness,
                                                                   choice.extrapolation, &why)
                                    : (void *)table_curve_create(mem, &m, &choice, &why);
    return object_result(s, (int)c->kind, data, &why);
}

static bool run_construct_curve(library_site *s)
{
    int file = s->entry->what == OLDEST ? 1 : 0;
    constructor c = {CURVE,        .file = file,    .name = 1 - file,   .table = 2,  .start = -1,
                     .columns = 5, .smoothness = 7, .extrapolation = 8, .shift = -1, .events = -1};
    return construct(s, &c);
}

static bool run_construct_timed(library_site *s)
{
    int file = s->entry->what == OLDEST ? 1 : 0;
    constructor c = {TIMED,        .file = file,    .name = 1 - file,   .table = 2,  .start = 5,
                     .columns = 6, .smoothness = 8, .extrapolation = 9, .shift = 10, .events = 11};
    return construct(s, &c);
}

static bool run_construct_surface(library_site *s)
{
    int file = s->entry->what == OLDEST ? 1 : 0;
    constructor c = {SURFACE,       .file = file,    .name = 1 - file,   .table = 2,  .start = -1,
                     .columns = -1, .smoothness = 5, .extrapolation = 6, .shift = -1, .events = -1};
    return construct(s, &c);
}

/* ---- the table ---- */

#define INTERNAL "Modelica.Blocks.Tables.Internal."
#define TABLES "ModelicaStandardTables_"
#define CURVE_ROW(text, order, more)                                                               \
    {                                                                                              \
        text, "tableID icol u" more, .run = run_curve, .what = (order)                             \
    }
#define TIMED_ROW(text, order, more)                                                               \
    {                                                                                              \
        text, "tableID icol timeIn nextTimeEvent pre_nextTimeEvent" more,                          \
            .run = run_curve, .what = (order), .offset = 1.0                                       \
    }
#define SURFACE_ROW(text, order, more)                                                             \
    {                                                                                              \
        text, "tableID u1 u2" more, .run = run_surface, .what = (order)                            \
    }
#define RATES " der_u1 der_u2"
#define SECOND_RATES RATES " der2_u1 der2_u2"

const library_entry library_tables[] = {
    {TABLES "CombiTable1D_init3",
     "fileName tableName table nRow nColumn columns nColumns smoothness extrapolation=? verbose=? "
     "delimiter=? nHeaderLines=0",
     .run = run_construct_curve, .what = NEWEST},
    {TABLES "CombiTable1D_init2",
     "fileName tableName table nRow nColumn columns nColumns smoothness extrapolation=? verbose=?",
     .run = run_construct_curve, .what = NEWER},
    {TABLES "CombiTable1D_init",
     "tableName fileName table nRow nColumn columns nColumns smoothness extrapolation=?",
     .run = run_construct_curve, .what = OLDEST},
    {TABLES "CombiTimeTable_init3",
     "fileName tableName table nRow nColumn startTime columns nColumns smoothness extrapolation "
     "shiftTime timeEvents verbose=? delimiter=? nHeaderLines=0",
     .run = run_construct_timed, .what = NEWEST},
    {TABLES "CombiTimeTable_init2",
     "fileName tableName table nRow nColumn startTime columns nColumns smoothness extrapolation "
     "shiftTime timeEvents verbose=?",
     .run = run_construct_timed, .what = NEWER},
    {TABLES "CombiTimeTable_init",
     "tableName fileName table nRow nColumn startTime columns nColumns smoothness extrapolation "
     "shiftTime=0 timeEvents=1",
     .run = run_construct_timed, .what = OLDEST},
    {TABLES "CombiTable2D_init3",
     "fileName tableName table nRow nColumn smoothness extrapolation verbose=? delimiter=? "
     "nHeaderLines=0",
     .run = run_construct_surface, .what = NEWEST},
    {TABLES "CombiTable2D_init2",
     "fileName tableName table nRow nColumn smoothness extrapolation verbose=?",
     .run = run_construct_surface, .what = NEWER},
    {TABLES "CombiTable2D_init", "tableName fileName table nRow nColumn smoothness extrapolation=?",
     .run = run_construct_surface, .what = OLDEST},
    CURVE_ROW(TABLES "CombiTable1D_getValue", 0, ""),
    CURVE_ROW(TABLES "CombiTable1D_getDerValue", 1, " der_u"),
    CURVE_ROW(TABLES "CombiTable1D_getDer2Value", 2, " der_u der2_u"),
    CURVE_ROW(INTERNAL "getTable1DValue", 0, ""),
    CURVE_ROW(INTERNAL "getTable1DValueNoDer", 0, ""),
    CURVE_ROW(INTERNAL "getTable1DValueNoDer2", 0, ""),
    CURVE_ROW(INTERNAL "getDerTable1DValue", 1, " der_u"),
    CURVE_ROW(INTERNAL "getDerTable1DValueNoDer", 1, " der_u"),
    CURVE_ROW(INTERNAL "getDer2Table1DValue", 2, " der_u der2_u"),
    {TABLES "CombiTable1D_minimumAbscissa", "tableID", .run = run_curve_end},
    {TABLES "CombiTable1D_maximumAbscissa", "tableID", .run = run_curve_end, .what = 1},
    {INTERNAL "getTable1DAbscissaUmin", "tableID", .run = run_curve_end},
    {INTERNAL "getTable1DAbscissaUmax", "tableID", .run = run_curve_end, .what = 1},
    TIMED_ROW(TABLES "CombiTimeTable_getValue", 0, ""),
    TIMED_ROW(TABLES "CombiTimeTable_getDerValue", 1, " der_timeIn"),
    TIMED_ROW(TABLES "CombiTimeTable_getDer2Value", 2, " der_timeIn der2_timeIn"),
    TIMED_ROW(INTERNAL "getTimeTableValue", 0, ""),
    TIMED_ROW(INTERNAL "getTimeTableValueNoDer", 0, ""),
    TIMED_ROW(INTERNAL "getTimeTableValueNoDer2", 0, ""),
    TIMED_ROW(INTERNAL "getDerTimeTableValue", 1, " der_timeIn"),
    TIMED_ROW(INTERNAL "getDerTimeTableValueNoDer", 1, " der_timeIn"),
    TIMED_ROW(INTERNAL "getDer2TimeTableValue", 2, " der_timeIn der2_timeIn"),
    {TABLES "CombiTimeTable_minimumTime", "tableID", .run = run_curve_end, .offset = 1.0},
    {TABLES "CombiTimeTable_maximumTime", "tableID", .run = run_curve_end, .what = 1,
     .offset = 1.0},
    {INTERNAL "getTimeTableTmin", "tableID", .run = run_curve_end, .offset = 1.0},
    {INTERNAL "getTimeTableTmax", "tableID", .run = run_curve_end, .what = 1, .offset = 1.0},
    {TABLES "CombiTimeTable_nextTimeEvent", "tableID timeIn", .run = run_next_event},
    {INTERNAL "getNextTimeEvent", "tableID timeIn", .run = run_next_event},
    SURFACE_ROW(TABLES "CombiTable2D_getValue", 0, ""),
    SURFACE_ROW(TABLES "CombiTable2D_getDerValue", 1, RATES),
    SURFACE_ROW(TABLES "CombiTable2D_getDer2Value", 2, SECOND_RATES),
    SURFACE_ROW(INTERNAL "getTable2DValue", 0, ""),
    SURFACE_ROW(INTERNAL "getTable2DValueNoDer", 0, ""),
    SURFACE_ROW(INTERNAL "getTable2DValueNoDer2", 0, ""),
    SURFACE_ROW(INTERNAL "getDerTable2DValue", 1, RATES),
    SURFACE_ROW(INTERNAL "getDerTable2DValueNoDer", 1, RATES),
    SURFACE_ROW(INTERNAL "getDer2Table2DValue", 2, SECOND_RATES),
    {TABLES "CombiTable2D_minimumAbscissa", "tableID", .run = run_surface_end},
    {TABLES "CombiTable2D_maximumAbscissa", "tableID", .run = run_surface_end, .what = 1},
    {INTERNAL "getTable2DAbscissaUmin", "tableID", .run = run_surface_end},
    {INTERNAL "getTable2DAbscissaUmax", "tableID", .run = run_surface_end, .what = 1},
};
const size_t n_library_tables = sizeof library_tables / sizeof *library_tables;
