#!/usr/bin/env bash
# check_machines.sh - the tests on many machines: other compilers, processors, BLAS and libm.
#
#   tools/check_machines.sh [--fast] [--tests REGEX] [NAME...]
#   tools/check_machines.sh --list | --help
#
# Each NAME is one combination, or a pattern such as 'libm-*'; without names all of them run.
#   gcc, gcc-O0, gcc-native, clang, clang-O0   the compiler; -O3 if nothing else is said; for this processor
#   no-fma                                     glibc without its variants for FMA and AVX2
#   blas-reference, blas-openblas              BLAS and LAPACK: those of Netlib, OpenBLAS
#   openblas-KERNEL                            OpenBLAS as on another processor (OPENBLAS_CORETYPE)
#   libm-SEED                                  results of libm moved by one unit in the last place, at random
#                                              (tools/perturbed_libm.c); listed are 1 to 8, any number will do
#   aarch64                                    another processor: compiler and libraries from Debian's packages,
#                                              programs by QEMU; the fast tests only, in half an hour
# --fast runs the tests of `make test` only, --tests those whose names match.  A test that depends on the last
# digit of a result fails in some of these.  What this machine cannot run is skipped, and said.  Libraries that
# are not installed are unpacked into build-machines/ and nothing of the system is changed.
# One line for each combination; its output is in build-machines/log/NAME; the last line sums up:
#     <passed> passed, <failed> failed
set -u
shopt -s extglob
cd "$(dirname "$0")/.."
root=$PWD/build-machines
jobs=${JOBS:-$(nproc 2>/dev/null || echo 2)}
libraries=/usr/lib/$(cc -print-multiarch 2>/dev/null || echo x86_64-linux-gnu)
all_names=(gcc gcc-O0 gcc-native clang clang-O0 no-fma blas-reference blas-openblas
    openblas-Prescott openblas-Nehalem openblas-Sandybridge openblas-Haswell openblas-Zen openblas-SkylakeX
    libm-{1..8} aarch64)
passed=0
failures=()
skipped=()

# ---- what a combination needs ----------------------------------------------------------------

flags() { # of the compiler, by the name of the build
    case $1 in
    *-O0) echo "-O0" ;;
    *-native) echo "-O3 -DNDEBUG -march=native" ;;
    *) echo "-O3 -DNDEBUG" ;;
    esac
}

build() { # gcc, gcc-O0, clang, ...: built once each call of this script
    [ -e "$root/$1/.built.$$" ] && return
    local compiler=(-DCMAKE_C_COMPILER="${1%%-*}")
    if [ "$1" = aarch64 ]; then
        local -x PKG_CONFIG_LIBDIR=$cross/sysroot/usr/lib/$triple/pkgconfig PKG_CONFIG_SYSROOT_DIR=$cross/sysroot
        compiler=(-DCMAKE_TOOLCHAIN_FILE="$cross/toolchain.cmake" -DDAEDAL_PYTHON=OFF -DDAEDAL_PETSC=OFF)
    fi
    cmake -S . -B "$root/$1" "${compiler[@]}" -DCMAKE_BUILD_TYPE=Release -DDAEDAL_TESTS=ON \
        -DDAEDAL_BENCH=OFF -DCMAKE_C_FLAGS_RELEASE="$(flags "$1")" &&
        cmake --build "$root/$1" -j "$jobs" -- --no-print-directory &&
        if [ "$1" = aarch64 ]; then wrap_programs "$root/$1"; fi &&
        touch "$root/$1/.built.$$"
}

has_flag() { grep -qw "$1" /proc/cpuinfo 2>/dev/null; }

# The folder of a shared library: installed, or unpacked from its Debian package.
folder_of() { # PACKAGE FOLDER FILE
    local unpacked=$root/packages$libraries/$2
    if [ ! -e "$libraries/$2/$3" ] && [ ! -e "$unpacked/$3" ] && command -v apt-get >/dev/null; then
        mkdir -p "$root/packages" && (cd "$root/packages" && apt-get -qq download "$1" && dpkg -x "$1"_*.deb .)
    fi >"$root/log/packages" 2>&1
    if [ -e "$libraries/$2/$3" ]; then
        echo "$libraries/$2"
    elif [ -e "$unpacked/$3" ]; then
        echo "$unpacked"
    else
        return 1
    fi
}

reference_blas() {
    local blas lapack
    blas=$(folder_of libblas3 blas libblas.so.3) && lapack=$(folder_of liblapack3 lapack liblapack.so.3) &&
        echo "LD_LIBRARY_PATH=$blas:$lapack"
}

openblas() {
    local folder
    folder=$(folder_of libopenblas0-pthread openblas-pthread liblapack.so.3) && echo "LD_LIBRARY_PATH=$folder"
}

runs_kernel() { # does this processor have what the kernels use?
    case $1 in
    Prescott) has_flag pni ;;
    Nehalem) has_flag sse4_2 ;;
    Sandybridge) has_flag avx ;;
    Haswell | Zen) has_flag avx2 && has_flag fma ;;
    SkylakeX) has_flag avx512f && has_flag avx512bw ;;
    *) return 1 ;;
    esac
}

# Which kernels the program uses: OpenBLAS takes its own choice where it does not know the name.
kernel_in_use() { # SETTING...
    env "$@" python3 -c 'import ctypes as c; f = c.CDLL("libblas.so.3").openblas_get_corename
f.restype = c.c_char_p; print(f().decode().lower())' 2>/dev/null
}

perturbed_libm() { # SEED
    local library=$root/perturbed_libm.so values='import math; print([math.sin(k) for k in range(99)])'
    cc -std=gnu11 -shared -fPIC -O1 -fno-builtin -o "$library" tools/perturbed_libm.c -ldl || return 1
    local plain moved
    plain=$(python3 -c "$values")
    moved=$(env LD_PRELOAD="$library" PERTURBED_LIBM_SEED="$1" python3 -c "$values")
    [ -n "$moved" ] && [ "$plain" != "$moved" ] || return 1
    echo "LD_PRELOAD=$library PERTURBED_LIBM_SEED=$1"
}

# ---- another architecture --------------------------------------------------------------------

# All is unpacked below build-machines/cross: `tools`, what runs here, and `sysroot`, what runs there.
cross=$root/cross
triple=aarch64-linux-gnu

apt_there() { # apt-get for packages of the other architecture, with a state of its own
    mkdir -p "$cross"/{state/lists,cache/archives}/partial && : >"$cross/state/status" &&
        apt-get -qq -o APT::Architecture=arm64 -o APT::Architectures::=arm64 -o Dir::State="$cross/state" \
            -o Dir::State::status="$cross/state/status" -o Dir::Cache="$cross/cache" -o APT::Sandbox::User="$(id -un)" \
            -o Debug::NoLocking=1 "$@"
}

apt_here() { # PACKAGE...: downloads those that are not installed, and what they need
    mkdir -p "$cross/here/partial" &&
        apt-get -qq -y --no-install-recommends --download-only -o Dir::Cache::archives="$cross/here" \
            -o APT::Sandbox::User="$(id -un)" -o Debug::NoLocking=1 install "$@"
}

unpack() { # FOLDER PACKAGE...
    local into=$1 file
    shift
    for file in "$@"; do dpkg -x "$file" "$into" || return 1; done
}

# Absolute links of the unpacked system must stay inside; BLAS and LAPACK have links of the system's choice.
mend_links() {
    local libraries=$cross/sysroot/usr/lib/$triple link name
    (cd "$cross/sysroot" && find . -type l -lname '/*' | while read -r link; do
        ln -sfn "$(realpath -ms --relative-to="$(dirname "$link")" ".$(readlink "$link")")" "$link"
    done)
    for name in blas lapack; do
        ln -sf "$name/lib$name.so" "$name/lib$name.so.3" "$libraries"
    done
}

script() { # FILE LINE...: a program of these lines
    local file=$1
    shift
    printf '%s\n' '#!/bin/sh' "$@" >"$file" && chmod +x "$file"
}

# Compiler and tools with their libraries; `run` takes QEMU for programs of another processor.
write_tools() {
    local tool qemu
    qemu=$(command -v qemu-aarch64-static || echo "$cross/tools/usr/bin/qemu-aarch64-static")
    mkdir -p "$cross/bin"
    for tool in gcc ar ranlib; do
        script "$cross/bin/$tool" \
            "export LD_LIBRARY_PATH='$cross/tools$libraries'" \
            "export PATH='$cross/tools/usr/bin':\"\$PATH\"" \
            "exec $triple-$tool $([ $tool != gcc ] || echo "'--sysroot=$cross/sysroot'") \"\$@\""
    done
    script "$cross/bin/run" \
        'machine() { od -An -tx1 -j18 -N2 "$1"; }' \
        '[ "$(head -c 4 "$1" | tail -c 3)" != ELF ] || [ "$(machine "$1")" = "$(machine /bin/sh)" ] ||' \
        "    exec '$qemu' -L '$cross/sysroot' \"\$@\"" \
        'exec "$@"'
    printf 'set(%s)\n' 'CMAKE_SYSTEM_NAME Linux' 'CMAKE_SYSTEM_PROCESSOR aarch64' \
        "CMAKE_C_COMPILER \"$cross/bin/gcc\"" "CMAKE_AR \"$cross/bin/ar\"" "CMAKE_RANLIB \"$cross/bin/ranlib\"" \
        "CMAKE_LIBRARY_ARCHITECTURE $triple" "CMAKE_FIND_ROOT_PATH \"$cross/sysroot\"" \
        CMAKE_FIND_ROOT_PATH_MODE_{'PROGRAM NEVER','LIBRARY ONLY','INCLUDE ONLY','PACKAGE ONLY'} \
        "CMAKE_CROSSCOMPILING_EMULATOR \"$cross/bin/run\"" >"$cross/toolchain.cmake"
}

cross_system() {
    [ -e "$cross/.made" ] && return
    command -v apt-get >/dev/null && apt_there update &&
        apt_there -y --no-install-recommends --download-only install libsuitesparse-dev liblapack-dev zlib1g-dev \
            libffi-dev libcmocka-dev libc6-dev libgcc-12-dev &&
        apt_here gcc-$triple qemu-user-static &&
        unpack "$cross/sysroot" "$cross"/cache/archives/*.deb && unpack "$cross/tools" "$cross"/here/*.deb &&
        mend_links && write_tools &&
        echo 'int main(void) { return 0; }' >"$cross/main.c" && "$cross/bin/gcc" "$cross/main.c" -o "$cross/main" &&
        "$cross/bin/run" "$cross/main" && touch "$cross/.made"
}

# Tests in Python start programs by their names: these become scripts that call QEMU.
wrap_programs() { # FOLDER
    local file
    for file in "$1"/daedal "$1"/examples/c/*; do
        [ -f "$file" ] && [ -x "$file" ] && [ "$(head -c 2 "$file")" != '#!' ] && [[ $file != *.program ]] || continue
        mv "$file" "$file.program" && script "$file" "exec '$cross/bin/run' '$file.program' \"\$@\""
    done
}

# ---- one combination ---------------------------------------------------------------------------

# Sets `build_name` and `settings`, words NAME=VALUE; or says in `why_not` what is missing.
prepare() {
    build_name=gcc settings='' why_not=''
    case $1 in
    gcc | gcc-O0 | gcc-native) build_name=$1 ;;
    clang | clang-O0) build_name=$1 ;;
    no-fma)
        has_flag fma || why_not="this processor has no FMA: gcc is the same"
        settings=GLIBC_TUNABLES=glibc.cpu.hwcaps=-FMA,-FMA4,-AVX2,-AVX2_Usable,-FMA_Usable
        ;;
    blas-reference) settings=$(reference_blas) || why_not="no reference BLAS and LAPACK" ;;
    blas-openblas) settings=$(openblas) || why_not="no OpenBLAS" ;;
    openblas-*)
        local kernel=${1#openblas-}
        settings=$(openblas) || why_not="no OpenBLAS"
        settings+=" OPENBLAS_CORETYPE=$kernel"
        if [ -z "$why_not" ] && ! runs_kernel "$kernel"; then
            why_not="this processor cannot run these kernels"
        elif [ -z "$why_not" ] && [ "$(kernel_in_use $settings)" != "${kernel,,}" ]; then
            why_not="OpenBLAS does not take these kernels"
        fi
        ;;
    libm-*) settings=$(perturbed_libm "${1#libm-}") || why_not="tools/perturbed_libm.c has no effect" ;;
    aarch64)
        build_name=aarch64
        cross_system >"$root/log/packages" 2>&1 ||
            why_not="no packages of arm64, cross compiler or QEMU; see build-machines/log/packages"
        return
        ;;
    esac
    command -v "${build_name%%-*}" >/dev/null || why_not="${build_name%%-*} is not installed"
}

report() { printf '%-22s%-8s%5d s  %s\n' "$1" "$2" $((SECONDS - began)) "$3"; }

run() {
    local began=$SECONDS log=$root/log/$1 bad total only=()
    [ "$1" != aarch64 ] || only=(-L fast) # slow under QEMU
    if [ -n "$why_not" ]; then
        skipped+=("$1 ($why_not)")
        report "$1" skipped "$why_not"
    elif ! build "$build_name" >"$log" 2>&1; then
        failures+=("$1")
        report "$1" FAILED "the build; see build-machines/log/$1"
    else
        (cd "$root/$build_name" && env OPENBLAS_NUM_THREADS=1 $settings ctest -j "$jobs" \
            --output-on-failure "${selection[@]}" "${only[@]}") >"$log" 2>&1
        read -r bad total < <(sed -n 's/.*, \([0-9]*\) tests* failed out of \([0-9]*\).*/\1 \2/p' "$log")
        if [ "${total:-0}" -gt 0 ] && [ "$bad" -eq 0 ]; then
            passed=$((passed + 1))
            report "$1" ok "$total tests"
        else
            failures+=("$1")
            report "$1" FAILED "${bad:-none} of ${total:-0}:$(
                sed -n '/tests FAILED:/,$ s/^\t *[0-9]* - \(.*\) (.*/ \1/p' "$log" | tr -d '\n')"
        fi
    fi
}

# ---- all of them ----------------------------------------------------------------------------------

selection=()
names=()
while [ $# -gt 0 ]; do
    case $1 in
    --help) sed -n '2,/^set -u/s/^# \{0,1\}//p' "$0" && exit ;;
    --list) printf '%s\n' "${all_names[@]}" && exit ;;
    --fast) selection+=(-L fast) ;;
    --tests) selection+=(-R "${2-}") && shift ;;
    -*) echo "check_machines.sh: unknown flag $1; see --help" >&2 && exit 2 ;;
    libm-[1-9]*([0-9])) names+=("$1") ;;
    *)
        before=${#names[@]}
        for name in "${all_names[@]}"; do [[ $name == $1 ]] && names+=("$name"); done
        [ ${#names[@]} -gt "$before" ] || { echo "check_machines.sh: nothing is named $1; see --list" >&2 && exit 2; }
        ;;
    esac
    shift
done
[ ${#names[@]} -gt 0 ] || names=("${all_names[@]}")
mkdir -p "$root/log"
trap 'rm -f "$root"/*/.built.$$' EXIT
for name in "${names[@]}"; do
    prepare "$name"
    run "$name"
done
[ ${#skipped[@]} -eq 0 ] || printf '\nskipped: %s' "${skipped[@]}"
[ ${#failures[@]} -eq 0 ] || printf '\nfailed: %s, see build-machines/log' "${failures[@]}"
printf '\n%d passed, %d failed\n' "$passed" "${#failures[@]}"
[ ${#failures[@]} -eq 0 ]
