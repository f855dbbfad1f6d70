# The table itself follows daedal.h; here only how it looks.
daedal help options | grep -A 1 -e '--rtol' -e '--max_step '
