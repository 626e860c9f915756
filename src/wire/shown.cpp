#include "wire/shown.hpp"

namespace hive::wire {

std::string in_quotes(std::string_view text) {
    constexpr std::size_t shown_max = 60; // bytes
    std::string out{"'"};
    for (const char c : text.substr(0, shown_max)) out += (c >= ' ' && c <= '~') ? c : '?';
    out += text.size() > shown_max ? "...'" : "'";
    return out;
}

} // namespace hive::wire
