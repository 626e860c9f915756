#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace hive::colony::files {

// What a file is about. Its directory decides, never its name alone.
enum class Family : std::uint8_t {
    task,
    response,
    message, // coordination notes, and the older message bus `tunnel`
    heartbeat,
    control, // `<BEE>-PAUSE`
    session,
    log,      // lines of JSON
    board,    // bot-status-board.json
    document, // anything else that belongs to the hive
};
std::string_view name_of(Family family) noexcept;

struct Place {
    Family family = Family::document;
    std::string inbox{};   // the directory of a bee that the file is in, as written
    bool archived = false; // in one of the three archives
    std::string name{};    // of the file
    std::string stem{};
    std::string extension{}; // lower case, with its dot
};

// `path` is relative to `.deia`, with '/' between its parts.
Place place_of(std::string_view path);

// Is it a file that the hive reads at all? Dot-files, programs and pictures are not.
bool is_taken(std::string_view path);

inline constexpr std::string_view tasks_directory = "hive/tasks";
inline constexpr std::string_view archive_directory = "hive/tasks/_archive";
inline constexpr std::string_view responses_directory = "hive/responses";
inline constexpr std::string_view messages_directory = "hive/coordination";
inline constexpr std::string_view heartbeats_directory = "hive/heartbeats";
inline constexpr std::string_view controls_directory = "hive/controls";
inline constexpr std::string_view logs_directory = "bot-logs";
inline constexpr std::string_view board_path = "bot-status-board.json";
inline constexpr std::string_view aliases_path = "hive/aliases.yaml";

} // namespace hive::colony::files
