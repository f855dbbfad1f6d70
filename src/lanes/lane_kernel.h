/* lanes/lane_kernel.h - one attempt of a step in all lanes; included once for each width by
 * lane_kernels.c, which defines
 *     LANE_WIDTH          lanes
 *     LANE_TARGET         the attribute of functions that may use this width
 *     LANE_NAME(name)     the name with a suffix for the width
 * Vectors are those of gcc and clang.  No operation mixes lanes.
 * Depends on: lanes/lane_state.h, expr/tape_runs.h.                              */

typedef double LANE_NAME(vec) __attribute__((vector_size(LANE_WIDTH * 8), may_alias));
typedef int64_t LANE_NAME(mask) __attribute__((vector_size(LANE_WIDTH * 8), may_alias));
#define VEC LANE_NAME(vec)
#define MASK LANE_NAME(mask)
#define LANE_FN static LANE_TARGET
#define LANE_INLINE static inline __attribute__((always_inline)) LANE_TARGET

/* ---- tapes ---- */

/* Operations other than arithmetic, lane by lane. */
LANE_FN const uint32_t *LANE_NAME(run_scalar)(double *r, const uint32_t *p)
{
    return tape_do_run(r, p, LANE_WIDTH);
}

#define LANE_RUN(formula)                                                                          \
    for (uint32_t i = 0; i < count; i++, p += 2) {                                                 \
        const VEC x = v[p[0]], y = v[p[1]];                                                        \
        *d++ = formula;                                                                            \
    }                                                                                              \
    return p

LANE_INLINE const uint32_t *LANE_NAME(do_run)(double *r, const uint32_t *p)
{
    const uint32_t op = p[0], count = p[1];
    VEC *const v = (VEC *)(void *)r, *d = v + p[2];
    if (op > EXPR_NEG || op < EXPR_ADD)
        return LANE_NAME(run_scalar)(r, p);
    p += 3;
    switch (op) {
    case EXPR_ADD:
        LANE_RUN(x + y);
    case EXPR_SUB:
        LANE_RUN(x - y);
    case EXPR_MUL:
        LANE_RUN(x * y);
    case EXPR_DIV:
        LANE_RUN(x / y);
    default:
        for (uint32_t i = 0; i < count; i++)
            *d++ = -v[*p++];
        return p;
    }
}
#undef LANE_RUN

/* A source advances with the destination, or stays. */
#define LANE_EVEN(formula)                                                                         \
    for (uint32_t i = 0; i < count; i++, a += a_step, b += b_step) {                               \
        const VEC x = *a, y = *b;                                                                  \
        (void)y;                                                                                   \
        *d++ = formula;                                                                            \
    }                                                                                              \
    break

LANE_INLINE const uint32_t *LANE_NAME(do_even)(double *r, const uint32_t *p)
{
    const uint32_t mode = p[0] / TAPE_EVEN, count = p[1];
    VEC *const v = (VEC *)(void *)r, *d = v + p[2];
    const VEC *a = v + p[3], *b = v + p[4];
    const size_t a_step = mode & TAPE_FIRST ? 1 : 0, b_step = mode & TAPE_SECOND ? 1 : 0;
    switch (p[0] % TAPE_EVEN) {
    case EXPR_ADD:
        LANE_EVEN(x + y);
    case EXPR_SUB:
        LANE_EVEN(x - y);
    case EXPR_MUL:
        LANE_EVEN(x * y);
    case EXPR_DIV:
        LANE_EVEN(x / y);
    default:
        LANE_EVEN(-x);
    }
    return p + 5;
}
#undef LANE_EVEN

LANE_FN void LANE_NAME(run_tape)(const tape *t, double *work, double *out, uint32_t level)
{
    const uint32_t *p = t->code + t->level_start[level], *const end = t->code + t->n_code;
    const VEC *v = (const VEC *)(void *)work;
    VEC *to = (VEC *)(void *)out;
    const uint32_t *const root = t->root, *const target = t->target;
    const size_t n = t->size.n_roots;
    while (p < end)
        p = tape_is_even(p[0]) ? LANE_NAME(do_even)(work, p) : LANE_NAME(do_run)(work, p);
    for (size_t i = 0; i < n && !target; i++)
        to[i] = v[root[i]];
    for (size_t i = 0; i < n && target; i++)
        to[target[i]] = v[root[i]];
}

LANE_INLINE void LANE_NAME(run_program)(lane_group *g, lane_program *p, const VEC *t, const VEC *y,
                                        const VEC *yp)
{
    const value_places *place = &g->m->values->place;
    VEC *work = (VEC *)(void *)p->work;
    work[0] = *t;
    for (int32_t i = 0; i < g->n; i++) {
        work[place->y + (uint32_t)i] = y[i];
        work[place->yp + (uint32_t)i] = yp[i];
    }
    LANE_NAME(run_tape)(p->of->tape, p->work, p->out, p->is_fresh ? 0 : LANE_CONTINUOUS);
    p->is_fresh = false;
}

/* ---- the matrix ---- */

LANE_INLINE VEC LANE_NAME(select)(MASK which, VEC yes, VEC no)
{
    return (VEC)(((MASK)yes & which) | ((MASK)no & ~which));
}

LANE_INLINE VEC LANE_NAME(size)(VEC x)
{
    return (VEC)((MASK)x & ((MASK){0} + INT64_MAX));
}

LANE_INLINE bool LANE_NAME(any)(MASK which)
{
    int64_t all = 0;
    for (int k = 0; k < LANE_WIDTH; k++)
        all |= which[k];
    return all != 0;
}

/* Rows are exchanged until the largest entry of column k is the pivot, in each lane by itself. */
LANE_INLINE void LANE_NAME(find_pivot)(VEC *a, MASK *pivoting, int32_t n, int32_t k)
{
    for (int32_t i = k + 1; i < n; i++) {
        VEC *upper = a + k * n, *lower = a + i * n;
        MASK larger = LANE_NAME(size)(lower[k]) > LANE_NAME(size)(upper[k]);
        pivoting[k * n + i] = larger;
        if (!LANE_NAME(any)(larger))
            continue;
        for (int32_t j = k; j < n; j++) {
            VEC kept = upper[j];
            upper[j] = LANE_NAME(select)(larger, lower[j], kept);
            lower[j] = LANE_NAME(select)(larger, kept, lower[j]);
        }
    }
}

LANE_INLINE void LANE_NAME(factor)(lane_group *g, const int32_t n, VEC shift)
{
    VEC *a = (VEC *)(void *)g->matrix;
    const VEC *parts = (const VEC *)(void *)g->jacobian.out;
    MASK *pivoting = (MASK *)(void *)g->pivoting;
    for (int32_t i = 0; i < n * n; i++)
        a[i] = (VEC){0};
    for (int32_t q = 0; q < g->n_entries; q++)
        a[g->entry[q].row * n + g->entry[q].column] += parts[g->entry[q].place];
    for (int32_t q = 0; q < g->n_slopes; q++)
        a[g->slope[q].row * n + g->slope[q].column] += shift * parts[g->slope[q].place];
    for (int32_t k = 0; k < n; k++) {
        LANE_NAME(find_pivot)(a, pivoting, n, k);
        VEC inverse = 1.0 / a[k * n + k];
        a[k * n + k] = inverse;
        for (int32_t i = k + 1; i < n; i++) {
            VEC l = a[i * n + k] * inverse;
            a[i * n + k] = l;
            for (int32_t j = k + 1; j < n; j++)
                a[i * n + j] -= l * a[k * n + j];
        }
    }
}

LANE_INLINE void LANE_NAME(solve)(const lane_group *g, const int32_t n, VEC *b)
{
    const VEC *a = (const VEC *)(const void *)g->matrix;
    const MASK *pivoting = (const MASK *)(const void *)g->pivoting;
    for (int32_t k = 0; k < n; k++) {
        for (int32_t i = k + 1; i < n; i++) {
            MASK larger = pivoting[k * n + i];
            VEC kept = b[k];
            b[k] = LANE_NAME(select)(larger, b[i], kept);
            b[i] = LANE_NAME(select)(larger, kept, b[i]);
        }
        for (int32_t i = k + 1; i < n; i++)
            b[i] -= a[i * n + k] * b[k];
    }
    for (int32_t k = n; k-- > 0;) {
        for (int32_t j = k + 1; j < n; j++)
            b[k] -= a[k * n + j] * b[j];
        b[k] *= a[k * n + k];
    }
}

/* ---- stages ---- */

#define LANES_OF(array) ((VEC *)(void *)(array))

/* Y_i, Z_i, and Z_i + S_i into sum. */
LANE_INLINE void LANE_NAME(place_stage)(lane_group *g, const int32_t n, int i, VEC h_inverse)
{
    const rodas_table *tab = &rodas_table_5p;
    lane_vectors *w = &g->at;
    VEC *y_new = LANES_OF(w->y_new), *yp_new = LANES_OF(w->yp_new), *sum = LANES_OF(w->sum);
    for (int32_t k = 0; k < n; k++) {
        VEC y, yp, s = {0};
        if (i >= LANE_FOLLOWS) {
            y = y_new[k] + LANES_OF(w->u[i - 1])[k];
            yp = yp_new[k] + LANES_OF(w->v[i - 1])[k];
        } else {
            y = LANES_OF(w->y)[k];
            yp = LANES_OF(w->yp)[k];
            for (int j = 0; j < i && j < LANE_FOLLOWS - 1; j++) {
                y += tab->a[i][j] * LANES_OF(w->u[j])[k];
                yp += tab->a[i][j] * LANES_OF(w->v[j])[k];
            }
        }
        for (int j = 0; j < i; j++)
            s += tab->c[i][j] * LANES_OF(w->u[j])[k];
        y_new[k] = y;
        yp_new[k] = yp;
        sum[k] = yp + s * h_inverse;
    }
}

LANE_INLINE void LANE_NAME(take_stage)(lane_group *g, const int32_t n, int i, VEC shift,
                                       VEC h_inverse)
{
    const rodas_table *tab = &rodas_table_5p;
    lane_vectors *w = &g->at;
    const VEC h = *LANES_OF(g->h), *parts = LANES_OF(g->jacobian.out);
    VEC *u = LANES_OF(w->u[i]), *v = LANES_OF(w->v[i]), *sum = LANES_OF(w->sum);
    const VEC *residual = LANES_OF(w->here);
    VEC t = *LANES_OF(g->t) + tab->alpha[i] * h;
    if (i >= LANE_AT_END)
        t = *LANES_OF(g->t_new);
    LANE_NAME(place_stage)(g, n, i, h_inverse);
    if (i > 0) {
        LANE_NAME(run_program)(g, &g->residuals, &t, LANES_OF(w->y_new), LANES_OF(w->yp_new));
        residual = LANES_OF(g->residuals.out);
    }
    for (int32_t k = 0; k < n; k++)
        u[k] = -residual[k];
    if (g->reads_time)
        for (int32_t k = 0; k < n; k++)
            u[k] -= tab->d[i] * h * LANES_OF(w->in_time)[k];
    for (int32_t q = 0; q < g->n_slopes; q++)
        u[g->slope[q].row] += parts[g->slope[q].place] * sum[g->slope[q].column];
    LANE_NAME(solve)(g, n, u);
    for (int32_t k = 0; k < n; k++)
        v[k] = shift * u[k] - sum[k];
}

/* F, dF/dy, dF/dy' and dF/dt at the beginning of the step. */
LANE_INLINE void LANE_NAME(evaluate)(lane_group *g)
{
    lane_vectors *w = &g->at;
    const VEC *t = LANES_OF(g->t), *y = LANES_OF(w->y), *yp = LANES_OF(w->yp);
    const VEC *out = LANES_OF(g->residuals.out);
    VEC *here = LANES_OF(w->here), *in_time = LANES_OF(w->in_time);
    if (g->jacobian.of)
        LANE_NAME(run_program)(g, &g->jacobian, t, y, yp);
    LANE_NAME(run_program)(g, &g->residuals, t, y, yp);
    for (int32_t k = 0; k < g->n; k++)
        here[k] = out[k];
    if (!g->reads_time)
        return;
    /* by a difference inside the step, short enough to be of no account beside its error */
    VEC later;
    for (int k = 0; k < LANE_WIDTH; k++) {
        double h = g->h[k];
        later[k] = g->t[k] + fmin(fmax(1e-6 * h, 1e-8 * fabs(g->t[k])), 0.5 * h);
    }
    LANE_NAME(run_program)(g, &g->residuals, &later, y, yp);
    for (int32_t k = 0; k < g->n; k++)
        in_time[k] = (out[k] - here[k]) / (later - *t);
}

LANE_INLINE void LANE_NAME(take_step)(lane_group *g, const int32_t n)
{
    const rodas_table *tab = &rodas_table_5p;
    lane_vectors *w = &g->at;
    const VEC h = *LANES_OF(g->h), h_inverse = 1.0 / h, shift = h_inverse / tab->gamma;
    VEC *y_new = LANES_OF(w->y_new), *yp_new = LANES_OF(w->yp_new), square = {0};
    LANE_NAME(evaluate)(g);
    LANE_NAME(factor)(g, n, shift);
    LANE_UNROLLED
    for (int i = 0; i < RODAS_STAGES_MAX; i++)
        LANE_NAME(take_stage)(g, n, i, shift, h_inverse);
    const VEC *u = LANES_OF(w->u[RODAS_STAGES_MAX - 1]), *v = LANES_OF(w->v[RODAS_STAGES_MAX - 1]);
    const VEC *atol = LANES_OF(w->atol);
    for (int32_t k = 0; k < n; k++) {
        VEC size = LANE_NAME(size)(LANES_OF(w->y)[k]);
        VEC part = u[k] / (g->task.rtol * size + atol[k]);
        square += part * part;
        y_new[k] += u[k];
        yp_new[k] += v[k];
    }
    *LANES_OF(g->error) = square / (double)n;
}

/* The smallest numbers of unknowns as constants, so that loops are unrolled; not for width 2, where
 * gcc 12 fails to compile that.                                                   */
LANE_FN void LANE_NAME(attempt)(lane_group *g)
{
    switch (LANE_WIDTH > 2 ? g->n : 0) {
    case 1:
        LANE_NAME(take_step)(g, 1);
        break;
    case 2:
        LANE_NAME(take_step)(g, 2);
        break;
    case 3:
        LANE_NAME(take_step)(g, 3);
        break;
    case 4:
        LANE_NAME(take_step)(g, 4);
        break;
    default:
        LANE_NAME(take_step)(g, g->n);
    }
}

LANE_FN void LANE_NAME(accept)(lane_group *g, const double *take)
{
    lane_vectors *w = &g->at;
    const MASK which = *(const VEC *)(const void *)take != (VEC){0};
    for (int32_t k = 0; k < g->n; k++) {
        VEC *y = &LANES_OF(w->y)[k], *yp = &LANES_OF(w->yp)[k];
        *y = LANE_NAME(select)(which, LANES_OF(w->y_new)[k], *y);
        *yp = LANE_NAME(select)(which, LANES_OF(w->yp_new)[k], *yp);
    }
}

static const lane_kernel LANE_NAME(kernel) = {LANE_WIDTH, LANE_NAME(run_tape), LANE_NAME(attempt),
                                              LANE_NAME(accept)};

#undef LANES_OF
#undef VEC
#undef MASK
#undef LANE_FN
#undef LANE_INLINE
#undef LANE_WIDTH
#undef LANE_TARGET
#undef LANE_NAME
