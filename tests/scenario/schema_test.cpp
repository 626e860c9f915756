// The schema for editors agrees with the program: it takes what loads and refuses what is misspelt.
#include "cli/scenario_catalog.hpp"
#include "kernel/json_layout.hpp"
#include "kernel/yaml_json.hpp"
#include "scenario/schema.hpp"
#include "scenario/validate.hpp"
#include "tests/scenario/broken.hpp"
#include "tests/support/places.hpp"
#include "tests/support/schema_validator.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>

using namespace hive;
using namespace hive::scenario;
namespace fs = std::filesystem;

namespace {

const std::string schema_file = hive::tests::in_source("docs/spec/scenario.schema.json");

bool has_errors(const std::vector<Finding>& findings) {
    return std::ranges::any_of(
        findings, [](const Finding& each) { return each.severity == Severity::error; });
}

json::value document_of(const std::string& text) {
    const YamlDocument document = parse_yaml("scenario.yaml", text);
    return to_json(document.root);
}

} // namespace

TEST_CASE("docs/spec/scenario.schema.json is what `hive scenario schema` prints") {
    CHECK(tests::read_file(schema_file) == laid_out(schema_of(cli::scenario_catalog())));
}

TEST_CASE("every example passes the schema") {
    tests::SchemaValidator validator{schema_file};
    std::size_t count = 0;
    for (const auto& entry : fs::directory_iterator{hive::tests::in_source("scenarios")}) {
        const fs::path file = entry.path() / "scenario.yaml";
        if (!fs::exists(file)) continue;
        CAPTURE(file.string());
        CHECK(validator.violations(document_of(tests::read_file(file.string()))) == "");
        ++count;
    }
    CHECK(count >= 11);
}

TEST_CASE("the sound scenario passes, and what is misspelt or of the wrong type does not") {
    tests::SchemaValidator validator{schema_file};
    CHECK(validator.violations(document_of(scenario_source("base.yaml"))) == "");
    std::size_t refused = 0;
    for (const Broken& one : broken_scenarios()) {
        // Only a bee's own settings are known; a step of the plan may be for any kind.
        const bool in_a_step = one.rule.find("scheduler: {") != std::string::npos ||
                               one.rule.find("field: ") != std::string::npos;
        const bool is_structure = one.code == "unknown-key" || one.code == "wrong-type";
        const bool said = !validator.violations(document_of(one.text)).empty();
        refused += said ? 1 : 0;
        if (is_structure && !in_a_step) CHECK_MESSAGE(said, one.rule);
        // What is only worth a warning is no reason for an editor to say that it is wrong.
        if (one.code == "ignored-key" || one.code == "renamed-key") CHECK_MESSAGE(!said, one.rule);
    }
    CHECK(refused >= 40);
}

TEST_CASE("what gives a value elsewhere is refused in a guard by schema and program alike") {
    tests::SchemaValidator validator{schema_file};
    const Catalog catalog = cli::scenario_catalog();
    const std::string base = scenario_source("base.yaml");
    const auto start = base.find("bufferGuard:");
    REQUIRE(start != base.npos);
    for (const char* line :
         {"enabled: true", "targetDepth: 200", "samplePeriod: 5s", "movingAverageWindow: 4",
          "maxIncreasePct: 10", "lookahead: 2m", "highDepth: 500", "queueAlias: mod"}) {
        const std::string_view written{line};
        const auto at = base.find(written, start);
        REQUIRE_MESSAGE(at != base.npos, line);
        for (const char* given : {"'{{ vars.x }}'", "'{env:X}'"}) {
            std::string text = base;
            const auto value = written.find(' ') + 1;
            text.replace(at + value, written.size() - value, given);
            CHECK_MESSAGE(!validator.violations(document_of(text)).empty(), text.substr(at, 40));
            const Loaded loaded = load(single_file("scenario.yaml", text));
            CHECK_MESSAGE(
                (has_errors(loaded.findings) || has_errors(validate(loaded, catalog))),
                text.substr(at, 40));
        }
    }
}
