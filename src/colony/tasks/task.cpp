#include "colony/tasks/task.hpp"

#include <algorithm>

namespace hive::colony::tasks {
namespace {

// Neither a bee nor a skill can have these in its name: input is checked for control characters.
constexpr char after_bee = '\x1e';
constexpr char after_skill = '\x1f';

} // namespace

Duration backoff(const Retry& retry, int attempts) noexcept {
    Duration wait = std::min(retry.first, retry.longest);
    for (int i = 1; i < attempts && wait < retry.longest; ++i) {
        wait = wait > retry.longest / 2 ? retry.longest : wait * 2;
    }
    return wait;
}

std::string lane_of(const Task& task) {
    std::string lane = task.assigned_to;
    lane += after_bee;
    auto skills = task.skills;
    std::ranges::sort(skills);
    const auto doubled = std::ranges::unique(skills);
    skills.erase(doubled.begin(), doubled.end());
    for (const auto& skill : skills) {
        lane += skill;
        lane += after_skill;
    }
    return lane;
}

Lane read_lane(std::string_view lane) {
    const auto bee_end = lane.find(after_bee);
    Lane out{.assigned_to = std::string{lane.substr(0, bee_end)}, .skills = {}};
    std::string_view rest = bee_end == lane.npos ? std::string_view{} : lane.substr(bee_end + 1);
    while (!rest.empty()) {
        const auto end = std::min(rest.find(after_skill), rest.size());
        out.skills.emplace_back(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return out;
}

} // namespace hive::colony::tasks
