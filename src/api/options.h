/* api/options.h - checks of the options a user passes.
 *
 * Depends on: base/, newton/evaluator.h for names.                           */
#ifndef DAEDAL_API_OPTIONS_H
#define DAEDAL_API_OPTIONS_H

#include "base/memory.h"

daedal_status options_check(const daedal_options *opt, const daedal_system *sys,
                            daedal_diagnosis *why);

/* The options of a study of a function: what is given, or the defaults if that is NULL.  They are
 * checked, and refused for distributed systems; `study` begins the message, as "gradients are".  */
daedal_status options_of_study(daedal_options *own, const daedal_options *given,
                               const daedal_system *sys, const char *study, daedal_diagnosis *why);

/* For a run that exists: which of the options may not become others, or NULL.  That of `allocator`
 * is not looked at.                                                              */
const char *options_fixed(const daedal_options *now, const daedal_options *wanted);
#endif
