#pragma once

#include "colony/webhooks/signature.hpp"
#include "colony/words.hpp"
#include "kernel/clock.hpp"
#include "kernel/json.hpp"
#include "kernel/result.hpp"
#include "kernel/secret.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace hive::colony::webhooks {

// What a receiver understands.
enum class Format : std::uint8_t { standard, github, discord };
std::string_view name_of(Format format) noexcept;
Result<Format> parse_format(std::string_view text);

// What it takes to speak for the hive. Kept apart from the rest, and shown never again.
struct Secrets {
    Secret signing{};
    Secret former{}; // signs as well until then
    std::optional<Timestamp> former_until{};
    Secret token{}; // goes along as `Authorization: Bearer`, for receivers that ask for one

    bool operator==(const Secrets&) const = default;
};

struct Endpoint {
    std::string id;
    std::string url;
    Words events{}; // `task.*`, `message.new`, `*`
    Format format = Format::standard;
    std::string description{};
    bool enabled = true;
    std::string disabled_because{}; // `failing`, `gone`; empty: a person did it
    Timestamp created{};
    std::optional<Timestamp> failing_since{}; // nothing has arrived since
    std::optional<Timestamp> last_arrival{};
    Secrets secrets{};

    bool operator==(const Endpoint&) const = default;
};

// `task.*` has all that begins with `task.`, `*` everything, anything else itself.
bool matches(std::string_view pattern, std::string_view event) noexcept;
bool wants(const Endpoint& endpoint, std::string_view event) noexcept;
Status check_pattern(std::string_view pattern);

// http or https, a host, no user and password: where a request may really go is decided when it
// connects.
Status check_url(std::string_view url);
std::string origin_of(std::string_view url); // `https://hooks.example:8443`, safe to tell

// `v1,... v1,...`: two while a rotation overlaps.
Result<std::string> signatures(const Endpoint& endpoint, const Signed& message);

json::object to_json(const Endpoint& endpoint); // without secrets
// As kept: the thing, and its secrets apart.
std::string to_stored(const Endpoint& endpoint);
std::string to_stored(const Secrets& secrets);
Result<Endpoint> endpoint_from_stored(std::string_view text, std::string_view secrets);

} // namespace hive::colony::webhooks
