#include "bus/dead_letter.hpp"

#include <string>

namespace hive::bus {
namespace {

std::string_view cut(std::string_view text) {
    if (text.size() <= error_bytes_max) return text;
    std::size_t end = error_bytes_max;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0U) == 0x80U) --end;
    return text.substr(0, end);
}

} // namespace

void mark_dead(wire::WorkItem& item, std::string_view reason, std::uint32_t attempts) {
    item.headers.set(error_header, std::string{cut(reason)});
    item.headers.set(attempts_header, wire::HeaderValue::json(std::to_string(attempts)));
}

} // namespace hive::bus
