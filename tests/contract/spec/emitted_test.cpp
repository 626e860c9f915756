// What the codecs write: valid by the schemas, and read back as it was.
#include "tests/contract/spec/samples.hpp"
#include "tests/support/places.hpp"
#include "tests/support/schema_validator.hpp"
#include "wire/envelope_codec.hpp"
#include "wire/work_codec.hpp"

#include <doctest/doctest.h>

#include <set>

using namespace hive;
using namespace hive::wire;
using namespace hive::tests;

namespace {

const std::string spec = hive::tests::in_source("docs/spec/");

void check_emitted(SchemaValidator& schema, const Envelope& envelope) {
    const std::string text = encode(envelope);
    CAPTURE(text);
    CHECK_MESSAGE(check(envelope).has_value(), check(envelope).error().detail);
    CHECK(schema.violations(text) == "");
    const auto decoded = decode_envelope(text);
    REQUIRE_MESSAGE(decoded.has_value(), decoded.error().detail);
    CHECK((*decoded == envelope));
    CHECK(check_agreement(*parse_routing_key(to_text(routing_key_of(envelope))), *decoded));
}

} // namespace

TEST_CASE("a message of every shape, command and status is valid and reads back as it was") {
    SchemaValidator schema{spec + "control-events.schema.json"};
    std::set<std::string_view> types;
    for (const Envelope& envelope : sample_envelopes()) {
        check_emitted(schema, envelope);
        types.insert(routing_key_of(envelope).type);
    }
    CHECK(types.size() == 11); // 8 commands, 2 statuses, 1 alert
}

TEST_CASE("thousands of random messages are valid and read back as they were") {
    SchemaValidator schema{spec + "control-events.schema.json"};
    for (std::uint64_t seed = 0; seed < 3000; ++seed) {
        CAPTURE(seed);
        Random random{seed};
        check_emitted(schema, random_envelope(random));
    }
}

TEST_CASE("thousands of random work items are valid and read back as they were") {
    SchemaValidator schema{spec + "workitem-envelope.schema.json"};
    for (std::uint64_t seed = 0; seed < 3000; ++seed) {
        CAPTURE(seed);
        Random random{seed};
        const WorkItem item = random_work_item(random);
        std::string text;
        encode(item, text);
        CAPTURE(text);
        CHECK(schema.violations(text) == "");
        const auto decoded = decode_work_item(text);
        REQUIRE_MESSAGE(decoded.has_value(), decoded.error().detail);
        CHECK((*decoded == item));
    }
}
