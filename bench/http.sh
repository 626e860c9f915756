#!/usr/bin/env bash
# A small authenticated GET of ours against nginx answering with a body of that size: each on one
# core in turn, wrk on the other. Prints requests per second and processor time per request, which
# holds on a busy machine as well, and the ratios of the medians.
# Then memory per idle connection and the fan-out to 10,000 WebSockets (build/bench/http).
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
bench=build/bench/http
hive=build/bin/hive
[ -x "$bench" ] && [ -x "$hive" ] || { echo "build first: cmake --build build --target hive bench_http" >&2; exit 2; }
[ "$(nproc)" -ge 2 ] || { echo "needs two cores" >&2; exit 2; }

scratch=$(mktemp -d)
stop() {
    for pid in ${ours_pid:-} ${nginx_pid:-}; do kill "$pid" 2>/dev/null || true; done
    wait 2>/dev/null || true
    rm -rf "$scratch"
}
trap stop EXIT

# The program itself, with one thread, a real store and a key made over its API.
taskset -c 0 "$hive" up --port 0 --data "$scratch/data" --http-threads 1 --json --log-level off \
    --auth-requests-per-minute default=0 >"$scratch/told" &
ours_pid=$!
until [ -s "$scratch/told" ]; do sleep 0.05; done
told() { sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p" "$2"; }
url=$(told url "$scratch/told")
curl -sf -c "$scratch/jar" "$(told loginLink "$scratch/told")"
curl -sf -b "$scratch/jar" "$url/api/v1/me" >"$scratch/me"
curl -sf -b "$scratch/jar" -H "X-CSRF-Token: $(told csrfToken "$scratch/me")" \
    -H 'Content-Type: application/json' -d '{"owner":"bench","role":"bee","scopes":["tasks:read"]}' \
    "$url/api/v1/keys" >"$scratch/key"
ours="$url/api/v1/me"
key="Authorization: Bearer $(told key "$scratch/key")"
body=$(curl -sf -H "$key" "$ours")

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
theirs="http://127.0.0.1:$port/api/v1/me"
until [ "$(curl -sf "$theirs" 2>/dev/null)" = "$body" ]; do sleep 0.05; done

ticks_of() { awk '{ sub(/^.*\) /, ""); print $12 + $13 }' "/proc/$1/stat"; } # 10 ms each
# measure URL PID FILE: appends "requests/s  microseconds of processor time per request".
measure() {
    local before after
    before=$(ticks_of "$2")
    taskset -c 1 wrk -t1 -c"$connections" -d"${seconds}s" -H "$key" "$1" >"$scratch/wrk"
    after=$(ticks_of "$2")
    ! grep -q Non-2xx "$scratch/wrk" || { cat "$scratch/wrk" >&2; exit 1; }
    awk -v ticks=$((after - before)) '/requests in/ { n = $1 } /Requests\/sec/ { rate = $2 }
        END { printf "%d %.2f\n", rate, ticks * 10000 / n }' "$scratch/wrk" | tee -a "$3"
}
worker=$(pgrep -P "$nginx_pid" | head -1)
echo "body: ${#body} bytes; $connections connections; $rounds rounds of ${seconds}s, in turn"
for ((i = 1; i <= rounds; ++i)); do
    read -r a cpu_a < <(measure "$ours" "$ours_pid" "$scratch/ours")
    read -r b cpu_b < <(measure "$theirs" "$worker" "$scratch/theirs")
    echo "round $i: ours $a/s ($cpu_a us), nginx $b/s ($cpu_b us)"
done
median() { sort -n -k"$2" "$1" | awk -v c="$2" '{ v[NR] = $c } END { print v[int((NR + 1) / 2)] }'; }
awk -v a="$(median "$scratch/ours" 1)" -v b="$(median "$scratch/theirs" 1)" \
    -v x="$(median "$scratch/ours" 2)" -v y="$(median "$scratch/theirs" 2)" 'BEGIN {
    printf "median: ours %d/s, nginx %d/s, ratio %.2f (demanded: 0.8)\n", a, b, a / b
    printf "processor time per request: ours %.2f us, nginx %.2f us, ratio %.2f\n", x, y, y / x }'
"$bench" idle
"$bench" fanout
