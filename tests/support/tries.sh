#!/usr/bin/env bash
# Runs a test that keeps time with the world up to N times, until it passes; shows the last try, and the
# others behind a bar. A machine that others use may take any one second away; what is wrong is wrong in
# every try.
# usage: tries.sh N COMMAND...
set -uo pipefail
most=$1
shift
for ((try = 1; ; ++try)); do
    said=$("$@" 2>&1)
    status=$?
    if [ "$status" -eq 0 ] || [ "$try" -ge "$most" ]; then
        [ "$try" -eq 1 ] || echo "try $try of $most"
        printf '%s\n' "$said"
        exit "$status"
    fi
    printf 'try %d of %d failed:\n' "$try" "$most"
    sed 's/^/| /' <<<"$said"
done
