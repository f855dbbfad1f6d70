/* support/order_tables.h - orders of methods on problems of index 1, 2, 3, as stated.
 *
 * Responsibility: what [BCP96] tables 4.3.1 and 4.4.1 and the project's conformance items say, one
 * line for a method on a problem, and the measurement that belongs to it: textbook methods, and
 * those of them that the library has.
 * Depends on: dictated.h, fixed_step.h, order_problems.h.                        */
#ifndef DAEDAL_SUPPORT_ORDER_TABLES_H
#define DAEDAL_SUPPORT_ORDER_TABLES_H

#include "fixed_step.h"

enum { PARTS_MAX = 3 };

/* The variables first .. first + count - 1, judged by the largest error among them. */
typedef struct order_part {
    const char *name;
    int32_t first, count;
} order_part;

typedef enum order_kind { RUNGE_KUTTA, MULTISTEP, LIBRARY } order_kind;

typedef struct order_row {
    order_kind kind;
    const char *name;        /* of a tableau; of a method of the library          */
    int32_t dictated;        /* steps of BDF, order of a method of the library    */
    double order[PARTS_MAX]; /* stated; INFINITY: exact; NAN: nothing             */
    double slack;            /* 0: 0.15                                           */
    int32_t steps;           /* of the coarser of the two runs                    */
} order_row;

typedef struct order_table {
    const char *item, *title;
    trial_problem (*problem)(void);
    double ratio; /* of neighbouring steps, BDF only; one-step methods take equal ones */
    order_part part[PARTS_MAX];
    int32_t n_parts, n_rows;
    const order_row *row;
} order_table;

int32_t order_table_count(void);
const order_table *order_table_at(int32_t i);

/* The order found for each part; INFINITY if the errors are roundoff. */
void order_measure(const order_table *table, const order_row *row, double *found);

/* found agrees with what is stated. */
bool order_agrees(const order_row *row, int32_t part, double found);

/* All rows of the tables of an item, those of the library or the others, or the test fails. */
void order_expect(const char *item, bool library);
#endif
