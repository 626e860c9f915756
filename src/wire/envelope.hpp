#pragma once

#include "kernel/clock.hpp"
#include "kernel/result.hpp"
#include "wire/alert.hpp"
#include "wire/outcome.hpp"
#include "wire/routing.hpp"
#include "wire/scope.hpp"
#include "wire/signal.hpp"
#include "wire/status.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

namespace hive::wire {

// Who says it and when.
struct Sender {
    Origin origin;
    Timestamp at{};

    bool operator==(const Sender&) const = default;
};

// One attempt of a command. A retry gets a new correlation id and keeps the idempotency key.
struct Attempt {
    std::string correlation_id; // not empty
    std::optional<std::string> idempotency_key{};

    bool operator==(const Attempt&) const = default;
};

using Body = std::variant<Signal, Outcome, StatusFull, StatusDelta, Alert>;

// A message of the control plane.
struct Envelope {
    Sender sender;
    Scope scope; // of a signal: whom it is meant for; else: whom it is about
    std::optional<std::string> correlation_id{};
    std::optional<std::string> idempotency_key{};
    Body body{};

    static Envelope signal(Sender sender, Scope target, Attempt attempt, Signal signal);
    static Envelope outcome(Sender sender, Scope subject, Attempt attempt, Outcome outcome);
    static Envelope status(Sender sender, Scope subject, StatusFull status);
    static Envelope status(Sender sender, Scope subject, StatusDelta status);
    static Envelope alert(Sender sender, Scope subject, Alert alert);

    bool operator==(const Envelope&) const = default;
};

// What an outcome must repeat from its signal.
Attempt attempt_of(const Envelope& signal);

RoutingKey routing_key_of(const Envelope& envelope);
// Errc::invalid when a message came by a key that is not its own; says which part differs.
Status check_agreement(const RoutingKey& key, const Envelope& envelope);

// The rules that the types alone do not keep; every violation, joined. What decode_envelope()
// accepts always passes, and so does what the constructors above build from sound parts. For
// publishers whose data comes from elsewhere, such as a bee's own status context.
Status check(const Envelope& envelope);

// Members of a context that belong into a full status only: they are large or never change, and
// deltas go out all the time.
std::span<const std::string_view> heavy_context_keys();

} // namespace hive::wire
