// How long a swarm of four bees takes from one state to the next, on each runtime and with the real
// store, and what a thousand idle swarms in one process cost.
#include "bench/embedded_hive.hpp"
#include "tests/support/rabbit_server.hpp"

#include <algorithm>
#include <thread>

namespace {

using namespace hive;
using namespace hive::bench;

json::object four_bees() {
    json::array bees;
    for (int i = 1; i <= 4; ++i) {
        bees.push_back(
            {{"id", fmt::format("bee{}", i)},
             {"role", "echo"},
             {"work",
              {{"in", {{"in", fmt::format("q{}", i)}}},
               {"out", {{"out", fmt::format("q{}", i + 1)}}}}}});
    }
    return {{"bees", bees}};
}

void lifecycle(Hive& hive, const std::string& runtime, int rounds) {
    using enum wire::OutcomeStatus;
    std::vector<std::vector<Duration>> steps(5);
    for (int i = 0; i < rounds; ++i) {
        const auto swarm = fmt::format("cycle{}", i);
        std::vector<Duration> took;
        const auto add = [&](Hive::Pending pending, wire::OutcomeStatus wanted) {
            took.push_back(hive.finish(pending, wanted));
        };
        add(hive.create(swarm, four_bees()), ready);
        add(hive.wish(swarm, Wish::running), running);
        add(hive.wish(swarm, Wish::stopped), stopped);
        add(hive.wish(swarm, Wish::removed), removed);
        Duration all{};
        for (std::size_t k = 0; k < took.size(); ++k) {
            steps[k].push_back(took[k]);
            all += took[k];
        }
        steps[4].push_back(all);
    }
    fmt::print("{}, four bees, {} rounds: median and worst in ms\n", runtime, rounds);
    const char* const names[] = {
        "create to Ready", "to Running", "to Stopped", "to Removed", "all"};
    for (std::size_t k = 0; k < steps.size(); ++k) {
        fmt::print(
            "  {:<16} {:8.2f} {:8.2f}\n", names[k], milliseconds(percentile(steps[k], 0.5)),
            milliseconds(percentile(steps[k], 1.0)));
    }
}

// Control latency: from asking to the end of a start or stop, one swarm after another.
std::vector<Duration> start_and_stop(Hive& hive, int swarms, int samples) {
    std::vector<Duration> took;
    for (int i = 0; i < samples; ++i) {
        const auto swarm = fmt::format("idle{}", i * 7919 % swarms);
        auto start = hive.wish(swarm, Wish::running);
        took.push_back(hive.finish(start, wire::OutcomeStatus::running));
        auto stop = hive.wish(swarm, Wish::stopped);
        took.push_back(hive.finish(stop, wire::OutcomeStatus::stopped));
    }
    return took;
}

void many(Hive& hive, int swarms) {
    const double before = resident_megabytes();
    const TimePoint began = SystemClock{}.now();
    std::vector<Hive::Pending> pending;
    for (int i = 0; i < swarms; ++i)
        pending.push_back(hive.create(fmt::format("idle{}", i), four_bees()));
    for (auto& one : pending) hive.finish(one, wire::OutcomeStatus::ready);
    const Duration creation = SystemClock{}.now() - began;
    const double memory = resident_megabytes() - before;
    std::this_thread::sleep_for(3s);
    const Duration cpu_before = cpu_time();
    const TimePoint watched = SystemClock{}.now();
    std::this_thread::sleep_for(20s);
    const double share = std::chrono::duration<double>(cpu_time() - cpu_before) /
                         std::chrono::duration<double>(SystemClock{}.now() - watched);
    const auto took = start_and_stop(hive, swarms, 200);
    fmt::print(
        "{} idle swarms of four bees in one process\n"
        "  all Ready after    {:8.0f} ms\n"
        "  memory per swarm   {:8.1f} kB\n"
        "  CPU per swarm      {:8.1f} us/s ({:.1f} % of a core in all)\n"
        "  start or stop      {:8.2f} ms median, {:.2f} ms at the 99th percentile\n",
        swarms, milliseconds(creation), memory * 1000 / swarms, share * 1e6 / swarms, share * 100,
        milliseconds(percentile(took, 0.5)), milliseconds(percentile(took, 0.99)));
}

} // namespace

int main(int argc, char** argv) {
    const std::string what = argc > 1 ? argv[1] : "all";
    const int number = argc > 2 ? std::atoi(argv[2]) : 0;
    if (what == "all" || what == "embedded") {
        Hive hive{std::nullopt};
        lifecycle(hive, "embedded", number > 0 ? number : 50);
    }
    if (what == "all" || what == "processes") {
        tests::RabbitServer broker;
        Hive hive{broker.url()};
        lifecycle(hive, "processes on RabbitMQ", number > 0 ? number : 10);
    }
    if (what == "all" || what == "many") {
        Hive hive{std::nullopt};
        many(hive, number > 0 ? number : 1000);
    }
}
