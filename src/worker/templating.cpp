#include "worker/templating.hpp"

#include <fmt/format.h>

namespace hive::worker {
namespace {

constexpr std::size_t shown_max = 5;

} // namespace

Result<templates::Template> compile_setting(std::string_view source, std::string_view key) {
    auto compiled = templates::compile(source, {.key = key});
    if (compiled) return *std::move(compiled);
    std::string text;
    std::size_t shown = 0;
    for (const Finding& finding : compiled.error()) {
        if (++shown > shown_max) break;
        if (!text.empty()) text += "; ";
        text += fmt::format(
            "config.{} at {}:{}: {}", key, finding.at.line, finding.at.column, finding.message);
        if (!finding.hint.empty()) text += fmt::format(" ({})", finding.hint);
    }
    return fail(Errc::invalid, std::move(text));
}

} // namespace hive::worker
