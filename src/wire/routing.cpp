#include "wire/routing.hpp"

#include "wire/shown.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cstdlib>

namespace hive::wire {
namespace {

// AMQP allows no longer key (short string).
constexpr std::size_t key_max = 255; // bytes

std::vector<std::string_view> command_names(bool (*included)(Command) noexcept) {
    std::vector<std::string_view> names;
    for (const Command command : all_commands) {
        if (included(command)) names.push_back(name_of(command));
    }
    return names;
}

auto not_a_key(std::string_view text, std::string_view why) {
    return fail(Errc::invalid, fmt::format("routing key {}: {}", in_quotes(text), why));
}

// Takes the first word off `rest`.
std::string_view take_word(std::string_view& rest) {
    const std::size_t dot = rest.find('.');
    const std::string_view word = rest.substr(0, dot);
    rest.remove_prefix(dot == rest.npos ? rest.size() : dot + 1);
    return word;
}

Result<Family> parse_family(std::string_view& rest) {
    const std::string_view first = take_word(rest);
    if (first == "signal") return Family::signal;
    if (first != "event") return fail(Errc::invalid, "must start with 'signal.' or 'event.'");
    const std::string_view name = take_word(rest);
    for (const Family family : {Family::outcome, Family::metric, Family::alert}) {
        if (name == name_of(family)) return family;
    }
    return fail(
        Errc::invalid, fmt::format("{} is not one of outcome, metric, alert", in_quotes(name)));
}

Result<std::string_view> parse_type(Family family, std::string_view word) {
    const auto& types = types_of(family);
    if (const auto found = std::ranges::find(types, word); found != types.end()) return *found;
    return fail(
        Errc::invalid, fmt::format(
                           "{} is not a type of {}, which has {}", in_quotes(word), name_of(family),
                           fmt::join(types, ", ")));
}

Result<Scope> parse_scope(std::string_view rest) {
    if (std::ranges::count(rest, '.') != 2) {
        return fail(Errc::invalid, "must end with <swarmId>.<role>.<instance>");
    }
    auto swarm = Target<SwarmId>::parse(take_word(rest));
    if (!swarm) return fail(std::move(swarm).error());
    auto role = Target<Role>::parse(take_word(rest));
    if (!role) return fail(std::move(role).error());
    auto instance = Target<InstanceId>::parse(take_word(rest));
    if (!instance) return fail(std::move(instance).error());
    return Scope{*std::move(swarm), *std::move(role), *std::move(instance)};
}

} // namespace

std::string_view name_of(Family family) noexcept {
    switch (family) {
    case Family::signal: return "signal";
    case Family::outcome: return "outcome";
    case Family::metric: return "metric";
    case Family::alert: return "alert";
    }
    std::abort();
}

std::string_view prefix_of(Family family) noexcept {
    switch (family) {
    case Family::signal: return "signal";
    case Family::outcome: return "event.outcome";
    case Family::metric: return "event.metric";
    case Family::alert: return "event.alert";
    }
    std::abort();
}

const std::vector<std::string_view>& types_of(Family family) {
    static const auto signals = command_names(has_signal);
    static const auto outcomes = command_names(has_outcome);
    static const std::vector<std::string_view> metrics{status_full, status_delta};
    static const std::vector<std::string_view> alerts{alert_type};
    switch (family) {
    case Family::signal: return signals;
    case Family::outcome: return outcomes;
    case Family::metric: return metrics;
    case Family::alert: return alerts;
    }
    std::abort();
}

RoutingKey RoutingKey::signal(Command command, Scope target) {
    assert(has_signal(command));
    return {Family::signal, name_of(command), std::move(target)};
}

RoutingKey RoutingKey::outcome(Command command, Scope subject) {
    assert(has_outcome(command));
    return {Family::outcome, name_of(command), std::move(subject)};
}

RoutingKey RoutingKey::full_status(Scope subject) {
    return {Family::metric, status_full, std::move(subject)};
}

RoutingKey RoutingKey::delta_status(Scope subject) {
    return {Family::metric, status_delta, std::move(subject)};
}

RoutingKey RoutingKey::alert(Scope subject) {
    return {Family::alert, alert_type, std::move(subject)};
}

std::string to_text(const RoutingKey& key) {
    return fmt::format("{}.{}.{}", prefix_of(key.family), key.type, to_text(key.scope));
}

Result<RoutingKey> parse_routing_key(std::string_view text) {
    if (text.size() > key_max) {
        return not_a_key(text, fmt::format("{} bytes; at most {}", text.size(), key_max));
    }
    std::string_view rest = text;
    const auto family = parse_family(rest);
    if (!family) return not_a_key(text, family.error().detail);
    const auto type = parse_type(*family, take_word(rest));
    if (!type) return not_a_key(text, type.error().detail);
    auto scope = parse_scope(rest);
    if (!scope) return not_a_key(text, scope.error().detail);
    return RoutingKey{*family, *type, *std::move(scope)};
}

} // namespace hive::wire
