/* flatten/uniform_loop.c - see flattener.h: the equations of a loop that are the same in all its
 * rounds but for subscripts.
 *
 * Names, sizes and types of such equations are looked up once.  What is left of an equation is a
 * small tree (`term`) of operations and of elements of arrays, whose subscripts are whole numbers
 * computed from the iterator; every round runs over it and adds nodes to the graph of expressions.
 * The nodes are those that expression_eval would make.  Whatever else occurs in a loop (records,
 * slices, functions, relations of variables, nested clauses) makes it a loop that is unrolled as
 * text: uniform_loop answers false.  A round in which a subscript is outside of its array is left
 * to equation_flatten, which words the error.                                      */
#include "flatten/flattener.h"

#include <math.h>

enum { ROUNDS_MIN = 4, DEPTH_OF_TERM = 100 };

typedef enum term_kind {
    WHOLE,    /* a constant whole number                        */
    ITERATOR, /* the iterator of this loop                      */
    NUMBER,   /* an expression that is the same in all rounds   */
    ELEMENT,  /* of an array: operands are its subscripts       */
    SIGN,     /* minus one operand                              */
    JOIN,     /* two operands and an arithmetic operator        */
    FUNCTION, /* an elementary function of one operand          */
    SLOPE,    /* der() of one operand                           */
    COMPARE,  /* two whole numbers: true or false               */
    BOTH,     /* and, or: two conditions                        */
    CHOICE    /* if, as in the syntax: conditions and branches  */
} term_kind;

/* What the type of a value is: that of an `if` may differ from round to round. */
typedef enum term_type { IS_WHOLE, IS_EITHER, IS_REAL, IS_TRUTH } term_type;

typedef struct term {
    term_kind kind;
    term_type type;
    int op; /* ast_op of COMPARE and BOTH, expr_op of JOIN and FUNCTION */
    int64_t whole;
    expr number;
    uint32_t first; /* variable of an array */
    type array;
    struct term **operand;
    int32_t n;
    source_at at;
} term;

typedef struct uniform_equation {
    const ast_clause *clause;
    const term *left, *right;
    struct uniform_equation *next;
} uniform_equation;

/* A loop: what compiling its equations needs, and the round under way. */
typedef struct uniform {
    flattener *f;
    int32_t name; /* of the iterator */
    int64_t round;
    int depth;
    size_t n_terms;
    bool failed; /* a subscript of this round is outside, a number too large */
} uniform;

/* ---- from syntax to terms; NULL: it is not of the kind that is treated here ---- */

static term *compile(uniform *u, const ast_expr *e, int32_t end);

static term *term_new(uniform *u, term_kind kind, term_type is, int32_t n, source_at at)
{
    term *t = arena_take(u->f->in->mem, 1, sizeof *t);
    if (!t)
        return NULL;
    *t = (term){.kind = kind, .type = is, .n = n, .at = at};
    t->operand = arena_take(u->f->in->mem, (size_t)n + 1, sizeof *t->operand);
    u->n_terms++;
    return t->operand ? t : NULL;
}

static term *whole_number(uniform *u, int64_t whole, source_at at)
{
    term *t = fabs((double)whole) < INTEGER_LIMIT ? term_new(u, WHOLE, IS_WHOLE, 0, at) : NULL;
    if (t)
        t->whole = whole;
    return t;
}

static term *same_number(uniform *u, expr e, source_at at)
{
    term *t = e != EXPR_NONE ? term_new(u, NUMBER, IS_REAL, 0, at) : NULL;
    if (t)
        t->number = e;
    return t;
}

/* An iterator of this loop or of one around it; *found: the name is one. */
static term *compile_iterator(uniform *u, const ast_expr *ref, bool *found)
{
    int32_t name = ref->part[0].name;
    bool plain = ref->part[0].n_subs == 0;
    *found = name == u->name;
    if (*found)
        return plain ? term_new(u, ITERATOR, IS_WHOLE, 0, ref->at) : NULL;
    for (const iteration *i = u->f->iterations; i; i = i->next) {
        int64_t whole;
        if (i->name != name)
            continue;
        *found = true;
        bool known = plain && i->value.type.base == T_INTEGER && i->value.type.n_dims == 0 &&
                     value_integer(u->f->in, i->value, &whole);
        return known ? whole_number(u, whole, ref->at) : NULL;
    }
    return NULL;
}

static term *compile_scalar(uniform *u, const component *c, source_at at)
{
    bool is_real = c->type.base == T_REAL;
    expr e = variable_read(u->f, c->first);
    if (is_real)
        return same_number(u, e, at);
    if (!expr_is_constant(u->f->in->g, e))
        return NULL;
    double number = expr_value(u->f->in->g, e);
    return number == floor(number) && fabs(number) < INTEGER_LIMIT
               ? whole_number(u, (int64_t)number, at)
               : NULL;
}

static term *compile_element(uniform *u, const component *c, const ast_part *part)
{
    term *t = term_new(u, ELEMENT, IS_REAL, part->n_subs, part->at);
    if (!t)
        return NULL;
    t->first = c->first;
    t->array = c->type;
    for (int32_t i = 0; i < part->n_subs; i++) {
        t->operand[i] = compile(u, part->sub[i], t->array.dim[i]);
        if (!t->operand[i] || t->operand[i]->type != IS_WHOLE)
            return NULL;
    }
    return t;
}

static term *compile_name(uniform *u, const ast_expr *ref)
{
    flattener *f = u->f;
    bool found = false;
    if (ref->n != 1 || ref->flag)
        return NULL;
    term *iterator = compile_iterator(u, ref, &found);
    if (found)
        return iterator;
    component *c = ids_grow(f) ? component_named(f, ref->part[0].name) : NULL;
    if (!c && !ref->part[0].quoted && ref->part[0].name == f->id->time && !ref->part[0].n_subs)
        return same_number(u, expr_variable(f->in->g, flat_symbol(FLAT_TIME, 0)), ref->at);
    if (!c || (c->is_ambiguous && c->is_global))
        return NULL;
    size_t k = (size_t)(c - f->scope->component);
    if (!component_size(f, c))
        return NULL;
    component known = f->scope->component[k];
    if (known.type.n_dims != ref->part[0].n_subs)
        return NULL;
    if (known.type.n_dims == 0 && (known.type.base == T_REAL || known.type.base == T_INTEGER))
        return compile_scalar(u, &known, ref->at);
    return known.type.base == T_REAL ? compile_element(u, &known, &ref->part[0]) : NULL;
}

static term_type joined(const term *a, const term *b, expr_op op)
{
    if (a->type == IS_REAL || b->type == IS_REAL || op == EXPR_DIV || op == EXPR_POW)
        return IS_REAL;
    return a->type == IS_EITHER || b->type == IS_EITHER ? IS_EITHER : IS_WHOLE;
}

/* a op b, for any operator; NULL: it does not apply here. */
static term *compile_pair(uniform *u, term *a, ast_op op, term *b, source_at at)
{
    expr_op number = value_operation(op);
    bool truths = a->type == IS_TRUTH && b->type == IS_TRUTH;
    term *t = NULL;
    if (number != EXPR_N_OPS && a->type != IS_TRUTH && b->type != IS_TRUTH)
        t = term_new(u, JOIN, joined(a, b, number), 2, at);
    else if (op >= AST_LT && op <= AST_NE && a->type == IS_WHOLE && b->type == IS_WHOLE)
        t = term_new(u, COMPARE, IS_TRUTH, 2, at);
    else if ((op == AST_AND || op == AST_OR) && truths)
        t = term_new(u, BOTH, IS_TRUTH, 2, at);
    if (!t)
        return NULL;
    t->op = t->kind == JOIN ? (int)number : (int)op;
    t->operand[0] = a;
    t->operand[1] = b;
    return t;
}

static term *compile_chain(uniform *u, const ast_expr *e, int32_t end)
{
    term *t = compile(u, e->item[0], end);
    for (int32_t i = 1; t && i < e->n; i++) {
        term *next = compile(u, e->item[i], end);
        t = next ? compile_pair(u, t, (ast_op)e->item[i]->joint, next, e->at) : NULL;
    }
    return t;
}

static term *compile_unary(uniform *u, const ast_expr *e, int32_t end)
{
    term *of = e->op != AST_NOT ? compile(u, e->base, end) : NULL;
    if (!of || of->type == IS_TRUTH || e->op == AST_ADD || e->op == AST_EL_ADD)
        return of && of->type != IS_TRUTH ? of : NULL;
    term *t = term_new(u, SIGN, of->type, 1, e->at);
    if (t)
        t->operand[0] = of;
    return t;
}

static term *compile_choice(uniform *u, const ast_expr *e, int32_t end)
{
    term *t = term_new(u, CHOICE, IS_WHOLE, e->n, e->at);
    int32_t reals = 0, branches = 0;
    for (int32_t i = 0; t && i < e->n; i++) {
        bool is_condition = i % 2 == 0 && i < e->n - 1;
        term *part = t->operand[i] = compile(u, e->item[i], end);
        if (!part || (part->type == IS_TRUTH) != is_condition || part->type == IS_EITHER)
            return NULL;
        branches += !is_condition;
        reals += part->type == IS_REAL;
    }
    if (t && reals > 0)
        t->type = reals == branches ? IS_REAL : IS_EITHER;
    return t;
}

/* der(x), sin(x) */
static term *compile_call(uniform *u, const ast_expr *e)
{
    int32_t name = ast_simple_name(e->base);
    if (name == INTERN_NONE || e->base->part[0].quoted || e->n != 1 ||
        e->arg[0].name != INTERN_NONE || e->arg[0].value->kind == AST_ITERATED)
        return NULL;
    const char *text = context_name(u->f->in, name);
    bool is_slope = builtin_is_der(text);
    expr_op op = EXPR_N_OPS;
    if (!is_slope && !builtin_elementary(text, &op))
        return NULL;
    term *of = compile(u, e->arg[0].value, -1);
    if (!of || of->type != IS_REAL)
        return NULL;
    term *t = term_new(u, is_slope ? SLOPE : FUNCTION, IS_REAL, 1, e->at);
    if (!t)
        return NULL;
    t->op = (int)op;
    t->operand[0] = of;
    return t;
}

static term *compile_kind(uniform *u, const ast_expr *e, int32_t end)
{
    switch (e->kind) {
    case AST_INTEGER:
        return whole_number(u, e->integer, e->at);
    case AST_REAL:
        return same_number(u, expr_constant(u->f->in->g, e->real), e->at);
    case AST_END:
        return end >= 0 ? whole_number(u, end, e->at) : NULL;
    case AST_REF:
        return compile_name(u, e);
    case AST_UNARY:
        return compile_unary(u, e, end);
    case AST_CHAIN:
        return compile_chain(u, e, end);
    case AST_IF:
        return compile_choice(u, e, end);
    case AST_CALL:
        return compile_call(u, e);
    default:
        return NULL;
    }
}

static term *compile(uniform *u, const ast_expr *e, int32_t end)
{
    if (u->depth >= DEPTH_OF_TERM)
        return NULL;
    u->depth++;
    term *t = compile_kind(u, e, end);
    u->depth--;
    return t;
}

/* ---- one round ---- */

static int64_t whole_of(uniform *u, const term *t);

static bool is_true(uniform *u, const term *t)
{
    if (t->kind == BOTH)
        return t->op == AST_AND ? is_true(u, t->operand[0]) && is_true(u, t->operand[1])
                                : is_true(u, t->operand[0]) || is_true(u, t->operand[1]);
    int64_t a = whole_of(u, t->operand[0]), b = whole_of(u, t->operand[1]);
    switch (t->op) {
    case AST_LT:
        return a < b;
    case AST_LE:
        return a <= b;
    case AST_GT:
        return a > b;
    case AST_GE:
        return a >= b;
    case AST_EQ:
        return a == b;
    default:
        return a != b;
    }
}

static const term *chosen(uniform *u, const term *t)
{
    int32_t i = 0;
    while (i + 1 < t->n && !is_true(u, t->operand[i]))
        i += 2;
    return t->operand[i + 1 < t->n ? i + 1 : t->n - 1];
}

static int64_t joined_whole(uniform *u, const term *t)
{
    int64_t a = whole_of(u, t->operand[0]), b = whole_of(u, t->operand[1]);
    double size = t->op == EXPR_MUL ? (double)a * (double)b : fabs((double)a) + fabs((double)b);
    if (!(fabs(size) < INTEGER_LIMIT)) {
        u->failed = true;
        return 0;
    }
    return t->op == EXPR_ADD ? a + b : t->op == EXPR_SUB ? a - b : a * b;
}

/* Of a term whose type is IS_WHOLE. */
static int64_t whole_of(uniform *u, const term *t)
{
    switch (t->kind) {
    case WHOLE:
        return t->whole;
    case ITERATOR:
        return u->round;
    case SIGN:
        return -whole_of(u, t->operand[0]);
    case CHOICE:
        return whole_of(u, chosen(u, t));
    default:
        return joined_whole(u, t);
    }
}

static expr element(uniform *u, const term *t)
{
    size_t at = 0;
    for (int32_t i = 0; i < t->n; i++) {
        int64_t k = whole_of(u, t->operand[i]);
        if (k < 1 || k > t->array.dim[i]) {
            u->failed = true;
            return EXPR_NONE;
        }
        at = at * (size_t)t->array.dim[i] + (size_t)(k - 1);
    }
    return variable_read(u->f, t->first + (uint32_t)at);
}

static expr number_of(uniform *u, const term *t)
{
    context *in = u->f->in;
    if (t->type == IS_WHOLE)
        return expr_constant(in->g, (double)whole_of(u, t));
    switch (t->kind) {
    case NUMBER:
        return t->number;
    case ELEMENT:
        return element(u, t);
    case SIGN:
        return expr_make1(in->g, EXPR_NEG, number_of(u, t->operand[0]));
    case FUNCTION:
        return expr_make1(in->g, (expr_op)t->op, number_of(u, t->operand[0]));
    case JOIN: {
        expr a = number_of(u, t->operand[0]), b = number_of(u, t->operand[1]);
        return expr_make2(in->g, (expr_op)t->op, a, b);
    }
    case CHOICE:
        return number_of(u, chosen(u, t));
    default: {
        expr of = number_of(u, t->operand[0]);
        if (of == EXPR_NONE)
            return EXPR_NONE;
        value slope = total_derivative(in, value_scalar(in, T_REAL, of), t->at);
        return is_bad(slope) ? EXPR_NONE : slope.e[0];
    }
    }
}

static void add_equation(uniform *u, const uniform_equation *e)
{
    flattener *f = u->f;
    int32_t errors = f->in->c->sources.n_errors;
    u->failed = false;
    f->in->work.at = e->clause->at;
    expr left = number_of(u, e->left), right = number_of(u, e->right);
    if (left != EXPR_NONE && right != EXPR_NONE && !u->failed)
        equation_emit(f, (pending){.left = left,
                                   .right = right,
                                   .type = type_scalar(T_REAL),
                                   .at = e->clause->at,
                                   .end = e->clause->end});
    else if (!f->in->g->failed && f->in->c->sources.n_errors == errors)
        equation_flatten(f, e->clause);
}

/* ---- the loop ---- */

/* All equations of the body; false: some are of another kind. */
static bool compile_body(uniform *u, const ast_clause *body, uniform_equation **first)
{
    uniform_equation **last = first;
    for (const ast_clause *c = body; c; c = c->next) {
        if (c->kind != AST_EQUATION || c->comment.annotation)
            return false;
        uniform_equation *e = arena_take(u->f->in->mem, 1, sizeof *e);
        if (!e)
            return false;
        *e = (uniform_equation){.clause = c, .left = compile(u, c->left, -1)};
        e->right = e->left ? compile(u, c->right, -1) : NULL;
        if (!e->right || e->left->type == IS_TRUTH || e->right->type == IS_TRUTH ||
            (e->left->type != IS_REAL && e->right->type != IS_REAL))
            return false;
        *last = e;
        last = &e->next;
    }
    return true;
}

static bool is_plain_place(const flattener *f)
{
    return f->section == IN_EQUATIONS && !f->overlay && f->when == EXPR_NONE &&
           f->path == EXPR_NONE && !f->in->frame && !f->in->is_numeric && !f->in->sizes_only &&
           !f->in->as_variables && f->in->g == &f->in->m->graph;
}

bool uniform_loop(flattener *f, const ast_clause *body, iteration *here, value range)
{
    uniform u = {.f = f, .name = here->name};
    uniform_equation *first = NULL;
    size_t rounds = (size_t)range.type.dim[0];
    if (rounds < ROUNDS_MIN || range.type.base != T_INTEGER || !is_plain_place(f) ||
        !compile_body(&u, body, &first))
        return false;
    for (size_t i = 0; i < rounds && f->in->c->sources.n_errors == 0; i++) {
        here->value = value_element(f->in, range, i);
        if (!context_work(f->in, 1 + u.n_terms) || !value_integer(f->in, here->value, &u.round))
            break;
        for (const uniform_equation *e = first; e && f->in->c->sources.n_errors == 0; e = e->next)
            add_equation(&u, e);
    }
    return true;
}
