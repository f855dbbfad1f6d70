/* lang/parser_classes.c - class definitions, long and short; see parser_core.h. */
#include <string.h>

#include "lang/parser_core.h"

/* ---- heads ---- */

/* The kind of class a keyword begins, or -1. */
static int class_kind(token_kind kind)
{
    switch (kind) {
    case KEY_MODEL:
        return AST_MODEL;
    case KEY_CLASS:
        return AST_CLASS;
    case KEY_BLOCK:
        return AST_BLOCK;
    case KEY_RECORD:
        return AST_RECORD;
    case KEY_FUNCTION:
        return AST_FUNCTION_CLASS;
    case KEY_TYPE:
        return AST_TYPE;
    case KEY_CONNECTOR:
        return AST_CONNECTOR;
    case KEY_PACKAGE:
        return AST_PACKAGE;
    default:
        return -1;
    }
}

static uint32_t class_prefix(token_kind kind)
{
    switch (kind) {
    case KEY_ENCAPSULATED:
        return AST_ENCAPSULATED;
    case KEY_PARTIAL:
        return AST_PARTIAL;
    case KEY_PURE:
        return AST_PURE;
    case KEY_IMPURE:
        return AST_IMPURE;
    case KEY_OPERATOR:
        return AST_OPERATOR;
    case KEY_EXPANDABLE:
        return AST_EXPANDABLE;
    default:
        return 0;
    }
}

static bool begins_class(token_kind kind)
{
    return class_kind(kind) >= 0 || class_prefix(kind) != 0;
}

bool parse_at_class(const parser *p)
{
    return begins_class(p->token.kind);
}

/* { "encapsulated" | "partial" } [ "pure" ["constant"] | "impure" ] ["operator"] kind */
static void parse_class_kind(parser *p, ast_class *c)
{
    for (uint32_t bit; (bit = class_prefix(p->token.kind)) != 0;) {
        if (bit == AST_EXPANDABLE && !p->is_library) {
            parser_found_components(p);
            return;
        }
        if (c->prefixes & bit)
            parser_error(p, p->token.at, "'%s' is written twice", token_text(p->token.kind));
        c->prefixes |= bit;
        parser_advance(p);
        if (bit == AST_PURE && parser_accept(p, KEY_CONSTANT))
            c->prefixes |= AST_PURE_CONSTANT;
    }
    int kind = class_kind(p->token.kind);
    if (kind < 0 && (c->prefixes & AST_OPERATOR) && parser_at(p, TOKEN_NAME)) {
        if (!p->is_library)
            parser_found_components(p);
        c->kind = AST_PACKAGE; /* operator 'constructor' ... */
        return;
    }
    if (kind < 0) {
        parser_unexpected(p, "'model', 'function', 'record' or another kind of class");
        return;
    }
    c->kind = (ast_class_kind)kind;
    parser_advance(p);
}

/* ---- short definitions ---- */

/* ID comment */
static ast_literal *parse_enumeration_literal(parser *p)
{
    ast_literal *l = parser_node(p, sizeof *l);
    l->name = p->token.name;
    l->quoted = p->token.quoted;
    l->at = p->token.at;
    parser_expect(p, TOKEN_NAME);
    l->comment = parse_comment(p);
    return l;
}

/* "enumeration" "(" ( ":" | ( ID comment ) % "," ) ")" */
static void parse_enumeration(parser *p, ast_class *c)
{
    ast_literal **tail = &c->literals;
    c->form = AST_ENUMERATION;
    parser_advance(p);
    parser_expect(p, TOKEN_LPAREN);
    c->is_open = parser_accept(p, TOKEN_COLON);
    if (!c->is_open) {
        do {
            *tail = parse_enumeration_literal(p);
            tail = &(*tail)->next;
        } while (parser_accept(p, TOKEN_COMMA));
    }
    parser_expect(p, TOKEN_RPAREN);
}

/* "der" "(" NAME { "," ID } ")" */
static void parse_derivative(parser *p, ast_class *c)
{
    c->form = AST_DERIVATIVE;
    parser_advance(p);
    parser_expect(p, TOKEN_LPAREN);
    c->base = parse_ref(p, false);
    size_t mark = parser_list(p);
    while (parser_accept(p, TOKEN_COMMA)) {
        ast_part part = {.name = p->token.name,
                         .quoted = p->token.quoted,
                         .at = p->token.at,
                         .end = p->token.end};
        parser_expect(p, TOKEN_NAME);
        parser_add(p, &part, sizeof part);
    }
    c->part = parser_take_list(p, mark, sizeof *c->part, &c->n);
    parser_expect(p, TOKEN_RPAREN);
}

/* ["input"|"output"] type [dims] [mods] */
static void parse_alias(parser *p, ast_class *c)
{
    c->form = AST_ALIAS;
    if (parser_accept(p, KEY_INPUT))
        c->base_prefixes = AST_INPUT;
    else if (parser_accept(p, KEY_OUTPUT))
        c->base_prefixes = AST_OUTPUT;
    c->base = parse_ref(p, false);
    c->dims = parse_dims(p);
    if (parser_at(p, TOKEN_LPAREN)) {
        c->has_mods = true;
        c->mods = parse_mods(p);
    }
}

static void parse_short(parser *p, ast_class *c)
{
    if (parser_at(p, KEY_ENUMERATION))
        parse_enumeration(p, c);
    else if (parser_at(p, KEY_DER))
        parse_derivative(p, c);
    else
        parse_alias(p, c);
    c->comment = parse_comment(p);
}

/* ---- bodies ---- */

/* The ends of the lists of a class while it is read. */
typedef struct body {
    ast_class *c;
    ast_element **element;
    ast_section **section;
    ast_mod **annotation;
    ast_partition **partition;
    uint32_t visibility; /* AST_PROTECTED behind `protected` */
    bool statements;     /* the last section was an algorithm */
} body;

/* Nodes made without memory are not linked, since they all lie at the same place. */
static void append_elements(const parser *p, body *b, ast_element *e)
{
    *b->element = e;
    while (!p->stopped && *b->element)
        b->element = &(*b->element)->next;
}

/* [ref "="] ID "(" [expr % ","] ")" */
static void parse_external_call(parser *p, ast_external *e)
{
    ast_expr *ref = parse_ref(p, true);
    if (parser_accept(p, TOKEN_EQUAL)) {
        e->result = ref;
        ref = parse_ref(p, false);
    }
    e->function = ast_simple_name(ref);
    if (e->function == INTERN_NONE)
        parser_error(p, ref->at, "the name of an external function cannot have dots or subscripts");
    else
        e->quoted = ref->part[0].quoted;
    if (parser_expect(p, TOKEN_LPAREN))
        e->args = parse_values(p, TOKEN_RPAREN);
}

/* "external" [STRING] [call] [annotation] ";" */
static void parse_external(parser *p, ast_class *c)
{
    if (c->external)
        parser_error(p, p->token.at, "a function can have only one 'external'");
    ast_external *e = c->external = parser_node(p, sizeof *e);
    e->at = p->token.at;
    e->function = INTERN_NONE;
    parser_advance(p);
    e->language = parse_description(p);
    if (parser_at(p, TOKEN_NAME))
        parse_external_call(p, e);
    e->annotation = parse_annotation(p);
    e->end = p->last_end;
    parser_expect(p, TOKEN_SEMICOLON);
}

/* Prefixes that may stand before a class. */
static uint32_t parse_class_prefixes(parser *p)
{
    static const struct {
        token_kind word;
        uint32_t bit;
    } rows[] = {{KEY_REDECLARE, AST_REDECLARE},
                {KEY_FINAL, AST_FINAL},
                {KEY_INNER, AST_INNER},
                {KEY_OUTER, AST_OUTER},
                {KEY_REPLACEABLE, AST_REPLACEABLE}};
    uint32_t prefixes = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (parser_accept(p, rows[i].word))
            prefixes |= rows[i].bit;
    return prefixes;
}

/* [ "constrainedby" type [mods] comment ] */
static void parse_constraint(parser *p, ast_element *e)
{
    if (!parser_accept(p, KEY_CONSTRAINEDBY))
        return;
    e->constraint = parse_ref(p, false);
    if (parser_at(p, TOKEN_LPAREN))
        e->constraint_mods = parse_mods(p);
    parse_comment(p);
}

static ast_element *nested_element(parser *p, source_at at, uint32_t prefixes)
{
    ast_element *e = parser_node(p, sizeof *e);
    e->kind = AST_NESTED;
    e->prefixes = prefixes;
    e->decoration = AST_NOT_DECORATED;
    e->at = at;
    e->nested = parse_class(p);
    e->name = e->nested->name;
    e->quoted = e->nested->quoted;
    e->end = p->last_end;
    return e;
}

ast_element *parse_redeclaration(parser *p, bool *is_each)
{
    source_at at = p->token.at;
    uint32_t prefixes = parser_accept(p, KEY_REDECLARE) ? AST_REDECLARE : 0;
    *is_each = parser_accept(p, KEY_EACH) || *is_each;
    prefixes |= parse_class_prefixes(p);
    ast_element *e =
        parse_at_class(p) ? nested_element(p, at, prefixes) : parse_one_component(p, prefixes);
    parse_constraint(p, e);
    return e;
}

/* {prefix} ( classdef | components ) [constraint] ";" */
static void parse_library_element(parser *p, body *b)
{
    source_at at = p->token.at;
    uint32_t prefixes = b->visibility | parse_class_prefixes(p);
    ast_element *e = parse_at_class(p) ? nested_element(p, at, prefixes)
                                       : parse_element(p, prefixes, AST_NOT_DECORATED);
    append_elements(p, b, e);
    parse_constraint(p, e);
    for (ast_element *more = e->next; more && !p->stopped; more = more->next) {
        more->constraint = e->constraint;
        more->constraint_mods = e->constraint_mods;
    }
    parser_expect(p, TOKEN_SEMICOLON);
}

/* ("inner" | "outer") before a class, which flat models do not have */
static bool at_inner_class(parser *p)
{
    bool is_prefix = parser_at(p, KEY_INNER) || parser_at(p, KEY_OUTER);
    return is_prefix && begins_class(parser_peek(p));
}

/* [deco] ( classdef | element ) ";" */
static void parse_class_element(parser *p, body *b)
{
    source_at at = p->token.at;
    int32_t decoration = parse_decoration(p);
    if (at_inner_class(p)) {
        parser_found_components(p);
        return;
    }
    if (!parse_at_class(p)) {
        append_elements(p, b, parse_element(p, b->visibility, decoration));
    } else {
        ast_element *e = parser_node(p, sizeof *e);
        e->kind = AST_NESTED;
        e->prefixes = b->visibility;
        e->decoration = decoration;
        e->at = at;
        e->nested = parse_class(p);
        e->name = e->nested->name;
        e->quoted = e->nested->quoted;
        e->end = p->last_end;
        append_elements(p, b, e);
    }
    parser_expect(p, TOKEN_SEMICOLON);
}

static void parse_class_section(parser *p, body *b)
{
    if (b->c->kind == AST_PACKAGE && !p->is_library)
        source_error(&p->c->sources, p->token.at, "a package cannot have equations or algorithms");
    ast_section *s = *b->section = parse_section(p);
    b->section = &s->next;
    b->statements = s->kind == AST_ALGORITHM || s->kind == AST_INITIAL_ALGORITHM;
}

/* "annotation" mods ";"; several of them are joined */
static void parse_class_annotation(parser *p, body *b)
{
    *b->annotation = parse_annotation(p);
    while (!p->stopped && *b->annotation)
        b->annotation = &(*b->annotation)->next;
    parser_expect(p, TOKEN_SEMICOLON);
}

static void import_element(parser *p, body *b, token alias, ast_expr *target, bool is_all);

static void add_import(parser *p, body *b, token alias, ast_expr *target)
{
    if (p->is_library) {
        import_element(p, b, alias, target, false);
        return;
    }
    parser_import *i = parser_node(p, sizeof *i);
    *i = (parser_import){p->imports, alias.name, target, alias.at};
    if (!p->stopped && !p->panic)
        p->imports = i;
}

/* "{" ID % "," "}": each of them behind the name of their package */
static void parse_import_list(parser *p, body *b, const ast_expr *package)
{
    parser_advance(p);
    do {
        token alias = p->token;
        ast_part part = {.name = alias.name, .at = alias.at, .end = alias.end};
        if (!parser_expect(p, TOKEN_NAME))
            return;
        ast_expr *target = parser_node(p, sizeof *target);
        size_t mark = parser_list(p);
        *target = *package;
        for (int32_t k = 0; k < package->n; k++)
            parser_add(p, &package->part[k], sizeof package->part[k]);
        parser_add(p, &part, sizeof part);
        target->part = parser_take_list(p, mark, sizeof *target->part, &target->n);
        add_import(p, b, alias, target);
    } while (parser_accept(p, TOKEN_COMMA));
    parser_expect(p, TOKEN_RBRACE);
}

static void import_element(parser *p, body *b, token alias, ast_expr *target, bool is_all)
{
    ast_element *e = parser_node(p, sizeof *e);
    *e = (ast_element){.kind = AST_IMPORT,
                       .at = target->at,
                       .end = p->last_end,
                       .name = is_all ? INTERN_NONE : alias.name,
                       .decoration = AST_NOT_DECORATED,
                       .has_mods = is_all,
                       .type = target};
    append_elements(p, b, e);
}

/* All names of a package of this file are known without it; those of the library only in full. */
static void parse_import_all(parser *p, body *b, ast_expr *package)
{
    if (p->is_library) {
        import_element(p, b, p->token, package, true);
        parser_advance(p);
        return;
    }
    p->c->lacks_class = true;
    if (package->n > 0 && strcmp(parser_name_text(p, package->part[0].name), "Modelica") == 0)
        parser_error(p, package->at,
                     "names of the library are imported one by one: "
                     "'import Modelica.Constants.pi;'");
    parser_advance(p);
}

/* ID { "." ID } without imports; the last of them goes to *last */
static ast_expr *parse_import_name(parser *p, token *last)
{
    ast_expr *e = parser_node(p, sizeof *e);
    size_t mark = parser_list(p);
    *e = (ast_expr){.kind = AST_REF, .at = p->token.at};
    do {
        *last = p->token;
        ast_part part = {
            .name = last->name, .quoted = last->quoted, .at = last->at, .end = last->end};
        if (!parser_expect(p, TOKEN_NAME))
            break;
        parser_add(p, &part, sizeof part);
    } while (parser_at(p, TOKEN_DOT) && parser_peek(p) == TOKEN_NAME &&
             parser_accept(p, TOKEN_DOT));
    e->part = parser_take_list(p, mark, sizeof *e->part, &e->n);
    e->end = p->last_end;
    return e;
}

/* "import" ( ID "=" NAME | NAME [ ".*" | "." "{" ID % "," "}" ] ) comment ";" */
static void parse_import(parser *p, body *b)
{
    token last, alias;
    parser_advance(p);
    ast_expr *name = parse_import_name(p, &last);
    alias = last;
    if (parser_at(p, TOKEN_DOT_TIMES)) {
        parse_import_all(p, b, name);
    } else if (parser_accept(p, TOKEN_DOT)) {
        parse_import_list(p, b, name);
    } else {
        if (name->n == 1 && parser_accept(p, TOKEN_EQUAL))
            name = parse_import_name(p, &last);
        add_import(p, b, alias, name);
    }
    parse_comment(p);
    parser_expect(p, TOKEN_SEMICOLON);
}

/* Keywords of full Modelica get messages of their own. */
static void refuse_item(parser *p)
{
    switch (p->token.kind) {
    case KEY_REDECLARE:
    case KEY_REPLACEABLE:
        parser_found_components(p);
        break;
    case TOKEN_SEMICOLON:
        parser_error(p, p->token.at, "this ';' follows another one: remove it");
        break;
    case KEY_DER:
        parser_error(p, p->token.at, "an equation must stand behind the word 'equation'");
        break;
    default:
        parser_unexpected(p, "a declaration, 'equation', 'algorithm' or 'end'");
        break;
    }
}

static void parse_item(parser *p, body *b)
{
    if (parse_at_section(p)) {
        parse_class_section(p, b);
    } else if (parser_at(p, KEY_PUBLIC) || parser_at(p, KEY_PROTECTED)) {
        b->visibility = parser_at(p, KEY_PROTECTED) ? AST_PROTECTED : 0;
        parser_advance(p);
    } else if (parser_at(p, KEY_ANNOTATION)) {
        parse_class_annotation(p, b);
    } else if (parser_at(p, KEY_EXTERNAL)) {
        parse_external(p, b->c);
    } else if (parser_at(p, KEY_IMPORT)) {
        parse_import(p, b);
    } else if (parser_at(p, KEY_EXTENDS)) {
        append_elements(p, b, parse_extends(p));
        parser_expect(p, TOKEN_SEMICOLON);
    } else if (p->is_library && (parse_at_class(p) || parse_at_element(p) ||
                                 parser_at(p, KEY_REDECLARE) || parser_at(p, KEY_REPLACEABLE))) {
        parse_library_element(p, b);
    } else if (parse_at_partition(p)) {
        b->partition = &(*b->partition = parse_partition(p))->next;
    } else if (parser_at(p, TOKEN_AT) || parse_at_class(p) || parse_at_element(p)) {
        parse_class_element(p, b);
    } else {
        refuse_item(p);
    }
}

/* `end if` and the like are skipped if their beginning was lost in an earlier error; otherwise
 * they are an error. */
static bool skip_stray_end(parser *p)
{
    if (!parser_at(p, KEY_END))
        return false;
    token_kind word = parser_peek(p);
    if (word != KEY_IF && word != KEY_FOR && word != KEY_WHEN && word != KEY_WHILE)
        return false;
    if (p->c->sources.n_errors == p->old_errors) {
        parser_error(p, p->token.at, "'end %s' without its '%s'", token_text(word),
                     token_text(word));
        parser_recover(p, KEY_END);
    }
    parser_advance(p);
    parser_advance(p);
    parser_accept(p, TOKEN_SEMICOLON);
    return true;
}

/* `else`, `elseif c then`, `elsewhen c then` whose `if` was lost in an error */
static bool skip_stray_else(parser *p)
{
    bool alone = parser_at(p, KEY_ELSE);
    if (!alone && !parser_at(p, KEY_ELSEIF) && !parser_at(p, KEY_ELSEWHEN))
        return false;
    if (p->c->sources.n_errors == p->old_errors)
        return false;
    parser_advance(p);
    if (!alone) {
        parse_expr(p);
        parser_accept(p, KEY_THEN);
    }
    return true;
}

static void parse_body(parser *p, ast_class *c)
{
    body b = {.c = c,
              .element = &c->elements,
              .section = &c->sections,
              .annotation = &c->comment.annotation,
              .partition = &c->partitions};
    while (!parser_at(p, TOKEN_END)) {
        if (skip_stray_end(p) || skip_stray_else(p)) {
            if (c->sections)
                parse_clauses(p, b.statements);
            parser_recover(p, TOKEN_END);
            continue;
        }
        if (parser_at(p, KEY_END))
            return;
        parse_item(p, &b);
        parser_recover(p, TOKEN_END);
    }
}

/* Imports hold inside the class. */
static void parse_items(parser *p, ast_class *c)
{
    parser_import *around = p->imports;
    parse_body(p, c);
    p->imports = around;
}

/* "end" NAME */
static void parse_class_end(parser *p, const ast_class *c)
{
    const char *name = parser_name_text(p, c->name);
    if (parser_at(p, TOKEN_END))
        parser_error(p, p->token.at, "'end %s;' is missing for the %s of line %u", name,
                     ast_class_kind_text(c->kind), (unsigned)parser_line(p, c->at));
    parser_expect(p, KEY_END);
    source_at at = p->token.at;
    if (parser_at(p, TOKEN_SEMICOLON))
        parser_error(p, at, "the end of a class repeats its name: write 'end %s;'", name);
    declared_name end = parse_declared_name(p, NULL);
    if (end.name != c->name && !p->panic && !p->stopped && c->name != INTERN_NONE)
        source_error(&p->c->sources, at, "the %s of line %u is named '%s', not '%s'",
                     ast_class_kind_text(c->kind), (unsigned)parser_line(p, c->at), name,
                     parser_name_text(p, end.name));
}

/* Skips the body of a class that stands in another one; false: it has no end. */
static bool skip_body(parser *p, ast_class *c, source_at begin)
{
    const char *from = p->lexer.start + (p->token.at - p->lexer.base);
    const char *end = p->panic || p->stopped ? NULL : skim_class(from, p->lexer.stop);
    if (!end)
        return false;
    c->form = AST_UNREAD;
    c->unread = sources_place(&p->c->sources, begin).source;
    c->from = begin - p->lexer.base;
    c->comment.text = parse_description(p); /* for lists of classes */
    p->lexer.p = end;
    p->has_ahead = false;
    p->token.end = p->lexer.base + (source_at)(end - p->lexer.start);
    parser_advance(p);
    return true;
}

/* "extends" behind the kind: the class replaces an inherited one and extends it. */
static void parse_class_extends(parser *p, ast_class *c)
{
    if (!parser_at(p, KEY_EXTENDS))
        return;
    if (!p->is_library) {
        parser_found_components(p);
        return;
    }
    parser_advance(p);
    c->prefixes |= AST_CLASS_EXTENDS;
}

/* classdef := prefixes kind ["extends"] NAME ( "=" shortdef | [mods] [strc] body "end" NAME ) */
ast_class *parse_class(parser *p)
{
    ast_class *c = parser_node(p, sizeof *c);
    source_at begin = p->token.at;
    bool deep = !parser_enter(p), is_nested = p->is_library && p->is_inside;
    parse_class_kind(p, c);
    parse_class_extends(p, c);
    declared_name d = parse_declared_name(p, NULL);
    c->name = d.name;
    c->quoted = d.quoted;
    c->at = d.at;
    if (parser_accept(p, TOKEN_EQUAL)) {
        parse_short(p, c);
    } else if (!deep && !(is_nested && skip_body(p, c, begin))) {
        if (p->is_library && parser_at(p, TOKEN_LPAREN))
            c->mods = parse_mods(p);
        c->comment.text = parse_description(p);
        parser_recover(p, TOKEN_END);
        p->is_inside = true;
        parse_items(p, c);
        p->is_inside = is_nested;
        parse_class_end(p, c);
    }
    parser_leave(p);
    c->end = p->last_end;
    return c;
}
