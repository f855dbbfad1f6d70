#!/usr/bin/env bash
# check.sh - everything that must hold before a change is done.  Called by `make check`.
#
# Every step runs even if an earlier one failed; the last line sums up all of them:
#     <passed> passed, <failed> failed
# A test program counts as one, and so does every step that is not a test run.
set -u
cd "$(dirname "$0")/.."
jobs=${JOBS:-$(nproc 2>/dev/null || echo 2)}
passed=0
failed=0
failures=()
export OPENBLAS_NUM_THREADS=1
output=$(mktemp)
trap 'rm -f "$output"' EXIT

count_failure() { failed=$((failed + $1)); failures+=("$2"); }

# step NAME COMMAND...: run quietly, show the output only if it fails
step() {
    local name=$1 began=$SECONDS
    shift
    printf '%-34s' "$name"
    if "$@" >"$output" 2>&1; then
        passed=$((passed + 1))
        printf 'ok      %4d s  %s\n' $((SECONDS - began)) "$(grep '^summary: ' "$output" | cut -c10-)"
    else
        count_failure 1 "$name"
        printf 'FAILED  %4d s\n' $((SECONDS - began))
        tail -n 100 "$output" | sed 's/^/    /'
        return 1
    fi
}

build() { cmake --preset "$1" && cmake --build --preset "$1" -j "$jobs" -- --no-print-directory; }

clang_warnings() {
    cmake --preset clang -DCMAKE_EXPORT_COMPILE_COMMANDS=ON &&
        python3 -B tools/check_clang.py build-check/clang "$jobs"
}

# tests NAME PRESET: run all tests of a build and add up
tests() {
    local began=$SECONDS total bad
    printf '%-34s' "$1"
    ctest --preset "$2" -j "$jobs" >"$output" 2>&1
    read -r bad total < <(sed -n 's/.*, \([0-9]*\) tests* failed out of \([0-9]*\).*/\1 \2/p' "$output")
    if [ -z "${total-}" ] || [ "$total" -eq 0 ]; then
        count_failure 1 "$1 (no tests ran)"
        printf 'FAILED\n'
        sed 's/^/    /' "$output"
        return
    fi
    passed=$((passed + total - bad))
    if [ "$bad" -gt 0 ]; then
        count_failure "$bad" "$1"
        printf 'FAILED  %4d s  %d of %d\n' $((SECONDS - began)) "$bad" "$total"
        sed 's/^/    /' "$output"
    else
        printf 'ok      %4d s  %d tests\n' $((SECONDS - began)) "$total"
    fi
}

check_format() {
    local wrong
    wrong=$(find include src examples tests bench cli python petsc -name '*.[ch]' -print0 2>/dev/null |
        xargs -0 clang-format --dry-run 2>&1 | sed -n 's/^\([^:]*\):\([0-9]*\):.*/\1:\2/p' | sort -u -t: -k1,1)
    [ -z "$wrong" ] && return 0
    echo "\`make format\` would change:"
    echo "$wrong"
    return 1
}

step "format" check_format
step "layers" python3 -B tools/check_layers.py
step "function length" python3 -B tools/check_length.py
step "struct size" python3 -B tools/check_structs.py
step "unused functions" python3 -B tools/check_unused.py
step "reductions" python3 -B tools/check_reductions.py
step "documentation" python3 -B tools/check_docs.py
step "build, gcc" build check && tests "tests, gcc" check
step "warnings, clang" clang_warnings
step "build, sanitizers" build sanitize && tests "tests, sanitizers" sanitize

[ ${#failures[@]} -eq 0 ] || printf '\nfailed: %s' "${failures[@]}"
printf '\nall of this took %d min %d s\n' $((SECONDS / 60)) $((SECONDS % 60))
printf '%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" -eq 0 ]
