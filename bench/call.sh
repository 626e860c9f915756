#!/usr/bin/env bash
# Calls of ours against those of wrk: nginx answers with a small body on one core, the two take
# turns on the other. Prints requests per second, processor time per request and peak memory of
# each round, and the ratios of the medians.
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.."

rounds=${ROUNDS:-5} seconds=${SECONDS_PER_ROUND:-4} connections=${CONNECTIONS:-50}
for tool in nginx wrk; do
    command -v "$tool" >/dev/null || missing="${missing:-} $tool"
done
if [ -n "${missing:-}" ]; then
    echo "installing$missing"
    apt-get -qq -o DPkg::Lock::Timeout=300 install -y $missing >/dev/null
fi
bench=build/bench/call
[ -x "$bench" ] || { echo "build first: cmake --build build --target bench_call" >&2; exit 2; }
[ "$(nproc)" -ge 2 ] || { echo "needs two cores" >&2; exit 2; }

scratch=$(mktemp -d)
stop() {
    [ -z "${nginx_pid:-}" ] || kill "$nginx_pid" 2>/dev/null || true
    wait 2>/dev/null || true
    rm -rf "$scratch"
}
trap stop EXIT

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
    server { listen 127.0.0.1:$port; location / { return 200 '{"id":"7","name":"cell","state":"pending"}'; } }
}
CONF
taskset -c 0 nginx -c "$scratch/nginx.conf" -e "$scratch/error.log" &
nginx_pid=$!
url="http://127.0.0.1:$port/api/v1/items/7"
until curl -sf "$url" >/dev/null 2>&1; do sleep 0.05; done

# Each prints: requests/s  microseconds of processor time per request  peak MB.
measure_wrk() {
    /usr/bin/env TIMEFORMAT='%U %S' bash -c '
        time taskset -c 1 wrk -t1 -c'"$connections"' -d'"$seconds"'s "$0"' "$url" \
        >"$scratch/wrk" 2>"$scratch/wrk.time"
    awk 'NR == FNR { if (/requests in/) n = $1; if (/Requests\/sec/) rate = $2; next }
        NF == 2 { used = $1 + $2 } END { printf "%d %.2f -\n", rate, used * 1e6 / n }' \
        "$scratch/wrk" "$scratch/wrk.time"
}
measure_ours() { taskset -c 1 "$bench" "$url" "$connections" "$seconds"; }

echo "$connections connections; $rounds rounds of ${seconds}s, in turn"
for ((i = 1; i <= rounds; ++i)); do
    read -r a cpu_a memory < <(measure_ours | tee -a "$scratch/ours")
    read -r b cpu_b _ < <(measure_wrk | tee -a "$scratch/theirs")
    echo "round $i: ours $a/s ($cpu_a us, peak $memory MB), wrk $b/s ($cpu_b us)"
done
median() { sort -n -k"$2" "$1" | awk -v c="$2" '{ v[NR] = $c } END { print v[int((NR + 1) / 2)] }'; }
awk -v a="$(median "$scratch/ours" 1)" -v b="$(median "$scratch/theirs" 1)" \
    -v x="$(median "$scratch/ours" 2)" -v y="$(median "$scratch/theirs" 2)" \
    -v m="$(median "$scratch/ours" 3)" 'BEGIN {
    printf "median: ours %d/s, wrk %d/s, ratio %.2f (demanded: 1.0)\n", a, b, a / b
    printf "processor time per request: ours %.2f us, wrk %.2f us, ratio %.2f\n", x, y, y / x
    printf "peak memory: ours %.1f MB\n", m }'
