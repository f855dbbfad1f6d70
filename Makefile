# daedal - the everyday commands.  The build itself is CMakeLists.txt; this file only calls it.
#
#   make            build the library and the examples into build/
#   make demo       install what is missing, build, run the first example
#   make check      install what is missing, run every check and test (some minutes)
#   make test       build and run the fast tests only
#   make bench      the reference problems side by side with SUNDIALS IDA (ARGS=--quick for counts only)
#   make install    header, libraries, daedal.pc, CMake package (PREFIX=/usr/local, DESTDIR=)
#   make format     let clang-format rewrite the C files
#   make docs       write docs/reference/ from daedal.h
#   make clean      remove everything built
#   make help       this list
PREFIX ?= /usr/local
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
BUILD := build
C_FILES = $(shell find include src examples tests bench cli -name '*.[ch]' 2>/dev/null)

.PHONY: all demo check test bench install format docs clean help
.DEFAULT_GOAL := all

all: $(BUILD)/CMakeCache.txt
	cmake --build $(BUILD) -j $(JOBS) --target daedal daedal_static daedal_program examples

$(BUILD)/CMakeCache.txt: CMakePresets.json
	cmake --preset release $(CMAKE_FLAGS)
	@touch $@

demo:
	@tools/install_deps.sh build
	@cmake --preset release --log-level=WARNING $(CMAKE_FLAGS) >/dev/null
	@cmake --build $(BUILD) -j $(JOBS) --target example_robertson -- --no-print-directory -s
	@$(BUILD)/examples/robertson

check:
	@tools/install_deps.sh build test
	@tools/check.sh

test:
	@tools/install_deps.sh build test
	cmake --preset release -DDAEDAL_TESTS=ON $(CMAKE_FLAGS)
	cmake --build $(BUILD) -j $(JOBS)
	ctest --preset fast -j $(JOBS)

bench:
	@tools/install_deps.sh build bench
	cmake --preset release -DDAEDAL_BENCH=ON $(CMAKE_FLAGS)
	cmake --build $(BUILD) -j $(JOBS) --target daedal_bench
	$(BUILD)/bench/bench $(ARGS)

install: all
	cmake --install $(BUILD) --prefix $(PREFIX)

format:
	clang-format -i $(C_FILES)

docs:
	python3 -B tools/make_reference.py

clean:
	rm -rf build build-check build-debug build-coverage

help:
	@sed -n 's/^#   //p' Makefile
