#!/usr/bin/env bash
# Runs the suites of a test that keeps time with the world and mostly waits for it: all at once, each up to
# N times; shows one after the other.
# usage: suites.sh N PROGRAM
set -uo pipefail
most=$1 program=$2
said=$(mktemp -d)
trap 'rm -rf "$said"' EXIT
mapfile -t suites < <("$program" --list-test-suites | sed '/^\[doctest\]/d; /^=/d')
[ "${#suites[@]}" -gt 0 ] || { echo "$program has no suites"; exit 1; }
running=()
for suite in "${suites[@]}"; do
    "$(dirname "$0")/tries.sh" "$most" "$program" "--test-suite=$suite" >"$said/${#running[@]}" &
    running+=($!)
done
status=0
for i in "${!running[@]}"; do
    wait "${running[$i]}" || status=1
    printf '%s:\n' "${suites[$i]}"
    cat "$said/$i"
done
exit "$status"
