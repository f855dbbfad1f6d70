/* lang/ast_print.c - see ast_print.h.
 *
 * Parentheses are printed where the tree needs them: every expression has a level as in
 * AST_OP_LIST and is put in parentheses where a tighter one is asked for.       */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lang/ast_print.h"
#include "lang/lexer.h"

typedef struct printer {
    const intern_table *names;
    arena *mem;
    char *text;
    size_t n, capacity;
    int indent;
    bool failed;
} printer;

enum { /* levels beside those of the operators */
       LEVEL_ANY = -1,
       LEVEL_RANGE = 0,
       LEVEL_OR = 1,
       LEVEL_NOT = 3,
       LEVEL_SIGN = 5,
       LEVEL_TERM = 6,
       LEVEL_PRIMARY = 8
};

static void print_expr(printer *o, const ast_expr *e, int level);
static void print_class(printer *o, const ast_class *c);
static void print_mods(printer *o, const ast_mod *m);

/* ---- text ---- */

static void put_bytes(printer *o, const char *bytes, size_t n)
{
    if (o->n + n + 1 > o->capacity) {
        char *text = arena_grow(o->mem, o->text, &o->capacity, o->n + n + 1, 1);
        if (!text) {
            o->failed = true;
            return;
        }
        o->text = text;
    }
    memcpy(o->text + o->n, bytes, n);
    o->n += n;
}

static void put(printer *o, const char *text)
{
    put_bytes(o, text, strlen(text));
}

static void put_integer(printer *o, int64_t value)
{
    char digits[32];
    snprintf(digits, sizeof digits, "%lld", (long long)value);
    put(o, digits);
}

static void new_line(printer *o)
{
    put(o, "\n");
    for (int i = 0; i < o->indent; i++)
        put(o, "  ");
}

/* Between quotes, with escapes for the quote, the backslash and what would break a line. */
static void put_quoted(printer *o, const char *text, size_t n, char quote)
{
    static const char special[] = "\a\b\f\n\r\t\v", letter[] = "abfnrtv";
    put_bytes(o, &quote, 1);
    for (size_t i = 0; i < n; i++) {
        const char *found = text[i] ? strchr(special, text[i]) : NULL;
        char c = found ? letter[found - special] : text[i];
        if (found || c == quote || c == '\\')
            put(o, "\\");
        put_bytes(o, &c, 1);
    }
    put_bytes(o, &quote, 1);
}

static void put_name(printer *o, int32_t name, bool quoted)
{
    const intern_entry *e = &o->names->entry[name];
    if (quoted)
        put_quoted(o, e->text, e->length, '\'');
    else
        put_bytes(o, e->text, e->length);
}

static void put_decoration(printer *o, int64_t decoration)
{
    if (decoration == AST_NOT_DECORATED)
        return;
    put(o, "@");
    put_integer(o, decoration);
    put(o, " ");
}

/* The fewest digits that give the same number again, with a point or an exponent, and a
 * point whatever the locale.                                                    */
static void put_real(printer *o, double value)
{
    char digits[64];
    for (int precision = 15; precision <= 17; precision++) {
        int n = snprintf(digits, sizeof digits - 3, "%.*g", precision, value);
        for (char *c = digits; *c; c++)
            if (!strchr("0123456789e+-", *c))
                *c = '.';
        if (lexer_real(digits, digits + n) == value)
            break;
    }
    put(o, digits);
    put(o, strpbrk(digits, ".e") ? "" : ".0");
}

/* ---- expressions ---- */

static int level_of(const ast_expr *e)
{
    switch (e->kind) {
    case AST_IF:
    case AST_DECORATED:
    case AST_ITERATED:
        return LEVEL_ANY;
    case AST_RANGE:
        return LEVEL_RANGE;
    case AST_INTEGER:
        return e->integer < 0 ? LEVEL_SIGN : LEVEL_PRIMARY;
    case AST_REAL:
        return signbit(e->real) ? LEVEL_SIGN : LEVEL_PRIMARY;
    case AST_UNARY:
        return e->op == AST_NOT ? LEVEL_NOT : LEVEL_SIGN;
    case AST_CHAIN:
        return e->n > 1 ? ast_op_level((ast_op)e->item[1]->joint) : LEVEL_PRIMARY;
    default:
        return LEVEL_PRIMARY;
    }
}

static void print_list(printer *o, ast_expr *const *item, int32_t n, const char *between)
{
    for (int32_t i = 0; i < n; i++) {
        if (i > 0)
            put(o, between);
        if (item[i])
            print_expr(o, item[i], LEVEL_ANY);
    }
}

static void print_dims(printer *o, ast_expr *const *item, int32_t n)
{
    if (n == 0)
        return;
    put(o, "[");
    print_list(o, item, n, ", ");
    put(o, "]");
}

static void print_parts(printer *o, const ast_expr *e)
{
    for (int32_t i = 0; i < e->n; i++) {
        const ast_part *part = &e->part[i];
        bool dot = e->kind == AST_ACCESS ? part->name != INTERN_NONE : i > 0 || e->flag;
        put(o, dot ? "." : "");
        if (part->name != INTERN_NONE)
            put_name(o, part->name, part->quoted);
        print_dims(o, part->sub, part->n_subs);
    }
}

static void print_access(printer *o, const ast_expr *e)
{
    int kind = e->base->kind;
    bool bare = kind == AST_CALL || kind == AST_ARRAY || kind == AST_MATRIX || kind == AST_TUPLE;
    put(o, bare ? "" : "(");
    print_expr(o, e->base, LEVEL_ANY);
    put(o, bare ? "" : ")");
    print_parts(o, e);
}

static void print_call(printer *o, const ast_expr *e)
{
    put(o, e->kind == AST_FUNCTION ? "function " : "");
    print_expr(o, e->base, LEVEL_ANY);
    put(o, "(");
    for (int32_t i = 0; i < e->n; i++) {
        put(o, i > 0 ? ", " : "");
        if (e->arg[i].name != INTERN_NONE) {
            put_name(o, e->arg[i].name, e->arg[i].quoted);
            put(o, " = ");
        }
        print_expr(o, e->arg[i].value, LEVEL_ANY);
    }
    put(o, ")");
}

static void print_unary(printer *o, const ast_expr *e)
{
    put(o, ast_op_text((ast_op)e->op));
    put(o, e->op == AST_NOT ? " " : "");
    print_expr(o, e->base, e->op == AST_NOT ? LEVEL_NOT + 1 : LEVEL_TERM);
}

static void print_chain(printer *o, const ast_expr *e)
{
    int level = level_of(e);
    for (int32_t i = 0; i < e->n; i++) {
        const ast_expr *operand = e->item[i];
        bool leading_sign =
            i == 0 && level == LEVEL_SIGN && operand->kind == AST_UNARY && operand->op != AST_NOT;
        if (i > 0) {
            put(o, " ");
            put(o, ast_op_text((ast_op)operand->joint));
            put(o, " ");
        }
        print_expr(o, operand, leading_sign ? LEVEL_SIGN : level + 1);
    }
}

static void print_range(printer *o, const ast_expr *e)
{
    for (int32_t i = 0; i < e->n; i++) {
        put(o, i > 0 ? ":" : "");
        print_expr(o, e->item[i], LEVEL_OR);
    }
}

static void print_if(printer *o, const ast_expr *e)
{
    for (int32_t i = 0; i + 1 < e->n; i += 2) {
        put(o, i > 0 ? " elseif " : "if ");
        print_expr(o, e->item[i], LEVEL_ANY);
        put(o, " then ");
        print_expr(o, e->item[i + 1], LEVEL_ANY);
    }
    const ast_expr *last = e->item[e->n - 1];
    put(o, " else ");
    print_expr(o, last, last->kind == AST_IF ? LEVEL_PRIMARY : LEVEL_ANY);
}

static void print_iterators(printer *o, const ast_iterator *iterator, int32_t n)
{
    for (int32_t i = 0; i < n; i++) {
        put(o, i > 0 ? ", " : "");
        put_name(o, iterator[i].name, iterator[i].quoted);
        if (iterator[i].range) {
            put(o, " in ");
            print_expr(o, iterator[i].range, LEVEL_ANY);
        }
    }
}

static void print_iterated(printer *o, const ast_expr *e)
{
    print_expr(o, e->base, LEVEL_ANY);
    put(o, " for ");
    print_iterators(o, e->iterator, e->n);
}

static void print_decorated(printer *o, const ast_expr *e)
{
    print_expr(o, e->base, LEVEL_RANGE);
    put(o, " ");
    put_decoration(o, e->decoration);
}

static void print_brackets(printer *o, const ast_expr *e, const char *open, const char *close)
{
    put(o, open);
    print_list(o, e->item, e->n, e->kind == AST_MATRIX ? "; " : ", ");
    put(o, close);
}

static void print_bare(printer *o, const ast_expr *e)
{
    switch ((ast_expr_kind)e->kind) {
    case AST_INTEGER:
        put_integer(o, e->integer);
        break;
    case AST_REAL:
        put_real(o, e->real);
        break;
    case AST_BOOLEAN:
        put(o, e->integer ? "true" : "false");
        break;
    case AST_STRING:
        put_quoted(o, e->text, (size_t)e->n, '"');
        break;
    case AST_END:
        put(o, "end");
        break;
    case AST_COLON:
        put(o, ":");
        break;
    case AST_EMPTY:
        put(o, "#EMPTY#");
        break;
    case AST_REF:
        print_parts(o, e);
        break;
    case AST_ACCESS:
        print_access(o, e);
        break;
    case AST_CALL:
    case AST_FUNCTION:
        print_call(o, e);
        break;
    case AST_UNARY:
        print_unary(o, e);
        break;
    case AST_CHAIN:
        print_chain(o, e);
        break;
    case AST_RANGE:
        print_range(o, e);
        break;
    case AST_IF:
        print_if(o, e);
        break;
    case AST_ARRAY:
        print_brackets(o, e, "{", "}");
        break;
    case AST_MATRIX:
        print_brackets(o, e, "[", "]");
        break;
    case AST_ROW:
        print_brackets(o, e, "", "");
        break;
    case AST_TUPLE:
        print_brackets(o, e, "(", ")");
        break;
    case AST_ITERATED:
        print_iterated(o, e);
        break;
    case AST_DECORATED:
        print_decorated(o, e);
        break;
    }
}

static void print_expr(printer *o, const ast_expr *e, int level)
{
    bool loose = level_of(e) < level;
    put(o, loose ? "(" : "");
    print_bare(o, e);
    put(o, loose ? ")" : "");
}

/* ---- modifiers and comments ---- */

static void put_description(printer *o, const char *text)
{
    if (!text)
        return;
    put(o, " ");
    put_quoted(o, text, strlen(text), '"');
}

static void print_mod(printer *o, const ast_mod *m)
{
    put_decoration(o, m->decoration);
    put(o, m->is_each ? "each " : "");
    put(o, m->is_final ? "final " : "");
    put_name(o, m->name, m->quoted);
    if (m->has_mods)
        print_mods(o, m->mods);
    if (m->value) {
        put(o, " = ");
        print_expr(o, m->value, LEVEL_ANY);
    }
    put_description(o, m->text);
}

static void print_mods(printer *o, const ast_mod *m)
{
    put(o, "(");
    for (; m; m = m->next) {
        print_mod(o, m);
        put(o, m->next ? ", " : "");
    }
    put(o, ")");
}

static void print_annotation(printer *o, const ast_mod *annotation)
{
    if (!annotation)
        return;
    put(o, " annotation");
    print_mods(o, annotation);
}

static void print_comment(printer *o, const ast_comment *comment)
{
    put_description(o, comment->text);
    print_annotation(o, comment->annotation);
}

/* ---- equations and statements ---- */

static void print_clause(printer *o, const ast_clause *c);

static void print_clauses(printer *o, const ast_clause *c)
{
    o->indent++;
    for (; c; c = c->next) {
        new_line(o);
        print_clause(o, c);
        put(o, ";");
    }
    o->indent--;
}

static void print_branches(printer *o, const ast_clause *c, const char *word, const char *again)
{
    for (const ast_branch *b = c->branches; b; b = b->next) {
        if (b->condition) {
            put(o, b == c->branches ? word : again);
            put(o, " ");
            print_expr(o, b->condition, LEVEL_ANY);
            put(o, c->kind == AST_WHILE ? " loop" : " then");
        } else {
            put(o, "else");
        }
        print_clauses(o, b->body);
        new_line(o);
    }
    put(o, "end ");
    put(o, word);
}

static void print_for(printer *o, const ast_clause *c)
{
    put(o, "for ");
    print_iterators(o, c->iterator, c->n);
    put(o, " loop");
    print_clauses(o, c->branches->body);
    new_line(o);
    put(o, "end for");
}

static void print_clause(printer *o, const ast_clause *c)
{
    put_decoration(o, c->decoration);
    switch (c->kind) {
    case AST_EQUATION:
    case AST_ASSIGN:
        print_expr(o, c->left, LEVEL_RANGE);
        put(o, c->kind == AST_ASSIGN ? " := " : " = ");
        print_expr(o, c->right, LEVEL_ANY);
        break;
    case AST_INVOKE:
        print_expr(o, c->left, LEVEL_RANGE);
        break;
    case AST_CHOICE:
        print_branches(o, c, "if", "elseif");
        break;
    case AST_WHEN:
        print_branches(o, c, "when", "elsewhen");
        break;
    case AST_WHILE:
        print_branches(o, c, "while", "");
        break;
    case AST_FOR:
        print_for(o, c);
        break;
    case AST_BREAK:
        put(o, "break");
        break;
    case AST_RETURN:
        put(o, "return");
        break;
    }
    print_comment(o, &c->comment);
}

static void print_sections(printer *o, const ast_section *s)
{
    static const char *const heads[] = {[AST_EQUATIONS] = "equation",
                                        [AST_INITIAL_EQUATIONS] = "initial equation",
                                        [AST_ALGORITHM] = "algorithm",
                                        [AST_INITIAL_ALGORITHM] = "initial algorithm"};
    for (; s; s = s->next) {
        new_line(o);
        put(o, heads[s->kind]);
        print_clauses(o, s->clauses);
    }
}

/* ---- declarations ---- */

static void put_prefixes(printer *o, uint32_t prefixes)
{
    static const char *const words[] = {"final ",  "inner ",    "outer ",     "flow ",
                                        "stream ", "discrete ", "parameter ", "constant ",
                                        "input ",  "output "};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        put(o, prefixes >> i & 1 ? words[i] : "");
}

static void print_component(printer *o, const ast_element *e)
{
    put_prefixes(o, e->prefixes);
    print_expr(o, e->type, LEVEL_ANY);
    print_dims(o, e->type_dims.item, e->type_dims.n);
    put(o, " ");
    put_name(o, e->name, e->quoted);
    print_dims(o, e->dims.item, e->dims.n);
    if (e->has_mods)
        print_mods(o, e->mods);
    if (e->binding) {
        put(o, " = ");
        print_expr(o, e->binding, LEVEL_ANY);
    }
    if (e->condition) {
        put(o, " if ");
        print_expr(o, e->condition, LEVEL_ANY);
    }
}

static void print_guess(printer *o, const ast_element *e)
{
    put(o, "parameter equation guess(");
    print_expr(o, e->type, LEVEL_ANY);
    put(o, ") = ");
    print_expr(o, e->binding, LEVEL_ANY);
}

static void print_extends(printer *o, const ast_element *e)
{
    put(o, "extends ");
    print_expr(o, e->type, LEVEL_ANY);
    if (e->has_mods)
        print_mods(o, e->mods);
}

static void print_element(printer *o, const ast_element *e)
{
    new_line(o);
    put_decoration(o, e->decoration);
    if (e->kind == AST_COMPONENT)
        print_component(o, e);
    else if (e->kind == AST_GUESS)
        print_guess(o, e);
    else if (e->kind == AST_EXTENDS)
        print_extends(o, e);
    else
        print_class(o, e->nested);
    print_comment(o, &e->comment);
    put(o, ";");
}

static void print_elements(printer *o, const ast_element *e)
{
    uint32_t visibility = 0;
    o->indent++;
    for (; e; e = e->next) {
        if (e->kind != AST_EXTENDS && (e->prefixes & AST_PROTECTED) != visibility) {
            visibility = e->prefixes & AST_PROTECTED;
            new_line(o);
            put(o, visibility ? "protected" : "public");
        }
        print_element(o, e);
    }
    o->indent--;
}

/* ---- classes ---- */

static void put_class_prefixes(printer *o, uint32_t prefixes)
{
    put(o, prefixes & AST_ENCAPSULATED ? "encapsulated " : "");
    put(o, prefixes & AST_PARTIAL ? "partial " : "");
    put(o, prefixes & AST_PURE ? "pure " : "");
    put(o, prefixes & AST_PURE_CONSTANT ? "constant " : "");
    put(o, prefixes & AST_IMPURE ? "impure " : "");
    put(o, prefixes & AST_OPERATOR ? "operator " : "");
}

static void print_enumeration(printer *o, const ast_class *c)
{
    put(o, c->is_open ? "enumeration(:" : "enumeration(");
    for (const ast_literal *l = c->literals; l; l = l->next) {
        put_name(o, l->name, l->quoted);
        print_comment(o, &l->comment);
        put(o, l->next ? ", " : "");
    }
    put(o, ")");
}

static void print_derivative(printer *o, const ast_class *c)
{
    put(o, "der(");
    print_expr(o, c->base, LEVEL_ANY);
    for (int32_t i = 0; i < c->n; i++) {
        put(o, ", ");
        put_name(o, c->part[i].name, c->part[i].quoted);
    }
    put(o, ")");
}

static void print_short(printer *o, const ast_class *c)
{
    put(o, " = ");
    if (c->form == AST_ENUMERATION) {
        print_enumeration(o, c);
    } else if (c->form == AST_DERIVATIVE) {
        print_derivative(o, c);
    } else {
        put_prefixes(o, c->base_prefixes);
        print_expr(o, c->base, LEVEL_ANY);
        print_dims(o, c->dims.item, c->dims.n);
        if (c->has_mods)
            print_mods(o, c->mods);
    }
    print_comment(o, &c->comment);
}

static void print_external(printer *o, const ast_external *e)
{
    new_line(o);
    put(o, "external");
    put_description(o, e->language);
    if (e->function != INTERN_NONE) {
        put(o, " ");
        if (e->result) {
            print_expr(o, e->result, LEVEL_ANY);
            put(o, " = ");
        }
        put_name(o, e->function, e->quoted);
        put(o, "(");
        print_list(o, e->args.item, e->args.n, ", ");
        put(o, ")");
    }
    print_annotation(o, e->annotation);
    put(o, ";");
}

static void print_heading(printer *o, const ast_comment *comment)
{
    print_comment(o, comment);
    put(o, comment->annotation ? ";" : "");
}

static void print_subpartition(printer *o, const ast_subpartition *s)
{
    new_line(o);
    put(o, "subpartition");
    print_mods(o, s->mods);
    print_heading(o, &s->comment);
    print_sections(o, s->sections);
}

static void print_partition(printer *o, const ast_partition *part)
{
    new_line(o);
    put(o, "partition");
    print_heading(o, &part->comment);
    for (const ast_clock *clock = part->clocks; clock; clock = clock->next) {
        new_line(o);
        put(o, "Clock ");
        put_name(o, clock->name, clock->quoted);
        put(o, " = ");
        print_expr(o, clock->value, LEVEL_ANY);
        print_comment(o, &clock->comment);
        put(o, ";");
    }
    for (const ast_subpartition *s = part->subpartitions; s; s = s->next)
        print_subpartition(o, s);
}

static void print_body(printer *o, const ast_class *c)
{
    put_description(o, c->comment.text);
    print_elements(o, c->elements);
    print_sections(o, c->sections);
    if (c->external)
        print_external(o, c->external);
    if (c->comment.annotation) {
        new_line(o);
        put(o, "  annotation");
        print_mods(o, c->comment.annotation);
        put(o, ";");
    }
    for (const ast_partition *part = c->partitions; part; part = part->next)
        print_partition(o, part);
    new_line(o);
    put(o, "end ");
    put_name(o, c->name, c->quoted);
}

static void print_class(printer *o, const ast_class *c)
{
    put_class_prefixes(o, c->prefixes);
    put(o, ast_class_kind_text(c->kind));
    put(o, " ");
    put_name(o, c->name, c->quoted);
    if (c->form == AST_LONG)
        print_body(o, c);
    else
        print_short(o, c);
}

static void print_file(printer *o, const ast_file *file)
{
    if (file->base_version) {
        put(o, "//! base ");
        put(o, file->base_version);
        put(o, "\n");
    }
    if (file->has_within) {
        put(o, "within ");
        if (file->within)
            print_expr(o, file->within, LEVEL_ANY);
        put(o, ";\n");
    }
    for (const ast_class *c = file->classes; c; c = c->next) {
        print_class(o, c);
        put(o, ";\n");
    }
}

/* ---- the function ---- */

static char *finish(printer *o)
{
    put_bytes(o, "", 1);
    return o->failed ? NULL : o->text;
}

char *ast_print(const ast_file *file, const intern_table *names, arena *mem)
{
    printer o = {.names = names, .mem = mem};
    print_file(&o, file);
    return finish(&o);
}
