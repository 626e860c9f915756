#include "mock/answer.hpp"
#include "mock/recorder.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <string>

using namespace hive;
using namespace hive::mock;
using namespace std::chrono_literals;

namespace {

std::string said(Endpoint& endpoint, Endpoint::Asked asked = {}) {
    std::string scratch;
    return std::string{endpoint.say(asked, scratch).bytes};
}

} // namespace

TEST_CASE("an answer says what it has") {
    Endpoint endpoint{{.statuses = {201}, .body = "hello", .content_type = "text/plain"}};
    CHECK(
        said(endpoint) ==
        "HTTP/1.1 201 Created\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello");
    CHECK(
        said(endpoint, {.keep_alive = false}) ==
        "HTTP/1.1 201 Created\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n"
        "Connection: close\r\n\r\nhello");
    CHECK(said(endpoint, {.head_only = true}).ends_with("Content-Length: 5\r\n\r\n"));
    Endpoint empty{{.statuses = {204}, .body = "ignored"}};
    CHECK(said(empty) == "HTTP/1.1 204 No Content\r\n\r\n");
}

TEST_CASE("faults are as bad as they are named") {
    Endpoint endpoint{{.body = "0123456789", .error_status = 503}};
    CHECK(said(endpoint, {.fault = Fault::error}).starts_with("HTTP/1.1 503 Service Unavailable"));
    const std::string cut = said(endpoint, {.fault = Fault::truncate});
    CHECK(cut.find("Content-Length: 11\r\n") != cut.npos);
    CHECK(cut.ends_with("\r\n\r\n01234"));
    const std::string lie = said(endpoint, {.fault = Fault::lie});
    CHECK(lie.find("Content-Length: 5\r\n") != lie.npos);
    CHECK(lie.ends_with("\r\n\r\n0123456789"));
    std::string scratch;
    CHECK(endpoint.say({.fault = Fault::truncate}, scratch).closes);
    CHECK_FALSE(endpoint.say({.fault = Fault::lie}, scratch).closes);
}

TEST_CASE("statuses come in turn and requests are numbered until a reset") {
    Endpoint endpoint{{.statuses = {200, 200, 503}, .body = "no {count}, again {count}"}};
    CHECK(said(endpoint).ends_with("no 1, again 1"));
    CHECK(said(endpoint).starts_with("HTTP/1.1 200"));
    CHECK(said(endpoint).starts_with("HTTP/1.1 503"));
    const std::string fourth = said(endpoint);
    CHECK(fourth.starts_with("HTTP/1.1 200"));
    CHECK(fourth.find("Content-Length: 13\r\n") != fourth.npos);
    CHECK(endpoint.count() == 4);
    endpoint.reset();
    CHECK(said(endpoint).ends_with("no 1, again 1"));
}

TEST_CASE("faults are drawn by their shares, the same ones from the same seed") {
    const Endpoint endpoint{
        {.error_ratio = {0.1}, .reset_ratio = {0.05}, .silent_ratio = {0.02}, .lie_ratio = {0.03}}};
    Random random{3};
    Random again{3};
    std::array<int, faults> counts{};
    constexpr int draws = 100'000;
    for (int i = 0; i < draws; ++i) {
        const Fault fault = endpoint.draw(random);
        REQUIRE(fault == endpoint.draw(again));
        ++counts[static_cast<std::size_t>(fault)];
    }
    const auto share = [&](Fault f) { return counts[static_cast<std::size_t>(f)] / double{draws}; };
    CHECK(share(Fault::none) == doctest::Approx(0.8).epsilon(0.02));
    CHECK(share(Fault::error) == doctest::Approx(0.1).epsilon(0.05));
    CHECK(share(Fault::reset) == doctest::Approx(0.05).epsilon(0.05));
    CHECK(share(Fault::silent) == doctest::Approx(0.02).epsilon(0.1));
    CHECK(share(Fault::truncate) == 0);
    CHECK(share(Fault::lie) == doctest::Approx(0.03).epsilon(0.1));
}

TEST_CASE("evenness is what a pencil says") {
    std::vector<Duration> even;
    for (int i = 0; i < 10'000; ++i) even.push_back(i * 200us);
    CHECK(evenness_of(even, 1ms).variation == doctest::Approx(0));
    CHECK(evenness_of(even, 1ms).mean == doctest::Approx(5));
    std::vector<Duration> bursts; // ten at once, every 2 ms
    for (int i = 0; i < 1'000; ++i) bursts.insert(bursts.end(), 10, i * 2ms);
    const Evenness uneven = evenness_of(bursts, 1ms);
    CHECK(uneven.mean == doctest::Approx(5).epsilon(0.01));
    CHECK(uneven.variation == doctest::Approx(1).epsilon(0.01));
    CHECK(uneven.most_off == doctest::Approx(1).epsilon(0.01));
    CHECK(evenness_of({}, 1ms).windows == 0);
    CHECK(evenness_of({5ms}, 1ms).windows == 0);
}

TEST_CASE("records of several threads add up, and only so many arrivals are kept") {
    Recorder one{2};
    Recorder two{2};
    for (const Duration at : {1ms, 2ms, 3ms}) {
        one.arrived(at);
        one.answered(200, Fault::none, 1ms);
    }
    two.arrived(1ms);
    two.answered(0, Fault::silent, 0ms);
    two.queued(7);
    two.count(&Record::malformed);
    Record all = one.read();
    all.merge(two.read());
    CHECK(all.requests == 4);
    CHECK(all.answered == 3);
    CHECK(all.arrivals.size() == 3);
    CHECK(all.arrivals_lost == 1);
    CHECK(all.by_fault[static_cast<std::size_t>(Fault::silent)] == 1);
    const json::object told = to_json(all);
    CHECK(told.at("maxQueued").as_uint64() == 7);
    CHECK(told.at("malformed").as_uint64() == 1);
    CHECK(told.at("byStatus").as_object().at("200").as_uint64() == 3);
    one.reset();
    CHECK(one.read().requests == 0);
}
