/* api/system_check.h - checks of the system a user describes.
 *
 * Depends on: base/.                                                            */
#ifndef DAEDAL_API_SYSTEM_CHECK_H
#define DAEDAL_API_SYSTEM_CHECK_H

#include "base/pattern.h"

daedal_status system_check(const daedal_system *sys, daedal_diagnosis *why);
#endif
