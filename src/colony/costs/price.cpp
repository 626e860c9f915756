#include "colony/costs/price.hpp"

#include "colony/approvals/rule.hpp"
#include "colony/stored.hpp"
#include "kernel/timestamp.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace hive::colony::costs {
namespace {

constexpr std::int64_t token_unit = 1'000'000;
constexpr std::int64_t cpu_unit = std::int64_t{3600} * 1'000'000; // an hour in microseconds

bool is_pattern(const Price& price) {
    return price.model.find('*') != std::string::npos;
}

// None is the hive's, as is what a record or a new price has that says nothing else.
bool same_money(std::string_view a, std::string_view b) {
    return a == b || a.empty() || b.empty();
}

bool applies(const Price& price, const Usage& usage, Kind kind) {
    return same_money(price.currency, usage.currency) && price.kind == kind &&
           price.from <= usage.at && (!price.to || usage.at < *price.to) &&
           approvals::matches_pattern(price.model, usage.model);
}

// Better ones are greater.
auto rank_of(const Price& price) {
    return std::make_tuple(!is_pattern(price), price.model.size(), price.from);
}

Price price_in(const json::object& in) {
    return {
        .id = text_in(in, "id"),
        .model = text_in(in, "model"),
        .kind = parse_kind(text_in(in, "kind")).value(),
        .micros = in.at("micros").to_number<std::int64_t>(),
        .currency = text_in(in, "currency"),
        .from = time_at(in, "from"),
        .to = time_in(in, "to"),
        .created_by = text_in(in, "createdBy"),
        .created = time_at(in, "createdAt")};
}

} // namespace

const Price* price_for(const Prices& prices, const Usage& usage, Kind kind) {
    const Price* best = nullptr;
    for (const Price& price : prices) {
        if (!applies(price, usage, kind)) continue;
        if (best == nullptr || rank_of(price) > rank_of(*best)) best = &price;
    }
    return best;
}

// In parts, so that nothing runs over: amounts and prices are bounded.
std::int64_t cost_of(std::int64_t amount, const Price& price) {
    const std::int64_t unit = price.kind == Kind::cpu ? cpu_unit : token_unit;
    return amount / unit * price.micros + (amount % unit * price.micros + unit / 2) / unit;
}

void price_usage(const Prices& prices, Usage& usage) {
    usage.micros = 0;
    usage.prices.clear();
    for (std::size_t i = 0; i < kind_count; ++i) {
        if (usage.amounts[i] == 0) continue;
        const Price* price = price_for(prices, usage, static_cast<Kind>(i));
        if (price == nullptr) continue;
        usage.micros += cost_of(usage.amounts[i], *price);
        usage.prices.push_back(price->id);
    }
}

const Price* overlapping(const Prices& prices, const Price& price) {
    const auto found = std::ranges::find_if(prices, [&](const Price& other) {
        return other.id != price.id && other.model == price.model && other.kind == price.kind &&
               same_money(other.currency, price.currency) &&
               (!other.to || price.from < *other.to) && (!price.to || other.from < *price.to);
    });
    return found == prices.end() ? nullptr : &*found;
}

Status check_price(const Price& price) {
    if (price.model.empty()) return fail(Errc::invalid, "model: which one, or `*`");
    if (price.micros < 0 || price.micros > price_max) {
        return fail(Errc::invalid, fmt::format("micros: 0 to {}", price_max));
    }
    if (price.to && *price.to <= price.from) {
        return fail(Errc::invalid, "to: it ends before it begins");
    }
    return {};
}

json::object to_json(const Price& price) {
    json::object out{
        {"id", price.id},
        {"model", price.model},
        {"kind", name_of(price.kind)},
        {"micros", price.micros},
        {"from", format_timestamp(price.from)},
        {"createdBy", price.created_by},
        {"createdAt", format_timestamp(price.created)}};
    put(out, "to", price.to);
    put(out, "currency", price.currency);
    return out;
}

Result<Price> price_from_stored(std::string_view text) {
    return read_stored("price", text, price_in);
}

} // namespace hive::colony::costs
