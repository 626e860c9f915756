#include "colony/files/place.hpp"

#include "colony/files/text.hpp"
#include "kernel/text.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace hive::colony::files {
namespace {

constexpr std::array<std::string_view, 9> family_names{
    "task", "response", "message", "heartbeat", "control", "session", "log", "board", "document"};

bool is_archive(std::string_view directory) {
    return directory == "archived" || directory == "_archive" || directory == "archive";
}

// `rest`: the directories below the one that decides.
void place_task(Place& place, const std::vector<std::string_view>& rest) {
    place.family = Family::task;
    for (const auto directory : rest) {
        if (is_archive(lowered(directory))) {
            place.archived = true;
        } else if (place.inbox.empty()) {
            place.inbox = directory;
        }
    }
}

Family family_below(std::string_view directory, const Place& place) {
    const bool lines = place.extension == ".jsonl";
    const bool yaml = place.extension == ".yaml" || place.extension == ".yml";
    if (directory == "responses") {
        if (lines) return Family::log;
        return place.extension == ".md" ? Family::response : Family::document;
    }
    if (directory == "coordination" || directory == "tunnel") {
        return place.extension == ".md" ? Family::message : Family::document;
    }
    if (directory == "heartbeats") return yaml ? Family::heartbeat : Family::document;
    if (directory == "controls") return Family::control;
    if (directory == "sessions") return Family::session;
    if (directory == "bot-logs" && yaml) return Family::heartbeat;
    return lines ? Family::log : Family::document;
}

} // namespace

std::string_view name_of(Family family) noexcept {
    return family_names.at(static_cast<std::size_t>(family));
}

Place place_of(std::string_view path) {
    Place place;
    auto parts = split(path, "/");
    if (parts.empty()) return place;
    place.name = parts.back();
    parts.pop_back();
    const auto dot = place.name.rfind('.');
    const bool has_extension = dot != std::string::npos && dot > 0;
    place.stem = place.name.substr(0, has_extension ? dot : std::string::npos);
    if (has_extension) place.extension = lowered(std::string_view{place.name}.substr(dot));
    if (parts.empty()) {
        if (path == board_path) place.family = Family::board;
        return place;
    }
    const bool in_hive = lowered(parts.front()) == "hive";
    if (in_hive) parts.erase(parts.begin());
    const std::string deciding = parts.empty() ? std::string{} : lowered(parts.front());
    if (deciding == "tasks" || (in_hive && is_archive(deciding))) {
        place_task(place, {parts.begin() + 1, parts.end()});
        place.archived = place.archived || is_archive(deciding);
    } else {
        place.family = family_below(deciding, place);
    }
    return place;
}

bool is_taken(std::string_view path) {
    constexpr std::array<std::string_view, 4> roots{"hive", "bot-logs", "tunnel", "tasks"};
    constexpr std::array<std::string_view, 5> extensions{".md", ".json", ".jsonl", ".yaml", ".yml"};
    const auto parts = split(path, "/");
    if (find_invalid_utf8(path)) return false; // such a name cannot be told to anybody
    if (parts.empty() ||
        std::ranges::any_of(parts, [](auto part) { return part.starts_with('.'); }))
        return false;
    if (path == board_path) return true;
    if (path == aliases_path) return false; // settings, not work
    if (parts.size() < 2 || std::ranges::find(roots, lowered(parts.front())) == roots.end())
        return false;
    const Place place = place_of(path);
    return place.family == Family::control ||
           std::ranges::find(extensions, place.extension) != extensions.end();
}

} // namespace hive::colony::files
