#include "colony/files/merge.hpp"

#include "colony/tasks/task_json.hpp"

#include <fmt/format.h>

#include <array>

namespace hive::colony::files {
namespace {

using tasks::Changes;
using tasks::Move;
using tasks::State;
using tasks::Task;

constexpr std::array<std::string_view, 3> policy_names{"last-write", "files-win", "api-win"};

// The merge of one field after the other.
class Merging {
public:
    Merging(const Sides& sides, Policy policy) : sides_{sides} {
        file_wins_ = policy == Policy::files_win ||
                     (policy == Policy::last_write && sides.file_changed >= sides.api.changed);
    }

    // `name` is the member of the task's JSON that shows the field.
    template <class T>
    void field(std::string_view name, T Task::* member, std::optional<T> Changes::* change) {
        const T& file = sides_.file.*member;
        const T& api = sides_.api.*member;
        if (file == api) return;
        const bool file_changed = sides_.base == nullptr || sides_.base->*member != file;
        const bool api_changed = sides_.base != nullptr && sides_.base->*member != api;
        if (!file_changed) return;
        if (api_changed) {
            out_.conflicts.push_back(
                {"", std::string{name}, shown(sides_.file, name), shown(sides_.api, name),
                 file_wins_});
        }
        if (api_changed && !file_wins_) return;
        out_.changes.*change = file;
        out_.any = true;
    }

    Merged done() { return std::move(out_); }

private:
    static json::value shown(const Task& task, std::string_view name) {
        const auto all = tasks::to_json(task);
        const auto* value = all.if_contains(name);
        return value != nullptr ? *value : json::value{};
    }

    Sides sides_;
    bool file_wins_ = false;
    Merged out_{};
};

using Moves = std::vector<Move>;

// Into the hands of a bee.
std::optional<Moves> moves_to_hold(const Task& task) {
    switch (task.state) {
    case State::pending: return Moves{Move::claim};
    case State::waiting:
        // A failed attempt whose next one is not due yet; a bee that tries anyway has tried.
        return task.unmet.empty() ? std::optional{Moves{Move::ready, Move::claim}} : std::nullopt;
    case State::claimed:
    case State::in_progress: return Moves{};
    case State::blocked: return Moves{Move::unblock, Move::claim};
    case State::cancelled:
    case State::failed: return Moves{Move::redrive, Move::claim};
    case State::in_review:
    case State::completed:
    case State::dead: return std::nullopt;
    }
    return std::nullopt;
}

std::optional<Moves> moves_to_open(State from) {
    switch (from) {
    case State::waiting:
    case State::pending: return Moves{};
    case State::claimed:
    case State::in_progress: return Moves{Move::release};
    case State::blocked: return Moves{Move::unblock};
    case State::completed: return Moves{Move::reopen};
    case State::failed:
    case State::cancelled:
    case State::dead: return Moves{Move::redrive};
    case State::in_review: return std::nullopt;
    }
    return std::nullopt;
}

} // namespace

std::string_view name_of(Policy policy) noexcept {
    return policy_names.at(static_cast<std::size_t>(policy));
}

Result<Policy> parse_policy(std::string_view text) {
    for (std::size_t i = 0; i < policy_names.size(); ++i) {
        if (policy_names.at(i) == text) return static_cast<Policy>(i);
    }
    return fail(
        Errc::invalid,
        fmt::format("'{}' is no policy; one of {}", text, fmt::join(policy_names, ", ")));
}

json::object to_json(const Conflict& conflict) {
    return {
        {"path", conflict.path},
        {"field", conflict.field},
        {"file", conflict.file},
        {"api", conflict.api},
        {"winner", conflict.file_won ? "file" : "api"}};
}

Merged merge(const Sides& sides, Policy policy) {
    Merging merging{sides, policy};
    merging.field("title", &Task::title, &Changes::title);
    merging.field("description", &Task::description, &Changes::description);
    merging.field("priority", &Task::priority, &Changes::priority);
    merging.field("tags", &Task::tags, &Changes::tags);
    merging.field("skills", &Task::skills, &Changes::skills);
    merging.field("assignedTo", &Task::assigned_to, &Changes::assigned_to);
    merging.field("notBefore", &Task::not_before, &Changes::not_before);
    merging.field("repeat", &Task::repeat, &Changes::repeat);
    merging.field("dependsOn", &Task::depends_on, &Changes::depends_on);
    merging.field("attachments", &Task::attachments, &Changes::attachments);
    merging.field("metadata", &Task::metadata, &Changes::metadata);
    return merging.done();
}

std::optional<std::vector<Move>> moves_to(const Task& task, State wanted) {
    if (task.state == wanted) return Moves{};
    const auto held_then = [&](std::optional<Move> last) {
        auto moves = moves_to_hold(task);
        if (moves && last) moves->push_back(*last);
        return moves;
    };
    switch (wanted) {
    case State::claimed:
        return task.state == State::in_progress ? Moves{} : held_then(std::nullopt);
    case State::in_progress: return held_then(Move::progress);
    case State::completed: return held_then(Move::complete);
    case State::failed: return held_then(Move::fail);
    case State::blocked: return held_then(Move::block);
    case State::pending: return moves_to_open(task.state);
    case State::cancelled:
        return can(task.state, Move::cancel) ? std::optional{Moves{Move::cancel}} : std::nullopt;
    case State::waiting:
    case State::in_review:
    case State::dead: return std::nullopt; // nobody can ask for these
    }
    return std::nullopt;
}

} // namespace hive::colony::files
