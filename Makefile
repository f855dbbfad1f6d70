# daedal - the everyday commands.  The build itself is CMakeLists.txt; this file only calls it.
#
#   make            build the library, the program build/daedal and the examples
#   make demo       install what is missing, build, solve and plot a first model
#   make check      install what is missing, run every check and test (some minutes)
#   make test       build and run the fast tests only
#   make python     build the Python package in build/python and run its tests (`pip install .` installs it)
#   make petsc      build build/libdaedal_petsc.so and its examples, and run its tests (needs PETSc 3.18 and MPI)
#   make machines   the tests with other compilers, processors, BLAS and libm (ARGS="--fast 'libm-*'"; see tools/check_machines.sh --help)
#   make mutants    break lines of src/ one by one and list what no fast test sees (ARGS="--count 20"; can be interrupted)
#   make soak       solve random problems with known solutions, report wrong answers and refusals (ARGS="--kind models --minutes 10 --seed 1000"; tests/soak/README.md)
#   make orders     print the measured orders of all methods beside the theoretical ones
#   make bench      compare with recorded runs of other codes; writes bench/results.csv (ARGS=--quick: counts, no reliable times)
#   make bench-ida  compare with SUNDIALS IDA on the reference problems (ARGS=--quick: counts only)
#   make install    install header, libraries, daedal.pc, CMake package (PREFIX=/usr/local, DESTDIR=)
#   make format     format the C files with clang-format
#   make docs       write docs/reference/ from daedal.h and `daedal help`
#   make clean      remove everything built
#   make help       print this list
PREFIX ?= /usr/local
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
BUILD := build
C_FILES = $(shell find include src examples tests bench cli python petsc -name '*.[ch]' 2>/dev/null)

.PHONY: all demo check test python petsc machines mutants soak orders bench bench-ida install format docs clean help
.DEFAULT_GOAL := all

all: $(BUILD)/Makefile
	cmake --build $(BUILD) -j $(JOBS) --target daedal daedal_static daedal_program examples

# Written at the end of a configuration that succeeded: after one that failed, `make` configures again.
$(BUILD)/Makefile: CMakePresets.json
	cmake --preset release $(CMAKE_FLAGS)
	@touch $@

demo:
	@tools/install_deps.sh build
	@echo "building build/daedal ..."
	@cmake --preset release --log-level=WARNING $(CMAKE_FLAGS) >/dev/null
	@cmake --build $(BUILD) -j $(JOBS) --target daedal_program >$(BUILD)/demo.log 2>&1 || { cat $(BUILD)/demo.log; false; }
	@$(BUILD)/daedal solve models/pendulum.mo -t 4 --vars x,y --plot

check:
	@tools/install_deps.sh build test python
	@tools/check.sh

test:
	@tools/install_deps.sh build test
	cmake --preset release -DDAEDAL_TESTS=ON $(CMAKE_FLAGS)
	cmake --build $(BUILD) -j $(JOBS)
	ctest --preset fast -j $(JOBS)

python:
	@tools/install_deps.sh build python
	cmake --preset release -DDAEDAL_TESTS=ON -DDAEDAL_PYTHON=ON $(CMAKE_FLAGS)
	cmake --build $(BUILD) -j $(JOBS) --target daedal_python
	ctest --preset release -R '^python/'

petsc:
	@tools/install_deps.sh build test petsc
	cmake --preset release -DDAEDAL_TESTS=ON -DDAEDAL_PETSC=ON $(CMAKE_FLAGS)
	cmake --build $(BUILD) -j $(JOBS) --target daedal_petsc petsc_reaction_diffusion petsc_cavity_flow petsc_power_network petsc_faults
	ctest --preset release -R '^petsc/'

machines:
	@tools/install_deps.sh build test
	@tools/check_machines.sh $(ARGS)

mutants:
	@tools/install_deps.sh build test
	@python3 -B tools/mutants.py --jobs $(JOBS) $(ARGS)

soak:
	@tools/install_deps.sh build test
	@cmake --preset release -DDAEDAL_TESTS=ON --log-level=WARNING $(CMAKE_FLAGS) >/dev/null
	@cmake --build $(BUILD) -j $(JOBS) --target daedal_program soak_random_systems >$(BUILD)/soak.log 2>&1 || { cat $(BUILD)/soak.log; false; }
	@python3 -B tests/soak/soak.py $(BUILD) $(ARGS)

orders:
	@tools/install_deps.sh build test
	@cmake --preset release -DDAEDAL_TESTS=ON --log-level=WARNING $(CMAKE_FLAGS) >/dev/null
	@cmake --build $(BUILD) -j $(JOBS) --target conformance_c214_order_table >$(BUILD)/orders.log 2>&1 || { cat $(BUILD)/orders.log; false; }
	@$(BUILD)/tests/conformance_c214_order_table

bench:
	@tools/install_deps.sh build bench
	cmake --preset release -DDAEDAL_BENCH=ON $(CMAKE_FLAGS)
	cmake --build $(BUILD) -j $(JOBS) --target daedal_peers daedal_large
	$(BUILD)/bench/peers $(ARGS) > bench/results.csv
	python3 -B bench/peers/table.py bench/results.csv --svg docs/img/performance.svg $(if $(ARGS),,--page docs/performance.md)
	$(BUILD)/bench/peers --further $(ARGS) > bench/results_further.csv
	python3 -B bench/peers/table.py bench/results_further.csv --recorded bench/peers/recorded_further.csv \
	  --calibration bench/peers/calibration_further.csv --mark further $(if $(ARGS),,--page docs/performance.md)
	$(BUILD)/bench/large

bench-ida:
	@tools/install_deps.sh build bench
	cmake --preset release -DDAEDAL_BENCH=ON $(CMAKE_FLAGS)
	cmake --build $(BUILD) -j $(JOBS) --target daedal_bench
	$(BUILD)/bench/bench $(ARGS)

install: all
	cmake --install $(BUILD) --prefix $(PREFIX)

format:
	clang-format -i $(C_FILES)

docs: all
	python3 -B tools/make_reference.py
	python3 -B tools/make_cli_page.py --program $(BUILD)/daedal
	$(BUILD)/daedal solve models/pendulum.mo -t 4 --vars x,y --plot=$(BUILD)/pendulum.html
	python3 -B tools/make_picture.py $(BUILD)/pendulum.html docs/img/pendulum.svg

clean:
	rm -rf build build-check build-debug build-coverage build-mutants build-machines

help:
	@sed -n 's/^#   //p' Makefile
