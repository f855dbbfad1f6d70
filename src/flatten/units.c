/* flatten/units.c - see flattener.h: equations whose sides have different units.
 *
 * Only what is certain is told, as a warning: a unit is known where it is declared, and where sums,
 * products and whole powers of such follow from it.  A number in the text may have any unit.
 * Radians are numbers, and units with an offset (degC) or none of the table are not known.   */
#include "flatten/flattener.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N_BASES = 7, POWER_MAX = 30 };
static const char *const BASES[N_BASES] = {"m", "kg", "s", "A", "K", "mol", "cd"};

typedef enum unit_state {
    UNIT_UNKNOWN,
    UNIT_NUMBER, /* a literal: its unit is not written */
    UNIT_KNOWN
} unit_state;

typedef struct unit {
    unit_state state;
    int power[N_BASES];
    double factor; /* NAN: not known, as where a model counts its time in minutes */
} unit;

/* ---- unit texts ---- */

typedef struct unit_row {
    const char *name;
    int power[N_BASES]; /* m kg s A K mol cd */
    double factor;
    bool takes_prefix;
} unit_row;

static const unit_row TABLE[] = {
    {"1", {0}, 1, false},
    {"rad", {0}, 1, false},
    {"sr", {0}, 1, false},
    {"m", {1}, 1, true},
    {"g", {0, 1}, 1e-3, true},
    {"s", {0, 0, 1}, 1, true},
    {"A", {0, 0, 0, 1}, 1, true},
    {"K", {0, 0, 0, 0, 1}, 1, true},
    {"mol", {0, 0, 0, 0, 0, 1}, 1, true},
    {"cd", {0, 0, 0, 0, 0, 0, 1}, 1, true},
    {"Hz", {0, 0, -1}, 1, true},
    {"N", {1, 1, -2}, 1, true},
    {"Pa", {-1, 1, -2}, 1, true},
    {"J", {2, 1, -2}, 1, true},
    {"W", {2, 1, -3}, 1, true},
    {"C", {0, 0, 1, 1}, 1, true},
    {"V", {2, 1, -3, -1}, 1, true},
    {"F", {-2, -1, 4, 2}, 1, true},
    {"Ohm", {2, 1, -3, -2}, 1, true},
    {"S", {-2, -1, 3, 2}, 1, true},
    {"Wb", {2, 1, -2, -1}, 1, true},
    {"T", {0, 1, -2, -1}, 1, true},
    {"H", {2, 1, -2, -2}, 1, true},
    {"bar", {-1, 1, -2}, 1e5, true},
    {"l", {3}, 1e-3, true},
    {"L", {3}, 1e-3, true},
    {"t", {0, 1}, 1e3, false},
    {"min", {0, 0, 1}, 60, false},
    {"h", {0, 0, 1}, 3600, false},
    {"d", {0, 0, 1}, 86400, false},
};

static const struct {
    const char *name;
    double factor;
} PREFIXES[] = {{"da", 1e1}, {"h", 1e2},  {"k", 1e3},  {"M", 1e6},  {"G", 1e9},  {"T", 1e12},
                {"d", 1e-1}, {"c", 1e-2}, {"m", 1e-3}, {"u", 1e-6}, {"n", 1e-9}, {"p", 1e-12}};

static const unit_row *row_named(const char *name)
{
    for (size_t i = 0; i < sizeof TABLE / sizeof *TABLE; i++)
        if (strcmp(TABLE[i].name, name) == 0)
            return &TABLE[i];
    return NULL;
}

/* The row of a symbol, with or without a prefix; NULL: none. */
static const unit_row *row_of(const char *symbol, double *factor)
{
    const unit_row *row = row_named(symbol);
    *factor = 1.0;
    for (size_t k = 0; !row && k < sizeof PREFIXES / sizeof *PREFIXES; k++) {
        size_t n = strlen(PREFIXES[k].name);
        if (strncmp(symbol, PREFIXES[k].name, n) != 0)
            continue;
        row = row_named(symbol + n);
        row = row && row->takes_prefix ? row : NULL;
        *factor = PREFIXES[k].factor;
    }
    return row;
}

static unit unit_raise(unit a, int power)
{
    for (int i = 0; i < N_BASES; i++)
        a.power[i] *= power;
    a.factor = pow(a.factor, power);
    return a;
}

static unit unit_multiply(unit a, unit b, int sign)
{
    unit r = a;
    for (int i = 0; i < N_BASES; i++)
        r.power[i] += sign * b.power[i];
    r.factor = sign > 0 ? a.factor * b.factor : a.factor / b.factor;
    return r;
}

static const unit NO_UNIT = {.state = UNIT_UNKNOWN, .factor = 1.0};
static const unit PURE = {.state = UNIT_KNOWN, .factor = 1.0};

typedef struct unit_text {
    const char *p;
    int depth;
    bool is_bad;
} unit_text;

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* A symbol with its power, as in m2 or s-1; or 1. */
static unit read_symbol(unit_text *t)
{
    char symbol[16];
    size_t n = 0;
    double factor = 1.0;
    if (*t->p == '1')
        symbol[n++] = *t->p++;
    else
        while (is_letter(*t->p) && n + 1 < sizeof symbol)
            symbol[n++] = *t->p++;
    symbol[n] = '\0';
    const unit_row *row = n ? row_of(symbol, &factor) : NULL;
    t->is_bad = t->is_bad || !row;
    if (!row)
        return PURE;
    unit u = PURE;
    memcpy(u.power, row->power, sizeof u.power);
    u.factor = row->factor * factor;
    char *end;
    long power = strtol(t->p, &end, 10);
    if (end == t->p)
        return u;
    t->p = end;
    t->is_bad = t->is_bad || labs(power) > POWER_MAX;
    return t->is_bad ? PURE : unit_raise(u, (int)power);
}

static unit read_product(unit_text *t);

static unit read_factor(unit_text *t)
{
    enum { DEPTH = 8 };
    if (*t->p != '(')
        return read_symbol(t);
    t->is_bad = t->is_bad || ++t->depth > DEPTH;
    t->p++;
    unit u = t->is_bad ? PURE : read_product(t);
    t->is_bad = t->is_bad || *t->p != ')';
    t->p += *t->p == ')';
    t->depth--;
    return u;
}

/* Factors with '.' and '/' between them, from the left. */
static unit read_product(unit_text *t)
{
    unit u = read_factor(t);
    while (!t->is_bad && (*t->p == '.' || *t->p == '/')) {
        int sign = *t->p++ == '.' ? 1 : -1;
        u = unit_multiply(u, read_factor(t), sign);
    }
    return u;
}

static unit unit_read(const char *text)
{
    unit_text t = {.p = text};
    if (!text || !*text)
        return NO_UNIT;
    unit u = read_product(&t);
    return t.is_bad || *t.p ? NO_UNIT : u;
}

static bool unit_same(unit a, unit b)
{
    const double rounding = 1e-9;
    return memcmp(a.power, b.power, sizeof a.power) == 0 &&
           !(fabs(a.factor - b.factor) > rounding * fabs(a.factor)); /* or one is NAN */
}

static const char *unit_print(unit u, char *text, size_t size)
{
    size_t n = 0;
    text[0] = '\0';
    if (fabs(u.factor - 1.0) > 1e-9) /* not if it is NAN */
        n += (size_t)snprintf(text, size, "%g", u.factor);
    for (int i = 0; i < N_BASES && n < size; i++)
        if (u.power[i] != 0)
            n += (size_t)snprintf(text + n, size - n, u.power[i] == 1 ? "%s%s" : "%s%s%d",
                                  n ? "." : "", BASES[i], u.power[i]);
    if (n == 0)
        snprintf(text, size, "1");
    return text;
}

/* ---- expressions ---- */

typedef struct unit_check {
    flattener *f;
    bool is_told; /* in the present equation */
} unit_check;

static void differ(unit_check *c, unit a, unit b, const char *what, source_at at)
{
    char one[80], two[80];
    if (c->is_told || a.state != UNIT_KNOWN || b.state != UNIT_KNOWN || unit_same(a, b))
        return;
    c->is_told = true;
    source_warning(&c->f->in->c->sources, at, "%s have different units: %s and %s", what,
                   unit_print(a, one, sizeof one), unit_print(b, two, sizeof two));
}

static unit unit_of(unit_check *c, const ast_expr *e);

static unit of_time(void)
{
    unit u = unit_read("s");
    u.factor = NAN;
    return u;
}

static uint32_t variable_of(unit_check *c, const ast_expr *ref)
{
    flattener *f = c->f;
    int32_t name = ast_flat_name(ref, f->in->names);
    if (!ids_grow(f))
        return FLAT_NONE;
    if (name != INTERN_NONE && f->scope->variable_of[name])
        return f->scope->variable_of[name] - 1;
    component *whole = ref->n == 1 ? component_named(f, ref->part[0].name) : NULL;
    bool is_real = whole && whole->type.base == T_REAL && whole->n > 0;
    return is_real ? whole->first : FLAT_NONE;
}

static unit unit_of_reference(unit_check *c, const ast_expr *ref)
{
    if (ast_simple_name(ref) == c->f->id->time && !ref->part[0].quoted)
        return of_time();
    uint32_t v = variable_of(c, ref);
    return v == FLAT_NONE ? NO_UNIT : unit_read(c->f->in->m->variables[v].unit);
}

/* All operands of a sum, a comparison, an if or max have one unit. */
static unit join(unit_check *c, unit a, unit b, const char *what, source_at at)
{
    differ(c, a, b, what, at);
    if (a.state == UNIT_UNKNOWN || b.state == UNIT_UNKNOWN)
        return NO_UNIT;
    return a.state == UNIT_KNOWN ? a : b;
}

static unit product(unit a, unit b, int sign)
{
    if (a.state == UNIT_NUMBER && b.state == UNIT_NUMBER)
        return a;
    return a.state == UNIT_KNOWN && b.state == UNIT_KNOWN ? unit_multiply(a, b, sign) : NO_UNIT;
}

static unit power(unit a, const ast_expr *exponent)
{
    if (a.state == UNIT_NUMBER)
        return a;
    bool whole = exponent->kind == AST_INTEGER && llabs(exponent->integer) <= POWER_MAX;
    return whole && a.state == UNIT_KNOWN ? unit_raise(a, (int)exponent->integer) : NO_UNIT;
}

static unit unit_of_chain(unit_check *c, const ast_expr *e)
{
    unit u = unit_of(c, e->item[0]);
    for (int32_t i = 1; i < e->n; i++) {
        ast_op op = (ast_op)e->item[i]->joint;
        unit next = unit_of(c, e->item[i]);
        if (op == AST_ADD || op == AST_SUB || op == AST_EL_ADD || op == AST_EL_SUB)
            u = join(c, u, next, "the terms of a sum", e->at);
        else if (op == AST_MUL || op == AST_EL_MUL)
            u = product(u, next, 1);
        else if (op == AST_DIV || op == AST_EL_DIV)
            u = product(u, next, -1);
        else if (op == AST_POW || op == AST_EL_POW)
            u = power(u, e->item[i]);
        else {
            if (op >= AST_LT && op <= AST_NE)
                differ(c, u, next, "the sides of a comparison", e->at);
            u = NO_UNIT;
        }
    }
    return u;
}

static unit unit_of_if(unit_check *c, const ast_expr *e)
{
    unit u = unit_of(c, e->item[e->n - 1]);
    for (int32_t i = 0; i + 1 < e->n; i += 2) {
        unit_of(c, e->item[i]);
        u = join(c, unit_of(c, e->item[i + 1]), u, "the branches of an 'if'", e->at);
    }
    return u;
}

/* Functions whose value has the unit of their first argument. */
static bool keeps_unit(const char *name)
{
    static const char *const names[] = {"abs", "noEvent", "pre", "delay", "homotopy"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

static unit unit_of_call(unit_check *c, const ast_expr *e)
{
    int32_t id = ast_simple_name(e->base);
    const char *name = context_name(c->f->in, id);
    if (id == INTERN_NONE || e->n == 0 || e->arg[0].name != INTERN_NONE)
        return NO_UNIT;
    unit first = unit_of(c, e->arg[0].value);
    if (strcmp(name, "der") == 0)
        return first.state == UNIT_KNOWN ? unit_multiply(first, of_time(), -1) : NO_UNIT;
    if (keeps_unit(name))
        return first;
    if ((strcmp(name, "max") == 0 || strcmp(name, "min") == 0) && e->n == 2)
        return join(c, first, unit_of(c, e->arg[1].value), "the arguments of max or min", e->at);
    return NO_UNIT;
}

static unit unit_of(unit_check *c, const ast_expr *e)
{
    switch (e->kind) {
    case AST_REF:
        return unit_of_reference(c, e);
    case AST_INTEGER:
    case AST_REAL:
        return (unit){.state = UNIT_NUMBER, .factor = 1.0};
    case AST_UNARY:
    case AST_DECORATED:
        return unit_of(c, e->base);
    case AST_CHAIN:
        return unit_of_chain(c, e);
    case AST_IF:
        return unit_of_if(c, e);
    case AST_CALL:
        return unit_of_call(c, e);
    default:
        return NO_UNIT;
    }
}

/* ---- equations ---- */

static void check_clauses(unit_check *c, const ast_clause *clause)
{
    for (; clause; clause = clause->next) {
        c->is_told = false;
        if (clause->left && clause->right)
            differ(c, unit_of(c, clause->left), unit_of(c, clause->right), "the two sides",
                   clause->at);
        for (const ast_branch *b = clause->branches; b; b = b->next) {
            c->is_told = false;
            if (b->condition)
                unit_of(c, b->condition);
            check_clauses(c, b->body);
        }
    }
}

void units_check(flattener *f)
{
    unit_check c = {.f = f};
    if (f->in->mixes_homotopy || f->in->c->sources.n_errors > 0 || f->file->base_version)
        return; /* exporters leave out factors of one, whatever their units */
    for (const ast_element *e = f->model->elements; e; e = e->next) {
        component *own = e->kind == AST_COMPONENT && e->binding && ids_grow(f)
                             ? component_named(f, e->name)
                             : NULL;
        if (!own || own->type.base != T_REAL || own->n == 0)
            continue;
        c.is_told = false;
        differ(&c, unit_read(f->in->m->variables[own->first].unit), unit_of(&c, e->binding),
               "the variable and its value", e->at);
    }
    for (const ast_section *s = f->model->sections; s; s = s->next)
        check_clauses(&c, s->clauses);
}
