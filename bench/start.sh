#!/usr/bin/env bash
# From the start of the process to the first request that arrives at a system under test: `hive run`
# with its four bees in one process, then curl as the yardstick. The mock counts from its reset, so
# the end of the reset and the fork of the shell are in both.
# usage: bench/start.sh [ROUNDS]
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.."
rounds=${1:-15}
hive=build/bin/hive
work=$(mktemp -d)
"$hive" mock --http 0 --json >"$work/mock" 2>"$work/mock.err" &
mock=$!
trap 'kill "$mock" 2>/dev/null || true; wait 2>/dev/null || true; rm -rf "$work"' EXIT
for _ in $(seq 100); do grep -q http "$work/mock" && break; sleep 0.05; done
url=$(grep -o 'http://[0-9.:]*' "$work/mock" | head -n 1)

first_ms() { # a command
    curl -fsS "$url/__mock/reset" >/dev/null
    "$@" >/dev/null 2>&1
    curl -fsS "$url/__mock/arrivals" | grep -o '[0-9]\+' | head -n 1 | awk '{printf "%.1f\n", $1 / 1e6}'
}
for _ in $(seq "$rounds"); do
    first_ms "$hive" run "$url/" --rate 100 --duration 50ms >>"$work/hive"
    first_ms curl -fsS "$url/" >>"$work/curl"
done
for what in hive curl; do
    sort -n "$work/$what" | awk -v what="$what" '{ms[NR] = $1} END {
        printf "%-5s first request after %.1f ms (median of %d), %.1f to %.1f\n",
            what, ms[int((NR + 1) / 2)], NR, ms[1], ms[NR] }'
done
