// A generator, a moderator, a processor and a postprocessor in this process, against a system under
// test elsewhere: as many calls as they can make, or calls at a rate. `bench/bees.sh` runs it
// beside other tools; who answers counts.
#include "bench/embedded_hive.hpp"

#include <thread>

namespace {

using namespace hive;
using namespace hive::bench;

struct Load {
    std::string url;
    double rate = 0; // 0: as fast as it goes
    double seconds = 0;
    int connections = 50;
    int queue = 512; // items that may wait between two bees
};

json::object four_bees(const Load& load) {
    json::object scheduler{{"pacing", "UNLIMITED"}};
    if (load.rate > 0) {
        // As many as belong into the time: the end of it must not count for or against the pace.
        scheduler = {
            {"ratePerSec", load.rate},
            {"maxMessages", static_cast<std::int64_t>(load.rate * load.seconds)}};
    }
    const auto bee = [](std::string_view role, json::object work, json::object config) {
        return json::object{
            {"id", role}, {"role", role}, {"work", std::move(work)}, {"config", std::move(config)}};
    };
    const json::object made{{"q", "made"}};
    const json::object calls{{"q", "calls"}};
    const json::object results{{"q", "results"}};
    return {
        {"bees",
         json::array{
             bee("generator", {{"out", made}}, {{"inputs", {{"scheduler", scheduler}}}}),
             bee("moderator", {{"in", made}, {"out", calls}}, {}),
             bee("processor", {{"in", calls}, {"out", results}},
                 {{"baseUrl", load.url}, {"threadCount", load.connections}, {"result", "BRIEF"}}),
             bee("postprocessor", {{"in", results}}, {})}},
        {"queues",
         {{"made", {{"maxLength", load.queue}}}, {"calls", {{"maxLength", load.queue}}}}}};
}

rusage used() {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return usage;
}

double seconds(const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

void print(const rusage& before, const rusage& now) {
    const double user = seconds(now.ru_utime) - seconds(before.ru_utime);
    const double system = seconds(now.ru_stime) - seconds(before.ru_stime);
    fmt::print(
        "cpu {:.3f} s, user {:.3f} s, system {:.3f} s, switches {}, preempted {}, peak {:.1f} MB\n",
        user + system, user, system, now.ru_nvcsw - before.ru_nvcsw,
        now.ru_nivcsw - before.ru_nivcsw, static_cast<double>(now.ru_maxrss) * 1024 / 1e6);
}

} // namespace

int main(int count, char** arguments) {
    if (count < 4) {
        fmt::print(stderr, "usage: bees URL RATE|max SECONDS [CONNECTIONS [QUEUE_LENGTH]]\n");
        return 2;
    }
    const Load load{
        .url = arguments[1],
        .rate = std::strtod(arguments[2], nullptr), // "max" reads as 0
        .seconds = std::strtod(arguments[3], nullptr),
        .connections = count > 4 ? std::atoi(arguments[4]) : 50,
        .queue = count > 5 ? std::atoi(arguments[5]) : 512};
    Hive hive{std::nullopt};
    auto created = hive.create("bench", four_bees(load));
    hive.finish(created, wire::OutcomeStatus::ready);
    auto started = hive.wish("bench", Wish::running);
    hive.finish(started, wire::OutcomeStatus::running);
    const rusage before = used();
    fmt::print("running\n");
    std::fflush(stdout);
    // At a rate the last calls are due at the very end.
    const double grace = load.rate > 0 ? 0.5 : 0;
    std::this_thread::sleep_for(std::chrono::duration<double>{load.seconds + grace});
    print(before, used());
    auto stopped = hive.wish("bench", Wish::stopped);
    hive.finish(stopped, wire::OutcomeStatus::stopped);
    return 0;
}
