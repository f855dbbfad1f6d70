/* lang/parser_declarations.c - declared names, modifiers, annotations, elements; see
 * parser_core.h.                                                                */
#include "lang/parser_core.h"

#include <string.h>

/* ---- names ---- */

declared_name parse_declared_name(parser *p, ast_list *dims)
{
    declared_name d = {.name = INTERN_NONE, .at = p->token.at};
    if (!parser_at(p, TOKEN_NAME)) {
        parser_expect(p, TOKEN_NAME);
        return d;
    }
    refuse_imported_name(p);
    ast_expr *ref = parse_ref(p, true);
    if (p->panic || ref->n == 0)
        return d;
    ast_part *last = &ref->part[ref->n - 1];
    if (dims)
        *dims = (ast_list){last->sub, last->n_subs};
    else if (last->n_subs > 0)
        parser_error(p, last->at, "this name cannot have subscripts");
    last->n_subs = 0;
    for (int32_t i = 0; i < ref->n; i++)
        d.quoted = d.quoted || ref->part[i].quoted;
    d.name = ast_flat_name(ref, &p->c->names);
    if (d.name == INTERN_NONE && !p->c->mem.failed)
        parser_error(p, ref->at, "subscripts inside a declared name must be integer literals");
    return d;
}

/* [ "@" INTEGER ] */
int32_t parse_decoration(parser *p)
{
    if (!parser_accept(p, TOKEN_AT))
        return AST_NOT_DECORATED;
    int64_t value = parser_at(p, TOKEN_INTEGER) ? p->token.integer : 0;
    if (value > INT32_MAX)
        parser_error(p, p->token.at, "this decoration is too large");
    else
        parser_expect(p, TOKEN_INTEGER);
    return (int32_t)value;
}

/* ---- modifiers ---- */

/* In annotations a keyword is a name like any other. */
static bool at_mod_name(const parser *p)
{
    return parser_at(p, TOKEN_NAME) || (p->in_annotation && p->token.kind < TOKEN_KEYWORDS);
}

/* Whether the current keyword is the prefix of a modifier and not its name. */
static bool at_mod_prefix(parser *p, token_kind word)
{
    if (!parser_at(p, word))
        return false;
    token_kind next = parser_peek(p);
    return !p->in_annotation || next <= TOKEN_NAME;
}

/* "redeclare" | "replaceable" ..., where these words do not name a modifier */
static bool at_mod_declaration(parser *p)
{
    return at_mod_prefix(p, KEY_REDECLARE) || at_mod_prefix(p, KEY_REPLACEABLE);
}

/* ["each"] ["final"] "redeclare" | "replaceable" ..., which flat models do not have.  Those of an
 * annotation are proposals of an editor and nothing else. */
static bool parse_mod_declaration(parser *p, ast_mod *m)
{
    if (!at_mod_declaration(p))
        return false;
    if (p->in_annotation) {
        m->name = parse_redeclaration(p, &m->is_each)->name;
        return true;
    }
    if (!p->is_library) {
        parser_found_components(p);
        return true;
    }
    m->declaration = parse_redeclaration(p, &m->is_each);
    m->name = m->declaration->name;
    m->quoted = m->declaration->quoted;
    m->is_final = m->is_final || m->declaration->prefixes & AST_FINAL;
    m->end = p->last_end;
    return true;
}

/* NAME { "." NAME } as one name */
static void parse_mod_name(parser *p, ast_mod *m)
{
    if (!at_mod_name(p)) {
        parser_expect(p, TOKEN_NAME);
        return;
    }
    if (parser_peek(p) == TOKEN_DOT && parser_at(p, TOKEN_NAME)) {
        declared_name d = parse_declared_name(p, NULL);
        m->name = d.name;
        m->quoted = d.quoted;
        return;
    }
    m->name = p->token.name;
    m->quoted = p->token.quoted;
    parser_advance(p);
}

/* [mods] [ "=" expr ] [strc] behind the name of a modifier */
static void parse_mod_value(parser *p, ast_mod *m)
{
    if (parser_at(p, TOKEN_LPAREN)) {
        m->has_mods = true;
        m->mods = parse_mods(p);
    }
    if (parser_accept(p, TOKEN_EQUAL)) {
        if (!parser_at(p, KEY_BREAK))
            m->value = parse_expr(p);
        else if (p->is_library)
            m->is_break = parser_accept(p, KEY_BREAK);
        else
            parser_found_components(p);
    }
    m->text = parse_description(p);
    m->end = p->last_end;
}

/* NAME "." NAME ... in a class that is instantiated: a.b = e is a(b = e).  Returns the modifier of
 * the last name. */
static ast_mod *parse_mod_path(parser *p, ast_mod *m)
{
    while (p->is_library && !p->in_annotation && parser_at(p, TOKEN_NAME) &&
           parser_peek(p) == TOKEN_DOT) {
        ast_mod *inner = parser_node(p, sizeof *inner);
        m->name = p->token.name;
        m->quoted = p->token.quoted;
        m->has_mods = true;
        m->mods = inner;
        parser_advance(p);
        parser_advance(p);
        inner->at = p->token.at;
        inner->decoration = AST_NOT_DECORATED;
        inner->is_each = m->is_each;
        inner->is_final = m->is_final;
        m->is_final = false;
        m = inner;
    }
    parse_mod_name(p, m);
    return m;
}

/* mod := [deco] ["each"] ["final"] NAME [mods] [ "=" expr ] [strc] */
static ast_mod *parse_mod(parser *p)
{
    ast_mod *m = parser_node(p, sizeof *m);
    m->at = p->token.at;
    m->name = INTERN_NONE;
    m->decoration = parse_decoration(p);
    if (parse_mod_declaration(p, m))
        return m;
    if (at_mod_prefix(p, KEY_EACH))
        m->is_each = parser_accept(p, KEY_EACH);
    if (at_mod_prefix(p, KEY_FINAL))
        m->is_final = parser_accept(p, KEY_FINAL);
    if (parse_mod_declaration(p, m))
        return m;
    if (p->is_library && parser_at(p, KEY_BREAK))
        m->is_break = parser_accept(p, KEY_BREAK);
    parse_mod_value(p, parse_mod_path(p, m));
    m->end = p->last_end;
    return m;
}

/* mods := "(" [ mod % "," ] ")" */
ast_mod *parse_mods(parser *p)
{
    ast_mod *first = NULL, **tail = &first;
    if (!parser_enter(p)) {
        parser_leave(p);
        return NULL;
    }
    if (parser_expect(p, TOKEN_LPAREN) && !parser_at(p, TOKEN_RPAREN)) {
        do {
            *tail = parse_mod(p);
            tail = &(*tail)->next;
        } while (parser_accept(p, TOKEN_COMMA));
    }
    parser_expect(p, TOKEN_RPAREN);
    parser_leave(p);
    return first;
}

/* ---- comments ---- */

/* { "+" STRING } behind the first piece: all of them as one text */
static const char *join_pieces(parser *p, const char *first)
{
    size_t mark = parser_list(p);
    int32_t n = 0;
    parser_add(p, first, strlen(first));
    while (parser_accept(p, TOKEN_PLUS)) {
        if (parser_at(p, TOKEN_STRING))
            parser_add(p, p->token.text, p->token.length);
        parser_expect(p, TOKEN_STRING);
    }
    parser_add(p, "", 1);
    return parser_take_list(p, mark, 1, &n);
}

/* strc := STRING { "+" STRING } */
const char *parse_description(parser *p)
{
    if (!parser_at(p, TOKEN_STRING))
        return NULL;
    const char *text = p->token.text;
    parser_advance(p);
    return parser_at(p, TOKEN_PLUS) ? join_pieces(p, text) : text;
}

/* annotation := "annotation" mods */
ast_mod *parse_annotation(parser *p)
{
    if (!parser_accept(p, KEY_ANNOTATION))
        return NULL;
    if (p->is_library && parser_at(p, TOKEN_LPAREN) && !p->has_ahead) {
        bool is_needed = true;
        const char *from = p->lexer.start + (p->token.at - p->lexer.base);
        const char *end = skim_annotation(from, p->lexer.stop, &is_needed);
        if (end && !is_needed) {
            p->lexer.p = end;
            p->token.end = p->lexer.base + (source_at)(end - p->lexer.start);
            parser_advance(p);
            return NULL;
        }
    }
    bool outside = p->in_annotation;
    p->in_annotation = true;
    ast_mod *mods = parse_mods(p);
    p->in_annotation = outside;
    return mods;
}

/* comment := [strc] [annotation] */
ast_comment parse_comment(parser *p)
{
    ast_comment comment = {.text = parse_description(p)};
    comment.annotation = parse_annotation(p);
    return comment;
}

/* ---- elements ---- */

static uint32_t prefix_of(token_kind kind)
{
    switch (kind) {
    case KEY_FINAL:
        return AST_FINAL;
    case KEY_INNER:
        return AST_INNER;
    case KEY_OUTER:
        return AST_OUTER;
    case KEY_FLOW:
        return AST_FLOW;
    case KEY_STREAM:
        return AST_STREAM;
    case KEY_DISCRETE:
        return AST_DISCRETE;
    case KEY_PARAMETER:
        return AST_PARAMETER;
    case KEY_CONSTANT:
        return AST_CONSTANT;
    case KEY_INPUT:
        return AST_INPUT;
    case KEY_OUTPUT:
        return AST_OUTPUT;
    case KEY_PROTECTED:
        return AST_PROTECTED;
    default:
        return 0;
    }
}

bool parse_at_element(const parser *p)
{
    return parser_at(p, TOKEN_NAME) || parser_at(p, TOKEN_DOT) || prefix_of(p->token.kind);
}

static uint32_t parse_prefixes(parser *p)
{
    uint32_t prefixes = 0;
    for (uint32_t bit; (bit = prefix_of(p->token.kind)) != 0; prefixes |= bit) {
        if (prefixes & bit)
            parser_error(p, p->token.at, "'%s' is written twice", token_text(p->token.kind));
        parser_advance(p);
    }
    return prefixes;
}

static ast_element *new_element(parser *p, ast_element_kind kind)
{
    ast_element *e = parser_node(p, sizeof *e);
    e->kind = kind;
    e->at = p->token.at;
    e->name = INTERN_NONE;
    e->decoration = AST_NOT_DECORATED;
    return e;
}

static void parse_element_mods(parser *p, ast_element *e)
{
    if (!parser_at(p, TOKEN_LPAREN))
        return;
    e->has_mods = true;
    e->mods = parse_mods(p);
}

/* decl := ID [dims] [mods] [ ("="|":=") expr ] [ "if" expr ], and its comment */
static ast_element *parse_declaration(parser *p)
{
    ast_element *e = new_element(p, AST_COMPONENT);
    declared_name d = parse_declared_name(p, &e->dims);
    e->name = d.name;
    e->quoted = d.quoted;
    parse_element_mods(p, e);
    if (parser_accept(p, TOKEN_EQUAL) || parser_accept(p, TOKEN_BECOMES))
        e->binding = parse_expr(p);
    if (parser_accept(p, KEY_IF))
        e->condition = parse_expr(p);
    e->comment = parse_comment(p);
    e->end = p->last_end;
    return e;
}

/* "equation" "guess" "(" ref ")" "=" expr comment, behind "parameter" (draft) */
static ast_element *parse_guess(parser *p)
{
    ast_element *e = new_element(p, AST_GUESS);
    parser_advance(p);
    if (!parser_at_word(p, "guess")) {
        parser_unexpected(p, "'guess' behind 'parameter equation'");
        return e;
    }
    parser_advance(p);
    parser_expect(p, TOKEN_LPAREN);
    e->type = parse_ref(p, true);
    parser_expect(p, TOKEN_RPAREN);
    parser_expect(p, TOKEN_EQUAL);
    e->binding = parse_expr(p);
    e->comment = parse_comment(p);
    e->end = p->last_end;
    return e;
}

/* Real parameter k, Real end */
static void refuse_keyword_as_name(parser *p)
{
    token_kind kind = p->token.kind;
    bool is_prefix = kind == KEY_PARAMETER || kind == KEY_CONSTANT || kind == KEY_DISCRETE ||
                     kind == KEY_INPUT || kind == KEY_OUTPUT || kind == KEY_FLOW;
    if (is_prefix)
        parser_error(p, p->token.at, "'%s' stands before the type: %s Real x", token_text(kind),
                     token_text(kind));
    else if (kind < TOKEN_KEYWORDS)
        parser_error(p, p->token.at, "'%s' is a word of the language and cannot be a name",
                     token_text(kind));
}

/* `parameter p = 3;` reads p as a type, and `const Real k` const. */
static void expect_name_behind_type(parser *p, const ast_expr *type)
{
    if (ast_simple_name(type) == INTERN_NONE)
        return;
    const char *type_name = parser_name_text(p, ast_simple_name(type));
    if (parser_at(p, TOKEN_NAME) && parser_peek(p) == TOKEN_NAME)
        parser_error(p, type->at,
                     "'%.60s' has no meaning here: before the type stand 'parameter', 'constant' "
                     "and the like",
                     type_name);
    if (parser_at(p, TOKEN_NAME))
        return;
    if (strcmp(type_name, "equations") == 0 || strcmp(type_name, "Equation") == 0 ||
        strcmp(type_name, "Equations") == 0)
        parser_error(p, type->at, "'%s' has no meaning here: the word is 'equation'", type_name);
    refuse_keyword_as_name(p);
    parser_error(p, p->token.at, "expected a name behind the type '%.60s', or the type is missing",
                 parser_name_text(p, ast_simple_name(type)));
}

/* type [dims] ( decl comment ) % ",": a list of elements that share their type */
static ast_element *parse_declarations(parser *p, uint32_t prefixes, int32_t decoration)
{
    ast_element *first = NULL, **tail = &first;
    ast_expr *type = parse_ref(p, false);
    ast_list type_dims = parse_dims(p);
    expect_name_behind_type(p, type);
    do {
        ast_element *e = *tail = parse_declaration(p);
        tail = &e->next;
        e->type = type;
        e->type_dims = type_dims;
        e->prefixes = prefixes;
        e->decoration = decoration;
    } while (parser_accept(p, TOKEN_COMMA));
    return first;
}

ast_element *parse_one_component(parser *p, uint32_t prefixes)
{
    uint32_t own = parse_prefixes(p);
    ast_expr *type = parse_ref(p, false);
    ast_list type_dims = parse_dims(p);
    ast_element *e = parse_declaration(p);
    e->type = type;
    e->type_dims = type_dims;
    e->prefixes = prefixes | own;
    return e;
}

/* element := [deco] {prefix} ( type ... | "equation" "guess" ... ) */
ast_element *parse_element(parser *p, uint32_t prefixes, int32_t decoration)
{
    uint32_t own = parse_prefixes(p);
    if (own != AST_PARAMETER || !parser_at(p, KEY_EQUATION))
        return parse_declarations(p, prefixes | own, decoration);
    ast_element *e = parse_guess(p);
    e->prefixes = prefixes | own;
    e->decoration = decoration;
    return e;
}

/* "extends" type [mods] comment */
ast_element *parse_extends(parser *p)
{
    ast_element *e = new_element(p, AST_EXTENDS);
    parser_advance(p);
    e->type = parse_ref(p, false);
    bool is_object = ast_simple_name(e->type) != INTERN_NONE &&
                     strcmp(parser_name_text(p, ast_simple_name(e->type)), "ExternalObject") == 0;
    if (!p->is_library && !p->panic && !is_object) {
        parser_found_components(p);
        return e;
    }
    parse_element_mods(p, e);
    e->comment = parse_comment(p);
    e->end = p->last_end;
    return e;
}
