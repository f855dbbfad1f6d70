#!/bin/sh
# Build a fuzz target with clang's libFuzzer and the sanitizers, and run it.
#
#   tools/fuzz.sh pipeline|parser [libFuzzer options] [folders of more inputs]
# New inputs and findings go to build-fuzz/.  A finding that was minimised
# (-minimize_crash=1) belongs into tests/fuzz/corpus, where `make check` replays it.
set -eu
cd "$(dirname "$0")/.."
target=$1
shift
cmake -S . -B build-fuzz -DCMAKE_C_COMPILER=clang -DCMAKE_BUILD_TYPE=Debug -DDAEDAL_TESTS=ON \
    -DDAEDAL_BENCH=OFF -DDAEDAL_SANITIZE=ON -DDAEDAL_LIBFUZZER=ON >/dev/null
cmake --build build-fuzz -j "$(nproc)" --target "fuzz_$target" -- --no-print-directory -s
mkdir -p build-fuzz/found
OPENBLAS_NUM_THREADS=1 exec "build-fuzz/tests/fuzz/fuzz_$target" -dict=tests/fuzz/modelica.dict \
    -artifact_prefix=build-fuzz/ -timeout=10 -max_len=16384 -rss_limit_mb=2048 \
    build-fuzz/found tests/fuzz/corpus "$@" # new inputs go to the first folder
