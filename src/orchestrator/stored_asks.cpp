#include "orchestrator/stored.hpp"
#include "wire/names.hpp"

#include <exception>
#include <stdexcept>

namespace hive::orchestrator {
namespace {

std::string text_at(const json::object& from, std::string_view name) {
    return std::string{std::string_view{from.at(name).as_string()}};
}

wire::Command command_at(const json::object& from) {
    const auto text = text_at(from, "command");
    for (const auto command : wire::all_commands) {
        if (name_of(command) == text) return command;
    }
    throw std::invalid_argument{text};
}

wire::OutcomeStatus status_of(std::string_view text) {
    for (const auto status : wire::all_outcome_statuses) {
        if (name_of(status) == text) return status;
    }
    throw std::invalid_argument{std::string{text}};
}

void write(json::object& out, const wire::Attempt& attempt) {
    out["correlationId"] = attempt.correlation_id;
    if (attempt.idempotency_key) out["idempotencyKey"] = *attempt.idempotency_key;
}

wire::Attempt read_attempt(const json::object& from) {
    wire::Attempt attempt{text_at(from, "correlationId")};
    if (from.contains("idempotencyKey")) attempt.idempotency_key = text_at(from, "idempotencyKey");
    return attempt;
}

json::array stored(const std::vector<wire::Scope>& targets) {
    json::array out;
    for (const auto& target : targets) {
        out.push_back(json::object{
            {"swarm", target.swarm.text()},
            {"role", target.role.text()},
            {"instance", target.instance.text()}});
    }
    return out;
}

wire::Scope read_target(const json::object& from) {
    return {
        SwarmId::parse(text_at(from, "swarm")).value(), // each is of one swarm
        wire::Target<Role>::parse(text_at(from, "role")).value(),
        wire::Target<InstanceId>::parse(text_at(from, "instance")).value()};
}

} // namespace

json::object to_stored(const AskRecord& record) {
    json::object out{
        {"command", name_of(record.command)},
        {"swarm", record.swarm.text()},
        {"who", record.who},
        {"askedAt", record.asked_at.time_since_epoch().count()}};
    write(out, record.attempt);
    if (record.command == wire::Command::config_update) {
        out["patch"] = record.patch;
        out["targets"] = stored(record.targets);
    }
    return out;
}

Result<AskRecord> ask_from_stored(const json::value& value) {
    try {
        const json::object& from = value.as_object();
        AskRecord record{
            .attempt = read_attempt(from),
            .command = command_at(from),
            .swarm = wire::Target<SwarmId>::parse(text_at(from, "swarm")).value(),
            .who = text_at(from, "who"),
            .asked_at = Timestamp{Duration{from.at("askedAt").as_int64()}}};
        if (record.command == wire::Command::config_update) {
            record.patch = from.at("patch").as_object();
            for (const auto& target : from.at("targets").as_array()) {
                record.targets.push_back(read_target(target.as_object()));
            }
        }
        return record;
    } catch (const std::exception& error) {
        return fail(Errc::invalid, std::string{"a stored request does not read: "} + error.what());
    }
}

json::object to_stored(const Ended& ended) {
    json::object out{
        {"command", name_of(ended.command)},
        {"swarm", ended.swarm.text()},
        {"reason", ended.reason},
        {"context", ended.context}};
    write(out, ended.asked);
    if (ended.status) out["status"] = name_of(*ended.status);
    return out;
}

Result<Ended> ended_from_stored(const json::value& value) {
    try {
        const json::object& from = value.as_object();
        Ended ended{
            .asked = read_attempt(from),
            .swarm = wire::Target<SwarmId>::parse(text_at(from, "swarm")).value(),
            .command = command_at(from),
            .reason = text_at(from, "reason"),
            .context = from.at("context").as_object()};
        if (const auto* status = from.if_contains("status")) {
            ended.status = status_of(status->as_string());
        }
        return ended;
    } catch (const std::exception& error) {
        return fail(Errc::invalid, std::string{"a stored ending does not read: "} + error.what());
    }
}

} // namespace hive::orchestrator
