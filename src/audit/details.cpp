#include "audit/details.hpp"

#include "audit/redaction.hpp"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>

namespace hive::audit {
namespace {

// Scalars have no level, `{}` and `[]` have one.
bool deeper_than(const json::value& value, std::size_t levels) {
    if (!value.is_structured()) return false;
    if (levels == 0) return true;
    const auto inside = [&](const json::value& child) { return deeper_than(child, levels - 1); };
    if (const auto* array = value.if_array()) return std::ranges::any_of(*array, inside);
    return std::ranges::any_of(
        value.get_object(), [&](const auto& member) { return inside(member.value()); });
}

} // namespace

Result<Details> Details::of(const json::object& object) {
    const bool too_deep = std::ranges::any_of(object, [](const auto& member) {
        return deeper_than(member.value(), details_depth_max - 1);
    });
    if (too_deep) {
        return fail(
            Errc::limit,
            fmt::format("audit details nest deeper than {} levels", details_depth_max));
    }
    std::string text = hive::to_text(redact(object));
    if (text.size() > details_bytes_max) {
        return fail(
            Errc::limit, fmt::format(
                             "audit details of {} bytes are over the limit of {}; name the object "
                             "and keep its content elsewhere",
                             text.size(), details_bytes_max));
    }
    if (!simdjson::validate_utf8(text)) {
        return fail(Errc::invalid, "audit details hold text that is not valid UTF-8");
    }
    return Details{std::move(text)};
}

Digest commit_to(const Salt& salt, std::string_view details) {
    return sha256({bytes_of("HAD1"), salt, bytes_of(details)});
}

} // namespace hive::audit
