#pragma once

#include "kernel/id.hpp"
#include "kernel/result.hpp"

#include <compare>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace hive::wire {

// One word of a scope: a concrete id, or every one of its kind.
template <class IdType>
class Target {
public:
    Target(IdType id) : id_{std::move(id)} {} // NOLINT: an id is the usual target
    static Target all() { return Target{}; }
    static Result<Target> parse(std::string_view text) {
        if (text == all_word) return all();
        auto id = IdType::parse(text);
        if (!id) return fail(std::move(id).error());
        return Target{*std::move(id)};
    }

    bool is_all() const noexcept { return !id_; }
    const std::optional<IdType>& id() const noexcept { return id_; }
    std::string_view text() const noexcept {
        return id_ ? std::string_view{id_->text()} : all_word;
    }
    auto operator<=>(const Target&) const = default;

private:
    Target() = default;
    std::optional<IdType> id_;
};

// Whom a message is about or meant for; the last three words of its routing key.
struct Scope {
    Target<SwarmId> swarm = Target<SwarmId>::all();
    Target<Role> role = Target<Role>::all();
    Target<InstanceId> instance = Target<InstanceId>::all();

    auto operator<=>(const Scope&) const = default;
};

std::string to_text(const Scope& scope); // swarm.role.instance

// Managers shape desired state and have no workload of their own.
const Role& orchestrator_role(); // `orchestrator`
const Role& controller_role();   // `swarm-controller`
bool is_manager(const Target<Role>& role);
bool is_controller(const Target<Role>& role);

// Who emitted a message: `<role>:<instance>`, or the bare name of a client such as `hive-ui`.
class Origin {
public:
    Origin(const Role& role, const InstanceId& instance);
    static Result<Origin> parse(std::string_view text);

    const std::string& text() const noexcept { return text_; }
    auto operator<=>(const Origin&) const = default;

private:
    explicit Origin(std::string text) : text_{std::move(text)} {}
    std::string text_;
};

} // namespace hive::wire
