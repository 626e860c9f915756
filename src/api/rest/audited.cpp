#include "api/rest/audited.hpp"

#include "audit/details.hpp"

namespace hive::rest {

json::object audited(const json::object& value) {
    constexpr std::size_t bytes_max = audit::details_bytes_max / 4; // an entry holds some of these
    const std::string text = to_text(value);
    // One level less than an entry may have: it stands inside of one.
    const bool fits =
        text.size() <= bytes_max &&
        parse_json(text, {.bytes = text.size(), .depth = audit::details_depth_max - 2});
    if (fits) return value;
    return {{"omitted", "too large or too deep to be kept"}, {"bytes", text.size()}};
}

} // namespace hive::rest
