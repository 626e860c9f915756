#include "orchestrator/stored.hpp"

#include "wire/names.hpp"

#include <array>
#include <cstdlib>
#include <exception>

namespace hive::orchestrator {
namespace {

constexpr std::array all_wishes{Wish::stopped, Wish::running, Wish::removed};
constexpr std::array all_phases{Phase::creating, Phase::ready,    Phase::starting,
                                Phase::running,  Phase::stopping, Phase::stopped,
                                Phase::failed,   Phase::removing, Phase::removed};

template <class Enum, std::size_t Size>
Enum choice(const std::array<Enum, Size>& all, std::string_view text) {
    for (const Enum one : all) {
        if (name_of(one) == text) return one;
    }
    throw std::invalid_argument{std::string{text}};
}

json::object stored(const Creation& create) {
    json::object out{
        {"correlationId", create.attempt.correlation_id},
        {"reason", create.reason},
        {"announced", create.announced},
        {"decidedAt", create.decided_at.time_since_epoch().count()}};
    if (create.attempt.idempotency_key) out["idempotencyKey"] = *create.attempt.idempotency_key;
    if (create.decided) out["decided"] = name_of(*create.decided);
    return out;
}

Creation read_creation(const json::object& from) {
    Creation create{.attempt = {from.at("correlationId").as_string().c_str()}};
    if (const auto* key = from.if_contains("idempotencyKey")) {
        create.attempt.idempotency_key = key->as_string().c_str();
    }
    if (const auto* decided = from.if_contains("decided")) {
        create.decided = choice(wire::all_outcome_statuses, decided->as_string());
    }
    create.decided_at = Timestamp{Duration{from.at("decidedAt").as_int64()}};
    create.reason = from.at("reason").as_string().c_str();
    create.announced = from.at("announced").as_bool();
    return create;
}

} // namespace

std::string_view name_of(Wish wish) noexcept {
    switch (wish) {
    case Wish::stopped: return "stopped";
    case Wish::running: return "running";
    case Wish::removed: return "removed";
    }
    std::abort();
}

std::string_view name_of(Phase phase) noexcept {
    switch (phase) {
    case Phase::creating: return "Creating";
    case Phase::ready: return "Ready";
    case Phase::starting: return "Starting";
    case Phase::running: return "Running";
    case Phase::stopping: return "Stopping";
    case Phase::stopped: return "Stopped";
    case Phase::failed: return "Failed";
    case Phase::removing: return "Removing";
    case Phase::removed: return "Removed";
    }
    std::abort();
}

json::object to_stored(const Swarm& swarm) {
    return {
        {"id", swarm.id.text()},
        {"marshal", swarm.marshal.text()},
        {"template", swarm.text},
        {"plan", swarm.plan},
        {"run", swarm.run},
        {"createdAt", swarm.created_at.time_since_epoch().count()},
        {"trouble", swarm.trouble},
        {"wish", name_of(swarm.wish)},
        {"phase", name_of(swarm.phase)},
        {"halted", swarm.halted},
        {"create", stored(swarm.create)}};
}

Result<Swarm> from_stored(const json::value& value) {
    try {
        const json::object& from = value.as_object();
        return Swarm{
            .id = SwarmId::parse(from.at("id").as_string()).value(),
            .marshal = InstanceId::parse(from.at("marshal").as_string()).value(),
            .text = from.at("template").as_object(),
            .plan = from.at("plan").as_object(),
            .run = from.at("run").as_string().c_str(),
            .created_at = Timestamp{Duration{from.at("createdAt").as_int64()}},
            .wish = choice(all_wishes, from.at("wish").as_string()),
            .phase = choice(all_phases, from.at("phase").as_string()),
            .trouble = from.at("trouble").as_string().c_str(),
            .create = read_creation(from.at("create").as_object()),
            .halted = from.at("halted").as_bool()};
    } catch (const std::exception& error) {
        return fail(Errc::invalid, std::string{"a stored swarm does not read: "} + error.what());
    }
}

} // namespace hive::orchestrator
