/* flatten/flatten_names.c - see flatten_core.h: what a reference means.
 *
 * In this order: iterators and the locals of a function, declared names, names that only
 * their parts have (x for x[1], x[2]; c for c.re, c.im: a `group`), enumeration literals,
 * and names with subscripts hidden in the quotes ('x[\'i\']').                     */
#include "flatten/flatten_core.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

bool ids_grow(flattener *f)
{
    size_t n = f->names->n;
    if (n <= f->n_ids)
        return true;
    size_t room = 2 * n + 64;
    uint32_t **tables[] = {&f->component_of, &f->variable_of, &f->class_of};
    for (int i = 0; i < 3; i++) {
        uint32_t *table = arena_take(&f->c->mem, room, sizeof *table);
        if (!table)
            return false;
        if (f->n_ids)
            memcpy(table, *tables[i], f->n_ids * sizeof *table);
        *tables[i] = table;
    }
    f->n_ids = room;
    return true;
}

/* ---- the nearest name ------------------------------------------------------------------- */

enum { NEAR_MAX = 64 };

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t distance(const char *a, const char *b)
{
    size_t na = strlen(a), nb = strlen(b), row[NEAR_MAX + 1];
    if (na > NEAR_MAX || nb > NEAR_MAX)
        return NEAR_MAX;
    for (size_t j = 0; j <= nb; j++)
        row[j] = j;
    for (size_t i = 1; i <= na; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= nb; j++) {
            size_t cost = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            row[j] = smaller(cost, smaller(row[j], row[j - 1]) + 1);
        }
    }
    return row[nb];
}

typedef struct nearest {
    const char *wanted, *best;
    size_t apart;
} nearest;

static bool same_but_for_case(const char *a, const char *b)
{
    while (*a && tolower((unsigned char)*a) == tolower((unsigned char)*b))
        a++, b++;
    return *a == *b;
}

static void consider(nearest *n, const char *text)
{
    if (same_but_for_case(n->wanted, text) && strcmp(n->wanted, text) != 0) {
        n->best = text;
        n->apart = 0; /* none is nearer */
    }
    size_t length = strlen(n->wanted), other = strlen(text);
    if ((length > other ? length - other : other - length) > n->apart)
        return;
    size_t d = distance(n->wanted, text);
    if (d > 0 && d < n->apart && d < length) { /* something is the same */
        n->apart = d;
        n->best = text;
    }
}

static void consider_scope(const flattener *f, nearest *n)
{
    for (const iteration *i = f->iterations; i; i = i->next)
        consider(n, fl_name(f, i->name));
    for (int32_t i = 0; f->frame && i < f->frame->n; i++)
        consider(n, fl_name(f, f->frame->local[i].name));
    for (size_t i = 0; !f->frame && i < f->m->n_variables; i++)
        if (!f->m->variables[i].hidden)
            consider(n, fl_name(f, f->m->variables[i].name));
    for (size_t i = 0; !f->frame && i < f->n_components; i++)
        consider(n, fl_name(f, f->component[i].name));
}

value unknown_name(flattener *f, source_at at, const char *what, const char *name)
{
    nearest n = {.wanted = name, .apart = strlen(name) / 3 + 2};
    if (f->is_run || f->c->sources.n_errors >= SOURCE_ERRORS_MAX)
        return fl_error(f, at, "unknown %s", what); /* nobody will read it */
    if (strcmp(what, "name") == 0)
        consider_scope(f, &n);
    else
        for (size_t i = 0; i < f->n_classes; i++)
            consider(&n, fl_name(f, f->class[i] -> name));
    if (n.best)
        return fl_error(f, at, "unknown %s '%s'; did you mean '%s'?", what, name, n.best);
    return fl_error(f, at, "unknown %s '%s'", what, name);
}

void unknown_change(flattener *f, const char *what, const char *name)
{
    bool parameter = strcmp(what, "parameter") == 0;
    nearest n = {.wanted = name, .apart = strlen(name) / 3 + 2};
    for (size_t i = 0; i < f->m->n_variables; i++)
        if (!f->m->variables[i].hidden &&
            parameter == (f->m->variables[i].variability <= FLAT_PARAMETER))
            consider(&n, fl_name(f, f->m->variables[i].name));
    if (n.best)
        fl_error(f, SOURCE_NOWHERE, "unknown %s '%s'; did you mean '%s'?", what, name, n.best);
    else
        fl_error(f, SOURCE_NOWHERE, "unknown %s '%s'", what, name);
}

/* ---- subscripts and members behind a value --------------------------------------------------- */

bool subscripts_eval(flattener *f, value v, const ast_part *part, subscript *subs)
{
    if (part->n_subs > v.type.n_dims) {
        fl_error(f, part->at, "%d subscripts on %s", (int)part->n_subs, type_text(f, v.type));
        return false;
    }
    for (int32_t i = 0; i < part->n_subs; i++) {
        int32_t end = f->end;
        int raw = f->raw;
        f->end = v.type.dim[i];
        f->raw = 0;
        subs[i] = (subscript){.at = part->sub[i]->at, .is_colon = part->sub[i]->kind == AST_COLON};
        if (!subs[i].is_colon)
            subs[i].value = eval(f, part->sub[i]);
        f->end = end;
        f->raw = raw;
        if (!subs[i].is_colon && is_bad(subs[i].value))
            return false;
    }
    return true;
}

static value part_subscripts(flattener *f, value v, const ast_part *part)
{
    subscript subs[MOST_DIMS];
    if (part->n_subs == 0 || is_bad(v))
        return v;
    if (!subscripts_eval(f, v, part, subs))
        return (value){.type = type_scalar(T_BAD)};
    return value_index(f, v, subs, part->n_subs);
}

value parts_apply(flattener *f, value v, const ast_part *part, int32_t n)
{
    for (int32_t i = 0; i < n && !is_bad(v); i++) {
        if (part[i].name != INTERN_NONE)
            v = value_member(f, v, part[i].name, part[i].at);
        v = part_subscripts(f, v, &part[i]);
    }
    return v;
}

/* ---- declared names -------------------------------------------------------------------------- */

static value component_all(flattener *f, const component *c)
{
    component copy = *c;
    value v = value_new(f, copy.type);
    for (size_t i = 0; !is_bad(v) && i < v.n; i++)
        v.e[i] = variable_read(f, copy.first + (uint32_t)i);
    return v;
}

/* x[i, j] of an array of scalars: only that element is looked at. */
static bool component_one(flattener *f, const component *c, const ast_part *part, value *result)
{
    component copy = *c;
    subscript subs[MOST_DIMS];
    value whole = {.type = copy.type};
    if (copy.type.base == T_RECORD || part->n_subs != copy.type.n_dims || part->n_subs == 0)
        return false;
    *result = (value){.type = type_scalar(T_BAD)};
    if (!subscripts_eval(f, whole, part, subs))
        return true;
    size_t at = 0;
    for (int32_t i = 0; i < part->n_subs; i++) {
        int64_t k = 0;
        if (subs[i].is_colon || subs[i].value.type.base != T_INTEGER ||
            !value_integer(f, subs[i].value, &k))
            return false;
        if (k < 1 || k > copy.type.dim[i]) {
            fl_error(f, subs[i].at, "subscript %lld is outside 1 .. %d", (long long)k,
                     (int)copy.type.dim[i]);
            return true;
        }
        at = at * (size_t)copy.type.dim[i] + (size_t)(k - 1);
    }
    *result = value_new(f, type_element(copy.type));
    if (!is_bad(*result))
        result->e[0] = variable_read(f, copy.first + (uint32_t)at);
    return true;
}

static value component_eval(flattener *f, component *c, const ast_part *part, int32_t n)
{
    size_t k = (size_t)(c - f->component);
    value v = {.type = type_scalar(T_BAD)};
    if (!component_size(f, c)) {
        if (f->c->sources.n_errors == 0)
            fl_error(f, part->at, "'%s' is not present in this model",
                     fl_name(f, f->component[k].name));
        return v;
    }
    c = &f->component[k];
    if (f->frame && !c->is_global && !(c->element->prefixes & AST_CONSTANT))
        return fl_error(f, part->at, "'%s' belongs to the model: a function cannot see it",
                        fl_name(f, c->name));
    if (n == 1 && component_one(f, c, part, &v))
        return v;
    v = part_subscripts(f, component_all(f, &f->component[k]), part);
    return parts_apply(f, v, part + 1, n - 1);
}

static component *component_named(flattener *f, int32_t name)
{
    bool known = name != INTERN_NONE && (size_t)name < f->n_ids && f->component_of[name];
    return known ? &f->component[f->component_of[name] - 1] : NULL;
}

static base_type base_of(flat_type t)
{
    static const base_type bases[] = {[FLAT_REAL] = T_REAL,
                                      [FLAT_INTEGER] = T_INTEGER,
                                      [FLAT_BOOLEAN] = T_BOOLEAN,
                                      [FLAT_ENUM] = T_ENUM,
                                      [FLAT_STRING] = T_STRING};
    return bases[t];
}

static type variable_type(const flattener *f, uint32_t v)
{
    type t = type_scalar(base_of(f->m->variables[v].type));
    t.info = f->m->variables[v].enumeration;
    return t;
}

static value variable_value(flattener *f, uint32_t v)
{
    value r = value_new(f, variable_type(f, v));
    if (!is_bad(r))
        r.e[0] = variable_read(f, v);
    return r;
}

/* ---- groups: names that only their parts have --------------------------------------------- */

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
    for (size_t k = 0; f->section == IN_NOWHERE && k < f->n_components; k++)
        if (!f->component[k].is_sizing && !f->component[k].is_global)
            component_size(f, &f->component[k]);
    if (f->sorted && (f->section != IN_NOWHERE || f->n_sorted == f->m->n_variables))
        return true;
    size_t n = f->m->n_variables;
    f->sorted = arena_take(&f->c->mem, n + 1, sizeof *f->sorted);
    named *list = memory_take_array(f->c->mem.allocator, n + 1, sizeof *list);
    f->n_sorted = list && f->sorted ? n : 0;
    for (size_t i = 0; i < f->n_sorted; i++)
        list[i] = (named){fl_name(f, f->m->variables[i].name), (uint32_t)i};
    if (f->n_sorted)
        qsort(list, n, sizeof *list, by_name);
    for (size_t i = 0; i < f->n_sorted; i++)
        f->sorted[i] = list[i].variable;
    memory_give(f->c->mem.allocator, list, (n + 1) * sizeof *list);
    return f->n_sorted == n;
}

static const char *sorted_name(const flattener *f, size_t i)
{
    return fl_name(f, f->m->variables[f->sorted[i]].name);
}

/* The variables whose names begin with this text: [*from, *to) of sorted. */
static void name_range(const flattener *f, const char *text, size_t *from, size_t *to)
{
    size_t length = strlen(text), low = 0, high = f->n_sorted;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (strncmp(sorted_name(f, middle), text, length) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    *from = low;
    while (low < f->n_sorted && strncmp(sorted_name(f, low), text, length) == 0)
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
    char *copy = arena_take(&f->c->mem, (size_t)(end - text) + 1, 1), *to = copy;
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
    const ast_class *c = type_name ? class_named(f, fl_intern(f, type_name)) : NULL;
    int32_t k = c && c->form == AST_ENUMERATION ? enumeration_of_class(f, c) : -1;
    int32_t name = literal ? fl_intern(f, literal) : INTERN_NONE;
    for (int32_t i = 0; k >= 0 && i < f->m->enumerations[k].n; i++)
        if (f->m->enumerations[k].literals[i] == name)
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
    uint32_t *list = arena_grow(&f->c->mem, g->variable, capacity, g->n + more->n, sizeof *list);
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
    name_range(f, fl_text(f, "%s[", text), &from, &to);
    if (from == to || !group_extent(f, text, from, to, &t))
        return false;
    size_t count = type_count(t);
    const char **child = arena_take(&f->c->mem, count, sizeof *child);
    for (size_t i = from; child && i < to; i++) {
        int32_t index[MOST_DIMS];
        const char *name = sorted_name(f, i), *end = behind_brackets(name + length);
        int n = parse_indices(f, name + length, index);
        size_t at = 0;
        for (int k = 0; k < n; k++)
            at = at * (size_t)t.dim[k] + (size_t)index[k] - 1;
        if (!child[at] && end)
            child[at] = arena_text(&f->c->mem, name, (size_t)(end - name));
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
        if (f->sorted[i] < best && (*after == UINT32_MAX || f->sorted[i] > *after)) {
            best = f->sorted[i];
            *which = i;
        }
    *after = best;
    return best != UINT32_MAX;
}

static bool has_member(const record *r, int32_t name)
{
    for (int32_t i = 0; i < r->n; i++)
        if (r->member[i].name == name)
            return true;
    return false;
}

static bool group_member(flattener *f, record *r, struct group *g, size_t *capacity,
                         const char *name, size_t prefix)
{
    size_t length = member_length(name + prefix);
    const char *text = arena_text(&f->c->mem, name + prefix, length);
    const char *whole = arena_text(&f->c->mem, name, prefix + length);
    int32_t id = text ? fl_intern(f, text) : INTERN_NONE;
    struct group one = {0};
    if (id == INTERN_NONE || has_member(r, id))
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
    name_range(f, fl_text(f, "%s.", text), &from, &to);
    if (from == to || to - from > 10000)
        return false;
    record r = {.name = INTERN_NONE};
    r.member = arena_take(&f->c->mem, to - from, sizeof *r.member);
    uint32_t after = UINT32_MAX;
    size_t which = 0;
    for (size_t i = from; r.member && i < to; i++) {
        if (!next_member(f, from, to, &after, &which))
            break;
        if (!group_member(f, &r, g, &capacity, sorted_name(f, which), strlen(text) + 1))
            return false;
    }
    record *list = fl_push(f, f->record, f->n_records, &f->record_capacity, sizeof *list);
    if (!list || !r.member)
        return false;
    f->record = list;
    f->record[f->n_records] = r;
    g->type = type_scalar(T_RECORD);
    g->type.info = (int32_t)f->n_records++;
    return true;
}

static bool group_find(flattener *f, const char *text, struct group *g)
{
    int32_t id = intern_find(f->names, text, strlen(text));
    if (id != INTERN_NONE && (size_t)id < f->n_ids && f->variable_of[id]) {
        g->variable = arena_take(&f->c->mem, 1, sizeof *g->variable);
        if (!g->variable)
            return false;
        g->variable[0] = f->variable_of[id] - 1;
        g->n = 1;
        g->type = variable_type(f, g->variable[0]);
        return true;
    }
    return group_array(f, text, g) || group_record(f, text, g);
}

static const struct group *group_named(flattener *f, int32_t name)
{
    uint32_t number = 0;
    if (map_find(&f->group_map, (uint64_t)name + 1, &number))
        return number ? &f->group[number - 1] : NULL;
    struct group g = {0};
    bool found = sort_variables(f) && group_find(f, fl_name(f, name), &g);
    struct group *list = fl_push(f, f->group, f->n_groups, &f->group_capacity, sizeof *list);
    if (!list)
        return NULL;
    f->group = list;
    if (found)
        f->group[f->n_groups++] = g;
    if (f->section != IN_NOWHERE || found)
        map_put(f, &f->group_map, (uint64_t)name + 1, found ? (uint32_t)f->n_groups : 0);
    return found ? &f->group[f->n_groups - 1] : NULL;
}

static value group_eval(flattener *f, const struct group *known, const ast_part *part, int32_t n)
{
    struct group g = *known;
    value v = value_new(f, g.type);
    for (size_t i = 0; !is_bad(v) && i < v.n; i++)
        v.e[i] = variable_read(f, g.variable[i]);
    return parts_apply(f, part_subscripts(f, v, part), part + 1, n - 1);
}

/* ---- names with subscripts in the quotes ---------------------------------------------------- */

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
    ast_expr *e = arena_take(&f->c->mem, 1, sizeof *e);
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
    ast_part *part = arena_take(&f->c->mem, 1, sizeof *part);
    if (!name || !part || !*name)
        return NULL;
    *part = (ast_part){.name = fl_intern(f, name), .quoted = true, .at = at, .end = at};
    e->kind = AST_REF;
    e->part = part;
    e->n = 1;
    return e;
}

static const char *part_items(flattener *f, ast_part *part, const char *p, source_at at)
{
    part->sub = arena_take(&f->c->mem, MOST_DIMS, sizeof *part->sub);
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
    const char *text = fl_name(f, name), *p = first_subscript(text);
    ast_expr *ref = p ? arena_take(&f->c->mem, 1, sizeof *ref) : NULL;
    ast_part *part = ref ? arena_take(&f->c->mem, MOST_PARTS, sizeof *part) : NULL;
    if (!part || p == text)
        return NULL;
    *ref = (ast_expr){.kind = AST_REF, .at = at, .end = at, .part = part};
    const char *from = text;
    while (p && *from && ref->n < MOST_PARTS) {
        ast_part *one = &part[ref->n++];
        const char *base = arena_text(&f->c->mem, from, (size_t)(p - from));
        *one = (ast_part){
            .name = base ? fl_intern(f, base) : INTERN_NONE, .quoted = true, .at = at, .end = at};
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

/* ---- enumeration literals -------------------------------------------------------------------- */

static int32_t enumeration_prefix(flattener *f, const ast_expr *ref)
{
    if (ref->n < 2 || ref->part[ref->n - 1].n_subs)
        return -1;
    ast_expr type_ref = *ref;
    type_ref.n--;
    int32_t name = ast_flat_name(&type_ref, f->names);
    if (name == INTERN_NONE)
        return -1;
    const ast_class *c = class_named(f, name);
    for (int i = 0; c && c->form == AST_ALIAS && i < 20; i++) /* type T = E */
        c = class_find(f, c->base);
    if (c)
        return c->form == AST_ENUMERATION ? enumeration_of_class(f, c) : -1;
    return enumeration_named(f, name);
}

static bool literal_eval(flattener *f, const ast_expr *ref, value *result)
{
    int32_t k = enumeration_prefix(f, ref);
    if (k < 0)
        return false;
    int32_t literal = ref->part[ref->n - 1].name;
    const flat_enumeration *e = &f->m->enumerations[k];
    for (int32_t i = 0; i < e->n; i++)
        if (e->literals[i] == literal) {
            *result = value_number(f, T_ENUM, i + 1);
            result->type.info = k;
            return true;
        }
    *result = fl_error(f, ref->part[ref->n - 1].at, "'%s' is no literal of '%s'",
                       fl_name(f, literal), fl_name(f, e->name));
    return true;
}

/* ---- references ------------------------------------------------------------------------------ */

local *local_find(flattener *f, int32_t name)
{
    for (int32_t i = 0; f->frame && i < f->frame->n; i++)
        if (f->frame->local[i].name == name)
            return &f->frame->local[i];
    return NULL;
}

static bool local_eval(flattener *f, const ast_expr *ref, value *result)
{
    int32_t name = ref->part[0].name;
    for (const iteration *i = f->iterations; i; i = i->next)
        if (i->name == name) {
            *result =
                parts_apply(f, part_subscripts(f, i->value, ref->part), ref->part + 1, ref->n - 1);
            return true;
        }
    local *l = local_find(f, name);
    if (!l)
        return false;
    if (!ref->part[0].n_subs)
        l->is_owned = false; /* the answer is its memory */
    if (!l->is_set)
        *result = fl_error(f, ref->at, "'%s' is used before it has a value", fl_name(f, name));
    else
        *result =
            parts_apply(f, part_subscripts(f, l->value, ref->part), ref->part + 1, ref->n - 1);
    return true;
}

/* The longest beginning of the reference that is declared. */
static bool prefix_eval(flattener *f, const ast_expr *ref, value *result)
{
    for (int32_t n = ref->n; n > 0; n--) {
        ast_expr head = *ref;
        ast_part *part = arena_take(f->mem, (size_t)n, sizeof *part);
        if (!part)
            return false;
        memcpy(part, ref->part, (size_t)n * sizeof *part);
        int32_t subs = part[n - 1].n_subs;
        part[n - 1].n_subs = 0;
        head.part = part;
        head.n = n;
        int32_t name = ast_flat_name(&head, f->names);
        part[n - 1].n_subs = subs;
        component *c = ids_grow(f) ? component_named(f, name) : NULL;
        if (c) {
            *result = component_eval(f, c, ref->part + n - 1, ref->n - n + 1);
            return true;
        }
    }
    return false;
}

static bool group_try(flattener *f, const ast_expr *ref, value *result)
{
    for (int32_t n = ref->n; n > 0 && !f->frame; n--) {
        ast_expr head = *ref;
        ast_part *part = arena_take(f->mem, (size_t)n, sizeof *part);
        if (!part)
            return false;
        memcpy(part, ref->part, (size_t)n * sizeof *part);
        part[n - 1].n_subs = 0;
        head.part = part;
        head.n = n;
        int32_t name = ast_flat_name(&head, f->names);
        const struct group *g = name != INTERN_NONE && ids_grow(f) ? group_named(f, name) : NULL;
        if (g) {
            *result = group_eval(f, g, ref->part + n - 1, ref->n - n + 1);
            return true;
        }
    }
    return false;
}

static bool time_eval(flattener *f, const ast_expr *ref, value *result)
{
    if (ref->n != 1 || ref->part[0].quoted || ref->part[0].name != f->id.time)
        return false;
    *result = f->frame ? fl_error(f, ref->at, "a function cannot see 'time'")
                       : value_scalar(f, T_REAL, expr_variable(f->g, flat_symbol(FLAT_TIME, 0)));
    return true;
}

/* The scalar that carries the whole reference as its name: a.b[2].c. */
static bool variable_eval(flattener *f, const ast_expr *ref, value *result)
{
    int32_t name = ast_flat_name(ref, f->names);
    if (f->frame || name == INTERN_NONE || !ids_grow(f) || !f->variable_of[name])
        return false;
    *result = variable_value(f, f->variable_of[name] - 1);
    return true;
}

/* A quoted name with subscripts of variables in it, at any place of the reference. */
static bool embedded_eval(flattener *f, const ast_expr *ref, value *result)
{
    const ast_expr *inner = name_with_subscripts(f, ref->part[0].name, ref->at);
    if (!inner)
        return false;
    ast_expr whole = *inner;
    whole.n = inner->n + ref->n - 1;
    whole.part = arena_take(f->mem, (size_t)whole.n, sizeof *whole.part);
    if (!whole.part)
        return false;
    memcpy(whole.part, inner->part, (size_t)inner->n * sizeof *whole.part);
    memcpy(whole.part + inner->n, ref->part + 1, (size_t)(ref->n - 1) * sizeof *whole.part);
    if (ref->part[0].n_subs && inner->part[inner->n - 1].n_subs == 0)
        whole.part[inner->n - 1] = ref->part[0];
    *result = name_eval(f, &whole);
    return true;
}

value name_eval(flattener *f, const ast_expr *ref)
{
    enum { PARTS_MAX = 256 }; /* every part is looked up with all before it */
    value v;
    if (ref->n > PARTS_MAX)
        return fl_error(f, ref->at, "a name of more than %d parts", PARTS_MAX);
    if (local_eval(f, ref, &v))
        return v;
    if (ref->n == 1) {
        component *c = ids_grow(f) ? component_named(f, ref->part[0].name) : NULL;
        if (c && c->is_ambiguous && c->is_global)
            return fl_error(f, ref->at, "'%s' is in several packages: write its full name",
                            fl_name(f, c->name));
        if (c)
            return component_eval(f, c, ref->part, 1);
    }
    if (time_eval(f, ref, &v) || literal_eval(f, ref, &v) || prefix_eval(f, ref, &v) ||
        variable_eval(f, ref, &v) || group_try(f, ref, &v) || embedded_eval(f, ref, &v))
        return v;
    int32_t name = ast_flat_name(ref, f->names);
    return unknown_name(f, ref->at, "name",
                        fl_name(f, name == INTERN_NONE ? ref->part[0].name : name));
}
