#include "wire/envelope.hpp"

#include "kernel/overloaded.hpp"
#include "wire/envelope_guard.hpp"

#include <fmt/format.h>

#include <cassert>

namespace hive::wire {

Envelope Envelope::signal(Sender sender, Scope target, Attempt attempt, Signal signal) {
    return {
        std::move(sender), std::move(target), std::move(attempt.correlation_id),
        std::move(attempt.idempotency_key), std::move(signal)};
}

Envelope Envelope::outcome(Sender sender, Scope subject, Attempt attempt, Outcome outcome) {
    return {
        std::move(sender), std::move(subject), std::move(attempt.correlation_id),
        std::move(attempt.idempotency_key), std::move(outcome)};
}

Envelope Envelope::status(Sender sender, Scope subject, StatusFull status) {
    return {.sender = std::move(sender), .scope = std::move(subject), .body = std::move(status)};
}

Envelope Envelope::status(Sender sender, Scope subject, StatusDelta status) {
    return {.sender = std::move(sender), .scope = std::move(subject), .body = std::move(status)};
}

Envelope Envelope::alert(Sender sender, Scope subject, Alert alert) {
    return {.sender = std::move(sender), .scope = std::move(subject), .body = std::move(alert)};
}

Attempt attempt_of(const Envelope& signal) {
    assert(std::holds_alternative<Signal>(signal.body) && signal.correlation_id);
    return {*signal.correlation_id, signal.idempotency_key};
}

RoutingKey routing_key_of(const Envelope& envelope) {
    return std::visit(
        overloaded{
            [&](const Signal& signal) {
                return RoutingKey::signal(signal.command, envelope.scope);
            },
            [&](const Outcome& outcome) {
                return RoutingKey::outcome(outcome.command, envelope.scope);
            },
            [&](const StatusFull&) { return RoutingKey::full_status(envelope.scope); },
            [&](const StatusDelta&) { return RoutingKey::delta_status(envelope.scope); },
            [&](const Alert&) { return RoutingKey::alert(envelope.scope); },
        },
        envelope.body);
}

Status check_agreement(const RoutingKey& key, const Envelope& envelope) {
    const RoutingKey own = routing_key_of(envelope);
    if (key == own) return {};
    std::string_view part = "scope";
    if (key.type != own.type) part = "type";
    if (key.family != own.family) part = "kind";
    return fail(
        Errc::invalid, fmt::format(
                           "{} of the message belongs to the routing key {}, but it came by {}",
                           part, to_text(own), to_text(key)));
}

Status check(const Envelope& envelope) {
    Problems problems;
    guard_attempt(envelope, problems);
    guard_scope(envelope, problems);
    guard_body(envelope, problems);
    if (problems.empty()) return {};
    return fail(problems.error());
}

} // namespace hive::wire
