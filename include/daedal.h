/* daedal.h - solve F(t, y, y') = 0 of any index, and keep its constraints.
 *
 * The only public header.  C11, also compiles as C++.
 *
 * In reading order: status and diagnosis, the system you describe, the options,
 * the solver you drive, what it tells you.  The ordinary use is
 *
 *     daedal_system  sys = { .n = 3, .residual = F };
 *     daedal_solver *s;
 *     daedal_solver_create(&s, &sys, NULL, NULL);
 *     daedal_solver_start(s, t0, y0, NULL);
 *     for (double t = t0 + dt; t <= t_end && daedal_solver_advance(s, t) >= 0; t += dt)
 *         use(daedal_solver_state(s));
 *     daedal_solver_free(s);
 *
 * Conventions.  Functions return a daedal_status: 0 is success, > 0 success with
 * information, < 0 failure; the reason is then in daedal_solver_diagnosis().  Arrays you
 * pass are read during the call only, unless their comment says "borrowed".
 * Pointers you get belong to the handle and stay valid until its next call.
 * The library never prints, exits, reads the environment or keeps globals;
 * two handles may run in two threads.
 */
#ifndef DAEDAL_H
#define DAEDAL_H

#include <stddef.h>
#include <stdint.h>

#define DAEDAL_VERSION_MAJOR 0
#define DAEDAL_VERSION_MINOR 1
#define DAEDAL_VERSION_PATCH 0

#if defined(__GNUC__) && defined(DAEDAL_BUILDING)
#define DAEDAL_API __attribute__((visibility("default")))
#else
#define DAEDAL_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- status -------------------------------------------------------------- */

/* X(name, value, text) */
#define DAEDAL_STATUS_LIST(X)                                                                      \
    X(DAEDAL_OK, 0, "success")                                                                     \
    X(DAEDAL_EVENT, 1, "an event was located; the state is that at the event")                     \
    X(DAEDAL_STOPPED, 2, "a callback asked to stop; the state is the last one accepted")           \
    X(DAEDAL_AT_STOP_TIME, 3, "the stop time was reached")                                         \
    X(DAEDAL_ERR_ARGUMENT, -1, "an argument is wrong")                                             \
    X(DAEDAL_ERR_MEMORY, -2, "out of memory")                                                      \
    X(DAEDAL_ERR_CALL_SEQUENCE, -3, "the call comes too early, or after a failure")                \
    X(DAEDAL_ERR_STRUCTURE, -4, "a variable is in no equation, or an equation has no variable")    \
    X(DAEDAL_ERR_CALLBACK, -5, "a callback failed")                                                \
    X(DAEDAL_ERR_RETRY, -6, "a callback kept asking for a smaller step")                           \
    X(DAEDAL_ERR_NOT_FINITE, -7, "a callback kept returning NaN or Inf")                           \
    X(DAEDAL_ERR_SINGULAR, -8, "the iteration matrix is singular for every step size tried")       \
    X(DAEDAL_ERR_NEWTON, -9, "the nonlinear equations of a step could not be solved")              \
    X(DAEDAL_ERR_ERROR_TEST, -10, "the error test failed repeatedly at one point")                 \
    X(DAEDAL_ERR_INCONSISTENT, -11, "the start is inconsistent, or the index exceeds one")         \
    X(DAEDAL_ERR_START, -12, "no consistent start was found")                                      \
    X(DAEDAL_ERR_STEP_TOO_SMALL, -13, "the step size fell below its limit")                        \
    X(DAEDAL_ERR_STEP_LIMIT, -14, "max_steps steps were taken in one call")                        \
    X(DAEDAL_ERR_JACOBIAN, -15, "the given Jacobian disagrees with differences")                   \
    X(DAEDAL_ERR_MODEL, -16, "the model text is wrong")                                            \
    X(DAEDAL_ERR_INDEX, -17, "the index is higher than the method supports")

typedef enum daedal_status {
#define X(name, value, text) name = value,
    DAEDAL_STATUS_LIST(X)
#undef X
} daedal_status;

DAEDAL_API const char *daedal_status_name(daedal_status status); /* "DAEDAL_OK"        */
DAEDAL_API const char *daedal_status_text(daedal_status status); /* one sentence       */
DAEDAL_API const char *daedal_version(void);                     /* "0.1.0"            */

/* What is wrong with a problem, as far as it is known.  A status says where a run ended, the cause
 * says why; docs/failures.md has an example of each.  X(name, value, word, text)                */
#define DAEDAL_CAUSE_LIST(X)                                                                       \
    X(DAEDAL_CAUSE_NONE, 0, "none", "no cause is known")                                           \
    X(DAEDAL_CAUSE_INCONSISTENT_START, 1, "inconsistent_start",                                    \
      "the start values that were given or fixed contradict the equations")                        \
    X(DAEDAL_CAUSE_NO_SOLUTION, 2, "no_solution",                                                  \
      "the equations have no solution at this time, whatever the start values are")                \
    X(DAEDAL_CAUSE_HIGH_INDEX, 3, "high_index", "the index is higher than the method supports")    \
    X(DAEDAL_CAUSE_REDUNDANT_EQUATIONS, 4, "redundant_equations",                                  \
      "an equation follows from others, or contradicts a combination of them")                     \
    X(DAEDAL_CAUSE_UNDETERMINED_VARIABLE, 5, "undetermined_variable",                              \
      "the equations leave the value of a variable free")                                          \
    X(DAEDAL_CAUSE_STRUCTURE, 6, "structure", "there is no assignment of equations to unknowns")   \
    X(DAEDAL_CAUSE_IMPASSE, 7, "impasse",                                                          \
      "the solution ends where the equations cease to determine a variable")                       \
    X(DAEDAL_CAUSE_DISCONTINUITY, 8, "discontinuity",                                              \
      "the equations jump, and no solution continues through the jump")                            \
    X(DAEDAL_CAUSE_CHATTERING, 9, "chattering",                                                    \
      "the solution is pushed back to a switching threshold from both sides")                      \
    X(DAEDAL_CAUSE_EVENT_ACCUMULATION, 10, "event_accumulation",                                   \
      "infinitely many events happen before a finite time")                                        \
    X(DAEDAL_CAUSE_EVENT_ITERATION, 11, "event_iteration",                                         \
      "the discrete values never settle at one instant")                                           \
    X(DAEDAL_CAUSE_CONTRADICTION, 12, "contradiction",                                             \
      "no values of relations and discrete variables agree with the equations")                    \
    X(DAEDAL_CAUSE_WRONG_JACOBIAN, 13, "wrong_jacobian",                                           \
      "the given Jacobian is not the derivative of the given functions")                           \
    X(DAEDAL_CAUSE_MISSED_SPARSITY, 14, "missed_sparsity",                                         \
      "the given sparsity pattern lacks entries that the functions have")                          \
    X(DAEDAL_CAUSE_BAD_SCALING, 15, "bad_scaling",                                                 \
      "units or tolerances hide what matters from the error test or from rounding")                \
    X(DAEDAL_CAUSE_TOLERANCE_TOO_SMALL, 16, "tolerance_too_small",                                 \
      "the tolerance is below the roundoff of the values it applies to")                           \
    X(DAEDAL_CAUSE_DOMAIN_ERROR, 17, "domain_error",                                               \
      "a function has no value, or no finite one, where it is evaluated")                          \
    X(DAEDAL_CAUSE_BLOW_UP, 18, "blow_up", "the solution tends to infinity at a finite time")      \
    X(DAEDAL_CAUSE_BRANCH_JUMP, 19, "branch_jump",                                                 \
      "branches of solutions meet, and the continuation is not determined")                        \
    X(DAEDAL_CAUSE_BOUNDS, 20, "bounds",                                                           \
      "the solution leaves the bounds that were declared for a variable")                          \
    X(DAEDAL_CAUSE_ASSERTION, 21, "assertion", "an assertion of the model fails")                  \
    X(DAEDAL_CAUSE_CALLBACK_FAILED, 22, "callback_failed",                                         \
      "a callback failed, or asked for a smaller step again and again")                            \
    X(DAEDAL_CAUSE_TOO_MUCH_WORK, 23, "too_much_work",                                             \
      "the limit of steps or of time was reached, and nothing else is wrong")                      \
    X(DAEDAL_CAUSE_TEXT, 24, "text", "the text of the model is wrong")

typedef enum daedal_cause {
#define X(name, value, word, text) name = value,
    DAEDAL_CAUSE_LIST(X)
#undef X
} daedal_cause;

DAEDAL_API const char *daedal_cause_name(daedal_cause cause); /* "blow_up"; "none"      */
DAEDAL_API const char *daedal_cause_text(daedal_cause cause); /* one sentence           */

/* Why a call failed, in the user's words.  Names come from the system, or are
 * "y[3]" and "equation 3" (from 0) where it has none.  After a success with a warning
 * the status is DAEDAL_OK, and the rest describes the last warning.             */
typedef struct daedal_diagnosis {
    daedal_status status;
    daedal_cause cause; /* what is wrong, or DAEDAL_CAUSE_NONE            */
    double t;           /* time of the failure                            */
    int32_t equation;   /* the equation that caused it, or -1             */
    int32_t variable;   /* the variable that caused it, or -1             */
    char message[512];  /* what went wrong: one or two sentences          */
    char hint[256];     /* what to try next; may be empty                 */
} daedal_diagnosis;

/* Something that a run told and that did not end it. */
typedef struct daedal_warning {
    daedal_cause cause; /* DAEDAL_CAUSE_NONE: none of those above         */
    double t;           /* of the run, or NAN                             */
    char message[600];
} daedal_warning;

/* ---- the system ---------------------------------------------------------- */

/* The return value of a callback. */
typedef enum daedal_answer {
    DAEDAL_CALL_OK = 0,
    DAEDAL_CALL_RETRY = 1, /* not defined here: try a smaller step           */
    DAEDAL_CALL_STOP = 2,  /* end the run; what was computed stays readable  */
    DAEDAL_CALL_FAIL = -1  /* give up: the call returns DAEDAL_ERR_CALLBACK  */
} daedal_answer;

/* A sparsity pattern in compressed columns: the rows of column j are
 * row[start[j]] .. row[start[j+1]-1], ascending.                                */
typedef struct daedal_pattern {
    int32_t n_rows, n_cols;
    const int32_t *start; /* n_cols + 1 */
    const int32_t *row;   /* start[n_cols] */
} daedal_pattern;

typedef struct daedal_doubles {
    const double *at;
    int32_t n;
} daedal_doubles;

typedef struct daedal_ints {
    const int32_t *at;
    int32_t n;
} daedal_ints;

/* r = F(t, y, yp) */
typedef int daedal_residual_fn(double t, const double *y, const double *yp, double *r, void *user);

/* The residual, or the right-hand side f, will be asked for at `count` points of one time: y and yp
 * (NULL in mass form) have n numbers for each.  A function that computes many points at once may do
 * so now and answer the calls that follow from memory; they come in this order, but some may be
 * missing.                                                                      */
typedef int daedal_announce_fn(double t, int32_t count, const double *y, const double *yp,
                               void *user);

/* values = dF/dy + c dF/dyp in the order of the system's pattern; without a
 * pattern n x n by columns.  values is zero on entry.  Called with c = 0 and
 * another c in turn; the two parts are kept apart.                              */
typedef int daedal_jacobian_fn(double t, const double *y, const double *yp, double c,
                               double *values, void *user);

/* Taylor coefficients of F along polynomials: y[m n + j] is the coefficient of s^m in y_j(t + s),
 * for m = 0 .. order + 1; the coefficient of s^k in F_i(t + s, y(t + s), y'(t + s)) goes to r[k n +
 * i], for k = 0 .. order, order <= 5.  Automatic differentiation with Taylor series gives it. */
typedef int daedal_taylor_fn(int32_t order, double t, const double *y, double *r, void *user);

/* out = (dF/dy + c dF/dyp) v, where F is that of the residual, or M y' - f */
typedef int daedal_product_fn(double t, const double *y, const double *yp, double c,
                              const double *v, double *out, void *user);

/* f = f(t, y) of M(t, y) y' = f(t, y) */
typedef int daedal_rhs_fn(double t, const double *y, double *f, void *user);

/* values = M(t, y) in the order of mass_pattern, without one n x n by columns;
 * zero on entry.                                                                */
typedef int daedal_mass_fn(double t, const double *y, double *values, void *user);

/* values = df/dy in the order of the pattern, without one n x n by columns;
 * zero on entry.                                                                */
typedef int daedal_rhs_jacobian_fn(double t, const double *y, double *values, void *user);

/* g[i] changes sign where event i happens.  It is called inside accepted steps, which
 * are not taken back, so RETRY, NaN and Inf end the call like FAIL.             */
typedef int daedal_event_fn(double t, const double *y, const double *yp, double *g, void *user);

/* g = g(t, y), which is zero along every solution; see n_constraints below. */
typedef int daedal_constraint_fn(double t, const double *y, double *g, void *user);

/* values = dg/dy in the order of constraint_pattern; zero on entry. */
typedef int daedal_constraint_jacobian_fn(double t, const double *y, double *values, void *user);

/* values = dF/dp, n x n_parameters by columns; zero on entry. */
typedef int daedal_parameter_fn(double t, const double *y, const double *yp, double *values,
                                void *user);

/* values = dg/dp of the constraints, n_constraints x n_parameters by columns; zero on entry. */
typedef int daedal_constraint_parameter_fn(double t, const double *y, double *values, void *user);

/* What the mass matrix depends on. */
enum { DAEDAL_MASS_CONSTANT = 0, DAEDAL_MASS_OF_TIME = 1, DAEDAL_MASS_OF_STATE = 2 };

/* Classes of variables (variable_kind) */
enum { DAEDAL_KIND_DETECT = 0, DAEDAL_DIFFERENTIAL = 1, DAEDAL_ALGEBRAIC = 2 };

/* A system: either residual (F = 0) or rhs (M y' = f; without mass, M = I).
 * Zero-initialise and set what you have.  The struct is copied; patterns, masks,
 * bounds and names are copied too.                                              */
typedef struct daedal_system {
    int32_t n; /* equations and unknowns */
    daedal_residual_fn *residual;
    daedal_jacobian_fn *jacobian;      /* or NULL: differences                        */
    const daedal_pattern *pattern;     /* of dF/dy + c dF/dyp; in mass form of df/dy, and that
                                          of M is added.  NULL: full if a Jacobian is given,
                                          else detected by calls of F                  */
    const daedal_pattern *dyp_pattern; /* of dF/dyp alone, used with `jacobian` only.  NULL: any
                                          entry of `pattern` may belong to dF/dyp       */
    daedal_rhs_fn *rhs;
    daedal_rhs_jacobian_fn *rhs_jacobian;
    daedal_mass_fn *mass;
    const daedal_pattern *mass_pattern;
    int32_t mass_kind;                   /* DAEDAL_MASS_CONSTANT ... */
    daedal_product_fn *jacobian_product; /* used by linear_solver = gmres; NULL: differences of F */
    daedal_taylor_fn *taylor; /* used by method = array; NULL: differences of F in time  */
    daedal_announce_fn
        *announce; /* called before the calls of a difference Jacobian; may be NULL */

    int32_t n_events;
    daedal_event_fn *events;
    daedal_ints event_direction; /* +1 rising, -1 falling along the run, 0 both (default) */
    int32_t is_thread_safe;      /* 1: residual or rhs may be called from several threads at once;
                                    the option `threads` then says from how many       */
    int32_t is_nonsmooth;        /* 1: F has derivative discontinuities without event functions;
                                    method auto then chooses one with short steps      */

    /* Constraints that follow from the equations but that steps do not preserve: invariants, or
     * positions and velocities of a system whose index was reduced.  After every step, at output
     * points and at restarts y is moved by as little as possible until they hold, level by level
     * in ascending order.  The pattern (n_constraints x n) lists the y that may move.  The option
     * `constraint_method` selects other ways to keep them.                               */
    int32_t n_constraints;
    daedal_constraint_fn *constraints;
    daedal_constraint_jacobian_fn *constraint_jacobian;
    const daedal_pattern *constraint_pattern;
    daedal_ints constraint_level; /* default: all have the same level */
    daedal_ints variable_level;   /* n: constraints move only the y of their own level; default:
                                     all y.  With it the pattern should be that of all of dg/dy */
    daedal_ints state_select;     /* n: as stateSelect of Modelica: -2 never, -1 avoid, 0 default, 1
                                     prefer, 2 always.  Which y are integrated by the option
                                     constraint_method = dummy                          */

    daedal_ints variable_kind;   /* DAEDAL_KIND_DETECT ...; default: from dF/dyp  */
    daedal_ints variable_index;  /* how often equations must be differentiated until the
                                    derivative of a variable is known: 0 or 1 for those of an
                                    index-1 system, 2 for velocities and 3 for multipliers of a
                                    mechanical system with constraints on positions.  The
                                    method radau uses it to integrate such systems directly.
                                    Default: found by the solver where the index exceeds one;
                                    else 0 for differential and 1 for algebraic variables  */
    daedal_doubles lower, upper; /* bounds on y; -INFINITY, INFINITY where none: every y that
                                    is returned lies inside, at output points too  */

    /* Parameters p by which the solution is differentiated: dy/dp is integrated beside y (see
     * daedal_solver_sensitivity, docs/howto/sensitivities.md).                        */
    int32_t n_parameters;
    double *const *parameters; /* n_parameters places that your functions read, borrowed: they
                                  are moved for differences and put back.  NULL entry: no
                                  function reads it, as a start value.  May be NULL if both
                                  functions below are given where they apply          */
    daedal_doubles
        parameter_scale; /* n_parameters: typical sizes; default: |p|, or 1 if that is 0 */
    daedal_parameter_fn *parameter_derivative; /* dF/dp, or NULL: differences              */
    daedal_constraint_parameter_fn *constraint_parameter_derivative;

    const char *const *variable_names; /* n, or NULL */
    const char *const *equation_names; /* n, or NULL */
    const char *const *event_names;    /* n_events, or NULL */
    void *user;                        /* last argument of every callback         */
} daedal_system;

/* ---- plug-ins ------------------------------------------------------------ */

/* One function for all memory: resize(NULL, 0, n) allocates, resize(p, old, 0)
 * frees and returns NULL.                                                       */
typedef struct daedal_allocator {
    void *(*resize)(void *p, size_t old_size, size_t new_size, void *user);
    void *user;
} daedal_allocator;

/* A linear solver for square matrices of one fixed pattern.  factor reads the
 * values in the order of the pattern; solve overwrites b with the solution;
 * singular_column is the column without pivot after DAEDAL_ERR_SINGULAR, or -1. */
typedef struct daedal_linsolver {
    const char *name;
    daedal_status (*create)(void **self, const daedal_pattern *pattern,
                            const daedal_allocator *allocator);
    daedal_status (*factor)(void *self, const double *values);
    void (*solve)(void *self, double *b);
    int32_t (*singular_column)(void *self);
    double (*factor_cost)(void *self);    /* of factor, in units of solve; may be NULL        */
    int64_t (*reallocations)(void *self); /* how often memory grew after create; may be NULL  */
    void (*destroy)(void *self);
} daedal_linsolver;

DAEDAL_API const daedal_linsolver *daedal_linsolver_dense(void);  /* own, small n */
DAEDAL_API const daedal_linsolver *daedal_linsolver_lapack(void); /* dense        */
DAEDAL_API const daedal_linsolver *daedal_linsolver_band(void);   /* LAPACK band  */
DAEDAL_API const daedal_linsolver *daedal_linsolver_klu(void);    /* sparse       */

/* A preconditioner for linear_solver = gmres: P resembles A = dF/dy + c dF/dyp and is easy to solve
 * with.  Both functions return a daedal_answer; RETRY means that P cannot be made here, or is
 * singular.  setup is called where dF/dy and dF/dyp are evaluated anew and where c has changed
 * much; values are those of A in the order of daedal_structure.pattern.  solve overwrites b with
 * P^-1 b.                                                                        */
typedef struct daedal_preconditioner {
    const char *name; /* for messages, or NULL */
    int (*setup)(double t, const double *y, const double *yp, double c, const double *values,
                 void *user); /* or NULL: P does not change */
    int (*solve)(double *b, void *user);
    void *user;
} daedal_preconditioner;

/* One system whose unknowns are spread over several processes, or threads
 * (docs/howto/distributed.md). Each of them, a rank, has a solver of its own with the n unknowns it
 * owns; all make the same calls at the same time, and F exchanges what it needs of the others
 * itself.                 */
typedef enum daedal_reduce_op {
    DAEDAL_REDUCE_SUM = 0,
    DAEDAL_REDUCE_MAX = 1,
    DAEDAL_REDUCE_MIN = 2
} daedal_reduce_op;

typedef struct daedal_parallel {
    /* Replace each of the values by the sum, maximum or minimum of those of all ranks, the same
     * bits on every rank (MPI_Allreduce in place).  0, or anything else for a failure.     */
    int (*reduce)(double *values, int32_t count, daedal_reduce_op how, void *user);
    int64_t n_global; /* unknowns of all ranks together                                 */
    int64_t offset;   /* unknowns of the ranks before this one                          */
    void *user;       /* last argument of reduce                                        */
} daedal_parallel;

/* How far a run has come: for progress displays and for cancelling a run.       */
typedef struct daedal_progress {
    double t, t_end, h;
    int32_t order;
    int64_t steps;
} daedal_progress;

/* Called after accepted steps; DAEDAL_CALL_STOP cancels. */
typedef int daedal_progress_fn(const daedal_progress *where, void *user);

typedef enum daedal_log_level {
    DAEDAL_LOG_WARNING = 1,
    DAEDAL_LOG_INFO = 2,
    DAEDAL_LOG_DEBUG = 3
} daedal_log_level;

typedef void daedal_log_fn(daedal_log_level level, const char *message, void *user);

/* ---- options ------------------------------------------------------------- */

/* Every option exists once, here.  Defaults, range checks, daedal_options_set(),
 * the reference page and bindings derive from this table.
 * X(type, name, default, low, high, choices, doc); choices names the values 0, 1,
 * ... of an enumerated option, or is "".                                        */
#define DAEDAL_OPTION_LIST(X)                                                                      \
    X(double, rtol, 1e-6, 0.0, 1.0, "", "relative tolerance")                                      \
    X(double, atol, 1e-9, 0.0, 1e300, "", "absolute tolerance")                                    \
    X(int32_t, method, 0, 0, 8, "auto|bdf|bdf_classic|radau|rodas|limex|dopri|array|rattle",       \
      "integration method: bdf (variable coefficients, orders 1 to 6), bdf_classic (the "          \
      "DASSL strategy, orders 1 to 5), radau (Radau IIA, orders 5, 9, 13), rodas (linearly "       \
      "implicit, order 5, for few digits), limex (extrapolated linearly implicit Euler, orders "   \
      "2 to 8), dopri (explicit Runge-Kutta, orders 5 and 8, for equations that are not stiff "    \
      "and determine all derivatives), array (radau on the derivative array of up to 60 "          \
      "equations, for an index up to 6) or rattle (symmetric steps of one size, orders 2, 4, 6, "  \
      "for equations of motion over long times); auto chooses, and changes the method after "      \
      "failures")                                                                                  \
    X(int32_t, order_max, 13, 1, 13, "",                                                           \
      "highest order; the limit of the method itself stays in force")                              \
    X(double, first_step, 0.0, 0.0, 1e300, "", "size of the first step; 0: automatic")             \
    X(double, min_step, 0.0, 0.0, 1e300, "", "smallest step; 0: limited by roundoff only")         \
    X(double, max_step, 0.0, 0.0, 1e300, "", "largest step; 0: unlimited")                         \
    X(int64_t, max_steps, 0, 0, INT64_MAX, "", "steps in one call of advance; 0: unlimited")       \
    X(int32_t, constraint_method, 0, 0, 2, "project|ggl|dummy",                                    \
      "how constraints are kept: by projection after each step; by multipliers in the equations "  \
      "of each step (Gear, Gupta, Leimkuhler); or by dummy derivatives: the constraints "          \
      "determine some variables, whose derivatives are not integrated")                            \
    X(int32_t, projection, 0, 0, 1, "steps|output",                                                \
      "where constraints are met by projection: after each step and at output points; or at "      \
      "output points alone, while the run goes on from values that were not projected")            \
    X(int32_t, projection_metric, 0, 0, 1, "weights|mass",                                         \
      "what is least in a projection after a step: the change in units of the tolerances; or, of " \
      "equations of motion, in the norm of the mass matrix, as forces of constraints move")        \
    X(double, projection_tolerance, 1e-4, 0.0, 1.0, "",                                            \
      "distance from constraints, in units of the tolerances, that a projection leaves; 0: only "  \
      "roundoff is left")                                                                          \
    X(int32_t, start, 1, 0, 2, "given|states|derivatives",                                         \
      "consistent start: use y0, y0' as given; keep differential y and solve for algebraic y "     \
      "and y'; or keep y' and solve for y")                                                        \
    X(int32_t, error_test, 0, 0, 3, "gated|plain|differential|filtered",                           \
      "norm of the error test: smoothness-gated filter, all variables, differential "              \
      "variables only, or Petzold's filter alone")                                                 \
    X(int32_t, calibrate_tolerance, 1, 0, 1, "no|yes",                                             \
      "yes: the error allowed per step is reduced so that the error at the end of a run meets "    \
      "rtol; no: rtol and atol bound the error per step")                                          \
    X(int32_t, linear_solver, 0, 0, 5, "auto|dense|lapack|band|klu|gmres",                         \
      "linear solver; gmres is an iteration with a preconditioner, for large sparse systems")      \
    X(int32_t, preconditioner, 0, 0, 7, "auto|none|diagonal|block|band|ilu|ilut|lu",               \
      "preconditioner of gmres: diagonal, diagonal blocks, a band, incomplete factors (ilu: in "   \
      "the pattern of the matrix; ilut: with fill) or complete factors that are kept longer")      \
    X(int32_t, preconditioner_width, 0, 0, 1000, "",                                               \
      "unknowns of a block, or diagonals on either side of the main one; 0: automatic")            \
    X(int32_t, krylov_product, 0, 0, 2, "auto|differences|matrix",                                 \
      "products of the Jacobian with a vector in gmres: by differences of F, or by the last "      \
      "Jacobian; auto takes jacobian_product of the system if it is given, else differences")      \
    X(int32_t, krylov_length, 0, 0, 100, "",                                                       \
      "directions that gmres keeps before it restarts; 0: automatic")                              \
    X(int32_t, krylov_restarts, 3, 0, 1000, "", "restarts of gmres in one solve")                  \
    X(int32_t, krylov_keep, 0, 0, 100, "",                                                         \
      "incomplete gmres: directions against which a new one is made orthogonal; 0: all")           \
    X(double, krylov_tolerance, 0.05, 1e-12, 0.9, "",                                              \
      "tolerance of gmres in a Newton iteration, as a part of the tolerance of that iteration")    \
    X(double, sensitivity_tolerance, 1.0, 1e-3, 1e3, "",                                           \
      "tolerance of sensitivities, in units of that of the variables; more than 1 makes them "     \
      "cheaper and leaves the variables as they are")                                              \
    X(int32_t, check_jacobian, 0, 0, 1, "no|yes",                                                  \
      "compare the given Jacobian with differences at the start")                                  \
    X(int32_t, event_samples, 3, 0, 64, "",                                                        \
      "least number of interior points of a step at which event functions are evaluated; more "    \
      "where they vary fast")                                                                      \
    X(double, event_resolution, 0.0, 0.0, 1e300, "",                                               \
      "events are located in time to this width; 0: as narrow as roundoff allows")                 \
    X(int32_t, threads, 1, 1, 256, "",                                                             \
      "threads that one run uses, made when it is created: for the equations of large models, "    \
      "and "                                                                                       \
      "for difference Jacobians of functions whose system is_thread_safe; results do not depend "  \
      "on it")

/* Zero is not the default everywhere: call daedal_options_defaults() first.     */
typedef struct daedal_options {
#define X(type, name, value, low, high, choices, doc) type name;
    DAEDAL_OPTION_LIST(X)
#undef X
    daedal_doubles rtol_each, atol_each; /* per variable; n = 0: the scalars above   */
    daedal_doubles breakpoints;        /* times at which F may jump: they are hit exactly, and F is
                                          evaluated just before and just after them, never there */
    const daedal_linsolver *linsolver; /* your own, borrowed; overrides linear_solver */
    const daedal_preconditioner *own_preconditioner; /* borrowed; overrides preconditioner */
    const daedal_parallel *parallel;   /* borrowed; NULL: the system is all here            */
    const daedal_allocator *allocator; /* borrowed; NULL: malloc                   */
    daedal_progress_fn *progress;
    daedal_log_fn *log;
    void *callback_user; /* last argument of progress and log                        */
} daedal_options;

typedef struct daedal_option_info {
    const char *name, *type, *choices, *doc;
    double default_value, low, high;
} daedal_option_info;

DAEDAL_API void daedal_options_defaults(daedal_options *options);
DAEDAL_API int32_t daedal_option_count(void);
DAEDAL_API const daedal_option_info *daedal_option_describe(int32_t i); /* NULL past the end */
/* The absolute tolerance that goes with a relative one where none is given: 1e-3 rtol, as in the
 * defaults.  In models it is multiplied by the nominal value of each variable.    */
DAEDAL_API double daedal_default_atol(double rtol);
/* Set one option from text: a number, or the name of a choice.                  */
DAEDAL_API daedal_status daedal_options_set(daedal_options *options, const char *name,
                                            const char *value);

/* ---- equations of motion --------------------------------------------------- */

/* values = M(q) in the order of mass_pattern, without one n x n by columns; zero on entry. */
typedef int daedal_motion_mass_fn(const double *q, double *values, void *user);

/* f = f(t, q, v); everything that M q'' + G' lambda is equal to, gyroscopic terms included. */
typedef int daedal_motion_force_fn(double t, const double *q, const double *v, double *f,
                                   void *user);

/* g = g(q) */
typedef int daedal_motion_constraint_fn(const double *q, double *g, void *user);

/* values = G(q) = dg/dq in the order of constraint_pattern, without one n_constraints x n by
 * columns; zero on entry.                                                       */
typedef int daedal_motion_jacobian_fn(const double *q, double *values, void *user);

/* M(q) q'' = f(t, q, q') - G(q)' lambda,   0 = g(q),   G = dg/dq
 * Zero-initialise and set what you have.                                        */
typedef struct daedal_motion {
    int32_t n; /* positions */
    daedal_motion_force_fn *force;
    daedal_motion_mass_fn *mass; /* or NULL: the identity                               */
    const daedal_pattern *mass_pattern;
    int32_t n_constraints;
    daedal_motion_constraint_fn *constraint;
    daedal_motion_jacobian_fn *constraint_jacobian;
    const daedal_pattern *constraint_pattern; /* n_constraints x n, or NULL               */
    void *user;                               /* last argument of these functions         */
} daedal_motion;

/* The same as a system of index one with 2 n + n_constraints unknowns y = (q, q', lambda), whose
 * constraints g = 0 and G q' = 0 are kept beside it: for method = rattle over long times, and for
 * all other methods.  Pass daedal_motion_describe() to daedal_solver_create() and free it after the
 * solvers; two of these must not run at once, nor one and its clone.
 * On failure *system is NULL and *why (may be NULL) says why.  See docs/howto/motion.md.  */
typedef struct daedal_motion_system daedal_motion_system;
DAEDAL_API daedal_status daedal_motion_create(daedal_motion_system **system,
                                              const daedal_motion *motion,
                                              const daedal_allocator *allocator,
                                              daedal_diagnosis *why);
DAEDAL_API const daedal_system *daedal_motion_describe(const daedal_motion_system *system);
DAEDAL_API void daedal_motion_free(daedal_motion_system *system); /* accepts NULL */

/* ---- any number of equations ------------------------------------------------- */

/* What becomes of unknowns that the equations do not determine: creating the system fails and
 * names them; they keep their start values; or of the unknowns whose derivatives do not occur
 * those are taken whose sum of squares is least.                                  */
typedef enum daedal_undetermined {
    DAEDAL_UNDETERMINED_REFUSE,
    DAEDAL_UNDETERMINED_HOLD,
    DAEDAL_UNDETERMINED_LEAST_NORM
} daedal_undetermined;

/* F(t, y, y') = 0 with n_equations equations for n_unknowns unknowns, up to 500 of each.
 * Zero-initialise and set what you have.                                        */
typedef struct daedal_rectangular {
    int32_t n_equations, n_unknowns;
    daedal_residual_fn *residual; /* fills n_equations values */
    daedal_undetermined undetermined;
    const char *const *variable_names; /* n_unknowns, or NULL  */
    const char *const *equation_names; /* n_equations, or NULL */
    void *user;                        /* last argument of residual */
} daedal_rectangular;

/* A point near which the equations are examined; held unknowns keep these values. */
typedef struct daedal_rectangular_start {
    double t;
    const double *y, *yp; /* yp may be NULL */
} daedal_rectangular_start;

/* Equations that are solved, equations that follow from them, and unknowns that are not determined
 * by them, by their numbers.                                                     */
typedef struct daedal_rectangular_choice {
    daedal_ints kept, dropped, undetermined;
} daedal_rectangular_choice;

/* The same as a square system: redundant equations are dropped, undetermined unknowns get
 * equations.  Its index is any that the solver takes.  Pass daedal_rectangular_describe() to
 * daedal_solver_create() and free it after the solvers; two of these must not run at once, nor one
 * and its clone.  On failure *system is NULL and *why (may be NULL) says why.  See
 * docs/howto/rectangular.md.                                                    */
typedef struct daedal_rectangular_system daedal_rectangular_system;
DAEDAL_API daedal_status daedal_rectangular_create(daedal_rectangular_system **system,
                                                   const daedal_rectangular *rectangular,
                                                   const daedal_rectangular_start *start,
                                                   const daedal_allocator *allocator,
                                                   daedal_diagnosis *why);
DAEDAL_API const daedal_system *
daedal_rectangular_describe(const daedal_rectangular_system *system);
DAEDAL_API const daedal_rectangular_choice *
daedal_rectangular_chosen(const daedal_rectangular_system *system);
DAEDAL_API void daedal_rectangular_free(daedal_rectangular_system *system); /* accepts NULL */

/* ---- the solver ---------------------------------------------------------- */

typedef struct daedal_solver daedal_solver;

/* All or nothing: *solver is NULL on failure, and *why (may be NULL) says why.  */
DAEDAL_API daedal_status daedal_solver_create(daedal_solver **solver, const daedal_system *system,
                                              const daedal_options *options, daedal_diagnosis *why);
DAEDAL_API void daedal_solver_free(daedal_solver *solver); /* accepts NULL */
DAEDAL_API daedal_status daedal_solver_clone(daedal_solver **copy, const daedal_solver *solver);

/* Whether the equations that were dropped hold where the solver stands, to what errors of a run
 * with rtol add up to.  Call it after the start and at output points.  DAEDAL_ERR_INCONSISTENT: one
 * does not, and *why (may be NULL) says which.                                         */
DAEDAL_API daedal_status daedal_rectangular_check(daedal_rectangular_system *system,
                                                  const daedal_solver *solver, double rtol,
                                                  daedal_diagnosis *why);

/* Begin, or begin again, at t0.  yp0 may be NULL.  Makes the start consistent as
 * the option `start` says; daedal_solver_moved() lists what moved.              */
DAEDAL_API daedal_status daedal_solver_start(daedal_solver *solver, double t0, const double *y0,
                                             const double *yp0);

/* Which entries of y0 and y0' the start may change: FREE, GUESS (change as little
 * as possible) or FIXED.  Both masks have n entries; see docs/howto/start.md.   */
enum { DAEDAL_FREE = 0, DAEDAL_GUESS = 1, DAEDAL_FIXED = 2 };
DAEDAL_API daedal_status daedal_solver_start_masked(daedal_solver *solver, double t0,
                                                    const double *y0, const double *yp0,
                                                    daedal_ints y_mask, daedal_ints yp_mask);

/* Continue from changed values at the current time, after an event or a changed
 * parameter.  They are made consistent again, and the first step is chosen from the new
 * y'.  NULL: keep the values.  On failure the run stays as it was.              */
DAEDAL_API daedal_status daedal_solver_restart(daedal_solver *solver, const double *y,
                                               const double *yp);

/* Integrate to t_out, forward or backward; stops earlier at an event, a callback's
 * STOP or the stop time.                                                        */
DAEDAL_API daedal_status daedal_solver_advance(daedal_solver *solver, double t_out);

/* One accepted step towards t_limit, which is never passed.                     */
DAEDAL_API daedal_status daedal_solver_step(daedal_solver *solver, double t_limit);

/* F is never evaluated beyond t_stop, as with tstop of IDA; NAN removes the limit. */
DAEDAL_API daedal_status daedal_solver_set_stop_time(daedal_solver *solver, double t_stop);

/* Other options for the rest of the run, complete: rtol, atol, rtol_each, atol_each, first_step,
 * min_step, max_step, max_steps, event_resolution, progress, log and callback_user may differ from
 * those before; another difference is refused by its name, and nothing has changed.  With other
 * tolerances the integrator begins again from the state.                         */
DAEDAL_API daedal_status daedal_solver_set_options(daedal_solver *solver,
                                                   const daedal_options *options);

/* y and y' (either may be NULL) at a time within the last step.                 */
DAEDAL_API daedal_status daedal_solver_interpolate(daedal_solver *solver, double t, double *y,
                                                   double *yp);

/* The same, as accurate as at an output point, both y and y': where the method interpolates worse
 * than it steps an extra step is taken beside the run, algebraic variables satisfy the equations,
 * and constraints hold, also those that are hidden in the equations.  F may be called.  */
DAEDAL_API daedal_status daedal_solver_evaluate(daedal_solver *solver, double t, double *y,
                                                double *yp);

/* ---- sensitivities of a system with n_parameters > 0 ---- */

/* dy/dp_i and dy'/dp_i (either may be NULL) at the current state, n entries each; they belong to
 * the solver until its next call.  At an event: as they are just before it.           */
DAEDAL_API daedal_status daedal_solver_sensitivity(daedal_solver *solver, int32_t i,
                                                   const double **s, const double **sp);

/* Before a start: dy0/dp_i of the runs that follow, of which the start keeps what it keeps of y0;
 * it is zero otherwise, and NULL makes it so.  After a restart: dy/dp_i from there on. */
DAEDAL_API daedal_status daedal_solver_set_sensitivity(daedal_solver *solver, int32_t i,
                                                       const double *s);

/* q = q(t, y, yp), which may also read the parameters. */
typedef int daedal_quantity_fn(double t, const double *y, const double *yp, double *q, void *user);

/* dq/dp at the current state, of n quantities: n x n_parameters by columns.       */
DAEDAL_API daedal_status daedal_solver_derived(daedal_solver *solver, daedal_quantity_fn *quantity,
                                               int32_t n, double *derivatives, void *user);

/* dT/dp of the time T of an event, its number among the event functions, that was located at the
 * current state: n_parameters entries.                                             */
DAEDAL_API daedal_status daedal_solver_event_sensitivity(daedal_solver *solver, int32_t event,
                                                         double *derivatives);

/* Compare the given Jacobian with differences at the current state; DAEDAL_OK or
 * DAEDAL_ERR_JACOBIAN with the worst entries named in the diagnosis.            */
DAEDAL_API daedal_status daedal_solver_check_jacobian(daedal_solver *solver);

/* ---- results and statistics ---------------------------------------------- */

typedef struct daedal_state {
    double t;
    const double *y, *yp; /* n each */
    int32_t n;
    const int32_t *event; /* n_events: +1 or -1 for an event at this time (the direction
                             of its sign change), else 0                         */
    int32_t n_events;
} daedal_state;

typedef struct daedal_stats {
    int64_t steps;              /* accepted                                       */
    int64_t rejected_error;     /* attempts that failed the error test            */
    int64_t rejected_newton;    /* attempts whose nonlinear equations failed      */
    int64_t residuals;          /* calls of F, differences included               */
    int64_t jacobian_residuals; /* of these, spent on difference Jacobians       */
    int64_t jacobians;
    int64_t factorizations;
    int64_t solves;     /* back-substitutions                             */
    int64_t iterations; /* Newton                                         */
    int64_t event_calls;
    int64_t events; /* located                                        */
    int64_t restarts;
    int64_t projections;          /* of steps on the constraints                  */
    int64_t solver_reallocations; /* how often the linear solver needed more memory */
    int64_t pattern_repairs;      /* how often entries were added to the Jacobian's pattern */
    int64_t krylov_iterations;    /* of gmres                                    */
    int64_t krylov_failures;      /* solves in which it did not converge         */
    int64_t jacobian_products;    /* products of the Jacobian with a vector      */
    int64_t preconditioner_setups;
    int64_t preconditioner_solves;
    int64_t direct_fallbacks; /* how often a direct solver took the place of gmres  */
    double h_last, h_next;
    int32_t order_last, order_next;
} daedal_stats;

/* How often a variable or an equation limited the step size.  A variable counts where it had the
 * largest share in the error of an accepted step, the largest error of a rejected one, or the
 * largest correction where the nonlinear equations of a step failed; an equation where it then had
 * the largest residual.  Errors and corrections are in units of the tolerance.      */
typedef struct daedal_limiter {
    int32_t number;   /* of the variable or equation                               */
    const char *name; /* or NULL, where the system has no names                    */
    int64_t steps, rejected_error, rejected_newton; /* as in daedal_stats          */
} daedal_limiter;

typedef struct daedal_moved {
    int32_t variable;
    int32_t is_derivative; /* 1: y' moved, 0: y moved */
    double from, to;
} daedal_moved;

typedef struct daedal_structure {
    int32_t n, nnz, n_colours; /* colours = residual calls per difference Jacobian   */
    int32_t band_lower, band_upper;
    int32_t n_differential;
    const int32_t *variable_kind;       /* n */
    const char *linear_solver;          /* in use; "gmres" becomes a direct one where it failed  */
    const char *preconditioner;         /* of gmres, else NULL                                */
    daedal_pattern pattern;             /* of dF/dy + c dF/dyp */
    const char *method, *method_reason; /* in use, and why; auto may change both */
    int32_t constraint_method; /* in use: the option, or another one after it failed       */
    int32_t
        index; /* at the start, if finding a start has shown it; -1: see daedal_solver_analyze */
} daedal_structure;

DAEDAL_API const daedal_state *daedal_solver_state(const daedal_solver *solver);
DAEDAL_API const daedal_stats *daedal_solver_stats(const daedal_solver *solver);
/* What the sensitivities cost, apart from the above; NULL without any. */
DAEDAL_API const daedal_stats *daedal_solver_sensitivity_stats(const daedal_solver *solver);
DAEDAL_API const daedal_diagnosis *daedal_solver_diagnosis(const daedal_solver *solver);
DAEDAL_API const daedal_structure *daedal_solver_structure(const daedal_solver *solver);
DAEDAL_API const daedal_moved *daedal_solver_moved(const daedal_solver *solver, int32_t *count);
/* Fill in the variables, or the equations, that limited the step size most often so far: at most
 * `most` of them, the first in rank first.  Returns how many there are in the list.  */
DAEDAL_API int32_t daedal_solver_limiting_variables(const daedal_solver *solver,
                                                    daedal_limiter *list, int32_t most);
DAEDAL_API int32_t daedal_solver_limiting_equations(const daedal_solver *solver,
                                                    daedal_limiter *list, int32_t most);

/* What calls of F reveal about the index of a system near a point. */
typedef struct daedal_analysis {
    int32_t index;                 /* how often equations must be differentiated until all y' are
                                      known; -1: not found                            */
    char grade;                    /* 'A' confirmed by a second method, 'B' found by one that uses
                                      the whole system, 'C' unconfirmed, 'D' no answer */
    int32_t structural_index;      /* from the sparsity alone; -1: structurally singular  */
    int32_t degrees_of_freedom;    /* initial values that can be chosen; -1: not known    */
    const int32_t *variable_index; /* n: 0 differential, 1 algebraic or constrained, 2 .. of a
                                      higher index; -1: not known                     */
    const char *chain;             /* "length -> x -> u -> lambda": the equation differentiated most
                                      and what follows from it; "" if not known      */
    const char *reason;            /* how the answer was reached, or why there is none */
    int64_t residuals;             /* calls of F that it took                         */
} daedal_analysis;

/* Find the index at (t, y, yp); yp may be NULL: zero.  The values need not be consistent, and a
 * run is not disturbed.  DAEDAL_OK also where there is no answer (index -1); see
 * docs/howto/index.md.                                                          */
DAEDAL_API daedal_status daedal_solver_analyze(daedal_solver *solver, double t, const double *y,
                                               const double *yp, daedal_analysis *analysis);

/* ---- the gradient of a functional, by adjoints ------------------------------ */

/* A term of a functional: g(t, y) or h(t, y), which may also read the parameters. */
typedef int daedal_functional_fn(double t, const double *y, double *value, void *user);

/* Its derivatives: by_y has n entries, by_p n_parameters; zero on entry.          */
typedef int daedal_functional_gradient_fn(double t, const double *y, double *by_y, double *by_p,
                                          void *user);

/* G = integral of g(t, y, p) from the start to t_end + h(t_end, y(t_end), p), of the solution that
 * begins at t_start with y; zero-initialise and set what you have.               */
typedef struct daedal_gradient_task {
    double t_start, t_end;
    const double *y, *yp; /* as in daedal_solver_start: yp may be NULL                        */
    const double *start_derivatives; /* dy(t_start)/dp, n x n_parameters by columns; NULL: zero */
    daedal_functional_fn *integrand; /* g, or NULL: none                                     */
    daedal_functional_gradient_fn *integrand_gradient; /* or NULL: differences               */
    daedal_functional_fn *end;                         /* h, or NULL: none                   */
    daedal_functional_gradient_fn *end_gradient;       /* or NULL: differences               */
    void *user;    /* last argument of these functions                                       */
    size_t memory; /* bytes that the solution may take until it is run again in parts; 0: 256 MiB */
} daedal_gradient_task;

typedef struct daedal_gradient {
    double value;                   /* G                                                       */
    double *by_parameters;          /* yours, n_parameters: dG/dp, or NULL                     */
    double *by_start;               /* yours, n: dG/dy of the start values, or NULL            */
    daedal_stats forward, backward; /* what the two runs cost                                  */
    int64_t repeated_steps;         /* of the forward run, because of `memory`                 */
    double tolerance;               /* relative, of the backward run: more than rtol where noise in
                                       derivatives by differences asks for it                  */
} daedal_gradient;

/* Solve a system, then its adjoint equations backward, whose cost does not grow with the number of
 * parameters.  The index of the system is one at most, or two in Hessenberg's form, and it has no
 * events.  *why (may be NULL) explains a failure.  See docs/howto/adjoints.md.     */
DAEDAL_API daedal_status daedal_system_gradient(const daedal_system *system,
                                                const daedal_options *options,
                                                const daedal_gradient_task *task,
                                                daedal_gradient *gradient, daedal_diagnosis *why);

/* ---- verification ---------------------------------------------------------- */

/* Whether a solution is confirmed by another one of the same problem, which was computed by another
 * method with tolerances a hundred times smaller.                               */
typedef enum daedal_verdict {
    DAEDAL_VERDICT_NONE = 0,      /* not asked for, or the run failed                        */
    DAEDAL_VERDICT_AGREES = 1,    /* no difference exceeds 100 tolerances                    */
    DAEDAL_VERDICT_DISAGREES = 2, /* one does                                                */
    DAEDAL_VERDICT_DIVERGES = 3,  /* one does, but small errors grow by as much: by nature, as
                                     in chaos, nobody can compute the solution so accurately */
    DAEDAL_VERDICT_UNVERIFIED = 4 /* no other run succeeded                                  */
} daedal_verdict;

DAEDAL_API const char *daedal_verdict_name(daedal_verdict verdict); /* "agrees"            */

/* The largest difference of two solutions in one variable.  A tolerance is rtol times the largest
 * |value| of the runs, plus the absolute tolerance.                             */
typedef struct daedal_difference {
    int32_t variable;    /* its number, in a model that of the description           */
    const char *name;    /* or NULL                                                  */
    double error;        /* in tolerances                                            */
    double t;            /* where                                                    */
    double value, other; /* there                                                    */
    double tolerance;
} daedal_difference;

typedef struct daedal_verification {
    daedal_verdict verdict;
    const char *method;           /* of the other solution                                */
    double rtol, atol;            /* of the other solution                                */
    int32_t is_other_method;      /* 0: other methods failed, the tolerance alone differs */
    double error;                 /* the largest, in tolerances */
    int32_t n_variables;          /* that were compared */
    int32_t n_apart;              /* of these differ by more than 100 tolerances */
    double t_diverge;             /* from when on the solutions diverge by nature, or NAN */
    double growth;                /* to how many tolerances an error of one has grown until then */
    double event_shift;           /* the largest difference of the times of events with jumps; a
                                     difference that disappears when time is shifted by it is none */
    int32_t events_with_jumps[2]; /* in the two solutions                            */
    int32_t n_worst;              /* variables that differ most, the worst first     */
    daedal_difference worst[10];
    char message[800]; /* the verdict in words                                       */
} daedal_verification;

/* One whole run of a solver that was created for it: start, advance to output times, restart after
 * events.  It is called several times and must do the same each time.  DAEDAL_CALL_OK, or anything
 * else to give up.                                                               */
typedef int daedal_drive_fn(daedal_solver *solver, void *user);

/* Let `drive` run a system several times and compare the states after its calls of start, advance
 * and restart.  The first run has the options as given.  Its status, or DAEDAL_OK; *why (may be
 * NULL) explains a failure.  See docs/howto/verify.md.                                  */
DAEDAL_API daedal_status daedal_verify(const daedal_system *system, const daedal_options *options,
                                       daedal_drive_fn *drive, void *user,
                                       daedal_verification *verification, daedal_diagnosis *why);

/* ---- equation models -------------------------------------------------------- */

/* A model read from equations in a text (Base Modelica, or a flat Modelica model). */
typedef struct daedal_model daedal_model;

typedef struct daedal_setting {
    const char *name;
    double value;
} daedal_setting;

/* The value of an input of the model as an expression of its variables, "2*sin(time)"; NULL: from
 * outside (daedal_model_set, daedal_model_feed), also where the model gives it a value. */
typedef struct daedal_binding {
    const char *name, *expression;
} daedal_binding;

/* How an index above one is reduced.  All ways differentiate equations; they differ in how the
 * constraints that differentiation loses are kept: by projection after every step; by dummy
 * derivatives or multipliers, as with the option `constraint_method`; by stabilization terms
 * ([Bau72]); or not at all: then the solution drifts off, and daedal_outcome.constraint_residual
 * says how far.  auto is projection, or dummy derivatives where some stateSelect is `always`.  */
typedef enum daedal_reduction {
    DAEDAL_REDUCE_AUTO,
    DAEDAL_REDUCE_PROJECT,
    DAEDAL_REDUCE_DUMMY,
    DAEDAL_REDUCE_GGL,
    DAEDAL_REDUCE_BAUMGARTE,
    DAEDAL_REDUCE_DIFFERENTIATE
} daedal_reduction;

/* Which constraints are kept by projection: all; the equations as written; or, of each, the last
 * derivative that is still a constraint (velocities, where the equation is one of positions).  */
typedef enum daedal_levels {
    DAEDAL_LEVELS_ALL,
    DAEDAL_LEVELS_POSITION,
    DAEDAL_LEVELS_VELOCITY
} daedal_levels;

/* Settings that apply when a model is built; zero-initialise.  */
typedef struct daedal_model_options {
    const daedal_setting *parameters; /* new values of parameters                  */
    int32_t n_parameters;
    const daedal_setting *starts; /* start values that are kept (fixed = true)     */
    int32_t n_starts;
    const daedal_binding *inputs; /* values of inputs as expressions              */
    int32_t n_inputs;
    daedal_reduction reduction;
    daedal_levels levels; /* which constraints projection keeps                    */
    double baumgarte;     /* rate at which constraints are approached; 0: 100 over the span  */
    const daedal_allocator *allocator; /* borrowed; NULL: malloc                   */
    daedal_diagnosis *why;             /* on failure: status, cause, and the text of the message */
    const char *model_name; /* which model of the file is meant; NULL: the last one          */
    int32_t
        allow_external;    /* functions `external "C"` of shared objects may be loaded and called */
    const char *libraries; /* directories with Modelica libraries, separated by ':'; NULL: none  */
    const daedal_binding *definitions; /* variables beside those of the text: any name, and an
                                          expression of the others; they are the last ones   */
    int32_t n_definitions;
} daedal_model_options;

/* Read a model from a file, or from `length` bytes of text that messages call `name`.  If there are
 * libraries, the path can also be the full name of a class in them: A.B.C.
 * On failure *model is NULL and `message` (size bytes) says what is wrong and where:
 * file:line:column, the line and a caret.  DAEDAL_ERR_MODEL: the text is wrong;
 * DAEDAL_ERR_STRUCTURE: the equations cannot be solved as posed; DAEDAL_ERR_ARGUMENT: the
 * options name what the model does not have.                                    */
DAEDAL_API daedal_status daedal_model_read(daedal_model **model, const char *path,
                                           const daedal_model_options *options, char *message,
                                           size_t size);
DAEDAL_API daedal_status daedal_model_parse(daedal_model **model, const char *name,
                                            const char *text, size_t length,
                                            const daedal_model_options *options, char *message,
                                            size_t size);
DAEDAL_API void daedal_model_free(daedal_model *model); /* accepts NULL */

typedef enum daedal_value_type {
    DAEDAL_REAL,
    DAEDAL_INTEGER,
    DAEDAL_BOOLEAN,
    DAEDAL_ENUMERATION
} daedal_value_type;

typedef struct daedal_model_variable {
    const char *name, *unit, *description; /* unit, description: or NULL            */
    daedal_value_type type;
    int32_t is_constant;             /* parameters and constants: their value does not change    */
    int32_t is_input;                /* its value comes from outside (daedal_model_set, _feed)   */
    int32_t is_parameter, is_output; /* declared as such                             */
    int32_t is_state;                /* the integrator determines it from its derivative          */
    int32_t has_derivative;          /* der(x) occurs, or that of what it is a copy of         */
    int32_t is_fixed;                /* it begins with its start value: fixed = true              */
    double value;                    /* of constants and parameters as they were read; else NAN   */
    double start;                    /* of others: as written; NAN where nothing is               */
    double minimum, maximum;         /* -INFINITY, INFINITY: none                             */
    double nominal;                  /* NAN: none                                             */
    int32_t is_discrete;             /* its value changes at events only                        */
} daedal_model_variable;

/* What is known of a model before it is run.  NAN where its text says nothing.  */
typedef struct daedal_model_info {
    const char *name, *description;
    int32_t n_variables; /* all variables, parameters and constants included        */
    const daedal_model_variable *variables;
    double start_time, stop_time, interval, tolerance; /* annotation experiment      */
    int32_t n_warnings;
    const char *const *warnings;
    int32_t first_number; /* of variables[0] (daedal_model_find): 0, unless a parameter that was set
                             has changed which variables there are                      */
} daedal_model_info;

DAEDAL_API const daedal_model_info *daedal_model_describe(const daedal_model *model);

/* What a new value of a parameter asks for. */
typedef enum daedal_tuning {
    DAEDAL_TUNING_NONE,      /* it is no parameter, or one that is determined at the start */
    DAEDAL_TUNING_FINAL,     /* it follows from others: `final`                     */
    DAEDAL_TUNING_STRUCTURE, /* its value decides what the equations are: daedal_model_set reads the
                                model again, and refuses it while a run is under way        */
    DAEDAL_TUNING_CONDITIONAL, /* the same if a decision changes that was made with the value, such
                                  as a comparison                                             */
    DAEDAL_TUNING_LIVE         /* the same if it becomes 0; else nothing is read again        */
} daedal_tuning;

/* By variable of the description, n_variables values. */
DAEDAL_API daedal_status daedal_model_tunings(daedal_model *model, daedal_tuning *tunings);

/* Structure of the equations. */
typedef struct daedal_model_structure {
    const char *class_name; /* "ODE", "semi-explicit index 1", ...                   */
    int32_t equations, unknowns, states, aliases;
    int32_t index, structural_index, degrees_of_freedom;
    int32_t blocks, largest_block;
    int32_t n_differentiated;      /* equations to be differentiated for a start          */
    const int32_t *variable_index; /* by variable of the description: how often equations must
                                      be differentiated until its derivative is known; -1
                                      where it is no unknown                         */
    int32_t n_hidden; /* constraints that follow from equations by differentiation, as text */
    const char *const *hidden_constraints;
    int32_t
        n_combined;   /* equations replaced by combinations, since the structural index was wrong */
    int32_t n_events; /* conditions that may change while steps are taken          */
    const char *singular_start; /* if the start values are a singular point: what the equations do
                                   not determine there, in words; else NULL                   */
} daedal_model_structure;

DAEDAL_API daedal_status daedal_model_analyze(daedal_model *model,
                                              daedal_model_structure *structure,
                                              daedal_diagnosis *why);

/* An unknown in an equation. */
typedef struct daedal_incidence_entry {
    int32_t equation, variable;
    int32_t derivative;   /* the highest one that occurs; 0: the value only             */
    int32_t is_essential; /* the order of the blocks depends on it; else its value, as that of
                             a state, is known when the equation is solved              */
} daedal_incidence_entry;

/* Which unknowns occur in which equations, both as written and before aliases are eliminated; and
 * the blocks that can be solved one after the other, each for its own unknowns.  Block b has the
 * equations equation_order[block_start[b]] .. equation_order[block_start[b + 1] - 1] and the
 * unknowns at the same places of variable_order.  Everything belongs to the model.  */
typedef struct daedal_incidence {
    int32_t n;                    /* equations, and as many unknowns                */
    const char *const *equations; /* their text, shortened                          */
    const int32_t *lines;         /* of the text of the model that they are in      */
    const char *const *variables; /* names                                          */
    int32_t n_entries;
    const daedal_incidence_entry *entries; /* by variable, then by equation         */
    int32_t n_blocks;
    const int32_t *block_start; /* n_blocks + 1, if n > 0                           */
    const int32_t *equation_order, *variable_order;
} daedal_incidence;

DAEDAL_API daedal_status daedal_model_incidence(daedal_model *model, daedal_incidence *matrix,
                                                daedal_diagnosis *why);

/* A component of a model, and its parts with it.  A variable a.b[2].x is of the component a.b[2].
 * Equations and unknowns are those that the component has and must determine: flows and outputs of
 * its own connectors, potentials and inputs of those of its parts.                 */
typedef struct daedal_component {
    const char *name;  /* a.b[2]; "" for the model as a whole                        */
    int32_t depth;     /* 0 for the model, 1 for its components, ...                 */
    int32_t equations; /* as written; -1: a flat text does not say whose they are     */
    int32_t unknowns, states;
    int32_t index; /* the highest of its variables (daedal_model_structure); -1: none */
} daedal_component;

/* All components, each before its parts; they belong to the model. */
DAEDAL_API daedal_status daedal_model_components(daedal_model *model,
                                                 const daedal_component **components, int32_t *n,
                                                 daedal_diagnosis *why);

/* Receives text piece by piece; anything but DAEDAL_CALL_OK stops the writing. */
typedef int daedal_text_fn(const char *text, size_t length, void *user);

/* A class of a package. */
typedef struct daedal_class {
    const char *name;        /* in full: Modelica.Electrical.Analog           */
    const char *kind;        /* package, model, block, connector, function, ...; unreadable */
    const char *description; /* or NULL                                        */
    int is_example;          /* a model with an experiment, or of an icon Example */
    int is_partial;
} daedal_class;

/* Receives one class; anything but DAEDAL_CALL_OK ends the list. */
typedef int daedal_class_fn(const daedal_class *one, void *user);

typedef struct daedal_browse_options {
    const char *libraries; /* directories, separated by ':'; or NULL            */
    int all;               /* classes of packages inside the package too        */
} daedal_browse_options;

/* List the classes of a package (its full name), of a file (a name that ends with .mo), or, if
 * name is NULL, the packages of the libraries.  DAEDAL_ERR_ARGUMENT: there is no such package;
 * DAEDAL_ERR_MODEL: it cannot be read; DAEDAL_STOPPED: visit ended the list.          */
DAEDAL_API daedal_status daedal_browse(const char *name, const daedal_browse_options *options,
                                       daedal_class_fn *visit, void *user, char *message,
                                       size_t size);

/* Write the model as the text of a flat model: scalar and array variables with the names of all
 * components, functions, records, equations.  Reading this text gives the same model.  Parameters
 * have the values with which the model was read.  DAEDAL_ERR_ARGUMENT: something was changed that
 * the text would not have, as start values, inputs and elements of arrays.               */
DAEDAL_API daedal_status daedal_model_export_flat(daedal_model *model, daedal_text_fn *write,
                                                  void *user, daedal_diagnosis *why);

/* Write the equations, as they are solved, as a C file: functions for the residual and for
 * dF/dy and dF/dy', the sparsity pattern, names as comments; its head says how to use it.
 * If the index was reduced: the equations after reduction, without the constraints that daedal
 * keeps by projection.  DAEDAL_STOPPED: `write` stopped it; DAEDAL_ERR_STRUCTURE: no unknowns, or
 * the equations call functions that could not be inlined.                             */
DAEDAL_API daedal_status daedal_model_export_c(daedal_model *model, daedal_text_fn *write,
                                               void *user, daedal_diagnosis *why);

/* One row of a result: values of all variables in the order of the description. */
typedef enum daedal_row_kind {
    DAEDAL_ROW_POINT, /* an output point                                       */
    DAEDAL_ROW_STEP,  /* a step of the integrator                              */
    DAEDAL_ROW_BEFORE_EVENT,
    DAEDAL_ROW_AFTER_EVENT /* the same time as the row before                       */
} daedal_row_kind;

/* DAEDAL_CALL_STOP ends the run. */
typedef int daedal_row_fn(daedal_row_kind kind, double t, const double *values, void *user);

/* After each row: the derivatives of its values by parameter number i of the request. */
typedef int daedal_sensitivity_fn(daedal_row_kind kind, double t, int32_t i,
                                  const double *derivatives, void *user);

/* At each event, before its rows: the derivatives of its time t by the parameters of the request.
 * DAEDAL_CALL_STOP ends the run.                                                   */
typedef int daedal_event_time_fn(double t, const double *derivatives, void *user);

/* A simulation to be run; zero-initialise. */
typedef struct daedal_simulation {
    double t_start, t_stop;
    int32_t intervals;             /* evenly spaced output points: intervals + 1      */
    daedal_doubles times;          /* instead: output at these times                  */
    int32_t every_step;            /* instead: output after every step                */
    int32_t no_event_rows;         /* no rows at events, only at output points        */
    int32_t stop_at_events;        /* daedal_model_advance returns after each event; of no effect
                                      in daedal_model_simulate                        */
    const daedal_options *options; /* tolerances, method, progress; NULL: defaults   */
    int32_t scale_atol;            /* atol is per unit of nominal; always without options */
    int32_t verify;                /* 1: solve again with another method, and compare  */
    daedal_row_fn *row;
    void *row_user;
    int32_t derivatives; /* 1: the derivatives of all variables follow in a row, and in the values
                            of daedal_model_start; NAN where the equations contain none          */
    daedal_ints parameters; /* parameters, by their numbers in the description, by which the rows
                               are differentiated; a variable stands for its start value         */
    daedal_sensitivity_fn *sensitivity; /* receives the derivatives, with row_user           */
    daedal_event_time_fn *event_time;   /* receives those of the times of events, likewise   */
    daedal_ints conserved; /* variables, by their numbers, that should keep their values: how far
                              they do is told in daedal_outcome.invariants                     */
} daedal_simulation;

/* What should keep its value in a run: an equation of the model that follows from the others, or a
 * variable that the caller has called conserved.  An equation is held if the solution is projected
 * on it; one that is not ends the run if it does not hold.                        */
typedef struct daedal_invariant {
    const char *name; /* of the variable, or the equation in words                    */
    double start;     /* value of the variable at the start; 0 of equations           */
    double drift;     /* largest difference from that, or of the sides, after all steps */
    double size;      /* of the numbers that it is made of                            */
    int32_t is_equation, is_held;
} daedal_invariant;

/* The outcome of a run; pointers belong to the model until its next run. */
typedef struct daedal_outcome {
    daedal_status status;
    double t; /* reached */
    daedal_stats stats;
    int32_t n_limiting_variables; /* what limited the step size: the first in rank     */
    const daedal_limiter *limiting_variables;
    int32_t n_limiting_equations;
    const daedal_limiter *limiting_equations;
    const char *method, *method_reason;
    double constraint_residual; /* largest relative residual of the algebraic equations at output
                                   points                                            */
    int32_t n_invariants; /* what should keep its value, and how far it did                     */
    const daedal_invariant *invariants;
    int32_t n_moved; /* start values that were changed: names, guess and value       */
    const char *const *moved_names;
    const double *moved_from, *moved_to;
    int32_t n_open; /* degrees of freedom that fixed values and initial equations leave open:   */
    const char *const *open_names;   /* unknowns that could be fixed to make the start unique     */
    const int32_t *open_kept;        /* 1: its start value was kept, 0: it was moved              */
    const char *const *open_instead; /* others that could be fixed instead, "y, z", or NULL     */
    int32_t n_warnings;              /* what the run told, the first of them                   */
    const daedal_warning *warnings;
    int32_t lacks_derivatives; /* 1: sensitivities do not count everything, as a warning tells */
    const daedal_verification
        *verification;          /* NULL unless it was asked for and the run succeeded */
    daedal_diagnosis diagnosis; /* its numbers are those of the solver: use the names */
    const char *blamed_equation, *blamed_variable; /* or NULL                          */
} daedal_outcome;

DAEDAL_API daedal_status daedal_model_simulate(daedal_model *model,
                                               const daedal_simulation *simulation,
                                               daedal_outcome *outcome);

/* The consistent start only: values of all variables at t_start. */
DAEDAL_API daedal_status daedal_model_start(daedal_model *model,
                                            const daedal_simulation *simulation, double *values,
                                            daedal_outcome *outcome);

/* ---- a model, step by step --------------------------------------------------- */

/* A run that the caller drives, as a controller, a test bench or another simulator does:
 *
 *     int32_t u = daedal_model_find(m, "u"), y = daedal_model_find(m, "y");
 *     daedal_model_begin(m, &simulation);
 *     for (double t = dt; t <= t_stop; t += dt) {
 *         daedal_model_get(m, y, &value);
 *         daedal_model_set(m, u, controller(value));
 *         if (daedal_model_advance(m, t) < 0)
 *             break;
 *     }
 *     daedal_model_end(m, &outcome);
 *
 * A model has one such run at a time, and daedal_model_simulate is one that goes to the end in one
 * call: where the points to which it advances are the same, so are the steps and the values.  After
 * a failure daedal_model_diagnosis says why; see docs/howto/step-a-model.md.          */

/* The number by which a variable is read and written, or -1, and the diagnosis has the nearest
 * name: its place in the description; n_variables more for "der(x)", where the equations contain
 * the derivative of x or of what x is a copy of.                                    */
DAEDAL_API int32_t daedal_model_find(daedal_model *model, const char *name);

/* Begin a run: the simulation is that of daedal_model_simulate, whose rows are written as well, and
 * whose `verify` has no effect.  What it points to is copied, except for callbacks.  t_stop is the
 * end of the run, which gives its scale; nothing is evaluated beyond it.         */
DAEDAL_API daedal_status daedal_model_begin(daedal_model *model,
                                            const daedal_simulation *simulation);

/* Continue to t.  DAEDAL_OK: it was reached.  DAEDAL_EVENT: an event was handled before or at t,
 * and `stop_at_events` is set; the values are those after it.  DAEDAL_AT_STOP_TIME: the run has
 * ended at t_stop, or earlier by terminate().  DAEDAL_STOPPED: a callback asked for it.  */
DAEDAL_API daedal_status daedal_model_advance(daedal_model *model, double t);

/* The same by one step of the integrator at most, which never passes t_limit.   */
DAEDAL_API daedal_status daedal_model_step(daedal_model *model, double t_limit);

/* Other options for the rest of the run, as daedal_solver_set_options has them for functions; NULL:
 * those that a run has without any.                                              */
DAEDAL_API daedal_status daedal_model_set_options(daedal_model *model,
                                                  const daedal_options *options);

DAEDAL_API double daedal_model_time(const daedal_model *model); /* of the run; NAN: there is none */

/* The value of a variable, a parameter or a derivative now.                      */
DAEDAL_API daedal_status daedal_model_get(daedal_model *model, int32_t number, double *value);

/* The values of all variables at a time within the last step, as a row of the run has them (with
 * their derivatives, if the simulation asks for them), as accurate as at an output point.  For
 * calls between steps, and for callbacks that receive rows, which can so keep the solution between
 * them; behind an event the step before it is gone.                                       */
DAEDAL_API daedal_status daedal_model_evaluate(daedal_model *model, double t, double *values);

/* An input of the model (`input` without a value): it keeps this value until the next one.  Values
 * that are set between two calls take effect together, as an event: conditions are compared, and
 * the integrator begins again only if the equations read what has changed; the states stay.  No
 * step passes the time to which a model with inputs is advanced.
 * A parameter before the beginning: its value in the runs that follow, with the parameters that
 * depend on it; NAN takes it back.  A run is that of a model read with these values, bit for bit.
 * Where the value decides what the equations are (a size, a branch, a factor that becomes 0, a
 * value at which the index changes) the text is read again inside of the call, and what
 * daedal_model_describe, _analyze and _incidence have returned is gone; if it does not read with
 * the value, that is refused and nothing has changed.  If there are other variables than before,
 * numbers that were found earlier are refused.
 * A parameter in a run takes effect as an input does, and stays for the runs that follow; one that
 * decides what the equations are, or the times of sample(), is refused then.
 * Any other variable before the beginning: its start value in the runs that follow, kept as with
 * fixed = true; NAN takes it back.                                                             */
DAEDAL_API daedal_status daedal_model_set(daedal_model *model, int32_t number, double value);

/* Several parameters at once, before the beginning: the text is read again once, with all of these
 * values, so that sizes can be changed that must fit each other.  All of them are set, or none.
 * Numbers that were found earlier are refused if there are other variables than before. */
DAEDAL_API daedal_status daedal_model_set_parameters(daedal_model *model,
                                                     const daedal_setting *settings, int32_t n);

/* How an input varies between the rows of its data: along straight lines; not at all, until the
 * next row; or along cubic polynomials without corners, which do not overshoot as splines do
 * (modified Akima).                                                             */
typedef enum daedal_interpolation {
    DAEDAL_LINEAR,
    DAEDAL_PREVIOUS,
    DAEDAL_CUBIC
} daedal_interpolation;

/* What happens where a run goes beyond the data: it is refused, or the first and last values hold.
 */
typedef enum daedal_extrapolation { DAEDAL_REFUSE, DAEDAL_HOLD } daedal_extrapolation;

/* Data over time; zero-initialise.  Times ascend; two rows of one time are a jump, which is an
 * event of the run.                                                                   */
typedef struct daedal_signal {
    daedal_doubles times, values; /* as many of both; copied */
    daedal_interpolation interpolation;
    daedal_extrapolation extrapolation;
} daedal_signal;

/* Let an input follow data in the runs that follow; NULL: no longer.  Not while a run is under way.
 */
DAEDAL_API daedal_status daedal_model_feed(daedal_model *model, int32_t number,
                                           const daedal_signal *signal);

/* The last event of the run. */
typedef struct daedal_model_event {
    double t;            /* NAN: there was none since the beginning                 */
    int32_t n_relations; /* relations and roundings that have changed: "h < 0 in line 7"  */
    const char *const *relations;
    int32_t n_whens; /* conditions of when-clauses that have fired, as written, and their lines */
    const char *const *whens;
    const int32_t *when_lines;
} daedal_model_event;

DAEDAL_API const daedal_model_event *daedal_model_last_event(daedal_model *model);

/* The whole state of a run: values, the history of the integrator and of delays, discrete
 * variables, inputs, parameters, random numbers.  It can be restored as long as that run is under
 * way, several times and also after a failure; the run then continues as it did from there, bit for
 * bit.  It can also be restored in a run of another handle that was made of the same text with the
 * same options, if both runs have the same times and options.  Free it before the model that it was
 * saved from.                                                                                  */
typedef struct daedal_model_state daedal_model_state;
DAEDAL_API daedal_status daedal_model_save(daedal_model *model, daedal_model_state **state);
DAEDAL_API daedal_status daedal_model_restore(daedal_model *model, const daedal_model_state *state);
DAEDAL_API void daedal_model_state_free(daedal_model_state *state); /* accepts NULL */

/* End the run and tell its outcome (may be NULL).  It may end anywhere; terminal() becomes true.
 * The status of the run: that of the call that failed, or DAEDAL_OK.             */
DAEDAL_API daedal_status daedal_model_end(daedal_model *model, daedal_outcome *outcome);

/* Why the last call failed. */
DAEDAL_API const daedal_diagnosis *daedal_model_diagnosis(const daedal_model *model);

/* The gradient of G = integral of the variable number `integrand` from t_start to t_stop + the
 * variable number `end` at t_stop (-1: none) by the parameters of the simulation, by adjoint
 * equations: their cost hardly grows with the number of parameters.  The index is any, events are
 * passed, and all derivatives are exact; by_start is not filled.  See docs/howto/adjoints.md. */
DAEDAL_API daedal_status daedal_model_gradient(daedal_model *model,
                                               const daedal_simulation *simulation,
                                               int32_t integrand, int32_t end,
                                               daedal_gradient *gradient, daedal_diagnosis *why);

/* ---- parameters of a model from measured data ---------------------------------- */

/* A parameter to be found, or a variable whose start value is to be found.        */
typedef struct daedal_unknown {
    int32_t number;      /* daedal_model_find                                         */
    double start;        /* where the search begins; NAN: the value that the model has */
    double lower, upper; /* the search stays between them; both 0: no bounds            */
} daedal_unknown;

/* What was measured in one run; zero-initialise. */
typedef struct daedal_experiment {
    const char *name;             /* for messages, or NULL                                  */
    daedal_doubles times;         /* of the rows; they do not fall, equal ones are repetitions */
    daedal_ints measured;         /* variables, by number                                   */
    const double *values;         /* times.n x measured.n by columns; NAN: not measured     */
    const double *deviations;     /* measured.n standard deviations of the errors; NULL: they are
                                     estimated, one for each variable over all experiments  */
    daedal_ints set;              /* parameters and start values of this experiment, by number */
    const double *set_to;         /* set.n values                                           */
    daedal_ints fed;              /* inputs that follow data in this experiment, by number  */
    const daedal_signal *signals; /* fed.n of them                                      */
} daedal_experiment;

/* After each iteration: the sum of squares of the weighted residuals, and the values of the
 * unknowns.  DAEDAL_CALL_STOP ends the search with the best values so far.          */
typedef int daedal_fit_progress_fn(int32_t start, int32_t iteration, double sum,
                                   const double *values, void *user);

/* What is to be found; zero-initialise. */
typedef struct daedal_fit {
    const daedal_unknown *unknowns;
    int32_t n_unknowns;
    const daedal_experiment *experiments;
    int32_t n_experiments;
    double t_start;                /* of all experiments                                */
    const daedal_options *options; /* of all runs; NULL: defaults                       */
    int32_t scale_atol;            /* as in daedal_simulation                           */
    int32_t starts;                /* searches, from different values; 0: 1              */
    uint64_t seed;                 /* of these values                                   */
    int32_t iterations_most;       /* of each search; 0: 100                            */
    double confidence;             /* probability of the intervals; 0: 0.95             */
    daedal_fit_progress_fn *progress;
    void *progress_user;
} daedal_fit;

typedef enum daedal_determination {
    DAEDAL_DETERMINED,
    DAEDAL_AT_BOUND,    /* the best value lies at a bound: it has no interval          */
    DAEDAL_UNDETERMINED /* the data do not change with it, or with it and others together */
} daedal_determination;

typedef struct daedal_estimate {
    const char *name;
    double value;
    double deviation; /* standard deviation; INFINITY where it is not determined       */
    double low, high; /* the confidence interval                                       */
    daedal_determination determination;
} daedal_estimate;

/* A measured variable, over all experiments. */
typedef struct daedal_measured {
    const char *name;
    int32_t n;        /* values                                                        */
    double deviation; /* of the errors: as given, or as estimated                      */
    double misfit;    /* root mean square of the residuals                             */
} daedal_measured;

typedef struct daedal_fit_result {
    int32_t has_converged; /* 0: the estimates are the best values that were seen      */
    int32_t n_unknowns;
    const daedal_estimate *estimates;
    const double *correlation; /* n_unknowns x n_unknowns; NAN where there is none       */
    int32_t n_undetermined;    /* groups of unknowns of which the data determine less than all: */
    const char *const *undetermined; /* their names, "k1, k2"                           */
    int32_t n_measured;
    const daedal_measured *measured;
    int32_t n_values, degrees_of_freedom;
    double sum;                         /* of squares of the residuals over their deviations   */
    const double *const *predicted;     /* by experiment: as its values                       */
    int32_t iterations;                 /* of the search that was best                         */
    int32_t n_starts, n_failed, n_same; /* searches; that had no first run; that ended there */
    int64_t runs;      /* of the model; one with derivatives counts as one                  */
    char message[800]; /* how the search ended, in words                                    */
} daedal_fit_result;

/* Find values of the unknowns for which the runs of the experiments come closest to the data: least
 * squares of (value - measured) / deviation, by the method of Levenberg and Marquardt with
 * derivatives of the solution.  The model keeps the values that were found.  On failure *result is
 * NULL and *why (may be NULL) says why.  DAEDAL_STOPPED: `progress` or a callback of the options
 * ended it, and *result has the best values, with NAN for what is not known of them.  See
 * docs/howto/fit.md.                             */
DAEDAL_API daedal_status daedal_model_fit(daedal_model *model, const daedal_fit *fit,
                                          daedal_fit_result **result, daedal_diagnosis *why);
DAEDAL_API void daedal_fit_result_free(daedal_fit_result *result); /* accepts NULL */

/* ---- many runs of a model ------------------------------------------------------ */

/* One run of a sweep; everything is valid during the call only. */
typedef struct daedal_sweep_run {
    int64_t number;        /* 0 .. n_runs - 1                                            */
    const double *values;  /* of what varies                                            */
    const double *results; /* a row of the kept variables for each output point; NAN behind the end
                              of a run that stopped early, and everywhere if it failed      */
    const daedal_outcome *outcome;
} daedal_sweep_run;

/* DAEDAL_CALL_STOP ends the sweep. */
typedef int daedal_sweep_fn(const daedal_sweep_run *run, void *user);

/* Asked before a run is carried out, one call at a time; 0: it is left out, because another process
 * has it, for example.                                                            */
typedef int daedal_claim_fn(int64_t run, void *user);

/* Runs of a model with other values of parameters and start values; zero-initialise.  */
typedef struct daedal_sweep {
    int64_t n_runs;
    daedal_ints varied;   /* what varies, by numbers that daedal_model_set takes               */
    const double *values; /* n_runs rows, each with the values of all that varies              */
    const unsigned char *skip; /* by run: 1: it is left out; NULL: none is                     */
    daedal_claim_fn *claim;    /* or NULL: all that are not left out are carried out            */
    daedal_ints kept;          /* variables whose values are wanted (daedal_model_find)         */
    const daedal_simulation *simulation; /* times, output points (ascending, not every_step) and
                                            options; rows, sensitivities, `verify` and the log
                                            callback are not used.  `progress` is called by all
                                            threads at once                                  */
    int32_t threads;                     /* 0: one                                           */
    int32_t one_by_one;       /* 1: each run by itself.  0: small models without events may be run
                                 several at a time, by a method of their own (Rodas5P)             */
    daedal_sweep_fn *receive; /* receives the runs, one call at a time, in any order             */
    void *user;
} daedal_sweep;

/* Run all of them, on copies of the model: the model itself stays as it is.  A result does not
 * depend on the number of threads and on the other runs.  It is that of daedal_model_simulate after
 * daedal_model_set: bit for bit with `one_by_one`, else within the tolerances.
 * DAEDAL_OK: all runs were tried, whatever became of them; DAEDAL_STOPPED: a callback asked for it;
 * DAEDAL_ERR_ARGUMENT, DAEDAL_ERR_MEMORY and the like: daedal_model_diagnosis says why.       */
DAEDAL_API daedal_status daedal_model_sweep(daedal_model *model, const daedal_sweep *sweep);

/* ---- pencils and linearised systems ----------------------------------------------- */

/* Two matrices by columns, rows x columns: the pencil lambda E - A of E y' = A y + f(t). */
typedef struct daedal_pencil {
    int32_t rows, columns;
    const double *e, *a;
} daedal_pencil;

/* The structure of a pencil, which no regular transformations of its rows and columns change.  It
 * is singular if det(lambda E - A) is zero for all lambda, or if it is not square: then equations
 * E y' = A y + f have no solution for some f, or infinitely many.                */
typedef struct daedal_pencil_structure {
    int32_t rows, columns;
    int32_t is_regular;
    int32_t index;      /* the size of the largest infinite block: 0 if E is regular         */
    int32_t n_finite;   /* eigenvalues: degrees of freedom, if the pencil is regular         */
    int32_t n_infinite; /* rows of the infinite blocks                                       */
    const double *real, *imaginary; /* n_finite: by falling real part, of two conjugates the one
                                       with the positive imaginary part first                */
    const double *participation;    /* n_finite x columns by rows: the share of each variable in
                                       each mode, with the sum 1; NULL: the pencil is singular  */
    int32_t n_infinite_blocks;
    const int32_t *infinite_blocks; /* their sizes, the largest first                        */
    int32_t n_right, n_left;
    const int32_t *right, *left; /* minimal indices, ascending: a right index k leaves one of k + 1
                                    variables open; a left index k makes one of k + 1 equations a
                                    condition on f                                          */
    int32_t r, a, s, d, u, v;    /* characteristic values: rank of E, algebraic part, strangeness,
                                    differential part, undetermined variables, vanishing equations */
    double kept, dropped; /* the smallest singular value that was taken for one, and the largest
                             that was taken for zero, relative to the size of the matrices: where
                             they are near each other, the structure is not certain */
} daedal_pencil_structure;

/* Find the structure by unitary transformations, after the units of rows and columns were evened
 * out. Singular values below tolerance (0: 1e-10) times the size of a matrix are zero.  On failure
 * *structure is NULL and *why (may be NULL) says why.  See docs/theory/pencils.md.   */
DAEDAL_API daedal_status daedal_pencil_analyze(const daedal_pencil *pencil, double tolerance,
                                               daedal_pencil_structure **structure,
                                               daedal_diagnosis *why);
DAEDAL_API void daedal_pencil_structure_free(daedal_pencil_structure *structure); /* accepts NULL */

/* The canonical form of a regular pencil, n x n matrices by columns, yours:
 * left E right = e = diag(I, N) and left A right = a = diag(J, I), where J has the n_finite
 * eigenvalues and N is strictly triangular.                                     */
typedef struct daedal_canonical_form {
    double *left, *right, *e, *a;
    int32_t n_finite;
    double residual; /* of the equations that decouple the two parts, relative   */
} daedal_canonical_form;

/* DAEDAL_ERR_SINGULAR: the pencil is singular, or not square.                     */
DAEDAL_API daedal_status daedal_pencil_canonical(const daedal_pencil *pencil, double tolerance,
                                                 daedal_canonical_form *form,
                                                 daedal_diagnosis *why);

/* E = dF/dy' and A = -dF/dy of a system at (t, y, yp), n x n by columns; yp may be NULL: zero. From
 * the Jacobian of the system if it has one, else by differences of fourth order, in which what does
 * not exceed its error is zero.  A run is not disturbed.                            */
DAEDAL_API daedal_status daedal_solver_pencil(daedal_solver *solver, double t, const double *y,
                                              const double *yp, double *e, double *a);

/* The impulses that a jump takes.  Where a solution of E y' = A y + f jumps by `jump`, n values, it
 * contains w_1 delta + w_2 delta' + ... with E jump = A w_1, E w_1 = A w_2, ..., E w_m = 0:
 * `weights` becomes n x most by columns, w_1 first, and *order the m that is needed; 0: the jump
 * needs none. DAEDAL_ERR_STRUCTURE: with at most `most` there is no such distribution, and *order
 * is -1.  */
DAEDAL_API daedal_status daedal_pencil_impulses(const daedal_pencil *pencil, const double *jump,
                                                int32_t most, double *weights, int32_t *order,
                                                daedal_diagnosis *why);
/* The same for the start of a run, between it and the first step, if start values contradicted
 * constraints and had to jump (daedal_solver_moved).                               */
DAEDAL_API daedal_status daedal_solver_impulses(daedal_solver *solver, int32_t most,
                                                double *weights, int32_t *order);

/* E x' = A x + B u, y = C x + D u for small deviations x, u, y from a point of a run.  x are all
 * unknowns of the model and the rows are all its equations as written, so that the index is that of
 * the model.  Matrices are by columns.                                           */
typedef struct daedal_linear_system {
    double t;
    int32_t n, n_inputs, n_outputs;
    const char *const *variables, *const *equations; /* n names, n texts           */
    const char *const *inputs, *const *outputs;
    const double *e, *a, *b, *c, *d; /* n x n, n x n, n x n_inputs, n_outputs x n, ...  */
    const double *values, *slopes;   /* n: of the variables; NAN: it has no derivative     */
    int32_t is_linear;      /* the coefficients are constant: E, A and B are the same everywhere */
    int32_t is_equilibrium; /* the unknowns stand still                             */
    const char *moving; /* else: the variable that is farthest from where it would stand still */
    double distance; /* by how much; INFINITY: nowhere.  In units of its value and nominal value */
    const daedal_pencil_structure *pencil;
} daedal_linear_system;

/* Linearise a model where its run (daedal_model_begin) has come to.  Inputs are numbers of inputs,
 * or of parameters that can be set; outputs those of variables.  NULL: those that are declared as
 * such. On failure *system is NULL and daedal_model_diagnosis says why.  See
 * docs/howto/linearize.md. */
DAEDAL_API daedal_status daedal_model_linearize(daedal_model *model, const daedal_ints *inputs,
                                                const daedal_ints *outputs,
                                                daedal_linear_system **system);
DAEDAL_API void daedal_linear_system_free(daedal_linear_system *system); /* accepts NULL */

/* ---- steady states --------------------------------------------------------------- */

typedef enum daedal_stability {
    DAEDAL_STABLE,   /* all eigenvalues have negative real parts                    */
    DAEDAL_UNSTABLE, /* one has a positive one                                      */
    DAEDAL_UNDECIDED /* the largest real part is zero, or the pencil is singular    */
} daedal_stability;

typedef struct daedal_steady_state {
    const double *values;         /* of all variables, in the order of the description     */
    daedal_linear_system *system; /* the model there; it is freed with the result          */
    daedal_stability stability;
    int32_t n_open;          /* how many values the equations leave open: they are as near to the */
    const char *const *open; /* start as possible.  Names of the variables concerned              */
    int32_t n_names;
    double t_integrated; /* how far the model was integrated before a steady state was found;
                            t_start: not at all                                     */
    double uncertainty; /* how far the next iterate would be, in units of values and nominal values:
                           more than rounding where solutions nearly coincide       */
} daedal_steady_state;

/* Find values for which all derivatives are zero, with time and inputs as they are at t_start: by
 * Newton's iteration from the start of a run, and where that fails from points of runs that go up
 * to t_stop and 100 times and 10 000 times as far.  Discrete variables change with the conditions
 * they depend on, except in when-clauses.  DAEDAL_ERR_NEWTON: there is none, or none was found.  On
 * failure *state is NULL and daedal_model_diagnosis says why.  See docs/howto/linearize.md. */
DAEDAL_API daedal_status daedal_model_steady(daedal_model *model,
                                             const daedal_simulation *simulation,
                                             daedal_steady_state **state);
DAEDAL_API void daedal_steady_state_free(daedal_steady_state *state); /* accepts NULL */

/* The same for a system of functions: F(t, y, 0) = 0, from y, which becomes the solution.  open
 * (may be NULL) has n entries: 1 for variables that F leaves open, which stay near their values.  A
 * run is not disturbed.                                                                */
DAEDAL_API daedal_status daedal_solver_steady(daedal_solver *solver, double t, double *y,
                                              int32_t *open);

/* ---- boundary value problems ------------------------------------------------------- */

/* r = r(y(t_1), ..., y(t_k)): y[i] has the n values at point number i; r has n_conditions entries,
 * which are zero for a solution.                                                  */
typedef int daedal_boundary_fn(const double *const *y, double *r, void *user);

/* A first guess of y(t). */
typedef int daedal_guess_fn(double t, double *y, void *user);

typedef enum daedal_bvp_method {
    DAEDAL_BVP_AUTO, /* collocation where the form of the equations allows it, else shooting */
    DAEDAL_BVP_COLLOCATION, /* projected collocation at Gauss points on an adaptive mesh */
    DAEDAL_BVP_SHOOTING     /* multiple shooting with sensitivities                      */
} daedal_bvp_method;

/* A boundary value problem; zero-initialise and set what you have.  There are as many conditions as
 * the system has degrees of freedom.                                              */
typedef struct daedal_bvp {
    double t_start, t_end; /* t_start < t_end                                         */
    int32_t n_conditions;
    daedal_boundary_fn *conditions;
    const char *const *condition_names; /* n_conditions, for messages, or NULL        */
    void *user;                         /* last argument of conditions and guess      */
    daedal_doubles points;  /* where the conditions read y: ascending, from t_start to t_end;
                               n = 0: these two                                        */
    const double *y;        /* the first guess, constant in time; NULL: zero           */
    daedal_guess_fn *guess; /* instead of it, or NULL                                  */
    daedal_bvp_method method;
    int32_t stages;         /* of collocation, 1 to 7; 0: 4                            */
    int32_t intervals;      /* of the first mesh; 0: 10                                */
    int32_t intervals_most; /* 0: 5000                                                 */
    int32_t keep_mesh;      /* 1: the first mesh, evenly spaced, is the only one, and the error is
                               not estimated                                           */
    double *parameter; /* or NULL.  A place that your functions read: where the problem is hard,
                          it is solved for *parameter = parameter_start first, then for values
                          on the way to that which *parameter has, in steps that are chosen  */
    double parameter_start;
} daedal_bvp;

typedef struct daedal_bvp_solution {
    int32_t n, n_mesh;
    const double *t;  /* mesh points, n_mesh                                           */
    const double *y;  /* n_mesh rows of n values                                       */
    double error;     /* estimated, the largest anywhere, in tolerances: rtol times the largest
                         |value| of a variable, plus atol; NAN: it was not estimated   */
    double condition; /* by how much a change of 1 in the conditions may change y at a mesh point */
    double equation_condition; /* the same for a change of 1 in F, at all times; NAN: shooting */
    const char *method;        /* "collocation" or "shooting"                          */
    const char *method_reason;
    int32_t stages, intervals;  /* of collocation; intervals also of shooting           */
    int32_t meshes;             /* on which the problem was solved                      */
    int32_t continuation_steps; /* values of the parameter for which it was solved before */
    int64_t iterations;         /* of Newton's method, each with a new matrix          */
    int64_t residuals;          /* calls of F                                          */
} daedal_bvp_solution;

/* Solve F(t, y, y') = 0 with the boundary conditions: index 0, 1 and 2 in Hessenberg's form by
 * collocation, and what daedal_solver integrates by shooting; rtol and atol of the options hold
 * everywhere.  On failure *solution is NULL and *why (may be NULL) says why.  See
 * docs/howto/boundary-values.md.                                                */
DAEDAL_API daedal_status daedal_bvp_solve(const daedal_system *system,
                                          const daedal_options *options, const daedal_bvp *bvp,
                                          daedal_bvp_solution **solution, daedal_diagnosis *why);
/* y and y' (either may be NULL) at a time between t_start and t_end. */
DAEDAL_API daedal_status daedal_bvp_solution_at(const daedal_bvp_solution *solution, double t,
                                                double *y, double *yp);
DAEDAL_API void daedal_bvp_solution_free(daedal_bvp_solution *solution); /* accepts NULL */

/* A variable of a model (daedal_model_find) and the value that it has at t_stop. */
typedef struct daedal_final {
    int32_t number;
    double value;
} daedal_final;

/* Final conditions of a model; zero-initialise.  Each takes the place of one start value that
 * neither fixed = true nor initial equations determine.                           */
typedef struct daedal_model_bvp {
    const daedal_final *finals;
    int32_t n_finals;
    daedal_bvp_method method; /* auto: collocation, or shooting if the model has events or delays */
    int32_t stages, intervals_most; /* as in daedal_bvp                                    */
    const daedal_setting *from;     /* or NULL: a parameter, and a value of it for which the problem
                                       is easy: as parameter and parameter_start of daedal_bvp     */
} daedal_model_bvp;

/* What was found, beside the rows; pointers belong to the model. */
typedef struct daedal_model_bvp_report {
    int32_t n_found; /* start values that were open                                        */
    const char *const *found_names;
    const double *found_values;
    const char *method, *method_reason; /* as in daedal_bvp_solution                       */
    double error, condition, equation_condition;
    int32_t intervals, meshes, continuation_steps;
    int64_t iterations;
} daedal_model_bvp_report;

/* Find start values for which the final conditions hold, and write the rows of this solution.  By
 * collocation on the reduced equations, whatever the index; or by shooting: runs with sensitivities
 * across events.  The status is also in *outcome (may be NULL), with the diagnosis; *report may be
 * NULL too.  See docs/howto/boundary-values.md.                                    */
DAEDAL_API daedal_status daedal_model_bvp_solve(daedal_model *model,
                                                const daedal_simulation *simulation,
                                                const daedal_model_bvp *bvp,
                                                daedal_model_bvp_report *report,
                                                daedal_outcome *outcome);

#ifdef __cplusplus
}
#endif
#endif
