#pragma once

#include "colony/words.hpp"
#include "kernel/clock.hpp"
#include "kernel/json.hpp"
#include "kernel/result.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace hive::colony::costs {

// What is counted: five kinds of tokens that do not overlap, and microseconds of CPU.
enum class Kind : std::uint8_t { input, output, cache_read, cache_write, reasoning, cpu };
inline constexpr std::size_t kind_count = 6;
inline constexpr std::size_t token_kinds = 5;
inline constexpr std::int64_t amount_max = 1'000'000'000'000; // of one kind in one record

std::string_view name_of(Kind kind) noexcept;
Result<Kind> parse_kind(std::string_view text);

// Three letters as ISO 4217 has them; what is no currency of today is refused.
Status check_currency(std::string_view text);
inline constexpr std::string_view currency_usual = "USD";

using Amounts = std::array<std::int64_t, kind_count>;

// An estimate: it is somewhere in here.
struct Range {
    double low = 0;
    double high = 0;

    bool operator==(const Range&) const = default;
};

struct Usage {
    std::string id;
    std::string key; // the same use of something, however often it is reported
    std::string task{};
    std::string task_ref{};
    std::string bee{};
    std::string model{};
    std::string provider{};
    std::string run{}; // of a swarm
    Timestamp at{};
    std::string recorded_by;
    Amounts amounts{};
    std::int64_t micros = 0; // money
    std::string currency{};  // of it; empty: the hive's, from before records said so
    bool stated = false;     // by whoever recorded it, not computed
    Words prices{};          // the rows it was computed by
    Range energy_wh{};
    Range carbon_g{};
    json::object metadata{};

    std::int64_t tokens() const noexcept;
    std::int64_t amount(Kind kind) const noexcept {
        return amounts[static_cast<std::size_t>(kind)];
    }
    bool operator==(const Usage&) const = default;
};

std::string day_of(Timestamp at); // `2026-01-05`, in UTC

json::object amounts_json(const Amounts& amounts); // without zeros; CPU in seconds
json::object to_json(const Usage& usage);
Result<Usage> usage_from_stored(std::string_view text);

} // namespace hive::colony::costs
