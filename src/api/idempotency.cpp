#include "api/idempotency.hpp"

#include <algorithm>

namespace hive::api {

Result<std::string> parse_idempotency_key(std::string_view header) {
    constexpr std::size_t key_max = 128;
    if (header.size() >= 2 && header.front() == '"' && header.back() == '"') {
        header = header.substr(1, header.size() - 2);
    }
    const bool printable = std::ranges::all_of(
        header, [](char c) { return c > 0x20 && c < 0x7f && c != '"' && c != '\\'; });
    if (header.empty() || header.size() > key_max || !printable) {
        return fail(Errc::invalid, "Idempotency-Key must have 1 to 128 printable characters");
    }
    return std::string{header};
}

} // namespace hive::api
