/* flatten/equation_clauses.c - see flattener.h: equations, also in for and if; asserts. */
#include "clocks/clocks.h"
#include "flatten/flattener.h"
#include "lang/owners.h"

#include <string.h>

/* ---- where equations go ---- */

static void pending_push(flattener *f, pending_list *list, pending p)
{
    pending *grown = context_push(f->in, list->item, list->n, &list->capacity, sizeof *grown);
    if (!grown)
        return;
    list->item = grown;
    list->item[list->n++] = p;
}

/* The Integer variable whose value, or value before the event, the expression is, or FLAT_NONE. */
static uint32_t integer_variable(const flattener *f, expr e)
{
    if (!expr_is_variable(f->in->g, e))
        return FLAT_NONE;
    uint32_t symbol = expr_index(f->in->g, e), v = flat_number(symbol);
    flat_symbol_kind kind = flat_kind(symbol);
    bool is_own = kind == FLAT_VALUE || kind == FLAT_PRE;
    return is_own && f->in->m->variables[v].type == FLAT_INTEGER ? v : FLAT_NONE;
}

static void initial_emit(flattener *f, pending p)
{
    uint32_t v = p.type.base == T_REAL ? integer_variable(f, p.left) : FLAT_NONE;
    if (v != FLAT_NONE)
        assignment_refuse_real(f, v, p.at);
    else
        flat_add_initial(f->in->build, (flat_initial){p.left, p.right, p.at, p.end});
}

static void real_emit(flattener *f, pending p)
{
    flat_equation e = {p.left, p.right, p.at, p.end, p.is_invariant, false};
    uint32_t k = flat_add_equation(f->in->build, e);
    if (k != FLAT_NONE)
        owner_of_equation_is(f->in->c, k, f->owner);
}

void equation_emit(flattener *f, pending p)
{
    if (p.type.base == T_STRING)
        source_warning(&f->in->c->sources, p.at, "an equation between Strings is left out");
    else if (f->sink)
        pending_push(f, f->sink, p);
    else if (f->section == IN_INITIAL)
        initial_emit(f, p);
    else if (f->clock != FLAT_NONE) {
        uint32_t clock = f->clock;
        clocks_add_member(f->in, (clock_member){p.left, p.right, clock});
        f->clock = FLAT_NONE;
        equation_emit(f, p);
        f->clock = clock;
    } else if (p.type.base == T_REAL)
        real_emit(f, p);
    else
        pending_push(f, &f->discrete, p);
}

/* ---- left = right ---- */

/* The base type of scalar k of a value, which may be a record. */
static base_type leaf_base(const flattener *f, type t, size_t k)
{
    while (t.base == T_RECORD) {
        const record *r = &f->in->record[t.info];
        k %= r->leaves;
        int32_t i = r->n - 1;
        while (i > 0 && r->member[i].offset > k)
            i--;
        k -= r->member[i].offset;
        t = r->member[i].type;
    }
    return (base_type)t.base;
}

static bool sides_join(flattener *f, value *left, value *right, source_at at)
{
    if (left->type.base == T_INTEGER && right->type.base == T_REAL)
        left->type.base = T_REAL;
    if (right->type.base == T_RECORD && left->type.base != T_RECORD)
        *left = value_convert(f->in, *left, right->type, at, "the left side");
    else
        *right = value_convert(f->in, *right, left->type, at, "the right side");
    return !is_bad(*left) && !is_bad(*right);
}

void equation_equate(flattener *f, value left, value right, source_at at, source_at end)
{
    if (is_bad(left) || is_bad(right) || !sides_join(f, &left, &right, at))
        return;
    for (size_t i = 0; i < left.n; i++) {
        pending p = {.left = left.e[i], .right = right.e[i], .at = at, .end = end};
        p.is_invariant = f->is_invariant;
        p.type = type_scalar(leaf_base(f, left.type, i));
        equation_emit(f, p);
    }
}

static void equate_tuple(flattener *f, const ast_clause *c)
{
    value outputs[MOST_OUTPUTS];
    const ast_expr *left = c->left;
    if (c->right->kind != AST_CALL) {
        context_error(f->in, c->right->at,
                      "a list in parentheses can only be equal to a function call");
        return;
    }
    int32_t n = call_outputs(f, c->right, outputs);
    if (n == 0)
        return;
    if (left->n > n) {
        context_error(f->in, left->at,
                      "the call has %d outputs, the list on the left side has %d items", (int)n,
                      (int)left->n);
        return;
    }
    for (int32_t i = 0; i < left->n; i++)
        if (left->item[i])
            equation_equate(f, expression_eval(f, left->item[i]), outputs[i], c->at, c->end);
}

/* annotation(__daedal(invariant = true)) */
static bool is_invariant(flattener *f, const ast_clause *c)
{
    const ast_mod *own = ast_mod_find(c->comment.annotation, f->in->names, "__daedal");
    const ast_mod *mod = own ? ast_mod_find(own->mods, f->in->names, "invariant") : NULL;
    return mod && mod->value && mod->value->kind == AST_BOOLEAN && mod->value->integer;
}

void equation_flatten(flattener *f, const ast_clause *c)
{
    f->is_invariant = is_invariant(f, c);
    if (c->left->kind == AST_TUPLE)
        equate_tuple(f, c);
    else if (c->right->kind == AST_TUPLE) {
        ast_clause turned = *c;
        turned.left = c->right;
        turned.right = c->left;
        equate_tuple(f, &turned);
    } else
        equation_equate(f, expression_eval(f, c->left), expression_eval(f, c->right), c->at,
                        c->end);
    f->is_invariant = false;
}

/* ---- for ---- */

static void for_flatten(flattener *f, const ast_clause *c, int32_t k)
{
    value range;
    if (k == c->n) {
        equations_flatten(f, c->branches->body);
        return;
    }
    if (!iterator_range(f, &c->iterator[k], NULL, c->branches->body, &range))
        return;
    iteration here = {.name = c->iterator[k].name, .next = f->iterations};
    f->iterations = &here;
    size_t rounds = (size_t)range.type.dim[0];
    if (k == c->n - 1 && uniform_loop(f, c->branches->body, &here, range))
        rounds = 0;
    for (size_t i = 0; i < rounds && f->in->c->sources.n_errors == 0; i++) {
        if (!context_work(f->in, 1))
            break;
        here.value = value_element(f->in, range, i);
        for_flatten(f, c, k + 1);
    }
    f->iterations = here.next;
}

/* ---- if ---- */

typedef struct branch_list {
    expr *condition; /* n of them; the list of equations has one more, for the else */
    pending_list *equations;
    int32_t n;
    source_at at;
} branch_list;

static void branch_flatten(flattener *f, const ast_branch *b, pending_list *into)
{
    pending_list *sink = f->sink;
    f->sink = into;
    if (b)
        equations_flatten(f, b->body);
    f->sink = sink;
}

/* Turns an equation so that a variable stands on its left, the wanted one if possible; its number,
 * or FLAT_NONE. */
static uint32_t orient(const flattener *f, pending *p, uint32_t wanted)
{
    uint32_t v = FLAT_NONE;
    if (flat_is_value(f->in->g, p->right, &v) && v == wanted) {
        expr left = p->left;
        p->left = p->right;
        p->right = left;
        return v;
    }
    return flat_is_value(f->in->g, p->left, &v) ? v : FLAT_NONE;
}

/* The equation of a branch for the variable; false if it has none. */
static bool counterpart(const flattener *f, const pending_list *list, uint32_t v, pending *p)
{
    for (size_t i = 0; i < list->n && v != FLAT_NONE; i++) {
        *p = list->item[i];
        if (orient(f, p, v) == v)
            return true;
    }
    return false;
}

static expr choose_right(flattener *f, const branch_list *b, expr *right)
{
    expr e = right[b->n];
    for (int32_t i = b->n; i-- > 0;)
        e = expr_if(f->in->g, b->condition[i], right[i], e);
    return e;
}

/* If every branch has an equation for v they are joined to v = if c then e1 else e2. */
static bool join_by_variable(flattener *f, const branch_list *b, const pending *first, uint32_t v,
                             pending *joined)
{
    expr *right = arena_take(f->in->mem, (size_t)b->n + 1, sizeof *right);
    *joined = *first;
    for (int32_t i = 0; right && i <= b->n; i++) {
        pending p;
        if (counterpart(f, &b->equations[i], v, &p)) {
            right[i] = p.right;
            if (p.type.base == T_REAL && joined->type.base == T_INTEGER)
                *joined = p; /* the error for an Integer variable names this branch */
        } else if (f->when != EXPR_NONE)
            right[i] = expr_variable(f->in->g, flat_symbol(FLAT_PRE, v));
        else
            return false;
    }
    joined->left = expr_variable(f->in->g, flat_symbol(FLAT_VALUE, v));
    joined->right = right ? choose_right(f, b, right) : EXPR_NONE;
    return right != NULL;
}

static void join_by_place(flattener *f, const branch_list *b, size_t k)
{
    expr *right = arena_take(f->in->mem, (size_t)b->n + 1, sizeof *right);
    pending joined = b->equations[0].item[k];
    for (int32_t i = 0; right && i <= b->n; i++) {
        const pending *p = &b->equations[i].item[k];
        if (p->type.base != T_REAL) {
            context_error(f->in, p->at, "every branch must give a value to the same variables");
            return;
        }
        right[i] = expr_sub(f->in->g, p->left, p->right);
    }
    joined.left = right ? choose_right(f, b, right) : EXPR_NONE;
    joined.right = expr_constant(f->in->g, 0.0);
    equation_emit(f, joined);
}

static bool same_counts(flattener *f, const branch_list *b)
{
    for (int32_t i = 1; i <= b->n; i++)
        if (b->equations[i].n != b->equations[0].n) {
            context_error(f->in, b->at, "the branches of 'if' have %zu and %zu equations",
                          b->equations[0].n, b->equations[i].n);
            return false;
        }
    return true;
}

/* In a when-clause a variable that only some branches set keeps its value in the others. */
static void join_in_when(flattener *f, const branch_list *b)
{
    pending_list done = {0};
    for (int32_t i = 0; i <= b->n; i++)
        for (size_t k = 0; k < b->equations[i].n; k++) {
            pending p = b->equations[i].item[k], joined;
            uint32_t v = orient(f, &p, FLAT_NONE);
            if (v == FLAT_NONE)
                context_error(f->in, p.at, "an equation in 'when' must be 'variable = expression'");
            else if (!counterpart(f, &done, v, &joined) && join_by_variable(f, b, &p, v, &joined)) {
                pending_push(f, &done, joined);
                equation_emit(f, joined);
            }
        }
}

static void join_branches(flattener *f, const branch_list *b)
{
    if (f->when != EXPR_NONE) {
        join_in_when(f, b);
        return;
    }
    if (!same_counts(f, b))
        return;
    size_t n = b->equations[0].n, n_joined = 0;
    pending *joined = arena_take(f->in->mem, n + 1, sizeof *joined);
    for (size_t k = 0; joined && k < n; k++) {
        pending p = b->equations[0].item[k];
        uint32_t v = orient(f, &p, FLAT_NONE);
        n_joined += v != FLAT_NONE && join_by_variable(f, b, &p, v, &joined[k]);
    }
    for (size_t k = 0; joined && k < n; k++)
        if (n_joined == n)
            equation_emit(f, joined[k]);
        else
            join_by_place(f, b, k);
}

static int32_t count_branches(const ast_branch *b)
{
    int32_t n = 0;
    for (; b; b = b->next)
        n++;
    return n;
}

/* Flattens the branches up to the first with a constant true condition; false after an error. */
static bool collect_branches(flattener *f, const ast_branch *from, branch_list *b)
{
    expr path = f->path;
    bool fine = true, decided = false;
    for (; from && from->condition && fine && !decided; from = decided ? from : from->next) {
        expr c = evaluate_condition(f->in, from->condition);
        fine = c != EXPR_NONE;
        if (!fine || (expr_is_constant(f->in->g, c) && expr_value(f->in->g, c) == 0.0))
            continue;
        decided = expr_is_constant(f->in->g, c);
        if (decided)
            break;
        b->condition[b->n] = c;
        expr outer = f->path;
        f->path = condition_and(f->in, outer, c);
        branch_flatten(f, from, &b->equations[b->n++]);
        f->path = condition_and(f->in, outer, condition_not(f->in, c));
    }
    if (fine)
        branch_flatten(f, from, &b->equations[b->n]);
    f->path = path;
    return fine;
}

static void choice_flatten(flattener *f, const ast_clause *c)
{
    size_t most = (size_t)count_branches(c->branches) + 1;
    branch_list b = {.at = c->at};
    b.condition = arena_take(f->in->mem, most, sizeof *b.condition);
    b.equations = arena_take(f->in->mem, most, sizeof *b.equations);
    if (!b.condition || !b.equations || !collect_branches(f, c->branches, &b))
        return;
    if (b.n > 0)
        join_branches(f, &b);
    else
        for (size_t i = 0; i < b.equations[0].n; i++)
            equation_emit(f, b.equations[0].item[i]);
}

/* ---- clauses ---- */

static void clause_flatten(flattener *f, const ast_clause *c)
{
    switch (c->kind) {
    case AST_EQUATION:
        equation_flatten(f, c);
        break;
    case AST_INVOKE:
        invoke_flatten(f, c);
        break;
    case AST_FOR:
        for_flatten(f, c, 0);
        break;
    case AST_CHOICE:
        choice_flatten(f, c);
        break;
    case AST_WHEN:
        when_flatten(f, c);
        break;
    default:
        context_error(f->in, c->at, "this statement belongs in an algorithm, not among equations");
    }
}

void equations_flatten(flattener *f, const ast_clause *clause)
{
    if (f->depth >= DEPTH_MAX) {
        context_error(f->in, clause->at, "the equations are nested too deeply");
        return;
    }
    f->depth += CLAUSE_DEPTH;
    for (; clause; clause = clause->next) {
        f->owner = clause->owner ? clause->owner : f->owner; /* also of what it contains */
        clause_flatten(f, clause);
    }
    f->depth -= CLAUSE_DEPTH;
}
