#pragma once

#include "kernel/json.hpp"
#include "kernel/timestamp.hpp"
#include "template/template.hpp"
#include "wire/work_item.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

namespace hive::templates {

// A context with one known item, one known time and one known seed: what a template gives in it is
// always the same.
class Rendering {
public:
    static constexpr std::string_view payload =
        R"({"id":"C1","name":"Ada","n":7,"price":2.5,"ok":true,"none":null,"big":18446744073709551615,)"
        R"("tags":["x","y"],"customer":{"id":9,"city":"Ulm"}})";
    static constexpr std::array<std::string_view, 1> names{"sut"};

    explicit Rendering(RenderLimits limits = {}) : context{{random, sequences, streams}, limits} {
        item.headers.set("x-ph-seq", wire::HeaderValue::json("42"));
        item.headers.set("x-ph-call-id", "checkout");
        item.headers.set("flags", wire::HeaderValue::json(R"({"a":[1,2]})"));
        item.message_id = "m-1";
        item.trace_id = "t-1";
        item.steps.push_back({.payload = std::string{payload}});
        bind("vars", R"({"loopCount":3,"customerId":"K-9","enabled":false,"list":[3,1,2]})");
        bind("sut", R"({"endpoints":{"default":{"baseUrl":"http://sut:80"}}})");
        context.start(item, now);
    }

    // The text, or `error: ...` with everything that was found.
    std::string operator()(std::string_view source) {
        const auto compiled = compile(source, {.names = names});
        if (!compiled) return errors_of(compiled.error());
        std::string out;
        const Status rendered = compiled->render(context, out);
        return rendered ? out : "error: " + rendered.error().detail;
    }

    static std::string errors_of(const Findings& findings) {
        std::string out = "error:";
        for (const Finding& finding : findings) {
            out += fmt::format(" {}:{} {}", finding.at.line, finding.at.column, finding.message);
            if (!finding.hint.empty()) out += fmt::format(" ({})", finding.hint);
            out += ";";
        }
        out.pop_back();
        return out;
    }

    void bind(std::string_view name, std::string_view json_text) {
        if (!context.bind(name, *parse_json(json_text))) std::abort();
    }

    Timestamp now = *parse_timestamp("2026-01-20T12:34:56.789Z");
    wire::WorkItem item;
    Random random{7};
    LocalSequences sequences;
    SeededStreams streams;
    Context context;
};

struct Row {
    std::string_view source;
    std::string_view expected;
};

} // namespace hive::templates
