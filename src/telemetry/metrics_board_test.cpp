#include "telemetry/metrics_board.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <thread>

using namespace hive;
using namespace hive::telemetry;

namespace {

constexpr MetricFamily calls{"calls_total", "counter", "Calls"};
constexpr MetricFamily waits{"waits_total", "counter", "Waits"};

MetricsBoard::Write writes(const std::string& who) {
    return [who](MetricsPage& page) {
        page.lines_of(calls) += "calls_total{bee=\"" + who + "\"} 1\n";
        page.lines_of(waits) += "waits_total{bee=\"" + who + "\"} 2\n";
    };
}

} // namespace

TEST_CASE("families stay together whoever writes, and who goes takes his lines along") {
    MetricsBoard board;
    CHECK(board.text().empty());
    auto a = board.post(writes("a"));
    {
        const auto b = board.post(writes("b"));
        CHECK(
            board.text() == "# HELP calls_total Calls\n# TYPE calls_total counter\n"
                            "calls_total{bee=\"a\"} 1\ncalls_total{bee=\"b\"} 1\n"
                            "# HELP waits_total Waits\n# TYPE waits_total counter\n"
                            "waits_total{bee=\"a\"} 2\nwaits_total{bee=\"b\"} 2\n");
    }
    CHECK(board.text().find("bee=\"b\"") == std::string::npos);
    a.reset();
    CHECK(board.text().empty());
}

TEST_CASE("nobody is asked once he is gone, while others read") {
    MetricsBoard board;
    std::atomic<bool> done{false};
    std::thread reader{[&] {
        while (!done) (void)board.text();
    }};
    std::atomic<int> asked_dead{0};
    for (int i = 0; i < 2000; ++i) {
        std::atomic<bool> alive{true};
        auto mine = board.post([&](MetricsPage&) {
            if (!alive) ++asked_dead;
        });
        mine.reset();
        alive = false;
    }
    done = true;
    reader.join();
    CHECK(asked_dead == 0);
}
