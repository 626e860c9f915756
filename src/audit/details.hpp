#pragma once

#include "kernel/digest.hpp"
#include "kernel/json.hpp"
#include "kernel/result.hpp"

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace hive::audit {

inline constexpr std::size_t details_bytes_max = std::size_t{64} << 10U;
inline constexpr std::size_t details_depth_max = 32;

// What happened, in the words of the part that did it: a JSON object as text, without secrets. The
// chain commits to exactly these bytes, so a store must keep them as they are.
class Details {
public:
    Details() = default; // {}
    // Redacts; fails on text that is not UTF-8, too deep or too long.
    static Result<Details> of(const json::object& object);

    const std::string& text() const noexcept { return text_; }
    bool operator==(const Details&) const = default;

private:
    explicit Details(std::string text) : text_{std::move(text)} {}
    std::string text_{"{}"};
};

// Random bytes, secret until disclosed with the details: without them, erased details that are easy
// to guess ("yes", a name) could be found by hashing guesses.
using Salt = std::array<std::uint8_t, 16>;

// What an entry's chain holds in place of its details: SHA-256("HAD1" || salt || text).
Digest commit_to(const Salt& salt, std::string_view details);

} // namespace hive::audit
