/* lang/parser_clauses.c - equations, statements, and the sections and partitions that hold
 * them; see parser_core.h.                                                      */
#include "lang/parser_core.h"

#include <stdio.h>
#include <string.h>

static ast_clause *parse_clause(parser *p, bool statements);

/* ---- blocks ---- */

/* Whether an equation or a statement can begin here. Lists end at anything else. */
static bool at_clause(parser *p)
{
    switch (p->token.kind) {
    case TOKEN_NAME:
        return !parse_at_partition(p);
    case KEY_INITIAL:
    case KEY_PURE:
        return parser_peek(p) == TOKEN_LPAREN;
    case KEY_IF:
    case KEY_FOR:
    case KEY_WHEN:
    case KEY_WHILE:
    case KEY_BREAK:
    case KEY_RETURN:
    case KEY_DER:
    case KEY_NOT:
    case KEY_TRUE:
    case KEY_FALSE:
    case TOKEN_DOT:
    case TOKEN_AT:
    case TOKEN_INTEGER:
    case TOKEN_REAL:
    case TOKEN_STRING:
    case TOKEN_EMPTY:
    case TOKEN_LPAREN:
    case TOKEN_LBRACE:
    case TOKEN_LBRACKET:
    case TOKEN_PLUS:
    case TOKEN_MINUS:
    case TOKEN_DOT_PLUS:
    case TOKEN_DOT_MINUS:
        return true;
    case TOKEN_BAD: /* the lexer has reported it */
        return !p->panic;
    default:
        return false;
    }
}

ast_clause *parse_clauses(parser *p, bool statements)
{
    ast_clause *first = NULL, **tail = &first;
    bool deep = !parser_enter(p);
    while (!deep && at_clause(p)) {
        ast_clause *c = parse_clause(p, statements);
        *tail = c;
        tail = &c->next;
        parser_expect(p, TOKEN_SEMICOLON);
        parser_recover(p, TOKEN_END);
    }
    parser_leave(p);
    return first;
}

/* Expects the word behind a condition or a for, of a clause that was opened there; if it is
 * missing, skips to where the body may begin. */
static void expect_header_end(parser *p, token_kind word, source_at opened)
{
    unsigned line = (unsigned)parser_line(p, opened);
    if (!parser_at(p, word) && parser_line(p, p->token.at) != line) {
        char what[64];
        snprintf(what, sizeof what, "'%s' for line %u", token_text(word), line);
        parser_unexpected(p, what);
    }
    parser_expect(p, word);
    if (p->panic) {
        parser_recover(p, word);
        parser_accept(p, word);
    }
}

/* `word` expr `then` {clause ";"}, where `word` is the current token. */
static ast_branch *parse_branch(parser *p, token_kind then, bool statements)
{
    ast_branch *b = parser_node(p, sizeof *b);
    b->at = p->token.at;
    parser_advance(p);
    b->condition = parse_expr(p);
    expect_header_end(p, then, b->at);
    b->body = parse_clauses(p, statements);
    return b;
}

/* "end" word; else_if: where `else if` began another clause, or SOURCE_NOWHERE */
static void parse_end(parser *p, token_kind word, source_at opened, source_at else_if)
{
    if (parser_at(p, KEY_END) && parser_peek(p) == word) {
        parser_advance(p);
        parser_advance(p);
        return;
    }
    char what[160];
    int n = snprintf(what, sizeof what, "'end %s;' for the '%s' of line %u", token_text(word),
                     token_text(word), (unsigned)parser_line(p, opened));
    if (else_if != SOURCE_NOWHERE && n > 0)
        snprintf(what + n, sizeof what - (size_t)n,
                 " ('else if' in line %u begins another 'if': write 'elseif')",
                 (unsigned)parser_line(p, else_if));
    parser_unexpected(p, what);
}

/* "if"|"when" branch { "elseif"|"elsewhen" branch } [ "else" {clause ";"} ] "end" "if"|"when" */
static void parse_branches(parser *p, ast_clause *c, bool statements)
{
    token_kind word = p->token.kind, again = word == KEY_IF ? KEY_ELSEIF : KEY_ELSEWHEN;
    ast_branch **tail = &c->branches;
    source_at else_if = SOURCE_NOWHERE;
    do {
        *tail = parse_branch(p, KEY_THEN, statements);
        tail = &(*tail)->next;
    } while (parser_at(p, again));
    if (word == KEY_IF && parser_at(p, KEY_ELSE)) {
        ast_branch *b = *tail = parser_node(p, sizeof *b);
        b->at = p->token.at;
        parser_advance(p);
        if (parser_at(p, KEY_IF) && parser_line(p, p->token.at) == parser_line(p, b->at))
            else_if = p->token.at;
        b->body = parse_clauses(p, statements);
    }
    parse_end(p, word, c->at, else_if);
}

/* "for" forix "loop" {clause ";"} "end" "for" */
static void parse_for(parser *p, ast_clause *c, bool statements)
{
    ast_branch *b = c->branches = parser_node(p, sizeof *b);
    b->at = p->token.at;
    parser_advance(p);
    if (parser_at(p, TOKEN_LPAREN))
        parser_error(p, p->token.at, "write 'for i in 1:n loop', without parentheses");
    c->iterator = parse_iterators(p, &c->n);
    expect_header_end(p, KEY_LOOP, b->at);
    b->body = parse_clauses(p, statements);
    parse_end(p, KEY_FOR, c->at, SOURCE_NOWHERE);
}

/* "while" expr "loop" {stmt ";"} "end" "while" */
static void parse_while(parser *p, ast_clause *c)
{
    c->branches = parse_branch(p, KEY_LOOP, true);
    parse_end(p, KEY_WHILE, c->at, SOURCE_NOWHERE);
}

/* ---- single equations and statements ---- */

/* sexpr ["=" expr] */
static void parse_equation(parser *p, ast_clause *c)
{
    c->kind = AST_EQUATION;
    c->left = parse_simple_expr(p);
    if (parser_accept(p, TOKEN_EQUAL)) {
        c->right = parse_expr(p);
        return;
    }
    if (c->left->kind == AST_CALL) {
        c->kind = AST_INVOKE;
        if (!p->is_library && ast_is_call_of(c->left, &p->c->names, "connect"))
            parser_found_components(p);
        return;
    }
    if (parser_at(p, TOKEN_BECOMES))
        parser_error(p, p->token.at, "':=' belongs to algorithms; an equation is written with '='");
    else if (c->left->kind == AST_CHAIN && c->left->n == 2 && c->left->item[1]->joint == AST_EQ)
        parser_error(p, c->left->item[0]->end, "'==' compares; an equation is written with '='");
    else if (c->left->kind == AST_REF && parser_at(p, TOKEN_NAME))
        parser_error(p, p->token.at, "expected '='; declarations must stand before 'equation'");
    else
        parser_unexpected(p, "'=' and the right side of the equation");
}

/* What may stand left of ':='. */
static bool is_target(const ast_expr *e)
{
    if (e->kind != AST_TUPLE)
        return e->kind == AST_REF;
    for (int32_t i = 0; i < e->n; i++)
        if (e->item[i] && e->item[i]->kind != AST_REF)
            return false;
    return true;
}

/* ref ( ":=" expr | callargs ) | "(" outs ")" ":=" expr */
static void parse_statement(parser *p, ast_clause *c)
{
    c->kind = AST_ASSIGN;
    c->left = parse_primary(p);
    if (parser_at(p, TOKEN_BECOMES) && !is_target(c->left)) {
        parser_error(p, c->left->at, "only a variable or (a, b, ...) can be assigned to");
    } else if (parser_accept(p, TOKEN_BECOMES)) {
        c->right = parse_expr(p);
    } else if (parser_at(p, TOKEN_EQUAL)) {
        parser_error(p, p->token.at, "in an algorithm a value is assigned with ':=', not '='");
    } else if (c->left->kind == AST_CALL) {
        c->kind = AST_INVOKE;
    } else {
        parser_unexpected(p, "':='");
    }
}

static void parse_word(parser *p, ast_clause *c, ast_clause_kind kind)
{
    c->kind = kind;
    parser_advance(p);
}

static void parse_simple(parser *p, ast_clause *c, bool statements)
{
    token_kind word = p->token.kind;
    bool algorithmic = word == KEY_WHILE || word == KEY_BREAK || word == KEY_RETURN;
    if (!algorithmic && !statements)
        parse_equation(p, c);
    else if (!algorithmic)
        parse_statement(p, c);
    else if (!statements)
        parser_error(p, p->token.at, "'%s' belongs to algorithms", token_text(word));
    else if (word == KEY_WHILE)
        parse_while(p, c);
    else
        parse_word(p, c, word == KEY_BREAK ? AST_BREAK : AST_RETURN);
    bool ends = parser_at(p, TOKEN_SEMICOLON) || parser_at(p, TOKEN_STRING) || p->panic;
    if (c->kind == AST_RETURN && !ends && !parser_at(p, KEY_ANNOTATION))
        parser_error(p, p->token.at,
                     "'return' takes no value: assign it to an output of the function before");
}

/* [deco] ( if | for | when | while | equation | statement ) comment */
static ast_clause *parse_clause(parser *p, bool statements)
{
    ast_clause *c = parser_node(p, sizeof *c);
    c->at = p->token.at;
    c->decoration = parse_decoration(p);
    switch (p->token.kind) {
    case KEY_IF:
    case KEY_WHEN:
        c->kind = parser_at(p, KEY_IF) ? AST_CHOICE : AST_WHEN;
        parse_branches(p, c, statements);
        break;
    case KEY_FOR:
        c->kind = AST_FOR;
        parse_for(p, c, statements);
        break;
    case KEY_WHILE:
        c->kind = AST_WHILE;
        parse_simple(p, c, statements);
        break;
    default:
        parse_simple(p, c, statements);
        break;
    }
    c->comment = parse_comment(p);
    c->end = p->last_end;
    return c;
}

/* ---- sections ---- */

bool parse_at_section(parser *p)
{
    if (parser_at(p, KEY_EQUATION) || parser_at(p, KEY_ALGORITHM))
        return true;
    if (!parser_at(p, KEY_INITIAL))
        return false;
    token_kind next = parser_peek(p);
    return next == KEY_EQUATION || next == KEY_ALGORITHM;
}

/* ["initial"] ( "equation" {eq ";"} | "algorithm" {stmt ";"} ) */
ast_section *parse_section(parser *p)
{
    ast_section *s = parser_node(p, sizeof *s);
    s->at = p->token.at;
    bool initial = parser_accept(p, KEY_INITIAL);
    bool statements = parser_at(p, KEY_ALGORITHM);
    if (statements)
        s->kind = initial ? AST_INITIAL_ALGORITHM : AST_ALGORITHM;
    else
        s->kind = initial ? AST_INITIAL_EQUATIONS : AST_EQUATIONS;
    parser_advance(p);
    s->clauses = parse_clauses(p, statements);
    return s;
}

/* ---- partitions (draft) ---- */

/* `partition` and `subpartition` are keywords of the draft and names elsewhere: the next token
 * decides. */
bool parse_at_partition(parser *p)
{
    if (parser_at_word(p, "subpartition"))
        return parser_peek(p) == TOKEN_LPAREN;
    if (!parser_at_word(p, "partition"))
        return false;
    switch (parser_peek(p)) {
    case TOKEN_STRING:
    case KEY_ANNOTATION:
    case KEY_END:
        return true;
    case TOKEN_NAME: { /* `partition Clock c = ...` or `partition subpartition (...)` */
        const char *next = parser_name_text(p, p->ahead.name);
        return !p->ahead.quoted && (!strcmp(next, "Clock") || !strcmp(next, "subpartition") ||
                                    !strcmp(next, "partition"));
    }
    default:
        return false;
    }
}

/* [strc] [annotation ";"] */
static ast_comment parse_heading(parser *p)
{
    ast_comment comment = parse_comment(p);
    if (comment.annotation)
        parser_expect(p, TOKEN_SEMICOLON);
    parser_recover(p, TOKEN_END);
    return comment;
}

/* "Clock" ID "=" expr comment ";" */
static ast_clock *parse_clock(parser *p)
{
    ast_clock *clock = parser_node(p, sizeof *clock);
    parser_advance(p);
    declared_name name = parse_declared_name(p, NULL);
    clock->name = name.name;
    clock->quoted = name.quoted;
    clock->at = name.at;
    parser_expect(p, TOKEN_EQUAL);
    clock->value = parse_expr(p);
    clock->comment = parse_comment(p);
    parser_expect(p, TOKEN_SEMICOLON);
    parser_recover(p, TOKEN_END);
    return clock;
}

/* "subpartition" mods [strc] [annotation ";"] { "equation" {eq ";"} | "algorithm" {stmt ";"} } */
static ast_subpartition *parse_subpartition(parser *p)
{
    ast_subpartition *s = parser_node(p, sizeof *s);
    ast_section **tail = &s->sections;
    s->at = p->token.at;
    parser_advance(p);
    s->mods = parse_mods(p);
    s->comment = parse_heading(p);
    while (parse_at_section(p)) {
        *tail = parse_section(p);
        tail = &(*tail)->next;
    }
    return s;
}

/* "partition" [strc] [annotation ";"] { clock } { subpartition } */
ast_partition *parse_partition(parser *p)
{
    ast_partition *part = parser_node(p, sizeof *part);
    ast_clock **clock = &part->clocks;
    ast_subpartition **sub = &part->subpartitions;
    part->at = p->token.at;
    parser_advance(p);
    part->comment = parse_heading(p);
    while (parser_at_word(p, "Clock")) {
        *clock = parse_clock(p);
        clock = &(*clock)->next;
    }
    while (parser_at_word(p, "subpartition")) {
        *sub = parse_subpartition(p);
        sub = &(*sub)->next;
    }
    return part;
}
