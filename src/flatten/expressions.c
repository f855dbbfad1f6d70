/* flatten/expressions.c - see flattener.h: the values of expressions. */
#include "flatten/flattener.h"

#include <math.h>
#include <string.h>

/* ---- relations ---- */

static expr_op relation_op(ast_op op)
{
    static const expr_op ops[] = {[AST_LT] = EXPR_LT, [AST_LE] = EXPR_LE, [AST_GT] = EXPR_GT,
                                  [AST_GE] = EXPR_GE, [AST_EQ] = EXPR_EQ, [AST_NE] = EXPR_NE};
    return ops[op];
}

/* A text that contains the value of a variable, which is not known before the run. */
static bool has_open_text(flattener *f, value v)
{
    return v.type.base == T_STRING && v.n == 1 && value_is_constant(f->in, v) &&
           strstr(context_name(f->in, (int32_t)expr_value(f->in->g, v.e[0])), TEXT_OF_VARIABLE);
}

static value relation_eval(flattener *f, ast_op op, value a, value b, source_at at)
{
    if (is_bad(a) || is_bad(b))
        return bad_value;
    bool numbers = value_is_numeric(a) && value_is_numeric(b);
    bool same = a.type.base == b.type.base && a.type.base != T_RECORD &&
                (a.type.base != T_ENUM || enumerations_agree(f->in, a.type.info, b.type.info));
    if (a.type.n_dims || b.type.n_dims || !(numbers || same))
        return context_error(f->in, at, "'%s' cannot compare %s and %s", ast_op_text(op),
                             type_text(f->in, a.type), type_text(f->in, b.type));
    if (has_open_text(f, a) || has_open_text(f, b))
        return context_error(f->in, at,
                             "a text that contains String() of a variable cannot be compared");
    return value_scalar(f->in, T_BOOLEAN, event_relation(f->in, relation_op(op), a, b, at));
}

/* ---- chains of operators ---- */

static bool decides(flattener *f, ast_op op, value v)
{
    return v.type.n_dims == 0 && v.n == 1 && expr_is_constant(f->in->g, v.e[0]) &&
           (expr_value(f->in->g, v.e[0]) != 0.0) == (op == AST_OR);
}

static value logic(flattener *f, ast_op op, value a, value b, source_at at)
{
    if (is_bad(a) || is_bad(b))
        return bad_value;
    if (a.type.base != T_BOOLEAN || b.type.base != T_BOOLEAN || !type_same_sizes(a.type, b.type))
        return context_error(f->in, at, "'%s' cannot join %s and %s", ast_op_text(op),
                             type_text(f->in, a.type), type_text(f->in, b.type));
    value r = value_new(f->in, a.type);
    for (size_t i = 0; !is_bad(r) && i < r.n; i++)
        r.e[i] = expr_make2(f->in->g, op == AST_AND ? EXPR_AND : EXPR_OR, a.e[i], b.e[i]);
    return r;
}

static value chain_eval(flattener *f, const ast_expr *e)
{
    value v = expression_eval(f, e->item[0]);
    for (int32_t i = 1; i < e->n && !is_bad(v); i++) {
        ast_op op = (ast_op)e->item[i]->joint;
        if ((op == AST_AND || op == AST_OR) && v.type.base == T_BOOLEAN && decides(f, op, v))
            return v; /* the rest need not be valid: n > 0 and x[n] > 1 */
        value next = expression_eval(f, e->item[i]);
        if (v.type.base == T_RECORD || next.type.base == T_RECORD)
            v = record_operator(f, op, (value[]){v, next}, 2, e->at);
        else if (op == AST_AND || op == AST_OR)
            v = logic(f, op, v, next, e->at);
        else if (op >= AST_LT && op <= AST_NE)
            v = relation_eval(f, op, v, next, e->at);
        else
            v = value_arith(f->in, op, v, next, e->at);
    }
    return v;
}

static value unary_eval(flattener *f, const ast_expr *e)
{
    value v = expression_eval(f, e->base);
    if (is_bad(v))
        return v;
    if (e->op == AST_NOT) {
        if (v.type.base != T_BOOLEAN)
            return context_error(f->in, e->at, "'not' does not apply to %s",
                                 type_text(f->in, v.type));
        return value_map(f->in, v, EXPR_NOT, T_BOOLEAN);
    }
    if (v.type.base == T_RECORD)
        return e->op == AST_ADD ? v : record_operator(f, (ast_op)e->op, &v, 1, e->at);
    if (e->op == AST_SUB || e->op == AST_EL_SUB)
        return value_negate(f->in, v, e->at);
    if (!value_is_numeric(v))
        return context_error(f->in, e->at, "'+' does not apply to %s", type_text(f->in, v.type));
    return v;
}

/* ---- if ---- */

/* Joins the branches from the last to the first, so that many branches need no deep recursion. */
static value if_eval(flattener *f, const ast_expr *e)
{
    int32_t n = e->n / 2, first = 0;
    expr *condition = arena_take(f->in->mem, (size_t)n + 1, sizeof *condition);
    value *branch = arena_take(f->in->mem, (size_t)n + 1, sizeof *branch);
    expr path = f->path;
    if (!condition || !branch)
        return bad_value;
    for (; first < n; first++) {
        condition[first] = evaluate_condition(f->in, e->item[2 * first]);
        if (condition[first] == EXPR_NONE)
            return bad_value;
        bool known = expr_is_constant(f->in->g, condition[first]);
        if (known && expr_value(f->in->g, condition[first]) != 0.0)
            break;
        if (known)
            continue;
        f->path = condition_and(f->in, path, condition[first]);
        branch[first] = expression_eval(f, e->item[2 * first + 1]);
        f->path = condition_and(f->in, path, condition_not(f->in, condition[first]));
        if (is_bad(branch[first]))
            return f->path = path, bad_value;
    }
    value v = expression_eval(f, first < n ? e->item[2 * first + 1] : e->item[e->n - 1]);
    f->path = path;
    while (first-- > 0)
        if (!expr_is_constant(f->in->g, condition[first]))
            v = value_if(f->in, condition[first], branch[first], v, e->at);
    return v;
}

/* ---- arrays ---- */

static value values_range(flattener *f, const ast_expr *e, double from, double step, double to)
{
    const double relative = 1e-15, absolute = 1e-10; /* 0 : 0.1 : 0.3 has four elements */
    double steps = (to - from) / step * (1.0 + relative) + absolute;
    double count = step == 0.0 ? -1.0 : floor(steps) + 1.0;
    if (step == 0.0 || !(count <= ELEMENTS_MAX))
        return context_error(f->in, e->at,
                             "the range %.17g : %.17g : %.17g has step 0 or too many elements",
                             from, step, to);
    type t = type_scalar(T_INTEGER);
    t.n_dims = 1;
    t.dim[0] = count > 0.0 ? (int32_t)count : 0;
    value v = value_new(f->in, t);
    for (size_t i = 0; !is_bad(v) && i < v.n; i++)
        v.e[i] = expr_constant(f->in->g, from + (double)i * step);
    return v;
}

static value range_eval(flattener *f, const ast_expr *e)
{
    double number[3] = {0.0, 1.0, 0.0};
    type t = type_scalar(T_INTEGER);
    for (int32_t i = 0; i < e->n; i++) {
        value v = expression_eval(f, e->item[i]);
        if (is_bad(v))
            return v;
        if (v.n != 1 || v.type.base == T_STRING || v.type.base == T_RECORD)
            return context_error(f->in, e->item[i]->at,
                                 "a bound of a range is %s, not a scalar number",
                                 type_text(f->in, v.type));
        if (!value_is_constant(f->in, v)) {
            if (!f->in->frame)
                return context_error(
                    f->in, e->item[i]->at,
                    "a range must be constant here; a loop in a function may have any");
            context_give_up(f->in, e->item[i]->at, "a range is not constant");
            return bad_value;
        }
        number[e->n == 2 && i == 1 ? 2 : i] = expr_value(f->in->g, v.e[0]);
        if (t.base == T_INTEGER || v.type.base == T_REAL)
            t = v.type;
    }
    value v = values_range(f, e, number[0], number[1], number[2]);
    if (!is_bad(v)) {
        v.type.base = t.base;
        v.type.info = t.info;
    }
    return v;
}

static value list_eval(flattener *f, ast_expr *const *item, int32_t n, source_at at)
{
    value *v = arena_take(f->in->mem, (size_t)n + 1, sizeof *v);
    if (!v)
        return bad_value;
    for (int32_t i = 0; i < n; i++) {
        v[i] = expression_eval(f, item[i]);
        if (is_bad(v[i]))
            return bad_value;
    }
    return value_stack(f->in, v, (size_t)n, at);
}

/* An enumeration as a range: its name stands for all its values. */
static value type_as_range(flattener *f, const ast_expr *e)
{
    const ast_class *c = e->kind == AST_REF ? class_find(f, e) : NULL;
    int32_t k = c && c->form == AST_ENUMERATION ? enumeration_of_class(f, c) : -1;
    if (k < 0)
        return bad_value;
    value v = values_range(f, e, 1.0, 1.0, f->in->m->enumerations[k].n);
    v.type.base = T_ENUM;
    v.type.info = k;
    return v;
}

bool iterator_range(flattener *f, const ast_iterator *it, const ast_expr *body,
                    const ast_clause *clauses, value *range)
{
    if (!it->range) {
        *range = implicit_range(f, it, body, clauses);
        return !is_bad(*range);
    }
    *range = type_as_range(f, it->range);
    if (is_bad(*range))
        *range = expression_eval(f, it->range);
    if (is_bad(*range))
        return false;
    if (range->type.n_dims != 1) {
        context_error(f->in, it->range->at, "the range of '%s' is %s, not a vector",
                      context_name(f->in, it->name), type_text(f->in, range->type));
        return false;
    }
    return true;
}

/* {e for i in r, j in s}: the last iterator is the outermost. */
static value iterated_from(flattener *f, const ast_expr *e, int32_t k)
{
    value range;
    if (k < 0)
        return expression_eval(f, e->base);
    if (!iterator_range(f, &e->iterator[k], e->base, NULL, &range))
        return bad_value;
    size_t n = (size_t)range.type.dim[0];
    value *v = arena_take(f->in->mem, n + 1, sizeof *v);
    iteration here = {.name = e->iterator[k].name, .next = f->iterations};
    f->iterations = &here;
    bool ok = v != NULL;
    for (size_t i = 0; ok && i < n; i++) {
        here.value = value_element(f->in, range, i);
        v[i] = iterated_from(f, e, k - 1);
        ok = !is_bad(v[i]);
    }
    f->iterations = here.next;
    return ok ? value_stack(f->in, v, n, e->at) : bad_value;
}

static value array_eval(flattener *f, const ast_expr *e)
{
    if (e->n == 1 && e->item[0]->kind == AST_ITERATED)
        return iterated_from(f, e->item[0], e->item[0]->n - 1);
    return list_eval(f, e->item, e->n, e->at);
}

/* A matrix of blocks: scalars and vectors count as columns; sizes of 1 follow the others. */
static value as_block(value v, uint8_t n_dims)
{
    for (uint8_t i = v.type.n_dims; i < n_dims; i++)
        v.type.dim[i] = 1;
    v.type.n_dims = v.type.n_dims < n_dims ? n_dims : v.type.n_dims;
    return v;
}

static bool blocks_fit(type a, type b, int joined)
{
    if (a.base == T_RECORD || b.base == T_RECORD)
        return false;
    for (int i = 0; i < a.n_dims; i++)
        if (i != joined && a.dim[i] != b.dim[i])
            return false;
    return true;
}

static value join_blocks(flattener *f, value a, value b, bool below, source_at at)
{
    int joined = below ? 0 : 1;
    if (is_bad(a) || is_bad(b))
        return bad_value;
    a = as_block(a, b.type.n_dims);
    b = as_block(b, a.type.n_dims);
    if (!blocks_fit(a.type, b.type, joined))
        return context_error(f->in, at, "%s and %s do not fit together in a matrix: %s",
                             type_text(f->in, a.type), type_text(f->in, b.type),
                             below ? "its rows need the same number of elements"
                                   : "its parts need the same number of rows");
    type t = a.type;
    if (t.dim[joined] > ELEMENTS_MAX - b.type.dim[joined])
        return context_error(f->in, at, "the matrix has more than %d elements", ELEMENTS_MAX);
    t.dim[joined] += b.type.dim[joined];
    t.base = a.type.base == T_INTEGER ? b.type.base : a.type.base;
    value r = value_new(f->in, t);
    size_t pieces = below ? 1 : (size_t)t.dim[0];
    size_t n_a = pieces ? a.n / pieces : 0, n_b = pieces ? b.n / pieces : 0;
    for (size_t i = 0; !is_bad(r) && i < pieces; i++) {
        for (size_t k = 0; k < n_a; k++)
            r.e[i * (n_a + n_b) + k] = a.e[i * n_a + k];
        for (size_t k = 0; k < n_b; k++)
            r.e[i * (n_a + n_b) + n_a + k] = b.e[i * n_b + k];
    }
    return r;
}

static value matrix_eval(flattener *f, const ast_expr *e)
{
    value whole = bad_value;
    for (int32_t i = 0; i < e->n; i++) {
        const ast_expr *row = e->item[i];
        value line = bad_value;
        for (int32_t j = 0; j < row->n; j++) {
            value part = as_block(expression_eval(f, row->item[j]), 2);
            line = j ? join_blocks(f, line, part, false, row->at) : part;
        }
        whole = i ? join_blocks(f, whole, line, true, e->at) : line;
        if (is_bad(whole))
            return whole;
    }
    return whole;
}

/* ---- literals and the rest ---- */

static value literal_eval(flattener *f, const ast_expr *e)
{
    switch (e->kind) {
    case AST_INTEGER:
        return value_number(f->in, T_INTEGER, (double)e->integer);
    case AST_REAL:
        return value_number(f->in, T_REAL, e->real);
    case AST_BOOLEAN:
        return value_number(f->in, T_BOOLEAN, (double)e->integer);
    case AST_STRING:
        return value_text(f->in, e->text);
    case AST_END:
        if (f->end >= 0)
            return value_number(f->in, T_INTEGER, f->end);
        return context_error(f->in, e->at, "'end' has a meaning only in subscripts");
    case AST_COLON:
        return context_error(f->in, e->at, "':' has a meaning only in subscripts");
    default:
        return context_error(f->in, e->at, "#EMPTY#: the exporter failed to write this expression");
    }
}

static value eval_kind(flattener *f, const ast_expr *e)
{
    switch (e->kind) {
    case AST_REF:
        return name_eval(f, e);
    case AST_ACCESS:
        return parts_apply(f, expression_eval(f, e->base), e->part, e->n);
    case AST_CALL:
        return call_eval(f, e);
    case AST_FUNCTION:
        return function_as_value(f, e);
    case AST_UNARY:
        return unary_eval(f, e);
    case AST_CHAIN:
        return chain_eval(f, e);
    case AST_RANGE:
        return range_eval(f, e);
    case AST_IF:
        return if_eval(f, e);
    case AST_ARRAY:
        return array_eval(f, e);
    case AST_MATRIX:
        return matrix_eval(f, e);
    case AST_DECORATED:
        return expression_eval(f, e->base);
    case AST_TUPLE:
        return context_error(f->in, e->at,
                             "a list in parentheses can only be a side of an equation");
    case AST_ITERATED:
        return context_error(f->in, e->at,
                             "'for' can stand only in braces or in a reduction such as sum()");
    default:
        return literal_eval(f, e);
    }
}

value expression_eval(flattener *f, const ast_expr *e)
{
    if (f->depth >= DEPTH_MAX)
        return context_error(f->in, e->at, "the expression is nested too deeply");
    f->in->work.at = e->at;
    if (!context_work(f->in, 1))
        return bad_value;
    int cost = e->kind == AST_CALL ? NESTED_CALL_COST : 1;
    f->depth += cost;
    value v = eval_kind(f, e);
    f->depth -= cost;
    return v;
}
