#pragma once

#include <tl/expected.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace hive {

// What a caller can act on. Each edge translates these once: HTTP status, exit code, outcome.
enum class Errc : std::uint8_t {
    invalid,     // the input breaks a rule; the same input will fail again
    not_found,   // the thing asked for does not exist
    conflict,    // it exists, but its state or an earlier declaration forbids this
    denied,      // who asks may not
    limit,       // a bound was reached; try again when there is room
    timeout,     // no answer before the deadline
    unavailable, // a server is away; try again later
    closed,      // this end was closed by its owner
};

std::string_view name_of(Errc code) noexcept;

struct Error {
    Errc code = Errc::invalid;
    std::string detail;

    bool operator==(const Error&) const = default;
};

// The one spelling of expected failure; std::expected once our standard library has it.
template <class T>
using Result = tl::expected<T, Error>;
using Status = Result<void>;

inline auto fail(Errc code, std::string detail) {
    return tl::unexpected<Error>(Error{code, std::move(detail)});
}
inline auto fail(Error error) {
    return tl::unexpected<Error>(std::move(error));
}

} // namespace hive
