/* lang/parser_expressions.c - expressions; see parser_core.h.
 *
 * One function per level of precedence, loosest first; operators of one level that associate
 * to the left become one AST_CHAIN node, so that long sums make no deep trees.   */
#include <string.h>

#include "lang/parser_core.h"

/* ---- nodes ---- */

static ast_expr *new_expr(parser *p, ast_expr_kind kind, source_at at)
{
    ast_expr *e = parser_node(p, sizeof *e);
    e->kind = (uint8_t)kind;
    e->at = at;
    e->end = p->token.end;
    return e;
}

static ast_expr *finish(const parser *p, ast_expr *e)
{
    e->end = p->last_end;
    return e;
}

static void add_item(parser *p, ast_expr *e)
{
    parser_add(p, &e, sizeof e);
}

static void take_items(parser *p, size_t mark, ast_expr *e)
{
    e->item = parser_take_list(p, mark, sizeof *e->item, &e->n);
}

/* x % ",", up to a closing token that stays. */
static void add_values(parser *p)
{
    do
        add_item(p, parse_expr(p));
    while (parser_accept(p, TOKEN_COMMA));
}

ast_list parse_values(parser *p, token_kind closing)
{
    ast_list list = {0};
    size_t mark = parser_list(p);
    if (!parser_at(p, closing))
        add_values(p);
    parser_expect(p, closing);
    list.item = parser_take_list(p, mark, sizeof *list.item, &list.n);
    return list;
}

/* ---- references ---- */

static ast_expr *parse_subscript(parser *p)
{
    if (!parser_at(p, TOKEN_COLON))
        return parse_expr(p);
    ast_expr *e = new_expr(p, AST_COLON, p->token.at);
    parser_advance(p);
    return e;
}

/* dims := "[" ( ":" | expr ) % "," "]" */
ast_list parse_dims(parser *p)
{
    ast_list list = {0};
    if (!parser_accept(p, TOKEN_LBRACKET))
        return list;
    size_t mark = parser_list(p);
    p->subscripts++;
    do
        add_item(p, parse_subscript(p));
    while (parser_accept(p, TOKEN_COMMA));
    p->subscripts--;
    parser_expect(p, TOKEN_RBRACKET);
    list.item = parser_take_list(p, mark, sizeof *list.item, &list.n);
    return list;
}

static void add_subscripts(parser *p, ast_part *part)
{
    if (parser_at(p, TOKEN_LBRACKET)) {
        ast_list dims = parse_dims(p);
        part->sub = dims.item;
        part->n_subs = dims.n;
    }
    part->end = p->last_end;
}

/* ID [dims], where the ID is the current token whatever it is. */
static ast_part take_part(parser *p, bool with_subscripts)
{
    ast_part part = {.name = p->token.name, .quoted = p->token.quoted, .at = p->token.at};
    parser_advance(p);
    part.end = p->last_end;
    if (with_subscripts)
        add_subscripts(p, &part);
    return part;
}

static void add_part(parser *p, bool with_subscripts)
{
    if (!parser_at(p, TOKEN_NAME)) {
        parser_expect(p, TOKEN_NAME);
        return;
    }
    ast_part part = take_part(p, with_subscripts);
    parser_add(p, &part, sizeof part);
}

/* ---- imports ---- */

/* The import of this name, or NULL. */
static const parser_import *import_of(const parser *p, int32_t name)
{
    for (const parser_import *i = p->imports; i; i = i->next)
        if (i->alias == name)
            return i;
    return NULL;
}

void refuse_imported_name(parser *p)
{
    bool is_name = parser_at(p, TOKEN_NAME) && !p->token.quoted;
    const parser_import *i = is_name ? import_of(p, p->token.name) : NULL;
    if (i)
        parser_error(p, p->token.at, "'%s' is imported in line %u: give this another name",
                     parser_name_text(p, i->alias), (unsigned)parser_line(p, i->at));
}

/* The subscripts of the alias belong to the last part of what it stands for. */
static void expand_import(parser *p, ast_expr *e)
{
    bool is_plain = p->imports && !p->panic && e->n > 0 && !e->flag && !e->part[0].quoted;
    const parser_import *i = is_plain ? import_of(p, e->part[0].name) : NULL;
    if (!i || i->target->n == 0)
        return;
    ast_part first = e->part[0], *rest = e->part + 1;
    int32_t n_rest = e->n - 1;
    size_t mark = parser_list(p);
    for (int32_t k = 0; k < i->target->n; k++) {
        ast_part part = k + 1 < i->target->n ? i->target->part[k] : first;
        part.name = i->target->part[k].name;
        part.at = first.at;
        part.end = first.end;
        parser_add(p, &part, sizeof part);
    }
    for (int32_t k = 0; k < n_rest; k++)
        parser_add(p, &rest[k], sizeof rest[k]);
    e->part = parser_take_list(p, mark, sizeof *e->part, &e->n);
}

/* ref := ["."] ID [dims] { "." ID [dims] } */
ast_expr *parse_ref(parser *p, bool with_subscripts)
{
    ast_expr *e = new_expr(p, AST_REF, p->token.at);
    size_t mark = parser_list(p);
    e->flag = parser_accept(p, TOKEN_DOT);
    do
        add_part(p, with_subscripts);
    while (parser_accept(p, TOKEN_DOT));
    e->part = parser_take_list(p, mark, sizeof *e->part, &e->n);
    expand_import(p, e);
    return finish(p, e);
}

/* post := dims | "." ID, any number of them */
static ast_expr *parse_access(parser *p, ast_expr *base)
{
    if (!parser_at(p, TOKEN_LBRACKET) && !parser_at(p, TOKEN_DOT))
        return base;
    ast_expr *e = new_expr(p, AST_ACCESS, base->at);
    size_t mark = parser_list(p);
    e->base = base;
    while (parser_at(p, TOKEN_LBRACKET) || parser_at(p, TOKEN_DOT)) {
        if (parser_accept(p, TOKEN_DOT)) {
            add_part(p, true);
            continue;
        }
        ast_part part = {.name = INTERN_NONE, .at = p->token.at};
        add_subscripts(p, &part);
        parser_add(p, &part, sizeof part);
    }
    e->part = parser_take_list(p, mark, sizeof *e->part, &e->n);
    return finish(p, e);
}

/* ---- calls ---- */

/* forix := ( ID ["in" expr] ) % "," */
ast_iterator *parse_iterators(parser *p, int32_t *n)
{
    size_t mark = parser_list(p);
    do {
        refuse_imported_name(p);
        ast_iterator i = {p->token.name, p->token.quoted, p->token.at, NULL};
        if (parser_expect(p, TOKEN_NAME) && parser_accept(p, KEY_IN))
            i.range = parse_expr(p);
        parser_add(p, &i, sizeof i);
    } while (parser_accept(p, TOKEN_COMMA));
    return parser_take_list(p, mark, sizeof(ast_iterator), n);
}

/* expr ["for" forix] */
static ast_expr *parse_iterated(parser *p)
{
    ast_expr *body = parse_expr(p);
    if (!parser_accept(p, KEY_FOR))
        return body;
    ast_expr *e = new_expr(p, AST_ITERATED, body->at);
    e->base = body;
    e->iterator = parse_iterators(p, &e->n);
    return finish(p, e);
}

static void parse_args(parser *p, ast_expr *call);

/* "function" NAME callargs */
static ast_expr *parse_function_arg(parser *p)
{
    ast_expr *e = new_expr(p, AST_FUNCTION, p->token.at);
    parser_advance(p);
    e->base = parse_ref(p, false);
    if (!parser_enter(p)) {
        parser_leave(p);
        return e;
    }
    parse_args(p, e);
    parser_leave(p);
    return finish(p, e);
}

/* arg := [ID "="] ( expr ["for" forix] | "function" NAME callargs ) */
static void add_arg(parser *p)
{
    ast_arg arg = {.name = INTERN_NONE, .at = p->token.at};
    bool may_be_name = parser_at(p, TOKEN_NAME) || (p->in_annotation && p->token.name >= 0);
    if (may_be_name && parser_peek(p) == TOKEN_EQUAL) {
        arg.name = p->token.name;
        arg.quoted = p->token.quoted;
        parser_advance(p);
        parser_advance(p);
    }
    arg.value = parser_at(p, KEY_FUNCTION) ? parse_function_arg(p) : parse_iterated(p);
    parser_add(p, &arg, sizeof arg);
}

/* callargs := "(" [ arg % "," ] ")" */
static void parse_args(parser *p, ast_expr *call)
{
    size_t mark = parser_list(p);
    if (parser_expect(p, TOKEN_LPAREN) && !parser_at(p, TOKEN_RPAREN)) {
        do
            add_arg(p);
        while (parser_accept(p, TOKEN_COMMA));
    }
    parser_expect(p, TOKEN_RPAREN);
    call->arg = parser_take_list(p, mark, sizeof *call->arg, &call->n);
}

/* array(a, b) and array(e for i in r) are {a, b} and {e for i in r}. */
static ast_expr *array_of_args(parser *p, ast_expr *call)
{
    const ast_expr *ref = call->base;
    bool is_array = ref->kind == AST_REF && ast_simple_name(ref) != INTERN_NONE &&
                    !ref->part[0].quoted && call->n > 0 &&
                    strcmp(intern_text(&p->c->names, ref->part[0].name), "array") == 0;
    for (int32_t i = 0; is_array && i < call->n; i++)
        is_array = call->arg[i].name == INTERN_NONE && call->arg[i].value;
    if (!is_array)
        return call;
    ast_expr *e = new_expr(p, AST_ARRAY, call->at);
    size_t mark = parser_list(p);
    for (int32_t i = 0; i < call->n; i++)
        parser_add(p, &call->arg[i].value, sizeof call->arg[i].value);
    e->item = parser_take_list(p, mark, sizeof *e->item, &e->n);
    return finish(p, e);
}

static ast_expr *parse_call(parser *p, ast_expr *callee)
{
    ast_expr *e = new_expr(p, AST_CALL, callee->at);
    e->base = callee;
    parse_args(p, e);
    return array_of_args(p, finish(p, e));
}

/* ref [ callargs ] {post} */
static ast_expr *parse_named(parser *p)
{
    ast_expr *e = parse_ref(p, true);
    if (!parser_at(p, TOKEN_LPAREN))
        return e;
    return parse_access(p, parse_call(p, e));
}

/* ("der"|"initial"|"pure") callargs */
static ast_expr *parse_keyword_call(parser *p)
{
    ast_expr *callee = new_expr(p, AST_REF, p->token.at);
    size_t mark = parser_list(p);
    ast_part part = take_part(p, false);
    parser_add(p, &part, sizeof part);
    callee->part = parser_take_list(p, mark, sizeof *callee->part, &callee->n);
    return parse_access(p, parse_call(p, finish(p, callee)));
}

/* ---- brackets ---- */

/* "(" outs ")"      outs := [expr] { "," [expr] }; more than one slot is a tuple */
static ast_expr *parse_parenthesis(parser *p)
{
    ast_expr *tuple = new_expr(p, AST_TUPLE, p->token.at);
    size_t mark = parser_list(p);
    parser_advance(p);
    if (!parser_at(p, TOKEN_RPAREN)) {
        do {
            bool hole = parser_at(p, TOKEN_COMMA) || parser_at(p, TOKEN_RPAREN);
            add_item(p, hole ? NULL : parse_expr(p));
        } while (parser_accept(p, TOKEN_COMMA));
    }
    parser_expect(p, TOKEN_RPAREN);
    take_items(p, mark, tuple);
    ast_expr *e = tuple->n == 1 ? tuple->item[0] : tuple;
    e->at = tuple->at; /* with its parentheses */
    return finish(p, e);
}

static ast_expr *parse_row(parser *p)
{
    ast_expr *row = new_expr(p, AST_ROW, p->token.at);
    size_t mark = parser_list(p);
    add_values(p);
    take_items(p, mark, row);
    return finish(p, row);
}

/* "[" (expr % ",") % ";" "]" */
static ast_expr *parse_matrix(parser *p)
{
    ast_expr *e = new_expr(p, AST_MATRIX, p->token.at);
    size_t mark = parser_list(p);
    parser_advance(p);
    do
        add_item(p, parse_row(p));
    while (parser_accept(p, TOKEN_SEMICOLON));
    parser_expect(p, TOKEN_RBRACKET);
    take_items(p, mark, e);
    return finish(p, e);
}

/* "{" [ expr "for" forix | expr % "," ] "}" */
static ast_expr *parse_array(parser *p)
{
    ast_expr *e = new_expr(p, AST_ARRAY, p->token.at);
    size_t mark = parser_list(p);
    parser_advance(p);
    if (!parser_at(p, TOKEN_RBRACE)) {
        add_item(p, parse_iterated(p));
        while (parser_accept(p, TOKEN_COMMA))
            add_item(p, parse_expr(p));
    }
    parser_expect(p, TOKEN_RBRACE);
    take_items(p, mark, e);
    return finish(p, e);
}

/* ---- primaries ---- */

static ast_expr *parse_literal(parser *p, ast_expr_kind kind)
{
    ast_expr *e = new_expr(p, kind, p->token.at);
    if (kind == AST_INTEGER) {
        e->integer = p->token.integer;
    } else if (kind == AST_REAL) {
        e->real = p->token.real;
    } else if (kind == AST_BOOLEAN) {
        e->integer = parser_at(p, KEY_TRUE);
    } else if (kind == AST_STRING) {
        e->text = p->token.text;
        e->n = (int32_t)p->token.length;
    }
    parser_advance(p);
    return e;
}

static ast_expr *no_expr(parser *p)
{
    ast_expr *e = new_expr(p, AST_EMPTY, p->token.at);
    size_t length = 0;
    const char *text = source_stretch(&p->c->sources, p->token.at - 1, p->token.end, &length);
    if (text && parser_at(p, TOKEN_TIMES) && length == 2 && text[0] == '*')
        parser_error(p, p->token.at, "'**' is no operator: a power is written x^y");
    parser_unexpected(p, "an expression");
    return e;
}

/* prim := NUMBER | STRING | true | false | "end" | ("der"|"initial"|"pure") callargs
 *       | ref [callargs] {post} | "(" outs ")" {post} | matrix {post} | array {post} */
ast_expr *parse_primary(parser *p)
{
    switch (p->token.kind) {
    case TOKEN_NAME:
    case TOKEN_DOT:
        return parse_named(p);
    case TOKEN_INTEGER:
        return parse_literal(p, AST_INTEGER);
    case TOKEN_REAL:
        return parse_literal(p, AST_REAL);
    case TOKEN_STRING:
        return parse_literal(p, AST_STRING);
    case KEY_TRUE:
    case KEY_FALSE:
        return parse_literal(p, AST_BOOLEAN);
    case TOKEN_EMPTY:
        return parse_literal(p, AST_EMPTY);
    case KEY_END:
        return p->subscripts > 0 ? parse_literal(p, AST_END) : no_expr(p);
    case KEY_DER:
    case KEY_INITIAL:
    case KEY_PURE:
        return parse_keyword_call(p);
    case TOKEN_LPAREN:
        return parse_access(p, parse_parenthesis(p));
    case TOKEN_LBRACKET:
        return parse_access(p, parse_matrix(p));
    case TOKEN_LBRACE:
        return parse_access(p, parse_array(p));
    default:
        return no_expr(p);
    }
}

/* ---- operators ---- */

static int level(const parser *p)
{
    return ast_op_level(token_op(p->token.kind));
}

enum { /* as in AST_OP_LIST */
       LEVEL_OR = 1,
       LEVEL_AND,
       LEVEL_NOT,
       LEVEL_RELATION,
       LEVEL_SUM,
       LEVEL_PRODUCT,
       LEVEL_POWER
};

typedef ast_expr *operand_fn(parser *p);

/* first { op operand } with all operators of one level; at most two operands if `pair`. */
static ast_expr *parse_chain(parser *p, ast_expr *first, operand_fn *operand, bool pair)
{
    int own = level(p);
    ast_expr *e = new_expr(p, AST_CHAIN, first->at);
    size_t mark = parser_list(p);
    add_item(p, first);
    do {
        ast_op op = token_op(p->token.kind);
        parser_advance(p);
        ast_expr *next = operand(p);
        next->joint = (uint8_t)op;
        add_item(p, next);
    } while (!pair && level(p) == own);
    take_items(p, mark, e);
    return finish(p, e);
}

static ast_expr *parse_sign(parser *p, operand_fn *operand)
{
    ast_expr *e = new_expr(p, AST_UNARY, p->token.at);
    e->op = (uint8_t)token_op(p->token.kind);
    parser_advance(p);
    e->base = operand(p);
    return finish(p, e);
}

/* [+|-] prim: a sign behind an operator, `a * -0.0` as OpenModelica prints it */
static ast_expr *parse_signed_primary(parser *p)
{
    return level(p) == LEVEL_SUM ? parse_sign(p, parse_primary) : parse_primary(p);
}

/* factor := prim [ (^ .^) prim ]      not associative; -x^2 is -(x^2) */
static ast_expr *parse_factor(parser *p)
{
    ast_expr *e = parse_primary(p);
    if (level(p) != LEVEL_POWER)
        return e;
    e = parse_chain(p, e, parse_signed_primary, true);
    if (level(p) == LEVEL_POWER)
        parser_error(p, p->token.at, "'^' is not associative: write (a^b)^c or a^(b^c)");
    return e;
}

static ast_expr *parse_signed_factor(parser *p)
{
    return level(p) == LEVEL_SUM ? parse_sign(p, parse_factor) : parse_factor(p);
}

/* term := factor { (* / .* ./) [+|-] factor } */
static ast_expr *parse_term(parser *p)
{
    ast_expr *e = parse_factor(p);
    return level(p) == LEVEL_PRODUCT ? parse_chain(p, e, parse_signed_factor, false) : e;
}

static ast_expr *parse_signed_term(parser *p)
{
    return level(p) == LEVEL_SUM ? parse_sign(p, parse_term) : parse_term(p);
}

/* arith := [ + - .+ .- ] term { (+ - .+ .-) term }      the sign binds looser than * */
static ast_expr *parse_sum(parser *p)
{
    ast_expr *e = parse_signed_term(p);
    return level(p) == LEVEL_SUM ? parse_chain(p, e, parse_signed_term, false) : e;
}

/* rel := arith [ (< <= > >= == <>) arith ] */
static ast_expr *parse_relation(parser *p)
{
    ast_expr *e = parse_sum(p);
    if (level(p) != LEVEL_RELATION)
        return e;
    e = parse_chain(p, e, parse_sum, true);
    if (level(p) == LEVEL_RELATION)
        parser_error(p, p->token.at, "relations cannot be chained: write a < b and b < c");
    return e;
}

/* not := ["not"] rel */
static ast_expr *parse_not(parser *p)
{
    return parser_at(p, KEY_NOT) ? parse_sign(p, parse_relation) : parse_relation(p);
}

static ast_expr *parse_and(parser *p)
{
    ast_expr *e = parse_not(p);
    return level(p) == LEVEL_AND ? parse_chain(p, e, parse_not, false) : e;
}

static ast_expr *parse_or(parser *p)
{
    ast_expr *e = parse_and(p);
    return level(p) == LEVEL_OR ? parse_chain(p, e, parse_and, false) : e;
}

/* sexpr := or [ ":" or [ ":" or ] ] */
ast_expr *parse_simple_expr(parser *p)
{
    ast_expr *first = parse_or(p);
    if (!parser_at(p, TOKEN_COLON))
        return first;
    ast_expr *e = new_expr(p, AST_RANGE, first->at);
    size_t mark = parser_list(p);
    add_item(p, first);
    while (parser_list(p) - mark < 3 * sizeof first && parser_accept(p, TOKEN_COLON))
        add_item(p, parse_or(p));
    take_items(p, mark, e);
    return finish(p, e);
}

/* "if" expr "then" expr { "elseif" expr "then" expr } "else" expr; `else if` is read like
 * `elseif`, which means the same and does not nest                               */
static ast_expr *parse_if(parser *p)
{
    ast_expr *e = new_expr(p, AST_IF, p->token.at);
    size_t mark = parser_list(p);
    bool more = true;
    while (more) {
        parser_advance(p); /* if, elseif */
        add_item(p, parse_expr(p));
        parser_expect(p, KEY_THEN);
        add_item(p, parse_expr(p));
        more = parser_at(p, KEY_ELSEIF);
        if (!more && parser_expect(p, KEY_ELSE))
            more = parser_at(p, KEY_IF);
    }
    add_item(p, parse_expr(p));
    take_items(p, mark, e);
    return finish(p, e);
}

static ast_expr *parse_decorated(parser *p, ast_expr *base)
{
    ast_expr *e = new_expr(p, AST_DECORATED, base->at);
    e->base = base;
    e->decoration = parse_decoration(p);
    return finish(p, e);
}

/* expr := ( "if" ... | sexpr ) [deco] */
ast_expr *parse_expr(parser *p)
{
    ast_expr *e;
    if (!parser_enter(p))
        e = no_expr(p);
    else
        e = parser_at(p, KEY_IF) ? parse_if(p) : parse_simple_expr(p);
    parser_leave(p);
    return parser_at(p, TOKEN_AT) ? parse_decorated(p, e) : e;
}
