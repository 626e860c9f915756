#pragma once

#include "api/rest/swarm_keeper.hpp"
#include "cli/open_store.hpp"
#include "cli/swarm_host.hpp"
#include "kernel/log_capture.hpp"
#include "tests/support/places.hpp"
#include "tests/support/scratch_directory.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <future>
#include <memory>
#include <optional>
#include <string>

namespace hive::bench {

using namespace std::chrono_literals;
using orchestrator::Ended;
using orchestrator::Wish;

constexpr auto patience = 300s;

[[noreturn]] inline void die(const std::string& what) {
    fmt::print(stderr, "error: {}\n", what);
    std::exit(1);
}

template <class T>
T must(Result<T> result) {
    if (!result) die(result.error().detail);
    return *std::move(result);
}

inline double milliseconds(Duration duration) {
    return std::chrono::duration<double, std::milli>(duration).count();
}

inline Duration percentile(std::vector<Duration> all, double share) {
    std::ranges::sort(all);
    return all[static_cast<std::size_t>(static_cast<double>(all.size() - 1) * share)];
}

inline Duration cpu_time() {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    const auto of = [](const timeval& time) {
        return std::chrono::seconds{time.tv_sec} + std::chrono::microseconds{time.tv_usec};
    };
    return of(usage.ru_utime) + of(usage.ru_stime);
}

inline double resident_megabytes() {
    std::ifstream file{"/proc/self/statm"};
    double whole = 0;
    double resident = 0;
    file >> whole >> resident;
    return resident * static_cast<double>(::sysconf(_SC_PAGESIZE)) / 1e6;
}

// A server's inside: store, keeper, queen.
class Hive {
public:
    explicit Hive(std::optional<std::string> broker) {
        cli::SwarmHostOptions options{
            .data = directory_.path().string(), .program = hive::tests::hive_program()};
        if (broker) options.broker = must(Url::parse(*broker));
        const Logger log{sink_, clock_, levels_, "hive"};
        database_ = must(cli::open_store({directory_.path().string()}, cli::StoreUse::serve));
        host_ = must(cli::SwarmHost::open(std::move(options), clock_, log));
        keeper_ = std::make_unique<rest::SwarmKeeper>(
            rest::KeeperOptions{.life = "bench"}, rest::KeeperParts{
                                                      .database = *database_,
                                                      .hive = HiveId::parse("main").value(),
                                                      .clock = clock_,
                                                      .loop = loop_,
                                                      .log = log});
        if (auto ok = host_->start_queen(*keeper_, {}); !ok) die(ok.error().detail);
    }
    ~Hive() { host_.reset(); }

    cli::SwarmHost& host() { return *host_; }

    struct Pending {
        std::shared_ptr<std::promise<Ended>> told = std::make_shared<std::promise<Ended>>();
        Subscription waiting{};
        TimePoint since{};
        std::shared_ptr<TimePoint> ended = std::make_shared<TimePoint>();
    };

    Pending ask(orchestrator::Queen::Ask asked, const std::string& id) {
        Pending pending;
        pending.since = clock_.now();
        pending.waiting = host_->queen().when_ended(
            id, [this, told = pending.told, at = pending.ended](const Ended& ended) {
                *at = clock_.now();
                told->set_value(ended);
            });
        host_->queen().ask(std::move(asked), nullptr, [](const Status& status) {
            if (!status) die(status.error().detail);
        });
        return pending;
    }

    Duration finish(Pending& pending, wire::OutcomeStatus wanted) {
        auto end = pending.told->get_future();
        if (end.wait_for(patience) != std::future_status::ready) die("no answer in time");
        const Ended ended = end.get();
        if (ended.status != wanted) die("unexpected outcome: " + ended.reason);
        return *pending.ended - pending.since;
    }

    Pending create(const std::string& swarm, json::object text, json::object plan = {}) {
        const auto id = next_id();
        return ask(
            orchestrator::CreateAsked{
                .swarm = SwarmId::parse(swarm).value(),
                .text = std::move(text),
                .plan = std::move(plan),
                .attempt = {id, id},
                .run = swarm + id},
            id);
    }
    Pending wish(const std::string& swarm, Wish wish) {
        const auto id = next_id();
        return ask(
            orchestrator::WishAsked{
                .swarm = SwarmId::parse(swarm).value(), .wish = wish, .attempt = {id, id}},
            id);
    }

private:
    std::string next_id() { return fmt::format("bench-{}", ++asked_); }

    SystemClock clock_;
    LogCapture sink_;
    LogLevels levels_;
    tests::ScratchDirectory directory_;
    int asked_ = 0;
    loop::Loop loop_{1};
    std::unique_ptr<store::Database> database_;
    std::unique_ptr<rest::SwarmKeeper> keeper_;
    std::unique_ptr<cli::SwarmHost> host_;
};

} // namespace hive::bench
