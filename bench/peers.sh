#!/usr/bin/env bash
# The whole swarm beside the tools people would pick instead: nginx answers with a small body on one
# core, each tool has the other one, 50 connections, in turn. Requests are counted by nginx, not by
# the tool; processor time and peak memory are those of the tool with all its children.
# Installs what is missing of nginx, wrk, JMeter, Locust, tsung and autocannon.
# usage: bench/peers.sh [SECONDS] [ROUNDS]
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.."
seconds=${1:-8} rounds=${2:-3} connections=50
hive=build/bin/hive bees=build/bench/bees
[ -x "$bees" ] || { echo "build first: ninja -C build bench_bees" >&2; exit 2; }
[ "$(nproc)" -ge 2 ] || { echo "needs two cores" >&2; exit 2; }

install() { # name of the tool for people, packages
    local tool=$1
    shift
    dpkg-query -W "$@" >/dev/null 2>&1 && return
    echo "installing $tool" >&2
    apt-get -qq -o DPkg::Lock::Timeout=300 install -y --no-install-recommends "$@" >/dev/null
}
install "nginx, wrk and Locust" nginx-light wrk python3-locust
install JMeter jmeter jmeter-http openjdk-17-jdk-headless
install "what tsung needs" erlang-base erlang-crypto erlang-eldap erlang-inets erlang-os-mon \
    erlang-public-key erlang-snmp erlang-ssl erlang-xmerl
tools=(wrk swarm run autocannon tsung jmeter locust)

# Its package asks for gnuplot, whose libraries rule out the Boost we build with: unpacked it does
# without.
peers="$PWD/build/peers"
mkdir -p "$peers"
if [ ! -x "$peers/tsung/start" ]; then
    (cd "$peers" && apt-get -qq download tsung 2>/dev/null && dpkg -x tsung_*.deb tsung)
    sed "s#^INSTALL_DIR=/usr#INSTALL_DIR=$peers/tsung/usr#" "$peers/tsung/usr/bin/tsung" >"$peers/tsung/start"
    chmod +x "$peers/tsung/start"
fi

# Debian's JMeter is older than Debian's XStream, which by now reads only what it is allowed to, and
# so not even a plan. This allows it everything, then starts JMeter.
jars=$(ls /usr/share/jmeter/bin/*.jar /usr/share/jmeter/lib/*.jar /usr/share/jmeter/lib/ext/*.jar | tr '\n' ':')
if [ ! -e "$peers/StartJMeter.class" ]; then
    cat >"$peers/StartJMeter.java" <<'JAVA'
import com.thoughtworks.xstream.XStream;
import com.thoughtworks.xstream.security.AnyTypePermission;
import java.lang.reflect.Field;
import org.apache.jmeter.util.JMeterUtils;

public class StartJMeter {
    public static void main(String[] arguments) throws Exception {
        String home = "/usr/share/jmeter";
        JMeterUtils.setJMeterHome(home);
        JMeterUtils.loadJMeterProperties(home + "/bin/jmeter.properties");
        for (Field field : Class.forName("org.apache.jmeter.save.SaveService").getDeclaredFields()) {
            if (!XStream.class.isAssignableFrom(field.getType())) continue;
            field.setAccessible(true);
            ((XStream) field.get(null)).addPermission(AnyTypePermission.ANY);
        }
        new org.apache.jmeter.JMeter().start(arguments);
    }
}
JAVA
    javac -cp "$jars" -d "$peers" "$peers/StartJMeter.java"
fi
cannon=build/npm-bench/node_modules/.bin/autocannon
[ -x "$cannon" ] || npm install --silent --no-audit --no-fund --prefix build/npm-bench autocannon@8 >/dev/null

scratch=$(mktemp -d)
trap 'kill ${nginx_pid:-} 2>/dev/null || true; wait 2>/dev/null || true; rm -rf "$scratch"' EXIT
port=$((20000 + RANDOM % 10000))
cat >"$scratch/nginx.conf" <<CONF
worker_processes 1;
daemon off;
pid $scratch/nginx.pid;
error_log $scratch/error.log;
events { worker_connections 4096; }
http {
    access_log off;
    keepalive_requests 1000000000;
    server {
        listen 127.0.0.1:$port;
        location / { return 200 '{"id":7,"ok":true}'; }
        location = /stats { stub_status; }
    }
}
CONF
taskset -c 0 nginx -c "$scratch/nginx.conf" -e "$scratch/error.log" &
nginx_pid=$!
url="http://127.0.0.1:$port/"
until curl -sf "$url" >/dev/null 2>&1; do sleep 0.05; done
served() { curl -sf "${url}stats" | awk 'NR == 3 { print $3 }'; }

cat >"$scratch/locustfile.py" <<'PY'
from locust import FastHttpUser, constant, task

class Caller(FastHttpUser):
    wait_time = constant(0)

    @task
    def call(self):
        self.client.get("/")
PY
cat >"$scratch/plan.jmx" <<JMX
<?xml version="1.0" encoding="UTF-8"?>
<jmeterTestPlan version="1.2" properties="2.8"><hashTree>
<TestPlan guiclass="TestPlanGui" testclass="TestPlan" testname="t" enabled="true"/><hashTree>
<ThreadGroup guiclass="ThreadGroupGui" testclass="ThreadGroup" testname="g" enabled="true">
<elementProp name="ThreadGroup.main_controller" elementType="LoopController"><boolProp name="LoopController.continue_forever">false</boolProp><intProp name="LoopController.loops">-1</intProp></elementProp>
<stringProp name="ThreadGroup.num_threads">$connections</stringProp><stringProp name="ThreadGroup.ramp_time">0</stringProp>
<boolProp name="ThreadGroup.scheduler">true</boolProp><stringProp name="ThreadGroup.duration">$seconds</stringProp>
</ThreadGroup><hashTree>
<HTTPSamplerProxy guiclass="HttpTestSampleGui" testclass="HTTPSamplerProxy" testname="h" enabled="true">
<stringProp name="HTTPSampler.domain">127.0.0.1</stringProp><stringProp name="HTTPSampler.port">$port</stringProp>
<stringProp name="HTTPSampler.path">/</stringProp><stringProp name="HTTPSampler.method">GET</stringProp>
<boolProp name="HTTPSampler.use_keepalive">true</boolProp><stringProp name="HTTPSampler.implementation">HttpClient4</stringProp>
</HTTPSamplerProxy><hashTree/></hashTree></hashTree></hashTree></jmeterTestPlan>
JMX
cat >"$scratch/tsung.xml" <<XML
<?xml version="1.0"?><!DOCTYPE tsung SYSTEM "$peers/tsung/usr/share/tsung/tsung-1.0.dtd">
<tsung loglevel="error"><clients><client host="localhost" use_controller_vm="true" maxusers="1000"/></clients>
<servers><server host="127.0.0.1" port="$port" type="tcp"/></servers>
<load duration="$seconds" unit="second"><arrivalphase phase="1" duration="$seconds" unit="second"><users maxnumber="$connections" arrivalrate="$connections" unit="second"/></arrivalphase></load>
<sessions><session name="s" probability="100" type="ts_http"><for from="1" to="100000000" var="i"><request><http url="/" method="GET" version="1.1"/></request></for></session></sessions></tsung>
XML

run_wrk() { wrk -t1 -c$connections -d"${seconds}s" "$url"; }
run_swarm() { "$bees" "$url" max "$seconds" $connections; }
run_run() { "$hive" run "$url" --rate max --connections $connections --duration "${seconds}s" --quiet; }
run_autocannon() { "$cannon" -c $connections -d "$seconds" "$url"; }
run_tsung() { "$peers/tsung/start" -n -f "$scratch/tsung.xml" -l "$scratch/tsung" start; }
run_jmeter() {
    java -Djmeter.home=/usr/share/jmeter -cp "$peers:$jars" StartJMeter -n -t "$scratch/plan.jmx" \
        -j "$scratch/jmeter.log"
}
run_locust() {
    locust -f "$scratch/locustfile.py" --headless --only-summary -u $connections -r $connections \
        -t "${seconds}s" -H "${url%/}"
}
export -f run_wrk run_swarm run_run run_autocannon run_tsung run_jmeter run_locust
export url seconds connections scratch hive bees cannon peers jars

# tool: requests/s while it ran, µs of processor time a request, peak MB
measure() {
    local before after
    before=$(served)
    /usr/bin/time -f '%U %S %M' -o "$scratch/time" taskset -c 1 bash -c "run_$1" \
        >"$scratch/$1.out" 2>&1 || { tail -n 5 "$scratch/$1.out" >&2; }
    after=$(served)
    read -r user system kb < <(tail -n 1 "$scratch/time")
    awk -v n=$((after - before - 1)) -v s="$seconds" -v cpu="$(awk -v a="$user" -v b="$system" 'BEGIN { print a + b }')" \
        -v kb="$kb" 'BEGIN { printf "%.0f %.2f %.0f\n", n / s, (n > 0 ? cpu / n * 1e6 : 0), kb / 1000 }'
}
median() { sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }

for ((round = 1; round <= rounds; ++round)); do
    for tool in "${tools[@]}"; do
        measure "$tool" >>"$scratch/$tool.figures"
        echo "round $round, $tool: $(tail -n 1 "$scratch/$tool.figures" |
            awk '{ printf "%d requests/s, %.2f us each, peak %d MB", $1, $2, $3 }')" >&2
    done
done
of() { cut -d' ' -f"$2" "$scratch/$1.figures" | median; }
name() { case $1 in swarm) echo "four bees (swarm)" ;; run) echo "hive run URL" ;; *) echo "$1" ;; esac; }
printf '\n%-18s %11s %7s %9s %13s %8s\n' tool requests/s of-wrk bees-is us/request peak-MB
for tool in "${tools[@]}"; do
    awk -v name="$(name "$tool")" -v rate="$(of "$tool" 1)" -v wrk="$(of wrk 1)" \
        -v swarm="$(of swarm 1)" -v cpu="$(of "$tool" 2)" -v mb="$(of "$tool" 3)" 'BEGIN {
        printf "%-18s %11d %7.2f %8.1fx %13.2f %8d\n", name, rate, rate / wrk,
            (rate > 0 ? swarm / rate : 0), cpu, mb }'
done
echo "demanded of the four bees: 0.8 of wrk, 10x JMeter and Locust, 3x tsung, 1.5x autocannon, below 40 MB"
