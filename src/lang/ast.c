/* lang/ast.c - see ast.h: names of kinds, names of references, modifiers, visiting. */
#include "lang/ast.h"

#include <stdio.h>
#include <string.h>

const char *ast_op_text(ast_op op)
{
    static const char *const texts[] = {
#define X(name, text, level) [name] = text,
        AST_OP_LIST(X)
#undef X
    };
    return texts[op];
}

int ast_op_level(ast_op op)
{
    static const uint8_t levels[] = {
#define X(name, text, level) [name] = level,
        AST_OP_LIST(X)
#undef X
    };
    return levels[op];
}

const char *ast_class_kind_text(ast_class_kind kind)
{
    static const char *const texts[] = {
        [AST_MODEL] = "model",         [AST_CLASS] = "class",    [AST_BLOCK] = "block",
        [AST_RECORD] = "record",       [AST_TYPE] = "type",      [AST_FUNCTION_CLASS] = "function",
        [AST_CONNECTOR] = "connector", [AST_PACKAGE] = "package"};
    return texts[kind];
}

/* ---- names ---- */

int32_t ast_simple_name(const ast_expr *e)
{
    bool simple = e->kind == AST_REF && e->n == 1 && !e->flag && e->part[0].n_subs == 0;
    return simple ? e->part[0].name : INTERN_NONE;
}

/* Appends to a buffer that may be NULL: then it only counts. */
static size_t append(char *buffer, size_t n, const char *text, size_t length)
{
    if (buffer)
        memcpy(buffer + n, text, length);
    return n + length;
}

/* [1,2] behind a name; false if a subscript is no integer literal. */
static bool append_subscripts(char *buffer, size_t *n, const ast_part *part)
{
    for (int32_t i = 0; i < part->n_subs; i++) {
        const ast_expr *sub = part->sub[i];
        if (sub->kind != AST_INTEGER)
            return false;
        char digits[32];
        int length =
            snprintf(digits, sizeof digits, "%c%lld", i ? ',' : '[', (long long)sub->integer);
        *n = append(buffer, *n, digits, (size_t)length);
    }
    if (part->n_subs > 0)
        *n = append(buffer, *n, "]", 1);
    return true;
}

static bool append_parts(char *buffer, size_t *n, const ast_expr *ref, const intern_table *names)
{
    *n = 0;
    for (int32_t i = 0; i < ref->n; i++) {
        const ast_part *part = &ref->part[i];
        const intern_entry *name = &names->entry[part->name];
        if (i > 0)
            *n = append(buffer, *n, ".", 1);
        *n = append(buffer, *n, name->text, name->length);
        if (!append_subscripts(buffer, n, part))
            return false;
    }
    return true;
}

int32_t ast_flat_name(const ast_expr *ref, intern_table *names)
{
    if (ref->n == 1 && ref->part[0].n_subs == 0)
        return ref->part[0].name;
    char small[256], *buffer = small;
    size_t n = 0;
    if (ref->n == 0 || !append_parts(NULL, &n, ref, names))
        return INTERN_NONE;
    if (n > sizeof small)
        buffer = arena_take(names->mem, n, 1);
    if (!buffer)
        return INTERN_NONE;
    append_parts(buffer, &n, ref, names);
    return intern_add(names, buffer, n);
}

bool ast_is_call_of(const ast_expr *e, const intern_table *names, const char *name)
{
    if (e->kind != AST_CALL)
        return false;
    int32_t callee = ast_simple_name(e->base);
    return callee != INTERN_NONE && !e->base->part[0].quoted &&
           strcmp(intern_text(names, callee), name) == 0;
}

const ast_mod *ast_mod_find(const ast_mod *mods, const intern_table *names, const char *name)
{
    for (; mods; mods = mods->next)
        if (mods->name != INTERN_NONE && strcmp(intern_text(names, mods->name), name) == 0)
            return mods;
    return NULL;
}

/* ---- visiting ---- */

typedef void visitor(void *user, const ast_expr *inner);

static void visit_one(const ast_expr *e, visitor *visit, void *user)
{
    if (e)
        visit(user, e);
}

static void visit_parts(const ast_expr *e, visitor *visit, void *user)
{
    for (int32_t i = 0; i < e->n; i++)
        for (int32_t k = 0; k < e->part[i].n_subs; k++)
            visit_one(e->part[i].sub[k], visit, user);
}

static void visit_items(const ast_expr *e, visitor *visit, void *user)
{
    for (int32_t i = 0; i < e->n; i++)
        visit_one(e->item[i], visit, user);
}

static void visit_call(const ast_expr *e, visitor *visit, void *user)
{
    for (int32_t i = 0; i < e->n; i++)
        visit_one(e->arg[i].value, visit, user);
}

static void visit_iterated(const ast_expr *e, visitor *visit, void *user)
{
    visit_one(e->base, visit, user);
    for (int32_t i = 0; i < e->n; i++)
        visit_one(e->iterator[i].range, visit, user);
}

void ast_visit(const ast_expr *e, visitor *visit, void *user)
{
    switch (e->kind) {
    case AST_REF:
        visit_parts(e, visit, user);
        break;
    case AST_ACCESS:
        visit_one(e->base, visit, user);
        visit_parts(e, visit, user);
        break;
    case AST_CALL:
    case AST_FUNCTION:
        visit_call(e, visit, user);
        break;
    case AST_UNARY:
    case AST_DECORATED:
        visit_one(e->base, visit, user);
        break;
    case AST_CHAIN:
    case AST_RANGE:
    case AST_IF:
    case AST_ARRAY:
    case AST_MATRIX:
    case AST_ROW:
    case AST_TUPLE:
        visit_items(e, visit, user);
        break;
    case AST_ITERATED:
        visit_iterated(e, visit, user);
        break;
    default:
        break;
    }
}
