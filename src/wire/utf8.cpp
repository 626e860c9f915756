#include "wire/utf8.hpp"

#include <simdjson.h>

namespace hive::wire {
namespace {

// The size of the character that starts `text`, or 0 when none does.
std::size_t character_size(std::string_view text) {
    constexpr std::size_t size_max = 4; // bytes
    for (std::size_t size = 1; size <= size_max && size <= text.size(); ++size) {
        if (is_utf8(text.substr(0, size))) return size;
    }
    return 0;
}

} // namespace

bool is_utf8(std::string_view text) noexcept {
    return simdjson::validate_utf8(text.data(), text.size());
}

std::string repaired_utf8(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const std::size_t size = character_size(text);
        out += size > 0 ? text.substr(0, size) : std::string_view{"\xEF\xBF\xBD"};
        text.remove_prefix(size > 0 ? size : 1);
    }
    return out;
}

} // namespace hive::wire
