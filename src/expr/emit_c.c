/* expr/emit_c.c - see emit_c.h: from shapes to text.
 *
 * One static function for every class of bodies: a loop over its bodies with, where they
 * differ, tables of places and constants.  Places that advance evenly are computed.  */
#include "expr/emit_c.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "expr/buffer.h"
#include "expr/emit_shapes.h"
#include "expr/kernels.h"
#include "expr/number_text.h"

enum { TEXT = 160, INDENT = 4 };

typedef struct writer {
    const emit_setup *setup;
    shapes s;
    const shape_class *class;
    const shape_body *body; /* the first of the class */
    uint32_t *leaf_of;      /* by node of the body: which leaf or number it is */
    size_t leaf_capacity;
    int depth;
    expr_outcome outcome;
    size_t used;
    char buffer[4096];
} writer;

static void fail_with(writer *w, expr_outcome outcome)
{
    if (w->outcome == EXPR_OK)
        w->outcome = outcome;
}

static void flush(writer *w)
{
    if (w->outcome == EXPR_OK && w->used && !w->setup->write(w->setup->user, w->buffer, w->used))
        w->outcome = EXPR_STOPPED;
    w->used = 0;
}

static void put_text(writer *w, const char *text)
{
    for (; *text; text++) {
        if (w->used == sizeof w->buffer)
            flush(w);
        w->buffer[w->used++] = *text;
    }
}

static void put(writer *w, const char *format, ...)
{
    char text[4 * TEXT];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    put_text(w, text);
}

static void indent(writer *w)
{
    for (int k = 0; k < w->depth * INDENT; k++)
        put_text(w, " ");
}

bool emit_c_prelude(emit_write_fn *write, void *user)
{
#define KERNEL_TEXT(...) #__VA_ARGS__ "\n"
    static const char text[] =
        "#include <math.h>\n#include <stdint.h>\n\n" KERNEL_HELPERS(KERNEL_TEXT) "\n";
    return write(user, text, sizeof text - 1);
}

/* ---- numbers and places --------------------------------------------------------------- */

/* A C literal of type double. */
static const char *literal(double value, char text[TEXT])
{
    char number[NUMBER_TEXT];
    if (isnan(value))
        return "((double)NAN)";
    if (isinf(value))
        return value > 0.0 ? "((double)INFINITY)" : "(-(double)INFINITY)";
    number_text(value, number);
    const char *point = strpbrk(number, ".e") ? "" : ".0";
    snprintf(text, TEXT, value < 0.0 ? "(%s%s)" : "%s%s", number, point);
    return text;
}

static uint32_t place(const writer *w, const shape_body *b, uint32_t column)
{
    return column == w->class->n_leaves ? b->target : w->s.leaf[b->leaf + column];
}

/* Whether the places of a column (the last one is the target) advance evenly. */
static bool is_even(const writer *w, uint32_t column, int64_t *stride)
{
    const shapes *s = &w->s;
    int64_t first = place(w, w->body, column), i = 0;
    *stride = 0;
    for (const shape_body *b = w->body;; b = &s->body[b->next], i++) {
        int64_t at = place(w, b, column);
        if (i == 1)
            *stride = at - first;
        if (at != first + i * *stride)
            return false;
        if (b->next == DAG_NONE)
            return true;
    }
}

static bool is_uniform(const writer *w, uint32_t column)
{
    const shapes *s = &w->s;
    const double *first = &s->number[w->body->number + column];
    for (uint32_t k = w->body->next; k != DAG_NONE; k = s->body[k].next)
        if (memcmp(first, &s->number[s->body[k].number + column], sizeof *first) != 0)
            return false;
    return true;
}

static void put_place_table(writer *w, uint32_t column)
{
    put(w, "    static const uint32_t p%lu[] = {", (unsigned long)column);
    for (uint32_t k = w->class->first, i = 0; k != DAG_NONE; k = w->s.body[k].next, i++)
        put(w, i % 16 ? "%lu," : "\n        %lu,", (unsigned long)place(w, &w->s.body[k], column));
    put_text(w, "};\n");
}

static void put_number_table(writer *w, uint32_t column)
{
    char text[TEXT];
    put(w, "    static const double k%lu[] = {", (unsigned long)column);
    for (uint32_t k = w->class->first, i = 0; k != DAG_NONE; k = w->s.body[k].next, i++)
        put(w, i % 4 ? "%s," : "\n        %s,",
            literal(w->s.number[w->s.body[k].number + column], text));
    put_text(w, "};\n");
}

static void put_tables(writer *w)
{
    int64_t stride;
    for (uint32_t column = 0; column <= w->class->n_leaves; column++)
        if (!is_even(w, column, &stride))
            put_place_table(w, column);
    for (uint32_t column = 0; column < w->class->n_numbers; column++)
        if (!is_uniform(w, column))
            put_number_table(w, column);
}

static const char *index_text(const writer *w, uint32_t column, char text[TEXT])
{
    int64_t stride, first = place(w, w->body, column);
    if (!is_even(w, column, &stride))
        snprintf(text, TEXT, "p%lu[i]", (unsigned long)column);
    else if (stride == 0)
        snprintf(text, TEXT, "%lld", (long long)first);
    else
        snprintf(text, TEXT, "%lld + %lld * i", (long long)first, (long long)stride);
    return text;
}

/* ---- operands ---------------------------------------------------------------------------- */

static const char *item_text(const writer *w, char array, uint32_t column, char text[TEXT])
{
    char index[TEXT];
    index_text(w, column, index);
    snprintf(text, TEXT, "%c[%.*s]", array, TEXT - 8, index);
    return text;
}

static const char *operand(const writer *w, uint32_t i, char text[TEXT])
{
    const expr_graph *g = w->setup->g;
    expr e = w->s.d.node[i].e;
    uint32_t column = w->leaf_of[i];
    if (shapes_is_item(&w->s, w->body, e))
        return item_text(w, 'w', column, text);
    switch (expr_op_of(g, e)) {
    case EXPR_VAR:
        return item_text(w, 'v', column, text);
    case EXPR_CONST:
        if (is_uniform(w, column))
            return literal(w->s.number[w->body->number + column], text);
        snprintf(text, TEXT, "k%lu[i]", (unsigned long)column);
        break;
    case EXPR_CALL:
        snprintf(text, TEXT, "t%lu[0]", (unsigned long)i);
        break;
    case EXPR_OUTPUT:
        snprintf(text, TEXT, "t%lu[%lu]", (unsigned long)dag_operands(&w->s.d, i)[0],
                 (unsigned long)g->node[e].b);
        break;
    default:
        snprintf(text, TEXT, "t%lu", (unsigned long)i);
    }
    return text;
}

/* ---- statements ----------------------------------------------------------------------------- */

static const char *const formula[EXPR_N_OPS] = {
#define K1(name, text) [EXPR_##name] = #text,
    KERNEL_LIST(K1, K1)
#undef K1
        [EXPR_IF] = "x != 0.0 ? y : z",
};

/* The formula with the operands in place of x, y, z. */
static void put_formula(writer *w, uint32_t i)
{
    const uint32_t *operands = dag_operands(&w->s.d, i);
    char text[TEXT], one[2] = " ";
    char before = ' ';
    for (const char *c = formula[dag_op(&w->s.d, i)]; *c; before = *c++) {
        bool alone = !isalnum((unsigned char)before) && !isalnum((unsigned char)c[1]);
        if (*c >= 'x' && *c <= 'z' && alone) {
            put_text(w, operand(w, operands[*c - 'x'], text));
        } else {
            one[0] = *c;
            put_text(w, one);
        }
    }
}

static void put_call(writer *w, uint32_t i)
{
    const uint32_t *operands = dag_operands(&w->s.d, i);
    uint32_t n = dag_n_operands(&w->s.d, i);
    expr_function f = expr_function_of(w->setup->g, w->s.d.node[i].e);
    const char *name = w->setup->function ? w->setup->function(w->setup->user, f.id) : NULL;
    char text[TEXT];
    if (!name) {
        fail_with(w, EXPR_NO_NAME);
        return;
    }
    put(w, "double t%lu[%u];\n", (unsigned long)i, (unsigned)f.n_outputs);
    indent(w);
    put(w, "%s((const double[]){", name);
    for (uint32_t k = 0; k < n; k++)
        put(w, "%s, ", operand(w, operands[k], text));
    put(w, "0.0}, t%lu);\n", (unsigned long)i);
}

static void put_node(void *user, uint32_t i)
{
    writer *w = user;
    expr_op op = dag_op(&w->s.d, i);
    if (op == EXPR_OUTPUT)
        return;
    indent(w);
    if (op == EXPR_CALL) {
        put_call(w, i);
        return;
    }
    put(w, "const double t%lu = ", (unsigned long)i);
    put_formula(w, i);
    put_text(w, ";\n");
}

static void put_yes(void *user, uint32_t choice)
{
    writer *w = user;
    const dag *d = &w->s.d;
    char text[TEXT];
    for (uint32_t i = d->choice[choice].first_if; i != DAG_NONE; i = d->node[i].next) {
        indent(w);
        put(w, "double t%lu;\n", (unsigned long)i);
    }
    indent(w);
    put(w, "if (%s != 0.0) {\n", operand(w, d->choice[choice].condition, text));
    w->depth++;
}

static void put_branch_values(writer *w, uint32_t choice, uint32_t branch)
{
    const dag *d = &w->s.d;
    char text[TEXT];
    for (uint32_t i = d->choice[choice].first_if; i != DAG_NONE; i = d->node[i].next) {
        indent(w);
        put(w, "t%lu = %s;\n", (unsigned long)i, operand(w, dag_operands(d, i)[branch], text));
    }
    w->depth--;
    indent(w);
}

static void put_no(void *user, uint32_t choice)
{
    writer *w = user;
    put_branch_values(w, choice, 1);
    put_text(w, "} else {\n");
    w->depth++;
}

static void put_end(void *user, uint32_t choice)
{
    writer *w = user;
    put_branch_values(w, choice, 2);
    put_text(w, "}\n");
}

/* ---- functions ------------------------------------------------------------------------------- */

/* Leaves are counted in the order in which emit_shapes.c listed them. */
static bool number_leaves(writer *w)
{
    const dag *d = &w->s.d;
    uint32_t n_leaves = 0, n_numbers = 0;
    uint32_t *leaf_of = buffer_reserve(w->setup->allocator, w->leaf_of, &w->leaf_capacity, d->n + 1,
                                       sizeof *leaf_of);
    if (!leaf_of)
        return false;
    w->leaf_of = leaf_of;
    for (uint32_t i = 0; i < d->n; i++) {
        expr e = d->node[i].e;
        if (shapes_is_item(&w->s, w->body, e) || expr_is_variable(d->g, e))
            leaf_of[i] = n_leaves++;
        else if (expr_is_constant(d->g, e))
            leaf_of[i] = n_numbers++;
    }
    return true;
}

static void put_body(writer *w)
{
    const dag_visitor visitor = {put_node, put_yes, put_no, put_end, w};
    char text[TEXT], room[TEXT];
    const char *value;
    if (w->body->e) {
        if (!shapes_open(&w->s, w->body) || !number_leaves(w) || !dag_visit(&w->s.d, 0, &visitor)) {
            fail_with(w, EXPR_NO_MEMORY);
            return;
        }
        value = operand(w, dag_of(&w->s.d, w->body->e), room);
    } else {
        value = item_text(w, 'w', 0, room);
    }
    indent(w);
    put(w, "%s[%s] = %s;\n", w->class->is_root ? "out" : "w",
        index_text(w, w->class->n_leaves, text), value);
}

static void put_class(writer *w, size_t number)
{
    w->class = &w->s.class[number];
    w->body = &w->s.body[w->class->first];
    put(w,
        "static void %s_%lu(const double *restrict v, double *restrict w, double *restrict "
        "out)\n{\n",
        w->setup->name, (unsigned long)number);
    put_text(w, "    (void)v, (void)w, (void)out;\n");
    put_tables(w);
    w->depth = 1;
    if (w->class->n > 1) {
        put(w, "    for (int32_t i = 0; i < %lu; i++) {\n", (unsigned long)w->class->n);
        w->depth = 2;
    }
    put_body(w);
    put_text(w, w->class->n > 1 ? "    }\n}\n\n" : "}\n\n");
}

/* Work items level by level, then the roots, whose level is the largest. */
static bool next_level(const shapes *s, uint32_t *level)
{
    uint32_t next = UINT32_MAX;
    bool found = false;
    for (size_t k = 0; k < s->n_classes; k++)
        if (s->class[k].level > *level && s->class[k].level <= next) {
            next = s->class[k].level;
            found = true;
        }
    *level = next;
    return found;
}

static void put_calls_of_level(writer *w, uint32_t level)
{
    for (size_t k = 0; k < w->s.n_classes; k++)
        if (w->s.class[k].level == level)
            put(w, "    %s_%lu(v, w, out);\n", w->setup->name, (unsigned long)k);
}

static void put_function(writer *w)
{
    const char *name = w->setup->name;
    put(w, "enum { %s_work = %lu };\n", name, (unsigned long)w->s.n_items + 1);
    put(w, "void %s(const double *restrict v, double *restrict w, double *restrict out);\n", name);
    put(w, "void %s(const double *restrict v, double *restrict w, double *restrict out)\n{\n",
        name);
    uint32_t level = 0;
    put_calls_of_level(w, level);
    while (next_level(&w->s, &level))
        put_calls_of_level(w, level);
    put_text(w, "    (void)v, (void)w, (void)out;\n}\n");
}

expr_outcome emit_c_function(const emit_setup *setup)
{
    writer w = {.setup = setup};
    if (!shapes_create(&w.s, setup))
        w.outcome = EXPR_NO_MEMORY;
    for (size_t k = 0; k < w.s.n_classes && w.outcome == EXPR_OK; k++)
        put_class(&w, k);
    if (w.outcome == EXPR_OK)
        put_function(&w);
    flush(&w);
    buffer_free(setup->allocator, w.leaf_of, w.leaf_capacity, sizeof *w.leaf_of);
    shapes_free(&w.s);
    return w.outcome;
}
