#!/usr/bin/env bash
# run.sh BUILD_DIR CC - install to a temporary place, then build consumer.c the four ways a user
# may (pkg-config and CMake, shared and static) and see that each program gives the right answer.
set -eu
build=$1
cc=$2
here=$(cd "$(dirname "$0")" && pwd)
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
prefix=$place/prefix
expected='y(1) = 0.3679'

expect() { # expect PROGRAM: it ends well and prints the answer
    local said
    said=$("$1")
    case $said in
    *"$expected"*) echo "$(basename "$1"): $said" ;;
    *) echo "$(basename "$1"): printed '$said', expected '$expected'" >&2; exit 1 ;;
    esac
}

cmake --install "$build" --prefix "$prefix" >/dev/null
libdir=$(dirname "$(find "$prefix" -name 'libdaedal.so')")
for file in include/daedal.h "${libdir#"$prefix"/}"/{libdaedal.a,libdaedal.so.0,pkgconfig/daedal.pc}; do
    [ -e "$prefix/$file" ] || { echo "not installed: $file" >&2; exit 1; }
done

# The header alone, as strict C11 and as C++.
"$cc" -std=c11 -pedantic -Wall -Wextra -Werror -fsyntax-only -x c "$prefix/include/daedal.h"
c++ -std=c++11 -pedantic -Wall -Wextra -Werror -fsyntax-only -x c++ "$prefix/include/daedal.h"

# pkg-config, shared.
export PKG_CONFIG_PATH=$libdir/pkgconfig
flags=$(pkg-config --cflags --libs daedal)
# shellcheck disable=SC2086  # the flags are words
"$cc" "$here/consumer.c" $flags -Wl,-rpath,"$libdir" -o "$place/by_pkg_config_shared"
expect "$place/by_pkg_config_shared"

# pkg-config, static: libdaedal.a, and what it needs itself.
flags=$(pkg-config --static --cflags --libs daedal | sed 's/-ldaedal\b/-l:libdaedal.a/')
# shellcheck disable=SC2086
"$cc" "$here/consumer.c" $flags -o "$place/by_pkg_config_static"
if ldd "$place/by_pkg_config_static" | grep -q libdaedal; then
    echo "by_pkg_config_static needs libdaedal.so" >&2
    exit 1
fi
expect "$place/by_pkg_config_static"

# CMake, both.
cmake -S "$here" -B "$place/cmake" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$cc" >"$place/log" ||
    { cat "$place/log" >&2; exit 1; }
cmake --build "$place/cmake" >"$place/log" 2>&1 || { cat "$place/log" >&2; exit 1; }
expect "$place/cmake/by_cmake_shared"
expect "$place/cmake/by_cmake_static"
