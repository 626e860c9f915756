#include "worker/paced_source.hpp"

#include <doctest/doctest.h>

#include <deque>
#include <set>

using namespace hive;
using namespace hive::worker;
using namespace std::chrono_literals;

namespace {

const Identity self{
    SwarmId::parse("alpha").value(), Role::parse("generator").value(),
    InstanceId::parse("alpha-generator-1").value()};

// What a feed was told, kept beyond it.
struct Basket {
    std::deque<std::string> elements{};
    bool slow = false; // there is more, but not now
    std::vector<std::uint64_t> done{};
    std::vector<std::uint64_t> refused{};
};

class BasketFeed final : public Feed {
public:
    explicit BasketFeed(Basket& basket) : basket_{basket} {}
    Result<std::optional<std::uint64_t>> next(wire::WorkItem& item) override {
        if (basket_.elements.empty() || basket_.slow) return std::optional<std::uint64_t>{};
        item.steps.push_back({.payload = basket_.elements.front()});
        basket_.elements.pop_front();
        return std::optional{++token_};
    }
    std::optional<TimePoint> again() const override { return std::nullopt; }
    Status done(std::uint64_t token) override {
        basket_.done.push_back(token);
        return {};
    }
    Status refuse(std::uint64_t token) override {
        basket_.refused.push_back(token);
        return {};
    }
    wire::InputState state() const override {
        return basket_.elements.empty() ? wire::InputState::out_of_data : wire::InputState::ok;
    }
    void report(json::object& into) const override { into["basket"] = basket_.elements.size(); }

private:
    Basket& basket_;
    std::uint64_t token_ = 0;
};

struct SourceUnderTest {
    VirtualClock clock{};
    PacedSource source;
    std::vector<Job> jobs{};

    explicit SourceUnderTest(SchedulerInput input, Basket* basket = nullptr, Duration delay = {})
        : source{
              {.input = std::move(input),
               .self = &self,
               .clock = &clock,
               .life = "life-",
               .feed = basket ? std::make_unique<BasketFeed>(*basket) : nullptr,
               .delay = delay}} {
        source.resume();
    }
    std::size_t after(Duration wait) {
        clock.advance(wait);
        jobs.clear();
        CHECK(source.take(1000, jobs));
        return jobs.size();
    }
    void all_done() {
        std::vector<std::uint64_t> tags;
        for (const Job& job : jobs) tags.push_back(job.tag);
        CHECK(source.done(tags));
    }
    json::object report() const {
        json::object out;
        source.report(out);
        return out["scheduler"].as_object();
    }
};

json::value shape(std::string_view text) {
    return parse_json(text).value();
}

} // namespace

TEST_CASE("a shape says when items are due, whatever the rate beside it says") {
    SourceUnderTest under{
        {.rate_per_sec = 1000, .shape = shape(R"({"type":"steps","steps":{"after":"stop","list":[
             {"ratePerSec":10,"lasts":"1s"},{"ratePerSec":40,"lasts":"1s"}]}})")}};
    CHECK(under.after(1s) == 10);
    CHECK(under.report()["ratePerSec"] == 40.0);
    CHECK(under.after(1s) == 40);
    CHECK(under.after(10s) == 0);
    CHECK(under.report()["ratePerSec"] == 0.0);
    CHECK(under.source.state() == wire::InputState::ok);
    CHECK_FALSE(under.source.next());
}

TEST_CASE("another rate or shape takes over from now on") {
    SourceUnderTest under{{.rate_per_sec = 10}};
    CHECK(under.after(1s) == 10);
    under.source.change({.rate_per_sec = 100}, {});
    CHECK(under.after(1s) == 100);
    under.source.change({.shape = shape(R"({"type":"rate-per-sec","ratePerSec":5})")}, {});
    CHECK(under.after(2s) == 10);
    under.source.change({.rate_per_sec = 0}, {});
    CHECK(under.after(60s) == 0);
    CHECK(under.report()["ratePerSec"] == 0.0);
    CHECK(under.source.state() == wire::InputState::ok);
    under.source.change({.rate_per_sec = 10}, {});
    CHECK(under.after(1s) == 10);
}

TEST_CASE("what was due before the rate changed is not forgotten") {
    SourceUnderTest under{{.rate_per_sec = 100}};
    under.clock.advance(50ms);
    under.source.change({.rate_per_sec = 10}, {});
    CHECK(under.source.next() == under.clock.now());
    CHECK(under.after(0s) == 5);
    CHECK(under.after(1s) == 10);
    CHECK(under.report()["dropped"] == 0);
}

TEST_CASE("a finite run that is over owes nothing when it becomes another one") {
    SourceUnderTest under{{.rate_per_sec = 1000, .max_messages = 1}};
    CHECK(under.after(1s) == 1);
    under.clock.advance(60s);
    under.source.change({.rate_per_sec = 0.001}, {});
    CHECK(under.after(1s) == 0);
    under.source.change({.rate_per_sec = 1000, .max_messages = 1}, {});
    CHECK(under.after(1s) == 1);
}

TEST_CASE("a finite run is out of data at its end and counts anew when told so") {
    SchedulerInput input{.rate_per_sec = 100, .max_messages = 30};
    SourceUnderTest under{input};
    std::set<std::string> traces;
    const auto collect = [&](Duration wait) {
        const std::size_t count = under.after(wait);
        for (const Job& job : under.jobs) traces.insert(job.item->trace_id);
        under.all_done();
        return count;
    };
    CHECK(collect(1s) == 30);
    CHECK(under.source.state() == wire::InputState::out_of_data);
    CHECK_FALSE(under.source.next());

    input.rate_per_sec = 200; // changes nothing about the count
    input.jitter = {JitterKind::sequence, 1ms};
    under.source.change(input, {});
    CHECK(collect(1s) == 0);

    input.reset = true;
    under.source.change(input, {});
    CHECK(under.source.state() == wire::InputState::ok);
    CHECK(collect(1s) == 30);
    input.reset = false;
    input.max_messages = 40;
    under.source.change(input, {});
    CHECK(collect(1s) == 40);
    CHECK(traces.size() == 100); // no two items are taken for the same one
}

TEST_CASE("jitter moves items but neither their number nor their order") {
    SourceUnderTest under{{.rate_per_sec = 100, .jitter = {JitterKind::sequence, 5ms}}};
    std::vector<std::int64_t> due;
    CHECK(under.after(10s) >= 999);
    for (const Job& job : under.jobs) {
        due.push_back(std::stoll(job.item->headers.find(header::due)->str()));
    }
    CHECK(std::ranges::is_sorted(due));
    std::set<std::int64_t> gaps;
    for (std::size_t i = 1; i < due.size(); ++i) gaps.insert(due[i] - due[i - 1]);
    CHECK(gaps.size() > 100);
}

TEST_CASE("elements of a feed come at the rate and are settled with it") {
    Basket basket{.elements = {"a", "b", "c"}};
    SourceUnderTest under{{.rate_per_sec = 2}, &basket};
    CHECK(under.after(1s) == 2);
    CHECK(under.jobs[0].item->payload() == "a");
    CHECK(under.jobs[0].item->steps[0].by.instance() == "alpha-generator-1");
    under.all_done();
    CHECK(basket.done == std::vector<std::uint64_t>{1, 2});

    CHECK(under.after(500ms) == 1);
    CHECK(under.jobs[0].item->payload() == "c");
    CHECK(under.source.refuse(under.jobs[0], bus::Verdict::retry, "no"));
    CHECK(under.after(0s) == 1);
    CHECK(under.jobs[0].item->payload() == "c");
    CHECK(under.source.refuse(under.jobs[0], bus::Verdict::reject, "never"));
    CHECK(basket.refused == std::vector<std::uint64_t>{3});
}

TEST_CASE("nothing is owed for the time without data, but for the time of waiting for it") {
    Basket basket{.elements = {"a"}};
    SourceUnderTest under{{.rate_per_sec = 10}, &basket};
    CHECK(under.after(100ms) == 1);
    CHECK(under.after(0s) == 0);
    CHECK(under.source.state() == wire::InputState::out_of_data);

    for (int i = 0; i < 20; ++i) basket.elements.emplace_back("later");
    CHECK(under.after(10s) <= 1);
    CHECK(under.source.state() == wire::InputState::ok);
    CHECK(under.after(500ms) == 5);

    basket.slow = true;
    CHECK(under.after(500ms) == 1); // what it was given before
    basket.slow = false;
    CHECK(under.after(0s) == 4);
}

TEST_CASE("a delay passes before the first item, not again after a pause") {
    Basket basket{.elements = {"a", "b", "c", "d"}};
    SourceUnderTest under{{.rate_per_sec = 1}, &basket, 5s};
    CHECK(under.after(4s) == 0);
    CHECK(under.source.next() == under.clock.now() + 1s);
    CHECK(under.after(1s) == 0);
    CHECK(under.after(1s) == 1);
    under.source.pause();
    CHECK(under.after(10s) == 0);
    under.source.resume();
    CHECK(under.after(1s) == 1);
}

TEST_CASE("a shape that cannot be is refused with its place") {
    const auto refused =
        bind<FlowConfig>(parse_json(R"({"inputs":{"scheduler":{"shape":{"type":"sine","sine":{
            "minRatePerSec":1}}}}})")
                             ->as_object());
    REQUIRE_FALSE(refused);
    CHECK(refused.error().detail.find("config.inputs.scheduler") != std::string::npos);
    CHECK(refused.error().detail.find("shape.sine.maxRatePerSec is missing") != std::string::npos);
}
