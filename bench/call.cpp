// Calls per second of one lane in a closed loop: `build/bench/call URL CONNECTIONS SECONDS`.
// Prints "requests/s  microseconds of processor time per request  peak memory in MB". bench/call.sh
// runs it against nginx, in turn with wrk.
#include "call/http_request.hpp"
#include "call/lane.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace hive;
using Steady = std::chrono::steady_clock;

[[noreturn]] void die(const std::string& why) {
    std::fprintf(stderr, "bench: %s\n", why.c_str());
    std::exit(1);
}

double processor_seconds(const rusage& used) {
    const auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
    };
    return seconds(used.ru_utime) + seconds(used.ru_stime);
}

// Sends every call again as soon as it is back, until the time is over.
class ClosedLoop {
public:
    ClosedLoop(const call::Url& url, std::size_t connections) : connections_{connections} {
        std::shared_ptr<const call::TlsClient> tls;
        if (call::is_secure(url.scheme)) {
            auto loaded = call::TlsClient::load({.verify = false});
            if (!loaded) die(loaded.error().detail);
            tls = std::move(*loaded);
        }
        auto target = call::Target::make(url, tls);
        if (!target) die(target.error().detail);
        target_ = std::move(*target);
        if (auto built = append_request(request_, *target_, {.path = url.path}); !built)
            die(built.error().detail);
        auto lane = call::Lane::start(
            {.concurrency = connections},
            {.done = [this](std::vector<call::Done>& done) { take(done); }});
        if (!lane) die(lane.error().detail);
        lane_ = std::move(*lane);
    }

    void run(std::chrono::seconds time) {
        const auto start = Steady::now();
        until_ = start + time;
        std::vector<call::Call> calls;
        // Twice as many as can be under way: a worker never waits for the loop around it.
        for (std::size_t i = 0; i < 2 * connections_; ++i)
            calls.push_back({.id = i, .target = target_, .request = request_});
        if (auto taken = lane_->submit(calls); !taken) die(taken.error().detail);
        std::this_thread::sleep_until(until_);
        lane_->drain(std::chrono::seconds{10});
        const double seconds = std::chrono::duration<double>(Steady::now() - start).count();
        rusage used{};
        ::getrusage(RUSAGE_SELF, &used);
        const auto count = static_cast<double>(done_);
        fmt::print(
            "{:.0f} {:.2f} {:.1f}\n", count / seconds, processor_seconds(used) * 1e6 / count,
            static_cast<double>(used.ru_maxrss) / 1024);
    }

private:
    void take(std::vector<call::Done>& done) {
        for (call::Done& each : done) {
            if (!each.ok()) die(each.failure.detail);
            if (each.status != 200) die(fmt::format("status {}", each.status));
            again_.push_back(std::move(each.call));
        }
        done_ += done.size();
        if (Steady::now() < until_) {
            if (auto taken = lane_->submit(again_); !taken && taken.error().code != Errc::closed)
                die(taken.error().detail);
        }
        again_.clear();
    }

    std::size_t connections_;
    std::shared_ptr<const call::Target> target_;
    std::string request_;
    std::vector<call::Call> again_;
    std::size_t done_ = 0;
    Steady::time_point until_;
    std::unique_ptr<call::Lane> lane_;
};

} // namespace

int main(int count, char** words) {
    if (count != 4) die("usage: call URL CONNECTIONS SECONDS");
    const auto url = call::Url::parse(words[1]);
    if (!url) die(url.error().detail);
    ClosedLoop{*url, std::strtoul(words[2], nullptr, 10)}.run(
        std::chrono::seconds{std::strtol(words[3], nullptr, 10)});
    return 0;
}
