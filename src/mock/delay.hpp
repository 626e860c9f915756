#pragma once

#include "kernel/config_type.hpp"
#include "kernel/random.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace hive::mock {

// How long an answer takes: `5ms`, `uniform(1ms,9ms)`, `normal(5ms,1ms)`, `exponential(5ms)`,
// `lognormal(5ms,0.5)` (median, sigma) or `bimodal(2ms,50ms,10%)` (usual, slow, share of slow).
struct Delay {
    enum class Kind : std::uint8_t { constant, uniform, normal, exponential, lognormal, bimodal };
    Kind kind = Kind::constant;
    Duration first{};  // the delay, minimum, mean or median
    Duration second{}; // maximum, deviation or slow delay
    double share = 0;  // sigma, or how many are slow

    Duration sample(Random& random) const; // never negative, at most `delay_max`
    bool none() const noexcept { return kind == Kind::constant && first == Duration::zero(); }
    bool operator==(const Delay&) const = default;
};
inline constexpr Duration delay_max = std::chrono::hours{1};

Result<Delay> parse_delay(std::string_view text);
std::string format_delay(const Delay& delay);

// A share of all: `1%` or `0.01`.
struct Ratio {
    double value = 0;
    bool operator==(const Ratio&) const = default;
};
Result<Ratio> parse_ratio(std::string_view text);
std::string format_ratio(Ratio ratio);

} // namespace hive::mock

namespace hive {

template <>
struct ConfigType<mock::Delay> : PlainType {
    static Result<mock::Delay> parse(std::string_view text) { return mock::parse_delay(text); }
    static std::string show(const mock::Delay& value) { return mock::format_delay(value); }
    static std::string expected() {
        return "a delay like 5ms, uniform(1ms,9ms), normal(5ms,1ms), exponential(5ms), "
               "lognormal(5ms,0.5) or bimodal(2ms,50ms,10%)";
    }
    static std::string value_name() { return "DELAY"; }
};

template <>
struct ConfigType<mock::Ratio> : PlainType {
    static Result<mock::Ratio> parse(std::string_view text) { return mock::parse_ratio(text); }
    static std::string show(mock::Ratio value) { return mock::format_ratio(value); }
    static std::string expected() { return "a share like 1% or 0.01"; }
    static std::string value_name() { return "SHARE"; }
};

} // namespace hive
