#include "audit/entry_json.hpp"
#include "kernel/json.hpp"
#include "tests/support/audit_log.hpp"
#include "tests/support/places.hpp"

#include <doctest/doctest.h>
#include <valijson/adapters/boost_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

#include <fstream>
#include <sstream>

using namespace hive;
using namespace hive::audit;
using hive::tests::AuditLog;

namespace {

std::string line_of(const Entry& entry) {
    std::string line;
    append_json(line, view_of(entry));
    return line;
}

Entry erased(Entry entry) {
    entry.disclosure.reset();
    return entry;
}

bool fits_the_schema(const json::value& document) {
    std::ifstream in{hive::tests::in_source("docs/spec/audit-entry.schema.json")};
    std::ostringstream text;
    text << in.rdbuf();
    const auto parsed = parse_json(text.str());
    REQUIRE(parsed);
    valijson::Schema schema;
    valijson::SchemaParser{}.populateSchema(valijson::adapters::BoostJsonAdapter{*parsed}, schema);
    return valijson::Validator{}.validate(
        schema, valijson::adapters::BoostJsonAdapter{document}, nullptr);
}

} // namespace

TEST_CASE("an entry reads back from its line, with and without details") {
    const AuditLog log{12, 4};
    EntryReader reader;
    for (const Entry& entry : log.ledger.entries) {
        for (const Entry& each : {entry, erased(entry)}) {
            const std::string line = line_of(each);
            const auto back = reader.read(line);
            REQUIRE(back);
            CHECK(own(*back) == each);
        }
    }
}

TEST_CASE("a line is plain JSON that fits the published schema") {
    const AuditLog log{4, 4};
    for (const Entry& entry : log.ledger.entries) {
        for (const Entry& each : {entry, erased(entry)}) {
            const auto document = parse_json(line_of(each));
            REQUIRE(document);
            CHECK(fits_the_schema(*document));
        }
    }
}

TEST_CASE("the schema refuses what is not an entry") {
    const AuditLog log{1, 1};
    auto document = parse_json(line_of(log.ledger.entries[0])).value();
    auto& object = document.as_object();
    const auto refuses_with = [&](const char* name, json::value value) {
        auto changed = object;
        changed[name] = std::move(value);
        return !fits_the_schema(changed);
    };
    CHECK(refuses_with("sequence", 0));
    CHECK(refuses_with("hash", "ABC"));
    CHECK(refuses_with("time", "yesterday"));
    CHECK(refuses_with("erased", true));
    CHECK(refuses_with("surprise", 1));
    object.erase("details");
    CHECK_FALSE(fits_the_schema(document));
}

TEST_CASE("a line cut short anywhere is refused with the place") {
    const AuditLog log{4, 4};
    const std::string line = line_of(log.ledger.entries[3]);
    EntryReader reader;
    for (std::size_t size = 0; size < line.size(); ++size) {
        CHECK_FALSE(reader.read(std::string_view{line}.substr(0, size)));
    }
    const auto refused = reader.read(line.substr(0, 5));
    REQUIRE_FALSE(refused);
    CHECK(refused.error().detail.find("at byte 0") != std::string::npos);
}

TEST_CASE("fields and details over their limits are refused") {
    const AuditLog log{1, 1};
    Entry entry = log.ledger.entries[0];
    EntryReader reader;
    entry.actor = std::string(field_bytes_max, '"');
    CHECK(reader.read(line_of(entry)));
    entry.actor += '"';
    CHECK_FALSE(reader.read(line_of(entry)));
    entry.actor = "a";
    entry.disclosure->details = "{" + std::string(details_bytes_max - 2, ' ') + "}";
    CHECK(reader.read(line_of(entry)));
    entry.disclosure->details = "{" + std::string(details_bytes_max - 1, ' ') + "}";
    CHECK_FALSE(reader.read(line_of(entry)));
}
