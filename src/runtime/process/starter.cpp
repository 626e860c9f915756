#include "runtime/process/starter.hpp"

#include "runtime/process/gated_child.hpp"
#include "runtime/process/living.hpp"
#include "runtime/process/log_file.hpp"

#include <vector>

namespace hive::runtime::process {
namespace {

std::vector<std::string> arguments_for(const Starter::Programs& programs, const Name& name) {
    if (name.is_controller()) return {programs.own, "controller"};
    const auto other = programs.by_role.find(name.role.text());
    if (other != programs.by_role.end()) return {other->second, name.role.text()};
    return {programs.own, "worker", name.role.text()};
}

} // namespace

Result<Started> Starter::start(const Component& component, const SwarmLock& lock) const {
    const Name& name = component.name;
    if (auto ok = records_.make_log_directory(name.swarm); !ok) return fail(ok.error());
    auto log = open_log(records_.log_of(name));
    if (!log) return fail(log.error());
    auto child = GatedChild::fork(
        {arguments_for(programs_, name), merge(base_, component.environment)}, log->file);
    if (!child) return fail(child.error());
    auto process = identify(child->pid());
    if (!process) return fail(process.error());
    const Record record{name, std::move(*process), clock_.wall(), log->size};
    if (auto ok = records_.write(record, lock); !ok) return fail(ok.error());
    auto pidfd = child->open_gate();
    if (!pidfd) {
        // Could it not be removed, it would say nothing wrong: that process is gone.
        static_cast<void>(records_.remove(record, lock).has_value());
        return fail(pidfd.error());
    }
    return Started{record, std::move(*pidfd)};
}

} // namespace hive::runtime::process
