#!/usr/bin/env bash
# install_deps.sh GROUP... - install the Debian packages a task needs and this machine lacks.
#
# Groups: build (library and examples), test and python (make check), bench (make bench), petsc (make petsc).
# Says what it installs; silent when nothing is missing.  --list prints the packages.
set -eu

# package, then a command or header that shows it is there in another form
build_needs="
build-essential     command:g++
cmake               command:cmake
pkg-config          command:pkg-config
libsuitesparse-dev  header:suitesparse/klu.h
libopenblas-dev     library:lapack
zlib1g-dev          header:zlib.h
libffi-dev          library:ffi
"
test_needs="
libcmocka-dev       header:cmocka.h
clang               command:clang
clang-format        command:clang-format
python3             command:python3
"
python_needs="
python3-dev         python:PYTHON_HEADER
python3-numpy       python:numpy
python3-pytest      python:pytest
python3-scipy       python:scipy
"
petsc_needs="
libopenmpi-dev      command:mpicc
petsc-dev           library:petsc_real
"
bench_needs="
libsundials-dev     header:ida/ida.h
"

packaged() { # is the Debian package installed?
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

present() { # $1 command:NAME, python:MODULE (of the system's Python), header:PATH or library:NAME
    local name=${1#*:}
    case $1 in
    command:*) command -v "$name" >/dev/null 2>&1 ;;
    python:PYTHON_HEADER) /usr/bin/python3 -c "import os, sysconfig
raise SystemExit(not os.path.exists(sysconfig.get_path('include') + '/Python.h'))" 2>/dev/null ;;
    python:*) /usr/bin/python3 -c "import $name" 2>/dev/null ;;
    header:*) [ -e "/usr/include/$name" ] || [ -e "/usr/local/include/$name" ] ;;
    library:*) echo 'int main(void){return 0;}' |
        cc -x c - -l"$name" -o /dev/null 2>/dev/null ;;
    esac
}

list_needs() {
    local group
    for group in "$@"; do
        case $group in
        build) echo "$build_needs" ;;
        test) echo "$test_needs" ;;
        bench) echo "$bench_needs" ;;
        petsc) echo "$petsc_needs" ;;
        python) echo "$python_needs" ;;
        *) echo "install_deps.sh: unknown group '$group' (build, test, python, bench, petsc)" >&2; exit 2 ;;
        esac
    done
}

install_packages() {
    local as_root=()
    if ! command -v apt-get >/dev/null 2>&1; then
        echo "daedal needs the following, by their Debian names; please install them:" >&2
        echo "    $*" >&2
        return 1
    fi
    if [ "$(id -u)" -ne 0 ]; then
        if ! command -v sudo >/dev/null 2>&1; then
            echo "please run as root: apt-get install $*" >&2
            return 1
        fi
        as_root=(sudo)
    fi
    echo "daedal: installing $*"
    "${as_root[@]}" apt-get -qq -o Acquire::Retries=3 update
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -y -o Acquire::Retries=3 \
        -o Dpkg::Use-Pty=0 install --no-install-recommends "$@" >/dev/null
}

main() {
    local missing=() package sign needs
    if [ "${1-}" = --list ]; then
        shift
        list_needs "${@:-build}" | awk 'NF { print $1 }'
        return
    fi
    needs=$(list_needs "${@:-build}")
    while read -r package sign; do
        [ -n "$package" ] || continue
        present "$sign" || packaged "$package" || missing+=("$package")
    done <<<"$needs"
    [ ${#missing[@]} -eq 0 ] || install_packages "${missing[@]}"
}

main "$@"
