#include "wire/scope.hpp"

namespace hive::wire {

std::string to_text(const Scope& scope) {
    std::string out{scope.swarm.text()};
    out += '.';
    out += scope.role.text();
    out += '.';
    out += scope.instance.text();
    return out;
}

const Role& orchestrator_role() {
    static const Role role = *Role::parse("orchestrator");
    return role;
}

const Role& controller_role() {
    static const Role role = *Role::parse("swarm-controller");
    return role;
}

bool is_controller(const Target<Role>& role) {
    return role.id() == controller_role();
}

bool is_manager(const Target<Role>& role) {
    return is_controller(role) || role.id() == orchestrator_role();
}

Origin::Origin(const Role& role, const InstanceId& instance)
    : text_{role.text() + ':' + instance.text()} {}

Result<Origin> Origin::parse(std::string_view text) {
    const std::size_t colon = text.find(':');
    if (auto ok = check_id("origin", text.substr(0, colon)); !ok) return fail(ok.error());
    if (colon != text.npos) {
        if (auto ok = check_id("origin instance", text.substr(colon + 1)); !ok) {
            return fail(ok.error());
        }
    }
    return Origin{std::string{text}};
}

} // namespace hive::wire
