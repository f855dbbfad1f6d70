/* ast_equal.c - see ast_text.h: compares two syntax trees without their positions. */
#include <string.h>

#include "ast_text.h"

static bool same_expr(const ast_expr *a, const ast_expr *b);
static bool same_class(const ast_class *a, const ast_class *b);

/* Compare two lists linked by `next` item by item. */
#define SAME_LINKED(type, a, b, same)                                                              \
    do {                                                                                           \
        const type *x = (a), *y = (b);                                                             \
        for (; x && y; x = x->next, y = y->next)                                                   \
            if (!same(x, y))                                                                       \
                return false;                                                                      \
        if (x || y)                                                                                \
            return false;                                                                          \
    } while (0)

static bool same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

/* ---- expressions ---- */

static bool same_list(ast_expr *const *a, ast_expr *const *b, int32_t n)
{
    for (int32_t i = 0; i < n; i++)
        if (!same_expr(a[i], b[i]))
            return false;
    return true;
}

static bool same_dims(const ast_list *a, const ast_list *b)
{
    return a->n == b->n && same_list(a->item, b->item, a->n);
}

static bool same_parts(const ast_part *a, const ast_part *b, int32_t n)
{
    for (int32_t i = 0; i < n; i++)
        if (a[i].name != b[i].name || a[i].quoted != b[i].quoted || a[i].n_subs != b[i].n_subs ||
            !same_list(a[i].sub, b[i].sub, a[i].n_subs))
            return false;
    return true;
}

static bool same_args(const ast_arg *a, const ast_arg *b, int32_t n)
{
    for (int32_t i = 0; i < n; i++)
        if (a[i].name != b[i].name || a[i].quoted != b[i].quoted ||
            !same_expr(a[i].value, b[i].value))
            return false;
    return true;
}

static bool same_iterators(const ast_iterator *a, const ast_iterator *b, int32_t n)
{
    for (int32_t i = 0; i < n; i++)
        if (a[i].name != b[i].name || a[i].quoted != b[i].quoted ||
            !same_expr(a[i].range, b[i].range))
            return false;
    return true;
}

static bool same_content(const ast_expr *a, const ast_expr *b)
{
    switch ((ast_expr_kind)a->kind) {
    case AST_INTEGER:
    case AST_BOOLEAN:
        return a->integer == b->integer;
    case AST_REAL:
        return memcmp(&a->real, &b->real, sizeof a->real) == 0;
    case AST_STRING:
        return memcmp(a->text, b->text, (size_t)a->n) == 0;
    case AST_END:
    case AST_COLON:
    case AST_EMPTY:
        return true;
    case AST_REF:
        return same_parts(a->part, b->part, a->n);
    case AST_ACCESS:
        return same_expr(a->base, b->base) && same_parts(a->part, b->part, a->n);
    case AST_CALL:
    case AST_FUNCTION:
        return same_expr(a->base, b->base) && same_args(a->arg, b->arg, a->n);
    case AST_UNARY:
        return same_expr(a->base, b->base);
    case AST_ITERATED:
        return same_expr(a->base, b->base) && same_iterators(a->iterator, b->iterator, a->n);
    case AST_DECORATED:
        return same_expr(a->base, b->base) && a->decoration == b->decoration;
    default:
        return same_list(a->item, b->item, a->n);
    }
}

static bool same_expr(const ast_expr *a, const ast_expr *b)
{
    if (!a || !b)
        return a == b;
    return a->kind == b->kind && a->op == b->op && a->joint == b->joint && a->flag == b->flag &&
           a->n == b->n && same_content(a, b);
}

/* ---- modifiers, clauses ---- */

static bool same_mod(const ast_mod *a, const ast_mod *b)
{
    SAME_LINKED(ast_mod, a->mods, b->mods, same_mod);
    return a->name == b->name && a->quoted == b->quoted && a->is_each == b->is_each &&
           a->is_final == b->is_final && a->has_mods == b->has_mods &&
           a->decoration == b->decoration && same_text(a->text, b->text) &&
           same_expr(a->value, b->value);
}

static bool same_comment(const ast_comment *a, const ast_comment *b)
{
    SAME_LINKED(ast_mod, a->annotation, b->annotation, same_mod);
    return same_text(a->text, b->text);
}

static bool same_branch(const ast_branch *a, const ast_branch *b);

static bool same_clause(const ast_clause *a, const ast_clause *b)
{
    SAME_LINKED(ast_branch, a->branches, b->branches, same_branch);
    return a->kind == b->kind && a->decoration == b->decoration && a->n == b->n &&
           same_expr(a->left, b->left) && same_expr(a->right, b->right) &&
           same_iterators(a->iterator, b->iterator, a->n) && same_comment(&a->comment, &b->comment);
}

static bool same_branch(const ast_branch *a, const ast_branch *b)
{
    SAME_LINKED(ast_clause, a->body, b->body, same_clause);
    return same_expr(a->condition, b->condition);
}

static bool same_section(const ast_section *a, const ast_section *b)
{
    SAME_LINKED(ast_clause, a->clauses, b->clauses, same_clause);
    return a->kind == b->kind;
}

/* ---- declarations and classes ---- */

static bool same_element(const ast_element *a, const ast_element *b)
{
    SAME_LINKED(ast_mod, a->mods, b->mods, same_mod);
    if (a->nested && b->nested && !same_class(a->nested, b->nested))
        return false;
    return a->kind == b->kind && a->prefixes == b->prefixes && a->name == b->name &&
           a->decoration == b->decoration && a->quoted == b->quoted && a->has_mods == b->has_mods &&
           same_expr(a->type, b->type) && same_dims(&a->type_dims, &b->type_dims) &&
           same_dims(&a->dims, &b->dims) && same_expr(a->binding, b->binding) &&
           same_expr(a->condition, b->condition) && same_comment(&a->comment, &b->comment);
}

static bool same_literal(const ast_literal *a, const ast_literal *b)
{
    return a->name == b->name && a->quoted == b->quoted && same_comment(&a->comment, &b->comment);
}

static bool same_external(const ast_external *a, const ast_external *b)
{
    if (!a || !b)
        return a == b;
    SAME_LINKED(ast_mod, a->annotation, b->annotation, same_mod);
    return same_text(a->language, b->language) && same_expr(a->result, b->result) &&
           a->function == b->function && a->quoted == b->quoted && same_dims(&a->args, &b->args);
}

static bool same_clock(const ast_clock *a, const ast_clock *b)
{
    return a->name == b->name && a->quoted == b->quoted && same_expr(a->value, b->value) &&
           same_comment(&a->comment, &b->comment);
}

static bool same_subpartition(const ast_subpartition *a, const ast_subpartition *b)
{
    SAME_LINKED(ast_mod, a->mods, b->mods, same_mod);
    SAME_LINKED(ast_section, a->sections, b->sections, same_section);
    return same_comment(&a->comment, &b->comment);
}

static bool same_partition(const ast_partition *a, const ast_partition *b)
{
    SAME_LINKED(ast_clock, a->clocks, b->clocks, same_clock);
    SAME_LINKED(ast_subpartition, a->subpartitions, b->subpartitions, same_subpartition);
    return same_comment(&a->comment, &b->comment);
}

static bool same_short_form(const ast_class *a, const ast_class *b)
{
    SAME_LINKED(ast_mod, a->mods, b->mods, same_mod);
    SAME_LINKED(ast_literal, a->literals, b->literals, same_literal);
    return a->is_open == b->is_open && a->has_mods == b->has_mods &&
           a->base_prefixes == b->base_prefixes && same_expr(a->base, b->base) &&
           same_dims(&a->dims, &b->dims) && a->n == b->n && same_parts(a->part, b->part, a->n);
}

static bool same_class(const ast_class *a, const ast_class *b)
{
    SAME_LINKED(ast_element, a->elements, b->elements, same_element);
    SAME_LINKED(ast_section, a->sections, b->sections, same_section);
    SAME_LINKED(ast_partition, a->partitions, b->partitions, same_partition);
    return a->kind == b->kind && a->form == b->form && a->prefixes == b->prefixes &&
           a->name == b->name && a->quoted == b->quoted && same_comment(&a->comment, &b->comment) &&
           same_external(a->external, b->external) && same_short_form(a, b);
}

bool ast_equal(const ast_file *a, const ast_file *b)
{
    SAME_LINKED(ast_class, a->classes, b->classes, same_class);
    return same_text(a->base_version, b->base_version) && a->has_within == b->has_within &&
           same_expr(a->within, b->within);
}
