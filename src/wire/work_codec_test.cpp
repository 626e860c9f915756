#include "kernel/id.hpp"
#include "wire/work_codec.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::wire;
using namespace std::chrono_literals;

namespace {

const Stamp generator{"generator", "alpha-generator-1"};

WorkItem sample() {
    WorkItem item;
    item.headers.set("x-ph-call-id", "checkout");
    item.headers.set("x-ph-seq", HeaderValue::json("42"));
    item.message_id = "m-1";
    item.content_type = "application/json";
    item.steps.push_back({.payload = R"({"a":"\u00e9 \"é\""})", .by = generator});
    item.steps.push_back({.payload = "AAEC", .encoding = Encoding::base64, .by = generator});
    item.trace_id = "trace-1";
    item.swarm_id = "alpha";
    item.hops.push_back({generator, Timestamp{1s}, Timestamp{1500ms}});
    return item;
}

std::string text_of(const WorkItem& item) {
    std::string out;
    encode(item, out);
    return out;
}

std::string why(std::string_view text, const WorkItemLimits& limits = {}) {
    const auto decoded = decode_work_item(text, limits);
    return decoded ? "" : decoded.error().detail;
}

} // namespace

TEST_CASE("a work item is written as the contract shows it") {
    WorkItem item;
    item.add_step({.payload = "hi", .by = {"g", "g-1"}}, {});
    item.trace_id = "t";
    CHECK(
        text_of(item) ==
        R"({"version":"1","headers":{},"steps":[{"index":0,"payload":"hi",)"
        R"("payloadEncoding":"utf-8","headers":{"ph.step.service":"g","ph.step.instance":"g-1"}}],)"
        R"("observability":{"traceId":"t","hops":[]}})");
}

TEST_CASE("a work item comes back from the wire as it was") {
    const auto item = sample();
    CHECK(*decode_work_item(text_of(item)) == item);
}

TEST_CASE("encoding appends to what the caller has") {
    std::string out = "before";
    encode(sample(), out);
    CHECK(out == "before" + text_of(sample()));
}

TEST_CASE("steps are numbered from 0 on the wire after older ones were dropped") {
    WorkItem item = sample();
    item.add_step({.payload = "new", .by = generator}, {.keep = History::latest_only});
    const auto decoded = decode_work_item(text_of(item));
    REQUIRE(decoded.has_value());
    CHECK(decoded->steps.size() == 1);
    CHECK(decoded->payload() == "new");
}

TEST_CASE("a payload that is not text goes out as base64, and broken text elsewhere is repaired") {
    WorkItem item = sample();
    item.steps[0].payload = "\xff\xfe";
    item.headers.set(
        "broken", "a\xc3"
                  "b\xf0\x9f");
    const auto decoded = decode_work_item(text_of(item));
    REQUIRE_MESSAGE(decoded.has_value(), decoded.error().detail);
    CHECK(decoded->steps[0].encoding == Encoding::base64);
    CHECK(decoded->steps[0].payload == "//4=");
    CHECK(decoded->steps[1] == item.steps[1]);
    CHECK(
        decoded->headers.text("broken") == "a\xEF\xBF\xBD"
                                           "b\xEF\xBF\xBD\xEF\xBF\xBD");
}

TEST_CASE("fields may come in any order and with white space") {
    const auto decoded = decode_work_item(
        R"( { "observability" : { "hops":[], "traceId":"t" } , "steps":[ { "headers" :
        {"ph.step.instance":"g-1", "x":1, "ph.step.service":"g" }, "payloadEncoding":"utf-8",
        "payload":"p", "index":0 } ], "headers":{ }, "version":"1" } )");
    REQUIRE_MESSAGE(decoded.has_value(), decoded.error().detail);
    CHECK(decoded->steps[0].by == Stamp{"g", "g-1"});
    CHECK(decoded->steps[0].headers.size() == 1);
}

TEST_CASE("a field or header given twice is refused") {
    const auto with = [](std::string text, std::string_view from, std::string_view to) {
        return text.replace(text.find(from), from.size(), to);
    };
    const std::string good = text_of(sample());
    CHECK(
        why(with(good, R"("headers":)", R"("version":"1","headers":)")) ==
        "work item: 'version' appears twice");
    CHECK(
        why(with(good, R"("x-ph-seq":)", R"("x-ph-seq":1,"x-ph-seq":)")) ==
        "headers: 'x-ph-seq' appears twice");
    CHECK(
        why(with(good, R"("ph.step.service":)", R"("ph.step.service":"a","ph.step.service":)")) ==
        "steps[0].headers.ph.step.service: appears twice");
}

TEST_CASE("an item reads the same whether or not its bees were met before") {
    const auto item = sample();
    const std::string text = text_of(item);
    REQUIRE(*decode_work_item(text) == item); // now they were
    const auto with = [&](std::string_view part, const std::string& instead) {
        std::string changed = text;
        const auto at = changed.find(part);
        REQUIRE(at != changed.npos);
        return changed.replace(at, part.size(), instead);
    };
    const std::string stamp =
        R"("ph.step.service":"generator","ph.step.instance":"alpha-generator-1")";
    const std::string hop = R"("service":"generator","instance":"alpha-generator-1")";
    for (int round = 0; round < 2; ++round) {
        CHECK(*decode_work_item(text) == item);
        // Another bee in its place, also one whose name only begins in the same way.
        for (const std::string other : {"alpha-generator-2", "alpha-generator-12", "beta"}) {
            auto moved = item;
            moved.steps[0].by = moved.hops[0].by = Stamp{"generator", other};
            CHECK(*decode_work_item(text_of(moved)) == moved);
        }
        auto more = item;
        more.steps[0].headers.set("x-more", "1");
        CHECK(*decode_work_item(with(stamp + "}", stamp + R"(,"x-more":"1"})")) == more);
        CHECK(*decode_work_item(with("{" + stamp, "{ " + stamp)) == item);
        CHECK(
            why(with(stamp, stamp + R"(,"ph.step.service":"generator")")) ==
            "steps[0].headers.ph.step.service: appears twice");
        CHECK(
            why(with(hop, hop + R"(,"instance":"alpha-generator-1")")) ==
            "observability.hops[0]: 'instance' appears twice");
        CHECK(why(with(stamp, stamp + "x")).starts_with("not valid JSON"));
        CHECK(why(with(hop, hop + "x")).starts_with("not valid JSON"));
    }
}

TEST_CASE("what is not JSON is refused with the place") {
    CHECK(why("") == "work item: must be an object");
    CHECK(why("[]") == "work item: must be an object");
    CHECK(why(R"({"version" "1"})") == "not valid JSON at byte 11: expected a key and ':'");
    CHECK(why(R"({"version":"1)") == "not valid JSON at byte 13: a string does not end");
    CHECK(
        why(text_of(sample()) + "x").find("text after the end of the document") !=
        std::string::npos);
    CHECK(why("{\"version\":\"\xff\"}") == "work item: not valid UTF-8");
}

TEST_CASE("every limit is kept and said") {
    const std::string text = text_of(sample());
    CHECK(why(text, {.bytes = 10}).find("over the limit of 10") != std::string::npos);
    CHECK(why(text, {.steps = 1}) == "steps: more than the limit of 1");
    CHECK(why(text, {.hops = 0}) == "observability.hops: more than the limit of 0");
    CHECK(why(text, {.headers = 1}) == "headers: more than the limit of 1");
    CHECK(decode_work_item(text, {.steps = 1}).error().code == Errc::limit);
}

TEST_CASE("times of one item are read the same whether or not they share a date") {
    WorkItem item = sample();
    const auto base = item.hops[0].received_at;
    for (const Duration more :
         {Duration{0}, Duration{1}, Duration{1ms}, Duration{25h}, Duration{-30h}}) {
        item.hops.push_back({generator, base + more, base + more + 86399s});
    }
    CHECK(*decode_work_item(text_of(item)) == item);
    const auto with_time = [&](std::string_view time) {
        std::string text = text_of(sample());
        const std::string_view old = "1970-01-01T00:00:01.500Z";
        return decode_work_item(text.replace(text.find(old), old.size(), time));
    };
    CHECK(with_time("1970-01-01T00:00:02+00:00")->hops[0].processed_at == Timestamp{2s});
    CHECK(with_time("1970-01-01T23:59:60Z")->hops[0].processed_at == Timestamp{86399s});
    for (const char* bad :
         {"1970-01-01T24:00:00Z", "1970-01-01T00:60:00Z", "1970-01-01T00:00:00.Z",
          "1970-01-01T00:00:00.1234567890Z", "1970-01-01T00:00:00", "1970-01-01TZ",
          "1970-01-01T0a:00:00Z", "1970-01-01T00:00:00x5Z", "1970-01-01T00:00:00.5xZ"}) {
        CAPTURE(bad);
        CHECK(!with_time(bad).has_value());
    }
}

TEST_CASE("a bee's identity is an id, by the one rule for ids") {
    const auto accepted = [](const std::string& service) {
        WorkItem item = sample();
        item.steps[0].by = {service, "g-1"};
        return decode_work_item(text_of(item)).has_value();
    };
    for (int c = 0; c < 128; ++c) {
        CAPTURE(c);
        for (const std::string& text : {std::string(1, char(c)), std::string{"a"} + char(c)}) {
            CHECK(accepted(text) == check_id("service", text).has_value());
        }
    }
    CHECK(accepted(std::string(63, 'a')));
    CHECK(!accepted(std::string(64, 'a')));
    CHECK(!accepted(""));
    CHECK(!accepted("ALL"));
}
