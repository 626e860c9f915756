// The bundles of the public project, in both generations: they load, and say what they should.
#include "cli/scenario_catalog.hpp"
#include "controller/template.hpp"
#include "kernel/yaml_json.hpp"
#include "scenario/validate.hpp"
#include "tests/support/places.hpp"
#include "tests/support/schema_validator.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>

using namespace hive;
using namespace hive::scenario;
namespace fs = std::filesystem;

namespace {

fs::path bundles() {
    const char* given = std::getenv("HIVE_SHARED_DATA"); // NOLINT(concurrency-mt-unsafe)
    const fs::path data = given != nullptr
                              ? fs::path{given}
                              : fs::path{hive::tests::in_source("")} / ".." / "shared" / "data";
    return data / "scenarios";
}

struct Checked {
    Loaded loaded;
    std::vector<Finding> errors;
    std::map<std::string, int> warnings; // how often, by code
};

Checked checked(const fs::path& path) {
    static const Catalog catalog = cli::scenario_catalog();
    Checked out{.loaded = load(path.string()), .errors = {}, .warnings = {}};
    out.errors = out.loaded.findings;
    const auto more = validate(out.loaded, catalog);
    out.errors.insert(out.errors.end(), more.begin(), more.end());
    for (const Finding& each : out.errors) {
        if (each.severity == Severity::warning) ++out.warnings[each.code];
    }
    std::erase_if(out.errors, [](const Finding& each) { return each.severity != Severity::error; });
    return out;
}

std::vector<std::string> codes_of(const std::vector<Finding>& findings) {
    std::vector<std::string> out;
    for (const Finding& finding : findings) out.push_back(finding.code);
    return out;
}

// What is expected of a bundle by its name; all others have no error.
std::vector<std::string> expected_errors(const std::string& generation, const std::string& name) {
    if (name == "local-rest-invalid-volume-template") return {"bad-volume"};
    if (name == "local-rest-two-moderators") return {"guard-alias"};
    // A processor without an address: the public product had a default for it.
    if (generation == "nested" && name == "local-rest-with-multi-generators") {
        return {"missing-key"};
    }
    return {};
}

std::map<std::string, int> expected_warnings(const std::string& bundle) {
    using Counts = std::map<std::string, int>;
    static const std::map<std::string, Counts> known{
        {"flat/local-rest", {{"ignored-key", 2}}},
        {"flat/local-rest-defaults", {{"ignored-key", 2}}},
        {"flat/local-rest-invalid-volume-template", {{"ignored-key", 3}, {"no-sut", 1}}},
        {"flat/local-rest-plan-demo", {{"ignored-key", 2}, {"no-sut", 1}}},
        {"flat/local-rest-two-moderators", {{"ignored-key", 2}, {"no-sut", 1}}},
        {"flat/local-rest-with-multi-generators", {{"ignored-key", 2}, {"no-sut", 1}}},
        {"flat/redis-dataset-demo", {{"ignored-key", 2}}},
        {"flat/tcp-socket-demo", {{"ignored-key", 3}, {"renamed-key", 3}}},
        {"flat/templated-rest", {{"ignored-key", 2}}},
        {"flat/variables-demo", {{"queue-without-consumer", 1}}},
        {"nested/local-rest", {{"ignored-key", 1}, {"no-sut", 1}}},
        {"nested/local-rest-plan-demo", {{"ignored-key", 1}, {"no-sut", 1}}},
        {"nested/local-rest-two-moderators", {{"no-sut", 1}}},
        {"nested/redis-dataset-demo", {{"no-sut", 1}, {"renamed-key", 1}}}};
    const auto found = known.find(bundle);
    return found == known.end() ? Counts{} : found->second;
}

} // namespace

TEST_CASE("the public bundles load, and the broken ones say what is wrong") {
    if (!fs::exists(bundles())) {
        MESSAGE("skipped: there are no public bundles at " << bundles().string());
        return;
    }
    hive::tests::SchemaValidator editors{hive::tests::in_source("docs/spec/scenario.schema.json")};
    std::size_t count = 0;
    for (const std::string generation : {"flat", "nested"}) {
        for (const auto& entry : fs::directory_iterator{bundles() / generation}) {
            const std::string name = entry.path().filename().string();
            CAPTURE(generation);
            CAPTURE(name);
            const Checked one = checked(entry.path());
            CHECK_MESSAGE(
                codes_of(one.errors) == expected_errors(generation, name), render(one.errors));
            CHECK(one.warnings == expected_warnings(generation + "/" + name));
            CHECK(one.loaded.scenario.id == name);
            ++count;
            if (!one.errors.empty()) continue;
            const YamlDocument document =
                parse_yaml("scenario.yaml", one.loaded.bundle.texts.at("scenario.yaml"));
            CHECK(editors.violations(to_json(document.root)) == "");
            Choices choices;
            if (one.loaded.scenario.suts.empty()) {
                choices.endpoints["default"] = "http://127.0.0.1:8089";
            } else {
                choices.sut = one.loaded.scenario.suts.begin()->first;
            }
            const auto compiled = compile(one.loaded.scenario, choices, cli::scenario_catalog());
            REQUIRE_MESSAGE(compiled, compiled.error().detail);
            const auto read =
                controller::read_template(SwarmId::parse("alpha").value(), compiled->bees);
            CHECK_MESSAGE(read, (read ? "" : read.error().detail));
        }
    }
    CHECK(count == 15);
}
