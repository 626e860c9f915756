// A scenario from anywhere gives a model or findings, never a crash; what has no error compiles or
// says why not, and every finding can be shown.
#include "kernel/text.hpp"
#include "scenario/codes.hpp"
#include "scenario/validate.hpp"

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace {

using namespace hive;
using namespace hive::scenario;

void check_shown(const std::vector<Finding>& findings, std::string_view text) {
    const SourceText source{"f", text};
    assert(!find_invalid_utf8(render(findings, {&source, 1})));
    for (const Finding& finding : findings) {
        assert(is_known_code(finding.code) && !finding.message.empty());
        assert(finding.message.find('\n') == std::string::npos);
    }
}

Catalog catalog() {
    Capability any{
        .fields = {
            {.path = "message.body", .type = "text", .is_template = true},
            {.path = "message.headers{}", .type = "text", .is_template = true},
            {.path = "inputs.scheduler.ratePerSec", .type = "number", .lowest = 0},
            {.path = "inputs.type", .type = "text", .live = false}}};
    any.problems = [](const json::object& config) -> FieldProblems {
        if (config.size() < 3) return {};
        return {{"config.message.body", "bad-value", "is too much", ""}};
    };
    return {{"generator", any}, {"processor", any}};
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text{reinterpret_cast<const char*>(data), size};
    const Loaded loaded = load(single_file("f", text));
    check_shown(loaded.findings, text);
    static const Catalog known = catalog();
    check_shown(validate(loaded, known), text);
    if (has_errors(loaded.findings)) return 0;
    const auto compiled = compile(loaded.scenario, {.profile = "default"}, known);
    assert(compiled || !compiled.error().detail.empty());
    return 0;
}
