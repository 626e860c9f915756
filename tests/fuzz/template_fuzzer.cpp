#include "template/template.hpp"
#include "wire/work_item.hpp"

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

using namespace hive;
using namespace hive::templates;

namespace {

wire::WorkItem item_with(std::string_view payload) {
    wire::WorkItem item;
    item.headers.set("x-ph-seq", wire::HeaderValue::json("42"));
    item.headers.set("vars", wire::HeaderValue::json(R"({"n":3,"list":[3,1,2]})"));
    item.steps.push_back({.payload = std::string{payload}});
    return item;
}

std::string run(const Template& compiled, const wire::WorkItem& item) {
    // Small bounds: a template may use all of them, and the fuzzer wants to try many.
    constexpr RenderLimits limits{
        .output_bytes = 1U << 16U,
        .memory_bytes = 1U << 20U,
        .payload_bytes = 1U << 16U,
        .loop_rounds = 500,
        .steps = 20'000};
    Random random{7};
    LocalSequences sequences;
    SeededStreams streams;
    Context context{{random, sequences, streams}, limits};
    context.start(item, Timestamp{std::chrono::seconds{1'768'912'496}});
    std::string out = "before ";
    const Status rendered = compiled.render(context, out);
    if (!rendered) {
        assert(out == "before ");
        assert(rendered.error().detail.starts_with("line "));
        return rendered.error().detail;
    }
    assert(out.size() <= limits.output_bytes + 7);
    const auto value = compiled.evaluate(context);
    if (value) assert(to_json(*value).has_value() || value->is(Kind::list) || value->is(Kind::map));
    return out;
}

} // namespace

// The input is a payload and a template, with a line break between them.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text{reinterpret_cast<const char*>(data), size};
    const std::size_t line = text.find('\n');
    const std::string_view source = line == text.npos ? text : text.substr(line + 1);
    const auto compiled = compile(source);
    if (!compiled) {
        assert(!compiled.error().empty());
        for (const Finding& finding : compiled.error()) {
            assert(finding.at.line > 0 && finding.at.column > 0);
            assert(!finding.message.empty() && !finding.code.empty());
        }
        return 0;
    }
    const wire::WorkItem item = item_with(line == text.npos ? "{}" : text.substr(0, line));
    // The same seed, the same bytes.
    const std::string once = run(*compiled, item);
    const std::string twice = run(*compiled, item);
    assert(once == twice);
    return 0;
}
