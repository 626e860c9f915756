#include "guard/steered.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::guard;

namespace {

// The field, or why there is none.
std::string said(std::string_view config, bool takes_items = false) {
    const json::object read = parse_json(config).value().as_object();
    const auto field = rate_field_of({read, takes_items});
    return field ? *field : field.error().detail;
}

} // namespace

TEST_CASE("the rate of a bee is where its input has it") {
    CHECK(said("{}") == "inputs.scheduler.ratePerSec");
    CHECK(said(R"({"inputs":{"type":"AUTO"}})") == "inputs.scheduler.ratePerSec");
    CHECK(said(R"({"inputs":{"type":"SCHEDULER"}})", true) == "inputs.scheduler.ratePerSec");
    CHECK(said(R"({"inputs":{"type":"REDIS_DATASET"}})") == "inputs.redis.ratePerSec");
    CHECK(said(R"({"inputs":{"type":"CSV_DATASET"}})") == "inputs.csv.ratePerSec");
    CHECK(
        said(R"({"inputs":{"scheduler":{"pacing":"SCHEDULED","shape":null}}})") ==
        "inputs.scheduler.ratePerSec");
    // What another input would do does not matter.
    CHECK(
        said(R"({"inputs":{"type":"CSV_DATASET","scheduler":{"pacing":"UNLIMITED"}}})") ==
        "inputs.csv.ratePerSec");
}

TEST_CASE("who keeps to no rate of its own cannot be steered, and that is why") {
    CHECK(said("{}", true) == "takes its items from a queue, at no rate");
    CHECK(said(R"({"inputs":{"type":"RABBITMQ"}})") == "takes its items from a queue, at no rate");
    CHECK(
        said(R"({"inputs":{"scheduler":{"shape":{"type":"sine"}}}})") ==
        "runs by inputs.scheduler.shape, which has its own rate");
    CHECK(
        said(R"({"inputs":{"type":"REDIS_DATASET","redis":{"pacing":"UNLIMITED"}}})") ==
        "has no rate: inputs.redis.pacing UNLIMITED");
}
