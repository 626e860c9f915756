# What ./hive, ./test and .ci/run share: packages, configuring and building. Sourced, not run.
# Everything here is quick when there is nothing to do, and says what it is doing when there is.

root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)
say() { printf '\033[2mhive:\033[0m %s\n' "$*" >&2; }
[ -t 2 ] || say() { printf 'hive: %s\n' "$*" >&2; }
die() { say "$*"; exit 3; }
tests=ON # whether a build knows the tests; ./hive sets it OFF

as_root() {
    if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
}

# packages_of SECTION...: the lines of tools/packages.txt under those headings.
packages_of() {
    local section
    for section in "$@"; do
        sed -n "/^\[$section\]/,/^\[/p" "$root/tools/packages.txt" | grep -E '^[a-z0-9]' || true
    done
}

# Installing a server must not start it on the machine of whoever runs our tests.
without_service_start() {
    local policy=/usr/sbin/policy-rc.d
    if [ -e "$policy" ]; then as_root "$@"; return; fi
    printf '#!/bin/sh\nexit 101\n' | as_root tee "$policy" >/dev/null
    as_root chmod +x "$policy"
    local status=0
    as_root "$@" || status=$?
    as_root rm -f "$policy"
    return "$status"
}

ensure_packages() {
    local missing="" package instead
    while read -r package instead; do
        # A command from elsewhere will do: Node.js often comes with an npm of its own, beside which
        # Debian's cannot be installed.
        [ -n "$instead" ] && command -v "$instead" >/dev/null && continue
        dpkg-query -W -f='${db:Status-Abbrev}' "$package" 2>/dev/null | grep -q '^ii' ||
            missing="$missing $package"
    done < <(packages_of "$@")
    [ -n "$missing" ] || return 0
    command -v apt-get >/dev/null ||
        die "this machine has no apt-get; install these by hand and try again:$missing"
    if [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null; then
        die "packages are missing and there is no sudo; run as root: apt-get install$missing"
    fi
    say "installing$missing"
    local log apt
    log=$(mktemp)
    apt="apt-get -qq -o DPkg::Lock::Timeout=300"
    if ! { as_root $apt update && without_service_start env DEBIAN_FRONTEND=noninteractive \
            $apt install -y --no-install-recommends $missing; } >"$log" 2>&1; then
        tail -n 20 "$log" >&2
        die "apt-get could not install the packages above"
    fi
    rm -f "$log"
}

# Ninja's status lines become one moving line on a terminal and a line every 15 seconds elsewhere;
# whatever else it prints (warnings, errors) is shown as it is.
show_progress() {
    local line shown=$SECONDS
    while IFS= read -r line; do
        case $line in
            "ninja: no work to do."* | "ninja: Entering directory"* | *"Re-checking globbed"*) ;;
            \[[0-9]*/[0-9]*\]*)
                if [ -t 2 ]; then
                    printf '\r\033[K%.*s' "$((${COLUMNS:-80} - 1))" "$line" >&2
                elif [ $((SECONDS - shown)) -ge 15 ]; then
                    shown=$SECONDS
                    say "$line"
                fi ;;
            *) [ -t 2 ] && printf '\r\033[K' >&2
               printf '%s\n' "$line" >&2 ;;
        esac
    done
    [ -t 2 ] && printf '\r\033[K' >&2
    return 0
}

# configured DIR: whether DIR is a build that holds what is asked for: with the tests unless `tests` is OFF, and
# then without anything left out for want of a tool that has come since.
configured() {
    [ -f "$1/build.ninja" ] || return 1
    [ "$tests" = OFF ] && return
    grep -qx 'BUILD_TESTING:BOOL=ON' "$1/CMakeCache.txt" && ! grep -q '^HIVE_LEFT_OUT:INTERNAL=.' "$1/CMakeCache.txt"
}

# build PRESET [TARGET...]: configures when needed, then builds. With `tests=OFF` before it a new build directory
# knows the program alone, which needs only the packages under [build].
build() {
    local preset=$1 dir
    shift
    dir="$root/build"
    [ "$preset" = release ] || dir="$root/build-$preset"
    if ! configured "$dir"; then
        say "configuring $(basename "$dir") ($preset)"
        local log
        log=$(mktemp)
        if ! (cd "$root" && cmake --preset "$preset" "-DBUILD_TESTING=$tests") >"$log" 2>&1; then
            cat "$log" >&2
            die "configuring failed; the messages above say why"
        fi
        sed -n 's/^-- left out: /left out: /p' "$log" | while IFS= read -r line; do say "$line"; done
        rm -f "$log"
        configured "$dir" || die "what is left out above belongs to the tests; its package is there and its files are not: reinstall it"
        say "building; the first time takes some minutes, later only what changed"
    fi
    (set -o pipefail; ninja -C "$dir" "$@" 2>&1 | show_progress) && return
    # Files that were compiled together may have come to define the same name since (cmake/gather.cmake).
    local gathered
    gathered=$(gathered_in "$dir")
    if (cd "$root" && cmake --preset "$preset") >/dev/null 2>&1 &&
        [ "$gathered" != "$(gathered_in "$dir")" ]; then
        say "other files are compiled together now"
        (set -o pipefail; ninja -C "$dir" "$@" 2>&1 | show_progress) && return
    fi
    die "the build failed; the first error above is the one to look at"
}
gathered_in() { find "$1/gathered" -name '*.cpp' -exec sha256sum {} + 2>/dev/null | sort; }
