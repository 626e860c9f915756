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

} // namespace

TEST_CASE("a work item comes back from the wire as it was") {
    const auto item = sample();
    CHECK(*decode_work_item(text_of(item)) == item);
}

TEST_CASE("encoding appends to what the caller has") {
    std::string out = "before";
    encode(sample(), out);
    CHECK(out == "before" + text_of(sample()));
}
