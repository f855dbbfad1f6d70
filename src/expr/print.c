/* expr/print.c - see print.h.
 *
 * A stack of pieces still to be written, of fixed size: what would need more is "...".
 * Precedence as in the modeller's grammar, where a sign may only begin a sum.     */
#include "expr/print.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expr/number_text.h"

char *number_text(double value, char text[NUMBER_TEXT])
{
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, NUMBER_TEXT, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    for (char *c = text; *c; c++)
        if (!strchr("+-.0123456789e", *c))
            *c = '.';
    return text;
}

enum { PIECES_MAX = 512, SIGN_SEARCH = 64 };

enum { LOWEST, LOGIC_OR, LOGIC_AND, LOGIC_NOT, RELATION, SUM, PRODUCT, POWER, PRIMARY };

typedef struct piece {
    const char *text; /* NULL: the expression */
    expr e;
    uint8_t level;  /* least precedence without parentheses */
    bool unsigned_; /* a leading minus needs them too       */
} piece;

typedef struct printer {
    const expr_graph *g;
    const expr_names *names;
    char *text;
    size_t size, used;
    piece stack[PIECES_MAX];
    size_t n;
    bool full;
} printer;

static void write_text(printer *p, const char *text)
{
    size_t length = strlen(text);
    if (p->full)
        return;
    if (p->used + length < p->size) {
        memcpy(p->text + p->used, text, length + 1);
        p->used += length;
        return;
    }
    p->full = true;
    size_t dots = p->size > 4 ? p->size - 4 : 0;
    size_t at = p->used < dots ? p->used : dots;
    if (p->used < dots)
        memcpy(p->text + p->used, text, dots - p->used), at = dots;
    snprintf(p->text + at, p->size - at, "...");
}

static void push(printer *p, piece item)
{
    assert(p->n < PIECES_MAX);
    p->stack[p->n++] = item;
}

static void push_text(printer *p, const char *text)
{
    push(p, (piece){.text = text});
}

static void push_expr(printer *p, expr e, uint8_t level, bool unsigned_)
{
    push(p, (piece){.e = e, .level = level, .unsigned_ = unsigned_});
}

static uint8_t level_of(const expr_graph *g, expr e)
{
    expr_op op = expr_op_of(g, e);
    switch (op) {
    case EXPR_ADD:
    case EXPR_SUB:
    case EXPR_NEG:
        return SUM;
    case EXPR_MUL:
    case EXPR_DIV:
        return PRODUCT;
    case EXPR_POW:
        return POWER;
    case EXPR_AND:
        return LOGIC_AND;
    case EXPR_OR:
        return LOGIC_OR;
    case EXPR_NOT:
        return LOGIC_NOT;
    case EXPR_IF:
        return LOWEST;
    default:
        return op >= EXPR_LT && op <= EXPR_NE ? RELATION : PRIMARY;
    }
}

/* Whether its text begins with a minus sign. */
static bool leads_with_minus(const expr_graph *g, expr e)
{
    for (int k = 0; k < SIGN_SEARCH; k++) {
        switch (expr_op_of(g, e)) {
        case EXPR_NEG:
            return true;
        case EXPR_CONST:
            return signbit(expr_value_now(g, e));
        case EXPR_ADD:
        case EXPR_SUB:
        case EXPR_MUL:
        case EXPR_DIV:
            e = g->node[e].a;
            break;
        default:
            return false;
        }
    }
    return false;
}

static void print_constant(printer *p, expr e)
{
    char text[NUMBER_TEXT];
    double value = expr_value_now(p->g, e);
    if (isnan(value))
        write_text(p, "NaN");
    else if (isinf(value))
        write_text(p, value > 0.0 ? "Inf" : "-Inf");
    else
        write_text(p, number_text(value, text));
}

static void print_name(printer *p, char kind, uint32_t index)
{
    char text[32];
    const char *name = NULL;
    if (p->names && kind == 'v' && p->names->variable)
        name = p->names->variable(p->names->user, index);
    if (p->names && kind == 'f' && p->names->function)
        name = p->names->function(p->names->user, index);
    snprintf(text, sizeof text, "%c%lu", kind, (unsigned long)index);
    write_text(p, name ? name : text);
}

/* f(a, b, c): what has been written is the name. */
static void print_arguments(printer *p, expr e)
{
    const expr *args;
    uint32_t n = expr_operands(p->g, e, &args);
    write_text(p, "(");
    push_text(p, ")");
    if (2 * (size_t)n + p->n + 8 > PIECES_MAX) {
        write_text(p, "...");
        return;
    }
    for (uint32_t k = n; k-- > 0;) {
        push_expr(p, args[k], LOWEST, false);
        if (k > 0)
            push_text(p, ", ");
    }
}

static void print_output(printer *p, expr e)
{
    char text[16];
    expr_function f = expr_function_of(p->g, e);
    snprintf(text, sizeof text, "[%u]", f.output + 1u);
    print_name(p, 'f', f.id);
    write_text(p, text);
    print_arguments(p, p->g->node[e].a);
}

/* The right operand of a sum or product needs parentheses only where the value differs. */
static void print_infix(printer *p, expr e, expr_op op)
{
    static const char *const text[EXPR_N_OPS] = {
        [EXPR_ADD] = " + ", [EXPR_SUB] = " - ", [EXPR_MUL] = "*",   [EXPR_DIV] = "/",
        [EXPR_POW] = "^",   [EXPR_LT] = " < ",  [EXPR_LE] = " <= ", [EXPR_GT] = " > ",
        [EXPR_GE] = " >= ", [EXPR_EQ] = " == ", [EXPR_NE] = " <> ", [EXPR_AND] = " and ",
        [EXPR_OR] = " or "};
    const expr_node *n = &p->g->node[e];
    uint8_t level = level_of(p->g, e);
    bool associative = op == EXPR_ADD || op == EXPR_MUL || op == EXPR_AND || op == EXPR_OR;
    bool strict_left = op == EXPR_POW || level == RELATION;
    push_expr(p, n->b, (uint8_t)(associative ? level : level + 1), level >= SUM);
    push_text(p, text[op]);
    push_expr(p, n->a, (uint8_t)(strict_left ? level + 1 : level), op == EXPR_POW);
}

static void print_prefix(printer *p, expr e, expr_op op)
{
    write_text(p, op == EXPR_NEG ? "-" : "not ");
    push_expr(p, p->g->node[e].a, op == EXPR_NEG ? PRODUCT : LOGIC_NOT, op == EXPR_NEG);
}

static void print_if(printer *p, expr e)
{
    const expr_node *n = &p->g->node[e];
    write_text(p, "if ");
    push_expr(p, n->c, LOWEST, false);
    push_text(p, " else ");
    push_expr(p, n->b, LOWEST, false);
    push_text(p, " then ");
    push_expr(p, n->a, LOWEST, false);
}

static void print_operation(printer *p, expr e)
{
    expr_op op = expr_op_of(p->g, e);
    switch (op) {
    case EXPR_CONST:
        print_constant(p, e);
        return;
    case EXPR_VAR:
        print_name(p, 'v', expr_index(p->g, e));
        return;
    case EXPR_CALL:
        print_name(p, 'f', expr_function_of(p->g, e).id);
        print_arguments(p, e);
        return;
    case EXPR_OUTPUT:
        print_output(p, e);
        return;
    case EXPR_NEG:
    case EXPR_NOT:
        print_prefix(p, e, op);
        return;
    case EXPR_IF:
        print_if(p, e);
        return;
    default:
        break;
    }
    if (level_of(p->g, e) < PRIMARY) {
        print_infix(p, e, op);
    } else {
        write_text(p, expr_op_text(op));
        print_arguments(p, e);
    }
}

static void print_piece(printer *p, piece item)
{
    if (item.text || p->n + 16 > PIECES_MAX) {
        write_text(p, item.text ? item.text : "...");
        return;
    }
    if (level_of(p->g, item.e) < item.level || (item.unsigned_ && leads_with_minus(p->g, item.e))) {
        write_text(p, "(");
        push_text(p, ")");
    }
    print_operation(p, item.e);
}

char *expr_print(const expr_graph *g, expr e, const expr_names *names, char *text, size_t size)
{
    printer p = {.g = g, .names = names, .text = text, .size = size};
    assert(size > 0);
    text[0] = '\0';
    push_expr(&p, e, LOWEST, false);
    while (p.n && !p.full)
        print_piece(&p, p.stack[--p.n]);
    return text;
}
