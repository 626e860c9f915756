#!/usr/bin/env bash
# `hive mock` against nginx answering the same bytes: each on one core in turn, wrk on the other. A
# mock must never be what limits a measurement, so it is to be as fast as nginx. Prints requests per
# second and processor time per request, which holds on a busy machine as well, and the ratios of the
# medians.
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.."

rounds=${ROUNDS:-5} seconds=${SECONDS_PER_ROUND:-4} connections=50
for tool in nginx wrk; do
    command -v "$tool" >/dev/null || missing="${missing:-} $tool"
done
if [ -n "${missing:-}" ]; then
    echo "installing$missing"
    apt-get -qq -o DPkg::Lock::Timeout=300 install -y $missing >/dev/null
fi
hive=build/bin/hive
[ -x "$hive" ] || { echo "build first: cmake --build build --target hive" >&2; exit 2; }
[ "$(nproc)" -ge 2 ] || { echo "needs two cores" >&2; exit 2; }

scratch=$(mktemp -d)
stop() {
    for pid in ${ours_pid:-} ${nginx_pid:-}; do kill "$pid" 2>/dev/null || true; done
    wait 2>/dev/null || true
    rm -rf "$scratch"
}
trap stop EXIT

taskset -c 0 "$hive" mock --http 0 --json >"$scratch/told" &
ours_pid=$!
until [ -s "$scratch/told" ]; do sleep 0.05; done
ours=$(sed -n 's/.*"http":"\([^"]*\)".*/\1/p' "$scratch/told")/
body=$(curl -sf "$ours")

port=$((20000 + RANDOM % 10000))
cat >"$scratch/nginx.conf" <<CONF
worker_processes 1;
daemon off;
pid $scratch/nginx.pid;
error_log $scratch/error.log;
events { worker_connections 1024; }
http {
    access_log off;
    keepalive_requests 1000000000;
    default_type application/json;
    server { listen 127.0.0.1:$port; location / { return 200 '$body'; } }
}
CONF
taskset -c 0 nginx -c "$scratch/nginx.conf" -e "$scratch/error.log" &
nginx_pid=$!
theirs="http://127.0.0.1:$port/"
until [ "$(curl -sf "$theirs" 2>/dev/null)" = "$body" ]; do sleep 0.05; done
worker=$(pgrep -P "$nginx_pid" | head -1)

ticks_of() { awk '{ sub(/^.*\) /, ""); print $12 + $13 }' "/proc/$1/stat"; } # 10 ms each
# measure URL PID FILE: appends "requests/s  microseconds of processor time per request".
measure() {
    local before after
    before=$(ticks_of "$2")
    taskset -c 1 wrk -t1 -c"$connections" -d"${seconds}s" "$1" >"$scratch/wrk"
    after=$(ticks_of "$2")
    ! grep -q Non-2xx "$scratch/wrk" || { cat "$scratch/wrk" >&2; exit 1; }
    awk -v ticks=$((after - before)) '/requests in/ { n = $1 } /Requests\/sec/ { rate = $2 }
        END { printf "%d %.2f\n", rate, ticks * 10000 / n }' "$scratch/wrk" | tee -a "$3"
}
echo "body: ${#body} bytes; $connections connections; $rounds rounds of ${seconds}s, in turn"
for ((i = 1; i <= rounds; ++i)); do
    read -r a cpu_a < <(measure "$ours" "$ours_pid" "$scratch/ours")
    read -r b cpu_b < <(measure "$theirs" "$worker" "$scratch/theirs")
    echo "round $i: hive mock $a/s ($cpu_a us), nginx $b/s ($cpu_b us)"
done
median() { sort -n -k"$2" "$1" | awk -v c="$2" '{ v[NR] = $c } END { print v[int((NR + 1) / 2)] }'; }
awk -v a="$(median "$scratch/ours" 1)" -v b="$(median "$scratch/theirs" 1)" \
    -v x="$(median "$scratch/ours" 2)" -v y="$(median "$scratch/theirs" 2)" 'BEGIN {
    printf "median: hive mock %d/s, nginx %d/s, ratio %.2f (demanded: 1.0)\n", a, b, a / b
    printf "processor time per request: hive mock %.2f us, nginx %.2f us, ratio %.2f\n", x, y, y / x }'
