#pragma once

#include "colony/costs/usage.hpp"

#include <optional>
#include <vector>

namespace hive::colony::costs {

inline constexpr std::int64_t price_max = 2'000'000'000; // 2000 units of currency

// What one kind costs: per million tokens, or per hour of CPU.
struct Price {
    std::string id;
    std::string model; // a name, or a pattern with `*`
    Kind kind = Kind::input;
    std::int64_t micros = 0;
    std::string currency{}; // the hive's when it was made; empty: whatever that is
    Timestamp from{};
    std::optional<Timestamp> to{}; // not any more from then on; none: still
    std::string created_by{};
    Timestamp created{};

    bool operator==(const Price&) const = default;
};
using Prices = std::vector<Price>;

// The row that applies, of those in the currency of the record: the name itself before patterns,
// longer patterns before shorter ones.
const Price* price_for(const Prices& prices, const Usage& usage, Kind kind);

// Half a millionth and more is rounded up, once per kind.
std::int64_t cost_of(std::int64_t amount, const Price& price);

// What the table says it cost, and by which rows.
void price_usage(const Prices& prices, Usage& usage);

// Another row for the same model and kind at the same time; none when there is no such.
const Price* overlapping(const Prices& prices, const Price& price);
Status check_price(const Price& price);

json::object to_json(const Price& price);
Result<Price> price_from_stored(std::string_view text);

} // namespace hive::colony::costs
