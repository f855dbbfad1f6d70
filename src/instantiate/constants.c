/* instantiate/constants.c - see instance.h: values that are known before the simulation.
 *
 * Values are literals of the syntax tree.  Operators, subscripts and some functions are computed
 * here, anything else by the flattener (flatten/constant_evaluator.h). */
#include "flatten/constant_evaluator.h"
#include "instantiate/instance.h"

#include <math.h>
#include <string.h>

/* ---- literals ---- */

static bool is_enumeration_literal(const ast_expr *e)
{
    return e->kind == AST_REF && e->op == AST_EQ;
}

bool is_literal(const ast_expr *e)
{
    switch (e->kind) {
    case AST_INTEGER:
    case AST_REAL:
    case AST_BOOLEAN:
    case AST_STRING:
        return true;
    case AST_REF:
        return is_enumeration_literal(e);
    case AST_ARRAY:
        for (int32_t i = 0; i < e->n; i++)
            if (!is_literal(e->item[i]))
                return false;
        return true;
    case AST_CALL: /* the constructor of a record, see record_expr */
        for (int32_t i = 0; e->flag && i < e->n; i++)
            if (!is_literal(e->arg[i].value))
                return false;
        return e->flag;
    default:
        return false;
    }
}

static bool is_number(const ast_expr *e)
{
    return e->kind == AST_INTEGER || e->kind == AST_REAL;
}

static double number(const ast_expr *e)
{
    return e->kind == AST_REAL ? e->real : (double)e->integer;
}

int32_t literal_sizes(const ast_expr *e, int32_t *size)
{
    int32_t n = 0;
    while (e && e->kind == AST_ARRAY && n < DIMENSIONS_MAX) {
        size[n++] = e->n;
        e = e->n ? e->item[0] : NULL;
    }
    return n;
}

/* Integers as Reals, where a Real is declared. */
static ast_expr *as_reals(builder *b, ast_expr *e)
{
    if (e && e->kind == AST_INTEGER)
        return node_real(b, (double)e->integer, e->at);
    if (!e || e->kind != AST_ARRAY)
        return e;
    ast_expr **item = builder_take(b, (size_t)e->n + 1, sizeof *item);
    for (int32_t i = 0; item && i < e->n; i++)
        item[i] = as_reals(b, e->item[i]);
    return item ? node_list(b, AST_ARRAY, item, e->n, e->at) : NULL;
}

/* ---- the flattener's help ---- */

static ast_expr *evaluate_elsewhere(builder *b, ast_expr *e)
{
    if (!b->evaluator)
        b->evaluator = constant_evaluator_create(b->c);
    ast_expr *r = b->evaluator ? constant_evaluator_run(b->evaluator, b->classes, e) : NULL;
    return r;
}

/* ---- operators ---- */

static ast_expr *fold_sum(builder *b, ast_op op, const ast_expr *x, const ast_expr *y)
{
    if (x->kind == AST_STRING && y->kind == AST_STRING && op == AST_ADD) {
        ast_expr *e = node_new(b, AST_STRING, x->at);
        if (!e)
            return NULL;
        e->text = builder_text(b, "%s%s", x->text, y->text);
        e->n = x->n + y->n;
        return e;
    }
    if (!is_number(x) || !is_number(y))
        return NULL;
    bool is_integer = x->kind == AST_INTEGER && y->kind == AST_INTEGER;
    int64_t i = 0;
    double u = number(x), v = number(y);
    switch (op) {
    case AST_ADD:
    case AST_EL_ADD:
        if (is_integer && !__builtin_add_overflow(x->integer, y->integer, &i))
            return node_integer(b, i, x->at);
        return node_real(b, u + v, x->at);
    case AST_SUB:
    case AST_EL_SUB:
        if (is_integer && !__builtin_sub_overflow(x->integer, y->integer, &i))
            return node_integer(b, i, x->at);
        return node_real(b, u - v, x->at);
    case AST_MUL:
    case AST_EL_MUL:
        if (is_integer && !__builtin_mul_overflow(x->integer, y->integer, &i))
            return node_integer(b, i, x->at);
        return node_real(b, u * v, x->at);
    case AST_DIV:
    case AST_EL_DIV:
        return v == 0.0 ? NULL : node_real(b, u / v, x->at);
    case AST_POW:
    case AST_EL_POW: {
        double r = pow(u, v);
        return isfinite(r) ? node_real(b, r, x->at) : NULL;
    }
    default:
        return NULL;
    }
}

static ast_expr *fold_relation(builder *b, ast_op op, const ast_expr *x, const ast_expr *y)
{
    int order;
    if (x->kind == AST_STRING && y->kind == AST_STRING) {
        order = strcmp(x->text, y->text);
    } else if (is_number(x) && is_number(y)) {
        order = (number(x) > number(y)) - (number(x) < number(y));
    } else {
        bool same = x->kind == y->kind && (x->kind == AST_BOOLEAN || is_enumeration_literal(x));
        if (!same)
            return NULL;
        order = (x->integer > y->integer) - (x->integer < y->integer);
    }
    bool is = op == AST_LT   ? order < 0
              : op == AST_LE ? order <= 0
              : op == AST_GT ? order > 0
              : op == AST_GE ? order >= 0
              : op == AST_EQ ? order == 0
                             : order != 0;
    return node_boolean(b, is, x->at);
}

static ast_expr *fold_pair(builder *b, ast_op op, const ast_expr *x, const ast_expr *y)
{
    if (op >= AST_LT && op <= AST_NE)
        return fold_relation(b, op, x, y);
    if (op == AST_AND || op == AST_OR) {
        if (x->kind != AST_BOOLEAN || y->kind != AST_BOOLEAN)
            return NULL;
        return node_boolean(b, op == AST_AND ? x->integer && y->integer : x->integer || y->integer,
                            x->at);
    }
    return fold_sum(b, op, x, y);
}

static ast_expr *fold_chain(builder *b, ast_expr *e)
{
    const ast_expr *x = e->item[0];
    ast_expr *r = NULL;
    for (int32_t i = 1; i < e->n; i++) {
        r = fold_pair(b, (ast_op)e->item[i]->joint, x, e->item[i]);
        if (!r)
            return evaluate_elsewhere(b, e);
        x = r;
    }
    return r;
}

static ast_expr *fold_unary(builder *b, ast_expr *e)
{
    const ast_expr *x = e->base;
    if (e->op == AST_NOT && x->kind == AST_BOOLEAN)
        return node_boolean(b, !x->integer, e->at);
    if ((e->op == AST_SUB || e->op == AST_EL_SUB) && x->kind == AST_INTEGER &&
        x->integer != INT64_MIN)
        return node_integer(b, -x->integer, e->at);
    if ((e->op == AST_SUB || e->op == AST_EL_SUB) && x->kind == AST_REAL)
        return node_real(b, -x->real, e->at);
    if (e->op == AST_ADD || e->op == AST_EL_ADD)
        return (ast_expr *)(uintptr_t)x;
    return evaluate_elsewhere(b, e);
}

static ast_expr *fold_range(builder *b, ast_expr *e)
{
    const ast_expr *from = e->item[0], *to = e->item[e->n - 1];
    int64_t step = e->n == 3 && e->item[1]->kind == AST_INTEGER ? e->item[1]->integer : 1;
    bool plain = from->kind == AST_INTEGER && to->kind == AST_INTEGER && step != 0 &&
                 (e->n == 2 || e->item[1]->kind == AST_INTEGER);
    if (!plain)
        return evaluate_elsewhere(b, e);
    int64_t n = (to->integer - from->integer) / step + 1;
    if ((to->integer - from->integer) / step < 0 ||
        (to->integer - from->integer != 0 && ((to->integer > from->integer) != (step > 0))))
        n = 0;
    if (n > SCALARS_MAX)
        return NULL;
    ast_expr **item = builder_take(b, (size_t)n + 1, sizeof *item);
    for (int64_t i = 0; item && i < n; i++)
        item[i] = node_integer(b, from->integer + i * step, e->at);
    return item ? node_list(b, AST_ARRAY, item, (int32_t)n, e->at) : NULL;
}

static ast_expr *fold_matrix(builder *b, ast_expr *e)
{
    ast_expr **row = builder_take(b, (size_t)e->n + 1, sizeof *row);
    for (int32_t i = 0; row && i < e->n; i++) {
        for (int32_t k = 0; k < e->item[i]->n; k++)
            if (e->item[i]->item[k]->kind == AST_ARRAY)
                return evaluate_elsewhere(b, e);
        row[i] = node_list(b, AST_ARRAY, e->item[i]->item, e->item[i]->n, e->at);
    }
    return row ? node_list(b, AST_ARRAY, row, e->n, e->at) : NULL;
}

/* ---- members and subscripts ---- */

/* Whether the arguments of a call are members of its value: not those of a function. */
static bool is_constructor(const builder *b, const ast_expr *e)
{
    if (e->kind != AST_CALL || e->flag)
        return e->kind == AST_CALL;
    uint32_t kind = EMITTED_OTHER;
    return e->base->kind == AST_REF && e->base->n == 1 &&
           number_map_find(&b->emitted, (uint64_t)e->base->part[0].name + 1, &kind) &&
           kind == EMITTED_RECORD;
}

static ast_expr *member_of(const builder *b, const ast_expr *call, int32_t name)
{
    for (int32_t i = 0; is_constructor(b, call) && i < call->n; i++)
        if (call->arg[i].name == name)
            return call->arg[i].value;
    return NULL;
}

static ast_expr *fold_access(builder *b, ast_expr *e)
{
    ast_expr *v = e->base;
    for (int32_t p = 0; v && p < e->n; p++) {
        const ast_part *part = &e->part[p];
        if (part->name != INTERN_NONE) {
            if (v->kind == AST_ARRAY && v->n > 0 && member_of(b, v->item[0], part->name)) {
                ast_expr **item = builder_take(b, (size_t)v->n + 1, sizeof *item);
                for (int32_t i = 0; item && i < v->n; i++)
                    if (!(item[i] = member_of(b, v->item[i], part->name)))
                        return NULL;
                v = item ? node_list(b, AST_ARRAY, item, v->n, v->at) : NULL;
            } else {
                v = member_of(b, v, part->name);
            }
        }
        for (int32_t i = 0; v && i < part->n_subs; i++) {
            const ast_expr *sub = part->sub[i];
            if (v->kind != AST_ARRAY || sub->kind != AST_INTEGER)
                return is_literal(e->base) && b->is_constant ? evaluate_elsewhere(b, e)
                       : b->is_constant                      ? NULL
                                                             : e;
            if (sub->integer < 1 || sub->integer > v->n)
                return NULL;
            v = v->item[sub->integer - 1];
        }
    }
    if (v)
        return v;
    return b->is_constant ? evaluate_elsewhere(b, e) : NULL;
}

/* ---- calls ---- */

static ast_expr *filled(builder *b, ast_expr *value, const ast_expr *call, int32_t k)
{
    if (k == call->n)
        return value;
    const ast_expr *size = call->arg[k].value;
    if (size->kind != AST_INTEGER || size->integer < 0 || size->integer > SCALARS_MAX)
        return NULL;
    ast_expr *one = filled(b, value, call, k + 1);
    ast_expr **item = one ? builder_take(b, (size_t)size->integer + 1, sizeof *item) : NULL;
    for (int64_t i = 0; item && i < size->integer; i++)
        item[i] = one;
    return item ? node_list(b, AST_ARRAY, item, (int32_t)size->integer, call->at) : NULL;
}

static ast_expr *fold_builtin(builder *b, const char *name, ast_expr *e)
{
    ast_expr *x = e->n > 0 ? e->arg[0].value : NULL;
    int32_t size[DIMENSIONS_MAX];
    if (strcmp(name, "size") == 0 && x) {
        int32_t n = literal_sizes(x, size);
        if (e->n == 2 && e->arg[1].value->kind == AST_INTEGER && e->arg[1].value->integer >= 1 &&
            e->arg[1].value->integer <= n)
            return node_integer(b, size[e->arg[1].value->integer - 1], e->at);
    } else if (strcmp(name, "fill") == 0 && x) {
        return filled(b, x, e, 1);
    } else if (strcmp(name, "zeros") == 0 || strcmp(name, "ones") == 0) {
        return filled(b, node_integer(b, name[0] == 'o', e->at), e, 0);
    } else if (strcmp(name, "noEvent") == 0 || strcmp(name, "pure") == 0) {
        return x;
    } else if (strcmp(name, "initial") == 0 || strcmp(name, "terminal") == 0) {
        return NULL;
    } else if (strcmp(name, "Integer") == 0 && x && is_enumeration_literal(x)) {
        return node_integer(b, x->integer, e->at);
    }
    return evaluate_elsewhere(b, e);
}

static ast_expr *fold_call(builder *b, ast_expr *e)
{
    for (int32_t i = 0; i < e->n; i++)
        if (e->arg[i].value->kind != AST_FUNCTION && !is_literal(e->arg[i].value))
            return NULL;
    if (e->flag)
        return e;
    const ast_expr *ref = e->base;
    if (ref->n == 1 && !ref->part[0].quoted)
        return fold_builtin(b, name_text(b, ref->part[0].name), e);
    return evaluate_elsewhere(b, e);
}

ast_expr *fold(builder *b, ast_expr *e)
{
    if (!e || e->kind == AST_ACCESS)
        return e ? fold_access(b, e) : NULL;
    if (e->kind == AST_CALL)
        return fold_call(b, e);
    if (e->kind == AST_UNARY)
        return is_literal(e->base) ? fold_unary(b, e) : NULL;
    if (e->kind == AST_CHAIN || e->kind == AST_RANGE || e->kind == AST_ARRAY)
        for (int32_t i = 0; i < e->n; i++)
            if (!e->item[i] || !is_literal(e->item[i]))
                return NULL;
    switch (e->kind) {
    case AST_CHAIN:
        return fold_chain(b, e);
    case AST_RANGE:
        return fold_range(b, e);
    case AST_MATRIX:
        return fold_matrix(b, e);
    case AST_ROW:
        return e;
    default:
        return is_literal(e) ? e : NULL;
    }
}

/* ---- expressions ---- */

/* `for i in E`: the literals of an enumeration, or false and true. */
static ast_expr *type_as_range(builder *b, scope *s, const ast_expr *e)
{
    type_meaning t;
    if (e->kind != AST_REF || e->part[e->n - 1].n_subs)
        return NULL;
    element *first = lookup_path(b, s, e, 1);
    if (first && !first->is_class)
        return NULL;
    b->quiet++;
    bool known = type_find(b, s, e, &t);
    b->quiet--;
    if (!known || (t.base != BASE_ENUMERATION && t.base != BASE_BOOLEAN))
        return NULL;
    ast_expr *item[2] = {node_boolean(b, false, e->at), node_boolean(b, true, e->at)};
    if (t.base == BASE_BOOLEAN)
        return node_list(b, AST_ARRAY, item, 2, e->at);
    int32_t n = 0;
    for (const ast_literal *l = t.element->class->literals; l; l = l->next)
        n++;
    ast_expr **list = builder_take(b, (size_t)n + 1, sizeof *list);
    n = 0;
    for (const ast_literal *l = t.element->class->literals; list && l; l = l->next, n++)
        list[n] = node_literal(b, t.element, l, n + 1, e->at);
    return list ? node_list(b, AST_ARRAY, list, n, e->at) : NULL;
}

ast_expr *evaluate_constant(builder *b, scope *s, const ast_expr *e)
{
    ast_expr *range = type_as_range(b, s, e);
    if (range)
        return range;
    bool is_constant = b->is_constant;
    b->is_constant = true;
    ast_expr *v = rewrite(b, s, e);
    b->is_constant = is_constant;
    if (v && !is_literal(v))
        v = NULL;
    return v;
}

bool evaluate_size(builder *b, scope *s, const ast_expr *e, int32_t *size)
{
    ast_expr *v = evaluate_constant(b, s, e);
    if (v && v->kind == AST_ARRAY && e->kind == AST_REF) { /* an enumeration, or Boolean */
        *size = v->n;
        return true;
    }
    if (v && v->kind == AST_INTEGER && v->integer >= 0 && v->integer <= SCALARS_MAX) {
        *size = (int32_t)v->integer;
        return true;
    }
    if (v && v->kind == AST_INTEGER)
        instance_error(b, s->in, e->at, "an array cannot have size %lld%s", (long long)v->integer,
                       modifier_cause(b, s, e));
    else
        instance_error(b, s->in, e->at,
                       "the size of an array must be an Integer that is known before the "
                       "simulation%s",
                       modifier_cause(b, s, e));
    return false;
}

/* ---- values of parameters ---- */

static ast_expr *literal_at(builder *b, element *of, double number, source_at at)
{
    int64_t k = 1;
    for (const ast_literal *l = of->class->literals; l; l = l->next, k++)
        if ((double)k == number)
            return node_literal(b, of, l, k, at);
    return NULL;
}

bool changed_value(builder *b, instance *in, ast_expr **v)
{
    for (size_t i = 0; i < b->options->n_changes && in->is_part; i++) {
        const flat_change *c = &b->options->changes[i];
        if (c->is_start || c->is_input || strcmp(c->name, name_text(b, instance_name(b, in))) != 0)
            continue;
        source_at at = in->element->ast->at;
        if (in->base == BASE_ENUMERATION)
            return (*v = literal_at(b, in->type, c->value, at)) != NULL;
        *v = in->base == BASE_REAL      ? node_real(b, c->value, at)
             : in->base == BASE_BOOLEAN ? node_boolean(b, c->value != 0.0, at)
                                        : node_integer(b, (int64_t)c->value, at);
        return true;
    }
    return false;
}

static ast_expr *repeated(builder *b, ast_expr *v, const instance *in, int32_t d)
{
    if (d == in->n_dims)
        return v;
    ast_expr *one = repeated(b, v, in, d + 1);
    ast_expr **item = one ? builder_take(b, (size_t)in->dim[d] + 1, sizeof *item) : NULL;
    for (int32_t i = 0; item && i < in->dim[d]; i++)
        item[i] = one;
    return item ? node_list(b, AST_ARRAY, item, in->dim[d], v->at) : NULL;
}

/* A parameter without value has its start value, or zero. */
static ast_expr *start_value(builder *b, instance *in)
{
    mods *m = mods_select(b, in->mods, name_id(b, "start"));
    for (; m && !m->value; m = m->next)
        ;
    if (m) {
        bound x = {.e = m->value, .where = m->where, .index = m->index};
        ast_expr *v = bound_rewrite(b, &x);
        return v && in->n_dims > 0 && v->kind != AST_ARRAY ? repeated(b, v, in, 0) : v;
    }
    source_at at = in->element->ast->at;
    ast_expr *v = NULL;
    if (in->base == BASE_REAL)
        v = node_real(b, 0.0, at);
    else if (in->base == BASE_INTEGER)
        v = node_integer(b, 0, at);
    else if (in->base == BASE_BOOLEAN)
        v = node_boolean(b, false, at);
    else if (in->base == BASE_STRING && (v = node_new(b, AST_STRING, at)) != NULL)
        v->text = "";
    else if (in->base == BASE_ENUMERATION && in->type->class->literals)
        v = node_literal(b, in->type, in->type->class->literals, 1, at);
    return v ? repeated(b, v, in, 0) : NULL;
}

static ast_expr *find_value(builder *b, instance *in)
{
    ast_expr *v = NULL;
    if (changed_value(b, in, &v))
        return v;
    b->is_constant = true;
    b->no_reals = false;
    v = in->binding ? bound_rewrite(b, in->binding) : start_value(b, in);
    return v && in->base == BASE_REAL ? as_reals(b, v) : v;
}

ast_expr *variable_constant(builder *b, instance *in)
{
    const char *name = name_text(b, in->element->name);
    bool is_fixed = in->prefixes & (AST_PARAMETER | AST_CONSTANT);
    if (in->value_state == VALUE_KNOWN &&
        !(b->no_reals && in->base == BASE_REAL && in->is_part && !(in->prefixes & AST_CONSTANT))) {
        in->is_structural = true;
        return in->value;
    }
    source_at at = in->element->ast->at;
    if (!is_fixed)
        return instance_error(b, in->parent, at,
                              "'%s' varies, and its value is needed before the "
                              "simulation",
                              name);
    if (b->no_reals && in->base == BASE_REAL && in->is_part && !(in->prefixes & AST_CONSTANT))
        return NULL;
    if (in->value_state == VALUE_NONE)
        return NULL;
    if (in->value_state == VALUE_BUSY)
        return instance_error(b, in->parent, at, "the value of '%s' depends on itself", name);
    in->value_state = VALUE_BUSY;
    iterator *iterators = b->iterators;
    const ast_expr *end = b->end;
    bool is_constant = b->is_constant, no_reals = b->no_reals;
    b->iterators = NULL;
    b->end = NULL;
    in->value = b->depth > LOOKUP_MAX ? NULL : find_value(b, in);
    b->iterators = iterators;
    b->end = end;
    b->is_constant = is_constant;
    b->no_reals = no_reals;
    if (in->value && !is_literal(in->value))
        in->value = NULL;
    in->value_state = in->value ? VALUE_KNOWN : VALUE_NONE;
    in->is_structural = in->is_structural || in->value;
    return in->value;
}

/* ---- sizes of expressions ---- */

/* The variable of the model that a rewritten reference names. */
static int32_t named_sizes(builder *b, const ast_expr *e, int32_t *size)
{
    uint32_t k = 0;
    if (e->kind == AST_REF && e->n == 1 && strcmp(name_text(b, e->part[0].name), "time") == 0)
        return 0;
    if (e->kind != AST_REF || e->n != 1 ||
        !number_map_find(&b->variables, (uint64_t)e->part[0].name + 1, &k))
        return -1;
    const instance *in = b->variable[k];
    int32_t n = 0;
    for (int32_t i = 0; i < in->n_dims; i++) {
        const ast_expr *sub = i < e->part[0].n_subs ? e->part[0].sub[i] : NULL;
        if (!sub || sub->kind == AST_COLON)
            size[n++] = in->dim[i];
        else if (sub->kind != AST_INTEGER)
            return -1;
    }
    return n;
}

/* Of a product of scalars, vectors and matrices; -1 if they do not fit. */
static int32_t product_sizes(int32_t n, int32_t *size, int32_t m, const int32_t *by)
{
    if (m == 0)
        return n;
    if (n == 0) {
        memcpy(size, by, (size_t)m * sizeof *size);
        return m;
    }
    if (n > 2 || m > 2 || size[n - 1] != by[0])
        return -1;
    size[n - 1] = m == 2 ? by[1] : 0;
    return n + m - 2;
}

/* Of sums, products and what is computed element by element. */
static int32_t chain_sizes(builder *b, const ast_expr *e, int32_t *size)
{
    int32_t n = expression_sizes(b, e->item[0], size);
    for (int32_t i = 1; i < e->n && n >= 0; i++) {
        int32_t one[2 * DIMENSIONS_MAX], m = expression_sizes(b, e->item[i], one);
        if (m < 0)
            return -1;
        if (e->item[i]->joint == AST_MUL) {
            n = product_sizes(n, size, m, one);
        } else if (m > n) {
            n = m;
            memcpy(size, one, (size_t)m * sizeof *size);
        }
    }
    return n;
}

/* [a, b; c, d] */
static int32_t matrix_sizes(builder *b, const ast_expr *e, int32_t *size)
{
    int32_t rows = 0, columns = 0;
    for (int32_t i = 0; i < e->n; i++) {
        int32_t height = 1, width = 0;
        for (int32_t k = 0; k < e->item[i]->n; k++) {
            int32_t one[2 * DIMENSIONS_MAX], n = expression_sizes(b, e->item[i]->item[k], one);
            if (n < 0 || n > 2)
                return -1;
            height = n > 0 ? one[0] : 1;
            width += n > 1 ? one[1] : 1;
        }
        rows += height;
        columns = width;
    }
    size[0] = rows;
    size[1] = columns;
    return 2;
}

/* Of fill(x, n, m), zeros(n), ones(n), identity(n), linspace(a, b, n): sizes are arguments. */
static int32_t made_sizes(const ast_expr *e, int32_t first, int32_t *size)
{
    int32_t n = 0;
    for (int32_t i = first; i < e->n && n < DIMENSIONS_MAX; i++) {
        if (e->arg[i].value->kind != AST_INTEGER)
            return -1;
        size[n++] = (int32_t)e->arg[i].value->integer;
    }
    return n;
}

/* What the sizes of the value of a built-in function are. */
typedef enum sizes_rule {
    SIZES_SCALAR,
    SIZES_FIRST,  /* those of the first argument */
    SIZES_SECOND, /* those of the second           */
    SIZES_MADE,   /* the arguments                 */
    SIZES_FILLED, /* those after the first         */
    SIZES_LAST,   /* the last                      */
    SIZES_SQUARE, /* twice the argument            */
    SIZES_TURNED, /* the two of a matrix, exchanged */
    SIZES_SPATIAL /* three                         */
} sizes_rule;

static int32_t sizes_rule_of(const char *name)
{
    static const struct {
        const char *name;
        sizes_rule rule;
    } rules[] = {{"sum", SIZES_SCALAR},     {"product", SIZES_SCALAR},   {"min", SIZES_SCALAR},
                 {"max", SIZES_SCALAR},     {"ndims", SIZES_SCALAR},     {"scalar", SIZES_SCALAR},
                 {"der", SIZES_FIRST},      {"pre", SIZES_FIRST},        {"noEvent", SIZES_FIRST},
                 {"homotopy", SIZES_FIRST}, {"abs", SIZES_FIRST},        {"sign", SIZES_FIRST},
                 {"integer", SIZES_FIRST},  {"floor", SIZES_FIRST},      {"ceil", SIZES_FIRST},
                 {"sqrt", SIZES_FIRST},     {"exp", SIZES_FIRST},        {"log", SIZES_FIRST},
                 {"log10", SIZES_FIRST},    {"sin", SIZES_FIRST},        {"cos", SIZES_FIRST},
                 {"tan", SIZES_FIRST},      {"asin", SIZES_FIRST},       {"acos", SIZES_FIRST},
                 {"atan", SIZES_FIRST},     {"sinh", SIZES_FIRST},       {"cosh", SIZES_FIRST},
                 {"tanh", SIZES_FIRST},     {"smooth", SIZES_SECOND},    {"fill", SIZES_FILLED},
                 {"zeros", SIZES_MADE},     {"ones", SIZES_MADE},        {"identity", SIZES_SQUARE},
                 {"linspace", SIZES_LAST},  {"transpose", SIZES_TURNED}, {"cross", SIZES_SPATIAL}};
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (strcmp(rules[i].name, name) == 0)
            return (int32_t)rules[i].rule;
    return -1;
}

static int32_t call_sizes(builder *b, const ast_expr *e, int32_t *size)
{
    const char *name = e->base->n == 1 ? name_text(b, e->base->part[0].name) : "";
    int32_t rule = sizes_rule_of(name), n;
    if (strcmp(name, "size") == 0 && e->n == 2)
        return 0;
    if (rule > SIZES_SCALAR && e->n < (rule == SIZES_SECOND ? 2 : 1))
        return -1;
    switch (rule) {
    case SIZES_SCALAR:
        return 0;
    case SIZES_FIRST:
    case SIZES_SECOND:
        return expression_sizes(b, e->arg[rule == SIZES_SECOND].value, size);
    case SIZES_MADE:
        return made_sizes(e, 0, size);
    case SIZES_FILLED:
        return made_sizes(e, 1, size);
    case SIZES_LAST:
        return made_sizes(e, e->n - 1, size);
    case SIZES_SQUARE:
        n = made_sizes(e, e->n - 1, size);
        size[1] = size[0];
        return n < 0 ? -1 : 2;
    case SIZES_TURNED:
        n = expression_sizes(b, e->arg[0].value, size);
        if (n == 2) {
            int32_t rows = size[0];
            size[0] = size[1];
            size[1] = rows;
        }
        return n == 2 ? n : -1;
    case SIZES_SPATIAL:
        size[0] = 3;
        return 1;
    default:
        return -1;
    }
}

int32_t expression_sizes(builder *b, const ast_expr *e, int32_t *size)
{
    if (is_literal(e))
        return literal_sizes(e, size);
    if (e->kind == AST_ARRAY && e->n > 0) {
        int32_t n = expression_sizes(b, e->item[0], size + 1);
        size[0] = e->n;
        return n < 0 ? -1 : n + 1;
    }
    if (e->kind == AST_CALL && e->flag)
        return 0;
    if (e->kind == AST_UNARY)
        return expression_sizes(b, e->base, size);
    if (e->kind == AST_IF) {
        int32_t other[2 * DIMENSIONS_MAX], n = expression_sizes(b, e->item[1], size);
        int32_t m = expression_sizes(b, e->item[e->n - 1], other);
        return n >= 0 && n == m && !memcmp(size, other, (size_t)n * sizeof *size) ? n : -1;
    }
    if (e->kind == AST_CHAIN)
        return chain_sizes(b, e, size);
    if (e->kind == AST_MATRIX)
        return matrix_sizes(b, e, size);
    if (e->kind == AST_CALL)
        return call_sizes(b, e, size);
    return named_sizes(b, e, size);
}
