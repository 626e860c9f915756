#include "cli/read_summary.hpp"

#include "cli/read_file.hpp"
#include "telemetry/summary_json.hpp"

#include <fmt/format.h>

namespace hive::cli {

Result<telemetry::Summary> read_summary(const std::string& path, int standard_input) {
    constexpr std::size_t bytes_max = std::size_t{8} << 20U;
    const auto refused = [&](const std::string& why) {
        return fail(Errc::invalid, fmt::format("{} {}", path, why));
    };
    const auto text =
        path == "-" ? read_all(standard_input, bytes_max) : read_file(path, bytes_max);
    if (!text) return refused(text.error().detail);
    const auto document = parse_json(*text, {.bytes = bytes_max});
    if (!document) {
        return refused(
            fmt::format("is not JSON, as --summary writes it: {}", document.error().detail));
    }
    auto summary = telemetry::summary_from_json(*document);
    if (!summary)
        return refused(fmt::format("is not a summary of a run: {}", summary.error().detail));
    return summary;
}

} // namespace hive::cli
