#include "colony/costs/usage.hpp"

#include "colony/stored.hpp"
#include "kernel/timestamp.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace hive::colony::costs {
namespace {

constexpr std::array<std::string_view, kind_count> kind_names{
    "input", "output", "cache_read", "cache_write", "reasoning", "cpu"};
// As they stand in JSON.
constexpr std::array<std::string_view, token_kinds> token_names{
    "input", "output", "cacheRead", "cacheWrite", "reasoning"};
constexpr double second_us = 1e6;

constexpr std::string_view currencies =
    "AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP "
    "BYN BZD CAD CDF CHF CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP "
    "GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR "
    "KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK "
    "MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR "
    "SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS "
    "UAH UGX USD UYU UZS VED VES VND VUV WST XAF XCD XOF XPF YER ZAR ZMW ZWG ";

void put_range(json::object& out, std::string_view name, const Range& range) {
    if (range == Range{}) return;
    out[name] = json::object{{"low", range.low}, {"high", range.high}};
}

Range range_in(const json::object& in, std::string_view name) {
    const auto* found = in.if_contains(name);
    if (found == nullptr) return {};
    return {found->at("low").to_number<double>(), found->at("high").to_number<double>()};
}

Amounts amounts_in(const json::object& in) {
    Amounts amounts{};
    const json::object tokens = object_in(in, "tokens");
    for (std::size_t i = 0; i < token_kinds; ++i) {
        amounts[i] = number_in<std::int64_t>(tokens, token_names[i]);
    }
    if (in.contains("cpuSeconds")) {
        amounts[static_cast<std::size_t>(Kind::cpu)] =
            std::llround(in.at("cpuSeconds").to_number<double>() * second_us);
    }
    return amounts;
}

Usage usage_in(const json::object& in) {
    return {
        .id = text_in(in, "id"),
        .key = text_in(in, "key"),
        .task = text_in(in, "task"),
        .task_ref = text_in(in, "taskRef"),
        .bee = text_in(in, "bee"),
        .model = text_in(in, "model"),
        .provider = text_in(in, "provider"),
        .run = text_in(in, "run"),
        .at = time_at(in, "at"),
        .recorded_by = text_in(in, "recordedBy"),
        .amounts = amounts_in(in),
        .micros = in.at("micros").to_number<std::int64_t>(),
        .currency = text_in(in, "currency"),
        .stated = in.contains("stated"),
        .prices = words_in(in, "prices"),
        .energy_wh = range_in(in, "energyWh"),
        .carbon_g = range_in(in, "carbonG"),
        .metadata = object_in(in, "metadata")};
}

} // namespace

std::string_view name_of(Kind kind) noexcept {
    return kind_names.at(static_cast<std::size_t>(kind));
}

Result<Kind> parse_kind(std::string_view text) {
    const auto* found = std::ranges::find(kind_names, text);
    if (found == kind_names.end()) {
        return fail(
            Errc::invalid,
            fmt::format("'{}' is not a kind; one of {}", text, fmt::join(kind_names, ", ")));
    }
    return static_cast<Kind>(found - kind_names.begin());
}

Status check_currency(std::string_view text) {
    if (text.size() == 3 && currencies.find(std::string{text} + ' ') % 4 == 0) return {};
    return fail(
        Errc::invalid,
        fmt::format("'{}' is no currency; three capital letters, such as USD", text.substr(0, 20)));
}

std::int64_t Usage::tokens() const noexcept {
    return std::accumulate(amounts.begin(), amounts.begin() + token_kinds, std::int64_t{0});
}

std::string day_of(Timestamp at) {
    return format_timestamp(std::chrono::floor<std::chrono::days>(at)).substr(0, 10);
}

json::object amounts_json(const Amounts& amounts) {
    json::object tokens;
    for (std::size_t i = 0; i < token_kinds; ++i) {
        if (amounts[i] != 0) tokens[token_names[i]] = amounts[i];
    }
    json::object out;
    if (!tokens.empty()) out["tokens"] = std::move(tokens);
    const auto cpu = amounts[static_cast<std::size_t>(Kind::cpu)];
    if (cpu != 0) out["cpuSeconds"] = static_cast<double>(cpu) / second_us;
    return out;
}

json::object to_json(const Usage& usage) {
    json::object out = amounts_json(usage.amounts);
    out["id"] = usage.id;
    out["key"] = usage.key;
    out["at"] = format_timestamp(usage.at);
    out["recordedBy"] = usage.recorded_by;
    out["micros"] = usage.micros;
    put(out, "currency", usage.currency);
    put(out, "task", usage.task);
    put(out, "taskRef", usage.task_ref);
    put(out, "bee", usage.bee);
    put(out, "model", usage.model);
    put(out, "provider", usage.provider);
    put(out, "run", usage.run);
    if (usage.stated) out["stated"] = true;
    put(out, "prices", usage.prices);
    put_range(out, "energyWh", usage.energy_wh);
    put_range(out, "carbonG", usage.carbon_g);
    put(out, "metadata", usage.metadata);
    return out;
}

Result<Usage> usage_from_stored(std::string_view text) {
    return read_stored("usage", text, usage_in);
}

} // namespace hive::colony::costs
