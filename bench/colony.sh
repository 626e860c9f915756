#!/usr/bin/env bash
# Durable cycles of the colony (create, claim, complete over HTTP) beside the queues a user would pick
# instead: BullMQ on Redis, graphile-worker and pg-boss on PostgreSQL. All from Node, all in one run, every
# change on disk before it is acknowledged: Redis with appendfsync always, PostgreSQL as it comes, the hive as
# it comes (SQLite), and the hive on the same PostgreSQL. Installs what is missing.
# What a million tasks and ten thousand subscribers cost is another program: build/bench/colony.
# usage: bench/colony.sh [JOBS] [ROUNDS]
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.."
jobs=${1:-4000} rounds=${2:-3}
hive=build/bin/hive
[ -x "$hive" ] || { echo "build first: ./hive --version" >&2; exit 2; }
for tool in redis-server node npm; do
    command -v "$tool" >/dev/null || { echo "$tool is missing: ./test installs it" >&2; exit 2; }
done
modules=build/npm-bench-colony
if [ ! -d "$modules/node_modules/undici" ]; then
    echo "installing bullmq, graphile-worker, pg-boss and undici" >&2
    mkdir -p "$modules"
    npm install --silent --no-audit --no-fund --prefix "$modules" \
        bullmq@5 graphile-worker@0.16 pg-boss@10 pg@8 undici@6 >/dev/null
fi
cp bench/colony/*.mjs "$modules/"

scratch=$(mktemp -d)
chmod 755 "$scratch"
bin=$(ls -d /usr/lib/postgresql/*/bin | tail -n 1)
as_postgres=()
[ "$(id -u)" -ne 0 ] || as_postgres=(runuser -u postgres --)
stop_all() {
    kill ${redis_pid:-} ${hive_pid:-} ${hive_pg_pid:-} 2>/dev/null || true
    [ ! -d "$scratch/pg" ] || "${as_postgres[@]}" "$bin/pg_ctl" -D "$scratch/pg" -m immediate stop >/dev/null 2>&1 || true
    wait 2>/dev/null || true
    rm -rf "$scratch"
}
trap stop_all EXIT
port=$((21000 + RANDOM % 9000))

redis-server --port $port --bind 127.0.0.1 --dir "$scratch" --appendonly yes --appendfsync always \
    --save '' --daemonize no >"$scratch/redis.log" 2>&1 &
redis_pid=$!
install -d -m 700 "$scratch/pg"
[ ${#as_postgres[@]} -eq 0 ] || chown postgres "$scratch/pg"
"${as_postgres[@]}" "$bin/initdb" -D "$scratch/pg" -A trust -U bench >/dev/null
"${as_postgres[@]}" "$bin/pg_ctl" -D "$scratch/pg" -w -l "$scratch/pg/log" \
    -o "-p $((port + 1)) -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c max_connections=300" start >/dev/null
for database in graphile boss hive; do
    "$bin/psql" -q -h 127.0.0.1 -p $((port + 1)) -U bench -d postgres -c "CREATE DATABASE $database"
done

# start_hive NAME PORT ARGS...: its key goes to $scratch/NAME.key
start_hive() {
    local name=$1 at=$2
    shift 2
    "$hive" key create --role admin --owner bench --data "$scratch/$name" "$@" --json |
        node -pe 'JSON.parse(require("fs").readFileSync(0)).key' >"$scratch/$name.key"
    cat >"$scratch/$name.yaml" <<YAML
auth:
  requests-per-minute: { default: 0 }
YAML
    "$hive" serve --config "$scratch/$name.yaml" --port "$at" --data "$scratch/$name" "$@" \
        --log-level warn >"$scratch/$name.log" 2>&1 &
    started=$!
    until curl -sf "http://127.0.0.1:$at/readyz" >/dev/null 2>&1; do
        kill -0 "$started" 2>/dev/null || { cat "$scratch/$name.log" >&2; exit 3; }
        sleep 0.1
    done
}
start_hive sqlite $((port + 2)); hive_pid=$started
start_hive postgres $((port + 3)) --store "postgres://bench@127.0.0.1:$((port + 1))/hive"; hive_pg_pid=$started

cd "$modules"
printf '%-26s %-8s %12s %10s %10s\n' "" "" "cycles/s" "p50 ms" "p99 ms"
for ((round = 1; round <= rounds; ++round)); do
    echo "round $round, $jobs jobs"
    node run.mjs hive "http://127.0.0.1:$((port + 2))" "$(cat "$scratch/sqlite.key")" $jobs "hive, SQLite"
    node run.mjs hive "http://127.0.0.1:$((port + 3))" "$(cat "$scratch/postgres.key")" $jobs "hive, PostgreSQL"
    node run.mjs bullmq 127.0.0.1 $port $jobs "BullMQ, Redis"
    node run.mjs graphile "postgres://bench@127.0.0.1:$((port + 1))/graphile" - $jobs "graphile-worker, PostgreSQL"
    node run.mjs boss "postgres://bench@127.0.0.1:$((port + 1))/boss" - $jobs "pg-boss, PostgreSQL"
done
