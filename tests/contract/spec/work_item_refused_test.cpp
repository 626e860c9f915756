// The work item's part of what breaks a rule: see refused_test.cpp.
#include "tests/contract/spec/broken.hpp"
#include "tests/contract/spec/samples.hpp"
#include "tests/support/places.hpp"
#include "tests/support/schema_validator.hpp"
#include "wire/work_codec.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::wire;
using namespace hive::tests;

namespace {

const std::string schema_file = hive::tests::in_source("docs/spec/workitem-envelope.schema.json");

constexpr std::string_view good_item =
    R"({"version":"1","headers":{"x-ph-seq":1},"messageId":"m","contentType":null,
        "steps":[{"index":0,"payload":"","payloadEncoding":"utf-8",
                  "headers":{"ph.step.service":"generator","ph.step.instance":"g-1"}},
                 {"index":1,"payload":"AA==","payloadEncoding":"base64",
                  "headers":{"ph.step.service":"processor","ph.step.instance":"p-1"}}],
        "observability":{"traceId":"t","swarmId":"alpha",
          "hops":[{"service":"generator","instance":"g-1",
                   "receivedAt":"2025-09-12T12:00:00Z","processedAt":"2025-09-12T12:00:01Z"}]}})";

constexpr Broken table[] = {
    {"/version", "", "version is missing"},
    {"/version", "1", R"(version: must be "1")"},
    {"/headers", "", "headers is missing"},
    {"/headers", "[]", "headers: must be an object"},
    {"/headers/messageId", R"("m")", "headers: messageId has a field of its own"},
    {"/headers/contentType", R"("t")", "headers: contentType has a field of its own"},
    {"/headers/x-ph-service", R"("p")", "headers: x-ph-service is gone"},
    {"/messageId", R"("")", "messageId: must not be empty"},
    {"/messageId", "5", "messageId: must be a string"},
    {"/contentType", R"("")", "contentType: must not be empty"},
    {"/steps", "", "steps is missing"},
    {"/steps", "[]", "steps: must hold at least one step"},
    {"/steps", "{}", "steps: must be an array"},
    {"/payload", R"("p")", "'payload' is not a known field"},
    {"/steps/0/index", "", "steps[0]: index is missing"},
    {"/steps/0/index", "-1", "steps[0].index: must be 0"},
    {"/steps/1/index", "0", "steps[1].index: must be 1", Rule::semantic},
    {"/steps/1/payload", "", "steps[1]: payload is missing"},
    {"/steps/1/payload", "null", "steps[1].payload: must be a string"},
    {"/steps/1/payload", R"("A")", "steps[1].payload: not base64", Rule::semantic},
    {"/steps/1/payload", R"("AB==")", "steps[1].payload: not base64", Rule::semantic},
    {"/steps/0/payloadEncoding", R"("latin1")", "payloadEncoding: 'latin1' is not one of utf-8"},
    {"/steps/0/payloadEncoding", "", "steps[0]: payloadEncoding is missing"},
    {"/steps/1/headers", "", "steps[1]: headers is missing"},
    {"/steps/1/headers/ph.step.service", "", "steps[1].headers: ph.step.service is missing"},
    {"/steps/1/headers/ph.step.instance", "", "steps[1].headers: ph.step.instance is missing"},
    {"/steps/1/headers/ph.step.service", R"("")", "steps[1].headers.ph.step.service: id must not"},
    {"/steps/1/headers/ph.step.instance", "1", "steps[1].headers.ph.step.instance: must be a"},
    {"/steps/0/headers/x-ph-service", "1", "steps[0].headers: x-ph-service is gone"},
    {"/steps/0/headers/messageId", "1", "steps[0].headers: messageId has a field"},
    {"/steps/0/extra", "1", "steps[0]: 'extra' is not a known field"},
    {"/observability", "", "observability is missing"},
    {"/observability/traceId", "", "observability: traceId is missing"},
    {"/observability/traceId", R"("")", "observability.traceId: must not be empty"},
    {"/observability/swarmId", R"("a.b")", "observability.swarmId: id 'a.b' must start"},
    {"/observability/swarmId", R"("ALL")", "observability.swarmId: id must not be 'ALL'"},
    {"/observability/hops", "", "observability: hops is missing"},
    {"/observability/hops/0/service", "", "observability.hops[0]: service is missing"},
    {"/observability/hops/0/instance", R"("")", "observability.hops[0].instance: id must not"},
    {"/observability/hops/0/receivedAt", R"("now")",
     "hops[0].receivedAt: 'now' is not an RFC 3339"},
    {"/observability/hops/0/processedAt", R"("2025-02-29T00:00:00Z")",
     "hops[0].processedAt:", Rule::semantic},
    {"/observability/hops/0/extra", "1", "observability.hops[0]: 'extra' is not a known field"},
    {"/observability/extra", "1", "observability: 'extra' is not a known field"},
};

} // namespace

TEST_CASE("each broken rule of work items is named with its path") {
    SchemaValidator schema{schema_file};
    const json::value good = *parse_json(good_item);
    CHECK(schema.violations(good) == "");
    CHECK(decode_work_item(good_item).has_value());
    for (const Broken& how : table) {
        const json::value bad = broken(good, how);
        const std::string text = to_text(bad);
        CAPTURE(text);
        const auto decoded = decode_work_item(text);
        REQUIRE(!decoded.has_value());
        CHECK_MESSAGE(
            decoded.error().detail.find(how.error) != std::string::npos, decoded.error().detail);
        CHECK(schema.violations(bad).empty() == (how.rule == Rule::semantic));
    }
}

TEST_CASE("decoder and schema agree about work items changed at random") {
    SchemaValidator schema{schema_file};
    int refused = 0;
    for (std::uint64_t seed = 0; seed < 4000; ++seed) {
        Random random{seed};
        std::string text;
        encode(random_work_item(random), text);
        json::value document = *parse_json(text);
        mutate(document, random);
        text = to_text(document);
        CAPTURE(seed);
        CAPTURE(text);
        const auto decoded = decode_work_item(text);
        const std::string violations = schema.violations(document);
        // The only rules that a schema cannot express, and that these changes can break.
        const std::string why = decoded ? "" : decoded.error().detail;
        const bool semantic =
            why.find("steps are numbered from 0") != why.npos || why.find("not base64") != why.npos;
        CHECK_MESSAGE(
            (semantic || decoded.has_value() == violations.empty()), why << " / " << violations);
        refused += decoded ? 0 : 1;
    }
    CHECK(refused > 1000);
}

TEST_CASE("the limits of the schema are the limits of the decoder") {
    SchemaValidator schema{schema_file};
    WorkItem item = *decode_work_item(good_item);
    const auto agree = [&](bool valid) {
        std::string text;
        encode(item, text);
        CHECK(schema.violations(text).empty() == valid);
        CHECK(decode_work_item(text).has_value() == valid);
    };
    item.steps.assign(steps_max, item.steps.front());
    item.hops.assign(hops_max, item.hops.front());
    for (std::size_t i = item.headers.size(); i < WorkItemLimits{}.headers; ++i) {
        item.headers.set("h" + std::to_string(i), "");
    }
    agree(true);
    item.headers.set("one-more", "");
    agree(false);
    item.headers.erase("one-more");
    item.hops.push_back(item.hops.front());
    agree(false);
    item.hops.pop_back();
    item.steps.push_back(item.steps.front());
    agree(false);
}
