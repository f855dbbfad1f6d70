/* flatten/name_groups.c - see flattener.h: names of which only the parts are declared.
 *
 * Exporters declare scalars 'x[1]', 'x[2]', 'c.re', 'c.im'. Where the text then uses x or c, the
 * variables whose names begin so form an array or a record: a `group`, found once in the sorted
 * names. Subscripts may also stand inside the quotes: 'x[\'i\']'. */
#include "flatten/flattener.h"

#include <stdlib.h>
#include <string.h>

enum { GROUP_MAX = 10000 }; /* scalars of a record that is found by its names */

struct group {
    type type;
    uint32_t *variable;
    size_t n;
};

typedef struct named {
    const char *name;
    uint32_t variable;
} named;

static int by_name(const void *a, const void *b)
{
    return strcmp(((const named *)a)->name, ((const named *)b)->name);
}

static bool sort_variables(flattener *f)
{
    for (size_t k = 0; f->section == IN_NOWHERE && k < f->scope->n_components; k++)
        if (!f->scope->component[k].is_sizing && !f->scope->component[k].is_global)
            component_size(f, &f->scope->component[k]);
    if (f->scope->sorted &&
        (f->section != IN_NOWHERE || f->scope->n_sorted == f->in->m->n_variables))
        return true;
    size_t n = f->in->m->n_variables;
    f->scope->sorted = arena_take(&f->in->c->mem, n + 1, sizeof *f->scope->sorted);
    named *list = memory_take_array(f->in->c->mem.allocator, n + 1, sizeof *list);
    f->scope->n_sorted = list && f->scope->sorted ? n : 0;
    for (size_t i = 0; i < f->scope->n_sorted; i++)
        list[i] = (named){context_name(f->in, f->in->m->variables[i].name), (uint32_t)i};
    if (f->scope->n_sorted)
        qsort(list, n, sizeof *list, by_name);
    for (size_t i = 0; i < f->scope->n_sorted; i++)
        f->scope->sorted[i] = list[i].variable;
    memory_give(f->in->c->mem.allocator, list, (n + 1) * sizeof *list);
    return f->scope->n_sorted == n;
}

static const char *sorted_name(const flattener *f, size_t i)
{
    return context_name(f->in, f->in->m->variables[f->scope->sorted[i]].name);
}

/* The variables whose names begin with this text: [*from, *to) of sorted. */
static void name_range(const flattener *f, const char *text, size_t *from, size_t *to)
{
    size_t length = strlen(text), low = 0, high = f->scope->n_sorted;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (strncmp(sorted_name(f, middle), text, length) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    *from = low;
    while (low < f->scope->n_sorted && strncmp(sorted_name(f, low), text, length) == 0)
        low++;
    *to = low;
}

/* Behind a subscript list "[...]": quotes may hide brackets. */
static const char *behind_brackets(const char *text)
{
    bool quoted = false;
    for (; *text; text++) {
        if (*text == '\\' && text[1])
            text++;
        else if (*text == '\'')
            quoted = !quoted;
        else if (*text == ']' && !quoted)
            return text + 1;
    }
    return NULL;
}

static char *unquote(flattener *f, const char *text, const char *end)
{
    char *copy = arena_take(&f->in->c->mem, (size_t)(end - text) + 1, 1), *to = copy;
    for (; copy && text < end; text++)
        if (*text == '\\' && text + 1 < end)
            *to++ = *++text;
        else if (*text != '\'')
            *to++ = *text;
    return copy;
}

/* 'T'.'literal' as its number, or 0. */
static int32_t literal_number(flattener *f, const char *text, const char *end)
{
    const char *dot = NULL;
    bool quoted = false;
    for (const char *p = text; p < end; p++) {
        if (*p == '\\')
            p++;
        else if (*p == '\'')
            quoted = !quoted;
        else if (*p == '.' && !quoted)
            dot = p;
    }
    if (!dot)
        return 0;
    char *type_name = unquote(f, text, dot), *literal = unquote(f, dot + 1, end);
    const ast_class *c = type_name ? class_named(f, context_intern(f->in, type_name)) : NULL;
    int32_t k = c && c->form == AST_ENUMERATION ? enumeration_of_class(f, c) : -1;
    int32_t name = literal ? context_intern(f->in, literal) : INTERN_NONE;
    for (int32_t i = 0; k >= 0 && i < f->in->m->enumerations[k].n; i++)
        if (f->in->m->enumerations[k].literals[i] == name)
            return i + 1;
    return 0;
}

/* Where a subscript in a list ends: brackets inside it do not count. */
static const char *item_end(const char *p)
{
    bool quoted = false;
    int depth = 0;
    for (; *p; p++) {
        if (*p == '\\' && p[1])
            p++;
        else if (*p == '\'')
            quoted = !quoted;
        else if (!quoted && depth == 0 && (*p == ',' || *p == ']'))
            break;
        else if (!quoted)
            depth += (*p == '(' || *p == '[') - (*p == ')' || *p == ']');
    }
    return p;
}

/* "[2,3]..." or "['T'.'a']...": the numbers; their count, or -1. */
static int parse_indices(flattener *f, const char *text, int32_t *index)
{
    int n = 0;
    const char *p = text + 1;
    while (n < MOST_DIMS) {
        const char *end = item_end(p);
        char *rest;
        long k = strtol(p, &rest, 10);
        if (rest != end)
            k = literal_number(f, p, end);
        if (k < 1 || k > ELEMENTS_MAX)
            return -1;
        index[n++] = (int32_t)k;
        if (*end != ',')
            return *end == ']' ? n : -1;
        p = end + 1;
    }
    return -1;
}

static bool group_find(flattener *f, const char *text, struct group *g);

static bool group_append(flattener *f, struct group *g, size_t *capacity, const struct group *more)
{
    uint32_t *list =
        arena_grow(&f->in->c->mem, g->variable, capacity, g->n + more->n, sizeof *list);
    if (!list)
        return false;
    g->variable = list;
    memcpy(list + g->n, more->variable, more->n * sizeof *list);
    g->n += more->n;
    return true;
}

static bool group_extent(flattener *f, const char *text, size_t from, size_t to, type *t)
{
    size_t length = strlen(text);
    for (size_t i = from; i < to; i++) {
        int32_t index[MOST_DIMS];
        int n = parse_indices(f, sorted_name(f, i) + length, index);
        if (n < 0 || (i > from && n != t->n_dims))
            return false;
        t->n_dims = (uint8_t)n;
        for (int k = 0; k < n; k++)
            t->dim[k] = index[k] > t->dim[k] ? index[k] : t->dim[k];
    }
    return type_count(*t) <= to - from;
}

/* text[1], text[2], ...: an array. */
static bool group_array(flattener *f, const char *text, struct group *g)
{
    size_t from, to, length = strlen(text), capacity = 0;
    type t = type_scalar(T_REAL);
    name_range(f, context_text(f->in, "%s[", text), &from, &to);
    if (from == to || !group_extent(f, text, from, to, &t))
        return false;
    size_t count = type_count(t);
    const char **child = arena_take(&f->in->c->mem, count, sizeof *child);
    for (size_t i = from; child && i < to; i++) {
        int32_t index[MOST_DIMS];
        const char *name = sorted_name(f, i), *end = behind_brackets(name + length);
        int n = parse_indices(f, name + length, index);
        size_t at = 0;
        for (int k = 0; k < n; k++)
            at = at * (size_t)t.dim[k] + (size_t)index[k] - 1;
        if (!child[at] && end)
            child[at] = arena_text(&f->in->c->mem, name, (size_t)(end - name));
    }
    type element = type_scalar(T_BAD);
    for (size_t k = 0; child && k < count; k++) {
        struct group one = {0};
        if (!child[k] || !group_find(f, child[k], &one) || !group_append(f, g, &capacity, &one))
            return false;
        if (k > 0 && (element.base != one.type.base || !type_same_sizes(element, one.type)) &&
            !(element.base == T_REAL && one.type.base == T_INTEGER))
            return false;
        if (k == 0)
            element = one.type;
    }
    g->type = type_array(element, t.n_dims, t.dim);
    return g->type.base != T_BAD;
}

static size_t member_length(const char *text)
{
    size_t n = 0;
    while (text[n] && text[n] != '.' && text[n] != '[')
        n++;
    return n;
}

/* The next member of text.a, text.b, ... that is declared after variable `after`. */
static bool next_member(const flattener *f, size_t from, size_t to, uint32_t *after, size_t *which)
{
    uint32_t best = UINT32_MAX;
    for (size_t i = from; i < to; i++)
        if (f->scope->sorted[i] < best && (*after == UINT32_MAX || f->scope->sorted[i] > *after)) {
            best = f->scope->sorted[i];
            *which = i;
        }
    *after = best;
    return best != UINT32_MAX;
}

static bool group_member(flattener *f, record *r, struct group *g, size_t *capacity,
                         const char *name, size_t prefix)
{
    size_t length = member_length(name + prefix);
    const char *text = arena_text(&f->in->c->mem, name + prefix, length);
    const char *whole = arena_text(&f->in->c->mem, name, prefix + length);
    int32_t id = text ? context_intern(f->in, text) : INTERN_NONE;
    struct group one = {0};
    if (id == INTERN_NONE || record_member(r, id))
        return id != INTERN_NONE;
    if (!whole || !group_find(f, whole, &one) || !group_append(f, g, capacity, &one))
        return false;
    r->member[r->n++] = (member){.name = id, .type = one.type, .offset = r->leaves};
    r->leaves += one.n;
    return true;
}

/* text.a, text.b, ...: a record without a name, members in the order of declaration. */
static bool group_record(flattener *f, const char *text, struct group *g)
{
    size_t from, to, capacity = 0;
    name_range(f, context_text(f->in, "%s.", text), &from, &to);
    if (from == to || to - from > GROUP_MAX)
        return false;
    record r = {.name = INTERN_NONE};
    r.member = arena_take(&f->in->c->mem, to - from, sizeof *r.member);
    uint32_t after = UINT32_MAX;
    size_t which = 0;
    for (size_t i = from; r.member && i < to; i++) {
        if (!next_member(f, from, to, &after, &which))
            break;
        if (!group_member(f, &r, g, &capacity, sorted_name(f, which), strlen(text) + 1))
            return false;
    }
    g->type = type_scalar(T_RECORD);
    g->type.info = r.member ? record_add(f->in, r) : -1;
    return g->type.info >= 0;
}

static bool group_find(flattener *f, const char *text, struct group *g)
{
    int32_t id = intern_find(f->in->names, text, strlen(text));
    if (id != INTERN_NONE && (size_t)id < f->scope->n_ids && f->scope->variable_of[id]) {
        g->variable = arena_take(&f->in->c->mem, 1, sizeof *g->variable);
        if (!g->variable)
            return false;
        g->variable[0] = f->scope->variable_of[id] - 1;
        g->n = 1;
        g->type = variable_type(f, g->variable[0]);
        return true;
    }
    return group_array(f, text, g) || group_record(f, text, g);
}

static const struct group *group_named(flattener *f, int32_t name)
{
    uint32_t number = 0;
    if (number_map_find(&f->scope->group_map, (uint64_t)name + 1, &number))
        return number ? &f->scope->group[number - 1] : NULL;
    struct group g = {0};
    bool found = sort_variables(f) && group_find(f, context_name(f->in, name), &g);
    struct group *list = context_push(f->in, f->scope->group, f->scope->n_groups,
                                      &f->scope->group_capacity, sizeof *list);
    if (!list)
        return NULL;
    f->scope->group = list;
    if (found)
        f->scope->group[f->scope->n_groups++] = g;
    if (f->section != IN_NOWHERE || found)
        number_map_put(&f->scope->group_map, &f->in->c->mem, (uint64_t)name + 1,
                       found ? (uint32_t)f->scope->n_groups : 0);
    return found ? &f->scope->group[f->scope->n_groups - 1] : NULL;
}

bool group_value(flattener *f, int32_t name, value *v)
{
    const struct group *known = name != INTERN_NONE ? group_named(f, name) : NULL;
    if (!known)
        return false;
    struct group g = *known; /* the list may move */
    *v = value_new(f->in, g.type);
    for (size_t i = 0; !is_bad(*v) && i < v->n; i++)
        v->e[i] = variable_read(f, g.variable[i]);
    return true;
}

/* ---- names with subscripts in the quotes ---- */

/* (1:size('x', 1))['i'], as the exporter writes x[:] in a loop over i, is i. */
static void skip_whole_range(const char **text, const char **end)
{
    const char *inner = strstr(*text, "))['");
    if (strncmp(*text, "(1:size(", 8) != 0 || !inner || inner >= *end || (*end)[-1] != ']')
        return;
    *text = inner + 3;
    *end = *end - 1;
}

static ast_expr *item_expr(flattener *f, const char *text, const char *end, source_at at)
{
    skip_whole_range(&text, &end);
    ast_expr *e = arena_take(&f->in->c->mem, 1, sizeof *e);
    if (!e)
        return NULL;
    char *rest;
    *e = (ast_expr){.kind = AST_INTEGER, .at = at, .end = at};
    e->integer = strtol(text, &rest, 10);
    if (rest == end)
        return e;
    int32_t literal = literal_number(f, text, end);
    e->integer = literal;
    if (literal)
        return e;
    char *name = unquote(f, text, end);
    ast_part *part = arena_take(&f->in->c->mem, 1, sizeof *part);
    if (!name || !part || !*name)
        return NULL;
    *part = (ast_part){.name = context_intern(f->in, name), .quoted = true, .at = at, .end = at};
    e->kind = AST_REF;
    e->part = part;
    e->n = 1;
    return e;
}

static const char *part_items(flattener *f, ast_part *part, const char *p, source_at at)
{
    part->sub = arena_take(&f->in->c->mem, MOST_DIMS, sizeof *part->sub);
    while (part->sub && *p && *p != ']' && part->n_subs < MOST_DIMS) {
        const char *end = item_end(p + 1);
        part->sub[part->n_subs] = item_expr(f, p + 1, end, at);
        if (!part->sub[part->n_subs++])
            return NULL;
        p = end;
    }
    return *p == ']' ? p + 1 : NULL;
}

/* The first subscript that is not a number. */
static const char *first_subscript(const char *text)
{
    const char *quoted = strstr(text, "['"), *range = strstr(text, "[(1:size(");
    return range && (!quoted || range < quoted) ? range : quoted;
}

const ast_expr *name_with_subscripts(flattener *f, int32_t name, source_at at)
{
    enum { MOST_PARTS = 20 };
    const char *text = context_name(f->in, name), *p = first_subscript(text);
    ast_expr *ref = p ? arena_take(&f->in->c->mem, 1, sizeof *ref) : NULL;
    ast_part *part = ref ? arena_take(&f->in->c->mem, MOST_PARTS, sizeof *part) : NULL;
    if (!part || p == text)
        return NULL;
    *ref = (ast_expr){.kind = AST_REF, .at = at, .end = at, .part = part};
    const char *from = text;
    while (p && *from && ref->n < MOST_PARTS) {
        ast_part *one = &part[ref->n++];
        const char *base = arena_text(&f->in->c->mem, from, (size_t)(p - from));
        *one = (ast_part){.name = base ? context_intern(f->in, base) : INTERN_NONE,
                          .quoted = true,
                          .at = at,
                          .end = at};
        if (*p == '[')
            p = part_items(f, one, p, at);
        if (!p || !*p)
            break;
        if (*p != '.')
            return NULL;
        from = p + 1;
        p = from + member_length(from);
    }
    return p ? ref : NULL;
}
