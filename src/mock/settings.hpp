#pragma once

#include "mock/delay.hpp"
#include "mock/framing.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hive::mock {

// What an endpoint does with a request. The shares are tried in this order, and one request has at
// most one fault.
struct Behaviour {
    std::vector<std::uint16_t> statuses{200}; // in turn; usually one
    // `{count}` stands for the number of this request at this endpoint.
    std::string body = R"({"ok":true})";
    std::string content_type = "application/json";
    Delay delay{};
    Ratio error_ratio{}; // answered with error_status
    std::uint16_t error_status = 500;
    Ratio reset_ratio{};    // the connection is reset
    Ratio silent_ratio{};   // never answered
    Ratio truncate_ratio{}; // closed half-way through the body
    Ratio lie_ratio{};      // Content-Length says less than what is sent

    bool operator==(const Behaviour&) const = default;
};

struct Route {
    std::string path{};   // `/orders`, or `/orders/*` for everything below
    std::string method{}; // empty: any
    Behaviour does{};
    bool operator==(const Route&) const = default;
};

// No answer is sent from `at` until `lasts` later; counted from the start or the last reset.
struct Stall {
    Duration at{};
    Duration lasts{};
    bool operator==(const Stall&) const = default;
};
Result<Stall> parse_stall(std::string_view text); // `5s:1s`

struct Settings {
    std::string listen = "127.0.0.1";
    std::optional<std::uint16_t> http{};
    std::vector<TcpEndpoint> tcp{};
    Behaviour usual{};                     // of every request that no route takes
    std::optional<std::string> tcp_body{}; // instead of what was sent
    std::vector<Route> routes{};           // the first that fits
    std::size_t capacity = 0;              // served at a time, the others queue up; 0: no limit
    std::vector<Stall> stalls{};
    std::size_t threads = 1;
    std::size_t connections_max = 10'000; // per thread
    std::size_t arrivals_max = 1'000'000; // arrival times kept
    std::uint64_t seed = 1;
};

// What flags and file cannot say one by one.
Status check(const Settings& settings);

} // namespace hive::mock

namespace hive {

template <>
struct ConfigType<mock::Stall> : PlainType {
    static Result<mock::Stall> parse(std::string_view text) { return mock::parse_stall(text); }
    static std::string show(const mock::Stall& value) {
        return ConfigType<Duration>::show(value.at) + ':' + ConfigType<Duration>::show(value.lasts);
    }
    static std::string expected() { return "two durations AT:LASTS like 5s:1s"; }
    static std::string value_name() { return "AT:LASTS"; }
};

} // namespace hive
