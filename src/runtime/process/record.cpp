#include "runtime/process/record.hpp"

#include "kernel/json.hpp"
#include "kernel/timestamp.hpp"

#include <limits>

namespace hive::runtime::process {
namespace {

Result<std::string> text_of(const json::object& record, std::string_view key) {
    const json::value* value = record.if_contains(key);
    if (value == nullptr || !value->is_string()) {
        return fail(Errc::invalid, "'" + std::string{key} + "' is not a text");
    }
    return std::string{value->as_string()};
}

Result<std::uint64_t> number_of(const json::object& record, std::string_view key) {
    const json::value* value = record.if_contains(key);
    boost::system::error_code error;
    const auto number = value != nullptr ? value->to_number<std::uint64_t>(error) : 0;
    if (value == nullptr || error) {
        return fail(Errc::invalid, "'" + std::string{key} + "' is not a whole number");
    }
    return number;
}

template <class IdType>
Result<IdType> id_of(const json::object& record, std::string_view key) {
    return text_of(record, key).and_then([](const std::string& text) {
        return IdType::parse(text);
    });
}

Result<Name> name_of(const json::object& record) {
    auto swarm = id_of<SwarmId>(record, "swarmId");
    if (!swarm) return fail(swarm.error());
    auto role = id_of<Role>(record, "role");
    if (!role) return fail(role.error());
    auto instance = id_of<InstanceId>(record, "instance");
    if (!instance) return fail(instance.error());
    return Name{std::move(*swarm), std::move(*role), std::move(*instance)};
}

Result<Identity> identity_of(const json::object& record) {
    const auto pid = number_of(record, "pid");
    if (!pid) return fail(pid.error());
    if (*pid < 1 || *pid > std::numeric_limits<int>::max()) {
        return fail(Errc::invalid, "'pid' is not the number of a process");
    }
    const auto ticks = number_of(record, "startTicks");
    if (!ticks) return fail(ticks.error());
    auto boot = text_of(record, "bootId");
    if (!boot) return fail(boot.error());
    return Identity{static_cast<int>(*pid), *ticks, std::move(*boot)};
}

} // namespace

std::string to_text(const Record& record) {
    return hive::to_text(json::object{
               {"swarmId", record.name.swarm.text()},
               {"role", record.name.role.text()},
               {"instance", record.name.instance.text()},
               {"pid", record.process.pid},
               {"startTicks", record.process.start_ticks},
               {"bootId", record.process.boot},
               {"startedAt", format_timestamp(record.started)},
               {"logFrom", record.log_from}}) +
           "\n";
}

Result<Record> parse_record(std::string_view text) {
    if (text.ends_with('\n')) text.remove_suffix(1);
    const auto value = parse_json(text, {.bytes = 4096, .depth = 2});
    if (!value) return fail(value.error());
    if (!value->is_object()) return fail(Errc::invalid, "is not an object");
    const json::object& object = value->as_object();
    auto name = name_of(object);
    if (!name) return fail(name.error());
    auto process = identity_of(object);
    if (!process) return fail(process.error());
    const auto started = text_of(object, "startedAt").and_then(parse_timestamp);
    if (!started) return fail(started.error());
    const auto log_from = number_of(object, "logFrom");
    if (!log_from) return fail(log_from.error());
    return Record{std::move(*name), std::move(*process), *started, *log_from};
}

} // namespace hive::runtime::process
